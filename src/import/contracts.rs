//! Objects put together into contracts: one for each source, for each contract that resources were
//! generated from, for each version of a model that has several, and for each group of other models.

use std::collections::{BTreeMap, BTreeSet};

use super::Input;
use super::draft::{ContractDraft, ObjectDraft, custom};
use super::groups::group;
use super::meta::{self, Anchor, Meta};
use super::object::Importing;
use super::resources::{Kind, Resource, settings};
use super::text::{Texts, setting};
use crate::config::Naming;
use crate::dbt::names::{is_safe_file_name, slug};
use crate::dbt::properties::{Entries, Value};
use crate::document::spanned;
use crate::version::Version;
use crate::yaml::Node;

/// The longest name of a contract.
const NAME_LENGTH: usize = 100;

/// The version of a contract that nothing states.
const FIRST: &str = "1.0.0";

/// The keys of a source that are read, under `config` or beside it.
const SOURCE: &[&str] = &[
    "config",
    "database",
    "description",
    "freshness",
    "loaded_at_field",
    "loaded_at_query",
    "loader",
    "meta",
    "name",
    "schema",
    "tables",
    "tags",
];

/// What two resources of one contract have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The contract that they were generated from: its id and version, and whether they are models.
    Anchor(String, String, bool),
    Source(String),
    Models(String),
    /// A version of a model.
    Version(String, String),
    /// A model whose group would be made of itself: the group and the model.
    Alone(String, String),
}

/// Reads the resources and puts them together, in the order in which they come.
pub(super) fn gather(
    input: &Input<'_>,
    resources: &[&Resource<'_>],
    importing: &mut Importing<'_>,
) -> Vec<ContractDraft> {
    let mut contracts: Vec<ContractDraft> = Vec::new();
    let mut places: BTreeMap<Key, usize> = BTreeMap::new();
    let mut homes = Vec::new();
    for resource in resources {
        let (mut object, mut meta) = importing.object(resource);
        let source = match resource.kind {
            Kind::Table(source) => Some((source, of_source(resource, source, importing))),
            Kind::Model(_) => None,
        };
        let anchor = match &source {
            Some((_, of_source)) => of_source.anchor.clone(),
            None => meta.anchor.clone(),
        };
        let key = key(input, resource, anchor, &importing.apart);
        let place = *places.entry(key.clone()).or_insert_with(|| {
            contracts.push(named(input, resource, &key));
            contracts.len() - 1
        });
        homes.push(place);
        let contract = &mut contracts[place];
        contract.nodes.extend(resource.id.map(str::to_owned));
        if !contract.files.contains(&resource.file.path) {
            contract.files.push(resource.file.path.clone());
        }
        // The owner of a model is its contract's; that of a table is one of its own.
        match source {
            None if object.owner.is_some() => {
                meta.entries.remove("owner");
            }
            None => {}
            Some(_) => object.owner = None,
        }
        object.custom.extend(of_table(meta, resource, importing));
        if let Some((source, of_source)) = source {
            home(
                input,
                resource,
                source,
                of_source,
                contract,
                &mut object,
                importing,
            );
        }
        unique_name(contract, &mut object, resource);
        contract.objects.push(object);
    }
    contracts.iter_mut().for_each(owner);
    latest(resources, &homes, &mut contracts);
    paths(input, &mut contracts);
    contracts
}

/// The `meta` of a table or model as custom properties.
fn of_table(meta: Meta, resource: &Resource<'_>, importing: &mut Importing<'_>) -> Vec<Value> {
    let mut texts = Texts {
        file: resource.file.clone(),
        losses: &mut importing.losses,
    };
    meta.custom(&mut texts)
}

/// The `meta` of a source.
fn of_source(resource: &Resource<'_>, source: &Node, importing: &mut Importing<'_>) -> Meta {
    let mut texts = Texts {
        file: resource.file.clone(),
        losses: &mut importing.losses,
    };
    let resolved = resource.resolved.map(|resolved| settings(resolved, "meta"));
    let nodes = [settings(source, "meta"), resolved.unwrap_or_default()].concat();
    meta::read(
        &nodes,
        &format!("the source `{}`", resource.source),
        &mut texts,
    )
}

/// Which contract a resource belongs to.
fn key(
    input: &Input<'_>,
    resource: &Resource<'_>,
    anchor: Option<Anchor>,
    apart: &BTreeSet<String>,
) -> Key {
    let is_model = matches!(resource.kind, Kind::Model(_));
    if let Some(anchor) = anchor {
        let version = anchor.version.unwrap_or_else(|| match &resource.kind {
            Kind::Model(Some(version)) => contract_version(&version.v),
            _ => FIRST.to_owned(),
        });
        return Key::Anchor(anchor.id, version, is_model);
    }
    match &resource.kind {
        Kind::Table(_) => Key::Source(resource.source.clone()),
        Kind::Model(Some(version)) => Key::Version(resource.name.clone(), version.v.clone()),
        Kind::Model(None) => match group(input, resource) {
            group if apart.contains(&group) => Key::Alone(group, resource.name.clone()),
            group => Key::Models(group),
        },
    }
}

/// The version of a contract whose model has this one.
fn contract_version(v: &str) -> String {
    if v.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("{v}.0.0")
    } else {
        v.to_owned()
    }
}

