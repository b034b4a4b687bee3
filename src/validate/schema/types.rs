//! Types: a value of the wrong one comes in, a finding that says how to write it goes out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::explain::{Checked, list};
use super::failure::Failure;
use super::place::{describe, join, quote, value_span};
use super::values::{shown, source};
use crate::diagnostics::{Diagnostic, Fix, rules};
use crate::yaml::{Data, Node, Style};

/// The schema's types in words.
const WORDS: &[(&str, &str)] = &[
    ("string", "a string"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("boolean", "a boolean"),
    ("object", "a mapping"),
    ("array", "a list"),
    ("null", "nothing"),
];

/// The most keys that a hint names.
const MOST: usize = 8;

/// The finding for a value of the wrong type. Where every entry of a list fails alike, the mistake
/// is the list's and is told at its first entry alone.
pub(super) fn wrong_type(
    checked: Checked<'_>,
    failure: &Failure,
    alike: &Alike<'_>,
) -> Option<Diagnostic> {
    let document = checked.document;
    let part = checked.schema.part(&failure.location)?;
    let located = document.root.locate(&failure.pointer);
    let value = located.node;
    let mut expected = expected(part);
    // That nothing may stand here is no advice to someone who wrote something.
    if expected.len() > 1 {
        expected.retain(|name| *name != "null");
    }
    let entries = entries_alike(checked, failure, alike);
    if entries > 1 && !failure.pointer.ends_with("/0") {
        return None;
    }
    let subject = describe(document, &failure.pointer);
    let mut message = format!(
        "expected {} for {subject}, found {}",
        words(&expected),
        found(value, &expected)
    );
    if entries > 1 {
        message = format!("{message} (the same in all {entries} entries)");
    }
    let key = located.key.and_then(Node::as_str);
    let mut finding = document
        .finding(
            &rules::SCHEMA_WRONG_TYPE,
            value_span(document, &failure.pointer),
            message,
        )
        .fix(quoting(checked, failure, part, &expected, entries))
        .pointer(&failure.pointer);
    finding.help = advice(checked, part, &expected, value, key);
    Some(finding)
}

/// Quotes around a value that the schema takes as text, or around all of a list's `entries`.
fn quoting(
    checked: Checked<'_>,
    failure: &Failure,
    part: &Value,
    expected: &[&str],
    entries: usize,
) -> Option<Fix> {
    // Where only some words are allowed, quotes alone do not make it one.
    if !expected.contains(&"string") || part.get("enum").is_some() {
        return None;
    }
    let pointers = match failure.pointer.rsplit_once('/') {
        Some((list, _)) if entries > 1 => (0..entries)
            .map(|index| join(list, &index.to_string()))
            .collect(),
        _ => vec![failure.pointer.clone()],
    };
    let document = checked.document;
    Fix::quote(&document.root, &document.file.text, &pointers)
}

/// How many entries the list around a failing entry has, when all of them fail alike; else 0.
fn entries_alike(checked: Checked<'_>, failure: &Failure, alike: &Alike<'_>) -> usize {
    let Some((list, _)) = failure.pointer.rsplit_once('/') else {
        return 0;
    };
    let items = checked.document.root.locate(list).node.as_sequence();
    let failing = alike.get(&(list, &failure.location)).copied();
    failing
        .filter(|failing| items.is_some_and(|items| items.len() == *failing))
        .unwrap_or_default()
}

/// How many values in one place fail by their type at one part of the schema.
pub(super) type Alike<'a> = BTreeMap<(&'a str, &'a str), usize>;

/// Counts the failures of type by the place around them.
pub(super) fn count_alike(failures: &[Failure]) -> Alike<'_> {
    let mut alike = Alike::new();
    for failure in failures.iter().filter(|failure| failure.keyword == "type") {
        if let Some((around, _)) = failure.pointer.rsplit_once('/') {
            *alike.entry((around, &failure.location)).or_default() += 1;
        }
    }
    alike
}

