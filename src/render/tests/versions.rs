//! Several versions of one contract: what of them is generated, and how dbt knows them apart.

use std::collections::BTreeMap;

use super::{Workspace, assert_case, shown};
use crate::diagnostics::Diagnostic;
use crate::lineage::Role;

/// A source, an order model of several versions that is made of it, and what reads two of them.
struct Shop {
    workspace: Workspace,
    raw: usize,
}

impl Shop {
    fn new() -> Self {
        let mut workspace = Workspace::new();
        let raw = workspace.add(
            "raw.odcs.yaml",
            Role::Source,
            &[],
            "{id: raw, version: 1.0.0, status: active, customProperties: [{property: dbt.schema, value: raw}], \
             schema: [{name: lines, properties: [{name: id, logicalType: integer}, {name: total, logicalType: integer}]}]}",
        );
        Self { workspace, raw }
    }

    /// Adds a version of the model. `rest` are further keys, each after a comma.
    fn version(&mut self, version: &str, status: &str, columns: &str, rest: &str) -> usize {
        let text = format!(
            "{{id: orders, version: {version}, status: {status}, schema: [{{name: orders, \
             properties: [{columns}]{rest}}}]}}"
        );
        let path = format!("orders-{version}.odcs.yaml");
        let index = self.workspace.add(&path, Role::Model, &[self.raw], &text);
        self.workspace.generate[index] = status != "retired";
        if status == "retired" {
            self.workspace.ended.insert(index);
        }
        index
    }

    /// Adds a model that reads one version.
    fn reader(&mut self, id: &str, upstream: usize) -> usize {
        let text = format!(
            "{{id: {id}, version: 1.0.0, status: active, schema: [{{name: {id}, properties: [{ID}]}}]}}"
        );
        let path = format!("{id}.odcs.yaml");
        self.workspace.add(&path, Role::Model, &[upstream], &text)
    }

    fn render(&self) -> (BTreeMap<String, String>, Vec<Diagnostic>) {
        self.workspace.render()
    }

    /// `v` of each version, perhaps with its file and its alias, and the latest one.
    fn versions(&self) -> String {
        let (files, _) = self.render();
        let Some(schema) = files.get(SCHEMA) else {
            return "none".to_owned();
        };
        let keys = ["latest_version: ", "- v: ", "defined_in: ", "alias: "];
        let lines = schema.lines().map(str::trim_start);
        let told = lines.filter(|line| keys.iter().any(|key| line.starts_with(key)));
        told.collect::<Vec<_>>().join(" | ")
    }
}

const ID: &str = "{name: id, logicalType: integer}";
const KEY: &str = "{name: id, logicalType: integer, primaryKey: true}";
const SCHEMA: &str = "models/contracts/orders/schema.yml";

/// The messages of warnings and errors.
fn serious(findings: &[Diagnostic]) -> Vec<String> {
    let mut serious = shown(findings);
    serious.retain(|finding| !finding.starts_with("note"));
    serious
}

#[test]
fn versions_of_a_contract_are_versions_of_a_model() {
    let mut shop = Shop::new();
    let quality = ", quality: [{type: sql, name: enough, query: 'select count(*) from ${table}', mustBeGreaterThan: 0}]";
    let old = shop.version("1.2.0", "active", KEY, quality);
    let columns = format!("{KEY}, {{name: total, logicalType: integer, required: true}}");
    let new = shop.version("2.0.0", "draft", &columns, "");
    shop.reader("of_old", old);
    shop.reader("of_new", new);
    let (files, findings) = shop.render();
    assert_eq!(serious(&findings), Vec::<String>::new());
    assert_case(
        "schema",
        &files[SCHEMA],
        include_str!("versions/schema.yml"),
    );
    let is_in = |path: &str, text: &str| {
        assert!(files[path].contains(text), "{path}:\n{}", files[path]);
    };
    is_in(
        "models/contracts/orders/stg_orders_v1.sql",
        "select * from {{ source('raw', 'lines') }}",
    );
    is_in("models/contracts/orders/stg_orders_v2.sql", "total");
    // Whoever reads a version that is not the latest one says which.
    is_in(
        "models/contracts/of_old/stg_of_old.sql",
        "{{ ref('stg_orders') }}",
    );
    is_in(
        "models/contracts/of_new/stg_of_new.sql",
        "{{ ref('stg_orders', v=2) }}",
    );
    is_in(
        "tests/dbt_contracts/orders/stg_orders_v1_enough.sql",
        "{{ ref('stg_orders') }}",
    );
}

