//! The generic tests of a manifest by the models and source tables that they are on.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value as Json;

use super::values::{SILENT, is_default, is_empty, plain, set, shown};
use super::{Manifest, Said};
use crate::dbt::properties::{Entries, Value};

/// A call that selects the relation that a test is on.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r#"source\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)"#).unwrap()
});

/// The tests of a relation: the column of each, and the test.
pub(super) type Tests<'m> = BTreeMap<&'m str, Vec<(usize, String, Value)>>;

/// The tests of all relations, those of one in the order of the manifest.
pub(super) fn tests(manifest: &Manifest) -> Tests<'_> {
    let mut tables: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for (id, node) in &manifest.nodes {
        if let (Some(said), "source") = (&node.said, node.kind.as_str()) {
            let source = said.text("source_name").unwrap_or_default();
            tables.insert((source, node.name.as_str()), id);
        }
    }
    let mut tests = Tests::new();
    for node in manifest.nodes.values().filter(|node| node.kind == "test") {
        let Some(said) = &node.said else {
            continue;
        };
        let Some(metadata) = said.field("test_metadata") else {
            continue;
        };
        let arguments = metadata.get("kwargs").and_then(Json::as_object);
        let model = arguments.and_then(|arguments| arguments.get("model")?.as_str());
        let of_source = || {
            let call = CALL.captures(model?)?;
            tables
                .get(&(call.get(1)?.as_str(), call.get(2)?.as_str()))
                .copied()
        };
        let attached = said.text("attached_node");
        let Some(on) = attached.or_else(of_source) else {
            continue;
        };
        let column = said.text("column_name").unwrap_or_default().to_owned();
        if let Some(test) = test(&node.name, said, metadata, column.is_empty()) {
            tests
                .entry(on)
                .or_default()
                .push((said.order, column, test));
        }
    }
    for tests in tests.values_mut() {
        tests.sort_by_key(|(order, ..)| *order);
    }
    tests
}

/// One test as an entry of `data_tests`. Below a column it need not be told which one it is about.
fn test(name: &str, said: &Said, metadata: &Json, of_relation: bool) -> Option<Value> {
    let kind = metadata.get("name")?.as_str()?;
    let kind = match metadata.get("namespace").and_then(Json::as_str) {
        Some(namespace) => format!("{namespace}.{kind}"),
        None => kind.to_owned(),
    };
    let mut arguments = Entries::default();
    let stated_arguments = metadata.get("kwargs").and_then(Json::as_object);
    for (key, value) in stated_arguments.into_iter().flatten() {
        if key != "model" && (of_relation || key != "column_name") {
            // dbt has not rendered them yet.
            arguments.set(key.clone(), plain(value));
        }
    }
    let mut config = Entries::default();
    for (key, value) in said
        .field("config")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
    {
        if !SILENT.contains(&key.as_str()) && !is_empty(value) && !is_default(key, value) {
            config.set(key.clone(), once(plain(value)));
        }
    }
    // dbt cuts a long name for the relation that failures go to.
    if matches!(config.get("alias"), Some(Value::Text(alias)) if is_cut(alias, name)) {
        config.remove("alias");
    }
    let mut body = Entries::default().with("name", name);
    set(
        &mut body,
        "description",
        said.text("description").map(shown),
    );
    body.set_map("arguments", arguments);
    body.set_map("config", config);
    Some(Value::Map(Entries::default().with(kind, body)))
}

/// A list with each item once: dbt adds the tags of a test to themselves.
fn once(value: Value) -> Value {
    let Value::List(items) = value else {
        return value;
    };
    let mut known: Vec<Value> = Vec::new();
    for item in items {
        if !known.contains(&item) {
            known.push(item);
        }
    }
    Value::List(known)
}

/// Whether an alias is a name that dbt has cut and ended in a hash.
fn is_cut(alias: &str, name: &str) -> bool {
    let hash = alias.rsplit_once('_').map_or("", |(_, hash)| hash);
    alias == name || hash.len() == 32 && name.starts_with(&alias[..alias.len() - 33])
}
