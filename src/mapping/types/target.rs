//! What each adapter calls a type: the shape of its block in the table, a line for every form of
//! value.
//!
//! A star at the end of a type says that some values do not fit it unchanged.

use super::table;
use crate::dbt::adapter::Adapter;

/// The types of one adapter.
pub(super) struct Target {
    /// Whole numbers: i8, i16, i32, i64, i128, u8, u16, u32, u64, u128.
    pub(super) integers: [&'static str; 10],
    /// Decimal types, the first that is wide enough is taken.
    pub(super) decimals: &'static [Decimal],
    /// A number whose precision nobody states.
    pub(super) number: &'static str,
    /// Whether that type keeps any number as it is.
    pub(super) number_keeps_all: bool,
    /// IEEE 754, 32 and 64 bits.
    pub(super) floats: [&'static str; 2],
    /// True or false.
    pub(super) boolean: &'static str,
    /// Text of any length.
    pub(super) text: &'static str,
    /// Text up to a length, where the adapter has such a type.
    pub(super) sized_text: Option<SizedText>,
    /// A UUID.
    pub(super) uuid: &'static str,
    /// Bytes.
    pub(super) binary: &'static str,
    /// A day.
    pub(super) date: &'static str,
    /// A time of day without, and with a time zone.
    pub(super) times: [&'static str; 2],
    /// A day and time without, and with a time zone.
    pub(super) timestamps: [&'static str; 2],
    /// A list, a struct and a map of known types.
    pub(super) nested: Nested,
    /// An object whose parts are not known.
    pub(super) document: &'static str,
    /// A vector; `{}` stands for its dimensions.
    pub(super) vector: Option<&'static str>,
}

/// A decimal type with its limits.
pub(super) struct Decimal {
    /// Its name.
    pub(super) word: &'static str,
    /// Greatest precision.
    pub(super) precision: u32,
    /// Most digits before the point.
    pub(super) integer_digits: u32,
    /// Most digits after it.
    pub(super) scale: u32,
}

/// A type for text of limited length.
pub(super) struct SizedText {
    /// Its name.
    pub(super) word: &'static str,
    /// How many units one character may take.
    pub(super) factor: u32,
    /// What follows the number.
    pub(super) unit: &'static str,
    /// The greatest number.
    pub(super) most: u32,
}

/// The types for what holds other types; nothing where the adapter's own nesting names the parts.
#[derive(Clone, Copy)]
pub(super) struct Nested {
    /// A list.
    pub(super) array: Option<&'static str>,
    /// A struct.
    pub(super) structure: Option<&'static str>,
    /// A map.
    pub(super) map: Option<&'static str>,
}

/// The adapter's own nesting names the parts.
pub(super) const NAMED: Nested = Nested {
    array: None,
    structure: None,
    map: None,
};

/// One type for all of them.
pub(super) const fn whole(word: &'static str) -> Nested {
    Nested {
        array: Some(word),
        structure: Some(word),
        map: Some(word),
    }
}

/// A decimal type without a limit of its own before the point.
pub(super) const fn decimal(word: &'static str, precision: u32, scale: u32) -> Decimal {
    Decimal {
        word,
        precision,
        integer_digits: precision,
        scale,
    }
}

/// A type for text of limited length.
pub(super) const fn sized(
    word: &'static str,
    factor: u32,
    unit: &'static str,
    most: u32,
) -> SizedText {
    SizedText {
        word,
        factor,
        unit,
        most,
    }
}

/// The types of the adapter.
pub(super) fn target(adapter: Adapter) -> &'static Target {
    match adapter {
        Adapter::DuckDb => &table::DUCKDB,
        Adapter::Postgres => &table::POSTGRES,
        Adapter::Snowflake => &table::SNOWFLAKE,
        Adapter::BigQuery => &table::BIGQUERY,
        Adapter::Redshift => &table::REDSHIFT,
        Adapter::Databricks => &table::DATABRICKS,
        Adapter::Spark => &table::SPARK,
        Adapter::Trino => &table::TRINO,
        Adapter::Athena => &table::ATHENA,
        Adapter::ClickHouse => &table::CLICKHOUSE,
        Adapter::SqlServer => &table::SQLSERVER,
        Adapter::Fabric => &table::FABRIC,
        Adapter::MySql => &table::MYSQL,
        Adapter::Oracle => &table::ORACLE,
        Adapter::Sqlite => &table::SQLITE,
    }
}