/// An empty contract with its names.
fn named(input: &Input<'_>, resource: &Resource<'_>, key: &Key) -> ContractDraft {
    let project = input.project.name.as_deref();
    let id = |kind: &str, name: &str| {
        let parts = project.into_iter().chain([kind, name]);
        parts.collect::<Vec<_>>().join(".")
    };
    let last_folder = || {
        let folder = resource
            .file
            .path
            .rsplit_once('/')
            .map(|(folder, _)| folder);
        folder
            .and_then(|folder| folder.rsplit('/').next())
            .unwrap_or("models")
            .to_owned()
    };
    let (name, id, version) = match key {
        Key::Anchor(contract, version, true) => (last_folder(), contract.clone(), version.clone()),
        Key::Anchor(contract, version, false) => {
            (resource.source.clone(), contract.clone(), version.clone())
        }
        Key::Source(source) => (source.clone(), id("sources", source), FIRST.to_owned()),
        Key::Models(group) => (group.clone(), id("models", group), FIRST.to_owned()),
        Key::Alone(group, model) => {
            let id = id("models", &format!("{group}.{model}"));
            (model.clone(), id, FIRST.to_owned())
        }
        Key::Version(model, v) => (model.clone(), id("models", model), contract_version(v)),
    };
    let models = matches!(resource.kind, Kind::Model(_));
    // Folders and files are called so.
    let mut name: String = name.chars().take(NAME_LENGTH).collect();
    if !is_safe_file_name(&slug(&name)) {
        name = format!(
            "{kind}_{name}",
            kind = if models { "models" } else { "source" }
        );
    }
    ContractDraft {
        name,
        id,
        version,
        models,
        group: if models {
            group(input, resource)
        } else {
            String::new()
        },
        ..ContractDraft::default()
    }
}

/// What a source says, for the contract where it is its only one, else for the table.
fn home(
    input: &Input<'_>,
    resource: &Resource<'_>,
    source: &Node,
    mut meta: Meta,
    contract: &mut ContractDraft,
    object: &mut ObjectDraft,
    importing: &mut Importing<'_>,
) {
    let title = format!("the source `{}`", resource.source);
    let is_first = contract.objects.is_empty();
    let mut texts = Texts {
        file: resource.file.clone(),
        losses: &mut importing.losses,
    };
    let naming = &input.config.naming.source.value;
    let is_default =
        *naming == Naming::default().source.value && slug(&contract.name) == resource.source;
    let mut settings_of_dbt = Vec::new();
    if !is_default {
        settings_of_dbt.push(custom("dbt.source", resource.source.as_str()));
    }
    for (key, name) in [("database", "dbt.database"), ("schema", "dbt.schema")] {
        let resolved = resource.resolved.and_then(|resolved| resolved.get(key));
        let text = setting(source.get(key).or(resolved));
        settings_of_dbt.extend(text.map(|text| custom(name, text)));
    }
    if let Some(text) = texts.word(source.get("loader"), &format!("the loader of {title}")) {
        settings_of_dbt.push(custom("dbt.loader", text));
    }
    if is_first {
        let what = format!("a tag of {title}");
        contract.tags = texts.tags(&settings(source, "tags"), &what);
        // What all tables of a source are tagged with may be their own.
        let resolved = resource.resolved.map(|resolved| settings(resolved, "tags"));
        let resolved = texts.tags(&resolved.unwrap_or_default(), &what);
        for tag in resolved {
            if !contract.tags.contains(&tag) && !object.tags.contains(&tag) {
                contract.tags.push(tag);
            }
        }
        let description = texts.word(
            source.get("description"),
            &format!("the description of {title}"),
        );
        contract.description = description.as_deref().map(parts).unwrap_or_default();
        if let Some(Value::Text(owner)) = meta.entries.get("owner") {
            contract.owner = Some(owner.clone());
            meta.entries.remove("owner");
        }
        contract.custom = settings_of_dbt;
        contract.custom.extend(meta.custom(&mut texts));
        for node in [Some(source), source.get("config")].into_iter().flatten() {
            for entry in node.as_mapping().into_iter().flatten() {
                let is_on = entry.name() == "enabled" && entry.value.as_bool() == Some(true);
                if !SOURCE.contains(&entry.name()) && !entry.value.is_null() && !is_on {
                    let why = "neither the standard nor a `dbt.*` property has a word for it";
                    texts.lose(
                        entry.key.place(),
                        format!("`{}` of {title}", entry.name()),
                        why,
                    );
                }
            }
        }
        return;
    }
    // Of several sources each table says which is its own, unless the contract says it for all.
    for setting in settings_of_dbt {
        if !contract.custom.contains(&setting) {
            object.custom.push(setting);
        }
    }
}

