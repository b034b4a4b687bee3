//! Pass 2 within one document: what the standard's text asks for and its schema does not say.
//!
//! A contract comes in, findings go out. The checks are rows of three tables, by the level they stand
//! on and the key they look at; each is a function of one file for one idea. They read the tree, while it is there,
//! and not the [`Contract`]: they ask what is stated (`required: false` beside
//! `primaryKey: true`), which the contract, made for generating, no longer tells.

mod dates;
mod element;
mod keys;
pub(crate) mod moment;
mod names;
mod options;
mod pattern;
mod ports;
mod quality;
mod service_levels;
mod thresholds;
mod timezone;
mod values;

#[cfg(test)]
mod tests;

use crate::diagnostics::Diagnostic;
use crate::odcs::Contract;
use crate::yaml::Node;

use element::{Element, Level, Site, Step};

pub use ports::product;

/// The checks of one key.
type Check = (&'static str, fn(&Site<'_>, &mut Vec<Diagnostic>));

/// The checks of the contract's own keys.
const CONTRACT: &[Check] = &[
    ("authoritativeDefinitions", names::ids),
    ("contractCreatedTs", dates::created),
    ("customProperties", names::custom),
    ("customProperties", names::ids),
    ("id", names::own_id),
    ("roles", names::ids),
    ("schema", names::ids),
    ("schema", names::names),
    ("servers", names::ids),
    ("servers", names::servers),
    ("slaDefaultElement", service_levels::default_element),
    ("slaProperties", names::ids),
    ("slaProperties", service_levels::check),
    ("support", names::ids),
    ("team", dates::team),
];

/// The checks of the keys of schema objects.
const OBJECT: &[Check] = &[
    ("authoritativeDefinitions", names::ids),
    ("customProperties", names::custom),
    ("customProperties", names::ids),
    ("properties", keys::positions),
    ("properties", names::ids),
    ("properties", names::names),
    ("quality", names::ids),
    ("quality", quality::check),
    ("relationships", names::ids),
    ("synonyms", names::ids),
];

/// The checks of the keys of properties.
const PROPERTY: &[Check] = &[
    ("authoritativeDefinitions", names::ids),
    ("customProperties", names::custom),
    ("customProperties", names::ids),
    ("enum", names::ids),
    ("enum", values::enumeration),
    ("logicalTypeOptions", options::check),
    ("primaryKey", keys::nullable),
    ("properties", names::ids),
    ("properties", names::names),
    ("quality", names::ids),
    ("quality", quality::check),
    ("relationships", names::ids),
    ("semanticType", keys::semantic_type),
    ("synonyms", names::ids),
];

impl Level {
    fn checks(self) -> &'static [Check] {
        match self {
            Self::Contract => CONTRACT,
            Self::Object => OBJECT,
            Self::Property => PROPERTY,
        }
    }
}

/// Checks a contract, which was read from the tree `root`.
pub fn contract(root: &Node, contract: &Contract) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let root = Element {
        contract,
        parent: None,
        level: Level::Contract,
        node: root,
    };
    visit(&root, &mut findings);
    findings
}

/// Runs the checks of an element and of all below it.
fn visit(element: &Element<'_>, findings: &mut Vec<Diagnostic>) {
    let Some(entries) = element.node.as_mapping() else {
        return;
    };
    let checks = element.level.checks();
    for entry in entries {
        let (key, value) = (entry.name(), &entry.value);
        let site = Site {
            element,
            key,
            value,
        };
        for (_, check) in checks.iter().filter(|(name, _)| *name == key) {
            check(&site, findings);
        }
        match (element.level, key) {
            (Level::Contract, "schema") => {
                items(element, "schema", Level::Object, value, findings);
            }
            (Level::Object | Level::Property, "properties") => {
                items(element, "properties", Level::Property, value, findings);
            }
            (Level::Property, "items") => part(element, "items", "[]", value, findings),
            (Level::Property, "map") => {
                for (key, way, shown) in
                    [("key", "map/key", ".key"), ("value", "map/value", ".value")]
                {
                    if let Some(value) = value.get(key) {
                        part(element, way, shown, value, findings);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Visits the items of a list.
fn items(
    element: &Element<'_>,
    key: &'static str,
    level: Level,
    list: &Node,
    findings: &mut Vec<Diagnostic>,
) {
    for (index, node) in list.as_sequence().unwrap_or_default().iter().enumerate() {
        visit(
            &element.child(Step::Item(key, index), level, node),
            findings,
        );
    }
}

/// Visits a part of a property.
fn part(
    element: &Element<'_>,
    key: &'static str,
    shown: &'static str,
    node: &Node,
    findings: &mut Vec<Diagnostic>,
) {
    visit(
        &element.child(Step::Key(key, shown), Level::Property, node),
        findings,
    );
}
