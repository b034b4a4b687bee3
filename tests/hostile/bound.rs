//! What a person describes is found, filled in where it stands, and otherwise left alone.

use crate::project::{CONFIG, ID, PRODUCT, Project, contract};

/// The models and sources of a person, with all the freedom that YAML gives.
pub(crate) const MARTS: &str = "\
# Marts. Ask before you touch them.
version: 2

models:
    # everybody's darling
    - name: orders
      config: {materialized: table}
      columns:
          - name: id   # the key
            tests: [unique]

sources:
    - {name: raw, tables: [{name: raw, description: 'as it comes'}]}
";

/// A project in which both contracts are there already.
pub(crate) fn written() -> Project {
    let project = Project::empty();
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    project.write("contracts/contracts/orders.yaml", &contract("orders", ID));
    project.write("contracts/products/shop.yaml", PRODUCT);
    project.write("models/marts/orders.sql", "select 1 as id\n");
    project.write("models/marts/all.yaml", MARTS);
    project
}

/// The lines of `text` that are not lines of `others`, in order.
fn lines_beside<'t>(text: &'t str, others: &str) -> Vec<&'t str> {
    let mut others: Vec<&str> = others.lines().collect();
    let mut beside = Vec::new();
    for line in text.lines() {
        match others.iter().position(|other| *other == line) {
            Some(place) => {
                others.remove(place);
            }
            None => beside.push(line.trim()),
        }
    }
    beside
}

#[test]
fn what_is_there_is_filled_in_where_it_stands() {
    let project = written();
    assert_eq!(project.run(&["generate"]).0, 0);
    for path in [
        "models/contracts/orders/schema.yml",
        "models/contracts/raw/sources.yml",
    ] {
        assert!(!project.exists(path), "{path}");
    }
    let text = project.read("models/marts/all.yaml");
    let kept = lines_beside(MARTS, &text);
    assert_eq!(
        kept,
        [
            "config: {materialized: table}",
            "tests: [unique]",
            "- {name: raw, tables: [{name: raw, description: 'as it comes'}]}"
        ],
        "{text}"
    );
    assert!(
        text.contains("config: {materialized: table, meta: "),
        "{text}"
    );
    assert_eq!(project.run(&["generate"]).0, 0);
    assert_eq!(project.read("models/marts/all.yaml"), text);
    project.remove("contracts/dbt-contracts.lock");
    assert_eq!(project.run(&["sync"]).0, 0);
    assert_eq!(project.read("models/marts/all.yaml"), text);
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn a_change_of_the_contract_touches_its_own_lines() {
    let project = written();
    project.run(&["generate"]);
    let before = project.read("models/marts/all.yaml");
    let described = ID.replace("{name: id,", "{name: id, description: The key,");
    project.write(
        "contracts/contracts/orders.yaml",
        &contract("orders", &described),
    );
    assert_eq!(project.run(&["generate"]).0, 0);
    let after = project.read("models/marts/all.yaml");
    assert_eq!(lines_beside(&after, &before), ["description: The key"]);
    assert_eq!(lines_beside(&before, &after), [""; 0]);
}

#[test]
fn two_that_a_contract_may_mean_are_an_error() {
    let project = written();
    project.write(
        "models/other.yml",
        "sources: [{name: crm, tables: [{name: raw}]}]\n",
    );
    // The naming of the contract says `raw.raw`, so there is no doubt.
    assert_eq!(project.run(&["generate"]).0, 0);
    let project = written();
    let text = MARTS.replace("{name: raw, tables", "{name: shop, schema: raw, tables");
    project.write("models/marts/all.yaml", &text);
    project.write(
        "models/other.yml",
        "sources: [{name: crm, schema: RAW, tables: [{name: raw}]}]\n",
    );
    assert_eq!(project.run(&["generate"]).0, 1);
    let codes = project.codes(&["generate"]);
    assert!(
        codes.contains(&"mapping/ambiguous-binding".to_owned()),
        "{codes:?}"
    );
    assert_eq!(project.read("models/marts/all.yaml"), text);
}

#[test]
fn a_contract_is_known_by_its_id_in_meta() {
    let project = written();
    let text = MARTS.replace(
        "- name: orders\n",
        "- name: fct_sales\n      meta: {data_contract: orders}\n",
    );
    project.write("models/marts/all.yaml", &text);
    project.remove("models/marts/orders.sql");
    project.write("models/marts/fct_sales.sql", "select 1 as id\n");
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(
        project
            .read("models/marts/all.yaml")
            .contains("data_type: integer")
    );
    assert!(!project.exists("models/contracts/orders/stg_orders.sql"));
}

#[test]
fn a_contract_that_is_gone_leaves_the_entry() {
    let project = written();
    project.run(&["generate"]);
    let before = project.read("models/marts/all.yaml");
    project.remove("contracts/contracts/orders.yaml");
    project.write(
        "contracts/products/shop.yaml",
        &PRODUCT.replace(
            "  - {name: out, version: 1.0.0, contractId: orders}\n",
            "  - {name: out, version: 1.0.0, contractId: raw}\n",
        ),
    );
    project.run(&["sync"]);
    assert_eq!(
        lines_beside(&before, &project.read("models/marts/all.yaml")),
        [""; 0]
    );
    assert!(
        project
            .codes(&["sync"])
            .contains(&"merge/orphaned".to_owned())
    );
    project.run(&["sync", "--prune"]);
    let after = project.read("models/marts/all.yaml");
    assert!(
        after.contains("- name: orders\n") && after.contains("tests: [unique]"),
        "{after}"
    );
    assert!(!after.contains("data_contract: {id: orders"), "{after}");
}

#[test]
fn a_file_that_cannot_be_edited_is_told_and_stays() {
    let broken = MARTS.to_owned() + "---\na: 1\n";
    let project = written();
    project.write("models/marts/all.yaml", &broken);
    assert_eq!(project.run(&["generate"]).0, 1);
    assert_eq!(project.read("models/marts/all.yaml"), broken);
}

#[test]
fn what_two_places_share_is_told_and_holds_nothing_else_back() {
    let shared = MARTS.replace("    - name: orders\n", "    - &o\n      name: orders\n")
        + "\nexposures: [*o]\n";
    let project = written();
    project.write("models/marts/all.yaml", &shared);
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 1);
    assert!(told.contains("models/marts/all.yaml:"), "{told}");
    let after = project.read("models/marts/all.yaml");
    assert!(after.contains("contract_between"), "{after}");
    let (models, _) = shared.split_once("sources:").unwrap();
    assert!(after.starts_with(models), "{after}");
    // Accepted, it is at rest.
    assert_eq!(project.run(&["sync", "--keep-mine"]).0, 0);
    assert_eq!(project.run(&["sync"]).0, 0);
    assert_eq!(project.read("models/marts/all.yaml"), after);
}

