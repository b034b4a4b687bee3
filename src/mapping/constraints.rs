//! Which model contracts dbt enforces, and the constraints that it then puts on tables.

use super::scope::Subject;
use super::types::Typed;
use super::{Input, metadata};
use crate::dbt::adapter::Adapter;
use crate::dbt::constraints::{ConstraintKind, Support, support};
use crate::dbt::properties::Constraint;
use crate::odcs::{Property, SchemaObject};
use crate::yaml::Node;

/// The materializations whose contract dbt checks; without one, dbt makes a view.
const CHECKED: &[&str] = &["view", "table", "incremental"];

/// The materializations that get constraints.
const CONSTRAINED: &[&str] = &["table", "incremental"];

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
    if let Some(materialized) = materialized.filter(|word| !CHECKED.contains(word)) {
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

/// What the constraints of one model are.
pub(super) struct Constraints {
    /// The adapter, where the model gets constraints at all.
    adapter: Option<Adapter>,
}

impl Constraints {
    /// The constraints of a model: none unless its contract is enforced and it is a table.
    pub(super) fn new(subject: &Subject<'_>, materialized: Option<&str>) -> Self {
        let table = materialized.is_some_and(|word| CONSTRAINED.contains(&word));
        Self {
            adapter: (table && subject.columns.enforced).then_some(subject.scope.input.adapter),
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
            (ConstraintKind::Unique, property.unique && !is_key),
        ]
        .into_iter()
        .filter(|(kind, promised)| *promised && self.enforces(*kind))
        .map(|(kind, _)| Constraint {
            kind: kind.as_str(),
            columns: Vec::new(),
        })
        .collect()
    }

    /// The constraints over several columns: a composite key.
    pub(super) fn of_model(&self, subject: &Subject<'_>, key: &[&Property]) -> Vec<Constraint> {
        if key.len() < 2 || !self.enforces(ConstraintKind::PrimaryKey) {
            return Vec::new();
        }
        vec![Constraint {
            kind: ConstraintKind::PrimaryKey.as_str(),
            columns: key
                .iter()
                .map(|property| subject.sql_name(property))
                .collect(),
        }]
    }

    fn enforces(&self, kind: ConstraintKind) -> bool {
        self.adapter
            .is_some_and(|adapter| support(adapter, kind) == Support::Enforced)
    }
}
