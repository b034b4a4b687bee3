//! Ports x contracts -> what each contract is in dbt, what it is made of, and circles among them.

mod versions;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::Catalog;
use crate::diagnostics::{Diagnostic, Place, Rule, Severity, rules};
use crate::document::Text;
use crate::odcs::Contract;
use crate::odps::{Port, Product};
use versions::Sibling;

/// What a contract is in dbt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Delivered from outside: a dbt source.
    Source,
    /// An output of a product of this workspace: dbt models.
    Model,
}

/// Which way the data goes through a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the product.
    Input,
    /// Out of the product.
    Output,
}

/// What a port is in dbt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortRole {
    /// An input that is a dbt source.
    Source,
    /// An output: the product's own model.
    Model,
    /// An input that is an output of some product: a `ref()`.
    Ref,
}

impl PortRole {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Model => "model",
            Self::Ref => "ref",
        }
    }
}

/// A port with the contract it is bound to.
#[derive(Clone, Copy, Debug)]
pub struct BoundPort {
    /// Place of the product.
    pub product: usize,
    /// Input or output.
    pub direction: Direction,
    /// Place among the product's ports of that direction.
    pub port: usize,
    /// Place of the contract, if there is one.
    pub contract: Option<usize>,
    /// What it is in dbt; `None` without a contract.
    pub role: Option<PortRole>,
}

/// One contract is made of another one, in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The contract that is read.
    pub from: usize,
    /// The contract that is made.
    pub to: usize,
    /// The product that makes it.
    pub product: usize,
    /// The product says so, or it has one output only; otherwise every input is taken to feed
    /// every output.
    certain: bool,
}

/// The graph of a workspace. Contracts and products are named by their places in their slices.
#[derive(Debug, Default)]
pub struct Lineage {
    /// What each contract is.
    pub roles: Vec<Role>,
    /// The contracts that each contract is made of, in the order of its ports, never itself.
    pub upstreams: Vec<Vec<usize>>,
    /// Whether an output port names each contract, and not just another version of it.
    pub outputs: Vec<bool>,
    /// The product that outputs each contract, or another version of it.
    pub producers: Vec<Option<usize>>,
    /// Contracts an input of which leads to no contract, with what is found there.
    pub incomplete: BTreeMap<usize, Vec<Cause>>,
    /// Contracts that several products output, with what is found at all outputs but the first.
    pub contested: BTreeMap<usize, Vec<Cause>>,
    /// Contracts in a circle that the products state.
    pub circular: BTreeSet<usize>,
    /// Every port, product by product, inputs first.
    pub ports: Vec<BoundPort>,
    /// Every dependency once.
    pub edges: Vec<Edge>,
}

/// Why a contract cannot be generated, unless the finding is lowered or allowed.
#[derive(Clone, Debug)]
pub struct Cause {
    /// What is found.
    pub rule: &'static Rule,
    /// Where.
    pub place: Place,
}

impl Lineage {
    /// The contracts that are made of each contract.
    pub fn downstreams(&self) -> Vec<Vec<usize>> {
        let mut downstreams = vec![Vec::new(); self.roles.len()];
        for edge in &self.edges {
            downstreams[edge.from].push(edge.to);
        }
        downstreams
    }
}

/// Builds the graph.
pub fn build(
    contracts: &[Contract],
    products: &[Product],
    catalog: &Catalog<'_>,
) -> (Lineage, Vec<Diagnostic>) {
    let mut builder = Builder {
        contracts,
        products,
        catalog,
        lineage: Lineage {
            roles: vec![Role::Source; contracts.len()],
            upstreams: vec![Vec::new(); contracts.len()],
            outputs: vec![false; contracts.len()],
            producers: vec![None; contracts.len()],
            ..Lineage::default()
        },
        known_edges: BTreeMap::new(),
        siblings: Vec::new(),
        diagnostics: Vec::new(),
    };
    builder.outputs();
    builder.siblings();
    builder.ports();
    builder.edges();
    builder.edges_of_siblings();
    builder.circles();
    for edge in &builder.lineage.edges {
        let upstreams = &mut builder.lineage.upstreams[edge.to];
        if !upstreams.contains(&edge.from) {
            upstreams.push(edge.from);
        }
    }
    builder.unused();
    (builder.lineage, builder.diagnostics)
}

