//! Sources that are files, which dbt's adapter for DuckDB reads in place of a table: a server with a
//! path and a format comes in, the call of DuckDB's reader goes out.

use super::location::is_file;
use super::scope::Subject;
use crate::dbt::adapter::Adapter;
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Spanned;
use crate::odcs::{SchemaObject, Server};

/// The types of servers whose files DuckDB reads, with the field that says where they are.
const SERVERS: &[(&str, &str)] = &[("azure", "location"), ("local", "path"), ("s3", "location")];

/// The readers of DuckDB by the format of a server, or by the ending of a file.
const READERS: &[(&str, &str)] = &[
    ("avro", "read_avro"),
    ("csv", CSV),
    ("delta", "delta_scan"),
    ("iceberg", "iceberg_scan"),
    ("json", JSON),
    ("jsonl", JSON),
    ("ndjson", JSON),
    ("parquet", "read_parquet"),
    ("tsv", CSV),
];

const CSV: &str = "read_csv";
const JSON: &str = "read_json";

/// How JSON documents follow each other, in the words of contracts and in those of DuckDB.
const JSON_FORMATS: &[(&str, &str)] = &[("array", "array"), ("new_line", "newline_delimited")];

/// The custom property of an object that says it itself.
pub(super) const OWN: &str = "external_location";

/// What stands for the name of an object in the path of a server.
const PLACEHOLDERS: &[&str] = &["{model}", "{object}", "{table}"];

/// Where the files of a server are, if DuckDB reads them.
pub(super) fn place(server: &Server) -> Option<&str> {
    let kind = server.server_type.as_str();
    let (_, field) = SERVERS.iter().find(|(known, _)| *known == kind)?;
    server.field(field).map(Spanned::as_str)
}

/// What dbt reads in place of the table of an object; nothing where it is no file of DuckDB's.
pub(super) fn external_location(
    subject: &Subject<'_>,
    server: Option<&Server>,
) -> Result<Option<String>, Box<Diagnostic>> {
    let found = server.and_then(|server| Some((server, place(server)?)));
    let Some((server, place)) = found else {
        return Ok(None);
    };
    if subject.scope.input.adapter != Adapter::DuckDb {
        return Ok(None);
    }
    let object = subject.object;
    let none = |reason: String| {
        let message = format!(
            "dbt cannot read the files of `{}`: {reason}",
            object.name.value
        );
        let finding = subject.finding(
            &rules::MAPPING_SOURCE_WITHOUT_SERVER,
            object.name.span,
            message,
        );
        Err(Box::new(finding.help(
            "the custom property `external_location` of the object says what DuckDB selects from",
        )))
    };
    let Some(path) = path(place, object, subject.contract.objects.len()) else {
        return none(format!(
            "`{place}` is one place for several objects; `{{object}}` in it would stand for their names"
        ));
    };
    let ending = path
        .rsplit_once('.')
        .map_or("", |(_, ending)| ending)
        .to_lowercase();
    let stated = server.field("format").map(|text| text.value.to_lowercase());
    let format = stated.unwrap_or(ending);
    let Some((_, reader)) = READERS.iter().find(|(known, _)| *known == format) else {
        return none(if format.is_empty() || format.contains('/') {
            format!("the server `{}` has no `format`", server.name.value)
        } else {
            format!("DuckDB has no reader for `{format}`")
        });
    };
    let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let delimiter = server.field("delimiter").map_or("", Spanned::as_str);
    let json = JSON_FORMATS.iter().find(|(known, _)| *known == delimiter);
    let option = match (*reader, json) {
        (CSV, _) if !delimiter.is_empty() => format!(", delim = {}", literal(delimiter)),
        (JSON, Some((_, word))) => format!(", format = {}", literal(word)),
        _ => String::new(),
    };
    let call = format!("{reader}({}{option})", literal(&path));
    // The adapter fills braces with what it knows of the source.
    Ok(Some(call.replace('{', "{{").replace('}', "}}")))
}

/// The path of an object's files: that of the server with the object's name in it, or the object's
/// own file there.
fn path(place: &str, object: &SchemaObject, objects: usize) -> Option<String> {
    let name = object.physical();
    if PLACEHOLDERS.iter().any(|word| place.contains(word)) {
        let named = |path: String, word: &&str| path.replace(*word, name);
        return Some(PLACEHOLDERS.iter().fold(place.to_owned(), named));
    }
    if is_file(name) && !place.ends_with(name) && !is_file(place) && !place.contains('*') {
        return Some(format!("{}/{name}", place.trim_end_matches('/')));
    }
    (objects == 1 || place.ends_with(name)).then(|| place.to_owned())
}
