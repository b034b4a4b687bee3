//! What should be on disk against what is there: for each file its status, and what a run does
//! about it.
//!
//! In: the planned [`Artifact`]s and the [`Lock`] of the last run. Out: a [`Comparison`], from
//! which `diff` shows and `sync` writes the very same texts. Three values decide about a file: the
//! *base* (the lock), the *disk*, and the *plan* (the contract's side). Nothing is written here.

mod content;
mod diff;
mod inputs;
pub mod lock;
mod outcome;
mod place;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::diagnostics::Diagnostic;
use crate::plan::Artifact;
pub use content::{Digest, Fingerprint};
pub use diff::{diff_of, unified_diff};
pub use inputs::apart;
pub use lock::{Entry, LOCK_PATH, Lock, TOOL_FOLDER};
pub use outcome::{Action, Choice, DELETED, Outcome, REPLACED, RESTORED, Status};
pub use place::{Refusal, Root, Target, check as check_path};

use outcome::{Disk, Plan};

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
    /// Decides about a file on which nothing is decided yet. `--force` overwrites but never
    /// deletes, and `--prune` deletes only what is as generated.
    fn decide(self, mut outcome: Outcome) -> Outcome {
        outcome.choose(match (outcome.status, outcome.is_edited()) {
            (Status::Orphaned, true) if self.keep_mine => Choice::Mine,
            (Status::Orphaned, false) if self.prune => Choice::Contract,
            (Status::Orphaned, _) => Choice::Safe,
            _ if self.force => Choice::Contract,
            (Status::Conflict, _) if self.keep_mine => Choice::Mine,
            _ => Choice::Safe,
        });
        outcome
    }
}

/// Every file that is planned or was generated, with what a run does about it.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// One outcome for each file, sorted by path. [`Outcome::choose`] changes what is done.
    pub files: Vec<Outcome>,
    /// Entries of the lock that this run does not judge.
    untouched: BTreeMap<String, Entry>,
    lock: Lock,
}

/// Compares what is planned with what is on disk.
///
/// `kept` says of an `id@version` whether the contract is skipped, retired or unreadable: what came
/// from it is never an orphan. Of two artifacts of one path the last counts.
pub fn compare(
    project_dir: &Path,
    artifacts: &[Artifact],
    lock: &Lock,
    options: &Options,
    kept: impl Fn(&str) -> bool,
) -> Comparison {
    let root = Root::open(project_dir).map_err(|error| error.to_string());
    let disk_at = |path: &str| match &root {
        Ok(root) => look(root, path),
        Err(error) => Disk::Blocked(format!("is in a project that cannot be reached: {error}")),
    };
    let planned: BTreeMap<&str, &Artifact> = artifacts
        .iter()
        .map(|artifact| (artifact.path.as_str(), artifact))
        .collect();
    let mut files: BTreeMap<&str, Outcome> = planned
        .iter()
        .map(|(path, artifact)| {
            let disk = disk_at(path);
            let plan = Plan::new(&artifact.text, &artifact.contracts, &disk);
            let outcome = Outcome::planned(path, plan, lock.get(path), &disk);
            (*path, options.decide(outcome))
        })
        .collect();
    let mut untouched = BTreeMap::new();
    let mut shared = Vec::new();
    for (path, entry) in lock.files() {
        if planned.contains_key(path.as_str()) {
            continue;
        }
        if !options.whole || entry.contracts.iter().any(|contract| kept(contract)) {
            untouched.insert(path.clone(), entry.clone());
        } else if entry.contracts.is_empty() {
            shared.push((path, entry));
        } else if let Some(outcome) = Outcome::orphan(path, entry, &disk_at(path)) {
            files.insert(path, options.decide(outcome));
        }
    }
    // What all contracts share is needed as long as a file stays that may use it.
    let in_use = !untouched.is_empty() || files.values().any(Outcome::is_left_orphan);
    for (path, entry) in shared {
        if in_use {
            untouched.insert(path.clone(), entry.clone());
        } else if let Some(outcome) = Outcome::orphan(path, entry, &disk_at(path)) {
            files.insert(path, options.decide(outcome));
        }
    }
    Comparison {
        files: files.into_values().collect(),
        untouched,
        lock: lock.clone(),
    }
}

impl Comparison {
    /// The lock file after the run.
    pub fn lock(&self) -> Lock {
        let mut entries = self.untouched.clone();
        for outcome in &self.files {
            if let Some(entry) = outcome.entry() {
                entries.insert(outcome.path.clone(), entry.clone());
            }
        }
        self.lock.with_files(entries)
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
        self.files.iter().filter_map(Outcome::diagnostic).collect()
    }
}

/// What stands at `path`.
fn look(root: &Root, path: &str) -> Disk {
    if lock::is_reserved(path) {
        return Disk::Blocked("is a file of the tool itself".to_owned());
    }
    match root.locate(path) {
        Ok(target) if target.exists => match fs::read(&target.real) {
            Ok(bytes) => Disk::File(bytes),
            Err(error) => Disk::Blocked(format!("cannot be read: {error}")),
        },
        Ok(_) => Disk::Absent,
        Err(refusal) => Disk::Blocked(refusal.to_string()),
    }
}

#[cfg(test)]
mod tests;
