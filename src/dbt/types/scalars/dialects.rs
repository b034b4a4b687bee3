//! The rows of every dialect, preferred spelling first.

use super::{Meaning, Parameters, Row};
use crate::dbt::adapter::Adapter;
use Meaning::{
    Binary, Boolean, Date, Decimal, Document, Float32, Float64, Other, Text, Uuid, Vector,
};
use Parameters::{
    Any, AnyNeeded, CharLength, Decimal as Precision, Fraction, Length, LengthNeeded, LengthOrMax,
    None as No,
};

const I8: Meaning = integer(8, true);
const I16: Meaning = integer(16, true);
const I32: Meaning = integer(32, true);
const I64: Meaning = integer(64, true);
const I128: Meaning = integer(128, true);
const U8: Meaning = integer(8, false);
const U16: Meaning = integer(16, false);
const U32: Meaning = integer(32, false);
const U64: Meaning = integer(64, false);
const U128: Meaning = integer(128, false);
const TIME: Meaning = Meaning::Time { aware: false };
const ZONED_TIME: Meaning = Meaning::Time { aware: true };
const NAIVE: Meaning = Meaning::Timestamp { aware: false };
const AWARE: Meaning = Meaning::Timestamp { aware: true };

const fn integer(bits: u8, signed: bool) -> Meaning {
    Meaning::Integer { bits, signed }
}

const fn rounding(precision: u8, scale: u8) -> Meaning {
    Meaning::RoundingDecimal { precision, scale }
}

const fn row(
    pattern: &'static str,
    others: &'static [&'static str],
    parameters: Parameters,
    meaning: Meaning,
) -> Row {
    Row {
        pattern,
        others,
        parameters,
        meaning,
    }
}

/// The rows of the adapter's dialect.
pub(super) fn rows(adapter: Adapter) -> &'static [Row] {
    match adapter {
        Adapter::DuckDb => DUCKDB,
        Adapter::Postgres => POSTGRES,
        Adapter::Snowflake => SNOWFLAKE,
        Adapter::BigQuery => BIGQUERY,
        Adapter::Redshift => REDSHIFT,
        Adapter::Databricks | Adapter::Spark => SPARK,
        Adapter::Trino => TRINO,
        Adapter::Athena => ATHENA,
        Adapter::ClickHouse => CLICKHOUSE,
        Adapter::SqlServer => SQLSERVER,
        Adapter::Fabric => FABRIC,
        Adapter::MySql => MYSQL,
        Adapter::Oracle => ORACLE,
        Adapter::Sqlite => SQLITE,
    }
}

#[rustfmt::skip]
const DUCKDB: &[Row] = &[
    row("tinyint", &["int1"], No, I8),
    row("smallint", &["int2", "int16", "short"], No, I16),
    row("integer", &["int", "int4", "int32", "integral", "signed"], No, I32),
    row("bigint", &["int8", "int64", "long", "oid"], No, I64),
    row("hugeint", &["int128"], No, I128),
    row("utinyint", &["uint8"], No, U8),
    row("usmallint", &["uint16"], No, U16),
    row("uinteger", &["uint32"], No, U32),
    row("ubigint", &["uint64"], No, U64),
    row("uhugeint", &["uint128"], No, U128),
    row("bignum", &["varint"], No, Other),
    row("decimal%", &["numeric", "dec"], Precision(38), rounding(18, 3)),
    row("float", &["float4", "real"], No, Float32),
    row("double", &["float8", "double precision"], No, Float64),
    row("boolean", &["bool", "logical"], No, Boolean),
    row("varchar%", &[
        "text", "string", "char", "bpchar", "character", "nchar", "nvarchar",
        "character varying", "char varying", "national character varying",
    ], Length(u32::MAX), Text),
    row("blob", &["bytea", "binary", "varbinary"], No, Binary),
    row("uuid", &["guid"], No, Uuid),
    row("date", &[], No, Date),
    row("time", &["time without time zone"], No, TIME),
    row("timetz", &["time with time zone"], No, ZONED_TIME),
    row("time_ns", &[], No, TIME),
    row("timestamp", &["datetime", "timestamp_us", "timestamp without time zone", "timestamp(6)"], No, NAIVE),
    row("timestamp_s", &["timestamp(0)"], No, NAIVE),
    row("timestamp_ms", &["timestamp(3)"], No, NAIVE),
    row("timestamp_ns", &["timestamp(9)"], No, NAIVE),
    row("timestamptz", &["timestamp with time zone"], No, AWARE),
    row("timestamptz_ns", &[], No, AWARE),
    row("json", &[], No, Document),
    row("variant", &[], No, Document),
    row("interval", &[], No, Other),
    row("bit", &["bitstring", "bit varying"], No, Other),
    row("enum%", &[], AnyNeeded, Text),
    row("union%", &[], AnyNeeded, Other),
    row("inet", &[], No, Other),
    row("geometry%", &[], Any, Other),
];

