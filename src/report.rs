//! What a command prints: results to stdout, findings to stderr, or one JSON document to stdout.

use std::io::{IsTerminal, Write};

use serde_json::{Map, Value, json};

use crate::cli::{Color, Format, Global};
use crate::diagnostics::{Diagnostic, Severity, human};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to complain about.
    Fine,
    /// Findings, differences or conflicts.
    Findings,
    /// It could not run.
    Failed,
}

impl Exit {
    /// `Findings` if so, else `Fine`.
    pub fn findings(found: bool) -> Self {
        if found { Self::Findings } else { Self::Fine }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
        })
    }
}

/// Why a command could not run at all.
#[derive(Debug)]
pub struct Failure {
    /// Stable word for programs: `usage`, `config`, `io`, `selection`, `nothing-found`.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// Findings that say more, such as those about the configuration.
    pub diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// A failure without findings.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }
}

/// Prints in the format asked for.
#[derive(Debug)]
pub struct Reporter {
    /// The command, as programs are told.
    pub command: &'static str,
    /// Text or JSON.
    pub format: Format,
    color: bool,
    quiet: bool,
    /// Whether notes are printed.
    pub verbose: bool,
}

impl Reporter {
    /// A reporter for `command` under the global options.
    pub fn new(command: &'static str, global: &Global) -> Self {
        let color = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stderr().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
            }
        };
        Self {
            command,
            format: global.format,
            color,
            quiet: global.quiet,
            verbose: global.verbose,
        }
    }

    /// A reporter that prints one JSON document, whatever the format asked for.
    pub fn programs(command: &'static str) -> Self {
        Self {
            command,
            format: Format::Json,
            color: false,
            quiet: false,
            verbose: false,
        }
    }

    /// Whether results for people on stdout have colours.
    pub fn color_output(&self) -> bool {
        self.color && std::io::stdout().is_terminal()
    }

    /// Prints findings for people. In JSON they are part of the one document instead.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        if self.format == Format::Json {
            return;
        }
        let least = match (self.quiet, self.verbose) {
            (true, _) => Severity::Error,
            (false, true) => Severity::Note,
            (false, false) => Severity::Warning,
        };
        let mut text = String::new();
        for diagnostic in diagnostics
            .iter()
            .filter(|finding| finding.severity >= least)
        {
            text.push_str(&human::render(diagnostic, self.color));
            text.push_str("\n\n");
        }
        error_output(&text);
    }

    /// Prints a line of the result for people.
    pub fn line(&self, line: &str) {
        if self.format == Format::Human {
            output(&format!("{line}\n"));
        }
    }

    /// Prints something on the way, for people, on stderr.
    pub fn progress(&self, line: &str) {
        if self.format == Format::Human && !self.quiet {
            error_output(&format!("{line}\n"));
        }
    }

    /// Prints the one JSON document: `fields` after the command, before the findings.
    pub fn json(&self, ok: bool, fields: Value, diagnostics: &[Diagnostic]) {
        if self.format != Format::Json {
            return;
        }
        let mut document = Map::new();
        document.insert("command".to_owned(), json!(self.command));
        document.insert("ok".to_owned(), json!(ok));
        if let Value::Object(fields) = fields {
            document.extend(fields);
        }
        document.insert(
            "diagnostics".to_owned(),
            crate::diagnostics::json::diagnostics(diagnostics),
        );
        output(&format!("{:#}\n", Value::Object(document)));
    }

    /// Prints why a command could not run.
    pub fn failure(&self, failure: &Failure) {
        match self.format {
            Format::Human => {
                self.diagnostics(&failure.diagnostics);
                error_output(&format!("error: {}\n", failure.message));
            }
            Format::Json => {
                let place = failure
                    .diagnostics
                    .first()
                    .and_then(|first| first.place.as_ref());
                let line = place.and_then(|place| Some(place.file.position(place.span?.start).0));
                self.json(
                    false,
                    json!({"error": {
                        "code": failure.code,
                        "message": failure.message,
                        "path": place.map(|place| place.file.path.as_str()),
                        "line": line,
                    }}),
                    &failure.diagnostics,
                );
            }
        }
    }

    /// `2 errors, 1 warning`, with the notes that are not shown.
    pub fn summary(&self, diagnostics: &[Diagnostic]) -> String {
        let count = |severity| {
            diagnostics
                .iter()
                .filter(|finding| finding.severity == severity)
                .count()
        };
        let (errors, warnings, notes) = (
            count(Severity::Error),
            count(Severity::Warning),
            count(Severity::Note),
        );
        let mut summary = format!(
            "{}, {}",
            plural(errors, "error"),
            plural(warnings, "warning")
        );
        if notes > 0 {
            let hint = if self.verbose { "" } else { " (-v shows them)" };
            summary = format!("{summary}, {}{hint}", plural(notes, "note"));
        }
        summary
    }
}

/// `1 error`, `2 errors`.
pub fn plural(count: usize, word: &str) -> String {
    if count == 1 {
        format!("1 {word}")
    } else {
        format!("{count} {word}s")
    }
}

/// Writes to stdout. A reader that went away is no failure of ours.
pub fn output(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Writes to stderr.
pub fn error_output(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
