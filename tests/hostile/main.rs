//! What must not happen, whatever the project looks like: one test for each way in which it once
//! could. Several runs in one folder, which the cases of `tests/cases` cannot tell.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod bound;
mod enforced;
#[cfg(unix)]
mod full_disk;
mod kept;
mod moves;
mod neighbours;
mod project;
mod recipes;
mod selection;
mod versions;

use std::fs;
use std::process::Stdio;

use project::{CONFIG, ID, PRODUCT, Project, contract};

#[test]
fn a_product_that_cannot_be_read_turns_no_model_into_a_source() {
    for damage in [
        "broken: [",
        "---\nkind: DataProduct\n",
        "outputPort: []\n",
        "outputPorts: []\n",
    ] {
        let project = Project::generated();
        project.append("contracts/products/shop.yaml", damage);
        project.stays(1);
    }
    let project = Project::generated();
    let product = PRODUCT.replace("contractId: orders", "contractID: orders");
    project.write("contracts/products/shop.yaml", &product);
    project.stays(1);
    let codes = project.codes(&["generate"]);
    assert!(
        codes.contains(&"lineage/unknown-outputs".to_owned()),
        "{codes:?}"
    );
    // An error elsewhere in the product leaves nothing open.
    let product = PRODUCT.replace("{name: in", "{nosuch: 1, name: in");
    project.write("contracts/products/shop.yaml", &format!("{product}x: 1\n"));
    let codes = project.codes(&["generate"]);
    assert!(
        codes.iter().all(|code| code == "schema/unknown-key"),
        "{codes:?}"
    );
}

#[test]
fn a_model_is_not_made_without_the_input_that_could_not_be_mapped() {
    let project = Project::generated();
    project.append(
        "contracts/config.yaml",
        "naming: {table: \"{{ nosuch }}\"}\n",
    );
    project.stays(1);
    let codes = project.codes(&["generate"]);
    assert_eq!(codes, ["mapping/held-back", "mapping/template"]);
}

#[test]
fn the_macros_of_tests_have_a_place_or_nothing_is_written() {
    let project = Project::generated();
    project.append("contracts/config.yaml", "layout: {macros: ../macros}\n");
    project.stays(1);
}

#[test]
fn a_test_of_a_relationship_stays_while_its_target_is_held_back() {
    let project = Project::generated();
    let other = "      - name: order_id\n        logicalType: integer\n        relationships:\n          \
                 - {type: foreignKey, to: orders.yaml#/schema/orders/properties/id}\n";
    project.write("contracts/contracts/other.yaml", &contract("other", other));
    let orders = contract("orders", ID)
        .replace("- name: orders", "- id: orders\n    name: orders")
        .replace("{name: id", "{id: id, name: id");
    project.write("contracts/contracts/orders.yaml", &orders);
    assert_eq!(project.run(&["generate"]).0, 0);
    assert!(
        project
            .read("models/contracts/other/sources.yml")
            .contains("relationships")
    );
    project.write(
        "contracts/contracts/orders.yaml",
        &format!("{orders}x: 1\n"),
    );
    project.stays(1);
}

#[test]
fn a_template_that_fails_makes_no_orphans() {
    for template in [
        "<%= nosuch %>",
        "a: [",
        "text",
        "",
        "<% for x in range(99999) %><% for y in range(99999) %>a<% endfor %><% endfor %>",
    ] {
        let project = Project::generated();
        project.write("contracts/templates/schema.yml.j2", template);
        project.stays(1);
        assert_eq!(
            project.codes(&["generate"]),
            ["mapping/template"],
            "{template}"
        );
    }
}

#[test]
fn a_template_that_is_not_used_or_not_read_is_told() {
    let project = Project::generated();
    project.write("contracts/templates/shema.yml.j2", "");
    assert_eq!(project.codes(&["generate"]), ["mapping/template"]);
    project.stays(0);
    project.write("contracts/templates/schema.yml.j2/file", "");
    project.stays(2);
}

