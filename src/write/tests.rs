//! What a transaction does, and every way in which it fails.

use super::*;
use crate::merge::TOOL_FOLDER;
use std::collections::BTreeMap;
use std::fs::File;
use tempfile::TempDir;

mod interrupted;

#[expect(clippy::disallowed_methods, reason = "a person's editor in a test")]
fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// All files and folders below `folder`, with the texts of the files.
fn tree(folder: &Path) -> BTreeMap<String, Option<String>> {
    walkdir::WalkDir::new(folder)
        .min_depth(1)
        .into_iter()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry
                .path()
                .strip_prefix(folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            (name, fs::read_to_string(entry.path()).ok())
        })
        .collect()
}

fn write(path: &str, text: &str, expected: Option<&str>) -> Change {
    Change {
        path: path.to_owned(),
        kind: Kind::Write {
            text: text.to_owned(),
        },
        expected: expected.map(|text| Digest::of(text.as_bytes())),
    }
}

fn delete(path: &str, expected: &str) -> Change {
    Change {
        kind: Kind::Delete,
        ..write(path, "", Some(expected))
    }
}

/// A project, and changes of every kind for it.
fn project() -> (TempDir, Vec<Change>) {
    let project = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("models/a.sql", "a\n"),
        ("models/b/c.sql", "c\n"),
        ("models/same.sql", "s\n"),
    ] {
        put(project.path(), path, text);
    }
    let changes = vec![
        write("models/a.sql", "A\n", Some("a\n")),
        write("models/new/deep/d.sql", "d\n", None),
        delete("models/b/c.sql", "c\n"),
        write("models/same.sql", "s\n", Some("s\n")),
        write(LOCK_PATH, "version = 1\n", None),
    ];
    (project, changes)
}

/// The tree after the changes of [`project`].
fn wanted() -> BTreeMap<String, Option<String>> {
    let (project, changes) = project();
    commit(project.path(), &changes).unwrap();
    tree(project.path())
}

#[test]
fn all_changes_are_made_and_nothing_else_stays() {
    let (project, changes) = project();
    let committed = commit(project.path(), &changes).unwrap();
    assert_eq!(
        committed.written,
        ["models/a.sql", "models/new/deep/d.sql", LOCK_PATH]
    );
    assert_eq!(committed.deleted, ["models/b/c.sql"]);
    let files: Vec<(String, Option<String>)> = tree(project.path()).into_iter().collect();
    let expected = [
        ("contracts", None),
        (LOCK_PATH, Some("version = 1\n")),
        ("models", None),
        ("models/a.sql", Some("A\n")),
        ("models/new", None),
        ("models/new/deep", None),
        ("models/new/deep/d.sql", Some("d\n")),
        ("models/same.sql", Some("s\n")),
    ];
    assert_eq!(
        files,
        expected.map(|(path, text)| (path.to_owned(), text.map(str::to_owned)))
    );
    assert_eq!(
        commit(project.path(), &changes).unwrap(),
        Committed::default()
    );
}

