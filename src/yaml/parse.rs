//! The way in: a text comes in, its documents, problems and comments go out.

use granit_parser::Parser;

use super::builder::Builder;
use super::node::{Node, Span};

/// How large a file may be, so that no file can exhaust memory or the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Collections inside each other.
    pub depth: usize,
    /// Values in the file, keys included.
    pub nodes: usize,
    /// Values that aliases may copy in all.
    pub alias_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 128,
            nodes: 2_000_000,
            alias_nodes: 200_000,
        }
    }
}

/// Something wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What sort of thing.
    pub kind: ProblemKind,
    /// Where it is.
    pub span: Span,
    /// A second place, such as the first of two equal keys.
    pub related: Option<Span>,
    /// What is wrong and what to do.
    pub message: String,
}

/// The sorts of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// The text is not YAML; its document is missing from the result.
    Syntax,
    /// A mapping has a key twice; the last one counts.
    DuplicateKey,
    /// A word that YAML 1.1 reads as a boolean and YAML 1.2 as text.
    AmbiguousBoolean,
    /// A number that YAML 1.1 reads as another one than YAML 1.2 does, or only YAML 1.1 as a number.
    AmbiguousNumber,
    /// More nesting than the limits allow; the document is missing from the result.
    TooDeep,
    /// More values than the limits allow; the document is missing from the result.
    TooLarge,
    /// An alias without an anchor before it, or inside the value it names; its value is null.
    UndefinedAlias,
    /// A list or mapping as a key; its entry is left out.
    NotAMappingKey,
    /// A merge key with something else than mappings; it is left out.
    InvalidMerge,
    /// A scalar that is not what its `!!tag` says; its value is the text.
    InvalidTag,
}

/// What a file contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The root of each document; none for an empty file.
    pub documents: Vec<Node>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// The comments, from `#` to the end of the line, in the order of the text.
    pub comments: Vec<Span>,
}

/// Reads a text. A problem does not stop it unless the kind says so.
pub fn parse(text: &str, limits: &Limits) -> Parsed {
    let options = granit_parser::options! {
        block_scalar_eof_without_line_feed: true,
        bom_inside_document_as_content: true,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        max_buffered_comment_events: usize::MAX,
        flow_nesting_limit: limits.depth.saturating_add(1),
        block_nesting_limit: limits.depth.saturating_add(1),
    };
    let mut events = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder::new(text, limits);
    if let Err(problem) = builder.read(&mut events) {
        builder.parsed.problems.push(problem);
    }
    let mut parsed = builder.parsed;
    parsed.problems.sort_by_key(|problem| problem.span.start());
    parsed.comments.sort_unstable();
    parsed
}
