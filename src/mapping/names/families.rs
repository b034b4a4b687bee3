//! Models of several versions: the contracts of one id come in, with the names of their models; what
//! each version is to dbt goes out: its number, the latest one, its file and its alias.

use std::collections::{BTreeMap, BTreeSet};

use super::Naming;
use crate::catalog;
use crate::lineage::Role;
use crate::mapping::versions::{Number, Versions, best};
use crate::mapping::{Input, models};
use crate::odcs::SchemaObject;
use crate::version::Version;

/// One version of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mapping) struct ModelVersion {
    /// How dbt calls it.
    pub(in crate::mapping) number: Number,
    /// The one that `ref()` leads to where it names none.
    pub(in crate::mapping) latest: Number,
    /// The stem of its file.
    pub(in crate::mapping) file: String,
    /// The name of its relation, unless it is dbt's own.
    pub(in crate::mapping) alias: Option<String>,
}

impl ModelVersion {
    /// Whether `ref()` leads to it without a version.
    pub(in crate::mapping) fn is_latest(&self) -> bool {
        self.number == self.latest
    }

    /// The name of its relation.
    pub(super) fn table(&self, name: &str) -> String {
        let own = || relation(name, &self.number);
        self.alias.clone().unwrap_or_else(own)
    }
}

/// `name_v1`, as dbt calls the file and the tests of a version.
pub(in crate::mapping) fn with_number(name: &str, number: &Number) -> String {
    format!("{name}_v{number}")
}

/// The name of the relation that dbt gives a version.
pub(super) fn relation(name: &str, number: &Number) -> String {
    with_number(name, number).replace('.', "_")
}

/// The versions of one model.
struct Family {
    name: String,
    /// Contract and object, the oldest first.
    members: Vec<(usize, usize)>,
}

/// All models of several versions, by id and name of the model.
pub(super) struct Families<'a> {
    input: &'a Input<'a>,
    versions: &'a Versions,
    by_name: BTreeMap<(&'a str, String), Family>,
    /// The contract whose layout says where the properties file of an id stands.
    homes: BTreeMap<&'a str, usize>,
}

