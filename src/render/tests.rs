//! The mapping and its text as a specification: tables of contracts with what they become.

mod constraints;
mod gates;
mod shop;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Renderer, Templates};
use crate::catalog::Catalog;
use crate::config::{Access, Config, TestMode};
use crate::dbt::adapter::Adapter;
use crate::dbt::project::Project;
use crate::dbt::release::Release;
use crate::diagnostics::{Diagnostic, SourceFile, rules};
use crate::document::{Document, Kind, Spanned, texts};
use crate::lineage::Role;
use crate::mapping::{Input, map};
use crate::odcs::{self, Contract};
use crate::odps::{self, Product};
use crate::yaml::{self, Limits, Node, Problem, ProblemKind};

/// A workspace in memory.
struct Workspace {
    contracts: Vec<Contract>,
    roles: Vec<Role>,
    upstreams: Vec<Vec<usize>>,
    /// Whether an output port names each contract.
    outputs: Vec<bool>,
    /// Contracts that are retired.
    ended: BTreeSet<usize>,
    /// Names of models that earlier runs generated.
    own_models: BTreeSet<String>,
    /// Those of them that were edited, with their contracts.
    edited: BTreeMap<String, Vec<String>>,
    generate: Vec<bool>,
    config: Config,
    adapter: Adapter,
    project: Project,
    templates: Templates,
    /// The product that outputs all models.
    product: Option<Product>,
}

impl Workspace {
    fn new() -> Self {
        Self {
            contracts: Vec::new(),
            roles: Vec::new(),
            upstreams: Vec::new(),
            outputs: Vec::new(),
            ended: BTreeSet::new(),
            own_models: BTreeSet::new(),
            edited: BTreeMap::new(),
            generate: Vec::new(),
            config: Config::default(),
            adapter: Adapter::DuckDb,
            project: Project::default(),
            templates: Templates::default(),
            product: None,
        }
    }

    /// Adds a contract that is made of others.
    fn add(&mut self, path: &str, role: Role, upstreams: &[usize], text: &str) -> usize {
        let document = document(path, Kind::Contract, text);
        self.contracts
            .push(odcs::load(&document, &document.root).unwrap());
        self.roles.push(role);
        self.upstreams.push(upstreams.to_vec());
        self.generate.push(true);
        self.outputs.push(role == Role::Model);
        self.contracts.len() - 1
    }

    /// The files by path, and the findings.
    fn render(&self) -> (BTreeMap<String, String>, Vec<Diagnostic>) {
        let catalog = Catalog::new(&self.contracts);
        let roles = self.roles.iter();
        let producers: Vec<_> = roles
            .map(|role| self.product.as_ref().filter(|_| *role == Role::Model))
            .collect();
        let config = Arc::new(self.config.clone());
        let settings: Vec<_> = self.contracts.iter().map(|_| Arc::clone(&config)).collect();
        let release = self.config.dbt.version.unwrap_or_default();
        let mut renderer = Renderer::new(self.adapter, release, &self.templates, &());
        let input = Input {
            ended: &self.ended,
            own_models: &self.own_models,
            outputs: &self.outputs,
            edited: &self.edited,
            taken: &BTreeMap::new(),
            unsettled: false,
            standing: &BTreeSet::new(),
            with_columns: &BTreeSet::new(),
            contracts: &self.contracts,
            products: self.product.as_slice(),
            catalog: &catalog,
            roles: &self.roles,
            upstreams: &self.upstreams,
            generate: &self.generate,
            producers: &producers,
            config: &self.config,
            settings: &settings,
            adapter: self.adapter,
            release,
            project: &self.project,
            today: "2026-11-29",
        };
        let mut mapped = map(&input, &mut renderer);
        let (artifacts, findings) = renderer.finish(&mut mapped);
        let files = artifacts
            .into_iter()
            .map(|artifact| (artifact.path, artifact.text))
            .collect();
        let findings = mapped.diagnostics.into_iter().chain(findings).collect();
        (files, findings)
    }
}

/// A document of a text.
fn document(path: &str, kind: Kind, text: &str) -> Arc<Document> {
    Arc::new(Document {
        file: SourceFile::new(path, text),
        root: tree(text),
        kind,
        comments: Vec::new(),
    })
}

