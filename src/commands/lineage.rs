//! `lineage`: the graph of contracts and each port's role.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Context;
use super::mapped::Resources;
use crate::cli::{Format, Lineage};
use crate::diagnostics::Severity;
use crate::document::Text;
use crate::lineage::{BoundPort, Direction, PortRole, Role};
use crate::odps::Port;
use crate::report::{Exit, Failure, output};
use crate::select;
use crate::workspace::Workspace;

/// Prints the graph.
pub(crate) fn run(context: &Context, arguments: &Lineage) -> Result<Exit, Failure> {
    let mut workspace = context.load(Vec::new(), None)?;
    let selection = &arguments.selection;
    let is_json = context.reporter.format == Format::Json;
    let resources = if is_json || !selection.select.is_empty() || !selection.exclude.is_empty() {
        Resources::of(&mut workspace)
    } else {
        Resources::default()
    };
    workspace.sink.sort();
    let names = select::Graph {
        resources: &resources.names,
        ..workspace.graph()
    };
    let selected = select::select(names, &selection.select, &selection.exclude)?;
    let ok = workspace.sink.count(Severity::Error) == 0;
    if is_json {
        context.reporter.document(
            ok,
            graph(&workspace, &selected, &resources),
            workspace.sink.diagnostics(),
        );
    } else {
        context.reporter.diagnostics(workspace.sink.diagnostics());
        output(&tree(&workspace, &selected));
    }
    Ok(Exit::findings(!ok))
}

/// The port's own entry in its product.
fn entry<'a>(workspace: &'a Workspace, port: &BoundPort) -> &'a Port {
    let product = &workspace.products[port.product];
    match port.direction {
        Direction::Input => &product.input_ports[port.port],
        Direction::Output => &product.output_ports[port.port],
    }
}

/// The word of a direction.
fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}

/// The word of a role.
fn role(role: Role) -> &'static str {
    match role {
        Role::Source => "source",
        Role::Model => "model",
    }
}

/// Whether a port is shown: its contract is selected, or it has none and nothing was left out.
fn shown(workspace: &Workspace, port: &BoundPort, selected: &BTreeSet<usize>) -> bool {
    match port.contract {
        Some(contract) => selected.contains(&contract),
        None => selected.len() == workspace.contracts.len(),
    }
}

/// The graph for programs.
fn graph(workspace: &Workspace, selected: &BTreeSet<usize>, resources: &Resources) -> Value {
    let key = |index: usize| workspace.contracts[index].key();
    let contracts: Vec<Value> = selected
        .iter()
        .map(|index| {
            let contract = &workspace.contracts[*index];
            json!({
                "id": contract.id.value,
                "version": contract.version.value,
                "path": contract.document.file.path,
                "role": role(workspace.lineage.roles[*index]),
                "resources": resources.of_contract(workspace, *index),
            })
        })
        .collect();
    let ports: Vec<Value> = workspace
        .lineage
        .ports
        .iter()
        .filter(|port| shown(workspace, port, selected))
        .map(|port| {
            let entry = entry(workspace, port);
            json!({
                "product": workspace.products[port.product].id.value,
                "port": entry.name.value,
                "version": entry.version.as_ref().map(Text::as_str),
                "direction": direction(port.direction),
                "contract": port.contract.map(key),
                "role": port.role.map(PortRole::as_str),
            })
        })
        .collect();
    let edges: Vec<Value> = workspace
        .lineage
        .edges
        .iter()
        .filter(|edge| selected.contains(&edge.from) && selected.contains(&edge.to))
        .map(|edge| {
            json!({
                "from": key(edge.from),
                "to": key(edge.to),
                "product": workspace.products[edge.product].id.value,
            })
        })
        .collect();
    json!({"contracts": contracts, "ports": ports, "edges": edges})
}

/// The graph for people: each product with its ports, then the contracts in no port.
fn tree(workspace: &Workspace, selected: &BTreeSet<usize>) -> String {
    let mut text = String::new();
    let mut named = BTreeSet::new();
    for (index, product) in workspace.products.iter().enumerate() {
        let ports: Vec<&BoundPort> = workspace
            .lineage
            .ports
            .iter()
            .filter(|port| port.product == index && shown(workspace, port, selected))
            .collect();
        if ports.is_empty() {
            continue;
        }
        let version = product
            .version
            .as_ref()
            .map(|version| format!(" {}", version.value));
        let _ = writeln!(text, "{}{}", product.label(), version.unwrap_or_default());
        let rows: Vec<[String; 4]> = ports.iter().map(|port| row(workspace, port)).collect();
        let width = |column: usize| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        for (position, [way, name, contract, role]) in rows.iter().enumerate() {
            let branch = if position + 1 == rows.len() {
                "└──"
            } else {
                "├──"
            };
            let line = format!(
                "{branch} {way:6}  {name:name_width$}  {contract:contract_width$}  {role}",
                name_width = width(1),
                contract_width = width(2),
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        named.extend(ports.iter().filter_map(|port| port.contract));
        text.push('\n');
    }
    named.extend(workspace.lineage.edges.iter().map(|edge| edge.from));
    let alone: Vec<usize> = selected.difference(&named).copied().collect();
    if !alone.is_empty() {
        text.push_str("in no port\n");
        for (position, index) in alone.iter().enumerate() {
            let branch = if position + 1 == alone.len() {
                "└──"
            } else {
                "├──"
            };
            let role = role(workspace.lineage.roles[*index]);
            let _ = writeln!(
                text,
                "{branch} {}  {role}",
                workspace.contracts[*index].key()
            );
        }
    }
    text.trim_end().to_owned() + "\n"
}

/// A port as columns: direction, name, contract, role and what it is made of.
fn row(workspace: &Workspace, port: &BoundPort) -> [String; 4] {
    let entry = entry(workspace, port);
    let contract = match (port.contract, &entry.contract_id) {
        (Some(index), _) => workspace.contracts[index].key(),
        (None, Some(id)) => format!("{} (not there)", id.value),
        (None, None) => "no contract".to_owned(),
    };
    let mut role = port.role.map_or("", |role| role.as_str()).to_owned();
    if let (Direction::Output, Some(index)) = (port.direction, port.contract) {
        let made_of: Vec<String> = workspace.lineage.upstreams[index]
            .iter()
            .map(|upstream| workspace.contracts[*upstream].key())
            .collect();
        if !made_of.is_empty() {
            let _ = write!(role, " <- {}", made_of.join(", "));
        }
    }
    [
        direction(port.direction).to_owned(),
        entry.name.value.clone(),
        contract,
        role,
    ]
}
