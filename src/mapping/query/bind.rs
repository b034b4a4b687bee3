//! The edits of a query: what is replaced in its text, by [`tables`] for what the parser knows.

use std::ops::Range;

use sqlparser::ast::Query as Tree;
use sqlparser::tokenizer::{Token, Whitespace};

use super::{Found, Lexeme, Names, OBJECT, PROPERTY, Piece, SCHEMA, Unbound, tables};
use crate::dbt::adapter::Adapter;
use crate::dbt::literals;

/// How far in a query stands.
const INDENT: &str = "    ";

/// Binds a query to relations of dbt. The tables that no contract describes come back too, where
/// the parser could read the query.
pub(super) fn bind(
    adapter: Adapter,
    text: &str,
    lexemes: &[Lexeme],
    tree: Option<&Tree>,
    names: &Names<'_>,
) -> (Vec<Piece>, Option<Unbound>) {
    let mut editor = Editor {
        adapter,
        text,
        lexemes,
        names,
        edits: Vec::new(),
    };
    let unbound = tree.map(|tree| editor.tables(tree));
    editor.stand_ins();
    editor.breaks();
    (editor.pieces(), unbound)
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
    fn tables(&mut self, tree: &Tree) -> Unbound {
        let mut unbound = Unbound::default();
        let mut bound = Vec::new();
        for factor in tables::factors(tree) {
            let parts: Vec<&str> = factor.parts.iter().map(String::as_str).collect();
            let Some((&last, qualifiers)) = parts.split_last() else {
                continue;
            };
            let found = if last == OBJECT {
                Found::Table(self.names.object.clone())
            } else {
                let stated = qualifiers.iter().copied().filter(|part| *part != SCHEMA);
                let stated: Vec<&str> = stated.chain([last]).collect();
                (self.names.table)(&stated)
            };
            let place = self.place(&factor, last);
            let (Found::Table(table), Some((range, written))) = (&found, place) else {
                let name = factor.parts.join(".");
                match found {
                    _ if last == OBJECT => {}
                    Found::Several => unbound.ambiguous.push(name),
                    Found::Table(_) | Found::Nothing => unbound.unknown.push(name),
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
                    alias: written.unwrap_or_else(|| table.alias.clone()),
                    edit: self.edits.len(),
                });
            }
            self.edits
                .push((range, vec![Piece::Call(table.call.clone())]));
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
        // Most of a query are blanks and short words.
        let shortest = [OBJECT, SCHEMA, PROPERTY].map(str::len).into_iter().min();
        let is_long = |lexeme: &&Lexeme| Some(lexeme.range.len()) >= shortest;
        for lexeme in self.lexemes.iter().filter(is_long) {
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
            // Without a column only a comment can have one.
            let plain = column.map_or_else(
                || "column".to_owned(),
                |column| literals::inside_quotes(self.adapter, &column.name),
            );
            let within = [
                (OBJECT, call(".identifier")),
                (SCHEMA, call(".schema")),
                (PROPERTY, Piece::Sql(plain)),
            ];
            for (stand_in, piece) in within {
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
