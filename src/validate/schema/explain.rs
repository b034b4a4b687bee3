//! Failures in words: what the validator objects to comes in, findings with places go out.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::failure::Failure;
use super::keys::{self, Unknown};
use super::place::{describe, join, key_span, mapping_span, quote};
use super::versions::Schema;
use super::{types, values};
use crate::diagnostics::{Diagnostic, Fix, rules};
use crate::document::{ApiVersion, Document};
use crate::yaml::Node;

/// The most words that a message lists.
pub(super) const MOST: usize = 12;

/// A document, and the schema that it was checked against.
#[derive(Clone, Copy)]
pub(super) struct Checked<'a> {
    pub(super) document: &'a Document,
    pub(super) schema: &'static Schema,
}

/// A finding for each mistake behind the failures.
pub(super) fn explain(
    document: &Document,
    schema: &'static Schema,
    failures: &[Failure],
) -> Vec<Diagnostic> {
    let checked = Checked { document, schema };
    let missing: BTreeSet<(&str, &str)> = failures
        .iter()
        .filter(|failure| failure.is_missing_key())
        .filter_map(|failure| Some((failure.pointer.as_str(), failure.key.as_deref()?)))
        .collect();
    let alike = types::count_alike(failures);
    let mut findings: Vec<Diagnostic> = Vec::new();
    // A key that is misspelt is not missing as well.
    let mut meant: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for failure in failures.iter().filter(|failure| failure.is_unknown_key()) {
        let unknown = keys::unknown(checked, failure, &missing);
        let mut finding = unknown_key(checked, failure, &unknown);
        if let Unknown::Slip { meant: key, .. } = unknown {
            let index = *meant
                .entry((&failure.pointer, key))
                .or_insert(findings.len());
            // A mapping has a key once: which of two slips is it?
            if let Some(other) = findings.get_mut(index) {
                other.fix = None;
                finding.fix = None;
            }
        }
        findings.push(finding);
    }
    for failure in failures.iter().filter(|failure| !failure.is_unknown_key()) {
        let pointer = failure.pointer.as_str();
        if failure.is_missing_key() {
            let key = failure.key.clone().unwrap_or_default();
            if !meant.contains_key(&(pointer, key)) {
                findings.push(missing_key(checked, failure));
            }
        } else if failure.is_choice() {
            let operators = alternatives(checked, failure);
            let is_misspelt =
                |operator: &&str| meant.contains_key(&(pointer, (*operator).to_owned()));
            if !operators.iter().any(is_misspelt) {
                findings.push(choice_of_key(checked, failure, &operators));
            }
        } else if failure.keyword == "type" {
            findings.extend(types::wrong_type(checked, failure, &alike));
        } else {
            findings.push(values::invalid_value(checked, failure));
        }
    }
    findings
}

fn unknown_key(checked: Checked<'_>, failure: &Failure, unknown: &Unknown) -> Diagnostic {
    let key = failure.key.as_deref().unwrap_or_default();
    let mapping = mapping_words(checked, failure);
    let (rule, message) = match unknown {
        Unknown::Newer(version) => (
            &rules::SCHEMA_NEWER_KEY,
            format!("{} in {mapping} needs apiVersion `{version}`", quote(key)),
        ),
        _ => (
            &rules::SCHEMA_UNKNOWN_KEY,
            format!("unknown key {} in {mapping}", quote(key)),
        ),
    };
    let help = match unknown {
        Unknown::Newer(version) => Some(raise(*version)),
        Unknown::Slip { meant, .. } => Some(format!("did you mean `{meant}`?")),
        Unknown::Misplaced(help) => Some(help.clone()),
        Unknown::Own => Some("own settings go into `customProperties`".to_owned()),
        Unknown::Closed(known) if known.is_empty() => None,
        Unknown::Closed(known) => Some(format!(
            "known here: {}",
            list(known.iter().map(String::as_str), "and")
        )),
    };
    let span = key_span(checked.document, &failure.pointer, key);
    let pointer = join(&failure.pointer, key);
    let fix = match unknown {
        Unknown::Slip { meant, plain: true } => Fix::key(&checked.document.root, &pointer, meant),
        _ => None,
    };
    let mut finding = checked
        .document
        .finding(rule, span, message)
        .fix(fix)
        .pointer(pointer);
    finding.help = help;
    finding
}

