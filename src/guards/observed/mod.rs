//! Observed relations: a file comes in whose form is told by what is in it, the relations that it
//! describes with their columns go out.
//!
//! * [`catalog`]: dbt's `target/catalog.json`.
//! * [`rows`]: a row for each column, as `information_schema.columns` has them, in CSV or JSON.
//! * [`lines`]: a JSON object on each line, as macros print them.
//! * [`parquet`]: the footer of a Parquet file, which has names, types and nullability.
//! * [`header`]: the header of a CSV file with data, which says nothing of types.
//!
//! [`query`] is the other direction: the query whose result is such a file.

mod catalog;
mod header;
mod lines;
mod parquet;
pub mod query;
mod rows;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use crate::dbt::adapter::Adapter;

/// A larger file is not read, except for the header of CSV data.
const MAX_BYTES: u64 = 512 << 20;

/// How much of a file is read to tell what it is.
const BEGINNING: u64 = 1 << 16;

/// A relation as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// The source and table of dbt that it is, where the file says it.
    pub source: Option<(String, String)>,
    /// Database, project or catalog.
    pub database: Option<String>,
    /// Schema or dataset.
    pub schema: Option<String>,
    /// Its name in the warehouse.
    pub name: Option<String>,
    /// What the file calls it, where that is no name in the warehouse.
    pub label: Option<String>,
    /// Its columns in order.
    pub columns: Vec<Column>,
}

impl Relation {
    /// Its full name, as far as it is known.
    pub fn shown(&self) -> String {
        let parts = [&self.database, &self.schema, &self.name];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        match (parts.is_empty(), &self.label) {
            (true, Some(label)) => label.clone(),
            _ => parts.join("."),
        }
    }

    /// The name of a column that is there twice, so that what it is like is not known.
    pub fn repeated(&self) -> Option<&str> {
        let mut known = BTreeSet::new();
        let mut names = self.columns.iter().map(|column| column.name.as_str());
        names.find(|name| !known.insert(*name))
    }

    /// Whether nothing says where it is, so that only the file does.
    pub fn is_anonymous(&self) -> bool {
        self.name.is_none() && self.source.is_none()
    }
}

/// A column as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type in the warehouse's words, where the file says it.
    pub data_type: Option<String>,
    /// Whether it may be null, where the file says it.
    pub nullable: Option<bool>,
}

/// What a file describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The form of the file, for people.
    pub form: &'static str,
    /// Its relations, each once.
    pub relations: Vec<Relation>,
    /// What the file itself says that went wrong when it was made.
    pub error: Option<String>,
}

/// Reads a file of any of the forms; types that it has in words of its own become the adapter's.
pub fn read(path: &Path, adapter: Adapter) -> Result<Observation, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.by_ref()
        .take(BEGINNING)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.is_empty() {
        return Err("it is empty".to_owned());
    }
    let label = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    if parquet::is_one(&bytes) {
        return parquet::read(&mut file, label.as_deref(), adapter);
    }
    let is_whole = (bytes.len() as u64) < BEGINNING;
    if !is_whole && let Some(observation) = data(&bytes, label.as_deref()) {
        return Ok(observation);
    }
    file.take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it has more than {} MiB", MAX_BYTES >> 20));
    }
    parse(&bytes, label.as_deref())
}

/// The header of a large CSV file with data.
fn data(beginning: &[u8], label: Option<&str>) -> Option<Observation> {
    let end = beginning.iter().position(|byte| *byte == b'\n')?;
    let first = &*text(&beginning[..end]).ok()?;
    let is_csv = !first.contains(['{', '[']) && !rows::are_named(first);
    let is_csv = is_csv && lines::first_object(&String::from_utf8_lossy(beginning)).is_none();
    is_csv.then(|| header::read(first, label).ok()).flatten()
}

/// Reads the bytes of a file of any of the forms.
fn parse(bytes: &[u8], label: Option<&str>) -> Result<Observation, String> {
    let text = &*text(bytes)?;
    let start = text.trim_start();
    let mut observation = if start.starts_with(['{', '[']) {
        match serde_json::from_str::<Value>(text) {
            Ok(value) => document(&value)?,
            Err(error) if lines::first_object(text).is_none() => {
                return Err(format!("it is no JSON: {error}"));
            }
            Err(_) => lines::read(text)?,
        }
    } else if lines::first_object(text).is_some() {
        lines::read(text)?
    } else if rows::are_named(text) {
        rows::csv(text)?
    } else {
        header::read(text, label)?
    };
    let mut known: Vec<Relation> = Vec::new();
    for relation in observation.relations {
        let same = |known: &Relation| {
            let place = |relation: &Relation| {
                [&relation.database, &relation.schema, &relation.name].map(Clone::clone)
            };
            !known.is_anonymous()
                && place(known) == place(&relation)
                && known.columns == relation.columns
        };
        if !known.iter().any(same) {
            known.push(relation);
        }
    }
    observation.relations = known;
    if observation.relations.is_empty() {
        return Err("it describes no relation".to_owned());
    }
    Ok(observation)
}

/// What one JSON document describes.
fn document(value: &Value) -> Result<Observation, String> {
    if let Some(observation) = catalog::read(value) {
        return Ok(observation);
    }
    let list = match value {
        Value::Array(items) => Some(items),
        // What `dbt show --output json` prints.
        _ => value.get("show").and_then(Value::as_array),
    };
    match list {
        Some(items) if items.iter().any(lines::is_relation) => lines::relations(items),
        Some(items) => rows::json(items),
        None if lines::is_relation(value) => lines::relations(std::slice::from_ref(value)),
        None => Err(
            "it is neither a `catalog.json`, nor a list of columns, nor a relation with `columns`"
                .to_owned(),
        ),
    }
}

/// Text without a byte order mark, which may say that it is UTF-16, as PowerShell writes it.
fn text(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => {
            let text = std::str::from_utf8(bytes).map_err(|_| "it is no UTF-8 text".to_owned())?;
            return Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)));
        }
    };
    let (pairs, rest) = bytes[2..].as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    text.map(Cow::Owned)
        .ok_or_else(|| "it is no UTF-16 text".to_owned())
}

/// A text that says something.
fn said(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a column may be null, in the words of warehouses and loaders.
fn nullable(word: &str) -> Option<bool> {
    match word.trim().to_lowercase().as_str() {
        "yes" | "true" | "t" | "1" | "y" | "nullable" => Some(true),
        "no" | "false" | "f" | "0" | "n" | "required" | "repeated" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
