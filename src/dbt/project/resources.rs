//! The models, seeds and snapshots that the files of a project define.

use std::collections::BTreeMap;
use std::path::Path;
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

/// The names of all resources with the files that define them. Folders in `skipped`, relative to
/// the project, hold what dbt made.
pub(super) fn resources(
    project_dir: &Path,
    project: &Project,
    skipped: &[&str],
) -> BTreeMap<String, String> {
    let kinds: [(&[String], &[&str], Names); 3] = [
        (&project.model_paths, &["sql", "py"], Names::File),
        (&project.seed_paths, &["csv"], Names::File),
        (
            &project.snapshot_paths,
            &["sql", "yml", "yaml"],
            Names::Snapshot,
        ),
    ];
    let mut resources = BTreeMap::new();
    for (folders, extensions, names) in kinds {
        for folder in folders {
            let entries = WalkDir::new(project_dir.join(folder))
                .follow_links(true)
                .sort_by_file_name()
                .into_iter()
                .filter_entry(|entry| {
                    entry.depth() == 0 || !is_skipped(project_dir, entry, skipped)
                });
            // What cannot be read, dbt cannot read either, and says so.
            for entry in entries
                .flatten()
                .filter(|entry| entry.file_type().is_file())
            {
                let path = entry.path();
                let extension = path.extension().and_then(|extension| extension.to_str());
                if !extension.is_some_and(|extension| extensions.contains(&extension)) {
                    continue;
                }
                let defined = match names {
                    Names::File => path
                        .file_stem()
                        .map(|stem| stem.to_string_lossy().into_owned())
                        .into_iter()
                        .collect(),
                    Names::Snapshot => snapshots(path, extension == Some("sql")),
                };
                for name in defined {
                    resources
                        .entry(name)
                        .or_insert_with(|| shown(project_dir, path));
                }
            }
        }
    }
    resources
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
