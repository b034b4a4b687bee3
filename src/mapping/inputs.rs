//! The inputs of a model: the objects that it may be made of, which of them are imported, and what
//! of its columns each one offers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::access;
use super::expression::Expression;
use super::names::{Home, Relation, column_name, in_case};
use super::scope::Subject;
use crate::dbt::names::same_but_for_case;
use crate::document::Text;
use crate::lineage::Role;
use crate::odcs::{Property, SchemaObject};

/// An object that a model is made of.
#[derive(Clone, Copy)]
pub(super) struct Upstream<'a> {
    pub(super) contract: usize,
    /// Place of the object in its contract.
    pub(super) index: usize,
    pub(super) object: &'a SchemaObject,
    pub(super) relation: &'a Relation,
    role: Role,
    /// The entry of a person's that describes it already.
    home: Option<&'a Home>,
}

impl<'a> Upstream<'a> {
    /// The column that offers a property of the model: of its logical name, then of its physical
    /// one, whatever their case.
    pub(super) fn find(&self, property: &Property) -> Option<&'a Property> {
        let physical = property.physical_name.as_ref();
        self.named(property.name.as_str())
            .or_else(|| self.named(physical?.as_str()))
    }

    /// The column of that name, as dbt sees it or as its own contract calls it.
    pub(super) fn named(&self, name: &str) -> Option<&'a Property> {
        let is = |other: &str| same_but_for_case(other, name);
        self.object
            .columns()
            .find(|column| is(&self.seen(column)))
            .or_else(|| {
                self.object
                    .columns()
                    .find(|column| is(column.name.as_str()))
            })
    }

    /// The name of a column as dbt sees it.
    pub(super) fn seen<'p>(&self, column: &'p Property) -> Cow<'p, str> {
        in_case(self.home, column_name(self.role, column))
    }

    /// Whether a column of the model is made of it: by a name in its expression, or by its own.
    pub(super) fn offers(&self, wanted: &Wanted<'_>) -> bool {
        match &wanted.expression {
            Some(expression) => expression.columns().any(|column| self.has(column)),
            None => self.find(wanted.property).is_some(),
        }
    }

    /// Whether a column of an expression may be its own: by its first part, or by the second, where
    /// the first is a relation.
    fn has(&self, column: &[String]) -> bool {
        let mut names = column.iter().take(2);
        names.any(|name| self.named(name).is_some())
    }

    /// Whether its contract lists columns.
    pub(super) fn has_columns(&self) -> bool {
        self.object.columns().next().is_some()
    }

    /// Whether an expression may call it so: by the object's name in the contract.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let names = [self.object.name.as_str(), self.object.physical()];
        names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// A column of the model, with its `transformLogic` where that is an expression.
pub(super) struct Wanted<'a> {
    pub(super) property: &'a Property,
    pub(super) data_type: Option<&'a str>,
    pub(super) expression: Option<Expression>,
}

impl Wanted<'_> {
    /// The names that the column is made of and an input lacks.
    fn missing(&self, input: &Upstream<'_>) -> Vec<&str> {
        match &self.expression {
            Some(expression) => expression
                .columns()
                .filter(|column| !input.has(column))
                .flat_map(|column| column.iter().take(2))
                .map(String::as_str)
                .collect(),
            None if input.find(self.property).is_some() => Vec::new(),
            None => {
                let physical = self.property.physical_name.as_ref();
                let physical = physical.map(Text::as_str);
                std::iter::once(self.property.name.as_str())
                    .chain(physical)
                    .collect()
            }
        }
    }
}

/// Every object of the contracts that a model is made of.
pub(super) fn all<'a>(subject: &Subject<'a>) -> Vec<Upstream<'a>> {
    let scope = subject.scope;
    let mut known = BTreeSet::new();
    let mut inputs = Vec::new();
    for upstream in &scope.input.upstreams[subject.index] {
        let contract = scope.chosen(*upstream);
        if contract == subject.index || !known.insert(contract) {
            continue;
        }
        for (index, object) in scope.contract(contract).objects.iter().enumerate() {
            let Some(relation) = scope.relation(contract, index) else {
                continue;
            };
            if !access::may_read(scope.input, subject.index, contract, object) {
                continue;
            }
            inputs.push(Upstream {
                contract,
                index,
                object,
                relation,
                role: scope.input.roles[contract],
                home: scope.names.home(contract, index),
            });
        }
    }
    inputs
}

/// The inputs that are imported. Every contract that is read has at least one; of those with
/// several objects, only what the base lacks is taken.
pub(super) fn kept(inputs: &[Upstream<'_>], base: usize, wanted: &[Wanted<'_>]) -> Vec<usize> {
    let missing: Vec<&str> = wanted
        .iter()
        .flat_map(|column| column.missing(&inputs[base]))
        .collect();
    let mut kept = Vec::new();
    let mut start = 0;
    while start < inputs.len() {
        let contract = inputs[start].contract;
        let siblings: Vec<usize> = (start..inputs.len())
            .take_while(|index| inputs[*index].contract == contract)
            .collect();
        start += siblings.len();
        let those = |wanted: &dyn Fn(&Upstream<'_>) -> bool| -> Vec<usize> {
            let is_wanted = |index: &&usize| **index == base || wanted(&inputs[**index]);
            siblings.iter().filter(is_wanted).copied().collect()
        };
        let choices = [
            those(&|input| missing.iter().any(|name| input.named(name).is_some())),
            those(&|input| wanted.iter().any(|column| input.offers(column))),
            siblings.clone(),
        ];
        kept.extend(
            choices
                .into_iter()
                .find(|choice| !choice.is_empty())
                .unwrap_or_default(),
        );
    }
    kept
}

/// The names of the imports' common table expressions: those of their relations, each once.
pub(super) fn names(inputs: &[Upstream<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for input in inputs {
        let own = input.relation.name().to_owned();
        let taken = |name: &String| names.iter().any(|known| same_but_for_case(known, name));
        let candidates = std::iter::once(own.clone()).chain([input.relation.label()]);
        let numbered = (2..).map(|number: usize| format!("{own}_{number}"));
        let name = candidates.chain(numbered).find(|name| !taken(name));
        names.push(name.unwrap_or(own));
    }
    names
}
