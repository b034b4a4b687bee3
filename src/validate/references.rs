//! Pass 2: does everything that a document refers to exist, once?

use std::collections::BTreeMap;

use crate::catalog::{Catalog, Match, Missing};
use crate::diagnostics::{Diagnostic, Severity, closest, rules};
use crate::document::Text;
use crate::odcs::reference::{self, Failure, Reference};
use crate::odcs::{Contract, Property, Relationship, Relationships, SchemaObject};
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
            let mut others = indexes.iter().enumerate().filter(|(other, candidate)| {
                *other != position && contracts[**candidate].version.value == contract.version.value
            });
            if let Some((_, other)) = others.next() {
                let other = &contracts[*other];
                let files = match others.count() {
                    0 => "two".to_owned(),
                    more => (more + 2).to_string(),
                };
                findings.push(
                    contract
                        .document
                        .finding(
                            &rules::REFERENCE_DUPLICATE_CONTRACT,
                            contract.id.span,
                            format!("the contract `{}` stands in {files} files", contract.key()),
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

/// Checks the relationships of the contract at `index`. `severity` is what the configuration says a
/// reference into nothing weighs at most.
pub fn contract(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    index: usize,
    severity: Severity,
) -> Vec<Diagnostic> {
    let contract = &contracts[index];
    let mut findings = Vec::new();
    if contract.relationships == Relationships::None {
        return findings;
    }
    let mut check = |relationship: &Relationship| {
        for text in relationship.from.iter().chain(&relationship.to) {
            if let Err(missing) = catalog.locate(index, &text.value) {
                let finding = dangling(contracts, contract, text, missing);
                findings.extend(finding.map(|finding| {
                    let own = finding.severity;
                    finding.severity(severity.min(own))
                }));
            }
        }
    };
    for object in &contract.objects {
        object.relationships.iter().for_each(&mut check);
        for property in object.properties_at_any_depth() {
            property.relationships.iter().for_each(&mut check);
        }
    }
    findings
}

/// The finding for a relationship that leads nowhere; none where the text has none of the standard's
/// forms, which the schema pass reports.
fn dangling(
    contracts: &[Contract],
    contract: &Contract,
    text: &Text,
    missing: Missing,
) -> Option<Diagnostic> {
    let to = &text.value;
    let by_id = matches!(reference::parse(to), Some(Reference::Ids { .. }));
    let (rule, message, help) = match missing {
        Missing::Form => {
            let (section, expected) = reference::wrong_section(to)?;
            (
                &rules::REFERENCE_UNKNOWN_PROPERTY,
                format!("`{to}` leads nowhere: `{section}` is no part of a contract here"),
                format!("write `{expected}`, as in `schema/<id>/properties/<id>`"),
            )
        }
        Missing::Network => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!("`{to}` is on the network, which is never asked"),
            "put the contract into the workspace and refer to it by its path".to_owned(),
        ),
        Missing::File(path) => (
            &rules::REFERENCE_UNKNOWN_PROPERTY,
            format!("no contract at `{path}`"),
            "the path is relative to the folder of the referring file".to_owned(),
        ),
        Missing::Target(at, Failure::NoObject(object)) => {
            let objects = &contracts[at].objects;
            let (name, id) = (
                |object: &SchemaObject| object.name.value.clone(),
                |object: &SchemaObject| object.id.as_ref().map(|id| id.value.clone()),
            );
            let known = Known {
                what: "schema object",
                names: objects.iter().map(name).collect(),
                ids: objects.iter().filter_map(id).collect(),
            };
            let message = if by_id {
                format!("no schema object has the id `{object}`, to which `{to}` refers")
            } else {
                format!("no schema object `{object}`, to which `{to}` refers")
            };
            (
                &rules::REFERENCE_UNKNOWN_PROPERTY,
                message,
                known.help(&object, by_id),
            )
        }
        Missing::Target(at, Failure::NoProperty { object, property }) => {
            let properties = contracts[at].object(&object);
            let properties = properties.into_iter().flat_map(|object| &object.properties);
            let id = |property: &Property| property.id.as_ref().map(|id| id.value.clone());
            let known = Known {
                what: "property",
                names: properties
                    .clone()
                    .map(|property| property.name.value.clone())
                    .collect(),
                ids: properties.filter_map(id).collect(),
            };
            let message = if by_id {
                format!("no property of `{object}` has the id `{property}`, to which `{to}` refers")
            } else {
                format!("`{object}` has no property `{property}`, to which `{to}` refers")
            };
            (
                &rules::REFERENCE_UNKNOWN_PROPERTY,
                message,
                known.help(&property, by_id),
            )
        }
        Missing::Target(_, Failure::Ambiguous(part)) => (
            &rules::REFERENCE_AMBIGUOUS,
            format!("`{part}` in `{to}` means several things"),
            if by_id {
                "give each an id of its own, or refer by names as `object.property`".to_owned()
            } else {
                "make the names unique, or refer by id".to_owned()
            },
        ),
    };
    Some(
        contract
            .document
            .finding(rule, text.span, message)
            .help(help)
            .contract(contract.id.value.clone()),
    )
}

/// What a reference could have meant.
struct Known {
    /// What is referred to.
    what: &'static str,
    names: Vec<String>,
    ids: Vec<String>,
}

impl Known {
    /// What to do about a name or id that is none of these.
    fn help(&self, wanted: &str, by_id: bool) -> String {
        let what = self.what;
        if !by_id {
            return suggest(wanted, &self.names, "known are");
        }
        if self.names.iter().any(|name| name == wanted) {
            return format!(
                "`{wanted}` is the name of a {what}, and this form takes ids: give it the `id`, or refer by names as `object.property`"
            );
        }
        if self.ids.is_empty() {
            return format!("give the {what} an `id`, or refer by names as `object.property`");
        }
        suggest(wanted, &self.ids, "known ids are")
    }
}

/// What to do about an unknown name: the closest known one, else a list of the first few.
fn suggest(name: &str, known: &[String], list: &str) -> String {
    const SHOWN: usize = 8;
    if let Some(close) = closest(name, known.iter().map(String::as_str)) {
        return format!("did you mean `{close}`?");
    }
    if known.is_empty() {
        return "there is nothing to refer to; add it, or remove the reference".to_owned();
    }
    if let [only] = known {
        return format!("the only one is `{only}`");
    }
    let more = if known.len() > SHOWN { ", …" } else { "" };
    let names: Vec<String> = known
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    format!("{list} {}{more}", names.join(", "))
}

/// Checks the ports of a product against the contracts. `severity` is what the configuration says a
/// reference into nothing weighs where it is not the product's own promise.
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
        ports.port(port, "input", true);
    }
    for port in &product.output_ports {
        // An input may live elsewhere; of an output that is not there nothing can be made.
        ports.port(port, "output", false);
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
    /// Checks the contract behind a port, which may live `elsewhere` or not.
    fn port(&mut self, port: &Port, direction: &str, elsewhere: bool) {
        let what = format!("the {direction} port `{}`", port.name.value);
        match &port.contract_id {
            Some(id) => {
                let names = format!("{what} names");
                self.reference(&names, id, port.version.as_ref(), elsewhere);
            }
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
            let made_of = format!("{what} is made of");
            self.reference(&made_of, &input.id, input.version.as_ref(), true);
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

    /// Checks that a contract id and version exist. `what` says who refers to them, and how.
    fn reference(&mut self, what: &str, id: &Text, version: Option<&Text>, elsewhere: bool) {
        let severity = if elsewhere {
            self.severity
        } else {
            Severity::Error
        };
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
                        "{what} version `{}` of the contract `{}`, which is there as {}",
                        version.value,
                        id.value,
                        versions()
                    ),
                )
                .help(format!(
                    "`{}` is used; name it, or add the version that is missing",
                    self.contracts[index].version.value
                ))
                .severity(severity.min(rules::REFERENCE_VERSION_DIFFERS.severity)),
            Match::OtherMajor(_) => self
                .product
                .document
                .finding(
                    &rules::REFERENCE_UNKNOWN_VERSION,
                    version.span,
                    format!(
                        "{what} version `{}` of the contract `{}`, which is not there",
                        version.value, id.value
                    ),
                )
                .help(format!("the contract is there as {}", versions()))
                .severity(severity),
            Match::None => self
                .product
                .document
                .finding(
                    &rules::REFERENCE_UNKNOWN_CONTRACT,
                    id.span,
                    format!("{what} the contract `{}`, which is not there", id.value),
                )
                .help(self.advice(&id.value, elsewhere))
                .severity(severity),
        };
        self.push(finding);
    }

    /// What to do about an unknown contract id.
    fn advice(&self, id: &str, elsewhere: bool) -> String {
        let ids = || self.catalog.ids().map(|(id, _)| id);
        if let Some(other) = ids().find(|other| other.eq_ignore_ascii_case(id)) {
            return format!("ids are compared letter by letter; did you mean `{other}`?");
        }
        match closest(id, ids()) {
            Some(close) => format!("did you mean `{close}`?"),
            None if !elsewhere => {
                "add the contract; nothing can be generated for the port until then".to_owned()
            }
            None if self.severity == Severity::Error => {
                "add the contract, or set `validation.cross_reference: warn` if it lives elsewhere"
                    .to_owned()
            }
            None => "add the contract, unless it lives elsewhere".to_owned(),
        }
    }

    /// Takes a finding about this product.
    fn push(&mut self, finding: Diagnostic) {
        self.findings
            .push(finding.contract(self.product.id.value.clone()));
    }
}