#[rustfmt::skip]
const POSTGRES: &[Row] = &[
    row("smallint", &["int2", "smallserial"], No, I16),
    row("integer", &["int", "int4", "serial", "serial4"], No, I32),
    row("bigint", &["int8", "bigserial", "serial8"], No, I64),
    row("numeric%", &["decimal", "dec"], Precision(1000), Decimal),
    row("real", &["float4", "float(24)"], No, Float32),
    row("double precision", &["float8", "float", "float(53)"], No, Float64),
    row("boolean", &["bool"], No, Boolean),
    row("varchar%", &[
        "character varying", "char varying", "national character varying", "national char varying",
    ], Length(10_485_760), Text),
    row("char%", &["character", "nchar", "national character", "national char"], Length(10_485_760), Text),
    row("bpchar%", &[], Length(10_485_760), Text),
    row("text", &[], No, Text),
    row("citext", &[], No, Text),
    row("name", &[], No, Text),
    row("bytea", &[], No, Binary),
    row("uuid", &[], No, Uuid),
    row("date", &[], No, Date),
    row("time%", &["time% without time zone"], Fraction(6), TIME),
    row("timetz%", &["time% with time zone"], Fraction(6), ZONED_TIME),
    row("timestamp%", &["timestamp% without time zone"], Fraction(6), NAIVE),
    row("timestamptz%", &["timestamp% with time zone"], Fraction(6), AWARE),
    row("jsonb", &[], No, Document),
    row("json", &[], No, Document),
    row("hstore", &[], No, Document),
    row("vector%", &[], Length(16_000), Vector),
    row("interval%", &[], Fraction(6), Other),
    row("bit%", &[], Length(83_886_080), Other),
    row("varbit%", &["bit varying"], Length(83_886_080), Other),
    row("geometry%", &[], Any, Other),
    row("geography%", &[], Any, Other),
    row("xml", &[], No, Other),
    row("inet", &[], No, Other),
    row("cidr", &[], No, Other),
    row("macaddr", &[], No, Other),
    row("money", &[], No, Other),
    row("oid", &[], No, Other),
    row("point", &[], No, Other),
    row("tsvector", &[], No, Other),
];

