//! Pass 1, the schema: a document comes in, what the standard's JSON Schema objects to goes out.
//!
//! * `versions`: the embedded schemas, merged and compiled when first needed; `tree` shows a document
//!   to the validator as it is.
//! * `failure`: the validator's errors, one for each mistake.
//! * `explain`: failures become findings in words; `keys`, `types` and `values` find the words for
//!   what is wrong, `place` for where.
//!
//! The verdict is the validator's alone; everything else here is about saying it well.

mod explain;
mod failure;
mod keys;
mod place;
mod tree;
mod types;
mod values;
mod versions;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::diagnostics::{Diagnostic, Fix, rules};
use crate::document::{ApiVersion, Document, Kind, text};
use crate::yaml::Span;

use versions::Schema;

pub(super) use place::quote;

/// What the schema of the document's `apiVersion` objects to, in the order of the text.
pub fn check(document: &Document) -> Vec<Diagnostic> {
    let schema = match schema_of(document) {
        Ok(schema) => schema,
        Err(finding) => return vec![finish(document, *finding)],
    };
    if schema.takes(&document.root) {
        return Vec::new();
    }
    let failures = failure::collect(schema, &document.root);
    let mut findings: Vec<_> = explain::explain(document, schema, &failures)
        .into_iter()
        .map(|finding| finish(document, finding))
        .collect();
    findings.sort_by_key(|finding| {
        let span = finding.place.as_ref().and_then(|place| place.span);
        (span.map(Span::start), finding.rule.code)
    });
    let valid_as = schema.later().find(|later| later.takes(&document.root));
    if let (Some(first), Some(later)) = (findings.first_mut(), valid_as) {
        let raise = explain::raise(later.version);
        first.help = Some(match first.help.take() {
            Some(help) if help.starts_with(&raise) => format!("{help}; the document is valid then"),
            Some(help) => format!("{help}; or {raise}, as which the document is valid"),
            None => format!("{raise}, as which the document is valid"),
        });
        offer(document, schema.version, later.version, &mut findings);
    }
    findings
}

/// Offers the later version as which the document is valid: one fix in place of all others, unless
/// each finding has its own.
fn offer(document: &Document, from: ApiVersion, to: ApiVersion, findings: &mut [Diagnostic]) {
    if findings.iter().all(|finding| finding.fix.is_some()) {
        return;
    }
    let Some(fix) = Fix::word(&document.root, "/apiVersion", &to.to_string()) else {
        return;
    };
    let fix = fix.title(format!("{}: valid under {to}", explain::raise(to)));
    // What reads the document may not read another major version.
    let mut fix = Some(if from.major == to.major {
        fix
    } else {
        fix.when_asked()
    });
    for finding in findings {
        finding.fix = fix.take();
    }
}

/// The whole JSON Schema of a version of a standard.
pub fn schema(kind: Kind, version: ApiVersion) -> Option<Value> {
    versions::of(kind, version).map(|schema| schema.whole().clone())
}

/// The version of the schema that a document is checked against; `None` where its `apiVersion` asks
/// for one that is not known.
pub fn version(document: &Document) -> Option<ApiVersion> {
    schema_of(document).ok().map(|schema| schema.version)
}

/// The schema that the document's `apiVersion` asks for. Without any, the newest one, which then
/// reports that the key is missing.
fn schema_of(document: &Document) -> Result<&'static Schema, Box<Diagnostic>> {
    let newest = versions::newest(document.kind);
    let Some(value) = document.root.get("apiVersion") else {
        return Ok(newest);
    };
    let label = value.as_str();
    if let Some(schema) = label.and_then(|label| versions::for_label(document.kind, label)) {
        return Ok(schema);
    }
    let known: Vec<String> = versions::all(document.kind)
        .rev()
        .map(|schema| schema.version.to_string())
        .collect();
    let (rule, message) = match label {
        Some(label) => (
            &rules::SCHEMA_UNKNOWN_VERSION,
            format!(
                "unknown apiVersion {}: expected {}",
                quote(label),
                explain::choice(known.iter().map(String::as_str))
            ),
        ),
        None => (
            &rules::SCHEMA_WRONG_TYPE,
            format!(
                "expected a version such as `{}` for `apiVersion`, found {}",
                newest.version,
                value.kind()
            ),
        ),
    };
    let written = label.unwrap_or_else(|| values::source(document, value));
    let span = place::value_span(document, "/apiVersion");
    let mut finding = document.finding(rule, span, message).pointer("/apiVersion");
    if let Some(known) = known.iter().find(|known| same_version(written, known)) {
        finding.help = Some(format!("write `apiVersion: {known}`"));
        finding.fix = Fix::word(&document.root, "/apiVersion", known);
    }
    Err(Box::new(finding))
}

/// Whether `written` means the version `known`: without its `v`, or without its last number.
fn same_version(written: &str, known: &str) -> bool {
    let written = written.trim().trim_start_matches(['v', 'V']);
    let known = known.trim_start_matches('v');
    written == known || known.strip_suffix(".0") == Some(written)
}

/// Adds what every finding of a document says.
fn finish(document: &Document, finding: Diagnostic) -> Diagnostic {
    match text(&document.root, "id") {
        Some(id) => finding.contract(id.value),
        None => finding,
    }
}
