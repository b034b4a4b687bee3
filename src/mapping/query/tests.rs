//! Queries with what they become, by hand: `<…>` is a call.

use super::*;

/// The relations of a small workspace.
fn table(parts: &[&str]) -> Found {
    let known = ["orders", "Line Items", "lines"];
    let found = parts.split_last().and_then(|(last, qualifiers)| {
        let mut known = known.iter();
        let name = known.find(|known| known.eq_ignore_ascii_case(last))?;
        matches!(qualifiers, [] | ["raw"]).then(|| Table {
            call: format!("source('raw', '{name}')"),
            alias: format!("{name}_alias"),
        })
    });
    match (found, parts) {
        (Some(table), _) => Found::Table(table),
        (None, ["twice"]) => Found::Several,
        (None, _) => Found::Nothing,
    }
}

/// A query as text, or why there is none.
fn shown(adapter: Adapter, text: &str) -> String {
    let names = Names {
        object: Table {
            call: "ref('o')".to_owned(),
            alias: "o".to_owned(),
        },
        column: Some(Column {
            name: "User Id".to_owned(),
            sql: "\"User Id\"".to_owned(),
        }),
        table: &table,
    };
    match read(adapter, text, &names) {
        Ok(query) => query
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Sql(sql) => sql.clone(),
                Piece::Call(call) => format!("<{call}>"),
            })
            .collect::<String>()
            .trim_start()
            .to_owned(),
        Err(reason) => format!("! {reason}"),
    }
}

#[track_caller]
fn assert_queries(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(Adapter::DuckDb, text), *expected, "{text}");
    }
}

#[test]
fn every_spelling_of_a_placeholder() {
    for word in ["object", "table", "model", "Table"] {
        for (open, close) in [("{", "}"), ("${", "}"), ("\"{", "}\"")] {
            let text = format!("select count(*) from {open}{word}{close}");
            assert_eq!(
                shown(Adapter::DuckDb, &text),
                "select count(*) from <ref('o')>"
            );
        }
    }
    for word in ["property", "column", "field"] {
        for (open, close) in [("{", "}"), ("${", "}"), ("\"${", "}\"")] {
            let text = format!("select max({open}{word}{close}) from {{object}}");
            let expected = "select max(\"User Id\") from <ref('o')>";
            assert_eq!(shown(Adapter::DuckDb, &text), expected);
        }
    }
}

#[test]
fn placeholders_in_their_places() {
    assert_queries(&[
        (
            "select count(*) from {object} where {object}.{property} is null",
            "select count(*) from <ref('o')> o where o.\"User Id\" is null",
        ),
        (
            "select count(*) from {object} as x where x.{column} = 1",
            "select count(*) from <ref('o')> as x where x.\"User Id\" = 1",
        ),
        (
            "select count(*) from {schema}.{table}",
            "select count(*) from <ref('o')>",
        ),
        (
            "select count(*) from ${schema}.lines l",
            "select count(*) from <source('raw', 'lines')> l",
        ),
        (
            "select count(*) from {schema}.other",
            "select count(*) from <ref('o').schema>.other",
        ),
        (
            "select count(*) from information_schema.columns where table_name = '{table}' and column_name = '${column}'",
            "select count(*) from information_schema.columns where table_name = '<ref('o').identifier>' and column_name = 'User Id'",
        ),
        (
            "select 1 from {object}_history",
            "select 1 from <ref('o').identifier>_history",
        ),
        (
            "select 1 from {object} -- {object}\n",
            "select 1 from <ref('o')>",
        ),
        (
            "select 1 -- of {object}\nfrom {object}",
            "select 1 -- of <ref('o').identifier>\n    from <ref('o')>",
        ),
    ]);
}

#[test]
fn tables_that_contracts_describe() {
    assert_queries(&[
        (
            "select count(*) from orders",
            "select count(*) from <source('raw', 'orders')>",
        ),
        (
            "select count(*) from raw.Orders x",
            "select count(*) from <source('raw', 'orders')> x",
        ),
        (
            "select count(*) from \"raw\".\"orders\"",
            "select count(*) from <source('raw', 'orders')>",
        ),
        (
            "select count(*) from other.orders",
            "select count(*) from other.orders",
        ),
        (
            "select count(*) from elsewhere",
            "select count(*) from elsewhere",
        ),
        (
            "select count(*) from raw.orders where raw.orders.a > 1 and orders.b = 2",
            "select count(*) from <source('raw', 'orders')> orders where orders.a > 1 and orders.b = 2",
        ),
        (
            "select count(*) from orders o join \"Line Items\" using (id), lines where o.a = lines.a",
            "select count(*) from <source('raw', 'orders')> o join <source('raw', 'Line Items')> using (id), <source('raw', 'lines')> lines where o.a = lines.a",
        ),
        (
            "select (select count(*) from orders) - count(*) from lines where id in (select id from orders)",
            "select (select count(*) from <source('raw', 'orders')>) - count(*) from <source('raw', 'lines')> where id in (select id from <source('raw', 'orders')>)",
        ),
        // A column, a literal, a function and an alias of that name are no tables.
        (
            "select orders, 'from orders', orders(1) as orders from generate_series(1, 2) as orders(x)",
            "select orders, 'from orders', orders(1) as orders from generate_series(1, 2) as orders(x)",
        ),
        (
            "select extract(year from orders) from elsewhere",
            "select extract(year from orders) from elsewhere",
        ),
    ]);
}

