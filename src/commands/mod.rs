//! One thin file for each command: arguments -> pipeline -> report.

mod completions;
mod diff;
mod drift;
mod explain;
mod generate;
mod import;
mod init;
mod kept;
mod lineage;
mod man;
mod mapped;
mod pipeline;
mod schema;
mod sync;
mod templates;
mod validate;
mod whole;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Parser, ValueEnum};

use crate::cli::{Cli, Command, Format, Global, LineageForm};
use crate::diagnostics::repository::Repository;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::discovery::Texts;
use crate::report::{self, Exit, Failure, Reporter, error_output, output};
use crate::select;
use crate::status::Status;
use crate::workspace::{self, Options, Workspace};

/// What every command has at hand.
pub(crate) struct Context {
    /// The dbt project.
    pub(crate) project_dir: PathBuf,
    /// Where the process was started; paths on the command line are relative to it.
    pub(crate) start: PathBuf,
    /// The configuration file asked for.
    pub(crate) config: Option<PathBuf>,
    /// What prints.
    pub(crate) reporter: Reporter,
}

/// Runs the program on its arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &arguments),
    };
    let mut reporter = Reporter::new(cli.command.name(), &cli.global);
    let is_json =
        matches!(&cli.command, Command::Lineage(lineage) if lineage.form == LineageForm::Json);
    if is_json && reporter.format == Format::Human {
        reporter.format = Format::Json;
    }
    let places = takes_format(&cli.command, cli.global.format).and_then(|()| places(&cli.global));
    let (start, project_dir) = match places {
        Ok(places) => places,
        Err(failure) => {
            reporter.failure(&failure);
            return Exit::Failed;
        }
    };
    reporter.repository = Repository::around(&project_dir);
    let context = Context {
        config: cli.global.config.map(|config| start.join(config)),
        project_dir,
        start,
        reporter,
    };
    let exit = dispatch(&context, &cli.command).unwrap_or_else(|failure| {
        context.reporter.failure(&failure);
        Exit::Failed
    });
    if let Some(reason) = report::lost() {
        error_output(&format!("error: cannot write the result: {reason}\n"));
        return Exit::Failed;
    }
    exit
}

/// Refuses a format that the command does not have, rather than ignore it.
fn takes_format(command: &Command, format: Format) -> Result<(), Failure> {
    let formats = command.formats();
    if formats.contains(&format) {
        return Ok(());
    }
    let known: Vec<String> = formats
        .iter()
        .map(|format| format!("`{}`", format.as_str()))
        .collect();
    let message = format!(
        "`{}` has no format `{}`, only {}",
        command.name(),
        format.as_str(),
        known.join(" and ")
    );
    Err(Failure::new("usage", message))
}

/// Where the process was started, and the project that the command works on.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks where the process was started"
)]
fn places(global: &Global) -> Result<(PathBuf, PathBuf), Failure> {
    let start = std::env::current_dir().map_err(|error| {
        let message = format!("the current directory cannot be used: {error}");
        Failure::new("io", message)
    })?;
    let project_dir = workspace::project_dir(global.project_dir.as_deref(), &start);
    if !project_dir.is_dir() {
        let given = global.project_dir.as_ref().unwrap_or(&project_dir);
        let problem = if project_dir.exists() {
            "is not a folder"
        } else {
            "is not there"
        };
        let message = format!("the project directory `{}` {problem}", given.display());
        return Err(Failure::new("usage", message));
    }
    Ok((start, project_dir))
}

/// Runs one command.
fn dispatch(context: &Context, command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Init(arguments) => init::run(context, arguments),
        Command::Validate(arguments) => validate::run(context, arguments),
        Command::Lineage(arguments) => lineage::run(context, arguments),
        Command::Generate(arguments) => generate::run(context, arguments),
        Command::Diff(arguments) => diff::run(context, arguments),
        Command::Sync(arguments) => sync::run(context, arguments),
        Command::Import(arguments) => import::run(context, arguments),
        Command::Drift(arguments) => drift::run(context, arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Explain(arguments) => explain::run(context, arguments),
        Command::Completions(arguments) => Ok(completions::run(arguments)),
        Command::Man(arguments) => man::run(arguments),
    }
}

