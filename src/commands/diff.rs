//! `diff`: what `sync`, or `sync --force`, would write.

use similar::{ChangeTag, TextDiff};

use super::Context;
use super::pipeline::Step;
use crate::cli::Diff;
use crate::merge::{Action, Options, Outcome, Status, unified_diff};
use crate::report::{Exit, Failure, output};

/// Prints the difference and writes nothing.
pub(crate) fn run(context: &Context, arguments: &Diff) -> Result<Exit, Failure> {
    let options = Options {
        force: arguments.force,
        ..Options::default()
    };
    let mut step = Step::take(context, &arguments.selection, options)?;
    context.reporter.diagnostics(step.diagnostics());
    if context.reporter.format.is_text() {
        let color = context.reporter.color_output();
        for outcome in &step.comparison.files {
            let (word, path) = (outcome.word(), &outcome.path);
            if arguments.name_only {
                if outcome.differs() {
                    output(&format!("{path}\n"));
                }
            } else if arguments.stat {
                // What stays is listed too, without lines that it gains or loses.
                if outcome.action != Action::Leave {
                    let (added, removed) = lines(outcome);
                    output(&format!("{word:9}  {path}  +{added} -{removed}\n"));
                } else if outcome.status != Status::Unchanged {
                    output(&format!("{word:9}  {path}\n"));
                }
            } else if outcome.action != Action::Leave {
                output(&unified_diff(outcome, color));
            }
        }
        if !arguments.name_only {
            context.reporter.progress(&step.summary(&context.reporter));
        }
    }
    let found = step.has_errors() || step.comparison.has_differences();
    let reporter = &context.reporter;
    let findings = step.workspace.sink.diagnostics();
    reporter.document(!found, step.files(reporter, false), findings);
    Ok(step.end(found))
}

/// How many lines a file gains and loses.
fn lines(outcome: &Outcome) -> (usize, usize) {
    let old = outcome.old.as_deref().unwrap_or_default();
    let new = match &outcome.action {
        Action::Write(text) => text.as_str(),
        Action::Leave | Action::Delete => "",
    };
    let diff = TextDiff::from_lines(old, new);
    let count = |tag| {
        diff.iter_all_changes()
            .filter(|change| change.tag() == tag)
            .count()
    };
    (count(ChangeTag::Insert), count(ChangeTag::Delete))
}
