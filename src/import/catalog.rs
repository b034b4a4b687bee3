//! dbt's `target/catalog.json`: a file comes in, the columns that relations have in the warehouse go
//! out, with their types.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use super::Stop;
use super::manifest::read::{Metadata, broken, known_version, said_version};
use super::manifest::{open, refused};
use super::resources::{Kind, Resource};

/// The version of the format that is known.
const VERSION: u32 = 1;

/// The columns of relations by the unique ids of their nodes.
#[derive(Debug, Default)]
pub struct Catalog {
    relations: BTreeMap<String, Vec<Column>>,
}

/// A column with its type, as the warehouse calls them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) data_type: String,
}

#[derive(Deserialize)]
struct Raw {
    metadata: Option<Metadata>,
    #[serde(default)]
    nodes: BTreeMap<String, RawRelation>,
    #[serde(default)]
    sources: BTreeMap<String, RawRelation>,
}

#[derive(Deserialize)]
struct RawRelation {
    #[serde(default)]
    columns: BTreeMap<String, RawColumn>,
}

#[derive(Deserialize)]
struct RawColumn {
    name: Option<String>,
    #[serde(rename = "type")]
    data_type: Option<String>,
    #[serde(default)]
    index: i64,
}

/// Reads a catalog, which messages show as `shown`.
pub fn load(path: &Path, shown: &str) -> Result<Catalog, Stop> {
    let file = open(path, shown)?;
    let raw: Raw = serde_json::from_reader(BufReader::with_capacity(1 << 16, file))
        .map_err(|error| refused(shown, &broken(&error, "catalog")))?;
    let stated = raw
        .metadata
        .and_then(|metadata| metadata.dbt_schema_version);
    let stated = stated.ok_or_else(|| {
        refused(
            shown,
            "is no catalog of dbt: it has no `metadata.dbt_schema_version`; `dbt docs generate` writes one to `target/catalog.json`",
        )
    })?;
    if known_version(&stated, "catalog") != Some(VERSION) {
        let message = format!(
            "is {}; known is a catalog of version 1",
            said_version(&stated)
        );
        return Err(refused(shown, &message));
    }
    let mut catalog = Catalog::default();
    for (id, relation) in raw.nodes.into_iter().chain(raw.sources) {
        let mut columns: Vec<_> = relation.columns.into_iter().collect();
        columns.sort_by_key(|(_, column)| column.index);
        let columns = columns.into_iter().filter_map(|(key, column)| {
            Some(Column {
                name: column.name.unwrap_or(key),
                data_type: column.data_type.filter(|text| !text.is_empty())?,
            })
        });
        catalog.relations.insert(id, columns.collect());
    }
    Ok(catalog)
}

impl Catalog {
    /// Tells resources which columns they have; `project` is theirs, where no manifest says their ids.
    pub(super) fn describe(&self, project: Option<&str>, resources: &mut [Resource<'_>]) {
        for resource in resources {
            let name = &resource.name;
            let id = match (resource.id, project, &resource.kind) {
                (Some(id), ..) => id.to_owned(),
                (None, None, _) => continue,
                (None, Some(project), Kind::Table(_)) => {
                    format!("source.{project}.{}.{name}", resource.source)
                }
                (None, Some(project), Kind::Model(None)) => format!("model.{project}.{name}"),
                (None, Some(project), Kind::Model(Some(version))) => {
                    format!("model.{project}.{name}.v{}", version.v)
                }
            };
            resource.observed = self.relations.get(&id).cloned().unwrap_or_default();
        }
    }

    /// Whether it knows any of them.
    pub(super) fn knows(resources: &[Resource<'_>]) -> bool {
        resources
            .iter()
            .any(|resource| !resource.observed.is_empty())
    }
}