#[test]
fn names_of_with_clauses_are_no_tables() {
    assert_queries(&[
        (
            "with orders as (select * from orders where a > 1), b as (select * from orders) select count(*) from b, lines",
            "with orders as (select * from <source('raw', 'orders')> where a > 1), b as (select * from orders) select count(*) from b, <source('raw', 'lines')>",
        ),
        (
            "with recursive orders as (select 1 union all select * from orders) select count(*) from orders",
            "with recursive orders as (select 1 union all select * from orders) select count(*) from orders",
        ),
        (
            "select count(*) from (with lines as (select 1) select * from lines) x, lines",
            "select count(*) from (with lines as (select 1) select * from lines) x, <source('raw', 'lines')>",
        ),
    ]);
}

#[test]
fn quotes_of_other_dialects() {
    let cases = [
        (
            Adapter::BigQuery,
            "select count(*) from `raw.orders`",
            "select count(*) from <source('raw', 'orders')>",
        ),
        (
            Adapter::BigQuery,
            "select count(*) from `raw.orders` where orders.a > 1",
            "select count(*) from <source('raw', 'orders')> orders_alias where orders_alias.a > 1",
        ),
        (
            Adapter::MySql,
            "select count(*) from `orders`",
            "select count(*) from <source('raw', 'orders')>",
        ),
        (
            Adapter::SqlServer,
            "select top 1 count(*) from [raw].[orders]",
            "select top 1 count(*) from <source('raw', 'orders')>",
        ),
        (
            Adapter::Databricks,
            "select count(*) from ${model} TIMESTAMP AS OF '2026-01-01'",
            "select count(*) from <ref('o')> TIMESTAMP AS OF '2026-01-01'",
        ),
        (
            Adapter::Snowflake,
            "select count(*) from ${model} sample (10 rows)",
            "select count(*) from <ref('o')> sample (10 rows)",
        ),
    ];
    for (adapter, text, expected) in cases {
        assert_eq!(shown(adapter, text), expected);
    }
}

#[test]
fn one_query_and_nothing_else() {
    assert_queries(&[
        ("  select 1 ; \n -- done\n", "select 1"),
        ("select 1;;", "select 1"),
        ("select ';' -- ; \n", "select ';'"),
        ("(select 1)", "(select 1)"),
        (
            "from orders select count(*)",
            "from <source('raw', 'orders')> select count(*)",
        ),
        ("", "! its query is empty"),
        (" ; ", "! its query is empty"),
        (
            "select 1; drop table x",
            "! its query is of several statements",
        ),
        ("delete from orders", "! its statement is no query"),
        (
            "with a as (select 1) delete from orders",
            "! its statement is no query",
        ),
        ("orders must be good", "! its statement is no query"),
        (
            "select 1) from (select 2",
            "! its query closes a parenthesis that it does not open",
        ),
        (
            "select (1",
            "! its query opens a parenthesis that it does not close",
        ),
        (
            "select 'x",
            "! its query is no SQL: Unterminated string literal at Line: 1, Column: 8",
        ),
        (
            "select 1 from ${obect}",
            "! `${obect}` in its query stands for nothing",
        ),
        (
            "select 1 from {obect}",
            "! `{obect}` in its query stands for nothing",
        ),
        (
            "select 1 from \"${project}.x\"",
            "! `${project}` in its query stands for nothing",
        ),
        (
            "select 1 from \"{project}\"",
            "! `{project}` in its query stands for nothing",
        ),
        (
            "select 1 where a = '${DAY:-x}'",
            "! `${DAY:-x}` in its query stands for nothing",
        ),
        (
            "select 1 where a = '{\"x\": {y}}' -- ${z}",
            "select 1 where a = '{\"x\": {y}}'",
        ),
        (
            "select ${env.user}",
            "! `${env.user}` in its query stands for nothing",
        ),
        (
            "select 1 from {{ ref('orders') }}",
            "! its query has Jinja, which is not run; `{object}` stands for the object",
        ),
    ]);
    // As deep as the parser is let go, and further.
    let deep = format!("select {} from {{object}}", vec!["1"; 498].join("+"));
    assert!(shown(Adapter::DuckDb, &deep).ends_with("from <ref('o')>"));
    let long = format!("select {} from {{object}}", vec!["1"; 100_000].join(" + "));
    assert!(shown(Adapter::DuckDb, &long).ends_with("from <ref('o')>"));
    let names = Names {
        object: Table {
            call: String::new(),
            alias: String::new(),
        },
        column: None,
        table: &table,
    };
    assert!(read(Adapter::DuckDb, "select max({column}) from {table}", &names).is_err());
}

