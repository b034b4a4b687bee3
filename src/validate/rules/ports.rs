//! A product is known by its id, each of its ports by name and version.

use std::collections::BTreeMap;

use super::names::EMPTY_ID_HELP;
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::odps::{Port, Product};

/// Finds an empty id, and ports that stand twice.
pub fn product(product: &Product) -> Vec<Diagnostic> {
    let directions = [
        ("input", "inputPorts", &product.input_ports),
        ("output", "outputPorts", &product.output_ports),
    ];
    let mut findings = Vec::new();
    if product.id.value.trim().is_empty() {
        findings.push(
            product
                .document
                .finding(
                    &rules::RULE_EMPTY_ID,
                    product.id.span,
                    "the `id` of the product is empty",
                )
                .help(EMPTY_ID_HELP)
                .pointer("/id"),
        );
    }
    for (direction, key, ports) in directions {
        let mut known: BTreeMap<(&str, &str), &Port> = BTreeMap::new();
        for (index, port) in ports.iter().enumerate() {
            let version = port.version.as_ref().map_or("", Text::as_str);
            let Some(first) = known.insert((port.name.as_str(), version), port) else {
                continue;
            };
            let message = match version {
                "" => format!("two {direction} ports are named `{}`", port.name.value),
                version => format!(
                    "two {direction} ports are named `{}` with version `{version}`",
                    port.name.value
                ),
            };
            findings.push(
                product
                    .document
                    .finding(&rules::RULE_DUPLICATE_PORT, port.name.span, message)
                    .label(&product.document.file, first.name.span, "the other port")
                    .help("rename one of them, or give them different versions")
                    .pointer(format!("/{key}/{index}/name"))
                    .contract(product.id.value.clone()),
            );
        }
    }
    findings
}
