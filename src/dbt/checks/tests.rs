//! Checks of tests as a table: adapter, type of the column, test with its arguments, expression.

use super::*;
use crate::yaml::{self, Limits};

/// The expression is empty where there is none.
const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "duckdb",
        "bigint",
        "contract_between: {arguments: {min_value: 0, exclusive_max: 10}}",
        "a >= 0 and a < 10",
    ),
    (
        "postgres",
        "numeric(12,2)",
        "contract_between: {arguments: {max_value: 99.5, exclusive_min: -1}}",
        "a <= 99.5 and a > -1",
    ),
    (
        "databricks",
        "bigint",
        "contract_between: {arguments: {min_value: 0}}",
        "a is null or (a >= 0)",
    ),
    (
        "duckdb",
        "date",
        "contract_between: {arguments: {min_value: '2020-01-01', data_type: date}}",
        "a >= cast('2020-01-01' as date)",
    ),
    (
        "duckdb",
        "timestamp",
        "contract_between: {arguments: {min_value: '2020-01-01T08:30:00Z', data_type: timestamp}}",
        "a >= cast('2020-01-01 08:30:00' as timestamp)",
    ),
    (
        "postgres",
        "timestamptz",
        "contract_between: {arguments: {max_value: '2020-01-01T00:00:00Z', data_type: timestamptz}}",
        "a <= cast('2020-01-01 00:00:00+00:00' as timestamptz)",
    ),
    (
        "duckdb",
        "time",
        "contract_between: {arguments: {min_value: '08:00', data_type: time}}",
        "a >= cast('08:00:00' as time)",
    ),
    (
        "duckdb",
        "date",
        "dbt_expectations.expect_column_values_to_be_between: {arguments: {min_value: \"cast('2020-01-01' as date)\", strictly: true}}",
        "a > cast('2020-01-01' as date)",
    ),
    (
        "duckdb",
        "varchar",
        "contract_length: {arguments: {min_length: 1, max_length: 3}}",
        "length(a) >= 1 and length(a) <= 3",
    ),
    (
        "databricks",
        "string",
        "contract_length: {arguments: {max_length: 3}}",
        "a is null or (char_length(a) <= 3)",
    ),
    (
        "postgres",
        "text",
        "accepted_values: {arguments: {values: [x, \"it''s\", \"{{ '{{' }} y }}\"]}}",
        "a in ('x', 'it''s', '{{ y }}')",
    ),
    (
        "duckdb",
        "boolean",
        "accepted_values: {arguments: {values: [true], quote: false}, config: {severity: error, tags: [x]}}",
        "a in (true)",
    ),
    (
        "duckdb",
        "decimal(12,2)",
        "accepted_values: {arguments: {values: [0.5, 2], quote: false}}",
        "a in (0.5, 2)",
    ),
    // Tests that let rows through, and values that compare in some other way.
    (
        "duckdb",
        "bigint",
        "contract_between: {arguments: {min_value: 0}, config: {severity: Warn}}",
        "",
    ),
    (
        "duckdb",
        "bigint",
        "contract_between: {arguments: {min_value: 0}, config: {where: a < 5}}",
        "",
    ),
    (
        "duckdb",
        "varchar",
        "contract_between: {arguments: {min_value: 0}}",
        "",
    ),
    (
        "duckdb",
        "varchar",
        "contract_between: {arguments: {min_value: '20200101', data_type: varchar}}",
        "",
    ),
    (
        "duckdb",
        "timestamp",
        "contract_between: {arguments: {min_value: '2020-01-01', data_type: date}}",
        "",
    ),
    (
        "duckdb",
        "double",
        "contract_between: {arguments: {min_value: 0.00000001}}",
        "",
    ),
    (
        "duckdb",
        "bigint",
        "accepted_values: {arguments: {values: ['1']}}",
        "",
    ),
    (
        "duckdb",
        "uuid",
        "contract_length: {arguments: {max_length: 3}}",
        "",
    ),
    (
        "duckdb",
        "varchar",
        "accepted_values: {arguments: {values: [\"{{ var('x') }}\"]}}",
        "",
    ),
    ("duckdb", "bigint", "not_null", ""),
    (
        "snowflake",
        "number(38,0)",
        "contract_between: {arguments: {min_value: 0}}",
        "",
    ),
    (
        "oracle",
        "number(10,0)",
        "contract_between: {arguments: {min_value: 0}}",
        "",
    ),
];

fn test(text: &str) -> GenericTest {
    let node = yaml::parse(text, &Limits::default()).documents.remove(0);
    GenericTest {
        verbatim: false,
        ..crate::dbt::data_tests::read(&node).unwrap()
    }
}

/// The expressions of the checks of the column `a`.
fn expressions(adapter: &str, data_type: &str, tests: &[GenericTest]) -> Vec<String> {
    let adapter = Adapter::parse(adapter).unwrap();
    let checks = of_column(adapter, "a", Some(data_type), tests);
    let expressions = checks.into_iter().map(|check| check.expression.unwrap());
    expressions.collect()
}

#[test]
fn tests_become_checks() {
    for (adapter, data_type, text, expected) in CASES {
        let found = expressions(adapter, data_type, &[test(text)]);
        assert_eq!(found.join("; "), *expected, "{adapter} {data_type} {text}");
    }
}

#[test]
fn tests_of_people_become_none() {
    let own = GenericTest {
        verbatim: true,
        ..test(CASES[0].2)
    };
    assert_eq!(expressions("duckdb", "bigint", &[own]), [""; 0]);
}

#[test]
fn names_are_quoted_in_expressions_and_free_in_a_table() {
    let values = |list: &str| {
        test(&format!(
            "accepted_values: {{arguments: {{values: [{list}]}}}}"
        ))
    };
    let tests = [values("x, y"), values("x"), values("x, y")];
    let of = |adapter, column| {
        let checks = of_column(adapter, column, Some("varchar"), &tests);
        let shown = checks
            .into_iter()
            .map(|check| (check.name, check.expression.unwrap()));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        of(Adapter::Postgres, "Order"),
        [
            (None, "\"Order\" in ('x', 'y')".to_owned()),
            (None, "\"Order\" in ('x')".to_owned()),
        ]
    );
    let of_strings = of_column(Adapter::Databricks, "Kind", Some("string"), &tests);
    let names: Vec<_> = of_strings
        .into_iter()
        .map(|check| check.name.unwrap())
        .collect();
    assert_eq!(names, ["kind_values", "kind_values_2"]);
    // dbt would put that name into SQL without quotes.
    let of_strings = of_column(Adapter::Databricks, "größe", Some("string"), &tests);
    assert_eq!(of_strings, []);
}
