//! The logical type of a column: the type that dbt's YAML states comes in, what the standard calls it
//! goes out. The stated type itself is the contract's `physicalType`, to the letter.

use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Entries, Value};
use crate::dbt::types::{self, Meaning, SqlType};
use crate::document::ApiVersion;
use crate::odcs::LogicalType;

/// The first version of the standard with maps and vectors.
const MAPS: ApiVersion = ApiVersion::new(3, 2, 0);

/// What the standard calls a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Logical {
    /// `logicalType`.
    pub kind: LogicalType,
    /// `logicalTypeOptions`.
    pub options: Entries,
    /// `properties`, `items` or `map`.
    pub parts: Entries,
}

/// The logical type of a text in the adapter's dialect. Where the adapter is not known, what at least
/// four of five dialects that know the type agree on: `date` is a day everywhere but in Oracle.
pub fn logical(adapter: Option<Adapter>, version: ApiVersion, text: &str) -> Option<Logical> {
    let read = |adapter| of(adapter, version, &types::parse(adapter, text)?);
    if let Some(adapter) = adapter {
        return read(adapter);
    }
    let all: Vec<Logical> = Adapter::ALL
        .iter()
        .filter_map(|(adapter, _)| read(*adapter))
        .collect();
    let of_type = |kind| all.iter().filter(move |other| other.kind == kind);
    let mut common = all
        .iter()
        .find(|one| of_type(one.kind).count() * 5 >= all.len() * 4)?
        .clone();
    for other in of_type(common.kind) {
        if other.options != common.options {
            common.options = Entries::default();
        }
        if other.parts != common.parts {
            common.parts = Entries::default();
        }
    }
    Some(common)
}

/// The logical type of a type.
fn of(adapter: Adapter, version: ApiVersion, parsed: &SqlType) -> Option<Logical> {
    let part = |parsed: &SqlType| {
        let mut entries = Entries::default();
        if let Some(logical) = of(adapter, version, parsed) {
            logical.describe(&mut entries);
        }
        entries
    };
    let mut parts = Entries::default();
    let logical = match parsed {
        SqlType::Scalar(scalar) => {
            let mut logical = scalar_type(version, scalar.meaning, &scalar.numbers())?;
            if logical.kind == LogicalType::Integer && !types::has_integer_widths(adapter) {
                logical.options.remove("format");
            }
            return Some(logical);
        }
        // The standard has no word for a range.
        SqlType::Wrapped { word: "range", .. } => return None,
        SqlType::Wrapped { inner, .. } => return of(adapter, version, inner),
        SqlType::Array { items, .. } => {
            parts.set_map("items", part(items));
            LogicalType::Array
        }
        SqlType::Struct(fields) => {
            let fields = fields.iter().map(|(name, field)| {
                let mut entries = Entries::default().with("name", name.as_str());
                entries.set("physicalType", field.render(adapter));
                entries.extend(&part(field));
                Value::Map(entries)
            });
            parts.set("properties", Value::List(fields.collect()));
            LogicalType::Object
        }
        SqlType::Map(pair) if version >= MAPS => {
            let sides = Entries::default()
                .with("key", part(&pair.0))
                .with("value", part(&pair.1));
            parts.set("map", sides);
            LogicalType::Map
        }
        SqlType::Map(_) => LogicalType::Object,
    };
    Some(Logical {
        kind: logical,
        options: Entries::default(),
        parts,
    })
}

/// The logical type of a type without types inside.
fn scalar_type(version: ApiVersion, meaning: Meaning, numbers: &[u32]) -> Option<Logical> {
    let mut options = Entries::default();
    let mut format = |format: String| options.set("format", format);
    let logical = match meaning {
        Meaning::Integer { bits, signed } => {
            // The standard's own default is `i32`.
            if (bits, signed) != (32, true) && [8, 16, 32, 64, 128].contains(&bits) {
                format(format!("{}{bits}", if signed { 'i' } else { 'u' }));
            }
            LogicalType::Integer
        }
        Meaning::Decimal | Meaning::RoundingDecimal { .. }
            if matches!(numbers, [_] | [_, 0, ..]) =>
        {
            LogicalType::Integer
        }
        Meaning::Decimal | Meaning::RoundingDecimal { .. } | Meaning::FixedDecimal { .. } => {
            LogicalType::Number
        }
        Meaning::Float32 => {
            format("f32".to_owned());
            LogicalType::Number
        }
        Meaning::Float64 => {
            format("f64".to_owned());
            LogicalType::Number
        }
        Meaning::Boolean => LogicalType::Boolean,
        Meaning::Text => LogicalType::String,
        Meaning::Binary => {
            format("binary".to_owned());
            LogicalType::String
        }
        Meaning::Uuid => {
            format("uuid".to_owned());
            LogicalType::String
        }
        Meaning::Date => LogicalType::Date,
        Meaning::Time { aware } => {
            if aware {
                options.set("timezone", true);
            }
            LogicalType::Time
        }
        Meaning::Timestamp { aware } => {
            options.set("timezone", aware);
            LogicalType::Timestamp
        }
        Meaning::Document => LogicalType::Object,
        Meaning::Vector => match numbers {
            [dimensions, ..] if version >= MAPS => {
                options.set("dimensions", i128::from(*dimensions));
                LogicalType::Vector
            }
            _ => LogicalType::Array,
        },
        Meaning::Other => return None,
    };
    Some(Logical {
        kind: logical,
        options,
        parts: Entries::default(),
    })
}

impl Logical {
    /// Adds it to the entries of a property.
    fn describe(self, entries: &mut Entries) {
        entries.set("logicalType", self.kind.as_str());
        entries.set_map("logicalTypeOptions", self.options);
        entries.extend(&self.parts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_width_is_made_up() {
        let of = |adapter, text| {
            let logical = logical(Some(adapter), ApiVersion::new(3, 1, 0), text)?;
            let format = logical.options.get("format").map(ToString::to_string);
            Some((logical.kind, format))
        };
        let whole = |format: Option<&str>| Some((LogicalType::Integer, format.map(str::to_owned)));
        assert_eq!(of(Adapter::Snowflake, "number(38,0)"), whole(None));
        assert_eq!(of(Adapter::Oracle, "integer"), whole(None));
        assert_eq!(of(Adapter::Postgres, "bigint"), whole(Some("i64")));
        assert_eq!(of(Adapter::BigQuery, "range<date>"), None);
    }
}