#[test]
fn lines_are_moved_in_but_none_of_a_literal() {
    assert_queries(&[(
        "select count(*) -- all\n\nfrom orders\n  where a = 'x\ny'",
        "select count(*) -- all\n\n    from <source('raw', 'orders')>\n      where a = 'x\ny'",
    )]);
}

/// The object of a rule, in a workspace that knows nothing else.
fn only_the_object() -> Names<'static> {
    Names {
        object: Table {
            call: "ref('o')".to_owned(),
            alias: "o".to_owned(),
        },
        column: None,
        table: &|_| Found::Nothing,
    }
}

#[test]
fn what_a_query_returns() {
    let cases = [
        ("select count(*) from {object}", Some(1), true),
        ("select count(*) as n, 1 from {object}", Some(2), false),
        ("(select sum(a) from {object})", Some(1), true),
        ("select max(a) from {object}", Some(1), false),
        ("select * from {object}", None, false),
        (
            "select a, b from {object} union select 1, 2",
            Some(2),
            false,
        ),
        (
            "with c as (select 1, 2) select avg(n) from c",
            Some(1),
            true,
        ),
    ];
    for (text, columns, is_number) in cases {
        let query = read(Adapter::DuckDb, text, &only_the_object()).unwrap();
        assert_eq!(
            (query.columns, query.is_number),
            (columns, is_number),
            "{text}"
        );
    }
}

#[test]
fn a_value_is_told_from_rows() {
    let cases = [
        ("select count(*) from {object}", Some(Returns::Value)),
        (
            "select max(a) - min(a) as spread from {object} where b",
            Some(Returns::Value),
        ),
        ("select 1", Some(Returns::Value)),
        ("select * from {object} where a < 0", Some(Returns::Rows)),
        (
            "select a from {object} group by a having count(*) > 1",
            Some(Returns::Rows),
        ),
        (
            "select a, count(*) over (partition by a) from {object}",
            Some(Returns::Rows),
        ),
        (
            "select a from {object} union all select b from {object}",
            Some(Returns::Rows),
        ),
        (
            "with c as (select count(*) as n from {object}) select n from c where n > 1",
            Some(Returns::Rows),
        ),
        (
            "select count(*) from {object} version as of 3 what ever",
            None,
        ),
    ];
    for (text, expected) in cases {
        let query = read(Adapter::DuckDb, text, &only_the_object()).unwrap();
        assert_eq!(query.returns, expected, "{text}");
    }
}

/// What is foreign in a query, with how many adapters read it.
fn foreign(adapter: Adapter, text: &str) -> Option<(String, bool)> {
    let names = Names {
        object: Table {
            call: "ref('o')".to_owned(),
            alias: "o".to_owned(),
        },
        column: None,
        table: &table,
    };
    let found = read(adapter, text, &names).unwrap().foreign?;
    Some((found.construct, found.known_to.is_empty()))
}

#[test]
fn sql_of_other_warehouses_is_named() {
    let cases = [
        (Adapter::DuckDb, "select top 1 a from {object}", Some("top")),
        (Adapter::SqlServer, "select top 1 a from {object}", None),
        (Adapter::BigQuery, "select `a b` from {object}", None),
        (
            Adapter::SqlServer,
            "select a from {object} limit 1",
            Some("limit"),
        ),
        (Adapter::DuckDb, "select a from {object} limit 1", None),
        (
            Adapter::Postgres,
            "select a from {object} qualify row_number() over (order by a) = 1",
            Some("qualify"),
        ),
        (
            Adapter::DuckDb,
            "select a from {object} qualify row_number() over (order by a) = 1",
            None,
        ),
        (
            Adapter::DuckDb,
            "select max(a) from (select top 5 a from {object}) x",
            Some("top"),
        ),
        (Adapter::DuckDb, "select count(*) from {object}", None),
    ];
    for (adapter, text, construct) in cases {
        let found = foreign(adapter, text);
        let expected = construct.map(|construct| (construct.to_owned(), false));
        assert_eq!(found, expected, "{text} on {adapter:?}");
    }
}
