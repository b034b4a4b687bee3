//! Fixes: what a finding knows about the right text comes in, edits of the document go out.
//!
//! A fix exists only where the text that it changes is the value's own: never through an alias, at an
//! anchor, or in what a merge key brought in.

use crate::yaml::{Edit, Node, sole};

/// A change of the finding's file that settles the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order in one line without a final period.
    pub title: String,
    /// When it may be made.
    pub safety: Safety,
    /// The edits in order, apart from each other.
    pub edits: Vec<Edit>,
}

/// When a fix may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Always: the author can have meant nothing else.
    Safe,
    /// Only when asked: it decides what the author may have meant otherwise.
    WhenAsked,
}

impl Fix {
    /// Puts the values at the pointers in quotes, each as it is written.
    pub fn quote(root: &Node, text: &str, pointers: &[String]) -> Option<Self> {
        let edits = pointers
            .iter()
            .map(|pointer| Edit::quoted(root, text, sole(root, pointer)?.node))
            .collect::<Option<Vec<Edit>>>()?;
        let title = match edits.as_slice() {
            [] => return None,
            [edit] => format!("put `{}` in quotes", &text[edit.span.range()]),
            edits => format!("put all {} entries in quotes", edits.len()),
        };
        Some(Self::new(title, edits))
    }

    /// Writes `word` as the value at the pointer.
    pub fn word(root: &Node, pointer: &str, word: &str) -> Option<Self> {
        let edit = Edit::word(root, sole(root, pointer)?.node, word)?;
        Some(Self::new(format!("write `{word}`"), vec![edit]))
    }

    /// Writes `key` as the key of the value at the pointer.
    pub fn key(root: &Node, pointer: &str, key: &str) -> Option<Self> {
        let edit = Edit::word(root, sole(root, pointer)?.key?, key)?;
        Some(Self::new(format!("rename the key to `{key}`"), vec![edit]))
    }

    /// Writes `true` or `false` where the other stands.
    pub fn boolean(root: &Node, pointer: &str, value: bool) -> Option<Self> {
        let edit = Edit::boolean(sole(root, pointer)?.node, value)?;
        Some(Self::new(format!("write `{value}`"), vec![edit]))
    }

    fn new(title: String, edits: Vec<Edit>) -> Self {
        Self {
            title,
            safety: Safety::Safe,
            edits,
        }
    }

    /// The fix under another title.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The fix, to be made only when asked.
    pub fn when_asked(mut self) -> Self {
        self.safety = Safety::WhenAsked;
        self
    }

    /// Whether it may be made unasked.
    pub fn is_safe(&self) -> bool {
        self.safety == Safety::Safe
    }

    /// How findings that take one line say that they have it.
    pub const fn mark(&self) -> &'static str {
        match self.safety {
            Safety::Safe => "[fixable]",
            Safety::WhenAsked => "[fixable with --unsafe-fixes]",
        }
    }
}
