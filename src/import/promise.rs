//! What a data test promises, whoever wrote it: a test of dbt, of a package or of our own comes in,
//! the [`Promise`] that it keeps goes out. A test is known only where it keeps exactly that promise,
//! nulls included; every other one stays a test.

use super::arguments::{Arguments, plain, unescaped};
use super::thresholds::operator;
use crate::dbt::adapter::Adapter;
use crate::dbt::data_tests::METRIC;
use crate::dbt::literals;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::document::Scalar;

/// `accepted_values` returns a row for each value; this makes it count their rows.
const COUNT_ROWS: &str = "coalesce(sum(n_records), 0)";

/// What a test promises of a column or an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Promise {
    /// A metric of the standard's library.
    Metric {
        /// Its name.
        metric: &'static str,
        /// Its arguments, but for columns.
        arguments: Entries,
        /// The columns that it is measured on, as they stand in SQL.
        columns: Vec<String>,
        /// The operator with its threshold; `None` for one that no failing row is allowed.
        operator: Option<(&'static str, Value)>,
        /// Whether the value is a share in percent.
        percent: bool,
    },
    /// Values lie within bounds.
    Bounds {
        /// `minimum` and the like.
        bounds: Vec<(&'static str, Scalar)>,
        /// The type that they are compared in.
        data_type: Option<String>,
    },
    /// Options of the logical type that hold for texts or arrays.
    Options(&'static [&'static str], Entries),
    /// Every value is found elsewhere.
    Reference {
        /// The columns here; none for the column that the test is on.
        columns: Vec<String>,
        /// The call that selects the other relation.
        to: String,
        /// The columns there.
        fields: Vec<String>,
    },
    /// No two rows share a combination.
    Combination {
        /// The columns as they stand in SQL.
        columns: Vec<String>,
        /// Whether rows with a null part count: then it is only exact for columns without nulls.
        counts_nulls: bool,
    },
}

/// Operators by the word of our own test.
const OPERATORS: &[(&str, &str)] = &[
    ("must_be", "mustBe"),
    ("must_not_be", "mustNotBe"),
    ("must_be_greater_than", "mustBeGreaterThan"),
    ("must_be_greater_or_equal_to", "mustBeGreaterOrEqualTo"),
    ("must_be_less_than", "mustBeLessThan"),
    ("must_be_less_or_equal_to", "mustBeLessOrEqualTo"),
    ("must_be_between", "mustBeBetween"),
    ("must_not_be_between", "mustNotBeBetween"),
];

/// Metrics by the word of our own test.
const METRICS: &[(&str, &str)] = &[
    ("null_values", "nullValues"),
    ("missing_values", "missingValues"),
    ("invalid_values", "invalidValues"),
    ("duplicate_values", "duplicateValues"),
    ("row_count", "rowCount"),
];

