//! The generic tests and materializations that the macros of a project and its packages define.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use walkdir::WalkDir;

use super::Project;
use crate::file;

/// What macros define that properties files name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Macros {
    /// Generic tests by their names, those of packages as `package.name` too.
    pub tests: BTreeSet<String>,
    /// Materializations.
    pub materializations: BTreeSet<String>,
}

/// The folders of a package that dbt looks for macros in, unless its own settings say otherwise.
const PACKAGE_FOLDERS: &[&str] = &["macros", "tests/generic"];

/// Looks through the macros of the project, and through those of the packages in `installed`.
pub(super) fn macros(project_dir: &Path, project: &Project, installed: &Path) -> Macros {
    let mut macros = Macros::default();
    for folder in &project.macro_paths {
        macros.read(&project_dir.join(folder), None);
    }
    for folder in &project.test_paths {
        macros.read(&project_dir.join(folder).join("generic"), None);
    }
    for package in &project.packages_installed {
        for folder in PACKAGE_FOLDERS {
            macros.read(&installed.join(package).join(folder), Some(package));
        }
    }
    macros
}

impl Macros {
    /// Reads the files below a folder. What cannot be read, dbt cannot read either, and says so.
    fn read(&mut self, folder: &Path, package: Option<&str>) {
        let entries = WalkDir::new(folder)
            .follow_links(true)
            .into_iter()
            .flatten();
        for entry in entries.filter(|entry| entry.file_type().is_file()) {
            let is_sql = entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "sql");
            let Some(file) = is_sql.then(|| file::read(entry.path(), "").ok()).flatten() else {
                continue;
            };
            for block in BLOCK.captures_iter(&file.text) {
                let name = block[2].to_owned();
                match (&block[1], name.strip_prefix("test_")) {
                    ("materialization", _) => {
                        self.materializations.insert(name);
                    }
                    ("macro", None) => {}
                    ("macro", Some(test)) => self.test(test, package),
                    _ => self.test(&name, package),
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

/// The beginning of a block that defines something by name.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\{%-?\s*(test|data_test|macro|materialization)\s+([A-Za-z_][A-Za-z0-9_]*)\s*[(,]")
        .unwrap()
});
