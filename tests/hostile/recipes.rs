//! What was made of the same is not made again: whatever changes, a run ends as if all were.

use std::fs;

use crate::project::{CONFIG, ID, Project, contract};

const LOCK: &str = "contracts/dbt-contracts.lock";
const SCHEMA: &str = "models/contracts/orders/schema.yml";
const SQL: &str = "models/contracts/orders/stg_orders.sql";

/// The lock as if nobody knew what files were made of.
fn forgetful(lock: &str) -> String {
    let lines = lock.lines().map(|line| match line.split_once('=') {
        Some((file, rest)) if line.starts_with("file ") => {
            let (_, rest) = rest.split_once(' ').unwrap();
            format!("{file} {rest}\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Makes a change in a project that is in step.
fn change(project: &Project, name: &str) {
    let replace = |path: &str, old: &str, new: &str| {
        let text = project.read(path);
        assert!(text.contains(old), "{path}: {text}");
        project.write(path, &text.replace(old, new));
    };
    let edit = |path: &str, new: &dyn Fn(&str) -> String| {
        let text = project.read(path);
        project.write(path, &new(&text));
    };
    match name {
        "nothing" => {}
        "a contract" => {
            let further = format!("{ID}      - {{name: total, logicalType: integer}}\n");
            project.write(
                "contracts/contracts/orders.yaml",
                &contract("orders", &further),
            );
        }
        "its place" => {
            let text = project.read("contracts/contracts/orders.yaml");
            project.remove("contracts/contracts/orders.yaml");
            project.write("contracts/contracts/sales/orders.yaml", &text);
        }
        "a template" => {
            let text = include_str!("../../templates/staging.sql.j2");
            project.write(
                "contracts/templates/staging.sql.j2",
                &format!("{text}-- ours\n"),
            );
        }
        "a part of templates" => {
            let text = include_str!("../../templates/columns.yml.j2");
            let text = text.replace("data_tests:\n", "tests:\n");
            project.write("contracts/templates/columns.yml.j2", &text);
        }
        "the adapter" => project.write(
            "contracts/config.yaml",
            &CONFIG.replace("duckdb", "postgres"),
        ),
        "the release" => {
            let config = CONFIG.replace("duckdb", "duckdb, version: '1.9'");
            project.write("contracts/config.yaml", &config);
        }
        "a setting" => project.append(
            "contracts/config.yaml",
            "model_contracts: {enforced: true}\n",
        ),
        "a value" => replace(SCHEMA, "data_type: integer", "data_type: int4"),
        "a line" => edit(SQL, &|text| format!("{text}-- mine\n")),
        "the first line" => edit(SQL, &|text| text.replacen("orders.yaml", "orders.yaml!", 1)),
        "the mark of the first line" => edit(SCHEMA, &|text| text.replacen("# ", "-- ", 1)),
        "the ends of lines" => edit(SCHEMA, &|text| text.replace('\n', "\r\n")),
        "the byte order mark" => edit(SCHEMA, &|text| format!("\u{feff}{text}")),
        "a file" => project.remove(SQL),
        "all files" => fs::remove_dir_all(project.0.path().join("models/contracts")).unwrap(),
        _ => panic!("{name}"),
    }
}

#[test]
fn a_run_ends_as_if_all_were_made_again() {
    for name in [
        "nothing",
        "a contract",
        "its place",
        "a template",
        "a part of templates",
        "the adapter",
        "the release",
        "a setting",
        "a value",
        "a line",
        "the first line",
        "the mark of the first line",
        "the ends of lines",
        "the byte order mark",
        "a file",
        "all files",
    ] {
        for command in [["sync"].as_slice(), &["sync", "--force"]] {
            let ends = [false, true].map(|forgets| {
                let project = Project::generated();
                let lock = project.read(LOCK);
                assert_ne!(lock, forgetful(&lock));
                change(&project, name);
                if forgets {
                    project.write(LOCK, &forgetful(&lock));
                }
                let shown = project.run(&["diff"]);
                let done = project.run(command);
                (shown, done, project.artifacts(), project.read(LOCK))
            });
            assert_eq!(ends[0], ends[1], "{name}: {command:?}");
        }
    }
}
