//! `slaProperties`: known properties, values of the right kind, and elements that are there.

use super::element::{Site, is_variable};
use super::moment::{Form, Moment};
use crate::diagnostics::{Diagnostic, Fix, Severity, closest, rules, unmistakable};
use crate::document::Scalar;
use crate::odcs::{Property, SchemaObject, service_levels as names};
use crate::yaml::Node;

/// What the value of a service level is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// A length of time, in a unit.
    Duration,
    /// A date.
    Date,
}

/// The service levels whose values are of one kind.
const VALUES: &[(&str, Value)] = &[
    ("endOfLife", Value::Date),
    ("endOfSupport", Value::Date),
    ("frequency", Value::Duration),
    ("generalAvailability", Value::Date),
    ("latency", Value::Duration),
    ("retention", Value::Duration),
    ("timeToDetect", Value::Duration),
    ("timeToNotify", Value::Duration),
    ("timeToRepair", Value::Duration),
];

/// Units of time, in the singular; an `s` may follow.
const UNITS: &[&str] = &[
    "d",
    "day",
    "h",
    "hour",
    "hr",
    "iso",
    "m",
    "min",
    "minute",
    "mo",
    "month",
    "ms",
    "millisecond",
    "quarter",
    "s",
    "sec",
    "second",
    "w",
    "week",
    "wk",
    "y",
    "year",
    "yr",
];

/// The service levels of a contract.
pub(super) fn check(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    for (index, node) in site.items() {
        let Some(name_node) = node.get("property") else {
            continue;
        };
        let Some(name) = name_node.as_str() else {
            continue;
        };
        let meant = names::meant(name);
        if let Some(meant) = meant {
            let message =
                format!("the standard has no service level `{name}`; it is read as `{meant}`");
            let below = format!("/{index}/property");
            let finding = site.finding(
                &rules::RULE_SERVICE_LEVEL_PROPERTY,
                name_node,
                &below,
                message,
            );
            findings.push(finding.help(format!("write `{meant}`")));
        }
        match meant.or_else(|| names::named(name)) {
            None => findings.push(unknown(site, index, name_node, name)),
            Some(name) => {
                let kind = VALUES.iter().find(|(known, _)| *known == name);
                findings.extend(kind.and_then(|(_, kind)| match kind {
                    Value::Duration => unit(site, index, node, name),
                    Value::Date => date(site, index, node, name),
                }));
            }
        }
        if let Some(element) = node.get("element") {
            elements(site, element, &format!("/{index}/element"), findings);
        }
    }
}

/// The element of all service levels that name none.
pub(super) fn default_element(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    elements(site, site.value, "", findings);
}

/// The note that the standard does not name a service level.
fn unknown(site: &Site<'_>, index: usize, node: &Node, name: &str) -> Diagnostic {
    let finding = site.finding(
        &rules::RULE_SERVICE_LEVEL_PROPERTY,
        node,
        &format!("/{index}/property"),
        format!("the standard has no service level `{name}`"),
    );
    let names = || names::NAMES.iter().map(|(name, _)| *name);
    // The name is free: that it is the standard's, misspelt, is only likely.
    let fix = unmistakable(name, names())
        .and_then(|name| site.word(&format!("/{index}/property"), name))
        .map(Fix::when_asked);
    match closest(name, names()) {
        Some(close) => finding
            .severity(Severity::Warning)
            .fix(fix)
            .help(format!("did you mean `{close}`?")),
        None => finding.help("it is kept, and means to others what you agree on"),
    }
}

/// The finding that a length of time is in no known unit.
fn unit(site: &Site<'_>, index: usize, node: &Node, name: &str) -> Option<Diagnostic> {
    let node = node.get("unit")?;
    let unit = node.as_str()?;
    let lower = unit.trim().to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    if UNITS.contains(&lower.as_str()) || UNITS.contains(&singular) || is_variable(unit) {
        return None;
    }
    let finding = site.finding(
        &rules::RULE_SERVICE_LEVEL_UNIT,
        node,
        &format!("/{index}/unit"),
        format!("`{unit}` is no unit of time that the service level `{name}` could be in"),
    );
    Some(finding.help("write `d` for days, `h` for hours, `min` for minutes or `y` for years"))
}

/// The finding that a date is none.
fn date(site: &Site<'_>, index: usize, node: &Node, name: &str) -> Option<Diagnostic> {
    let node = node.get("value")?;
    let text = match Scalar::of(node)? {
        Scalar::Null => return None,
        value => value.to_string(),
    };
    let is_date = Moment::parse(&text).is_some_and(|moment| moment.form != Form::Time);
    if is_date || is_variable(&text) {
        return None;
    }
    let finding = site.finding(
        &rules::RULE_SERVICE_LEVEL_VALUE,
        node,
        &format!("/{index}/value"),
        format!("the value of the service level `{name}` is no date: `{text}`"),
    );
    Some(finding.help("write it as ISO 8601 does, such as `2024-12-31`"))
}

/// The findings that an element names nothing; several stand in one text, with commas.
fn elements(site: &Site<'_>, node: &Node, below: &str, findings: &mut Vec<Diagnostic>) {
    let objects = site.objects();
    let Some(text) = node.as_str().filter(|text| !is_variable(text)) else {
        return;
    };
    if objects.is_empty() {
        return;
    }
    for element in text.split(',').map(str::trim) {
        if names_something(objects, element) {
            continue;
        }
        let message = format!("no object and no property is named `{element}`");
        let finding = site.finding(&rules::RULE_SERVICE_LEVEL_ELEMENT, node, below, message);
        let known = known(objects);
        findings.push(match closest(element, known.iter().map(String::as_str)) {
            Some(close) => finding.help(format!("did you mean `{close}`?")),
            None => finding.help(
                "name what the service level is measured on as `object.property`, or leave `element` out",
            ),
        });
    }
}

/// Whether an element is an object, or a property with or without its object.
fn names_something(objects: &[SchemaObject], element: &str) -> bool {
    objects.iter().any(|object| {
        is_named(&object.name.value, object.physical(), element)
            || [object.name.as_str(), object.physical()]
                .iter()
                .filter_map(|name| element.strip_prefix(name)?.strip_prefix('.'))
                .any(|rest| has(&object.properties, rest))
            || has(&object.properties, element)
    })
}

/// Whether a path of names leads to one of the properties.
fn has(properties: &[Property], path: &str) -> bool {
    properties.iter().any(|property| {
        let names = [property.name.as_str(), property.physical()];
        names.iter().any(|name| match path.strip_prefix(name) {
            Some("") => !name.is_empty(),
            Some(rest) => rest.strip_prefix('.').is_some_and(|rest| {
                let items = property.items.iter().flat_map(|items| &items.properties);
                has(&property.properties, rest)
                    || items
                        .into_iter()
                        .any(|item| has(std::slice::from_ref(item), rest))
            }),
            None => false,
        })
    })
}

fn is_named(name: &str, physical: &str, text: &str) -> bool {
    name == text || physical == text
}

/// What an element could be.
fn known(objects: &[SchemaObject]) -> Vec<String> {
    let of_object = |object: &SchemaObject| {
        let name = object.name.value.clone();
        let properties: Vec<String> = object
            .properties
            .iter()
            .map(|property| format!("{name}.{}", property.name.value))
            .collect();
        std::iter::once(name).chain(properties).collect::<Vec<_>>()
    };
    objects.iter().flat_map(of_object).collect()
}
