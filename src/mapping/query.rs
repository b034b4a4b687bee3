//! The query of a quality rule: SQL of a contract comes in, and goes out as SQL whose placeholders
//! are resolved and whose tables are relations of dbt, in [`Piece`]s.
//!
//! Placeholders become words that no query has, so that the parser reads the query as a whole. What
//! it takes for a table and a contract describes is replaced by a call; every other byte stays. A
//! query that is beyond the parser keeps its literal tables.

mod bind;
mod tables;

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Serialize;
use sqlparser::ast::{Query as Tree, SetExpr};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::expression::dialect;
use crate::dbt::adapter::Adapter;

/// The parser's trees of long chains of operators are as deep as the chains, so that longer queries
/// than people write are left alone.
const TOKENS: usize = 1_000;

/// The placeholders by the words that contracts write in braces, with or without `$`.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("object", OBJECT),
    ("table", OBJECT),
    ("model", OBJECT),
    ("property", PROPERTY),
    ("column", PROPERTY),
    ("field", PROPERTY),
    ("schema", SCHEMA),
];

/// What stands for the rule's own object until the query is read.
const OBJECT: &str = "contract_placeholder_object";

/// What stands for the rule's own column.
const PROPERTY: &str = "contract_placeholder_property";

/// What stands for the schema of the rule's object.
const SCHEMA: &str = "contract_placeholder_schema";

/// A word in braces.
static BRACES: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\$?\{([A-Za-z]+)\}").unwrap()
});

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    /// SQL as the contract writes it.
    Sql(String),
    /// A call of dbt, such as `ref('orders')`.
    Call(String),
}

/// A query that can be run.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) pieces: Vec<Piece>,
    /// What it returns, as far as it can be told.
    pub(super) returns: Option<Returns>,
    /// It starts with `with`.
    pub(super) has_ctes: bool,
    /// The tables in it that no contract describes; `None` where the parser could not read it.
    pub(super) unbound: Option<Vec<String>>,
}

/// What a query returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// One row with one measured value.
    Value,
    /// Any number of rows.
    Rows,
}

/// A relation that names in a query stand for.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The call that selects it.
    pub(super) call: String,
    /// What columns of it can be qualified with.
    pub(super) alias: String,
}

/// The column of the rule.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its name.
    pub(super) name: String,
    /// Its name in SQL.
    pub(super) sql: String,
}

/// What names in a query stand for.
pub(super) struct Names<'a> {
    /// The object that the rule is on.
    pub(super) object: Table,
    /// The column that it is on.
    pub(super) column: Option<Column>,
    /// The relation of a name of several parts, if a contract describes it.
    pub(super) table: &'a dyn Fn(&[&str]) -> Option<Table>,
}

/// Reads a query, or says why no test can be made of it.
pub(super) fn read(adapter: Adapter, text: &str, names: &Names<'_>) -> Result<Query, String> {
    let text = stand_ins(text);
    if names.column.is_none() && text.contains(PROPERTY) {
        return Err("its query has a placeholder for a column, and the rule is on none".to_owned());
    }
    let dialect = dialect(adapter);
    let dialect = dialect.as_ref();
    // Literals keep their escapes, so that nothing of the text is lost.
    let tokens = Tokenizer::new(dialect, &text)
        .with_unescape(false)
        .tokenize_with_location()
        .map_err(|error| format!("its query is no SQL: {error}"))?;
    let lexemes = lexemes(&text, tokens);
    let lexemes = statement(&lexemes)?;
    let tokens = lexemes.iter().map(|lexeme| lexeme.token.clone()).collect();
    let code = lexemes.iter().filter(|lexeme| lexeme.is_significant());
    let tree = (code.count() <= TOKENS)
        .then(|| {
            let mut parser = Parser::new(dialect).with_tokens_with_locations(tokens);
            let tree = parser.parse_query().ok()?;
            (parser.peek_token().token == Token::EOF).then_some(tree)
        })
        .flatten();
    if tree.as_deref().is_some_and(changes_data) {
        return Err("its statement is no query".to_owned());
    }
    let (pieces, unbound) = bind::bind(adapter, &text, lexemes, tree.as_deref(), names);
    Ok(Query {
        pieces,
        returns: tree.as_deref().map(tables::returns),
        has_ctes: is_keyword(&lexemes[0].token.token, &[Keyword::WITH]),
        unbound,
    })
}

