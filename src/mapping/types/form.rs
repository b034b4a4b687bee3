//! Forms: what a value is, apart from any dialect. Physical types, logical types and allowed values
//! come in, a [`Form`] goes out, which every adapter has a word for.

use super::TimestampRule;
use crate::dbt::adapter::Adapter;
use crate::dbt::types::{self, Meaning, Scalar as SqlScalar, SqlType};
use crate::document::Scalar;
use crate::odcs::{LogicalType, Property};

/// A value without parts, whatever dialect it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Integer { bits: u8, signed: bool },
    Decimal { precision: u32, scale: u32 },
    Number,
    Float32,
    Float64,
    Boolean,
    Text { length: Option<u32> },
    Uuid,
    Binary,
    Date,
    Time { aware: bool },
    Timestamp { aware: bool },
    Document,
    Vector { dimensions: Option<u32> },
}

/// The dialects to which all words for whole numbers are one type: they say nothing of a width.
const ONE_INTEGER: &[Adapter] = &[
    Adapter::BigQuery,
    Adapter::Oracle,
    Adapter::Snowflake,
    Adapter::Sqlite,
];

impl Form {
    /// The form of a type of some dialect, unless it is one that only that dialect has.
    pub(super) fn of(scalar: &SqlScalar) -> Option<Self> {
        if let Some((precision, scale)) = scalar.default_decimal() {
            return Some(Self::Decimal {
                precision: precision.into(),
                scale: scale.into(),
            });
        }
        let numbers = scalar.numbers();
        Some(match scalar.meaning {
            Meaning::Integer { bits, signed } => Self::Integer { bits, signed },
            Meaning::Decimal | Meaning::RoundingDecimal { .. } => match numbers[..] {
                [] => Self::Number,
                [precision] => Self::Decimal {
                    precision,
                    scale: 0,
                },
                [precision, scale, ..] => Self::Decimal { precision, scale },
            },
            Meaning::FixedDecimal { precision, scale } => Self::Decimal {
                precision: precision.into(),
                scale: scale.into(),
            },
            Meaning::Float32 => Self::Float32,
            Meaning::Float64 => Self::Float64,
            Meaning::Boolean => Self::Boolean,
            Meaning::Text => Self::Text {
                length: numbers.first().copied(),
            },
            Meaning::Uuid => Self::Uuid,
            Meaning::Binary => Self::Binary,
            Meaning::Date => Self::Date,
            Meaning::Time { aware } => Self::Time { aware },
            Meaning::Timestamp { aware } => Self::Timestamp { aware },
            Meaning::Document => Self::Document,
            Meaning::Vector => Self::Vector {
                dimensions: numbers.first().copied(),
            },
            Meaning::Other => return None,
        })
    }

    /// The form of a logical type with its options, unless it has parts.
    pub(super) fn logical(property: &Property, timestamp: TimestampRule) -> Option<Self> {
        let options = &property.options;
        let format = options.format.as_ref().map_or("", |format| format.as_str());
        Some(match property.logical()? {
            LogicalType::String => match format {
                "uuid" => Self::Uuid,
                "binary" | "byte" => Self::Binary,
                _ => Self::Text { length: None },
            },
            LogicalType::Integer => integer(format).unwrap_or(Self::Integer {
                bits: 32,
                signed: true,
            }),
            LogicalType::Number => match format {
                "f32" => Self::Float32,
                "f64" => Self::Float64,
                _ => Self::Number,
            },
            LogicalType::Boolean => Self::Boolean,
            LogicalType::Date => Self::Date,
            LogicalType::Time => Self::Time {
                aware: options.timezone.unwrap_or(false),
            },
            LogicalType::Timestamp => Self::Timestamp {
                aware: options
                    .timezone
                    .unwrap_or(timestamp == TimestampRule::Aware),
            },
            LogicalType::Vector => Self::Vector {
                dimensions: options
                    .dimensions
                    .and_then(|dimensions| dimensions.try_into().ok()),
            },
            LogicalType::Object | LogicalType::Array | LogicalType::Map => return None,
        })
    }

