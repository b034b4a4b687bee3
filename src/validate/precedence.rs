//! One mistake, one finding: the findings of all passes come in, and those that only follow from
//! another one at the same value are left out.

use std::collections::BTreeMap;

use crate::diagnostics::{Diagnostic, Rule, rules};
use crate::yaml::Span;

/// The rules that reject a value as a whole, so that what stands in it no longer matters.
const REJECTED: &[&Rule] = &[&rules::SCHEMA_INVALID_VALUE, &rules::SCHEMA_WRONG_TYPE];

/// The rules that say more exactly what is wrong with a value than that readers differ about it.
const EXACT: &[&Rule] = &[
    &rules::RULE_VALUE_TYPE,
    &rules::SCHEMA_INVALID_VALUE,
    &rules::SCHEMA_WRONG_TYPE,
];

/// The rules on what readers differ about.
const VAGUE: &[&Rule] = &[
    &rules::YAML_AMBIGUOUS_BOOLEAN,
    &rules::YAML_AMBIGUOUS_NUMBER,
];

/// Leaves out what pass 2 finds in values that pass 1 rejects, and doubts about a reading where the
/// value is wrong in any reading.
pub fn keep_causes(findings: &mut Vec<Diagnostic>) {
    let rejected = places(findings, REJECTED);
    let exact = places(findings, EXACT);
    findings.retain(|finding| {
        let Some((path, span)) = place(finding) else {
            return true;
        };
        let within = || {
            rejected.get(path).is_some_and(|spans| {
                let after = spans.partition_point(|outer| outer.start() <= span.start());
                after > 0 && span.end() <= spans[after - 1].end()
            })
        };
        let same = || {
            let spans = exact.get(path);
            spans.is_some_and(|spans| spans.binary_search(&span).is_ok())
        };
        match finding.rule.area() {
            "rule" | "reference" => !within(),
            "yaml" => !(VAGUE.contains(&finding.rule) && same()),
            _ => true,
        }
    });
}

/// The places of the findings of some rules, by file and in order. Of nested ones the outermost
/// stays, so that only one can lie around another place.
fn places(findings: &[Diagnostic], rules: &[&Rule]) -> BTreeMap<String, Vec<Span>> {
    let mut places: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for finding in findings
        .iter()
        .filter(|finding| rules.contains(&finding.rule))
    {
        if let Some((path, span)) = place(finding) {
            places.entry(path.to_owned()).or_default().push(span);
        }
    }
    for spans in places.values_mut() {
        spans.sort_by_key(|span| (span.start(), std::cmp::Reverse(span.end())));
        spans.dedup_by(|next, outer| next.end() <= outer.end());
    }
    places
}

/// The file and bytes of a finding.
fn place(finding: &Diagnostic) -> Option<(&str, Span)> {
    let place = finding.place.as_ref()?;
    Some((place.file.path.as_str(), place.span?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceFile;

    #[test]
    fn a_rejected_value_is_reported_once() {
        let file = SourceFile::new("c.yaml", "0123456789");
        let other = SourceFile::new("d.yaml", "0123456789");
        let at = |rule, start, end| Diagnostic::new(rule, "x").at(&file, Span::new(start, end));
        let mut findings = vec![
            at(&rules::SCHEMA_INVALID_VALUE, 2, 6),
            at(&rules::SCHEMA_WRONG_TYPE, 3, 4),
            at(&rules::REFERENCE_UNKNOWN_PROPERTY, 2, 6),
            at(&rules::RULE_REPEATED_VALUE, 4, 5),
            at(&rules::RULE_REPEATED_VALUE, 5, 7),
            at(&rules::YAML_AMBIGUOUS_BOOLEAN, 2, 6),
            at(&rules::YAML_AMBIGUOUS_BOOLEAN, 4, 5),
            at(&rules::STATUS_UNKNOWN, 2, 6),
            Diagnostic::new(&rules::RULE_REPEATED_VALUE, "x").at(&other, Span::new(2, 6)),
            Diagnostic::new(&rules::RULE_REPEATED_VALUE, "x"),
        ];
        keep_causes(&mut findings);
        let kept: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(
            kept,
            [
                "schema/invalid-value",
                "schema/wrong-type",
                "rule/repeated-value",
                "yaml/ambiguous-boolean",
                "status/unknown",
                "rule/repeated-value",
                "rule/repeated-value",
            ]
        );
    }
}
