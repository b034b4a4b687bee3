//! Where a check stands: a part of the contract, the way to it, and one key of it.

use crate::dbt::adapter::Adapter;
use crate::dbt::types::{self, Meaning, SqlType};
use crate::diagnostics::{Diagnostic, Fix, Rule};
use crate::document::Scalar;
use crate::odcs::{Contract, SchemaObject};
use crate::validate::schema::quote;
use crate::yaml::Node;

/// What a part of a contract is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// The contract itself.
    Contract,
    /// An entry of `schema`.
    Object,
    /// An entry of `properties`, the items of an array, the key or the value of a map.
    Property,
}

/// How an element is reached from the one above it.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// It is an item of the list under a key.
    Item(&'static str, usize),
    /// It is the value under a key, and shown in paths as the second text.
    Key(&'static str, &'static str),
}

/// A part of a contract that checks look at.
pub(super) struct Element<'a> {
    pub(super) contract: &'a Contract,
    /// The element above; `None` for the contract.
    pub(super) parent: Option<(&'a Element<'a>, Step)>,
    pub(super) level: Level,
    pub(super) node: &'a Node,
}

impl<'a> Element<'a> {
    /// The element below this one.
    pub(super) fn child(&'a self, step: Step, level: Level, node: &'a Node) -> Self {
        Self {
            contract: self.contract,
            parent: Some((self, step)),
            level,
            node,
        }
    }

    /// The text under a key.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.node.get(key).and_then(Node::as_str)
    }

    /// Whether its physical type says that its values are stored as text, in any dialect.
    pub(super) fn is_stored_as_text(&self) -> bool {
        let Some(physical) = self.text("physicalType") else {
            return false;
        };
        Adapter::ALL.iter().any(|(adapter, _)| {
            matches!(types::parse(*adapter, physical),
                Some(SqlType::Scalar(scalar)) if scalar.meaning == Meaning::Text)
        })
    }

    /// The schema object that it is or is in.
    pub(super) fn object(&self) -> Option<&Element<'a>> {
        match (self.level, &self.parent) {
            (Level::Object, _) => Some(self),
            (_, Some((parent, _))) => parent.object(),
            (_, None) => None,
        }
    }

    /// `object.property`, as messages name it.
    pub(super) fn path(&self) -> String {
        let name = self.text("name").unwrap_or_default();
        match &self.parent {
            None => String::new(),
            Some(_) if self.level == Level::Object => name.to_owned(),
            Some((parent, Step::Item(..))) => format!("{}.{name}", parent.path()),
            Some((parent, Step::Key(_, shown))) => format!("{}{shown}", parent.path()),
        }
    }

    /// The whole document.
    fn root(&self) -> &'a Node {
        match &self.parent {
            Some((parent, _)) => parent.root(),
            None => self.node,
        }
    }

    /// JSON pointer of the element.
    fn pointer(&self) -> String {
        match &self.parent {
            None => String::new(),
            Some((parent, Step::Item(key, index))) => {
                format!("{}/{key}/{index}", parent.pointer())
            }
            Some((parent, Step::Key(key, _))) => format!("{}/{key}", parent.pointer()),
        }
    }
}

/// An element with the key of it that a check is about.
pub(super) struct Site<'a> {
    pub(super) element: &'a Element<'a>,
    pub(super) key: &'a str,
    /// The value under the key.
    pub(super) value: &'a Node,
}

impl<'a> Site<'a> {
    /// The contract that is checked.
    pub(super) fn contract(&self) -> &'a Contract {
        self.element.contract
    }

    /// The schema objects of the contract.
    pub(super) fn objects(&self) -> &'a [SchemaObject] {
        self.contract().objects.read(self.element.root())
    }

    /// The items of the value, numbered.
    pub(super) fn items(&self) -> impl Iterator<Item = (usize, &'a Node)> {
        let items = self.value.as_sequence().unwrap_or_default();
        items.iter().enumerate()
    }

    /// `object.property` of the element.
    pub(super) fn path(&self) -> String {
        self.element.path()
    }

    /// Another key of the same element.
    pub(super) fn sibling(&self, key: &'a str) -> Option<Self> {
        Some(Self {
            element: self.element,
            key,
            value: self.element.node.get(key)?,
        })
    }

    /// A single value in a message: numbers and words without quotes as they are written.
    pub(super) fn shown(&self, node: &Node) -> String {
        quote(&self.source(node))
    }

    /// The same without the marks of a message.
    pub(super) fn source(&self, node: &Node) -> String {
        let written = || self.contract().document.written(node).map(str::to_owned);
        match Scalar::of(node) {
            Some(Scalar::Text(text)) => text,
            Some(scalar) => written().unwrap_or_else(|| scalar.to_string()),
            None => String::new(),
        }
    }

    /// A finding at the value of the key.
    pub(super) fn own_finding(
        &self,
        rule: &'static Rule,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.finding(rule, self.value, "", message)
    }

    /// A finding at `node`, which `below` leads to from the value of the key.
    pub(super) fn finding(
        &self,
        rule: &'static Rule,
        node: &Node,
        below: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let contract = self.contract();
        contract
            .document
            .finding(rule, node.place(), message)
            .pointer(self.pointer(below))
            .contract(contract.id.value.clone())
    }

    /// JSON pointer of what `below` leads to from the value of the key.
    fn pointer(&self, below: &str) -> String {
        format!("{}/{}{below}", self.element.pointer(), self.key)
    }

    /// Quotes around the value that `below` leads to.
    pub(super) fn quoting(&self, below: &str) -> Option<Fix> {
        let text = &self.contract().document.file.text;
        Fix::quote(self.element.root(), text, &[self.pointer(below)])
    }

    /// The word in place of the value that `below` leads to.
    pub(super) fn word(&self, below: &str, word: &str) -> Option<Fix> {
        Fix::word(self.element.root(), &self.pointer(below), word)
    }

    /// Another key for the value that `below` leads to.
    pub(super) fn renaming(&self, below: &str, key: &str) -> Option<Fix> {
        Fix::key(self.element.root(), &self.pointer(below), key)
    }

    /// `true` or `false` as the value of the key.
    pub(super) fn boolean(&self, value: bool) -> Option<Fix> {
        Fix::boolean(self.element.root(), &self.pointer(""), value)
    }

    /// The finding with a second place in the same file.
    pub(super) fn also(&self, finding: Diagnostic, node: &Node, text: &str) -> Diagnostic {
        finding.label(&self.contract().document.file, node.place(), text)
    }
}

/// Whether a text holds a variable, whose value only the environment knows.
pub(super) fn is_variable(text: &str) -> bool {
    text.contains("${")
}
