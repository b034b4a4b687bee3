//! What settings of drift make of a source and of the model that reads it.

use super::{Workspace, assert_case, cases, contract, shown, text, texts};
use crate::config::{Gate, Policy};
use crate::dbt::adapter::Adapter;
use crate::lineage::Role;
use crate::yaml::Node;

/// The workspace of a case: a source `u` and the model `c` that is made of it.
fn workspace(case: &Node) -> Workspace {
    let mut workspace = Workspace::new();
    if let Some(adapter) = text(case, "adapter") {
        workspace.adapter = Adapter::parse(adapter).unwrap();
    }
    let drift = &mut workspace.config.drift;
    drift.gate = match text(case, "gate") {
        Some("source_test") => Gate::SourceTest,
        Some("pre_hook") => Gate::PreHook,
        Some("both") => Gate::Both,
        _ => Gate::None,
    };
    drift.record = case.get("record").is_some();
    drift.policy =
        text(case, "policy").map_or(Policy::Approved, |word| Policy::parse(word).unwrap());
    let source = contract("u", text(case, "source").unwrap());
    let source = source + text(case, "contract").unwrap_or_default();
    let upstream = workspace.add("u.yaml", Role::Source, &[], &source);
    let model = "- {name: o, properties: [{name: id, logicalType: integer}]}\n";
    workspace.add("c.yaml", Role::Model, &[upstream], &contract("c", model));
    workspace
}

#[test]
fn sources_get_the_gate_that_is_asked_for() {
    for case in cases(include_str!("gates.yaml")) {
        let name = text(&case, "case").unwrap();
        let (files, findings) = workspace(&case).render();
        for (key, path) in [
            ("sources_yml", "models/contracts/u/sources.yml"),
            ("schema_yml", "models/contracts/c/schema.yml"),
            ("staging_sql", "models/contracts/c/stg_o.sql"),
            (
                "shape_sql",
                "macros/dbt_contracts/shapes/contract_shape__u__t.sql",
            ),
        ] {
            let file = files.get(path).map_or("", String::as_str);
            let (_, body) = file.split_once('\n').unwrap_or_default();
            if let Some(expected) = text(&case, key) {
                assert_case(name, body, expected);
            }
        }
        let macros = files
            .keys()
            .filter_map(|path| path.strip_prefix("macros/dbt_contracts/"));
        let macros = macros.collect::<Vec<_>>().join(" ");
        assert_case(name, &macros, text(&case, "macros").unwrap_or_default());
        let expected: Vec<String> = texts(&case, "findings")
            .into_iter()
            .map(|text| text.value)
            .collect();
        let mut found = shown(&findings);
        found.retain(|line| line.contains("custom property"));
        assert_case(name, &found.join("\n"), &expected.join("\n"));
    }
}