#[test]
fn a_persons_additions_to_a_generated_file_stay_through_changes() {
    let project = Project::generated();
    let path = "models/contracts/orders/schema.yml";
    let text = project.read(path).replace(
        "          - not_null\n",
        "          - not_null\n          - mine   # really\n",
    );
    project.write(path, &text);
    project.write(
        "models/extra.sql",
        "{% test mine(model, column_name) %}select 1 where 1=0{% endtest %}",
    );
    let described = ID.replace("{name: id,", "{name: id, description: The key,");
    project.write(
        "contracts/contracts/orders.yaml",
        &contract("orders", &described),
    );
    project.write("contracts/config.yaml", CONFIG);
    assert_eq!(project.run(&["sync"]).0, 0);
    let after = project.read(path);
    assert_eq!(lines_beside(&after, &text), ["description: The key"]);
    assert_eq!(lines_beside(&text, &after), [""; 0]);
}

#[test]
fn what_was_said_of_a_column_goes_along_when_the_contract_renames_it() {
    let project = written();
    let named = |id: &str, name: &str| {
        let properties = ID.replace("{name: id,", &format!("{{id: key, name: {name},"));
        contract(id, &properties)
    };
    project.write("contracts/contracts/orders.yaml", &named("orders", "id"));
    assert_eq!(project.run(&["generate"]).0, 0);
    let before = project.read("models/marts/all.yaml");
    project.write(
        "contracts/contracts/orders.yaml",
        &named("orders", "order_id"),
    );
    assert_eq!(project.run(&["generate"]).0, 0);
    let after = project.read("models/marts/all.yaml");
    assert_eq!(
        after,
        before.replacen("- name: id   # the key", "- name: order_id   # the key", 1)
    );
}

#[test]
fn the_gate_that_is_not_put_around_a_persons_model_is_told() {
    let project = written();
    project.write(
        "contracts/config.yaml",
        &format!("{CONFIG}drift: {{gate: pre_hook}}\n"),
    );
    let (_, told, _) = project.run(&["generate", "-v", "--format", "json"]);
    let call = "add `{{ contract_gate(contract_shape__raw__raw()) }}` to its `pre_hook`";
    assert!(told.contains(call), "{told}");
    assert!(
        !project
            .read("models/marts/all.yaml")
            .contains("contract_gate")
    );
}

#[test]
fn a_model_that_is_turned_off_is_told() {
    let project = written();
    let marts = MARTS.replace("materialized: table", "enabled: false");
    project.write("models/marts/all.yaml", &marts);
    let codes = project.codes(&["generate"]);
    let codes: Vec<&String> = codes
        .iter()
        .filter(|code| *code != "mapping/bound")
        .collect();
    assert_eq!(codes, ["mapping/bound-differs"]);
}

