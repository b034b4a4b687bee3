//! What is not known of products: findings and products come in, what leaves open which contracts
//! are outputs goes out.
//!
//! A file that may be a product leaves everything open that is in no other output port. An output
//! port that leads nowhere, and a file that may be anything, leave open less: what stands as a model
//! is not taken for a source, nor is what the port may mean.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostics::{self, Diagnostic, Place, Rule, Severity, SourceFile, rules};
use crate::discovery::Unread;
use crate::lineage::{Direction, Role};
use crate::odcs::Contract;
use crate::odps::Product;
use crate::standing::Standing;
use crate::workspace::Workspace;

/// The files that leave open which contracts are outputs: products that could not be read, and
/// those with errors in their output ports.
pub(crate) fn open(
    findings: &[Diagnostic],
    unread: &[Unread],
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
            !is_no_product(finding.rule) && may_be_product(&place.file, config)
        };
        if open {
            files.entry(path).or_insert(&place.file);
        }
    }
    // Whatever a finding weighs, what it is about is not known.
    for Unread { file, rule } in unread {
        if !is_no_product(rule) && may_be_product(file, config) {
            files.entry(file.path.as_str()).or_insert(file);
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

/// Whether a rule says of a file that it is no product.
fn is_no_product(rule: &Rule) -> bool {
    NO_PRODUCTS.contains(&rule)
}

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

/// Something that leaves open what some contracts are.
struct Cause<'a> {
    place: Place,
    /// What is wrong, as the beginning of a sentence.
    words: String,
    help: &'static str,
    /// The id that an output port names and no contract has.
    id: Option<&'a str>,
}

/// The contracts that look like sources and are not to be generated as such: they stand as models,
/// or are what an output port without a contract may mean.
pub(crate) fn in_doubt(
    workspace: &Workspace,
    standing: &Standing<'_>,
) -> (BTreeSet<usize>, Vec<Diagnostic>) {
    let causes = causes(workspace);
    let mut doubted: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    if let Some(doubt) = Doubt::new(workspace, standing, &causes) {
        for index in 0..workspace.contracts.len() {
            let is_source = workspace.lineage.roles[index] == Role::Source;
            if is_source
                && workspace.generated[index]
                && let Some(cause) = doubt.about(index)
            {
                doubted.entry(cause).or_default().push(index);
            }
        }
    }
    let findings = doubted.iter().map(|(cause, contracts)| {
        let Cause {
            place, words, help, ..
        } = &causes[*cause];
        let keys = contracts
            .iter()
            .map(|index| format!("`{}`", workspace.contracts[*index].key()));
        let keys: Vec<String> = keys.collect();
        let (may_be, not_as) = match keys.len() {
            1 => ("a model and is", "a source"),
            _ => ("models and are", "sources"),
        };
        let message = format!(
            "{words}: {} may be {may_be} not generated as {not_as}",
            keys.join(", ")
        );
        let finding = Diagnostic::new(&rules::LINEAGE_UNKNOWN_OUTPUTS, message);
        Diagnostic {
            place: Some(place.clone()),
            ..finding.help(*help)
        }
    });
    let mut findings: Vec<Diagnostic> = findings.collect();
    let doubted: BTreeSet<usize> = doubted.into_values().flatten().collect();
    findings.extend(changed(workspace, standing, &doubted));
    (doubted, findings)
}

/// The warnings that contracts which stand as models are sources from now on.
fn changed(
    workspace: &Workspace,
    standing: &Standing<'_>,
    doubted: &BTreeSet<usize>,
) -> Vec<Diagnostic> {
    let with_sql = standing.with_sql();
    let contracts = workspace.contracts.iter().enumerate();
    let changed = contracts.filter(|(index, contract)| {
        workspace.lineage.roles[*index] == Role::Source
            && workspace.generated[*index]
            && !doubted.contains(index)
            && with_sql.contains(contract.id.as_str())
            && standing.is_model(contract.id.as_str())
    });
    let findings = changed.map(|(_, contract)| {
        let message = format!(
            "`{}` was a model and becomes a source: no product outputs it any more",
            contract.key()
        );
        contract
            .document
            .finding(&rules::LINEAGE_CHANGED_ROLE, contract.id.span, message)
            .help("restore its output port, unless the data comes from outside from now on")
            .contract(contract.id.value.clone())
    });
    findings.collect()
}

/// Output ports without a contract, then the files that may be anything.
fn causes(workspace: &Workspace) -> Vec<Cause<'_>> {
    let ports = workspace.lineage.ports.iter().filter_map(|bound| {
        if bound.direction != Direction::Output || bound.contract.is_some() {
            return None;
        }
        let product = &workspace.products[bound.product];
        let port = &product.output_ports[bound.port];
        let id = port.contract_id.as_ref()?;
        Some(Cause {
            place: Place::new(&product.document.file, id.span),
            words: format!(
                "the output port `{}` of `{}` leads to no contract",
                port.name.value,
                product.label()
            ),
            help: "repair the port first",
            id: Some(id.as_str()),
        })
    });
    let files = workspace.unread.iter().map(|Unread { file, .. }| Cause {
        place: Place::file(file),
        words: format!("nobody knows what `{}` holds", file.path),
        help: "repair the file first",
        id: None,
    });
    ports.chain(files).collect()
}

