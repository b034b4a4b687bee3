//! `schema`: the JSON Schemas that documents and configuration are checked against.

use crate::cli::{Schema, SchemaOf};
use crate::document::{ApiVersion, Kind};
use crate::report::{Exit, Failure, output};
use crate::{odcs, odps, validate};

/// Prints one whole schema.
pub(crate) fn run(arguments: &Schema) -> Result<Exit, Failure> {
    let (kind, versions) = match arguments.of {
        SchemaOf::Odcs => (Kind::Contract, odcs::VERSIONS),
        SchemaOf::Odps => (Kind::Product, odps::VERSIONS),
        SchemaOf::Config => {
            if arguments.version.is_some() {
                return Err(Failure::new(
                    "usage",
                    "the configuration's schema has no versions",
                ));
            }
            output(crate::config::SCHEMA);
            return Ok(Exit::Fine);
        }
    };
    let newest = versions[versions.len() - 1];
    let version = match &arguments.version {
        Some(text) => ApiVersion::parse(text).or_else(|| ApiVersion::parse(&format!("v{text}"))),
        None => Some(newest),
    };
    let schema = version.and_then(|version| validate::schema::schema(kind, version));
    let Some(schema) = schema else {
        let known: Vec<String> = versions.iter().map(ToString::to_string).collect();
        let message = format!("no schema of that version; known are {}", known.join(", "));
        return Err(Failure::new("usage", message));
    };
    output(&format!("{schema:#}\n"));
    Ok(Exit::Fine)
}
