//! How each dialect writes arrays, structs and maps: parts that are already in the dialect come
//! in, and the whole type goes out, or nothing where the dialect has no such type.

use crate::dbt::adapter::Adapter;
use crate::dbt::identifiers::identifier;

/// How a dialect writes the types that hold others.
pub(super) struct Nesting {
    /// An array of a type.
    pub(super) array: Array,
    /// The word of a struct, and what stands between the name and the type of a field.
    pub(super) structure: Option<(&'static str, &'static str)>,
    /// The word of a map.
    pub(super) map: Option<&'static str>,
    /// Words that take one type.
    pub(super) wrappers: &'static [&'static str],
    /// The brackets that the words take.
    pub(super) brackets: (&'static str, &'static str),
}

/// How a dialect writes an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Array {
    /// `T[]`, and `T[n]` where it has a length.
    Suffix,
    /// The word before the brackets.
    Word(&'static str),
    /// It has none.
    None,
}

const ROUND: (&str, &str) = ("(", ")");
const ANGLE: (&str, &str) = ("<", ">");

const NONE: Nesting = Nesting {
    array: Array::None,
    structure: None,
    map: None,
    wrappers: &[],
    brackets: ROUND,
};

/// How the adapter's dialect writes them.
pub(super) fn nesting(adapter: Adapter) -> &'static Nesting {
    match adapter {
        Adapter::DuckDb => &Nesting {
            array: Array::Suffix,
            structure: Some(("struct", " ")),
            map: Some("map"),
            ..NONE
        },
        Adapter::Postgres => &Nesting {
            array: Array::Suffix,
            ..NONE
        },
        Adapter::Snowflake => &Nesting {
            array: Array::Word("array"),
            structure: Some(("object", " ")),
            map: Some("map"),
            ..NONE
        },
        Adapter::BigQuery => &Nesting {
            array: Array::Word("array"),
            structure: Some(("struct", " ")),
            wrappers: &["range"],
            brackets: ANGLE,
            ..NONE
        },
        Adapter::Databricks | Adapter::Spark => &Nesting {
            array: Array::Word("array"),
            structure: Some(("struct", ": ")),
            map: Some("map"),
            brackets: ANGLE,
            ..NONE
        },
        Adapter::Athena => &Nesting {
            array: Array::Word("array"),
            structure: Some(("struct", ":")),
            map: Some("map"),
            brackets: ANGLE,
            ..NONE
        },
        Adapter::Trino => &Nesting {
            array: Array::Word("array"),
            structure: Some(("row", " ")),
            map: Some("map"),
            ..NONE
        },
        Adapter::ClickHouse => &Nesting {
            array: Array::Word("Array"),
            structure: Some(("Tuple", " ")),
            map: Some("Map"),
            wrappers: &["Nullable", "LowCardinality"],
            ..NONE
        },
        Adapter::Redshift
        | Adapter::SqlServer
        | Adapter::Fabric
        | Adapter::MySql
        | Adapter::Oracle
        | Adapter::Sqlite => &NONE,
    }
}

/// An array of `items`. A length is written only where the dialect has arrays of a fixed one.
pub fn array_of(adapter: Adapter, items: &str, length: Option<u32>) -> Option<String> {
    let nesting = nesting(adapter);
    match nesting.array {
        Array::Suffix => Some(match length {
            Some(length) => format!("{items}[{length}]"),
            None => format!("{items}[]"),
        }),
        Array::Word(word) => Some(bracketed(nesting, word, items)),
        Array::None => None,
    }
}

/// A struct of named fields, whose names are quoted where the dialect needs it.
pub fn struct_of(adapter: Adapter, fields: &[(String, String)]) -> Option<String> {
    let nesting = nesting(adapter);
    let (word, between) = nesting.structure?;
    if fields.is_empty() {
        return None;
    }
    let comma = if between == ":" { "," } else { ", " };
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, field)| format!("{}{between}{field}", identifier(adapter, name)))
        .collect();
    Some(bracketed(nesting, word, &fields.join(comma)))
}

/// A map from `key` to `value`.
pub fn map_of(adapter: Adapter, key: &str, value: &str) -> Option<String> {
    let nesting = nesting(adapter);
    let comma = if adapter == Adapter::Athena {
        ","
    } else {
        ", "
    };
    Some(bracketed(
        nesting,
        nesting.map?,
        &format!("{key}{comma}{value}"),
    ))
}

/// A word that takes one type.
pub(super) fn wrap(adapter: Adapter, word: &str, inner: &str) -> String {
    bracketed(nesting(adapter), word, inner)
}

/// The word with its brackets.
fn bracketed(nesting: &Nesting, word: &str, inside: &str) -> String {
    let (open, close) = nesting.brackets;
    format!("{word}{open}{inside}{close}")
}