/// What is known of contracts while something is open.
struct Doubt<'a> {
    workspace: &'a Workspace,
    standing: &'a Standing<'a>,
    causes: &'a [Cause<'a>],
    /// The ids that files were generated for.
    known: BTreeSet<&'a str>,
    /// The contracts that are read through some port.
    inputs: BTreeSet<usize>,
    /// For each cause with an id the one that is most like it, of contracts that stand as nothing.
    similar: Vec<Option<&'a str>>,
}

impl<'a> Doubt<'a> {
    /// `None` where nothing is open.
    fn new(
        workspace: &'a Workspace,
        standing: &'a Standing<'a>,
        causes: &'a [Cause<'a>],
    ) -> Option<Self> {
        if causes.is_empty() {
            return None;
        }
        let ports = workspace.lineage.ports.iter();
        let inputs = ports.filter(|port| port.direction == Direction::Input);
        let edges = workspace.lineage.edges.iter().map(|edge| edge.from);
        let inputs = inputs.filter_map(|port| port.contract).chain(edges);
        let mut doubt = Self {
            workspace,
            standing,
            causes,
            known: standing.ids(),
            inputs: inputs.collect(),
            similar: Vec::new(),
        };
        let new: BTreeSet<&str> = (0..workspace.contracts.len())
            .filter(|index| doubt.is_new(*index))
            .map(|index| workspace.contracts[index].id.as_str())
            .collect();
        let similar = |cause: &Cause<'_>| diagnostics::closest(cause.id?, new.iter().copied());
        doubt.similar = causes.iter().map(similar).collect();
        Some(doubt)
    }

    /// Whether a contract stands as nothing, and nothing says that it is a source.
    fn is_new(&self, index: usize) -> bool {
        let id = self.workspace.contracts[index].id.as_str();
        self.workspace.lineage.roles[index] == Role::Source
            && !self.inputs.contains(&index)
            && !self.known.contains(id)
    }

    /// The cause, by place, that leaves open what a contract is.
    fn about(&self, index: usize) -> Option<usize> {
        let id = self.workspace.contracts[index].id.as_str();
        let port = |means: &dyn Fn(usize, &str) -> bool| {
            let mut causes = self.causes.iter().enumerate();
            causes.position(|(place, cause)| cause.id.is_some_and(|wanted| means(place, wanted)))
        };
        // A version of it that is not there.
        let of_another_version = port(&|_, wanted| wanted == id);
        of_another_version.or_else(|| {
            if self.is_new(index) {
                // The port is misspelt, or the contract got another id and the port did not.
                let is_similar = |place: usize, _: &str| self.similar[place] == Some(id);
                port(&is_similar).or_else(|| port(&|_, wanted| self.known.contains(wanted)))
            } else if self.known.contains(id) && !self.standing.is_source(id) {
                let is_meant = |_, wanted: &str| diagnostics::closest(wanted, [id]).is_some();
                port(&is_meant).or(Some(0))
            } else {
                None
            }
        })
    }
}
