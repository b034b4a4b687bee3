//! Types of every dialect, and how they compare.

use std::collections::BTreeMap;

use super::*;

/// Adapter, the contract's type, the observed type, how they compare.
const CASES: &[(Adapter, &str, &str, Likeness)] = &[
    (Adapter::DuckDb, "BIGINT", "int8", Likeness::Same),
    (Adapter::DuckDb, "VARCHAR", "varchar(20)", Likeness::Same),
    (Adapter::DuckDb, "VARCHAR", "text", Likeness::Same),
    (Adapter::DuckDb, "BIGINT", "HUGEINT", Likeness::Wider),
    (Adapter::DuckDb, "INTEGER", "BIGINT", Likeness::Wider),
    (Adapter::DuckDb, "BIGINT", "INTEGER", Likeness::Other),
    (Adapter::DuckDb, "BIGINT", "UBIGINT", Likeness::Other),
    (Adapter::DuckDb, "UINTEGER", "BIGINT", Likeness::Wider),
    (Adapter::DuckDb, "BIGINT", "VARCHAR", Likeness::Other),
    (Adapter::DuckDb, "DATE", "TIMESTAMP", Likeness::Other),
    (
        Adapter::DuckDb,
        "TIMESTAMP",
        "TIMESTAMP WITH TIME ZONE",
        Likeness::Other,
    ),
    (
        Adapter::DuckDb,
        "DECIMAL(10,2)",
        "decimal(10, 2)",
        Likeness::Same,
    ),
    (
        Adapter::DuckDb,
        "DECIMAL(10,2)",
        "DECIMAL(12,2)",
        Likeness::Wider,
    ),
    (
        Adapter::DuckDb,
        "DECIMAL(10,2)",
        "DECIMAL(12,4)",
        Likeness::Wider,
    ),
    (
        Adapter::DuckDb,
        "DECIMAL(10,2)",
        "DECIMAL(10,4)",
        Likeness::Other,
    ),
    (Adapter::DuckDb, "INTEGER", "DECIMAL(10,0)", Likeness::Wider),
    (Adapter::DuckDb, "INTEGER", "DOUBLE", Likeness::Wider),
    (Adapter::DuckDb, "BIGINT", "DOUBLE", Likeness::Other),
    (Adapter::DuckDb, "INTEGER[]", "int4[]", Likeness::Same),
    (Adapter::DuckDb, "INTEGER[]", "BIGINT[]", Likeness::Other),
    (
        Adapter::DuckDb,
        "STRUCT(a INTEGER)",
        "STRUCT(a INTEGER, b INTEGER)",
        Likeness::Other,
    ),
    (Adapter::DuckDb, "BIGINT", "MONEY", Likeness::Unknown),
    (
        Adapter::Postgres,
        "varchar(20)",
        "character varying",
        Likeness::Same,
    ),
    (
        Adapter::Postgres,
        "varchar(20)",
        "character varying(40)",
        Likeness::Wider,
    ),
    (
        Adapter::Postgres,
        "varchar(20)",
        "character varying(10)",
        Likeness::Other,
    ),
    (Adapter::Postgres, "varchar(20)", "text", Likeness::Wider),
    (Adapter::Postgres, "text", "varchar(20)", Likeness::Other),
    (Adapter::Snowflake, "NUMBER(38,0)", "NUMBER", Likeness::Same),
    (
        Adapter::Snowflake,
        "NUMBER(38,0)",
        "NUMBER(12,2)",
        Likeness::Other,
    ),
    (Adapter::Snowflake, "NUMBER(10,2)", "NUMBER", Likeness::Same),
    (Adapter::Snowflake, "VARCHAR", "TEXT", Likeness::Same),
    (Adapter::BigQuery, "INT64", "INTEGER", Likeness::Same),
    (
        Adapter::ClickHouse,
        "Nullable(Int64)",
        "Int64",
        Likeness::Same,
    ),
];

#[test]
fn types_compare_in_the_dialect() {
    for (adapter, expected, observed, likeness) in CASES {
        let stated = ColumnType::Exact((*expected).to_owned());
        assert_eq!(
            compare(*adapter, &stated, observed),
            *likeness,
            "{adapter:?}: {expected} and {observed}"
        );
    }
}

