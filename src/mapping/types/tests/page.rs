//! The page of all types, docs/types.md: the table comes in, what the page says of each adapter goes
//! out, and must be what the file says. `UPDATE_DOCS=1 cargo test --lib types` writes it.

use std::fmt::Write as _;
use std::path::Path;

use super::*;

/// What backs the types of an adapter.
const BACKING: &[(Adapter, &str)] = &[
    (Adapter::DuckDb, RUN),
    (Adapter::Postgres, RUN),
    (Adapter::Snowflake, READ),
    (Adapter::BigQuery, READ),
    (Adapter::Redshift, READ),
    (Adapter::Databricks, READ),
    (Adapter::Spark, READ),
    (Adapter::Trino, READ),
    (Adapter::Athena, READ),
    (Adapter::ClickHouse, READ),
    (Adapter::SqlServer, READ),
    (Adapter::Fabric, READ),
    (Adapter::MySql, READ),
    (Adapter::Oracle, READ),
    (Adapter::Sqlite, READ),
];

/// The warehouse takes them.
const RUN: &str = "run: `tests/dbt/rows` builds enforced tables of them";

/// Nobody asked the warehouse.
const READ: &str = "read: after the warehouse's documentation and the adapter's source, not run";

/// Every kind of property, as the page calls it and as a contract writes it.
const PROPERTIES: &[(&str, &str)] = &[
    ("string", "logicalType: string"),
    (
        "string, `maxLength` 20",
        "logicalType: string, logicalTypeOptions: {maxLength: 20}",
    ),
    (
        "string, `uuid`",
        "logicalType: string, logicalTypeOptions: {format: uuid}",
    ),
    (
        "string, `binary`",
        "logicalType: string, logicalTypeOptions: {format: binary}",
    ),
    (
        "string, other formats",
        "logicalType: string, logicalTypeOptions: {format: email}",
    ),
    ("boolean", "logicalType: boolean"),
    ("integer", "logicalType: integer"),
    (
        "integer, `i8`",
        "logicalType: integer, logicalTypeOptions: {format: i8}",
    ),
    (
        "integer, `i16`",
        "logicalType: integer, logicalTypeOptions: {format: i16}",
    ),
    (
        "integer, `i32`",
        "logicalType: integer, logicalTypeOptions: {format: i32}",
    ),
    (
        "integer, `i64`",
        "logicalType: integer, logicalTypeOptions: {format: i64}",
    ),
    (
        "integer, `i128`",
        "logicalType: integer, logicalTypeOptions: {format: i128}",
    ),
    (
        "integer, `u8`",
        "logicalType: integer, logicalTypeOptions: {format: u8}",
    ),
    (
        "integer, `u16`",
        "logicalType: integer, logicalTypeOptions: {format: u16}",
    ),
    (
        "integer, `u32`",
        "logicalType: integer, logicalTypeOptions: {format: u32}",
    ),
    (
        "integer, `u64`",
        "logicalType: integer, logicalTypeOptions: {format: u64}",
    ),
    (
        "integer, `u128`",
        "logicalType: integer, logicalTypeOptions: {format: u128}",
    ),
    ("number", "logicalType: number"),
    (
        "number, `f32`",
        "logicalType: number, logicalTypeOptions: {format: f32}",
    ),
    (
        "number, `f64`",
        "logicalType: number, logicalTypeOptions: {format: f64}",
    ),
    ("date", "logicalType: date"),
    ("time", "logicalType: time"),
    (
        "time, `timezone`",
        "logicalType: time, logicalTypeOptions: {timezone: true}",
    ),
    ("timestamp", "logicalType: timestamp"),
    (
        "timestamp, `timezone`",
        "logicalType: timestamp, logicalTypeOptions: {timezone: true}",
    ),
    ("object", "logicalType: object"),
    (
        "object of parts",
        "logicalType: object, properties: [{name: a, logicalType: string}, {name: b, logicalType: object, properties: [{name: c, logicalType: date}]}]",
    ),
    ("array", "logicalType: array"),
    (
        "array of integers",
        "logicalType: array, items: {logicalType: integer}",
    ),
    (
        "array of objects",
        "logicalType: array, items: {logicalType: object, properties: [{name: a, logicalType: string}]}",
    ),
    (
        "map",
        "logicalType: map, map: {key: {logicalType: string}, value: {logicalType: integer}}",
    ),
    (
        "vector",
        "logicalType: vector, logicalTypeOptions: {dimensions: 3}",
    ),
    ("enum of texts", "enum: [{value: a}, {value: b}]"),
    ("enum of numbers", "enum: [{value: 1}, {value: 2}]"),
];

/// How many adapters stand beside each other.
const BESIDE: usize = 5;

/// The type of a property on an adapter, with marks for what is said of it.
fn cell(adapter: Adapter, text: &str) -> String {
    let typed = data_type(&property(text), &settings(adapter.as_str(), "-"));
    let mut cell = typed
        .data_type
        .map_or("none".to_owned(), |word| format!("`{word}`"));
    for note in &typed.notes {
        cell.push_str(match note {
            TypeNote::UnstatedPrecision => " ¹",
            TypeNote::Lossy(_) => " ²",
            TypeNote::NotRepresentable(_) => " ³",
            _ => " ⁴",
        });
    }
    cell
}

/// The whole page.
fn page() -> String {
    let mut page = String::from(
        "# Types\n\n\
         <!-- Made from the table of types: UPDATE_DOCS=1 cargo test --lib types -->\n\n\
         The `data_type` of a property that states no physical type, or one that its adapter does not know.\n\n\
         ¹ may round a value: `mapping/unstated-precision` says so, and it is an error where the contract of\n\
         the model is enforced. ² some values do not fit unchanged. ³ the adapter has no such type, or the\n\
         contract says too little.\n",
    );
    for adapters in BACKING.chunks(BESIDE) {
        let _ = write!(page, "\n| |");
        for (adapter, _) in adapters {
            let _ = write!(page, " {} |", adapter.as_str());
        }
        let _ = writeln!(page, "\n|---|{}", "---|".repeat(adapters.len()));
        for (title, text) in PROPERTIES {
            let _ = write!(page, "| {title} |");
            for (adapter, _) in adapters {
                let _ = write!(page, " {} |", cell(*adapter, text));
            }
            page.push('\n');
        }
    }
    page.push_str("\n## What backs them\n\n| adapter | |\n|---|---|\n");
    for (adapter, backing) in BACKING {
        let _ = writeln!(page, "| {} | {backing} |", adapter.as_str());
    }
    page
}

#[test]
#[expect(clippy::disallowed_methods, reason = "writes the page when asked to")]
fn the_page_of_types_is_up_to_date() {
    let named: Vec<Adapter> = BACKING.iter().map(|(adapter, _)| *adapter).collect();
    let all: Vec<Adapter> = Adapter::ALL.iter().map(|(adapter, _)| *adapter).collect();
    assert_eq!(named, all);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/types.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page).unwrap();
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written.replace("\r\n", "\n") == page,
        "docs/types.md is not what the table of types says; `UPDATE_DOCS=1 cargo test --lib types` rewrites it"
    );
}