/// Prints help, the version, or what is wrong with the arguments; the last in the format asked for.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Exit {
    let text = error.render().to_string();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        output(&text);
        return Exit::Fine;
    }
    match format_of(arguments) {
        Some(format) if format != Format::Human => {
            let message = text.strip_prefix("error: ").unwrap_or(&text).trim();
            Reporter::bare(env!("CARGO_PKG_NAME"), format).failure(&Failure::new("usage", message));
        }
        _ => error_output(&text),
    }
    Exit::Failed
}

/// The format that arguments ask for which could not be read as a whole.
fn format_of(arguments: &[OsString]) -> Option<Format> {
    let words: Vec<&str> = arguments
        .iter()
        .map_while(|word| word.to_str().filter(|word| *word != "--"))
        .collect();
    words.iter().enumerate().rev().find_map(|(index, word)| {
        let rest = word
            .strip_prefix("--format")
            .or_else(|| word.strip_prefix("--as"))?;
        let value = match rest {
            "" => words.get(index + 1)?,
            value => value.strip_prefix('=')?,
        };
        Format::from_str(value, false).ok()
    })
}

impl Context {
    /// Loads the workspace, and fails where there is nothing to work on.
    pub(crate) fn load(
        &self,
        extra: Vec<PathBuf>,
        min_status: Option<Status>,
    ) -> Result<Workspace, Failure> {
        self.load_with(Options {
            extra,
            min_status,
            objects: true,
            ..Options::default()
        })
    }

    /// Loads the workspace as it is once documents hold `texts`, to see what is found in it.
    pub(crate) fn judge(
        &self,
        extra: Vec<PathBuf>,
        min_status: Option<Status>,
        texts: Texts,
    ) -> Result<Workspace, Failure> {
        self.load_with(Options {
            extra,
            min_status,
            texts,
            ..Options::default()
        })
    }

    /// The errors that documents have once they hold `texts`, and do not have now: the path and message
    /// of each.
    pub(crate) fn new_errors(&self, texts: Texts) -> Result<Vec<(String, String)>, Failure> {
        let errors = |workspace: &Workspace| -> BTreeSet<(String, String)> {
            let errors = workspace.sink.diagnostics().iter();
            let errors = errors.filter(|finding| finding.severity == Severity::Error);
            let path = |finding: &Diagnostic| Some(finding.place.as_ref()?.file.path.clone());
            errors
                .map(|finding| (path(finding).unwrap_or_default(), finding.message.clone()))
                .collect()
        };
        let before = errors(&self.judge(Vec::new(), None, Texts::new())?);
        let after = errors(&self.judge(Vec::new(), None, texts)?);
        Ok(after.difference(&before).cloned().collect())
    }

    fn load_with(&self, options: Options) -> Result<Workspace, Failure> {
        let options = Options {
            project_dir: self.project_dir.clone(),
            config: self.config.clone(),
            ..options
        };
        let mut workspace = Workspace::load(&options).map_err(|unusable| Failure {
            code: "config",
            message: "the configuration cannot be used".to_owned(),
            diagnostics: unusable.diagnostics,
        })?;
        workspace.sink.sort();
        if workspace.found == (0, 0) && workspace.sink.count(Severity::Error) == 0 {
            let paths = &workspace.config.paths;
            let folders: Vec<String> = paths
                .contracts
                .iter()
                .chain(&paths.products)
                .map(|path| format!("`{}`", path.as_str()))
                .collect();
            return Err(Failure {
                code: rules::DISCOVERY_NOTHING_FOUND.code,
                message: format!(
                    "no contracts or products in {}; `dbt-contracts init` lays out the folders, `paths` in the configuration names others",
                    folders.join(", ")
                ),
                diagnostics: workspace.sink.diagnostics().to_vec(),
            });
        }
        Ok(workspace)
    }
}

impl From<select::Failure> for Failure {
    fn from(failure: select::Failure) -> Self {
        let message = match failure {
            select::Failure::Invalid(message) => message,
            select::Failure::Nothing { selector, nearest } if nearest.is_empty() => {
                format!("nothing matches `{selector}`")
            }
            select::Failure::Nothing { selector, nearest } => {
                format!(
                    "nothing matches `{selector}`; did you mean `{}`?",
                    nearest.join("`, `")
                )
            }
        };
        Self::new("selection", message)
    }
}
