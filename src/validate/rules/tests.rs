//! The rules as a specification: contracts that their schema accepts, with what is found in them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::diagnostics::{Diagnostic, SourceFile, rules};
use crate::document::{Document, Kind, text};
use crate::yaml::{Limits, Node, ProblemKind, parse};
use crate::{odcs, odps, validate};

const TABLES: &[(&str, &str)] = &[
    ("contract", include_str!("tests/contract.yaml")),
    ("keys", include_str!("tests/keys.yaml")),
    ("names", include_str!("tests/names.yaml")),
    ("options", include_str!("tests/options.yaml")),
    ("quality", include_str!("tests/quality.yaml")),
    ("relationships", include_str!("tests/relationships.yaml")),
    ("values", include_str!("tests/values.yaml")),
];

fn tree(text: &str) -> Node {
    let parsed = parse(text, &Limits::default());
    let is_told = |kind| kind == ProblemKind::AmbiguousNumber;
    assert!(
        parsed.problems.iter().all(|problem| is_told(problem.kind)),
        "{text}"
    );
    parsed.documents.into_iter().next().unwrap()
}

fn document(kind: Kind, text: &str) -> Arc<Document> {
    Arc::new(Document {
        file: SourceFile::new("document.yaml", text),
        root: tree(text),
        kind,
        comments: Vec::new(),
    })
}

/// The findings in a contract of that version, which its schema accepts.
fn findings(version: &str, body: &str) -> Vec<Diagnostic> {
    let head = format!(
        "apiVersion: {version}\nkind: DataContract\nid: c\nversion: 1.0.0\nstatus: active\n"
    );
    let document = document(Kind::Contract, &format!("{body}{head}"));
    let refused = validate::schema::check(&document);
    assert!(refused.is_empty(), "{body}{refused:?}");
    let contracts = [odcs::load(&document, &document.root).unwrap()];
    let mut findings = super::contract(&document.root, &contracts[0]);
    let catalog = Catalog::new(&contracts);
    findings.extend(validate::relationships::contract(&catalog, &contracts, 0));
    findings
}

/// Findings in the order of their places: line, severity, code and pointer, the message, the help.
fn report(mut findings: Vec<Diagnostic>) -> String {
    let start = |finding: &Diagnostic| finding.place.as_ref().unwrap().span.unwrap().start();
    findings.sort_by_key(|finding| (start(finding), finding.rule.code));
    let mut report = String::new();
    for finding in &findings {
        let place = finding.place.as_ref().unwrap().display();
        writeln!(
            report,
            "{} {} {} {}\n  {}\n  {}",
            place.split(':').nth(1).unwrap(),
            finding.severity.as_str(),
            finding.rule.code,
            finding.pointer.as_deref().unwrap_or("-"),
            finding.message,
            finding.help.as_ref().unwrap()
        )
        .unwrap();
    }
    report
}

#[test]
fn contracts_have_these_findings() {
    for (table, cases) in TABLES {
        for case in tree(cases).as_sequence().unwrap() {
            let part = |key| text(case, key).map(|text| text.value);
            let given = part("given").unwrap();
            let version = part("version").unwrap_or_else(|| "v3.2.0".to_owned());
            let found = report(findings(&version, &given));
            assert_eq!(
                found,
                part("found").unwrap_or_default(),
                "{table}:\n{given}"
            );
        }
    }
}

/// Pointers lead to what the finding is about.
#[test]
fn pointers_and_places_agree() {
    for (_, cases) in TABLES {
        for case in tree(cases).as_sequence().unwrap() {
            let given = text(case, "given").unwrap().value;
            let version = text(case, "version").map_or("v3.2.0".to_owned(), |text| text.value);
            let findings = findings(&version, &given);
            for finding in findings {
                let root = tree(&given);
                let Some(pointer) = &finding.pointer else {
                    continue;
                };
                let located = root.locate(pointer);
                let place = finding.place.as_ref().unwrap().span.unwrap();
                let at = [Some(located.node), located.key].into_iter().flatten();
                let mut spans = at.map(|node| node.span);
                // A position that is missing is pointed to where it should be.
                let is_missing = finding.rule == &rules::RULE_KEY_POSITION && !located.complete;
                assert!(is_missing || spans.any(|span| span == place), "{finding:?}");
            }
        }
    }
}

