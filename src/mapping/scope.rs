//! What every part of the mapping looks things up in: which contracts are generated, what their
//! objects are called in dbt, and their columns.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};

use super::columns::{self, ObjectColumns};
use super::names::{Home, Names, Relation, column_name, in_case};
use super::versions::Versions;
use super::{Input, Origin, access, bare, groups, names};
use crate::catalog::Located;
use crate::dbt::identifiers;
use crate::diagnostics::{Diagnostic, Rule, Severity, rules};
use crate::odcs::{Contract, Property, SchemaObject};
use crate::yaml::Span;

/// The workspace as the mapping sees it.
pub(super) struct Scope<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) names: Names,
    versions: Versions,
    /// The columns of each generated contract's objects.
    columns: Vec<Vec<ObjectColumns>>,
    /// Contracts that are not generated because of what was found here.
    blocked: BTreeSet<usize>,
}

impl<'a> Scope<'a> {
    /// Names everything and types all columns.
    pub(super) fn new(input: &'a Input<'a>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let basis = names::Basis::new(input, diagnostics);
        let versions = Versions::read(input, &basis.by_hand(), diagnostics);
        let mut blocked = BTreeSet::new();
        let mut planned: Vec<bool> = (0..input.contracts.len())
            .map(|index| versions.chosen(index) == index && input.generate[index])
            .collect();
        let names = names::name(basis, &versions, &mut planned, &mut blocked, diagnostics);
        let columns = (0..input.contracts.len())
            .map(|index| {
                if planned[index] {
                    columns::of_contract(input, index, &mut blocked, diagnostics)
                } else {
                    Vec::new()
                }
            })
            .collect();
        groups::collisions(input, &names.groups, &planned, &mut blocked, diagnostics);
        bare::check(input, &names, &planned, &mut blocked, diagnostics);
        access::check(
            input,
            &versions,
            &names,
            &planned,
            &mut blocked,
            diagnostics,
        );
        blocked.extend((0..planned.len()).filter(|index| !planned[*index]));
        let waiting = Waiting {
            input,
            versions: &versions,
            names: &names,
            planned: &planned,
        };
        waiting.hold_back(&mut blocked, diagnostics);
        Self {
            input,
            names,
            versions,
            columns,
            blocked,
        }
    }

    /// The contracts that are generated.
    pub(super) fn generated(&self) -> impl Iterator<Item = usize> {
        (0..self.input.contracts.len()).filter(|index| self.is_generated(*index))
    }

    /// Whether a contract is generated.
    pub(super) fn is_generated(&self, contract: usize) -> bool {
        !self.blocked.contains(&contract)
    }

    /// Whether a contract has files in the project: it is generated, or it was and they stay.
    pub(super) fn stands(&self, contract: usize) -> bool {
        let path = &self.names.properties[contract];
        let is_shared = self.names.siblings.contains_key(&contract);
        self.is_generated(contract)
            || (!path.is_empty()
                && self.input.standing.contains(path)
                && (!is_shared || self.names.standing.contains(&contract)))
    }

    /// The contracts that another version takes the place of, each with that one.
    pub(super) fn replaced(&self) -> Vec<(String, String)> {
        let contracts = self.input.contracts.iter().enumerate();
        contracts
            .filter(|(index, _)| self.chosen(*index) != *index)
            .map(|(index, contract)| (contract.key(), self.contract(self.chosen(index)).key()))
            .collect()
    }

    /// The contract.
    pub(super) fn contract(&self, contract: usize) -> &'a Contract {
        &self.input.contracts[contract]
    }

    /// An object with its columns and its name in dbt.
    pub(super) fn subject(&self, contract: usize, object: usize) -> Subject<'_> {
        Subject {
            scope: self,
            index: contract,
            contract: self.contract(contract),
            object: &self.contract(contract).objects[object],
            relation: &self.names.relations[contract][object],
            columns: &self.columns[contract][object],
            home: self.names.home(contract, object),
        }
    }

    /// The version of a contract that is generated.
    pub(super) fn chosen(&self, contract: usize) -> usize {
        self.versions.chosen(contract)
    }

    /// Whether a contract is made of another one, however far up.
    pub(super) fn is_made_of(&self, contract: usize, other: usize) -> bool {
        let mut seen = BTreeSet::from([contract]);
        let mut rest = vec![contract];
        while let Some(contract) = rest.pop() {
            for upstream in &self.input.upstreams[contract] {
                let upstream = self.chosen(*upstream);
                if seen.insert(upstream) {
                    rest.push(upstream);
                }
            }
        }
        contract != other && seen.contains(&other)
    }

    /// Where `located` is in the version that is generated, matched by name.
    pub(super) fn current(&self, located: Located) -> Option<Place<'a>> {
        let (contract, current) = (located.contract, self.chosen(located.contract));
        let object = &self.contract(contract).objects[located.object];
        let property = located.property.map(|index| &object.properties[index]);
        let index = self
            .contract(current)
            .objects
            .iter()
            .position(|candidate| candidate.name.value == object.name.value)?;
        let object = &self.contract(current).objects[index];
        Some(Place {
            contract: current,
            index,
            object,
            property: match property {
                Some(property) => Some(object.property(&property.name.value)?),
                None => None,
            },
        })
    }

    /// What an object is called in dbt, if it can be called anything.
    pub(super) fn relation(&self, contract: usize, object: usize) -> Option<&Relation> {
        self.names.relations.get(contract)?.get(object)
    }

    /// The name of a column as dbt sees it, in the case of the project.
    pub(super) fn column_name<'p>(
        &self,
        contract: usize,
        object: usize,
        property: &'p Property,
    ) -> Cow<'p, str> {
        in_case(
            self.names.home(contract, object),
            column_name(self.input.roles[contract], property),
        )
    }

    /// A name in SQL, in quotes where it needs them.
    pub(super) fn identifier(&self, name: &str) -> String {
        identifiers::identifier(self.input.adapter, name)
    }
}

