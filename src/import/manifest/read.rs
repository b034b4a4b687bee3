//! The fields of a manifest that matter: a stream of JSON comes in, a [`Manifest`] goes out.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::values::{SILENT, is_empty};
use super::{Group, Manifest, Node, Other, Said, VERSIONS};

/// The fields of models, source tables and tests that are read beside their names.
const FIELDS: &[&str] = &[
    "access",
    "attached_node",
    "column_name",
    "columns",
    "config",
    "constraints",
    "database",
    "deprecation_date",
    "description",
    "external",
    "freshness",
    "group",
    "identifier",
    "latest_version",
    "loaded_at_field",
    "loaded_at_query",
    "loader",
    "meta",
    "quoting",
    "schema",
    "source_description",
    "source_meta",
    "source_name",
    "test_metadata",
    "unrendered_config",
    "unrendered_database",
    "unrendered_schema",
    "version",
];

/// Those of them that have entries, beside the columns.
const MAPPINGS: &[&str] = &[
    "config",
    "meta",
    "quoting",
    "source_meta",
    "test_metadata",
    "unrendered_config",
];

/// The kinds of nodes that contracts are made of.
const KINDS: &[&str] = &["model", "source", "test"];

/// What has no data, by its section: the key of a properties file.
const OTHERS: &[(&str, &str)] = &[
    ("exposures", "exposures"),
    ("functions", "functions"),
    ("metrics", "metrics"),
    ("saved_queries", "saved_queries"),
    ("semantic_models", "semantic_models"),
    ("unit_tests", "unit_tests"),
];

/// The kinds of nodes that have data which nothing generates.
const OTHER_NODES: &[(&str, &str)] = &[("seed", "seeds"), ("snapshot", "snapshots")];

/// Reads a manifest; the error completes a sentence that begins with the file's path.
pub(in crate::import) fn from_reader(reader: impl Read) -> Result<Manifest, String> {
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let raw = Top(&["nodes", "sources"])
        .deserialize(&mut deserializer)
        .and_then(|raw| deserializer.end().map(|()| raw));
    let raw = raw.map_err(|error| broken(&error, "manifest"))?;
    let Metadata {
        dbt_schema_version,
        dbt_version,
        project_name,
        adapter_type,
    } = raw.metadata.unwrap_or_default();
    let stated = dbt_schema_version.ok_or(
        "is no manifest of dbt: it has no `metadata.dbt_schema_version`; `dbt parse` writes one to `target/manifest.json`",
    )?;
    let known = known_version(&stated, "manifest");
    if !known.is_some_and(|version| VERSIONS.contains(&version)) {
        let of =
            dbt_version.map_or_else(String::new, |version| format!(", written by dbt {version}"));
        return Err(format!(
            "is {}{of}; known is a manifest of version 12, which dbt 1.8 to 1.12 write",
            said_version(&stated)
        ));
    }
    let mut manifest = Manifest {
        project: project_name,
        adapter: adapter_type,
        nodes: raw.nodes,
        groups: raw.groups,
        others: raw.others,
    };
    // Packages have nodes too, of which only the lineage matters.
    let project = manifest.project.clone();
    for node in manifest.nodes.values_mut() {
        let is_own = project.as_ref().is_none_or(|own| *own == node.package);
        if !is_own {
            node.said = None;
        }
        let key = OTHER_NODES.iter().find(|(kind, _)| *kind == node.kind);
        let said = node
            .said
            .take_if(|said| key.is_none() || said.patch.is_none());
        match (key, said, node.said.take()) {
            (None, said, _) => node.said = said,
            (Some((_, key)), _, Some(said)) => manifest.others.push(Other {
                key,
                name: node.name.clone(),
                file: said.described_in().to_owned(),
            }),
            (Some(_), _, None) => {}
        }
    }
    Ok(manifest)
}

/// What is wrong with JSON that cannot be read.
pub(in crate::import) fn broken(error: &serde_json::Error, what: &str) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    if error.is_eof() {
        return format!("ends in the middle, at {place}; let dbt write it again");
    }
    if error.is_io() {
        return format!("cannot be read: {error}");
    }
    format!("is no {what} of dbt: {error}")
}

