//! One file: its status, and what each choice does about it.

use super::content::{Digest, Fingerprint, Form};
use super::lock::Entry;
use crate::diagnostics::{Diagnostic, Severity, SourceFile, rules};

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

/// What stands at a path.
pub(super) enum Disk {
    /// Nothing.
    Absent,
    /// A file of these bytes.
    File(Vec<u8>),
    /// Something that is no file to be read or written; the reason completes a sentence that begins
    /// with the path.
    Blocked(String),
}

/// The contract's side of a file.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    text: String,
    entry: Entry,
}

impl Plan {
    /// The planned text as it would be written: with the line endings of the file that is there.
    pub(super) fn new(text: &str, contracts: &[String], disk: &Disk) -> Self {
        let form = match disk {
            Disk::File(bytes) => Form::of(bytes),
            Disk::Absent | Disk::Blocked(_) => Form::default(),
        };
        Self {
            text: form.apply(text),
            entry: Entry::new(text, contracts),
        }
    }

    /// Whether the file on disk has the planned text. Line endings may be mixed.
    fn is_written(&self, disk: &Disk) -> bool {
        let lines = |text: &str| text.replace("\r\n", "\n");
        match disk {
            Disk::File(bytes) => {
                str::from_utf8(bytes).is_ok_and(|text| lines(text) == lines(&self.text))
            }
            Disk::Absent | Disk::Blocked(_) => false,
        }
    }
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
    /// The text on disk, `None` where there is no file. Bytes that are not UTF-8 are replaced.
    pub old: Option<String>,
    /// The exact bytes on disk, as a digest.
    pub seen: Option<Digest>,
    /// `id@version` of each contract that it comes from, sorted.
    pub contracts: Vec<String>,
    found: Status,
    edited: bool,
    blocked: Option<String>,
    plan: Option<Plan>,
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
    pub(super) fn planned(path: &str, plan: Plan, base: Option<&Entry>, disk: &Disk) -> Self {
        let ours = plan.entry.base;
        let recorded = base.map(|entry| entry.base);
        let there = match disk {
            Disk::File(bytes) => Some(Fingerprint::of(bytes)),
            Disk::Absent | Disk::Blocked(_) => None,
        };
        let found = match (recorded, there) {
            _ if matches!(disk, Disk::Blocked(_)) => Status::Conflict,
            (None, None) => Status::New,
            // Only the header names another path.
            (Some(_), Some(there)) if there == ours && !plan.is_written(disk) => Status::Modified,
            (_, Some(there)) if there == ours => Status::Unchanged,
            (Some(recorded), Some(there)) if there == recorded => Status::Modified,
            (Some(recorded), _) if recorded == ours => Status::Edited,
            _ => Status::Conflict,
        };
        let edited = matches!(found, Status::Edited | Status::Conflict);
        let contracts = plan.entry.contracts.clone();
        Self::new(path, found, edited, disk, base, Some(plan)).of(contracts)
    }

    /// The outcome of a person's file that gets something more.
    pub(super) fn addition(path: &str, text: &str, disk: &Disk) -> Self {
        let plan = Plan {
            text: text.to_owned(),
            entry: Entry::new(text, &[]),
        };
        let found = match disk {
            Disk::Absent => Status::New,
            Disk::File(_) => Status::Modified,
            Disk::Blocked(_) => Status::Conflict,
        };
        let mut outcome = Self::new(path, found, false, disk, None, Some(plan));
        outcome.addition = true;
        outcome
    }

