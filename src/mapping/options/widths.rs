//! The bounds that the `format` of a whole number sets, such as `u8`: a property comes in, the least
//! and the greatest value go out, unless its type holds no others anyway.

use crate::dbt::adapter::Adapter;
use crate::dbt::types::{self, Meaning, SqlType};
use crate::mapping::names::Relation;
use crate::mapping::scope::Subject;
use crate::odcs::{LogicalType, Property};

/// The widths that contracts name and that numbers may exceed in practice, with their bounds.
#[rustfmt::skip]
const WIDTHS: &[(&str, i128, i128)] = &[
    ("i8",  -128, 127),
    ("i16", -32_768, 32_767),
    ("i32", -2_147_483_648, 2_147_483_647),
    ("i64", -9_223_372_036_854_775_808, 9_223_372_036_854_775_807),
    ("u8",  0, 255),
    ("u16", 0, 65_535),
    ("u32", 0, 4_294_967_295),
    ("u64", 0, 18_446_744_073_709_551_615),
];

/// The least and the greatest value of a property by the width that it states. What a contract says
/// that a source stores needs no test, nor does what a model casts to.
pub(super) fn bounds(
    subject: &Subject<'_>,
    property: &Property,
    data_type: Option<&str>,
) -> Option<(i128, i128)> {
    if property.logical() != Some(LogicalType::Integer) {
        return None;
    }
    let word = property.options.format.as_ref()?.value.to_lowercase();
    let (_, low, high) = WIDTHS.iter().find(|(known, ..)| *known == word)?;
    let is_source = matches!(subject.relation, Relation::Source { .. });
    let is_known = !is_source || property.physical_type.is_some();
    let held = data_type
        .filter(|_| is_known)
        .and_then(|data_type| range(subject.scope.input.adapter, data_type));
    let is_held = held.is_some_and(|(least, greatest)| *low <= least && greatest <= *high);
    (!is_held).then_some((*low, *high))
}

/// The least and the greatest value of a type, where the warehouse has whole numbers of that width.
fn range(adapter: Adapter, data_type: &str) -> Option<(i128, i128)> {
    let SqlType::Scalar(scalar) = types::parse(adapter, data_type)? else {
        return None;
    };
    let Meaning::Integer { bits, signed } = scalar.meaning else {
        return None;
    };
    let (bits, signed) = match adapter {
        // Whatever the word for it, it is the one type of whole numbers.
        Adapter::BigQuery | Adapter::Sqlite => (64, true),
        adapter if !types::has_integer_widths(adapter) => return None,
        _ => (bits, signed),
    };
    let values = 1_i128.checked_shl(bits.into()).filter(|_| bits < 127)?;
    Some(if signed {
        (-(values / 2), values / 2 - 1)
    } else {
        (0, values - 1)
    })
}
