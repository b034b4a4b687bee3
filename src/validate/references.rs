//! Pass 2: does everything that a document refers to exist, once?

use std::collections::BTreeMap;

use crate::catalog::{Catalog, Match, Missing};
use crate::diagnostics::{Diagnostic, Severity, closest, rules};
use crate::document::Text;
use crate::odcs::reference::Failure;
use crate::odcs::{Contract, Relationship};
use crate::odps::{Port, Product};

/// Finds documents that claim the same identity.
pub fn identities(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    products: &[Product],
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (_, indexes) in catalog.ids() {
        for (position, index) in indexes.iter().enumerate() {
            let contract = &contracts[*index];
            let same = indexes.iter().enumerate().find(|(other, candidate)| {
                *other != position && contracts[**candidate].version.value == contract.version.value
            });
            if let Some((_, other)) = same {
                let other = &contracts[*other];
                findings.push(
                    contract
                        .document
                        .finding(
                            &rules::REFERENCE_DUPLICATE_CONTRACT,
                            contract.id.span,
                            format!("the contract `{}` stands in two files", contract.key()),
                        )
                        .label(&other.document.file, other.id.span, "the other file")
                        .help("give one of them a new version, or remove it")
                        .pointer("/id")
                        .contract(contract.id.value.clone()),
                );
            }
        }
    }
    let mut seen: BTreeMap<(&str, &str), &Product> = BTreeMap::new();
    for product in products {
        let key = (
            product.id.as_str(),
            product.version.as_ref().map_or("", Text::as_str),
        );
        if let Some(first) = seen.insert(key, product) {
            findings.push(
                product
                    .document
                    .finding(
                        &rules::REFERENCE_DUPLICATE_PRODUCT,
                        product.id.span,
                        format!("the product `{}` stands in two files", product.id.value),
                    )
                    .label(&first.document.file, first.id.span, "the other file")
                    .help("give one of them a new version, or remove it")
                    .pointer("/id")
                    .contract(product.id.value.clone()),
            );
        }
    }
    findings
}

/// Checks the relationships of the contract at `index`.
pub fn contract(catalog: &Catalog<'_>, contracts: &[Contract], index: usize) -> Vec<Diagnostic> {
    let contract = &contracts[index];
    let mut findings = Vec::new();
    let mut check = |relationship: &Relationship| {
        for text in relationship.from.iter().chain(&relationship.to) {
            if let Err(missing) = catalog.locate(index, &text.value) {
                findings.push(dangling(contracts, contract, text, missing));
            }
        }
    };
    for object in &contract.objects {
        object.relationships.iter().for_each(&mut check);
        let mut level: Vec<_> = object.properties.iter().collect();
        while let Some(property) = level.pop() {
            property.relationships.iter().for_each(&mut check);
            level.extend(&property.properties);
            level.extend(property.items.as_deref());
        }
    }
    findings
}

/// The finding for a relationship that leads nowhere.
fn dangling(
    contracts: &[Contract],
    contract: &Contract,
    text: &Text,
    missing: Missing,
) -> Diagnostic {
    let (rule, message, help) = match missing {
        // The schema pass reports texts that have none of the standard's forms.
        Missing::Form => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!("`{}` is no reference to a property", text.value),
            "write `object.property` by names, or `schema/<id>/properties/<id>` by ids".to_owned(),
        ),
        Missing::Network => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!("`{}` is on the network, which is never asked", text.value),
            "put the contract into the workspace and refer to it by its path".to_owned(),
        ),
        Missing::File(path) => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!("no contract at `{path}`"),
            "the path is relative to the folder of the referring file".to_owned(),
        ),
        Missing::Target(at, Failure::NoObject(object)) => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!(
                "no schema object `{object}`, to which `{}` refers",
                text.value
            ),
            suggest(
                &object,
                contracts[at]
                    .objects
                    .iter()
                    .map(|object| object.name.as_str()),
                "the schema objects there are",
            ),
        ),
        Missing::Target(at, Failure::NoProperty { object, property }) => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!(
                "`{object}` has no property `{property}`, to which `{}` refers",
                text.value
            ),
            suggest(
                &property,
                contracts[at]
                    .object(&object)
                    .into_iter()
                    .flat_map(|object| &object.properties)
                    .map(|property| property.name.as_str()),
                "its properties are",
            ),
        ),
        Missing::Target(_, Failure::Ambiguous(part)) => (
            &rules::REFERENCE_AMBIGUOUS,
            format!("`{part}` in `{}` means several things", text.value),
            "make the names unique, or refer by id".to_owned(),
        ),
    };
    contract
        .document
        .finding(rule, text.span, message)
        .help(help)
        .contract(contract.id.value.clone())
}

