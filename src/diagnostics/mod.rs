//! Findings: what is wrong, where, and what to do about it.
//!
//! Every stage returns [`Diagnostic`] values; nothing is printed and nothing stops the run before
//! a command hands the collected findings to one of the renderers ([`human`], [`short`], [`json`],
//! [`github`], [`sarif`]). What can be found is one table, [`rules`]; what a comment allows is in
//! [`allow`].

pub mod allow;
mod fix;
pub mod github;
pub mod human;
pub mod json;
pub mod repository;
mod rule;
pub mod rules;
pub mod sarif;
pub mod short;
mod sink;
mod spelling;

use std::sync::{Arc, OnceLock};

use crate::yaml::{LineIndex, Span};

pub use fix::{Fix, Safety};
pub use rule::Rule;
pub use sink::{Overrides, Sink};
pub use spelling::{closest, unmistakable};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; never changes the exit code.
    Note,
    /// Should be looked at; fails only under `--deny-warnings`.
    Warning,
    /// Makes the run end with exit code 1.
    Error,
}

impl Severity {
    /// The word used in messages and in machine output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A text file that findings point into.
#[derive(Debug)]
pub struct SourceFile {
    /// Path as shown to the user: relative to the project directory, `/` between its parts.
    pub path: String,
    /// The whole text; empty where the file could not be read.
    pub text: String,
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    /// A file of that path and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            path: path.into(),
            text: text.into(),
            lines: OnceLock::new(),
        })
    }

    /// Line and column of a byte offset, both from 1; the column counts characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        self.lines
            .get_or_init(|| LineIndex::new(&self.text))
            .position(&self.text, offset)
    }
}

/// A place in a file, or the file as a whole.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The bytes meant; `None` means the file as a whole.
    pub span: Option<Span>,
}

impl Place {
    /// The bytes of `span` in `file`.
    pub fn new(file: &Arc<SourceFile>, span: Span) -> Self {
        Self {
            file: Arc::clone(file),
            span: Some(span),
        }
    }

    /// A file as a whole.
    pub fn file(file: &Arc<SourceFile>) -> Self {
        Self {
            file: Arc::clone(file),
            span: None,
        }
    }

    /// `path:line:column`, or the path alone for a whole file.
    pub fn display(&self) -> String {
        match self.span {
            Some(span) => {
                let (line, column) = self.file.position(span.start());
                format!("{}:{line}:{column}", self.file.path)
            }
            None => self.file.path.clone(),
        }
    }
}

/// A second place that belongs to a finding, with what it has to do with it.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What the place has to do with the finding.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// Its weight, the rule's default until a [`Sink`] changes it.
    pub severity: Severity,
    /// What is wrong, in one line without a final period.
    pub message: String,
    /// Where; `None` for findings about the run as a whole.
    pub place: Option<Place>,
    /// Further places.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// A change of its file that settles it.
    pub fix: Option<Fix>,
    /// JSON pointer into the document, where it is about a value of one.
    pub pointer: Option<String>,
    /// Id of the contract or product it is about.
    pub contract: Option<String>,
}

impl Diagnostic {
    /// A finding of `rule` with its default severity and no place yet.
    pub fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            message: message.into(),
            place: None,
            labels: Vec::new(),
            help: None,
            fix: None,
            pointer: None,
            contract: None,
        }
    }

    /// The finding at `span` of `file`.
    pub fn at(mut self, file: &Arc<SourceFile>, span: Span) -> Self {
        self.place = Some(Place::new(file, span));
        self
    }

    /// The finding about `file` as a whole.
    pub fn in_file(mut self, file: &Arc<SourceFile>) -> Self {
        self.place = Some(Place::file(file));
        self
    }

    /// Adds a second place.
    pub fn label(mut self, file: &Arc<SourceFile>, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            place: Place::new(file, span),
            text: text.into(),
        });
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The change of its file that settles it, where there is one.
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// The JSON pointer of the value meant.
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// The contract or product meant.
    pub fn contract(mut self, id: impl Into<String>) -> Self {
        self.contract = Some(id.into());
        self
    }

    /// Another weight than the rule's default, as a setting asks.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}
