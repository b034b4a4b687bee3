//! Writing files: all of them or none.
//!
//! In: [`Change`]s, each with the bytes that were seen when it was worked out. [`commit`] takes the
//! project's process lock, checks that nothing has changed since, writes the new texts into
//! temporary files, records in a [`journal`] what is about to happen, renames, and cleans up. Cut
//! off at any point, [`recover`] leads to the old state or to the new one.

mod error;
mod journal;
mod process;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::merge::{Action, Comparison, Digest, LOCK_PATH, Root};
pub use error::{Problem, WriteError};
pub use journal::Recovered;

use journal::{Journal, Step, TEMPORARY};
use process::ProcessLock;

/// How many files wait for the disk at once.
const SYNC_THREADS: usize = 32;

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It holds that text.
    Write {
        /// The text, to the last byte.
        text: String,
    },
    /// It is deleted.
    Delete,
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Path relative to the project directory, `/` between its parts.
    pub path: String,
    /// What becomes of it.
    pub kind: Kind,
    /// The bytes that were there when the change was worked out; `None` where there was no file.
    pub expected: Option<Digest>,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// Files that were written, in the order of the changes.
    pub written: Vec<String>,
    /// Files that were deleted, in the order of the changes.
    pub deleted: Vec<String>,
    /// What became of a run that was cut off before this one.
    pub recovered: Option<Recovered>,
}

/// The changes that a comparison asks for, the lock file last and only where it says something new.
pub fn changes(comparison: &Comparison) -> Vec<Change> {
    let mut changes: Vec<Change> = comparison
        .files
        .iter()
        .filter_map(|outcome| {
            Some(Change {
                path: outcome.path.clone(),
                kind: match &outcome.action {
                    Action::Leave => return None,
                    Action::Write(text) => Kind::Write { text: text.clone() },
                    Action::Delete => Kind::Delete,
                },
                expected: outcome.seen,
            })
        })
        .collect();
    let lock = comparison.lock();
    if let Some(text) = lock.update() {
        changes.push(Change {
            path: LOCK_PATH.to_owned(),
            kind: Kind::Write { text },
            expected: lock.seen(),
        });
    }
    changes
}

/// Makes all changes, in their order, or none. Files that are as wanted already are not touched.
pub fn commit(project_dir: &Path, changes: &[Change]) -> Result<Committed, WriteError> {
    commit_observed(project_dir, changes, &mut |_| Ok(()))
}

/// Finishes or undoes a run that was cut off, if there is one. Commands that write call this before
/// they look at the project.
pub fn recover(project_dir: &Path) -> Result<Option<Recovered>, WriteError> {
    let root = open(project_dir)?;
    if fs::symlink_metadata(root.join(&Journal::shown())).is_err() {
        return Ok(None);
    }
    let _process = ProcessLock::acquire(&root)?;
    recover_locked(&root)
}

fn recover_locked(root: &Root) -> Result<Option<Recovered>, WriteError> {
    Journal::read(root)?
        .map(|journal| journal.recover(root))
        .transpose()
}

fn open(project_dir: &Path) -> Result<Root, WriteError> {
    Root::open(project_dir).map_err(WriteError::io("open", "."))
}

/// A point that a transaction has reached; where tests cut it off or make it fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// The journal names all temporary files.
    Begun,
    /// The temporary files of one change are complete.
    Staged,
    /// The journal is complete.
    Ready,
    /// One change is made.
    Applied,
    /// Everything is cleaned up.
    Finished,
}

/// Is told of every moment; an error makes the transaction fail there.
type Observer<'a> = &'a mut dyn FnMut(Moment) -> io::Result<()>;

/// A change that is needed and possible.
struct Prepared<'a> {
    change: &'a Change,
    real: PathBuf,
    relative: String,
    /// Bytes and permissions of the file that is there.
    old: Option<(Vec<u8>, Permissions)>,
}

