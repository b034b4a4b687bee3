//! Freshness of source tables and deprecation of models as service levels: the settings of dbt come
//! in, entries of `slaProperties` go out, whose `element` is a column, or empty for the whole object.

use std::sync::LazyLock;

use regex::Regex;

use super::draft::{ObjectDraft, PropertyDraft};
use super::quality;
use super::resources::Resource;
use super::text::Texts;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Entries, Value};
use crate::document::{spanned, text};
use crate::yaml::Node;

/// The periods of dbt with the units of the standard.
const PERIODS: &[(&str, &str, i64)] =
    &[("day", "d", 1440), ("hour", "h", 60), ("minute", "min", 1)];

/// A column as a moment.
static CAST: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"(?i)^\s*cast\(\s*(.+?)\s+as\s+(?:timestamp|datetime|datetime2)\s*\)\s*$").unwrap()
});

/// The day from which a model is deprecated.
pub(super) fn deprecation(resource: &Resource<'_>, object: &mut ObjectDraft) {
    if let Some(date) = resource.get("deprecation_date").and_then(spanned) {
        let level = Entries::default()
            .with("property", "endOfLife")
            .with("value", date.value);
        object.levels.push(level.with("element", ""));
    }
}

/// The freshness of a table, or that of its source.
pub(super) fn freshness(
    adapter: Option<Adapter>,
    resource: &Resource<'_>,
    source: &Node,
    object: &mut ObjectDraft,
    texts: &mut Texts<'_>,
) {
    let stated = |node: &'_ Node, key: &str| -> Vec<Node> {
        let under = node.get("config").and_then(|config| config.get(key));
        [under, node.get(key)]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    };
    let own = resource
        .layers
        .iter()
        .flat_map(|layer| stated(layer, "freshness"));
    // What a table does not say it has from its source.
    let all: Vec<Node> = own.chain(stated(source, "freshness")).collect();
    let Some(freshness) = all.first() else {
        return;
    };
    // Nothing switches the source's off.
    if freshness.is_null() {
        return;
    }
    let title = format!("the freshness of {}", resource.title());
    let find = |key: &str| {
        let own = resource.layers.iter().flat_map(|layer| stated(layer, key));
        own.chain(stated(source, key)).find(|node| !node.is_null())
    };
    let (field, query) = (find("loaded_at_field"), find("loaded_at_query"));
    let Some(field) = field.as_ref().and_then(spanned) else {
        let why = match query {
            Some(_) => "it is measured by a query, and the standard names a column",
            None => "it names no column that says how old the data is",
        };
        return texts.lose(freshness.span, title, why);
    };
    let Some(column) = column(adapter, &field.value, object) else {
        let why = format!("`{}` is no column that holds a moment", field.value);
        return texts.lose(field.span, title, why);
    };
    for entry in freshness.as_mapping().into_iter().flatten() {
        let is_known = ["warn_after", "error_after"].contains(&entry.name());
        if !is_known && !entry.value.is_null() {
            let what = format!("`{}` in {title}", entry.name());
            texts.lose(entry.key.span, what, "the standard has no word for it");
        }
    }
    let mut after = |key: &str| {
        let node = all.iter().find_map(|freshness| freshness.get(key))?;
        let is_empty = node.as_mapping().is_some_and(|all| all.iter().count() == 0);
        let read = period(node);
        if read.is_none() && !node.is_null() && !is_empty {
            let why = "it is no count of minutes, hours or days";
            texts.lose(freshness.span, format!("`{key}` in {title}"), why);
        }
        read
    };
    let (warn, error) = (after("warn_after"), after("error_after"));
    if let (Some((.., warn)), Some((.., error))) = (warn, error)
        && error < warn
    {
        let why = "it fails before it warns, which no two service levels say";
        return texts.lose(freshness.span, title, why);
    }
    // Beside a frequency the latency counts from when the next load is due. One that warns only when
    // it fails has none.
    let (warn, error) = match (warn, error) {
        (Some((.., due)), Some((.., late))) if due == late => (None, error),
        (Some(warn), Some(error)) => (Some(warn), Some(between(warn, error))),
        alone => alone,
    };
    for (property, after) in [("frequency", warn), ("latency", error)] {
        if let Some((count, unit, _)) = after {
            let level = Entries::default()
                .with("property", property)
                .with("value", Value::Int(count.into()))
                .with("unit", unit);
            object.levels.push(level.with("element", column.as_str()));
        }
    }
}

/// The column that says how old the data is; one that nothing describes becomes a property.
fn column(adapter: Option<Adapter>, field: &str, object: &mut ObjectDraft) -> Option<String> {
    let cast = CAST.captures(field);
    let written = cast.as_ref().map_or(field, |cast| &cast[1]).trim();
    let place = quality::property(adapter, object, written).or_else(|| {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        written.bytes().all(is_name).then(|| {
            object.properties.push(PropertyDraft {
                name: written.to_owned(),
                ..PropertyDraft::default()
            });
            object.properties.len() - 1
        })
    });
    let property = &object.properties[place?];
    let is_moment = match property.logical {
        Some("timestamp") | None => cast.is_none(),
        Some("date") => cast.is_some(),
        Some(_) => false,
    };
    is_moment.then(|| property.name.clone())
}

/// A length of time: a count with the unit of the standard, and how many minutes that is.
type Length = (i64, &'static str, i64);

/// What the second of two lengths has more than the first, in the shorter unit.
fn between(first: Length, second: Length) -> Length {
    let minutes_of = |(count, _, minutes): Length| minutes / count.max(1);
    let shorter = if minutes_of(first) < minutes_of(second) {
        first
    } else {
        second
    };
    let minutes = second.2 - first.2;
    (minutes / minutes_of(shorter).max(1), shorter.1, minutes)
}

/// A count with the unit of the standard, and how many minutes that is.
fn period(node: &Node) -> Option<Length> {
    let count = node.get("count")?.as_i64()?;
    let period = text(node, "period")?.value;
    let (_, unit, minutes) = PERIODS.iter().find(|(word, ..)| *word == period)?;
    (count > 0).then_some((count, *unit, count.checked_mul(*minutes)?))
}
