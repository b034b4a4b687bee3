//! What is decided about one file for the sake of another.

use super::*;

const OLD: &str = "models/contracts/orders/stg_orders.sql";
const NEW: &str = "models/contracts/sales/stg_orders.sql";
const ORDERS: &[&str] = &["orders@1.0.0"];

/// A project with the model and its properties, after a first run.
fn generated() -> Project {
    let mut project = Project::new("models: [{name: stg_orders}]\n");
    project.plan(OLD, "select 1\n", ORDERS);
    project.sync(WHOLE);
    project
}

/// The project as it is after its layout changed.
fn moved() -> Project {
    let mut project = generated();
    project.artifacts.clear();
    project.plan(NEW, "select 1\n", ORDERS);
    project.plan("models/sales.yml", "models: [{name: stg_orders}]\n", ORDERS);
    project
}

/// The word for each file.
fn words(comparison: &Comparison) -> Vec<(&str, &str)> {
    let files = comparison.files.iter();
    files
        .map(|outcome| (outcome.path.as_str(), outcome.word()))
        .collect()
}

#[test]
fn what_moves_leaves_its_old_place() {
    for options in [WHOLE, FORCE, MINE, PRUNE] {
        let project = moved();
        let comparison = project.compare(options);
        assert_eq!(
            words(&comparison),
            [
                (PATH, "moved"),
                (OLD, "moved"),
                (NEW, "new"),
                ("models/sales.yml", "new"),
            ]
        );
        assert_eq!(codes(&comparison), [""; 0]);
        project.sync(options);
        assert_eq!((project.read(OLD), project.read(PATH)), (None, None));
        assert!(
            project
                .compare(options)
                .files
                .iter()
                .all(|file| file.status == Status::Unchanged)
        );
    }
}

#[test]
fn what_is_chosen_alone_moves_as_well() {
    let mut project = moved();
    project.selected = "orders@";
    let part = Options {
        whole: false,
        ..WHOLE
    };
    project.sync(part);
    assert_eq!((project.read(OLD), project.read(PATH)), (None, None));
}

#[test]
fn an_edited_file_does_not_move_by_itself() {
    let project = moved();
    project.put(OLD, "select 2\n");
    let comparison = project.compare(WHOLE);
    assert_eq!(codes(&comparison), ["merge/edited", "merge/held"]);
    assert_eq!(
        comparison.diagnostics()[0].message,
        format!(
            "`{NEW}` would stand beside `{OLD}`, which was changed by hand and is the same to dbt"
        )
    );
    assert!(comparison.has_conflicts() && write::changes(&comparison).is_empty());

    project.sync(MINE);
    assert_eq!(
        (project.read(OLD).as_deref(), project.read(NEW)),
        (Some("select 2\n"), None)
    );
    assert!(project.locked(OLD).is_none() && !project.compare(WHOLE).has_conflicts());

    let project = moved();
    project.put(OLD, "select 2\n");
    project.sync(FORCE);
    assert_eq!(
        (project.read(OLD), project.read(NEW).as_deref()),
        (None, Some("select 1\n"))
    );

    // A person may move it instead.
    let project = moved();
    project.remove(OLD);
    project.put(NEW, "select 2\n");
    let comparison = project.compare(WHOLE);
    assert!(!comparison.has_conflicts());
    assert!(words(&comparison).contains(&(NEW, "edited")));
}

#[test]
fn the_files_of_a_contract_wait_for_one_in_conflict() {
    let mut project = generated();
    project.put(OLD, "select 2\n");
    project.plan(OLD, "select 1, 3\n", ORDERS);
    project.plan(PATH, "models: [{name: stg_orders, columns: []}]\n", ORDERS);
    project.plan("models/other.yml", "models: []\n", &["other@1.0.0"]);
    let comparison = project.compare(WHOLE);
    assert_eq!(
        words(&comparison),
        [
            (PATH, "held"),
            (OLD, "conflict"),
            ("models/other.yml", "new")
        ]
    );
    assert_eq!(codes(&comparison), ["merge/held", "merge/edited"]);
    project.sync(WHOLE);
    assert_eq!(
        project.read(PATH).as_deref(),
        Some("models: [{name: stg_orders}]\n")
    );
    assert_eq!(
        project.read("models/other.yml").as_deref(),
        Some("models: []\n")
    );

    project.sync(MINE);
    assert_eq!(
        project.read(PATH).as_deref(),
        Some("models: [{name: stg_orders, columns: []}]\n")
    );
    assert_eq!(project.read(OLD).as_deref(), Some("select 2\n"));
}

