//! Models of several versions: the contracts of one id come in, with the names of their models; what
//! each version is to dbt goes out: its number, the latest one, its file and its alias.

use std::collections::{BTreeMap, BTreeSet};

use super::Naming;
use crate::catalog;
use crate::dbt::names::same_but_for_case;
use crate::lineage::Role;
use crate::mapping::versions::{Number, Versions, best};
use crate::mapping::{Input, models};
use crate::odcs::SchemaObject;
use crate::version::{Version, line};

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
        of_id.retain(|id, members| members.len() > 1 || is_edited(input, id));
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
        let mut all = Self {
            input,
            versions,
            by_name: BTreeMap::new(),
            homes: BTreeMap::new(),
        };
        families.retain(|_, family| match family.members.as_slice() {
            // The file of a version that somebody edited goes on as that version.
            [(only, _)] => all.edited(family, *only).is_some(),
            _ => true,
        });
        all.by_name = families;
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
        let stated = models::alias(&self.input.contracts[contract], object).1;
        let alias = if latest == contract {
            // Whoever reads the relation reads it under the name that it had as the only version.
            Some(stated.unwrap_or_else(|| name.to_owned()))
        } else {
            let own =
                |table: &str| models::relation(&self.input.contracts[contract], object, table);
            let taken = self.latest_relation(family, latest);
            stated.filter(|stated| !same_but_for_case(&own(stated), &taken))
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
            let alias = models::alias(contract, object).1;
            models::relation(contract, object, alias.as_deref().unwrap_or(&family.name))
        })
    }

    /// The stem of a version's file: `name_v1`. A file `name` that was there before the model had
    /// versions goes on as the oldest version that has no file of its own, and one that somebody
    /// edited as the version that it is of, whatever its number was then.
    fn file(&self, family: &Family, contract: usize, number: &Number) -> String {
        let name = &family.name;
        if let Some(edited) = self.edited(family, contract) {
            return edited.to_owned();
        }
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

    /// The file of a version that was edited: the one of its own number, else one of a number that no
    /// version has any more, of this very version or of one that it takes the place of.
    fn edited(&self, family: &Family, contract: usize) -> Option<&'a str> {
        let natural = |member: usize| {
            let number = self.versions.number(member)?;
            Some(with_number(&family.name, number).to_lowercase())
        };
        let own = natural(contract)?;
        let prefix = format!("{}_v", family.name.to_lowercase());
        let id = self.input.contracts[contract].id.as_str();
        let edited = self.input.edited.iter().filter_map(|(stem, keys)| {
            let version = keys.iter().find_map(|key| version_of(id, key))?;
            let is_of_family = stem.to_lowercase().starts_with(&prefix);
            is_of_family.then_some((stem.as_str(), version))
        });
        let edited: Vec<(&str, &str)> = edited.collect();
        if let Some((stem, _)) = edited.iter().find(|(stem, _)| stem.to_lowercase() == own) {
            return Some(stem);
        }
        if self.is_there(&with_number(&family.name, self.versions.number(contract)?)) {
            return None;
        }
        let members = || family.members.iter().map(|(member, _)| *member);
        let mut strays = edited.into_iter().filter(|(stem, _)| {
            let is_taken = |member| natural(member).is_some_and(|own| stem.to_lowercase() == own);
            !members().any(is_taken)
        });
        strays.find_map(|(stem, version)| {
            let stated = |member: usize| self.input.contracts[member].version.value.trim();
            let same = |member: &usize| stated(*member) == version;
            let is_later = |member: &usize| {
                line(stated(*member)) == line(version)
                    && Version::parse(stated(*member)) > Version::parse(version)
            };
            // The members stand in the order of their versions.
            let heir = members().find(same).or_else(|| members().find(is_later));
            (heir == Some(contract)).then_some(stem)
        })
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

/// The version in the key `id@version` of a contract of that id.
fn version_of<'k>(id: &str, key: &'k str) -> Option<&'k str> {
    let (of, version) = key.rsplit_once('@')?;
    (of == id).then_some(version)
}

/// Whether a model of some contract of that id was changed by hand.
fn is_edited(input: &Input<'_>, id: &str) -> bool {
    let mut keys = input.edited.values().flatten();
    keys.any(|key| version_of(id, key).is_some())
}
