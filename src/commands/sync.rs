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
        let files = &mut step.comparison.files;
        ask(files, options, color, &mut std::io::stdin().lock());
        step.comparison.settle();
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

/// What is asked about a file, with the letters of the answers.
fn question(outcome: &Outcome) -> (&'static str, &'static str) {
    match (outcome.status, outcome.is_edited()) {
        (Status::Orphaned, true) => (
            "no contract asks for it any more, and it was changed by hand: keep it as [m]ine, \
             [n]ot now, [s]how",
            "mns",
        ),
        (Status::Orphaned, false) => (
            "no contract asks for it any more: delete it? [y]es, [n]o, keep it as [m]ine, [a]ll safe \
             ones, [s]how",
            "ynmas",
        ),
        _ => (
            "take the contract's side? [y]es, [n]o, keep [m]ine, [a]ll safe ones, [s]how",
            "ynmas",
        ),
    }
}

/// Asks about every file that is not as the contract has it. Where the answers end, the rest stays.
fn ask(files: &mut [Outcome], options: Options, color: bool, answers: &mut impl BufRead) {
    let mut all = false;
    for outcome in files {
        let is_settled = matches!(outcome.status, Status::Unchanged | Status::Edited);
        // What moves is asked about at its new place.
        if is_settled || outcome.moved_to().is_some() {
            continue;
        }
        if all {
            options.decide(outcome);
            continue;
        }
        let (question, letters) = question(outcome);
        loop {
            let (status, path) = (outcome.status.as_str(), &outcome.path);
            error_output(&format!("{status} {path}: {question}: "));
            let mut answer = String::new();
            let ended = answers
                .read_line(&mut answer)
                .is_ok_and(|length| length == 0);
            let letter = match answer.trim().to_lowercase().as_str() {
                "y" | "yes" => 'y',
                "n" | "no" => 'n',
                "m" | "mine" => 'm',
                "a" | "all" => 'a',
                "s" | "show" => 's',
                _ if ended => 'n',
                _ => continue,
            };
            match letter {
                _ if !letters.contains(letter) => continue,
                'y' => outcome.choose(Choice::Contract),
                'm' => outcome.choose(Choice::Mine),
                'a' => {
                    all = true;
                    options.decide(outcome);
                }
                's' => {
                    let mut shown = outcome.clone();
                    shown.choose(Choice::Contract);
                    output(&unified_diff(&shown, color));
                    continue;
                }
                _ => outcome.choose(Choice::Later),
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    use crate::file::Files;
    use crate::merge::Action::{self, Delete, Leave};
    use crate::merge::{Comparison, Entry, Lock, Root, Surroundings, compare};
    use crate::plan::{Artifact, ArtifactKind, Known};

    fn compared(
        project: &Path,
        artifacts: &[Artifact],
        lock: &Lock,
        options: Options,
    ) -> Comparison {
        let surroundings = Surroundings {
            kept: &|_| false,
            selected: &|_| true,
            others: &[],
            inputs: &BTreeSet::new(),
            adapter: None,
            files: &Files::default(),
        };
        let root = Root::survey(project).unwrap();
        compare(&root, artifacts, lock, options, surroundings)
    }

    /// The files of a project where `a`, `b` and `c` are new, after these answers.
    fn after(answers: &str) -> Vec<bool> {
        let project = tempfile::tempdir().unwrap();
        let artifact = |path: &str| Artifact {
            path: path.to_owned(),
            kind: ArtifactKind::Staging,
            text: "select 1\n".to_owned(),
            known: Known::New,
            recipe: None,
            contracts: vec!["c@1".to_owned()],
            owners: Vec::new(),
            identities: Vec::new(),
        };
        let artifacts = ["a", "b", "c"].map(artifact);
        let options = Options::default();
        let mut comparison = compared(project.path(), &artifacts, &Lock::default(), options);
        ask(
            &mut comparison.files,
            options,
            false,
            &mut answers.as_bytes(),
        );
        let files = comparison.files.iter();
        files.map(|outcome| outcome.action != Leave).collect()
    }

    /// What is done to an orphan that has these bytes, after these answers.
    fn of_an_orphan(bytes: &str, options: Options, answers: &str) -> Action {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join("a"), bytes).unwrap();
        let entry = Entry::new("select 1\n", &["c@1".to_owned()]);
        let lock = Lock::default().with_files([("a".to_owned(), entry)].into());
        let mut comparison = compared(project.path(), &[], &lock, options);
        ask(
            &mut comparison.files,
            options,
            false,
            &mut answers.as_bytes(),
        );
        comparison.files.remove(0).action
    }

    #[test]
    fn no_answer_deletes_what_a_person_wrote() {
        let options = Options {
            whole: true,
            ..Options::default()
        };
        let prune = Options {
            prune: true,
            ..options
        };
        for answers in ["y\n", "yes\na\n", "m\n", ""] {
            assert_eq!(of_an_orphan("mine\n", prune, answers), Leave, "{answers:?}");
        }
        for (options, answers, action) in [
            (options, "y\n", Delete),
            (options, "a\n", Leave),
            (prune, "a\n", Delete),
            (prune, "n\n", Leave),
        ] {
            assert_eq!(
                of_an_orphan("select 1\n", options, answers),
                action,
                "{answers:?}"
            );
        }
    }

    #[test]
    fn each_answer_decides_one_file() {
        assert_eq!(after("y\nn\nm\n"), [true, false, false]);
        assert_eq!(after("n\nall\n"), [false, true, true]);
        assert_eq!(after("what?\ns\nyes\nyes\n"), [true, true, false]);
        assert_eq!(after(""), [false, false, false]);
    }
}