/// `number(38,0)` is what each word for a whole number stands for.
#[rustfmt::skip]
const SNOWFLAKE: &[Row] = &[
    row("number(38,0)", &["int", "integer", "bigint", "smallint", "tinyint", "byteint"], No, I64),
    row("number%", &["numeric", "decimal", "dec"], Precision(38), rounding(38, 0)),
    row("float", &["float4", "float8", "double", "double precision", "real"], No, Float64),
    row("boolean", &[], No, Boolean),
    row("varchar%", &[
        "text", "string", "nvarchar", "nvarchar2", "character varying", "char varying",
        "nchar varying",
    ], Length(134_217_728), Text),
    row("char%", &["character", "nchar"], Length(134_217_728), Text),
    row("binary%", &["varbinary", "binary varying"], Length(67_108_864), Binary),
    row("date", &[], No, Date),
    row("time%", &[], Fraction(9), TIME),
    row("timestamp_ntz%", &["timestamp", "timestampntz", "datetime", "timestamp% without time zone"], Fraction(9), NAIVE),
    row("timestamp_ltz%", &["timestampltz", "timestamp% with local time zone"], Fraction(9), AWARE),
    row("timestamp_tz%", &["timestamptz", "timestamp% with time zone"], Fraction(9), AWARE),
    row("variant", &[], No, Document),
    row("object", &[], No, Document),
    row("array", &[], No, Document),
    row("vector%", &[], Any, Vector),
    row("geography", &[], No, Other),
    row("geometry", &[], No, Other),
];

#[rustfmt::skip]
const BIGQUERY: &[Row] = &[
    row("int64", &["int", "integer", "bigint", "smallint", "tinyint", "byteint"], No, I64),
    row("numeric", &["decimal"], No, Meaning::FixedDecimal { precision: 38, scale: 9 }),
    row("numeric%", &["decimal"], Precision(38), Decimal),
    row("bignumeric%", &["bigdecimal"], Precision(76), Decimal),
    row("float64", &["float"], No, Float64),
    row("bool", &["boolean"], No, Boolean),
    row("string%", &[], Length(u32::MAX), Text),
    row("bytes%", &[], Length(u32::MAX), Binary),
    row("date", &[], No, Date),
    row("time", &[], No, TIME),
    row("datetime", &[], No, NAIVE),
    row("timestamp", &[], No, AWARE),
    row("json", &[], No, Document),
    row("interval", &[], No, Other),
    row("geography", &[], No, Other),
];

#[rustfmt::skip]
const REDSHIFT: &[Row] = &[
    row("smallint", &["int2"], No, I16),
    row("integer", &["int", "int4"], No, I32),
    row("bigint", &["int8"], No, I64),
    row("numeric%", &["decimal"], Precision(38), rounding(18, 0)),
    row("real", &["float4"], No, Float32),
    row("double precision", &["float8", "float"], No, Float64),
    row("boolean", &["bool"], No, Boolean),
    row("varchar%", &["character varying", "nvarchar", "text"], LengthOrMax(65_535), Text),
    row("char%", &["character", "nchar", "bpchar"], Length(4096), Text),
    row("varbyte%", &["varbinary", "binary varying"], Length(16_777_216), Binary),
    row("date", &[], No, Date),
    row("time", &["time without time zone"], No, TIME),
    row("timetz", &["time with time zone"], No, ZONED_TIME),
    row("timestamp", &["timestamp without time zone"], No, NAIVE),
    row("timestamptz", &["timestamp with time zone"], No, AWARE),
    row("super", &[], No, Document),
    row("interval year to month", &[], No, Other),
    row("interval day% to second%", &[], Fraction(6), Other),
    row("geometry", &[], No, Other),
    row("geography", &[], No, Other),
    row("hllsketch", &[], No, Other),
];

#[rustfmt::skip]
const SPARK: &[Row] = &[
    row("tinyint", &["byte"], No, I8),
    row("smallint", &["short"], No, I16),
    row("int", &["integer"], No, I32),
    row("bigint", &["long"], No, I64),
    row("decimal%", &["dec", "numeric"], Precision(38), rounding(10, 0)),
    row("float", &["real"], No, Float32),
    row("double", &[], No, Float64),
    row("boolean", &[], No, Boolean),
    row("string", &[], No, Text),
    row("varchar%", &[], LengthNeeded(u32::MAX), Text),
    row("char%", &["character"], LengthNeeded(u32::MAX), Text),
    row("binary", &[], No, Binary),
    row("date", &[], No, Date),
    row("timestamp", &["timestamp_ltz"], No, AWARE),
    row("timestamp_ntz", &[], No, NAIVE),
    row("variant", &[], No, Document),
    row("interval year to month", &[], No, Other),
    row("interval day to second", &[], No, Other),
    row("void", &[], No, Other),
];

