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
    let step = Step::take(context, &arguments.selection, Options::default())?;
    step.finish(context, arguments.dry_run)
}
