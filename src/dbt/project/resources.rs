//! The models, seeds, snapshots and groups that the files of a project define.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use walkdir::{DirEntry, WalkDir};

use super::Project;
use crate::document::{items, text};
use crate::file::{self, shown};

/// How the files of a folder say what they define.
#[derive(Clone, Copy)]
enum Names {
    /// By their own names.
    File,
    /// By `{% snapshot name %}` blocks in SQL, or under `snapshots:` in YAML.
    Snapshot,
}

/// Reads the names of all resources with the files that define them.
pub(super) fn read(project_dir: &Path, project: &mut Project) {
    let skipped: Vec<&str> = project.skipped.iter().map(String::as_str).collect();
    let kinds: [(&[String], &[&str], Names); 3] = [
        (&project.model_paths, &["sql", "py"], Names::File),
        (&project.seed_paths, &["csv"], Names::File),
        (
            &project.snapshot_paths,
            &["sql", "yml", "yaml"],
            Names::Snapshot,
        ),
    ];
    let mut resources: BTreeMap<String, String> = BTreeMap::new();
    let mut disabled = BTreeSet::new();
    let mut groups = BTreeMap::new();
    for (folders, extensions, names) in kinds {
        for path in folders
            .iter()
            .flat_map(|folder| files(project_dir, folder, &skipped))
        {
            let extension = path.extension().and_then(|extension| extension.to_str());
            let shown = shown(project_dir, &path);
            if matches!(extension, Some("yml" | "yaml")) {
                for group in declared_groups(&path) {
                    groups.entry(group).or_insert_with(|| shown.clone());
                }
            }
            if !extension.is_some_and(|extension| extensions.contains(&extension)) {
                continue;
            }
            let defined = match names {
                Names::File => {
                    if extension == Some("sql") && is_disabled(&path) {
                        disabled.insert(shown.clone());
                    }
                    path.file_stem()
                        .map(|stem| stem.to_string_lossy().into_owned())
                        .into_iter()
                        .collect()
                }
                Names::Snapshot => snapshots(&path, extension == Some("sql")),
            };
            for name in defined {
                let known = resources.entry(name).or_insert_with(|| shown.clone());
                if disabled.contains(known.as_str()) {
                    known.clone_from(&shown);
                }
            }
        }
    }
    project.resources = resources;
    project.disabled = disabled;
    project.groups = groups;
}

/// The files below a folder that dbt looks at, in the order of their names, but for those in the
/// folders `skipped`. What cannot be read, dbt
/// cannot read either, and says so.
pub(super) fn files(
    project_dir: &Path,
    folder: &str,
    skipped: &[&str],
) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(project_dir.join(folder))
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !is_skipped(project_dir, entry, skipped));
    let files = entries
        .flatten()
        .filter(|entry| entry.file_type().is_file());
    files.map(DirEntry::into_path)
}

/// Whether a model says in its own SQL that it is off.
fn is_disabled(path: &Path) -> bool {
    file::read(path, "").is_ok_and(|file| DISABLED.is_match(&file.text))
}

/// A call of `config` with `enabled=false`.
static DISABLED: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\bconfig\s*\([^}]*\benabled\s*=\s*[Ff]alse\b").unwrap()
});

/// The groups that a properties file declares.
fn declared_groups(path: &Path) -> Vec<String> {
    // Most files have none, and need no parser.
    let file = file::read(path, "").ok();
    let Some(file) = file.filter(|file| file.text.contains("groups:")) else {
        return Vec::new();
    };
    let documents = file::parse(&file).documents;
    documents
        .iter()
        .flat_map(|root| items(root, "groups"))
        .filter_map(|group| Some(text(group, "name")?.value))
        .collect()
}

/// The snapshots that a file defines.
fn snapshots(path: &Path, is_sql: bool) -> Vec<String> {
    let Ok(file) = file::read(path, "") else {
        return Vec::new();
    };
    if is_sql {
        let blocks = SNAPSHOT.captures_iter(&file.text);
        return blocks.map(|block| block[1].to_owned()).collect();
    }
    // An entry without `relation` describes a snapshot that SQL defines.
    let documents = file::parse(&file).documents;
    documents
        .iter()
        .flat_map(|root| items(root, "snapshots"))
        .filter(|snapshot| snapshot.get("relation").is_some())
        .filter_map(|snapshot| Some(text(snapshot, "name")?.value))
        .collect()
}

/// The beginning of a snapshot block.
static SNAPSHOT: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\{%-?[ \t\r\n]*snapshot[ \t\r\n]+([A-Za-z0-9_]+)[ \t\r\n]*-?%\}").unwrap()
});

/// Whether the walk leaves a file or folder alone.
fn is_skipped(project_dir: &Path, entry: &DirEntry, skipped: &[&str]) -> bool {
    let hidden = entry.file_name().to_string_lossy().starts_with('.');
    let relative = entry.path().strip_prefix(project_dir).ok();
    hidden || relative.is_some_and(|path| skipped.iter().any(|skipped| path == Path::new(skipped)))
}
