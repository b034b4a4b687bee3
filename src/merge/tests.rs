//! Every row of the table of ownership, run by run through `compare` and `write::commit`.

use std::path::Path;

use super::*;
use crate::plan::{ArtifactKind, Known, Recipe};
use crate::write;
use tempfile::TempDir;

mod every_case;
mod together;

const PATH: &str = "models/contracts/orders/schema.yml";

/// A document that files are generated from.
const INPUT: &str = "contracts/contracts/orders.yaml";

/// A project in which runs follow each other.
struct Project {
    folder: TempDir,
    artifacts: Vec<Artifact>,
    kept: &'static str,
    selected: &'static str,
}

impl Project {
    fn new(text: &str) -> Self {
        let mut project = Self {
            folder: tempfile::tempdir().unwrap(),
            artifacts: Vec::new(),
            kept: "nothing",
            selected: "nothing",
        };
        project.plan(PATH, text, &["orders@1.0.0"]);
        project
    }

    /// Adds the artifact, or replaces the one of that path.
    fn plan(&mut self, path: &str, text: &str, contracts: &[&str]) {
        self.artifacts.retain(|artifact| artifact.path != path);
        self.artifacts.push(Artifact {
            path: path.to_owned(),
            kind: ArtifactKind::Properties,
            text: text.to_owned(),
            known: Known::New,
            recipe: None,
            contracts: contracts.iter().map(ToString::to_string).collect(),
            owners: Vec::new(),
            identities: Vec::new(),
        });
    }

    fn compare(&self, options: Options) -> Comparison {
        let lock = Lock::read(self.folder.path()).unwrap();
        let surroundings = Surroundings {
            kept: &|contract| contract.starts_with(self.kept),
            selected: &|contract| contract.starts_with(self.selected),
            others: &[],
            inputs: &[INPUT].into(),
            adapter: None,
            files: &Files::default(),
        };
        compare(
            &Root::survey(self.folder.path()).unwrap(),
            &self.artifacts,
            &lock,
            options,
            surroundings,
        )
    }

    /// Compares and writes; gives the outcome of the one file that matters.
    fn sync(&self, options: Options) -> Outcome {
        let comparison = self.compare(options);
        write::commit(self.folder.path(), &write::changes(&comparison)).unwrap();
        only(comparison)
    }

    fn status(&self) -> Status {
        only(self.compare(WHOLE)).status
    }

    fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        put(&path, bytes.as_ref());
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join(path)).ok()
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.folder.path().join(path)).unwrap();
    }

    /// The lines of the lock file that are about `path`.
    fn locked(&self, path: &str) -> Option<Entry> {
        Lock::read(self.folder.path()).unwrap().get(path).cloned()
    }
}

#[expect(clippy::disallowed_methods, reason = "a person's editor in a test")]
fn put(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

const WHOLE: Options = Options {
    force: false,
    keep_mine: false,
    prune: false,
    whole: true,
};
const FORCE: Options = Options {
    force: true,
    ..WHOLE
};
const MINE: Options = Options {
    keep_mine: true,
    ..WHOLE
};
const PRUNE: Options = Options {
    prune: true,
    ..WHOLE
};

/// The outcome of the file at [`PATH`], or of the only file.
fn only(comparison: Comparison) -> Outcome {
    let mut files = comparison.files;
    let index = files
        .iter()
        .position(|outcome| outcome.path == PATH)
        .unwrap_or(0);
    files.swap_remove(index)
}

fn codes(comparison: &Comparison) -> Vec<&'static str> {
    comparison
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.rule.code)
        .collect()
}

#[test]
fn what_is_not_there_is_new_and_the_second_run_writes_nothing() {
    let project = Project::new("a\n");
    let comparison = project.compare(WHOLE);
    assert!(comparison.has_differences() && !comparison.has_conflicts());
    assert_eq!(project.sync(WHOLE).status, Status::New);
    assert_eq!(project.read(PATH).as_deref(), Some("a\n"));
    assert_eq!(project.locked(PATH).unwrap().contracts, ["orders@1.0.0"]);
    let again = project.compare(WHOLE);
    assert!(!again.has_differences() && write::changes(&again).is_empty());
    assert_eq!(only(again).status, Status::Unchanged);
}

