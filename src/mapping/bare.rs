//! Contracts without objects, and objects without columns: what stands with columns is not written
//! over by what promises none, and a contract or model that promises none is told.

use std::collections::BTreeSet;

use super::Input;
use super::names::Names;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::lineage::Role;
use crate::odcs::Contract;

/// Blocks the contracts that have lost the columns of an object.
pub(super) fn check(
    input: &Input<'_>,
    names: &Names,
    planned: &[bool],
    blocked: &mut BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (index, contract) in input.contracts.iter().enumerate() {
        if !planned[index] || blocked.contains(&index) {
            continue;
        }
        if contract.objects.is_empty() {
            diagnostics.push(without_objects(contract, input.roles[index]));
        }
        let objects = contract.objects.iter().zip(&names.relations[index]);
        for (object, relation) in objects.filter(|(object, _)| object.columns().next().is_none()) {
            let (object_name, name) = (object.name.as_str(), relation.name());
            let path = &names.properties[index];
            let (message, help) = if input
                .with_columns
                .contains(&(path.clone(), name.to_owned()))
            {
                blocked.insert(index);
                (
                    format!(
                        "the object `{object_name}` has no properties any more; `{name}` has columns \
                         and stays as it is, with everything of the contract"
                    ),
                    format!(
                        "restore the `properties`; to give the columns up, delete `{path}` and run \
                         `dbt-contracts sync --force`"
                    ),
                )
            } else if input.roles[index] == Role::Model {
                (
                    format!(
                        "the object `{object_name}` has no properties: its model `{name}` has no \
                         columns to describe or test"
                    ),
                    "list the columns under `properties`".to_owned(),
                )
            } else {
                continue;
            };
            diagnostics.push(
                contract
                    .document
                    .finding(&rules::MAPPING_NO_COLUMNS, object.name.span, message)
                    .help(help)
                    .contract(contract.id.value.clone()),
            );
        }
    }
}

/// The finding that nothing is made of a contract. Of an output something was asked for.
fn without_objects(contract: &Contract, role: Role) -> Diagnostic {
    let (kind, severity) = match role {
        Role::Model => ("model", Severity::Warning),
        Role::Source => ("source", Severity::Note),
    };
    let message = format!(
        "the contract `{}` has no objects, so that no {kind} is made of it",
        contract.key()
    );
    contract
        .document
        .finding(&rules::MAPPING_NO_OBJECTS, contract.id.span, message)
        .severity(severity)
        .help("list its tables under `schema`")
        .contract(contract.id.value.clone())
}
