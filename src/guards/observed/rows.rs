//! A row for each column, as `information_schema.columns` has them: an export in CSV or JSON.

use indexmap::IndexMap;
use serde_json::Value;

use super::{Column, Observation, Relation, header, nullable, said};

/// The names that a field may have, in lower case.
const DATABASE: &[&str] = &["table_catalog", "database", "catalog", "database_name"];
const SCHEMA: &[&str] = &["table_schema", "schema", "schema_name", "dataset"];
const TABLE: &[&str] = &["table_name", "table", "relation", "identifier"];
const LABEL: &[&str] = &["schema_case", "case"];
const NAME: &[&str] = &["column_name", "column"];
const TYPE: &[&str] = &["data_type", "type", "column_type"];
const NULLABLE: &[&str] = &["is_nullable", "nullable"];
const POSITION: &[&str] = &["ordinal_position", "position", "column_id"];

/// Every known field and its names.
const FIELDS: [&[&str]; 8] = [
    DATABASE, SCHEMA, TABLE, LABEL, NAME, TYPE, NULLABLE, POSITION,
];

/// The values of one row in the order of [`FIELDS`].
type Row = [Option<String>; 8];

/// Whether the first line of a CSV text names the fields of such rows.
pub(super) fn are_named(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let names = header::names(first).unwrap_or_default();
    let has = |field: &[&str]| {
        names
            .iter()
            .any(|name| field.contains(&name.trim().to_lowercase().as_str()))
    };
    has(NAME) && has(TYPE)
}

/// The relations of rows in CSV.
pub(super) fn csv(text: &str) -> Result<Observation, String> {
    let mut reader = header::reader(text);
    let failed = |error: csv::Error| format!("it is no CSV: {error}");
    let names = reader.headers().map_err(failed)?.clone();
    let places = FIELDS.map(|field| {
        names
            .iter()
            .position(|name| field.contains(&name.trim().to_lowercase().as_str()))
    });
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        rows.push(places.map(|place| record.get(place?).and_then(said)));
    }
    relations(rows, "columns in CSV")
}

/// The relations of rows in JSON.
pub(super) fn json(items: &[Value]) -> Result<Observation, String> {
    let mut rows = Vec::new();
    for item in items {
        let fields = item
            .as_object()
            .ok_or("an entry of its list is no object of a column")?;
        rows.push(FIELDS.map(|field| {
            let mut fields = fields.iter();
            let found = fields.find(|(name, _)| field.contains(&name.to_lowercase().as_str()));
            match found?.1 {
                Value::String(text) => said(text),
                Value::Null => None,
                other => Some(other.to_string()),
            }
        }));
    }
    relations(rows, "columns in JSON")
}

/// The rows of each relation together.
fn relations(rows: Vec<Row>, form: &'static str) -> Result<Observation, String> {
    let mut known: IndexMap<[Option<String>; 4], Vec<(u64, Column)>> = IndexMap::new();
    for (number, row) in rows.into_iter().enumerate() {
        let [
            database,
            schema,
            name,
            label,
            column,
            data_type,
            nulls,
            position,
        ] = row;
        let column = Column {
            name: column.ok_or_else(|| format!("row {} names no column", number + 1))?,
            data_type,
            nullable: nulls.as_deref().and_then(nullable),
        };
        let position = position.and_then(|position| position.parse().ok());
        let columns = known.entry([database, schema, name, label]).or_default();
        columns.push((position.unwrap_or(u64::MAX), column));
    }
    let relations = known
        .into_iter()
        .map(|([database, schema, name, label], mut columns)| {
            columns.sort_by_key(|(position, _)| *position);
            Relation {
                source: None,
                database,
                schema,
                name,
                label,
                columns: columns.into_iter().map(|(_, column)| column).collect(),
            }
        })
        .collect();
    Ok(Observation {
        form,
        relations,
        error: None,
    })
}
