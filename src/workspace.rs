//! Everything that a command starts from: configuration, documents, graph and findings, in one value.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::catalog::Catalog;
use crate::config::{self, Config};
use crate::configured::{self, Settings};
use crate::diagnostics::allow::{self, Allow, Allows};
use crate::diagnostics::{Diagnostic, Severity, Sink, SourceFile, rules};
use crate::discovery::{self, Texts, Unread};
use crate::document::{ApiVersion, Document, Kind};
use crate::lineage::{self, Cause, Lineage, Role};
use crate::odcs::{self, Contract, Relationships};
use crate::odps::{self, Product};
use crate::outputs;
use crate::select::Graph;
use crate::status::Status;
use crate::validate;
use crate::variables;
use crate::yaml::Node;

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The dbt project's directory.
    pub project_dir: PathBuf,
    /// Another configuration file than `contracts/config.yaml`.
    pub config: Option<PathBuf>,
    /// Files and folders to read beside the configured ones.
    pub extra: Vec<PathBuf>,
    /// Least status of all documents, whatever the configuration says.
    pub min_status: Option<Status>,
    /// What documents will hold in place of what is on disk.
    pub texts: Texts,
    /// Whether the schema objects of all contracts will be asked for. They are kept then; otherwise
    /// those that are asked for after all are read once more.
    pub objects: bool,
}

/// A loaded workspace.
#[derive(Debug)]
pub struct Workspace {
    /// The dbt project's directory.
    pub project_dir: PathBuf,
    /// The configuration with its defaults.
    pub config: Config,
    /// The configuration of each contract, with what `overrides` says of it.
    pub settings: Vec<Arc<Config>>,
    /// The configuration file, where there is one.
    pub config_file: Option<Arc<SourceFile>>,
    /// All contracts, in the order of their paths.
    pub contracts: Vec<Contract>,
    /// All products, in the order of their paths.
    pub products: Vec<Product>,
    /// Documents of each kind that were found, readable as one or not: contracts, products.
    pub found: (usize, usize),
    /// What may hold documents that are missing here: files that could not be read, and documents
    /// that nobody knows the id of.
    pub unread: Vec<Unread>,
    /// How many documents were checked against each schema; without a version, those that ask for
    /// one that is not known.
    pub schemas: BTreeMap<(Kind, Option<ApiVersion>), usize>,
    /// The graph.
    pub lineage: Lineage,
    /// Whether dbt artifacts can be made of each contract, as far as its own documents say.
    pub generated: Vec<bool>,
    /// Contracts, by place, that stay as they are on disk and are not generated for the one reason
    /// that they are retired.
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
        let config = loaded.config;
        // A selection may name objects or their tags.
        let objects = options.objects || config.has_selections();
        let found = discovery::discover(
            &options.project_dir,
            &config,
            &options.extra,
            &options.texts,
            // Boxed, since it is moved from list to list.
            |whole, outline| Box::new(read(whole, outline, objects, &config)),
        );

        let mut contracts = Vec::with_capacity(found.documents.len());
        let mut products = Vec::new();
        let mut counts = (0, 0);
        let mut schemas = BTreeMap::new();
        let mut allows = Allows::default();
        let mut unread = found.unread;
        let mut findings = loaded.diagnostics;
        findings.extend(found.diagnostics);
        for (document, read) in found.documents {
            match document.kind {
                Kind::Contract => counts.0 += 1,
                Kind::Product => counts.1 += 1,
            }
            *schemas.entry((document.kind, read.schema)).or_default() += 1;
            allows.add(read.allows);
            findings.extend(read.findings);
            unread.extend(read.unread);
            contracts.extend(read.contract);
            products.extend(read.product);
        }
        let catalog = Catalog::new(&contracts);
        let (lineage, of_lineage) = lineage::build(&contracts, &products, &catalog);
        let graph = Graph {
            resources: &[],
            contracts: &contracts,
            products: &products,
            lineage: &lineage,
        };
        findings.extend(reference_pass(&catalog, &contracts, &products, &config));
        validate::precedence::keep_causes(&mut findings);
        let (weights, settings, of_config) =
            configured::resolve(&config, graph, options.min_status);
        let mut sink = Sink::new(weights);
        sink.extend(of_config);
        sink.allow(allows);
        sink.extend(findings);
        sink.extend(status_pass(&catalog, &contracts, &products, &settings));
        sink.extend(of_lineage);
        report_unused_allows(&mut sink, &config);

