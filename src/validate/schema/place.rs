//! Where a value stands: a JSON pointer comes in, words for a message and a span to mark go out.

use crate::document::{Document, Kind};
use crate::yaml::{Node, Span, Style};

/// What the entries of a list are called, by the key of the list.
const NOUNS: &[(&str, &str)] = &[
    ("authoritativeDefinitions", "authoritative definition"),
    ("constraints", "constraint"),
    ("customProperties", "custom property"),
    ("enum", "enum value"),
    ("inputContracts", "input contract"),
    ("inputPorts", "input port"),
    ("managementPorts", "management port"),
    ("members", "team member"),
    ("outputPorts", "output port"),
    ("properties", "property"),
    ("quality", "quality rule"),
    ("relationships", "relationship"),
    ("roles", "role"),
    ("schema", "schema object"),
    ("servers", "server"),
    ("slaProperties", "service level"),
    ("support", "support channel"),
    ("synonyms", "synonym"),
    ("tags", "tag"),
    ("team", "team member"),
];

/// The keys by which an entry is known, the best one first.
const LABELS: &[&str] = &[
    "name", "server", "property", "username", "role", "channel", "synonym", "value",
];

/// The longest text that a message repeats.
const LONGEST: usize = 60;

/// One step of the way down, in words.
struct Step {
    /// For the value itself.
    words: String,
    /// For what is inside it.
    short: String,
    /// The dotted name of a property.
    property: Option<String>,
}

/// The value at `pointer`, in words: "`physicalName` of property `id` of `orders`".
pub(super) fn describe(document: &Document, pointer: &str) -> String {
    let mut steps: Vec<Step> = Vec::new();
    let mut node = Some(&document.root);
    let mut tokens = tokens(pointer).peekable();
    while let Some(key) = tokens.next() {
        node = node.and_then(|node| node.get(&key));
        let entry = node
            .and_then(Node::as_sequence)
            .zip(tokens.peek().and_then(|token| token.parse::<usize>().ok()));
        let Some((items, index)) = entry else {
            steps.push(Step::plain(quote(&key)));
            continue;
        };
        tokens.next();
        node = items.get(index);
        if key == "members" {
            // The members of `team` are the team's anyway.
            steps.pop();
        }
        let step = entry_step(&key, index, node, steps.last());
        if step.property.is_some() && steps.last().is_some_and(|outer| outer.property.is_some()) {
            steps.pop();
        }
        steps.push(step);
    }
    let Some(last) = steps.pop() else {
        return match document.kind {
            Kind::Contract => "the contract".to_owned(),
            Kind::Product => "the product".to_owned(),
        };
    };
    steps.iter().rev().fold(last.words, |words, outer| {
        format!("{words} of {}", outer.short)
    })
}

impl Step {
    fn plain(words: String) -> Self {
        Self {
            short: words.clone(),
            words,
            property: None,
        }
    }
}

/// The step to an entry of the list under `key`.
fn entry_step(key: &str, index: usize, entry: Option<&Node>, outer: Option<&Step>) -> Step {
    let noun = NOUNS
        .iter()
        .find(|(list, _)| *list == key)
        .map(|(_, noun)| *noun);
    let label = entry.and_then(|entry| {
        LABELS
            .iter()
            .filter_map(|label| entry.get(label)?.as_str())
            .find(|label| !label.trim().is_empty())
    });
    match (noun, label) {
        (Some("property"), Some(label)) => {
            let outer = outer.and_then(|outer| outer.property.as_deref());
            let name = outer.map_or_else(|| label.to_owned(), |outer| format!("{outer}.{label}"));
            Step {
                property: Some(name.clone()),
                ..Step::plain(format!("property {}", quote(&name)))
            }
        }
        (Some("schema object"), Some(label)) => Step {
            words: format!("schema object {}", quote(label)),
            short: quote(label),
            property: None,
        },
        (Some(noun), Some(label)) => Step::plain(format!("{noun} {}", quote(label))),
        (Some(noun), None) => Step::plain(format!("{noun} {}", index + 1)),
        (None, _) => Step::plain(format!("entry {} of {}", index + 1, quote(key))),
    }
}

/// Text in backticks, on one line and not too long.
pub(in crate::validate) fn quote(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return format!("`{line}`");
    }
    let short: String = line.chars().take(LONGEST).collect();
    format!("`{}…`", short.trim_end())
}

/// The tokens of a JSON pointer.
fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    pointer
        .split('/')
        .skip(1)
        .map(|token| token.replace("~1", "/").replace("~0", "~"))
}

/// The pointer of `key` in the mapping at `pointer`.
pub(super) fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// What to mark for a value: a scalar itself; a list or mapping by its key, and where it has none
/// by its first line.
pub(super) fn value_span(document: &Document, pointer: &str) -> Span {
    let located = document.root.locate(pointer);
    let node = located.node;
    let span = node.place();
    match located.key {
        Some(key) if span.start() == span.end() || is_block(node) => key.place(),
        _ if is_block(node) => head(node),
        _ => span,
    }
}

/// What to mark for something that a mapping lacks: its key, and where it has none its first line.
pub(super) fn mapping_span(document: &Document, pointer: &str) -> Span {
    let located = document.root.locate(pointer);
    located.key.map_or_else(|| head(located.node), Node::place)
}

/// What to mark for a key of the mapping at `pointer`.
pub(super) fn key_span(document: &Document, pointer: &str, key: &str) -> Span {
    let node = document.root.locate(pointer).node;
    node.entry(key)
        .map_or_else(|| head(node), |entry| entry.key.place())
}

fn is_block(node: &Node) -> bool {
    node.alias().is_none() && node.style == Style::Block
}

/// The first entry of a mapping, or its key alone where the value is more than a word.
fn head(node: &Node) -> Span {
    let span = node.place();
    if !is_block(node) {
        return span;
    }
    let first = node.as_mapping().and_then(|mapping| mapping.iter().next());
    match first {
        Some(first) if first.merged => span,
        Some(first) => {
            let last = match first.value.style {
                Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => &first.value,
                Style::Literal | Style::Folded | Style::Block | Style::Flow => &first.key,
            };
            Span::new(
                first.key.span.start(),
                last.place().end().max(first.key.span.end()),
            )
        }
        None => span,
    }
}
