//! `generate`: sync that never asks and never prunes.

use super::Context;
use super::pipeline::{self, Step};
use crate::cli::Generate;
use crate::merge::Options;
use crate::report::{Exit, Failure};

/// Writes new files and safe updates.
pub(crate) fn run(context: &Context, arguments: &Generate) -> Result<Exit, Failure> {
    if !arguments.dry_run {
        pipeline::recover(context)?;
    }
    let mut step = Step::take(context, &arguments.selection, Options::default())?;
    if !arguments.dry_run {
        step.write(&context.reporter)?;
    }
    context.reporter.diagnostics(step.diagnostics());
    step.print_files(&context.reporter);
    let found = step.has_errors() || step.comparison.has_conflicts();
    let files = step.files(!arguments.dry_run);
    context
        .reporter
        .json(!found, files, step.workspace.sink.diagnostics());
    Ok(Exit::findings(found))
}