#[test]
fn the_text_of_what_stands_there_is_not_needed() {
    let mut project = Project::new("models: [{name: orders}]\n");
    project.sync(WHOLE);
    let lock = project.read(LOCK_PATH);
    for artifact in &mut project.artifacts {
        (artifact.text, artifact.known) = (String::new(), Known::Written);
    }
    for options in [WHOLE, FORCE, PRUNE] {
        assert!(!project.compare(options).has_differences());
        assert_eq!(project.sync(options).status, Status::Unchanged);
    }
    assert_eq!(project.read(LOCK_PATH), lock);
}

#[test]
fn the_lock_says_what_a_file_is_made_of() {
    let mut project = Project::new("a: 1\n");
    for (recipe, text) in [("one", "a: 1\n"), ("other", "a: 1\n"), ("other", "a: 2\n")] {
        let recipe = Some(Recipe::of(recipe));
        project.plan(PATH, text, &["orders@1.0.0"]);
        project.artifacts[0].recipe = recipe;
        project.sync(WHOLE);
        assert_eq!(project.locked(PATH).unwrap().recipe, recipe);
    }
}

#[test]
fn equal_files_are_adopted_without_a_lock() {
    let project = Project::new("a\nb\n");
    project.put(PATH, "\u{feff}a\r\nb\r\n");
    let comparison = project.compare(WHOLE);
    assert!(!comparison.has_differences());
    assert_eq!(project.sync(WHOLE).status, Status::Unchanged);
    assert_eq!(project.read(PATH).as_deref(), Some("\u{feff}a\r\nb\r\n"));
    assert!(project.locked(PATH).is_some());
}

#[test]
fn the_contracts_change_is_a_safe_update_that_keeps_line_endings() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.put(PATH, "\u{feff}a\r\n");
    project.plan(PATH, "b\nc\n", &["orders@1.1.0"]);
    assert_eq!(project.sync(WHOLE).status, Status::Modified);
    assert_eq!(project.read(PATH).as_deref(), Some("\u{feff}b\r\nc\r\n"));
    assert_eq!(project.status(), Status::Unchanged);
    assert_eq!(project.locked(PATH).unwrap().contracts, ["orders@1.1.0"]);
}

#[test]
fn an_edit_stays_until_force() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.put(PATH, "mine\n");
    let comparison = project.compare(WHOLE);
    assert_eq!(codes(&comparison), ["merge/edited"]);
    assert!(!comparison.has_differences());
    assert_eq!(only(comparison).status, Status::Edited);
    project.sync(WHOLE);
    assert_eq!(project.read(PATH).as_deref(), Some("mine\n"));

    project.plan(PATH, "a\n", &["orders@1.1.0"]);
    assert_eq!(project.sync(WHOLE).status, Status::Edited);
    assert_eq!(project.locked(PATH).unwrap().contracts, ["orders@1.1.0"]);

    let forced = project.compare(FORCE);
    assert!(forced.has_differences() && codes(&forced).is_empty());
    project.sync(FORCE);
    assert_eq!(project.read(PATH).as_deref(), Some("a\n"));
    assert_eq!(project.status(), Status::Unchanged);
}

#[test]
fn both_sides_changed_is_a_conflict_that_three_ways_end() {
    let conflict = || {
        let mut project = Project::new("a\n");
        project.sync(WHOLE);
        project.put(PATH, "mine\n");
        project.plan(PATH, "b\n", &["orders@2.0.0"]);
        project
    };
    let project = conflict();
    for _ in 0..2 {
        let comparison = project.compare(WHOLE);
        assert_eq!(codes(&comparison), ["merge/edited"]);
        assert!(comparison.has_conflicts() && comparison.has_differences());
        assert_eq!(
            comparison.diagnostics()[0].contract.as_deref(),
            Some("orders")
        );
        project.sync(WHOLE);
        assert_eq!(project.read(PATH).as_deref(), Some("mine\n"));
        assert_eq!(project.locked(PATH).unwrap().contracts, ["orders@1.0.0"]);
    }

    let forced = project.compare(FORCE);
    assert!(!forced.has_conflicts());
    project.sync(FORCE);
    assert_eq!(project.read(PATH).as_deref(), Some("b\n"));

    let mut project = conflict();
    assert_eq!(project.sync(MINE).status, Status::Edited);
    assert_eq!(project.read(PATH).as_deref(), Some("mine\n"));
    assert_eq!(project.status(), Status::Edited);
    project.plan(PATH, "c\n", &["orders@3.0.0"]);
    assert_eq!(project.status(), Status::Conflict);

    let project = conflict();
    project.put(PATH, "b\n");
    assert_eq!(project.sync(WHOLE).status, Status::Unchanged);
    assert_eq!(project.locked(PATH).unwrap().contracts, ["orders@2.0.0"]);
}

