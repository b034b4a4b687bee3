//! Values of contracts as arguments of tests.

use super::scope::Subject;
use super::suite::with;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::dbt::{jinja, literals};
use crate::document::Scalar;
use crate::odcs::{LogicalType, Property};

/// Text as an argument.
pub(super) fn argument(text: &str) -> Value {
    Value::Text(jinja::escape_argument(text).into_owned())
}

/// Texts as an argument.
pub(super) fn arguments(texts: &[String]) -> Value {
    Value::List(texts.iter().map(|text| argument(text)).collect())
}

/// A scalar as an argument.
pub(super) fn scalar(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(*value),
        Scalar::Int(value) => Value::Int(*value),
        Scalar::Float(value) => Value::Float(*value),
        Scalar::Text(text) => argument(text),
    }
}

/// The values of a column in the kind of its type, without null, each once: `1` in the list of a
/// text column is the text `1`.
pub(super) fn of_type(property: &Property, values: &[Scalar]) -> Vec<Scalar> {
    let mut kept: Vec<Scalar> = Vec::new();
    for value in values {
        let value = match (property.logical(), value) {
            (_, Scalar::Null) => continue,
            (Some(LogicalType::Integer | LogicalType::Number), value) => number(value),
            (Some(LogicalType::Boolean), Scalar::Text(text)) => {
                match text.to_lowercase().as_str() {
                    "true" => Scalar::Bool(true),
                    "false" => Scalar::Bool(false),
                    _ => value.clone(),
                }
            }
            (Some(LogicalType::String), Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_)) => {
                Scalar::Text(value.to_string())
            }
            _ => value.clone(),
        };
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// A text as the number that it writes, anything else as itself.
pub(super) fn number(scalar: &Scalar) -> Scalar {
    let Scalar::Text(text) = scalar else {
        return scalar.clone();
    };
    match (text.parse::<i128>(), text.parse::<f64>()) {
        (Ok(whole), _) => Scalar::Int(whole),
        (_, Ok(float)) if float.is_finite() => Scalar::Float(float),
        _ => scalar.clone(),
    }
}

/// dbt's `accepted_values`, which puts quotes around values and does not escape them.
pub(super) fn accepted(
    subject: &Subject<'_>,
    property: &Property,
    values: &[Scalar],
) -> Option<GenericTest> {
    let values = of_type(property, values);
    if values.is_empty() {
        return None;
    }
    let adapter = subject.scope.input.adapter;
    let quote = values.iter().any(|value| matches!(value, Scalar::Text(_)));
    let values: Vec<Value> = values
        .iter()
        .map(|value| match value {
            Scalar::Text(text) => argument(&literals::inside_quotes(adapter, text)),
            Scalar::Bool(value) if !has_booleans(adapter) => Value::Int(i128::from(*value)),
            value if quote => argument(&literals::inside_quotes(adapter, &value.to_string())),
            value => scalar(value),
        })
        .collect();
    let mut arguments = Entries::default().with("values", values);
    if !quote {
        arguments.set("quote", false);
    }
    Some(with("accepted_values", arguments))
}

/// Whether the dialect has the words `true` and `false`.
pub(super) fn has_booleans(adapter: Adapter) -> bool {
    !matches!(
        adapter,
        Adapter::SqlServer | Adapter::Fabric | Adapter::Oracle | Adapter::Sqlite
    )
}
