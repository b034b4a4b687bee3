//! What is never an orphan: the files of contracts that are there, though this run plans none for
//! them.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::Severity;
use crate::mapping::Mapped;
use crate::plan::Artifact;
use crate::version::line;
use crate::workspace::Workspace;

/// Contracts whose files are never orphans.
pub(super) struct Kept {
    /// A document could not be read, so nobody knows which contract it holds.
    all: bool,
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
        let Some(versions) = self.ids.get(id).filter(|_| !self.all) else {
            return self.all;
        };
        match versions.get(&line(version)) {
            Some(planned) => !planned,
            None => versions.values().any(|planned| !planned),
        }
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
        let models = mapped.models.iter().flat_map(|file| {
            let origins = file.origins.iter();
            origins.map(|(origin, _)| (&file.path, origin))
        });
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
            all: unreadable,
            ids,
        }
    }
}