#[test]
fn a_port_is_known_by_name_and_version() {
    let text = "apiVersion: v1.1.0\nkind: DataProduct\nid: p\nstatus: active\ninputPorts:\n\
        - {name: a, version: 1.0.0, contractId: x}\n- {name: a, version: 2.0.0, contractId: x}\n\
        - {name: a, version: 1.0.0, contractId: y}\noutputPorts:\n\
        - {name: a, version: 1.0.0, contractId: z}\n- {name: b}\n- {name: b}\n";
    let product = {
        let whole = document(Kind::Product, text);
        odps::load(&whole, &whole.root).unwrap()
    };
    assert_eq!(
        report(super::product(&product)),
        "8 warning rule/duplicate-port /inputPorts/2/name\n  \
           two input ports are named `a` with version `1.0.0`\n  \
           rename one of them, or give them different versions\n\
         12 warning rule/duplicate-port /outputPorts/2/name\n  \
           two output ports are named `b`\n  \
           rename one of them, or give them different versions\n"
    );
}

#[test]
fn an_id_that_is_empty_names_nothing() {
    let help = "give it an id that no other document has and that stays the same over all versions";
    for id in ["''", "' '"] {
        let text = format!("apiVersion: v3.1.0\nkind: DataContract\nid: {id}\nversion: 1.0.0\n");
        let whole = document(Kind::Contract, &format!("{text}status: active\n"));
        let contract = odcs::load(&whole, &whole.root).unwrap();
        assert_eq!(
            report(super::contract(&whole.root, &contract)),
            format!("3 error rule/empty-id /id\n  the `id` of the contract is empty\n  {help}\n")
        );
        let text = format!("apiVersion: v1.0.0\nkind: DataProduct\nid: {id}\nstatus: active\n");
        let whole = document(Kind::Product, &text);
        let product = odps::load(&whole, &whole.root).unwrap();
        assert_eq!(
            report(super::product(&product)),
            format!("3 error rule/empty-id /id\n  the `id` of the product is empty\n  {help}\n")
        );
    }
}

#[test]
fn every_rule_is_found_in_some_case() {
    let found: BTreeSet<&str> = TABLES
        .iter()
        .flat_map(|(_, cases)| cases.lines())
        .filter_map(|line| line.split_whitespace().nth(2))
        .filter(|word| word.starts_with("rule/"))
        .chain(["rule/duplicate-port", "rule/empty-id"])
        .collect();
    let known: BTreeSet<&str> = rules::ALL
        .iter()
        .map(|rule| rule.code)
        // What comments allow and what variables lack is tested where they are read.
        .filter(|code| code.starts_with("rule/") && !code.ends_with("-allow"))
        .filter(|code| *code != rules::RULE_UNRESOLVED_VARIABLE.code)
        .collect();
    assert_eq!(found, known);
}

/// Whatever stands in a document, checking it ends, and deep patterns do not exhaust the stack.
#[test]
fn nonsense_is_no_danger() {
    let deep = "(".repeat(100_000);
    let wide = "a|".repeat(100_000);
    for pattern in [deep, wide, "x".repeat(1_000_000)] {
        let body = format!(
            "schema:\n- name: t\n  properties:\n  - {{name: c, logicalType: string, logicalTypeOptions: {{pattern: '{pattern}'}}}}\n"
        );
        assert!(findings("v3.2.0", &body).is_empty());
    }
    let text = "apiVersion: v3.2.0\nkind: DataContract\nid: c\nschema: [1, {properties: {a: 1}}, {name: [], \
        quality: [1, {metric: [], arguments: 3}], relationships: [1, {to: []}], properties: [~, {name: 3, \
        enum: {}, logicalTypeOptions: [], map: 1, items: 2, quality: {a: 1}}]}]\nteam: 1\nservers: {a: b}\n\
        slaProperties: [{property: 1}, 2]\nslaDefaultElement: []\n";
    let document = document(Kind::Contract, text);
    let contracts = [odcs::load(&document, &document.root).unwrap()];
    super::contract(&document.root, &contracts[0]);
    validate::relationships::contract(&Catalog::new(&contracts), &contracts, 0);
}
