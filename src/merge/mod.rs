//! What should be on disk against what is there: for each file its status, and what a run does
//! about it.
//!
//! In: the planned [`Artifact`]s and the [`Lock`] of the last run. Out: a [`Comparison`], from
//! which `diff` shows and `sync` writes the very same texts. Three values decide about a file: the
//! *base* (the lock), the *disk*, and the *plan* (the contract's side). Nothing is written here.

mod content;
mod diff;
mod inputs;
mod keys;
pub mod lock;
mod moves;
mod outcome;
mod past;
mod place;
mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::dbt::adapter::Adapter;
use crate::diagnostics::Diagnostic;
use crate::file::Files;
use crate::plan::{Artifact, ArtifactKind, Known};
pub use content::{Digest, Fingerprint};
pub use diff::{diff_of, unified_diff};
pub use inputs::apart;
pub use keys::{Base, Hash, Key};
pub use lock::{Entry, LOCK_PATH, Lock, TOOL_FOLDER};
pub use outcome::{Action, Choice, Outcome, Status, WORDS, addition};
pub use past::Past;
pub use place::{Refusal, Root, Target, check as check_path};

use outcome::{Bound, Disk, Plan};

/// How a run decides where the contract and the disk differ.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Take the contract's side everywhere.
    pub force: bool,
    /// Accept what people wrote: conflicts become edits, edited orphans become theirs.
    pub keep_mine: bool,
    /// Delete orphans that nobody edited.
    pub prune: bool,
    /// All contracts were planned, so that a file that no plan names is an orphan.
    pub whole: bool,
}

impl Options {
    /// Decides about a file, in place of any earlier decision. `--force` overwrites, and deletes
    /// nothing but the old place of a file that moves; `--prune` deletes only what is as generated.
    pub fn decide(self, outcome: &mut Outcome) {
        outcome.choose(match (outcome.status, outcome.is_edited()) {
            (Status::Orphaned, true) if self.keep_mine => Choice::Mine,
            (Status::Orphaned, false) if self.prune => Choice::Contract,
            (Status::Orphaned, _) => Choice::Safe,
            _ if self.force => Choice::Contract,
            (Status::Conflict, _) if self.keep_mine => Choice::Mine,
            _ => Choice::Safe,
        });
    }
}

/// What decides about files beside their texts.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Whether a contract, `id@version`, is skipped, retired or unreadable: what came from it is
    /// never an orphan.
    pub kept: &'a dyn Fn(&str) -> bool,
    /// Whether the files of a contract, `id@version`, are looked at where not all are.
    pub selected: &'a dyn Fn(&str) -> bool,
    /// What is planned for contracts that are not looked at: none of it is an orphan.
    pub others: &'a [Artifact],
    /// The documents and settings that files are generated from.
    pub inputs: &'a BTreeSet<&'a str>,
    /// The adapter whose types the files have.
    pub adapter: Option<Adapter>,
    /// What was read of the project before.
    pub files: &'a Files,
}

/// Every file that is planned or was generated, with what a run does about it.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// One outcome for each file, sorted by path. After [`Outcome::choose`] changed what is done,
    /// [`Comparison::settle`] has the others follow.
    pub files: Vec<Outcome>,
    /// Entries of the lock that this run does not judge.
    untouched: BTreeMap<String, Entry>,
    untouched_bound: BTreeMap<String, Base>,
    /// The lock file without its entries.
    lock: Lock,
}

