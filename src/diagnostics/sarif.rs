//! Findings as one SARIF 2.1.0 log, the form that code scanning and editors read.
//!
//! A finding with a place is a result. One about the run as a whole is a notification instead, since
//! readers such as GitHub's refuse results without a location.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::repository::Repository;
use super::{Diagnostic, Fix, Place, Rule, Severity, SourceFile};
use crate::yaml::Span;

/// The schema that the log follows.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// How the run ended.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The exit code.
    pub exit_code: u8,
    /// Why it could not run: a stable word and what is wrong.
    pub failure: Option<(&'a str, &'a str)>,
}

/// The log of one run.
pub fn log(diagnostics: &[Diagnostic], run: Run<'_>, repository: &Repository) -> Value {
    let rules = rules(diagnostics);
    let placed = |finding: &&Diagnostic| finding.place.is_some();
    let results: Vec<Value> = diagnostics
        .iter()
        .filter(placed)
        .map(|finding| result(finding, &rules, repository))
        .collect();
    let mut notifications: Vec<Value> = diagnostics
        .iter()
        .filter(|finding| !placed(finding))
        .map(|finding| notification(finding.rule.code, finding.severity, &message(finding)))
        .collect();
    if let Some((code, text)) = run.failure {
        notifications.push(notification(code, Severity::Error, text));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": run.failure.is_none(),
                "exitCode": run.exit_code,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    })
}

/// The rules of all results, each once, by their codes.
fn rules(diagnostics: &[Diagnostic]) -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = diagnostics
        .iter()
        .filter(|finding| finding.place.is_some())
        .map(|finding| finding.rule)
        .collect();
    rules.sort_by_key(|rule| rule.code);
    rules.dedup();
    rules
}

/// What a rule is about.
fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": rule.explanation, "markdown": rule.explanation},
        "defaultConfiguration": {"level": rule.severity.as_str()},
        "properties": {"tags": [rule.area()]},
    })
}

/// One finding at its place.
fn result(diagnostic: &Diagnostic, rules: &[&Rule], repository: &Repository) -> Value {
    let index = rules.binary_search_by_key(&diagnostic.rule.code, |rule| rule.code);
    let mut location = Map::new();
    if let Some(place) = &diagnostic.place {
        location.insert(
            "physicalLocation".to_owned(),
            physical_location(place, repository),
        );
    }
    if let Some(pointer) = diagnostic.pointer.as_deref().filter(|it| !it.is_empty()) {
        location.insert(
            "logicalLocations".to_owned(),
            json!([{"fullyQualifiedName": pointer}]),
        );
    }
    let mut result = json!({
        "ruleId": diagnostic.rule.code,
        "ruleIndex": index.ok(),
        "level": diagnostic.severity.as_str(),
        "message": {"text": message(diagnostic)},
        "locations": [location],
    });
    if !diagnostic.labels.is_empty() {
        let related = diagnostic.labels.iter().enumerate().map(|(id, label)| {
            json!({
                "id": id,
                "physicalLocation": physical_location(&label.place, repository),
                "message": {"text": label.text},
            })
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some((fix, place)) = diagnostic.fix.as_ref().zip(diagnostic.place.as_ref()) {
        result["fixes"] = json!([changes(fix, place, repository)]);
    }
    if let Some(contract) = &diagnostic.contract {
        result["properties"] = json!({"contract": contract});
    }
    result
}

/// The changes of a fix, all in the file of `place`.
fn changes(fix: &Fix, place: &Place, repository: &Repository) -> Value {
    let replacements = fix.edits.iter().map(|edit| {
        json!({
            "deletedRegion": region(&place.file, edit.span),
            "insertedContent": {"text": edit.text},
        })
    });
    json!({
        "description": {"text": fix.title},
        "artifactChanges": [{
            "artifactLocation": artifact(place, repository),
            "replacements": replacements.collect::<Value>(),
        }],
        "properties": {"safe": fix.is_safe()},
    })
}

/// The message with the help, if there is any, on a line of its own.
fn message(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    text
}

/// Something about the run as a whole.
fn notification(code: &str, severity: Severity, text: &str) -> Value {
    json!({
        "descriptor": {"id": code},
        "level": severity.as_str(),
        "message": {"text": text},
    })
}

/// A file and the region in it. Readers want a line; of a file as a whole it is the first.
fn physical_location(place: &Place, repository: &Repository) -> Value {
    let region = match place.span {
        Some(span) => region(&place.file, span),
        None => json!({"startLine": 1}),
    };
    json!({"artifactLocation": artifact(place, repository), "region": region})
}

/// The file of a place.
fn artifact(place: &Place, repository: &Repository) -> Value {
    let path = repository.path(&place.file.path);
    if path.starts_with('/') {
        json!({"uri": format!("file://{}", encoded(&path))})
    } else {
        json!({"uri": encoded(&path), "uriBaseId": "%SRCROOT%"})
    }
}

/// The lines and columns of a span.
fn region(file: &SourceFile, span: Span) -> Value {
    let (line, column) = file.position(span.start());
    let (end_line, end_column) = file.position(span.end());
    json!({
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    })
}

/// The path as part of a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::rules;

    #[test]
    fn a_finding_without_a_place_is_a_notification() {
        let file = SourceFile::new("a b/é.yaml", "id: a\nid: b\n");
        let span = Span::new;
        let diagnostics = [
            Diagnostic::new(&rules::YAML_DUPLICATE_KEY, "twice")
                .at(&file, span(6, 8))
                .label(&file, span(0, 2), "first here")
                .pointer("/id")
                .contract("orders"),
            Diagnostic::new(&rules::MAPPING_AMBIGUOUS_ADAPTER, "which").help("say it"),
            Diagnostic::new(&rules::DISCOVERY_UNREADABLE, "no").in_file(&file),
        ];
        let run = Run {
            exit_code: 1,
            failure: None,
        };
        let log = log(&diagnostics, run, &Repository::default());
        let run = &log["runs"][0];
        let codes = run["tool"]["driver"]["rules"].as_array().unwrap().iter();
        let codes: Vec<_> = codes.map(|rule| rule["id"].as_str().unwrap()).collect();
        assert_eq!(codes, ["discovery/unreadable", "yaml/duplicate-key"]);
        let invocation = &run["invocations"][0];
        assert_eq!(
            invocation["toolExecutionNotifications"],
            json!([{
                "descriptor": {"id": "mapping/ambiguous-adapter"},
                "level": "error",
                "message": {"text": "which\nhelp: say it"},
            }])
        );
        assert_eq!(run["results"].as_array().unwrap().len(), 2);
        let place = |line| {
            json!({
                "artifactLocation": {"uri": "a%20b/%C3%A9.yaml", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": 3},
            })
        };
        assert_eq!(
            run["results"][0],
            json!({
                "ruleId": "yaml/duplicate-key",
                "ruleIndex": 1,
                "level": "error",
                "message": {"text": "twice"},
                "locations": [{
                    "physicalLocation": place(2),
                    "logicalLocations": [{"fullyQualifiedName": "/id"}],
                }],
                "relatedLocations": [{
                    "id": 0,
                    "physicalLocation": place(1),
                    "message": {"text": "first here"},
                }],
                "properties": {"contract": "orders"},
            })
        );
        assert_eq!(
            run["results"][1]["locations"][0]["physicalLocation"]["region"],
            json!({"startLine": 1})
        );
    }
}
