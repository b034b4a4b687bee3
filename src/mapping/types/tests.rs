//! The mapping as a specification: each line is an adapter, the contract's server (`-` for none),
//! a property, and its type (`-` for none) with the kinds of its notes.

mod page;

use std::sync::Arc;

use super::*;
use crate::diagnostics::SourceFile;
use crate::document::{Document, Kind};
use crate::yaml::{Limits, parse};

#[rustfmt::skip]
const CASES: &str = "
# Logical types on DuckDB.
duckdb     | -         | logicalType: string                                               | varchar
duckdb     | -         | logicalType: string, logicalTypeOptions: {maxLength: 20}          | varchar
duckdb     | -         | logicalType: string, logicalTypeOptions: {format: uuid}           | uuid
duckdb     | -         | logicalType: string, logicalTypeOptions: {format: binary}         | blob
duckdb     | -         | logicalType: string, logicalTypeOptions: {format: email}          | varchar
duckdb     | -         | logicalType: boolean                                              | boolean
duckdb     | -         | logicalType: integer                                              | integer
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: i8}            | tinyint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: i16}           | smallint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: i32}           | integer
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: i64}           | bigint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: i128}          | hugeint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: u8}            | utinyint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: u16}           | usmallint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: u32}           | uinteger
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: u64}           | ubigint
duckdb     | -         | logicalType: integer, logicalTypeOptions: {format: u128}          | uhugeint
duckdb     | -         | logicalType: number                                               | decimal(38,9) UnstatedPrecision
duckdb     | -         | logicalType: number, logicalTypeOptions: {format: f32}            | float
duckdb     | -         | logicalType: number, logicalTypeOptions: {format: f64}            | double
duckdb     | -         | logicalType: date                                                 | date
duckdb     | -         | logicalType: time                                                 | time
duckdb     | -         | logicalType: time, logicalTypeOptions: {timezone: true}           | timetz
duckdb     | trino     | physicalType: time(3) with time zone, logicalType: time           | timetz Translated
snowflake  | -         | logicalType: time, logicalTypeOptions: {timezone: true}           | time Lossy
oracle     | -         | logicalType: time, logicalTypeOptions: {timezone: true}           | varchar2(21)
duckdb     | -         | logicalType: timestamp                                            | timestamp
duckdb     | -         | logicalType: timestamp, logicalTypeOptions: {timezone: true}      | timestamptz
duckdb     | -         | logicalType: timestamp, logicalTypeOptions: {timezone: false}     | timestamp
duckdb     | -         | logicalType: object                                               | json
duckdb     | -         | logicalType: array                                                | - NotRepresentable
duckdb     | -         | logicalType: array, items: {logicalType: string}                  | varchar[]
duckdb     | -         | logicalType: map, map: {key: {logicalType: string}, value: {logicalType: integer}} | map(varchar, integer)
duckdb     | -         | logicalType: vector, logicalTypeOptions: {dimensions: 768}        | float[768]
duckdb     | -         | logicalType: object, properties: [{name: a, logicalType: integer}, {name: User Id, logicalType: array, items: {logicalType: object, properties: [{name: order, logicalType: date}]}}] | struct(a integer, \"User Id\" struct(\"order\" date)[])
duckdb     | -         | properties: [{name: a, logicalType: boolean}]                     | struct(a boolean)
duckdb     | -         | logicalType: object, properties: [{name: a, logicalType: number}, {name: b}] | - a:UnstatedPrecision b:Untyped
# A physical type without a server is read in the adapter's dialect.
duckdb     | -         | physicalType: VARCHAR(20), logicalType: string                    | varchar(20)
duckdb     | -         | physicalType: 'DECIMAL(12, 2)', logicalType: number               | decimal(12,2)
duckdb     | -         | physicalType: decimal, logicalType: number                        | decimal(38,9) UnstatedPrecision
duckdb     | -         | physicalType: 'struct(a decimal)'                                 | struct(a decimal(38,9)) UnstatedPrecision
duckdb     | -         | physicalType: int4, logicalType: number                           | integer
duckdb     | -         | physicalType: 'varchar[50]', logicalType: string                  | varchar Contradicts
clickhouse | -         | physicalType: Nullable(Int8), logicalType: integer                | Nullable(Int8)
bigquery   | -         | physicalType: range<date>, logicalType: date                      | date Contradicts
duckdb     | -         | physicalType: 'varchar[]', logicalType: array                     | varchar[]
duckdb     | -         | physicalType: NUMBER, logicalType: number                         | decimal(38,9) UnstatedPrecision Translated
duckdb     | -         | physicalType: hyperint, logicalType: integer                      | integer UnknownPhysicalType
duckdb     | -         | physicalType: AccountNumber, logicalType: object                  | json UnknownPhysicalType
duckdb     | -         | physicalType: record, properties: [{name: a, physicalType: int8}] | struct(a bigint)
duckdb     | -         | physicalType: long                                                | bigint
duckdb     | -         | physicalType: money                                               | - UnknownPhysicalType
duckdb     | -         | description: nothing more                                         | - Untyped
duckdb     | -         | enum: [{value: a}, {value: b}]                                    | varchar
duckdb     | -         | enum: [{value: 1}, {value: 2}]                                    | integer
duckdb     | -         | enum: [{value: 1}, {value: 3000000000}]                           | bigint
duckdb     | -         | enum: [{value: 1}, {value: b}]                                    | - Untyped
# What every dialect that knows it reads alike needs no server.
duckdb     | -         | physicalType: 'NUMBER(12,2)', logicalType: number                 | decimal(12,2) Translated
duckdb     | -         | physicalType: FLOAT64, logicalType: number                        | double Translated
duckdb     | -         | physicalType: serial, logicalType: integer                        | bigint Translated
duckdb     | -         | physicalType: serial, logicalType: number                         | bigint Translated
duckdb     | postgres  | physicalType: serial, logicalType: number                         | integer Translated
postgres   | -         | physicalType: tinyint, logicalType: integer                       | smallint Translated
postgres   | -         | physicalType: tinyint                                             | - UnknownPhysicalType
# One of another dialect is translated as far as the logical type agrees.
duckdb     | snowflake | physicalType: 'NUMBER(12,2)', logicalType: number                 | decimal(12,2) Translated
duckdb     | snowflake | physicalType: 'NUMBER(38,0)', logicalType: integer                | bigint Translated
duckdb     | snowflake | physicalType: 'NUMBER(10)', logicalType: integer                  | decimal(10,0) Translated
duckdb     | snowflake | physicalType: FLOAT, logicalType: number                          | double Translated
duckdb     | snowflake | physicalType: TIMESTAMP_TZ, logicalType: timestamp                | timestamptz Translated
duckdb     | snowflake | physicalType: TIMESTAMP_TZ, logicalType: timestamp, logicalTypeOptions: {timezone: false} | timestamp
duckdb     | snowflake | physicalType: VARIANT, logicalType: object                        | json Translated
duckdb     | snowflake | physicalType: VARIANT, logicalType: object, properties: [{name: a, logicalType: string}] | struct(a varchar)
duckdb     | snowflake | physicalType: VARCHAR(20), logicalType: date                      | date Contradicts
duckdb     | snowflake | physicalType: 'BINARY(16)'                                        | blob Translated
duckdb     | bigquery  | physicalType: INT64, logicalType: integer                         | bigint Translated
duckdb     | bigquery  | physicalType: TIMESTAMP, logicalType: timestamp                   | timestamptz Translated
duckdb     | bigquery  | physicalType: DATETIME, logicalType: timestamp                    | timestamp Translated
duckdb     | bigquery  | physicalType: 'ARRAY<STRUCT<a STRING, b NUMERIC(18, 4)>>', logicalType: array | struct(a varchar, b decimal(18,4))[] Translated
duckdb     | bigquery  | physicalType: GEOGRAPHY, logicalType: object                      | json Contradicts
duckdb     | bigquery  | physicalType: NUMERIC, logicalType: number                        | decimal(38,9) Translated
duckdb     | bigquery  | physicalType: BYTES, logicalType: array                           | blob Translated
duckdb     | bigquery  | physicalType: uuid, logicalType: string                           | varchar UnknownPhysicalType
duckdb     | databricks | physicalType: 'map<string,bigint>'                               | map(varchar, bigint) Translated
duckdb     | databricks | physicalType: array, logicalType: array, items: {physicalType: bigint} | bigint[]
duckdb     | postgres  | physicalType: date, logicalType: date                             | date
duckdb     | clickhouse | physicalType: 'Nullable(Decimal(10, 2))', logicalType: number    | decimal(10,2) Translated
duckdb     | oracle    | physicalType: DATE, logicalType: date                             | date Contradicts
duckdb     | oracle    | physicalType: INTERVAL DAY(2) TO SECOND(6)                        | - Untranslatable
postgres   | snowflake | physicalType: VARCHAR(20), logicalType: string                    | varchar(20)
redshift   | snowflake | physicalType: VARCHAR(20), logicalType: string                    | varchar(80) Translated
bigquery   | snowflake | physicalType: 'NUMBER(38,2)', logicalType: number                 | bignumeric(38,2) Translated
# The adapter's own types stay.
duckdb     | duckdb    | physicalType: TIMESTAMP_MS, logicalType: date                     | timestamp_ms
snowflake  | snowflake | physicalType: varchar(100), logicalType: string                   | varchar(100)
# A bare decimal is what the dialect makes of it, once it is said which one that is.
snowflake  | snowflake | physicalType: decimal, logicalType: number                        | number(38,0)
duckdb     | duckdb    | physicalType: decimal, logicalType: number                        | decimal(18,3)
duckdb     | duckdb    | physicalType: 'decimal[]', logicalType: array                     | decimal(18,3)[]
duckdb     | snowflake | physicalType: NUMBER, logicalType: number                         | decimal(38,0) Translated
duckdb     | snowflake | physicalType: NUMBER, logicalType: integer                        | decimal(38,0) Translated
bigquery   | mysql     | physicalType: decimal, logicalType: number                        | numeric(10,0) Translated
postgres   | postgres  | physicalType: decimal, logicalType: number                        | numeric
postgres   | postgres  | physicalType: order_status, logicalType: string                   | text UnknownPhysicalType
bigquery   | bigquery  | physicalType: NUMERIC, logicalType: number                        | numeric
bigquery   | bigquery  | physicalType: RECORD, logicalType: object, properties: [{name: a, physicalType: STRING}] | struct<a string>
spark      | databricks | physicalType: 'struct<a:string>'                                 | struct<a: string>
# What the contract says for one adapter.
duckdb     | snowflake | physicalType: NUMBER, customProperties: [{property: duckdbType, value: 'decimal(20,4)'}] | decimal(20,4)
duckdb     | -         | logicalType: string, customProperties: [{property: duckdbType, value: nonsense}] | varchar UnknownPhysicalType
# Other adapters.
postgres   | -         | logicalType: number                                               | numeric
postgres   | -         | logicalType: array, items: {logicalType: string}                  | text[]
postgres   | -         | logicalType: object, properties: [{name: a, logicalType: string}] | jsonb
snowflake  | -         | logicalType: integer                                              | number(38,0)
snowflake  | -         | logicalType: integer, logicalTypeOptions: {format: i128}          | number(38,0) Lossy
snowflake  | -         | logicalType: timestamp                                            | timestamp_ntz
snowflake  | -         | logicalType: array                                                | array
bigquery   | -         | logicalType: object                                               | json
bigquery   | -         | logicalType: array, items: {logicalType: array, items: {logicalType: string}} | - NotRepresentable
bigquery   | -         | logicalType: object, properties: [{name: a, logicalType: array, items: {logicalType: integer}}] | struct<a array<int64>>
redshift   | -         | logicalType: object                                               | super
redshift   | -         | logicalType: array, items: {logicalType: string}                  | super
databricks | -         | logicalType: map, map: {key: {logicalType: string}, value: {logicalType: number, logicalTypeOptions: {format: f64}}} | map<string, double>
databricks | -         | logicalType: timestamp                                            | timestamp_ntz
databricks | -         | logicalType: object                                               | variant
spark      | -         | logicalType: object                                               | string
trino      | -         | logicalType: object, properties: [{name: Ab, logicalType: string}] | row(\"Ab\" varchar)
trino      | -         | logicalType: timestamp, logicalTypeOptions: {timezone: true}      | timestamp(6) with time zone
athena     | -         | logicalType: object, properties: [{name: a, logicalType: string}, {name: b, logicalType: date}] | struct<a:string,b:date>
clickhouse | -         | logicalType: array, items: {logicalType: integer}                 | Array(Int32)
clickhouse | -         | physicalType: 'decimal(10,2)'                                     | Decimal(10, 2)
sqlserver  | -         | logicalType: string                                               | nvarchar(4000)
sqlserver  | -         | logicalType: array, items: {logicalType: integer}                 | nvarchar(max)
fabric     | -         | logicalType: timestamp, logicalTypeOptions: {timezone: true}      | datetime2(6) Lossy
fabric     | -         | logicalType: vector, logicalTypeOptions: {dimensions: 3}          | - NotRepresentable
mysql      | -         | logicalType: integer, logicalTypeOptions: {format: u64}           | bigint unsigned
oracle     | snowflake | physicalType: VARCHAR(20)                                         | varchar2(20 char) Translated
oracle     | -         | logicalType: number                                               | number
sqlite     | -         | logicalType: timestamp                                            | text
";

fn property(text: &str) -> Property {
    let text = format!(
        "apiVersion: v3.2.0\nid: a\nschema:\n- name: o\n  properties:\n  - {{name: p, {text}}}\n"
    );
    let root = parse(&text, &Limits::default()).documents.remove(0);
    let document = Document {
        file: SourceFile::new("a.yaml", text),
        root,
        kind: Kind::Contract,
        comments: Vec::new(),
    };
    let document = Arc::new(document);
    let contract = crate::odcs::load(&document, &document.root).unwrap();
    contract.objects[0].properties[0].clone()
}

fn settings(adapter: &str, server: &str) -> TypeSettings {
    TypeSettings {
        adapter: Adapter::parse(adapter.trim()).unwrap(),
        server: Adapter::of_server(server.trim()),
        number: NumberRule::ErrorIfEnforced,
        timestamp: TimestampRule::Naive,
    }
}

/// The kind of a note without what it quotes.
fn kind(note: &TypeNote) -> String {
    match note {
        TypeNote::Part { name, note } => format!("{name}:{}", kind(note)),
        note => {
            let text = format!("{note:?}");
            let end = text.find(|character: char| !character.is_alphabetic());
            text[..end.unwrap_or(text.len())].to_owned()
        }
    }
}

#[test]
fn types_follow_the_table() {
    let mut wrong = Vec::new();
    for line in CASES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let [adapter, server, text, expected] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let typed = data_type(&property(text), &settings(adapter, server));
        let mut actual = typed.data_type.unwrap_or_else(|| "-".to_owned());
        for note in &typed.notes {
            actual.push(' ');
            actual.push_str(&kind(note));
        }
        if actual != expected {
            wrong.push(format!("{line}\n    is {actual}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_for_what_is_unstated() {
    let number = property("logicalType: number");
    let timestamp = property("logicalType: timestamp");
    let mut rules = settings("duckdb", "-");
    rules.number = NumberRule::Double;
    rules.timestamp = TimestampRule::Aware;
    assert_eq!(
        data_type(&number, &rules).data_type.as_deref(),
        Some("double")
    );
    assert_eq!(
        data_type(&timestamp, &rules).data_type.as_deref(),
        Some("timestamptz")
    );
    rules.number = NumberRule::Decimal(18, 4);
    let typed = data_type(&number, &rules);
    assert_eq!(typed.data_type.as_deref(), Some("decimal(18,4)"));
    assert_eq!(typed.notes, []);
    rules.number = NumberRule::Decimal(39, 4);
    assert_eq!(data_type(&number, &rules).data_type, None);
}

/// Every word of the table is a type of its own dialect.
#[test]
fn every_target_type_is_a_type() {
    let formats = [
        "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128",
    ];
    let mut texts: Vec<String> = formats
        .iter()
        .map(|format| format!("logicalType: integer, logicalTypeOptions: {{format: {format}}}"))
        .collect();
    texts.extend(
        [
            "logicalType: string",
            "logicalType: string, logicalTypeOptions: {format: uuid}",
            "logicalType: string, logicalTypeOptions: {format: binary}",
            "logicalType: boolean",
            "logicalType: number",
            "logicalType: number, logicalTypeOptions: {format: f32}",
            "logicalType: number, logicalTypeOptions: {format: f64}",
            "logicalType: date",
            "logicalType: time",
            "logicalType: time, logicalTypeOptions: {timezone: true}",
            "logicalType: timestamp, logicalTypeOptions: {timezone: false}",
            "logicalType: timestamp, logicalTypeOptions: {timezone: true}",
            "logicalType: object",
            "logicalType: object, properties: [{name: a, logicalType: string}]",
            "logicalType: array, items: {logicalType: integer}",
            "logicalType: map, map: {key: {logicalType: string}, value: {logicalType: integer}}",
            "logicalType: vector, logicalTypeOptions: {dimensions: 3}",
        ]
        .map(str::to_owned),
    );
    for (adapter, word) in Adapter::ALL {
        for text in &texts {
            let Some(data_type) = data_type(&property(text), &settings(word, "-")).data_type else {
                assert!(
                    *adapter == Adapter::Fabric && text.contains("vector"),
                    "{word}: {text}"
                );
                continue;
            };
            let normalized = types::normalize(*adapter, &data_type);
            assert_eq!(normalized.as_ref(), Some(&data_type), "{word}: {text}");
            assert!(
                !types::is_parameterless_decimal(*adapter, &data_type),
                "{word}: {text}"
            );
        }
    }
}