/// Compares what is planned with what is on disk below `root`. Of two artifacts of one path the last counts.
pub fn compare(
    root: &Root,
    artifacts: &[Artifact],
    lock: &Lock,
    options: Options,
    surroundings: Surroundings<'_>,
) -> Comparison {
    let disk_at = |path: &str| look(root, path, surroundings.files);
    let (bound, artifacts): (Vec<&Artifact>, Vec<&Artifact>) = artifacts
        .iter()
        .partition(|artifact| artifact.kind == ArtifactKind::Bound);
    let planned: BTreeMap<&str, &Artifact> = artifacts
        .into_iter()
        .map(|artifact| (artifact.path.as_str(), artifact))
        .collect();
    let mut files: BTreeMap<&str, Outcome> = planned
        .iter()
        .map(|(path, artifact)| {
            if let (Known::Written, Some(entry)) = (artifact.known, lock.get(path)) {
                return (
                    *path,
                    Outcome::written(artifact, entry, surroundings.adapter),
                );
            }
            let disk = disk_at(path);
            let plan = Plan::new(artifact, &disk, surroundings.adapter);
            let is_absent = |path: &str| matches!(disk_at(path), Disk::Absent);
            // The whole lock is looked through, and only for what a person put there.
            let is_there = matches!(disk, Disk::File(_));
            let by_hand = || moves::by_hand(artifact, lock, &planned, is_absent);
            let base = lock.get(path).or_else(|| is_there.then(by_hand).flatten());
            (
                *path,
                Outcome::planned(path, plan, base, disk, options.prune),
            )
        })
        .collect();
    let orphan = |path: &str, entry: &Entry| {
        let disk = match disk_at(path) {
            Disk::File(_) if is_elsewhere(root, path) => {
                Disk::Blocked("is reached through a symbolic link".to_owned())
            }
            Disk::File(_) if inputs::is_input(path, surroundings.inputs) => {
                Disk::Blocked("is what the project is made of".to_owned())
            }
            disk => disk,
        };
        Outcome::orphan(path, entry, disk)
    };
    let others: BTreeMap<&str, &Artifact> = surroundings
        .others
        .iter()
        .map(|artifact| (artifact.path.as_str(), artifact))
        .collect();
    let mut untouched = BTreeMap::new();
    let mut shared = Vec::new();
    for (path, entry) in lock.files() {
        if planned.contains_key(path.as_str()) {
            continue;
        }
        let contracts = || entry.contracts.iter();
        let judged = !others.contains_key(path.as_str())
            && (options.whole || contracts().any(|contract| (surroundings.selected)(contract)));
        if !judged || contracts().any(|contract| (surroundings.kept)(contract)) {
            untouched.insert(path.clone(), entry.clone());
        } else if entry.contracts.is_empty() {
            shared.push((path, entry));
        } else if let Some(outcome) = orphan(path, entry) {
            files.insert(path, outcome);
        }
    }
    let (outcomes, untouched_bound) =
        compare_bound(&bound, &others, lock, options, surroundings, disk_at);
    files.extend(outcomes);
    for outcome in files.values_mut() {
        options.decide(outcome);
    }
    if !shared.is_empty() {
        // What all contracts share is needed as long as a file stays that may use it.
        let in_use = !untouched.is_empty()
            || files.values().any(Outcome::is_left_orphan)
            || shared::is_mentioned(root.path(), &shared, &files);
        for (path, entry) in shared {
            if in_use {
                untouched.insert(path.clone(), entry.clone());
            } else if let Some(mut outcome) = orphan(path, entry) {
                options.decide(&mut outcome);
                files.insert(path, outcome);
            }
        }
    }
    let mut files: Vec<Outcome> = files.into_values().collect();
    moves::pair(&mut files, options);
    let mut comparison = Comparison {
        files,
        untouched,
        untouched_bound,
        lock: lock.emptied(),
    };
    comparison.settle();
    comparison
}

/// Compares what contracts say in files of persons. Those of which nothing is judged come back.
fn compare_bound<'a>(
    artifacts: &[&'a Artifact],
    others: &BTreeMap<&str, &Artifact>,
    lock: &'a Lock,
    options: Options,
    surroundings: Surroundings<'_>,
    disk_at: impl Fn(&str) -> Disk,
) -> (BTreeMap<&'a str, Outcome>, BTreeMap<String, Base>) {
    let is_judged = |contract: &str| {
        (options.whole || (surroundings.selected)(contract)) && !(surroundings.kept)(contract)
    };
    let outcome = |artifact: &Artifact, base: Base| {
        let (base, left) = base.split(&|path, contract| {
            let owns = |artifact: &Artifact| {
                let mut owners = artifact.owners.iter();
                owners.any(|(owner, _)| owner == path)
            };
            let is_others = || {
                let other = others.get(artifact.path.as_str());
                other.is_some_and(|other| owns(other))
            };
            owns(artifact) || (is_judged(contract) && !is_others())
        });
        let owners = artifact.owners.clone();
        let bound = Bound { base, left, owners };
        let disk = disk_at(&artifact.path);
        let plan = Plan::new(artifact, &disk, surroundings.adapter);
        Outcome::bound(&artifact.path, plan, bound, disk, options.prune)
    };
    let mut files = BTreeMap::new();
    for artifact in artifacts {
        let base = lock.bound().get(&artifact.path).cloned();
        let outcome = outcome(artifact, base.unwrap_or_default());
        files.insert(artifact.path.as_str(), outcome);
    }
    let mut untouched = BTreeMap::new();
    for (path, base) in lock.bound() {
        if files.contains_key(path.as_str()) {
            continue;
        }
        let contracts = base.contracts();
        let is_gone = matches!(disk_at(path), Disk::Absent);
        if !contracts.iter().any(|contract| is_judged(contract)) {
            untouched.insert(path.clone(), base.clone());
        } else if !is_gone {
            let artifact = Artifact {
                path: path.clone(),
                kind: ArtifactKind::Bound,
                text: "{}\n".to_owned(),
                known: Known::New,
                recipe: None,
                contracts: contracts.iter().map(ToString::to_string).collect(),
                owners: Vec::new(),
                identities: Vec::new(),
            };
            files.insert(path.as_str(), outcome(&artifact, base.clone()));
        }
    }
    (files, untouched)
}