        let retired = contracts
            .iter()
            .enumerate()
            .filter(|(_, contract)| {
                validate::status::standing(contract.status.as_ref(), Status::Proposed).status
                    == Status::Retired
            })
            .map(|(index, _)| index)
            .collect();
        let open = outputs::open(sink.diagnostics(), &unread, &contracts, &products, &config);
        let mut workspace = Self {
            project_dir: options.project_dir.clone(),
            config,
            settings: settings.contracts,
            config_file: loaded.file,
            generated: vec![true; contracts.len()],
            contracts,
            products,
            found: counts,
            unread,
            schemas,
            lineage,
            retired,
            sink,
        };
        workspace.hold_back();
        workspace.hold_back_sources(&open);
        Ok(workspace)
    }

    /// The contracts with indexes for looking them up.
    pub fn catalog(&self) -> Catalog<'_> {
        Catalog::new(&self.contracts)
    }

    /// What selections are made from.
    pub fn graph(&self) -> Graph<'_> {
        Graph {
            resources: &[],
            contracts: &self.contracts,
            products: &self.products,
            lineage: &self.lineage,
        }
    }

    /// Decides what is generated: no contract that has errors or is retired. One bad contract never
    /// stops the others, except for those that are made of it, which the mapping holds back.
    fn hold_back(&mut self) {
        let broken: BTreeSet<&str> = self
            .sink
            .diagnostics()
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .filter_map(|finding| Some(finding.place.as_ref()?.file.path.as_str()))
            .collect();
        let fatal = |cause: &Cause| {
            self.sink
                .weigh(cause.rule, Severity::Error, Some(&cause.place))
                == Some(Severity::Error)
        };
        let open = |causes: Option<&Vec<Cause>>| {
            causes.is_some_and(|causes| {
                causes
                    .iter()
                    .any(|cause| fatal(cause) && !self.sink.is_allowed(cause.rule, &cause.place))
            })
        };
        let cross_reference = self.config.validation.cross_reference == Some(Severity::Error);
        for (index, contract) in self.contracts.iter().enumerate() {
            let held = broken.contains(contract.document.file.path.as_str())
                || self.lineage.circular.contains(&index)
                || open(self.lineage.contested.get(&index))
                || (cross_reference && open(self.lineage.incomplete.get(&index)));
            self.generated[index] = !held && !self.retired.contains(&index);
            if held {
                self.retired.remove(&index);
            }
        }
    }

    /// Holds back what is a source only as long as no product outputs it, while that is open.
    fn hold_back_sources(&mut self, open: &[Arc<SourceFile>]) {
        let mut count = 0;
        for (generated, role) in self.generated.iter_mut().zip(&self.lineage.roles) {
            if !open.is_empty() && *role == Role::Source && std::mem::replace(generated, false) {
                count += 1;
            }
        }
        let Some(first) = open.first().filter(|_| count > 0) else {
            return;
        };
        let what = match count {
            1 => "contract that is in no other output port is not generated: it may be a source or a model".to_owned(),
            _ => format!("{count} contracts that are in no other output port are not generated: they may be sources or models"),
        };
        let message = format!("what `{}` outputs is not known, so the {what}", first.path);
        self.sink.push(
            Diagnostic::new(&rules::LINEAGE_UNKNOWN_OUTPUTS, message)
                .in_file(first)
                .help("repair the product first"),
        );
    }
}

/// Reports the comments that silenced nothing in the three passes. A document that pass 1 refuses
/// says little about the other two, and a least status may be asked for in one run and not in the next.
fn report_unused_allows(sink: &mut Sink, config: &Config) {
    let refused: BTreeSet<String> = sink
        .diagnostics()
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .filter(|finding| matches!(finding.rule.area(), "schema" | "yaml"))
        .filter_map(|finding| Some(finding.place.as_ref()?.file.path.clone()))
        .collect();
    sink.report_unused_allows(|allow| {
        let made = match allow.rule.area() {
            "drift" | "mapping" | "merge" => false,
            "reference" => config.validation.cross_reference.is_some(),
            _ => allow.rule != &rules::STATUS_BELOW_MINIMUM,
        };
        made && !refused.contains(allow.path())
    });
}

