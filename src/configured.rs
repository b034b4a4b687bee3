//! The configuration where it depends on selections: `rules` and `overrides` come in, what each
//! finding weighs and which settings each document has go out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostics::{Diagnostic, Overrides, Severity, rules};
use crate::document::Text;
use crate::select::{self, Failure, Graph, Selected};
use crate::status::Status;

/// The configuration of each document, by place.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Of contracts.
    pub(crate) contracts: Vec<Arc<Config>>,
    /// Of products.
    pub(crate) products: Vec<Arc<Config>>,
}

/// Resolves every selection in the configuration, once for all documents. `min_status` is over all
/// that the configuration says of it.
pub(crate) fn resolve(
    config: &Config,
    graph: Graph<'_>,
    min_status: Option<Status>,
) -> (Overrides, Settings, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let mut weights = Overrides::default();
    for rule in &config.rules {
        let selected = rule.select.as_ref();
        let paths =
            selected.map(|text| paths(graph, &selection(config, graph, text, &mut findings)));
        weights.set(rule.code, rule.level, paths);
    }
    let selected: Vec<Selected> = config
        .overrides
        .iter()
        .map(|entry| selection(config, graph, &entry.select, &mut findings))
        .collect();
    // Few documents differ, and those often alike.
    let mut known: BTreeMap<Vec<usize>, Arc<Config>> = BTreeMap::new();
    let mut of = |is_selected: &dyn Fn(&Selected) -> bool| {
        let places: Vec<usize> = (0..selected.len())
            .filter(|place| is_selected(&selected[*place]))
            .collect();
        let settings = known.entry(places.clone());
        Arc::clone(settings.or_insert_with(|| {
            let mut config = config.overridden(places);
            config.validation.min_status = min_status.unwrap_or(config.validation.min_status);
            Arc::new(config)
        }))
    };
    let settings = Settings {
        contracts: (0..graph.contracts.len())
            .map(|index| of(&|selected| selected.contracts.contains(&index)))
            .collect(),
        products: (0..graph.products.len())
            .map(|index| of(&|selected| selected.products.contains(&index)))
            .collect(),
    };
    (weights, settings, findings)
}

/// What a selection of the configuration takes; one that takes nothing is reported.
fn selection(
    config: &Config,
    graph: Graph<'_>,
    text: &Text,
    findings: &mut Vec<Diagnostic>,
) -> Selected {
    let selected = select::documents(graph, &text.value);
    let nothing = Ok(Selected::default());
    let (severity, message) = match &selected {
        Err(Failure::Invalid(problem)) => (Severity::Error, problem.clone()),
        _ if selected == nothing && !graph.contracts.is_empty() => (
            Severity::Warning,
            format!("no contract and no product is selected by `{}`", text.value),
        ),
        _ => return selected.unwrap_or_default(),
    };
    let mut finding = Diagnostic::new(&rules::CONFIG_INVALID_VALUE, message).severity(severity);
    if let Some(file) = &config.file {
        finding = finding.at(file, text.span);
    }
    findings.push(finding);
    Selected::default()
}

/// The files of what is selected.
fn paths(graph: Graph<'_>, selected: &Selected) -> BTreeSet<String> {
    let contracts = selected.contracts.iter();
    let contracts = contracts.map(|index| &graph.contracts[*index].document);
    let products = selected.products.iter();
    let products = products.map(|index| &graph.products[*index].document);
    contracts
        .chain(products)
        .map(|document| document.file.path.clone())
        .collect()
}
