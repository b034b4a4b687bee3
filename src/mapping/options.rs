//! `logicalTypeOptions` as tests: bounds, lengths, patterns, multiples, and the size of arrays.

mod bounds;
mod widths;
mod zones;

use std::borrow::Cow;

use super::names::Relation;
use super::scope::Subject;
use super::suite::{self, plain, with};
use super::tests::{is_supported, uncovered};
use super::values::{argument, scalar};
use crate::dbt::adapter::Adapter;
use crate::dbt::jinja;
use crate::dbt::properties::{Entries, GenericTest};
use crate::diagnostics::Diagnostic;
use crate::document::Text;
use crate::odcs::{LogicalType, Property};

/// The package that is taken for bounds, lengths and patterns where it is exact.
const PACKAGE: &str = "dbt_expectations";

/// The warehouses whose `length` counts characters, as the package's test of lengths needs it.
const LENGTH_IN_CHARACTERS: &[Adapter] = &[
    Adapter::DuckDb,
    Adapter::Postgres,
    Adapter::Snowflake,
    Adapter::BigQuery,
    Adapter::Databricks,
    Adapter::Spark,
    Adapter::Trino,
];

/// The tests of a property's options.
pub(super) fn of_property(
    subject: &Subject<'_>,
    property: &Property,
    data_type: Option<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<GenericTest> {
    // Bounds are never null, whatever the column may be.
    let data_type = data_type.map(|data_type| {
        let inner = data_type.strip_prefix("Nullable(");
        inner
            .and_then(|inner| inner.strip_suffix(')'))
            .unwrap_or(data_type)
    });
    let mut tests = Vec::new();
    match bounds::bounds(subject, property, data_type) {
        Ok(bounds) => tests.extend(bounds),
        Err(note) => diagnostics.push(*note),
    }
    tests.extend(lengths(subject, property));
    let format = format(subject, property, data_type).unwrap_or_else(|note| {
        diagnostics.push(*note);
        None
    });
    let checked = [
        property
            .options
            .pattern
            .as_ref()
            .map(|text| (pattern(subject, text.as_str()), text.span)),
        format.zip(property.options.format.as_ref().map(|format| format.span)),
        multiple(property).map(|test| (test, property.name.span)),
        items(property).map(|test| (test, property.name.span)),
        property
            .options
            .unique_items
            .then(|| (plain("contract_unique_items"), property.name.span)),
    ];
    if property.options.object_keys {
        let message = format!("no test checks the keys of `{}`", property.name.value);
        diagnostics.push(uncovered(subject, property.name.span, message));
    }
    let adapter = subject.scope.input.adapter;
    for (test, span) in checked.into_iter().flatten() {
        if is_supported(adapter, &test.test) {
            tests.push(test);
        } else {
            diagnostics.push(uncovered(
                subject,
                span,
                format!(
                    "no test on `{}` can check this promise on `{}`",
                    adapter.as_str(),
                    property.name.value
                ),
            ));
        }
    }
    tests
}

/// The test of the length of texts.
fn lengths(subject: &Subject<'_>, property: &Property) -> Option<GenericTest> {
    let options = &property.options;
    // No text is shorter than nothing.
    let least = options.min_length.filter(|length| *length > 0);
    if least.is_none() && options.max_length.is_none() {
        return None;
    }
    let input = subject.scope.input;
    let package = suite::takes(input, PACKAGE)
        && LENGTH_IN_CHARACTERS.contains(&input.adapter)
        && property.logical() == Some(LogicalType::String);
    let (test, names) = if package {
        let test = format!("{PACKAGE}.expect_column_value_lengths_to_be_between");
        (Cow::from(test), ["min_value", "max_value"])
    } else {
        ("contract_length".into(), ["min_length", "max_length"])
    };
    let mut arguments = Entries::default();
    for (name, length) in names.into_iter().zip([least, options.max_length]) {
        if let Some(length) = length {
            arguments.set(name, length);
        }
    }
    Some(with(test, arguments))
}

/// The test that a pattern is found in the text. The package's is exact only where the pattern can
/// stand in a literal of the dialect as it is.
pub(super) fn pattern(subject: &Subject<'_>, text: &str) -> GenericTest {
    let own = own_pattern(text);
    let input = subject.scope.input;
    if !suite::takes(input, PACKAGE) {
        return own;
    }
    let (regex, raw) = match input.adapter {
        Adapter::DuckDb => (text.replace('\'', "''"), false),
        Adapter::Snowflake if !text.contains("$$") => (text.to_owned(), true),
        Adapter::BigQuery if !text.contains(['\'', '\n', '\r']) && !text.ends_with('\\') => {
            (text.to_owned(), true)
        }
        _ => return own,
    };
    let mut arguments =
        Entries::default().with("regex", jinja::escape_argument(&regex).into_owned());
    if raw {
        arguments.set("is_raw", true);
    }
    with(
        format!("{PACKAGE}.expect_column_values_to_match_regex"),
        arguments,
    )
}

/// The same as a test of our own, which matches values of any type as texts.
fn own_pattern(text: &str) -> GenericTest {
    with(
        "contract_pattern",
        Entries::default().with("pattern", argument(text)),
    )
}

/// The test that values are multiples of a number.
fn multiple(property: &Property) -> Option<GenericTest> {
    let divisor = property.options.multiple_of.as_ref()?;
    divisor.value.as_number()?;
    let arguments = Entries::default().with("divisor", scalar(&divisor.value));
    Some(with("contract_multiple_of", arguments))
}

/// The test of the number of items in arrays.
fn items(property: &Property) -> Option<GenericTest> {
    let options = &property.options;
    let mut arguments = Entries::default();
    if let Some(least) = options.min_items.filter(|items| *items > 0) {
        arguments.set("min_items", least);
    }
    if let Some(most) = options.max_items {
        arguments.set("max_items", most);
    }
    (!arguments.is_empty()).then(|| with("contract_array_length", arguments))
}

/// A group of an IPv6 address.
macro_rules! group {
    () => {
        "[0-9A-Fa-f]{1,4}"
    };
}

/// An IPv4 address.
macro_rules! ipv4 {
    () => {
        "((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    };
}

/// An IPv6 address: eight groups, or fewer around one `::`; the last two may be an IPv4 address.
#[rustfmt::skip]
const IPV6: &str = concat!(
    "^((", group!(), ":){7}", group!(),
    "|(", group!(), ":){1,7}:",
    "|(", group!(), ":){1,6}:", group!(),
    "|(", group!(), ":){1,5}(:", group!(), "){1,2}",
    "|(", group!(), ":){1,4}(:", group!(), "){1,3}",
    "|(", group!(), ":){1,3}(:", group!(), "){1,4}",
    "|(", group!(), ":){1,2}(:", group!(), "){1,5}",
    "|", group!(), ":(:", group!(), "){1,6}",
    "|:((:", group!(), "){1,7}|:)",
    "|((", group!(), ":){6}",
    "|::(", group!(), ":){0,5}",
    "|(", group!(), ":){1,5}:",
    "|(", group!(), ":){1,4}:", group!(), ":",
    "|(", group!(), ":){1,3}(:", group!(), "){1,2}:",
    "|(", group!(), ":){1,2}(:", group!(), "){1,3}:",
    "|", group!(), ":(:", group!(), "){1,4}:",
    ")", ipv4!(), ")$"
);

/// What a form of texts looks like, in the regular expressions that all warehouses share. A form of
/// which the standards let less pass than people do is written as wide as the standard is.
const FORMATS: &[(&str, &str)] = &[
    ("email", "^[^@ ]+@[^@ .]+([.][^@ .]+)*$"),
    (
        "hostname",
        "^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$",
    ),
    ("ipv4", concat!("^", ipv4!(), "$")),
    ("ipv6", IPV6),
    ("uri", "^[A-Za-z][A-Za-z0-9+.-]*:[^ <>]*$"),
    (
        "uuid",
        "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
    ),
];

/// The forms that only say which type is meant.
const BINARY: &[&str] = &["binary", "byte"];

/// The types that hold nothing but what they are named after.
const UUIDS: &[&str] = &["uuid", "uniqueidentifier"];

/// Whether a type is one of those.
fn is_uuid(data_type: &str) -> bool {
    UUIDS.contains(&data_type.to_lowercase().as_str())
}

/// The test of the form of texts, where it is one that all agree on; a note on any other. Formats of
/// numbers and dates are part of the type.
fn format(
    subject: &Subject<'_>,
    property: &Property,
    data_type: Option<&str>,
) -> Result<Option<GenericTest>, Box<Diagnostic>> {
    let Some(format) = &property.options.format else {
        return Ok(None);
    };
    let word = format.value.to_lowercase();
    // What a contract says that a source stores needs no test. The cast of a model is none: nothing
    // evaluates that of a view.
    let stated = property.physical_type.as_ref().map(Text::as_str);
    let is_source = matches!(subject.relation, Relation::Source { .. });
    let is_native = is_source && data_type.is_some_and(is_uuid) && stated.is_some_and(is_uuid);
    if property.logical() != Some(LogicalType::String)
        || BINARY.contains(&word.as_str())
        || word == "uuid" && is_native
    {
        return Ok(None);
    }
    match FORMATS.iter().find(|(known, _)| *known == word) {
        // The package matches texts only, and the other type is none.
        Some((_, regex)) if data_type.is_some_and(is_uuid) => Ok(Some(own_pattern(regex))),
        Some((_, regex)) => Ok(Some(pattern(subject, regex))),
        None => Err(Box::new(uncovered(
            subject,
            format.span,
            format!(
                "the format `{}` is not tested; a `pattern` would be",
                format.value
            ),
        ))),
    }
}
