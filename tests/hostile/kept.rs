//! Nothing is taken for gone, for a source or for empty because something else cannot be read, is
//! misspelt, or is only half there.

use std::fs;

use crate::project::{CONFIG, ID, PRODUCT, Project, contract};

#[test]
fn a_misspelt_output_port_turns_no_model_into_a_source() {
    for (strictness, code) in [
        ("", 1),
        ("validation: {cross_reference: warn}\n", 1),
        ("validation: {cross_reference: off}\n", 0),
    ] {
        let project = Project::generated();
        project.append("contracts/config.yaml", strictness);
        project.write(
            "contracts/products/shop.yaml",
            &PRODUCT.replace("contractId: orders", "contractId: nothing_like_it"),
        );
        project.stays(code);
        let codes = project.codes(&["generate"]);
        let expected = "lineage/unknown-outputs".to_owned();
        assert_eq!(codes.iter().filter(|code| **code == expected).count(), 1);
    }
}

#[test]
fn a_contract_with_a_new_id_turns_no_model_into_a_source() {
    let project = Project::generated();
    project.write("contracts/contracts/orders.yaml", &contract("sales", ID));
    project.stays(1);
    // With the port, the old model is gone for good.
    let product = PRODUCT.replace("contractId: orders", "contractId: sales");
    project.write("contracts/products/shop.yaml", &product);
    assert_eq!(project.run(&["sync", "--prune"]).0, 0);
    assert!(project.exists("models/contracts/sales/stg_sales.sql"));
    assert!(!project.exists("models/contracts/orders/stg_orders.sql"));
}

#[test]
fn an_output_that_is_not_there_yet_leaves_the_sources_alone() {
    let project = Project(tempfile::tempdir().unwrap());
    project.write(
        "dbt_project.yml",
        "name: shop\nversion: '1.0'\nprofile: shop\n",
    );
    project.write("contracts/config.yaml", CONFIG);
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    project.write("contracts/contracts/order.yaml", &contract("order", ID));
    project.write("contracts/contracts/weather.yaml", &contract("weather", ID));
    project.write("contracts/products/shop.yaml", PRODUCT);
    assert_eq!(project.run(&["generate"]).0, 1);
    assert!(project.exists("models/contracts/raw/sources.yml"));
    assert!(project.exists("models/contracts/weather/sources.yml"));
    assert!(!project.exists("models/contracts/order/sources.yml"));
}

#[test]
fn what_is_left_of_a_document_makes_no_orphans() {
    let no_id = contract("raw", ID).replace("id: raw\n", "");
    let number = contract("raw", ID).replace("id: raw\n", "id: 5\n");
    let list = contract("raw", ID).replace("id: raw\n", "id: [raw]\n");
    for (text, code) in [
        ("", 0),
        ("# nothing\n", 0),
        ("---\n", 0),
        ("apiVer", 0),
        ("id: raw\nversion: 1.0.0\n", 0),
        (no_id.as_str(), 1),
        (number.as_str(), 1),
        (list.as_str(), 1),
    ] {
        for name in ["raw", "orders"] {
            let project = Project::generated();
            // A source that nothing reads, and its emptied file.
            project.write("contracts/contracts/other.yaml", &contract("other", ID));
            assert_eq!(project.run(&["generate"]).0, 0);
            let text = text.replace("raw", name);
            project.write(
                "contracts/contracts/other.yaml",
                &text.replace(name, "other"),
            );
            project.stays(code);
            assert!(!project.codes(&["generate"]).is_empty(), "{text}");
            project.write(&format!("contracts/contracts/{name}.yaml"), &text);
            project.stays(1);
        }
        let project = Project::generated();
        project.write("contracts/products/shop.yaml", text);
        project.stays(code);
    }
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    for text in ["version: 2\nmodels: []\n", "- a\n", "name: x\n"] {
        let project = Project::generated();
        project.write("contracts/contracts/other.yaml", text);
        assert!(
            project
                .codes(&["generate"])
                .iter()
                .all(|code| code == "discovery/ignored")
        );
        project.write(
            "contracts/products/shop.yaml",
            &PRODUCT.replace("orders}", "raw}"),
        );
        fs::remove_file(project.0.path().join("contracts/contracts/orders.yaml")).unwrap();
        project.run(&["sync", "--prune"]);
        assert!(!project.exists("models/contracts/orders/schema.yml"));
    }
}

