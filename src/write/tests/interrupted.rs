//! A run that is cut off at every moment, by a process that really ends there.

use super::*;
use std::process::Command;

/// Names the project and the moment to a process that is to be cut off there.
const PROJECT: &str = "DBT_CONTRACTS_TEST_PROJECT";
const MOMENT: &str = "DBT_CONTRACTS_TEST_MOMENT";

/// Runs in a process of its own, started by the test below; by itself it does nothing.
#[test]
fn the_process_that_is_cut_off() {
    let (Ok(folder), Ok(moment)) = (std::env::var(PROJECT), std::env::var(MOMENT)) else {
        return;
    };
    let mut left: usize = moment.parse().unwrap();
    let (_, changes) = project();
    commit_observed(Path::new(&folder), &changes, &mut |_| {
        if left == 0 {
            std::process::abort();
        }
        left -= 1;
        Ok(())
    })
    .unwrap();
}

/// Runs the changes of [`project`] in another process that is cut off at that moment.
fn cut_off(folder: &Path, moment: usize) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "write::tests::interrupted::the_process_that_is_cut_off",
        ])
        .env(PROJECT, folder)
        .env(MOMENT, moment.to_string())
        .output()
        .unwrap();
    !output.status.success()
}

#[test]
fn a_run_cut_off_at_any_moment_is_undone_or_finished() {
    let new = wanted();
    let mut finished = 0;
    for moment in 0.. {
        let (project, _) = project();
        let before = tree(project.path());
        if !cut_off(project.path(), moment) {
            assert_eq!((moment, finished), (11, 5));
            break;
        }
        let after_all = tree(project.path()).contains_key("contracts/.dbt-contracts/journal.json");
        let recovered = recover(project.path()).unwrap();
        assert_eq!(recovered.is_some(), after_all, "moment {moment}");
        match recovered {
            Some(recovered) if recovered.finished => {
                finished += 1;
                assert_eq!(recovered.files.len(), 4);
                assert_eq!(recovered.left, [""; 0]);
                let mut tree = tree(project.path());
                // Folders that deletions empty are removed only by a run that is not cut off.
                tree.remove("models/b");
                assert_eq!(tree, new, "moment {moment}");
            }
            Some(recovered) => {
                assert!(
                    recovered
                        .to_string()
                        .starts_with("undid an interrupted run")
                );
                let mut tree = tree(project.path());
                // Made by the process that was cut off, before its journal.
                if let Some(None) = tree.get("contracts") {
                    tree.remove("contracts");
                }
                assert_eq!(tree, before, "moment {moment}");
            }
            None => {
                commit(project.path(), &[write("x", "x\n", None)]).unwrap();
                assert_eq!(
                    tree(project.path()).get("models/a.sql"),
                    new.get("models/a.sql")
                );
            }
        }
        assert_eq!(recover(project.path()).unwrap(), None);
    }
}

#[test]
fn a_ready_run_whose_new_bytes_are_lost_is_undone() {
    for lost in [
        "models/.dbt-contracts-0.new",
        "contracts/.dbt-contracts-3.new",
    ] {
        let (project, _) = project();
        // Begun, four changes staged, ready, then the first change.
        assert!(cut_off(project.path(), 6));
        let _ = fs::remove_file(project.path().join(lost));
        let recovered = recover(project.path()).unwrap().unwrap();
        let applied = lost.contains("-0.");
        assert_eq!(recovered.finished, applied);
        let text = fs::read_to_string(project.path().join("models/a.sql")).unwrap();
        assert_eq!(text, if applied { "A\n" } else { "a\n" });
        assert!(
            !tree(project.path())
                .keys()
                .any(|path| path.contains(TEMPORARY))
        );
    }
}

#[test]
fn a_file_edited_after_the_cut_is_left_alone() {
    let (project, changes) = project();
    assert!(cut_off(project.path(), 6));
    put(project.path(), "models/b/c.sql", "edited\n");
    // The next run finishes the old one by itself, then finds that the file is not as expected.
    let error = commit(project.path(), &changes[2..3]).unwrap_err();
    assert_eq!(error.code(), "write/changed");
    let tree = tree(project.path());
    assert_eq!(tree["models/b/c.sql"].as_deref(), Some("edited\n"));
    assert_eq!(tree["models/new/deep/d.sql"].as_deref(), Some("d\n"));
    assert!(!tree.keys().any(|path| path.contains(TEMPORARY)));
}

#[test]
fn a_journal_that_is_not_ours_is_refused() {
    let step = |path: &str, new: &str| {
        format!(
            "{{\"version\": 1, \"ready\": true, \"folders\": [], \"steps\": [{{\"path\": {path:?}, \
             \"before\": null, \"after\": null, \"new\": {new:?}, \"old\": null}}]}}"
        )
    };
    for journal in [
        "{".to_owned(),
        "{\"version\": 2, \"ready\": true, \"folders\": [], \"steps\": []}".to_owned(),
        "{\"version\": 1, \"ready\": false, \"folders\": [\"../x\"], \"steps\": []}".to_owned(),
        step("../x", ".dbt-contracts-0.new"),
        step("x", "secret"),
        step("x", ".dbt-contracts-/../../x"),
    ] {
        let (project, changes) = project();
        put(
            project.path(),
            "contracts/.dbt-contracts/journal.json",
            &journal,
        );
        let before = tree(project.path());
        for error in [
            recover(project.path()).unwrap_err(),
            commit(project.path(), &changes).unwrap_err(),
        ] {
            assert_eq!(error.code(), "write/journal", "{error}");
            assert!(error.to_string().contains("remove the journal"));
        }
        assert_eq!(tree(project.path()), before);
    }
}
