//! Finds the documents: the configured places and paths of the command line come in, contracts and
//! products go out, and a word about every other file that was met.
//!
//! [`walk`] lists the files, each once; [`mod@recognise`] says what one of them is.

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
#[derive(Debug)]
pub struct Found<T> {
    /// The outlines of contracts and products, sorted by path, with what was made of each.
    pub documents: Vec<(Arc<Document>, T)>,
    /// What is wrong with files and folders, and which files were left alone.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files were looked at.
    pub files: usize,
}

/// Looks for documents in the places of `config` and in `extra`, files or folders of the command line.
///
/// `visit` sees each document whole, beside the outline that is kept of it, on the thread that read
/// it: thousands of whole trees at once would fill the memory.
pub fn discover<T: Send>(
    project_dir: &Path,
    config: &Config,
    extra: &[PathBuf],
    visit: impl Fn(&Document, &Arc<Document>) -> T + Sync,
) -> Found<T> {
    let walked = walk::walk(project_dir, config, extra);
    let mut found = Found {
        diagnostics: walked.diagnostics,
        files: walked.candidates.len(),
        documents: Vec::new(),
    };
    let look = |candidate| {
        let Recognised {
            document,
            diagnostics,
        } = read(candidate);
        let document = document.map(|whole| {
            let outline = Arc::new(whole.outline());
            let value = visit(&whole, &outline);
            (outline, value)
        });
        (document, diagnostics)
    };
    let looked: Vec<_> = walked.candidates.par_iter().map(look).collect();
    for (document, diagnostics) in looked {
        found.documents.extend(document);
        found.diagnostics.extend(diagnostics);
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
