//! Thresholds of quality rules: numbers, in order, and such that the metric can keep and break them.

use super::element::is_variable;
use super::quality::Rule;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::validate::schema::quote;
use crate::yaml::{Data, Node};

/// The operators of one number, with the values of a metric that they allow.
type Operator = (&'static str, fn(f64) -> Allowed);
const ONE: &[Operator] = &[
    ("mustBe", |n| Allowed::closed(n, n)),
    ("mustNotBe", |n| Allowed::closed(n, n).inverse()),
    ("mustBeGreaterThan", |n| {
        Allowed::closed(f64::NEG_INFINITY, n).inverse()
    }),
    ("mustBeGreaterOrEqualTo", |n| {
        Allowed::closed(n, f64::INFINITY)
    }),
    ("mustBeLessThan", |n| {
        Allowed::closed(n, f64::INFINITY).inverse()
    }),
    ("mustBeLessOrEqualTo", |n| {
        Allowed::closed(f64::NEG_INFINITY, n)
    }),
];

/// The operators of two numbers, and whether they mean what lies outside.
const TWO: &[(&str, bool)] = &[("mustBeBetween", false), ("mustNotBeBetween", true)];

/// A closed interval, or everything but it.
struct Allowed {
    low: f64,
    high: f64,
    inverse: bool,
}

impl Allowed {
    fn closed(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            inverse: false,
        }
    }

    fn inverse(self) -> Self {
        Self {
            inverse: !self.inverse,
            ..self
        }
    }

    /// Whether a metric between 0 and `most` can have an allowed value, and whether it has no other.
    fn against(&self, most: f64) -> (bool, bool) {
        let none = self.high < 0.0 || self.low > most;
        let all = self.low <= 0.0 && self.high >= most;
        if self.inverse {
            (!all, none)
        } else {
            (!none, all)
        }
    }
}

/// The operators of a rule. `metric` is the library's metric and whether it is a share in percent;
/// what a query returns may be anything.
pub(super) fn check(rule: &Rule<'_>, metric: Option<(&str, bool)>, findings: &mut Vec<Diagnostic>) {
    let Some(entries) = rule.node.as_mapping() else {
        return;
    };
    for entry in entries {
        let (key, node) = (entry.name(), &entry.value);
        if let Some((_, allowed)) = ONE.iter().find(|(name, _)| *name == key) {
            match (node.as_f64(), metric) {
                (Some(number), Some(metric)) => {
                    findings.extend(possible(rule, key, node, &allowed(number), metric));
                }
                // The other operators take nothing but numbers, as the schema pass says.
                (None, Some(_)) if ["mustBe", "mustNotBe"].contains(&key) => {
                    findings.extend(not_a_number(rule, key, node));
                }
                _ => {}
            }
        } else if let Some((_, outside)) = TWO.iter().find(|(name, _)| *name == key) {
            let [low, high] = node.as_sequence().unwrap_or_default() else {
                continue;
            };
            let (Some(low), Some(high)) = (low.as_f64(), high.as_f64()) else {
                continue;
            };
            if low > high {
                findings.push(reversed(rule, key, node));
            }
            let within = Allowed::closed(low.min(high), low.max(high));
            let allowed = if *outside { within.inverse() } else { within };
            if let Some(metric) = metric {
                findings.extend(possible(rule, key, node, &allowed, metric));
            }
        }
    }
}

/// The finding that a threshold is no number.
fn not_a_number(rule: &Rule<'_>, key: &str, node: &Node) -> Option<Diagnostic> {
    let text = node.as_str().unwrap_or_default();
    if is_variable(text) {
        return None;
    }
    let numeric = text.trim().parse::<f64>().is_ok();
    let found = match &node.data {
        Data::String(text) => quote(text),
        _ => node.kind().to_owned(),
    };
    let message = format!(
        "`{key}` of a quality rule of `{}` takes a number, found {found}",
        rule.site.path()
    );
    let finding = rule.finding(&rules::RULE_THRESHOLD, node, key, message);
    Some(finding.severity(Severity::Warning).help(if numeric {
        "write the number without quotes; nothing is tested until then"
    } else {
        "a metric is a number of rows or a share of them; nothing is tested until then"
    }))
}

/// The finding that two thresholds stand in the wrong order.
fn reversed(rule: &Rule<'_>, key: &str, node: &Node) -> Diagnostic {
    let message = format!(
        "the first number of `{key}` of a quality rule of `{}` is the greater one",
        rule.site.path()
    );
    rule.finding(&rules::RULE_THRESHOLD, node, key, message)
        .severity(Severity::Warning)
        .help("write the lower number first")
}

/// The finding that a metric can never keep its threshold, or never break it.
fn possible(
    rule: &Rule<'_>,
    key: &str,
    node: &Node,
    allowed: &Allowed,
    (metric, percent): (&str, bool),
) -> Option<Diagnostic> {
    let most = if percent { 100.0 } else { f64::INFINITY };
    let range = if percent {
        "a share lies between 0 and 100 percent"
    } else {
        "a number of rows is never negative"
    };
    let threshold = match node.as_sequence() {
        Some(items) => {
            let items: Vec<String> = items.iter().map(|item| rule.site.source(item)).collect();
            format!("`{key}: [{}]`", items.join(", "))
        }
        None => format!("`{key}: {}`", rule.site.source(node)),
    };
    let subject = format!("for `{metric}` of `{}`", rule.site.path());
    let finding = |message| rule.finding(&rules::RULE_THRESHOLD, node, key, message);
    match allowed.against(most) {
        (false, _) => Some(
            finding(format!("{threshold} can never hold {subject}"))
                .help(format!("{range}; correct the threshold")),
        ),
        (_, true) => Some(
            finding(format!("{threshold} always holds {subject}"))
                .severity(Severity::Warning)
                .help(format!(
                    "{range}, so that the rule checks nothing; correct the threshold"
                )),
        ),
        _ => None,
    }
}
