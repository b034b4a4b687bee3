//! The tree: a value, where it stands in the text, and how it was written.

use granit_parser::{ScalarStyle, StructureStyle};
use serde_json::{Number, Value};

use super::mapping::{Entry, Mapping};

/// A half-open byte range in the file's text.
///
/// Every key and value has one, and no file that is read has 4 GiB: half the width is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            start: narrow(start),
            end: narrow(end),
        }
    }

    /// The first byte.
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// The byte after the last one.
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// The range to slice a text with.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start()..self.end()
    }
}

/// A value of the document with its place in the text.
///
/// A scalar's span covers it as written, quotes included; a block scalar's runs from its `|` or `>`
/// to the end of its last line, without that line's break; a missing value's is empty. A collection
/// spans from its first to its last child, brackets included.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value is written; for a copy made by an alias, where the original is.
    pub span: Span,
    /// The value.
    pub data: Data,
    /// How it was written.
    pub style: Style,
    /// Anchor, tag and alias, where the node has them. Few have: boxed, since nodes are moved a lot.
    pub properties: Option<Box<Properties>>,
}

/// What may stand before a value, or in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Properties {
    /// For a node reached through an alias, the span of `*name`. Its children carry no mark of their own.
    pub alias: Option<Span>,
    /// The span of `&name`.
    pub anchor: Option<Span>,
    /// The span of `!tag`.
    pub tag: Option<Span>,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true`, `false` and the words that YAML 1.1 reads as such.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A number with a point, or a whole one that does not fit 128 bits.
    Float(f64),
    /// Text, dates included.
    String(String),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys with values.
    Mapping(Mapping),
}

/// The notation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// An unquoted scalar, or a missing one.
    Plain,
    /// `'text'`.
    SingleQuoted,
    /// `"text"`.
    DoubleQuoted,
    /// A block scalar that begins with `|`.
    Literal,
    /// A block scalar that begins with `>`.
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in brackets, or a single pair inside a bracketed list.
    Flow,
}

impl From<ScalarStyle> for Style {
    fn from(style: ScalarStyle) -> Self {
        match style {
            ScalarStyle::Plain => Self::Plain,
            ScalarStyle::SingleQuoted => Self::SingleQuoted,
            ScalarStyle::DoubleQuoted => Self::DoubleQuoted,
            ScalarStyle::Literal => Self::Literal,
            ScalarStyle::Folded => Self::Folded,
        }
    }
}

impl From<StructureStyle> for Style {
    fn from(style: StructureStyle) -> Self {
        match style {
            StructureStyle::Block => Self::Block,
            StructureStyle::Flow => Self::Flow,
        }
    }
}

/// How far a JSON pointer leads.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    /// The deepest node that the pointer reaches.
    pub node: &'a Node,
    /// The key of that node, when it is a mapping's value.
    pub key: Option<&'a Node>,
    /// Whether every step of the pointer was taken.
    pub complete: bool,
}

impl Node {
    /// Where the node stands in its parent: at the alias that brought it, else at its own text.
    pub fn place(&self) -> Span {
        self.alias().unwrap_or(self.span)
    }

    /// For a node reached through an alias, the span of `*name`.
    pub fn alias(&self) -> Option<Span> {
        self.properties.as_ref()?.alias
    }

    /// Notes that the alias at `place` brought the node.
    pub(super) fn set_alias(&mut self, place: Span) {
        self.properties.get_or_insert_default().alias = Some(place);
    }

    /// The value under a key, when this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_mapping()?.get(key)
    }

    /// The key and value under a key, when this is a mapping that has it.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.as_mapping()?.entry(key)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a whole number that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self.data {
            Data::Int(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value of any number.
    pub fn as_f64(&self) -> Option<f64> {
        match self.data {
            Data::Int(value) => Some(to_float(value)),
            Data::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.data {
            Data::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.data {
            Data::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// What the value is, in words for a message.
    pub fn kind(&self) -> &'static str {
        match self.data {
            Data::Null => "nothing",
            Data::Bool(_) => "true/false",
            Data::Int(_) | Data::Float(_) => "a number",
            Data::String(_) => "a string",
            Data::Sequence(_) => "a list",
            Data::Mapping(_) => "a mapping",
        }
    }

    /// The entries of a mapping, whose values may change; none of anything else.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = (&str, &mut Node)> {
        let mapping = match &mut self.data {
            Data::Mapping(mapping) => Some(mapping),
            _ => None,
        };
        mapping.into_iter().flat_map(Mapping::values_mut)
    }

    /// The items of a list, which may change; none of anything else.
    pub fn items_mut(&mut self) -> &mut [Node] {
        match &mut self.data {
            Data::Sequence(items) => items,
            _ => &mut [],
        }
    }

    /// Says of the node, and of everything in it, that it stands elsewhere.
    pub fn move_to(&mut self, span: Span) {
        self.span = span;
        match &mut self.data {
            Data::Sequence(items) => items.iter_mut().for_each(|item| item.move_to(span)),
            Data::Mapping(mapping) => mapping.move_to(span),
            _ => {}
        }
    }

    /// The node with the first level below it: single values stay, lists and mappings are emptied and
    /// keep their places.
    pub fn outline(&self) -> Self {
        let Data::Mapping(mapping) = &self.data else {
            return self.emptied();
        };
        Self {
            data: Data::Mapping(mapping.outline()),
            ..self.emptied()
        }
    }

    /// The node without what it holds, if it is a list or a mapping.
    pub(super) fn emptied(&self) -> Self {
        Self {
            data: match &self.data {
                Data::Sequence(_) => Data::Sequence(Vec::new()),
                Data::Mapping(_) => Data::Mapping(Mapping::default()),
                data => data.clone(),
            },
            span: self.span,
            style: self.style,
            properties: self.properties.clone(),
        }
    }

    /// Follows a JSON pointer as far as it goes.
    pub fn locate(&self, pointer: &str) -> Located<'_> {
        let mut located = Located {
            node: self,
            key: None,
            complete: true,
        };
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            let step = match &located.node.data {
                Data::Mapping(mapping) => mapping
                    .entry(&token)
                    .map(|entry| (&entry.value, Some(&entry.key))),
                Data::Sequence(items) => token
                    .parse()
                    .ok()
                    .and_then(|index: usize| items.get(index))
                    .map(|item| (item, None)),
                _ => None,
            };
            let Some((node, key)) = step else {
                return Located {
                    complete: false,
                    ..located
                };
            };
            located = Located {
                node,
                key,
                complete: true,
            };
        }
        located
    }

    /// The value as JSON.
    ///
    /// Keys become their source text, as [`Entry::name`] gives it. A whole number beyond 64 bits becomes
    /// a floating-point one; `.nan` and the infinities, which JSON lacks, become that text.
    pub fn to_json(&self) -> Value {
        match &self.data {
            Data::Null => Value::Null,
            Data::Bool(value) => Value::Bool(*value),
            Data::Int(value) => i64::try_from(*value)
                .map(Value::from)
                .or_else(|_| u64::try_from(*value).map(Value::from))
                .unwrap_or_else(|_| float_to_json(to_float(*value))),
            Data::Float(value) => float_to_json(*value),
            Data::String(text) => Value::String(text.clone()),
            Data::Sequence(items) => items.iter().map(Node::to_json).collect(),
            Data::Mapping(mapping) => {
                let members = mapping
                    .iter()
                    .map(|entry| (entry.name().to_owned(), entry.value.to_json()));
                Value::Object(members.collect())
            }
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a float is asked for; the nearest one is the answer"
)]
fn to_float(value: i128) -> f64 {
    value as f64
}

fn float_to_json(value: f64) -> Value {
    let text = || {
        if value.is_nan() {
            ".nan"
        } else if value > 0.0 {
            ".inf"
        } else {
            "-.inf"
        }
    };
    Number::from_f64(value).map_or_else(|| Value::from(text()), Value::Number)
}