/// The tree of a text.
fn tree(text: &str) -> Node {
    let mut parsed = yaml::parse(text, &Limits::default());
    let is_known = |problem: &Problem| {
        use ProblemKind::{AmbiguousBoolean, AmbiguousNumber};
        matches!(problem.kind, AmbiguousBoolean | AmbiguousNumber)
    };
    let problems = &parsed.problems;
    assert!(problems.iter().all(is_known), "{problems:?}\n{text}");
    parsed.documents.remove(0)
}

/// The cases of a table.
fn cases(table: &str) -> Vec<Node> {
    tree(table).as_sequence().unwrap().to_vec()
}

/// A text of a case.
fn text<'n>(case: &'n Node, key: &str) -> Option<&'n str> {
    case.get(key).and_then(Node::as_str)
}

/// `severity code: message` of each finding.
fn shown(findings: &[Diagnostic]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| {
            format!(
                "{} {}: {}",
                finding.severity.as_str(),
                finding.rule.code,
                finding.message
            )
        })
        .collect()
}

/// Text with each line moved to the right.
fn indented(text: &str, width: usize) -> String {
    lines(text, |line| " ".repeat(width) + line)
}

/// Text with each line moved to the left.
fn dedented(text: &str, width: usize) -> String {
    lines(text, |line| {
        line.get(width..).unwrap_or_default().to_owned()
    })
}

