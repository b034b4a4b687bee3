//! Texts of properties files as texts of contracts. What we have escaped is unescaped; Jinja of
//! somebody else is kept to the letter and listed, since contracts have none.

use std::sync::Arc;

use super::loss::Losses;
use crate::dbt::jinja;
use crate::dbt::properties::{Entries, Value};
use crate::diagnostics::SourceFile;
use crate::document::spanned;
use crate::yaml::{Data, Node, Span};

/// Why Jinja is a loss.
const JINJA: &str = "it is Jinja, which a contract has as plain text; `generate` writes it so that dbt shows the braces";

/// Why Jinja stays behind.
const LEFT: &str = "it is Jinja, which the contract leaves to the file that has it";

/// A text that `generate` writes as it is, since only dbt reads it.
pub(super) fn setting(node: Option<&Node>) -> Option<String> {
    let text = spanned(node?)?.value;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A file that texts are read from, and the list of what is lost.
pub(super) struct Texts<'l> {
    pub(super) file: Arc<SourceFile>,
    pub(super) losses: &'l mut Losses,
}

impl Texts<'_> {
    /// Adds a loss in the file.
    pub(super) fn lose(&mut self, span: Span, what: impl Into<String>, why: impl Into<String>) {
        self.losses.add(&self.file, span, what, why);
    }

    /// A text that dbt renders; none where there is nothing but blanks.
    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        let text = spanned(node)?;
        let shown = self.shown(&text.value, node.span, what);
        let shown = shown.trim_end();
        (!shown.is_empty()).then(|| shown.to_owned())
    }

    /// A name, which has no blanks to lose.
    pub(super) fn word(&mut self, node: Option<&Node>, what: &str) -> Option<String> {
        node.and_then(|node| self.text(node, what))
    }

    /// A text that is no use to anyone unless it is plain.
    pub(super) fn plain(&mut self, node: &Node, what: &str) -> Option<String> {
        let text = spanned(node)?;
        let plain = jinja::unescape(&text.value);
        if plain.is_none() {
            self.lose(node.span, what, LEFT);
        }
        plain
    }

    fn shown(&mut self, text: &str, span: Span, what: &str) -> String {
        jinja::unescape(text).unwrap_or_else(|| {
            self.lose(span, what, JINJA);
            text.to_owned()
        })
    }

    /// A value of `meta`.
    pub(super) fn value(&mut self, node: &Node, what: &str) -> Value {
        match &node.data {
            Data::String(text) => Value::Text(self.shown(text, node.span, what)),
            Data::Sequence(items) => {
                let items = items.iter().map(|item| self.value(item, what));
                Value::List(items.collect())
            }
            Data::Mapping(mapping) => {
                let mut entries = Entries::default();
                for entry in mapping {
                    entries.set(entry.name().to_owned(), self.value(&entry.value, what));
                }
                Value::Map(entries)
            }
            _ => Value::of(node),
        }
    }

    /// Tags: one, or a list of them.
    pub(super) fn tags(&mut self, nodes: &[&Node], what: &str) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for node in nodes {
            let listed = node.as_sequence().unwrap_or(std::slice::from_ref(*node));
            for tag in listed {
                if spanned(tag).is_none() {
                    self.lose(tag.span, what, "a tag is a text");
                }
                let tag = self.plain(tag, what);
                tags.extend(tag.filter(|tag| !tags.contains(tag)));
            }
        }
        tags
    }
}
