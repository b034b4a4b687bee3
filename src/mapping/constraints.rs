//! Which model contracts dbt enforces, and the constraints that it then puts on tables.

use super::relationships::{self, Reference};
use super::scope::Subject;
use super::types::Typed;
use super::{Input, bound, metadata, models};
use crate::dbt::checks;
use crate::dbt::constraints::{Checked, ConstraintKind, checked, is_written};
use crate::dbt::properties::{Constraint, GenericTest};
use crate::dbt::release::Feature;
use crate::lineage::Role;
use crate::odcs::{Property, SchemaObject};
use crate::yaml::Node;

/// Whether an enforced contract is asked for: by the object's own `dbt.enforced`, else by the
/// contract's, else by the configuration.
pub(super) fn wanted(input: &Input<'_>, index: usize, object: &SchemaObject) -> bool {
    let stated = metadata::setting(&input.contracts[index], object, "dbt.enforced");
    match stated.and_then(Node::as_bool) {
        Some(wanted) => wanted,
        None => input.settings[index].model_contracts.enforced,
    }
}

/// Why dbt cannot enforce a contract; it would not load the project if asked to.
pub(super) fn obstacle(
    materialized: Option<&str>,
    columns: &[(&Property, Typed)],
) -> Option<String> {
    if let (Some(materialized), Checked::Nothing) = (materialized, checked(materialized)) {
        return Some(format!(
            "dbt does not check the contract of a model that is `{materialized}`"
        ));
    }
    if columns.is_empty() {
        return Some("it has no columns".to_owned());
    }
    columns
        .iter()
        .find(|(_, typed)| typed.data_type.is_none())
        .map(|(property, _)| format!("the column `{}` has no type", property.name.value))
}

/// What a table that a person describes gets, since nothing else of its author's stands against it: a
/// table has one primary key, a foreign key keeps dbt from building what it leads to, and a check names
/// columns in the contract's case.
const OF_AUTHORS: &[ConstraintKind] = &[ConstraintKind::NotNull, ConstraintKind::Unique];

/// What the constraints of one model are.
pub(super) struct Constraints<'s> {
    subject: &'s Subject<'s>,
    /// How the model is materialized.
    materialized: Option<&'s str>,
    /// Whether a person describes it, and not the contract but they have dbt enforce it.
    by_author: bool,
}

impl<'s> Constraints<'s> {
    /// The constraints of a model.
    pub(super) fn new(subject: &'s Subject<'s>, materialized: Option<&'s str>) -> Self {
        let (contract, object) = (subject.contract, subject.object);
        let is_enforced = |home| bound::is_enforced_table(contract, object, home);
        let is_typed = subject.columns.data_types.iter().all(Option::is_some);
        Self {
            subject,
            materialized,
            by_author: is_typed && subject.home.is_some_and(is_enforced),
        }
    }

    /// The constraints of a column. The tests of the same promises stay: on most warehouses they
    /// alone are checked, and a reader finds them in one place.
    pub(super) fn of_column(&self, property: &Property, key: &[&Property]) -> Vec<Constraint> {
        let is_key = property.primary_key && key.len() == 1;
        [
            (
                ConstraintKind::NotNull,
                property.required || property.primary_key,
            ),
            (ConstraintKind::PrimaryKey, is_key),
            // A key says so itself, where there is one.
            (
                ConstraintKind::Unique,
                if is_key {
                    self.by_author
                } else {
                    property.unique
                },
            ),
        ]
        .into_iter()
        .filter(|(kind, promised)| *promised && self.enforces(*kind))
        .map(|(kind, _)| of_one(kind))
        .collect()
    }

    /// What the tests of a column say of its values, as checks where they are the same promise.
    pub(super) fn checks(
        &self,
        property: &Property,
        data_type: Option<&str>,
        tests: &[GenericTest],
    ) -> Vec<Constraint> {
        if !self.enforces(ConstraintKind::Check) {
            return Vec::new();
        }
        let adapter = self.subject.scope.input.adapter;
        let column = self.subject.column_name(property);
        checks::of_column(adapter, &column, data_type, tests)
    }

    /// The constraints of a field of a record.
    pub(super) fn of_part(&self, part: &Property) -> Vec<Constraint> {
        let promised = part.required && self.enforces(ConstraintKind::NotNull);
        let constraint = promised.then(|| of_one(ConstraintKind::NotNull));
        constraint.into_iter().collect()
    }

    /// The constraints of the model as a whole: a composite key, and keys of other models.
    pub(super) fn of_model(&self, key: &[&Property]) -> Vec<Constraint> {
        let names = |columns: &[&Property]| {
            let names = columns.iter().map(|column| self.subject.sql_name(column));
            names.collect::<Vec<_>>()
        };
        let composite = key.len() > 1 && self.enforces(ConstraintKind::PrimaryKey);
        let mut constraints: Vec<Constraint> = composite
            .then(|| Constraint {
                columns: names(key),
                ..of_one(ConstraintKind::PrimaryKey)
            })
            .into_iter()
            .collect();
        let release = self.subject.scope.input.release;
        if self.enforces(ConstraintKind::ForeignKey) && release.has(Feature::ForeignKeyTarget) {
            for reference in relationships::references(self.subject) {
                if !self.is_constrained(&reference) {
                    continue;
                }
                let constraint = Constraint {
                    columns: names(&reference.from),
                    to: Some(reference.call),
                    to_columns: reference.to_columns,
                    ..of_one(ConstraintKind::ForeignKey)
                };
                if !constraints.contains(&constraint) {
                    constraints.push(constraint);
                }
            }
        }
        constraints
    }

    /// Whether the columns that a reference leads to are a key that the warehouse knows, in a table
    /// that dbt builds before this model without any further dependency.
    fn is_constrained(&self, reference: &Reference<'_>) -> bool {
        let scope = self.subject.scope;
        let place = reference.place;
        let object = place.object;
        let input = scope.input;
        let is_before = || scope.is_made_of(self.subject.index, place.contract);
        if input.roles[place.contract] != Role::Model
            || !scope.is_generated(place.contract)
            || !is_before()
        {
            return false;
        }
        let materialized = models::materialized(scope.contract(place.contract), object);
        let is_table = materialized.as_deref() == Some("table");
        let target = scope.subject(place.contract, place.index);
        // What a person describes may be built in another way than its contract says.
        let enforced = target.columns.enforced && target.home.is_none();
        let writes = |kind| is_written(input.release, input.adapter, materialized.as_deref(), kind);
        let key = object.primary_key();
        let same = |one: &&Property, other: &&Property| std::ptr::eq(*one, *other);
        let is_key = key.len() == reference.to.len()
            && key
                .iter()
                .zip(&reference.to)
                .all(|(one, other)| same(one, other))
            && writes(ConstraintKind::PrimaryKey);
        let is_unique = matches!(reference.to.as_slice(), [column] if column.unique)
            && writes(ConstraintKind::Unique);
        // Rows of an incremental model that others refer to cannot be replaced.
        is_table && enforced && (is_key || is_unique)
    }

    fn enforces(&self, kind: ConstraintKind) -> bool {
        let input = self.subject.scope.input;
        let (enforced, materialized) = if self.by_author {
            (OF_AUTHORS.contains(&kind), Some("table"))
        } else {
            (self.subject.columns.enforced, self.materialized)
        };
        enforced && is_written(input.release, input.adapter, materialized, kind)
    }
}

/// A constraint of one column.
fn of_one(kind: ConstraintKind) -> Constraint {
    Constraint {
        kind: kind.as_str(),
        ..Constraint::default()
    }
}
