//! A contract in the making: what has been gathered of it, and its entries in the order of the
//! standard.

use std::sync::Arc;

use super::fields::{self, Record};
use super::types::Logical;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::diagnostics::SourceFile;
use crate::yaml::Span;

/// A column.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyDraft {
    pub(super) name: String,
    /// Only where another contract refers to it.
    pub(super) id: Option<String>,
    pub(super) business_name: Option<Value>,
    pub(super) logical: Option<&'static str>,
    pub(super) physical: Option<String>,
    pub(super) options: Entries,
    /// `properties`, `items` or `map`.
    pub(super) parts: Entries,
    /// Where its fields are columns of their own, what it holds.
    pub(super) record: Option<Record>,
    pub(super) description: Option<String>,
    pub(super) required: bool,
    pub(super) unique: bool,
    /// Place in the primary key, from 1.
    pub(super) key: Option<usize>,
    pub(super) critical: bool,
    pub(super) classification: Option<Value>,
    pub(super) tags: Vec<String>,
    pub(super) relationships: Vec<Value>,
    pub(super) quality: Vec<Value>,
    pub(super) custom: Vec<Value>,
    /// The tests that the standard has words for, as `generate` gives them back.
    pub(super) said: Vec<GenericTest>,
}

/// A test of an object that refers to another one, until it is known whether that one is imported.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// The property that it is on; `None` for the object.
    pub(super) property: Option<usize>,
    /// The columns here, as they stand in SQL; none for the one that the test is on.
    pub(super) columns: Vec<String>,
    /// The call that selects the other relation.
    pub(super) to: String,
    /// The columns there.
    pub(super) fields: Vec<String>,
    /// The test itself, for what becomes of it otherwise.
    pub(super) test: GenericTest,
    /// Whether it is a constraint, which no contract holds otherwise.
    pub(super) constraint: Option<(Arc<SourceFile>, Span)>,
}

/// A model or a table of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectDraft {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) physical_name: Option<String>,
    pub(super) physical_type: Option<String>,
    pub(super) business_name: Option<Value>,
    pub(super) granularity: Option<Value>,
    pub(super) description: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) properties: Vec<PropertyDraft>,
    pub(super) relationships: Vec<Value>,
    pub(super) quality: Vec<Value>,
    pub(super) custom: Vec<Value>,
    pub(super) pending: Vec<Pending>,
    /// What dbt calls it in the names of tests.
    pub(super) label: String,
    /// The call that selects it: `ref('orders')`, with its version; `source('shop', 'orders')`.
    pub(super) call: String,
    pub(super) owner: Option<String>,
    /// `slaProperties`, whose element is still to be named.
    pub(super) levels: Vec<Entries>,
}

/// A contract.
#[derive(Clone, Debug, Default)]
pub(super) struct ContractDraft {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) version: String,
    /// Whether it is in force beside newer versions that are not yet.
    pub(super) active: bool,
    /// `purpose`, `limitations`, `usage`.
    pub(super) description: Entries,
    pub(super) tags: Vec<String>,
    pub(super) owner: Option<String>,
    pub(super) objects: Vec<ObjectDraft>,
    pub(super) custom: Vec<Value>,
    /// The files that it comes from.
    pub(super) files: Vec<String>,
    /// Whether its objects are models.
    pub(super) models: bool,
    /// The folder or dbt group of its models.
    pub(super) group: String,
    /// What dbt calls its objects, where a manifest says so.
    pub(super) nodes: Vec<String>,
    /// The path that it will have.
    pub(super) path: String,
}

/// An entry of `customProperties`.
pub(super) fn custom(property: &str, value: impl Into<Value>) -> Value {
    Value::Map(
        Entries::default()
            .with("property", property)
            .with("value", value),
    )
}

/// Sets a list unless it is empty.
fn set_list(entries: &mut Entries, key: &str, items: &[Value]) {
    if !items.is_empty() {
        entries.set(key.to_owned(), Value::List(items.to_vec()));
    }
}

/// Sets a value that is there.
fn set<T: Into<Value>>(entries: &mut Entries, key: &str, value: Option<T>) {
    if let Some(value) = value {
        entries.set(key.to_owned(), value);
    }
}

