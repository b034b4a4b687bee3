//! dbt's `target/manifest.json`: a file comes in, what it says of the project itself goes out: models,
//! source tables, tests, groups, and what each is made of.
//!
//! The file is read as a stream, and SQL, macros and documentation blocks are skipped on the way: what
//! stays is a small part of it. [`describe`] makes properties files of it.

mod data_tests;
pub(super) mod describe;
mod places;
pub(super) mod read;
mod values;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde_json::{Map, Value};

use super::Stop;

/// The versions of the format that are known: dbt 1.8 to 1.12 write this one.
pub const VERSIONS: &[u32] = &[12];

/// What a manifest says.
#[derive(Debug, Default)]
pub struct Manifest {
    /// The name of the project that it is of.
    pub project: Option<String>,
    /// The adapter that it was made for.
    pub adapter: Option<String>,
    /// Everything that is made of something or that something is made of, by its unique id.
    pub(super) nodes: BTreeMap<String, Node>,
    /// The groups by name.
    pub(super) groups: BTreeMap<String, Group>,
    /// What is described and has no data: the word for it, its name and its file.
    pub(super) others: Vec<Other>,
}

/// A group of the project.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) description: Option<String>,
    pub(super) owner: Map<String, Value>,
}

/// Something that contracts do not know.
#[derive(Clone, Debug)]
pub(super) struct Other {
    /// The key that it stands under in a properties file.
    pub(super) key: &'static str,
    pub(super) name: String,
    pub(super) file: String,
}

/// A node of the graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) kind: String,
    pub(super) package: String,
    pub(super) name: String,
    /// The unique ids of what it reads.
    pub(super) parents: Vec<String>,
    /// What is said of a model, a table or a test of the project itself.
    pub(super) said: Option<Box<Said>>,
}

/// What a node says beside its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// Its place in the file, which orders tests.
    pub(super) order: usize,
    /// The properties file that describes it, if one does.
    pub(super) patch: Option<String>,
    /// The file that defines it.
    pub(super) file: String,
    pub(super) fqn: Vec<String>,
    /// All other fields that are read, by name.
    pub(super) fields: Map<String, Value>,
}

impl Said {
    pub(super) fn field(&self, key: &str) -> Option<&Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        let text = self.field(key)?.as_str()?;
        (!text.is_empty()).then_some(text)
    }

    /// A setting as it was resolved.
    pub(super) fn config(&self, key: &str) -> Option<&Value> {
        self.field("config")?
            .get(key)
            .filter(|value| !value.is_null())
    }

    /// The path of the file that describes it, else of the one that defines it.
    pub(super) fn described_in(&self) -> &str {
        self.patch.as_deref().unwrap_or(&self.file)
    }
}

/// Reads a manifest, which messages show as `shown`.
pub fn load(path: &Path, shown: &str) -> Result<Manifest, Stop> {
    let file = open(path, shown)?;
    read::from_reader(BufReader::with_capacity(1 << 16, file)).map_err(|why| refused(shown, &why))
}

/// Opens a file of dbt.
pub(super) fn open(path: &Path, shown: &str) -> Result<File, Stop> {
    let is_file = path.metadata().map(|metadata| metadata.is_file());
    let file = match is_file {
        Ok(true) => File::open(path),
        Ok(false) => {
            return Err(Stop::new("usage", format!("`{shown}` is no file")));
        }
        Err(error) => Err(error),
    };
    file.map_err(|error| {
        let message = format!("`{shown}` cannot be read: {error}; `dbt parse` writes a manifest, `dbt docs generate` a catalog");
        Stop::new("unreadable", message)
    })
}

pub(super) fn refused(shown: &str, why: &str) -> Stop {
    Stop::new("unreadable", format!("`{shown}` {why}"))
}
