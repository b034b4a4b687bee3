//! What happens to one contract must not make the files of another one wrong: its tests, the table
//! that it reads, the SQL that a person wrote for it.

use crate::project::{ID, PRODUCT, Project, contract};

/// The other contract, whose rule in SQL counts the rows of the model `orders`.
fn counting() -> String {
    contract("other", ID).replace(
        "    properties:\n",
        "    quality: [{type: sql, id: k, query: select count(*) from orders, mustBe: 1}]\n    properties:\n",
    )
}

const COUNTING: &str = "tests/dbt_contracts/other/other_other_k.sql";

#[test]
fn a_rule_in_sql_goes_on_reading_the_model_of_a_contract_that_is_retired_or_broken() {
    for change in [
        ("status: active", "status: retired"),
        ("version: 1.0.0", "x: 1\nversion: 1.0.0"),
    ] {
        let project = Project::generated();
        project.write("contracts/contracts/other.yaml", &counting());
        assert_eq!(project.run(&["generate"]).0, 0);
        let before = project.read(COUNTING);
        assert!(before.contains("from {{ ref('stg_orders') }}"), "{before}");
        let orders = contract("orders", ID).replace(change.0, change.1);
        project.write("contracts/contracts/orders.yaml", &orders);
        project.run(&["sync"]);
        assert_eq!(project.read(COUNTING), before);
    }
}

#[test]
fn a_rule_in_sql_on_a_model_that_never_was_has_no_test() {
    let project = Project::empty();
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    let orders = contract("orders", ID).replace("status: active", "status: retired");
    project.write("contracts/contracts/orders.yaml", &orders);
    project.write("contracts/products/shop.yaml", PRODUCT);
    project.write("contracts/contracts/other.yaml", &counting());
    let codes = project.codes(&["generate"]);
    assert!(codes.contains(&"mapping/no-counterpart".to_owned()));
    assert!(!project.exists(COUNTING));
    assert!(project.exists("models/contracts/other/sources.yml"));
}

#[test]
fn tests_that_lead_to_a_contract_stay_while_its_file_cannot_be_read() {
    let relationship = "      - name: order_id\n        logicalType: integer\n        relationships:\n          \
                        - {type: foreignKey, to: orders.yaml#/schema/orders/properties/id}\n";
    for other in [contract("other", relationship), counting()] {
        let project = Project::generated();
        let orders = contract("orders", ID)
            .replace("- name: orders", "- id: orders\n    name: orders")
            .replace("{name: id", "{id: id, name: id");
        project.write("contracts/contracts/orders.yaml", &orders);
        project.write("contracts/contracts/other.yaml", &other);
        assert_eq!(project.run(&["generate"]).0, 0);
        let broken = orders.replace("apiVersion: v3.1.0", "apiVersion: [");
        project.write("contracts/contracts/orders.yaml", &broken);
        project.stays(1);
        let codes = project.codes(&["generate"]);
        assert!(codes.contains(&"mapping/held-back".to_owned()), "{codes:?}");
    }
}

#[test]
fn a_copy_of_a_source_in_a_higher_version_is_not_taken_for_the_one_that_ports_name() {
    let project = Project::generated();
    let before = project.read("models/contracts/raw/sources.yml");
    let copy = contract("raw", "      - {name: other, logicalType: integer}\n");
    let copy = copy.replace("version: 1.0.0", "version: 1.0.1");
    project.write("contracts/contracts/copy/raw.yaml", &copy);
    assert_eq!(project.run(&["generate"]).0, 0);
    assert_eq!(project.read("models/contracts/raw/sources.yml"), before);
    // Where ports name both, one of them does not get what it names, and is told.
    let second = "  - {name: in2, version: 1.0.1, contractId: raw}\noutputPorts";
    let product = PRODUCT.replace("outputPorts", second);
    project.write("contracts/products/shop.yaml", &product);
    let codes = project.codes(&["generate"]);
    let expected = "mapping/other-version".to_owned();
    assert_eq!(codes.iter().filter(|code| **code == expected).count(), 1);
    let after = project.read("models/contracts/raw/sources.yml");
    assert!(after.contains("name: other"), "{after}");
}

/// The file of a version of `orders`; a newer version takes the place of an older one in it.
fn document(version: &str) -> String {
    let line = version.rsplit_once('.').unwrap().0;
    format!("contracts/contracts/orders_{line}.yaml")
}

/// A product that outputs `orders` in these versions, and one that reads the last of them.
fn versions(project: &Project, versions: &[&str]) {
    let mut shop = PRODUCT.replace("  - {name: out, version: 1.0.0, contractId: orders}\n", "");
    for version in versions {
        let properties = ID.replace("minimum: 1", "minimum: 2");
        let text = contract("orders", &properties)
            .replace("version: 1.0.0", &format!("version: {version}"));
        project.write(&document(version), &text);
        let port = format!("  - {{name: out{version}, version: {version}, contractId: orders}}\n");
        shop.push_str(&port);
    }
    project.write("contracts/products/shop.yaml", &shop);
    let reader = PRODUCT
        .replace("shop", "reader")
        .replace("contractId: orders", "contractId: report")
        .replace("contractId: raw", "contractId: orders");
    let last = format!(
        "version: {}, contractId: orders",
        versions[versions.len() - 1]
    );
    let reader = reader.replace("version: 1.0.0, contractId: orders", &last);
    project.write("contracts/products/reader.yaml", &reader);
    project.write("contracts/contracts/report.yaml", &contract("report", ID));
}

