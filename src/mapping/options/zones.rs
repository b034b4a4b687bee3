//! The time zone of bounds that name none: the text of a bound and the contract's default zone come
//! in, text that means the same in every session goes out.

use crate::dbt::adapter::Adapter;
use crate::document::Text;

/// The warehouses that read the name of a zone after a moment.
const NAMED: &[Adapter] = &[
    Adapter::BigQuery,
    Adapter::Databricks,
    Adapter::DuckDb,
    Adapter::Postgres,
    Adapter::Redshift,
    Adapter::Spark,
    Adapter::Trino,
];

/// The names of the zone that the standard takes by default.
const UTC: &[&str] = &["utc", "etc/utc", "z", "gmt", "etc/gmt"];

/// The length of a day, `YYYY-MM-DD`.
const DAY: usize = 10;

/// A bound of a type with a time zone, in its zone; `None` where the warehouse does not read the
/// zone's name.
pub(super) fn in_zone(adapter: Adapter, bound: &str, default: Option<&Text>) -> Option<String> {
    let text = bound.trim();
    let has_zone = text
        .get(DAY..)
        .is_some_and(|clock| clock.contains(['Z', 'z', '+', '-']));
    if has_zone {
        return Some(bound.to_owned());
    }
    let clock = if text.len() == DAY { "T00:00:00" } else { "" };
    let zone = default.map_or("UTC", |zone| zone.as_str().trim());
    if UTC.contains(&zone.to_lowercase().as_str()) {
        return Some(format!("{text}{clock}Z"));
    }
    NAMED
        .contains(&adapter)
        .then(|| format!("{text}{clock} {zone}"))
}
