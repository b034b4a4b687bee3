//! What was written last, part by part: the base of the merge, as the lock file keeps it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::view::{self, Part};
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::Identity;
use crate::yaml::{Limits, parse};

/// Digits of a [`struct@Hash`], 64 of them.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// How many digits a [`struct@Hash`] has. The lock should stay small, and two versions of one value that a
/// person and a contract give are all that it must tell apart.
const LENGTH: usize = 5;

/// Short hash of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hash(u32);

impl Hash {
    /// The hash of a value.
    pub(super) fn of(value: &Value) -> Self {
        let digest: [u8; 32] = Sha256::digest(value.to_string()).into();
        let number = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        Self(number >> 2)
    }

    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != LENGTH {
            return None;
        }
        let mut number = 0;
        for byte in text.bytes() {
            let digit = DIGITS.iter().position(|digit| *digit == byte)?;
            number = number << 6 | u32::try_from(digit).ok()?;
        }
        Some(Self(number))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for digit in (0..LENGTH).rev() {
            let digit = (self.0 >> (6 * digit)) & 63;
            write!(f, "{}", char::from(DIGITS[digit as usize]))?;
        }
        Ok(())
    }
}

/// What was written of a resource, column or other group, or of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// For a resource in a person's file, the contract that it comes from, `id@version`.
    pub contract: Option<String>,
    /// For a column, the id that it keeps whatever its name.
    pub id: Option<String>,
    /// Whether a person wrote it before any contract asked for it.
    pub adopted: bool,
    /// Those of its values that a person wrote before any contract asked for them.
    pub adopted_values: BTreeSet<String>,
    /// Its values by their keys, such as `description` or `meta/owner`.
    pub values: BTreeMap<String, Hash>,
    /// Its groups by their keys, such as `columns/amount`.
    pub groups: BTreeMap<String, Base>,
}

impl Base {
    /// All that a properties file says, which we wrote as it is.
    pub fn of(text: &str, adapter: Option<Adapter>) -> Self {
        let documents = parse(text, &Limits::default()).documents;
        let root = documents.first();
        Self::of_parts(
            &root
                .map(|root| view::view(root, adapter))
                .unwrap_or_default(),
        )
    }

    /// All that some parts say.
    pub(super) fn of_parts(parts: &[Part<'_>]) -> Self {
        let mut base = Self::default();
        for part in parts {
            match &part.parts {
                Some(parts) => {
                    base.groups.insert(part.key.clone(), Self::of_parts(parts));
                }
                None => {
                    base.values.insert(part.key.clone(), part.hash());
                }
            }
        }
        base
    }

    /// Says of which contract a resource is, for the keys that lead to it.
    pub(in crate::merge) fn own(&mut self, path: &[String], contract: &str) {
        if let Some(group) = self.at_mut(path) {
            group.contract = Some(contract.to_owned());
        }
    }

    /// Says by which id a column is known, for the keys that lead to it.
    pub(in crate::merge) fn identify(&mut self, identities: &[(Vec<String>, Identity)]) {
        for (path, identity) in identities {
            if let Some(group) = self.at_mut(path) {
                group.id.clone_from(&identity.id);
            }
        }
    }

    /// Whether all columns are known by these ids already.
    pub(in crate::merge) fn is_identified(&self, identities: &[(Vec<String>, Identity)]) -> bool {
        identities.iter().all(|(path, identity)| {
            let group = path
                .iter()
                .try_fold(self, |group, key| group.groups.get(key));
            group.is_none_or(|group| group.id == identity.id)
        })
    }

    /// The group that keys lead to.
    pub(in crate::merge) fn at_mut(&mut self, path: &[String]) -> Option<&mut Self> {
        let mut group = Some(self);
        for key in path {
            group = group.and_then(|group| group.groups.get_mut(key));
        }
        group
    }

    /// Splits off the resources for which `is_taken`, which is given the keys that lead to each and
    /// the contract that it is of.
    pub(in crate::merge) fn split(
        self,
        is_taken: &dyn Fn(&[String], &str) -> bool,
    ) -> (Self, Self) {
        self.split_at(is_taken, &mut Vec::new())
    }

    fn split_at(
        self,
        is_taken: &dyn Fn(&[String], &str) -> bool,
        path: &mut Vec<String>,
    ) -> (Self, Self) {
        let empty = || Self {
            id: self.id.clone(),
            adopted: self.adopted,
            ..Self::default()
        };
        let (mut taken, mut left) = (empty(), empty());
        for (key, group) in self.groups {
            path.push(key.clone());
            if let Some(contract) = &group.contract {
                let side = if is_taken(path, contract) {
                    &mut taken
                } else {
                    &mut left
                };
                side.groups.insert(key, group);
            } else {
                let (ours, others) = group.split_at(is_taken, path);
                for (side, group) in [(&mut taken, ours), (&mut left, others)] {
                    if !group.is_empty() {
                        side.groups.insert(key.clone(), group);
                    }
                }
            }
            path.pop();
        }
        taken.values = self.values;
        (taken, left)
    }

    /// Adds the groups of another base.
    pub(in crate::merge) fn extend(&mut self, other: Self) {
        for (key, group) in other.groups {
            match self.groups.get_mut(&key) {
                Some(known) => known.extend(group),
                None => {
                    self.groups.insert(key, group);
                }
            }
        }
    }

    /// The contracts that its resources are of.
    pub fn contracts(&self) -> BTreeSet<&str> {
        let groups = self.groups.values();
        let below = groups.flat_map(Self::contracts);
        self.contract.as_deref().into_iter().chain(below).collect()
    }

    /// Whether both hold the same, whoever wrote it and whatever it is known by.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let same = |((one, left), (another, right)): ((&String, &Self), (&String, &Self))| {
            one == another && left.says_the_same(right)
        };
        self.values == other.values
            && self.groups.len() == other.groups.len()
            && self.groups.iter().zip(&other.groups).all(same)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.groups.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hashes_are_read_back_as_they_are_written(text in "\\PC{0,12}") {
            let hash = Hash::of(&Value::String(text));
            prop_assert_eq!(Hash::parse(&hash.to_string()), Some(hash));
        }
    }

    #[test]
    fn what_is_split_and_put_together_is_the_same() {
        let mut source = Base {
            adopted: true,
            ..Base::default()
        };
        for contract in ["a@1", "b@1"] {
            let table = Base {
                contract: Some(contract.to_owned()),
                ..Base::default()
            };
            source.groups.insert(format!("tables/{contract}"), table);
        }
        let mut base = Base::default();
        base.groups.insert("sources/raw".to_owned(), source);
        let (mut taken, left) = base.clone().split(&|_, contract| contract == "a@1");
        taken.extend(left);
        assert_eq!(taken, base);
    }

    #[test]
    fn what_is_no_hash_is_refused() {
        for text in ["", "AAAA", "AAAAAA", "AAAA*", "äöü"] {
            assert_eq!(Hash::parse(text), None, "{text}");
        }
    }
}