/// The text with words for its placeholders. In double braces a word is Jinja of somebody else.
fn stand_ins(text: &str) -> String {
    let text = text.trim();
    BRACES
        .replace_all(text, |found: &Captures<'_>| {
            let whole = found.get(0).map(|whole| whole.range()).unwrap_or_default();
            let word = found[1].to_lowercase();
            let doubled = text[..whole.start].ends_with('{') || text[whole.end..].starts_with('}');
            PLACEHOLDERS
                .iter()
                .find(|(known, _)| *known == word && !doubled)
                .map_or_else(
                    || found[0].to_owned(),
                    |(_, stand_in)| (*stand_in).to_owned(),
                )
        })
        .into_owned()
}

/// A token with its bytes.
struct Lexeme {
    token: TokenWithSpan,
    range: Range<usize>,
}

impl Lexeme {
    /// Whether it is more than a blank or a comment.
    fn is_significant(&self) -> bool {
        !matches!(self.token.token, Token::Whitespace(_))
    }

    /// The word that it is.
    fn word(&self) -> Option<&str> {
        match &self.token.token {
            Token::Word(word) => Some(&word.value),
            _ => None,
        }
    }
}

/// The tokens with their bytes: each ends where the next one begins.
fn lexemes(text: &str, tokens: Vec<TokenWithSpan>) -> Vec<Lexeme> {
    let mut bytes = text.char_indices().peekable();
    let (mut line, mut column) = (1, 1);
    let mut starts: Vec<usize> = Vec::with_capacity(tokens.len() + 1);
    for token in &tokens {
        let start = token.span.start;
        while (line, column) < (start.line, start.column)
            && let Some((_, character)) = bytes.next()
        {
            if character == '\n' {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        starts.push(bytes.peek().map_or(text.len(), |(byte, _)| *byte));
    }
    starts.push(text.len());
    tokens
        .into_iter()
        .zip(starts.windows(2))
        .map(|(token, bounds)| Lexeme {
            token,
            range: bounds[0]..bounds[1],
        })
        .collect()
}

/// The one query of a text, without what follows it: semicolons, blanks, comments.
fn statement(lexemes: &[Lexeme]) -> Result<&[Lexeme], String> {
    let is_code =
        |lexeme: &Lexeme| lexeme.is_significant() && lexeme.token.token != Token::SemiColon;
    let (Some(first), Some(last)) = (
        lexemes.iter().position(is_code),
        lexemes.iter().rposition(is_code),
    ) else {
        return Err("its query is empty".to_owned());
    };
    let lexemes = &lexemes[first..=last];
    let mut depth = 0_usize;
    for lexeme in lexemes {
        match lexeme.token.token {
            Token::SemiColon => return Err("its query is of several statements".to_owned()),
            Token::LParen => depth += 1,
            Token::RParen if depth == 0 => {
                return Err("its query closes a parenthesis that it does not open".to_owned());
            }
            Token::RParen => depth -= 1,
            _ => {}
        }
    }
    if depth > 0 {
        return Err("its query opens a parenthesis that it does not close".to_owned());
    }
    if let Some(reason) = braces(lexemes) {
        return Err(reason);
    }
    let starts = [
        Keyword::SELECT,
        Keyword::WITH,
        Keyword::FROM,
        Keyword::VALUES,
        Keyword::TABLE,
    ];
    let start = &lexemes[0].token.token;
    if *start != Token::LParen && !is_keyword(start, &starts) {
        return Err("its statement is no query".to_owned());
    }
    Ok(lexemes)
}

/// What is wrong with the braces of a query: a word in them is no placeholder, and Jinja in code
/// would not be run.
fn braces(lexemes: &[Lexeme]) -> Option<String> {
    let jinja = [Token::LBrace, Token::Mod, Token::Sharp];
    lexemes.iter().enumerate().find_map(|(index, open)| {
        let next = lexemes.get(index + 1)?;
        if open.token.token != Token::LBrace {
            return None;
        }
        if jinja.contains(&next.token.token) {
            return Some(
                "its query has Jinja, which is not run; `{object}` stands for the object"
                    .to_owned(),
            );
        }
        let is_closed = lexemes.get(index + 2)?.token.token == Token::RBrace;
        let word = next.word().filter(|_| is_closed)?;
        Some(format!("`{{{word}}}` in its query stands for nothing"))
    })
}

/// Whether a token is one of the keywords.
fn is_keyword(token: &Token, keywords: &[Keyword]) -> bool {
    matches!(token, Token::Word(word) if keywords.contains(&word.keyword))
}

/// Whether a statement writes what it selects.
fn changes_data(tree: &Tree) -> bool {
    matches!(
        tree.body.as_ref(),
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_)
    )
}

#[cfg(test)]
mod tests;
