//! What stands in the project from earlier runs: the lock and the files that it names come in; what
//! each contract was then goes out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::dbt::project::Declared;
use crate::file::{self, Files};
use crate::merge::{Base, Entry, Fingerprint, Lock};
use crate::yaml::{Limits, Node, parse};

/// The generated files of a project, read when they are asked for.
#[derive(Debug)]
pub(crate) struct Standing<'a> {
    project_dir: &'a Path,
    lock: &'a Lock,
    /// The properties files of each contract, by its id.
    properties: BTreeMap<&'a str, Vec<(&'a str, &'a Entry)>>,
}

impl<'a> Standing<'a> {
    /// What `lock` says of the files in `project_dir`.
    pub(crate) fn new(project_dir: &'a Path, lock: &'a Lock) -> Self {
        let mut properties: BTreeMap<&str, Vec<(&str, &Entry)>> = BTreeMap::new();
        for (path, entry) in lock.files() {
            let extension = Path::new(path).extension();
            if extension.is_some_and(|is| is == "yml" || is == "yaml") {
                for id in ids_of(entry) {
                    properties.entry(id).or_default().push((path, entry));
                }
            }
        }
        Self {
            project_dir,
            lock,
            properties,
        }
    }

    /// The ids of all contracts that files were generated for.
    pub(crate) fn ids(&self) -> BTreeSet<&'a str> {
        let entries = self.lock.files().map(|(_, entry)| entry);
        let bound = self.lock.bound().values().flat_map(Base::contracts);
        entries.flat_map(ids_of).chain(bound.map(id)).collect()
    }

    /// Whether the contract says something in a file of a person, of a resource in that list.
    fn is_bound(&self, id: &str, list: &str) -> bool {
        self.lock.bound().values().any(|base| {
            let mut groups = base.groups.iter().filter(|(key, _)| key.starts_with(list));
            groups.any(|(_, group)| {
                group
                    .contracts()
                    .into_iter()
                    .any(|known| self::id(known) == id)
            })
        })
    }

    /// The contracts, by their ids, that say something in files which cannot be read now, with these.
    pub(crate) fn hidden(&self, unreadable: &BTreeSet<String>) -> BTreeMap<&'a str, &'a str> {
        let bound = self.lock.bound().iter();
        let hidden = bound.filter(|(path, _)| unreadable.contains(*path));
        let contracts = hidden.flat_map(|(path, base)| {
            let contracts = base.contracts().into_iter();
            contracts.map(|contract| (id(contract), path.as_str()))
        });
        contracts.collect()
    }

    /// Says of the models that persons describe what of them was written for contracts, and is none of
    /// theirs.
    pub(crate) fn tell_apart(&self, declared: &mut [Declared]) {
        for declared in declared {
            let base = self.lock.bound().get(&declared.file.path);
            let model = format!("models/{}", declared.name);
            let Some(base) = base.and_then(|base| base.groups.get(&model)) else {
                continue;
            };
            let written = |part: &'a Base, list: &'static str| {
                let values = part.values.keys();
                let values = values.filter(|key| !part.adopted_values.contains(*key));
                values.filter_map(move |key| key.strip_prefix(list))
            };
            declared.written = written(base, "config/").map(str::to_owned).collect();
            let mut parts = base.groups.values().chain([base]);
            if parts.any(|part| written(part, "constraints/").next().is_some()) {
                declared.is_constrained = false;
            }
        }
    }

    /// Of versions of models that were generated, `name_vN` and path, those whose files were changed
    /// by hand, with the contracts that they are of.
    pub(crate) fn edited(
        &self,
        models: &BTreeMap<String, String>,
        files: &Files,
    ) -> BTreeMap<String, Vec<String>> {
        let versions = models.iter().filter(|(name, _)| {
            let name = name.to_lowercase();
            name.contains("_v")
        });
        let edited = versions.filter_map(|(name, path)| {
            let entry = self.lock.get(path)?;
            let is_edited = match files.read(&self.project_dir.join(path), path) {
                Ok(file) => Fingerprint::of(file.text.as_bytes()) != entry.base,
                // What was generated is text.
                Err(refused) => refused.not_text,
            };
            is_edited.then(|| (name.clone(), entry.contracts.clone()))
        });
        edited.collect()
    }

    /// Whether a properties file of the contract declares sources.
    pub(crate) fn is_source(&self, id: &str) -> bool {
        self.declares(id, "sources/") || self.is_bound(id, "sources/")
    }

    /// The ids of the contracts that SQL was generated for: models, and tests of sources.
    pub(crate) fn with_sql(&self) -> BTreeSet<&'a str> {
        let is_sql = |path: &str| Path::new(path).extension().is_some_and(|is| is == "sql");
        let files = self.lock.files().filter(|(path, _)| is_sql(path));
        files.flat_map(|(_, entry)| ids_of(entry)).collect()
    }

    /// Whether a properties file of the contract declares models, and none declares sources.
    pub(crate) fn is_model(&self, id: &str) -> bool {
        let declares = |list: &str| self.declares(id, list);
        (declares("models/") && !declares("sources/")) || self.is_bound(id, "models/")
    }

    /// Whether a properties file of the contract that stands was written with something in that list.
    fn declares(&self, id: &str, list: &str) -> bool {
        let mut files = self.properties.get(id).into_iter().flatten();
        files.any(|(path, entry)| {
            let path = self.project_dir.join(path);
            if !entry.parts.is_empty() {
                return entry.parts.has(list) && path.exists();
            }
            // A lock from before it knew of parts.
            let list = list.trim_end_matches('/');
            read(&path).is_some_and(|root| root.get(list).is_some())
        })
    }

    /// The models and source tables of the contract that stand with columns, as the path of the
    /// properties file and the name.
    pub(crate) fn with_columns(&self, id: &str) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for (path, root) in self.properties(id) {
            let sources = list(&root, "sources");
            let tables = sources.iter().flat_map(|source| list(source, "tables"));
            for resource in list(&root, "models").iter().chain(tables) {
                let versions = list(resource, "versions");
                let mut entries = std::iter::once(resource).chain(versions);
                let name = resource.get("name").and_then(Node::as_str);
                if let Some(name) = name
                    && entries.any(|entry| !list(entry, "columns").is_empty())
                {
                    found.insert((path.to_owned(), name.to_owned()));
                }
            }
        }
        found
    }

    /// The properties files of the contract that are on disk and can be read.
    fn properties(&self, id: &str) -> impl Iterator<Item = (&'a str, Node)> {
        let files = self.properties.get(id).into_iter().flatten();
        files.filter_map(|(path, _)| Some((*path, read(&self.project_dir.join(path))?)))
    }
}

/// The tree of a properties file.
fn read(path: &Path) -> Option<Node> {
    let file = file::read(path, "").ok()?;
    parse(&file.text, &Limits::default()).documents.pop()
}

/// The ids of the contracts that a file comes from.
fn ids_of(entry: &Entry) -> impl Iterator<Item = &str> {
    entry.contracts.iter().map(|key| id(key))
}

/// The id in `id@version`.
fn id(key: &str) -> &str {
    key.rsplit_once('@').map_or(key, |(id, _)| id)
}

/// The entries under `key`.
fn list<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key)
        .and_then(Node::as_sequence)
        .unwrap_or_default()
}
