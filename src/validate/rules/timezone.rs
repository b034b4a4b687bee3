//! Names of time zones. The names of the IANA database change with it, so only their shape is
//! checked: one of its areas and a place, or one of the names without an area.

use super::element::{Site, is_variable};
use super::moment;
use crate::diagnostics::{Diagnostic, closest, rules};
use crate::yaml::Node;

/// The areas of the database, older ones too.
const AREAS: &[&str] = &[
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Brazil",
    "Canada",
    "Chile",
    "Etc",
    "Europe",
    "Indian",
    "Mexico",
    "Pacific",
    "US",
];

/// The names without an area.
const ALONE: &[&str] = &[
    "CET",
    "CST6CDT",
    "Cuba",
    "EET",
    "EST",
    "EST5EDT",
    "Egypt",
    "Eire",
    "GB",
    "GB-Eire",
    "GMT",
    "GMT+0",
    "GMT-0",
    "GMT0",
    "Greenwich",
    "HST",
    "Hongkong",
    "Iceland",
    "Iran",
    "Israel",
    "Jamaica",
    "Japan",
    "Kwajalein",
    "Libya",
    "MET",
    "MST",
    "MST7MDT",
    "NZ",
    "NZ-CHAT",
    "Navajo",
    "PRC",
    "PST8PDT",
    "Poland",
    "Portugal",
    "ROC",
    "ROK",
    "Singapore",
    "Turkey",
    "UCT",
    "UTC",
    "Universal",
    "W-SU",
    "WET",
    "Zulu",
];

/// The finding that `defaultTimezone` names no time zone.
pub(super) fn check(site: &Site<'_>, node: &Node) -> Option<Diagnostic> {
    let name = node.as_str()?;
    if is_known(name) || is_variable(name) {
        return None;
    }
    let finding = site.finding(
        &rules::RULE_UNKNOWN_TIMEZONE,
        node,
        "/defaultTimezone",
        format!("`{name}` of `{}` is no time zone", site.path()),
    );
    let (area, place) = name.split_once('/').unwrap_or((name, ""));
    let close = if place.is_empty() {
        closest(area, ALONE.iter().copied()).map(str::to_owned)
    } else {
        closest(area, AREAS.iter().copied()).map(|area| format!("{area}/{place}"))
    };
    Some(
        match close.filter(|close| close != name && is_known(close)) {
            Some(close) => finding.help(format!("did you mean `{close}`?")),
            None => finding.help(
                "write the name that the IANA database has, such as `Europe/Paris`, or `UTC`",
            ),
        },
    )
}

/// Whether a text has the shape of a time zone's name, or is an offset.
fn is_known(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_+-".contains(&byte))
    };
    match name.split_once('/') {
        Some((area, places)) => AREAS.contains(&area) && places.split('/').all(is_word),
        None => {
            ALONE.contains(&name)
                || (!name.is_empty() && moment::offset(name.trim_start_matches("UTC")).is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn names_have_the_shape_of_the_database() {
        for name in [
            "UTC",
            "Z",
            "Etc/UTC",
            "Etc/GMT+12",
            "Europe/Paris",
            "America/Argentina/Buenos_Aires",
            "America/Port-au-Prince",
            "US/Eastern",
            "EST5EDT",
            "+02:00",
            "UTC+2".trim_end_matches("+2"),
            "UTC-05:00",
        ] {
            assert!(is_known(name), "{name}");
        }
        for name in [
            "",
            "Mars/Olympus",
            "europe/paris",
            "Europe/",
            "Europe/Paris ",
            "Paris",
            "utc",
            "CEST",
            "UTC+25:00",
            "Europe / Paris",
        ] {
            assert!(!is_known(name), "{name}");
        }
    }
}
