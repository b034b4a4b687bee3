//! The journal of a transaction: what has to happen to which file, so that a run that was cut off
//! can be finished or undone.
//!
//! The journal is first written as *staging*, naming the temporary files before they exist; then,
//! when all of them are complete, as *ready*. A staging journal is undone, a ready one is finished
//! where every file allows it. Files that somebody changed in between are left alone.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{Problem, WriteError};
use crate::merge::{Digest, Root, TOOL_FOLDER};

/// Beginning of the name of every temporary file.
pub(super) const TEMPORARY: &str = ".dbt-contracts-";

/// The change of one file. Names of temporary files stand in the folder of the file itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// The file, symbolic links resolved, relative to the project directory.
    pub(super) path: String,
    /// What stands there before; `None` for nothing.
    pub(super) before: Option<Digest>,
    /// What stands there afterwards; `None` for nothing.
    pub(super) after: Option<Digest>,
    /// Name of the file with the bytes to come.
    pub(super) new: Option<String>,
    /// Name of the file with the bytes that were.
    pub(super) old: Option<String>,
}

/// How far a step has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The file is as it should become.
    Done,
    /// The file is as it was, and can become what it should.
    Ready,
    /// The file is as it was, and what it should become is lost.
    Lost,
    /// The file is neither: somebody else wrote it.
    Foreign,
}

/// Everything that one transaction does.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    version: u32,
    /// All temporary files are complete.
    pub(super) ready: bool,
    /// Folders that the transaction makes, outermost first.
    pub(super) folders: Vec<String>,
    /// The changes in their order.
    pub(super) steps: Vec<Step>,
}

/// What became of a run that was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Whether the run was finished; else it was undone.
    pub finished: bool,
    /// The files of the run that are now as it says.
    pub files: Vec<String>,
    /// Files that somebody changed since, left as they are.
    pub left: Vec<String>,
}

impl fmt::Display for Recovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.finished { "finished" } else { "undid" };
        let count = self.files.len();
        let files = if count == 1 { "file" } else { "files" };
        write!(f, "{verb} an interrupted run ({count} {files})")?;
        if !self.left.is_empty() {
            let left = self.left.join("`, `");
            write!(f, "; changed since and left alone: `{left}`")?;
        }
        Ok(())
    }
}

impl Step {
    fn beside(&self, root: &Root, name: &str) -> PathBuf {
        root.join(&self.path).with_file_name(name)
    }

    /// Path of the file with the bytes to come.
    pub(super) fn new_file(&self, root: &Root) -> Option<PathBuf> {
        self.new.as_deref().map(|name| self.beside(root, name))
    }

    /// Path of the file with the bytes that were.
    pub(super) fn old_file(&self, root: &Root) -> Option<PathBuf> {
        self.old.as_deref().map(|name| self.beside(root, name))
    }

    /// Makes the change.
    pub(super) fn apply(&self, root: &Root) -> Result<(), WriteError> {
        let path = root.join(&self.path);
        match self.new_file(root) {
            Some(new) => fs::rename(new, path).map_err(WriteError::io("write", &self.path)),
            None => fs::remove_file(path).map_err(WriteError::io("delete", &self.path)),
        }
    }

    /// Takes the change back.
    fn undo(&self, root: &Root) -> Result<(), WriteError> {
        let path = root.join(&self.path);
        match self.old_file(root) {
            Some(old) => fs::rename(old, path),
            None => fs::remove_file(path),
        }
        .map_err(WriteError::io("restore", &self.path))
    }

    fn state(&self, root: &Root) -> Result<State, WriteError> {
        let there = digest(&root.join(&self.path)).map_err(WriteError::io("read", &self.path))?;
        if there == self.after {
            return Ok(State::Done);
        }
        if there != self.before {
            return Ok(State::Foreign);
        }
        let new = match self.new_file(root) {
            Some(new) => digest(&new).map_err(WriteError::io("read", &self.path))?,
            None => None,
        };
        Ok(if new == self.after {
            State::Ready
        } else {
            State::Lost
        })
    }

    /// Whether the change can be taken back: the old bytes are there, or there were none.
    fn can_undo(&self, root: &Root) -> bool {
        match self.old_file(root) {
            Some(old) => digest(&old).is_ok_and(|there| there == self.before),
            None => self.before.is_none(),
        }
    }

    /// Whether the step stays inside the project and its temporary files are the tool's own.
    fn check(&self, root: &Root) -> Result<(), String> {
        let target = root
            .locate(&self.path)
            .map_err(|refusal| format!("`{}` {refusal}", self.path))?;
        let own = |name: &Option<String>| {
            name.as_ref()
                .is_none_or(|name| name.starts_with(TEMPORARY) && !name.contains(['/', '\\']))
        };
        if target.relative == self.path && own(&self.new) && own(&self.old) {
            Ok(())
        } else {
            Err(format!(
                "the entry of `{}` is not one that this tool writes",
                self.path
            ))
        }
    }
}

impl Journal {
    /// A journal of these steps, not yet ready.
    pub(super) fn new(folders: Vec<String>, steps: Vec<Step>) -> Self {
        Self {
            version: 1,
            ready: false,
            folders,
            steps,
        }
    }

    /// The path of the journal as shown.
    pub(super) fn shown() -> String {
        format!("{TOOL_FOLDER}/journal.json")
    }

