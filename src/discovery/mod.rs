//! Finds the documents: the configured places and paths of the command line come in, contracts and
//! products go out, and a word about every other file that was met.
//!
//! [`walk`] lists the files, each once; [`mod@recognise`] says what one of them is.

mod recognise;
mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::config::Config;
use crate::diagnostics::rules::{DISCOVERY_IGNORED, DISCOVERY_UNREADABLE};
use crate::diagnostics::{Diagnostic, Rule, SourceFile};
use crate::document::Document;
use crate::file;
use recognise::{Recognised, recognise};
use walk::Candidate;

/// What files will hold in place of what is on disk, by their paths as findings show them.
pub type Texts = BTreeMap<String, Arc<SourceFile>>;

/// What was found.
#[derive(Debug)]
pub struct Found<T> {
    /// The outlines of contracts and products, sorted by path, with what was made of each.
    pub documents: Vec<(Arc<Document>, T)>,
    /// What is wrong with files and folders, and which files were left alone.
    pub diagnostics: Vec<Diagnostic>,
    /// What may hold documents that are missing here.
    pub unread: Vec<Unread>,
    /// How many files were looked at.
    pub files: usize,
}

/// A file or folder that may hold a document, and gave none.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The file.
    pub file: Arc<SourceFile>,
    /// What is wrong with it.
    pub rule: &'static Rule,
}

impl Unread {
    /// What a finding is about, unless that is a file which is nothing of ours.
    fn of(finding: &Diagnostic) -> Option<Self> {
        let place = finding.place.as_ref()?;
        (finding.rule != &DISCOVERY_IGNORED).then(|| Self {
            file: Arc::clone(&place.file),
            rule: finding.rule,
        })
    }
}

/// Looks for documents in the places of `config` and in `extra`, files or folders of the command line.
///
/// `visit` sees each document whole, beside the outline that is kept of it, on the thread that read
/// it: thousands of whole trees at once would fill the memory. A file in `texts` is not read.
pub fn discover<T: Send>(
    project_dir: &Path,
    config: &Config,
    extra: &[PathBuf],
    texts: &Texts,
    visit: impl Fn(&Document, &Arc<Document>) -> T + Sync,
) -> Found<T> {
    let walked = walk::walk(project_dir, config, extra);
    let unreadable = |finding: &&Diagnostic| finding.rule == &DISCOVERY_UNREADABLE;
    let unread = walked.diagnostics.iter().filter(unreadable);
    let mut found = Found {
        unread: unread.filter_map(Unread::of).collect(),
        diagnostics: walked.diagnostics,
        files: walked.candidates.len(),
        documents: Vec::new(),
    };
    let look = |candidate| {
        let Recognised {
            document,
            diagnostics,
        } = read(candidate, texts);
        let document = document.map(|whole| {
            let outline = Arc::new(whole.outline());
            let value = visit(&whole, &outline);
            (outline, value)
        });
        (document, diagnostics)
    };
    let looked: Vec<_> = walked.candidates.par_iter().map(look).collect();
    found.documents.reserve_exact(looked.len());
    for (document, diagnostics) in looked {
        if document.is_none() {
            found.unread.extend(diagnostics.iter().find_map(Unread::of));
        }
        found.documents.extend(document);
        found.diagnostics.extend(diagnostics);
    }
    found
}

/// Reads one file.
fn read(candidate: &Candidate, texts: &Texts) -> Recognised {
    if let Some(file) = texts.get(&candidate.shown) {
        return recognise(file, candidate.expected);
    }
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
