#![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::config;
use crate::document::Kind;

const CONTRACT: &str =
    "apiVersion: v3.1.0\nkind: DataContract\nid: a\nversion: 1.0.0\nstatus: active\n";
const PRODUCT: &str = "apiVersion: v1.0.0\nkind: DataProduct\nid: p\nstatus: active\n";

/// A project with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

fn discover_in(project: &TempDir, extra: &[&str]) -> Found<()> {
    let loaded = config::load(project.path(), None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let extra: Vec<PathBuf> = extra.iter().map(|path| project.path().join(path)).collect();
    discover(
        project.path(),
        &loaded.config,
        &extra,
        &Texts::new(),
        |_, _| (),
    )
}

fn paths(found: &Found<()>) -> Vec<&str> {
    found
        .documents
        .iter()
        .map(|(document, ())| document.file.path.as_str())
        .collect()
}

/// Each finding as `place code`.
fn codes(found: &Found<()>) -> Vec<String> {
    let line = |finding: &Diagnostic| {
        let place = finding
            .place
            .as_ref()
            .map(crate::diagnostics::Place::display);
        format!("{} {}", place.unwrap_or_default(), finding.rule.code)
    };
    found.diagnostics.iter().map(line).collect()
}

/// What is found in one file of that name.
fn verdict(name: &str, text: &str) -> (Option<Kind>, Vec<String>) {
    let project = project(&[(&format!("contracts/contracts/{name}"), text)]);
    let found = discover_in(&project, &[]);
    let codes = codes(&found)
        .into_iter()
        .map(|code| code.replace("contracts/contracts/", ""))
        .collect();
    (
        found.documents.first().map(|(document, ())| document.kind),
        codes,
    )
}

#[test]
fn the_kind_decides_and_the_name_does_not() {
    assert_eq!(verdict("a.yaml", CONTRACT), (Some(Kind::Contract), vec![]));
    assert_eq!(verdict("a", PRODUCT), (Some(Kind::Product), vec![]));
    assert_eq!(
        verdict(
            "a.json",
            r#"{"kind": "DataContract", "apiVersion": "v3.1.0"}"#
        ),
        (Some(Kind::Contract), vec![])
    );
    assert_eq!(
        verdict("a.odps.yml", PRODUCT),
        (Some(Kind::Product), vec![])
    );
    assert_eq!(
        verdict("a.odcs.yml", PRODUCT),
        (
            Some(Kind::Product),
            vec!["a.odcs.yml:2:7 discovery/kind-and-name".into()]
        )
    );
}

/// Files that are no documents: name, text, and the one finding.
const NO_DOCUMENTS: &[(&str, &str, &str)] = &[
    (
        "a.yaml",
        "dataContractSpecification: 0.9.3\nid: a\n",
        "a.yaml:1:1 discovery/legacy-contract",
    ),
    (
        "a.yaml",
        "apiVersion: v2.3.0\nkind: DataContract\nuuid: a\ndataset: []\n",
        "a.yaml:1:13 discovery/legacy-contract",
    ),
    (
        "a.odcs.yaml",
        "apiVersion: v1\nkind: DataContract\nmetadata: {name: a}\nfields: []\n",
        "a.odcs.yaml:1:13 discovery/foreign-contract",
    ),
    (
        "a.yaml",
        "apiVersion: datacontract.example/v1\nkind: DataContract\nspec: {}\n",
        "a.yaml:1:13 discovery/foreign-contract",
    ),
    (
        "a.yaml",
        "apiVersion: v3.1.0\nkind: DataContract\nname: {{title}}\n",
        "a.yaml:3:7 discovery/template",
    ),
    (
        "a.yaml",
        "kind: DataContract\n{% if status %}\nstatus: active\n{% endif %}\n",
        "a.yaml:2:1 discovery/template",
    ),
    (
        "a.yaml",
        "apiVersion: v3.1.0\nkind: DataContract\nid: ${{ values.id }}\n",
        "a.yaml:3:5 discovery/template",
    ),
    (
        "a.json",
        r#"{"kind": "DataContract", "id": {{id}}}"#,
        "a.json:1:32 discovery/template",
    ),
    (
        "a.yaml",
        "version: 2\nmodels: []\n",
        "a.yaml discovery/ignored",
    ),
    (
        "a.yaml",
        "kind: Deployment\nid: {{ id }}\n",
        "a.yaml:2:5 discovery/template",
    ),
    (
        "a.yaml",
        "kind: Component\nid: '{{ id }}'\n",
        "a.yaml discovery/ignored",
    ),
    ("a.yaml", "", "a.yaml:1:1 discovery/unfinished"),
    ("a.yaml", "# a\n", "a.yaml:1:1 discovery/unfinished"),
    ("a.yaml", "apiVers", "a.yaml:1:1 discovery/unfinished"),
    (
        "a.yaml",
        "id: a\nversion: 1.0.0\n",
        "a.yaml:1:1 discovery/unfinished",
    ),
    ("a", "", "a discovery/ignored"),
    ("a.yaml", "- a\n", "a.yaml discovery/ignored"),
    (
        "README",
        "Contracts: see [here\n\n  - a: b: c\n",
        "README discovery/ignored",
    ),
    ("tool", "\0\u{1}", "tool discovery/ignored"),
    ("a.odcs.yaml", "", "a.odcs.yaml:1:1 schema/wrong-type"),
    (
        "a.odcs.yaml",
        "id: a\n",
        "a.odcs.yaml:1:1 schema/missing-key",
    ),
    (
        "a.yaml",
        "apiVersion: v3.1.0\nid: a\nschema: []\n",
        "a.yaml:1:1 schema/missing-key",
    ),
    (
        "a.yaml",
        "kind: data_contract\n",
        "a.yaml:1:7 schema/invalid-value",
    ),
    (
        "a.odps.yaml",
        "kind: Other\n",
        "a.odps.yaml:1:7 schema/invalid-value",
    ),
    (
        "a.yaml",
        "kind: DataContract\nid: [a\n",
        "a.yaml:2:5 yaml/syntax",
    ),
    (
        "a",
        "apiVersion: v3.1.0\nkind: DataContract\nid: [a\n",
        "a:3:5 yaml/syntax",
    ),
    (
        "a.yaml",
        "kind: DataContract\nid: a\n---\nkind: DataContract\nid: b\n",
        "a.yaml:4:1 yaml/several-documents",
    ),
    (
        "a.yaml",
        "kind: Service\n---\nkind: Deployment\n",
        "a.yaml discovery/ignored",
    ),
];

#[test]
fn what_is_no_document_is_named_for_what_it_is() {
    for &(name, text, expected) in NO_DOCUMENTS {
        assert_eq!(
            verdict(name, text),
            (None, vec![expected.into()]),
            "{name}: {text}"
        );
    }
}

#[test]
fn a_document_with_small_mistakes_is_still_one() {
    let twice = format!("{CONTRACT}id: b\n");
    assert_eq!(
        verdict("a.yaml", &twice),
        (
            Some(Kind::Contract),
            vec!["a.yaml:6:1 yaml/duplicate-key".into()]
        )
    );
    for text in [
        // The standard's own versions are judged by the schema, whatever else the file holds.
        "apiVersion: v9.9.9\nkind: DataContract\nid: a\nfields: []\n",
        "apiVersion: v2.2.2\nkind: DataContract\nid: a\nuuid: b\nschema: []\n",
        // Braces in text are text.
        "apiVersion: v3.1.0\nkind: DataContract\nid: a\ndescription: {purpose: '{{ doc(1) }}'}\n",
        "apiVersion: v3.1.0\nkind: DataContract\nid: '${ID:-a}'\n",
    ] {
        assert_eq!(
            verdict("a.yaml", text),
            (Some(Kind::Contract), vec![]),
            "{text}"
        );
    }
}

#[test]
fn folders_are_searched_and_other_files_left_out() {
    let found = discover_in(
        &project(&[
            (
                "contracts/config.yaml",
                "paths: {contracts: [contracts], products: ./contracts/products}",
            ),
            ("contracts/dbt-contracts.lock", "x"),
            ("contracts/templates/a.odcs.yaml", CONTRACT),
            ("contracts/products/p.yaml", PRODUCT),
            ("contracts/z.yaml", CONTRACT),
            ("contracts/a/deep/er.YML", CONTRACT),
            ("contracts/.hidden.yaml", CONTRACT),
            ("contracts/.git/a.yaml", CONTRACT),
            ("contracts/notes.md", "kind: DataContract"),
            ("elsewhere/a.yaml", CONTRACT),
        ]),
        &[],
    );
    assert_eq!(
        paths(&found),
        [
            "contracts/a/deep/er.YML",
            "contracts/products/p.yaml",
            "contracts/z.yaml"
        ]
    );
    assert_eq!(codes(&found), [""; 0]);
    assert_eq!(found.files, 3);
}

#[test]
fn globs_match_files_and_folders() {
    let found = discover_in(
        &project(&[
            (
                "contracts/config.yaml",
                "paths: {contracts: ['models/**/*.odcs.yaml', 'domains/*/contracts', '[odd]', 'no/*'], products: []}",
            ),
            ("models/a/b/c.odcs.yaml", CONTRACT),
            ("models/d.odcs.yaml", CONTRACT),
            ("models/a/schema.yml", "models: []"),
            ("domains/sales/contracts/deep/e.yaml", CONTRACT),
            ("domains/sales/other/f.yaml", CONTRACT),
            ("domains/g.yaml", CONTRACT),
            ("[odd]/h.yaml", CONTRACT),
        ]),
        &[],
    );
    assert_eq!(
        paths(&found),
        [
            "[odd]/h.yaml",
            "domains/sales/contracts/deep/e.yaml",
            "models/a/b/c.odcs.yaml",
            "models/d.odcs.yaml",
        ]
    );
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn a_place_that_is_not_there_is_reported_where_it_is_listed() {
    let nothing = project(&[]);
    assert_eq!(codes(&discover_in(&nothing, &[])), [""; 0]);
    let listed = project(&[("contracts/config.yaml", "paths:\n  contracts: nosuch\n")]);
    let found = discover_in(&listed, &[]);
    assert_eq!(
        codes(&found),
        ["contracts/config.yaml:2:14 discovery/unreadable"]
    );
    assert_eq!(
        found.diagnostics[0].severity,
        crate::diagnostics::Severity::Warning
    );
}

#[test]
fn given_paths_are_read_once_and_must_exist() {
    let project = project(&[
        ("contracts/contracts/a.yaml", CONTRACT),
        ("other/b.txt", CONTRACT),
        ("more/c.yaml", CONTRACT),
    ]);
    let outside = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    fs::write(outside.path(), PRODUCT).unwrap();
    let outside_path = outside.path().to_string_lossy().into_owned();
    let given = [
        "contracts/contracts",
        "contracts/contracts/a.yaml",
        "other/b.txt",
        "more",
        "no.yaml",
        &outside_path,
    ];
    let found = discover_in(&project, &given);
    let mut expected = vec![
        &outside_path,
        "contracts/contracts/a.yaml",
        "more/c.yaml",
        "other/b.txt",
    ];
    expected.sort_unstable();
    assert_eq!(paths(&found), expected);
    assert_eq!(codes(&found), ["no.yaml discovery/unreadable"]);
    assert_eq!(
        found.diagnostics[0].severity,
        crate::diagnostics::Severity::Error
    );
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let project = project(&[
        ("contracts/contracts/a.yaml", CONTRACT),
        ("contracts/contracts/c.yaml", "a: ["),
    ]);
    let folder = project.path().join("contracts/contracts");
    fs::write(folder.join("b.yaml"), b"\xff\xfek\0").unwrap();
    let big = fs::File::create(folder.join("big.json")).unwrap();
    big.set_len(file::MAX_BYTES + 1).unwrap();
    let found = discover_in(&project, &[]);
    assert_eq!(paths(&found), ["contracts/contracts/a.yaml"]);
    assert_eq!(
        codes(&found),
        [
            "contracts/contracts/b.yaml discovery/unreadable",
            "contracts/contracts/big.json discovery/too-large",
            "contracts/contracts/c.yaml:1:4 yaml/syntax",
        ]
    );
    assert!(found.diagnostics[0].message.contains("UTF-16"));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_loops_reported() {
    use std::os::unix::fs::symlink;

    let project = project(&[
        ("contracts/contracts/real/x.yaml", CONTRACT),
        ("common/y.yaml", CONTRACT),
    ]);
    let folder = project.path().join("contracts/contracts");
    symlink("real/x.yaml", folder.join("a.yaml")).unwrap();
    symlink("../../common", folder.join("linked")).unwrap();
    symlink("..", folder.join("real/up")).unwrap();
    symlink("nowhere.yaml", folder.join("broken.yaml")).unwrap();
    symlink("nowhere", folder.join("broken.txt")).unwrap();
    let found = discover_in(&project, &[]);
    assert_eq!(
        paths(&found),
        [
            "contracts/contracts/linked/y.yaml",
            "contracts/contracts/real/x.yaml"
        ]
    );
    assert_eq!(
        codes(&found),
        [
            "contracts/contracts/broken.yaml discovery/unreadable",
            "contracts/contracts/real/up discovery/link-loop",
        ]
    );
}
