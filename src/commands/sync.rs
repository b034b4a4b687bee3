//! `sync`: brings the dbt files in step with the contracts; on a terminal it asks, file by file.

use std::io::{BufRead, IsTerminal};

use super::Context;
use super::pipeline::{self, Step};
use crate::cli::{Format, Sync};
use crate::merge::{Choice, Options, Outcome, Status, unified_diff};
use crate::report::{Exit, Failure, error_output, output};

/// Applies what the options or the answers decide.
pub(crate) fn run(context: &Context, arguments: &Sync) -> Result<Exit, Failure> {
    if !arguments.dry_run {
        pipeline::recover(context)?;
    }
    let options = Options {
        force: arguments.force,
        keep_mine: arguments.keep_mine,
        prune: arguments.prune,
        whole: false,
    };
    let mut step = Step::take(context, &arguments.selection, options)?;
    let decided = arguments.force || arguments.keep_mine || arguments.dry_run;
    if !decided && interactive(context.reporter.format) {
        let color = context.reporter.color_output();
        ask(
            &mut step.comparison.files,
            color,
            &mut std::io::stdin().lock(),
        );
    }
    step.finish(context, arguments.dry_run)
}

/// Whether somebody is there to answer.
fn interactive(format: Format) -> bool {
    format == Format::Human
        && std::env::var_os("CI").is_none()
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal()
}

/// Asks about every file that is not as the contract has it. Where the answers end, the rest stays.
fn ask(files: &mut [Outcome], color: bool, answers: &mut impl BufRead) {
    let mut all = false;
    for outcome in files {
        if matches!(outcome.status, Status::Unchanged | Status::Edited) {
            continue;
        }
        if all {
            outcome.choose(Choice::Safe);
            continue;
        }
        loop {
            error_output(&format!(
                "{} {}: take the contract's side? [y]es, [n]o, keep [m]ine, [a]ll safe ones, [s]how: ",
                outcome.status.as_str(),
                outcome.path
            ));
            let mut answer = String::new();
            let ended = answers
                .read_line(&mut answer)
                .is_ok_and(|length| length == 0);
            match answer.trim().to_lowercase().as_str() {
                "y" | "yes" => outcome.choose(Choice::Contract),
                "m" | "mine" => outcome.choose(Choice::Mine),
                "a" | "all" => {
                    all = true;
                    outcome.choose(Choice::Safe);
                }
                "s" | "show" => {
                    let mut shown = outcome.clone();
                    shown.choose(Choice::Contract);
                    output(&unified_diff(&shown, color));
                    continue;
                }
                "n" | "no" => outcome.choose(Choice::Later),
                _ if ended => outcome.choose(Choice::Later),
                _ => continue,
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::{Lock, compare};
    use crate::plan::{Artifact, ArtifactKind};

    /// The files of a project where `a`, `b` and `c` are new, after these answers.
    fn after(answers: &str) -> Vec<bool> {
        let project = tempfile::tempdir().unwrap();
        let artifact = |path: &str| Artifact {
            path: path.to_owned(),
            kind: ArtifactKind::Staging,
            text: "select 1\n".to_owned(),
            contracts: vec!["c@1".to_owned()],
        };
        let artifacts = ["a", "b", "c"].map(artifact);
        let options = Options::default();
        let mut comparison = compare(
            project.path(),
            &artifacts,
            &Lock::default(),
            &options,
            |_| false,
        );
        ask(&mut comparison.files, false, &mut answers.as_bytes());
        let files = comparison.files.iter();
        files
            .map(|outcome| outcome.action != crate::merge::Action::Leave)
            .collect()
    }

    #[test]
    fn each_answer_decides_one_file() {
        assert_eq!(after("y\nn\nm\n"), [true, false, false]);
        assert_eq!(after("n\nall\n"), [false, true, true]);
        assert_eq!(after("what?\ns\nyes\nyes\n"), [true, true, false]);
        assert_eq!(after(""), [false, false, false]);
    }
}
