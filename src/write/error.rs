//! Why files could not be written.

use std::fmt;
use std::io;

use crate::merge::Refusal;

/// A failed write. Unless [`WriteError::unfinished`] is set, nothing has changed on disk.
#[derive(Debug)]
pub struct WriteError {
    /// The file that it is about, relative to the project directory.
    pub path: String,
    /// What went wrong.
    pub problem: Problem,
    /// Some files are new and some old: the next writing command finishes or undoes the rest.
    pub unfinished: bool,
}

/// What went wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// Nothing may be written at the path.
    Refused(Refusal),
    /// The file is not as it was when the change was worked out.
    Changed,
    /// The file is write-protected.
    ReadOnly,
    /// Two changes want the same file.
    Twice,
    /// Another process is writing; its id, where it could be read.
    Busy(Option<u32>),
    /// The journal of an interrupted run cannot be read.
    Journal(String),
    /// The operating system refused; the first part is what was tried.
    Io(&'static str, io::Error),
}

impl WriteError {
    pub(super) fn new(path: impl Into<String>, problem: Problem) -> Self {
        Self {
            path: path.into(),
            problem,
            unfinished: false,
        }
    }

    /// For `map_err`: the operating system refused to `verb` the file at `path`.
    pub(super) fn io(verb: &'static str, path: &str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(path, Problem::Io(verb, error))
    }

    /// The code in machine output.
    pub const fn code(&self) -> &'static str {
        match self.problem {
            Problem::Refused(_) | Problem::Twice => "write/refused",
            Problem::Changed => "write/changed",
            Problem::Busy(_) => "write/busy",
            Problem::Journal(_) => "write/journal",
            Problem::ReadOnly | Problem::Io(..) => "write/io",
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.problem {
            Problem::Refused(refusal) => write!(f, "`{path}` {refusal}")?,
            Problem::Changed => write!(
                f,
                "`{path}` was changed by somebody else during the run; run the command again"
            )?,
            Problem::ReadOnly => write!(
                f,
                "cannot write `{path}`: the file is read-only; make it writable first"
            )?,
            Problem::Twice => write!(f, "`{path}` would be written twice in one run")?,
            Problem::Busy(Some(process)) => write!(
                f,
                "another dbt-contracts (process {process}) is writing to this project and holds \
                 `{path}`; wait until it has ended"
            )?,
            Problem::Busy(None) => write!(
                f,
                "another dbt-contracts is writing to this project and holds `{path}`; wait until \
                 it has ended"
            )?,
            Problem::Journal(reason) => write!(
                f,
                "`{path}`, the journal of an interrupted run, cannot be used: {reason}; compare \
                 the project with its last commit, then remove the journal"
            )?,
            Problem::Io(verb, error) => write!(f, "cannot {verb} `{path}`: {error}")?,
        }
        if self.unfinished {
            f.write_str(
                "; some files are already written, and the next run finishes or undoes it",
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(_, error) => Some(error),
            _ => None,
        }
    }
}
