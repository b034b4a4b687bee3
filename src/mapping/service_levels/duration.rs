//! How long a service level allows: a value and a unit as contracts write them come in, and a whole
//! number of minutes, hours or days, which is all that dbt counts, goes out.

use std::sync::LazyLock;

use regex::Regex;

use crate::dbt::properties::Entries;
use crate::document::Scalar;

/// Seconds of the units of fixed length, with the words for them.
#[rustfmt::skip]
const UNITS: &[(u32, &[&str])] = &[
    (1,       &["s", "sec", "secs", "second", "seconds"]),
    (60,      &["min", "mins", "minute", "minutes"]),
    (3_600,   &["h", "hr", "hrs", "hour", "hours"]),
    (86_400,  &["d", "day", "days"]),
    (604_800, &["w", "wk", "wks", "week", "weeks"]),
];

/// What dbt counts in, longest first.
const PERIODS: &[(u32, &str)] = &[(86_400, "day"), (3_600, "hour"), (60, "minute")];

/// Longer than any promise, and shorter than what Python can count.
const LONGEST: f64 = 86_400.0 * 36_500.0;

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duration {
    /// All of it.
    pub(super) seconds: u64,
    count: u64,
    period: &'static str,
}

impl Duration {
    /// As dbt writes it.
    pub(super) fn entries(self) -> Entries {
        Entries::default()
            .with("count", i128::from(self.count))
            .with("period", self.period)
    }

    /// Both of them, in the shorter one's period.
    pub(super) fn plus(self, other: Self) -> Self {
        let length = |duration: Self| duration.seconds / duration.count.max(1);
        let shorter = if length(self) <= length(other) {
            self
        } else {
            other
        };
        let seconds = self.seconds + other.seconds;
        Self {
            seconds,
            count: seconds / length(shorter).max(1),
            period: shorter.period,
        }
    }

    /// The seconds in the longest of dbt's periods that is no longer than `unit` and divides them.
    fn new(seconds: f64, unit: u32) -> Result<Self, String> {
        if !seconds.is_finite() || seconds <= 0.0 {
            return Err("it is no length of time".to_owned());
        }
        if seconds > LONGEST {
            return Err("it is longer than a century".to_owned());
        }
        let whole = seconds.round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive and below the longest"
        )]
        let all = whole as u64;
        let found = PERIODS
            .iter()
            .find(|(length, _)| *length <= unit.max(60) && all.is_multiple_of(u64::from(*length)));
        match found {
            Some((length, period)) if (seconds - whole).abs() < 1e-6 => Ok(Self {
                seconds: all,
                count: all / u64::from(*length),
                period,
            }),
            _ => Err("dbt counts whole minutes".to_owned()),
        }
    }
}

/// A number with a unit.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*$"));

/// A duration of ISO 8601.
static ISO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^P(?:([0-9.]+)Y)?(?:([0-9.]+)M)?(?:([0-9.]+)W)?(?:([0-9.]+)D)?(?:T(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?)?$",
    )
});

fn pattern(text: &str) -> Regex {
    #[expect(
        clippy::unwrap_used,
        reason = "constant patterns, compiled by the tests"
    )]
    Regex::new(text).unwrap()
}

