//! One file: its status, and what each choice does about it.

mod addition;
mod plan;
mod told;

use super::content::{Digest, Fingerprint};
use super::keys::{self, Base, Key, Merge, Taken};
use super::lock::Entry;
use crate::dbt::adapter::Adapter;
use crate::plan::Artifact;
pub use addition::addition;
pub(super) use plan::{Disk, Plan};

/// How a file on disk stands to the contract's side of it, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// As planned.
    Unchanged,
    /// Changed or deleted by hand; the contract's side has not changed since.
    Edited,
    /// As generated, and the contract's side has changed.
    Modified,
    /// Not there yet.
    New,
    /// Generated once, and no longer planned.
    Orphaned,
    /// Changed by hand or never generated, and different from the contract's side.
    Conflict,
}

impl Status {
    /// The word used in messages and in machine output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Edited => "edited",
            Self::Modified => "modified",
            Self::New => "new",
            Self::Orphaned => "orphaned",
            Self::Conflict => "conflict",
        }
    }
}

/// The words for what a run does beside the statuses: write over a file that a person wrote to,
/// write one again that a person deleted, delete one, take one away that is written elsewhere, and
/// leave one since it waits for another.
pub const WORDS: &[&str] = &[REPLACED, RESTORED, DELETED, MOVED, HELD];
const REPLACED: &str = "replaced";
const RESTORED: &str = "restored";
const DELETED: &str = "deleted";
const MOVED: &str = "moved";
const HELD: &str = "held";

/// What a run does to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Leave,
    /// Write that text, to the last byte.
    Write(String),
    /// Delete it.
    Delete,
}

/// Whose side a run takes for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The contract's where nobody wrote anything, else nobody's: conflicts stay open.
    Safe,
    /// The contract's.
    Contract,
    /// The person's: the contract's side is recorded as seen, so that what differs is an edit.
    Mine,
    /// Nobody's; ask again next time.
    Later,
}

/// What contracts said in a file of a person, and say now.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    /// What the run judges.
    pub(super) base: Base,
    /// What it does not: of contracts that are kept, or not selected.
    pub(super) left: Base,
    /// The contract of each resource.
    pub(super) owners: Vec<(Vec<String>, String)>,
}

/// One file of a comparison.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Path relative to the project directory, `/` between its parts.
    pub path: String,
    /// How the file stands to the contract's side; after [`Choice::Mine`] an accepted edit.
    pub status: Status,
    /// What the run does to it.
    pub action: Action,
    /// The text on disk, `None` where there is no file, or it is as planned and as the lock knows it.
    /// Bytes that are not UTF-8 are replaced.
    pub old: Option<String>,
    /// The exact bytes on disk, as a digest; `None` where `old` is.
    pub seen: Option<Digest>,
    /// `id@version` of each contract that it comes from, sorted.
    pub contracts: Vec<String>,
    found: Status,
    edited: bool,
    blocked: Option<String>,
    plan: Option<Plan>,
    merge: Option<Box<Merge>>,
    /// Why there is none of a properties file; it completes a sentence that begins with the path.
    apart: Option<String>,
    /// For a file of a person, what contracts say in it.
    bound: Option<Box<Bound>>,
    base: Option<Entry>,
    entry: Option<Entry>,
    chosen: Choice,
    /// The path of a file in conflict that this one waits for.
    held: Option<String>,
    /// For an orphan, the path of the file that dbt takes for the same.
    new_place: Option<String>,
    /// For a new file, the path of such an orphan that a person wrote to.
    old_place: Option<String>,
    /// Whether the file is a person's that only gets something more, of which the lock knows nothing.
    addition: bool,
}

