//! A contract is written as a whole or not at all: what was mapped and what was rendered come in,
//! what may be written goes out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::diagnostics::Diagnostic;
use crate::mapping::{self, Mapped};
use crate::odcs::Contract;
use crate::plan::Artifact;
use crate::workspace::Workspace;

/// Every file that was mapped, with each contract that it comes from.
pub(super) fn planned(mapped: &Mapped) -> impl Iterator<Item = (&str, &str)> {
    let sources = mapped.sources.iter().map(|file| (&file.path, &file.origin));
    let models = mapped.models.iter().flat_map(|file| {
        let origins = file.origins.iter();
        origins.map(|(origin, _)| (&file.path, origin))
    });
    let staging = mapped.staging.iter().map(|file| (&file.path, &file.origin));
    let singular = mapped
        .singular
        .iter()
        .map(|file| (&file.path, &file.origin));
    let shapes = mapped.shape_files.iter();
    let shapes = shapes.map(|file| (&file.path, &file.origin));
    let planned = sources.chain(models).chain(staging).chain(singular);
    let planned = planned.chain(shapes);
    let bound = mapped.bound.iter().flat_map(|file| {
        let owners = file.owners.iter();
        owners.map(|(_, origin)| (&file.path, origin))
    });
    let planned = planned.chain(bound);
    let planned = planned.map(|(path, origin)| (path.as_str(), origin.contract.as_str()));
    let groups = mapped.groups.iter().flat_map(|file| {
        let contracts = file.contracts.iter();
        contracts.map(|contract| (file.path.as_str(), contract.as_str()))
    });
    planned.chain(groups)
}

/// Where the files are.
pub(super) fn paths(artifacts: &[Artifact]) -> BTreeSet<&str> {
    let paths = artifacts.iter().map(|artifact| artifact.path.as_str());
    paths.collect()
}

/// Takes out what cannot be written whole: a contract one of whose files is missing, what shares a
/// file with it and what is made of it, with the findings about these.
pub(super) fn whole(
    workspace: &Workspace,
    mapped: &Mapped,
    mut artifacts: Vec<Artifact>,
) -> (Vec<Artifact>, Vec<Diagnostic>) {
    let rendered = paths(&artifacts);
    let mut broken = planned(mapped).filter(|(path, _)| !rendered.contains(path));
    let Some(first) = broken.next() else {
        return (artifacts, Vec::new());
    };
    let broken = std::iter::once(first).chain(broken);
    let broken = broken.map(|(_, contract)| contract.to_owned()).collect();
    let (left_out, findings) = Waiting::new(workspace, mapped).left_out(broken);
    let groups = mapped.groups.as_ref().map(|file| file.path.as_str());
    artifacts.retain(|artifact| {
        let mut of = artifact.contracts.iter();
        let is_left_out = |contract: &String| left_out.contains(contract);
        artifact.contracts.is_empty()
            || if groups == Some(artifact.path.as_str()) {
                !of.all(is_left_out)
            } else {
                !of.any(is_left_out)
            }
    });
    (artifacts, findings)
}

/// Which contracts wait for which, by `id@version`.
struct Waiting<'a> {
    contracts: BTreeMap<String, &'a Contract>,
    /// For each contract what is made of it, and what it shares a file with.
    waiting: BTreeMap<String, Vec<(String, &'static str)>>,
}

impl<'a> Waiting<'a> {
    fn new(workspace: &'a Workspace, mapped: &Mapped) -> Self {
        let replaced: BTreeMap<&String, &String> = mapped
            .replaced
            .iter()
            .map(|(contract, by)| (contract, by))
            .collect();
        let mut waiting: BTreeMap<String, Vec<(String, &'static str)>> = BTreeMap::new();
        for edge in &workspace.lineage.edges {
            let from = workspace.contracts[edge.from].key();
            let from = replaced.get(&from).copied().cloned().unwrap_or(from);
            let to = workspace.contracts[edge.to].key();
            let of = waiting.entry(from).or_default();
            of.push((to, mapping::MADE_OF_IT));
        }
        for file in &mapped.models {
            let keys = || file.origins.iter().map(|(origin, _)| &origin.contract);
            for own in keys() {
                let others = keys().filter(|other| *other != own);
                let others = others.map(|other| (other.clone(), mapping::BESIDE_IT));
                waiting.entry(own.clone()).or_default().extend(others);
            }
        }
        let mapped: BTreeSet<&str> = planned(mapped).map(|(_, contract)| contract).collect();
        let contracts = workspace.contracts.iter();
        let contracts = contracts.map(|contract| (contract.key(), contract));
        Self {
            contracts: contracts
                .filter(|(key, _)| mapped.contains(key.as_str()))
                .collect(),
            waiting,
        }
    }

    /// The contracts that are not written since those are not, with what is found about the others.
    fn left_out(&self, broken: BTreeSet<String>) -> (BTreeSet<String>, Vec<Diagnostic>) {
        let mut causes: VecDeque<String> = broken.iter().cloned().collect();
        let mut left_out = broken;
        let mut findings = Vec::new();
        while let Some(cause) = causes.pop_front() {
            for (key, why) in self.waiting.get(&cause).into_iter().flatten() {
                let (Some(contract), Some(first)) =
                    (self.contracts.get(key), self.contracts.get(&cause))
                else {
                    continue;
                };
                if left_out.insert(key.clone()) {
                    causes.push_back(key.clone());
                    findings.push(mapping::held_back(contract, first, why));
                }
            }
        }
        (left_out, findings)
    }
}
