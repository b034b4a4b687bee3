//! What a command prints. For people: results to stdout, findings to stderr. In the other formats
//! stdout has it all: a line for each finding, or one document of JSON or SARIF and nothing else.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::cli::{Color, Format, Global};
use crate::diagnostics::repository::Repository;
use crate::diagnostics::{Diagnostic, Severity, github, human, json as machine, sarif, short};

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

    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Failed => 2,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
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
    /// In which form.
    pub format: Format,
    /// Where the project stands in its repository, for the formats of code hosts.
    pub repository: Repository,
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
            repository: Repository::default(),
            color,
            quiet: global.quiet,
            verbose: global.verbose,
        }
    }

    /// A reporter in that format, without any other option.
    pub fn bare(command: &'static str, format: Format) -> Self {
        Self {
            command,
            format,
            repository: Repository::default(),
            color: false,
            quiet: false,
            verbose: false,
        }
    }

    /// Whether results for people on stdout have colours.
    pub fn color_output(&self) -> bool {
        self.color && std::io::stdout().is_terminal()
    }

    /// Prints findings as text. In JSON and SARIF they are part of the one document instead.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        let least = match (self.quiet, self.verbose) {
            (true, _) => Severity::Error,
            (false, true) => Severity::Note,
            (false, false) => Severity::Warning,
        };
        let color = self.color_output();
        let render = |finding: &Diagnostic| match self.format {
            Format::Human => human::render(finding, self.color) + "\n\n",
            Format::Short => short::render(finding, color) + "\n",
            Format::Github => github::render(finding, &self.repository) + "\n",
            Format::Json | Format::Sarif | Format::Markdown => String::new(),
        };
        let text: String = diagnostics
            .iter()
            .filter(|finding| finding.severity >= least)
            .map(render)
            .collect();
        if self.format == Format::Human {
            error_output(&text);
        } else {
            output(&text);
        }
    }

    /// Prints a line of a result in text.
    pub fn line(&self, line: &str) {
        if self.format.is_text() {
            output(&format!("{line}\n"));
        }
    }

    /// Prints the last word on findings. Where they are on stdout, line by line, it is not.
    pub fn conclusion(&self, line: &str) {
        match self.format {
            Format::Human => self.line(line),
            _ => self.progress(line),
        }
    }

    /// Prints something on the way, for people, on stderr.
    pub fn progress(&self, line: &str) {
        if self.format.is_text() && !self.quiet {
            error_output(&format!("{line}\n"));
        }
    }

    /// Prints the one document of JSON, `fields` after the command and before the findings, or of
    /// SARIF, which has no place for `fields`. In text nothing is left to print.
    pub fn document(&self, ok: bool, fields: Value, diagnostics: &[Diagnostic]) {
        self.finished(Exit::findings(!ok), fields, diagnostics);
    }

    /// The same for a run that could also end with a result and yet without an answer.
    pub fn finished(&self, exit: Exit, fields: Value, diagnostics: &[Diagnostic]) {
        match self.format {
            Format::Json => {
                let mut document = Map::new();
                document.insert("command".to_owned(), json!(self.command));
                document.insert("ok".to_owned(), json!(exit == Exit::Fine));
                if let Value::Object(fields) = fields {
                    document.extend(fields);
                }
                document.insert("diagnostics".to_owned(), machine::diagnostics(diagnostics));
                print(&Value::Object(document));
            }
            Format::Sarif => {
                let run = sarif::Run {
                    exit_code: exit.code(),
                    failure: None,
                };
                print(&sarif::log(diagnostics, run, &self.repository));
            }
            Format::Human | Format::Short | Format::Github | Format::Markdown => {}
        }
    }

    /// Prints why a command could not run.
    pub fn failure(&self, failure: &Failure) {
        self.diagnostics(&failure.diagnostics);
        let words = || error_output(&format!("error: {}\n", failure.message));
        match self.format {
            Format::Human | Format::Short | Format::Markdown => words(),
            Format::Github => {
                let title = [("title", failure.code.to_owned())];
                let command = github::command(Severity::Error, &title, &failure.message);
                output(&format!("{command}\n"));
            }
            Format::Json => {
                let place = failure
                    .diagnostics
                    .first()
                    .and_then(|first| first.place.as_ref());
                let line = place.and_then(|place| Some(place.file.position(place.span?.start()).0));
                self.document(
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
            Format::Sarif => {
                // The log is mostly sent to a file that nobody looks at.
                words();
                let run = sarif::Run {
                    exit_code: Exit::Failed.code(),
                    failure: Some((failure.code, &failure.message)),
                };
                print(&sarif::log(&failure.diagnostics, run, &self.repository));
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
            summary = format!("{summary}, {}", self.hidden(notes));
        }
        summary
    }

    /// `2 notes (-v shows them)`.
    pub fn hidden(&self, notes: usize) -> String {
        let hint = match (self.verbose, notes) {
            (true, _) => "",
            (false, 1) => " (-v shows it)",
            (false, _) => " (-v shows them)",
        };
        format!("{}{hint}", plural(notes, "note"))
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

/// Prints a JSON value.
fn print(document: &Value) {
    output(&format!("{document:#}\n"));
}

/// Why stdout took no more, if it did.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes to stdout. A reader that went away is no failure of ours; a full disk is.
pub fn output(text: &str) {
    output_bytes(text.as_bytes());
}

/// Writes to stdout what may be no UTF-8.
pub fn output_bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST.get_or_init(|| error.to_string());
    }
}

/// Why a part of the result did not reach stdout, if it did not.
pub fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// Writes to stderr.
pub fn error_output(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
