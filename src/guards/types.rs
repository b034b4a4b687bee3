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
            if is_of(&observed, *logical) || is_unstated_number(&observed, *logical) {
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

/// Whether a decimal type that leaves its digits open may hold whole numbers.
fn is_unstated_number(observed: &SqlType, logical: LogicalType) -> bool {
    let SqlType::Scalar(scalar) = observed else {
        return false;
    };
    logical == LogicalType::Integer && is_open_decimal(scalar)
}

/// Whether a type is a decimal one that leaves its digits open.
fn is_open_decimal(scalar: &Scalar) -> bool {
    let is_decimal = matches!(
        scalar.meaning,
        Meaning::Decimal | Meaning::RoundingDecimal { .. }
    );
    is_decimal && !scalar.has_parameters()
}

/// Compares two types of one dialect.
fn alike(expected: &SqlType, observed: &SqlType) -> Likeness {
    match (bare(expected), bare(observed)) {
        (SqlType::Scalar(expected), SqlType::Scalar(observed)) => scalars(expected, observed),
        (
            SqlType::Array { items, length },
            SqlType::Array {
                items: others,
                length: other,
            },
        ) if length == other || length.is_none() || other.is_none() => alike(items, others),
        (SqlType::Struct(fields), SqlType::Struct(others)) => {
            let pairs = fields.iter().zip(others);
            let mut likeness = if fields.len() == others.len() {
                Likeness::Same
            } else {
                Likeness::Other
            };
            for ((name, field), (other, observed)) in pairs {
                let named = name.eq_ignore_ascii_case(other);
                let field = if named {
                    alike(field, observed)
                } else {
                    Likeness::Other
                };
                likeness = worse(likeness, field);
            }
            likeness
        }
        (SqlType::Map(parts), SqlType::Map(others)) => {
            worse(alike(&parts.0, &others.0), alike(&parts.1, &others.1))
        }
        (one, other) if one == other => Likeness::Same,
        _ => Likeness::Other,
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

/// The one that differs more.
fn worse(one: Likeness, other: Likeness) -> Likeness {
    match (one, other) {
        (Likeness::Same, other) => other,
        (one, Likeness::Same) => one,
        (Likeness::Wider, Likeness::Wider) => Likeness::Wider,
        _ => Likeness::Other,
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
        (Meaning::Integer { bits, .. }, _) => {
            digits(observed).is_some_and(|(whole, _)| whole >= digits_of_integer(bits))
        }
        _ => match (digits(expected), digits(observed)) {
            (Some((whole, fraction)), Some((observed, observed_fraction))) => {
                observed >= whole && observed_fraction >= fraction
            }
            _ => false,
        },
    }
}

/// The digits that whole numbers of so many bits may have.
fn digits_of_integer(bits: u8) -> u32 {
    match bits {
        ..=8 => 3,
        9..=16 => 5,
        17..=32 => 10,
        33..=64 => 20,
        _ => 39,
    }
}

/// The digits of a decimal type before and after the point, where it states them.
fn digits(scalar: &Scalar) -> Option<(u32, u32)> {
    match scalar.meaning {
        Meaning::Decimal | Meaning::RoundingDecimal { .. } => match scalar.numbers()[..] {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Adapter, the contract's type, the observed type, how they compare.
    const CASES: &[(Adapter, &str, &str, Likeness)] = &[
        (Adapter::DuckDb, "BIGINT", "int8", Likeness::Same),
        (Adapter::DuckDb, "VARCHAR", "varchar(20)", Likeness::Same),
        (Adapter::DuckDb, "VARCHAR", "text", Likeness::Same),
        (Adapter::DuckDb, "BIGINT", "HUGEINT", Likeness::Wider),
        (Adapter::DuckDb, "INTEGER", "BIGINT", Likeness::Wider),
        (Adapter::DuckDb, "BIGINT", "INTEGER", Likeness::Other),
        (Adapter::DuckDb, "BIGINT", "UBIGINT", Likeness::Other),
        (Adapter::DuckDb, "UINTEGER", "BIGINT", Likeness::Wider),
        (Adapter::DuckDb, "BIGINT", "VARCHAR", Likeness::Other),
        (Adapter::DuckDb, "DATE", "TIMESTAMP", Likeness::Other),
        (
            Adapter::DuckDb,
            "TIMESTAMP",
            "TIMESTAMP WITH TIME ZONE",
            Likeness::Other,
        ),
        (
            Adapter::DuckDb,
            "DECIMAL(10,2)",
            "decimal(10, 2)",
            Likeness::Same,
        ),
        (
            Adapter::DuckDb,
            "DECIMAL(10,2)",
            "DECIMAL(12,2)",
            Likeness::Wider,
        ),
        (
            Adapter::DuckDb,
            "DECIMAL(10,2)",
            "DECIMAL(12,4)",
            Likeness::Wider,
        ),
        (
            Adapter::DuckDb,
            "DECIMAL(10,2)",
            "DECIMAL(10,4)",
            Likeness::Other,
        ),
        (Adapter::DuckDb, "INTEGER", "DECIMAL(10,0)", Likeness::Wider),
        (Adapter::DuckDb, "INTEGER", "DOUBLE", Likeness::Wider),
        (Adapter::DuckDb, "BIGINT", "DOUBLE", Likeness::Other),
        (Adapter::DuckDb, "INTEGER[]", "BIGINT[]", Likeness::Wider),
        (
            Adapter::DuckDb,
            "STRUCT(a INTEGER)",
            "STRUCT(a INTEGER, b INTEGER)",
            Likeness::Other,
        ),
        (Adapter::DuckDb, "BIGINT", "MONEY", Likeness::Unknown),
        (
            Adapter::Postgres,
            "varchar(20)",
            "character varying",
            Likeness::Same,
        ),
        (
            Adapter::Postgres,
            "varchar(20)",
            "character varying(40)",
            Likeness::Wider,
        ),
        (
            Adapter::Postgres,
            "varchar(20)",
            "character varying(10)",
            Likeness::Other,
        ),
        (Adapter::Postgres, "varchar(20)", "text", Likeness::Wider),
        (Adapter::Postgres, "text", "varchar(20)", Likeness::Other),
        (Adapter::Snowflake, "NUMBER(38,0)", "NUMBER", Likeness::Same),
        (
            Adapter::Snowflake,
            "NUMBER(38,0)",
            "NUMBER(12,2)",
            Likeness::Other,
        ),
        (Adapter::Snowflake, "NUMBER(10,2)", "NUMBER", Likeness::Same),
        (Adapter::Snowflake, "VARCHAR", "TEXT", Likeness::Same),
        (Adapter::BigQuery, "INT64", "INTEGER", Likeness::Same),
        (
            Adapter::ClickHouse,
            "Nullable(Int64)",
            "Int64",
            Likeness::Same,
        ),
    ];

    #[test]
    fn types_compare_in_the_dialect() {
        for (adapter, expected, observed, likeness) in CASES {
            let stated = ColumnType::Exact((*expected).to_owned());
            assert_eq!(
                compare(*adapter, &stated, observed),
                *likeness,
                "{adapter:?}: {expected} and {observed}"
            );
        }
    }

    #[test]
    fn a_logical_type_leaves_the_width_open() {
        for (logical, observed, likeness) in [
            (LogicalType::Integer, "BIGINT", Likeness::Same),
            (LogicalType::Integer, "SMALLINT", Likeness::Same),
            (LogicalType::Integer, "DECIMAL", Likeness::Same),
            (LogicalType::Integer, "VARCHAR", Likeness::Other),
            (LogicalType::Number, "DECIMAL(12,2)", Likeness::Same),
            (LogicalType::Timestamp, "DATE", Likeness::Other),
            (LogicalType::String, "VARCHAR", Likeness::Same),
        ] {
            let expected = ColumnType::Logical(logical);
            let compared = compare(Adapter::DuckDb, &expected, observed);
            assert_eq!(compared, likeness, "{logical:?} and {observed}");
        }
    }
}
