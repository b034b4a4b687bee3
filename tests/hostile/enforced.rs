//! The constraints of models that a person describes and has dbt enforce.

use crate::bound::{MARTS, written};
use crate::project::{ID, PRODUCT, Project, contract};

const MODEL: &str = "models/marts/all.yaml";
const CONTRACT: &str = "contracts/contracts/orders.yaml";

/// A project whose model says that of itself.
fn with(config: &str) -> Project {
    let project = written();
    project.write(MODEL, &MARTS.replace("{materialized: table}", config));
    project
}

/// The model after a run that brings the project in step.
fn synced(project: &Project) -> String {
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 0, "{told}");
    let text = project.read(MODEL);
    assert_eq!(project.run(&["diff"]).0, 0, "{text}");
    text
}

#[test]
fn they_come_where_it_is_a_table() {
    for config in [
        "{materialized: table, contract: {enforced: true}}",
        "{materialized: incremental, contract: {enforced: true}}",
    ] {
        let project = with(config);
        let text = synced(&project);
        for kind in ["not_null", "unique"] {
            assert!(text.contains(&format!("- type: {kind}")), "{text}");
        }
        // A table has one, and what else is checked are tests.
        assert!(
            !text.contains("primary_key") && !text.contains("check"),
            "{text}"
        );
        // Nobody knows any more whose they are, and they stay.
        project.remove("contracts/dbt-contracts.lock");
        assert_eq!(synced(&project), text);
    }
}

#[test]
fn they_follow_the_contract() {
    let project = with("{materialized: table, contract: {enforced: true}}");
    synced(&project);
    let other = format!(
        "{}      - {{name: code, logicalType: integer, primaryKey: true}}\n",
        ID.replace("primaryKey: true, ", "")
    );
    project.write(CONTRACT, &contract("orders", &other));
    let text = synced(&project);
    let (of_id, of_code) = text.split_once("- name: code").unwrap();
    assert!(!of_id.contains("constraints"), "{text}");
    assert!(of_code.contains("- type: unique"), "{text}");
    assert!(of_id.contains("# the key"), "{text}");
    // Once it is a view, it has none.
    project.write(
        MODEL,
        &text.replace("materialized: table", "materialized: view"),
    );
    let text = synced(&project);
    assert!(!text.contains("constraints"), "{text}");
}

#[test]
fn an_author_who_writes_constraints_writes_them_all() {
    for (old, own) in [
        (
            "columns:\n",
            "constraints: [{type: primary_key, columns: [id]}]\n      columns:\n",
        ),
        (
            "# the key\n",
            "# the key\n            constraints: [{type: check, expression: id > 0}]\n",
        ),
        (
            "# the key\n",
            "# the key\n            constraints: [{type: not_null, name: mine}]\n",
        ),
    ] {
        let project = with("{materialized: table, contract: {enforced: true}}");
        let text = project.read(MODEL).replacen(old, own, 1);
        project.write(MODEL, &text);
        let text = synced(&project);
        let own = own.lines().find(|line| line.contains("constraints"));
        assert!(text.contains(own.unwrap()), "{text}");
        assert_eq!(text.matches("constraints").count(), 1, "{text}");
    }
}

#[test]
fn there_are_none_where_it_is_no_table_or_nothing_says_so() {
    for config in [
        "{materialized: view, contract: {enforced: true}}",
        "{contract: {enforced: true}}",
        "{materialized: table, contract: {enforced: false}}",
        "{materialized: table}",
    ] {
        let text = synced(&with(config));
        assert!(!text.contains("constraints"), "{config}: {text}");
    }
    // A type that is not known would keep dbt from loading the project.
    let project = with("{materialized: table, contract: {enforced: true}}");
    let further = format!("{ID}      - {{name: thing, physicalType: nosuch}}\n");
    project.write(CONTRACT, &contract("orders", &further));
    let text = synced(&project);
    assert!(!text.contains("constraints"), "{text}");
}

#[test]
fn what_was_written_for_a_contract_is_no_wish_of_the_author() {
    let asks = |property: &str| format!("    customProperties: [{{property: {property}}}]\n");
    for (config, property) in [
        (
            "{contract: {enforced: true}}",
            "dbt.materialized, value: table",
        ),
        ("{materialized: table}", "dbt.enforced, value: true"),
    ] {
        let project = with(config);
        let orders = contract("orders", ID);
        project.write(CONTRACT, &(orders.clone() + &asks(property)));
        // `synced` sees that nothing is left for a second run.
        synced(&project);
        project.write(CONTRACT, &orders);
        let text = synced(&project);
        assert!(!text.contains("constraints"), "{config}: {text}");
    }
}

#[test]
fn no_key_leads_to_the_table_of_a_person() {
    let as_table = |id: &str| format!("- id: {id}\n    physicalType: table\n    name: {id}");
    let lines = "      - name: order_id\n        logicalType: integer\n        relationships:\n          \
                 - {type: foreignKey, to: orders.yaml#/schema/orders/properties/id}\n";
    let orders = contract("orders", ID)
        .replace("- name: orders", &as_table("orders"))
        .replace("{name: id", "{id: id, name: id");
    let lines = contract("lines", lines).replace("- name: lines", &as_table("lines"));
    let further = PRODUCT.replace("shop", "lines").replace("orders", "lines");
    for is_theirs in [false, true] {
        let project = Project::empty();
        project.append(
            "contracts/config.yaml",
            "model_contracts: {enforced: true}\n",
        );
        project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
        project.write(CONTRACT, &orders);
        project.write("contracts/contracts/lines.yaml", &lines);
        project.write("contracts/products/shop.yaml", PRODUCT);
        project.write(
            "contracts/products/lines.yaml",
            &further.replace("raw", "orders"),
        );
        // Its author may build it in another way, without a key that anything can lead to.
        if is_theirs {
            project.write("models/orders.sql", "select 1 as id\n");
            project.write(
                MODEL,
                "models: [{name: orders, config: {materialized: table}}]\n",
            );
        }
        let (code, _, told) = project.run(&["sync"]);
        assert_eq!(code, 0, "{told}");
        let text = project.read("models/contracts/lines/schema.yml");
        assert_eq!(text.contains("- type: foreign_key"), !is_theirs, "{text}");
    }
}

#[test]
fn a_contract_may_ask_not_to_be_enforced() {
    let project = written();
    let marts = MARTS.replace(
        "{materialized: table}",
        "{materialized: table, contract: {enforced: true}}",
    );
    project.write("models/marts/all.yaml", &marts);
    let asks = "    customProperties: [{property: dbt.enforced, value: false}]\n";
    project.write(
        "contracts/contracts/orders.yaml",
        &(contract("orders", ID) + asks),
    );
    let (code, _, told) = project.run(&["generate"]);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("`config/contract` of model `orders` differs"),
        "{told}"
    );
    assert!(
        project
            .read("models/marts/all.yaml")
            .contains("enforced: true")
    );
    assert_eq!(project.run(&["sync", "--force"]).0, 0);
    let text = project.read("models/marts/all.yaml");
    assert!(text.contains("contract: {enforced: false}"), "{text}");
    assert_eq!(project.run(&["diff"]).0, 0);
}
