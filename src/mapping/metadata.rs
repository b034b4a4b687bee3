//! What describes and does not check: descriptions, tags and `meta`.

use super::Input;
use crate::dbt::properties::{Entries, Value};
use crate::diagnostics::{Diagnostic, Severity, closest, rules};
use crate::document::{CustomProperties, Text};
use crate::odcs::{Contract, Property, SchemaObject};
use crate::yaml::{Data, Node};

/// The custom properties that are settings of this program.
const SETTINGS: &[&str] = &[
    "dbt.access",
    "dbt.added_in_version",
    "dbt.alias",
    "dbt.database",
    "dbt.drift_policy",
    "dbt.enforced",
    "dbt.materialized",
    "dbt.model",
    "dbt.schema",
    "dbt.source",
];

/// Text without the blanks and breaks at its end, which block scalars leave.
pub(super) fn text(text: Option<&Text>) -> Option<String> {
    let text = text?.value.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The description of a contract: its purpose, then limitations and usage under their names.
pub(super) fn description(contract: &Contract) -> Option<String> {
    joined(text(contract.description.purpose.as_ref()), contract)
}

/// A description, then what the contract says of limitations and usage under their names.
pub(super) fn joined(description: Option<String>, contract: &Contract) -> Option<String> {
    let named = [
        ("Limitations", &contract.description.limitations),
        ("Usage", &contract.description.usage),
    ];
    let named = named
        .into_iter()
        .filter_map(|(name, part)| Some(format!("{name}: {}", text(part.as_ref())?)));
    let parts: Vec<String> = description.into_iter().chain(named).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Tags of several places, each once.
pub(super) fn tags<'a>(places: impl IntoIterator<Item = &'a [Text]>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in places.into_iter().flatten() {
        if !tags.contains(&tag.value) {
            tags.push(tag.value.clone());
        }
    }
    tags
}

/// The `meta` of a contract: who answers for it, and which one it is.
pub(super) fn of_contract(
    input: &Input<'_>,
    index: usize,
    object: Option<&SchemaObject>,
) -> Entries {
    let contract = &input.contracts[index];
    let of_product = || input.producers[index]?.team.owner(input.today);
    let mut meta = Entries::default();
    if let Some(owner) = contract.team.owner(input.today).or_else(of_product) {
        meta.set("owner", owner);
    }
    let mut anchor = Entries::default()
        .with("id", contract.id.as_str())
        .with("version", contract.version.as_str());
    if let Some(object) = object {
        for (key, value) in of_object(object).iter() {
            meta.set(key, value.clone());
        }
        if contract.objects.len() > 1 {
            anchor.set("object", object.name.as_str());
        }
    }
    custom(&mut meta, &contract.custom);
    meta.set("data_contract", anchor);
    meta
}

/// The `meta` of an object.
pub(super) fn of_object(object: &SchemaObject) -> Entries {
    let mut meta = Entries::default();
    set(&mut meta, "business_name", object.business_name.as_ref());
    set(&mut meta, "granularity", object.granularity.as_ref());
    custom(&mut meta, &object.custom);
    meta
}

/// The `config` of a column.
pub(super) fn of_column(property: &Property) -> Entries {
    let mut meta = Entries::default();
    set(&mut meta, "business_name", property.business_name.as_ref());
    set(
        &mut meta,
        "classification",
        property.classification.as_ref(),
    );
    if property.critical {
        meta.set("critical_data_element", true);
    }
    custom(&mut meta, &property.custom);
    let mut config = Entries::default();
    config.set_list("tags", tags([property.tags.as_slice()]));
    config.set_map("meta", meta);
    config
}

/// Sets a text that is there.
fn set(meta: &mut Entries, key: &str, value: Option<&Text>) {
    if let Some(value) = text(value) {
        meta.set(key, value);
    }
}

/// Adds the custom properties that are no settings of ours; what stands there already wins.
fn custom(meta: &mut Entries, custom: &CustomProperties) {
    for property in &custom.0 {
        let name = property.property.as_str();
        let node = custom.get(name).unwrap_or(&property.value);
        if !name.starts_with("dbt.") && meta.get(name).is_none() {
            meta.set(name, value(node));
        }
    }
}

/// A node as a value.
pub(super) fn value(node: &Node) -> Value {
    match &node.data {
        Data::Null => Value::Null,
        Data::Bool(value) => Value::Bool(*value),
        Data::Int(value) => Value::Int(*value),
        Data::Float(value) => Value::Float(*value),
        Data::String(text) => Value::Text(text.clone()),
        Data::Sequence(items) => Value::List(items.iter().map(value).collect()),
        Data::Mapping(mapping) => {
            let mut entries = Entries::default();
            for entry in mapping {
                if let Some(key) = entry.key.as_str() {
                    entries.set(key, value(&entry.value));
                }
            }
            Value::Map(entries)
        }
    }
}

/// The custom properties that look like settings of ours and are none.
pub(super) fn misspelt(contract: &Contract) -> Vec<Diagnostic> {
    let of_objects = contract.objects.iter().flat_map(|object| {
        let of_properties = object.properties.iter().map(|property| &property.custom);
        std::iter::once(&object.custom).chain(of_properties)
    });
    std::iter::once(&contract.custom)
        .chain(of_objects)
        .flat_map(|custom| &custom.0)
        .filter(|custom| {
            let name = custom.property.as_str();
            name.starts_with("dbt.") && !SETTINGS.contains(&name)
        })
        .map(|custom| {
            let name = custom.property.as_str();
            let finding = contract
                .document
                .finding(
                    &rules::MAPPING_NO_COUNTERPART,
                    custom.property.span,
                    format!("nothing reads the custom property `{name}`"),
                )
                .severity(Severity::Warning)
                .contract(contract.id.value.clone());
            match closest(name, SETTINGS.iter().copied()) {
                Some(known) => finding.help(format!("did you mean `{known}`?")),
                None => finding.help(format!("known are `{}`", SETTINGS.join("`, `"))),
            }
        })
        .collect()
}