#[test]
fn status_and_number_say_what_is_generated() {
    let cases: &[(&[(&str, &str)], &str)] = &[
        (&[("1.0.0", "active")], ""),
        // The highest of those in force is the latest, whatever is being worked out.
        (
            &[("1.0.0", "active"), ("2.0.0", "active"), ("3.0.0", "draft")],
            "latest_version: 2 | - v: 1 | - v: 2 | alias: stg_orders | - v: 3",
        ),
        (
            &[("10.0.0", "deprecated"), ("9.0.0", "draft")],
            "latest_version: 10 | - v: 9 | - v: 10 | alias: stg_orders",
        ),
        // A retired one is left out, and the model stays one of several versions.
        (
            &[("1.0.0", "retired"), ("2.0.0", "active")],
            "latest_version: 2 | - v: 2 | alias: stg_orders",
        ),
        (&[("1.0.0", "retired"), ("2.0.0", "retired")], "none"),
        // dbt takes a number 0 for none.
        (
            &[("0.9.0", "active"), ("1.0.0", "draft")],
            "latest_version: '0' | - v: '0' | alias: stg_orders | - v: 1",
        ),
        (
            &[("v1", "active"), ("edge", "draft")],
            "latest_version: 1 | - v: edge | - v: 1 | alias: stg_orders",
        ),
        // Two that ports name, of one major number.
        (
            &[("1.1.0", "active"), ("1.2.0", "active"), ("2.0.0", "draft")],
            "latest_version: '1.2.0' | - v: '1.1.0' | - v: '1.2.0' | alias: stg_orders | - v: 2",
        ),
    ];
    for (versions, expected) in cases {
        let mut shop = Shop::new();
        for (version, status) in *versions {
            shop.version(version, status, ID, "");
        }
        assert_eq!(shop.versions(), *expected, "{versions:?}");
    }
}

#[test]
fn a_minor_version_takes_the_place_of_the_one_before() {
    let mut shop = Shop::new();
    let old = shop.version("1.1.0", "active", ID, "");
    let new = shop.version("1.2.0", "active", ID, "");
    shop.workspace.outputs[old] = false;
    let reader = shop.reader("reader", old);
    let (files, findings) = shop.render();
    assert_eq!(shop.versions(), "");
    assert!(
        files[SCHEMA].contains("version: '1.2.0'"),
        "{}",
        files[SCHEMA]
    );
    assert!(shown(&findings).contains(
        &"note mapping/no-counterpart: version `1.1.0` of the contract `orders` is not generated beside version `1.2.0`".to_owned()
    ));
    // What no port names is not preferred, but the major number is.
    shop.workspace.outputs[new] = false;
    shop.workspace.outputs[old] = true;
    let (files, _) = shop.render();
    assert!(
        files[SCHEMA].contains("version: '1.1.0'"),
        "{}",
        files[SCHEMA]
    );
    assert!(shop.workspace.generate[reader]);
}

