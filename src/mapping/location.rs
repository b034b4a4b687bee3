//! Where the tables of a source live: custom properties, servers and dotted names come in, a
//! database, a schema and an identifier go out.

use super::{Input, files};
use crate::dbt::adapter::Adapter;
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::odcs::{Contract, SchemaObject, Server};

/// The fields of a server that are dbt's `database` and `schema`, by server type. Types that are
/// absent hold files or streams, which have neither; the `database` of DuckDB is the path of a
/// file, never the name of a database.
#[rustfmt::skip]
const SERVERS: &[(&str, Option<&str>, Option<&str>)] = &[
    ("athena",     Some("catalog"),  Some("schema")),
    ("bigquery",   Some("project"),  Some("dataset")),
    ("btrieve",    Some("database"), None),
    ("clickhouse", None,             Some("database")),
    ("cloudsql",   Some("database"), Some("schema")),
    ("custom",     Some("database"), Some("schema")),
    ("databricks", Some("catalog"),  Some("schema")),
    ("db2",        Some("database"), Some("schema")),
    ("denodo",     Some("database"), None),
    ("dremio",     None,             Some("schema")),
    ("duckdb",     None,             Some("schema")),
    ("exasol",     None,             Some("schema")),
    ("glue",       None,             Some("database")),
    ("hana",       None,             Some("schema")),
    ("hive",       None,             Some("database")),
    ("iceberg",    Some("catalog"),  Some("namespace")),
    ("impala",     None,             Some("database")),
    ("informix",   Some("database"), None),
    ("ingres",     Some("database"), None),
    ("mysql",      None,             Some("database")),
    ("oracle",     None,             None),
    ("postgres",   Some("database"), Some("schema")),
    ("postgresql", Some("database"), Some("schema")),
    ("presto",     Some("catalog"),  Some("schema")),
    ("redshift",   Some("database"), Some("schema")),
    ("snowflake",  Some("database"), Some("schema")),
    ("sqlserver",  Some("database"), Some("schema")),
    ("synapse",    Some("database"), None),
    ("teradata",   None,             Some("database")),
    ("trino",      Some("catalog"),  Some("schema")),
    ("vectorwise", Some("database"), None),
    ("vertica",    Some("database"), Some("schema")),
    ("zen",        Some("database"), None),
];

/// Ends of names that are files; their dot joins no schema to a table.
const FILE_ENDINGS: &[&str] = &[
    "avro", "csv", "json", "jsonl", "ndjson", "orc", "parquet", "tsv", "txt", "xml",
];

/// Where a table lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    /// Database, project or catalog.
    pub(super) database: Option<String>,
    /// Schema or dataset.
    pub(super) schema: Option<String>,
    /// The table's name there.
    pub(super) identifier: String,
}

impl Location {
    /// Whether both are in one schema.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.database == other.database && self.schema == other.schema
    }
}

/// The locations of a contract's objects. A server that cannot be chosen matters only where an
/// object does not say itself where it lives.
pub(super) fn locations(
    input: &Input<'_>,
    contract: &Contract,
) -> Result<Vec<Location>, Box<Diagnostic>> {
    let server = chosen(input, contract);
    let place = server.as_ref().ok().copied().flatten();
    let locations: Vec<Location> = contract
        .objects
        .iter()
        .map(|object| location(contract, object, place))
        .collect();
    match server {
        Err(finding) if locations.iter().any(|location| location.schema.is_none()) => Err(finding),
        _ => Ok(locations),
    }
}

/// The dialect in which a contract writes its physical types: that of its chosen server, or of all
/// its servers where they share one.
pub(super) fn dialect(input: &Input<'_>, contract: &Contract) -> Option<Adapter> {
    if let Ok(Some(server)) = chosen(input, contract) {
        return Adapter::of_server(server.server_type.as_str());
    }
    let mut dialects = contract
        .servers
        .iter()
        .map(|server| Adapter::of_server(server.server_type.as_str()));
    let first = dialects.next().flatten()?;
    dialects
        .all(|dialect| dialect == Some(first))
        .then_some(first)
}