#[test]
fn a_strangers_file_is_a_conflict() {
    let project = Project::new("a\n");
    project.put(PATH, b"\xff\xfe");
    let comparison = project.compare(WHOLE);
    assert!(comparison.has_conflicts());
    assert!(
        comparison.diagnostics()[0]
            .message
            .contains("was not generated")
    );
    project.sync(WHOLE);
    assert_eq!(project.locked(PATH), None);
    assert_eq!(project.sync(MINE).status, Status::Edited);
    assert_eq!(project.status(), Status::Edited);
    project.sync(FORCE);
    assert_eq!(project.read(PATH).as_deref(), Some("a\n"));
}

#[test]
fn what_was_deleted_by_hand_stays_deleted() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.remove(PATH);
    assert_eq!(project.sync(WHOLE).status, Status::Edited);
    assert_eq!(project.read(PATH), None);
    assert_eq!(project.status(), Status::Edited);

    project.plan(PATH, "b\n", &["orders@2.0.0"]);
    assert_eq!(codes(&project.compare(WHOLE)), ["merge/edited"]);
    assert_eq!(project.sync(MINE).status, Status::Edited);
    assert_eq!(
        (project.read(PATH), project.status()),
        (None, Status::Edited)
    );

    project.sync(FORCE);
    assert_eq!(project.read(PATH).as_deref(), Some("b\n"));
}

#[test]
fn orphans_are_judged_on_the_whole_workspace_only() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.artifacts.clear();
    let part = Options {
        whole: false,
        prune: true,
        ..WHOLE
    };
    assert!(project.compare(part).files.is_empty());
    project.kept = "orders@";
    let comparison = project.compare(PRUNE);
    assert!(comparison.files.is_empty() && comparison.lock().get(PATH).is_some());
    project.kept = "nothing";
    let comparison = project.compare(FORCE);
    assert_eq!(codes(&comparison), ["merge/orphaned"]);
    assert!(comparison.has_differences() && !comparison.has_conflicts());
    assert!(write::changes(&comparison).is_empty());
}

#[test]
fn prune_deletes_orphans_that_nobody_edited() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.artifacts.clear();
    let outcome = project.sync(PRUNE);
    assert_eq!(
        (outcome.status, outcome.action),
        (Status::Orphaned, Action::Delete)
    );
    assert_eq!(project.locked(PATH), None);
    assert!(!project.folder.path().join("models/contracts").exists());
    assert!(project.folder.path().join("models").exists());
}

#[test]
fn an_edited_orphan_stays_and_can_become_a_persons() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.put(PATH, "mine\n");
    project.artifacts.clear();
    for options in [
        PRUNE,
        Options {
            prune: true,
            ..FORCE
        },
    ] {
        assert_eq!(project.sync(options).status, Status::Orphaned);
        assert_eq!(project.read(PATH).as_deref(), Some("mine\n"));
    }
    assert!(project.compare(PRUNE).has_differences());
    assert_eq!(project.sync(MINE).status, Status::Edited);
    assert_eq!(project.read(PATH).as_deref(), Some("mine\n"));
    assert!(project.compare(WHOLE).files.is_empty());
}

#[test]
fn an_orphan_that_is_gone_leaves_the_lock() {
    let mut project = Project::new("a\n");
    project.sync(WHOLE);
    project.remove(PATH);
    project.artifacts.clear();
    let comparison = project.compare(WHOLE);
    assert!(comparison.files.is_empty() && !comparison.has_differences());
    write::commit(project.folder.path(), &write::changes(&comparison)).unwrap();
    assert_eq!(project.locked(PATH), None);
}