/// The number in the address of a schema, such as `…/manifest/v12.json`.
pub(in crate::import) fn known_version(stated: &str, what: &str) -> Option<u32> {
    let mut parts = stated.rsplit('/');
    let file = parts.next()?;
    if parts.next()? != what {
        return None;
    }
    file.strip_prefix('v')?.strip_suffix(".json")?.parse().ok()
}

/// The version that a schema's address states, in words.
pub(in crate::import) fn said_version(stated: &str) -> String {
    let mut parts = stated.rsplit('/');
    let version = parts
        .next()
        .map(|file| file.trim_end_matches(".json").trim_start_matches('v'));
    match (version, parts.next()) {
        (Some(version), Some(kind)) => format!("a {kind} of version {version}"),
        _ => format!("of the version `{stated}`"),
    }
}

/// What a file says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "a mapping that says which version the file is of")]
pub(in crate::import) struct Metadata {
    pub(in crate::import) dbt_schema_version: Option<String>,
    dbt_version: Option<String>,
    project_name: Option<String>,
    adapter_type: Option<String>,
}

/// The whole file.
#[derive(Default)]
struct Raw {
    metadata: Option<Metadata>,
    nodes: BTreeMap<String, Node>,
    groups: BTreeMap<String, Group>,
    others: Vec<Other>,
}

/// Reads the sections of these names as nodes.
struct Top(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Top {
    type Value = Raw;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Top {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping with `metadata`, `nodes` and `sources`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut raw = Raw::default();
        while let Some(key) = map.next_key::<String>()? {
            let other = OTHERS.iter().find(|(section, _)| *section == key);
            match key.as_str() {
                "metadata" => raw.metadata = Some(map.next_value()?),
                "groups" => {
                    for group in map
                        .next_value::<BTreeMap<String, RawGroup>>()?
                        .into_values()
                    {
                        let known = Group {
                            description: group.description.filter(|text| !text.is_empty()),
                            owner: group.owner.unwrap_or_default(),
                        };
                        raw.groups.insert(group.name, known);
                    }
                }
                section if self.0.contains(&section) => {
                    map.next_value_seed(Nodes(&mut raw.nodes))?;
                }
                _ => match other {
                    Some((_, key)) => {
                        for other in map
                            .next_value::<BTreeMap<String, RawOther>>()?
                            .into_values()
                        {
                            raw.others.push(Other {
                                key,
                                name: other.name,
                                file: other.original_file_path.unwrap_or_default(),
                            });
                        }
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
            }
        }
        Ok(raw)
    }
}

#[derive(Deserialize)]
#[serde(expecting = "a group")]
struct RawGroup {
    name: String,
    description: Option<String>,
    owner: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(expecting = "a resource with its name")]
struct RawOther {
    name: String,
    original_file_path: Option<String>,
}

/// Adds the nodes of a section.
struct Nodes<'n>(&'n mut BTreeMap<String, Node>);

impl<'de> DeserializeSeed<'de> for Nodes<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nodes by their unique ids")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(id) = map.next_key::<String>()? {
            let mut node = map.next_value_seed(One)?;
            if let Some(said) = &mut node.said {
                said.order = self.0.len();
            }
            self.0.insert(id, node);
        }
        Ok(())
    }
}

/// Reads one node.
struct One;

impl<'de> DeserializeSeed<'de> for One {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_map(self)
    }
}

#[derive(Default, Deserialize)]
#[serde(expecting = "a mapping with `nodes`")]
struct DependsOn {
    #[serde(default)]
    nodes: Vec<String>,
}

