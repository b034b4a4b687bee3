//! A contract as YAML text: values in the order of the standard come in, a document that people can
//! read and every YAML reader understands alike goes out.

use std::fmt::Write as _;

use crate::dbt::properties::{Entries, Value};
use crate::yaml::quote::{block, float, flow_scalar, scalar};

/// A longer line is broken.
const WIDTH: usize = 96;

/// The keys whose mappings, and the mappings in whose lists, stand on one line where they fit.
const SHORT: &[&str] = &[
    "arguments",
    "customProperties",
    "enum",
    "logicalTypeOptions",
    "relationships",
    "slaProperties",
    "team",
    "value",
];

/// The document, under comments of one line each.
pub(super) fn document(comments: &[String], root: &Entries) -> String {
    let mut text = String::new();
    for comment in comments {
        let line: String = comment
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        text.push_str("# ");
        text.push_str(&line);
        text.push('\n');
    }
    entries(&mut text, root, 0);
    text
}

/// The entries of a block mapping, the first of which starts where the text stands.
fn entries(text: &mut String, entries: &Entries, indent: usize) {
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            pad(text, indent);
        }
        text.push_str(&scalar(key));
        text.push(':');
        let is_short = SHORT.contains(&key);
        if let Some(line) = inline(value, is_short, indent + key.len() + 2) {
            text.push(' ');
            text.push_str(&line);
            text.push('\n');
            continue;
        }
        match value {
            Value::Text(words) => {
                text.push(' ');
                let shown = block(words, indent + 2).unwrap_or_else(|| scalar(words));
                text.push_str(&shown);
                text.push('\n');
            }
            Value::List(items) => {
                text.push('\n');
                list(text, items, is_short, indent + 2);
            }
            Value::Map(inner) => {
                text.push('\n');
                pad(text, indent + 2);
                self::entries(text, inner, indent + 2);
            }
            _ => {}
        }
    }
}

/// The items of a block list.
fn list(text: &mut String, items: &[Value], is_short: bool, indent: usize) {
    for item in items {
        pad(text, indent);
        text.push_str("- ");
        if let Some(line) = inline(item, is_short, indent + 2) {
            text.push_str(&line);
            text.push('\n');
            continue;
        }
        match item {
            Value::Text(words) => {
                let shown = block(words, indent + 2).unwrap_or_else(|| scalar(words));
                text.push_str(&shown);
                text.push('\n');
            }
            Value::List(inner) => {
                // A list in a list that is too long for its line.
                text.push('\n');
                list(text, inner, is_short, indent + 2);
            }
            Value::Map(inner) => entries(text, inner, indent + 2),
            _ => {}
        }
    }
}

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// A value on one line, where it may stand there and fits.
fn inline(value: &Value, is_short: bool, column: usize) -> Option<String> {
    let line = match value {
        Value::Text(words) if words.contains('\n') && block(words, 2).is_some() => return None,
        Value::Text(words) => return Some(scalar(words)),
        Value::List(items) if items.is_empty() => "[]".to_owned(),
        Value::Map(inner) if inner.is_empty() => "{}".to_owned(),
        Value::List(items) if items.iter().all(is_scalar) => flow(value)?,
        Value::Map(_) if is_short => flow(value)?,
        Value::List(_) | Value::Map(_) => return None,
        single => return Some(word(single, scalar)),
    };
    (column + line.chars().count() <= WIDTH).then_some(line)
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::List(_) | Value::Map(_))
}

/// A value in brackets; none where a text in it has several lines.
fn flow(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(words) if words.contains('\n') => return None,
        Value::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(flow).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Map(inner) => {
            let mut line = String::from("{");
            for (index, (key, value)) in inner.iter().enumerate() {
                let comma = if index > 0 { ", " } else { "" };
                // Writing to a string does not fail.
                let _ = write!(line, "{comma}{}: {}", flow_scalar(key), flow(value)?);
            }
            line + "}"
        }
        single => word(single, flow_scalar),
    })
}

/// A value without parts.
fn word(value: &Value, quote: fn(&str) -> String) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Float(number) => float(*number),
        Value::Text(words) => quote(words),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::yaml::{Limits, parse};

    fn any_value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            ".{0,12}",
            "[a-z \n:#'\"-]{0,40}",
            "[0-9_.:+-]{0,6}",
            "(a|b ){40}"
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(|number| Value::Int(number.into())),
            (-1e9..1e9_f64).prop_map(Value::Float),
            text.clone().prop_map(Value::Text),
        ];
        leaf.prop_recursive(4, 40, 5, move |inner| {
            let key = prop_oneof![text.clone(), Just("arguments".to_owned())];
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
                proptest::collection::vec((key, inner), 0..5).prop_map(|pairs| {
                    let entries = pairs.into_iter();
                    Value::Map(entries.fold(Entries::default(), |all, (k, v)| all.with(k, v)))
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_is_read_back(value in any_value()) {
            let root = Entries::default().with("a", value);
            let text = document(&["from x".to_owned()], &root);
            let mut parsed = parse(&text, &Limits::default());
            prop_assert!(parsed.problems.is_empty(), "{text}\n{:?}", parsed.problems);
            prop_assert_eq!(Value::of(&parsed.documents.remove(0)), Value::Map(root), "{}", text);
        }
    }
}
