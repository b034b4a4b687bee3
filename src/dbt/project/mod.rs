//! A dbt project on disk: its folder comes in; its paths, packages, variables, adapter and the
//! resources that its files define go out.
//!
//! Only what dbt itself reads counts, in dbt's order: the environment before the files. Values that
//! are Jinja stay unknown unless they are nothing but a call of `env_var`.

mod declared;
mod macros;
mod profile;
mod resources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::dbt::packages;
use crate::diagnostics::rules::{
    YAML_AMBIGUOUS_BOOLEAN, YAML_AMBIGUOUS_NUMBER, YAML_DUPLICATE_KEY,
};
use crate::diagnostics::{Diagnostic, Place, Severity, SourceFile};
use crate::document::{items, spanned};
use crate::file::{self, Files};
use crate::yaml::Node;

pub use declared::{Declared, Described};
pub use macros::{Macros, defined_in};

/// The file that makes a folder a dbt project.
pub const PROJECT_FILE: &str = "dbt_project.yml";

/// What is known of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its name; `None` where there is no `dbt_project.yml`, or none in it.
    pub name: Option<String>,
    /// Folders of models and their properties files.
    pub model_paths: Vec<String>,
    /// Folders of macros.
    pub macro_paths: Vec<String>,
    /// Folders of singular and generic tests.
    pub test_paths: Vec<String>,
    /// Folders of seeds.
    pub seed_paths: Vec<String>,
    /// Folders of snapshots.
    pub snapshot_paths: Vec<String>,
    /// Names of the packages that `packages.yml` or `dependencies.yml` lists, such as `dbt_utils`.
    pub packages: Vec<String>,
    /// The file that lists them, where there is a list.
    pub packages_file: Option<&'static str>,
    /// Names of the packages that `dbt deps` has installed.
    pub packages_installed: Vec<String>,
    /// Names of the variables that `vars` sets for the project.
    pub variables: BTreeSet<String>,
    /// The `type` of the profile's target.
    pub adapter: Option<ProfileAdapter>,
    /// The conditions of `require-dbt-version`; none where it is not there.
    pub required_versions: Vec<String>,
    /// Models, seeds and snapshots that files define: name to path of the file. Of two files with
    /// one name, which dbt refuses, the first in the order of paths.
    pub resources: BTreeMap<String, String>,
    /// Those of the files of models that are switched off in their own SQL, by their paths.
    pub disabled: BTreeSet<String>,
    /// Groups with the properties files that declare them.
    pub groups: BTreeMap<String, String>,
    /// What its macros define, and those of the packages that are installed.
    pub macros: Macros,
    /// Folders, relative to the project, that hold what dbt made.
    pub skipped: Vec<String>,
    /// The models and source tables that people describe in properties files.
    pub declared: Vec<Declared>,
    /// Properties files that cannot be read, so that nobody knows what they describe.
    pub unreadable: BTreeSet<String>,
}

impl Default for Project {
    fn default() -> Self {
        Self {
            name: None,
            model_paths: vec!["models".into()],
            macro_paths: vec!["macros".into()],
            test_paths: vec!["tests".into()],
            seed_paths: vec!["seeds".into()],
            snapshot_paths: vec!["snapshots".into()],
            packages: Vec::new(),
            packages_file: None,
            packages_installed: Vec::new(),
            variables: BTreeSet::new(),
            adapter: None,
            required_versions: Vec::new(),
            resources: BTreeMap::new(),
            disabled: BTreeSet::new(),
            groups: BTreeMap::new(),
            macros: Macros::default(),
            skipped: ["dbt_packages", "target"].map(str::to_owned).to_vec(),
            declared: Vec::new(),
            unreadable: BTreeSet::new(),
        }
    }
}

/// The adapter that a profile asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileAdapter {
    /// The `type`, as written.
    pub value: String,
    /// Path of the file that says so.
    pub path: String,
}

/// The path settings: key, its name in older projects, and where the folders go.
type PathSetting = (&'static str, &'static str, fn(&mut Project, Vec<String>));

/// All path settings that matter here.
const PATHS: &[PathSetting] = &[
    ("model-paths", "source-paths", |project, paths| {
        project.model_paths = paths;
    }),
    ("macro-paths", "macro-paths", |project, paths| {
        project.macro_paths = paths;
    }),
    ("test-paths", "test-paths", |project, paths| {
        project.test_paths = paths;
    }),
    ("seed-paths", "data-paths", |project, paths| {
        project.seed_paths = paths;
    }),
    ("snapshot-paths", "snapshot-paths", |project, paths| {
        project.snapshot_paths = paths;
    }),
];