#[test]
fn the_sql_that_a_person_wrote_for_a_version_stays_that_version_whatever_its_number() {
    for (before, after, file) in [
        // The older version is gone, and the model has one version again.
        (["1.0.0", "2.0.0"], ["2.0.0"].as_slice(), "stg_orders_v2"),
        // Versions of one major number are numbered in full.
        (["0.1.0", "0.2.0"], &["0.1.0", "0.2.1"], "stg_orders_v0.2.0"),
        (["0.1.0", "0.2.0"], &["0.2.1"], "stg_orders_v0.2.0"),
    ] {
        let project = Project::empty();
        project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
        versions(&project, &before);
        assert_eq!(project.run(&["generate"]).0, 0);
        let path = format!("models/contracts/orders/{file}.sql");
        project.append(&path, "-- mine\n");
        for version in before {
            project.remove(&document(version));
        }
        versions(&project, after);
        assert_eq!(project.run(&["sync", "--prune"]).0, 0, "{after:?}");
        assert!(project.read(&path).ends_with("-- mine\n"));
        let schema = project.read("models/contracts/orders/schema.yml");
        let is_named = schema.contains(&format!("defined_in: {file}"));
        assert!(is_named || file == "stg_orders_v2", "{schema}");
        let own = project.artifacts();
        let own = own.iter().filter(|(path, _)| path.contains("/stg_orders"));
        assert_eq!(own.count(), after.len());
        // And it is so from then on.
        assert_eq!(project.run(&["diff"]).0, 0);
    }
}

#[test]
fn a_macro_that_a_person_has_already_is_not_written_a_second_time() {
    let project = Project::empty();
    project.write(
        "macros/mine.sql",
        "{% test contract_between(model, column_name) %} select 1 {% endtest %}\n",
    );
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    let plain = "      - {name: id, logicalType: integer}\n";
    project.write("contracts/contracts/other.yaml", &contract("other", plain));
    let codes = project.codes(&["generate"]);
    assert!(codes.contains(&"mapping/name-collision".to_owned()));
    assert!(!project.exists("macros/dbt_contracts/contract_between.sql"));
    // Whoever needs none of those tests is written.
    assert!(!project.exists("models/contracts/raw/sources.yml"));
    assert!(project.exists("models/contracts/other/sources.yml"));
    project.remove("macros/mine.sql");
    assert_eq!(project.run(&["generate"]).0, 0);
    // What was generated stays ours, wherever it is, with and without the lock.
    project.remove("contracts/dbt-contracts.lock");
    assert_eq!(project.run(&["sync"]).0, 0);
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn a_group_that_a_person_has_declared_is_not_declared_a_second_time() {
    let project = Project::generated();
    project.append("contracts/config.yaml", "access: product\n");
    let groups = "groups:\n  - name: shop\n    owner: {name: x}\n";
    project.write("models/groups.yml", groups);
    let codes = project.codes(&["generate"]);
    assert_eq!(codes, ["mapping/name-collision"]);
    assert!(!project.exists("models/contracts/groups.yml"));
    project.remove("models/groups.yml");
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(project.exists("models/contracts/groups.yml"));
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn a_model_that_is_switched_off_is_not_taken_for_the_model() {
    let project = Project::generated();
    let sql = "models/contracts/orders/stg_orders.sql";
    project.remove(sql);
    project.remove("contracts/dbt-contracts.lock");
    let legacy = "models/legacy/stg_orders.sql";
    project.write(legacy, "select 1 as id\n");
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(!project.exists(sql));
    project.write(legacy, "{{ config(enabled=false) }}\nselect 1 as id\n");
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(project.exists(sql));
}

#[test]
fn a_contract_that_loses_its_product_is_told_to_change_sides() {
    let project = Project::generated();
    project.remove("contracts/products/shop.yaml");
    let codes = project.codes(&["diff"]);
    let expected = "lineage/changed-role".to_owned();
    assert_eq!(codes.iter().filter(|code| **code == expected).count(), 1);
    // Once it is settled, nothing more is said of it.
    assert_eq!(project.run(&["sync", "--prune"]).0, 0);
    assert!(!project.codes(&["sync"]).contains(&expected));
}

#[test]
fn a_new_rule_in_sql_leaves_the_tests_of_others_where_they_are() {
    let rules = |rules: &[&str]| {
        let rules: Vec<String> = rules
            .iter()
            .map(|query| format!("{{type: sql, query: \"{query}\", mustBe: 1}}"))
            .collect();
        let quality = format!("    quality: [{}]\n    properties:\n", rules.join(", "));
        contract("other", ID).replace("    properties:\n", &quality)
    };
    let (first, second) = (
        "select count(*) from {object}",
        "select max(id) from {object}",
    );
    let project = Project::generated();
    project.write("contracts/contracts/other.yaml", &rules(&[first, second]));
    assert_eq!(project.run(&["generate"]).0, 0);
    let before = project.tests("other");
    assert_eq!(before.len(), 2);
    let added = "select min(id) from {object}";
    project.write(
        "contracts/contracts/other.yaml",
        &rules(&[added, first, second]),
    );
    assert_eq!(project.run(&["generate"]).0, 0);
    let after = project.tests("other");
    assert_eq!(after.len(), 3);
    assert!(before.iter().all(|test| after.contains(test)));
}

#[test]
fn without_the_lock_versions_that_were_generated_are_still_ours() {
    let project = Project::empty();
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    versions(&project, &["1.0.0", "2.0.0"]);
    assert_eq!(project.run(&["generate"]).0, 0);
    let before = project.artifacts();
    project.remove("contracts/dbt-contracts.lock");
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(project.artifacts(), before);
    assert_eq!(project.run(&["diff"]).0, 0);
}
