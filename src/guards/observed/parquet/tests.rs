//! Files of DuckDB, footers made by hand, and files that are broken.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

/// What DuckDB wrote of a value of each of its types.
const TYPES: &[u8] = include_bytes!("tests/types.parquet");

fn observed(bytes: &[u8], adapter: Adapter) -> Result<Vec<String>, String> {
    let observation = read(&mut Cursor::new(bytes), Some("types"), adapter)?;
    let shown = observation.relations[0].columns.iter().map(|column| {
        let data_type = column.data_type.as_deref().unwrap_or("?");
        let nulls = if column.nullable == Some(true) {
            " null"
        } else {
            ""
        };
        format!("{} {data_type}{nulls}", column.name)
    });
    Ok(shown.collect())
}

/// As DuckDB itself describes the file.
const DUCKDB: &[&str] = &[
    "b boolean",
    "i8 tinyint",
    "i16 smallint",
    "i32 integer",
    "i64 bigint",
    "u8 utinyint",
    "u16 usmallint",
    "u32 uinteger",
    "u64 ubigint",
    "i128 double",
    "f32 float",
    "f64 double",
    "d4 decimal(4,1)",
    "d9 decimal(9,2)",
    "d18 decimal(18,4)",
    "d38 decimal(38,10)",
    "t varchar",
    "e varchar",
    "j json",
    "bl blob",
    "u uuid null",
    "da date",
    "ti time",
    "ts timestamp",
    "ts_s timestamp",
    "ts_ms timestamp",
    "ts_ns timestamp_ns",
    "tz timestamptz",
    "ttz timetz",
    "iv interval",
    "li integer[]",
    "ll integer[][]",
    "st struct(a integer, \"B c\" struct(x varchar)[])",
    "ma map(varchar, decimal(4,1))",
    "ar integer[]",
    "bi varchar null",
];

#[test]
fn a_file_has_the_types_that_duckdb_reads_in_it() {
    assert_eq!(observed(TYPES, Adapter::DuckDb).unwrap(), DUCKDB);
}

#[test]
fn types_are_those_of_the_adapter() {
    for (adapter, expected) in [
        (
            Adapter::BigQuery,
            "u64 numeric, d38 bignumeric(38,10), bl bytes, ts datetime, tz timestamp, li array<int64>, \
             st struct<a int64, `B c` array<struct<x string>>>, ma json",
        ),
        (
            Adapter::Postgres,
            "u64 numeric(20,0), d38 numeric(38,10), bl bytea, ts timestamp, tz timestamptz, li integer[], \
             st jsonb, ma jsonb",
        ),
        (
            Adapter::Databricks,
            "u64 decimal(20,0), d38 decimal(38,10), bl binary, ts timestamp_ntz, tz timestamp, li array<int>, \
             st struct<a: int, `B c`: array<struct<x: string>>>, ma map<string, decimal(4,1)>",
        ),
    ] {
        let of_interest = ["u64", "d38", "bl", "ts", "tz", "li", "st", "ma"];
        let mut columns = observed(TYPES, adapter).unwrap();
        columns.retain(|column| {
            let name = column.split(' ').next().unwrap_or_default();
            of_interest.contains(&name)
        });
        assert_eq!(columns.join(", "), expected);
    }
}

/// An element: physical type, repetition, name, children, converted type.
type Element<'a> = (Option<u8>, u8, &'a str, u8, Option<u8>);