/// The files that list packages.
const PACKAGE_FILES: &[&str] = &[packages::FILE, packages::OTHER_FILE];

/// The nearest folder from `start` upwards that is a dbt project.
pub fn find_root(start: &Path) -> Option<PathBuf> {
    let start = std::path::absolute(start).ok()?;
    start
        .ancestors()
        .find(|folder| folder.join(PROJECT_FILE).is_file())
        .map(Path::to_path_buf)
}

/// Reads the project in `project_dir`; one without `dbt_project.yml` has dbt's defaults. Of the models
/// and properties files that `is_own`, whose paths it is given, nothing but the names counts.
pub fn read(
    project_dir: &Path,
    files: &Files,
    is_own: &dyn Fn(&str) -> bool,
) -> (Project, Vec<Diagnostic>) {
    read_with(project_dir, files, is_own, &|name| std::env::var(name).ok())
}

/// Reads the project with these environment variables.
fn read_with(
    project_dir: &Path,
    files: &Files,
    is_own: &dyn Fn(&str) -> bool,
    variable: &Variables<'_>,
) -> (Project, Vec<Diagnostic>) {
    let mut reader = Reader {
        project_dir,
        variable,
        diagnostics: Vec::new(),
    };
    let mut project = Project::default();
    let root = reader.tree(&project_dir.join(PROJECT_FILE), Excerpts::Shown);
    let root = root.as_ref().map(|(_, root)| root);
    if let Some(root) = root {
        project.name = root.get("name").and_then(|name| reader.value(name));
        for (key, older, set) in PATHS {
            if let Some(paths) = root.get(key).or_else(|| root.get(older)) {
                set(&mut project, reader.values(paths));
            }
        }
        project.variables = variables(root, project.name.as_deref());
        if let Some(required) = root.get("require-dbt-version") {
            project.required_versions = reader.values(required);
        }
        project.adapter = reader.adapter(root);
    }
    let folder = |key: &str, default: &str| {
        let named = root.and_then(|root| root.get(key));
        let named = named.and_then(|node| reader.value(node));
        named.unwrap_or_else(|| default.to_owned())
    };
    let install_path = folder("packages-install-path", "dbt_packages");
    let target_path = folder("target-path", "target");
    (project.packages, project.packages_file) = reader.packages();
    let installed = project_dir.join(&install_path);
    project.packages_installed = folders(&installed);
    project.macros = macros::macros(project_dir, &project, &installed, files);
    project.skipped = vec![install_path, target_path];
    resources::read(project_dir, &mut project, files, is_own);
    (project, reader.diagnostics)
}

/// Looks up an environment variable.
type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Whether findings may show lines of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Excerpts {
    Shown,
    /// The file holds passwords.
    Hidden,
}

