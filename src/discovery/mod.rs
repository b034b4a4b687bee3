//! Finds the documents: the configured places and paths of the command line come in, contracts and
//! products go out, and a word about every other file that was met.
//!
//! [`walk`] lists the files, each once; [`recognise`] says what one of them is.

mod recognise;
mod walk;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::config::Config;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::rules::DISCOVERY_IGNORED;
use crate::document::Document;
use crate::file;
use recognise::{Recognised, recognise};
use walk::Candidate;

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Contracts and products, sorted by path.
    pub documents: Vec<Arc<Document>>,
    /// What is wrong with files and folders, and which files were left alone.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files were looked at.
    pub files: usize,
}

/// Looks for documents in the places of `config` and in `extra`, files or folders of the command line.
pub fn discover(project_dir: &Path, config: &Config, extra: &[PathBuf]) -> Found {
    let walked = walk::walk(project_dir, config, extra);
    let mut found = Found {
        diagnostics: walked.diagnostics,
        files: walked.candidates.len(),
        documents: Vec::new(),
    };
    let read: Vec<Recognised> = walked.candidates.par_iter().map(read).collect();
    for file in read {
        found.documents.extend(file.document.map(Arc::new));
        found.diagnostics.extend(file.diagnostics);
    }
    found
}

/// Reads one file.
fn read(candidate: &Candidate) -> Recognised {
    match file::read(&candidate.path, &candidate.shown) {
        Ok(file) => recognise(&file, candidate.expected),
        // Beside contracts, a file without extension may be anything.
        Err(refused) if refused.not_text && !candidate.expected => {
            let finding = Diagnostic::new(&DISCOVERY_IGNORED, refused.finding.message);
            Recognised::nothing(Diagnostic {
                place: refused.finding.place,
                ..finding
            })
        }
        Err(refused) => Recognised::nothing(refused.finding),
    }
}

#[cfg(test)]
mod tests;
