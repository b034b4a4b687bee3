//! The query of a quality rule: SQL of a contract comes in, and goes out as SQL whose placeholders
//! are resolved and whose tables are relations of dbt, in [`Piece`]s.
//!
//! Placeholders become words that no query has, so that the parser reads the query as a whole. What
//! it takes for a table and a contract describes is replaced by a call; every other byte stays. A
//! query that is beyond the parser keeps its literal tables.

mod tables;

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Serialize;
use sqlparser::ast::{Query as Tree, SetExpr};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Whitespace};

use super::expression::dialect;
use crate::dbt::adapter::Adapter;
use crate::dbt::literals;

/// How far in a query stands.
const INDENT: &str = "    ";

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
    let tree = (lexemes
        .iter()
        .filter(|lexeme| lexeme.is_significant())
        .count()
        <= TOKENS)
        .then(|| {
            let mut parser = Parser::new(dialect).with_tokens_with_locations(tokens);
            let tree = parser.parse_query().ok()?;
            (parser.peek_token().token == Token::EOF).then_some(tree)
        })
        .flatten();
    if tree.as_deref().is_some_and(changes_data) {
        return Err("its statement is no query".to_owned());
    }
    let mut editor = Editor {
        adapter,
        text: &text,
        lexemes,
        names,
        edits: Vec::new(),
    };
    let unbound = tree.as_deref().map(|tree| editor.tables(tree));
    editor.stand_ins();
    editor.breaks();
    Ok(Query {
        pieces: editor.pieces(),
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

/// A table without an alias of its own, which a call replaces.
struct Bound {
    /// The parts of its name in lower case.
    parts: Vec<String>,
    /// What its columns are qualified with from now on.
    alias: String,
    /// Its edit.
    edit: usize,
}

/// Collects what of a query is replaced.
struct Editor<'a> {
    adapter: Adapter,
    text: &'a str,
    lexemes: &'a [Lexeme],
    names: &'a Names<'a>,
    edits: Vec<(Range<usize>, Vec<Piece>)>,
}

impl Editor<'_> {
    /// Replaces the tables that contracts describe. The names of the others come back.
    fn tables(&mut self, tree: &Tree) -> Vec<String> {
        let mut unbound = Vec::new();
        let mut bound = Vec::new();
        for factor in tables::factors(tree) {
            let parts: Vec<&str> = factor.parts.iter().map(String::as_str).collect();
            let Some((&last, qualifiers)) = parts.split_last() else {
                continue;
            };
            let table = if last == OBJECT {
                Some(self.names.object.clone())
            } else {
                let stated = qualifiers.iter().copied().filter(|part| *part != SCHEMA);
                let stated: Vec<&str> = stated.chain([last]).collect();
                (self.names.table)(&stated)
            };
            let (Some(table), Some((range, written))) = (table, self.place(&factor, last)) else {
                if last != OBJECT {
                    unbound.push(factor.parts.join("."));
                }
                continue;
            };
            if !factor.has_alias {
                bound.push(Bound {
                    parts: factor
                        .parts
                        .iter()
                        .map(|part| part.to_lowercase())
                        .collect(),
                    alias: written.unwrap_or(table.alias),
                    edit: self.edits.len(),
                });
            }
            self.edits.push((range, vec![Piece::Call(table.call)]));
        }
        self.qualifiers(&bound);
        unbound
    }

    /// Where the name of a table stands, and how its last part is written unless that is a
    /// placeholder or a part of one quoted name.
    fn place(&self, factor: &tables::Factor, last: &str) -> Option<(Range<usize>, Option<String>)> {
        let at = |location| {
            self.lexemes
                .iter()
                .find(|lexeme| lexeme.token.span.start == location)
        };
        let (first, end) = (at(factor.start)?, at(factor.end)?);
        let word = end.word()?;
        let range = first.range.start..end.range.end;
        if word == last {
            let written = (last != OBJECT).then(|| self.text[end.range.clone()].to_owned());
            Some((range, written))
        } else {
            word.rsplit('.').next().filter(|part| *part == last)?;
            Some((range, None))
        }
    }

    /// Gives the tables that columns are qualified with an alias, since the name of a relation may
    /// be another one, and puts it before those columns.
    fn qualifiers(&mut self, bound: &[Bound]) {
        let code: Vec<&Lexeme> = self
            .lexemes
            .iter()
            .filter(|lexeme| lexeme.is_significant())
            .collect();
        let is_period = |index: usize| {
            code.get(index)
                .is_some_and(|lexeme| lexeme.token.token == Token::Period)
        };
        let mut used = vec![false; bound.len()];
        let mut index = 0;
        while index < code.len() {
            let start = index;
            index += 1;
            if code[start].word().is_none() || self.is_edited(&code[start].range) {
                continue;
            }
            // The qualifiers are all words that a period follows.
            let mut words: Vec<&Lexeme> = Vec::new();
            let mut next = start;
            while code.get(next).is_some_and(|lexeme| lexeme.word().is_some())
                && is_period(next + 1)
            {
                words.push(code[next]);
                next += 2;
            }
            let spelt: Vec<String> = words
                .iter()
                .filter_map(|lexeme| lexeme.word().map(str::to_lowercase))
                .collect();
            let found = (1..=words.len()).rev().find_map(|length| {
                let prefix = &spelt[..length];
                bound
                    .iter()
                    .position(|table| {
                        table.parts == prefix || table.parts.ends_with(prefix) && length == 1
                    })
                    .map(|table| (length, table))
            });
            if let Some((length, table)) = found {
                used[table] = true;
                let range = words[0].range.start..words[length - 1].range.end;
                self.edits
                    .push((range, vec![Piece::Sql(bound[table].alias.clone())]));
            }
            index = index.max(next);
        }
        for (table, _) in bound.iter().zip(used).filter(|(_, used)| *used) {
            let alias = Piece::Sql(format!(" {}", table.alias));
            self.edits[table.edit].1.push(alias);
        }
    }

    /// Replaces the placeholders that are left: as names where they are words of their own, as
    /// plain text inside literals, comments and other words.
    fn stand_ins(&mut self) {
        for lexeme in self.lexemes {
            if self.is_edited(&lexeme.range) {
                continue;
            }
            let call =
                |attribute: &str| Piece::Call(format!("{}{attribute}", self.names.object.call));
            let column = self.names.column.as_ref();
            let whole = match lexeme.word() {
                Some(OBJECT) => Some(call("")),
                Some(SCHEMA) => Some(call(".schema")),
                Some(PROPERTY) => column.map(|column| Piece::Sql(column.sql.clone())),
                _ => None,
            };
            if let Some(piece) = whole {
                self.edits.push((lexeme.range.clone(), vec![piece]));
                continue;
            }
            let plain = column.map(|column| literals::inside_quotes(self.adapter, &column.name));
            let within = [
                (OBJECT, Some(call(".identifier"))),
                (SCHEMA, Some(call(".schema"))),
                (PROPERTY, plain.map(Piece::Sql)),
            ];
            for (stand_in, piece) in within {
                let Some(piece) = piece else { continue };
                for (offset, _) in self.text[lexeme.range.clone()].match_indices(stand_in) {
                    let start = lexeme.range.start + offset;
                    let range = start..start + stand_in.len();
                    self.edits.push((range, vec![piece.clone()]));
                }
            }
        }
    }

    /// Moves the lines of the query in, but none inside a literal.
    fn breaks(&mut self) {
        for pair in self.lexemes.windows(2) {
            let Token::Whitespace(Whitespace::Newline | Whitespace::SingleLineComment { .. }) =
                pair[0].token.token
            else {
                continue;
            };
            let end = pair[0].range.end;
            let is_blank = matches!(pair[1].token.token, Token::Whitespace(Whitespace::Newline));
            if !is_blank && self.text[..end].ends_with('\n') {
                self.edits
                    .push((end..end, vec![Piece::Sql(INDENT.to_owned())]));
            }
        }
    }

    /// Whether something is replaced there already.
    fn is_edited(&self, range: &Range<usize>) -> bool {
        self.edits
            .iter()
            .any(|(edited, _)| edited.start < range.end && range.start < edited.end)
    }

    /// The text with its edits.
    fn pieces(mut self) -> Vec<Piece> {
        self.edits
            .sort_by_key(|(range, _)| (range.start, range.end));
        let (Some(first), Some(last)) = (self.lexemes.first(), self.lexemes.last()) else {
            return Vec::new();
        };
        let mut pieces = vec![Piece::Sql(INDENT.to_owned())];
        let mut push = |piece: Piece| match (pieces.last_mut(), piece) {
            (Some(Piece::Sql(before)), Piece::Sql(sql)) => before.push_str(&sql),
            (_, piece) => pieces.push(piece),
        };
        let mut at = first.range.start;
        for (range, edited) in self.edits {
            push(Piece::Sql(self.text[at..range.start].to_owned()));
            at = range.end;
            edited.into_iter().for_each(&mut push);
        }
        push(Piece::Sql(self.text[at..last.range.end].to_owned()));
        pieces
    }
}

#[cfg(test)]
mod tests;
