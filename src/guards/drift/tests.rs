//! Policies against changes, as a table.

use super::*;
use crate::mapping::shapes::ColumnType;
use crate::yaml::{self, Limits, Node, Span};

const TABLE: &str = include_str!("tests/policies.yaml");

/// `name type flags…` as a column: flags are `required` and `v2`.
fn shape_column(text: &str) -> ShapeColumn {
    let mut words = text.split_whitespace();
    let mut column = ShapeColumn {
        name: words.next().unwrap().to_owned(),
        span: Span::default(),
        data_type: ColumnType::Exact(words.next().unwrap().to_owned()),
        required: false,
        added_in: None,
    };
    for flag in words {
        match flag.strip_prefix('v') {
            Some(version) => column.added_in = Some(version.parse().unwrap()),
            None => column.required = flag == "required",
        }
    }
    column
}

/// `name type null|not_null` as a column, the last two unless they are unknown.
fn column(text: &str) -> Column {
    let mut words = text.split_whitespace();
    Column {
        name: words.next().unwrap().to_owned(),
        data_type: words.next().map(str::to_owned),
        nullable: words.next().map(|word| word == "null"),
    }
}

fn list(node: &Node) -> Vec<&str> {
    node.as_sequence()
        .unwrap()
        .iter()
        .map(|item| item.as_str().unwrap())
        .collect()
}

fn text<'n>(node: &'n Node, key: &str) -> &'n str {
    node.get(key)
        .and_then(Node::as_str)
        .unwrap_or_else(|| panic!("{key}"))
}

#[test]
fn every_policy_decides_every_change() {
    let root = yaml::parse(TABLE, &Limits::default()).documents.remove(0);
    let base = list(root.get("contract").unwrap());
    for case in root.get("cases").unwrap().as_sequence().unwrap() {
        let name = text(case, "case");
        let contract = case.get("contract").map_or_else(|| base.clone(), list);
        let shape = Shape {
            contract: 0,
            object: 0,
            source: "raw".to_owned(),
            table: "orders".to_owned(),
            dialect: None,
            database: None,
            schema: None,
            identifier: "orders".to_owned(),
            policy: Ok(Policy::Approved),
            columns: contract.into_iter().map(shape_column).collect(),
        };
        let relation = Relation {
            columns: list(case.get("observed").unwrap())
                .into_iter()
                .map(column)
                .collect(),
            ..Relation::default()
        };
        let judged = |policy| {
            let terms = Terms {
                adapter: Adapter::DuckDb,
                policy,
                strict_nullability: case.get("strict").is_some(),
            };
            judge(&shape, &relation, terms)
        };
        let decided: Vec<&str> = Policy::ALL
            .iter()
            .map(|(policy, _)| {
                let judgement = judged(*policy);
                let mut differences = judgement.differences.iter();
                let warns = differences.any(|difference| difference.verdict == Verdict::Warn);
                match (judgement.decision, warns) {
                    (Decision::Accepted, false) => "load",
                    (Decision::Accepted, true) => "warn",
                    (Decision::Rejected, _) => "reject",
                    (Decision::CannotJudge, _) => "cannot_judge",
                }
            })
            .collect();
        assert_eq!(decided, list(case.get("decided").unwrap()), "{name}");
        let approved = judged(Policy::Approved);
        assert_eq!(approved.reason, text(case, "reason"), "{name}");
        let version = case
            .get("schema_version")
            .and_then(|version| match version.data {
                yaml::Data::Int(version) => u32::try_from(version).ok(),
                _ => None,
            });
        assert_eq!(approved.schema_version, version.unwrap_or(1), "{name}");
        let renamed = approved.renamed.map(|(from, to)| format!("{from} -> {to}"));
        let hint = case.get("hint").and_then(Node::as_str);
        assert_eq!(renamed.as_deref(), hint, "{name}");
    }
}