#[test]
fn a_contract_that_moves_changes_the_header_and_makes_no_conflict() {
    let header = |path: &str| format!("# {}{path}; edit it and it is yours\n", crate::plan::HEADER);
    let (old, new) = (header("a.yaml"), header("sales/a.yaml"));
    let mut project = Project::new(&old);
    project.sync(WHOLE);
    project.plan(PATH, &new, ORDERS);
    assert_eq!(project.sync(WHOLE).status, Status::Modified);
    assert_eq!(project.read(PATH), Some(new));

    let mine = format!("{old}# mine\n");
    project.put(PATH, &mine);
    project.plan(PATH, &header("b.yaml"), ORDERS);
    assert_eq!(project.sync(WHOLE).status, Status::Edited);
    assert_eq!(project.read(PATH), Some(mine));
}

#[test]
fn shared_macros_stay_as_long_as_a_file_names_them() {
    const SHARED: &str = "macros/dbt_contracts/contract_between.sql";
    let project = |mine: &str| {
        let mut project = Project::new("a\n");
        project.plan(SHARED, "m\n", &[]);
        project.sync(WHOLE);
        project.artifacts.remove(1);
        project.put("models/mine.yml", mine);
        project
    };
    let of_a_person = project("data_tests: [contract_between]\n");
    of_a_person.sync(PRUNE);
    assert_eq!(of_a_person.read(SHARED).as_deref(), Some("m\n"));

    let edited = project("\n");
    edited.put(PATH, "data_tests: [contract_between]\n");
    edited.sync(PRUNE);
    assert_eq!(edited.read(SHARED).as_deref(), Some("m\n"));

    let unused = project("\n");
    unused.sync(PRUNE);
    assert_eq!(unused.read(SHARED), None);
}

#[test]
fn nothing_prunes_documents_settings_or_what_a_link_leads_to() {
    let entry = |text: &str| Entry::new(text, &["gone@1.0.0".to_owned()]);
    let mut project = Project::new("");
    project.artifacts.clear();
    let paths = [INPUT, "dbt_project.yml", PATH];
    let entries = paths.map(|path| (path.to_owned(), entry("a\n")));
    project.put(
        LOCK_PATH,
        Lock::default().with_files(entries.into()).render(),
    );
    project.put(INPUT, "a\n");
    project.put("dbt_project.yml", "a\n");
    project.put("models/mine.yml", "a\n");
    let link = project.folder.path().join(PATH);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../mine.yml", &link).unwrap();
    let comparison = project.compare(PRUNE);
    assert!(write::changes(&comparison).is_empty(), "{comparison:?}");
    assert_eq!(codes(&comparison), ["merge/blocked"; 3]);
}

#[test]
fn nothing_is_pruned_whose_replacement_waits() {
    let mut project = generated();
    project.put(PATH, "models: [{name: stg_orders, description: mine}]\n");
    project.artifacts.clear();
    project.plan(
        PATH,
        "models: [{name: x_orders, description: theirs}]\n",
        ORDERS,
    );
    project.plan("models/contracts/orders/x_orders.sql", "select 1\n", ORDERS);
    let comparison = project.compare(PRUNE);
    let held = |path: &str| words(&comparison).contains(&(path, "held"));
    assert!(
        held(OLD) && held("models/contracts/orders/x_orders.sql"),
        "{:?}",
        words(&comparison)
    );
    let told = comparison.diagnostics();
    let waits = |path: &str| {
        told.iter()
            .any(|told| told.message.starts_with(&format!("`{path}` waits for")))
    };
    assert!(waits(OLD), "{told:?}");
    project.sync(PRUNE);
    assert_eq!(project.read(OLD).as_deref(), Some("select 1\n"));
}

#[test]
fn an_edit_that_says_nothing_is_no_difference() {
    let project = generated();
    project.put(PATH, "# mine\nmodels: [{name: stg_orders}]\n");
    let comparison = project.compare(WHOLE);
    assert!(!comparison.has_differences());
    assert!(
        comparison
            .files
            .iter()
            .all(|file| file.action == Action::Leave)
    );
}
