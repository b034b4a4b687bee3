//! The preferred spellings as a specification: adapter, text, what it becomes (`-` for no type).

use super::*;
use proptest::prelude::*;

const CASES: &str = "
duckdb     | INTEGER                            | integer
duckdb     | int8                               | bigint
duckdb     | VARCHAR(20)                        | varchar(20)
duckdb     | character varying (20)             | varchar(20)
duckdb     | Double  Precision                  | double
duckdb     | decimal(12, 2)                     | decimal(12,2)
duckdb     | DECIMAL(39,0)                      | -
duckdb     | decimal(10,11)                     | -
duckdb     | TIMESTAMP WITH TIME ZONE           | timestamptz
duckdb     | timestamp(3)                       | timestamp_ms
duckdb     | timestamp(5)                       | -
duckdb     | BIGINT[]                           | bigint[]
duckdb     | float[768]                         | float[768]
duckdb     | int[3][]                           | integer[3][]
duckdb     | MAP(VARCHAR, INT4[])               | map(varchar, integer[])
duckdb     | STRUCT(a INT, \"order\" TEXT)        | struct(a integer, \"order\" varchar)
duckdb     | struct(a struct(b int), c json)    | struct(a struct(b integer), c json)
duckdb     | struct(\"a b\" int)                  | struct(\"a b\" integer)
duckdb     | struct(date date)                  | struct(date date)
duckdb     | struct()                           | -
duckdb     | array<string>                      | -
duckdb     | enum('it''s', 'b')                 | enum('it''s','b')
duckdb     | decimal(10)                        | decimal(10,0)
duckdb     | enum                               | -
duckdb     | bigint(20)                         | -
duckdb     | number                             | -
duckdb     | object                             | -
duckdb     | integer integer                    | -
duckdb     | integer)                           | -
duckdb     | drop table x                       | -
duckdb     | int; drop                          | -
postgres   | character varying(256)             | varchar(256)
postgres   | timestamp(3) with time zone        | timestamptz(3)
postgres   | timestamp without time zone        | timestamp
postgres   | DECIMAL                            | numeric
postgres   | serial                             | integer
postgres   | text[]                             | text[]
postgres   | nvarchar(10)                       | -
postgres   | national character varying (10)    | varchar(10)
postgres   | nchar(3)                           | char(3)
postgres   | bpchar(3)                          | bpchar(3)
postgres   | float(24)                          | real
postgres   | float(53)                          | double precision
snowflake  | NUMBER(38, 0)                      | number(38,0)
snowflake  | BIGINT                             | number(38,0)
snowflake  | decimal(10, 2)                     | number(10,2)
snowflake  | NUMBER                             | number
snowflake  | TIMESTAMP                          | timestamp_ntz
snowflake  | timestamptz                        | timestamp_tz
snowflake  | TIMESTAMP_NTZ(9)                   | timestamp_ntz(9)
snowflake  | ARRAY                              | array
snowflake  | array(varchar)                     | array(varchar)
snowflake  | vector(float, 256)                 | vector(float,256)
bigquery   | ARRAY<STRUCT<a STRING, b INTEGER>> | array<struct<a string, b int64>>
bigquery   | NUMERIC(18, 4)                     | numeric(18,4)
bigquery   | RANGE<TIMESTAMP>                   | range<timestamp>
bigquery   | STRUCT                             | -
bigquery   | text                               | -
redshift   | varchar(max)                       | varchar(max)
redshift   | character varying                  | varchar
redshift   | jsonb                              | -
databricks | array<struct<key:string,v:bigint>> | array<struct<key: string, v: bigint>>
databricks | map<string,bigint>                 | map<string, bigint>
databricks | varchar                            | -
databricks | varchar(255)                       | varchar(255)
spark      | integer                            | int
trino      | row(a int, b array(varchar))       | row(a integer, b array(varchar))
trino      | timestamp(6) with time zone        | timestamp(6) with time zone
athena     | struct<a:string,b:integer>         | struct<a:string,b:int>
athena     | row(a varchar)                     | struct<a:varchar>
clickhouse | Nullable(decimal(10,2))            | Nullable(Decimal(10, 2))
clickhouse | DateTime64(6, 'UTC')               | DateTime64(6, 'UTC')
clickhouse | Array(LowCardinality(String))      | Array(LowCardinality(String))
clickhouse | varchar(20)                        | String
clickhouse | Tuple(a Int8, b Map(String, Bool)) | Tuple(a Int8, b Map(String, Bool))
sqlserver  | NVARCHAR(MAX)                      | nvarchar(max)
sqlserver  | numeric(10,2)                      | decimal(10,2)
sqlserver  | int[]                              | -
fabric     | nvarchar(10)                       | -
mysql      | tinyint(1)                         | boolean
mysql      | int(11) unsigned                   | int unsigned
mysql      | varchar                            | -
oracle     | NUMBER(*,0)                        | number(*,0)
oracle     | VARCHAR2(20 CHAR)                  | varchar2(20 char)
oracle     | INTERVAL DAY(2) TO SECOND(6)       | interval day(2) to second(6)
oracle     | interval day to second(6)          | interval day to second(6)
oracle     | TIMESTAMP(6) WITH LOCAL TIME ZONE  | timestamp(6) with local time zone
sqlite     | clob                               | text
";

#[test]
fn preferred_spellings() {
    for line in CASES.lines().filter(|line| !line.is_empty()) {
        let [adapter, text, expected] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let adapter = Adapter::parse(adapter.trim()).unwrap();
        let expected = Some(expected).filter(|expected| *expected != "-");
        let normalized = normalize(adapter, text);
        assert_eq!(normalized.as_deref(), expected, "{line}");
        if let Some(normalized) = normalized {
            let again = normalize(adapter, &normalized);
            assert_eq!(again, Some(normalized), "{line}");
        }
    }
}

#[test]
fn decimals_that_would_round() {
    for (adapter, text, rounds) in [
        (Adapter::Snowflake, "NUMBER", true),
        (Adapter::Snowflake, "number(38,0)", false),
        (Adapter::DuckDb, "decimal", true),
        (Adapter::DuckDb, "decimal(18,3)", false),
        (Adapter::Postgres, "numeric", false),
        (Adapter::BigQuery, "numeric", false),
        (Adapter::Oracle, "number", false),
        (Adapter::Oracle, "decimal", true),
    ] {
        let normalized = normalize(adapter, text).unwrap();
        assert_eq!(
            is_parameterless_decimal(adapter, &normalized),
            rounds,
            "{text}"
        );
    }
}

#[test]
fn nesting_has_an_end() {
    for text in [
        "array<".repeat(10_000),
        format!("int{}", "[]".repeat(10_000)),
        "struct<a ".repeat(10_000),
        "map(map(".repeat(10_000),
    ] {
        for (adapter, _) in Adapter::ALL {
            assert_eq!(normalize(*adapter, &text), None);
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(
        text in any::<String>(),
        words in "((int|array|struct|map|decimal|timestamp|a|'x'|\"q\"|[0-9])?[ ()<>,:\\[\\]]?){0,12}",
    ) {
        for (adapter, _) in Adapter::ALL {
            for text in [&text, &words] {
                if let Some(normalized) = normalize(*adapter, text) {
                    prop_assert_eq!(normalize(*adapter, &normalized), Some(normalized.clone()), "{}", text);
                }
            }
        }
    }
}