impl Comparison {
    /// Has a run decide about a further file.
    pub fn include(&mut self, outcome: Outcome) {
        self.files.push(outcome);
        self.files.sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// Has files follow what was decided about others: those of a contract one of whose files is in
    /// conflict wait for it, and a file that moves leaves its old place when the new one is written.
    pub fn settle(&mut self) {
        let mut waiting: BTreeMap<&str, &str> = BTreeMap::new();
        for outcome in self.files.iter().filter(|outcome| outcome.is_waited_for()) {
            let contracts = outcome.contracts.iter();
            waiting.extend(contracts.map(|contract| (contract.as_str(), outcome.path.as_str())));
        }
        let held: Vec<Option<String>> = self
            .files
            .iter()
            .map(|outcome| {
                let mut contracts = outcome.contracts.iter();
                let conflict = contracts.find_map(|contract| waiting.get(contract.as_str()));
                conflict.map(|path| (*path).to_owned())
            })
            .collect();
        for (outcome, held) in self.files.iter_mut().zip(held) {
            if let Some(conflict) = held {
                outcome.wait_for(conflict);
            }
        }
        moves::follow(&mut self.files);
    }

    /// The lock file after the run.
    pub fn lock(&self) -> Lock {
        let mut entries = self.untouched.clone();
        for outcome in &self.files {
            if let Some(entry) = outcome.entry() {
                entries.insert(outcome.path.clone(), entry.clone());
            }
        }
        let mut bound = self.untouched_bound.clone();
        for outcome in &self.files {
            let entry = outcome.bound_entry().filter(|entry| !entry.is_empty());
            bound.extend(entry.map(|entry| (outcome.path.clone(), entry)));
        }
        self.lock.emptied().with_files(entries).with_bound(bound)
    }

    /// Whether a conflict is left undecided: `generate` and `sync` then end with exit code 1.
    pub fn has_conflicts(&self) -> bool {
        self.files.iter().any(Outcome::is_open_conflict)
    }

    /// Whether the contracts and the disk differ by more than accepted edits: `diff` then ends with
    /// exit code 1.
    pub fn has_differences(&self) -> bool {
        self.files.iter().any(Outcome::differs)
    }

    /// What people should know about files that stay as they are.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.files.iter().flat_map(Outcome::diagnostics).collect()
    }
}

/// Whether a symbolic link leads from the path to another place.
fn is_elsewhere(root: &Root, path: &str) -> bool {
    let target = root.locate(path);
    target.is_ok_and(|target| target.relative != path)
}

/// What stands at `path`.
fn look(root: &Root, path: &str, files: &Files) -> Disk {
    if lock::is_reserved(path) {
        return Disk::Blocked("is a file of the tool itself".to_owned());
    }
    match root.locate(path) {
        Ok(target) if target.exists => match files.known(path) {
            Some(file) => Disk::File(file.text.clone().into_bytes()),
            None => match fs::read(&target.real) {
                Ok(bytes) => Disk::File(bytes),
                Err(error) => Disk::Blocked(format!("cannot be read: {error}")),
            },
        },
        Ok(_) => Disk::Absent,
        Err(refusal) => Disk::Blocked(refusal.to_string()),
    }
}

#[cfg(test)]
mod tests;
