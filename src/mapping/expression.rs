//! `transformLogic`: the text of a contract comes in, and goes out as a SQL expression if it is one.

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

/// A single SQL expression.
#[derive(Debug)]
pub(super) struct Expression {
    tokens: Vec<Token>,
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
    if tokens.iter().any(is_foreign) {
        return None;
    }
    let mut parser = Parser::new(dialect).with_tokens(tokens.clone());
    let cast = match parser.parse_expr().ok()? {
        Expr::Cast { data_type, .. } => Some(data_type.to_string()),
        _ => None,
    };
    (parser.peek_token().token == Token::EOF).then_some(Expression { tokens, cast })
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

    /// The names in it that may be columns.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.tokens.len()).filter_map(|index| self.name(index).map(|(name, _)| name))
    }

    /// The text, with `qualify` asked for a relation to put before each bare name. Further lines
    /// stand as far in as `indent` says.
    pub(super) fn text(&self, indent: usize, qualify: impl Fn(&str) -> Option<String>) -> String {
        let mut text = String::new();
        for (index, token) in self.tokens.iter().enumerate() {
            if let Some((name, true)) = self.name(index)
                && let Some(relation) = qualify(name)
            {
                text.push_str(&relation);
                text.push('.');
            }
            text.push_str(&token.to_string());
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

    /// The name at a token, if it may be one of a column, and whether it is bare: not the part of a
    /// relation or value before it. What follows `as` is a type.
    fn name(&self, index: usize) -> Option<(&str, bool)> {
        let Token::Word(word) = &self.tokens[index] else {
            return None;
        };
        let significant = |token: &&Token| !matches!(token, Token::Whitespace(_));
        let next = self.tokens[index + 1..].iter().find(significant);
        let before = self.tokens[..index].iter().rev().find(significant);
        let is_as =
            |token: &Token| matches!(token, Token::Word(word) if word.keyword == Keyword::AS);
        let is_type = before.is_some_and(|token| is_as(token) || *token == Token::DoubleColon);
        if is_type
            || is_as(&self.tokens[index])
            || matches!(next, Some(Token::LParen | Token::Period))
        {
            return None;
        }
        Some((word.value.as_str(), !matches!(before, Some(Token::Period))))
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
        parse(Adapter::DuckDb, text).map(|expression| expression.text(0, |_| None))
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
    fn bare_columns_can_be_qualified() {
        let expression = parse(
            Adapter::DuckDb,
            "cast(date as date) + o.date + date(1) + \"Date\"",
        )
        .unwrap();
        let qualified = expression.text(0, |name| {
            name.eq_ignore_ascii_case("date")
                .then(|| "orders".to_owned())
        });
        assert_eq!(
            qualified,
            "cast(orders.date as date) + o.date + date(1) + orders.\"Date\""
        );
        let names: Vec<&str> = expression.names().collect();
        assert_eq!(names, ["date", "date", "Date"]);
    }
}
