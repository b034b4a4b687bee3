//! What people describe already: the files that were mapped come in, and what of them belongs into
//! properties files of persons is moved there.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata;
use super::names::{Home, Relation};
use super::scope::{Scope, Subject, origin};
use super::{Mapped, Origin};
use crate::dbt::constraints::{Checked, checked};
use crate::dbt::properties::{Entries, Model, Source, SourceTable, Value};
use crate::diagnostics::{Diagnostic, rules};
use crate::odcs::{Contract, SchemaObject};
use crate::yaml::Span;

/// What contracts say in a properties file of a person.
#[derive(Clone, Debug, Default)]
pub struct BoundFile {
    /// Path in the project.
    pub path: String,
    /// Tables of sources; of the sources nothing but their names.
    pub sources: Vec<Source>,
    /// Models.
    pub models: Vec<Model>,
    /// The contract of each of them.
    pub owners: Vec<(Resource, Origin)>,
}

/// Something that a properties file describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// A model.
    Model(String),
    /// A table of a source.
    Table(String, String),
}

/// What the author of a model decides, with the property by which a contract may ask for it.
const AUTHORS: &[(&str, Option<&str>)] = &[
    ("access", Some("dbt.access")),
    ("alias", Some("dbt.alias")),
    ("contract", Some("dbt.enforced")),
    ("database", Some("dbt.database")),
    ("group", None),
    ("materialized", Some("dbt.materialized")),
    ("on_schema_change", None),
    ("schema", Some("dbt.schema")),
    ("unique_key", None),
];

/// Leaves to the author of a model what the contract does not ask for itself, and says where the two
/// differ.
pub(super) fn leave_to_author(
    contract: &Contract,
    object: &SchemaObject,
    home: &Home,
    model: &mut Model,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let asks = |property| metadata::setting(contract, object, property).is_some();
    let config: &mut Entries = &mut model.body.config;
    for (key, property) in AUTHORS {
        if property.is_some_and(asks) {
            // What is not to be enforced has a setting only where its author has one.
            let is_set = *key == "contract" && home.declared.setting(key).is_some();
            if is_set && config.get(key).is_none() {
                config.set(*key, Entries::default().with("enforced", false));
            }
            continue;
        }
        let Some(ours) = config.remove(key) else {
            continue;
        };
        let mut settings = home.declared.settings.iter();
        let Some((_, theirs, place)) = settings.find(|(name, ..)| name == key) else {
            continue;
        };
        if says(theirs, &ours) {
            continue;
        }
        let message = format!(
            "the `{key}` of the model `{}` is {}; its contract would have {}",
            model.name,
            shown(theirs),
            shown(&ours)
        );
        let finding = Diagnostic::new(&rules::MAPPING_BOUND_DIFFERS, message)
            .at(&home.declared.file, *place)
            .contract(contract.id.value.clone())
            .help(match property {
                Some(property) => format!("the model is yours and so is this; the custom property `{property}` has the contract decide"),
                None => "the model is yours and so is this; change it there if the contract is right".to_owned(),
            });
        findings.push(finding);
    }
    let enforced = Entries::default().with("enforced", true);
    let is_asked = config.get("contract") == Some(&enforced.into());
    if !is_asked && !is_enforced_table(contract, object, home) {
        model.body.constraints.clear();
        for column in &mut model.body.columns {
            column.constraints.clear();
        }
    }
    findings
}

/// Whether a model is a table that its author has dbt enforce, and puts no constraints on: its entry has
/// to say all that, as far as the contract does not. What SQL or `dbt_project.yml` say is not known.
pub(super) fn is_enforced_table(contract: &Contract, object: &SchemaObject, home: &Home) -> bool {
    let declared = &home.declared;
    let stated = |property| metadata::setting(contract, object, property);
    let Some(Value::Map(setting)) = declared.own_setting("contract") else {
        return false;
    };
    let materialized = match (
        stated("dbt.materialized"),
        declared.own_setting("materialized"),
    ) {
        (Some(stated), _) => stated.as_str(),
        (None, Some(Value::Text(own))) => Some(own.as_str()),
        (None, _) => None,
    };
    setting.get("enforced") == Some(&Value::Bool(true))
        && stated("dbt.enforced").is_none()
        && !declared.is_constrained
        && materialized.is_some_and(|word| checked(Some(word)) == Checked::Constraints)
}

/// The finding that its author has dbt leave out a model.
pub(super) fn turned_off(subject: &Subject<'_>, home: &Home) -> Option<Diagnostic> {
    let declared = &home.declared;
    let off = |(name, value, _): &&(String, Value, Span)| {
        name == "enabled" && *value == Value::Bool(false)
    };
    let (.., place) = declared.settings.iter().find(off)?;
    let message = format!(
        "the model `{}` is turned off: dbt neither builds nor tests what its contract promises",
        declared.name
    );
    let finding = Diagnostic::new(&rules::MAPPING_BOUND_DIFFERS, message)
        .at(&declared.file, *place)
        .contract(subject.contract.id.value.clone());
    Some(finding.help("turn it on, or take the contract out of the output port"))
}