/// Reads a value with its unit, or says what is wrong with them.
pub(super) fn read(value: &Scalar, unit: Option<&str>) -> Result<Duration, String> {
    let text = value.to_string();
    let unit = unit.map(str::trim).filter(|unit| !unit.is_empty());
    if let Some(parts) = ISO.captures(text.trim()) {
        if parts.get(1).is_some() || parts.get(2).is_some() {
            return Err("months and years have no fixed length".to_owned());
        }
        let lengths = [(3, 604_800), (4, 86_400), (5, 3_600), (6, 60), (7, 1)];
        let mut seconds = 0.0;
        let mut shortest = u32::MAX;
        for (index, length) in lengths {
            let Some(part) = parts.get(index) else {
                continue;
            };
            let number: f64 = part
                .as_str()
                .parse()
                .map_err(|_| "it is no length of time")?;
            seconds += number * f64::from(length);
            shortest = length;
        }
        return Duration::new(seconds, shortest);
    }
    let Some(parts) = NUMBER.captures(&text) else {
        return Err(format!("`{text}` is no length of time"));
    };
    let number: f64 = parts[1].parse().map_err(|_| "it is no length of time")?;
    let own = Some(&parts[2]).filter(|own| !own.is_empty());
    let unit = match (own, unit) {
        (Some(own), Some(unit)) if seconds(own)? != seconds(unit)? => {
            return Err(format!("`{own}` and `{unit}` are two units"));
        }
        (Some(own), _) => own,
        (None, Some(unit)) => unit,
        (None, None) => return Err("it has no unit".to_owned()),
    };
    let length = seconds(unit)?;
    Duration::new(number * f64::from(length), length)
}

/// The seconds of a unit.
fn seconds(unit: &str) -> Result<u32, String> {
    let word = unit.to_lowercase();
    let known = UNITS
        .iter()
        .find(|(_, words)| words.contains(&word.as_str()));
    match (known, word.as_str()) {
        (Some((seconds, _)), _) => Ok(*seconds),
        (None, "m") => Err("`m` may be minutes or months".to_owned()),
        (None, "mo" | "mon" | "month" | "months" | "y" | "yr" | "yrs" | "year" | "years") => {
            Err("months and years have no fixed length".to_owned())
        }
        (None, _) => Err(format!("`{unit}` is no unit of time")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count period`, or what is wrong.
    fn shown(value: &str, unit: &str) -> String {
        let value = match (value.parse::<i128>(), value.parse::<f64>()) {
            (Ok(whole), _) => Scalar::Int(whole),
            (_, Ok(float)) => Scalar::Float(float),
            _ => Scalar::Text(value.to_owned()),
        };
        match read(&value, Some(unit)) {
            Ok(duration) => format!("{} {}", duration.count, duration.period),
            Err(reason) => format!("! {reason}"),
        }
    }

    #[test]
    fn lengths_of_time() {
        let cases = [
            ("24", "h", "24 hour"),
            ("24", "Hours", "24 hour"),
            ("4", "d", "4 day"),
            ("1.5", "d", "36 hour"),
            ("0.5", "h", "30 minute"),
            ("25h", "", "25 hour"),
            ("25 h", "hours", "25 hour"),
            ("2", "weeks", "14 day"),
            ("90", "min", "90 minute"),
            ("120", "s", "2 minute"),
            ("PT6H", "ISO", "6 hour"),
            ("PT24H", "", "24 hour"),
            ("P1D", "", "1 day"),
            ("P1DT12H", "", "36 hour"),
            ("P2W", "", "14 day"),
            ("PT1H30M", "", "90 minute"),
            ("90", "s", "! dbt counts whole minutes"),
            ("500ms", "", "! `ms` is no unit of time"),
            ("1", "", "! it has no unit"),
            ("1", "m", "! `m` may be minutes or months"),
            ("1", "y", "! months and years have no fixed length"),
            ("P1Y", "", "! months and years have no fixed length"),
            ("P1M", "", "! months and years have no fixed length"),
            ("24h", "d", "! `h` and `d` are two units"),
            ("0", "h", "! it is no length of time"),
            ("-1", "h", "! `-1` is no length of time"),
            ("P", "", "! it is no length of time"),
            ("PT1.2.3H", "", "! it is no length of time"),
            ("2", "fortnight", "! `fortnight` is no unit of time"),
            ("soon", "h", "! `soon` is no length of time"),
            ("999999999999", "d", "! it is longer than a century"),
        ];
        for (value, unit, expected) in cases {
            assert_eq!(shown(value, unit), expected, "{value} {unit}");
        }
    }
}
