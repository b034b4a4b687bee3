//! A project folder, and the program in it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A project folder and the program in it.
pub(crate) struct Project(pub(crate) TempDir);

pub(crate) const CONFIG: &str = "dbt: {adapter: duckdb}\n";

pub(crate) const PRODUCT: &str = "\
apiVersion: v1.0.0
kind: DataProduct
id: shop
name: shop
version: 1.0.0
status: active
inputPorts:
  - {name: in, version: 1.0.0, contractId: raw}
outputPorts:
  - {name: out, version: 1.0.0, contractId: orders}
";

/// A contract of one object of that name with these properties.
pub(crate) fn contract(id: &str, properties: &str) -> String {
    format!(
        "apiVersion: v3.1.0\nkind: DataContract\nid: {id}\nname: {id}\nversion: 1.0.0\n\
         status: active\nservers:\n  - {{server: s, type: duckdb, database: x.duckdb, schema: raw}}\n\
         schema:\n  - name: {id}\n    properties:\n{properties}"
    )
}

pub(crate) const ID: &str = "      - {name: id, logicalType: integer, primaryKey: true, logicalTypeOptions: {minimum: 1}}\n";

impl Project {
    /// A dbt project without contracts.
    pub(crate) fn empty() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write(
            "dbt_project.yml",
            "name: shop\nversion: '1.0'\nprofile: shop\n",
        );
        project.write("contracts/config.yaml", CONFIG);
        project
    }

    /// A source, a model made of it, and their product, generated.
    pub(crate) fn generated() -> Self {
        let project = Self::empty();
        project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
        project.write("contracts/contracts/orders.yaml", &contract("orders", ID));
        project.write("contracts/products/shop.yaml", PRODUCT);
        assert_eq!(project.run(&["generate"]).0, 0);
        project
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a file of the test's own")]
        fs::write(path, text).unwrap();
    }

    pub(crate) fn append(&self, path: &str, text: &str) {
        let before = self.read(path);
        self.write(path, &(before + text));
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.0.path().join(path)).unwrap();
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.0.path().join(path).exists()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbt-contracts"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    /// Exit code, stdout and stderr.
    pub(crate) fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(arguments).output().unwrap();
        (
            status.code().unwrap(),
            String::from_utf8(stdout).unwrap(),
            String::from_utf8(stderr).unwrap(),
        )
    }

    /// Exit code and the one JSON document on stdout.
    pub(crate) fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let (code, stdout, stderr) = self.run(arguments);
        assert_eq!(stderr, "");
        (code, serde_json::from_str(&stdout).unwrap())
    }

    /// The codes of the findings.
    pub(crate) fn codes(&self, arguments: &[&str]) -> Vec<String> {
        let arguments = [arguments, &["--format", "json"]].concat();
        let (_, document) = self.json(&arguments);
        let findings = document["diagnostics"].as_array().unwrap();
        let code = |finding: &Value| finding["code"].as_str().unwrap().to_owned();
        findings.iter().map(code).collect()
    }

    /// Everything generated, as it is on disk.
    pub(crate) fn artifacts(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for folder in ["models", "macros"] {
            collect(self.0.path(), &self.0.path().join(folder), &mut found);
        }
        found.sort();
        found
    }

    /// The singular tests of a contract.
    pub(crate) fn tests(&self, contract: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let folder = self.0.path().join("tests/dbt_contracts").join(contract);
        collect(self.0.path(), &folder, &mut found);
        found
    }

    /// Runs everything that writes; nothing may change.
    pub(crate) fn stays(&self, code: i32) {
        let before = self.artifacts();
        for arguments in [
            ["generate"].as_slice(),
            &["sync", "--prune"],
            &["sync", "--force", "--prune"],
        ] {
            assert_eq!(self.run(arguments).0, code, "{arguments:?}");
            let after = self.artifacts();
            let changed: Vec<_> = after.iter().filter(|file| !before.contains(file)).collect();
            assert!(changed.is_empty(), "{arguments:?}: {changed:#?}");
            assert_eq!(after.len(), before.len(), "{arguments:?}");
        }
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
}
