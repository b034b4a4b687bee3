//! The bounds of a property as a test: in the column's type where they are dates or times, and not at
//! all where the warehouse could not compare them.

use super::{PACKAGE, widths, zones};
use crate::dbt::literals;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::dbt::types::{self, Meaning, SqlType};
use crate::diagnostics::{Diagnostic, Severity};
use crate::document::{Scalar, Spanned, Text};
use crate::mapping::scope::Subject;
use crate::mapping::suite::{self, with};
use crate::mapping::tests::uncovered;
use crate::mapping::values::{argument, scalar};
use crate::odcs::{LogicalType, Property};
use crate::validate::rules::moment::Moment;

/// The four bounds by the argument of our own test. The width of a whole number sets those that the
/// contract does not set closer.
fn stated(
    subject: &Subject<'_>,
    property: &Property,
    data_type: Option<&str>,
) -> Vec<(&'static str, Spanned<Scalar>)> {
    let options = &property.options;
    let width = widths::bounds(subject, property, data_type);
    let number = |bound: &Option<Spanned<Scalar>>| bound.as_ref()?.value.as_number();
    let implied =
        |value: i128, stated: [&Option<Spanned<Scalar>>; 2], is_closer: fn(f64, f64) -> bool| {
            #[expect(clippy::cast_precision_loss, reason = "which of two bounds is closer")]
            let limit = value as f64;
            let bounded = stated.into_iter().filter_map(number);
            let is_implied = !bounded.into_iter().any(|bound| is_closer(bound, limit));
            is_implied.then(|| Spanned {
                value: Scalar::Int(value),
                span: options
                    .format
                    .as_ref()
                    .map_or(property.name.span, |format| format.span),
            })
        };
    let least = width.and_then(|(low, _)| {
        implied(
            low,
            [&options.minimum, &options.exclusive_minimum],
            |bound, limit| bound >= limit,
        )
    });
    let greatest = width.and_then(|(_, high)| {
        implied(
            high,
            [&options.maximum, &options.exclusive_maximum],
            |bound, limit| bound <= limit,
        )
    });
    [
        ("min_value", least.or_else(|| options.minimum.clone())),
        ("max_value", greatest.or_else(|| options.maximum.clone())),
        ("exclusive_min", options.exclusive_minimum.clone()),
        ("exclusive_max", options.exclusive_maximum.clone()),
    ]
    .into_iter()
    .filter_map(|(name, bound)| Some((name, bound?)))
    .collect()
}

/// The test that values lie within their bounds.
pub(super) fn bounds(
    subject: &Subject<'_>,
    property: &Property,
    data_type: Option<&str>,
) -> Result<Vec<GenericTest>, Box<Diagnostic>> {
    let stated = stated(subject, property, data_type);
    let Some((_, first)) = stated.first() else {
        return Ok(Vec::new());
    };
    if let Some((bound, data_type)) = no_number(subject, &stated, data_type) {
        let message = format!(
            "the bounds of `{}` are not tested: `{}` is a number, and no value of the type `{data_type}` is one",
            property.name.value, bound.value
        );
        let finding = uncovered(subject, bound.span, message).severity(Severity::Warning);
        return Err(Box::new(finding.help(
            "give the column a type of numbers, or leave out its `physicalType`",
        )));
    }
    // Without a cast, `2020-01-01` would be a subtraction.
    let is_text = stated
        .iter()
        .any(|(_, bound)| bound.value.as_number().is_none());
    let data_type = match (is_text, data_type) {
        (false, _) => None,
        (true, Some(data_type)) => Some(data_type),
        (true, None) => {
            return Err(Box::new(uncovered(
                subject,
                first.span,
                format!(
                    "the bounds of `{}` need a type to be compared in",
                    property.name.value
                ),
            )));
        }
    };
    if let Some((bound, obstacle)) = incomparable(subject, property, &stated, data_type) {
        let message = format!(
            "the bounds of `{}` are not tested: `{}` {}",
            property.name.value,
            bound.value,
            obstacle.reason()
        );
        let finding = uncovered(subject, bound.span, message);
        return Err(Box::new(match obstacle {
            Obstacle::Unsorted => finding
                .severity(Severity::Warning)
                .help("store days as text that sorts, such as `yyyyMMdd`, or as dates"),
            // That it is no date is said of the contract itself.
            Obstacle::NoMoment => finding,
        }));
    }
    if let Some(tests) = package_bounds(subject, property, &stated, data_type) {
        return Ok(tests);
    }
    let adapter = subject.scope.input.adapter;
    let has_zone = data_type.is_some_and(|data_type| {
        matches!(types::parse(adapter, data_type),
            Some(SqlType::Scalar(scalar)) if scalar.meaning == Meaning::Timestamp { aware: true })
    });
    let default = property.options.default_timezone.as_ref();
    let mut arguments = Entries::default();
    for (name, bound) in &stated {
        let text = bound.value.to_string();
        let value = match data_type {
            Some(_) if has_zone => {
                zones::in_zone(adapter, &text, default).map(|text| argument(&text))
            }
            Some(_) => Some(argument(&text)),
            None => Some(scalar(&bound.value)),
        };
        let Some(value) = value else {
            let message = format!(
                "the bounds of `{}` are not tested: `{}` does not read the time zone `{}`",
                property.name.value,
                adapter.as_str(),
                default.map_or("UTC", Text::as_str)
            );
            return Err(Box::new(uncovered(subject, bound.span, message).help(
                "write the bound with an offset, such as `2020-01-01T00:00:00+01:00`",
            )));
        };
        arguments.set(*name, value);
    }
    if let Some(data_type) = data_type {
        arguments.set("data_type", argument(data_type));
    }
    Ok(vec![with("contract_between", arguments)])
}

