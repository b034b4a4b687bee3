//! What a contract says of a column's type, and an observed type: how they compare in the dialect of
//! the adapter goes out. Other names for a type, case, blanks and what only one of both states make
//! no difference.

use crate::dbt::adapter::Adapter;
use crate::dbt::types::{self, Meaning, Scalar, SqlType};
use crate::mapping::shapes::ColumnType;
use crate::mapping::types::is_of;
use crate::odcs::LogicalType;

/// How an observed type compares with the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// It is the same, or the contract says nothing of it.
    Same,
    /// It holds every value of the contract's type, unchanged, and more.
    Wider,
    /// It is another one.
    Other,
    /// The adapter has no type of that name, as far as is known here.
    Unknown,
}

/// Compares an observed type with the contract's.
pub fn compare(adapter: Adapter, expected: &ColumnType, observed: &str) -> Likeness {
    let parsed = types::parse(adapter, observed);
    match (expected, parsed) {
        (ColumnType::Any, _) => Likeness::Same,
        (ColumnType::Exact(expected), _) if same_words(expected, observed) => Likeness::Same,
        (_, None) => Likeness::Unknown,
        (ColumnType::Logical(logical), Some(observed)) => {
            if is_of(&observed, *logical) || is_unstated_number(adapter, &observed, *logical) {
                Likeness::Same
            } else {
                Likeness::Other
            }
        }
        (ColumnType::Exact(expected), Some(observed)) => match types::parse(adapter, expected) {
            Some(expected) => alike(&expected, &observed),
            None => Likeness::Unknown,
        },
    }
}

/// Whether two texts are the same but for case and blanks.
fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let text = text.split_whitespace().collect::<String>();
        text.to_lowercase()
    };
    words(one) == words(other)
}

/// Whether a decimal type that leaves its digits open may hold whole numbers; BigQuery's have digits
/// after the point all the same.
fn is_unstated_number(adapter: Adapter, observed: &SqlType, logical: LogicalType) -> bool {
    let SqlType::Scalar(scalar) = observed else {
        return false;
    };
    logical == LogicalType::Integer && adapter != Adapter::BigQuery && is_open_decimal(scalar)
}

/// Whether a type is a decimal one that leaves its digits open.
fn is_open_decimal(scalar: &Scalar) -> bool {
    let is_decimal = matches!(
        scalar.meaning,
        Meaning::Decimal | Meaning::RoundingDecimal { .. }
    );
    is_decimal && !scalar.has_parameters()
}

/// Compares two types of one dialect. Those that hold others are the same or not: how far they are
/// widened inside, no warehouse says in one word.
fn alike(expected: &SqlType, observed: &SqlType) -> Likeness {
    let (expected, observed) = (bare(expected), bare(observed));
    match (expected, observed) {
        (SqlType::Scalar(expected), SqlType::Scalar(observed)) => scalars(expected, observed),
        _ if is_same(expected, observed) => Likeness::Same,
        _ => Likeness::Other,
    }
}

/// Whether two types are the same down to what they hold.
fn is_same(expected: &SqlType, observed: &SqlType) -> bool {
    match (bare(expected), bare(observed)) {
        (SqlType::Scalar(expected), SqlType::Scalar(observed)) => {
            scalars(expected, observed) == Likeness::Same
        }
        (
            SqlType::Array { items, length },
            SqlType::Array {
                items: others,
                length: other,
            },
        ) => (length == other || length.is_none() || other.is_none()) && is_same(items, others),
        (SqlType::Struct(fields), SqlType::Struct(others)) => {
            let mut pairs = fields.iter().zip(others);
            fields.len() == others.len()
                && pairs.all(|((name, field), (other, observed))| {
                    name.eq_ignore_ascii_case(other) && is_same(field, observed)
                })
        }
        (SqlType::Map(parts), SqlType::Map(others)) => {
            is_same(&parts.0, &others.0) && is_same(&parts.1, &others.1)
        }
        (one, other) => one == other,
    }
}

/// The type without what says only that a value may be null, or how values are stored.
fn bare(sql_type: &SqlType) -> &SqlType {
    match sql_type {
        SqlType::Wrapped { word, inner } if ["Nullable", "LowCardinality"].contains(word) => {
            bare(inner)
        }
        other => other,
    }
}

/// Compares two types without types inside.
fn scalars(expected: &Scalar, observed: &Scalar) -> Likeness {
    if expected == observed {
        return Likeness::Same;
    }
    let unstated = !expected.has_parameters() || !observed.has_parameters();
    let named_alike = expected.is_named_like(observed)
        || expected.is_whole_decimal() && is_open_decimal(observed);
    if named_alike && unstated {
        return Likeness::Same;
    }
    if is_wider(expected, observed) {
        Likeness::Wider
    } else {
        Likeness::Other
    }
}

/// Whether a type holds every value of another one unchanged.
fn is_wider(expected: &Scalar, observed: &Scalar) -> bool {
    match (expected.meaning, observed.meaning) {
        (
            Meaning::Integer { bits, signed },
            Meaning::Integer {
                bits: observed,
                signed: negative,
            },
        ) => observed > bits && (negative || !signed),
        (Meaning::Integer { bits, .. }, Meaning::Float64) => bits <= 32,
        (Meaning::Integer { bits, .. }, Meaning::Float32) => bits <= 16,
        (Meaning::Float32, Meaning::Float64) => true,
        (Meaning::Text, Meaning::Text) => {
            let length = |scalar: &Scalar| scalar.numbers().first().copied();
            match (length(expected), length(observed)) {
                (Some(length), Some(observed)) => observed >= length,
                (_, None) => true,
                (None, Some(_)) => false,
            }
        }
        _ => match (expected.digits_needed(), observed.decimal_digits()) {
            (Some((whole, fraction)), Some((observed, observed_fraction))) => {
                observed >= whole && observed_fraction >= fraction
            }
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests;
