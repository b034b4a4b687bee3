//! `transformLogic`: the text of a contract comes in, and goes out as a SQL expression if it is one.

mod columns;

use sqlparser::ast::Expr;
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, DatabricksDialect, Dialect, DuckDbDialect, GenericDialect,
    MsSqlDialect, MySqlDialect, OracleDialect, PostgreSqlDialect, RedshiftSqlDialect,
    SQLiteDialect, SnowflakeDialect, SparkSqlDialect,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace};

use crate::dbt::adapter::Adapter;

/// The parser's trees of long chains of operators are as deep as the chains, so that longer
/// expressions than people write are left alone.
const TOKENS: usize = 2_000;

/// A single SQL expression.
#[derive(Debug)]
pub(super) struct Expression {
    tokens: Vec<Token>,
    /// The columns that it reads, each in its parts.
    columns: Vec<Vec<String>>,
    /// The type that it is cast to as a whole.
    cast: Option<String>,
}

/// Reads an expression; `None` for anything else: prose, statements, queries, comments.
pub(super) fn parse(adapter: Adapter, text: &str) -> Option<Expression> {
    let dialect = dialect(adapter);
    let dialect = dialect.as_ref();
    // Literals keep their escapes, so that the tokens spell what was written.
    let tokens = Tokenizer::new(dialect, text.trim())
        .with_unescape(false)
        .tokenize()
        .ok()?;
    if tokens.len() > TOKENS || tokens.iter().any(is_foreign) {
        return None;
    }
    let mut parser = Parser::new(dialect).with_tokens(tokens.clone());
    let tree = parser.parse_expr().ok()?;
    let cast = match &tree {
        Expr::Cast { data_type, .. } => Some(data_type.to_string()),
        _ => None,
    };
    (parser.peek_token().token == Token::EOF).then(|| Expression {
        columns: columns::of(&tree),
        tokens,
        cast,
    })
}

/// What becomes of a column where an expression is written.
pub(super) enum Written {
    /// It stays as it is.
    Same,
    /// It gets the name of a relation before it.
    Of(String),
    /// As many of its parts are written so.
    As(usize, String),
}

/// Tokens that no single expression has: `select` starts a query, a semicolon a next statement, and
/// a comment could hide the rest of its line.
fn is_foreign(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.quote_style.is_none() && word.keyword == Keyword::SELECT,
        Token::SemiColon
        | Token::Whitespace(
            Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_),
        ) => true,
        _ => false,
    }
}

/// The parser's name for an adapter's dialect.
pub(super) fn dialect(adapter: Adapter) -> Box<dyn Dialect> {
    match adapter {
        Adapter::DuckDb => Box::new(DuckDbDialect {}),
        Adapter::Postgres => Box::new(PostgreSqlDialect {}),
        Adapter::Snowflake => Box::new(SnowflakeDialect {}),
        Adapter::BigQuery => Box::new(BigQueryDialect {}),
        Adapter::Redshift => Box::new(RedshiftSqlDialect {}),
        Adapter::Databricks => Box::new(DatabricksDialect {}),
        Adapter::Spark => Box::new(SparkSqlDialect {}),
        Adapter::Trino | Adapter::Athena => Box::new(GenericDialect {}),
        Adapter::ClickHouse => Box::new(ClickHouseDialect {}),
        Adapter::SqlServer | Adapter::Fabric => Box::new(MsSqlDialect {}),
        Adapter::MySql => Box::new(MySqlDialect {}),
        Adapter::Oracle => Box::new(OracleDialect {}),
        Adapter::Sqlite => Box::new(SQLiteDialect {}),
    }
}

impl Expression {
    /// Whether the expression is itself a cast to that type.
    pub(super) fn is_cast_to(&self, data_type: &str) -> bool {
        let plain = |text: &str| text.to_lowercase().replace(' ', "");
        self.cast
            .as_ref()
            .is_some_and(|cast| plain(cast) == plain(data_type))
    }

    /// The columns that it reads, each in its parts: a column, its relation or field with it.
    pub(super) fn columns(&self) -> impl Iterator<Item = &[String]> {
        self.columns.iter().map(Vec::as_slice)
    }

    /// Whether a column may be none that a table has, but one that the warehouse offers beside them.
    pub(super) fn is_beside(column: &[String]) -> bool {
        matches!(column, [name] if columns::is_beside(name))
    }

    /// The text, with `write` asked what becomes of each column. Further lines stand as far in as
    /// `indent` says.
    pub(super) fn text(&self, indent: usize, write: impl Fn(&[String]) -> Written) -> String {
        let mut text = String::new();
        let mut index = 0;
        while index < self.tokens.len() {
            if let Some(parts) = self.column(index) {
                match write(parts) {
                    Written::Same => {}
                    Written::Of(relation) => {
                        text.push_str(&relation);
                        text.push('.');
                    }
                    Written::As(count, written) => {
                        text.push_str(&written);
                        // A period stands between two parts.
                        index += 2 * count.clamp(1, parts.len()) - 1;
                        continue;
                    }
                }
            }
            text.push_str(&self.tokens[index].to_string());
            index += 1;
        }
        let in_literal = |token: &Token| {
            !matches!(token, Token::Whitespace(_)) && token.to_string().contains('\n')
        };
        if text.contains('\n') && !self.tokens.iter().any(in_literal) {
            reindent(&text, indent)
        } else {
            text
        }
    }

