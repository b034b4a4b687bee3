//! `validate --fix` changes the scalars that it names and no other byte of any file.

#![expect(
    clippy::disallowed_methods,
    reason = "tests lay out their own projects"
)]
#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A project with these documents, by their paths.
struct Project(tempfile::TempDir);

impl Project {
    fn new(documents: &[(&str, &[u8])]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("dbt_project.yml", b"name: shop\n");
        for (path, bytes) in documents {
            project.write(path, bytes);
        }
        project
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap()
    }

    fn validate(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_dbt-contracts"))
            .arg("--project-dir")
            .arg(self.0.path())
            .arg("validate")
            .args(arguments)
            .output()
            .unwrap()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// How a text is written.
type Form = fn(&str) -> String;

const PATH: &str = "contracts/contracts/a.odcs.yaml";

/// A contract of that version whose only object ends in `last`.
fn contract(version: &str, last: &str) -> String {
    format!(
        "# é\n\napiVersion:   v3.1.0\nkind: 'DataContract'\nid: a  # it\nversion: {version}   # c\n\
         status: active\ndescription:\n  purpose: |\n    t\n\n  usage: >-\n     u\nschema:\n\
         -   {{ name: \"o\" , {last} }}"
    )
}

#[test]
fn every_other_byte_stays() {
    let before = contract("1.10", "physicalNam: o");
    let after = contract("'1.10'", "physicalName: o");
    let forms: [Form; 5] = [
        |text| text.to_owned(),
        |text| format!("{text}\n\n# end\n"),
        |text| format!("\u{feff}{text}"),
        |text| text.replace('\n', "\r\n"),
        |text| {
            format!(
                "\u{feff}{}\n",
                text.replace('\n', "\r\n").replacen("\r\n", "\n", 2)
            )
        },
    ];
    for form in forms {
        let project = Project::new(&[(PATH, form(&before).as_bytes())]);
        let output = project.validate(&["--fix"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).ends_with("0 errors, 0 warnings, 1 note (-v shows it); 2 fixed\n"));
        assert_eq!(String::from_utf8(project.read(PATH)).unwrap(), form(&after));
        let names: Vec<_> = fs::read_dir(project.path("contracts")).unwrap().collect();
        assert_eq!(names.len(), 1, "nothing is left beside the documents");
    }
}

#[test]
fn json_stays_json() {
    let path = "contracts/contracts/a.odcs.json";
    let before = "{\"apiVersion\":3.1, \"kind\":\"DataContract\",\n\t\"id\": \"a\",\"version\":1.10,\
                  \"status\":\"active\",\"schema\": [{\"nme\":\"o\",\"tags\":[1,2.50]}]}";
    let after = "{\"apiVersion\":\"v3.1.0\", \"kind\":\"DataContract\",\n\t\"id\": \"a\",\"version\":\"1.10\",\
                 \"status\":\"active\",\"schema\": [{\"name\":\"o\",\"tags\":[\"1\",\"2.50\"]}]}";
    let project = Project::new(&[(path, before.as_bytes())]);
    assert_eq!(project.validate(&["--fix"]).status.code(), Some(0));
    let text = project.read(path);
    assert_eq!(String::from_utf8(text.clone()).unwrap(), after);
    serde_json::from_slice::<serde_json::Value>(&text).unwrap();
}

#[test]
fn files_that_are_no_text_are_left_alone() {
    let latin: &[u8] = b"apiVersion: v3.1.0\nkind: DataContract\nid: caf\xe9\nversion: 1.10\n";
    let good = contract("1.10", "physicalName: o");
    let project = Project::new(&[
        (PATH, good.as_bytes()),
        ("contracts/contracts/b.odcs.yaml", latin),
    ]);
    let output = project.validate(&["--fix"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("discovery/unreadable"));
    assert_eq!(project.read("contracts/contracts/b.odcs.yaml"), latin);
    assert!(stdout(&output).contains("1 fixed"));
}

#[test]
fn files_outside_the_project_are_left_alone() {
    let text = contract("1.10", "physicalName: o");
    let elsewhere = Project::new(&[("b.odcs.yaml", text.as_bytes())]);
    let project = Project::new(&[(PATH, text.as_bytes())]);
    let outside = elsewhere.path("b.odcs.yaml");
    let output = project.validate(&["--fix", outside.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("warning: no fixes: `"),
        "{}",
        stderr(&output)
    );
    assert_eq!(elsewhere.read("b.odcs.yaml"), text.as_bytes());
    // Only what is reported is fixed.
    assert_eq!(project.read(PATH), text.as_bytes());
}

#[test]
fn what_the_patch_shows_is_what_is_written() {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/documents");
    let project = Project::new(&[]);
    let mut copied = 0;
    copy(
        &documents,
        &project.path("contracts/contracts"),
        &mut copied,
    );
    assert!(copied > 10, "{copied}");
    let arguments = ["--diff", "--unsafe-fixes"];
    let patch = stdout(&project.validate(&arguments));
    assert!(
        patch
            .lines()
            .filter(|line| line.starts_with("--- a/"))
            .count()
            > 3
    );
    let output = project.validate(&["--fix", "--unsafe-fixes"]);
    assert!(!stderr(&output).contains("no fixes"), "{}", stderr(&output));
    let written = stdout(&output)
        .lines()
        .filter(|line| line.starts_with("modified "))
        .count();
    assert_eq!(patch.matches("--- a/").count(), written);
    // There is nothing left to fix.
    assert_eq!(stdout(&project.validate(&arguments)), "");
}

fn copy(from: &Path, to: &Path, copied: &mut usize) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target, copied);
        } else {
            fs::copy(&path, &target).unwrap();
            *copied += 1;
        }
    }
}