/// What contracts wait for each other.
struct Waiting<'a> {
    input: &'a Input<'a>,
    versions: &'a Versions,
    names: &'a Names,
    planned: &'a [bool],
}

impl Waiting<'_> {
    /// Blocks every model that is made of a blocked contract, however far down: its SQL would select
    /// from what is not there, or from less than the contract says. The versions of a model wait
    /// for each other too: they stand in one file, and one that is missing there is gone.
    fn hold_back(&self, blocked: &mut BTreeSet<usize>, diagnostics: &mut Vec<Diagnostic>) {
        let mut made_of_it = vec![Vec::new(); self.planned.len()];
        for (index, upstreams) in self.input.upstreams.iter().enumerate() {
            for upstream in upstreams {
                made_of_it[self.versions.chosen(*upstream)].push(index);
            }
        }
        let mut causes: VecDeque<usize> = blocked.iter().copied().collect();
        while let Some(cause) = causes.pop_front() {
            let made_of_it = made_of_it[cause].iter().map(|index| (*index, MADE_OF_IT));
            let siblings = self.siblings(cause).map(|index| (index, BESIDE_IT));
            for (index, why) in made_of_it.chain(siblings) {
                if !blocked.insert(index) {
                    continue;
                }
                causes.push_back(index);
                let contracts = self.input.contracts;
                diagnostics.push(held_back(&contracts[index], &contracts[cause], why));
            }
        }
    }

    /// The versions that cannot be written without a blocked one, which was planned or is there.
    fn siblings(&self, cause: usize) -> impl Iterator<Item = usize> {
        let is_missed = self.planned[cause]
            || self.names.standing.contains(&cause) && !self.input.ended.contains(&cause);
        let siblings = self.names.siblings.get(&cause).filter(|_| is_missed);
        siblings.into_iter().flatten().copied()
    }
}

/// Why one contract waits for another one, in words between the names of both.
pub(crate) const MADE_OF_IT: &str = "which it is made of";

/// The other reason.
pub(crate) const BESIDE_IT: &str = "whose properties file it shares";

/// The finding that a contract waits.
pub(crate) fn held_back(contract: &Contract, cause: &Contract, why: &str) -> Diagnostic {
    contract
        .document
        .finding(
            &rules::MAPPING_HELD_BACK,
            contract.id.span,
            format!(
                "the contract `{}` is not generated, because `{}`, {why}, is not",
                contract.key(),
                cause.key()
            ),
        )
        .label(&cause.document.file, cause.id.span, "this one comes first")
        .contract(contract.id.value.clone())
}

/// Where a reference leads, in the version that is generated.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) contract: usize,
    /// Place of the object in its contract.
    pub(super) index: usize,
    pub(super) object: &'a SchemaObject,
    /// The column; `None` where the object alone is meant.
    pub(super) property: Option<&'a Property>,
}

/// One object that is mapped.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) scope: &'a Scope<'a>,
    /// Place of the contract.
    pub(super) index: usize,
    pub(super) contract: &'a Contract,
    pub(super) object: &'a SchemaObject,
    pub(super) relation: &'a Relation,
    pub(super) columns: &'a ObjectColumns,
    /// The entry of a person's that describes it already.
    pub(super) home: Option<&'a Home>,
}

impl<'a> Subject<'a> {
    /// The name of a column as dbt sees it, in the case of the project.
    pub(super) fn column_name<'p>(&self, property: &'p Property) -> Cow<'p, str> {
        let role = self.scope.input.roles[self.index];
        in_case(self.home, column_name(role, property))
    }

    /// A column as it stands in SQL.
    pub(super) fn sql_name(&self, property: &Property) -> String {
        self.scope.identifier(&self.column_name(property))
    }

    /// The column of that logical or physical name.
    pub(super) fn column(&self, name: &str) -> Option<&'a Property> {
        let mut by_physical = self.object.columns();
        self.object
            .columns()
            .find(|property| property.name.value == name)
            .or_else(|| by_physical.find(|property| property.physical() == name))
    }

    /// The finding that the contract waits until it is known what something in it leads to.
    pub(super) fn unsettled(&self, span: Span, what: &str) -> Diagnostic {
        let message = format!(
            "the contract `{}` is not generated: {what}",
            self.contract.key()
        );
        self.finding(&rules::MAPPING_HELD_BACK, span, message)
            .help("repair the files that cannot be read first")
    }

    /// A finding in the contract.
    pub(super) fn finding(
        &self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.contract
            .document
            .finding(rule, span, message)
            .contract(self.contract.id.value.clone())
    }
}

/// The contract that a file comes from.
pub(super) fn origin(contract: &Contract) -> Origin {
    Origin {
        path: contract.document.file.path.clone(),
        contract: contract.key(),
    }
}

/// Whether any finding from `from` on is an error.
pub(super) fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|finding| finding.severity == Severity::Error)
}
