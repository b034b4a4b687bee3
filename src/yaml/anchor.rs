//! Aliases: anchored values come in, copies go out, as many as the limits allow.

use std::collections::{HashMap, HashSet};

use super::node::{Node, Span};

/// The size of a value with all that is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    /// Values, keys included.
    pub(super) nodes: usize,
    /// Collections inside each other.
    pub(super) depth: usize,
}

impl Measure {
    pub(super) const SCALAR: Self = Self { nodes: 1, depth: 0 };
    pub(super) const COLLECTION: Self = Self { nodes: 1, depth: 1 };

    /// Adds a child to a collection.
    pub(super) fn include(&mut self, child: Self) {
        self.nodes += child.nodes;
        self.depth = self.depth.max(child.depth + 1);
    }
}

/// What an alias stands for.
pub(super) enum Target {
    Copy(Node, Measure),
    TooLarge,
}

/// The anchored values of a document that aliases may name.
pub(super) struct Anchors<'text> {
    text: &'text str,
    /// The stems of what follows a `*` anywhere in the text, found at the first anchor.
    stems: Option<HashSet<&'text [u8]>>,
    kept: HashMap<usize, (Node, Measure)>,
    /// How many values may still be put aside.
    may_keep: usize,
    /// How many values may still be copied.
    may_copy: usize,
}

impl<'text> Anchors<'text> {
    pub(super) fn new(text: &'text str, limit: usize) -> Self {
        Self {
            text,
            stems: None,
            kept: HashMap::new(),
            may_keep: limit,
            may_copy: limit,
        }
    }

    /// Whether the text has something that looks like an alias to this anchor. Values of other anchors,
    /// which may hold the whole file, need not be put aside.
    pub(super) fn may_be_used(&mut self, name: &str) -> bool {
        let text = self.text;
        self.stems
            .get_or_insert_with(|| alias_stems(text))
            .contains(stem(name.as_bytes()))
    }

    /// Puts a value aside; past the limit, its aliases will be too large.
    pub(super) fn keep(&mut self, id: usize, node: &Node, measure: Measure) {
        if let Some(rest) = self.may_keep.checked_sub(measure.nodes) {
            self.may_keep = rest;
            self.kept.insert(id, (node.clone(), measure));
        }
    }

    /// What the alias at `place` stands for.
    pub(super) fn copy(&mut self, id: usize, place: Span) -> Target {
        let Some((node, measure)) = self.kept.get(&id) else {
            return Target::TooLarge;
        };
        let Some(rest) = self.may_copy.checked_sub(measure.nodes) else {
            return Target::TooLarge;
        };
        self.may_copy = rest;
        let mut copy = node.clone();
        copy.set_alias(place);
        Target::Copy(copy, *measure)
    }

    /// Forgets all, as anchors end with their document.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }
}

fn alias_stems(text: &str) -> HashSet<&[u8]> {
    let bytes = text.as_bytes();
    text.match_indices('*')
        .map(|(at, _)| stem(&bytes[at + 1..]))
        .collect()
}

/// The letters and digits that a name begins with, a few of them: enough to tell most names apart, and no
/// text makes the search slow.
fn stem(name: &[u8]) -> &[u8] {
    let length = name
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    &name[..length]
}