    /// The outcome of a file that was generated and is no longer planned; `None` where it is gone
    /// already.
    pub(super) fn orphan(path: &str, base: &Entry, disk: &Disk) -> Option<Self> {
        let edited = match disk {
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
        disk: &Disk,
        base: Option<&Entry>,
        plan: Option<Plan>,
    ) -> Self {
        let (old, seen, blocked) = match disk {
            Disk::Absent => (None, None, None),
            Disk::File(bytes) => (
                Some(String::from_utf8_lossy(bytes).into_owned()),
                Some(Digest::of(bytes)),
                None,
            ),
            Disk::Blocked(reason) => (None, None, Some(reason.clone())),
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

    /// Leaves a file as it is, since one of its contract is in conflict.
    pub(super) fn wait_for(&mut self, conflict: String) {
        let safe = matches!(self.found, Status::New | Status::Modified);
        if safe && self.action != Action::Leave && self.chosen == Choice::Safe {
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
            self.entry = Some(plan.entry.clone());
        }
    }

    /// What becomes of the file, in one word: its status unless the run settles that.
    pub fn word(&self) -> &'static str {
        match (&self.action, self.status) {
            (Action::Leave, _) if self.held.is_some() => HELD,
            (Action::Delete, _) if self.new_place.is_some() => MOVED,
            (Action::Delete, _) => DELETED,
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
        self.status == Status::Conflict && self.action == Action::Leave
    }

    /// What the lock says about the file after the run.
    pub(super) fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }

    /// What people should know, where the file stays and is not as the contract has it.
    pub(super) fn diagnostic(&self) -> Option<Diagnostic> {
        let path = &self.path;
        let deleted = self.old.is_none();
        let (rule, message, help) = match (&self.blocked, self.status) {
            _ if self.action != Action::Leave || self.addition => return None,
            // An orphan that a person took over is nobody's business any more, and one that moves
            // is told of where it moves to.
            (_, Status::Edited) if self.plan.is_none() => return None,
            (_, Status::Orphaned) if self.new_place.is_some() => return None,
            (Some(reason), _) => (
                &rules::MERGE_BLOCKED,
                format!("`{path}` {reason}"),
                "move what stands there, or change `layout` in `contracts/config.yaml`".to_owned(),
            ),
            (None, Status::Edited) => (
                &rules::MERGE_EDITED,
                if deleted {
                    format!("`{path}` was deleted by hand and stays deleted")
                } else {
                    format!("`{path}` was changed by hand and stays as it is")
                },
                "`dbt-contracts diff --force` shows the contract's side, \
                 `dbt-contracts sync --force` takes it"
                    .to_owned(),
            ),
            (None, Status::Conflict) => (
                &rules::MERGE_EDITED,
                match (&self.old_place, &self.base, deleted) {
                    (Some(old), ..) => format!(
                        "`{path}` would stand beside `{old}`, which was changed by hand and is the \
                         same to dbt"
                    ),
                    (_, None, _) => format!(
                        "`{path}` was not generated by dbt-contracts and differs from the contract"
                    ),
                    (_, Some(_), true) => {
                        format!("`{path}` was deleted by hand, and the contract has changed since")
                    }
                    (_, Some(_), false) => {
                        format!("`{path}` was changed by hand, and the contract has changed too")
                    }
                },
                "`dbt-contracts sync --force` takes the contract's side, \
                 `dbt-contracts sync --keep-mine` yours; `dbt-contracts diff --force` shows both"
                    .to_owned(),
            ),
            (None, Status::Orphaned) => (
                &rules::MERGE_ORPHANED,
                format!("`{path}` was generated once, and no contract asks for it any more"),
                if self.edited {
                    "it was changed by hand: delete it yourself, or make it yours with \
                     `dbt-contracts sync --keep-mine`"
                        .to_owned()
                } else {
                    "`dbt-contracts sync --prune` deletes it".to_owned()
                },
            ),
            (None, Status::Unchanged | Status::Modified | Status::New) => (
                &rules::MERGE_HELD,
                format!(
                    "`{path}` waits for `{}`, which is in conflict",
                    self.held.as_ref()?
                ),
                "decide about that file first: the two belong together".to_owned(),
            ),
        };
        let file = SourceFile::new(path.as_str(), self.old.clone().unwrap_or_default());
        let diagnostic = Diagnostic::new(rule, message).in_file(&file).help(help);
        // An edit that the contract does not contradict is at rest; a conflict asks for a decision.
        let diagnostic = match self.status {
            Status::Conflict => diagnostic.severity(Severity::Error),
            _ => diagnostic,
        };
        Some(match self.contracts.as_slice() {
            [contract] => {
                let id = contract
                    .rsplit_once('@')
                    .map_or(contract.as_str(), |(id, _)| id);
                diagnostic.contract(id)
            }
            _ => diagnostic,
        })
    }
}
