//! A contract whose files get other places has each of them once, and no edit is lost on the way.

use std::fs;

use crate::project::Project;

const OLD: &str = "models/contracts/orders/stg_orders.sql";
const NEW: &str = "models/contracts/sales/stg_orders.sql";

/// A project in which `orders` gets another name after the first run.
fn renamed(edit: &str) -> Project {
    let project = Project::generated();
    project.append(OLD, edit);
    let path = "contracts/contracts/orders.yaml";
    let contract = project.read(path);
    project.write(
        path,
        &contract.replace("\nname: orders\n", "\nname: Sales\n"),
    );
    project
}

#[test]
fn a_new_name_moves_the_files() {
    for command in [&["generate"][..], &["generate", "-s", "orders"], &["sync"]] {
        let project = renamed("");
        assert_eq!(project.run(command).0, 0);
        assert!(project.exists(NEW) && project.exists("models/contracts/sales/schema.yml"));
        assert!(!project.exists("models/contracts/orders"));
        assert_eq!(project.run(&["diff"]).0, 0);
    }
}

#[test]
fn a_new_layout_moves_the_macros() {
    let project = Project::generated();
    assert!(project.exists("macros/dbt_contracts/contract_between.sql"));
    project.append("contracts/config.yaml", "layout: {macros: macros/ours}\n");
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(project.exists("macros/ours/contract_between.sql"));
    assert!(!project.exists("macros/dbt_contracts"));
}

#[test]
fn an_edited_file_stays_until_somebody_decides() {
    let project = renamed("-- mine\n");
    for command in ["generate", "sync"] {
        assert_eq!(project.run(&[command]).0, 1);
        assert!(project.read(OLD).ends_with("-- mine\n") && !project.exists(NEW));
    }
    assert_eq!(project.run(&["sync", "--keep-mine"]).0, 0);
    assert!(project.read(OLD).ends_with("-- mine\n") && !project.exists(NEW));
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn a_contract_that_moves_makes_no_conflict_of_an_edit() {
    let project = Project::generated();
    project.append(OLD, "-- mine\n");
    let old = "contracts/contracts/orders.yaml";
    let contract = project.read(old);
    project.write("contracts/contracts/sales/orders.yaml", &contract);
    fs::remove_file(project.0.path().join(old)).unwrap();
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(project.read(OLD).ends_with("-- mine\n"));
}
