//! Our own macros, which a project needs once one of them is used: generic tests, and the gate for
//! sources.

use std::collections::BTreeMap;

use super::{Templates, header};
use crate::dbt::project::{Macros, defined_in};
use crate::plan::{Artifact, ArtifactKind, Known};

/// Macros that a project gets together.
pub(super) struct Set {
    /// The folder of templates that they are in.
    folder: &'static str,
    /// The files by name: macros, and their documentation.
    files: &'static [(&'static str, &'static str)],
}

/// Embeds files of a folder of `templates/`.
macro_rules! embedded {
    ($folder:literal, $($name:literal),* $(,)?) => {
        &Set {
            folder: $folder,
            files: &[$((
                $name,
                include_str!(concat!("../../templates/", $folder, "/", $name)),
            )),*],
        }
    };
}

/// Our own generic tests, and the macros that they share.
pub(super) const TESTS: &Set = embedded![
    "tests",
    "contract_array.sql",
    "contract_array_length.sql",
    "contract_between.sql",
    "contract_columns.sql",
    "contract_error.sql",
    "contract_foreign_key.sql",
    "contract_length.sql",
    "contract_literal.sql",
    "contract_metric.sql",
    "contract_moment.sql",
    "contract_multiple_of.sql",
    "contract_pattern.sql",
    "contract_regex.sql",
    "contract_remainder.sql",
    "contract_tests.yml",
    "contract_text.sql",
    "contract_unique_combination.sql",
    "contract_unique_items.sql",
    "contract_values.sql",
];

/// The gate that compares sources with their contracts.
pub(super) const DRIFT: &Set = embedded![
    "drift",
    "contract_drift.sql",
    "contract_drift.yml",
    "contract_gate.sql",
    "contract_load.sql",
    "contract_types.sql",
];

/// What lets tests see the columns that a source may still lack.
pub(super) const OPTIONAL: &Set = embedded!["optional", "contract_where.sql"];

/// The names under which a user's templates replace them.
pub(super) fn names() -> impl Iterator<Item = String> {
    [TESTS, DRIFT, OPTIONAL].into_iter().flat_map(|set| {
        let files = set.files.iter();
        files.map(move |(name, _)| format!("{}/{name}", set.folder))
    })
}

/// The files of a set below the folder of macros. A file of the user's templates of the same name
/// replaces the embedded one.
pub(super) fn artifacts(set: &Set, folder: &str, templates: &Templates) -> Vec<Artifact> {
    set.files
        .iter()
        .map(|(name, embedded)| {
            let own = templates.files.get(&format!("{}/{name}", set.folder));
            let body = own.map_or(*embedded, |file| file.text.as_str());
            let head = header([]);
            let text = match name.rsplit('.').next() {
                Some("sql") => format!("{{# {head} #}}\n{body}"),
                _ => format!("# {head}\n{body}"),
            };
            Artifact {
                path: format!("{folder}/{name}"),
                kind: ArtifactKind::Macro,
                text,
                known: Known::New,
                recipe: None,
                contracts: Vec::new(),
                owners: Vec::new(),
                identities: Vec::new(),
            }
        })
        .collect()
}

/// The macros of our own tests, and for tests, that the project has already, with the files that define them there.
/// Whether a file is one of ours says `is_own`.
pub fn taken(macros: &Macros, is_own: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let files = [TESTS, OPTIONAL].into_iter().flat_map(|set| set.files);
    let needed = files.flat_map(|(_, text)| defined_in(text));
    let taken = needed.filter_map(|name| {
        let path = macros.defined.get(&name).filter(|path| !is_own(path))?;
        Some((name, path.clone()))
    });
    taken.collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{DRIFT, OPTIONAL, TESTS};

    #[test]
    fn the_folders_are_embedded_whole() {
        for set in [TESTS, DRIFT, OPTIONAL] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("templates")
                .join(set.folder);
            let files = std::fs::read_dir(folder).unwrap();
            let mut files: Vec<String> = files
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .collect();
            files.sort();
            let embedded: Vec<&str> = set.files.iter().map(|(name, _)| *name).collect();
            assert_eq!(files, embedded);
        }
    }
}
