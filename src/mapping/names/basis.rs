//! What names are made from, before it is known which versions of contracts have them.

use std::collections::BTreeSet;

use super::Naming;
use super::binding::Index;
use super::template::Templates;
use crate::catalog;
use crate::diagnostics::Diagnostic;
use crate::lineage::Role;
use crate::mapping::Input;
use crate::mapping::versions::Versions;

/// What names are made from: the settings, and what the project has.
pub(in crate::mapping) struct Basis<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) templates: Templates,
    pub(super) project: Index<'a>,
}

impl<'a> Basis<'a> {
    /// Reads both.
    pub(in crate::mapping) fn new(input: &'a Input<'a>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let (templates, findings) = Templates::new(input);
        diagnostics.extend(findings);
        Self {
            input,
            templates,
            project: Index::new(input.project),
        }
    }

    /// The naming of a contract that has several versions, or is alone.
    pub(super) fn naming(&self, index: usize, is_alone: bool) -> Naming<'_> {
        Naming {
            input: self.input,
            project: &self.project,
            templates: &self.templates,
            contract: &self.input.contracts[index],
            role: self.input.roles[index],
            is_alone,
        }
    }

    /// Whether no other version of a contract is generated.
    pub(super) fn is_alone(&self, versions: &Versions, contract: usize) -> bool {
        let input = self.input;
        let id = input.contracts[contract].id.as_str();
        let is_generated = |other: usize| {
            input.roles[other] == Role::Model
                && versions.chosen(other) == other
                && !catalog::is_retired(&input.contracts[other])
        };
        let all = input.catalog.versions(id).iter();
        all.filter(|other| **other != contract)
            .all(|other| !is_generated(*other))
    }

    /// The ids of contracts of several versions with models that persons have.
    pub(in crate::mapping) fn by_hand(&self) -> BTreeSet<&'a str> {
        let contracts = self.input.contracts.iter().enumerate();
        let models = contracts.filter(|(index, contract)| {
            self.input.roles[*index] == Role::Model
                && self.input.catalog.versions(contract.id.as_str()).len() > 1
        });
        let by_hand = models.filter(|(index, _)| self.naming(*index, true).is_by_hand());
        by_hand.map(|(_, contract)| contract.id.as_str()).collect()
    }
}