#[test]
fn shared_files_stay_as_long_as_another_may_need_them() {
    let shared = "macros/dbt_contracts/between.sql";
    let mut project = Project::new("a\n");
    project.plan(shared, "m\n", &[]);
    project.sync(WHOLE);
    project.artifacts.clear();
    project.kept = "orders";
    assert!(project.compare(PRUNE).files.is_empty());
    project.kept = "nothing";
    let left: Vec<String> = project
        .compare(WHOLE)
        .files
        .into_iter()
        .map(|file| file.path)
        .collect();
    assert_eq!(left, [PATH]);
    project.sync(PRUNE);
    assert_eq!((project.read(PATH), project.read(shared)), (None, None));
}

#[test]
fn what_is_in_the_way_is_said_and_never_overwritten() {
    let mut project = Project::new("a\n");
    fs::create_dir_all(project.folder.path().join(PATH)).unwrap();
    project.put("macros", "a file\n");
    project.plan("macros/x.sql", "m\n", &[]);
    project.plan("../outside.sql", "o\n", &[]);
    project.plan(LOCK_PATH, "l\n", &[]);
    for options in [WHOLE, FORCE, MINE] {
        let comparison = project.compare(options);
        assert_eq!(codes(&comparison), ["merge/blocked"; 4]);
        assert!(comparison.has_conflicts());
        assert!(write::changes(&comparison).is_empty());
        let messages: Vec<String> = comparison
            .diagnostics()
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect();
        assert!(
            messages[2].contains("needs the folder `macros`, where a file stands"),
            "{messages:?}"
        );
    }
}

#[test]
fn each_file_can_be_decided_by_itself() {
    let project = Project::new("a\n");
    let mut comparison = project.compare(WHOLE);
    comparison.files[0].choose(Choice::Later);
    assert_eq!(comparison.files[0].status, Status::New);
    assert!(write::changes(&comparison).is_empty());
    comparison.files[0].choose(Choice::Mine);
    assert_eq!(comparison.files[0].status, Status::Edited);
    assert!(comparison.lock().get(PATH).is_some());
    comparison.files[0].choose(Choice::Contract);
    assert_eq!(comparison.files[0].status, Status::New);
    assert_eq!(write::changes(&comparison).len(), 2);
}

#[test]
fn the_strongest_status_is_the_greatest() {
    let mut words = [
        Status::New,
        Status::Conflict,
        Status::Unchanged,
        Status::Orphaned,
        Status::Edited,
        Status::Modified,
    ];
    words.sort();
    assert_eq!(
        words.map(Status::as_str),
        [
            "unchanged",
            "edited",
            "modified",
            "new",
            "orphaned",
            "conflict"
        ]
    );
}

#[test]
fn the_diff_is_what_is_written() {
    let mut project = Project::new("a\n");
    assert_eq!(
        unified_diff(&only(project.compare(WHOLE)), false),
        format!("--- /dev/null\n+++ b/{PATH}\n@@ -0,0 +1 @@\n+a\n")
    );
    project.sync(WHOLE);
    assert_eq!(unified_diff(&only(project.compare(WHOLE)), false), "");
    project.put(PATH, "1\n2\n3\n4\nmine\r\n6");
    project.plan(PATH, "1\n2\n3\n4\n5\n", &["orders@2"]);
    assert_eq!(unified_diff(&only(project.compare(WHOLE)), false), "");
    let forced = only(project.compare(FORCE));
    assert_eq!(
        unified_diff(&forced, false),
        format!(
            "--- a/{PATH}\n+++ b/{PATH}\n@@ -2,5 +2,4 @@\n 2\n 3\n 4\n-mine\r\n-6\n\
             \\ No newline at end of file\n+5\n"
        )
    );
    let colored = unified_diff(&forced, true);
    assert!(colored.contains("\x1b[32m+5\x1b[0m\n") && colored.contains("\n 2\n"));
    project.sync(FORCE);
    assert_eq!(forced.action, Action::Write(project.read(PATH).unwrap()));
    project.artifacts.clear();
    let pruned = unified_diff(&only(project.compare(PRUNE)), false);
    assert!(pruned.starts_with(&format!(
        "--- a/{PATH}\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-1\n"
    )));
}