/// The graph while it is built.
struct Builder<'a> {
    contracts: &'a [Contract],
    products: &'a [Product],
    catalog: &'a Catalog<'a>,
    lineage: Lineage,
    /// Place of each edge, by its two contracts.
    known_edges: BTreeMap<(usize, usize), usize>,
    /// Versions that no output port names, of ids that some port does.
    siblings: Vec<Sibling>,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    /// The contract that an id and version lead to.
    fn find(&self, id: &Text, version: Option<&Text>) -> Option<usize> {
        self.catalog
            .find(&id.value, version.map(Text::as_str))
            .contract()
    }

    /// The contract behind a port.
    fn bound(&self, port: &Port) -> Option<usize> {
        self.find(port.contract_id.as_ref()?, port.version.as_ref())
    }

    /// Every contract that some product outputs is a model.
    fn outputs(&mut self) {
        for (index, product) in self.products.iter().enumerate() {
            for port in &product.output_ports {
                let Some(contract) = self.bound(port) else {
                    continue;
                };
                self.lineage.roles[contract] = Role::Model;
                self.lineage.outputs[contract] = true;
                match self.lineage.producers[contract] {
                    Some(first) if first != index => {
                        let span = port.contract_id.as_ref().map_or(port.span, |id| id.span);
                        let causes = self.lineage.contested.entry(contract).or_default();
                        causes.push(Cause {
                            rule: &rules::LINEAGE_TWO_PRODUCERS,
                            place: Place::new(&product.document.file, span),
                        });
                        let other = &self.products[first];
                        self.diagnostics.push(
                            product
                                .document
                                .finding(
                                    &rules::LINEAGE_TWO_PRODUCERS,
                                    span,
                                    format!(
                                        "products `{}` and `{}` both output the contract `{}`",
                                        other.label(),
                                        product.label(),
                                        self.contracts[contract].key()
                                    ),
                                )
                                .label(&other.document.file, other.id.span, "the other product")
                                .help("let one product output it, and the other read it through an input port")
                                .contract(self.contracts[contract].id.value.clone()),
                        );
                    }
                    Some(_) => {}
                    None => self.lineage.producers[contract] = Some(index),
                }
            }
        }
    }

    /// Names every port's contract and role.
    fn ports(&mut self) {
        for (product, document) in self.products.iter().enumerate() {
            let directions = [
                (Direction::Input, &document.input_ports),
                (Direction::Output, &document.output_ports),
            ];
            for (direction, ports) in directions {
                for (index, port) in ports.iter().enumerate() {
                    let contract = self.bound(port);
                    let role = contract.map(|contract| match direction {
                        Direction::Output => PortRole::Model,
                        Direction::Input => match self.lineage.roles[contract] {
                            Role::Model => PortRole::Ref,
                            Role::Source => PortRole::Source,
                        },
                    });
                    self.lineage.ports.push(BoundPort {
                        product,
                        direction,
                        port: index,
                        contract,
                        role,
                    });
                }
            }
        }
    }

    /// What each output is made of: its `inputContracts`, else all inputs of its product.
    fn edges(&mut self) {
        for (product, document) in self.products.iter().enumerate() {
            let outputs: BTreeSet<usize> = document
                .output_ports
                .iter()
                .filter_map(|port| self.bound(port))
                .collect();
            for port in &document.output_ports {
                let Some(to) = self.bound(port) else { continue };
                let inputs: Vec<(&Text, Option<&Text>)> = match &port.input_contracts {
                    Some(inputs) => inputs
                        .iter()
                        .map(|input| (&input.id, input.version.as_ref()))
                        .collect(),
                    None => document
                        .input_ports
                        .iter()
                        .filter_map(|input| {
                            Some((input.contract_id.as_ref()?, input.version.as_ref()))
                        })
                        .collect(),
                };
                let certain = port.input_contracts.is_some() || outputs.len() == 1;
                for (id, version) in inputs {
                    match self.find(id, version) {
                        None => {
                            let cause = self.missing(document, id, version);
                            self.lineage.incomplete.entry(to).or_default().push(cause);
                        }
                        Some(from) if from == to => self.self_reference(document, id, to),
                        Some(from) => self.edge(Edge {
                            from,
                            to,
                            product,
                            certain,
                        }),
                    }
                }
            }
        }
    }

    /// What is found at an input that leads to no contract.
    fn missing(&self, product: &Product, id: &Text, version: Option<&Text>) -> Cause {
        let known = !self.catalog.versions(&id.value).is_empty();
        let (rule, text) = match version {
            Some(version) if known => (&rules::REFERENCE_UNKNOWN_VERSION, version),
            _ => (&rules::REFERENCE_UNKNOWN_CONTRACT, id),
        };
        Cause {
            rule,
            place: Place::new(&product.document.file, text.span),
        }
    }

    /// Adds an edge unless it is there.
    fn edge(&mut self, edge: Edge) {
        match self.known_edges.entry((edge.from, edge.to)) {
            Entry::Occupied(known) => self.lineage.edges[*known.get()].certain |= edge.certain,
            Entry::Vacant(vacant) => {
                vacant.insert(self.lineage.edges.len());
                self.lineage.edges.push(edge);
            }
        }
    }

    /// Reports a contract that would read itself.
    fn self_reference(&mut self, product: &Product, id: &Text, contract: usize) {
        self.diagnostics.push(
            product
                .document
                .finding(
                    &rules::LINEAGE_SELF_REFERENCE,
                    id.span,
                    format!(
                        "product `{}` outputs the contract `{}` and reads it too",
                        product.label(),
                        self.contracts[contract].key()
                    ),
                )
                .help("the output makes it a model; the input is left out, since a model cannot select from itself"),
        );
    }

    /// Reports circles. Where a circle rests on inputs that were only taken to feed every output,
    /// those edges are dropped with a warning; a circle that the products state is an error.
    fn circles(&mut self) {
        loop {
            let Some(circle) = find_circle(self.contracts.len(), &self.lineage.edges, |_| true)
            else {
                return;
            };
            let uncertain: Vec<Edge> = circle
                .iter()
                .copied()
                .filter(|edge| !edge.certain)
                .collect();
            if uncertain.is_empty() {
                break;
            }
            let finding = self.circle(&circle);
            self.diagnostics.push(
                finding
                    .severity(Severity::Warning)
                    .help("name in `inputContracts` of each output what it is made of; until then the input is left out"),
            );
            self.lineage.edges.retain(|edge| !uncertain.contains(edge));
        }
        // Only stated edges are left in circles.
        while let Some(circle) =
            find_circle(self.contracts.len(), &self.lineage.edges, |contract| {
                !self.lineage.circular.contains(&contract)
            })
        {
            self.lineage
                .circular
                .extend(circle.iter().map(|edge| edge.to));
            let finding = self.circle(&circle);
            self.diagnostics.push(
                finding.help("name in `inputContracts` only what an output is really made of"),
            );
        }
    }

    /// The finding that prints a circle, in the order in which the data flows.
    fn circle(&self, circle: &[Edge]) -> Diagnostic {
        let step = |edge: &Edge| {
            format!(
                "{}:{}",
                self.products[edge.product].label(),
                self.contracts[edge.to].id.value
            )
        };
        let mut steps: Vec<String> = circle.iter().map(step).collect();
        if let Some(first) = steps.first().cloned() {
            steps.push(first);
        }
        let product = &self.products[circle[0].product];
        product.document.finding(
            &rules::LINEAGE_CYCLE,
            product.id.span,
            format!(
                "contracts depend on each other in a circle: {}",
                steps.join(" -> ")
            ),
        )
    }

    /// Notes the contracts that no product names.
    fn unused(&mut self) {
        let mut named: BTreeSet<usize> = BTreeSet::new();
        named.extend(self.lineage.ports.iter().filter_map(|port| port.contract));
        named.extend(self.lineage.edges.iter().map(|edge| edge.from));
        for (index, contract) in self.contracts.iter().enumerate() {
            if !named.contains(&index) {
                let becomes = match self.lineage.roles[index] {
                    Role::Source => "becomes a dbt source",
                    Role::Model => "is a model, as another one of that id is",
                };
                self.diagnostics.push(
                    contract
                        .document
                        .finding(
                            &rules::LINEAGE_NO_PORT,
                            contract.id.span,
                            format!(
                                "the contract `{}` is in no port and {becomes}",
                                contract.key()
                            ),
                        )
                        .contract(contract.id.value.clone()),
                );
            }
        }
    }
}