/// Why the warehouse cannot compare a bound with the column.
#[derive(Clone, Copy)]
enum Obstacle {
    /// It is no date or time.
    NoMoment,
    /// The column is text, and days in its format do not sort as days do.
    Unsorted,
}

impl Obstacle {
    fn reason(self) -> &'static str {
        match self {
            Self::NoMoment => "is no date or time that the warehouse reads",
            Self::Unsorted => "is compared with text that does not sort as dates do",
        }
    }
}

/// The first bound that the warehouse cannot compare with the column, with why.
fn incomparable<'a>(
    subject: &Subject<'_>,
    property: &Property,
    stated: &'a [(&'static str, Spanned<Scalar>)],
    data_type: Option<&str>,
) -> Option<(&'a Spanned<Scalar>, Obstacle)> {
    let is_temporal = matches!(
        property.logical()?,
        LogicalType::Date | LogicalType::Timestamp | LogicalType::Time
    );
    let is_text = matches!(types::parse(subject.scope.input.adapter, data_type?),
        Some(SqlType::Scalar(scalar)) if scalar.meaning == Meaning::Text);
    let format = property.options.format.as_ref().map_or("", Text::as_str);
    let is_formatted = is_text && !format.is_empty();
    if !is_temporal || (is_formatted && sorts(format)) {
        return None;
    }
    stated.iter().find_map(|(_, bound)| match &bound.value {
        Scalar::Text(_) if is_formatted => Some((bound, Obstacle::Unsorted)),
        Scalar::Text(text) if Moment::parse(text).is_none() => Some((bound, Obstacle::NoMoment)),
        _ => None,
    })
}

/// The first bound that is a number where the column holds none, with the column's type.
fn no_number<'a>(
    subject: &Subject<'_>,
    stated: &'a [(&'static str, Spanned<Scalar>)],
    data_type: Option<&'a str>,
) -> Option<(&'a Spanned<Scalar>, &'a str)> {
    let data_type = data_type?;
    let is_other = matches!(types::parse(subject.scope.input.adapter, data_type),
        Some(SqlType::Scalar(scalar)) if matches!(scalar.meaning,
            Meaning::Text | Meaning::Boolean | Meaning::Binary | Meaning::Uuid | Meaning::Date
            | Meaning::Time { .. } | Meaning::Timestamp { .. }));
    let mut bounds = stated.iter().map(|(_, bound)| bound);
    let number = bounds.find(|bound| bound.value.as_number().is_some());
    Some((number.filter(|_| is_other)?, data_type))
}

/// Whether texts of a format sort as what they stand for: from years to seconds, each of one width.
fn sorts(format: &str) -> bool {
    const FIELDS: &[&str] = &["yyyy", "uuuu", "MM", "dd", "HH", "mm", "ss", "SSS"];
    let letters = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic());
    let mut rest = format;
    let mut last = None;
    while !rest.is_empty() {
        if !letters(rest) {
            rest = rest.strip_prefix(|_: char| true).unwrap_or_default();
            continue;
        }
        let found = FIELDS
            .iter()
            .enumerate()
            .find(|(_, field)| rest.starts_with(**field));
        let Some((index, field)) = found.filter(|(index, _)| last.is_none_or(|last| last < *index))
        else {
            return false;
        };
        rest = &rest[field.len()..];
        // A wider or narrower field is another one.
        if rest.starts_with(&field[..1]) {
            return false;
        }
        last = Some(index);
    }
    last.is_some()
}

/// The same with the package, for numbers and plain dates. Its one flag makes both bounds strict,
/// so that mixed ones take two tests.
fn package_bounds(
    subject: &Subject<'_>,
    property: &Property,
    stated: &[(&str, Spanned<Scalar>)],
    data_type: Option<&str>,
) -> Option<Vec<GenericTest>> {
    if !suite::takes(subject.scope.input, PACKAGE) {
        return None;
    }
    let adapter = subject.scope.input.adapter;
    let mut loose = Entries::default();
    let mut strict = Entries::default();
    for (name, bound) in stated {
        let value = match (data_type, &bound.value) {
            (None, number) => scalar(number),
            (Some("date"), Scalar::Text(text))
                if is_day(text) && property.logical() == Some(LogicalType::Date) =>
            {
                Value::Text(format!("cast({} as date)", literals::string(adapter, text)))
            }
            _ => return None,
        };
        match *name {
            "min_value" | "max_value" => loose.set((*name).to_owned(), value),
            "exclusive_min" => strict.set("min_value", value),
            _ => strict.set("max_value", value),
        }
    }
    if !strict.is_empty() {
        strict.set("strictly", true);
    }
    let test = format!("{PACKAGE}.expect_column_values_to_be_between");
    Some(
        [loose, strict]
            .into_iter()
            .filter(|arguments| !arguments.is_empty())
            .map(|arguments| with(test.clone(), arguments))
            .collect(),
    )
}

/// Whether a text is a day as ISO 8601 writes it.
fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::sorts;

    #[test]
    fn formats_that_sort_go_from_the_long_to_the_short() {
        for format in [
            "yyyyMMdd",
            "yyyy-MM-dd HH:mm:ss",
            "uuuu",
            "HHmm",
            "HH:mm:ss.SSS",
        ] {
            assert!(sorts(format), "{format}");
        }
        for format in [
            "",
            "dd.MM.yyyy",
            "yyyy-M-d",
            "yyMMdd",
            "yyyyMMMdd",
            "yyyy-DDD",
            "hh:mm a",
        ] {
            assert!(!sorts(format), "{format}");
        }
    }
}