/// A file whose footer has the elements.
fn file(elements: &[Element<'_>]) -> Vec<u8> {
    let mut footer = vec![0x15, 2, 0x19, 0xfc, u8::try_from(elements.len()).unwrap()];
    for (physical, repetition, name, children, converted) in elements {
        let mut last = 0;
        let mut field = |id: u8, kind: u8, bytes: &[u8]| {
            footer.push((id - last) << 4 | kind);
            footer.extend(bytes);
            last = id;
        };
        if let Some(physical) = physical {
            field(1, 5, &[physical * 2]);
        }
        field(3, 5, &[repetition * 2]);
        let length = u8::try_from(name.len()).unwrap();
        field(4, 8, &[&[length], name.as_bytes()].concat());
        if *children > 0 {
            field(5, 5, &[children * 2]);
        }
        if let Some(converted) = converted {
            field(6, 5, &[converted * 2]);
        }
        footer.push(0);
    }
    footer.push(0);
    ended(&footer)
}

/// A file with a footer.
fn ended(footer: &[u8]) -> Vec<u8> {
    let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
    [MAGIC, footer, &length, MAGIC].concat()
}

#[test]
fn files_of_older_writers_are_read() {
    let elements = [
        (None, 0, "root", 6, None),
        (Some(2), 1, "at", 0, Some(10)),
        (Some(3), 1, "seen", 0, None),
        // A list of two levels, a list of structs, and one that is only repeated.
        (None, 1, "tags", 1, Some(3)),
        (Some(6), 2, "array", 0, Some(0)),
        (None, 1, "lines", 1, Some(3)),
        (None, 2, "lines_tuple", 1, None),
        (Some(2), 1, "id", 0, None),
        (Some(1), 2, "sizes", 0, Some(16)),
        (None, 1, "labels", 1, Some(2)),
        (None, 2, "map", 2, None),
        (Some(6), 0, "key", 0, Some(0)),
        (Some(5), 1, "value", 0, None),
    ];
    let expected = [
        "at timestamptz null",
        "seen timestamp null",
        "tags varchar[] null",
        "lines struct(id bigint)[] null",
        "sizes smallint[]",
        "labels map(varchar, double) null",
    ];
    assert_eq!(
        observed(&file(&elements), Adapter::DuckDb).unwrap(),
        expected
    );
}

#[test]
fn a_broken_file_says_what_is_wrong() {
    let id: Element<'_> = (Some(2), 1, "id", 0, None);
    let cut = "it begins as a Parquet file and does not end as one; was it copied before it was complete?";
    let of = |problem: &str| format!("it is a Parquet file {problem}");
    let mut nested = vec![(None, 0, "root", 1, None)];
    nested.extend([(None, 1, "a", 1, None); 100]);
    nested.push(id);
    let mut secret = TYPES.to_vec();
    secret.splice(secret.len() - 4.., *b"PARE");
    let longer = [MAGIC, b"\xff\xff\xff\x7f", MAGIC].concat();
    let large = [&[0x15, 2, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7][..], &[0]].concat();
    let long = [
        &[0x15, 2, 0x29, 0x1c, 0x48, 0x80, 0x80, 0x80, 8][..],
        &vec![b'x'; (MOST_BYTES + 1).try_into().unwrap()],
    ]
    .concat();
    for (bytes, problem) in [
        (TYPES[..2000].to_vec(), cut.to_owned()),
        (b"PAR1".to_vec(), cut.to_owned()),
        (b"PAR1\0\0\0\0PAR2".to_vec(), cut.to_owned()),
        (
            secret,
            of(
                "whose footer is encrypted; observe the relation in the warehouse with the query that \
                `--print-query` prints",
            ),
        ),
        (longer, of("whose footer would be longer than the file")),
        (ended(&[]), of("whose footer is damaged")),
        (ended(&[0x15, 2, 0]), of("without a schema")),
        (ended(&large), of("whose footer is damaged")),
        (
            ended(&long),
            of("whose schema takes more than 8388608 bytes"),
        ),
        (
            file(&[(None, 0, "root", 2, None), id]),
            of("whose schema ends early"),
        ),
        (
            file(&[(None, 0, "root", 0, None)]),
            of("without columns, or with more than one root"),
        ),
        (
            file(&[(None, 0, "root", 1, None), id, id]),
            of("without columns, or with more than one root"),
        ),
        (file(&nested), of("whose columns nest too deep")),
    ] {
        assert_eq!(observed(&bytes, Adapter::DuckDb), Err(problem));
    }
}

proptest! {
    #[test]
    fn no_file_panics(at in 0..TYPES.len(), byte in any::<u8>(), end in 0..TYPES.len()) {
        let mut bytes = TYPES.to_vec();
        bytes[at] = byte;
        let _ = observed(&bytes, Adapter::DuckDb);
        let _ = observed(&bytes, Adapter::Snowflake);
        let _ = observed(&ended(&bytes[end..]), Adapter::DuckDb);
    }
}
