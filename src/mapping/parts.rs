//! The fields of records as columns of their own: a column and its property come in, the column with
//! those of its fields, named by dots, goes out. dbt's adapter for BigQuery makes one type of them.
//!
//! A type whose fields are not those of the contract, or one of whose names needs quotes, stays whole.

use super::columns::described;
use crate::dbt::adapter::Adapter;
use crate::dbt::identifiers;
use crate::dbt::properties::{Column, Constraint};
use crate::dbt::types::{self, SqlType};
use crate::odcs::Property;

/// What stands as the type of a record, and of a list of records, whose fields follow.
const WORDS: [&str; 2] = ["struct", "array"];

/// A column with what follows it. `constraints` says those of each field.
pub(super) fn expand(
    adapter: Adapter,
    property: &Property,
    mut column: Column,
    constraints: &dyn Fn(&Property) -> Vec<Constraint>,
) -> Vec<Column> {
    let data_type = column.data_type.take();
    let parsed = data_type
        .as_deref()
        .filter(|_| adapter == Adapter::BigQuery && !column.quote && !column.name.contains('.'))
        .and_then(|text| types::parse(adapter, text));
    let Some(fields) = parsed.and_then(|parsed| Fields::of(adapter, &parsed, property)) else {
        column.data_type = data_type;
        return vec![column];
    };
    let name = column.name.clone();
    column.data_type = Some(fields.word.to_owned());
    let mut columns = vec![column];
    fields.add(&name, constraints, &mut columns);
    columns
}

/// The fields of a record, each with its property.
struct Fields<'a> {
    word: &'static str,
    fields: Vec<(&'a Property, Field<'a>)>,
}

/// What a field holds.
enum Field<'a> {
    Value(String),
    Record(Fields<'a>),
}

impl<'a> Fields<'a> {
    /// The fields of a type, where they are those of the property and none needs quotes.
    fn of(adapter: Adapter, parsed: &SqlType, property: &'a Property) -> Option<Self> {
        let (word, inner, parts) = match parsed {
            SqlType::Array { items, .. } => {
                let items_of = property.items.as_deref().map(|items| &items.properties);
                (WORDS[1], &**items, items_of.unwrap_or(&property.properties))
            }
            single => (WORDS[0], single, &property.properties),
        };
        let SqlType::Struct(fields) = inner else {
            return None;
        };
        if fields.len() != parts.len() {
            return None;
        }
        let field = |((name, field), part): (&(String, SqlType), &'a Property)| {
            let plain = name == part.physical()
                && !name.contains('.')
                && !identifiers::needs_quotes(adapter, name);
            let holds_records = matches!(field, SqlType::Struct(_))
                || matches!(field, SqlType::Array { items, .. } if matches!(**items, SqlType::Struct(_)));
            let holds = if holds_records {
                Field::Record(Self::of(adapter, field, part)?)
            } else {
                Field::Value(field.render(adapter))
            };
            plain.then_some((part, holds))
        };
        let fields: Option<Vec<_>> = fields.iter().zip(parts).map(field).collect();
        Some(Self {
            word,
            fields: fields?,
        })
    }

    /// Adds the columns of the fields below `name`.
    fn add(
        &self,
        name: &str,
        constraints: &dyn Fn(&Property) -> Vec<Constraint>,
        columns: &mut Vec<Column>,
    ) {
        for (part, holds) in &self.fields {
            let name = format!("{name}.{}", part.physical());
            let data_type = match holds {
                Field::Value(data_type) => data_type,
                Field::Record(fields) => fields.word,
            };
            columns.push(Column {
                constraints: constraints(part),
                ..described(&name, part, Some(data_type))
            });
            if let Field::Record(fields) = holds {
                fields.add(&name, constraints, columns);
            }
        }
    }
}