/// Whether what a person wrote has all that a contract would: words in any case, and what dbt
/// renders is known to dbt alone.
fn says(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Text(theirs), _) if theirs.contains("{{") => true,
        (Value::Text(theirs), Value::Text(ours)) => theirs.eq_ignore_ascii_case(ours),
        (Value::Text(theirs), Value::List(ours)) => {
            matches!(ours.as_slice(), [Value::Text(ours)] if ours == theirs)
        }
        (Value::Map(theirs), Value::Map(ours)) => ours
            .iter()
            .all(|(key, ours)| theirs.get(key).is_some_and(|theirs| says(theirs, ours))),
        (theirs, ours) => theirs == ours,
    }
}

/// A value for people, in one line.
fn shown(value: &Value) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    format!("`{}`", json.trim_matches('"'))
}

/// Moves what persons describe to their files.
pub(super) fn map(scope: &Scope<'_>, mapped: &mut Mapped) {
    let mut files: BTreeMap<String, BoundFile> = BTreeMap::new();
    let places = Places::new(mapped);
    for index in scope.generated() {
        let contract = scope.contract(index);
        let homes = scope.names.homes[index].iter().enumerate();
        for (object, home) in homes.filter_map(|(object, home)| Some((object, home.as_ref()?))) {
            let file = files.entry(home.path.clone()).or_default();
            file.path.clone_from(&home.path);
            let resource = match &scope.names.relations[index][object] {
                Relation::Model { name, .. } => {
                    let path = &scope.names.properties[index];
                    let Some(model) = places.take_model(mapped, path, name) else {
                        continue;
                    };
                    file.models.push(model);
                    Resource::Model(name.clone())
                }
                Relation::Source { source, table, .. } => {
                    let path = &scope.names.properties[index];
                    let Some(mut found) = places.take_table(mapped, path, source, table) else {
                        continue;
                    };
                    found.identifier = None;
                    found.quoting = Entries::default();
                    add_table(&mut file.sources, source, found);
                    Resource::Table(source.clone(), table.clone())
                }
            };
            file.owners.push((resource, origin(contract)));
        }
    }
    // Files of which something was taken, and all of it.
    let emptied = files.values().flat_map(|file| &file.owners);
    let emptied: BTreeSet<&str> = emptied
        .map(|(_, origin)| origin.contract.as_str())
        .collect();
    mapped.sources.retain(|file| {
        !file.sources.is_empty() || !emptied.contains(file.origin.contract.as_str())
    });
    mapped.models.retain(|file| !file.origins.is_empty());
    mapped.bound = files
        .into_values()
        .filter(|file| !file.owners.is_empty())
        .collect();
}

/// Where the files that would be made are among all.
struct Places {
    models: BTreeMap<String, usize>,
    sources: BTreeMap<String, usize>,
}

impl Places {
    fn new(mapped: &Mapped) -> Self {
        let models = mapped.models.iter().enumerate();
        let sources = mapped.sources.iter().enumerate();
        Self {
            models: models
                .map(|(index, file)| (file.path.clone(), index))
                .collect(),
            sources: sources
                .map(|(index, file)| (file.path.clone(), index))
                .collect(),
        }
    }

    /// Takes a model out of the file that would be made for it.
    fn take_model(&self, mapped: &mut Mapped, path: &str, name: &str) -> Option<Model> {
        let file = &mut mapped.models[*self.models.get(path)?];
        let place = file.models.iter().position(|model| model.name == name)?;
        for (_, models) in &mut file.origins {
            models.retain(|model| model != name);
        }
        file.origins.retain(|(_, models)| !models.is_empty());
        Some(file.models.remove(place))
    }

    /// Takes a table out of the file that would be made for its contract.
    fn take_table(
        &self,
        mapped: &mut Mapped,
        path: &str,
        source: &str,
        table: &str,
    ) -> Option<SourceTable> {
        let file = &mut mapped.sources[*self.sources.get(path)?];
        let known = file.sources.iter_mut().find(|known| known.name == source)?;
        let place = known.tables.iter().position(|known| known.name == table)?;
        let found = known.tables.remove(place);
        file.sources.retain(|source| !source.tables.is_empty());
        Some(found)
    }
}

fn add_table(sources: &mut Vec<Source>, source: &str, table: SourceTable) {
    match sources.iter_mut().find(|known| known.name == source) {
        Some(known) => known.tables.push(table),
        None => sources.push(Source {
            name: source.to_owned(),
            tables: vec![table],
            ..Source::default()
        }),
    }
}
