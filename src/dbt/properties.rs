//! A properties file of dbt as plain data, in the shape that dbt 1.10.8 and later read: `meta` and
//! `tags` under `config`, the arguments of tests under `arguments`.
//!
//! The mapping fills it; the templates print it. All text is meant literally, and what prints it
//! escapes Jinja, except where a field says otherwise.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::yaml::{Data, Node};

/// A value of a `config`, of `meta`, or of a test's arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the names are YAML's")]
pub enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Map(Entries),
}

impl Value {
    /// A node as a value.
    pub fn of(node: &Node) -> Self {
        match &node.data {
            Data::Null => Self::Null,
            Data::Bool(value) => Self::Bool(*value),
            Data::Int(value) => Self::Int(*value),
            Data::Float(value) => Self::Float(*value),
            Data::String(text) => Self::Text(text.clone()),
            Data::Sequence(items) => Self::List(items.iter().map(Self::of).collect()),
            Data::Mapping(mapping) => {
                let mut entries = Entries::default();
                for entry in mapping {
                    if let Some(key) = entry.key.as_str() {
                        entries.set(key.to_owned(), Self::of(&entry.value));
                    }
                }
                Self::Map(entries)
            }
        }
    }
}

impl Value {
    /// The same with every text changed, at any depth.
    pub fn map_texts(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Text(text) => Self::Text(change(text)),
            Self::List(items) => {
                let items = items.iter();
                Self::List(items.map(|item| item.map_texts(change)).collect())
            }
            Self::Map(entries) => Self::Map(entries.map_texts(change)),
            single => single.clone(),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Null => {}
            Self::Bool(value) => value.hash(state),
            Self::Int(value) => value.hash(state),
            Self::Float(value) => value.to_bits().hash(state),
            Self::Text(text) => text.hash(state),
            Self::List(items) => items.hash(state),
            Self::Map(entries) => entries.hash(state),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i128> for Value {
    fn from(value: i128) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Entries> for Value {
    fn from(entries: Entries) -> Self {
        Self::Map(entries)
    }
}

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(items: Vec<V>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Value {
    /// A number or text as it is, and nothing of what has parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Null | Self::List(_) | Self::Map(_) => Ok(()),
        }
    }
}

/// A key: most are words of dbt.
type Key = Cow<'static, str>;

/// Keys with values, in order, each key once.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct Entries(Vec<(Key, Value)>);

impl Entries {
    /// Sets a key, where it stands or at the end.
    pub fn set(&mut self, key: impl Into<Key>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        if let Some((_, old)) = self.0.iter_mut().find(|(known, _)| *known == key) {
            *old = value;
            return;
        }
        // There are as many of these as columns and tests, most with one key.
        if self.0.len() == self.0.capacity() {
            self.0.reserve_exact(self.0.len().max(1));
        }
        self.0.push((key, value));
    }

    /// The same, as one expression.
    pub fn with(mut self, key: impl Into<Key>, value: impl Into<Value>) -> Self {
        self.set(key, value);
        self
    }

    /// Sets a list unless it is empty.
    pub fn set_list<V: Into<Value>>(&mut self, key: &'static str, items: Vec<V>) {
        if !items.is_empty() {
            self.set(key, items);
        }
    }

    /// Sets further keys unless there are none.
    pub fn set_map(&mut self, key: &'static str, entries: Entries) {
        if !entries.is_empty() {
            self.set(key, entries);
        }
    }

    /// Sets the keys of others.
    pub fn extend(&mut self, others: &Self) {
        for (key, value) in &others.0 {
            self.set(key.clone(), value.clone());
        }
    }

    /// Sets those keys of others that are not there.
    pub fn fill(&mut self, others: &Self) {
        for (key, value) in &others.0 {
            if self.get(key).is_none() {
                self.set(key.clone(), value.clone());
            }
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.iter()
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value)
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.0.iter().position(|(known, _)| known == key)?;
        Some(self.0.remove(index).1)
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// The same with every text changed, at any depth.
    pub fn map_texts(&self, change: &dyn Fn(&str) -> String) -> Self {
        let entries = self.0.iter();
        Self(
            entries
                .map(|(key, value)| (key.clone(), value.map_texts(change)))
                .collect(),
        )
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A source: tables of one database and schema.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct Source {
    /// Name that `source()` takes first.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// Database, project or catalog.
    pub database: Option<String>,
    /// Schema or dataset.
    pub schema: Option<String>,
    /// What loads it.
    pub loader: Option<String>,
    /// `tags`, `meta`.
    pub config: Entries,
    /// Its tables.
    pub tables: Vec<SourceTable>,
}

/// A table of a source.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct SourceTable {
    /// Name that `source()` takes second.
    pub name: String,
    /// Name in the warehouse, where it differs.
    pub identifier: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// What loads it, where that is another than that of its source.
    pub loader: Option<String>,
    /// `identifier: true`, for adapters that do not quote names of tables.
    pub quoting: Entries,
    /// `loaded_at_field`, `freshness`, `tags`, `meta`.
    pub config: Entries,
    /// Tests of the table as a whole.
    pub data_tests: Vec<GenericTest>,
    /// Columns in order.
    pub columns: Vec<Column>,
}

/// A group of models with one owner.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// `name`, `email`; dbt knows nothing else.
    pub owner: Entries,
    /// Description. dbt does not render it.
    pub description: Option<String>,
    /// `meta`.
    pub config: Entries,
}

/// A model.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct Model {
    /// Name that `ref()` takes.
    pub name: String,
    /// The version that `ref()` takes where it is given none.
    pub latest_version: Option<Value>,
    /// What is said of it; empty where it has several versions, of which each says its own.
    #[serde(flatten)]
    pub body: ModelBody,
    /// Its versions, the oldest first; none where it has one only.
    pub versions: Vec<ModelVersion>,
}

/// One of several versions of a model.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct ModelVersion {
    /// Its number, or its text.
    pub v: Value,
    /// Its file without the ending, unless that is `<model>_v<v>`.
    pub defined_in: Option<String>,
    /// What is said of it.
    #[serde(flatten)]
    pub body: ModelBody,
}

/// What is said of a model, or of one of its versions.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct ModelBody {
    /// Description.
    pub description: Option<String>,
    /// The day, or moment, from which it is deprecated.
    pub deprecation_date: Option<String>,
    /// `materialized`, `alias`, `contract`, `tags`, `meta` and others, in that order.
    pub config: Entries,
    /// Constraints over several columns.
    pub constraints: Vec<Constraint>,
    /// Tests of it as a whole.
    pub data_tests: Vec<GenericTest>,
    /// Columns in order.
    pub columns: Vec<Column>,
}