    /// The form that a type has in every dialect that knows it, if there is just one. Of several
    /// widths of whole numbers it is the one that holds them all, up to 64 bits.
    pub(super) fn anywhere(text: &str) -> Option<Self> {
        let known = Adapter::ALL
            .iter()
            .filter_map(|(dialect, _)| Some((*dialect, types::parse(*dialect, text)?)));
        let forms = known.map(|(dialect, parsed)| match parsed {
            // To what it would be rounded nobody says.
            SqlType::Scalar(scalar) if scalar.default_decimal().is_some() => {
                Some((dialect, Self::Number))
            }
            SqlType::Scalar(scalar) => Some((dialect, Self::of(&scalar)?)),
            _ => None,
        });
        let mut forms: Vec<(Adapter, Self)> = forms.collect::<Option<_>>()?;
        let has_widths = |(dialect, _): &(Adapter, Self)| !ONE_INTEGER.contains(dialect);
        if forms.iter().any(has_widths) {
            forms.retain(has_widths);
        }
        let mut forms = forms.into_iter().map(|(_, form)| form);
        let first = forms.next()?;
        forms.try_fold(first, |all, form| match (all, form) {
            (all, form) if all == form => Some(all),
            (
                Self::Integer { bits, signed },
                Self::Integer {
                    bits: others,
                    signed: also,
                },
            ) => Some(Self::Integer {
                bits: match (signed, also) {
                    (true, false) if others >= bits => (others * 2).min(64),
                    (false, true) if bits >= others => (bits * 2).min(64),
                    _ => bits.max(others),
                },
                signed: signed || also,
            }),
            _ => None,
        })
    }

    /// Whether a physical type says the same as the logical type, and may say more.
    pub(super) fn refines(self, logical: LogicalType) -> bool {
        match logical {
            LogicalType::String => matches!(self, Self::Text { .. } | Self::Uuid | Self::Binary),
            LogicalType::Integer => {
                matches!(self, Self::Integer { .. } | Self::Decimal { scale: 0, .. })
            }
            LogicalType::Number => matches!(
                self,
                Self::Integer { .. }
                    | Self::Decimal { .. }
                    | Self::Number
                    | Self::Float32
                    | Self::Float64
            ),
            LogicalType::Boolean => self == Self::Boolean,
            LogicalType::Date => self == Self::Date,
            LogicalType::Time => matches!(self, Self::Time { .. }),
            LogicalType::Timestamp => matches!(self, Self::Timestamp { .. }),
            LogicalType::Vector => matches!(self, Self::Vector { .. }),
            // Some tools import bytes as an array.
            LogicalType::Array => matches!(self, Self::Document | Self::Binary),
            LogicalType::Object | LogicalType::Map => self == Self::Document,
        }
    }
}

/// The form of the format of an integer, `i8` to `u128`.
pub(super) fn integer(format: &str) -> Option<Form> {
    let (signed, bits) = match format.strip_prefix('i') {
        Some(bits) => (true, bits),
        None => (false, format.strip_prefix('u')?),
    };
    let bits = bits.parse().ok()?;
    matches!(bits, 8 | 16 | 32 | 64 | 128).then_some(Form::Integer { bits, signed })
}

/// The form that all allowed values have: text, or whole numbers as wide as the widest.
pub(super) fn allowed_values(property: &Property) -> Option<Form> {
    let values = || {
        property
            .enum_values
            .iter()
            .map(|allowed| &allowed.value.value)
    };
    if property.enum_values.is_empty() {
        return None;
    }
    if values().all(|value| matches!(value, Scalar::Text(_))) {
        return Some(Form::Text { length: None });
    }
    let mut bits = 32;
    for value in values() {
        let Scalar::Int(number) = value else {
            return None;
        };
        bits = bits.max(if i32::try_from(*number).is_ok() {
            32
        } else if i64::try_from(*number).is_ok() {
            64
        } else {
            128
        });
    }
    Some(Form::Integer { bits, signed: true })
}
