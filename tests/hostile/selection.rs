//! What is selected, and what is said of what a run did.

use std::fs;

use crate::project::{ID, Project, contract};

/// The models that are written for a selection in a fresh project.
fn selected(arguments: &[&str]) -> (i32, String, String) {
    let project = Project::generated();
    fs::remove_dir_all(project.0.path().join("models")).unwrap();
    let arguments = [&["diff", "--force", "--name-only"], arguments].concat();
    project.run(&arguments)
}

#[test]
fn names_are_those_of_dbt_too() {
    let orders = "models/contracts/orders/schema.yml\nmodels/contracts/orders/stg_orders.sql\n";
    let raw = "models/contracts/raw/sources.yml\n";
    for (selector, files) in [
        ("orders", orders),
        ("stg_orders", orders),
        ("stg_*", orders),
        ("models/contracts/orders/stg_orders.sql", orders),
        ("path:models/contracts/raw", raw),
        ("source:raw", raw),
        ("source:raw.raw", raw),
        ("source:raw.*", raw),
        ("+stg_orders,source:raw.raw", raw),
    ] {
        let (code, stdout, stderr) = selected(&["-s", selector]);
        assert_eq!((code, stdout.as_str()), (1, files), "{selector}: {stderr}");
    }
}

#[test]
fn what_is_no_selector_is_told() {
    for (selector, words) in [
        ("name:orders", "known are `contract:`, `domain:`"),
        ("config.materialized:view", "`config.materialized:` in"),
        ("@orders", "operator that is not known"),
        ("1+orders", "operator that is not known"),
        ("orders+2", "operator that is not known"),
        ("stg_ordes", "did you mean `stg_orders`?"),
    ] {
        for arguments in [["-s", selector], ["--exclude", selector]] {
            if arguments[0] == "--exclude" && selector == "stg_ordes" {
                continue;
            }
            let (code, _, stderr) = selected(&arguments);
            assert_eq!(code, 2, "{selector}");
            assert!(stderr.contains(words), "{selector}: {stderr}");
        }
    }
}

#[test]
fn an_id_is_an_id_whatever_it_looks_like() {
    let project = Project::generated();
    for id in ["urn:shop:items", "tag:items", "@items", "items+1", "+items"] {
        let text = contract("items", ID).replace("\nid: items\n", &format!("\nid: '{id}'\n"));
        project.write("contracts/contracts/items.yaml", &text);
        let (code, stdout, stderr) = project.run(&["diff", "--name-only", "-s", id]);
        assert_eq!(code, 1, "{id}: {stderr}");
        assert_eq!(stdout, "models/contracts/items/sources.yml\n", "{id}");
    }
    // A slip in an id with a colon is a slip, and no method.
    let text = contract("items", ID).replace("\nid: items\n", "\nid: urn:shop:items\n");
    project.write("contracts/contracts/items.yaml", &text);
    let (_, _, stderr) = project.run(&["diff", "-s", "urn:shop:item"]);
    assert!(
        stderr.contains("did you mean `urn:shop:items`?"),
        "{stderr}"
    );
}

#[test]
fn a_run_says_what_it_did() {
    let project = Project::generated();
    project.append("models/contracts/orders/stg_orders.sql", "-- mine\n");
    fs::remove_file(project.0.path().join("models/contracts/orders/schema.yml")).unwrap();
    fs::remove_file(project.0.path().join("contracts/products/shop.yaml")).unwrap();
    project.write("contracts/contracts/other.yaml", &contract("other", ID));
    let lines = |arguments: &[&str]| {
        let (_, stdout, _) = project.run(arguments);
        let lines = stdout.lines().map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    // Orphans are listed, though nothing would be written.
    assert_eq!(
        lines(&["diff", "--name-only"]),
        [
            "models/contracts/orders/sources.yml",
            "models/contracts/orders/stg_orders.sql",
            "models/contracts/other/sources.yml",
        ]
    );
    assert!(
        lines(&["diff", "--stat"])
            .contains(&"orphaned   models/contracts/orders/stg_orders.sql".to_owned())
    );
    project.write("models/contracts/other/sources.yml", "version: [\n");
    assert!(
        lines(&["diff", "--name-only"]).contains(&"models/contracts/other/sources.yml".to_owned())
    );
    let done = lines(&["sync", "--force", "--prune"]);
    assert_eq!(
        done[..3],
        [
            "new        models/contracts/orders/sources.yml",
            "orphaned   models/contracts/orders/stg_orders.sql",
            "replaced   models/contracts/other/sources.yml",
        ]
    );
    assert!(
        done[3].contains("0 edited, 0 conflict, 1 orphaned, 1 replaced;"),
        "{done:?}"
    );
    fs::remove_file(project.0.path().join("contracts/contracts/other.yaml")).unwrap();
    fs::remove_file(project.0.path().join("models/contracts/raw/sources.yml")).unwrap();
    let done = lines(&["sync", "--force", "--prune"]);
    assert!(
        done.contains(&"deleted    models/contracts/other/sources.yml".to_owned()),
        "{done:?}"
    );
    assert!(
        done.contains(&"restored   models/contracts/raw/sources.yml".to_owned()),
        "{done:?}"
    );
}

#[test]
fn each_format_is_the_one_asked_for() {
    let project = Project::generated();
    let (code, stdout, _) = project.run(&["lineage", "--as", "json", "--format", "sarif"]);
    assert_eq!(code, 2);
    assert!(stdout.contains("\"runs\""), "{stdout}");
    let (_, document) = project.json(&["validate", "--config", ".", "--format", "json"]);
    assert_eq!(document["error"]["path"], ".");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_told() {
    let project = Project::generated();
    let path = project.0.path().join("contracts/contracts/socket.yaml");
    let _socket = std::os::unix::net::UnixListener::bind(path).unwrap();
    assert!(
        project
            .codes(&["generate"])
            .contains(&"discovery/unreadable".to_owned())
    );
}
