//! dbt's `target/catalog.json`: sources, and the seeds and models that other projects read as sources.

use serde_json::{Map, Value};

use super::{Column, Observation, Relation, said};

/// The relations of a catalog, those of sources first; nothing where it is none.
pub(super) fn read(value: &Value) -> Option<Observation> {
    let (sources, nodes) = (value.get("sources")?, value.get("nodes")?);
    let sources = sources.as_object()?.iter();
    let nodes = nodes.as_object()?.iter();
    let relations = sources.chain(nodes).filter_map(relation);
    Some(Observation {
        form: "dbt's catalog.json",
        error: error(value),
        relations: relations.collect(),
    })
}

/// The first of the errors that dbt met.
fn error(value: &Value) -> Option<String> {
    let errors = value.get("errors")?.as_array()?;
    errors.first()?.as_str().and_then(said)
}

/// One entry.
fn relation((unique_id, entry): (&String, &Value)) -> Option<Relation> {
    let metadata = entry.get("metadata")?;
    let text = |key: &str| metadata.get(key).and_then(Value::as_str).and_then(said);
    let parts: Vec<&str> = unique_id.split('.').collect();
    let source = match parts[..] {
        ["source", _, source, table] => Some((source.to_owned(), table.to_owned())),
        _ => None,
    };
    Some(Relation {
        source,
        database: text("database"),
        schema: text("schema"),
        name: text("name"),
        label: None,
        columns: columns(entry.get("columns")?.as_object()?),
    })
}

/// The columns of an entry, by their index.
fn columns(columns: &Map<String, Value>) -> Vec<Column> {
    let mut columns: Vec<(i64, Column)> = columns
        .iter()
        .map(|(key, column)| {
            let text = |name: &str| column.get(name).and_then(Value::as_str);
            let index = column.get("index").and_then(Value::as_i64);
            let column = Column {
                name: text("name").unwrap_or(key).to_owned(),
                data_type: text("type").and_then(said),
                nullable: None,
            };
            (index.unwrap_or(i64::MAX), column)
        })
        .collect();
    columns.sort_by_key(|(index, _)| *index);
    columns.into_iter().map(|(_, column)| column).collect()
}
