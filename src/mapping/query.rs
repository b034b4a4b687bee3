//! The query of a quality rule: SQL of a contract comes in, and goes out as SQL whose placeholders
//! are resolved and whose tables are relations of dbt, in [`Piece`]s.
//!
//! Placeholders become words that no query has, so that the parser reads the query as a whole. What
//! it takes for a table and a contract describes is replaced by a call; every other byte stays. A
//! query that is beyond the parser keeps its literal tables.

mod bind;
mod foreign;
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
use foreign::Foreign;

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

/// What looks like a placeholder or a variable.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"\$?\{[A-Za-z_][A-Za-z0-9_.]*(?::-[^}]*)?\}").unwrap()
});

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
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
    /// How many columns that has.
    pub(super) columns: Option<usize>,
    /// Whether it is a number for certain.
    pub(super) is_number: bool,
    /// It starts with `with`.
    pub(super) has_ctes: bool,
    /// What of it the warehouse does not read.
    pub(super) foreign: Option<Foreign>,
    /// The tables in it that stay as they are; `None` where the parser could not read it.
    pub(super) unbound: Option<Unbound>,
}

/// Tables that stay as a query names them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Unbound {
    /// Those that no contract describes.
    pub(super) unknown: Vec<String>,
    /// Those that several contracts have.
    pub(super) ambiguous: Vec<String>,
}

/// What a name in a query stands for.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// A relation.
    Table(Table),
    /// One of several, none of which is nearer than the others.
    Several,
    /// Nothing that a contract describes.
    Nothing,
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
    /// What a name of one or several parts stands for.
    pub(super) table: &'a dyn Fn(&[&str]) -> Found,
}

/// Reads a query, or says why no test can be made of it.
pub(super) fn read(adapter: Adapter, text: &str, names: &Names<'_>) -> Result<Query, String> {
    let text = stand_ins(text);
    let dialect = dialect(adapter);
    let dialect = dialect.as_ref();
    // Literals keep their escapes, so that nothing of the text is lost.
    let tokens = Tokenizer::new(dialect, &text)
        .with_unescape(false)
        .tokenize_with_location()
        .map_err(|error| format!("its query is no SQL: {error}"))?;
    let lexemes = lexemes(&text, tokens);
    let lexemes = statement(&lexemes)?;
    let mut code = lexemes.iter().filter(|lexeme| lexeme.is_significant());
    if names.column.is_none() && code.any(|lexeme| text[lexeme.range.clone()].contains(PROPERTY)) {
        return Err("its query has a placeholder for a column, and the rule is on none".to_owned());
    }
    if let Some(written) = unresolved(&text, lexemes) {
        return Err(format!("`{written}` in its query stands for nothing"));
    }
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
        columns: tree.as_deref().and_then(tables::columns),
        is_number: tree.as_deref().is_some_and(tables::is_number),
        foreign: foreign::find(adapter, lexemes, tree.as_deref()),
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
    if lexemes
        .windows(2)
        .any(|pair| starts_jinja(&pair[0], &pair[1]))
    {
        let reason = "its query has Jinja, which is not run; `{object}` stands for the object";
        return Err(reason.to_owned());
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

/// Whether two tokens open Jinja, which would not be run.
fn starts_jinja(open: &Lexeme, next: &Lexeme) -> bool {
    let jinja = [Token::LBrace, Token::Mod, Token::Sharp];
    open.token.token == Token::LBrace && jinja.contains(&next.token.token)
}

/// A placeholder or variable that nothing stands for: a word in braces in code or in a quoted name,
/// and with a dollar in a literal too. Comments may say what they like.
fn unresolved(text: &str, lexemes: &[Lexeme]) -> Option<String> {
    let is_closing = |lexeme: &&Lexeme| lexeme.token.token == Token::RBrace;
    lexemes
        .iter()
        .enumerate()
        .filter(|(_, lexeme)| lexeme.is_significant())
        .find_map(|(index, lexeme)| {
            let is_code = lexeme.token.token == Token::LBrace;
            let is_name = matches!(lexeme.token.token, Token::Word(_));
            let start = lexeme.range.start;
            // In code a brace is a token of its own, and so may be the dollar before it.
            let (start, end) = if is_code {
                let close = lexemes[index..].iter().find(is_closing)?;
                let has_dollar = text[..start].ends_with('$');
                (start - usize::from(has_dollar), close.range.end)
            } else {
                (start, lexeme.range.end)
            };
            let mut words = WORDS.find_iter(&text[start..end]);
            let found = words.find(|word| {
                (is_code && word.start() == 0) || is_name || word.as_str().starts_with('$')
            });
            found.map(|word| word.as_str().to_owned())
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