/// The types that a part of the schema takes.
fn expected(part: &Value) -> Vec<&str> {
    match part.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn words(expected: &[&str]) -> String {
    let words: Vec<&str> = WORDS
        .iter()
        .filter(|(name, _)| expected.contains(name))
        .map(|(_, words)| *words)
        .collect();
    match words[..] {
        [] => "another type".to_owned(),
        [only] => only.to_owned(),
        [ref most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// What the value is, in words.
fn found(value: &Node, expected: &[&str]) -> &'static str {
    match &value.data {
        Data::Null => "nothing",
        Data::Bool(_) => "a boolean",
        Data::Float(_) if expected.contains(&"integer") => "a fraction",
        Data::Int(_) | Data::Float(_) => "a number",
        Data::String(_) => "a string",
        Data::Sequence(_) => "a list",
        Data::Mapping(_) => "a mapping",
    }
}

/// How to write the value.
fn advice(
    checked: Checked<'_>,
    part: &Value,
    expected: &[&str],
    value: &Node,
    key: Option<&str>,
) -> Option<String> {
    let takes = |name| expected.contains(&name);
    let written = source(checked.document, value);
    // JSON has quotes around its keys, and no single ones.
    let json = checked.document.root.style == Style::Flow;
    let prefix = match key {
        Some(key) if json => format!("\"{key}\": "),
        Some(key) => format!("{key}: "),
        None => String::new(),
    };
    match &value.data {
        Data::Null if key.is_some() => Some("give it a value, or remove the key".to_owned()),
        Data::Null => Some("give it a value, or remove the entry".to_owned()),
        Data::Bool(_) | Data::Int(_) | Data::Float(_) if takes("string") => {
            if written.is_empty() || value.alias().is_some() {
                return Some("put it in quotes".to_owned());
            }
            let mark = if json { '"' } else { '\'' };
            Some(format!("put it in quotes: `{prefix}{mark}{written}{mark}`"))
        }
        Data::String(text) if is_word_of(text, expected) && value.style != Style::Plain => {
            Some(format!("remove the quotes: `{prefix}{}`", text.trim()))
        }
        Data::Mapping(_) if takes("array") => {
            let item = checked.schema.resolve(part.get("items")?);
            let required = item
                .get("required")
                .and_then(Value::as_array)
                .map(|keys| keys.iter().filter_map(Value::as_str));
            Some(match required {
                Some(keys) => format!(
                    "make it a list whose entries begin with `-` and have {}",
                    list(keys, "and")
                ),
                None => "make it a list whose entries begin with `-`".to_owned(),
            })
        }
        Data::Sequence(_) if takes("object") && part.pointer("/properties/members").is_some() => {
            Some("list the entries under `members`".to_owned())
        }
        Data::Sequence(items) if takes("object") && items.len() == 1 => {
            Some("it takes one mapping: remove the `-`".to_owned())
        }
        Data::Sequence(_) if takes("object") => Some("it takes one mapping, not a list".to_owned()),
        Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::String(_) if takes("array") => {
            Some(format!(
                "make it a list: `{prefix}[{}]`",
                quote(written).trim_matches('`')
            ))
            .filter(|_| !written.is_empty())
        }
        Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::String(_) if takes("object") => {
            instead_of_scalar(checked, part, value, key.is_none())
        }
        _ => None,
    }
}

/// How to write a mapping where a scalar stands.
fn instead_of_scalar(
    checked: Checked<'_>,
    part: &Value,
    value: &Node,
    is_entry: bool,
) -> Option<String> {
    if let Some([Value::String(only)]) = part
        .get("required")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        let value = shown(checked.document, value);
        let dash = if is_entry { "- " } else { "" };
        return Some(format!("write `{dash}{only}: {}`", value.trim_matches('`')));
    }
    let keys = part.get("properties")?.as_object()?;
    (keys.len() <= MOST).then(|| {
        format!(
            "it takes the keys {}",
            list(keys.keys().map(String::as_str), "and")
        )
    })
}

/// Whether the text is a value of one of the types, once it has no quotes.
fn is_word_of(text: &str, expected: &[&str]) -> bool {
    let text = text.trim();
    expected.iter().any(|name| match *name {
        "boolean" => ["true", "false"].contains(&text),
        "integer" => text.parse::<i64>().is_ok(),
        "number" => text.parse::<f64>().is_ok_and(f64::is_finite),
        _ => false,
    })
}