/// A reader of the arguments of a known test.
type Read = fn(&Arguments<'_>) -> Option<Promise>;

/// The tests that are known.
const KNOWN: &[(&str, Read)] = &[
    ("not_null", |_| Some(metric("nullValues"))),
    ("unique", |_| Some(metric("duplicateValues"))),
    ("accepted_values", accepted),
    ("relationships", |arguments| {
        Some(Promise::Reference {
            columns: Vec::new(),
            to: arguments.code("to")?,
            fields: vec![arguments.text("field")?],
        })
    }),
    (METRIC, measured),
    ("contract_between", |arguments| {
        let bounds = [
            ("min_value", "minimum"),
            ("max_value", "maximum"),
            ("exclusive_min", "exclusiveMinimum"),
            ("exclusive_max", "exclusiveMaximum"),
        ];
        arguments.bounds(&bounds, false)
    }),
    ("contract_length", |arguments| {
        arguments.options(
            &["string"],
            &[("min_length", "minLength"), ("max_length", "maxLength")],
        )
    }),
    ("contract_array_length", |arguments| {
        arguments.options(
            &["array"],
            &[("min_items", "minItems"), ("max_items", "maxItems")],
        )
    }),
    ("contract_unique_items", |_| {
        Some(Promise::Options(
            &["array"],
            Entries::default().with("uniqueItems", true),
        ))
    }),
    ("contract_multiple_of", |arguments| {
        arguments.options(&["integer", "number"], &[("divisor", "multipleOf")])
    }),
    ("contract_pattern", |arguments| {
        Some(pattern(arguments.text("pattern")?))
    }),
    ("contract_foreign_key", |arguments| {
        Some(Promise::Reference {
            columns: arguments.texts("columns")?,
            to: arguments.code("to")?,
            fields: arguments.texts("to_columns")?,
        })
    }),
    ("contract_unique_combination", |arguments| {
        combination(arguments, "combination_of_columns", false)
    }),
    ("dbt_utils.unique_combination_of_columns", |arguments| {
        combination(arguments, "combination_of_columns", true)
    }),
    ("dbt_utils.accepted_range", |arguments| {
        let is_strict = arguments.flag("inclusive") == Some(false);
        arguments.bounds(if is_strict { STRICT } else { LOOSE }, true)
    }),
    (
        "dbt_expectations.expect_column_values_to_be_between",
        |arguments| {
            let is_strict = arguments.flag("strictly") == Some(true);
            arguments.bounds(if is_strict { STRICT } else { LOOSE }, true)
        },
    ),
    (
        "dbt_expectations.expect_column_value_lengths_to_be_between",
        |arguments| {
            let is_strict = arguments.flag("strictly") == Some(true);
            let names = [("min_value", "minLength"), ("max_value", "maxLength")];
            if is_strict {
                None
            } else {
                arguments.options(&["string"], &names)
            }
        },
    ),
    (
        "dbt_expectations.expect_column_values_to_match_regex",
        |arguments| {
            let regex = arguments.text("regex")?;
            let is_raw = arguments.flag("is_raw") == Some(true);
            // The package puts the pattern into a literal as it is.
            let exact = match arguments.adapter? {
                Adapter::DuckDb | Adapter::Postgres if !is_raw => regex.replace("''", "'"),
                Adapter::Snowflake | Adapter::BigQuery if is_raw => regex,
                _ => return None,
            };
            Some(pattern(exact))
        },
    ),
    (
        "dbt_expectations.expect_column_values_to_not_be_null",
        |_| Some(metric("nullValues")),
    ),
    ("dbt_expectations.expect_column_values_to_be_unique", |_| {
        Some(metric("duplicateValues"))
    }),
    (
        "dbt_expectations.expect_table_row_count_to_equal",
        |arguments| Some(row_count("mustBe", arguments.number("value")?)),
    ),
    (
        "dbt_expectations.expect_table_row_count_to_be_between",
        |arguments| {
            let is_strict = arguments.flag("strictly") == Some(true);
            match (arguments.number("min_value"), arguments.number("max_value")) {
                (Some(low), Some(high)) if !is_strict => {
                    Some(row_count("mustBeBetween", vec![low, high]))
                }
                (Some(low), None) if is_strict => Some(row_count("mustBeGreaterThan", low)),
                (Some(low), None) => Some(row_count("mustBeGreaterOrEqualTo", low)),
                (None, Some(high)) if is_strict => Some(row_count("mustBeLessThan", high)),
                (None, Some(high)) => Some(row_count("mustBeLessOrEqualTo", high)),
                _ => None,
            }
        },
    ),
];

/// The arguments that each test may have; with another one it promises something else.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("accepted_values", &["values", "quote"]),
    ("relationships", &["to", "field"]),
    (
        METRIC,
        &[
            "metric",
            "operator",
            "threshold",
            "unit",
            "missing_values",
            "valid_values",
            "pattern",
            "columns",
        ],
    ),
    (
        "contract_between",
        &[
            "min_value",
            "max_value",
            "exclusive_min",
            "exclusive_max",
            "data_type",
        ],
    ),
    ("contract_length", &["min_length", "max_length"]),
    ("contract_array_length", &["min_items", "max_items"]),
    ("contract_multiple_of", &["divisor"]),
    ("contract_pattern", &["pattern"]),
    ("contract_foreign_key", &["columns", "to", "to_columns"]),
    ("contract_unique_combination", &["combination_of_columns"]),
    (
        "dbt_utils.unique_combination_of_columns",
        &["combination_of_columns"],
    ),
    (
        "dbt_utils.accepted_range",
        &["min_value", "max_value", "inclusive"],
    ),
    (
        "dbt_expectations.expect_column_values_to_be_between",
        &["min_value", "max_value", "strictly"],
    ),
    (
        "dbt_expectations.expect_column_value_lengths_to_be_between",
        &["min_value", "max_value", "strictly"],
    ),
    (
        "dbt_expectations.expect_column_values_to_match_regex",
        &["regex", "is_raw"],
    ),
    (
        "dbt_expectations.expect_table_row_count_to_equal",
        &["value"],
    ),
    (
        "dbt_expectations.expect_table_row_count_to_be_between",
        &["min_value", "max_value", "strictly"],
    ),
];

const LOOSE: &[(&str, &str)] = &[("min_value", "minimum"), ("max_value", "maximum")];
const STRICT: &[(&str, &str)] = &[
    ("min_value", "exclusiveMinimum"),
    ("max_value", "exclusiveMaximum"),
];

