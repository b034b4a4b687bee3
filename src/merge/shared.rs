//! Whether people use the files that all contracts share, such as the macros of our own tests.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use walkdir::WalkDir;

use super::lock::Entry;
use super::outcome::{Action, Outcome};
use crate::file;

/// Folders of a project that hold no code of its own.
const SKIPPED: &[&str] = &["dbt_packages", "logs", "target"];

/// What may name a macro.
const EXTENSIONS: &[&str] = &["sql", "yaml", "yml"];

/// Whether a file of the project that stays names one of the shared files as a macro.
pub(super) fn is_mentioned(
    project_dir: &Path,
    shared: &[(&String, &Entry)],
    files: &BTreeMap<&str, Outcome>,
) -> bool {
    let names: BTreeSet<&str> = shared
        .iter()
        .filter_map(|(path, _)| Path::new(path.as_str()).file_stem()?.to_str())
        .collect();
    // What is as planned uses planned files only.
    let stays = |path: &str| {
        let is_edited = |outcome: &Outcome| outcome.is_edited() && outcome.action == Action::Leave;
        !shared.iter().any(|(shared, _)| *shared == path) && files.get(path).is_none_or(is_edited)
    };
    let is_code = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_str().unwrap_or_default();
        let skipped = entry.depth() == 1 && SKIPPED.contains(&name);
        entry.depth() == 0 || !(name.starts_with('.') || skipped)
    };
    WalkDir::new(project_dir)
        .into_iter()
        .filter_entry(is_code)
        .filter_map(Result::ok)
        .filter(|entry| {
            let extension = entry.path().extension().and_then(OsStr::to_str);
            extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
        })
        .any(|entry| {
            let path = file::shown(project_dir, entry.path());
            stays(&path)
                && file::read(entry.path(), &path)
                    .is_ok_and(|file| names.iter().any(|name| file.text.contains(name)))
        })
}
