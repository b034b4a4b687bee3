//! From where dbt lets the models of a group be read: `dbt.access` comes in, the word for dbt goes
//! out, and who may not read what.
//!
//! dbt loads no project in which anything outside a group refers to a private model of it, tests
//! included.

use std::collections::BTreeSet;

use super::Input;
use super::groups;
use super::names::{Names, Relation};
use super::scope::{Place, Subject, held_back};
use super::versions::Versions;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::document::{Text, spanned};
use crate::lineage::Role;
use crate::odcs::{Contract, SchemaObject};
use crate::yaml::Span;

/// The words that dbt knows.
const ACCESS: &[&str] = &[PRIVATE, PROTECTED, PUBLIC];

/// For the models of the same group.
const PRIVATE: &str = "private";

/// For the models of the same project; what no output port names is so.
const PROTECTED: &str = "protected";

/// For everything; what a product outputs is so unless the contract says otherwise.
const PUBLIC: &str = "public";

/// What a contract says of the models of an object.
fn stated(contract: &Contract, object: &SchemaObject) -> Option<Text> {
    let of_object = object.custom.get("dbt.access");
    let stated = of_object.or_else(|| contract.custom.get("dbt.access"))?;
    // What is no text is no word that dbt knows either.
    Some(spanned(stated).unwrap_or_else(|| Text {
        value: stated.kind().to_owned(),
        span: stated.span,
    }))
}

/// The access of a model that is in a group.
pub(super) fn of_model(subject: &Subject<'_>) -> String {
    let default = if subject.scope.input.outputs[subject.index] {
        PUBLIC
    } else {
        PROTECTED
    };
    stated(subject.contract, subject.object)
        .map_or_else(|| default.to_owned(), |stated| stated.value)
}

/// Whether the models and tests of one contract may refer to an object of another one.
pub(super) fn may_read(
    input: &Input<'_>,
    reader: usize,
    contract: usize,
    object: &SchemaObject,
) -> bool {
    let group = groups::of_contract(input, contract);
    let is_private = || {
        let stated = stated(&input.contracts[contract], object);
        stated.is_some_and(|stated| stated.value == PRIVATE)
    };
    group.is_none() || !is_private() || groups::of_contract(input, reader) == group
}

/// The warning that a test is left out, since it would refer to a private model.
pub(super) fn left_out(
    subject: &Subject<'_>,
    span: Span,
    what: &str,
    place: Place<'_>,
) -> Diagnostic {
    let relation = subject.scope.relation(place.contract, place.index);
    let name = relation.map_or(place.object.name.as_str(), Relation::name);
    let message = format!("{what}: the model `{name}` is private to another product");
    let finding = subject
        .finding(&rules::MAPPING_ACCESS, span, message)
        .severity(Severity::Warning)
        .help(OPEN_IT);
    let contract = subject.scope.contract(place.contract);
    match stated(contract, place.object) {
        Some(stated) => finding.label(&contract.document.file, stated.span, "private here"),
        None => finding,
    }
}

/// What to do about a model that is read by others.
const OPEN_IT: &str = "let its `dbt.access` be `protected` or `public`, or read another output";

/// Blocks the contracts whose access dbt does not know, and those that are made of nothing but
/// private models of another product.
pub(super) fn check(
    input: &Input<'_>,
    versions: &Versions,
    names: &Names,
    planned: &[bool],
    blocked: &mut BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let models =
        (0..planned.len()).filter(|index| planned[*index] && input.roles[*index] == Role::Model);
    for index in models {
        if groups::of_contract(input, index).is_none() {
            continue;
        }
        let contract = &input.contracts[index];
        let unknown = contract
            .objects
            .iter()
            .filter_map(|object| stated(contract, object))
            .find(|stated| !ACCESS.contains(&stated.as_str()));
        if let Some(stated) = unknown {
            blocked.insert(index);
            diagnostics.push(
                contract
                    .document
                    .finding(
                        &rules::MAPPING_ACCESS,
                        stated.span,
                        format!("dbt has no access `{}`", stated.value),
                    )
                    .help(format!("write one of `{}`", ACCESS.join("`, `")))
                    .contract(contract.id.value.clone()),
            );
        }
        for upstream in &input.upstreams[index] {
            let upstream = versions.chosen(*upstream);
            let objects = &input.contracts[upstream].objects;
            let mut readable = objects
                .iter()
                .filter(|object| may_read(input, index, upstream, object));
            if upstream == index || objects.is_empty() || readable.next().is_some() {
                continue;
            }
            blocked.insert(index);
            diagnostics.extend(forbidden(input, index, upstream));
            // What was made of it stays, and must find it open.
            if input.standing.contains(&names.properties[index]) && blocked.insert(upstream) {
                let [reader, private] = [index, upstream].map(|place| &input.contracts[place]);
                diagnostics.push(held_back(private, reader, "which stands and reads it"));
            }
        }
    }
}

/// The finding that a contract is made of private models, at the port that says so.
fn forbidden(input: &Input<'_>, reader: usize, upstream: usize) -> Option<Diagnostic> {
    let (product, owner) = (input.producers[reader]?, input.producers[upstream]?);
    let contract = &input.contracts[upstream];
    let ports = product.input_ports.iter();
    let ports = ports.filter_map(|port| port.contract_id.as_ref());
    let outputs = product.output_ports.iter();
    let inputs = outputs.flat_map(|port| port.input_contracts.iter().flatten());
    let port = ports
        .chain(inputs.map(|input| &input.id))
        .find(|id| id.value == contract.id.value);
    let finding = product
        .document
        .finding(
            &rules::MAPPING_ACCESS,
            port.unwrap_or(&product.id).span,
            format!(
                "the product `{}` reads the contract `{}`, which is private to the product `{}`",
                product.label(),
                contract.key(),
                owner.label()
            ),
        )
        .help(OPEN_IT)
        .contract(input.contracts[reader].id.value.clone());
    let stated = contract
        .objects
        .iter()
        .find_map(|object| stated(contract, object));
    Some(match stated {
        Some(stated) => finding.label(&contract.document.file, stated.span, "private here"),
        None => finding,
    })
}