impl Outcome {
    /// The outcome of a file that is planned.
    pub(super) fn planned(
        path: &str,
        mut plan: Plan,
        base: Option<&Entry>,
        mut disk: Disk,
        prune: bool,
    ) -> Self {
        let ours = plan.entry.base;
        let recorded = base.map(|entry| entry.base);
        let there = match &disk {
            Disk::File(bytes) if bytes == plan.text.as_bytes() => Some(ours),
            Disk::File(bytes) => Some(Fingerprint::of(bytes)),
            Disk::Absent | Disk::Blocked(_) => None,
        };
        let found = match (recorded, there) {
            _ if matches!(disk, Disk::Blocked(_)) => Status::Conflict,
            (None, None) => Status::New,
            // Only the header names another path.
            (Some(_), Some(there)) if there == ours && !plan.is_written(&disk) => Status::Modified,
            (_, Some(there)) if there == ours => Status::Unchanged,
            (Some(recorded), Some(there)) if there == recorded => Status::Modified,
            (Some(recorded), _) if recorded == ours => Status::Edited,
            _ => Status::Conflict,
        };
        let edited = matches!(found, Status::Edited | Status::Conflict);
        let merged = edited.then(|| plan.merged(base, &disk, prune)).flatten();
        let (merge, apart) = match merged {
            Some(Ok(merge)) => (Some(Box::new(merge)), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        let found = merge.as_ref().map_or(found, |merge| merge.status);
        // Nobody asks for the texts again.
        if found == Status::Unchanged && !edited && plan.is_recorded(base) {
            plan.text = String::new();
            disk = Disk::Absent;
        }
        let contracts = plan.entry.contracts.clone();
        let outcome = Self::new(path, found, edited, disk, base, Some(plan)).of(contracts);
        Self {
            merge,
            apart,
            ..outcome
        }
    }

    /// The outcome of a file that stands there as planned, and as the lock knows it.
    pub(super) fn written(artifact: &Artifact, entry: &Entry, adapter: Option<Adapter>) -> Self {
        let plan = Plan::written(artifact, entry, adapter);
        let contracts = plan.entry.contracts.clone();
        let path = &artifact.path;
        let (found, disk) = (Status::Unchanged, Disk::Absent);
        Self::new(path, found, false, disk, Some(entry), Some(plan)).of(contracts)
    }

    /// The outcome of a file of a person that contracts say something in.
    pub(super) fn bound(path: &str, plan: Plan, bound: Bound, disk: Disk, prune: bool) -> Self {
        let merge = match &disk {
            Disk::File(bytes) => str::from_utf8(bytes)
                .map_err(|_| "is not UTF-8".to_owned())
                .and_then(|text| keys::merge(plan.ours(true, prune), text, &bound.base)),
            Disk::Absent => Err("is gone".to_owned()),
            Disk::Blocked(reason) => Err(reason.clone()),
        };
        let found = merge
            .as_ref()
            .map_or(Status::Conflict, |merge| merge.status);
        let blocked = merge.as_ref().err().cloned();
        let contracts = plan.entry.contracts.clone();
        let outcome = Self::new(path, found, true, disk, None, Some(plan)).of(contracts);
        Self {
            merge: merge.ok().map(Box::new),
            blocked: outcome.blocked.clone().or(blocked),
            bound: Some(Box::new(bound)),
            ..outcome
        }
    }

    /// The outcome of a file that was generated and is no longer planned; `None` where it is gone
    /// already.
    pub(super) fn orphan(path: &str, base: &Entry, disk: Disk) -> Option<Self> {
        let edited = match &disk {
            Disk::Absent => return None,
            Disk::File(bytes) => Fingerprint::of(bytes) != base.base,
            Disk::Blocked(_) => true,
        };
        let outcome = Self::new(path, Status::Orphaned, edited, disk, Some(base), None);
        Some(outcome.of(base.contracts.clone()))
    }

    fn new(
        path: &str,
        found: Status,
        edited: bool,
        disk: Disk,
        base: Option<&Entry>,
        plan: Option<Plan>,
    ) -> Self {
        let (old, seen, blocked) = match disk {
            Disk::Absent => (None, None, None),
            Disk::File(bytes) => {
                let seen = Digest::of(&bytes);
                let old = String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
                (Some(old), Some(seen), None)
            }
            Disk::Blocked(reason) => (None, None, Some(reason)),
        };
        Self {
            path: path.to_owned(),
            status: found,
            action: Action::Leave,
            old,
            seen,
            contracts: Vec::new(),
            found,
            edited,
            blocked,
            plan,
            merge: None,
            apart: None,
            bound: None,
            base: base.cloned(),
            entry: base.cloned(),
            chosen: Choice::Later,
            held: None,
            new_place: None,
            old_place: None,
            addition: false,
        }
    }

    /// Says of an orphan which file dbt takes for the same.
    pub(super) fn moves_to(&mut self, path: String) {
        self.new_place = Some(path);
    }

    /// For an orphan, the path of the file that dbt takes for the same.
    pub fn moved_to(&self) -> Option<&str> {
        self.new_place.as_deref()
    }

    /// Says of a new file which orphan dbt takes for the same: it is a conflict where a person wrote
    /// to that one.
    pub(super) fn takes_the_place_of(&mut self, path: String, is_edited: bool) {
        if is_edited {
            self.found = Status::Conflict;
            self.status = Status::Conflict;
            self.edited = true;
            self.old_place = Some(path);
        }
    }

    /// Leaves a file as it is, since one of its contract is in conflict. An orphan that is pruned may be
    /// what the held one takes the place of.
    pub(super) fn wait_for(&mut self, conflict: String) {
        let safe =
            matches!(self.found, Status::New | Status::Modified) && self.chosen == Choice::Safe;
        let pruned = self.found == Status::Orphaned && self.new_place.is_none();
        if (safe || pruned) && self.action != Action::Leave {
            self.choose(Choice::Later);
            self.held = Some(conflict);
        }
    }

    fn of(mut self, contracts: Vec<String>) -> Self {
        self.contracts = contracts;
        self
    }

    /// Decides what the run does to the file, in place of any earlier decision.
    pub fn choose(&mut self, choice: Choice) {
        self.chosen = choice;
        self.held = None;
        self.status = self.found;
        self.action = Action::Leave;
        self.entry.clone_from(&self.base);
        // What blocks a path is not decided away; only an orphan's entry can be let go.
        if self.blocked.is_some() && !(self.plan.is_none() && choice == Choice::Mine) {
            return;
        }
        let Some(plan) = &self.plan else {
            match choice {
                Choice::Contract => {
                    self.action = Action::Delete;
                    self.entry = None;
                }
                Choice::Mine => {
                    self.status = Status::Edited;
                    self.entry = None;
                }
                Choice::Safe | Choice::Later => {}
            }
            return;
        };
        if let Some(merge) = &self.merge {
            let (text, taken) = match choice {
                Choice::Safe => (&merge.safe, Taken::Safe),
                Choice::Contract => (&merge.forced, Taken::Contract),
                Choice::Mine | Choice::Later => (&merge.safe, Taken::Mine),
            };
            // Where nothing of the person is left in it, its first line names the contracts of now too.
            let is_ours = Fingerprint::of(text.as_bytes()) == plan.entry.base;
            let text = if is_ours { &plan.text } else { text };
            let writes = matches!(choice, Choice::Safe | Choice::Contract);
            if writes && self.old.as_ref() != Some(text) {
                self.action = Action::Write(text.clone());
            }
            if choice == Choice::Mine && self.found != Status::Unchanged {
                self.status = Status::Edited;
            }
            let recorded = choice != Choice::Later || self.found == Status::Unchanged;
            if recorded && self.bound.is_none() {
                self.entry = Some(Entry {
                    parts: identified(merge.after(taken), plan).into(),
                    ..plan.entry.clone()
                });
            }
            return;
        }
        let (write, record) = match (self.found, choice) {
            (Status::Unchanged, _) => (false, true),
            (_, Choice::Contract) | (Status::New | Status::Modified, Choice::Safe) => (true, true),
            (_, Choice::Mine) => {
                self.status = Status::Edited;
                (false, true)
            }
            // The base stays what it is; the contracts behind it may have a new version.
            (found, Choice::Safe | Choice::Later) => (false, found == Status::Edited),
        };
        if write {
            self.action = Action::Write(plan.text.clone());
        }
        if record && !self.addition {
            self.entry = Some(plan.entry(self.base.as_ref()));
        }
    }

    /// The parts of a properties file that are not as the contract has them.
    pub fn keys(&self) -> &[Key] {
        self.merge.as_ref().map_or(&[], |merge| &merge.keys)
    }

    /// What becomes of the file, in one word: its status unless the run settles that.
    pub fn word(&self) -> &'static str {
        match (&self.action, self.status) {
            (Action::Leave, _) if self.held.is_some() => HELD,
            (Action::Delete, _) if self.new_place.is_some() => MOVED,
            (Action::Delete, _) => DELETED,
            (Action::Write(_), status) if self.merge.is_some() && self.chosen == Choice::Safe => {
                status.as_str()
            }
            (Action::Write(_), Status::Conflict) if self.old_place.is_some() => REPLACED,
            (Action::Write(_), Status::Edited | Status::Conflict) if self.old.is_none() => RESTORED,
            (Action::Write(_), Status::Edited | Status::Conflict) => REPLACED,
            (Action::Leave | Action::Write(_), status) => status.as_str(),
        }
    }

    /// Whether the contract and the disk differ by more than an accepted edit.
    pub fn differs(&self) -> bool {
        self.action != Action::Leave || !matches!(self.status, Status::Unchanged | Status::Edited)
    }

    /// Whether a person changed or deleted the file, or it was never generated.
    pub fn is_edited(&self) -> bool {
        self.edited
    }

    /// Whether a contract asks for the file.
    pub fn is_planned(&self) -> bool {
        self.plan.is_some()
    }

    /// The contract's side, in the form of the file that is there.
    pub(super) fn planned_text(&self) -> Option<&str> {
        self.plan.as_ref().map(|plan| plan.text.as_str())
    }

    /// Whose side the run takes. A file that is written over nothing takes the contract's.
    pub(super) fn choice(&self) -> Choice {
        match (&self.action, self.chosen) {
            (Action::Write(_), _) => Choice::Contract,
            (_, Choice::Mine) => Choice::Mine,
            _ => Choice::Later,
        }
    }

    /// Whether the file is no longer planned, and stays.
    pub(super) fn is_left_orphan(&self) -> bool {
        self.plan.is_none() && self.action != Action::Delete
    }

    /// Whether the file is a conflict and stays one.
    pub fn is_open_conflict(&self) -> bool {
        let is_open = match &self.merge {
            Some(merge) => match self.chosen {
                Choice::Contract => merge.keys.iter().any(|key| key.blocked),
                Choice::Safe | Choice::Mine | Choice::Later => true,
            },
            None => self.action == Action::Leave,
        };
        self.status == Status::Conflict && is_open
    }

    /// Whether it is such a conflict, and what it is about has to go with the other files of its
    /// contract: what is said of data need not.
    pub(super) fn is_waited_for(&self) -> bool {
        const SAID: &[&str] = &["description", "meta/", "tags/", "tests/"];
        let is_said = |key: &Key| {
            let said = |word: &&str| key.key.split_inclusive('/').any(|step| step == *word);
            SAID.iter().any(said)
        };
        let mut conflicts = self
            .keys()
            .iter()
            .filter(|key| key.status == Status::Conflict);
        self.is_open_conflict()
            && self.bound.is_none()
            && (self.merge.is_none() || !conflicts.all(is_said))
    }

    /// For a file of a person, what the lock says of it after the run.
    pub(super) fn bound_entry(&self) -> Option<Base> {
        let bound = self.bound.as_ref()?;
        let mut after = match (&self.merge, self.chosen) {
            (Some(merge), Choice::Safe) => merge.after(Taken::Safe),
            (Some(merge), Choice::Contract) => merge.after(Taken::Contract),
            (Some(merge), Choice::Mine) => merge.after(Taken::Mine),
            (Some(_), Choice::Later) | (None, _) => bound.base.clone(),
        };
        for (path, contract) in &bound.owners {
            after.own(path, contract);
        }
        if let Some(plan) = &self.plan {
            after = identified(after, plan);
        }
        after.extend(bound.left.clone());
        Some(after)
    }

    /// What the lock says about the file after the run.
    pub(super) fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }
}

/// What was written, with what its columns are known by.
fn identified(mut parts: Base, plan: &Plan) -> Base {
    parts.identify(&plan.identities);
    parts
}
