//! What is not known of products: findings and products come in, the files that leave open which
//! contracts are outputs go out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostics::{self, Diagnostic, Rule, Severity, SourceFile, rules};
use crate::odcs::Contract;
use crate::odps::Product;

/// The files that leave open which contracts are outputs: products that could not be read, and
/// those with errors in their output ports.
pub(crate) fn open(
    findings: &[Diagnostic],
    contracts: &[Contract],
    products: &[Product],
    config: &Config,
) -> Vec<Arc<SourceFile>> {
    let contracts = contracts.iter().map(|contract| &contract.document);
    let contracts: BTreeSet<&str> = contracts
        .map(|document| document.file.path.as_str())
        .collect();
    let products = products.iter().map(|product| &product.document);
    let products: BTreeSet<&str> = products
        .map(|document| document.file.path.as_str())
        .collect();
    let mut files: BTreeMap<&str, &Arc<SourceFile>> = BTreeMap::new();
    for finding in findings {
        let pass = ["discovery/", "schema/", "yaml/"];
        let Some(place) = &finding.place else {
            continue;
        };
        if finding.severity != Severity::Error
            || !pass.iter().any(|area| finding.rule.code.starts_with(area))
        {
            continue;
        }
        let path = place.file.path.as_str();
        let open = if products.contains(path) {
            is_about_outputs(finding)
        } else if contracts.contains(path) {
            false
        } else {
            !NO_PRODUCTS
                .iter()
                .any(|rule| std::ptr::eq(*rule, finding.rule))
                && may_be_product(&place.file, config)
        };
        if open {
            files.entry(path).or_insert(&place.file);
        }
    }
    files.into_values().cloned().collect()
}

/// What says of a file that it is something else than a product.
const NO_PRODUCTS: &[&Rule] = &[
    &rules::DISCOVERY_FOREIGN_CONTRACT,
    &rules::DISCOVERY_LEGACY_CONTRACT,
    &rules::DISCOVERY_TEMPLATE,
];

/// Whether a finding in a product is about its output ports, or about a key that was meant to be.
fn is_about_outputs(finding: &Diagnostic) -> bool {
    let Some(pointer) = finding.pointer.as_deref() else {
        return true;
    };
    let key = pointer.split('/').nth(1).unwrap_or_default();
    diagnostics::closest(key, ["inputPorts", "outputPorts"]) == Some("outputPorts")
}

/// Whether a file that could not be read may hold a product, by what it says, its name, its place.
fn may_be_product(file: &SourceFile, config: &Config) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let signs = [
        (file.text.contains("DataProduct"), true),
        (file.text.contains("DataContract"), false),
        (name.contains(".odps."), true),
        (name.contains(".odcs."), false),
    ];
    if let Some((_, product)) = signs.iter().find(|(seen, _)| *seen) {
        return *product;
    }
    config.paths.products.iter().any(|place| {
        let place = place.value.trim_start_matches("./");
        let folder = place.split(['*', '?', '[', '{']).next().unwrap_or(place);
        let folder = folder.trim_end_matches('/');
        let below = file.path.strip_prefix(folder);
        below.is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'))
    })
}
