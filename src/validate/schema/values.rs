//! Values: one that the schema refuses comes in, a finding that says what it takes goes out.

use serde_json::Value;

use super::explain::{Checked, MOST, choice, own_message, raise};
use super::failure::Failure;
use super::place::{describe, join, mapping_span, quote, value_span};
use crate::diagnostics::{Diagnostic, Fix, closest, rules, unmistakable};
use crate::document::{ApiVersion, Document, Scalar, items};
use crate::yaml::Node;

/// The finding for a value that the schema refuses for another reason than its type.
pub(super) fn invalid_value(checked: Checked<'_>, failure: &Failure) -> Diagnostic {
    let document = checked.document;
    let pointer = failure.pointer.as_str();
    let subject = describe(document, pointer);
    let value = document.root.locate(pointer).node;
    let limit = checked
        .schema
        .part(&format!("{}/{}", failure.location, failure.keyword));
    let mut pointer = pointer.to_owned();
    let mut help = None;
    let mut fix = None;
    let message = if let Some(own) = own_message(checked, failure) {
        // "what is wrong; what to do"
        let (wrong, advice) = own.split_once("; ").map_or((own, None), |(wrong, advice)| {
            (wrong, Some(advice.to_owned()))
        });
        help = advice;
        if failure.keyword == "pattern" {
            help = the_one_of_that_name(document, value).or(help);
            format!("{subject} cannot be {}: it {wrong}", shown(document, value))
        } else {
            format!("{subject} {wrong}")
        }
    } else if failure.keyword == "enum" {
        let words = strings(limit);
        let (message, close) = not_among(checked, failure, &subject, value, &words);
        match close {
            Close::Newer(version) => help = Some(raise(version)),
            Close::Word(word) => {
                help = Some(format!("did you mean `{word}`?"));
                let written = value.as_str().unwrap_or_default();
                fix = unmistakable(written, words)
                    .filter(|only| *only == word)
                    .and_then(|word| Fix::word(&document.root, &pointer, word));
            }
            Close::Nothing => help = of_sql(&pointer, value),
        }
        message
    } else if failure.keyword == "uniqueItems" {
        if let Some(index) = repeated(value) {
            pointer = join(&pointer, &index.to_string());
        }
        help = one_number(failure, value);
        format!("{subject} has the same entry twice")
    } else {
        limited(checked, failure, &subject, value, limit)
    };
    let span = if ["not", "maxProperties"].contains(&failure.keyword.as_str()) {
        mapping_span(document, &pointer)
    } else {
        value_span(document, &pointer)
    };
    let mut finding = document
        .finding(&rules::SCHEMA_INVALID_VALUE, span, message)
        .fix(fix)
        .pointer(pointer);
    finding.help = help;
    finding
}

/// Types of SQL, with the logical type that each stands for.
const SQL_TYPES: &[(&str, &str)] = &[
    ("bigint", "integer"),
    ("bool", "boolean"),
    ("char", "string"),
    ("datetime", "timestamp"),
    ("decimal", "number"),
    ("double", "number"),
    ("float", "number"),
    ("int", "integer"),
    ("list", "array"),
    ("long", "integer"),
    ("numeric", "number"),
    ("record", "object"),
    ("smallint", "integer"),
    ("struct", "object"),
    ("text", "string"),
    ("uuid", "string"),
    ("varchar", "string"),
];

/// What to write for a type of SQL in the place of a logical one.
fn of_sql(pointer: &str, value: &Node) -> Option<String> {
    let written = value
        .as_str()
        .filter(|_| pointer.ends_with("/logicalType"))?;
    let mut words = written.split(|letter: char| !letter.is_ascii_alphabetic());
    let word = words.next()?.to_lowercase();
    let (_, logical) = SQL_TYPES.iter().find(|(sql, _)| *sql == word)?;
    Some(format!(
        "write `logicalType: {logical}`; types of the warehouse belong into `physicalType`"
    ))
}

/// The reference that a bare name was meant as, where one property only has it.
fn the_one_of_that_name(document: &Document, value: &Node) -> Option<String> {
    let name = value
        .as_str()
        .filter(|name| !name.contains(['.', '/', '#']))?;
    let mut found = items(&document.root, "schema").iter().flat_map(|object| {
        let named = |property: &&Node| property.get("name").and_then(Node::as_str) == Some(name);
        let properties = items(object, "properties").iter().filter(named);
        properties.filter_map(|_| object.get("name").and_then(Node::as_str))
    });
    match (found.next(), found.next()) {
        (Some(object), None) => Some(format!("did you mean `{object}.{name}`?")),
        _ => None,
    }
}

