//! Objects and what the project has for them already: names, ids and physical names come in, the
//! model or source table that an object is bound to goes out. Of the levels on which the two may
//! meet the first one counts; two matches there are an error, never a guess.

mod notes;

use std::collections::{BTreeMap, BTreeSet};

use super::template::Setting;
use super::{Location, Naming, Relation, Result, is_below, of_object};
use crate::dbt::project::{Declared, Described, Project};
use crate::diagnostics::{Diagnostic, rules};
use crate::lineage::Role;
use crate::mapping::models;
use crate::odcs::SchemaObject;
use crate::plan::is_generated;

/// A model or source table of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known<'a> {
    /// The source, for a table.
    source: Option<&'a str>,
    name: &'a str,
    /// The file that it stands in.
    path: &'a str,
    /// The id of the contract that it says it is of.
    contract: Option<&'a str>,
}

/// What the project has, by the words that contracts may know it by.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    models: Words<'a>,
    tables: Words<'a>,
    /// The properties file of each model, and of each source table.
    homes: BTreeMap<(Option<&'a str>, &'a str), &'a Declared>,
    /// Further entries for what has one already, which dbt refuses.
    again: BTreeMap<(Option<&'a str>, &'a str), &'a Declared>,
}

/// Models or tables by words.
#[derive(Debug, Default)]
struct Words<'a> {
    /// By the contract that they name, and the object if they name one.
    contracts: BTreeMap<(&'a str, Option<&'a str>), BTreeSet<Known<'a>>>,
    names: BTreeMap<&'a str, BTreeSet<Known<'a>>>,
    physical: BTreeMap<&'a str, BTreeSet<Known<'a>>>,
    /// Names and physical names in lower case.
    lower: BTreeMap<String, BTreeSet<Known<'a>>>,
    /// The schemas of sources.
    schemas: BTreeMap<&'a str, &'a str>,
}

impl<'a> Words<'a> {
    fn add(
        &mut self,
        known: &Known<'a>,
        contract: Option<(&'a str, Option<&'a str>)>,
        physical: Option<&'a str>,
    ) {
        self.names
            .entry(known.name)
            .or_default()
            .insert(known.clone());
        for word in physical.into_iter().chain([known.name]) {
            self.physical.entry(word).or_default().insert(known.clone());
            let lower = self.lower.entry(word.to_lowercase()).or_default();
            lower.insert(known.clone());
        }
        if let Some(contract) = contract {
            self.contracts
                .entry(contract)
                .or_default()
                .insert(known.clone());
        }
    }
}

impl<'a> Index<'a> {
    /// The models of the project, with those that have no properties, and its source tables.
    pub(super) fn new(project: &'a Project) -> Self {
        let mut index = Self::default();
        for declared in &project.declared {
            let (source, words) = match &declared.described {
                Described::Model => (None, &mut index.models),
                Described::Table { source, schema } => {
                    index.tables.schemas.insert(source, schema);
                    (Some(source.as_str()), &mut index.tables)
                }
            };
            let home = (source, declared.name.as_str());
            let first = *index.homes.entry(home).or_insert(declared);
            if first != declared {
                index.again.entry(home).or_insert(declared);
            }
            let known = Known {
                source,
                name: &declared.name,
                path: &first.file.path,
                contract: first.contract.as_deref().or_else(|| {
                    let of_source = first.source_contract.as_deref();
                    of_source.filter(|_| is_generated(&first.file.text))
                }),
            };
            let contract = declared.contract.as_deref();
            let contract = contract.map(|contract| (contract, declared.object.as_deref()));
            words.add(&known, contract, declared.physical.as_deref());
        }
        for (name, path) in &project.resources {
            let is_model = project
                .model_paths
                .iter()
                .any(|folder| is_below(path, folder));
            if is_model && !index.homes.contains_key(&(None, name.as_str())) {
                let known = Known {
                    source: None,
                    name,
                    path,
                    contract: None,
                };
                index.models.add(&known, None, None);
            }
        }
        index
    }

    /// The entry of a person's properties file that describes something.
    pub(super) fn home(&self, relation: &Relation) -> Option<&'a Declared> {
        self.homes.get(&key(relation)).copied()
    }
}

