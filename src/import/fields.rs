//! The fields of records that stand as columns of their own, named by dots, as dbt's adapter for
//! BigQuery takes them: columns come in, the properties of a contract go out, each with its fields.

use super::draft::PropertyDraft;
use super::resources::Resource;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Entries, Value};
use crate::yaml::Node;

/// What a column of which others are fields holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// One record.
    One,
    /// A list of them.
    Many,
}

/// The words that stand as types of such columns.
const WORDS: &[(&str, Record)] = &[
    ("array", Record::Many),
    ("record", Record::One),
    ("repeated", Record::Many),
    ("struct", Record::One),
];

/// What a column of that name and type holds, if fields of it are among the columns.
pub(super) fn record(
    adapter: Option<Adapter>,
    resource: &Resource<'_>,
    name: &str,
    data_type: &str,
) -> Option<Record> {
    let word = data_type.trim().to_lowercase();
    let (_, record) = WORDS.iter().find(|(known, _)| *known == word)?;
    let mut columns = resource.columns.iter();
    let has_fields = columns.any(|column| {
        let column = column.get("name").and_then(Node::as_str);
        let above = column.and_then(above);
        above.is_some_and(|above| above.eq_ignore_ascii_case(name))
    });
    (adapter == Some(Adapter::BigQuery) && has_fields).then_some(*record)
}

/// The name of the column that one of this name is a field of.
fn above(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(above, _)| above)
}

/// The properties of an object, fields within their records.
pub(super) fn nest(columns: &[PropertyDraft]) -> Vec<Value> {
    let is_field = |column: &PropertyDraft| columns.iter().any(|record| record.has_field(column));
    let whole = columns.iter().filter(|column| !is_field(column));
    whole
        .map(|column| Value::Map(of_column(column, &column.name, columns)))
        .collect()
}

/// One property with its fields.
fn of_column(column: &PropertyDraft, name: &str, columns: &[PropertyDraft]) -> Entries {
    let fields = || {
        let fields = columns.iter().filter(|field| column.has_field(field));
        let fields = fields.map(|field| {
            let name = field.name.rsplit('.').next().unwrap_or(name);
            Value::Map(of_column(field, name, columns))
        });
        Value::List(fields.collect())
    };
    let parts = match column.record {
        None => column.parts.clone(),
        Some(Record::One) => Entries::default().with("properties", fields()),
        Some(Record::Many) => {
            let items = Entries::default().with("logicalType", "object");
            Entries::default().with("items", Value::Map(items.with("properties", fields())))
        }
    };
    column.entries(name, &parts)
}

impl PropertyDraft {
    /// Says that its fields are columns of their own, which say its type.
    pub(super) fn set_record(&mut self, record: Record) {
        self.logical = Some(match record {
            Record::One => "object",
            Record::Many => "array",
        });
        self.record = Some(record);
    }

    /// Whether another column is a field of this one.
    fn has_field(&self, column: &Self) -> bool {
        let is_above = |above: &str| above.eq_ignore_ascii_case(&self.name);
        self.record.is_some() && above(&column.name).is_some_and(is_above)
    }
}
