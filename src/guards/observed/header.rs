//! The header of a CSV file: names of columns, and nothing of their types.

use super::{Column, Observation, Relation};

/// What may stand between the fields of a line.
const DELIMITERS: &[u8] = b",;\t|";

/// A reader of CSV whose delimiter is the one that is most frequent in the first line.
pub(super) fn reader(text: &str) -> csv::Reader<&[u8]> {
    let first = text.lines().next().unwrap_or_default();
    let count = |delimiter: &&u8| first.matches(char::from(**delimiter)).count();
    let delimiter = DELIMITERS.iter().rev().max_by_key(count);
    csv::ReaderBuilder::new()
        .delimiter(delimiter.copied().unwrap_or(b','))
        .flexible(true)
        .from_reader(text.as_bytes())
}

/// The names in the first line.
pub(super) fn names(text: &str) -> Result<Vec<String>, String> {
    let mut reader = reader(text);
    let headers = reader
        .headers()
        .map_err(|error| format!("it is no CSV: {error}"))?;
    Ok(headers.iter().map(|name| name.trim().to_owned()).collect())
}

/// The relation that a CSV file with data is.
pub(super) fn read(text: &str, label: Option<&str>) -> Result<Observation, String> {
    let names = names(text)?;
    let is_other = |name: &String| name.is_empty() || name.contains(['{', '}', '<', '>', '=']);
    if names.iter().any(is_other) || names.len() == 1 && names[0].contains(':') {
        let message = "it is neither JSON nor CSV with names in its first line";
        return Err(message.to_owned());
    }
    if names.is_empty() {
        return Err("it describes no relation".to_owned());
    }
    let columns = names.into_iter().map(|name| Column {
        name,
        ..Column::default()
    });
    Ok(Observation {
        form: "the header of CSV data, which has no types",
        error: None,
        relations: vec![Relation {
            label: label.map(str::to_owned),
            columns: columns.collect(),
            ..Relation::default()
        }],
    })
}