#[test]
fn unchanged_files_keep_their_time() {
    let (project, changes) = project();
    let time = |path: &str| {
        fs::metadata(project.path().join(path))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = time("models/same.sql");
    commit(project.path(), &changes).unwrap();
    assert_eq!(time("models/same.sql"), before);
}

#[test]
fn a_file_that_was_changed_meanwhile_stops_everything() {
    let (project, changes) = project();
    put(project.path(), "models/b/c.sql", "meanwhile\n");
    let before = tree(project.path());
    let error = commit(project.path(), &changes).unwrap_err();
    assert_eq!(
        (error.path.as_str(), error.code()),
        ("models/b/c.sql", "write/changed")
    );
    assert_eq!(tree(project.path()), before);
    put(project.path(), "models/new/deep/d.sql", "meanwhile\n");
    let change = [write("models/new/deep/d.sql", "d\n", None)];
    assert_eq!(
        commit(project.path(), &change).unwrap_err().code(),
        "write/changed"
    );
}

#[test]
fn a_failure_at_any_moment_leaves_the_old_tree() {
    let new = wanted();
    for last in 0.. {
        let (project, changes) = project();
        let before = tree(project.path());
        let mut moments = 0;
        let result = commit_observed(project.path(), &changes, &mut |_| {
            moments += 1;
            if moments > last {
                Err(io::Error::from(io::ErrorKind::StorageFull))
            } else {
                Ok(())
            }
        });
        let Err(error) = result else {
            assert_eq!(tree(project.path()), new);
            // Begun, four changes staged, ready, four changes applied.
            assert_eq!(last, 10);
            break;
        };
        assert!(
            !error.unfinished && error.to_string().contains("no storage space"),
            "{error}"
        );
        assert_eq!(tree(project.path()), before, "moment {last}");
    }
}

#[test]
fn one_process_writes_at_a_time() {
    let (project, changes) = project();
    let root = Root::open(project.path()).unwrap();
    let held = ProcessLock::acquire(&root).unwrap();
    let error = commit(project.path(), &changes).unwrap_err();
    assert_eq!(error.code(), "write/busy");
    let process = std::process::id();
    if cfg!(unix) {
        assert!(
            error.to_string().contains(&format!("(process {process})")),
            "{error}"
        );
    }
    drop(held);
    assert!(!project.path().join("contracts").exists());
    // What a dead process left behind stops nobody.
    put(
        project.path(),
        "contracts/.dbt-contracts/process.lock",
        "999999\n",
    );
    commit(project.path(), &changes).unwrap();
    assert_eq!(tree(project.path()), wanted());
}

#[test]
fn many_threads_write_one_after_the_other() {
    let project = tempfile::tempdir().unwrap();
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let folder = project.path();
                scope.spawn(move || {
                    (0..50)
                        .filter(|run| {
                            let change = write(&format!("m/{thread}/{run}.sql"), "x\n", None);
                            match commit(folder, &[change]) {
                                Ok(_) => true,
                                Err(error) => {
                                    assert_eq!(error.code(), "write/busy", "{error}");
                                    false
                                }
                            }
                        })
                        .count()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    let files = tree(project.path()).into_values().flatten().count();
    assert_eq!(files, done);
    // The empty folder above may stay: whoever made it need not be the last to leave.
    assert!(!project.path().join(TOOL_FOLDER).exists());
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let (project, _) = project();
    let before = tree(project.path());
    for path in [
        "",
        "/x",
        "../x",
        "a/../../x",
        "models",
        "models/a.sql/x",
        "nul.sql",
        ".git/config",
    ] {
        let error = commit(project.path(), &[write(path, "x\n", None)]).unwrap_err();
        assert_eq!((error.path.as_str(), error.code()), (path, "write/refused"));
    }
    let error = commit(&project.path().join("nowhere"), &[write("x", "x\n", None)]).unwrap_err();
    assert_eq!(error.code(), "write/io");
    assert_eq!(tree(project.path()), before);
}

#[test]
fn the_operating_systems_reason_is_told() {
    let (project, mut changes) = project();
    let before = tree(project.path());
    let long = format!("models/{}.sql", "x".repeat(300));
    changes.insert(2, write(&long, "x\n", None));
    let error = commit(project.path(), &changes).unwrap_err();
    assert_eq!(error.path, long);
    assert!(error.to_string().contains("too long"), "{error}");
    assert_eq!(tree(project.path()), before);
}

#[test]
fn a_folder_and_a_file_of_one_name_leave_the_old_tree() {
    let (project, mut changes) = project();
    let before = tree(project.path());
    changes.push(write("models/n", "x\n", None));
    changes.push(write("models/n/x.sql", "x\n", None));
    let error = commit(project.path(), &changes).unwrap_err();
    assert_eq!(error.code(), "write/io");
    assert!(!error.unfinished);
    assert_eq!(tree(project.path()), before);
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let (project, changes) = project();
    let path = project.path().join("models/a.sql");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let before = tree(project.path());
    let error = commit(project.path(), &changes).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`models/a.sql`: the file is read-only"),
        "{error}"
    );
    assert_eq!(tree(project.path()), before);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn modes_are_kept_and_new_files_follow_the_umask() {
        let (project, changes) = project();
        let at = |path: &str| project.path().join(path);
        fs::set_permissions(at("models/a.sql"), Permissions::from_mode(0o640)).unwrap();
        put(project.path(), "models/usual", "");
        commit(project.path(), &changes).unwrap();
        assert_eq!(mode(&at("models/a.sql")), 0o640);
        assert_eq!(
            mode(&at("models/new/deep/d.sql")),
            mode(&at("models/usual"))
        );
    }

    #[test]
    fn a_folder_that_may_not_be_written_to_is_named() {
        let (project, changes) = project();
        let folder = project.path().join("models");
        fs::set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
        // Modes mean nothing to some users.
        if File::create(folder.join("probe")).is_ok() {
            return;
        }
        let before = tree(project.path());
        let error = commit(project.path(), &changes).unwrap_err();
        assert_eq!(error.code(), "write/io");
        assert!(
            error.to_string().contains("`models/") && error.to_string().contains("denied"),
            "{error}"
        );
        assert_eq!(tree(project.path()), before);
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_link_stays_a_link_and_never_leads_outside() {
        let outside = tempfile::tempdir().unwrap();
        put(outside.path(), "x", "x\n");
        let (project, _) = project();
        let at = |path: &str| project.path().join(path);
        symlink("a.sql", at("models/link.sql")).unwrap();
        symlink(outside.path(), at("models/out")).unwrap();
        symlink(outside.path().join("x"), at("models/x.sql")).unwrap();
        commit(
            project.path(),
            &[write("models/link.sql", "new\n", Some("a\n"))],
        )
        .unwrap();
        assert!(
            fs::symlink_metadata(at("models/link.sql"))
                .unwrap()
                .is_symlink()
        );
        assert_eq!(fs::read_to_string(at("models/a.sql")).unwrap(), "new\n");
        for path in ["models/out/x", "models/out/new", "models/x.sql"] {
            let error = commit(project.path(), &[write(path, "y\n", Some("x\n"))]).unwrap_err();
            assert_eq!(error.code(), "write/refused");
            assert!(
                error.to_string().contains("leads outside the project"),
                "{error}"
            );
        }
        let twice = [
            write("models/a.sql", "1\n", Some("new\n")),
            write("models/link.sql", "2\n", Some("new\n")),
        ];
        assert!(matches!(
            commit(project.path(), &twice).unwrap_err().problem,
            Problem::Twice
        ));
        assert_eq!(tree(outside.path()).len(), 1);
        symlink(outside.path(), at("contracts")).unwrap();
        assert!(commit(project.path(), &twice[..1]).is_err());
        assert_eq!(tree(outside.path()).len(), 1);
    }
}
