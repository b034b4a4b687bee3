//! A parsed document: the file, its tree, what kind of document it is, and small readers that
//! take values out of the tree without losing where they stand.

use std::fmt;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Rule, SourceFile};
use crate::yaml::{Data, Node, Span, Style};

/// Which standard a document follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An ODCS data contract, `kind: DataContract`.
    Contract,
    /// An ODPS data product, `kind: DataProduct`.
    Product,
}

impl Kind {
    /// The name of the standard.
    pub const fn standard(self) -> &'static str {
        match self {
            Self::Contract => "ODCS",
            Self::Product => "ODPS",
        }
    }
}

/// A version of a standard, as in `apiVersion: v3.1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiVersion {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
    /// Patch number.
    pub patch: u8,
}

impl ApiVersion {
    /// `major.minor.patch`.
    pub const fn new(major: u8, minor: u8, patch: u8) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }

    /// Reads `v3.1.0`. The standards write the `v`, and without it their schemas refuse the document.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('v')?.splitn(3, '.');
        let mut next = || parts.next()?.parse().ok();
        let version = Self::new(next()?, next()?, next()?);
        (version.to_string() == text).then_some(version)
    }
}

impl fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A file that holds one document of a known kind.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The document's tree; a mapping.
    pub root: Node,
    /// Contract or product.
    pub kind: Kind,
    /// The comments, from `#` to the end of the line, in the order of the text.
    pub comments: Vec<Span>,
}

impl Document {
    /// The document with the first level of its tree only: single values, and where the lists and
    /// mappings stand. Comments are left out.
    pub fn outline(&self) -> Self {
        Self {
            file: Arc::clone(&self.file),
            root: self.root.outline(),
            kind: self.kind,
            comments: Vec::new(),
        }
    }

    /// A scalar without quotes as it is written: `010`, `1.50`, `yes`. Anything else is what its
    /// value says.
    pub fn written(&self, node: &Node) -> Option<&str> {
        let is_scalar = !matches!(node.data, Data::Sequence(_) | Data::Mapping(_));
        (is_scalar && node.style == Style::Plain)
            .then(|| self.file.text.get(node.span.range()))
            .flatten()
    }

    /// A finding of `rule` at `span` of this document.
    pub fn finding(
        &self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, message).at(&self.file, span)
    }
}

/// A value with the bytes where it stands.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// Text with its place.
pub type Text = Spanned<String>;

impl Text {
    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}

/// A single value that is compared with data: a bound, a valid value, a threshold.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(String),
}

impl Scalar {
    /// The value of a node, unless it is a list or a mapping.
    pub fn of(node: &Node) -> Option<Self> {
        match &node.data {
            Data::Null => Some(Self::Null),
            Data::Bool(value) => Some(Self::Bool(*value)),
            Data::Int(value) => Some(Self::Int(*value)),
            Data::Float(value) => Some(Self::Float(*value)),
            Data::String(value) => Some(Self::Text(value.clone())),
            Data::Sequence(_) | Data::Mapping(_) => None,
        }
    }

    /// The number, if it is one.
    #[expect(
        clippy::cast_precision_loss,
        reason = "compared with data, never stored"
    )]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            Self::Null | Self::Bool(_) | Self::Text(_) => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

/// One entry of `customProperties`.
#[derive(Clone, Debug)]
pub struct CustomProperty {
    /// Its name.
    pub property: Text,
    /// Its value, any YAML.
    pub value: Node,
}

/// The `customProperties` of one element, in order.
#[derive(Clone, Debug, Default)]
pub struct CustomProperties(pub Vec<CustomProperty>);

impl CustomProperties {
    /// The value of that name; the last one where a name stands twice.
    pub fn get(&self, property: &str) -> Option<&Node> {
        self.0
            .iter()
            .rev()
            .find(|custom| custom.property.value == property)
            .map(|custom| &custom.value)
    }

    /// The text of that name.
    pub fn text(&self, property: &str) -> Option<Text> {
        self.get(property).and_then(spanned)
    }
}

/// The text of a scalar node. Numbers and booleans give their text, so that a document whose
/// `version: 1.10` lacks quotes still has an identity; the schema reports the type.
pub fn spanned(node: &Node) -> Option<Text> {
    let value = match &node.data {
        Data::String(text) => text.clone(),
        Data::Null => return None,
        _ => Scalar::of(node)?.to_string(),
    };
    Some(Spanned {
        value,
        span: node.span,
    })
}

/// The text under `key`.
pub fn text(node: &Node, key: &str) -> Option<Text> {
    node.get(key).and_then(spanned)
}

/// The boolean under `key`, with its place.
pub fn boolean(node: &Node, key: &str) -> Option<Spanned<bool>> {
    let node = node.get(key)?;
    Some(Spanned {
        value: node.as_bool()?,
        span: node.span,
    })
}

/// The items of the list under `key`; empty where there is none.
pub fn items<'a>(node: &'a Node, key: &str) -> &'a [Node] {
    node.get(key)
        .and_then(Node::as_sequence)
        .unwrap_or_default()
}

/// What `read` makes of the items of the list under `key`. A workspace keeps as many lists as it has
/// properties, most of one item or none, so each has the room that it needs and no more.
pub fn list<T>(node: &Node, key: &str, read: impl FnMut(&Node) -> Option<T>) -> Vec<T> {
    let items = items(node, key);
    let mut list = Vec::with_capacity(items.len());
    list.extend(items.iter().filter_map(read));
    list
}

/// The texts of the list under `key`.
pub fn texts(node: &Node, key: &str) -> Vec<Text> {
    list(node, key, spanned)
}

/// One text or a list of texts under `key`.
pub fn one_or_more(node: &Node, key: &str) -> Vec<Text> {
    match node.get(key) {
        Some(value) if value.as_sequence().is_some() => texts(node, key),
        Some(value) => spanned(value).map_or_else(Vec::new, |text| vec![text]),
        None => Vec::new(),
    }
}

/// The `customProperties` of a node.
pub fn custom_properties(node: &Node) -> CustomProperties {
    CustomProperties(list(node, "customProperties", |item| {
        Some(CustomProperty {
            property: text(item, "property")?,
            value: item.get("value")?.clone(),
        })
    }))
}