fn commit_observed(
    project_dir: &Path,
    changes: &[Change],
    observe: Observer<'_>,
) -> Result<Committed, WriteError> {
    if changes.is_empty() {
        return Ok(Committed::default());
    }
    let root = open(project_dir)?;
    let _process = ProcessLock::acquire(&root)?;
    let recovered = recover_locked(&root)?;
    let prepared = changes
        .iter()
        .filter_map(|change| prepare(&root, change).transpose())
        .collect::<Result<Vec<Prepared<'_>>, WriteError>>()?;
    refuse_twice(&prepared)?;
    if !prepared.is_empty() {
        transact(&root, &prepared, observe)?;
    }
    let paths = |write: bool| {
        prepared
            .iter()
            .filter(|prepared| matches!(prepared.change.kind, Kind::Write { .. }) == write)
            .map(|prepared| prepared.change.path.clone())
            .collect()
    };
    Ok(Committed {
        written: paths(true),
        deleted: paths(false),
        recovered,
    })
}

/// Checks one change; `None` where the file is as wanted already.
fn prepare<'a>(root: &Root, change: &'a Change) -> Result<Option<Prepared<'a>>, WriteError> {
    let failed = |problem| WriteError::new(change.path.as_str(), problem);
    let target = root
        .locate(&change.path)
        .map_err(|refusal| failed(Problem::Refused(refusal)))?;
    let old = if target.exists {
        let read = || {
            Ok((
                fs::read(&target.real)?,
                fs::metadata(&target.real)?.permissions(),
            ))
        };
        Some(read().map_err(WriteError::io("read", &change.path))?)
    } else {
        None
    };
    let is_wanted = match (&change.kind, &old) {
        (Kind::Write { text }, Some((bytes, _))) => text.as_bytes() == bytes,
        (Kind::Delete, old) => old.is_none(),
        (Kind::Write { .. }, None) => false,
    };
    if is_wanted {
        return Ok(None);
    }
    if old.as_ref().map(|(bytes, _)| Digest::of(bytes)) != change.expected {
        return Err(failed(Problem::Changed));
    }
    if old
        .as_ref()
        .is_some_and(|(_, permissions)| permissions.readonly())
    {
        return Err(failed(Problem::ReadOnly));
    }
    Ok(Some(Prepared {
        change,
        real: target.real,
        relative: target.relative,
        old,
    }))
}