#[rustfmt::skip]
const TRINO: &[Row] = &[
    row("tinyint", &[], No, I8),
    row("smallint", &[], No, I16),
    row("integer", &["int"], No, I32),
    row("bigint", &[], No, I64),
    row("decimal%", &["dec", "numeric"], Precision(38), rounding(38, 0)),
    row("real", &[], No, Float32),
    row("double", &["double precision"], No, Float64),
    row("boolean", &[], No, Boolean),
    row("varchar%", &[], Length(u32::MAX), Text),
    row("char%", &[], Length(65_536), Text),
    row("varbinary", &[], No, Binary),
    row("uuid", &[], No, Uuid),
    row("date", &[], No, Date),
    row("time%", &["time% without time zone"], Fraction(12), TIME),
    row("time% with time zone", &[], Fraction(12), ZONED_TIME),
    row("timestamp%", &["timestamp% without time zone"], Fraction(12), NAIVE),
    row("timestamp% with time zone", &[], Fraction(12), AWARE),
    row("json", &[], No, Document),
    row("interval year to month", &[], No, Other),
    row("interval day to second", &[], No, Other),
    row("ipaddress", &[], No, Other),
    row("hyperloglog", &[], No, Other),
];

#[rustfmt::skip]
const ATHENA: &[Row] = &[
    row("tinyint", &[], No, I8),
    row("smallint", &[], No, I16),
    row("int", &["integer"], No, I32),
    row("bigint", &[], No, I64),
    row("decimal%", &[], Precision(38), rounding(10, 0)),
    row("float", &["real"], No, Float32),
    row("double", &[], No, Float64),
    row("boolean", &[], No, Boolean),
    row("string", &[], No, Text),
    row("varchar%", &[], Length(65_535), Text),
    row("char%", &[], LengthNeeded(255), Text),
    row("binary", &["varbinary"], No, Binary),
    row("date", &[], No, Date),
    row("timestamp%", &[], Fraction(12), NAIVE),
    row("timestamp% with time zone", &[], Fraction(12), AWARE),
];

#[rustfmt::skip]
const CLICKHOUSE: &[Row] = &[
    row("Int8", &["tinyint", "byte"], No, I8),
    row("Int16", &["smallint"], No, I16),
    row("Int32", &["int", "integer", "mediumint"], No, I32),
    row("Int64", &["bigint"], No, I64),
    row("Int128", &[], No, I128),
    row("Int256", &[], No, Other),
    row("UInt8", &["tinyint unsigned"], No, U8),
    row("UInt16", &["smallint unsigned"], No, U16),
    row("UInt32", &["int unsigned", "integer unsigned"], No, U32),
    row("UInt64", &["bigint unsigned"], No, U64),
    row("UInt128", &[], No, U128),
    row("UInt256", &[], No, Other),
    row("Decimal%", &["dec", "numeric", "fixed"], Precision(76), rounding(10, 0)),
    row("Float32", &["float", "real"], No, Float32),
    row("Float64", &["double", "double precision"], No, Float64),
    row("Bool", &["boolean"], No, Boolean),
    row("String", &[
        "text", "tinytext", "mediumtext", "longtext", "varchar", "char", "character",
        "character varying", "clob", "blob", "bytea",
    ], Length(u32::MAX), Text),
    row("FixedString%", &["binary"], LengthNeeded(u32::MAX), Text),
    row("UUID", &[], No, Uuid),
    row("Date", &[], No, Date),
    row("Date32", &[], No, Date),
    row("DateTime64%", &[], Any, NAIVE),
    row("DateTime%", &["timestamp"], Any, NAIVE),
    row("JSON", &[], No, Document),
    row("Enum8%", &["enum"], AnyNeeded, Text),
    row("Enum16%", &[], AnyNeeded, Text),
    row("IPv4", &["inet4"], No, Other),
    row("IPv6", &["inet6"], No, Other),
];

