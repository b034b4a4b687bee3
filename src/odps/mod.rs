//! Data products: the shape of ODPS v1.1.0, into which every version from v0.9.0 on is read.

use std::sync::Arc;

use crate::document::{
    ApiVersion, CustomProperties, Document, Text, custom_properties, items, text, texts,
};
use crate::team::{self, Team};
use crate::yaml::{Node, Span};

/// The versions of ODPS that can be read, oldest first.
pub const VERSIONS: &[ApiVersion] = &[
    ApiVersion::new(0, 9, 0),
    ApiVersion::new(1, 0, 0),
    ApiVersion::new(1, 1, 0),
];

/// A data product.
#[derive(Debug)]
pub struct Product {
    /// The document it was read from.
    pub document: Arc<Document>,
    /// Unique id.
    pub id: Text,
    /// Name for people.
    pub name: Option<Text>,
    /// Version of the product.
    pub version: Option<Text>,
    /// Where in its life it stands; free text in the standard.
    pub status: Option<Text>,
    /// Logical data domain.
    pub domain: Option<Text>,
    /// Tags.
    pub tags: Vec<Text>,
    /// What it expects.
    pub input_ports: Vec<Port>,
    /// What it promises.
    pub output_ports: Vec<Port>,
    /// What it is for.
    pub purpose: Option<Text>,
    /// Who answers for it.
    pub team: Team,
    /// Custom properties.
    pub custom: CustomProperties,
}

impl Product {
    /// The name for people, else the id.
    pub fn label(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.id).as_str()
    }
}

/// An input or output port.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name; with the version the key of the port.
    pub name: Text,
    /// Version of the contract behind it.
    pub version: Option<Text>,
    /// Id of the contract behind it.
    pub contract_id: Option<Text>,
    /// Description; output ports only.
    pub description: Option<Text>,
    /// The contracts that an output is made of; `None` where the port does not say.
    pub input_contracts: Option<Vec<InputContract>>,
    /// The whole entry.
    pub span: Span,
}

/// One entry of `inputContracts`.
#[derive(Clone, Debug)]
pub struct InputContract {
    /// Id of the contract.
    pub id: Text,
    /// Its version.
    pub version: Option<Text>,
}

/// Reads a product from the whole tree of its document, or nothing where that has no id. Lenient, as
/// the contracts' reader is.
pub fn load(document: &Arc<Document>, root: &Node) -> Option<Product> {
    Some(Product {
        document: Arc::clone(document),
        id: text(root, "id")?,
        name: text(root, "name"),
        version: text(root, "version"),
        status: text(root, "status"),
        domain: text(root, "domain"),
        tags: texts(root, "tags"),
        input_ports: ports(root, "inputPorts"),
        output_ports: ports(root, "outputPorts"),
        purpose: root
            .get("description")
            .and_then(|node| text(node, "purpose")),
        team: root.get("team").map(team::load).unwrap_or_default(),
        custom: custom_properties(root),
    })
}

/// Reads the ports under `key`.
fn ports(root: &Node, key: &str) -> Vec<Port> {
    items(root, key)
        .iter()
        .filter_map(|node| {
            Some(Port {
                name: text(node, "name")?,
                version: text(node, "version"),
                contract_id: text(node, "contractId"),
                description: text(node, "description"),
                input_contracts: node.get("inputContracts").map(|_| input_contracts(node)),
                span: node.span,
            })
        })
        .collect()
}

/// Reads the entries of `inputContracts`.
fn input_contracts(node: &Node) -> Vec<InputContract> {
    items(node, "inputContracts")
        .iter()
        .filter_map(|node| {
            Some(InputContract {
                id: text(node, "id")?,
                version: text(node, "version"),
            })
        })
        .collect()
}
