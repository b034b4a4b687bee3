//! Dates and times as ISO 8601 writes them, as far as contracts use it.

/// What a text denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `2024-12-31`
    Date,
    /// `23:59:59`
    Time,
    /// `2024-12-31T23:59:59Z`
    Timestamp,
}

/// A date or time that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// What it is.
    pub(crate) form: Form,
    /// Nanoseconds since the year 0 or since midnight, in UTC where the text has an offset.
    nanoseconds: i128,
}

const NANOSECONDS: i128 = 1_000_000_000;

impl Moment {
    /// Reads a text; `None` where it is no date and no time, or one that no calendar has.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(time) = time(text) {
            return Some(Self {
                form: Form::Time,
                nanoseconds: time,
            });
        }
        let (day, rest) = text.split_at_checked(10)?;
        let midnight = date(day)? * 86_400 * NANOSECONDS;
        if rest.is_empty() {
            return Some(Self {
                form: Form::Date,
                nanoseconds: midnight,
            });
        }
        let rest = rest.strip_prefix(['T', 't', ' '])?;
        Some(Self {
            form: Form::Timestamp,
            nanoseconds: midnight + time(rest)?,
        })
    }

    /// Whether it comes after `other`; `None` where a day is compared with an hour.
    pub(crate) fn is_after(self, other: Self) -> Option<bool> {
        let comparable = (self.form == Form::Time) == (other.form == Form::Time);
        comparable.then_some(self.nanoseconds > other.nanoseconds)
    }
}

/// Days since the year 0 of `YYYY-MM-DD`.
fn date(text: &str) -> Option<i128> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let february = if leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = usize::try_from(month).ok()?.checked_sub(1)?;
    if day == 0 || day > *lengths.get(before)? {
        return None;
    }
    let leap_days = match year {
        0 => 0,
        year => (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1,
    };
    Some(year * 365 + leap_days + lengths[..before].iter().sum::<i128>() + day)
}

/// Nanoseconds since midnight UTC of `HH:MM[:SS[.fraction]]` with an optional offset.
fn time(text: &str) -> Option<i128> {
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(zone);
    let mut parts = clock.trim_end().splitn(3, ':');
    let hours = digits(parts.next()?, 2)?;
    let minutes = digits(parts.next()?, 2)?;
    let (seconds, fraction) = match parts.next() {
        Some(seconds) => match seconds.split_once(['.', ',']) {
            Some((seconds, fraction)) => (digits(seconds, 2)?, self::fraction(fraction)?),
            None => (digits(seconds, 2)?, 0),
        },
        None => (0, 0),
    };
    // 24:00 is the end of a day, and :60 a leap second.
    let exists = hours < 24 || (hours, minutes, seconds, fraction) == (24, 0, 0, 0);
    if !exists || minutes > 59 || seconds > 60 {
        return None;
    }
    let clock = (hours * 3600 + minutes * 60 + seconds) * NANOSECONDS + fraction;
    Some(clock - offset(zone)? * NANOSECONDS)
}

/// Nanoseconds of the digits after the point; digits beyond the ninth do not count.
fn fraction(text: &str) -> Option<i128> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let first = &text[..text.len().min(9)];
    format!("{first:0<9}").parse().ok()
}

/// Seconds east of UTC of nothing, `Z`, `+HH`, `+HHMM` or `+HH:MM`.
pub(crate) fn offset(text: &str) -> Option<i128> {
    if matches!(text, "" | "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match text.as_bytes()[0] {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, minutes) = match rest.len() {
        2 => (rest, "00"),
        4 => rest.split_at_checked(2)?,
        _ => rest.split_once(':')?,
    };
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours <= 18 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// The number that exactly so many digits write.
fn digits(text: &str, count: usize) -> Option<i128> {
    let all = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_calendar_has() {
        for (text, form) in [
            ("2024-02-29", Form::Date),
            ("2000-02-29", Form::Date),
            ("0000-01-01", Form::Date),
            ("23:59", Form::Time),
            ("24:00:00", Form::Time),
            ("08:00:00.123456789012", Form::Time),
            ("08:00:00+02:00", Form::Time),
            ("2024-12-31T23:59:60Z", Form::Timestamp),
            ("2024-12-31 23:59:59", Form::Timestamp),
            ("2024-12-31T00:00-0130", Form::Timestamp),
        ] {
            assert_eq!(Moment::parse(text).unwrap().form, form, "{text}");
        }
        for text in [
            "",
            "soon",
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-01",
            "2024-01-00",
            "2024-1-1",
            "01/02/2024",
            "24:00:01",
            "12:60",
            "2024-12-31T",
            "2024-12-31TZ",
            "2024-12-31T10:00+",
            "2024-12-31T10:00+2:00",
            "2024-12-31T10:00:00.",
            "2024-12-31x10:00",
            "日本日本日本",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }

    #[test]
    fn moments_are_in_order() {
        let after = |left: &str, right: &str| {
            let (left, right) = (Moment::parse(left).unwrap(), Moment::parse(right).unwrap());
            left.is_after(right)
        };
        for ordered in [
            ["2023-12-31", "2024-01-01"],
            ["2024-02-29", "2024-03-01"],
            ["0000-12-31", "0001-01-01"],
            ["2024-01-01", "2024-01-01T00:00:01"],
            ["2024-01-01T10:00:00+02:00", "2024-01-01T09:00:00Z"],
            ["08:00:00.1", "08:00:00.11"],
        ] {
            assert_eq!(after(ordered[1], ordered[0]), Some(true), "{ordered:?}");
            assert_eq!(after(ordered[0], ordered[1]), Some(false), "{ordered:?}");
        }
        assert_eq!(after("08:00", "2024-01-01"), None);
    }
}
