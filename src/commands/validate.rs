//! `validate`: the three passes, and what they found; with `--fix` also what settles it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Context, pipeline};
use crate::cli::Validate;
use crate::diagnostics::{Diagnostic, Severity};
use crate::discovery::Texts;
use crate::file::normalize;
use crate::fix::{Fixed, Fixes};
use crate::merge::diff_of;
use crate::report::{Exit, Failure, Reporter, error_output, output, plural};
use crate::workspace::Workspace;
use crate::write;

/// Checks the whole workspace and reports on the paths asked for, after fixes if they are.
pub(crate) fn run(context: &Context, arguments: &Validate) -> Result<Exit, Failure> {
    let paths = paths(context, arguments)?;
    let load = |texts| context.judge(paths.clone(), arguments.min_status, texts);
    let fixing = arguments.fix || arguments.diff;
    let write = fixing && !arguments.diff;
    if write {
        pipeline::recover(context)?;
    }
    let mut workspace = load(Texts::new())?;
    let mut fixes = Fixes::new(&context.project_dir, arguments.unsafe_fixes);
    while fixing && fixes.round(reported(&workspace, &paths)) {
        workspace = load(fixes.texts())?;
    }
    if write {
        write::commit(&context.project_dir, &fixes.changes())
            .map_err(|error| pipeline::failure(&error))?;
    }
    let report = Report {
        fixes: fixing.then_some((fixes, write)),
        without_documents: without_documents(&workspace, &paths, &arguments.paths),
        deny_warnings: arguments.deny_warnings,
        diagnostics: reported(&workspace, &paths).cloned().collect(),
        workspace,
    };
    let exit = report.print(&context.reporter);
    // The process ends here, which frees thousands of contracts at once and not piece by piece.
    std::mem::forget(report);
    Ok(exit)
}

/// The paths asked for, all of which are there.
fn paths(context: &Context, arguments: &Validate) -> Result<Vec<PathBuf>, Failure> {
    let paths: Vec<PathBuf> = arguments
        .paths
        .iter()
        .map(|path| normalize(&context.start.join(path)))
        .collect();
    let missing: Vec<String> = arguments
        .paths
        .iter()
        .zip(&paths)
        .filter(|(_, path)| !path.exists())
        .map(|(given, _)| format!("`{}`", given.display()))
        .collect();
    if missing.is_empty() {
        return Ok(paths);
    }
    let message = format!("no such file or folder: {}", missing.join(", "));
    Err(Failure::new("usage", message))
}

/// What was found in the paths.
fn reported<'a>(
    workspace: &'a Workspace,
    paths: &'a [PathBuf],
) -> impl Iterator<Item = &'a Diagnostic> {
    let findings = workspace.sink.diagnostics().iter();
    findings.filter(|finding| paths.is_empty() || concerns(finding, &workspace.project_dir, paths))
}

/// The paths as they were given, if neither a document nor a finding is in one of them.
fn without_documents(
    workspace: &Workspace,
    paths: &[PathBuf],
    given: &[PathBuf],
) -> Option<String> {
    let contracts = workspace
        .contracts
        .iter()
        .map(|contract| &contract.document);
    let products = workspace.products.iter().map(|product| &product.document);
    let mut documents = contracts.chain(products);
    let is_asked_for = |path: &str| within(path, &workspace.project_dir, paths);
    let found = paths.is_empty()
        || documents.any(|document| is_asked_for(&document.file.path))
        || reported(workspace, paths).next().is_some();
    let given = given.iter().map(|path| format!("`{}`", path.display()));
    (!found).then(|| given.collect::<Vec<_>>().join(" or "))
}

/// What a run has to tell.
struct Report {
    workspace: Workspace,
    /// The findings that are left.
    diagnostics: Vec<Diagnostic>,
    deny_warnings: bool,
    /// The paths that were asked for, where no document is in any of them.
    without_documents: Option<String>,
    /// The fixes, where they were asked for, and whether they are written.
    fixes: Option<(Fixes, bool)>,
}