/// A column of a model or source table.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct Column {
    /// Its exact name.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// Type in the warehouse's SQL.
    pub data_type: Option<String>,
    /// The name needs quotes in SQL.
    pub quote: bool,
    /// Constraints of the column.
    pub constraints: Vec<Constraint>,
    /// `tags`, `meta`.
    pub config: Entries,
    /// Tests of the column.
    pub data_tests: Vec<GenericTest>,
    /// What it is known by whatever its name. dbt knows nothing of it.
    #[serde(skip)]
    pub identity: Identity,
}

/// What something is known by when its name changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// An id that stays the same.
    pub id: Option<String>,
    /// The name that it had before.
    pub renamed_from: Option<String>,
}

/// A constraint of a model contract.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct Constraint {
    /// `not_null`, `unique`, `primary_key`, `foreign_key`, `check`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its name, where the adapter wants one.
    pub name: Option<String>,
    /// What a check says of each row, in SQL.
    pub expression: Option<String>,
    /// The columns, as they stand in SQL; empty on a column.
    pub columns: Vec<String>,
    /// The call that selects what a foreign key leads to.
    pub to: Option<String>,
    /// The columns there, as they stand in SQL.
    pub to_columns: Vec<String>,
}

/// A generic test on a column, model or source table.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize)]
pub struct GenericTest {
    /// Name of the test, with its package's before a dot.
    pub test: Cow<'static, str>,
    /// Name of this use of it, where dbt's own would not do. dbt does not render it.
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Arguments. Their texts are escaped already, since only here text may also be a call such as
    /// `ref('orders')`.
    pub arguments: Entries,
    /// `severity`, `where`, `error_if` and others. dbt does not render the `meta` in it.
    pub config: Entries,
    /// The contract writes the test itself, as dbt code: nothing of it is escaped.
    pub verbatim: bool,
}