/// Text with each line changed.
fn lines(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

/// A contract around objects.
fn contract(id: &str, objects: &str) -> String {
    format!(
        "apiVersion: v3.2.0\nkind: DataContract\nid: {id}\nversion: 1.0.0\nstatus: active\n\
         servers: [{{server: s, type: duckdb, schema: raw}}]\nschema:\n{}",
        indented(objects, 2)
    )
}

/// What a table sets up: the adapter, where tests come from, and what dbt enforces.
fn workspace(case: &Node) -> Workspace {
    let mut workspace = Workspace::new();
    if let Some(adapter) = text(case, "adapter") {
        workspace.adapter = Adapter::parse(adapter).unwrap();
    }
    if let Some(release) = text(case, "release") {
        workspace.config.dbt.version = Release::parse(release);
    }
    if case.get("packages").is_some() {
        workspace.config.tests.mode = TestMode::Packages;
        let packages = ["dbt_expectations", "dbt_utils"].map(String::from).to_vec();
        workspace.project.packages.clone_from(&packages);
        workspace.project.packages_installed = packages;
        workspace.project.variables = ["dbt_date:time_zone".to_owned()].into();
    }
    if let Some(defined) = case.get("defined") {
        workspace.project.name = Some("shop".to_owned());
        workspace.project.packages_installed = vec!["audit".to_owned()];
        let macros = &mut workspace.project.macros;
        macros.tests = texts(defined, "tests")
            .into_iter()
            .map(|text| text.value)
            .collect();
        macros.materializations = ["custom_table".to_owned()].into();
    }
    workspace.config.model_contracts.enforced = case.get("enforced").is_some();
    workspace
}

/// Compares, and says which case it is.
#[track_caller]
fn assert_case(name: &str, actual: &str, expected: &str) {
    assert!(
        actual == expected,
        "{name}\n--- actual\n{actual}--- expected\n{expected}"
    );
}

/// The role that a case asks for, a model where it does not.
fn role(case: &Node) -> Role {
    match text(case, "role") {
        Some("source") => Role::Source,
        _ => Role::Model,
    }
}

/// Checks the findings without those of the rules with that end, which the case is not about.
fn assert_findings_but(end: &str, case: &Node, name: &str, mut findings: Vec<Diagnostic>) {
    findings.retain(|finding| !finding.rule.code.ends_with(end));
    assert_findings(case, name, &findings);
}

/// Compares findings with those of the case. Objects without columns are told only where a case is
/// about them.
#[track_caller]
fn assert_findings(case: &Node, name: &str, findings: &[Diagnostic]) {
    let expected: Vec<String> = texts(case, "findings")
        .into_iter()
        .map(|text| text.value)
        .collect();
    let code = rules::MAPPING_NO_COLUMNS.code;
    let is_meant = expected.iter().any(|line| line.contains(code));
    let mut found = shown(findings);
    found.retain(|line| is_meant || !line.contains(code));
    assert_case(name, &found.join("\n"), &expected.join("\n"));
}

#[test]
fn a_property_becomes_a_column() {
    for case in cases(include_str!("tests/columns.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        let property = indented(text(&case, "property").unwrap(), 4);
        let object = format!("- name: o\n  properties:\n  - {}", property.trim_start());
        let role = role(&case);
        let source = role == Role::Source;
        let upstream = workspace.add("raw.yaml", Role::Source, &[], &contract("raw", &object));
        if !source {
            workspace.add("c.yaml", role, &[upstream], &contract("c", &object));
        }
        let (files, mut findings) = workspace.render();
        // The upstream has the same column, and the same to say about it.
        findings.retain(|finding| source || finding.contract.as_deref() != Some("raw"));
        let path = if source {
            "models/contracts/raw/sources.yml"
        } else {
            "models/contracts/c/schema.yml"
        };
        let (columns, width) = if source {
            ("        columns:\n", 10)
        } else {
            ("    columns:\n", 6)
        };
        let file = files.get(path).map(String::as_str).unwrap_or_default();
        let (_, body) = file.split_once(columns).unwrap_or_default();
        let actual = dedented(body, width);
        assert_case(name, &actual, text(&case, "column").unwrap_or_default());
        assert_findings(&case, name, &findings);
    }
}

#[test]
fn an_object_becomes_a_model() {
    for case in cases(include_str!("tests/models.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        let mut upstreams = Vec::new();
        if let Some(upstream) = text(&case, "upstream") {
            upstreams.push(workspace.add("u.yaml", Role::Source, &[], &contract("u", upstream)));
        }
        let contract = contract("c", text(&case, "object").unwrap());
        let contract = contract + text(&case, "contract").unwrap_or_default();
        workspace.add("c.yaml", Role::Model, &upstreams, &contract);
        let (files, findings) = workspace.render();
        let file = files
            .get("models/contracts/c/schema.yml")
            .map(String::as_str);
        let (_, body) = file
            .and_then(|file| file.split_once("models:\n"))
            .unwrap_or_default();
        assert_case(
            name,
            &dedented(body, 2),
            text(&case, "model").unwrap_or_default(),
        );
        assert_findings(&case, name, &findings);
    }
}

#[test]
fn an_object_becomes_sql() {
    for case in cases(include_str!("tests/staging.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        let mut upstreams = Vec::new();
        for (index, upstream) in texts(&case, "upstreams").iter().enumerate() {
            let id = format!("u{}", index + 1);
            let path = format!("{id}.yaml");
            upstreams.push(workspace.add(
                &path,
                Role::Source,
                &[],
                &contract(&id, upstream.as_str()),
            ));
        }
        workspace.add(
            "c.yaml",
            Role::Model,
            &upstreams,
            &contract("c", text(&case, "object").unwrap()),
        );
        let (files, findings) = workspace.render();
        let file = files
            .get("models/contracts/c/stg_o.sql")
            .map(String::as_str)
            .unwrap_or_default();
        let (_, body) = file.split_once('\n').unwrap_or_default();
        assert_case(name, body, text(&case, "sql").unwrap_or_default());
        assert_findings(&case, name, &findings);
    }
}

#[test]
fn rules_in_sql_become_singular_tests() {
    for case in cases(include_str!("tests/singular.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        let object = text(&case, "object").unwrap();
        let upstream = workspace.add("u.yaml", Role::Source, &[], &contract("u", "- name: u"));
        let role = role(&case);
        workspace.add("c.yaml", role, &[upstream], &contract("c", object));
        let (files, findings) = workspace.render();
        let tests: Vec<(&str, &str)> = files
            .iter()
            .filter_map(|(path, text)| {
                let stem = path.strip_prefix("tests/dbt_contracts/c/")?;
                let (_, body) = text.split_once('\n').unwrap();
                Some((stem.strip_suffix(".sql").unwrap(), body))
            })
            .collect();
        let names = texts(&case, "names");
        if names.is_empty() {
            let expected = case.get("sql").and_then(Node::as_mapping);
            let mut expected: Vec<(&str, &str)> = expected
                .into_iter()
                .flatten()
                .map(|entry| (entry.key.as_str().unwrap(), entry.value.as_str().unwrap()))
                .collect();
            expected.sort_unstable();
            let listed = |tests: &[(&str, &str)]| -> String {
                let tests = tests.iter().map(|(stem, body)| format!("{stem}: {body}"));
                tests.collect()
            };
            assert_case(name, &listed(&tests), &listed(&expected));
        } else {
            let mut expected: Vec<&str> = names.iter().map(Spanned::as_str).collect();
            expected.sort_unstable();
            let stems: Vec<&str> = tests.iter().map(|(stem, _)| *stem).collect();
            assert_eq!(stems, expected, "{name}");
        }
        assert_findings_but("missing-input-column", &case, name, findings);
    }
}

#[test]
fn service_levels_become_freshness_and_deprecation() {
    for case in cases(include_str!("tests/service_levels.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        let mut upstreams = Vec::new();
        if let Some(upstream) = text(&case, "upstream") {
            let upstream = contract("u", "- name: u") + upstream;
            upstreams.push(workspace.add("u.yaml", Role::Source, &[], &upstream));
        }
        let role = role(&case);
        let contract = contract("c", text(&case, "object").unwrap());
        let contract = contract + text(&case, "levels").unwrap();
        workspace.add("c.yaml", role, &upstreams, &contract);
        let (files, findings) = workspace.render();
        let actual: String = files
            .iter()
            .filter(|(path, _)| {
                let file = path.strip_prefix("models/contracts/c/");
                file == Some("sources.yml") || file == Some("schema.yml")
            })
            .flat_map(|(_, text)| text.lines())
            .filter(|line| {
                let keys = ["- name", "loaded_at_field", "freshness", "deprecation_date"];
                keys.iter().any(|key| line.trim_start().starts_with(key))
            })
            .map(|line| line.trim_start().to_owned() + "\n")
            .collect();
        assert_case(name, &actual, text(&case, "lines").unwrap_or_default());
        assert_findings_but("-upstream", &case, name, findings);
    }
}

#[test]
fn products_own_what_they_output() {
    for case in cases(include_str!("tests/products.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        workspace.config.access = Access::Product;
        let product = format!("id: p\n{}", text(&case, "product").unwrap());
        let product = document("p.yaml", Kind::Product, &product);
        workspace.product = odps::load(&product, &product.root);
        let contract = contract("c", text(&case, "object").unwrap());
        let contract = contract + text(&case, "contract").unwrap_or_default();
        let added = workspace.add("c.yaml", Role::Model, &[], &contract);
        workspace.outputs[added] = case.get("unnamed").is_none();
        let (files, findings) = workspace.render();
        let body = |path: &str, head: &str| {
            let (_, body) = files[path].split_once(head).unwrap();
            dedented(body, 2)
        };
        let groups = body("models/contracts/groups.yml", "groups:\n");
        assert_case(name, &groups, text(&case, "groups").unwrap());
        let models = body("models/contracts/c/schema.yml", "models:\n");
        assert_case(name, &models, text(&case, "models").unwrap());
        assert_findings_but("-upstream", &case, name, findings);
    }
}

#[test]
fn contracts_are_told_why_nothing_is_made_of_them() {
    for case in cases(include_str!("tests/refusals.yaml")) {
        let name = text(&case, "case").unwrap();
        let mut workspace = workspace(&case);
        let role = role(&case);
        for (index, contract) in texts(&case, "contracts").iter().enumerate() {
            let head = "apiVersion: v3.2.0\nkind: DataContract\nstatus: active\n";
            let text = format!("{head}{}", contract.value);
            let added = workspace.add(&format!("c{index}.yaml"), role, &[], &text);
            workspace.outputs[added] = false;
        }
        let (files, findings) = workspace.render();
        let paths: Vec<&str> = files
            .keys()
            .map(String::as_str)
            .filter(|path| !path.starts_with("macros/"))
            .collect();
        let expected: Vec<String> = texts(&case, "files")
            .into_iter()
            .map(|text| text.value)
            .collect();
        assert_case(name, &paths.join("\n"), &expected.join("\n"));
        assert_findings(&case, name, &findings);
    }
}
