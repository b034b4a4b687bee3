//! What describes and does not check: descriptions, tags and `meta`.

use super::{Input, settings};
use crate::dbt::properties::{Entries, Value};
use crate::document::{CustomProperties, Text};
use crate::odcs::quality::{Check, Quality};
use crate::odcs::{Contract, Property, SchemaObject};
use crate::yaml::Node;

/// The key under `meta` for custom properties whose own key is taken.
const NESTED: &str = "custom_properties";

/// The key that says which contract a resource comes from.
const ANCHOR: &str = "data_contract";

/// The key of rules that no test is made of.
const RULES: &str = "quality_rules";

/// The key of links to where something is defined.
const DEFINITIONS: &str = "authoritative_definitions";

/// Text without the blanks and breaks at its end, which block scalars leave.
pub(super) fn text(text: Option<&Text>) -> Option<String> {
    let text = text?.value.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The description of a contract: its purpose, then usage and limitations under their names.
pub(super) fn description(contract: &Contract) -> Option<String> {
    joined(None, contract)
}

/// A description, then what the contract says of its purpose, of usage and limitations: under their
/// names, but for what comes first.
pub(super) fn joined(description: Option<String>, contract: &Contract) -> Option<String> {
    let purpose = text(contract.description.purpose.as_ref());
    let purpose = match &description {
        Some(own) => purpose
            .filter(|purpose| purpose != own)
            .map(|purpose| named("Purpose", &purpose)),
        None => purpose,
    };
    let others = [
        ("Usage", &contract.description.usage),
        ("Limitations", &contract.description.limitations),
    ];
    let others = others
        .into_iter()
        .filter_map(|(name, part)| Some(named(name, &text(part.as_ref())?)));
    let parts: Vec<String> = description
        .into_iter()
        .chain(purpose)
        .chain(others)
        .collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// A part of a description under its name.
fn named(name: &str, text: &str) -> String {
    format!("{name}: {text}")
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
        meta.extend(&described(object));
        if contract.objects.len() > 1 {
            anchor.set("object", object.name.as_str());
        }
    }
    set(&mut meta, "domain", contract.domain.as_ref());
    set(&mut meta, "tenant", contract.tenant.as_ref());
    // An object's own say more.
    if meta.get(DEFINITIONS).is_none() {
        set_list(&mut meta, DEFINITIONS, contract.definitions.as_deref());
    }
    let own = object.map(|object| &object.custom);
    custom(&mut meta, own.into_iter().chain([&contract.custom]));
    meta.set(ANCHOR, anchor);
    meta
}

/// The `meta` of an object.
pub(super) fn of_object(object: &SchemaObject) -> Entries {
    let mut meta = described(object);
    custom(&mut meta, [&object.custom]);
    meta
}

/// The `meta` of a source table; of one that is gated it also says by which contract and policy.
pub(super) fn of_table(
    contract: &Contract,
    object: &SchemaObject,
    policy: Option<&str>,
) -> Entries {
    let mut meta = of_object(object);
    if let Some(policy) = policy {
        let anchor = Entries::default()
            .with("id", contract.id.as_str())
            .with("version", contract.version.as_str())
            .with("drift_policy", policy);
        meta.set(ANCHOR, anchor);
    }
    meta
}

/// What describes an object.
fn described(object: &SchemaObject) -> Entries {
    let mut meta = Entries::default();
    set(&mut meta, "business_name", object.business_name.as_ref());
    set(&mut meta, "granularity", object.granularity.as_ref());
    set_list(&mut meta, DEFINITIONS, object.definitions.as_deref());
    meta.set_list(RULES, in_words(&object.quality));
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
    set_list(&mut meta, "examples", property.examples.as_deref());
    meta.set_map("enum_labels", labels(property));
    set_list(&mut meta, DEFINITIONS, property.definitions.as_deref());
    meta.set_list(RULES, in_words(&property.quality));
    custom(&mut meta, [&property.custom]);
    let mut config = Entries::default();
    config.set_list("tags", tags([property.tags.as_slice()]));
    config.set_map("meta", meta);
    config
}

/// The rules that people or other engines judge, for readers of the documentation.
fn in_words(rules: &[Quality]) -> Vec<Value> {
    let rules = rules.iter().filter_map(|rule| {
        let engine = match &rule.check {
            Check::Text => None,
            Check::Custom { engine, .. } => {
                let is_dbt = |engine: &&Text| engine.as_str().eq_ignore_ascii_case("dbt");
                Some(engine.as_ref().filter(|engine| !is_dbt(engine))?)
            }
            Check::Library(_) | Check::Sql(_) | Check::Unknown(_) => return None,
        };
        let mut said = Entries::default();
        set(&mut said, "name", rule.name.as_ref());
        set(&mut said, "engine", engine);
        set(&mut said, "description", rule.description.as_ref());
        (!said.is_empty()).then_some(Value::Map(said))
    });
    rules.collect()
}

/// What people call the allowed values.
fn labels(property: &Property) -> Entries {
    let mut labels = Entries::default();
    for allowed in &property.enum_values {
        if let Some(label) = text(allowed.label.as_ref()) {
            labels.set(allowed.value.value.to_string(), label);
        }
    }
    labels
}

/// Sets a list that is there.
fn set_list(meta: &mut Entries, key: &'static str, list: Option<&Node>) {
    if let Some(list) = list {
        meta.set(key, Value::of(list));
    }
}

/// Sets a text that is there.
fn set(meta: &mut Entries, key: &'static str, value: Option<&Text>) {
    if let Some(value) = text(value) {
        meta.set(key, value);
    }
}

/// Adds the custom properties that are no settings of ours, those of the first places first. One whose
/// key something else has already is put under a key of its own, so that both are there.
fn custom<'c>(meta: &mut Entries, places: impl IntoIterator<Item = &'c CustomProperties>) {
    let generated: Vec<String> = meta.iter().map(|(key, _)| key.to_owned()).collect();
    let is_taken = |name: &str| {
        [NESTED, ANCHOR].contains(&name) || generated.iter().any(|known| known == name)
    };
    let mut nested = Entries::default();
    for custom in places {
        for property in &custom.0 {
            let name = property.property.as_str();
            let node = custom.get(name).unwrap_or(&property.value);
            let target = if is_taken(name) {
                &mut nested
            } else {
                &mut *meta
            };
            if !name.is_empty() && !name.starts_with(settings::PREFIX) && target.get(name).is_none()
            {
                target.set(name.to_owned(), Value::of(node));
            }
        }
    }
    meta.set_map(NESTED, nested);
}

/// A setting of an object, or of the contract for all of its objects.
pub(super) fn setting<'c>(
    contract: &'c Contract,
    object: &'c SchemaObject,
    name: &str,
) -> Option<&'c Node> {
    object
        .custom
        .get(name)
        .or_else(|| contract.custom.get(name))
}
