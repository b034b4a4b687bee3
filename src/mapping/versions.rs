//! Several versions of one contract: the one that is generated.

use std::collections::BTreeMap;

use super::Input;
use crate::diagnostics::{Diagnostic, rules};
use crate::odcs::Contract;
use crate::status::Status;
use crate::version::Version;

/// For each contract the version of the same id and role that is generated: the highest active one,
/// else the highest that is not retired. The others are noted.
pub(super) fn chosen(input: &Input<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<usize> {
    let mut best: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let key = |index: usize| {
        let role = input.roles[index] == crate::lineage::Role::Model;
        (input.contracts[index].id.as_str(), role)
    };
    for (index, contract) in input.contracts.iter().enumerate() {
        let first = best.entry(key(index)).or_insert(index);
        if rank(contract) > rank(&input.contracts[*first]) {
            *first = index;
        }
    }
    let chosen: Vec<usize> = (0..input.contracts.len())
        .map(|index| best[&key(index)])
        .collect();
    for (index, contract) in input.contracts.iter().enumerate() {
        let other = &input.contracts[chosen[index]];
        if chosen[index] != index && contract.version.value != other.version.value {
            diagnostics.push(
                contract
                    .document
                    .finding(
                        &rules::MAPPING_NO_COUNTERPART,
                        contract.version.span,
                        format!(
                            "version `{}` of the contract `{}` is not generated beside version `{}`",
                            contract.version.value, contract.id.value, other.version.value
                        ),
                    )
                    .label(&other.document.file, other.version.span, "this version is generated")
                    .contract(contract.id.value.clone()),
            );
        }
    }
    chosen
}

/// What makes one version better than another: in force first, then the higher number.
fn rank(contract: &Contract) -> (u8, Version) {
    let status = contract
        .status
        .as_ref()
        .map(|status| Status::parse(&status.value));
    let life = match status.flatten() {
        Some(Status::Active) => 2,
        Some(Status::Retired) => 0,
        _ => 1,
    };
    (life, Version::parse(&contract.version.value))
}
