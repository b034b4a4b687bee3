//! Quality rules as tests: a metric, an operator and a unit come in, the test that keeps exactly
//! that promise goes out.
//!
//! dbt's own tests return the failing rows, so they are taken wherever they count what the metric
//! counts; a threshold in rows becomes `error_if` on that count. Everything else is measured by our
//! own test of metrics.

use super::custom;
use super::scope::Subject;
use super::suite::{plain, with};
use super::tests::{combination, is_supported, severity, uncovered};
use super::{options, values};
use crate::dbt::data_tests::METRIC;
use crate::dbt::jinja;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::diagnostics::Diagnostic;
use crate::document::{Scalar, Text};
use crate::odcs::Property;
use crate::odcs::quality::{Check, Metric, Operator, Quality};

/// `accepted_values` returns one row for each value, with the number of its rows; without rows the
/// sum is null, which dbt refuses.
const COUNT_ROWS: &str = "coalesce(sum(n_records), 0)";

/// The tests of the rules on an object.
pub(super) fn of_object(
    subject: &Subject<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<GenericTest> {
    let mut tests = Vec::new();
    for rule in generic(&subject.object.quality) {
        if let Some(own) = custom::tests(subject, rule, diagnostics) {
            tests.extend(own.into_iter().map(|test| described(rule, test)));
            continue;
        }
        let mapped = library(subject, rule).and_then(|(metric, operator)| match metric {
            Metric::RowCount => row_count(rule, operator),
            Metric::DuplicateValues(names) => {
                duplicates(subject, rule, operator, &key(subject, names)?)
            }
            _ => Err("it needs a property to be measured on".to_owned()),
        });
        keep(subject, rule, mapped, &mut tests, diagnostics);
    }
    tests
}

/// The tests of the rules on a property: those of its column, and those that are of the object.
pub(super) fn of_property(
    subject: &Subject<'_>,
    property: &Property,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<GenericTest>, Vec<GenericTest>) {
    let mut of_column = Vec::new();
    let mut of_object = Vec::new();
    for rule in generic(&property.quality) {
        if let Some(own) = custom::tests(subject, rule, diagnostics) {
            of_column.extend(own.into_iter().map(|test| described(rule, test)));
            continue;
        }
        let mut target = &mut of_column;
        let mapped = library(subject, rule).and_then(|(metric, operator)| match metric {
            Metric::NullValues => Ok(null_values(rule, operator)),
            Metric::MissingValues(missing) => {
                let mut arguments = Entries::default();
                let missing: Vec<Value> = missing
                    .iter()
                    // Null counts as missing in any case.
                    .filter(|value| **value != Scalar::Null)
                    .map(values::scalar)
                    .collect();
                arguments.set("missing_values", missing);
                Ok(vec![measured("missing_values", rule, operator, &arguments)])
            }
            Metric::InvalidValues { valid, pattern } => {
                invalid_values(subject, property, rule, operator, valid, pattern.as_ref())
            }
            Metric::DuplicateValues(names) if names.is_empty() => Ok(unique(rule, operator)),
            Metric::DuplicateValues(names) => {
                target = &mut of_object;
                duplicates(subject, rule, operator, &key(subject, names)?)
            }
            Metric::RowCount => {
                target = &mut of_object;
                row_count(rule, operator)
            }
        });
        keep(subject, rule, mapped, target, diagnostics);
    }
    (of_column, of_object)
}

/// The rules that generic tests are made of: those in SQL are singular tests.
fn generic(rules: &[Quality]) -> impl Iterator<Item = &Quality> {
    rules
        .iter()
        .filter(|rule| !matches!(rule.check, Check::Sql(_)))
}

/// The metric and operator of a rule of the library, or why it has no test.
fn library<'r>(
    subject: &Subject<'_>,
    rule: &'r Quality,
) -> Result<(&'r Metric, &'r Operator), String> {
    let metric = match &rule.check {
        Check::Library(metric) => metric,
        Check::Sql(_) | Check::Text => return Err("it is words for people".to_owned()),
        Check::Custom { engine, .. } => {
            let engine = engine.as_ref().map_or("of its own", Text::as_str);
            return Err(format!("rules for the engine `{engine}` are not generated"));
        }
        Check::Unknown(Some(name)) => {
            return Err(format!("`{}` is not a metric of the standard", name.value));
        }
        Check::Unknown(None) => return Err("it says nothing that could be checked".to_owned()),
    };
    let operator = rule
        .operator
        .as_ref()
        .ok_or("it has no operator to judge the value by")?;
    if numbers(operator)
        .iter()
        .any(|number| number.as_number().is_none())
    {
        return Err("its threshold is not a number".to_owned());
    }
    let has_pattern = matches!(
        metric,
        Metric::InvalidValues {
            pattern: Some(_),
            ..
        }
    );
    if has_pattern && !is_supported(subject.scope.input.adapter, "contract_pattern") {
        return Err("the warehouse has no regular expressions".to_owned());
    }
    Ok((metric, operator))
}

