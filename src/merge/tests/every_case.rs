//! What must hold for every base, disk and plan under every set of options.

use super::*;

/// Every combination of options on the whole workspace.
fn every_option() -> impl Iterator<Item = Options> {
    (0..8).map(|bits| Options {
        force: bits & 1 != 0,
        keep_mine: bits & 2 != 0,
        prune: bits & 4 != 0,
        whole: true,
    })
}

/// A project in that state.
fn project(base: Option<&str>, disk: Option<&str>, plan: Option<&str>) -> Project {
    let mut project = Project::new("");
    project.artifacts.clear();
    if let Some(base) = base {
        let entry = Entry::new(base, &["orders@1.0.0".to_owned()]);
        let lock = Lock::default().with_files([(PATH.to_owned(), entry)].into());
        project.put(LOCK_PATH, lock.render());
    }
    if let Some(disk) = disk {
        project.put(PATH, disk);
    }
    if let Some(plan) = plan {
        project.plan(PATH, plan, &["orders@2.0.0"]);
    }
    project
}

/// Runs `check` on every state under every set of options.
fn every_case(check: impl Fn(&Project, Options, [Option<&str>; 3])) {
    let texts = [None, Some("a\n"), Some("b\n")];
    for base in texts {
        for disk in [None, Some("a\n"), Some("b\n"), Some("c\r\n")] {
            for plan in texts {
                for options in every_option() {
                    check(&project(base, disk, plan), options, [base, disk, plan]);
                }
            }
        }
    }
}

fn sync(project: &Project, options: Options) -> Comparison {
    let comparison = project.compare(options);
    write::commit(project.folder.path(), &write::changes(&comparison)).unwrap();
    comparison
}

#[test]
fn the_second_run_writes_nothing() {
    every_case(|project, options, case| {
        sync(project, options);
        let again = project.compare(options);
        assert!(write::changes(&again).is_empty(), "{case:?} {options:?}");
    });
}

#[test]
fn what_is_written_is_what_was_compared() {
    every_case(|project, options, case| {
        let comparison = sync(project, options);
        let expected = match comparison.files.first().map(|outcome| &outcome.action) {
            Some(Action::Write(text)) => Some(text.clone()),
            Some(Action::Delete) => None,
            Some(Action::Leave) | None => case[1].map(str::to_owned),
        };
        assert_eq!(project.read(PATH), expected, "{case:?} {options:?}");
    });
}

#[test]
fn without_force_nothing_that_a_person_wrote_is_lost() {
    every_case(|project, options, case @ [base, disk, _]| {
        if !options.force && disk.is_some() && disk != base {
            sync(project, options);
            assert_eq!(project.read(PATH).as_deref(), disk, "{case:?} {options:?}");
        }
    });
}

#[test]
fn with_force_the_disk_is_as_planned() {
    every_case(|project, options, case @ [_, _, plan]| {
        if let (true, Some(plan)) = (options.force, plan) {
            let comparison = sync(project, options);
            assert!(!comparison.has_conflicts());
            let text = project.read(PATH).map(|text| text.replace("\r\n", "\n"));
            assert_eq!(text.as_deref(), Some(plan), "{case:?} {options:?}");
        }
    });
}

#[test]
fn what_differs_is_never_silent() {
    every_case(|project, options, case @ [_, _, plan]| {
        let comparison = sync(project, options);
        let text = project.read(PATH).map(|text| text.replace("\r\n", "\n"));
        if plan.is_some() && text.as_deref() != plan {
            assert_eq!(comparison.diagnostics().len(), 1, "{case:?} {options:?}");
        }
    });
}