    /// The column that starts at a token. What follows `as` is a type, what follows a period a part
    /// of what stands before it, and what a parenthesis follows a function.
    fn column(&self, index: usize) -> Option<&[String]> {
        let significant = |token: &&Token| !matches!(token, Token::Whitespace(_));
        let before = self.tokens[..index].iter().rev().find(significant);
        let is_as =
            |token: &Token| matches!(token, Token::Word(word) if word.keyword == Keyword::AS);
        let no_column =
            |token: &Token| is_as(token) || matches!(token, Token::DoubleColon | Token::Period);
        if before.is_some_and(no_column) {
            return None;
        }
        let mut parts = Vec::new();
        let mut end = index;
        while let Some(Token::Word(word)) = self.tokens.get(end) {
            parts.push(word.value.as_str());
            end += 1;
            if self.tokens.get(end) != Some(&Token::Period) {
                break;
            }
            end += 1;
        }
        let after = self.tokens[end..].iter().find(significant);
        if after == Some(&Token::LParen) {
            return None;
        }
        let mut columns = self.columns();
        columns.find(|column| column.iter().map(String::as_str).eq(parts.iter().copied()))
    }
}

/// Puts all lines but the first at `indent`, further in where they were so.
fn reindent(text: &str, indent: usize) -> String {
    let depth = |line: &&str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let least = lines.iter().skip(1).map(depth).min().unwrap_or(0);
    lines
        .iter()
        .enumerate()
        .map(|(number, line)| match number {
            0 => line.trim_end().to_owned(),
            _ => format!("\n{}{}", " ".repeat(indent), line[least..].trim_end()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        parse(Adapter::DuckDb, text).map(|expression| expression.text(0, |_| Written::Same))
    }

    #[test]
    fn expressions_are_told_from_everything_else() {
        for expression in [
            "amount_cents / 100.0",
            "cast(ordered_at as date)",
            "case when a > 1 then 'it''s' else \"User Id\" end",
            "coalesce(a, b) || '-- no comment'",
            "x in (1, 2)",
            "a",
        ] {
            assert_eq!(text(expression).as_deref(), Some(expression));
        }
        for other in [
            "select a from b",
            "a; drop table b",
            "a -- b",
            "a /* b */",
            "Euros from cents",
            "exists (select 1)",
            "a, b",
            "a as b",
            "case when",
            "{{ ref('a') }}",
            "a) as x, (b",
            "",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
        assert_eq!(text("  a +\n    b  ").as_deref(), Some("a +\nb"));
    }

    #[test]
    fn columns_are_told_from_other_names() {
        for (text, expected) in [
            ("case when a > 1 then b else null end", "a b"),
            (
                "cast(date as date) + o.date + date(1) + \"Date\"",
                "date o.date Date",
            ),
            ("date_trunc(month, at) + datediff('day', day, at)", "at"),
            ("extract(year from at) + interval 1 day", "at"),
            ("list_transform(tags, x -> x || suffix)", "tags suffix"),
            ("payload -> 'a' ->> 'b'", "payload"),
            ("items[1].price + f(a).price", "items a"),
            ("row_number() over (partition by a order by b desc)", "a b"),
            ("struct_pack(x := a, y := current_date)", "a"),
            ("a in (1, b) and c is null and 'it' like d", "a b c d"),
            ("count(*)", ""),
        ] {
            let expression = parse(Adapter::DuckDb, text).unwrap();
            let columns: Vec<String> = expression.columns().map(|parts| parts.join(".")).collect();
            assert_eq!(columns.join(" "), expected, "{text}");
        }
        for (adapter, text) in [
            (Adapter::Trino, "transform(tags, x -> x + a)"),
            (Adapter::BigQuery, "date_trunc(tags, week(monday)) + a"),
            (Adapter::SqlServer, "datepart(year, tags) + a"),
            (
                Adapter::Snowflake,
                "dateadd(day, tags, a) || metadata$filename || $1",
            ),
        ] {
            let expression = parse(adapter, text).unwrap();
            let columns: Vec<String> = expression.columns().map(|parts| parts.join(".")).collect();
            assert_eq!(columns, ["tags", "a"], "{text}");
        }
    }

    #[test]
    fn columns_can_be_written_otherwise() {
        let text = "cast(date as date) + o.date + date(1) + \"Date\" + x.y.z";
        let expression = parse(Adapter::DuckDb, text).unwrap();
        let written = expression.text(0, |parts| match parts {
            [first, _, ..] if first == "x" => Written::As(2, "t.w".to_owned()),
            [name] if name == "Date" => Written::As(1, "day".to_owned()),
            [name] if name == "date" => Written::Of("orders".to_owned()),
            _ => Written::Same,
        });
        assert_eq!(
            written,
            "cast(orders.date as date) + o.date + date(1) + day + t.w.z"
        );
    }
}
