//! `logicalTypeOptions`: bounds that leave no value, bounds of the wrong kind, and names in them.

use super::element::{Site, is_variable};
use super::moment::{Form, Moment};
use super::{pattern, timezone};
use crate::diagnostics::{Diagnostic, Severity, closest, rules};
use crate::document::{ApiVersion, Scalar};
use crate::yaml::Node;

/// Pairs of a least and a greatest size.
const SIZES: &[(&str, &str)] = &[
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// The options of one property.
pub(super) fn check(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    let Some(options) = site.value.as_mapping() else {
        return;
    };
    for option in options {
        let node = &option.value;
        match option.name() {
            "pattern" => findings.extend(pattern::check(site, node, "/pattern")),
            "defaultTimezone" => findings.extend(timezone::check(site, node)),
            "required" => required(site, node, findings),
            _ => {}
        }
    }
    for (least, greatest) in SIZES {
        let bound = |key| Bound::of(site, key, false);
        if let (Some(low), Some(high)) = (bound(least), bound(greatest)) {
            findings.extend(contradiction(site, &low, &high));
        }
    }
    let lower = limits(site, "minimum", "exclusiveMinimum");
    let upper = limits(site, "maximum", "exclusiveMaximum");
    for bound in lower.iter().chain(&upper) {
        findings.extend(wrong_kind(site, bound));
    }
    // One contradiction is enough; the others follow from it.
    let mut pairs = lower
        .iter()
        .flat_map(|low| upper.iter().map(move |high| (low, high)));
    findings.extend(pairs.find_map(|(low, high)| contradiction(site, low, high)));
}

/// One bound of a property.
struct Bound<'a> {
    key: &'static str,
    node: &'a Node,
    value: Scalar,
    /// Whether the bound itself is no value of the property.
    exclusive: bool,
}

impl<'a> Bound<'a> {
    fn of(site: &Site<'a>, key: &'static str, exclusive: bool) -> Option<Self> {
        let node = site.value.get(key)?;
        Some(Self {
            key,
            node,
            value: Scalar::of(node)?,
            exclusive,
        })
    }
}

/// The bounds on one side. Before v3.1.0 the exclusive one is a flag that says how the other is meant.
fn limits<'a>(site: &Site<'a>, inclusive: &'static str, exclusive: &'static str) -> Vec<Bound<'a>> {
    let strict = Bound::of(site, exclusive, true);
    let flag = matches!(
        strict,
        Some(Bound {
            value: Scalar::Bool(true),
            ..
        })
    );
    let plain = Bound::of(site, inclusive, flag);
    [plain, strict]
        .into_iter()
        .flatten()
        .filter(|bound| !matches!(bound.value, Scalar::Bool(_) | Scalar::Null))
        .collect()
}

/// The finding that nothing lies between two bounds.
fn contradiction(site: &Site<'_>, low: &Bound<'_>, high: &Bound<'_>) -> Option<Diagnostic> {
    let (above, below) = (
        is_above(&low.value, &high.value)?,
        is_above(&high.value, &low.value)?,
    );
    let equal = !above && !below;
    if !above && !(equal && (low.exclusive || high.exclusive)) {
        return None;
    }
    let message = format!(
        "no value of `{}` has both `{}: {}` and `{}: {}`",
        site.path(),
        low.key,
        site.source(low.node),
        high.key,
        site.source(high.node)
    );
    let help = match (above, low.exclusive || high.exclusive) {
        (true, _) => "the lower bound is the higher one; exchange or correct them",
        (false, _) => "an exclusive bound is no value itself; move it, or use the inclusive one",
    };
    let finding = site
        .finding(
            &rules::RULE_CONTRADICTING_BOUNDS,
            high.node,
            &format!("/{}", high.key),
            message,
        )
        .help(help);
    Some(site.also(finding, low.node, "the lower bound"))
}

/// Whether one bound lies above the other; `None` where they cannot be compared.
fn is_above(one: &Scalar, other: &Scalar) -> Option<bool> {
    match (one, other) {
        (Scalar::Int(one), Scalar::Int(other)) => Some(one > other),
        (Scalar::Text(one), Scalar::Text(other)) => {
            Moment::parse(one)?.is_after(Moment::parse(other)?)
        }
        _ => {
            let (one, other) = (one.as_number()?, other.as_number()?);
            one.partial_cmp(&other).map(std::cmp::Ordering::is_gt)
        }
    }
}

/// The finding that a bound of a date or time is none.
fn wrong_kind(site: &Site<'_>, bound: &Bound<'_>) -> Option<Diagnostic> {
    let Scalar::Text(text) = &bound.value else {
        return None;
    };
    let (word, forms, example): (_, &[Form], _) = match site.element.text("logicalType")? {
        // Until v3.1.0 `date` was the type of all that has to do with time.
        "date" if site.contract().api_version < ApiVersion::new(3, 1, 0) => (
            "date or time",
            &[Form::Date, Form::Time, Form::Timestamp],
            "2024-12-31",
        ),
        "date" => ("date", &[Form::Date, Form::Timestamp], "2024-12-31"),
        "timestamp" => (
            "timestamp",
            &[Form::Date, Form::Timestamp],
            "2024-12-31T23:59:59Z",
        ),
        "time" => ("time", &[Form::Time], "23:59:59"),
        _ => return None,
    };
    let fits = Moment::parse(text).is_some_and(|moment| forms.contains(&moment.form));
    let format = site.value.get("format");
    // A day that is stored as text is compared as the text that its format asks for.
    let is_text = format.is_some() && site.element.is_stored_as_text();
    if fits || is_text || is_variable(text) {
        return None;
    }
    let finding = site
        .finding(
            &rules::RULE_BOUND_KIND,
            bound.node,
            &format!("/{}", bound.key),
            format!(
                "`{}` of `{}` is no {word}: `{text}`",
                bound.key,
                site.path()
            ),
        )
        .help(format!("write it as ISO 8601 does, such as `{example}`"));
    // Where the property has a format of its own, the bound may be meant in it.
    Some(match format {
        Some(_) => finding.severity(Severity::Warning),
        None => finding,
    })
}

/// The names of required parts, each of which must be a property of the object.
fn required(site: &Site<'_>, names: &Node, findings: &mut Vec<Diagnostic>) {
    let known: Vec<&str> = site
        .element
        .node
        .get("properties")
        .and_then(Node::as_sequence)
        .unwrap_or_default()
        .iter()
        .filter_map(|property| property.get("name")?.as_str())
        .collect();
    if known.is_empty() {
        return;
    }
    for (index, node) in names.as_sequence().unwrap_or_default().iter().enumerate() {
        let Some(name) = node.as_str().filter(|name| !known.contains(name)) else {
            continue;
        };
        let message = format!(
            "`{}` has no property `{name}` that could be required",
            site.path()
        );
        let finding = site
            .finding(
                &rules::REFERENCE_UNKNOWN_PROPERTY,
                node,
                &format!("/required/{index}"),
                message,
            )
            .severity(Severity::Warning);
        findings.push(match closest(name, known.iter().copied()) {
            Some(close) => finding.help(format!("did you mean `{close}`?")),
            None => finding.help("add the property, or remove its name here"),
        });
    }
}