impl PropertyDraft {
    /// Says the logical type. `generate` tests that the texts of a model are UUIDs, where their own type
    /// says it and nobody tests it.
    pub(super) fn set_logical(&mut self, logical: Logical, is_model: bool) {
        self.logical = Some(logical.kind.as_str());
        self.options = logical.options;
        self.parts = logical.parts;
        if is_model && self.options.get("format") == Some(&Value::from("uuid")) {
            self.options.remove("format");
        }
    }

    /// The property under that name with what it holds.
    pub(super) fn entries(&self, name: &str, parts: &Entries) -> Entries {
        let mut entries = Entries::default().with("name", name);
        set(&mut entries, "id", self.id.as_deref());
        set(&mut entries, "businessName", self.business_name.clone());
        set(&mut entries, "logicalType", self.logical);
        set(&mut entries, "physicalType", self.physical.as_deref());
        entries.set_map("logicalTypeOptions", self.options.clone());
        set(&mut entries, "description", self.description.as_deref());
        for (key, holds) in [("required", self.required), ("unique", self.unique)] {
            if holds {
                entries.set(key, true);
            }
        }
        if let Some(place) = self.key {
            entries.set("primaryKey", true);
            entries.set("primaryKeyPosition", i128::try_from(place).unwrap_or(1));
        }
        if self.critical {
            entries.set("criticalDataElement", true);
        }
        set(&mut entries, "classification", self.classification.clone());
        entries.set_list("tags", self.tags.clone());
        set_list(&mut entries, "relationships", &self.relationships);
        set_list(&mut entries, "quality", &self.quality);
        for (key, part) in parts.iter() {
            entries.set(key.to_owned(), part.clone());
        }
        set_list(&mut entries, "customProperties", &self.custom);
        entries
    }
}

impl ObjectDraft {
    /// The property whose name is meant, in any case where no other has it.
    pub(super) fn property(&self, matches: impl Fn(&str) -> bool) -> Option<usize> {
        let mut found =
            (0..self.properties.len()).filter(|place| matches(&self.properties[*place].name));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    fn entries(&self) -> Entries {
        let mut entries = Entries::default().with("name", self.name.as_str());
        set(&mut entries, "id", self.id.as_deref());
        set(&mut entries, "physicalName", self.physical_name.as_deref());
        set(&mut entries, "physicalType", self.physical_type.as_deref());
        set(&mut entries, "businessName", self.business_name.clone());
        set(&mut entries, "description", self.description.as_deref());
        set(
            &mut entries,
            "dataGranularityDescription",
            self.granularity.clone(),
        );
        entries.set_list("tags", self.tags.clone());
        set_list(&mut entries, "properties", &fields::nest(&self.properties));
        set_list(&mut entries, "relationships", &self.relationships);
        set_list(&mut entries, "quality", &self.quality);
        set_list(&mut entries, "customProperties", &self.custom);
        entries
    }
}

impl ContractDraft {
    /// The whole document of a version of the standard.
    pub(super) fn entries(&self, api_version: &str) -> Entries {
        let mut entries = Entries::default()
            .with("apiVersion", api_version)
            .with("kind", "DataContract")
            .with("id", self.id.as_str())
            .with("name", self.name.as_str())
            .with("version", self.version.as_str())
            .with("status", if self.active { "active" } else { "draft" });
        entries.set_list("tags", self.tags.clone());
        entries.set_map("description", self.description.clone());
        let objects = self
            .objects
            .iter()
            .map(|object| Value::Map(object.entries()));
        set_list(&mut entries, "schema", &objects.collect::<Vec<_>>());
        if let Some(owner) = &self.owner {
            entries.set("team", Entries::default().with("name", owner.as_str()));
        }
        let levels = self.objects.iter().flat_map(|object| {
            let named = |level: &Entries| {
                let mut named = level.clone();
                if let Some(Value::Text(element)) = level.get("element") {
                    let whole = match element.as_str() {
                        "" => object.name.clone(),
                        column => format!("{}.{column}", object.name),
                    };
                    named.set("element", whole);
                }
                Value::Map(named)
            };
            object.levels.iter().map(named).collect::<Vec<_>>()
        });
        set_list(&mut entries, "slaProperties", &levels.collect::<Vec<_>>());
        set_list(&mut entries, "customProperties", &self.custom);
        entries
    }
}
