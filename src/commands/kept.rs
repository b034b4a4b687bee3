//! What is never an orphan: the files of contracts that are there, though this run plans none for
//! them.

use std::collections::{BTreeMap, BTreeSet};

use super::whole::{paths, planned};
use crate::diagnostics::Severity;
use crate::document::Text;
use crate::mapping::Mapped;
use crate::odps::Port;
use crate::plan::Artifact;
use crate::version::line;
use crate::workspace::Workspace;

/// Contracts whose files are never orphans.
pub(super) struct Kept {
    /// A document could not be read, so nobody knows which contract it holds.
    all: bool,
    /// Ids that a port still names and no contract has.
    missed: BTreeSet<String>,
    /// Ids of contracts that are there, and each of their versions by its [`line()`], with whether
    /// all its files are planned.
    ids: BTreeMap<String, BTreeMap<String, bool>>,
}

impl Kept {
    /// Whether the files of `id@version` stay: that version, or the one in its place, is there and
    /// has not all its files planned. Of a version that nothing is left of, those stay as long as
    /// some other one may be the same under a new number.
    pub(super) fn keeps(&self, contract: &str) -> bool {
        let (id, version) = contract.rsplit_once('@').unwrap_or((contract, ""));
        if self.all || self.missed.contains(id) {
            return true;
        }
        let Some(versions) = self.ids.get(id) else {
            return false;
        };
        match versions.get(&line(version)) {
            Some(planned) => !planned,
            None => versions.values().any(|planned| !planned),
        }
    }

    /// What a run must not take for gone, though it plans no files for it, or not all.
    pub(super) fn new(workspace: &Workspace, mapped: &Mapped, artifacts: &[Artifact]) -> Self {
        let broken = workspace.sink.diagnostics().iter().any(|finding| {
            finding.severity == Severity::Error
                && ["discovery/", "yaml/"]
                    .iter()
                    .any(|area| finding.rule.code.starts_with(area))
        });
        let rendered = paths(artifacts);
        let mut generated = BTreeSet::new();
        let mut unfinished = BTreeSet::new();
        for (path, contract) in planned(mapped) {
            let done = rendered.contains(path);
            let contracts = if done {
                &mut generated
            } else {
                &mut unfinished
            };
            contracts.insert(contract);
        }
        let is_done = |key: &str| generated.contains(key) && !unfinished.contains(key);
        let replaced: BTreeMap<&str, &str> = mapped
            .replaced
            .iter()
            .map(|(contract, by)| (contract.as_str(), by.as_str()))
            .collect();
        let mut ids: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
        for contract in &workspace.contracts {
            let key = contract.key();
            let current = replaced.get(key.as_str()).copied().unwrap_or(&key);
            let versions = ids.entry(contract.id.value.clone()).or_default();
            let planned = versions
                .entry(line(&contract.version.value))
                .or_insert(true);
            *planned &= is_done(current);
        }
        Self {
            all: broken || !workspace.unread.is_empty(),
            missed: missed(workspace),
            ids,
        }
    }
}

/// The ids that ports name and no contract has. Of inputs they count where what is made of them is
/// held back, and so still reads what was generated for them.
fn missed(workspace: &Workspace) -> BTreeSet<String> {
    let catalog = workspace.catalog();
    let strict = workspace.config.validation.cross_reference == Some(Severity::Error);
    let mut ids: Vec<Text> = Vec::new();
    for product in &workspace.products {
        let ports = |ports: &[Port]| -> Vec<Text> {
            ports
                .iter()
                .filter_map(|port| port.contract_id.clone())
                .collect()
        };
        ids.extend(ports(&product.output_ports));
        if strict {
            ids.extend(ports(&product.input_ports));
            let inputs = product.output_ports.iter();
            let inputs = inputs.flat_map(|port| port.input_contracts.iter().flatten());
            ids.extend(inputs.map(|input| input.id.clone()));
        }
    }
    let ids = ids.into_iter().map(|id| id.value);
    ids.filter(|id| catalog.versions(id).is_empty()).collect()
}
