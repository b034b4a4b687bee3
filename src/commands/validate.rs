//! `validate`: the three passes, and what they found.

use std::path::{Component, Path, PathBuf};

use serde_json::json;

use super::Context;
use crate::cli::Validate;
use crate::diagnostics::{Diagnostic, Severity};
use crate::report::{Exit, Failure, plural};
use crate::workspace::Workspace;

/// Checks the whole workspace and reports on the paths asked for.
pub(crate) fn run(context: &Context, arguments: &Validate) -> Result<Exit, Failure> {
    let extra: Vec<PathBuf> = arguments
        .paths
        .iter()
        .map(|path| normalize(&context.start.join(path)))
        .collect();
    let missing: Vec<String> = arguments
        .paths
        .iter()
        .zip(&extra)
        .filter(|(_, path)| !path.exists())
        .map(|(given, _)| format!("`{}`", given.display()))
        .collect();
    if !missing.is_empty() {
        let message = format!("no such file or folder: {}", missing.join(", "));
        return Err(Failure::new("usage", message));
    }
    let workspace = context.load(extra.clone(), arguments.min_status)?;
    let diagnostics: Vec<Diagnostic> = workspace
        .sink
        .diagnostics()
        .iter()
        .filter(|finding| extra.is_empty() || concerns(finding, &workspace.project_dir, &extra))
        .cloned()
        .collect();
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let failed = errors > 0 || (arguments.deny_warnings && warnings > 0);
    let (contracts, products) = workspace.found;
    context.reporter.diagnostics(&diagnostics);
    if context.reporter.verbose {
        context.reporter.progress(&schemas(&workspace));
    }
    context.reporter.conclusion(&format!(
        "checked {} and {}: {}",
        plural(contracts, "contract"),
        plural(products, "product"),
        context.reporter.summary(&diagnostics)
    ));
    context.reporter.document(
        !failed,
        json!({"summary": {
            "contracts": contracts,
            "products": products,
            "errors": errors,
            "warnings": warnings,
            "schemas": workspace.schemas.iter().map(|((kind, version), documents)| json!({
                "standard": kind.standard(),
                "version": version.map(|version| version.to_string()),
                "documents": documents,
            })).collect::<Vec<_>>(),
        }}),
        &diagnostics,
    );
    Ok(Exit::findings(failed))
}

/// `schemas of dbt-contracts 0.1.0: ODCS v3.1.0 (9), ODPS v1.0.0 (3)`.
fn schemas(workspace: &Workspace) -> String {
    let schemas: Vec<String> = workspace
        .schemas
        .iter()
        .map(|((kind, version), documents)| match version {
            Some(version) => format!("{} {version} ({documents})", kind.standard()),
            None => format!("no {} schema ({documents})", kind.standard()),
        })
        .collect();
    format!(
        "schemas of {} {}: {}",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        schemas.join(", ")
    )
}

/// Whether a finding is about one of the paths, or about none in particular.
fn concerns(finding: &Diagnostic, project_dir: &Path, paths: &[PathBuf]) -> bool {
    finding.place.as_ref().is_none_or(|place| {
        let path = normalize(&project_dir.join(&place.file.path));
        paths.iter().any(|wanted| path.starts_with(wanted))
    })
}

/// The path without `.` and `..`, by its text alone.
fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}
