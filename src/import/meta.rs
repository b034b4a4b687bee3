//! `meta` of dbt as what a contract says: the fields that `generate` writes there come back to their
//! own, and everything else is a custom property.

use super::draft::custom;
use super::text::Texts;
use crate::dbt::properties::{Entries, Value};
use crate::document::text;
use crate::yaml::{Node, Span};

/// The key that says which contract a resource comes from.
const ANCHOR: &str = "data_contract";

/// The key of custom properties whose own key was taken.
const NESTED: &str = "custom_properties";

/// How the names of our settings begin, which `generate` never writes into `meta`.
const SETTINGS: &str = "dbt.";

/// Which contract a resource was generated from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Anchor {
    pub(super) id: String,
    pub(super) version: Option<String>,
    pub(super) object: Option<String>,
}

/// What is left of a `meta`.
#[derive(Clone, Debug, Default)]
pub(super) struct Meta {
    pub(super) entries: Entries,
    pub(super) anchor: Option<Anchor>,
    /// Where it stands.
    span: Span,
}

/// Reads the `meta` of a resource, that of the first places first.
pub(super) fn read(nodes: &[&Node], title: &str, texts: &mut Texts<'_>) -> Meta {
    let mut meta = Meta::default();
    for node in nodes {
        let Some(mapping) = node.as_mapping() else {
            texts.lose(node.span, format!("`meta` of {title}"), "it is no mapping");
            continue;
        };
        meta.span = node.span;
        for entry in mapping {
            let name = entry.name();
            if name == ANCHOR {
                meta.anchor = meta.anchor.or_else(|| anchor(&entry.value));
                if meta.anchor.is_some() {
                    continue;
                }
            }
            if meta.entries.get(name).is_none() {
                let what = format!("`{name}` in `meta` of {title}");
                meta.entries
                    .set(name.to_owned(), texts.value(&entry.value, &what));
            }
        }
    }
    meta
}

/// The contract that `data_contract` names: by its id alone, or with its version.
fn anchor(node: &Node) -> Option<Anchor> {
    let field = |key: &str| text(node, key).map(|text| text.value);
    let id = match node.as_str() {
        Some(id) => id.to_owned(),
        None => field("id")?,
    };
    (!id.is_empty()).then(|| Anchor {
        id,
        version: field("version"),
        object: field("object"),
    })
}

impl Meta {
    /// Takes a text out; anything else is a custom property like others.
    pub(super) fn take_text(&mut self, key: &str) -> Option<Value> {
        match self.entries.get(key) {
            Some(Value::Text(text)) if !text.trim().is_empty() && text.trim_end() == text => {
                self.entries.remove(key)
            }
            _ => None,
        }
    }

    /// The rest as custom properties.
    pub(super) fn custom(self, texts: &mut Texts<'_>) -> Vec<Value> {
        let mut all = Vec::new();
        let mut add = |name: &str, value: &Value| {
            if name.is_empty() || name.starts_with(SETTINGS) {
                let why = "`generate` takes a custom property of that name for a setting";
                texts.lose(self.span, format!("`{name}` in `meta`"), why);
            } else {
                all.push(custom(name, value.clone()));
            }
        };
        for (name, value) in self.entries.iter() {
            match value {
                Value::Map(nested) if name == NESTED => {
                    nested.iter().for_each(|(name, value)| add(name, value));
                }
                _ => add(name, value),
            }
        }
        all
    }
}