/// The fields of a server that are dbt's `database` and `schema`; `None` for files and streams.
fn row(server: &Server) -> Option<(Option<&'static str>, Option<&'static str>)> {
    SERVERS
        .iter()
        .find(|(name, _, _)| *name == server.server_type.value)
        .map(|(_, database, schema)| (*database, *schema))
}

/// The location of one object: its custom properties or the contract's, else the parts of its
/// physical name, else the server.
fn location(contract: &Contract, object: &SchemaObject, server: Option<&Server>) -> Location {
    let custom = |key: &str| {
        object
            .custom
            .text(key)
            .or_else(|| contract.custom.text(key))
            .map(|text| text.value)
    };
    let field = |name: Option<&str>| {
        let value = server
            .zip(name)
            .and_then(|(server, name)| server.field(name));
        value.map(|text| text.value.clone())
    };
    let (database, schema) = server.and_then(row).unwrap_or_default();
    let (database, schema) = (field(database), field(schema));
    // A logical name is only text, whatever it looks like.
    let stated = object.physical_name.as_ref().map(Text::as_str);
    let is_relation = is_relation(contract, object, server);
    let dotted = stated.filter(|_| is_relation).and_then(split);
    let (dotted_database, dotted_schema, identifier) = match dotted {
        Some((database, schema, identifier)) => (database, Some(schema), identifier),
        None => (None, None, object.physical().to_owned()),
    };
    Location {
        database: custom("dbt.database").or(dotted_database).or(database),
        schema: custom("dbt.schema").or(dotted_schema).or(schema),
        identifier,
    }
}

/// Every database and schema that an object may live in, whichever server is chosen.
pub(super) fn homes(contract: &Contract, object: &SchemaObject) -> Vec<(Option<String>, String)> {
    let servers = contract.servers.iter().map(Some);
    servers
        .chain([None])
        .map(|server| location(contract, object, server))
        .filter_map(|location| Some((location.database, location.schema?)))
        .collect()
}

/// Physical types of objects that are no relations; their names have dots of their own.
const NO_RELATIONS: &[&str] = &[
    "document", "event", "file", "files", "folder", "message", "queue", "stream", "topic",
];

/// Whether an object is one of a database server, or of any that the contract lists where none is
/// chosen.
fn is_relation(contract: &Contract, object: &SchemaObject, server: Option<&Server>) -> bool {
    let physical = object.physical_type.as_ref();
    let is_other = physical.is_some_and(|kind| {
        let kind = kind.value.trim().to_lowercase();
        NO_RELATIONS.contains(&kind.as_str())
    });
    let is_stored = || match server {
        Some(server) => row(server).is_some(),
        None => {
            contract.servers.is_empty()
                || contract.servers.iter().any(|server| row(server).is_some())
        }
    };
    !is_other && is_stored()
}

/// The schema in an object's physical name, and the name of the relation there; no name where the
/// physical one is that of a topic or file.
pub(super) fn physical(
    contract: &Contract,
    object: &SchemaObject,
) -> (Option<String>, Option<String>) {
    let Some(physical) = object.physical_name.as_ref().map(Text::as_str) else {
        return (None, None);
    };
    if !is_relation(contract, object, None) || is_file(physical) {
        let is_word = !physical.contains(['.', '/']);
        return (None, is_word.then(|| physical.to_owned()));
    }
    match split(physical) {
        Some((_, schema, name)) => (Some(schema), Some(name)),
        None => (None, Some(physical.to_owned())),
    }
}

/// Whether a name ends as those of files do.
pub(super) fn is_file(name: &str) -> bool {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase());
    ending.is_some_and(|ending| FILE_ENDINGS.contains(&ending.as_str()))
}