#[test]
fn the_object_that_a_model_names_is_the_one_that_it_is() {
    let two = |first: &str| contract("orders", ID) + "  - name: lines\n    properties:\n" + first;
    let project = written();
    project.write("contracts/contracts/orders.yaml", &two(ID));
    project.write("models/lines.sql", "select 1 as id\n");
    project.write(
        "models/s.yml",
        "models:\n  - name: lines\n    columns: [{name: id}]\n",
    );
    assert_eq!(project.run(&["sync"]).0, 0);
    let marts = project.read("models/marts/all.yaml");
    assert!(marts.contains("object: orders"), "{marts}");
    // The model has another name now, and says all the same what it is.
    let described = project.read("models/s.yml");
    assert!(described.contains("object: lines"), "{described}");
    project.write(
        "models/s.yml",
        &described.replace("- name: lines", "- name: order_lines"),
    );
    project.remove("models/lines.sql");
    project.write("models/order_lines.sql", "select 1 as id\n");
    assert_eq!(project.run(&["sync"]).0, 0);
    assert!(!project.exists("models/contracts/orders"));
    // One of the two goes; the other is still what it was.
    project.write("contracts/contracts/orders.yaml", &contract("orders", ID));
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 0, "{told}");
    assert!(
        project
            .read("models/marts/all.yaml")
            .contains("- name: orders")
    );
    assert!(!project.exists("models/contracts/orders"));
}

#[test]
fn what_stands_in_a_file_that_cannot_be_read_is_not_made_elsewhere() {
    let project = written();
    assert_eq!(project.run(&["generate"]).0, 0);
    let (lock, text) = (
        project.read("contracts/dbt-contracts.lock"),
        project.read("models/marts/all.yaml"),
    );
    project.append("models/marts/all.yaml", "x: [\n");
    let codes = project.codes(&["sync"]);
    assert!(codes.contains(&"merge/blocked".to_owned()), "{codes:?}");
    assert!(!project.exists("models/contracts"));
    assert_eq!(project.read("contracts/dbt-contracts.lock"), lock);
    project.write("models/marts/all.yaml", &text);
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn columns_that_the_contract_shouts_are_written_as_the_project_writes_them() {
    let properties = "      - {name: ORDER_ID, logicalType: integer, primaryKey: true, primaryKeyPosition: 1}\n      \
                      - {name: LINE, logicalType: integer, primaryKey: true, primaryKeyPosition: 2, quality: \
                      [{type: sql, query: 'select count(*) from {object} where {property} < 0', mustBe: 0}]}\n";
    let project = written();
    project.write("contracts/config.yaml", "dbt: {adapter: postgres}\n");
    let orders = contract("orders", properties);
    project.write("contracts/contracts/orders.yaml", &orders);
    // Another model is made of it.
    let sums = contract("sums", "      - {name: order_id, logicalType: integer}\n");
    project.write("contracts/contracts/sums.yaml", &sums);
    let further = PRODUCT
        .replace("shop", "sums")
        .replace("orders", "sums")
        .replace("raw", "orders");
    project.write("contracts/products/sums.yaml", &further);
    let marts = MARTS.replace("- name: id   # the key", "- name: order_id");
    project.write("models/marts/all.yaml", &marts);
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 0, "{told}");
    let text = project.read("models/marts/all.yaml");
    assert!(text.contains("[order_id, line]"), "{text}");
    assert!(text.contains("- name: line\n"), "{text}");
    assert!(!text.contains("quote: true"), "{text}");
    let sql = project.read("models/contracts/sums/stg_sums.sql");
    let tests = project.tests("orders");
    for text in [&sql, &tests[0].1] {
        assert!(
            !text.contains("ORDER_ID") && !text.contains("LINE"),
            "{text}"
        );
    }
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn two_contracts_of_one_object_name_are_told_apart_by_what_the_model_says() {
    let project = written();
    project.write(
        "contracts/contracts/other.yaml",
        &contract("other", ID).replace("- name: other", "- name: orders"),
    );
    let further = "  - {name: other, version: 1.0.0, contractId: other}\n";
    project.write(
        "contracts/products/shop.yaml",
        &format!("{PRODUCT}{further}"),
    );
    let meta = "config: {materialized: table, meta: {data_contract: other}}";
    project.write(
        "models/marts/all.yaml",
        &MARTS.replace("config: {materialized: table}", meta),
    );
    for _ in 0..2 {
        let (code, _, told) = project.run(&["sync", "--force"]);
        assert_eq!(code, 0, "{told}");
        assert!(project.exists("models/contracts/orders/stg_orders.sql"));
        assert!(!project.exists("models/contracts/other"));
    }
    let all = project.artifacts();
    project.remove("contracts/dbt-contracts.lock");
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!((code, project.artifacts()), (0, all), "{told}");
}

#[test]
fn a_model_that_names_a_source_contract_is_found_by_its_name() {
    let project = written();
    let meta = "config: {materialized: table, meta: {data_contract: raw}}";
    project.write(
        "models/marts/all.yaml",
        &MARTS.replace("config: {materialized: table}", meta),
    );
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("`meta/data_contract` of model `orders`"),
        "{told}"
    );
    assert!(!project.exists("models/contracts/orders"));
}