#[rustfmt::skip]
const SQLSERVER: &[Row] = &[
    row("tinyint", &[], No, U8),
    row("smallint", &[], No, I16),
    row("int", &["integer"], No, I32),
    row("bigint", &[], No, I64),
    row("decimal%", &["dec", "numeric"], Precision(38), rounding(18, 0)),
    row("real", &[], No, Float32),
    row("float%", &["double precision"], Length(53), Float64),
    row("bit", &[], No, Boolean),
    row("varchar%", &["character varying", "char varying"], LengthOrMax(8000), Text),
    row("nvarchar%", &["national character varying", "national char varying"], LengthOrMax(4000), Text),
    row("char%", &["character"], Length(8000), Text),
    row("nchar%", &["national character", "national char"], Length(4000), Text),
    row("text", &[], No, Text),
    row("ntext", &[], No, Text),
    row("varbinary%", &["binary varying"], LengthOrMax(8000), Binary),
    row("binary%", &[], Length(8000), Binary),
    row("image", &[], No, Binary),
    row("uniqueidentifier", &[], No, Uuid),
    row("date", &[], No, Date),
    row("time%", &[], Fraction(7), TIME),
    row("datetime2%", &[], Fraction(7), NAIVE),
    row("datetime", &[], No, NAIVE),
    row("smalldatetime", &[], No, NAIVE),
    row("datetimeoffset%", &[], Fraction(7), AWARE),
    row("json", &[], No, Document),
    row("vector%", &[], Any, Vector),
    row("money", &[], No, Other),
    row("smallmoney", &[], No, Other),
    row("xml", &[], No, Other),
    row("sql_variant", &[], No, Other),
    row("geography", &[], No, Other),
    row("geometry", &[], No, Other),
    row("hierarchyid", &[], No, Other),
    row("rowversion", &["timestamp"], No, Binary),
];

#[rustfmt::skip]
const FABRIC: &[Row] = &[
    row("smallint", &[], No, I16),
    row("int", &["integer"], No, I32),
    row("bigint", &[], No, I64),
    row("decimal%", &["dec", "numeric"], Precision(38), rounding(18, 0)),
    row("real", &[], No, Float32),
    row("float%", &["double precision"], Length(53), Float64),
    row("bit", &[], No, Boolean),
    row("varchar%", &["character varying", "char varying"], LengthOrMax(8000), Text),
    row("char%", &["character"], Length(8000), Text),
    row("varbinary%", &["binary varying"], LengthOrMax(8000), Binary),
    row("uniqueidentifier", &[], No, Uuid),
    row("date", &[], No, Date),
    row("time%", &[], Fraction(6), TIME),
    row("datetime2%", &[], Fraction(6), NAIVE),
];

