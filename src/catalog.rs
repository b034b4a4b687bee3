//! All contracts by id, version and file: what ports and relationships look things up in.

use std::collections::BTreeMap;

use crate::odcs::Contract;
use crate::odcs::reference::{self, Failure, Reference};
use crate::status::Status;
use crate::version::{Range, Version};

/// The contracts of a workspace, with indexes. Contracts are named by their place in the slice.
#[derive(Debug)]
pub struct Catalog<'a> {
    contracts: &'a [Contract],
    by_id: BTreeMap<&'a str, Vec<usize>>,
    by_path: BTreeMap<&'a str, usize>,
}

/// What a port's contract id and version lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The contract of that version, or the best one where the port states a range or nothing.
    Exact(usize),
    /// Another version of the same major number.
    SameMajor(usize),
    /// Only versions of other major numbers; the one there is, if it is the only one.
    OtherMajor(Option<usize>),
    /// No contract of that id.
    None,
}

impl Match {
    /// The contract that the port is bound to.
    pub fn contract(self) -> Option<usize> {
        match self {
            Self::Exact(index) | Self::SameMajor(index) => Some(index),
            Self::OtherMajor(index) => index,
            Self::None => None,
        }
    }
}

/// What makes one version of a contract better than another: in force first, then the higher number.
pub fn rank(contract: &Contract) -> (u8, Version) {
    (life(contract), Version::parse(&contract.version.value))
}

/// Whether a contract says that it is no longer in force.
pub fn is_retired(contract: &Contract) -> bool {
    life(contract) == 0
}

/// How much in force a contract is: what is about to go still is, what is worked out not yet.
fn life(contract: &Contract) -> u8 {
    let status = contract.status.as_ref();
    match status.and_then(|status| Status::parse(&status.value)) {
        Some(Status::Active) => 3,
        Some(Status::Deprecated) => 2,
        Some(Status::Retired) => 0,
        _ => 1,
    }
}

/// Where a reference leads, as places in the contracts, their objects and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The contract.
    pub contract: usize,
    /// Its object.
    pub object: usize,
    /// The column; `None` where the object alone is meant.
    pub property: Option<usize>,
    /// Whether it leads on into a part of the column.
    pub nested: bool,
}

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The text has none of the standard's forms.
    Form,
    /// The file is an address on the network, which is never asked.
    Network,
    /// No contract was found at that path.
    File(String),
    /// The contract is there, at this place, but not the object or property.
    Target(usize, Failure),
}

impl<'a> Catalog<'a> {
    /// Indexes the contracts.
    pub fn new(contracts: &'a [Contract]) -> Self {
        let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut by_path = BTreeMap::new();
        for (index, contract) in contracts.iter().enumerate() {
            by_id.entry(contract.id.as_str()).or_default().push(index);
            by_path.insert(contract.document.file.path.as_str(), index);
        }
        Self {
            contracts,
            by_id,
            by_path,
        }
    }

    /// Every id with the contracts that have it.
    pub fn ids(&self) -> impl Iterator<Item = (&'a str, &[usize])> {
        self.by_id
            .iter()
            .map(|(id, indexes)| (*id, indexes.as_slice()))
    }

    /// The contracts of that id.
    pub fn versions(&self, id: &str) -> &[usize] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }

    /// The contract that a port means. Ids are compared exactly.
    pub fn find(&self, id: &str, version: Option<&str>) -> Match {
        let versions = self.versions(id);
        let best = |wanted: &dyn Fn(&Version) -> bool| {
            versions
                .iter()
                .copied()
                .map(|index| (Version::parse(&self.contracts[index].version.value), index))
                .filter(|(version, _)| wanted(version))
                // The first of equal versions, so that the order of files decides nothing else.
                .max_by(|left, right| {
                    let life = |index: usize| life(&self.contracts[index]);
                    (life(left.1), &left.0)
                        .cmp(&(life(right.1), &right.0))
                        .then(right.1.cmp(&left.1))
                })
                .map(|(_, index)| index)
        };
        if versions.is_empty() {
            return Match::None;
        }
        let other = Match::OtherMajor(match versions {
            [only] => Some(*only),
            _ => None,
        });
        let Some(version) = version else {
            return best(&|_| true).map_or(Match::None, Match::Exact);
        };
        if let Some(range) = Range::parse(version) {
            return best(&|candidate| range.contains(candidate)).map_or(other, Match::Exact);
        }
        let version = Version::parse(version);
        if let Some(index) = best(&|candidate| version.means(candidate)) {
            return Match::Exact(index);
        }
        match best(&|candidate| version.major().is_some() && candidate.major() == version.major()) {
            Some(index) => Match::SameMajor(index),
            None => other,
        }
    }

    /// Follows the reference `text` that stands in the contract `from`.
    pub fn locate(&self, from: usize, text: &str) -> Result<Located, Missing> {
        let reference = reference::parse(text).ok_or(Missing::Form)?;
        let contract = match &reference {
            Reference::Ids {
                file: Some(file), ..
            } => self.file(from, file)?,
            _ => from,
        };
        let found = &self.contracts[contract];
        let target = reference
            .resolve(found)
            .map_err(|failure| Missing::Target(contract, failure))?;
        let position = |object: &crate::odcs::SchemaObject| {
            found
                .objects
                .iter()
                .position(|candidate| std::ptr::eq(candidate, object))
        };
        let object = position(target.object).ok_or(Missing::Form)?;
        Ok(Located {
            contract,
            object,
            property: target.property.and_then(|property| {
                found.objects[object]
                    .properties
                    .iter()
                    .position(|candidate| std::ptr::eq(candidate, property))
            }),
            nested: target.nested,
        })
    }

    /// The contract in the file that `from` names, relative to its own folder.
    fn file(&self, from: usize, file: &str) -> Result<usize, Missing> {
        if file.contains("://") && !file.starts_with("file:") {
            return Err(Missing::Network);
        }
        let own = &self.contracts[from].document.file.path;
        if file.is_empty() {
            return Ok(from);
        }
        let mut parts: Vec<&str> = own.split('/').collect();
        parts.pop();
        for part in file.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        self.by_path
            .get(path.as_str())
            .copied()
            .ok_or(Missing::File(path))
    }
}