#[test]
fn files_that_are_there_stay_those_of_their_version() {
    let mut shop = Shop::new();
    shop.version("1.0.0", "active", ID, "");
    shop.version("2.0.0", "active", ID, "");
    shop.workspace.own_models.insert("stg_orders".to_owned());
    let kept = "latest_version: 2 | - v: 1 | defined_in: stg_orders | - v: 2 | alias: stg_orders";
    assert_eq!(shop.versions(), kept);
    let (files, _) = shop.render();
    let models: Vec<&String> = files
        .keys()
        .filter(|path| path.contains("orders/stg"))
        .collect();
    assert_eq!(
        models,
        [
            "models/contracts/orders/stg_orders.sql",
            "models/contracts/orders/stg_orders_v2.sql"
        ]
    );
    // Now all files are there.
    shop.workspace.own_models.insert("stg_orders_v2".to_owned());
    assert_eq!(shop.versions(), kept);
    // Whoever still reads the retired version goes on to.
    shop.workspace.generate[1] = false;
    shop.workspace.ended.insert(1);
    assert_eq!(shop.versions(), kept);
    shop.workspace.own_models.clear();
    assert_eq!(
        shop.versions(),
        "latest_version: 2 | - v: 2 | alias: stg_orders"
    );
}

#[test]
fn only_the_latest_version_has_the_relation_that_all_name() {
    let mut shop = Shop::new();
    shop.version("1.0.0", "active", ID, ", physicalName: ORDERS");
    shop.version("2.0.0", "active", ID, ", physicalName: orders_old");
    shop.version("3.0.0", "active", ID, ", physicalName: orders");
    assert_eq!(
        shop.versions(),
        "latest_version: 3 | - v: 1 | - v: 2 | alias: orders_old | - v: 3 | alias: orders"
    );
    let (_, findings) = shop.render();
    assert!(shown(&findings).contains(
        &"note mapping/no-counterpart: the relation `ORDERS` is the latest version's; version `1.0.0` of the contract lives in `stg_orders_v1`".to_owned()
    ));
}

#[test]
fn versions_wait_for_each_other_once_they_stand_in_one_file() {
    let mut shop = Shop::new();
    shop.version("1.0.0", "active", ID, "");
    let broken = shop.version("2.0.0", "active", ID, "");
    shop.workspace.generate[broken] = false;
    assert_eq!(
        shop.versions(),
        "latest_version: 1 | - v: 1 | alias: stg_orders"
    );
    shop.workspace.own_models.insert("stg_orders_v2".to_owned());
    let (files, findings) = shop.render();
    assert!(!files.contains_key(SCHEMA));
    assert_eq!(
        serious(&findings),
        [
            "warning mapping/held-back: the contract `orders@1.0.0` is not generated, because `orders@2.0.0`, whose properties file it shares, is not"
        ]
    );
}

#[test]
fn models_of_other_names_are_no_versions_of_each_other() {
    let mut shop = Shop::new();
    shop.version("1.0.0", "active", ID, "");
    shop.version(
        "2.0.0",
        "active",
        ID,
        ", customProperties: [{property: dbt.model, value: purchases}]",
    );
    assert_eq!(shop.versions(), "");
    let (files, findings) = shop.render();
    assert_eq!(serious(&findings), Vec::<String>::new());
    assert!(files[SCHEMA].contains("- name: stg_orders\n"));
    assert!(files[SCHEMA].contains("- name: purchases\n"));
}

#[test]
fn of_a_source_one_version_is_described() {
    let mut workspace = Workspace::new();
    for (version, status) in [("1.0.0", "active"), ("2.0.0", "draft")] {
        let text = format!(
            "{{id: raw, version: {version}, status: {status}, schema: [{{name: lines, properties: [{ID}]}}]}}"
        );
        workspace.add(&format!("{version}.yaml"), Role::Source, &[], &text);
    }
    let (files, findings) = workspace.render();
    assert_eq!(
        files["models/contracts/raw/sources.yml"]
            .matches("- name: lines")
            .count(),
        1
    );
    assert!(files["models/contracts/raw/sources.yml"].contains("version: '1.0.0'"));
    assert!(shown(&findings).contains(
        &"note mapping/no-counterpart: version `2.0.0` of the contract `raw` is not generated beside version `1.0.0`".to_owned()
    ));
}
