//! Thresholds: a condition on a count of failures, as `error_if` has it, comes in, and the operator of
//! the standard that it violates goes out.

use crate::dbt::properties::Value;

/// Operators by the condition on a count that violates them, the longer words first.
const VIOLATED: &[(&str, &str)] = &[
    ("!=", "mustBe"),
    ("<>", "mustBe"),
    ("<=", "mustBeGreaterThan"),
    (">=", "mustBeLessThan"),
    ("==", "mustNotBe"),
    ("=", "mustNotBe"),
    ("<", "mustBeGreaterOrEqualTo"),
    (">", "mustBeLessOrEqualTo"),
];

/// The operator that a condition on a count violates.
pub(super) fn operator(condition: &str) -> Option<(&'static str, Value)> {
    let condition = condition.trim();
    let between = |rest: &str| {
        let (low, high) = rest.split_once(" and ")?;
        Some(Value::List(vec![number(low)?, number(high)?]))
    };
    if let Some(rest) = condition.strip_prefix("not between ") {
        return Some(("mustBeBetween", between(rest)?));
    }
    if let Some(rest) = condition.strip_prefix("between ") {
        return Some(("mustNotBeBetween", between(rest)?));
    }
    let (sign, operator) = VIOLATED
        .iter()
        .find(|(sign, _)| condition.starts_with(sign))?;
    Some((operator, number(&condition[sign.len()..])?))
}

/// A number that a text writes.
pub(super) fn number(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(whole) = text.parse::<i128>() {
        return Some(Value::Int(whole));
    }
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .map(Value::Float)
}