/// Keeps the tests of a rule with what the rule says about itself, or notes that there are none.
fn keep(
    subject: &Subject<'_>,
    rule: &Quality,
    mapped: Result<Vec<GenericTest>, String>,
    tests: &mut Vec<GenericTest>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mapped = match mapped {
        Ok(mapped) => mapped,
        Err(reason) => {
            let name = match &rule.name {
                Some(name) => format!("the quality rule `{}`", name.value),
                None => "a quality rule".to_owned(),
            };
            diagnostics.push(uncovered(
                subject,
                rule.span,
                format!("{name} has no test: {reason}"),
            ));
            return;
        }
    };
    tests.extend(mapped.into_iter().map(|test| described(rule, test)));
}

/// A test with what its rule says of itself. What the test says already stays.
fn described(rule: &Quality, mut test: GenericTest) -> GenericTest {
    let name = || rule.name.as_ref().map(|name| name.value.clone());
    test.name = test.name.or_else(name);
    // Unlike what a rule writes itself, its own words are text.
    let escaped = |text: String| {
        if test.verbatim {
            jinja::escape(&text).into_owned()
        } else {
            text
        }
    };
    let description = super::metadata::text(rule.description.as_ref()).map(escaped);
    let tags = super::metadata::tags([rule.tags.as_slice()]);
    let tags = tags.into_iter().map(escaped).collect();
    test.description = test.description.or(description);
    let mut config = Entries::default();
    if let Some(severity) = severity(rule.severity.as_ref().map(Text::as_str)) {
        config.set("severity", severity);
    }
    config.set_list("tags", tags);
    if let Some(dimension) = &rule.dimension {
        let meta = Entries::default().with("dimension", dimension.as_str());
        config.set("meta", meta);
    }
    test.config.fill(&config);
    test
}

/// The numbers of an operator.
fn numbers(operator: &Operator) -> Vec<&Scalar> {
    match operator {
        Operator::MustBe(number)
        | Operator::MustNotBe(number)
        | Operator::MustBeGreaterThan(number)
        | Operator::MustBeGreaterOrEqualTo(number)
        | Operator::MustBeLessThan(number)
        | Operator::MustBeLessOrEqualTo(number) => vec![number],
        Operator::MustBeBetween(low, high) | Operator::MustNotBeBetween(low, high) => {
            vec![low, high]
        }
    }
}

/// Whether an operator lets no row fail.
fn allows_none(rule: &Quality, operator: &Operator) -> bool {
    let is = |number: &Scalar, wanted: fn(f64) -> bool| number.as_number().is_some_and(wanted);
    match operator {
        Operator::MustBe(number) | Operator::MustBeLessOrEqualTo(number) => {
            is(number, |n| n == 0.0)
        }
        // Rows are whole: less than one is none.
        Operator::MustBeLessThan(number) => !rule.percent && is(number, |n| n > 0.0 && n <= 1.0),
        Operator::MustBeBetween(low, high) => is(low, |n| n <= 0.0) && is(high, |n| n == 0.0),
        _ => false,
    }
}

/// Makes a test of dbt's own, which counts failures, judge them by a threshold. `warn_if` is set
/// too, since by default any failure warns.
fn judged(mut test: GenericTest, rule: &Quality, operator: &Operator) -> GenericTest {
    if !allows_none(rule, operator) {
        let violated = violated(operator);
        test.config.set("error_if", violated.clone());
        test.config.set("warn_if", violated);
    }
    test
}

/// The condition on a count under which an operator is violated.
fn violated(operator: &Operator) -> String {
    match operator {
        Operator::MustBe(number) => format!("!= {number}"),
        Operator::MustNotBe(number) => format!("= {number}"),
        Operator::MustBeGreaterThan(number) => format!("<= {number}"),
        Operator::MustBeGreaterOrEqualTo(number) => format!("< {number}"),
        Operator::MustBeLessThan(number) => format!(">= {number}"),
        Operator::MustBeLessOrEqualTo(number) => format!("> {number}"),
        Operator::MustBeBetween(low, high) => {
            let (low, high) = ordered(low, high);
            format!("not between {low} and {high}")
        }
        Operator::MustNotBeBetween(low, high) => {
            let (low, high) = ordered(low, high);
            format!("between {low} and {high}")
        }
    }
}

/// Two bounds, the lower one first; the standard does not ask for an order.
fn ordered<'s>(low: &'s Scalar, high: &'s Scalar) -> (&'s Scalar, &'s Scalar) {
    if low.as_number() > high.as_number() {
        (high, low)
    } else {
        (low, high)
    }
}

