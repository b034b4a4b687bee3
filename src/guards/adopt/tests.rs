//! Contracts before and after adoption, as a table.

use std::sync::Arc;

use super::*;
use crate::config::Policy;
use crate::diagnostics::SourceFile;
use crate::document::{Document, Kind};
use crate::mapping::shapes::{ColumnType, ShapeColumn};
use crate::odcs;
use crate::yaml::Data;

/// The contract with the head that every case shares.
fn whole(schema: &str) -> String {
    format!(
        "apiVersion: v3.1.0\nkind: DataContract\nid: a\nversion: 1.0.0\nstatus: active\n{schema}"
    )
}

/// The columns of a case, `name TYPE`.
fn columns(node: &Node) -> Vec<Column> {
    let items = node.as_sequence().unwrap();
    let columns = items.iter().map(|item| {
        let mut words = item.as_str().unwrap().split_whitespace();
        Column {
            name: words.next().unwrap().to_owned(),
            data_type: words.next().map(str::to_owned),
            nullable: None,
        }
    });
    columns.collect()
}

/// What comes of a contract.
fn adopted(text: &str, observed: Vec<Column>, overwrite: bool) -> Result<String, String> {
    let root = parse(text, &Limits::default()).documents.remove(0);
    let document = Arc::new(Document {
        file: SourceFile::new("a.yaml", text),
        root,
        kind: Kind::Contract,
        comments: Vec::new(),
    });
    let contract = odcs::load(&document, &document.root).unwrap();
    let object = &contract.objects[0];
    let shape = Shape {
        contract: 0,
        object: 0,
        source: "a".to_owned(),
        table: "t".to_owned(),
        dialect: None,
        database: None,
        schema: None,
        identifier: "t".to_owned(),
        policy: Ok(Policy::Approved),
        columns: object
            .columns()
            .map(|property| ShapeColumn {
                name: property.physical().to_owned(),
                span: property.name.span,
                data_type: match (&property.physical_type, property.logical()) {
                    (Some(physical), _) => ColumnType::Exact(physical.value.clone()),
                    (None, Some(logical)) => ColumnType::Logical(logical),
                    (None, None) => ColumnType::Any,
                },
                required: property.required,
                added_in: None,
            })
            .collect(),
    };
    let relation = Relation {
        columns: observed,
        ..Relation::default()
    };
    let wish = Wish {
        object,
        shape: &shape,
        relation: &relation,
    };
    adopt(text, &[wish], Adapter::DuckDb, overwrite).map(|(text, _)| text)
}

#[test]
fn contracts_say_what_was_observed() {
    let table = parse(include_str!("tests/cases.yaml"), &Limits::default());
    for case in table.documents[0].as_sequence().unwrap() {
        let text = |key: &str| case.get(key).and_then(Node::as_str).unwrap_or_default();
        let overwrite = matches!(
            case.get("overwrite").map(|node| &node.data),
            Some(Data::Bool(true))
        );
        let observed = columns(case.get("observed").unwrap());
        for line_break in ["\n", "\r\n"] {
            let of = |text: &str| whole(text).replace('\n', line_break);
            let found = adopted(&of(text("before")), observed.clone(), overwrite);
            let expected = match text("refused") {
                "" => Ok(of(text("after"))),
                reason => Err(reason.to_owned()),
            };
            assert_eq!(found, expected, "{}", text("case"));
        }
    }
}

#[test]
fn a_contract_in_json_stays_json() {
    let before = r#"{"apiVersion": "v3.1.0", "kind": "DataContract", "id": "a", "version": "1.0.0", "schema": [{"name": "t", "properties": [{"name": "id"}]}]}"#;
    let column = |name: &str, data_type: &str| Column {
        name: name.to_owned(),
        data_type: Some(data_type.to_owned()),
        nullable: None,
    };
    let observed = vec![column("id", "BIGINT"), column("day", "DATE")];
    let after = adopted(before, observed, false).unwrap();
    let expected = r#"[{"name": "id", "logicalType": "integer", "logicalTypeOptions": {"format":"i64"}, "physicalType": "BIGINT"}, {"name": "day", "logicalType": "date", "physicalType": "DATE"}]"#;
    assert!(after.contains(expected), "{after}");
    assert!(serde_json::from_str::<Value>(&after).is_ok());
}

#[test]
fn a_column_that_dbt_cannot_quote_is_refused() {
    let text = whole("schema: [{name: t, properties: [{name: id}]}]\n");
    let observed = vec![Column {
        name: "a\"b".to_owned(),
        data_type: Some("INTEGER".to_owned()),
        nullable: None,
    }];
    let reason = adopted(&text, observed, false).unwrap_err();
    assert!(reason.contains("cannot quote"), "{reason}");
}