/// The parts of a description that `generate` writes into one text.
fn parts(text: &str) -> Entries {
    let mut purpose = text;
    let mut parts = Entries::default();
    // In whatever order they stand, the last one first.
    while let Some((key, end, start)) = [("usage", "Usage: "), ("limitations", "Limitations: ")]
        .into_iter()
        .filter(|(key, _)| parts.get(key).is_none())
        .filter_map(|(key, word)| match purpose.rfind(&format!("\n\n{word}")) {
            Some(at) => Some((key, at, at + 2 + word.len())),
            None => purpose.starts_with(word).then_some((key, 0, word.len())),
        })
        .max_by_key(|(_, end, _)| *end)
    {
        let part = &purpose[start..];
        if part.trim().is_empty() {
            break;
        }
        parts.set(key, part);
        purpose = &purpose[..end];
    }
    let mut all = Entries::default();
    if !purpose.is_empty() {
        all.set("purpose", purpose);
    }
    for key in ["limitations", "usage"] {
        if let Some(part) = parts.remove(key) {
            all.set(key, part);
        }
    }
    all
}

/// Gives an object of a name that its contract has already the name of its model or table.
fn unique_name(contract: &ContractDraft, object: &mut ObjectDraft, resource: &Resource<'_>) {
    let is_taken = |name: &str| contract.objects.iter().any(|other| other.name == name);
    if !is_taken(&object.name) {
        return;
    }
    let setting = if contract.models {
        "dbt.model"
    } else {
        "dbt.table"
    };
    let wanted = if is_taken(&resource.name) {
        object.label.clone()
    } else {
        resource.name.clone()
    };
    if object.physical_name.is_none() {
        object.physical_name = Some(object.name.clone());
    }
    object.name = wanted;
    let named = custom(setting, resource.name.as_str());
    if !object.custom.contains(&named) {
        object.custom.insert(0, named);
    }
}

/// The owner of a contract: that of all its models, where it is the same; else each keeps its own.
fn owner(contract: &mut ContractDraft) {
    if !contract.models {
        return;
    }
    let first = contract
        .objects
        .first()
        .and_then(|object| object.owner.clone());
    if first.is_some() && contract.objects.iter().all(|object| object.owner == first) {
        contract.owner = first;
        return;
    }
    for object in &mut contract.objects {
        if let Some(owner) = &object.owner {
            object.custom.push(custom("owner", owner.as_str()));
        }
    }
}

/// The latest version of a model is the highest that is in force: where it is not the highest of all,
/// it and those before it are. `homes` are the contracts of the resources.
fn latest(resources: &[&Resource<'_>], homes: &[usize], contracts: &mut [ContractDraft]) {
    let mut highest: BTreeMap<(&str, &str), Version> = BTreeMap::new();
    for resource in resources {
        if let Kind::Model(Some(version)) = &resource.kind {
            let own = Version::parse(&version.v);
            let key = (resource.file.path.as_str(), resource.name.as_str());
            let known = highest.entry(key).or_insert_with(|| own.clone());
            *known = own.max(known.clone());
        }
    }
    for (resource, home) in resources.iter().zip(homes) {
        let Kind::Model(Some(version)) = &resource.kind else {
            continue;
        };
        let Some(latest) = version.latest.and_then(spanned) else {
            continue;
        };
        let latest = Version::parse(&latest.value);
        let key = (resource.file.path.as_str(), resource.name.as_str());
        let is_highest = highest.get(&key).is_none_or(|highest| *highest <= latest);
        contracts[*home].active |= !is_highest && Version::parse(&version.v) <= latest;
    }
}

/// Gives each contract a path of its own.
fn paths(input: &Input<'_>, contracts: &mut [ContractDraft]) {
    let mut names: BTreeSet<(String, bool)> = BTreeSet::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let ids: Vec<(String, String)> = contracts
        .iter()
        .map(|contract| (contract.id.clone(), contract.version.clone()))
        .collect();
    for (index, contract) in contracts.iter_mut().enumerate() {
        let has_siblings = ids
            .iter()
            .enumerate()
            .any(|(other, (id, _))| other != index && *id == contract.id);
        // Two contracts of one name would be generated into one file.
        if !has_siblings && !names.insert((slug(&contract.name), contract.models)) {
            let number = (2..).map(|number| format!("{}_{number}", contract.name));
            let free = number
                .take(names.len() + 2)
                .find(|name| names.insert((slug(name), contract.models)));
            contract.name = free.unwrap_or_else(|| contract.name.clone());
        }
        let stem = if has_siblings {
            let line = contract.version.split('.').next().unwrap_or_default();
            format!(
                "{}_v{}",
                slug(&contract.name),
                slug(line).trim_start_matches('_')
            )
        } else {
            slug(&contract.name)
        };
        let stem: String = stem.chars().take(100).collect();
        let numbered = (2..=contracts_limit(&taken)).map(|number| format!("{stem}_{number}"));
        let free = std::iter::once(stem.clone())
            .chain(numbered)
            .find(|stem| !taken.contains(stem));
        let stem = free.unwrap_or(stem);
        contract.path = format!("{}/{stem}.odcs.yaml", input.output);
        taken.insert(stem);
    }
}

/// Of so many numbers one is free.
fn contracts_limit(taken: &BTreeSet<String>) -> usize {
    taken.len() + 2
}
