//! Constraints that lead from one model to another.

use super::{Workspace, contract};
use crate::dbt::adapter::Adapter;
use crate::dbt::release::Release;
use crate::lineage::Role;

/// Orders, and their lines, which are made of them if `made_of` says so.
fn shop(orders: &str, made_of: bool) -> Workspace {
    let mut workspace = Workspace::new();
    workspace.config.model_contracts.enforced = true;
    let orders = format!(
        "- name: orders
  id: o
  physicalType: {orders}
  properties:
  - {{name: id, id: i, logicalType: integer, primaryKey: true}}
  - {{name: code, id: c, logicalType: string}}"
    );
    let lines = "- name: lines
  physicalType: table
  properties:
  - name: order
    logicalType: integer
    relationships:
    - {to: orders.yaml#/schema/o/properties/i}
    - {to: orders.yaml#/schema/o/properties/c}";
    let orders = workspace.add(
        "contracts/orders.yaml",
        Role::Model,
        &[],
        &contract("orders", &orders),
    );
    let lines = contract("lines", lines);
    let upstreams: &[usize] = if made_of { &[orders] } else { &[] };
    workspace.add("contracts/lines.yaml", Role::Model, upstreams, &lines);
    workspace
}

/// The constraints of the lines as a whole.
fn constraints(workspace: &Workspace) -> String {
    let (files, _) = workspace.render();
    let file = &files["models/contracts/lines/schema.yml"];
    let after = file
        .split_once("    constraints:\n")
        .map(|(_, after)| after);
    let lines = after.unwrap_or_default().lines();
    let of_them = lines.take_while(|line| line.starts_with("      "));
    of_them.flat_map(|line| [line.trim(), "\n"]).collect()
}

#[test]
fn a_foreign_key_leads_to_a_key_of_a_table_that_is_built_before() {
    let expected =
        "- type: foreign_key\ncolumns: ['\"order\"']\nto: ref('stg_orders')\nto_columns: [id]\n";
    assert_eq!(constraints(&shop("table", true)), expected);
    for (orders, made_of) in [("table", false), ("view", true), ("incremental", true)] {
        assert_eq!(
            constraints(&shop(orders, made_of)),
            "",
            "{orders} {made_of}"
        );
    }
}

#[test]
fn it_is_left_to_the_test_where_dbt_could_not_build_again() {
    let mut workspace = shop("table", true);
    workspace.adapter = Adapter::SqlServer;
    assert_eq!(constraints(&workspace), "");
    let mut workspace = shop("table", true);
    workspace.config.dbt.version = Release::parse("1.8");
    assert_eq!(constraints(&workspace), "");
}