fn missing_key(checked: Checked<'_>, failure: &Failure) -> Diagnostic {
    let key = failure.key.as_deref().unwrap_or_default();
    let message = if failure.pointer.is_empty() {
        format!("missing key {}", quote(key))
    } else {
        format!(
            "missing key {} in {}",
            quote(key),
            mapping_words(checked, failure)
        )
    };
    let span = mapping_span(checked.document, &failure.pointer);
    let mut finding = checked
        .document
        .finding(&rules::SCHEMA_MISSING_KEY, span, message)
        .pointer(&failure.pointer);
    finding.help = match own_message(checked, failure) {
        Some(own) => Some(format!("the entry {own}")),
        None if key == "apiVersion" => {
            Some(format!("write `apiVersion: {}`", checked.schema.version))
        }
        None => keys::purpose(checked, failure, key),
    };
    finding
}

/// The keys of which a mapping takes exactly one.
fn alternatives<'a>(checked: Checked<'a>, failure: &Failure) -> Vec<&'a str> {
    let branches = checked
        .schema
        .part(&failure.location)
        .and_then(|part| part.get("oneOf"))
        .and_then(Value::as_array);
    branches
        .into_iter()
        .flatten()
        .filter_map(|branch| branch.get("required")?.get(0)?.as_str())
        .collect()
}

fn choice_of_key(checked: Checked<'_>, failure: &Failure, operators: &[&str]) -> Diagnostic {
    let document = checked.document;
    let rule = describe(document, &failure.pointer);
    let node = document.root.locate(&failure.pointer).node;
    let mut present: Vec<&str> = operators
        .iter()
        .copied()
        .filter(|operator| node.get(operator).is_some())
        .collect();
    present.sort_by_key(|operator| key_span(document, &failure.pointer, operator));
    let finding = |span, message: String| document.finding(&rules::SCHEMA_OPERATOR, span, message);
    let [first, .., last] = present[..] else {
        return finding(
            mapping_span(document, &failure.pointer),
            format!("{rule} has no operator"),
        )
        .help(format!(
            "add exactly one of {}",
            choice(operators.iter().copied())
        ))
        .pointer(&failure.pointer);
    };
    let message = format!(
        "{rule} has {} operators, {}, where one is allowed",
        present.len(),
        list(present.iter().copied(), "and")
    );
    let bounds = |part: &str| present.iter().any(|operator| operator.contains(part));
    let help = if present.len() == 2 && bounds("Greater") && bounds("Less") {
        "write `mustBeBetween: [least, greatest]`, or one rule for each bound"
    } else {
        "write one rule for each operator"
    };
    finding(key_span(document, &failure.pointer, last), message)
        .label(
            &document.file,
            key_span(document, &failure.pointer, first),
            "the first operator",
        )
        .help(help)
        .pointer(join(&failure.pointer, last))
}

/// What the schema itself says about a failure of this part.
pub(super) fn own_message<'a>(checked: Checked<'a>, failure: &Failure) -> Option<&'a str> {
    checked
        .schema
        .part(&failure.location)?
        .get("x-message")?
        .as_str()
}

/// The advice to follow a later version.
pub(super) fn raise(version: ApiVersion) -> String {
    format!("raise `apiVersion` to `{version}`")
}

/// The mapping of a failure in words, with the server's type where the schema is that type's.
fn mapping_words(checked: Checked<'_>, failure: &Failure) -> String {
    let words = describe(checked.document, &failure.pointer);
    let server_type = checked
        .document
        .root
        .locate(&failure.pointer)
        .node
        .get("type")
        .and_then(Node::as_str);
    match server_type {
        Some(server_type) if failure.location.starts_with("/$defs/server.") => {
            format!("{words} of type {}", quote(server_type))
        }
        _ => words,
    }
}

/// "`a`, `b` or `c`".
pub(super) fn choice<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    list(words, "or")
}

/// Words in backticks with a conjunction before the last one; of many only the first.
pub(super) fn list<'a>(words: impl IntoIterator<Item = &'a str>, conjunction: &str) -> String {
    let mut words: Vec<String> = words.into_iter().map(quote).collect();
    if words.len() > MOST + 1 {
        let rest = words.len() - MOST;
        words.truncate(MOST);
        words.push(format!("{rest} more"));
    }
    match words.pop() {
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} {conjunction} {last}", words.join(", ")),
        None => String::new(),
    }
}
