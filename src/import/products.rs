//! Data products of imported contracts: one for each folder or group of models, with an output port for
//! each of their contracts, and input ports for what these are made of by the lineage of a manifest.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::Input;
use super::draft::ContractDraft;
use super::graph::{Graph, Way};
use super::groups::group;
use super::loss::Losses;
use super::manifest::Manifest;
use super::resources::{Kind, Resource};

use crate::dbt::names::slug;
use crate::dbt::properties::{Entries, Value};
use crate::diagnostics::SourceFile;
use crate::yaml::Span;

/// The version of the standard that products are written in.
const API_VERSION: &str = "v1.0.0";

/// The version of a product that nothing states.
const FIRST: &str = "1.0.0";

/// The kinds of nodes that have data and no contract.
const OTHER_DATA: &[&str] = &["seed", "snapshot"];

/// A product in the making.
pub(super) struct ProductDraft {
    pub(super) id: String,
    /// The path that it will have.
    pub(super) path: String,
    pub(super) root: Entries,
    /// The ids of the contracts that it outputs.
    pub(super) outputs: Vec<String>,
}

/// Groups whose models read each other in a circle: as one contract each they would be made of
/// themselves, so each of their models has a contract of its own.
pub(super) fn apart(
    input: &Input<'_>,
    graph: &Graph<'_>,
    resources: &[&Resource<'_>],
) -> BTreeSet<String> {
    let mut homes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names: Vec<(String, bool)> = Vec::new();
    for resource in resources {
        let name = match &resource.kind {
            Kind::Table(_) => continue,
            Kind::Model(None) => (group(input, resource), true),
            Kind::Model(Some(version)) => (format!("{}.v{}", resource.name, version.v), false),
        };
        let place = names.iter().position(|known| *known == name);
        let place = place.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        homes.extend(resource.id.map(|id| (id, place)));
    }
    let edges = edges(graph, &homes, names.len());
    let reaches = |from: usize, to: usize| {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(place) = open.pop() {
            for next in &edges[place] {
                if found.insert(*next) {
                    open.push(*next);
                }
            }
        }
        found.contains(&to)
    };
    let groups = names.iter().enumerate();
    groups
        .filter(|(place, (_, is_group))| *is_group && reaches(*place, *place))
        .map(|(_, (name, _))| name.clone())
        .collect()
}

/// What each home is made of, through whatever has none; never of itself directly.
fn edges(graph: &Graph<'_>, homes: &BTreeMap<&str, usize>, count: usize) -> Vec<BTreeSet<usize>> {
    let mut edges = vec![BTreeSet::new(); count];
    for (id, home) in homes {
        walk(graph, id, &mut |parent| match homes.get(parent) {
            Some(other) => {
                if other != home {
                    edges[*home].insert(*other);
                }
                false
            }
            None => true,
        });
    }
    edges
}

/// Visits what a node is made of, further where the visitor asks for it.
fn walk<'m>(graph: &Graph<'m>, id: &str, visit: &mut dyn FnMut(&'m str) -> bool) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&'m str> = graph.next(id, Way::Up).to_vec();
    while let Some(parent) = open.pop() {
        if seen.insert(parent) && visit(parent) {
            open.extend(graph.next(parent, Way::Up));
        }
    }
}

/// The products of contracts, in the order of their first one.
pub(super) fn gather(
    input: &Input<'_>,
    manifest: &Manifest,
    graph: &Graph<'_>,
    contracts: &[ContractDraft],
    folder: &str,
    losses: &mut Losses,
) -> Vec<ProductDraft> {
    let mut homes: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, contract) in contracts.iter().enumerate() {
        homes.extend(contract.nodes.iter().map(|id| (id.as_str(), place)));
    }
    let edges = edges(graph, &homes, contracts.len());
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for (place, contract) in contracts.iter().enumerate() {
        if !contract.models {
            continue;
        }
        match groups.iter_mut().find(|(name, _)| *name == contract.group) {
            Some((_, places)) => places.push(place),
            None => groups.push((&contract.group, vec![place])),
        }
    }
    let mut taken = BTreeSet::new();
    let mut products = Vec::new();
    for (name, places) in groups {
        for place in &places {
            unsaid(manifest, graph, &homes, &contracts[*place], losses);
        }
        let product = Product {
            input,
            manifest,
            contracts,
            edges: &edges,
            name,
            places: &places,
        };
        let stem = slug(name);
        let numbered = (2..=taken.len() + 2).map(|number| format!("{stem}_{number}"));
        let free = std::iter::once(stem.clone()).chain(numbered);
        let stem = free.into_iter().find(|stem| taken.insert(stem.clone()));
        products.push(ProductDraft {
            id: product.id(),
            path: format!("{folder}/{}.odps.yaml", stem.unwrap_or_default()),
            root: product.entries(),
            outputs: places
                .iter()
                .map(|place| contracts[*place].id.clone())
                .collect(),
        });
    }
    products
}