struct Reader<'a> {
    project_dir: &'a Path,
    variable: &'a Variables<'a>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// The tree of one of dbt's files; `None` where there is no such file or it cannot be read.
    fn tree(&mut self, path: &Path, excerpts: Excerpts) -> Option<(Arc<SourceFile>, Node)> {
        if path.symlink_metadata().is_err() {
            return None;
        }
        let file = match file::read(path, &file::shown(self.project_dir, path)) {
            Ok(file) => file,
            Err(refused) => {
                self.diagnostics.push(refused.finding);
                return None;
            }
        };
        let trees = file::parse(&file);
        for mut problem in trees.problems {
            // dbt reads such words as we do.
            if [&YAML_AMBIGUOUS_BOOLEAN, &YAML_AMBIGUOUS_NUMBER].contains(&problem.rule) {
                continue;
            }
            if problem.rule == &YAML_DUPLICATE_KEY {
                problem.severity = Severity::Warning;
            }
            if excerpts == Excerpts::Hidden {
                problem = without_excerpt(problem);
            }
            self.diagnostics.push(problem);
        }
        let root = trees.documents.into_iter().next()?;
        (!trees.broken).then_some((file, root))
    }

    /// The text of a value; `None` where it is Jinja that only dbt can render.
    fn value(&self, node: &Node) -> Option<String> {
        let text = spanned(node)?.value;
        if !text.contains("{{") && !text.contains("{%") {
            return Some(text);
        }
        let call = ENV_VAR.captures(&text)?;
        let group = |one, other| call.get(one).or_else(|| call.get(other));
        let name = group(1, 2)?.as_str();
        let default = || group(3, 4).map(|default| default.as_str().to_owned());
        (self.variable)(name).or_else(default)
    }

    /// The texts of a list, or of one value.
    fn values(&self, node: &Node) -> Vec<String> {
        let nodes = node.as_sequence().unwrap_or(std::slice::from_ref(node));
        nodes.iter().filter_map(|node| self.value(node)).collect()
    }

    /// An option of dbt's command line that the environment sets; 1.11 renamed these variables.
    fn option(&self, name: &str) -> Option<String> {
        let variable = |prefix: &str| (self.variable)(&format!("{prefix}_{name}"));
        variable("DBT_ENGINE")
            .or_else(|| variable("DBT"))
            .filter(|value| !value.is_empty())
    }

    /// The names of the packages that the project lists, in order, and where it does.
    fn packages(&mut self) -> (Vec<String>, Option<&'static str>) {
        let mut names = Vec::new();
        let mut place = None;
        for file in PACKAGE_FILES {
            let Some((_, root)) = self.tree(&self.project_dir.join(file), Excerpts::Shown) else {
                continue;
            };
            if root.get("packages").is_some() {
                place = place.or(Some(*file));
            }
            for package in items(&root, "packages") {
                let name = self.package(package);
                names.extend(name.filter(|name| !names.contains(name)));
            }
        }
        (names, place)
    }

    /// The name of one listed package. That of a repository is only known once it is installed, and
    /// until then taken from the address.
    fn package(&self, package: &Node) -> Option<String> {
        let field = |key: &str| package.get(key).and_then(|node| self.value(node));
        if let Some(name) = field("package") {
            return Some(last_part(&name).to_owned());
        }
        if let Some(folder) = field("local") {
            let path = self.project_dir.join(&folder).join(PROJECT_FILE);
            let file = file::read(&path, &folder).ok();
            let trees = file.map(|file| file::parse(&file).documents);
            let root = trees.and_then(|documents| documents.into_iter().next());
            let name = root.and_then(|root| self.value(root.get("name")?));
            return name.or_else(|| Some(last_part(&folder).to_owned()));
        }
        if field("tarball").is_some() {
            return field("name");
        }
        let address = field("subdirectory")
            .or_else(|| field("git"))
            .or_else(|| field("private"))?;
        let name = last_part(address.trim_end_matches('/').trim_end_matches(".git"));
        Some(name.replace('-', "_"))
    }
}

/// `{{ env_var('NAME', 'default') }}` and nothing else.
static ENV_VAR: LazyLock<Regex> = LazyLock::new(|| {
    const TEXT: &str = r#"(?:'([^']*)'|"([^"]*)")"#;
    let pattern = format!(
        r"^ *\{{\{{-? *env_var\( *{TEXT} *(?:, *{TEXT} *)?\) *(?:\| *as_text *)?-?\}}\}} *$"
    );
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(&pattern).unwrap()
});

/// The last part of a path or address.
fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit(['/', ':']).next().unwrap_or(path)
}

/// The variables that `vars` sets for all packages or for the project itself.
fn variables(root: &Node, project: Option<&str>) -> BTreeSet<String> {
    let names = |node: Option<&Node>| -> Vec<String> {
        let entries = node.and_then(Node::as_mapping);
        let entries = entries.into_iter().flat_map(|entries| entries.iter());
        entries.map(|entry| entry.name().to_owned()).collect()
    };
    let vars = root.get("vars");
    let own = project.and_then(|name| vars?.get(name)?.as_mapping().map(|_| name));
    let mut variables: BTreeSet<String> = names(vars).into_iter().collect();
    if let Some(own) = own {
        variables.remove(own);
        variables.extend(names(vars.and_then(|vars| vars.get(own))));
    }
    variables
}

/// The names of the folders in a folder, sorted.
fn folders(path: &Path) -> Vec<String> {
    let entries = path.read_dir().into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort_unstable();
    names
}

/// A finding that names its line instead of showing it.
fn without_excerpt(mut finding: Diagnostic) -> Diagnostic {
    if let Some(place) = finding.place.take() {
        if let Some(span) = place.span {
            let (line, _) = place.file.position(span.start());
            finding.message = format!("{} (line {line})", finding.message);
        }
        let file = SourceFile::new(place.file.path.as_str(), "");
        finding.place = Some(Place::file(&file));
    }
    finding.labels.clear();
    finding
}

#[cfg(test)]
mod tests;