/// Our own test of a metric.
fn measured(metric: &str, rule: &Quality, operator: &Operator, further: &Entries) -> GenericTest {
    let (word, threshold) = match operator {
        Operator::MustBe(number) => ("must_be", values::scalar(number)),
        Operator::MustNotBe(number) => ("must_not_be", values::scalar(number)),
        Operator::MustBeGreaterThan(number) => ("must_be_greater_than", values::scalar(number)),
        Operator::MustBeGreaterOrEqualTo(number) => {
            ("must_be_greater_or_equal_to", values::scalar(number))
        }
        Operator::MustBeLessThan(number) => ("must_be_less_than", values::scalar(number)),
        Operator::MustBeLessOrEqualTo(number) => {
            ("must_be_less_or_equal_to", values::scalar(number))
        }
        Operator::MustBeBetween(low, high) => ("must_be_between", pair(low, high)),
        Operator::MustNotBeBetween(low, high) => ("must_not_be_between", pair(low, high)),
    };
    let mut arguments = Entries::default().with("metric", metric);
    for (name, value) in further.iter() {
        arguments.set(name.to_owned(), value.clone());
    }
    arguments.set("operator", word);
    arguments.set("threshold", threshold);
    if rule.percent {
        arguments.set("unit", "percent");
    }
    with(METRIC, arguments)
}

/// Two bounds as a list.
fn pair(low: &Scalar, high: &Scalar) -> Value {
    let (low, high) = ordered(low, high);
    Value::List(vec![values::scalar(low), values::scalar(high)])
}

/// The test that no value is valid but null: `accepted_values` takes no empty list.
pub(super) fn nothing_valid() -> GenericTest {
    let arguments = Entries::default()
        .with("metric", "invalid_values")
        .with("valid_values", Value::List(Vec::new()))
        .with("operator", "must_be")
        .with("threshold", 0);
    with(METRIC, arguments)
}

/// Rows that are null.
fn null_values(rule: &Quality, operator: &Operator) -> Vec<GenericTest> {
    vec![if rule.percent && !allows_none(rule, operator) {
        measured("null_values", rule, operator, &Entries::default())
    } else {
        judged(plain("not_null"), rule, operator)
    }]
}

/// Values that stand more than once in one column. dbt's `unique` returns one row for each of them.
fn unique(rule: &Quality, operator: &Operator) -> Vec<GenericTest> {
    vec![if rule.percent && !allows_none(rule, operator) {
        measured("duplicate_values", rule, operator, &Entries::default())
    } else {
        judged(plain("unique"), rule, operator)
    }]
}

/// Combinations that stand more than once.
fn duplicates(
    subject: &Subject<'_>,
    rule: &Quality,
    operator: &Operator,
    key: &[&Property],
) -> Result<Vec<GenericTest>, String> {
    if key.is_empty() {
        return Err("it names no `properties` that would be unique".to_owned());
    }
    if key.len() > 1 && allows_none(rule, operator) {
        return Ok(vec![combination(subject, key)]);
    }
    let columns: Vec<String> = key
        .iter()
        .map(|property| subject.sql_name(property))
        .collect();
    let arguments = Entries::default().with("columns", values::arguments(&columns));
    Ok(vec![measured(
        "duplicate_values",
        rule,
        operator,
        &arguments,
    )])
}

/// Rows that are neither null nor valid.
fn invalid_values(
    subject: &Subject<'_>,
    property: &Property,
    rule: &Quality,
    operator: &Operator,
    valid: &[Scalar],
    pattern: Option<&Text>,
) -> Result<Vec<GenericTest>, String> {
    let accepted = values::accepted(subject, property, valid);
    match (accepted, pattern) {
        (None, None) => Err("it names neither valid values nor a pattern".to_owned()),
        // Nothing is invalid where neither of the two finds anything.
        (accepted, pattern) if allows_none(rule, operator) => {
            let pattern = pattern.map(|pattern| options::pattern(subject, pattern.as_str()));
            Ok(accepted.into_iter().chain(pattern).collect())
        }
        (Some(mut accepted), None) if !rule.percent => {
            accepted.config.set("fail_calc", COUNT_ROWS);
            Ok(vec![judged(accepted, rule, operator)])
        }
        (_, pattern) => {
            let mut arguments = Entries::default();
            let valid = values::of_type(property, valid);
            if !valid.is_empty() {
                let valid: Vec<Value> = valid.iter().map(values::scalar).collect();
                arguments.set("valid_values", valid);
            }
            if let Some(pattern) = pattern {
                arguments.set("pattern", values::argument(pattern.as_str()));
            }
            Ok(vec![measured("invalid_values", rule, operator, &arguments)])
        }
    }
}

/// Rows of the object.
fn row_count(rule: &Quality, operator: &Operator) -> Result<Vec<GenericTest>, String> {
    if rule.percent {
        return Err("a number of rows is no share of them".to_owned());
    }
    Ok(vec![measured(
        "row_count",
        rule,
        operator,
        &Entries::default(),
    )])
}

/// The columns that a rule names, logical names first.
fn key<'s>(subject: &Subject<'s>, names: &[Text]) -> Result<Vec<&'s Property>, String> {
    names
        .iter()
        .map(|name| {
            subject
                .column(name.as_str())
                .ok_or_else(|| format!("the object has no column `{}`", name.value))
        })
        .collect()
}