/// The source and name of a relation.
fn key(relation: &Relation) -> (Option<&str>, &str) {
    match relation {
        Relation::Model { name, .. } => (None, name),
        Relation::Source { source, table, .. } => (Some(source), table),
    }
}

impl Naming<'_> {
    /// The model that an object is bound to, which its naming would call `rendered`.
    pub(super) fn bound_model(
        &self,
        object: &SchemaObject,
        rendered: &str,
    ) -> Result<Option<String>> {
        // What we generated stays what it is, of whichever contract.
        if self.input.own_models.contains(rendered) && !self.is_named_by_a_person(object) {
            self.refuse_versions(object, rendered)?;
            return Ok(None);
        }
        let Some(name) = self.known_model(object, rendered)? else {
            return Ok(None);
        };
        self.refuse_versions(object, &name)?;
        // The versions of a contract share a name that no project has yet.
        Ok(Some(name).filter(|_| self.is_alone))
    }

    /// Whether a model that a person describes says that it is of the contract of an object.
    fn is_named_by_a_person(&self, object: &SchemaObject) -> bool {
        let models = &self.project.models;
        let lower = models.lower.get(&object.name.value.to_lowercase());
        let by_case = lower.cloned().unwrap_or_default();
        let found = self.of_contract(object, models, &by_case);
        found.iter().any(|known| {
            let home = self.project.homes.get(&(None, known.name));
            home.is_some_and(|home| !is_generated(&home.file.text))
        })
    }

    /// The model of the project that an object meets.
    fn known_model(&self, object: &SchemaObject, rendered: &str) -> Result<Option<String>> {
        let found = self.meet_model(object, rendered)?;
        Ok(found.map(|(_, known)| known.name.to_owned()))
    }

    /// The same with the level on which they meet.
    fn meet_model(
        &self,
        object: &SchemaObject,
        rendered: &str,
    ) -> Result<Option<(&'static str, Known<'_>)>> {
        let physical = models::alias(self.contract, object).1;
        let words = Sought {
            name: object.name.as_str(),
            rendered,
            physical: physical.as_deref(),
        };
        self.meet(object, &self.project.models, words, &|_| true)
    }

    /// Whether a person has the model of some object, as one without versions.
    pub(super) fn is_by_hand(&self) -> bool {
        let is_theirs = |name: &str| {
            let home = self.project.homes.get(&(None, name));
            home.is_none_or(|home| !home.is_versioned && !is_generated(&home.file.text))
        };
        self.contract.objects.iter().any(|object| {
            let stated = self.custom(object, "dbt.model").map(|name| name.value);
            let rendered = || self.render(Setting::Model, of_object(object)).ok();
            let is_stated = stated.is_some();
            let Some(name) = stated.or_else(rendered) else {
                return false;
            };
            // Versions that were generated are.
            if self.has_made_versions(&name) {
                return false;
            }
            let is_named = !is_stated && self.is_named_by_a_person(object);
            let is_described = self.project.homes.contains_key(&(None, name.as_str()));
            if is_stated || is_described && !is_named {
                return self.project.models.names.contains_key(name.as_str()) && is_theirs(&name);
            }
            let is_made = self.input.own_models.contains(&name) && !is_named;
            let known = self.known_model(object, &name).unwrap_or_default();
            !is_made && known.is_some_and(|known| is_theirs(&known))
        })
    }

    /// Whether a version of a model of that name was generated.
    fn has_made_versions(&self, name: &str) -> bool {
        let start = format!("{name}_v");
        let own = self.input.own_models.range(start.clone()..);
        own.map_while(|own| own.strip_prefix(start.as_str()))
            .any(|number| number.starts_with(|digit: char| digit.is_ascii_digit()))
    }

    /// Refuses a model of a person's with versions, and one that has to be several of a contract: the
    /// SQL of each is a model for dbt, which what we generate would stand beside.
    pub(super) fn refuse_versions(&self, object: &SchemaObject, name: &str) -> Result<()> {
        let Some(home) = self.project.homes.get(&(None, name)) else {
            return Ok(());
        };
        // Without a lock, only its first line tells that a file was generated.
        if (!home.is_versioned && self.is_alone) || is_generated(&home.file.text) {
            return Ok(());
        }
        let path = &home.file.path;
        let (why, help) = if home.is_versioned {
            (
                "versions that a person describes are not merged into",
                "take the model out of that file to have it generated",
            )
        } else {
            (
                "it cannot be several versions of the contract, as output ports have it",
                "let the output ports name one version, or take the model out of that file to have its versions generated",
            )
        };
        let message = format!(
            "object `{}` is the model `{name}`, which `{path}` describes; {why}",
            object.name.value
        );
        let document = &self.contract.document;
        let finding = document.finding(&rules::MAPPING_NAME_COLLISION, object.name.span, message);
        let finding = finding.label(&home.file, home.span, "described by hand");
        Err(Box::new(
            finding
                .help(format!("{help}, or give the object another `dbt.model`"))
                .contract(self.contract.id.value.clone()),
        ))
    }

    /// Refuses what a person describes in two places: dbt takes one of them only, and says so.
    pub(super) fn refuse_two_entries(&self, relations: &[Relation]) -> Result<()> {
        for (object, relation) in self.contract.objects.iter().zip(relations) {
            let key = key(relation);
            let homes = self.project.homes.get(&key);
            let Some((first, again)) = homes.zip(self.project.again.get(&key)) else {
                continue;
            };
            let what = match key {
                (Some(source), table) => format!("source table `{source}.{table}`"),
                (None, model) => format!("model `{model}`"),
            };
            let places = if first.file.path == again.file.path {
                format!("twice in `{}`", first.file.path)
            } else {
                format!("in `{}` and in `{}`", first.file.path, again.file.path)
            };
            let message = format!(
                "the object `{}` is the {what}, which is described {places}",
                object.name.value
            );
            let finding = self.contract.document.finding(
                &rules::MAPPING_AMBIGUOUS_BINDING,
                object.name.span,
                message,
            );
            return Err(Box::new(
                finding
                    .label(&first.file, first.span, "here")
                    .label(&again.file, again.span, "and here")
                    .help("put both entries together in one place, as dbt wants it")
                    .contract(self.contract.id.value.clone()),
            ));
        }
        Ok(())
    }

    /// The source and table that an object is bound to, which its naming would call `rendered`.
    pub(super) fn bound_table(
        &self,
        object: &SchemaObject,
        rendered: (&str, &str),
        location: &Location,
    ) -> Result<Option<(String, String)>> {
        let (source, table) = rendered;
        let exact = (Some(source), table);
        if self.project.homes.contains_key(&exact) {
            return Ok(None);
        }
        let found = self.meet_table(object, table, location)?;
        let pair = |known: &Known<'_>| Some((known.source?.to_owned(), known.name.to_owned()));
        Ok(found.and_then(|(_, known)| pair(&known)))
    }

    /// The source table of the project that an object meets, with the level on which they meet.
    fn meet_table(
        &self,
        object: &SchemaObject,
        rendered: &str,
        location: &Location,
    ) -> Result<Option<(&'static str, Known<'_>)>> {
        let tables = &self.project.tables;
        let words = Sought {
            name: object.name.as_str(),
            rendered,
            physical: Some(location.identifier.as_str()),
        };
        // A table of the same name in another schema is another table.
        let is_there = |known: &Known<'_>| {
            let schema = known.source.and_then(|source| tables.schemas.get(source));
            let stated = location.schema.as_deref();
            stated.is_none_or(|stated| {
                schema.is_some_and(|schema| schema.eq_ignore_ascii_case(stated))
            })
        };
        self.meet(object, tables, words, &is_there)
    }

    /// The first level on which something of the project meets an object.
    fn meet<'a>(
        &self,
        object: &SchemaObject,
        known: &Words<'a>,
        words: Sought<'_>,
        may_be: &dyn Fn(&Known<'_>) -> bool,
    ) -> Result<Option<(&'static str, Known<'a>)>> {
        let nothing = BTreeSet::new();
        let lower = |word: &str| {
            known
                .lower
                .get(&word.to_lowercase())
                .unwrap_or(&nothing)
                .clone()
        };
        let by_case: BTreeSet<Known<'a>> = words.all().flat_map(lower).collect();
        let of_contract = self.of_contract(object, known, &by_case);
        let levels = [
            ("`meta.data_contract`", of_contract),
            (
                "the name of the object",
                known.names.get(words.name).unwrap_or(&nothing).clone(),
            ),
            (
                "its naming",
                known.names.get(words.rendered).unwrap_or(&nothing).clone(),
            ),
            (
                "its physical name",
                words
                    .physical
                    .and_then(|word| known.physical.get(word))
                    .unwrap_or(&nothing)
                    .clone(),
            ),
            ("its name in another case", by_case),
        ];
        for (level, found) in levels {
            let is_free = |known: &Known<'_>| may_be(known) && !self.is_of_another(known);
            let found: Vec<Known<'a>> = found.into_iter().filter(is_free).collect();
            match found.as_slice() {
                [] => {}
                [one] => return Ok(Some((level, one.clone()))),
                [first, second, ..] => return Err(self.ambiguous(object, level, first, second)),
            }
        }
        Ok(None)
    }

    /// Whether something says that it is of another contract, which there is: without a lock, nothing
    /// else tells what was generated for that one.
    fn is_of_another(&self, known: &Known<'_>) -> bool {
        let role = match known.source {
            Some(_) => Role::Source,
            None => Role::Model,
        };
        known.contract.is_some_and(|id| {
            let mut versions = self.input.catalog.versions(id).iter();
            id != self.contract.id.as_str()
                && versions
                    .any(|index| self.input.generate[*index] && self.input.roles[*index] == role)
        })
    }

    /// What names the contract of an object, and the object as far as it names one.
    fn of_contract<'a>(
        &self,
        object: &SchemaObject,
        known: &Words<'a>,
        by_case: &BTreeSet<Known<'a>>,
    ) -> BTreeSet<Known<'a>> {
        let id = self.contract.id.as_str();
        let named = |object| known.contracts.get(&(id, object)).cloned();
        if let Some(found) = named(Some(object.name.as_str())) {
            return found;
        }
        let unnamed = named(None).unwrap_or_default();
        // An id alone does not say which of several objects is meant.
        if self.contract.objects.len() > 1 {
            return unnamed.intersection(by_case).cloned().collect();
        }
        if !unnamed.is_empty() {
            return unnamed;
        }
        // The only object may have had another name, if but one thing is known.
        let of_contract = known
            .contracts
            .iter()
            .filter(|((known, _), _)| *known == id);
        let others: BTreeSet<Known<'a>> =
            of_contract.flat_map(|(_, found)| found.clone()).collect();
        if others.len() == 1 {
            others
        } else {
            BTreeSet::new()
        }
    }

    fn ambiguous(
        &self,
        object: &SchemaObject,
        level: &str,
        first: &Known<'_>,
        second: &Known<'_>,
    ) -> Box<Diagnostic> {
        let name = |known: &Known<'_>| match known.source {
            Some(source) => format!("source table `{source}.{}` of `{}`", known.name, known.path),
            None => format!("model `{}` of `{}`", known.name, known.path),
        };
        let help = if first.source.is_some() {
            "say which one it is with the custom properties `dbt.source` and `dbt.table` of the object"
        } else {
            "say which one it is with the custom property `dbt.model` of the object"
        };
        let message = format!(
            "by {level}, the object `{}` may be the {} or the {}",
            object.name.value,
            name(first),
            name(second)
        );
        let document = &self.contract.document;
        let finding =
            document.finding(&rules::MAPPING_AMBIGUOUS_BINDING, object.name.span, message);
        Box::new(finding.help(help).contract(self.contract.id.value.clone()))
    }
}

/// The words by which an object may be known in a project.
#[derive(Clone, Copy)]
struct Sought<'a> {
    name: &'a str,
    rendered: &'a str,
    physical: Option<&'a str>,
}

impl<'a> Sought<'a> {
    fn all(self) -> impl Iterator<Item = &'a str> {
        [self.name, self.rendered].into_iter().chain(self.physical)
    }
}