/// Some circle among the edges whose contracts are all `allowed`, as edges in the order of the
/// data, beginning at the contract that comes first.
fn find_circle(
    contracts: usize,
    edges: &[Edge],
    allowed: impl Fn(usize) -> bool,
) -> Option<Vec<Edge>> {
    let mut outgoing: Vec<Vec<Edge>> = vec![Vec::new(); contracts];
    for edge in edges {
        if allowed(edge.from) && allowed(edge.to) {
            outgoing[edge.from].push(*edge);
        }
    }
    // Depth first without recursion: a chain of contracts may be longer than the stack is deep.
    let mut done = vec![false; contracts];
    let mut position: Vec<Option<usize>> = vec![None; contracts];
    for start in 0..contracts {
        if done[start] {
            continue;
        }
        let mut path: Vec<Edge> = Vec::new();
        let mut stack: Vec<(usize, usize)> = vec![(start, 0)];
        position[start] = Some(0);
        while let Some((contract, next)) = stack.pop() {
            let Some(edge) = outgoing[contract].get(next).copied() else {
                done[contract] = true;
                position[contract] = None;
                path.pop();
                continue;
            };
            stack.push((contract, next + 1));
            if let Some(depth) = position[edge.to] {
                let mut circle = path.split_off(depth);
                circle.push(edge);
                let first = (0..circle.len()).min_by_key(|index| circle[*index].to);
                circle.rotate_left(first.unwrap_or(0));
                return Some(circle);
            }
            if !done[edge.to] {
                path.push(edge);
                position[edge.to] = Some(path.len());
                stack.push((edge.to, 0));
            }
        }
    }
    None
}
