//! Text -> [`SqlType`]. One grammar reads every dialect; the tables say which words it has.
//!
//! ```text
//! type    = (word "<" … ">" | word "(" … ")" | names) suffix*
//! names   = (word parameters?)+                 such as `timestamp(6) with time zone`
//! suffix  = "[" number? "]"
//! ```

use super::nesting::{Array, Nesting, nesting};
use super::scalars;
use super::{Meaning, Scalar, SqlType};
use crate::dbt::adapter::Adapter;

/// How deep types may nest.
const DEPTH: usize = 64;

/// Reads a type, or nothing where the dialect has no such type.
pub fn parse(adapter: Adapter, text: &str) -> Option<SqlType> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        adapter,
        nesting: nesting(adapter),
        tokens: &tokens,
        at: 0,
    };
    let parsed = parser.sql_type(0)?;
    (parser.at == tokens.len()).then_some(parsed)
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name or a keyword.
    Word(String),
    /// A name in quotes of its own.
    Quoted(String),
    /// A number, or a string with its quotes: what only parameters have.
    Literal(String),
    /// Anything else.
    Sign(char),
}

/// Cuts the text into tokens; nothing where it holds a character that no type has.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '\'' => {
                let length = closing(rest, '\'')?;
                (Token::Literal(rest[..length].to_owned()), length)
            }
            '"' | '`' => {
                let length = closing(rest, first)?;
                let inside = &rest[1..length - 1];
                let doubled = format!("{first}{first}");
                let name = inside.replace(&doubled, &first.to_string());
                (Token::Quoted(name), length)
            }
            '0'..='9' | '-' => {
                let length = 1 + span(&rest[1..], |character| character.is_ascii_digit());
                (Token::Literal(rest[..length].to_owned()), length)
            }
            '(' | ')' | '<' | '>' | '[' | ']' | ',' | ':' | '*' | '=' => {
                (Token::Sign(first), first.len_utf8())
            }
            _ if first.is_alphabetic() || first == '_' => {
                let length = span(rest, |character| {
                    character.is_alphanumeric() || matches!(character, '_' | '$')
                });
                (Token::Word(rest[..length].to_owned()), length)
            }
            _ => return None,
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// How many bytes of `text` satisfy a condition from the start on.
fn span(text: &str, within: impl Fn(char) -> bool) -> usize {
    text.find(|character| !within(character))
        .unwrap_or(text.len())
}

/// The length of a quoted text that starts with `quote`, which stands inside only doubled.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character != quote {
            continue;
        }
        if characters.next_if(|(_, next)| *next == quote).is_none() {
            return Some(at + 1);
        }
    }
    None
}

/// A kind of type that holds others.
#[derive(Clone, Copy)]
enum Shape {
    Array,
    Struct,
    Map,
    Wrapped(&'static str),
}

/// Where the reading stands.
struct Parser<'a> {
    adapter: Adapter,
    nesting: &'static Nesting,
    tokens: &'a [Token],
    at: usize,
}