#[rustfmt::skip]
const MYSQL: &[Row] = &[
    row("boolean", &["bool", "tinyint(1)"], No, Boolean),
    row("tinyint", &["tinyint%"], Any, I8),
    row("smallint", &["smallint%"], Any, I16),
    row("mediumint", &["mediumint%"], Any, I32),
    row("int", &["int%", "integer%"], Any, I32),
    row("bigint", &["bigint%"], Any, I64),
    row("tinyint unsigned", &["tinyint% unsigned"], Any, U8),
    row("smallint unsigned", &["smallint% unsigned"], Any, U16),
    row("mediumint unsigned", &["mediumint% unsigned"], Any, U32),
    row("int unsigned", &["int% unsigned", "integer% unsigned"], Any, U32),
    row("bigint unsigned", &["bigint% unsigned", "serial"], Any, U64),
    row("decimal%", &["dec", "numeric", "fixed"], Precision(65), rounding(10, 0)),
    row("float%", &[], Any, Float32),
    row("double%", &["double precision", "real"], Any, Float64),
    row("varchar%", &["character varying"], LengthNeeded(65_535), Text),
    row("char%", &["character"], Length(255), Text),
    row("tinytext", &[], No, Text),
    row("text%", &[], Length(65_535), Text),
    row("mediumtext", &[], No, Text),
    row("longtext", &[], No, Text),
    row("enum%", &[], AnyNeeded, Text),
    row("set%", &[], AnyNeeded, Text),
    row("varbinary%", &[], LengthNeeded(65_535), Binary),
    row("binary%", &[], Length(255), Binary),
    row("tinyblob", &[], No, Binary),
    row("blob%", &[], Length(65_535), Binary),
    row("mediumblob", &[], No, Binary),
    row("longblob", &[], No, Binary),
    row("date", &[], No, Date),
    row("time%", &[], Fraction(6), TIME),
    row("datetime%", &[], Fraction(6), NAIVE),
    row("timestamp%", &[], Fraction(6), AWARE),
    row("json", &[], No, Document),
    row("vector%", &[], Length(16_383), Vector),
    row("year", &[], No, Other),
    row("bit%", &[], Length(64), Other),
    row("geometry", &[], No, Other),
    row("point", &[], No, Other),
];

#[rustfmt::skip]
const ORACLE: &[Row] = &[
    row("number%", &[], Any, Decimal),
    row("decimal%", &["dec", "numeric"], Precision(38), rounding(38, 0)),
    row("integer", &["int", "smallint"], No, I64),
    row("binary_float", &[], No, Float32),
    row("binary_double", &[], No, Float64),
    row("float%", &["double precision", "real"], Length(126), Float64),
    row("varchar2%", &["varchar", "character varying", "char varying"], CharLength(32_767), Text),
    row("nvarchar2%", &["national character varying"], LengthNeeded(32_767), Text),
    row("char(1)", &["char", "character"], No, Text),
    row("char%", &["character"], CharLength(2000), Text),
    row("nchar%", &["national character"], Length(2000), Text),
    row("clob", &[], No, Text),
    row("nclob", &[], No, Text),
    row("long", &[], No, Text),
    row("blob", &[], No, Binary),
    row("bfile", &[], No, Binary),
    row("raw%", &[], LengthNeeded(32_767), Binary),
    row("long raw", &[], No, Binary),
    // Has a time of day too.
    row("date", &[], No, NAIVE),
    row("timestamp%", &[], Fraction(9), NAIVE),
    row("timestamp% with time zone", &[], Fraction(9), AWARE),
    row("timestamp% with local time zone", &[], Fraction(9), AWARE),
    row("boolean", &["bool"], No, Boolean),
    row("json", &[], No, Document),
    row("vector%", &[], Any, Vector),
    row("interval year% to month", &[], Fraction(9), Other),
    row("interval day% to second%", &[], Fraction(9), Other),
    row("rowid", &[], No, Other),
    row("urowid%", &[], Length(4000), Other),
    row("xmltype", &[], No, Other),
    row("sdo_geometry", &[], No, Other),
];

#[rustfmt::skip]
const SQLITE: &[Row] = &[
    row("integer", &["int", "tinyint", "smallint", "mediumint", "bigint"], No, I64),
    row("real", &["double", "double precision", "float"], No, Float64),
    row("numeric%", &["decimal"], Precision(1000), Decimal),
    row("boolean", &["bool"], No, Boolean),
    row("text", &["clob"], No, Text),
    row("varchar%", &["character varying", "nvarchar"], Length(u32::MAX), Text),
    row("char%", &["character", "nchar"], Length(u32::MAX), Text),
    row("blob", &[], No, Binary),
    row("date", &[], No, Date),
    row("time", &[], No, TIME),
    row("datetime", &["timestamp"], No, NAIVE),
    row("json", &[], No, Document),
];
