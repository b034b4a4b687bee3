//! Values of a manifest: JSON with everything that dbt sets by itself comes in, what somebody has stated
//! goes out.

use serde_json::{Map, Value as Json};

use super::Said;
use crate::dbt::jinja;
use crate::dbt::properties::{Entries, Value};

/// What dbt sets by itself, which says nothing: of models, of tests, of both.
const DEFAULTS: &[(&str, &str)] = &[
    ("access", "protected"),
    ("alias_types", "true"),
    ("batch_size", ""),
    ("enabled", "true"),
    ("error_if", "!= 0"),
    ("fail_calc", "count(*)"),
    ("lookback", "1"),
    ("materialized", "view"),
    ("materialized", "test"),
    ("on_configuration_change", "apply"),
    ("on_schema_change", "ignore"),
    ("schema", "dbt_test__audit"),
    ("severity", "ERROR"),
    ("warn_enforced", "true"),
    ("warn_if", "!= 0"),
    ("warn_unenforced", "true"),
    ("warn_unsupported", "true"),
];

/// Settings whose form in the manifest is dbt's own.
pub(super) const SILENT: &[&str] = &["docs", "static_analysis"];

/// Changes a mapping in entries; it is left out where it is empty.
pub(super) fn merged(entries: &mut Entries, key: &'static str, change: impl FnOnce(&mut Entries)) {
    let mut inner = match entries.remove(key) {
        Some(Value::Map(inner)) => inner,
        _ => Entries::default(),
    };
    change(&mut inner);
    entries.set_map(key, inner);
}

pub(super) fn set<T: Into<Value>>(entries: &mut Entries, key: &str, value: Option<T>) {
    if let Some(value) = value {
        entries.set(key.to_owned(), value);
    }
}

pub(super) fn set_list(entries: &mut Entries, key: &str, items: Vec<Value>) {
    if !items.is_empty() {
        entries.set(key.to_owned(), Value::List(items));
    }
}

/// The settings of a model that dbt does not have by itself, or that somebody has stated all the same.
pub(super) fn settings(said: &Said) -> Entries {
    let mut config = Entries::default();
    let is_stated = |key: &str| {
        said.field("unrendered_config")
            .is_some_and(|stated| stated.get(key).is_some())
    };
    for (key, value) in said
        .field("config")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
    {
        if SILENT.contains(&key.as_str()) || is_empty(value) {
            continue;
        }
        if key == "contract" {
            if let Value::Map(contract) = stated(value) {
                let is_off = contract.get("enforced") == Some(&Value::Bool(false));
                config.set_map(
                    "contract",
                    if is_off { Entries::default() } else { contract },
                );
            }
        } else if is_stated(key) || !is_default(key, value) {
            config.set(key.clone(), json(value, &shown));
        }
    }
    config
}

pub(super) fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(map) => map.is_empty(),
        Json::String(text) => text.is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

pub(super) fn is_default(key: &str, value: &Json) -> bool {
    let word = match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    DEFAULTS.contains(&(key, word.as_str()))
}

/// A value without what is null, empty or dbt's own, at any depth.
pub(super) fn stated(value: &Json) -> Value {
    match value {
        Json::Object(map) => {
            let mut entries = Entries::default();
            for (key, value) in map {
                let inner = stated(value);
                let is_nothing = matches!(&inner, Value::Map(inner) if inner.is_empty());
                if !is_empty(value) && !is_nothing && !is_default(key, value) {
                    entries.set(key.clone(), inner);
                }
            }
            Value::Map(entries)
        }
        Json::Array(items) => Value::List(items.iter().map(stated).collect()),
        single => json(single, &shown),
    }
}

/// A text of the manifest, which dbt has rendered, as properties files have it.
pub(super) fn shown(text: &str) -> String {
    jinja::escape(text).into_owned()
}

pub(super) fn rendered(map: &Map<String, Json>) -> Entries {
    let mut entries = Entries::default();
    for (key, value) in map {
        entries.set(key.clone(), json(value, &shown));
    }
    entries
}

pub(super) fn plain(value: &Json) -> Value {
    json(value, &str::to_owned)
}

/// JSON as a value, each text changed.
pub(super) fn json(value: &Json, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole.into()),
            None => number.as_f64().map_or(Value::Null, Value::Float),
        },
        Json::String(text) => Value::Text(change(text)),
        Json::Array(items) => Value::List(items.iter().map(|item| json(item, change)).collect()),
        Json::Object(map) => {
            let mut entries = Entries::default();
            for (key, value) in map {
                entries.set(key.clone(), json(value, change));
            }
            Value::Map(entries)
        }
    }
}
