//! The models, seeds, snapshots and groups that the files of a project define, and what persons say of
//! models and sources: one walk over its folders.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use walkdir::{DirEntry, WalkDir};

use super::{Declared, Project, declared};
use crate::diagnostics::SourceFile;
use crate::document::{items, text};
use crate::file::{self, Files, shown};

/// How the files of a folder say what they define.
#[derive(Clone, Copy)]
enum Names {
    /// By their own names, those of models.
    File,
    /// By their own names, those of seeds.
    Seed,
    /// By `{% snapshot name %}` blocks in SQL, or under `snapshots:` in YAML.
    Snapshot,
}

/// Reads the names of all resources with the files that define them, and what persons say of them in
/// properties files.
pub(super) fn read(
    project_dir: &Path,
    project: &mut Project,
    files: &Files,
    is_own: &dyn Fn(&str) -> bool,
) {
    let skipped: Vec<&str> = project.skipped.iter().map(String::as_str).collect();
    let kinds: [(&[String], &[&str], Names); 3] = [
        (&project.model_paths, &["sql", "py"], Names::File),
        (&project.seed_paths, &["csv"], Names::Seed),
        (
            &project.snapshot_paths,
            &["sql", "yml", "yaml"],
            Names::Snapshot,
        ),
    ];
    let mut found = Found::default();
    for (folders, extensions, names) in kinds {
        let paths = folders.iter();
        let paths = paths.flat_map(|folder| below(project_dir, folder, &skipped));
        for path in paths {
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let is_properties = ["yml", "yaml"].contains(&extension);
            let is_definition = extensions.contains(&extension);
            if !is_properties && !is_definition {
                continue;
            }
            let shown = shown(project_dir, &path);
            if is_properties && !is_own(&shown) {
                found.properties(files, &path, &shown, matches!(names, Names::File));
            }
            if !is_definition {
                continue;
            }
            let is_sql = extension == "sql";
            let defined = match names {
                Names::File | Names::Seed => {
                    if is_sql && !is_own(&shown) && is_disabled(&path) {
                        found.disabled.insert(shown.clone());
                    }
                    let stem = path.file_stem();
                    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
                    stem.into_iter().collect()
                }
                Names::Snapshot => snapshots(files, &path, &shown, is_sql),
            };
            for name in defined {
                let known = found.resources.entry(name);
                let known = known.or_insert_with(|| shown.clone());
                // What we wrote is only off where somebody has edited it.
                let is_off = *known != shown
                    && (found.disabled.contains(known.as_str())
                        || is_own(known) && is_disabled(&project_dir.join(&known)));
                if is_off {
                    known.clone_from(&shown);
                }
            }
        }
    }
    project.resources = found.resources;
    project.disabled = found.disabled;
    project.groups = found.groups;
    project.declared = found.declared;
    project.unreadable = found.unreadable;
}

/// What the files of a project were found to hold.
#[derive(Default)]
struct Found {
    resources: BTreeMap<String, String>,
    disabled: BTreeSet<String>,
    groups: BTreeMap<String, String>,
    declared: Vec<Declared>,
    unreadable: BTreeSet<String>,
}

impl Found {
    /// Takes in a properties file: its groups, and with `entries` the models and sources too. What
    /// cannot be read, dbt cannot read either, and says so.
    fn properties(&mut self, files: &Files, path: &Path, shown: &str, entries: bool) {
        // Most files have none, and need no parser.
        let has =
            |file: &SourceFile, words: &[&str]| words.iter().any(|word| file.text.contains(word));
        let Ok(file) = files.read(path, shown) else {
            self.unreadable.insert(shown.to_owned());
            return;
        };
        let words: &[&str] = if entries {
            &["groups:", "models", "sources"]
        } else {
            &["groups:"]
        };
        if !has(&file, words) {
            return;
        }
        let trees = file::parse(&file);
        if trees.broken {
            self.unreadable.insert(shown.to_owned());
        }
        for group in trees
            .documents
            .iter()
            .flat_map(|root| items(root, "groups"))
        {
            if let Some(name) = text(group, "name") {
                self.groups
                    .entry(name.value)
                    .or_insert_with(|| shown.to_owned());
            }
        }
        if let Some(root) = trees.documents.first().filter(|_| entries && !trees.broken) {
            self.declared.extend(declared::of_file(&file, root));
        }
    }
}

/// The files below a folder that dbt looks at, in the order of their names, but for those in the
/// folders `skipped`. What cannot be read, dbt
/// cannot read either, and says so.
fn below(project_dir: &Path, folder: &str, skipped: &[&str]) -> impl Iterator<Item = PathBuf> {
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

/// The snapshots that a file defines.
fn snapshots(files: &Files, path: &Path, shown: &str, is_sql: bool) -> Vec<String> {
    let Ok(file) = files.read(path, shown) else {
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