/// What is made of one document.
struct Read {
    /// The version of the schema that it was checked against.
    schema: Option<ApiVersion>,
    /// What its comments allow.
    allows: Vec<Allow>,
    /// What pass 1 found, what pass 2 found within the document, and what is wrong with those comments.
    findings: Vec<Diagnostic>,
    /// The document itself, where its id cannot be what it was.
    unread: Option<Unread>,
    /// The contract in it, if it is one with an id.
    contract: Option<Contract>,
    /// The product in it, if it is one with an id.
    product: Option<Product>,
}

/// Pass 1 over a document, which then, with its variables resolved, goes into its own shape, and
/// pass 2 within it. `objects` tells whether the schema objects will be asked for; those with
/// relationships to other contracts are by pass 2.
fn read(whole: &Document, outline: &Arc<Document>, objects: bool, config: &Config) -> Read {
    let (allows, mut findings) = allow::read(&outline.file, &whole.comments);
    findings.extend(validate::schema::check(whole));
    let (root, of_variables) = variables::meant(whole);
    findings.extend(of_variables);
    let of = |kind| (whole.kind == kind).then_some(root.as_ref());
    let mut contract = of(Kind::Contract).and_then(|root| odcs::load(outline, root));
    let product = of(Kind::Product).and_then(|root| odps::load(outline, root));
    if let Some(contract) = &mut contract {
        findings.extend(validate::rules::contract(&root, contract));
        if contract.relationships == Relationships::Within {
            contract.objects.read(&root);
            let alone = std::slice::from_ref(contract);
            findings.extend(relationships(&Catalog::new(alone), alone, 0, config));
        }
        if objects || contract.relationships == Relationships::Across {
            contract.objects.read(&root);
        } else {
            contract.objects.release();
        }
    }
    if let Some(product) = &product {
        findings.extend(validate::rules::product(product));
    }
    let known = match whole.kind {
        Kind::Contract => whole.root.get("id").and_then(Node::as_str).is_some(),
        Kind::Product => product.is_some(),
    };
    Read {
        unread: (!known).then(|| Unread {
            file: Arc::clone(&outline.file),
            rule: &rules::SCHEMA_MISSING_KEY,
        }),
        schema: validate::schema::version(whole),
        allows,
        findings,
        contract,
        product,
    }
}

/// Pass 2 between documents, weighed as the configuration says.
fn reference_pass(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    products: &[Product],
    config: &Config,
) -> Vec<Diagnostic> {
    let mut findings = validate::references::identities(catalog, contracts, products);
    let across = |index: &usize| contracts[*index].relationships == Relationships::Across;
    let of_contracts = (0..contracts.len())
        .into_par_iter()
        .filter(across)
        .flat_map_iter(|index| relationships(catalog, contracts, index, config));
    findings.par_extend(of_contracts);
    if let Some(severity) = config.validation.cross_reference {
        for product in products {
            findings.extend(validate::references::product(
                catalog, contracts, product, severity,
            ));
        }
    }
    findings
}

/// Pass 2 over the relationships of one contract.
fn relationships(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    index: usize,
    config: &Config,
) -> Vec<Diagnostic> {
    let mut findings = validate::relationships::contract(catalog, contracts, index);
    if let Some(severity) = config.validation.cross_reference {
        findings.extend(validate::references::contract(
            catalog, contracts, index, severity,
        ));
    }
    findings
}

/// Pass 3 over all documents.
fn status_pass(
    catalog: &Catalog<'_>,
    contracts: &[Contract],
    products: &[Product],
    settings: &Settings,
) -> Vec<Diagnostic> {
    let of_contracts = contracts
        .iter()
        .zip(&settings.contracts)
        .flat_map(|(contract, config)| {
            validate::status::contract(contract, config.validation.min_status)
        });
    let of_products = products.iter().zip(&settings.products);
    let of_products = of_products.flat_map(|(product, config)| {
        let own = validate::status::product(product, config.validation.min_status);
        let ports = validate::status::ports(catalog, contracts, product);
        own.into_iter().chain(ports)
    });
    of_contracts.chain(of_products).collect()
}

/// The project directory that a command works on: `given`, else the nearest parent of `start` with
/// a dbt project, else `start`.
pub fn project_dir(given: Option<&Path>, start: &Path) -> PathBuf {
    match given {
        Some(given) => start.join(given),
        None => crate::dbt::project::find_root(start).unwrap_or_else(|| start.to_owned()),
    }
}
