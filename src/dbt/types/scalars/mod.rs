//! The types of each dialect that hold no other type, and how one is looked up by its words.
//!
//! The rows of a dialect stand in [`dialects`]. A row is the preferred spelling, the other ones,
//! what parameters it takes and what its values are. In a spelling, `%` stands where parameters
//! may be; without one they follow the last word. Parameters that are part of the name are spelled
//! out, as in MySQL's `tinyint(1)`.

mod dialects;

use crate::dbt::adapter::Adapter;

/// What the values of a type are, across dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meaning {
    /// Whole numbers of that many bits.
    Integer {
        /// 8 to 128.
        bits: u8,
        /// Whether they may be negative.
        signed: bool,
    },
    /// Exact fractions; without precision the type keeps them.
    Decimal,
    /// Exact fractions of a precision and scale that go without saying.
    FixedDecimal {
        /// Digits.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// Exact fractions; without precision the type rounds them to the dialect's own.
    RoundingDecimal {
        /// Digits, where none are stated.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// IEEE 754, 32 bits.
    Float32,
    /// IEEE 754, 64 bits.
    Float64,
    /// True or false.
    Boolean,
    /// Text.
    Text,
    /// Bytes.
    Binary,
    /// A UUID in a type of its own.
    Uuid,
    /// A day.
    Date,
    /// A time of day.
    Time {
        /// Whether the type knows a time zone.
        aware: bool,
    },
    /// A day and time; an instant where it is aware of a time zone.
    Timestamp {
        /// Whether the type knows a time zone.
        aware: bool,
    },
    /// Parts that the type does not name: JSON and its like.
    Document,
    /// Numbers of one kind, as many as the parameters say.
    Vector,
    /// What only this dialect has.
    Other,
}

/// What may stand in the brackets after a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameters {
    /// Nothing.
    None,
    /// A length up to the number, if any.
    Length(u32),
    /// A length, without which the type is not complete.
    LengthNeeded(u32),
    /// A length or `max`.
    LengthOrMax(u32),
    /// A length in Oracle's `char` or `byte`, without which the type is not complete.
    CharLength(u32),
    /// Precision up to the number, and a scale.
    Decimal(u32),
    /// Digits of a second's fraction.
    Fraction(u32),
    /// Whatever the warehouse makes of it.
    Any,
    /// The same, but not nothing.
    AnyNeeded,
}

impl Parameters {
    /// Whether these parameters may stand there.
    fn accept(self, parameters: Option<&[String]>) -> bool {
        let Some(parameters) = parameters else {
            return !matches!(
                self,
                Self::LengthNeeded(_) | Self::CharLength(_) | Self::AnyNeeded
            );
        };
        let number = |text: &str, range: std::ops::RangeInclusive<u32>| {
            text.parse().is_ok_and(|number| range.contains(&number))
        };
        match (self, parameters) {
            (Self::Any | Self::AnyNeeded, _) => true,
            (Self::Length(most) | Self::LengthNeeded(most), [length]) => number(length, 1..=most),
            (Self::LengthOrMax(most), [length]) => {
                length.eq_ignore_ascii_case("max") || number(length, 1..=most)
            }
            (Self::CharLength(most), [length]) => {
                let (length, unit) = length.split_once(' ').unwrap_or((length, "byte"));
                let known = ["char", "byte"]
                    .iter()
                    .any(|word| unit.eq_ignore_ascii_case(word));
                known && number(length, 1..=most)
            }
            (Self::Fraction(most), [digits]) => number(digits, 0..=most),
            (Self::Decimal(most), [precision]) => number(precision, 1..=most),
            (Self::Decimal(most), [precision, scale]) => match precision.parse() {
                Ok(precision) if (1..=most).contains(&precision) => number(scale, 0..=precision),
                _ => false,
            },
            _ => false,
        }
    }
}

/// One type of a dialect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The preferred spelling.
    pub(super) pattern: &'static str,
    /// Other spellings.
    pub(super) others: &'static [&'static str],
    /// What parameters it takes.
    pub(super) parameters: Parameters,
    /// What its values are.
    pub(super) meaning: Meaning,
}

/// Words in lower case, each with the parameters right after it.
pub(super) type Words = [(String, Option<Vec<String>>)];

/// The row of a type's words in the adapter's dialect, with the parameters of each `%` of its
/// preferred spelling.
pub(super) fn find(adapter: Adapter, words: &Words) -> Option<(&'static Row, Vec<Vec<String>>)> {
    dialects::rows(adapter).iter().find_map(|row| {
        std::iter::once(&row.pattern)
            .chain(row.others)
            .find_map(|spelling| row.read(spelling, words))
            .map(|groups| (row, groups))
    })
}

/// Every spelling of a dialect.
#[cfg(test)]
pub(super) fn spellings(adapter: Adapter) -> impl Iterator<Item = &'static str> {
    let rows = dialects::rows(adapter).iter();
    rows.flat_map(|row| std::iter::once(row.pattern).chain(row.others.iter().copied()))
}

impl Row {
    /// The parameters at each `%` of the preferred spelling, if the words are the given spelling.
    fn read(&self, spelling: &str, words: &Words) -> Option<Vec<Vec<String>>> {
        // Few spellings start with the word, and only they are taken apart.
        let (first, _) = words.first()?;
        let start = spelling.get(..first.len())?;
        if !start.eq_ignore_ascii_case(first) {
            return None;
        }
        let count = spelling.split(' ').count();
        if count != words.len() {
            return None;
        }
        // Parameters that are part of the name leave no room for others.
        let implied = !spelling.contains(['%', '(']) && self.parameters != Parameters::None;
        let mut groups = Vec::new();
        for (index, (expected, (word, parameters))) in spelling.split(' ').zip(words).enumerate() {
            let open = expected.strip_suffix('%');
            if open.is_none() && !(implied && index + 1 == count) {
                let written = match parameters {
                    Some(parameters) => format!("{word}({})", parameters.join(",")),
                    None => word.clone(),
                };
                if !written.eq_ignore_ascii_case(expected) {
                    return None;
                }
                continue;
            }
            if !word.eq_ignore_ascii_case(open.unwrap_or(expected))
                || !self.parameters.accept(parameters.as_deref())
            {
                return None;
            }
            groups.push(parameters.clone().unwrap_or_default());
        }
        let places = self.pattern.matches('%').count();
        groups.resize(places, Vec::new());
        Some(groups)
    }
}
