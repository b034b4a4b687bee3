//! Everything that a command starts from: configuration, documents, graph and findings, in one value.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::catalog::Catalog;
use crate::config::{self, Config};
use crate::diagnostics::{Diagnostic, Severity, Sink, SourceFile, rules};
use crate::discovery;
use crate::document::{Document, Kind};
use crate::lineage::{self, Lineage};
use crate::odcs::{self, Contract};
use crate::odps::{self, Product};
use crate::status::Status;
use crate::validate;

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The dbt project's directory.
    pub project_dir: PathBuf,
    /// Another configuration file than `contracts/config.yaml`.
    pub config: Option<PathBuf>,
    /// Files and folders to read beside the configured ones.
    pub extra: Vec<PathBuf>,
    /// Least status, over the configuration's.
    pub min_status: Option<Status>,
}

/// A loaded workspace.
#[derive(Debug)]
pub struct Workspace {
    /// The dbt project's directory.
    pub project_dir: PathBuf,
    /// The configuration with its defaults.
    pub config: Config,
    /// The configuration file, where there is one.
    pub config_file: Option<Arc<SourceFile>>,
    /// All contracts, in the order of their paths.
    pub contracts: Vec<Contract>,
    /// All products, in the order of their paths.
    pub products: Vec<Product>,
    /// Documents of each kind that were found, readable as one or not: contracts, products.
    pub found: (usize, usize),
    /// The graph.
    pub lineage: Lineage,
    /// Whether dbt artifacts are made of each contract.
    pub generated: Vec<bool>,
    /// Contracts, by place, that stay as they are on disk though they are not generated.
    pub retired: BTreeSet<usize>,
    /// Everything found on the way.
    pub sink: Sink,
}

/// Why there is no workspace.
#[derive(Debug)]
pub struct Unusable {
    /// What is wrong with the configuration.
    pub diagnostics: Vec<Diagnostic>,
}

impl Workspace {
    /// Loads, validates and classifies everything. Only a broken configuration stops it.
    pub fn load(options: &Options) -> Result<Self, Unusable> {
        let loaded = config::load(&options.project_dir, options.config.as_deref());
        if loaded
            .diagnostics
            .iter()
            .any(|finding| finding.severity == Severity::Error)
        {
            return Err(Unusable {
                diagnostics: loaded.diagnostics,
            });
        }
        let mut config = loaded.config;
        if let Some(minimum) = options.min_status {
            config.validation.min_status = minimum;
        }
        let mut sink = Sink::new(config.rules.clone());
        sink.extend(loaded.diagnostics);
        let found = discovery::discover(&options.project_dir, &config, &options.extra, read);
        sink.extend(found.diagnostics);

        let (mut contracts, mut products) = (Vec::new(), Vec::new());
        let mut counts = (0, 0);
        for (document, read) in found.documents {
            match document.kind {
                Kind::Contract => counts.0 += 1,
                Kind::Product => counts.1 += 1,
            }
            sink.extend(read.findings);
            contracts.extend(read.contract);
            products.extend(read.product);
        }
        let catalog = Catalog::new(&contracts);
        sink.extend(reference_pass(&catalog, &contracts, &products, &config));
        sink.extend(status_pass(
            &contracts,
            &products,
            config.validation.min_status,
        ));
        let (lineage, findings) = lineage::build(&contracts, &products, &catalog);
        sink.extend(findings);

        let retired = contracts
            .iter()
            .enumerate()
            .filter(|(_, contract)| {
                validate::status::standing(contract.status.as_ref(), Status::Proposed).status
                    == Status::Retired
            })
            .map(|(index, _)| index)
            .collect();
        let mut workspace = Self {
            project_dir: options.project_dir.clone(),
            config,
            config_file: loaded.file,
            generated: vec![true; contracts.len()],
            contracts,
            products,
            found: counts,
            lineage,
            retired,
            sink,
        };
        workspace.hold_back();
        Ok(workspace)
    }

    /// The contracts with indexes for looking them up.
    pub fn catalog(&self) -> Catalog<'_> {
        Catalog::new(&self.contracts)
    }

    /// Decides what is generated: no contract that has errors or is retired, and nothing that is
    /// made of such a one. One bad contract never stops the others.
    fn hold_back(&mut self) {
        let broken: BTreeSet<&str> = self
            .sink
            .diagnostics()
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .filter_map(|finding| Some(finding.place.as_ref()?.file.path.as_str()))
            .collect();
        let fatal = |rule| self.sink.weigh(rule, Severity::Error) == Some(Severity::Error);
        let contested = fatal(&rules::LINEAGE_TWO_PRODUCERS);
        let incomplete = self.config.validation.cross_reference == Some(Severity::Error)
            && fatal(&rules::REFERENCE_UNKNOWN_CONTRACT);
        for (index, contract) in self.contracts.iter().enumerate() {
            let held = broken.contains(contract.document.file.path.as_str())
                || self.retired.contains(&index)
                || self.lineage.circular.contains(&index)
                || (contested && self.lineage.contested.contains(&index))
                || (incomplete && self.lineage.incomplete.contains(&index));
            self.generated[index] = !held;
        }
        // What is made of something that is held back is held back too, however far down.
        let downstreams = self.lineage.downstreams();
        let mut held: Vec<usize> = (0..self.contracts.len())
            .filter(|index| !self.generated[*index])
            .collect();
        while let Some(index) = held.pop() {
            for next in &downstreams[index] {
                if std::mem::replace(&mut self.generated[*next], false) {
                    held.push(*next);
                }
            }
        }
    }
}

/// What is made of one document.
struct Read {
    /// What pass 1 found.
    findings: Vec<Diagnostic>,
    /// The contract in it, if it is one with an id.
    contract: Option<Contract>,
    /// The product in it, if it is one with an id.
    product: Option<Product>,
}

/// Pass 1 over a document, which then goes into its own shape.
fn read(whole: &Document, outline: &Arc<Document>) -> Read {
    let of = |kind| (whole.kind == kind).then_some(&whole.root);
    Read {
        findings: validate::schema::check(whole),
        contract: of(Kind::Contract).and_then(|root| odcs::load(outline, root)),
        product: of(Kind::Product).and_then(|root| odps::load(outline, root)),
    }
}

/// Pass 2 over all documents, weighed as the configuration says.
fn reference_pass(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    products: &[Product],
    config: &Config,
) -> Vec<Diagnostic> {
    let mut findings = validate::references::identities(catalog, contracts, products);
    if let Some(severity) = config.validation.cross_reference {
        let of_contracts = (0..contracts.len())
            .into_par_iter()
            .flat_map_iter(|index| validate::references::contract(catalog, contracts, index));
        findings.par_extend(of_contracts);
        for product in products {
            findings.extend(validate::references::product(
                catalog, contracts, product, severity,
            ));
        }
    }
    findings
}

/// Pass 3 over all documents.
fn status_pass(contracts: &[Contract], products: &[Product], minimum: Status) -> Vec<Diagnostic> {
    let contracts = contracts
        .iter()
        .flat_map(|contract| validate::status::contract(contract, minimum));
    let products = products
        .iter()
        .flat_map(|product| validate::status::product(product, minimum));
    contracts.chain(products).collect()
}

/// The project directory that a command works on: `given`, else the nearest parent of `start` with
/// a dbt project, else `start`.
pub fn project_dir(given: Option<&Path>, start: &Path) -> PathBuf {
    match given {
        Some(given) => start.join(given),
        None => crate::dbt::project::find_root(start).unwrap_or_else(|| start.to_owned()),
    }
}
