//! The user's own templates: the folder `contracts/templates` comes in, what replaces the embedded
//! ones goes out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::diagnostics::{Diagnostic, Severity, SourceFile, closest, rules};
use crate::file;
use crate::render::{self, Templates};
use crate::report::Failure;

/// Where they are.
const TEMPLATES: &str = "contracts/templates";

/// Reads them, by name, with a word about files there that replace nothing.
pub(super) fn read(project_dir: &Path) -> Result<(Templates, Vec<Diagnostic>), Failure> {
    let folder = project_dir.join(TEMPLATES);
    let known: BTreeSet<String> = render::names().collect();
    let mut files = BTreeMap::new();
    for name in &known {
        let path = folder.join(name);
        if path.symlink_metadata().is_err() {
            continue;
        }
        let source =
            file::read(&path, &format!("{TEMPLATES}/{name}")).map_err(|refused| Failure {
                code: rules::DISCOVERY_UNREADABLE.code,
                message: "a template cannot be read".to_owned(),
                diagnostics: vec![refused.finding],
            })?;
        files.insert(name.clone(), source);
    }
    let entries = [
        ("", folder.clone()),
        ("drift/", folder.join("drift")),
        ("tests/", folder.join("tests")),
    ];
    let mut others: Vec<String> = entries
        .iter()
        .flat_map(|(prefix, folder)| {
            let entries = folder.read_dir().into_iter().flatten().flatten();
            let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            names.map(move |name| format!("{prefix}{name}"))
        })
        .filter(|name| {
            let is_template = Path::new(name).extension().is_some_and(|end| end == "j2");
            is_template && !known.contains(name)
        })
        .collect();
    others.sort_unstable();
    let findings = others.iter().map(|name| {
        let message = format!("`{TEMPLATES}/{name}` replaces no template and is not used");
        let place = SourceFile::new(format!("{TEMPLATES}/{name}"), "");
        let finding = Diagnostic::new(&rules::MAPPING_TEMPLATE, message)
            .severity(Severity::Warning)
            .in_file(&place);
        match closest(name, known.iter().map(String::as_str)) {
            Some(close) => finding.help(format!("did you mean `{close}`?")),
            None => finding,
        }
    });
    Ok((Templates { files }, findings.collect()))
}