impl Report {
    fn print(&self, reporter: &Reporter) -> Exit {
        let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
        let to_write = self
            .fixes
            .as_ref()
            .is_some_and(|(fixes, written)| !written && fixes.count() > 0);
        let failed = errors > 0 || (self.deny_warnings && warnings > 0) || to_write;
        let (contracts, products) = self.workspace.found;
        reporter.diagnostics(&self.diagnostics);
        if let Some(paths) = &self.without_documents {
            reporter.progress(&format!("warning: no contract or product in {paths}"));
        }
        if reporter.verbose {
            reporter.progress(&schemas(&self.workspace));
        }
        self.print_files(reporter);
        let conclusion = format!(
            "checked {} and {}: {}{}",
            plural(contracts, "contract"),
            plural(products, "product"),
            reporter.summary(&self.diagnostics),
            self.fixable()
        );
        // A patch on stdout has nothing behind it.
        match self.fixes {
            Some((_, false)) => reporter.progress(&conclusion),
            _ => reporter.conclusion(&conclusion),
        }
        let (safe, when_asked) = self.open_fixes();
        let mut fields = json!({"summary": {
            "contracts": contracts,
            "products": products,
            "errors": errors,
            "warnings": warnings,
            "fixable": {"safe": safe, "unsafe": when_asked},
            "schemas": self.workspace.schemas.iter().map(|((kind, version), documents)| json!({
                "standard": kind.standard(),
                "version": version.map(|version| version.to_string()),
                "documents": documents,
            })).collect::<Vec<_>>(),
        }});
        if let Some((fixes, written)) = &self.fixes {
            fields["files"] = files(fixes, *written);
        }
        reporter.document(!failed, fields, &self.diagnostics);
        Exit::findings(failed)
    }

    /// Prints the files with fixes: their names, or as long as nothing is written what would be.
    fn print_files(&self, reporter: &Reporter) {
        let Some((fixes, written)) = self.fixes.as_ref().filter(|_| reporter.format.is_text())
        else {
            return;
        };
        for (path, reason) in fixes.refused() {
            error_output(&format!("warning: no fixes: `{path}` {reason}\n"));
        }
        for fixed in fixes.files() {
            let path = &fixed.old.path;
            if *written {
                reporter.conclusion(&format!("modified   {path}  {} fixed", fixed.count));
            } else {
                output(&diff(fixed, reporter.color_output()));
            }
        }
    }

    fn count(&self, severity: Severity) -> usize {
        let findings = self.diagnostics.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// How many of the findings have a fix that is safe, and how many another.
    fn open_fixes(&self) -> (usize, usize) {
        let fixes = || {
            self.diagnostics
                .iter()
                .filter_map(|finding| finding.fix.as_ref())
        };
        let safe = fixes().filter(|fix| fix.is_safe()).count();
        (safe, fixes().count() - safe)
    }

    /// `; 2 fixed; 1 fixable with --fix --unsafe-fixes`.
    fn fixable(&self) -> String {
        let (safe, when_asked) = self.open_fixes();
        let mut said = match &self.fixes {
            Some((fixes, true)) => format!("; {} fixed", fixes.count()),
            Some((fixes, false)) => format!("; {} would be fixed", fixes.count()),
            None if safe > 0 => format!("; {safe} fixable with `--fix`"),
            None => String::new(),
        };
        if when_asked > 0 {
            let _ = write!(said, "; {when_asked} fixable with `--fix --unsafe-fixes`");
        }
        said
    }
}

/// The files with fixes for programs.
fn files(fixes: &Fixes, written: bool) -> Value {
    let made = fixes.files().map(|fixed| {
        json!({
            "path": fixed.old.path,
            "status": "modified",
            "fixed": fixed.count,
            "written": written,
            "diff": diff(fixed, false),
        })
    });
    let refused = fixes.refused().map(|(path, reason)| {
        json!({"path": path, "status": "refused", "fixed": 0, "written": false, "reason": reason})
    });
    made.chain(refused).collect()
}

/// The change of one file as a patch.
fn diff(fixed: &Fixed, color: bool) -> String {
    let (old, new) = (&fixed.old, &fixed.new);
    diff_of(&old.path, Some(&old.text), Some(&new.text), color)
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
    let place = finding.place.as_ref();
    place.is_none_or(|place| within(&place.file.path, project_dir, paths))
}

/// Whether a path of the project is one of the paths or below one.
fn within(path: &str, project_dir: &Path, paths: &[PathBuf]) -> bool {
    let path = normalize(&project_dir.join(path));
    paths.iter().any(|wanted| path.starts_with(wanted))
}
