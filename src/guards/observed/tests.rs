//! Every form of file, with the relations that it describes.

use super::*;

/// A relation as `database.schema.name [source.table] {label}: name type null, …`.
fn shown(relation: &Relation) -> String {
    let mut text = relation.shown();
    if let Some((source, table)) = &relation.source {
        text = format!("{text} [{source}.{table}]");
    }
    if let Some(label) = &relation.label {
        text = format!("{text} {{{label}}}");
    }
    let columns = relation.columns.iter().map(|column| {
        let nullable = column
            .nullable
            .map(|known| if known { "null" } else { "not_null" });
        let words = [
            Some(column.name.as_str()),
            column.data_type.as_deref(),
            nullable,
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    format!("{text}: {}", columns.collect::<Vec<_>>().join(", "))
}

/// What comes of a text.
fn parsed(text: &str) -> Result<Vec<String>, String> {
    let observation = parse(text.as_bytes(), Some("orders"))?;
    Ok(observation.relations.iter().map(shown).collect())
}

#[test]
fn every_form_is_told_by_what_is_in_it() {
    let cases: &[(&str, &[&str])] = &[
        (
            "table_catalog,table_schema,table_name,column_name,ordinal_position,data_type,is_nullable\n\
             db,raw,orders,total,2,\"DECIMAL(10,2)\",YES\n\
             db,raw,orders,id,1,BIGINT,NO\n\
             db,raw,lines,id,1,BIGINT,NO\n",
            &[
                "db.raw.orders: id BIGINT not_null, total DECIMAL(10,2) null",
                "db.raw.lines: id BIGINT not_null",
            ],
        ),
        (
            "schema_case,column_name,data_type,nullable\r\nadded,id,VARCHAR,false\r\nadded,currency,VARCHAR,true\r\n",
            &["added {added}: id VARCHAR not_null, currency VARCHAR null"],
        ),
        ("COLUMN_NAME;DATA_TYPE\nid;BIGINT\n", &[": id BIGINT"]),
        (
            r#"[{"TABLE_SCHEMA":"RAW","TABLE_NAME":"ORDERS","COLUMN_NAME":"ID","DATA_TYPE":"NUMBER(38,0)","IS_NULLABLE":"NO"}]"#,
            &["RAW.ORDERS: ID NUMBER(38,0) not_null"],
        ),
        (
            r#"{"node": "inline", "show": [{"table_schema": "raw", "table_name": "orders", "column_name": "id", "data_type": "BIGINT", "is_nullable": "YES"}]}"#,
            &["raw.orders: id BIGINT null"],
        ),
        (
            "03:10:21  Running with dbt=1.11.0\n\
             {\"source\":\"raw\",\"table\":\"orders\",\"schema\":\"raw\",\"identifier\":\"ord\",\"columns\":[{\"name\":\"id\",\"type\":\"BIGINT\",\"nullable\":false}]}\n\
             03:10:22  {\"source\":\"raw\",\"table\":\"lines\",\"schema\":\"raw\",\"identifier\":\"lines\",\"columns\":[]}\n",
            &[
                "raw.ord [raw.orders]: id BIGINT not_null",
                "raw.lines [raw.lines]: ",
            ],
        ),
        (
            r#"{"metadata": {}, "nodes": {"seed.shop.orders": {"metadata": {"database": "db", "schema": "raw", "name": "orders"}, "columns": {"id": {"type": "BIGINT", "index": 1, "name": "id"}}}},
                "sources": {"source.shop.raw.orders": {"metadata": {"database": "db", "schema": "raw", "name": "orders"}, "columns": {"id": {"type": "BIGINT", "index": 1, "name": "id"}}}}}"#,
            &["db.raw.orders [raw.orders]: id BIGINT"],
        ),
        (
            "{\"data\": {}, \"info\": {\"msg\": \"Running with dbt=1.11.0\"}}\n\
             {\"data\": {}, \"info\": {\"msg\": \"{\\\"source\\\": \\\"raw\\\", \\\"table\\\": \\\"orders\\\", \\\"identifier\\\": \\\"ord\\\", \\\"columns\\\": [{\\\"name\\\": \\\"id\\\"}]}\"}}\n",
            &["ord [raw.orders]: id"],
        ),
        (
            "\u{feff}order_id;order_date;\"total; net\"\n1;2026-01-01;3\n",
            &["orders {orders}: order_id, order_date, total; net"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text).unwrap(), *expected, "{text}");
    }
}

#[test]
fn what_is_none_of_them_says_so() {
    for (text, problem) in [
        (
            "{\"orders\": 1}",
            "it is neither a `catalog.json`, nor a list of columns, nor a relation with `columns`",
        ),
        ("[1]", "an entry of its list is no object of a column"),
        (
            "{\"a\": ",
            "it is no JSON: EOF while parsing a value at line 1 column 6",
        ),
        ("[{\"data_type\": \"INT\"}]", "row 1 names no column"),
        (
            "a,,b\n",
            "it is neither JSON nor CSV with names in its first line",
        ),
        ("[]", "it describes no relation"),
        ("\n\n", "it describes no relation"),
    ] {
        assert_eq!(parsed(text).unwrap_err(), problem, "{text}");
    }
}

#[test]
fn text_may_be_of_another_encoding() {
    let text = "column_name,data_type\nid,BIGINT\n";
    let units: Vec<u16> = text.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [
        text.as_bytes().to_vec(),
        [&[0xff, 0xfe][..], &little].concat(),
        [&[0xfe, 0xff][..], &big].concat(),
    ] {
        let observation = parse(&bytes, None).unwrap();
        assert_eq!(shown(&observation.relations[0]), ": id BIGINT");
    }
    let broken = [&[0xff, 0xfe][..], &little[1..]].concat();
    assert_eq!(parse(&broken, None).unwrap_err(), "it is no UTF-16 text");
    assert_eq!(parse(b"a\xff", None).unwrap_err(), "it is no UTF-8 text");
}

#[test]
fn every_query_gives_the_fields_that_are_read() {
    for (adapter, word) in Adapter::ALL {
        let Ok(query) = query::export(*adapter) else {
            continue;
        };
        for field in [
            "table_schema",
            "table_name",
            "column_name",
            "data_type",
            "is_nullable",
        ] {
            assert!(query.contains(field), "{word}: {field}");
        }
    }
}
