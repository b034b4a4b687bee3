//! Lists of the only values allowed: `enum` and `validValues`. Each value is of the property's type,
//! and stands once.

use std::collections::BTreeSet;

use super::element::{Site, is_variable};
use super::moment::Moment;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::document::Scalar;
use crate::validate::schema::quote;
use crate::yaml::Node;

/// The values of `enum`.
pub(super) fn enumeration(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    let values: Vec<(String, &Node)> = site
        .items()
        .filter_map(|(index, entry)| Some((format!("/{index}/value"), entry.get("value")?)))
        .collect();
    check(site, &values, findings);
}

/// Values with the way from the site's key to each.
pub(super) fn check(site: &Site<'_>, values: &[(String, &Node)], findings: &mut Vec<Diagnostic>) {
    let logical = site.element.text("logicalType");
    let mut seen: Vec<(Scalar, &Node)> = Vec::new();
    for (below, node) in values {
        let Some(value) = Scalar::of(node) else {
            continue;
        };
        let found = logical.and_then(|logical| misfit(site, &value, logical));
        if let Some(misfit) = found {
            findings.push(misfit.finding(site, node, below, logical.unwrap_or_default()));
        }
        match seen.iter().find(|(known, _)| *known == value) {
            Some((_, first)) => {
                let message = format!(
                    "the value {} of `{}` is listed twice",
                    site.shown(node),
                    site.path()
                );
                let finding = site
                    .finding(&rules::RULE_REPEATED_VALUE, node, below, message)
                    .help("remove one of the two; a value has one meaning");
                findings.push(site.also(finding, first, "the first one"));
            }
            None => seen.push((value, node)),
        }
    }
    if logical.is_none() {
        findings.extend(mixed(site, &seen, values));
    }
}

/// The finding that the valid values of a rule are others than those that the property may have.
pub(super) fn differing(site: &Site<'_>, valid: &Node, below: &str) -> Option<Diagnostic> {
    let allowed = site.element.node.get("enum")?;
    let shown = |values: Vec<&Node>| -> BTreeSet<String> {
        let values = values.into_iter();
        values
            .filter(|node| !node.is_null())
            .map(|node| site.source(node))
            .collect()
    };
    let entries = allowed.as_sequence()?.iter();
    let allowed_values = shown(entries.filter_map(|entry| entry.get("value")).collect());
    let valid_values = shown(valid.as_sequence()?.iter().collect());
    // An empty list says nothing, and is reported for that.
    if valid_values.is_empty() {
        return None;
    }
    let mut others = allowed_values.symmetric_difference(&valid_values);
    let first = others.next()?;
    let has = if valid_values.contains(first) {
        "has"
    } else {
        "lacks"
    };
    let message = format!(
        "`validValues` of `{}` are others than its `enum`: it {has} {}",
        site.path(),
        quote(first)
    );
    let finding = site
        .finding(&rules::RULE_DIFFERING_VALUES, valid, below, message)
        .help("list the same values, or keep one of the two; both are tested until then");
    Some(site.also(finding, allowed, "the other list"))
}

/// How a value fails to be of a type.
enum Misfit {
    /// No value of the property can ever be equal to it.
    Impossible,
    /// It is read as text, perhaps not as the author wrote it.
    Unquoted,
    /// The warehouse may read it as a date or time; ISO 8601 does not.
    NotIso,
}

/// Why `value` is none of the logical type, if it is none.
fn misfit(site: &Site<'_>, value: &Scalar, logical: &str) -> Option<Misfit> {
    let text = match value {
        Scalar::Null => return None,
        Scalar::Text(text) if is_variable(text) => return None,
        Scalar::Text(text) => Some(text.trim()),
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => None,
    };
    // Where values are stored as text, a boolean may be `Y` and a day be written as its format says.
    if text.is_some() && site.element.is_stored_as_text() {
        let temporal = matches!(logical, "date" | "timestamp" | "time");
        let options = site.element.node.get("logicalTypeOptions");
        let has_format = || options.is_some_and(|options| options.get("format").is_some());
        if !temporal || has_format() {
            return None;
        }
    }
    let number = value.as_number();
    let fits = match (logical, text) {
        ("string", text) => return text.is_none().then_some(Misfit::Unquoted),
        ("date" | "timestamp" | "time", Some(text)) => {
            return Moment::parse(text).is_none().then_some(Misfit::NotIso);
        }
        ("date" | "timestamp" | "time", None) => false,
        ("integer", Some(text)) => text.parse::<i128>().is_ok(),
        ("integer", None) => number.is_some_and(|number| number.fract() == 0.0),
        ("number", Some(text)) => text.parse::<f64>().is_ok(),
        ("number", None) => number.is_some(),
        ("boolean", Some(text)) => ["true", "false"].contains(&text.to_lowercase().as_str()),
        ("boolean", None) => matches!(value, Scalar::Bool(_) | Scalar::Int(0 | 1)),
        _ => true,
    };
    (!fits).then_some(Misfit::Impossible)
}

impl Misfit {
    fn finding(&self, site: &Site<'_>, node: &Node, below: &str, logical: &str) -> Diagnostic {
        let path = site.path();
        let value = site.shown(node);
        let finding = |message: String| site.finding(&rules::RULE_VALUE_TYPE, node, below, message);
        match self {
            Self::Impossible => finding(format!(
                "the value {value} of `{path}` is not of its type `{logical}`"
            ))
            .help("correct the value, or change `logicalType`"),
            Self::Unquoted => finding(format!(
                "the value {value} of `{path}` is {}, and its type is `{logical}`",
                node.kind()
            ))
            .severity(Severity::Warning)
            .fix(site.quoting(below))
            .help("put the value in quotes, so that it is read as it is written"),
            Self::NotIso => finding(format!(
                "the value {value} of `{path}` is no {logical} in ISO 8601"
            ))
            .severity(Severity::Warning)
            .help("write it as ISO 8601 does, such as `2024-12-31` or `23:59:59`"),
        }
    }
}

/// The finding that the values of an untyped property have several types.
fn mixed(
    site: &Site<'_>,
    seen: &[(Scalar, &Node)],
    values: &[(String, &Node)],
) -> Option<Diagnostic> {
    let kind = |value: &Scalar| match value {
        Scalar::Null => None,
        Scalar::Bool(_) => Some("true or false"),
        Scalar::Int(_) | Scalar::Float(_) => Some("numbers"),
        Scalar::Text(_) => Some("text"),
    };
    let mut kinds = seen
        .iter()
        .filter_map(|(value, node)| Some((kind(value)?, *node)));
    let (first, first_node) = kinds.next()?;
    let (other, node) = kinds.find(|(kind, _)| *kind != first)?;
    let below = values
        .iter()
        .find(|(_, candidate)| std::ptr::eq(*candidate, node))
        .map_or("", |(below, _)| below.as_str());
    let message = format!(
        "the values of `{}` are {first} as well as {other}",
        site.path()
    );
    let finding = site
        .finding(&rules::RULE_VALUE_TYPE, node, below, message)
        .severity(Severity::Warning)
        .help("write all values in the same way, and state the `logicalType`");
    Some(site.also(finding, first_node, first))
}
