//! The before and after of the README is what the program does.

use std::fs;
use std::process::Command;

const PRODUCT: &str = "\
apiVersion: v1.0.0
kind: DataProduct
id: sales
status: active
outputPorts:
  - {name: orders, version: 1.0.0, contractId: orders}
";

/// The fenced YAML blocks of a Markdown text.
fn yaml_blocks(text: &str) -> Vec<&str> {
    text.split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test lays out its own project")]
fn before_becomes_after() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let [before, after] = yaml_blocks(&readme)[..] else {
        panic!("the README has two YAML blocks");
    };
    let project = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("contracts/config.yaml", "dbt: {adapter: duckdb}\n"),
        ("contracts/contracts/orders.odcs.yaml", before),
        ("contracts/products/sales.odps.yaml", PRODUCT),
    ] {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let run = Command::new(env!("CARGO_BIN_EXE_dbt-contracts"))
        .arg("--project-dir")
        .arg(project.path())
        .arg("generate")
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let schema = project.path().join("models/contracts/orders/schema.yml");
    let schema = fs::read_to_string(schema).unwrap();
    assert!(schema.ends_with(after), "{schema}");
}
