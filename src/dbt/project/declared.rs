//! The models and source tables that people describe in properties files: a file comes in, each entry
//! goes out with where it stands and what it says of itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::dbt::properties::Value;
use crate::diagnostics::SourceFile;
use crate::document::{items, text};
use crate::yaml::{Node, Span};

/// What an entry describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Described {
    /// A model.
    Model,
    /// A table of a source.
    Table {
        /// The name of the source.
        source: String,
        /// The schema that it lives in; dbt takes the name of the source where nothing says it.
        schema: String,
    },
}

/// An entry of a properties file.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it describes.
    pub described: Described,
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub file: Arc<SourceFile>,
    /// Where its name stands.
    pub span: Span,
    /// The id of the contract that its `meta.data_contract` names.
    pub contract: Option<String>,
    /// The object of the contract that it names there.
    pub object: Option<String>,
    /// The id of the contract that the `meta.data_contract` of its source names.
    pub source_contract: Option<String>,
    /// Whether it has versions, each a model for dbt.
    pub is_versioned: bool,
    /// Its `alias` or `identifier`.
    pub physical: Option<String>,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// What it says in its `config`, or beside it, with the place of each value.
    pub settings: Vec<(String, Value, Span)>,
    /// The names of those settings that were written for a contract.
    pub written: BTreeSet<String>,
    /// Whether its author has put constraints on it or its columns.
    pub is_constrained: bool,
}

impl Declared {
    /// What it sets under that name.
    pub fn setting(&self, name: &str) -> Option<&Value> {
        let mut settings = self.settings.iter();
        let (_, value, _) = settings.find(|(known, ..)| known == name)?;
        Some(value)
    }

    /// What its author sets under that name.
    pub fn own_setting(&self, name: &str) -> Option<&Value> {
        self.setting(name).filter(|_| !self.written.contains(name))
    }
}

/// What dbt takes beside the `config` of a model as well as in it.
const BESIDE: &[&str] = &["access", "group"];

impl PartialEq for Declared {
    fn eq(&self, other: &Self) -> bool {
        (&self.file.path, self.span) == (&other.file.path, other.span)
    }
}

impl Eq for Declared {}

/// The entries of one properties file.
pub(super) fn of_file(file: &Arc<SourceFile>, root: &Node) -> Vec<Declared> {
    let mut found = Vec::new();
    for model in items(root, "models") {
        entry(file, model, Described::Model, &mut found);
    }
    for source in items(root, "sources") {
        let Some(name) = text(source, "name") else {
            continue;
        };
        for table in items(source, "tables") {
            let schema = text(source, "schema").map(|schema| schema.value);
            let described = Described::Table {
                source: name.value.clone(),
                schema: schema.unwrap_or_else(|| name.value.clone()),
            };
            let of_source = contract_id(source);
            let before = found.len();
            entry(file, table, described, &mut found);
            for declared in &mut found[before..] {
                declared.source_contract.clone_from(&of_source);
            }
        }
    }
    found
}

/// What an entry says in its `config` or beside it.
fn beside<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let config = node.get("config").and_then(|config| config.get(key));
    config.or_else(|| node.get(key))
}

/// The contract that an entry names in its meta: an id, or a mapping with one.
fn anchor(node: &Node) -> Option<&Node> {
    beside(node, "meta")?.get("data_contract")
}

/// The id of that contract.
fn contract_id(node: &Node) -> Option<String> {
    let contract = anchor(node)?;
    let id = contract.get("id").unwrap_or(contract);
    id.as_str().map(str::to_owned)
}

fn entry(file: &Arc<SourceFile>, node: &Node, described: Described, found: &mut Vec<Declared>) {
    let Some(name) = text(node, "name") else {
        return;
    };
    let object = anchor(node).and_then(|contract| contract.get("object"));
    let physical = node.get("identifier").or_else(|| beside(node, "alias"));
    let word = |node: &Node| node.as_str().map(str::to_owned);
    let of_node = node.as_mapping().into_iter().flatten();
    let of_node = of_node.filter(|entry| BESIDE.contains(&entry.name()));
    let of_config = node.get("config").and_then(Node::as_mapping);
    let settings = of_config.into_iter().flatten().chain(of_node);
    let columns = items(node, "columns").iter();
    let mut constrained = columns.clone().chain([node]);
    found.push(Declared {
        described,
        name: name.value,
        file: Arc::clone(file),
        span: name.span,
        contract: contract_id(node),
        source_contract: None,
        object: object.and_then(word),
        is_versioned: node.get("versions").is_some(),
        physical: physical.and_then(word),
        columns: columns
            .filter_map(|column| Some(text(column, "name")?.value))
            .collect(),
        settings: settings
            .map(|entry| {
                let (name, value) = (entry.name().to_owned(), &entry.value);
                (name, Value::of(value), value.place())
            })
            .collect(),
        written: BTreeSet::new(),
        is_constrained: constrained.any(|node| node.get("constraints").is_some()),
    });
}