/// What to do about an unknown name: the closest known one, else a list of the first few.
fn suggest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, list: &str) -> String {
    const SHOWN: usize = 8;
    if let Some(close) = closest(name, known.clone()) {
        return format!("did you mean `{close}`?");
    }
    let names: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "there is nothing to refer to; add it, or remove the reference".to_owned();
    }
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let names = &names[..names.len().min(SHOWN)];
    format!("{list} {}{more}", names.join(", "))
}

/// Checks the ports of a product against the contracts. `severity` is what the configuration says a
/// reference into nothing weighs.
pub fn product(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    product: &Product,
    severity: Severity,
) -> Vec<Diagnostic> {
    let mut ports = Ports {
        catalog,
        contracts,
        product,
        severity,
        findings: Vec::new(),
    };
    for port in &product.input_ports {
        ports.port(port, "input");
    }
    for port in &product.output_ports {
        ports.port(port, "output");
        ports.input_contracts(port);
    }
    ports.findings
}

/// The check of one product's ports.
struct Ports<'a> {
    catalog: &'a Catalog<'a>,
    contracts: &'a [Contract],
    product: &'a Product,
    severity: Severity,
    findings: Vec<Diagnostic>,
}

impl Ports<'_> {
    /// Checks the contract behind a port.
    fn port(&mut self, port: &Port, direction: &str) {
        let what = format!("the {direction} port `{}`", port.name.value);
        match &port.contract_id {
            Some(id) => self.reference(&what, id, port.version.as_ref()),
            None => self.push(
                self.product
                    .document
                    .finding(
                        &rules::REFERENCE_PORT_WITHOUT_CONTRACT,
                        port.name.span,
                        format!("{what} names no contract"),
                    )
                    .help("add `contractId`; nothing is generated for the port until then"),
            ),
        }
    }

    /// Checks what an output says that it is made of.
    fn input_contracts(&mut self, port: &Port) {
        let product = self.product;
        let what = format!("the output port `{}`", port.name.value);
        for input in port.input_contracts.iter().flatten() {
            self.reference(&what, &input.id, input.version.as_ref());
            let known = product
                .input_ports
                .iter()
                .chain(&product.output_ports)
                .filter_map(|port| port.contract_id.as_ref())
                .any(|id| id.value == input.id.value);
            if !known {
                self.push(
                    product
                        .document
                        .finding(
                            &rules::REFERENCE_UNDECLARED_INPUT,
                            input.id.span,
                            format!(
                                "{what} is made of the contract `{}`, which is no port of the product",
                                input.id.value
                            ),
                        )
                        .help("declare it as an input port; it counts for lineage all the same"),
                );
            }
        }
    }

    /// Checks that a contract id and version exist.
    fn reference(&mut self, what: &str, id: &Text, version: Option<&Text>) {
        let found = self.catalog.find(&id.value, version.map(Text::as_str));
        let version = version.unwrap_or(id);
        let versions = || {
            let versions: Vec<String> = self
                .catalog
                .versions(&id.value)
                .iter()
                .map(|index| format!("`{}`", self.contracts[*index].version.value))
                .collect();
            versions.join(", ")
        };
        let finding = match found {
            Match::Exact(_) => return,
            Match::SameMajor(index) => self
                .product
                .document
                .finding(
                    &rules::REFERENCE_VERSION_DIFFERS,
                    version.span,
                    format!(
                        "{what} names version `{}` of the contract `{}`, which is there as {}",
                        version.value,
                        id.value,
                        versions()
                    ),
                )
                .help(format!(
                    "`{}` is used; name it, or add the version that is missing",
                    self.contracts[index].version.value
                ))
                .severity(self.severity.min(rules::REFERENCE_VERSION_DIFFERS.severity)),
            Match::OtherMajor(_) => self
                .product
                .document
                .finding(
                    &rules::REFERENCE_UNKNOWN_VERSION,
                    version.span,
                    format!(
                        "{what} names version `{}` of the contract `{}`, which is not there",
                        version.value, id.value
                    ),
                )
                .help(format!("the contract is there as {}", versions()))
                .severity(self.severity),
            Match::None => self
                .product
                .document
                .finding(
                    &rules::REFERENCE_UNKNOWN_CONTRACT,
                    id.span,
                    format!(
                        "{what} names the contract `{}`, which is not there",
                        id.value
                    ),
                )
                .help(self.advice(&id.value))
                .severity(self.severity),
        };
        self.push(finding);
    }

    /// What to do about an unknown contract id.
    fn advice(&self, id: &str) -> String {
        let ids = || self.catalog.ids().map(|(id, _)| id);
        if let Some(other) = ids().find(|other| other.eq_ignore_ascii_case(id)) {
            return format!("ids are compared letter by letter; did you mean `{other}`?");
        }
        match closest(id, ids()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => {
                "add the contract, or set `validation.cross_reference: warn` if it lives elsewhere"
                    .to_owned()
            }
        }
    }

    /// Takes a finding about this product.
    fn push(&mut self, finding: Diagnostic) {
        self.findings
            .push(finding.contract(self.product.id.value.clone()));
    }
}
