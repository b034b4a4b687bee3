//! What the choice of a type leaves to say.

use std::fmt;

use crate::dbt::adapter::Adapter;

/// A remark on the type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeNote {
    /// Nothing states the precision of a number, so that an enforced type may round it.
    UnstatedPrecision,
    /// The physical type is none of its dialect; the logical type was used.
    UnknownPhysicalType {
        /// The physical type.
        text: String,
        /// The dialect that it was read in.
        dialect: Adapter,
        /// Whether the contract says that this is its dialect.
        stated: bool,
    },
    /// The physical type is of another dialect.
    Translated {
        /// The physical type.
        from: String,
        /// The type of the adapter.
        to: String,
    },
    /// The physical type is of another kind than the logical type, which was used.
    Contradicts {
        /// The physical type.
        physical: String,
        /// The dialect that it was read in.
        dialect: Adapter,
        /// The logical type.
        logical: String,
    },
    /// The physical type is one that only its own dialect has; the logical type was used.
    Untranslatable(String),
    /// The adapter has no type for it; says why.
    NotRepresentable(&'static str),
    /// The adapter's type does not keep every value; says what is lost.
    Lossy(&'static str),
    /// The property has neither a physical nor a logical type.
    Untyped,
    /// A remark on a part of a nested type.
    Part {
        /// The part's name; `items`, `key` and `value` for those without.
        name: String,
        /// The remark.
        note: Box<TypeNote>,
    },
}

impl fmt::Display for TypeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnstatedPrecision => f.write_str(
                "nothing states the precision of this number; give a `physicalType` such as `decimal(18,2)`",
            ),
            Self::UnknownPhysicalType { text, dialect, .. } => {
                write!(f, "`{text}` is no type of {}", dialect.as_str())
            }
            Self::Translated { from, to } => write!(f, "`{from}` is translated to `{to}`"),
            Self::Contradicts {
                physical,
                dialect,
                logical,
            } => {
                let dialect = dialect.as_str();
                write!(f, "`{physical}` of {dialect} is not what the logical type `{logical}` says")
            }
            Self::Untranslatable(text) => {
                write!(f, "the adapter has no type like `{text}`")
            }
            Self::NotRepresentable(why) | Self::Lossy(why) => f.write_str(why),
            Self::Untyped => f.write_str("the property has neither `logicalType` nor `physicalType`"),
            Self::Part { name, note } => write!(f, "`{name}`: {note}"),
        }
    }
}
