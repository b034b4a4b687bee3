//! One thin file for each command: arguments -> pipeline -> report.

mod diff;
mod explain;
mod generate;
mod init;
mod lineage;
mod pipeline;
mod schema;
mod sync;
mod validate;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use clap::error::ErrorKind;

use crate::cli::{Cli, Command, Global};
use crate::diagnostics::{Severity, rules};
use crate::report::{Exit, Failure, Reporter, error_output, output};
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
    let reporter = Reporter::new(cli.command.name(), &cli.global);
    let context = match context(&cli.global, reporter) {
        Ok(context) => context,
        Err((reporter, failure)) => {
            reporter.failure(&failure);
            return Exit::Failed;
        }
    };
    dispatch(&context, &cli.command).unwrap_or_else(|failure| {
        context.reporter.failure(&failure);
        Exit::Failed
    })
}

/// Finds out where the command works.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks where the process was started"
)]
fn context(global: &Global, reporter: Reporter) -> Result<Context, (Reporter, Failure)> {
    let start = match std::env::current_dir() {
        Ok(start) => start,
        Err(error) => {
            let message = format!("the current directory cannot be used: {error}");
            return Err((reporter, Failure::new("io", message)));
        }
    };
    let project_dir = workspace::project_dir(global.project_dir.as_deref(), &start);
    if !project_dir.is_dir() {
        let message = format!(
            "the project directory `{}` is not there",
            project_dir.display()
        );
        return Err((reporter, Failure::new("usage", message)));
    }
    Ok(Context {
        config: global.config.as_ref().map(|config| start.join(config)),
        project_dir,
        start,
        reporter,
    })
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
        Command::Schema(arguments) => schema::run(arguments),
        Command::Explain(arguments) => explain::run(context, arguments),
    }
}

/// Prints help, the version, or what is wrong with the arguments; the last as JSON where JSON was
/// asked for.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Exit {
    let text = error.render();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        output(&text.to_string());
        return Exit::Fine;
    }
    let json = arguments.iter().any(|argument| argument == "--format=json")
        || arguments
            .windows(2)
            .any(|pair| pair[0] == "--format" && pair[1] == "json");
    if json {
        let message = text.to_string();
        let message = message
            .trim()
            .strip_prefix("error: ")
            .unwrap_or(&message)
            .to_owned();
        Reporter::programs("dbt-contracts").failure(&Failure::new("usage", message));
    } else {
        error_output(&text.to_string());
    }
    Exit::Failed
}

impl Context {
    /// Loads the workspace, and fails where there is nothing to work on.
    pub(crate) fn load(
        &self,
        extra: Vec<PathBuf>,
        min_status: Option<Status>,
    ) -> Result<Workspace, Failure> {
        let options = Options {
            project_dir: self.project_dir.clone(),
            config: self.config.clone(),
            extra,
            min_status,
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