#[test]
fn a_private_model_is_read_by_its_own_product_only() {
    let private = "    customProperties: [{property: dbt.access, value: private}]\n";
    let reads = "      - name: order_id\n        logicalType: integer\n        relationships:\n          \
                 - {type: foreignKey, to: orders.yaml#/schema/orders/properties/id}\n    \
                 quality:\n      - {type: sql, query: select count(*) from orders, mustBeGreaterThan: 0}\n";
    let project = Project::generated();
    project.append("contracts/config.yaml", "access: product\n");
    let orders = contract("orders", ID)
        .replace("- name: orders", "- id: orders\n    name: orders")
        .replace("{name: id", "{id: id, name: id")
        + private;
    project.write("contracts/contracts/orders.yaml", &orders);
    // A test of a source is in no group.
    project.write("contracts/contracts/other.yaml", &contract("other", reads));
    let codes = project.codes(&["generate"]);
    let count = codes
        .iter()
        .filter(|code| *code == "mapping/access")
        .count();
    assert_eq!(count, 2, "{codes:?}");
    assert_eq!(project.run(&["generate"]).0, 0);
    let sources = project.read("models/contracts/other/sources.yml");
    assert!(!sources.contains("stg_orders"), "{sources}");
    assert!(!project.exists("tests"));
    // A model of another product.
    let second = PRODUCT
        .replace("shop", "second")
        .replace("contractId: raw", "contractId: orders")
        .replace(
            "name: out, version: 1.0.0, contractId: orders",
            "name: out, version: 1.0.0, contractId: report",
        );
    project.write("contracts/products/second.yaml", &second);
    project.write("contracts/contracts/report.yaml", &contract("report", ID));
    let (code, _, stderr) = project.run(&["generate"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("error[mapping/access]"), "{stderr}");
    assert!(
        stderr.contains("contracts/products/second.yaml:8"),
        "{stderr}"
    );
    assert!(!project.exists("models/contracts/report/stg_report.sql"));
    // It may be read where it is protected.
    let orders = orders.replace("private}", "protected}");
    project.write("contracts/contracts/orders.yaml", &orders);
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(project.exists("models/contracts/report/stg_report.sql"));
    assert!(
        project
            .read("models/contracts/other/sources.yml")
            .contains("stg_orders")
    );
    // A word that dbt does not know opens nothing, and what is read by others is not shut.
    for access in ["secret}", "[private]}", "private}"] {
        let orders = orders.replace("protected}", access);
        project.write("contracts/contracts/orders.yaml", &orders);
        let stands = project.read("models/contracts/orders/schema.yml");
        assert_eq!(project.run(&["sync", "--force", "--prune"]).0, 1);
        assert_eq!(project.read("models/contracts/orders/schema.yml"), stands);
        assert!(project.exists("models/contracts/report/stg_report.sql"));
    }
}

#[test]
fn columns_that_vanish_are_kept_and_told() {
    let project = Project::generated();
    let (head, _) = contract("orders", "")
        .split_once("    properties:")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    project.write("contracts/contracts/orders.yaml", &head);
    project.stays(0);
    let (_, _, stderr) = project.run(&["generate"]);
    assert!(stderr.contains("has no properties any more"), "{stderr}");
    // To give them up takes a deed.
    fs::remove_file(project.0.path().join("models/contracts/orders/schema.yml")).unwrap();
    assert_eq!(project.run(&["sync", "--force"]).0, 0);
    assert!(
        !project
            .read("models/contracts/orders/schema.yml")
            .contains("columns")
    );
    assert_eq!(project.codes(&["generate"]), ["mapping/no-columns"]);
}

#[test]
fn a_contract_is_written_whole_or_not_at_all() {
    let project = Project(tempfile::tempdir().unwrap());
    let other = Project::generated();
    for file in [
        "dbt_project.yml",
        "contracts/config.yaml",
        "contracts/contracts/raw.yaml",
        "contracts/contracts/orders.yaml",
        "contracts/products/shop.yaml",
    ] {
        project.write(file, &other.read(file));
    }
    for template in ["schema.yml.j2", "staging.sql.j2"] {
        project.write(&format!("contracts/templates/{template}"), "<%= nosuch %>");
        assert_eq!(project.run(&["generate"]).0, 1);
        assert!(project.exists("models/contracts/raw/sources.yml"));
        assert!(!project.exists("models/contracts/orders"), "{template}");
        fs::remove_file(project.0.path().join("contracts/templates").join(template)).unwrap();
        project.run(&["sync", "--prune"]);
        fs::remove_dir_all(project.0.path().join("models")).unwrap();
        fs::remove_file(project.0.path().join("contracts/dbt-contracts.lock")).unwrap();
    }
    // What would read it waits too.
    project.write("contracts/templates/sources.yml.j2", "<%= nosuch %>");
    let codes = project.codes(&["generate"]);
    assert_eq!(codes, ["mapping/held-back", "mapping/template"]);
    assert!(!project.exists("models"));
}

#[test]
fn a_file_that_cannot_be_merged_part_by_part_says_why() {
    let project = Project::generated();
    let path = "models/contracts/orders/schema.yml";
    project.append(path, "---\nmodels: []\n");
    let more = format!("{ID}      - {{name: amount, logicalType: number}}\n");
    project.write(
        "contracts/contracts/orders.yaml",
        &contract("orders", &more),
    );
    let before = project.read(path);
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 1);
    assert!(
        told.contains("since it has more than one document"),
        "{told}"
    );
    assert_eq!(project.read(path), before);
}

#[test]
fn what_was_generated_for_another_contract_is_its_own_without_a_lock_too() {
    let project = Project::empty();
    let named = |id: &str, name: &str, object: &str| {
        contract(id, ID)
            .replace(
                &format!("name: {id}\nversion"),
                &format!("name: {name}\nversion"),
            )
            .replace(&format!("- name: {id}"), &format!("- name: {object}"))
    };
    // The first two want one file, and so stand nowhere; the first has an object of the third's name.
    for (id, name, object) in [
        ("a", "same", "orders"),
        ("b", "Same", "x"),
        ("c", "local", "orders"),
    ] {
        let path = format!("contracts/contracts/{id}.yaml");
        project.write(&path, &named(id, name, object));
    }
    assert_eq!(project.run(&["sync"]).0, 1);
    assert!(project.exists("models/contracts/local/sources.yml"));
    let (told, lock) = (
        project.codes(&["diff"]),
        project.read("contracts/dbt-contracts.lock"),
    );
    project.remove("contracts/dbt-contracts.lock");
    assert_eq!(project.codes(&["sync"]), told);
    assert_eq!(project.read("contracts/dbt-contracts.lock"), lock);
}
