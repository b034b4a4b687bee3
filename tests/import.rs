//! There and back: what `generate` makes of contracts gives, imported, contracts of which `generate`
//! makes the same.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dbt_contracts::yaml::{self, Limits};
use serde_json::Value;

/// Projects with contracts and products.
const PROJECTS: &[&str] = &[
    "contracts-example",
    "tests/cases/generate/versions.in",
    "tests/import/everything",
];

/// Folders of what is generated.
const GENERATED: &[&str] = &["models", "tests", "macros/dbt_contracts"];

/// Runs the program in a project and gives back its exit code and everything that it printed.
fn run(project: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_dbt-contracts"))
        .arg("--project-dir")
        .arg(project)
        .args(arguments)
        .current_dir(project)
        .output()
        .unwrap();
    let printed = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    (done.status.code(), printed.concat())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The properties files and tests of a project, without the line that names a contract's file.
fn generated(project: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut open = ["models", "tests"]
        .map(|folder| project.join(folder))
        .to_vec();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let is_test = path.starts_with(project.join("tests"));
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let shown = match path.extension().and_then(|ending| ending.to_str()) {
                Some("yml") => format!("{:#}", properties(&text)),
                Some("sql") if is_test => text.split_once('\n').unwrap().1.to_owned(),
                _ => continue,
            };
            files.insert(path.strip_prefix(project).unwrap().to_path_buf(), shown);
        }
    }
    files
}

/// A properties file, the tests of each column and table in one order.
fn properties(text: &str) -> Value {
    fn sorted(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(sorted),
            Value::Object(entries) => {
                for (key, value) in entries.iter_mut() {
                    sorted(value);
                    if let ("data_tests", Value::Array(tests)) = (key.as_str(), value) {
                        tests.sort_by_key(ToString::to_string);
                    }
                }
            }
            _ => {}
        }
    }
    let mut properties = yaml::parse(text, &Limits::default())
        .documents
        .remove(0)
        .to_json();
    sorted(&mut properties);
    properties
}

#[test]
fn contracts_come_back_as_they_were() {
    for name in PROJECTS {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &project);
        for folder in GENERATED {
            let _ = fs::remove_dir_all(project.join(folder));
        }
        let lock = project.join("contracts/dbt-contracts.lock");
        let _ = fs::remove_file(&lock);
        let (_, printed) = run(&project, &["generate"]);
        let before = generated(&project);
        assert!(before.len() > 1, "{name}: {printed}");

        let (code, printed) = run(
            &project,
            &["import", "models", "--output", "imported", "--strict"],
        );
        assert_eq!(code, Some(0), "{name}: {printed}");
        fs::remove_dir_all(project.join("contracts/contracts")).unwrap();
        fs::rename(
            project.join("imported"),
            project.join("contracts/contracts"),
        )
        .unwrap();
        let (code, printed) = run(&project, &["validate"]);
        assert_eq!(code, Some(0), "{name}: {printed}");

        for folder in GENERATED {
            let _ = fs::remove_dir_all(project.join(folder));
        }
        fs::remove_file(&lock).unwrap();
        let (_, printed) = run(&project, &["generate"]);
        let after = generated(&project);
        assert_eq!(
            before.keys().collect::<Vec<_>>(),
            after.keys().collect::<Vec<_>>(),
            "{name}: {printed}"
        );
        for (path, text) in &before {
            assert_eq!(*text, after[path], "{name}: {}", path.display());
        }
    }
}
