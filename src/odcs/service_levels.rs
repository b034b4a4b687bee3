//! The names of service levels: the word under `property` of an entry of `slaProperties` comes in, the
//! standard's name for it goes out.

/// The service levels that the standard names (section "Service-level agreement"), with their short
/// names.
pub const NAMES: &[(&str, Option<&str>)] = &[
    ("availability", Some("av")),
    ("endOfLife", Some("el")),
    ("endOfSupport", Some("es")),
    ("errorRate", Some("er")),
    ("frequency", Some("fy")),
    ("generalAvailability", Some("ga")),
    ("latency", Some("ly")),
    ("retention", Some("re")),
    ("throughput", Some("th")),
    ("timeOfAvailability", None),
    ("timeToDetect", Some("td")),
    ("timeToNotify", Some("tn")),
    ("timeToRepair", Some("tr")),
];

/// What people call a service level, and what it is in the standard. It is read as that.
const OTHER_NAMES: &[(&str, &str)] = &[("freshness", "latency")];

/// The name of the service level that the standard calls by `word`, long or short, in any case.
pub fn named(word: &str) -> Option<&'static str> {
    let is_word = |name: &str| name.eq_ignore_ascii_case(word);
    NAMES
        .iter()
        .find(|(long, short)| is_word(long) || short.is_some_and(is_word))
        .map(|(long, _)| *long)
}

/// The name of the service level that people mean by `word`, which the standard does not have.
pub fn meant(word: &str) -> Option<&'static str> {
    OTHER_NAMES
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(word))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_short_and_other_names_lead_to_the_standards() {
        for (word, standard, other) in [
            ("latency", Some("latency"), None),
            ("LY", Some("latency"), None),
            ("EndOfLife", Some("endOfLife"), None),
            ("Freshness", None, Some("latency")),
            ("uptime", None, None),
            ("", None, None),
        ] {
            assert_eq!((named(word), meant(word)), (standard, other), "{word}");
        }
        for (_, name) in OTHER_NAMES {
            assert_eq!(named(name), Some(*name));
        }
    }
}