/// How to ask for one number only where a pair of bounds was written.
fn one_number(failure: &Failure, pair: &Node) -> Option<String> {
    let operator = match failure.pointer.rsplit('/').next()? {
        "mustBeBetween" => "mustBe",
        "mustNotBeBetween" => "mustNotBe",
        _ => return None,
    };
    let number = Scalar::of(pair.as_sequence()?.first()?)?;
    Some(format!("write `{operator}: {number}`"))
}

/// What an author may have meant by a word that is none of those allowed.
enum Close<'a> {
    /// The word itself, which this version allows.
    Newer(ApiVersion),
    /// Another word.
    Word(&'a str),
    /// None that is known.
    Nothing,
}

/// What is wrong with a word that is none of those allowed, and what may be meant by it.
fn not_among<'a>(
    checked: Checked<'_>,
    failure: &Failure,
    subject: &str,
    value: &Node,
    words: &[&'a str],
) -> (String, Close<'a>) {
    let written = value.as_str().unwrap_or_default();
    if let Some(version) = newer_value(checked, failure, written) {
        let written = quote(written);
        let message = format!("the value {written} of {subject} needs apiVersion `{version}`");
        return (message, Close::Newer(version));
    }
    let message = format!("{subject} cannot be {}", shown(checked.document, value));
    let close = closest(written, words.iter().copied()).map_or(Close::Nothing, Close::Word);
    if matches!(close, Close::Word(_)) && words.len() > MOST {
        return (message, close);
    }
    let words = choice(words.iter().copied());
    (format!("{message}: expected {words}"), close)
}

/// What a limit on numbers, lengths and counts asks for.
fn limited(
    checked: Checked<'_>,
    failure: &Failure,
    subject: &str,
    value: &Node,
    limit: Option<&Value>,
) -> String {
    let number = limit.map(Value::to_string).unwrap_or_default();
    let count = match value.as_sequence().map_or(0, <[Node]>::len) {
        0 => "no entries".to_owned(),
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    let part = checked.schema.part(&failure.location);
    let limits = |keyword| part.and_then(|part| part.get(keyword));
    let exactly = limits("minItems").is_some() && limits("minItems") == limits("maxItems");
    let written = shown(checked.document, value);
    match failure.keyword.as_str() {
        "minItems" | "maxItems" if exactly => {
            format!("{subject} has {count}, but needs exactly {number}")
        }
        "minItems" => format!("{subject} has {count}, but needs at least {number}"),
        "maxItems" => format!("{subject} has {count}, but takes at most {number}"),
        "minimum" => format!("{subject} must be at least {number}, not {written}"),
        "maximum" => format!("{subject} must be at most {number}, not {written}"),
        "exclusiveMinimum" => format!("{subject} must be greater than {number}, not {written}"),
        "exclusiveMaximum" => format!("{subject} must be less than {number}, not {written}"),
        "minLength" => format!("{subject} must have at least {number} characters"),
        "maxLength" => format!("{subject} must have at most {number} characters"),
        "pattern" => {
            let pattern = limit.and_then(Value::as_str).unwrap_or_default();
            match pattern.strip_prefix('^') {
                Some(start) if regex::escape(start) == start => {
                    format!("{subject} cannot be {written}: it must start with `{start}`")
                }
                _ => {
                    format!("{subject} cannot be {written}: it must match the pattern `{pattern}`")
                }
            }
        }
        "const" => format!("{subject} must be `{number}`, not {written}"),
        keyword => format!("{subject} is not what the standard's schema asks for by `{keyword}`"),
    }
}

/// The first later version in which the same place takes the value.
fn newer_value(checked: Checked<'_>, failure: &Failure, value: &str) -> Option<ApiVersion> {
    checked
        .schema
        .later()
        .find(|later| strings(later.part(&format!("{}/enum", failure.location))).contains(&value))
        .map(|later| later.version)
}

/// The index of the first entry that repeats an earlier one.
fn repeated(value: &Node) -> Option<usize> {
    let items: Vec<Value> = value.as_sequence()?.iter().map(Node::to_json).collect();
    (1..items.len()).find(|&index| items[..index].contains(&items[index]))
}

/// The strings of a list in the schema.
fn strings(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// A value as the author wrote it, in backticks; a string without its quotes.
pub(super) fn shown(document: &Document, value: &Node) -> String {
    match value.as_str() {
        Some(text) if text.trim().is_empty() => "blank".to_owned(),
        Some(text) => quote(text),
        None => quote(source(document, value)),
    }
}

/// The text of a plain scalar as it stands in the file; empty for anything else.
pub(super) fn source<'a>(document: &'a Document, value: &Node) -> &'a str {
    document.written(value).unwrap_or_default()
}
