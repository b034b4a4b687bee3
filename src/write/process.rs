//! One writing process at a time: a locked file in the tool's folder, there only while it is held.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::error::{Problem, WriteError};
use crate::merge::{Root, TOOL_FOLDER};

/// How often a file that vanished between opening and locking is tried again.
const ATTEMPTS: usize = 100;

/// The exclusive right to write in a project. The operating system gives it back when the process
/// ends, however it ends, so the file of a dead process stops nobody.
#[derive(Debug)]
pub(super) struct ProcessLock {
    _file: File,
    path: PathBuf,
    _created: Created,
}

/// Folders that were made for the lock, outermost first; removed where they are empty again.
#[derive(Debug, Default)]
struct Created(Vec<PathBuf>);

impl Drop for Created {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl ProcessLock {
    /// Takes the lock, or says who has it.
    pub(super) fn acquire(root: &Root) -> Result<Self, WriteError> {
        let shown = format!("{TOOL_FOLDER}/process.lock");
        let target = root
            .locate(&shown)
            .map_err(|refusal| WriteError::new(shown.as_str(), Problem::Refused(refusal)))?;
        let mut created = Created::default();
        for _ in 0..ATTEMPTS {
            create_folders(&target.real, &mut created.0)
                .map_err(WriteError::io("create the folder of", &shown))?;
            let mut file = match open(&target.real) {
                // The last holder has just removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(WriteError::io("open", &shown))?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(WriteError::new(shown, Problem::Busy(process_id(&mut file))));
                }
                Err(TryLockError::Error(error)) => {
                    return Err(WriteError::io("lock", &shown)(error));
                }
            }
            // The last holder may have removed the file that was opened here: another process
            // would then lock a new file of the same name.
            if !is_at(&file, &target.real) {
                continue;
            }
            file.set_len(0)
                .and_then(|()| writeln!(file, "{}", std::process::id()))
                .map_err(WriteError::io("write", &shown))?;
            return Ok(Self {
                _file: file,
                path: target.real,
                _created: created,
            });
        }
        Err(WriteError::new(shown, Problem::Busy(None)))
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        // A file that stays locks nobody out, so failures do not matter. A folder that still holds
        // a journal is not empty and stays.
        let _ = fs::remove_file(&self.path);
        if let Some(folder) = self.path.parent() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Creates the folders above `path`, outermost first, and adds those that were missing to `created`.
fn create_folders(path: &Path, created: &mut Vec<PathBuf>) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.exists())
        .collect();
    for folder in missing.into_iter().rev() {
        match fs::create_dir(folder) {
            Ok(()) => created.push(folder.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Made a moment ago and removed by the process that ended.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The id that the holder of the lock wrote into it.
fn process_id(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Whether the open file is still the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(there)) => identity(open) == identity(there),
        _ => false,
    }
}

/// Whether the open file is still the one at `path`: an open file keeps its name here.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
