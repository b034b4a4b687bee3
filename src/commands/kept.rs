//! What is never an orphan: the files of contracts that are there, though this run plans none for
//! them.

use std::collections::BTreeSet;

use crate::diagnostics::Severity;
use crate::mapping::Mapped;
use crate::plan::Artifact;
use crate::workspace::Workspace;

/// Contracts whose files are never orphans.
pub(super) struct Kept {
    /// A document could not be read, so nobody knows which contract it holds.
    all: bool,
    /// Ids of contracts that are there but were not generated.
    ids: BTreeSet<String>,
}

impl Kept {
    /// Whether the files of `id@version` stay.
    pub(super) fn keeps(&self, contract: &str) -> bool {
        let id = contract.rsplit_once('@').map_or(contract, |(id, _)| id);
        self.all || self.ids.contains(id)
    }

    /// What a run must not take for gone, though it plans no files for it, or not all.
    pub(super) fn new(workspace: &Workspace, mapped: &Mapped, artifacts: &[Artifact]) -> Self {
        let unreadable = workspace.sink.diagnostics().iter().any(|finding| {
            finding.severity == Severity::Error
                && ["discovery/", "yaml/"]
                    .iter()
                    .any(|area| finding.rule.code.starts_with(area))
        });
        let sources = mapped.sources.iter().map(|file| (&file.path, &file.origin));
        let models = mapped.models.iter().map(|file| (&file.path, &file.origin));
        let staging = mapped.staging.iter().map(|file| (&file.path, &file.origin));
        let singular = mapped
            .singular
            .iter()
            .map(|file| (&file.path, &file.origin));
        let planned = sources.chain(models).chain(staging).chain(singular);
        let planned = planned.map(|(path, origin)| (path, &origin.contract));
        let groups = mapped.groups.iter().flat_map(|file| {
            let contracts = file.contracts.iter();
            contracts.map(|contract| (&file.path, contract))
        });
        let rendered: BTreeSet<&str> = artifacts
            .iter()
            .map(|artifact| artifact.path.as_str())
            .collect();
        let mut generated = BTreeSet::new();
        let mut unfinished = BTreeSet::new();
        for (path, contract) in planned.chain(groups) {
            let done = rendered.contains(path.as_str());
            let contracts = if done {
                &mut generated
            } else {
                &mut unfinished
            };
            contracts.insert(contract.as_str());
        }
        Self {
            all: unreadable,
            ids: workspace
                .contracts
                .iter()
                .filter(|contract| {
                    let key = contract.key();
                    !generated.contains(key.as_str()) || unfinished.contains(key.as_str())
                })
                .map(|contract| contract.id.value.clone())
                .collect(),
        }
    }
}