    /// The journal in the project, if a run left one.
    pub(super) fn read(root: &Root) -> Result<Option<Self>, WriteError> {
        let refuse = |reason: String| WriteError::new(Self::shown(), Problem::Journal(reason));
        let target = root
            .locate(&Self::shown())
            .map_err(|refusal| refuse(refusal.to_string()))?;
        let bytes = match fs::read(&target.real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| refuse(error.to_string()))?,
        };
        let journal: Self =
            serde_json::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
        if journal.version != 1 {
            return Err(refuse(format!("unknown version {}", journal.version)));
        }
        for folder in &journal.folders {
            // A file in the folder would have to stand inside the project.
            root.locate(&format!("{folder}/file"))
                .map_err(|refusal| refuse(format!("`{folder}` {refusal}")))?;
        }
        for step in &journal.steps {
            step.check(root).map_err(refuse)?;
        }
        Ok(Some(journal))
    }

    /// Puts the journal on disk, whole or not at all, and waits until it is there.
    pub(super) fn save(&self, root: &Root) -> Result<(), WriteError> {
        let path = root.join(&Self::shown());
        let beside = path.with_extension("json.new");
        let save = || {
            let mut file = File::create(&beside)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.sync_all()?;
            fs::rename(&beside, &path)?;
            sync_folder(&path)
        };
        save().map_err(WriteError::io("write", &Self::shown()))
    }

    /// Brings an interrupted transaction to its end, forwards if every file allows it, else back.
    pub(super) fn recover(&self, root: &Root) -> Result<Recovered, WriteError> {
        let states = self
            .steps
            .iter()
            .map(|step| step.state(root))
            .collect::<Result<Vec<State>, WriteError>>()?;
        if !self.ready || states.contains(&State::Lost) {
            return self.roll_back(root);
        }
        let mut recovered = Recovered {
            finished: true,
            files: Vec::new(),
            left: Vec::new(),
        };
        for (step, state) in self.steps.iter().zip(states) {
            match state {
                State::Ready => step.apply(root)?,
                State::Done => {}
                State::Foreign | State::Lost => {
                    recovered.left.push(step.path.clone());
                    continue;
                }
            }
            recovered.files.push(step.path.clone());
        }
        self.finish(root)?;
        Ok(recovered)
    }

    /// Takes back what was done, the last change first, and removes what the transaction made.
    pub(super) fn roll_back(&self, root: &Root) -> Result<Recovered, WriteError> {
        let mut recovered = Recovered {
            finished: false,
            files: Vec::new(),
            left: Vec::new(),
        };
        for step in self.steps.iter().rev() {
            match step.state(root)? {
                // Before the journal was ready, nothing was changed.
                _ if !self.ready => {}
                State::Done if step.can_undo(root) => step.undo(root)?,
                State::Ready | State::Lost => {}
                State::Done | State::Foreign => {
                    recovered.left.push(step.path.clone());
                    continue;
                }
            }
            recovered.files.push(step.path.clone());
        }
        recovered.files.reverse();
        recovered.left.reverse();
        self.remove_temporary_files(root, Step::new_file)?;
        self.remove_temporary_files(root, Step::old_file)?;
        for folder in self.folders.iter().rev() {
            // Somebody may have put a file there, or removed the folder.
            let _ = fs::remove_dir(root.join(folder));
        }
        Self::remove(root)?;
        Ok(recovered)
    }

    /// Removes what a transaction that is through leaves behind, the journal last.
    pub(super) fn finish(&self, root: &Root) -> Result<(), WriteError> {
        // The old bytes may go only when the new names are on disk for good.
        let replaced = self.steps.iter().filter(|step| step.before.is_some());
        let mut synced = BTreeSet::new();
        for step in replaced {
            let path = root.join(&step.path);
            if path
                .parent()
                .is_some_and(|folder| synced.insert(folder.to_owned()))
            {
                sync_folder(&path).map_err(WriteError::io("write", &step.path))?;
            }
        }
        self.remove_temporary_files(root, Step::old_file)?;
        Self::remove(root)
    }

    fn remove_temporary_files(
        &self,
        root: &Root,
        file: impl Fn(&Step, &Root) -> Option<PathBuf>,
    ) -> Result<(), WriteError> {
        for step in &self.steps {
            if let Some(file) = file(step, root) {
                remove_if_there(&file)
                    .map_err(WriteError::io("remove the temporary file of", &step.path))?;
            }
        }
        Ok(())
    }

    fn remove(root: &Root) -> Result<(), WriteError> {
        let path = root.join(&Self::shown());
        remove_if_there(&path.with_extension("json.new"))
            .and_then(|()| remove_if_there(&path))
            .map_err(WriteError::io("remove", &Self::shown()))
    }
}

/// The digest of the file at `path`, `None` where there is none.
pub(super) fn digest(path: &Path) -> io::Result<Option<Digest>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(Digest::of(&bytes))),
        Err(error) if is_absent(&error) || path.is_dir() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the file at `path`, unless there is none.
pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if is_absent(&error) => Ok(()),
        other => other,
    }
}

/// Whether nothing stands at the path, or a file where its folder would be.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Waits until the names in the folder of `path` are on disk.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent()
        .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Waits until the names in the folder of `path` are on disk: the system does that by itself.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
