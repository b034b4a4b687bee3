//! The footer of a Parquet file: names, types and what is never null. Of the file only the beginning
//! of its footer is read, where the schema stands, and of that no more than [`MOST_BYTES`].
//!
//! [`thrift`] reads the notation, `schema` says what each column would be in DuckDB's words; those of
//! the adapter go out.

mod schema;
mod thrift;

use std::io::{Read, Seek, SeekFrom};

use super::{Observation, Relation};
use crate::dbt::adapter::Adapter;
use crate::mapping::types::translated;
use thrift::Unreadable;

/// How much of a footer is read. A schema of 100,000 columns takes about 3 MiB.
const MOST_BYTES: u64 = 8 << 20;

/// How many columns and parts of columns a schema may have.
const MOST_ELEMENTS: usize = 200_000;

/// The bytes at both ends of a file, and in place of them where its footer is encrypted.
const MAGIC: &[u8] = b"PAR1";
const ENCRYPTED: &[u8] = b"PARE";

/// The place of the schema in the footer.
const SCHEMA: i16 = 2;

/// Whether a file begins as Parquet files do.
pub(super) fn is_one(beginning: &[u8]) -> bool {
    beginning.starts_with(MAGIC) || beginning.starts_with(ENCRYPTED)
}

/// The relation that a Parquet file is.
pub(super) fn read(
    file: &mut (impl Read + Seek),
    label: Option<&str>,
    adapter: Adapter,
) -> Result<Observation, String> {
    let (bytes, is_whole) = footer(file)?;
    let problem = |problem: &str| format!("it is a Parquet file {problem}");
    let elements = thrift::list(&bytes, SCHEMA, MOST_ELEMENTS).map_err(|error| match error {
        Unreadable::Ends if !is_whole => {
            problem(&format!("whose schema takes more than {MOST_BYTES} bytes"))
        }
        _ => problem("whose footer is damaged"),
    })?;
    let elements = elements.ok_or_else(|| problem("without a schema"))?;
    let mut columns = schema::columns(&elements).map_err(problem)?;
    for column in &mut columns {
        column.data_type = column
            .data_type
            .take()
            .map(|words| in_words(words, adapter));
    }
    Ok(Observation {
        form: "the footer of a Parquet file",
        error: None,
        relations: vec![Relation {
            label: label.map(str::to_owned),
            columns,
            ..Relation::default()
        }],
    })
}

/// A type of DuckDB in the adapter's words. One that the adapter does not have keeps its own, and is
/// unproven.
fn in_words(words: String, adapter: Adapter) -> String {
    translated(Adapter::DuckDb, adapter, &words).unwrap_or(words)
}

/// The beginning of the footer, and whether it is all of it.
fn footer(file: &mut (impl Read + Seek)) -> Result<(Vec<u8>, bool), String> {
    let failed = |error: std::io::Error| error.to_string();
    let size = file.seek(SeekFrom::End(0)).map_err(failed)?;
    let cut = || {
        "it begins as a Parquet file and does not end as one; was it copied before it was complete?"
            .to_owned()
    };
    let end = size.checked_sub(8).ok_or_else(cut)?;
    file.seek(SeekFrom::Start(end)).map_err(failed)?;
    let mut tail = [0; 8];
    file.read_exact(&mut tail).map_err(failed)?;
    let [l0, l1, l2, l3, magic @ ..] = tail;
    if magic == ENCRYPTED {
        let message = "it is a Parquet file whose footer is encrypted; observe the relation in the \
                       warehouse with the query that `--print-query` prints";
        return Err(message.to_owned());
    }
    if magic != MAGIC {
        return Err(cut());
    }
    let length = u64::from(u32::from_le_bytes([l0, l1, l2, l3]));
    let start = end
        .checked_sub(length)
        .filter(|start| *start >= MAGIC.len() as u64)
        .ok_or("it is a Parquet file whose footer would be longer than the file")?;
    file.seek(SeekFrom::Start(start)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(length.min(MOST_BYTES))
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok((bytes, length <= MOST_BYTES))
}

#[cfg(test)]
mod tests;