impl<'de> Visitor<'de> for One {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut node = Node::default();
        let mut said = Said::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "resource_type" => node.kind = map.next_value()?,
                "package_name" => node.package = map.next_value()?,
                "name" => node.name = map.next_value()?,
                "depends_on" => {
                    node.parents = map
                        .next_value::<Option<DependsOn>>()?
                        .unwrap_or_default()
                        .nodes;
                }
                "patch_path" => {
                    // `package://models/schema.yml`
                    let path: Option<String> = map.next_value()?;
                    said.patch = path.map(|path| match path.split_once("://") {
                        Some((_, path)) => slashes(path),
                        None => slashes(&path),
                    });
                }
                "original_file_path" => said.file = slashes(&map.next_value::<String>()?),
                "fqn" => said.fqn = map.next_value()?,
                key => match FIELDS.iter().find(|field| **field == key) {
                    Some(field) => {
                        let value: Value = map.next_value()?;
                        if let Some(expected) = other_than(field, &value) {
                            let message = format!("`{field}` of a node is no {expected}");
                            return Err(A::Error::custom(message));
                        }
                        said.fields.insert((*field).to_owned(), value);
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
            }
        }
        let mut kinds = KINDS.iter().chain(OTHER_NODES.iter().map(|(kind, _)| kind));
        if kinds.any(|kind| *kind == node.kind) {
            tidy(&mut said.fields);
            said.fqn.shrink_to_fit();
            node.said = Some(Box::new(said));
        }
        Ok(node)
    }
}

/// What a field should be, where it is something else; nothing is always allowed.
fn other_than(field: &str, value: &Value) -> Option<&'static str> {
    let is_map = |value: &Value| value.is_object() || value.is_null();
    let is_fine = match field {
        "columns" => {
            let mut columns = value.as_object().into_iter().flat_map(Map::values);
            if !columns.all(Value::is_object) {
                return Some("mapping of mappings");
            }
            is_map(value)
        }
        _ if MAPPINGS.contains(&field) => is_map(value),
        _ => true,
    };
    (!is_fine).then_some("mapping")
}

/// Takes out what says nothing: of a large manifest it is the most. What somebody wrote stays whole.
fn tidy(fields: &mut Map<String, Value>) {
    for key in ["config", "freshness", "quoting"] {
        if let Some(Value::Object(inner)) = fields.get_mut(key) {
            keep(inner, |key, value| {
                !is_empty(value) && !SILENT.contains(&key)
            });
        }
    }
    let columns = fields.get_mut("columns").and_then(Value::as_object_mut);
    for (_, column) in columns.into_iter().flatten() {
        if let Value::Object(inner) = column {
            if let Some(Value::Object(config)) = inner.get_mut("config") {
                keep(config, |_, value| !is_empty(value));
            }
            keep(inner, |_, value| !is_empty(value));
        }
    }
    // That a setting is stated matters, and what was stated does not.
    if let Some(Value::Object(stated)) = fields.get_mut("unrendered_config") {
        stated
            .values_mut()
            .for_each(|value| *value = Value::Bool(true));
    }
    keep(fields, |_, value| !is_empty(value));
}

/// Keeps some entries, in no more room than they need.
fn keep(map: &mut Map<String, Value>, wanted: impl Fn(&str, &Value) -> bool) {
    let count = map.iter().filter(|(key, value)| wanted(key, value)).count();
    let mut kept = Map::with_capacity(count);
    for (key, value) in std::mem::take(map) {
        if wanted(&key, &value) {
            kept.insert(key, value);
        }
    }
    *map = kept;
}

/// Windows writes paths with backslashes.
fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_another_kind_is_no_manifest() {
        let node = |field: &str| {
            format!(
                r#"{{"metadata": {{"dbt_schema_version": "x/manifest/v12.json"}}, "nodes": {{"model.shop.a":
                {{"resource_type": "model", "package_name": "shop", "name": "a", {field}}}}}}}"#
            )
        };
        for (field, expected) in [
            (r#""columns": {}"#, None),
            (r#""config": null"#, None),
            (
                r#""columns": [1]"#,
                Some("`columns` of a node is no mapping"),
            ),
            (
                r#""columns": {"x": 1}"#,
                Some("`columns` of a node is no mapping of mappings"),
            ),
            (r#""config": "x""#, Some("`config` of a node is no mapping")),
            (
                r#""test_metadata": []"#,
                Some("`test_metadata` of a node is no mapping"),
            ),
            (
                r#""depends_on": "x""#,
                Some("expected a mapping with `nodes`"),
            ),
        ] {
            let read = from_reader(node(field).as_bytes());
            match (read, expected) {
                (Ok(_), None) => {}
                (Err(why), Some(words)) => assert!(why.contains(words), "{field}: {why}"),
                (read, _) => panic!("{field}: {:?}", read.err()),
            }
        }
    }
}
