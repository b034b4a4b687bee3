//! Our own generic tests, which a project needs as macros once one of them is used.

use super::{Templates, header};
use crate::plan::{Artifact, ArtifactKind};

/// Embeds files of `templates/tests/`.
macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../templates/tests/", $name)))),*]
    };
}

/// The files by name: tests, the macros that they share, and their documentation.
pub(super) const FILES: &[(&str, &str)] = embedded![
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

/// The files below the folder of macros. A file of the user's templates, `tests/<name>`, replaces
/// the embedded one.
pub(super) fn artifacts(folder: &str, templates: &Templates) -> Vec<Artifact> {
    FILES
        .iter()
        .map(|(name, embedded)| {
            let own = templates.files.get(&format!("tests/{name}"));
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
                contracts: Vec::new(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn the_folder_is_embedded_whole() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/tests");
        let files = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(
            files,
            super::FILES
                .iter()
                .map(|(name, _)| *name)
                .collect::<Vec<_>>()
        );
    }
}
