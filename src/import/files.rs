//! The properties files of a run: paths come in, parsed files in the order of their paths go out, or
//! why the run cannot go on. Nothing is half read: one broken file stops it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::Stop;
use super::resources::{PropertiesFile, is_properties};
use crate::diagnostics::rules::{
    YAML_AMBIGUOUS_BOOLEAN, YAML_AMBIGUOUS_NUMBER, YAML_DUPLICATE_KEY, YAML_SYNTAX,
};
use crate::diagnostics::{Diagnostic, Severity};
use crate::file;

/// Folders that hold what dbt or Python made.
const SKIPPED: &[&str] = &[
    "__pycache__",
    "dbt_packages",
    "logs",
    "node_modules",
    "target",
    "venv",
];

/// How properties files end.
const ENDINGS: &[&str] = &["yaml", "yml"];

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) files: Vec<PropertiesFile>,
    /// YAML files in folders that are something else.
    pub(super) others: usize,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads files, and those below folders.
pub(super) fn read(project_dir: &Path, paths: &[PathBuf]) -> Result<Read, Stop> {
    let mut candidates: Vec<(PathBuf, bool)> = Vec::new();
    let mut findings = Vec::new();
    let mut missing = Vec::new();
    for path in paths {
        if !path.exists() {
            missing.push(format!("`{}`", file::shown(project_dir, path)));
        } else if path.is_dir() {
            candidates.extend(below(path).into_iter().map(|path| (path, false)));
        } else {
            candidates.push((path.clone(), true));
        }
    }
    if !missing.is_empty() {
        let message = format!("no such file or folder: {}", missing.join(", "));
        return Err(Stop::new("usage", message));
    }
    let mut read = Read::default();
    let mut seen = BTreeSet::new();
    for (path, is_named) in candidates {
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            continue;
        }
        match one(project_dir, &path, is_named, &mut read.diagnostics) {
            Ok(Some(file)) => read.files.push(file),
            Ok(None) => read.others += 1,
            Err(finding) => findings.push(*finding),
        }
    }
    if !findings.is_empty() {
        let message = "files cannot be read; nothing was imported".to_owned();
        return Err(Stop {
            code: "unreadable",
            message,
            diagnostics: findings,
        });
    }
    read.files
        .sort_by(|one, other| one.file.path.cmp(&other.file.path));
    Ok(read)
}

/// The YAML files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder)
        .sort_by_file_name()
        .follow_links(true)
        .into_iter();
    let entries = entries.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        let is_skipped = entry.file_type().is_dir() && SKIPPED.contains(&name.as_ref());
        entry.depth() == 0 || !(name.starts_with('.') || is_skipped)
    });
    entries
        .filter_map(|entry| match entry {
            Ok(entry) => entry.file_type().is_file().then(|| entry.into_path()),
            // What cannot be opened is found when it is read; a link in a circle leads nowhere new.
            Err(error) => error
                .loop_ancestor()
                .is_none()
                .then(|| error.path().map(Path::to_path_buf))?,
        })
        .filter(|path| {
            let ending = path
                .extension()
                .map(|ending| ending.to_string_lossy().to_lowercase());
            path.is_dir() || ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
        })
        .collect()
}

/// One file; `None` for one in a folder that is no properties file.
fn one(
    project_dir: &Path,
    path: &Path,
    is_named: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<PropertiesFile>, Box<Diagnostic>> {
    let shown = file::shown(project_dir, path);
    let file = file::read(path, &shown).map_err(|refused| Box::new(refused.finding))?;
    let mut trees = file::parse(&file);
    if trees.broken {
        let broken = trees
            .problems
            .into_iter()
            .find(|problem| problem.severity == Severity::Error);
        let unknown =
            || Diagnostic::new(&YAML_SYNTAX, format!("`{shown}` is no YAML")).in_file(&file);
        return Err(Box::new(broken.unwrap_or_else(unknown)));
    }
    let is_known = trees.documents.first().is_some_and(is_properties);
    if !is_known && !is_named {
        return Ok(None);
    }
    if let (true, Some(second)) = (is_known, trees.documents.get(1)) {
        let finding = Diagnostic::new(
            &YAML_SYNTAX,
            "a second document, and dbt reads one in a file",
        );
        return Err(Box::new(finding.at(&file, second.span)));
    }
    if trees.documents.is_empty() && is_named {
        return Ok(None);
    }
    if !is_known {
        let message = format!(
            "`{shown}` is no properties file of dbt: it has neither `models` nor `sources`"
        );
        return Err(Box::new(
            Diagnostic::new(&YAML_SYNTAX, message).in_file(&file),
        ));
    }
    for mut problem in trees.problems {
        // dbt reads such words as we do.
        if [&YAML_AMBIGUOUS_BOOLEAN, &YAML_AMBIGUOUS_NUMBER].contains(&problem.rule) {
            continue;
        }
        // dbt takes the last of two equal keys.
        if problem.rule == &YAML_DUPLICATE_KEY {
            problem.severity = Severity::Warning;
        }
        if problem.severity == Severity::Error {
            return Err(Box::new(problem));
        }
        diagnostics.push(problem);
    }
    let root = trees.documents.remove(0);
    Ok(Some(PropertiesFile { file, root }))
}