#[test]
fn a_logical_type_leaves_the_width_open() {
    for (logical, observed, likeness) in [
        (LogicalType::Integer, "BIGINT", Likeness::Same),
        (LogicalType::Integer, "SMALLINT", Likeness::Same),
        (LogicalType::Integer, "DECIMAL", Likeness::Same),
        (LogicalType::Integer, "VARCHAR", Likeness::Other),
        (LogicalType::Number, "DECIMAL(12,2)", Likeness::Same),
        (LogicalType::Timestamp, "DATE", Likeness::Other),
        (LogicalType::String, "VARCHAR", Likeness::Same),
    ] {
        let expected = ColumnType::Logical(logical);
        let compared = compare(Adapter::DuckDb, &expected, observed);
        assert_eq!(compared, likeness, "{logical:?} and {observed}");
    }
}

/// The patterns of the macro inside dbt.
fn kinds_of_the_gate() -> BTreeMap<String, regex::Regex> {
    let gate = include_str!("../../../templates/drift/contract_types.sql");
    let (_, table) = gate.split_once("{%- set integer").unwrap();
    let (table, _) = table.split_once("} -%}").unwrap();
    let each = "{% for kind, pattern in kinds | items %}{{ kind }} {{ pattern }}\n{% endfor %}";
    let template = format!("{{%- set integer{table}}} -%}}{each}");
    let rendered = minijinja::render!(&template);
    let anchored = rendered.lines().map(|line| {
        let (kind, pattern) = line.split_once(' ').unwrap();
        let pattern = regex::Regex::new(&format!("^(?:{pattern})$")).unwrap();
        (kind.to_owned(), pattern)
    });
    anchored.collect()
}

#[test]
fn the_gate_inside_dbt_knows_the_same_kinds() {
    let kinds = kinds_of_the_gate();
    let decimal =
        regex::Regex::new("^(?:dec(imal)?|numeric|number|bignumeric|bigdecimal)$").unwrap();
    let parameters = regex::Regex::new("\\(([0-9, ]+)\\)").unwrap();
    let logical = [
        "string",
        "integer",
        "number",
        "boolean",
        "date",
        "time",
        "timestamp",
        "array",
        "object",
        "map",
    ];
    let nested = [
        "bigint[]",
        "struct(a bigint)",
        "map(varchar, bigint)",
        "array<int64>",
        "struct<a int64>",
    ];
    let decimals = [
        "decimal(10,2)",
        "numeric(10,2)",
        "decimal(10,0)",
        "numeric(5)",
    ];
    let postgres = [
        "character varying",
        "timestamp without time zone",
        "time with time zone",
        "double precision",
    ];
    for adapter in [
        Adapter::DuckDb,
        Adapter::Postgres,
        Adapter::Snowflake,
        Adapter::BigQuery,
        Adapter::Redshift,
        Adapter::Databricks,
    ] {
        // The spellings that a warehouse itself uses, and those that PostgreSQL does.
        let mut words = types::spellings(adapter);
        words.retain(|word| types::normalize(adapter, word).as_ref() == Some(word));
        let more = nested.iter().chain(&decimals).chain(&postgres);
        words.extend(more.map(ToString::to_string));
        words.retain(|word| types::parse(adapter, word).is_some());
        for word in &words {
            let bare = parameters.replace_all(word, "").replace(' ', "");
            let is_known =
                decimal.is_match(&bare) || kinds.values().any(|kind| kind.is_match(&bare));
            assert!(is_known, "{adapter:?}: {word}");
            for kind in logical {
                let is_whole = !parameters.find(word).is_some_and(|found| {
                    found.as_str().contains(',') && !found.as_str().ends_with(",0)")
                });
                let is_open = adapter != Adapter::BigQuery || parameters.is_match(word);
                let of_gate = kinds[kind].is_match(&bare)
                    || kind == "integer" && decimal.is_match(&bare) && is_whole && is_open;
                let expected = ColumnType::Logical(LogicalType::parse(kind).unwrap());
                let offline = compare(adapter, &expected, word) == Likeness::Same;
                assert_eq!(of_gate, offline, "{adapter:?}: {word} as {kind}");
            }
        }
    }
}