#[test]
fn settings_of_the_project_that_cannot_be_read_stop_everything() {
    for file in ["dbt_project.yml", "packages.yml"] {
        let project = Project::generated();
        project.write(file, "model-paths: [transform\n");
        project.stays(2);
        let (code, document) = project.json(&["diff", "--format", "json"]);
        assert_eq!(code, 2);
        assert_eq!(document["error"]["path"], file);
    }
}

#[test]
fn nothing_is_written_over_what_it_is_made_of() {
    let project = Project::generated();
    for (layout, source) in [
        ("dbt_project.yml", "dbt_project.yml"),
        ("contracts/config.yaml", "contracts/config.yaml"),
        (
            "contracts/contracts/{{ contract.slug }}.yaml",
            "contracts/contracts/orders.yaml",
        ),
    ] {
        let config = format!("{CONFIG}layout: {{schema: \"{layout}\"}}\n");
        project.write("contracts/config.yaml", &config);
        let before = project.read(source);
        project.stays(1);
        assert_eq!(project.read(source), before);
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_over_another_file_through_a_link() {
    let project = Project::generated();
    let schema = project.0.path().join("models/contracts/orders/schema.yml");
    for target in ["../../../dbt_project.yml", "stg_orders.sql"] {
        fs::remove_file(&schema).unwrap();
        std::os::unix::fs::symlink(target, &schema).unwrap();
        project.stays(1);
    }
}

#[test]
fn a_name_that_dbt_cannot_quote_is_an_error_and_no_broken_sql() {
    for name in ["''", "'a\"b'", "\"a\\0b\""] {
        let project = Project::generated();
        let property = format!("      - {{name: {name}, logicalType: integer}}\n");
        project.write("contracts/contracts/raw.yaml", &contract("raw", &property));
        project.stays(1);
        let codes = project.codes(&["generate"]);
        assert_eq!(
            codes,
            ["mapping/held-back", "mapping/unquotable-name"],
            "{name}"
        );
    }
}

#[test]
fn failures_are_json_wherever_json_was_asked_for() {
    let project = Project(tempfile::tempdir().unwrap());
    for (arguments, code) in [
        (
            ["lineage", "--as", "json"].as_slice(),
            "discovery/nothing-found",
        ),
        (&["lineage", "--as=json", "--nosuch"], "usage"),
    ] {
        let (exit, document) = project.json(arguments);
        assert_eq!(exit, 2);
        assert_eq!(document["error"]["code"], code);
    }
}

#[test]
fn a_selection_of_nothing_is_an_error() {
    let project = Project::generated();
    for arguments in [
        ["generate", "-s", ""].as_slice(),
        &["generate", "-s", " "],
        &["generate", "-s", "orders", "--exclude", "orders"],
    ] {
        assert_eq!(project.run(arguments).0, 2, "{arguments:?}");
    }
}

#[test]
fn all_rules_are_listed() {
    let project = Project(tempfile::tempdir().unwrap());
    let (code, stdout, _) = project.run(&["explain"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("schema/unknown-key"));
    let (_, document) = project.json(&["explain", "--format", "json"]);
    assert!(document["rules"].as_array().unwrap().len() > 50);
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_a_failure() {
    let project = Project::generated();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = project.command(&["lineage"]);
    let status = command.stdout(full).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_file_is_no_project_directory() {
    let project = Project::generated();
    let (code, _, stderr) = project.run(&["validate", "--project-dir", "dbt_project.yml"]);
    assert_eq!(code, 2);
    assert_eq!(
        stderr,
        "error: the project directory `dbt_project.yml` is not a folder\n"
    );
}

#[test]
fn the_name_of_a_test_that_a_contract_writes_itself_is_part_of_it() {
    let project = Project::generated();
    let name = "dbt_says_that_not_every_row_may_have_the_same_number_as_all_the_others";
    project.write(
        "macros/same.sql",
        "{% test same(model) %}select 1{% endtest %}\n",
    );
    let rule = format!(
        "    quality:\n      - {{type: custom, engine: dbt, implementation: {{same: {{name: {name}}}}}}}\n"
    );
    project.append("contracts/contracts/raw.yaml", &rule);
    assert_eq!(project.run(&["generate"]).0, 0);
    let text = project.read("models/contracts/raw/sources.yml");
    assert!(text.contains(&format!("name: {name}\n")), "{text}");
}