/// The promise of a test. The settings that it has used up are taken out of its `config`.
pub(super) fn of(adapter: Option<Adapter>, test: &mut GenericTest) -> Option<Promise> {
    let (_, read) = KNOWN.iter().find(|(name, _)| *name == test.test)?;
    let allowed = ARGUMENTS.iter().find(|(name, _)| *name == test.test);
    let allowed = allowed.map_or(&[][..], |(_, names)| names);
    if !test
        .arguments
        .iter()
        .all(|(name, _)| allowed.contains(&name))
    {
        return None;
    }
    let mut promise = read(&Arguments {
        adapter,
        entries: &test.arguments,
    })?;
    let counts_rows = test.config.get("fail_calc") == Some(&Value::from(COUNT_ROWS));
    let (error_if, warn_if) = (test.config.get("error_if"), test.config.get("warn_if"));
    let is_mild = matches!(test.config.get("severity"), Some(Value::Text(word)) if word.eq_ignore_ascii_case("warn"));
    let threshold = match (error_if, warn_if) {
        (None, None) => None,
        (Some(Value::Text(error)), Some(Value::Text(warn))) if error == warn => {
            Some(operator(error)?)
        }
        // A mild test never looks at the other condition.
        (_, Some(Value::Text(warn))) if is_mild => Some(operator(warn)?),
        _ => return None,
    };
    match (&mut promise, threshold) {
        (
            Promise::Metric {
                metric, operator, ..
            },
            Some(stated),
        ) if operator.is_none() => {
            // The test of values counts each of them once.
            if *metric == "invalidValues" && !counts_rows {
                return None;
            }
            *operator = Some(stated);
        }
        (_, Some(_)) => return None,
        (_, None) => {}
    }
    if let Promise::Combination {
        columns,
        counts_nulls,
    } = &mut promise
    {
        let without: Vec<String> = columns
            .iter()
            .map(|column| format!("{column} is not null"))
            .collect();
        if *counts_nulls && test.config.get("where") == Some(&Value::from(without.join(" and "))) {
            *counts_nulls = false;
            test.config.remove("where");
        }
    }
    for used in ["error_if", "warn_if"] {
        test.config.remove(used);
    }
    if test.test == "accepted_values" && counts_rows {
        test.config.remove("fail_calc");
    }
    Some(promise)
}

/// A metric of which nothing is allowed.
fn metric(metric: &'static str) -> Promise {
    Promise::Metric {
        metric,
        arguments: Entries::default(),
        columns: Vec::new(),
        operator: None,
        percent: false,
    }
}

/// A number of rows.
fn row_count(operator: &'static str, threshold: impl Into<Value>) -> Promise {
    Promise::Metric {
        metric: "rowCount",
        arguments: Entries::default(),
        columns: Vec::new(),
        operator: Some((operator, threshold.into())),
        percent: false,
    }
}

fn pattern(text: String) -> Promise {
    Promise::Options(&["string"], Entries::default().with("pattern", text))
}

fn combination(arguments: &Arguments<'_>, name: &str, counts_nulls: bool) -> Option<Promise> {
    let columns = arguments.texts(name)?;
    (!columns.is_empty()).then_some(Promise::Combination {
        columns,
        counts_nulls,
    })
}

/// dbt's `accepted_values`, which puts its values into quotes as they are.
fn accepted(arguments: &Arguments<'_>) -> Option<Promise> {
    let Some(Value::List(values)) = arguments.entries.get("values") else {
        return None;
    };
    let is_quoted = arguments.flag("quote") != Some(false);
    let values: Option<Vec<Value>> = values
        .iter()
        .map(|value| match value {
            Value::Text(text) if is_quoted => {
                let text = plain(text)?;
                match arguments.adapter {
                    Some(adapter) => literals::outside_quotes(adapter, &text),
                    None if text.contains(['\'', '\\']) => None,
                    None => Some(text),
                }
                .map(Value::Text)
            }
            // Without quotes a text is SQL.
            Value::Text(_) | Value::Null | Value::List(_) | Value::Map(_) => None,
            single => Some(single.clone()),
        })
        .collect();
    let values = values.filter(|values| !values.is_empty())?;
    Some(Promise::Metric {
        metric: "invalidValues",
        arguments: Entries::default().with("validValues", Value::List(values)),
        columns: Vec::new(),
        operator: None,
        percent: false,
    })
}

/// Our own test of metrics.
fn measured(arguments: &Arguments<'_>) -> Option<Promise> {
    let named = |table: &'static [(&str, &str)], word: &str| {
        table
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, name)| *name)
    };
    let metric = named(METRICS, &arguments.text("metric")?)?;
    let operator = named(OPERATORS, &arguments.text("operator")?)?;
    let threshold = arguments.entries.get("threshold")?.clone();
    let percent = match arguments.entries.get("unit") {
        None => false,
        Some(Value::Text(unit)) if unit == "percent" => true,
        Some(_) => return None,
    };
    let mut further = Entries::default();
    for (name, key) in [
        ("missing_values", "missingValues"),
        ("valid_values", "validValues"),
    ] {
        if let Some(Value::List(values)) = arguments.entries.get(name) {
            let values: Option<Vec<Value>> = values.iter().map(unescaped).collect();
            further.set(key, Value::List(values?));
        }
    }
    if arguments.entries.get("pattern").is_some() {
        further.set("pattern", arguments.text("pattern")?);
    }
    let columns = match arguments.entries.get("columns") {
        Some(_) => arguments.texts("columns")?,
        None => Vec::new(),
    };
    Some(Promise::Metric {
        metric,
        arguments: further,
        columns,
        operator: Some((operator, threshold)),
        percent,
    })
}
