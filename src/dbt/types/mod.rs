//! SQL types: text comes in, a [`SqlType`] of the adapter's dialect goes out, and back into the
//! one spelling that the dialect's documentation prefers.
//!
//! `scalars` holds the types of every dialect with their other spellings, `nesting` how arrays,
//! structs and maps are written, `parse` reads the grammar that they share.

mod nesting;
mod parse;
mod scalars;
#[cfg(test)]
mod tests;

use super::adapter::Adapter;

pub use nesting::{array_of, map_of, struct_of};
pub use parse::parse;
pub use scalars::Meaning;

/// Whether whole numbers of a warehouse are as wide as the words for their types say: in some all have
/// 38 digits.
pub fn has_integer_widths(adapter: Adapter) -> bool {
    !matches!(adapter, Adapter::Oracle | Adapter::Snowflake)
}

/// A type of one dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SqlType {
    /// A type without types inside.
    Scalar(Scalar),
    /// A list of one type.
    Array {
        /// The type of the items.
        items: Box<SqlType>,
        /// How many there are, where the type says so.
        length: Option<u32>,
    },
    /// Named fields in order.
    Struct(Vec<(String, SqlType)>),
    /// Key and value.
    Map(Box<(SqlType, SqlType)>),
    /// A type that says something about one other, such as ClickHouse's `Nullable`.
    Wrapped {
        /// The dialect's word.
        word: &'static str,
        /// The type inside.
        inner: Box<SqlType>,
    },
}

/// A type without types inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The preferred spelling; a `%` stands where parameters may be.
    pattern: &'static str,
    /// The parameters of each `%` in order, empty where the type has none there.
    parameters: Vec<Vec<String>>,
    /// What values it holds.
    pub meaning: Meaning,
}

impl Scalar {
    /// The numbers among the first parameters: the length, or precision and scale.
    pub fn numbers(&self) -> Vec<u32> {
        let first = self.parameters.iter().find(|group| !group.is_empty());
        first.map_or_else(Vec::new, |group| {
            group
                .iter()
                .filter_map(|parameter| match parameter.split(' ').next()? {
                    // Oracle: the greatest precision.
                    "*" => Some(38),
                    number => number.parse().ok(),
                })
                .collect()
        })
    }

    /// Whether two types are the same but for their parameters.
    pub fn is_named_like(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }

    /// Whether the dialect keeps whole numbers in it, and it is a decimal type.
    pub fn is_whole_decimal(&self) -> bool {
        matches!(self.meaning, Meaning::Integer { .. }) && self.pattern.contains('(')
    }

    /// The precision and scale of a decimal type that states none, where the dialect rounds to them.
    pub fn default_decimal(&self) -> Option<(u8, u8)> {
        match self.meaning {
            Meaning::RoundingDecimal { precision, scale } if !self.has_parameters() => {
                Some((precision, scale))
            }
            _ => None,
        }
    }

    /// The digits of a decimal type before and after the point, where it states them.
    pub fn decimal_digits(&self) -> Option<(u32, u32)> {
        match self.meaning {
            Meaning::Decimal | Meaning::RoundingDecimal { .. } => match self.numbers()[..] {
                [precision] => Some((precision, 0)),
                [precision, scale, ..] => Some((precision.checked_sub(scale)?, scale)),
                [] => None,
            },
            Meaning::FixedDecimal { precision, scale } => Some((
                u32::from(precision).checked_sub(scale.into())?,
                scale.into(),
            )),
            _ => None,
        }
    }

    /// The digits before and after the point that a decimal type needs to hold its values.
    pub fn digits_needed(&self) -> Option<(u32, u32)> {
        match self.meaning {
            Meaning::Integer { bits, .. } => Some((
                match bits {
                    ..=8 => 3,
                    9..=16 => 5,
                    17..=32 => 10,
                    33..=64 => 20,
                    _ => 39,
                },
                0,
            )),
            _ => self.decimal_digits(),
        }
    }

    /// Whether it has parameters at all.
    pub fn has_parameters(&self) -> bool {
        self.parameters.iter().any(|group| !group.is_empty())
    }
}

impl SqlType {
    /// The preferred spelling in the adapter's dialect, of which the type is.
    pub fn render(&self, adapter: Adapter) -> String {
        match self {
            Self::Scalar(scalar) => render_scalar(adapter, scalar),
            Self::Array { items, length } => {
                let items = items.render(adapter);
                array_of(adapter, &items, *length).unwrap_or(items)
            }
            Self::Struct(fields) => {
                let fields: Vec<(String, String)> = fields
                    .iter()
                    .map(|(name, field)| (name.clone(), field.render(adapter)))
                    .collect();
                struct_of(adapter, &fields).unwrap_or_default()
            }
            Self::Map(parts) => {
                let (key, value) = (parts.0.render(adapter), parts.1.render(adapter));
                map_of(adapter, &key, &value).unwrap_or_default()
            }
            Self::Wrapped { word, inner } => nesting::wrap(adapter, word, &inner.render(adapter)),
        }
    }
}

/// Puts the parameters where the pattern has a `%`.
fn render_scalar(adapter: Adapter, scalar: &Scalar) -> String {
    let separator = if adapter == Adapter::ClickHouse {
        ", "
    } else {
        ","
    };
    let mut groups = scalar.parameters.iter();
    let mut text = String::new();
    for (index, part) in scalar.pattern.split('%').enumerate() {
        if index > 0
            && let Some(group) = groups.next().filter(|group| !group.is_empty())
        {
            text.push('(');
            text.push_str(&group.join(separator));
            text.push(')');
        }
        text.push_str(part);
    }
    text
}

/// The preferred spelling of a type, or nothing where the dialect has no such type: other names
/// for a type, case and blanks are evened out, its parameters stay.
pub fn normalize(adapter: Adapter, text: &str) -> Option<String> {
    parse(adapter, text).map(|parsed| parsed.render(adapter))
}

/// Every spelling of the types of a dialect that hold no other type.
#[cfg(test)]
pub fn spellings(adapter: Adapter) -> Vec<String> {
    let words = scalars::spellings(adapter);
    words.map(|word| word.replace('%', "")).collect()
}

/// Whether a preferred spelling is a decimal type without precision whose default scale would
/// round fractions or drop them.
pub fn is_parameterless_decimal(adapter: Adapter, normalized: &str) -> bool {
    match parse(adapter, normalized) {
        Some(SqlType::Scalar(scalar)) => scalar.default_decimal().is_some(),
        _ => false,
    }
}