impl Parser<'_> {
    /// Reads one type with its array suffixes.
    fn sql_type(&mut self, depth: usize) -> Option<SqlType> {
        if depth > DEPTH {
            return None;
        }
        let mut parsed = match self.shape() {
            Some((shape, close)) => self.nested(shape, close, depth + 1)?,
            None => self.scalar()?,
        };
        let mut suffixes = 0;
        while self.sign('[') {
            suffixes += 1;
            let length = self.number();
            if !self.sign(']') || self.nesting.array != Array::Suffix || depth + suffixes > DEPTH {
                return None;
            }
            parsed = SqlType::Array {
                items: Box::new(parsed),
                length,
            };
        }
        Some(parsed)
    }

    /// What kind of type that holds others starts here, if one does, and the bracket that ends it.
    fn shape(&self) -> Option<(Shape, char)> {
        let (Token::Word(word), Token::Sign(open)) =
            (self.tokens.get(self.at)?, self.tokens.get(self.at + 1)?)
        else {
            return None;
        };
        let close = match open {
            '<' if self.nesting.brackets.0 == "<" => '>',
            // Athena reads the types of its tables in angles, those of its queries in round ones.
            '(' if self.nesting.brackets.0 == "(" || self.adapter == Adapter::Athena => ')',
            _ => return None,
        };
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let structure = self.nesting.structure;
        let wrapper = self.nesting.wrappers.iter().find(|wrapper| is(wrapper));
        let shape = if matches!(self.nesting.array, Array::Word(array) if is(array)) {
            Shape::Array
        } else if structure.is_some_and(|(word, _)| is(word) || is("row")) {
            Shape::Struct
        } else if self.nesting.map.is_some_and(is) {
            Shape::Map
        } else {
            Shape::Wrapped(wrapper?)
        };
        Some((shape, close))
    }

    /// Reads a type that holds others.
    fn nested(&mut self, shape: Shape, close: char, depth: usize) -> Option<SqlType> {
        self.at += 2;
        let nested = match shape {
            Shape::Array => SqlType::Array {
                items: Box::new(self.sql_type(depth)?),
                length: None,
            },
            Shape::Struct => self.fields(depth)?,
            Shape::Map => self.key_and_value(depth)?,
            Shape::Wrapped(word) => SqlType::Wrapped {
                word,
                inner: Box::new(self.sql_type(depth)?),
            },
        };
        self.sign(close).then_some(nested)
    }

    /// Reads the two types inside a map.
    fn key_and_value(&mut self, depth: usize) -> Option<SqlType> {
        let key = self.sql_type(depth)?;
        if !self.sign(',') {
            return None;
        }
        Some(SqlType::Map(Box::new((key, self.sql_type(depth)?))))
    }

    /// Reads the fields of a struct, `name type` or `name: type`.
    fn fields(&mut self, depth: usize) -> Option<SqlType> {
        let mut fields = Vec::new();
        loop {
            let (Token::Word(name) | Token::Quoted(name)) = self.tokens.get(self.at)? else {
                return None;
            };
            self.at += 1;
            if self
                .nesting
                .structure
                .is_some_and(|(_, between)| between.contains(':'))
            {
                self.sign(':');
            }
            fields.push((name.clone(), self.sql_type(depth)?));
            if !self.sign(',') {
                return Some(SqlType::Struct(fields));
            }
        }
    }

    /// Reads the words of a scalar type with their parameters, and looks them up.
    fn scalar(&mut self) -> Option<SqlType> {
        let mut words: Vec<(String, Option<Vec<String>>)> = Vec::new();
        while let Some(Token::Word(word)) = self.tokens.get(self.at) {
            self.at += 1;
            let parameters = if self.sign('(') {
                Some(self.parameters()?)
            } else {
                None
            };
            words.push((word.to_ascii_lowercase(), parameters));
        }
        let (row, mut parameters) = scalars::find(self.adapter, &words)?;
        if matches!(
            row.meaning,
            Meaning::Decimal | Meaning::RoundingDecimal { .. }
        ) {
            // Everywhere a precision alone means whole numbers.
            let whole = |group: &&mut Vec<String>| group.len() == 1 && group[0] != "*";
            if let Some(group) = parameters.first_mut().filter(whole) {
                group.push("0".to_owned());
            }
        }
        // ClickHouse names the zone in the parameters.
        let zoned = parameters
            .iter()
            .flatten()
            .any(|parameter| parameter.starts_with('\''));
        let meaning = match row.meaning {
            Meaning::Timestamp { aware } => Meaning::Timestamp {
                aware: aware || zoned,
            },
            meaning => meaning,
        };
        Some(SqlType::Scalar(Scalar {
            pattern: row.pattern,
            parameters,
            meaning,
        }))
    }

    /// Reads parameters up to their closing bracket.
    fn parameters(&mut self) -> Option<Vec<String>> {
        let mut parameters = vec![String::new()];
        loop {
            let token = self.tokens.get(self.at)?;
            self.at += 1;
            let text = match token {
                Token::Sign(')') => break,
                Token::Sign(',') => {
                    parameters.push(String::new());
                    continue;
                }
                Token::Sign('*') => "*",
                Token::Sign('=') => "=",
                Token::Word(text) => &text.to_ascii_lowercase(),
                Token::Literal(text) => text,
                Token::Sign(_) | Token::Quoted(_) => return None,
            };
            // There is always a last one.
            if let Some(last) = parameters.last_mut() {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(text);
            }
        }
        parameters
            .iter()
            .all(|parameter| !parameter.is_empty())
            .then_some(parameters)
    }

    /// Takes a sign if it is the next token.
    fn sign(&mut self, sign: char) -> bool {
        let next = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(next);
        next
    }

    /// Takes a number if it is the next token.
    fn number(&mut self) -> Option<u32> {
        let Token::Literal(text) = self.tokens.get(self.at)? else {
            return None;
        };
        let number = text.parse().ok()?;
        self.at += 1;
        Some(number)
    }
}