/// Lists what a contract is made of and no contract is.
fn unsaid(
    manifest: &Manifest,
    graph: &Graph<'_>,
    homes: &BTreeMap<&str, usize>,
    contract: &ContractDraft,
    losses: &mut Losses,
) {
    for id in &contract.nodes {
        walk(graph, id, &mut |parent| {
            let node = manifest.nodes.get(parent);
            if let Some(node) = node.filter(|node| OTHER_DATA.contains(&node.kind.as_str())) {
                let path = contract.files.first().map_or("", String::as_str);
                let what = format!(
                    "the {} `{}` as an input of `{}`",
                    node.kind, node.name, contract.name
                );
                let why = "it is no contract, so that no port leads to it";
                losses.add(&SourceFile::new(path, ""), Span::default(), what, why);
                return false;
            }
            !homes.contains_key(parent)
        });
    }
}

/// What is known of one product.
struct Product<'a> {
    input: &'a Input<'a>,
    manifest: &'a Manifest,
    contracts: &'a [ContractDraft],
    edges: &'a [BTreeSet<usize>],
    name: &'a str,
    /// The contracts that it outputs.
    places: &'a [usize],
}

impl Product<'_> {
    fn id(&self) -> String {
        let project = self.input.project.name.as_deref();
        let parts = project.into_iter().chain(["products", self.name]);
        parts.collect::<Vec<_>>().join(".")
    }

    fn entries(&self) -> Entries {
        let mut root = Entries::default()
            .with("apiVersion", API_VERSION)
            .with("kind", "DataProduct")
            .with("id", self.id())
            .with("name", self.name)
            .with("version", FIRST)
            .with("status", "draft");
        let group = self.manifest.groups.get(self.name);
        if let Some(text) = group.and_then(|group| group.description.as_deref()) {
            root.set("description", Entries::default().with("purpose", text));
        }
        let inputs: BTreeSet<usize> = self
            .places
            .iter()
            .flat_map(|place| &self.edges[*place])
            .filter(|place| !self.places.contains(place))
            .copied()
            .collect();
        let ports: Vec<Entries> = inputs.iter().map(|place| self.port(*place)).collect();
        if !ports.is_empty() {
            root.set("inputPorts", ports);
        }
        let outputs: Vec<Entries> = self
            .places
            .iter()
            .map(|place| {
                let inputs: Vec<Entries> = self.edges[*place]
                    .iter()
                    .map(|input| {
                        let contract = &self.contracts[*input];
                        Entries::default()
                            .with("id", contract.id.as_str())
                            .with("version", contract.version.as_str())
                    })
                    .collect();
                // Without a word of them every input port would feed the output.
                self.port(*place).with("inputContracts", inputs)
            })
            .collect();
        root.set("outputPorts", outputs);
        if let Some(group) = group {
            let text = |key: &str| group.owner.get(key).and_then(Json::as_str);
            let mut team = Entries::default();
            if let Some(name) = text("name") {
                team.set("name", name);
            }
            if let Some(email) = text("email") {
                let member = Entries::default()
                    .with("username", email)
                    .with("role", "owner");
                team.set("members", vec![member]);
            }
            root.set_map("team", team);
        }
        root
    }

    /// A port of a contract, called as the contract is.
    fn port(&self, place: usize) -> Entries {
        let contract = &self.contracts[place];
        let port: Vec<(&str, Value)> = vec![
            ("name", contract.name.as_str().into()),
            ("version", contract.version.as_str().into()),
            ("contractId", contract.id.as_str().into()),
        ];
        port.into_iter()
            .fold(Entries::default(), |port, (key, value)| {
                port.with(key, value)
            })
    }
}