/// The parts of a physical name of two or three parts: database, schema, identifier.
fn split(name: &str) -> Option<(Option<String>, String, String)> {
    let parts: Vec<String> = name
        .split('.')
        .map(|part| part.trim_matches(['"', '`', '[', ']']).to_owned())
        .collect();
    if is_file(name)
        || parts
            .iter()
            .any(|part| part.is_empty() || part.contains(['/', ' ']))
    {
        return None;
    }
    match parts.as_slice() {
        [schema, name] => Some((None, schema.clone(), name.clone())),
        [database, schema, name] => Some((Some(database.clone()), schema.clone(), name.clone())),
        _ => None,
    }
}

/// The server that is meant: the configured one by name, then by environment; the only one; the
/// only one of the adapter's type; any, where all are in one place. None where the contract has no
/// servers.
pub(super) fn chosen<'a>(
    input: &Input<'_>,
    contract: &'a Contract,
) -> Result<Option<&'a Server>, Box<Diagnostic>> {
    let mut candidates: Vec<&Server> = contract.servers.iter().collect();
    let without_schema = candidates.iter().all(|server| row(server).is_none());
    if let Some(wanted) = &input.config.dbt.server {
        let named = |server: &&Server| server.name.value == wanted.value;
        let serves = |server: &&Server| {
            server
                .environment
                .as_ref()
                .is_some_and(|environment| environment.value == wanted.value)
        };
        if candidates.iter().any(named) {
            candidates.retain(named);
        } else if !without_schema || candidates.iter().any(serves) {
            candidates.retain(serves);
        }
    }
    // Files and streams have neither database nor schema. Only DuckDB reads files as they are, and
    // of several places none is guessed.
    if without_schema {
        let mut places = candidates.iter().filter_map(|server| files::place(server));
        let first = places.next();
        return if input.adapter == Adapter::DuckDb && places.any(|place| Some(place) != first) {
            Ok(None)
        } else {
            Ok(candidates.first().copied())
        };
    }
    if candidates.len() > 1 {
        let of_adapter = |server: &&Server| {
            Adapter::of_server(server.server_type.as_str()) == Some(input.adapter)
        };
        if candidates.iter().any(of_adapter) {
            candidates.retain(of_adapter);
        }
    }
    let Some((first, others)) = candidates.split_first() else {
        return Err(Box::new(ambiguous(input, contract, true)));
    };
    if others.iter().all(|other| same_place(first, other)) {
        Ok(Some(*first))
    } else {
        Err(Box::new(ambiguous(input, contract, false)))
    }
}

/// Whether it makes no difference to dbt which of two servers is meant: they have the same types,
/// database and schema, or none, as files and streams.
fn same_place(one: &Server, other: &Server) -> bool {
    let place = |server: &Server| {
        let (database, schema) = row(server).unwrap_or_default();
        let value = |name: Option<&str>| server.field(name?).map(|text| text.value.clone());
        (
            Adapter::of_server(server.server_type.as_str()),
            row(server).is_some(),
            value(database),
            value(schema),
        )
    };
    place(one) == place(other)
}

/// The finding that no server or no single one is meant.
fn ambiguous(input: &Input<'_>, contract: &Contract, none: bool) -> Diagnostic {
    let servers: Vec<String> = contract
        .servers
        .iter()
        .map(|server| match &server.environment {
            Some(environment) => format!(
                "`{}` ({}, {})",
                server.name.value, server.server_type.value, environment.value
            ),
            None => format!("`{}` ({})", server.name.value, server.server_type.value),
        })
        .collect();
    let servers = servers.join(", ");
    let message = match &input.config.dbt.server {
        Some(wanted) if none => format!(
            "no server of the contract `{}` has the name or environment `{}`; it has {servers}",
            contract.id.value, wanted.value
        ),
        _ => format!(
            "the contract `{}` has several servers and none is chosen: {servers}",
            contract.id.value
        ),
    };
    let span = contract
        .document
        .root
        .entry("servers")
        .map_or(contract.id.span, |entry| entry.key.span);
    contract
        .document
        .finding(&rules::MAPPING_AMBIGUOUS_SERVER, span, message)
        .help(
            "name one in `dbt.server` of `contracts/config.yaml`, or give the object `dbt.schema`",
        )
        .contract(contract.id.value.clone())
}