impl<'a> Families<'a> {
    /// Finds the families. A retired version whose files are there is `planned` like the others, so
    /// that what selects from it goes on; it alone is not reason enough.
    pub(super) fn new(
        input: &'a Input<'a>,
        versions: &'a Versions,
        naming: impl Fn(usize) -> Naming<'a>,
        planned: &mut [bool],
    ) -> Self {
        let mut of_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, contract) in input.contracts.iter().enumerate() {
            if input.roles[index] == Role::Model && versions.chosen(index) == index {
                of_id.entry(contract.id.as_str()).or_default().push(index);
            }
        }
        of_id.retain(|_, members| members.len() > 1);
        let mut families: BTreeMap<(&str, String), Family> = BTreeMap::new();
        for (id, members) in &mut of_id {
            members.sort_by_key(|index| Version::parse(&input.contracts[*index].version.value));
            for contract in members {
                for (place, object) in input.contracts[*contract].objects.iter().enumerate() {
                    // What has no name is refused where it is named.
                    let Ok(name) = naming(*contract).model_name(object) else {
                        continue;
                    };
                    let key = (*id, name.to_lowercase());
                    let members = Vec::new();
                    let family = families.entry(key).or_insert(Family { name, members });
                    if family.members.iter().all(|(known, _)| known != contract) {
                        family.members.push((*contract, place));
                    }
                }
            }
        }
        families.retain(|_, family| family.members.len() > 1);
        let mut all = Self {
            input,
            versions,
            by_name: families,
            homes: BTreeMap::new(),
        };
        for (id, members) in of_id {
            let current: Vec<usize> = members.iter().copied().filter(|i| planned[*i]).collect();
            for contract in members.iter().filter(|_| !current.is_empty()) {
                planned[*contract] |= input.ended.contains(contract) && all.stands(*contract);
            }
            all.homes
                .extend(best(input, &current).map(|home| (id, home)));
        }
        all
    }

    /// The contract whose layout says where the properties of a contract stand.
    pub(super) fn home(&self, contract: usize) -> usize {
        let id = self.input.contracts[contract].id.as_str();
        let is_member = self.input.roles[contract] == Role::Model;
        let home = self.homes.get(id).filter(|_| is_member);
        home.copied().unwrap_or(contract)
    }

    /// The contracts that share the properties file of a contract, without itself.
    pub(super) fn siblings(&self, contract: usize) -> BTreeSet<usize> {
        let id = self.input.contracts[contract].id.as_str();
        let is_sibling = |index: &usize| {
            *index != contract
                && self.input.roles[*index] == Role::Model
                && self.versions.chosen(*index) == *index
        };
        let all = self.input.catalog.versions(id).iter().copied();
        if self.input.roles[contract] == Role::Model && self.versions.chosen(contract) == contract {
            all.filter(is_sibling).collect()
        } else {
            BTreeSet::new()
        }
    }

    /// What an object of a contract is among the versions of the model `name`; `None` where the
    /// model has one version only.
    pub(super) fn version(
        &self,
        contract: usize,
        object: &SchemaObject,
        name: &str,
        planned: &[bool],
    ) -> Option<ModelVersion> {
        let family = self.family(contract, name)?;
        let members = family.members.iter().map(|(contract, _)| *contract);
        let current: Vec<usize> = members.clone().filter(|index| planned[*index]).collect();
        let latest = best(self.input, &current).unwrap_or(family.members[0].0);
        let number = self.versions.number(contract)?.clone();
        let stated = models::alias(object).1;
        let alias = if latest == contract {
            // Whoever reads the relation reads it under the name that it had as the only version.
            Some(stated.unwrap_or_else(|| name.to_owned()))
        } else {
            let own =
                |table: &str| models::relation(&self.input.contracts[contract], object, table);
            let taken = self.latest_relation(family, latest);
            stated.filter(|stated| own(stated).to_lowercase() != taken.to_lowercase())
        };
        Some(ModelVersion {
            latest: self.versions.number(latest)?.clone(),
            file: self.file(family, contract, &number),
            alias: alias.filter(|alias| *alias != relation(name, &number)),
            number,
        })
    }

    /// The family of a model that a contract makes.
    fn family(&self, contract: usize, name: &str) -> Option<&Family> {
        let id = self.input.contracts[contract].id.as_str();
        let family = self.by_name.get(&(id, name.to_lowercase()))?;
        let mut members = family.members.iter();
        members
            .any(|(member, _)| *member == contract)
            .then_some(family)
    }

    /// The relation of the latest version.
    fn latest_relation(&self, family: &Family, latest: usize) -> String {
        let contract = &self.input.contracts[latest];
        let place = family.members.iter().find(|(member, _)| *member == latest);
        let object = place.and_then(|(_, object)| contract.objects.get(*object));
        object.map_or_else(String::new, |object| {
            let alias = models::alias(object).1;
            models::relation(contract, object, alias.as_deref().unwrap_or(&family.name))
        })
    }

    /// The stem of a version's file: `name_v1`. A file `name` that was there before the model had
    /// versions goes on as the oldest version that has no file of its own.
    fn file(&self, family: &Family, contract: usize, number: &Number) -> String {
        let name = &family.name;
        let own = self.input.own_models;
        let is_there = |stem: &str| self.is_there(stem);
        let mut without = family
            .members
            .iter()
            .map(|(member, _)| *member)
            .filter(|member| {
                let number = self.versions.number(*member);
                let has_file = number.is_some_and(|number| is_there(&with_number(name, number)));
                let is_over = catalog::is_retired(&self.input.contracts[*member]);
                !has_file && (!is_over || own.contains(name))
            });
        if is_there(name) && without.next() == Some(contract) {
            name.clone()
        } else {
            with_number(name, number)
        }
    }

    /// Whether the project has a model of that name.
    fn is_there(&self, stem: &str) -> bool {
        self.input.own_models.contains(stem) || self.input.project.resources.contains_key(stem)
    }

    /// Whether the project has a model of some version that a contract makes.
    pub(super) fn stands(&self, contract: usize) -> bool {
        let id = self.input.contracts[contract].id.as_str();
        let of_id = self.by_name.range((id, String::new())..);
        of_id
            .take_while(|((other, _), _)| *other == id)
            .any(|(_, family)| {
                let is_member = family.members.iter().any(|(member, _)| *member == contract);
                let number = self.versions.number(contract).filter(|_| is_member);
                number.is_some_and(|number| self.is_there(&self.file(family, contract, number)))
            })
    }
}