/// Two paths may lead to one file through symbolic links.
fn refuse_twice(prepared: &[Prepared<'_>]) -> Result<(), WriteError> {
    let mut seen = BTreeSet::new();
    match prepared
        .iter()
        .find(|prepared| !seen.insert(&prepared.real))
    {
        Some(twice) => Err(WriteError::new(twice.change.path.as_str(), Problem::Twice)),
        None => Ok(()),
    }
}

/// The transaction itself. When it fails, what was done is taken back.
fn transact(
    root: &Root,
    prepared: &[Prepared<'_>],
    observe: Observer<'_>,
) -> Result<(), WriteError> {
    let mut journal = Journal::new(missing_folders(root, prepared), steps(prepared));
    if let Err(mut error) = apply(root, prepared, &mut journal, observe) {
        error.unfinished = journal.roll_back(root).is_err();
        return Err(error);
    }
    // All files are new. What cannot be cleaned up now, the next run cleans up.
    if journal.finish(root).is_ok() {
        let _ = observe(Moment::Finished);
        remove_emptied_folders(root, &journal);
    }
    Ok(())
}

fn steps(prepared: &[Prepared<'_>]) -> Vec<Step> {
    prepared
        .iter()
        .enumerate()
        .map(|(index, prepared)| {
            let text = match &prepared.change.kind {
                Kind::Write { text } => Some(text),
                Kind::Delete => None,
            };
            Step {
                path: prepared.relative.clone(),
                before: prepared.old.as_ref().map(|(bytes, _)| Digest::of(bytes)),
                after: text.map(|text| Digest::of(text.as_bytes())),
                new: text.map(|_| format!("{TEMPORARY}{index}.new")),
                old: prepared
                    .old
                    .as_ref()
                    .map(|_| format!("{TEMPORARY}{index}.old")),
            }
        })
        .collect()
}

/// Folders that have to be made, outermost first.
fn missing_folders(root: &Root, prepared: &[Prepared<'_>]) -> Vec<String> {
    let mut missing = BTreeSet::new();
    for Prepared { relative, .. } in prepared {
        let folders = relative.match_indices('/').map(|(end, _)| &relative[..end]);
        missing.extend(
            folders
                .filter(|folder| !root.join(folder).exists())
                .map(str::to_owned),
        );
    }
    missing.into_iter().collect()
}

fn apply(
    root: &Root,
    prepared: &[Prepared<'_>],
    journal: &mut Journal,
    observe: Observer<'_>,
) -> Result<(), WriteError> {
    let shown = Journal::shown();
    let reached = |observe: &mut dyn FnMut(Moment) -> io::Result<()>, moment, path: &str| {
        observe(moment).map_err(WriteError::io("write", path))
    };
    journal.save(root)?;
    reached(observe, Moment::Begun, &shown)?;
    for folder in &journal.folders {
        fs::create_dir(root.join(folder)).map_err(WriteError::io("create the folder", folder))?;
    }
    for (step, prepared) in journal.steps.iter().zip(prepared) {
        stage(root, step, prepared).map_err(WriteError::io("write", &prepared.change.path))?;
        reached(observe, Moment::Staged, &prepared.change.path)?;
    }
    sync_staged(root, &journal.steps)?;
    journal.ready = true;
    journal.save(root)?;
    reached(observe, Moment::Ready, &shown)?;
    for (step, Prepared { change, real, .. }) in journal.steps.iter().zip(prepared) {
        let there = journal::digest(real).map_err(WriteError::io("read", &change.path))?;
        if there != step.before {
            return Err(WriteError::new(change.path.as_str(), Problem::Changed));
        }
        step.apply(root)?;
        reached(observe, Moment::Applied, &change.path)?;
    }
    Ok(())
}

/// Makes the temporary files of one change.
fn stage(root: &Root, step: &Step, prepared: &Prepared<'_>) -> io::Result<()> {
    let permissions = prepared.old.as_ref().map(|(_, permissions)| permissions);
    if let (Some(path), Kind::Write { text }) = (step.new_file(root), &prepared.change.kind) {
        create(&path, text.as_bytes(), permissions)?;
    }
    if let (Some(path), Some((bytes, permissions))) = (step.old_file(root), &prepared.old) {
        journal::remove_if_there(&path)?;
        // A second name for the old file keeps its times too; not every file system has them.
        if fs::hard_link(&prepared.real, &path).is_err() {
            create(&path, bytes, Some(permissions))?;
        }
    }
    Ok(())
}

/// Waits until the bytes that will take the place of others are on disk, so that they do not get
/// lost with the power. What is new can be generated again. The waits overlap: a file system
/// serves many together in about the time of one.
fn sync_staged(root: &Root, steps: &[Step]) -> Result<(), WriteError> {
    let replacing: Vec<&Step> = steps.iter().filter(|step| step.before.is_some()).collect();
    let sync = |steps: &[&Step]| {
        steps.iter().try_for_each(|step| {
            step.new_file(root)
                .map_or(Ok(()), |path| {
                    OpenOptions::new().write(true).open(path)?.sync_data()
                })
                .map_err(WriteError::io("write", &step.path))
        })
    };
    std::thread::scope(|scope| {
        let share = replacing.len().div_ceil(SYNC_THREADS).max(1);
        let threads: Vec<_> = replacing
            .chunks(share)
            .map(|steps| scope.spawn(move || sync(steps)))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// The one place where a file is created: a temporary one, in place of any that a crash left.
fn create(path: &Path, bytes: &[u8], permissions: Option<&Permissions>) -> io::Result<()> {
    journal::remove_if_there(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions.clone())?;
    }
    Ok(())
}

/// Removes folders that deleted files leave empty, except those at the top of the project.
fn remove_emptied_folders(root: &Root, journal: &Journal) {
    for step in journal.steps.iter().filter(|step| step.after.is_none()) {
        let folders = step
            .path
            .rmatch_indices('/')
            .map(|(end, _)| &step.path[..end]);
        for folder in folders.filter(|folder| folder.contains('/')) {
            if fs::remove_dir(root.join(folder)).is_err() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests;
