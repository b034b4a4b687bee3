//! The generic tests and materializations that the macros of a project and its packages define.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use walkdir::WalkDir;

use super::Project;
use crate::diagnostics::SourceFile;
use crate::file::{self, Files};

/// What macros define that properties files name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Macros {
    /// Generic tests by their names, those of packages as `package.name` too.
    pub tests: BTreeSet<String>,
    /// Materializations.
    pub materializations: BTreeSet<String>,
    /// The macros of the project itself with the files that define them, generic tests as
    /// `test_<name>`. dbt takes each name once; of two files the first in the order of paths.
    pub defined: BTreeMap<String, String>,
}

/// The folders of a package that dbt looks for macros in, unless its own settings say otherwise.
const PACKAGE_FOLDERS: &[&str] = &["macros", "tests/generic"];

/// Looks through the macros of the project, and through those of the packages in `installed`.
pub(super) fn macros(
    project_dir: &Path,
    project: &Project,
    installed: &Path,
    files: &Files,
) -> Macros {
    let mut macros = Macros::default();
    let of_project = |path: &Path| {
        let shown = file::shown(project_dir, path);
        files.read(path, &shown).ok()
    };
    for folder in &project.macro_paths {
        macros.read(&project_dir.join(folder), None, &of_project);
    }
    for folder in &project.test_paths {
        let folder = project_dir.join(folder).join("generic");
        macros.read(&folder, None, &of_project);
    }
    let of_package = |path: &Path| file::read(path, "").ok();
    for package in &project.packages_installed {
        for folder in PACKAGE_FOLDERS {
            let folder = installed.join(package).join(folder);
            macros.read(&folder, Some(package), &of_package);
        }
    }
    macros
}

impl Macros {
    /// Reads the files below a folder. What cannot be read, dbt cannot read either, and says so.
    fn read(
        &mut self,
        folder: &Path,
        package: Option<&str>,
        read: &dyn Fn(&Path) -> Option<Arc<SourceFile>>,
    ) {
        let entries = WalkDir::new(folder)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter()
            .flatten();
        for entry in entries.filter(|entry| entry.file_type().is_file()) {
            let is_sql = entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "sql");
            let Some(file) = is_sql.then(|| read(entry.path())).flatten() else {
                continue;
            };
            for (kind, name) in blocks(&file.text) {
                if kind == "materialization" {
                    self.materializations.insert(name);
                    continue;
                }
                if let Some(test) = name.strip_prefix("test_") {
                    self.test(test, package);
                }
                if package.is_none() {
                    let shown = || file.path.clone();
                    self.defined.entry(name).or_insert_with(shown);
                }
            }
        }
    }

    fn test(&mut self, name: &str, package: Option<&str>) {
        self.tests.insert(name.to_owned());
        self.tests
            .extend(package.map(|package| format!("{package}.{name}")));
    }
}

/// The names of the macros that a text defines, generic tests as `test_<name>`.
pub fn defined_in(text: &str) -> impl Iterator<Item = String> {
    let blocks = blocks(text).filter(|(kind, _)| *kind != "materialization");
    blocks.map(|(_, name)| name)
}

/// What a text defines: the word of the block, and the name as dbt keeps it.
fn blocks(text: &str) -> impl Iterator<Item = (&str, String)> {
    BLOCK.captures_iter(text).map(|block| {
        let (_, [kind, name]) = block.extract();
        match kind {
            "test" | "data_test" => (kind, format!("test_{name}")),
            _ => (kind, name.to_owned()),
        }
    })
}

/// The beginning of a block that defines something by name.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\{%-?\s*(test|data_test|macro|materialization)\s+([A-Za-z_][A-Za-z0-9_]*)\s*[(,]")
        .unwrap()
});
