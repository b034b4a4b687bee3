//! Contracts to dbt: what a workspace promises comes in ([`Input`]), the properties and the plan of
//! the SQL that dbt should have go out ([`Mapped`]).
//!
//! * [`versions`]: which version of a contract is generated; [`location`]: where a source lives, and
//!   [`files`] what is read where it is no table;
//!   [`names`]: what everything is called and in which file it stands. From these three comes the
//!   [`scope`], in which every contract finds every other one.
//! * [`columns`] and [`types`]: the columns, with the [`parts`] of those that hold records.
//!   [`tests`] gathers the tests of an object: of its keys
//!   and options itself, of its rules from [`quality`], of its references from [`relationships`],
//!   into a [`suite`] that knows each promise once. Rules in SQL are [`singular`] tests, whose
//!   [`query`] is bound to relations.
//! * [`sources`] and [`models`]: the entries of properties files, with [`constraints`] and
//!   [`service_levels`]; [`groups`] are those of products, with the [`access`] to their models.
//!   [`settings`] are what contracts say of dbt alone.
//! * [`shapes`]: what tables of sources should look like, which drift is measured by; [`gates`] ask
//!   inside dbt whether they do.
//! * [`bound`]: what persons describe already goes where they do.
//! * [`staging`]: the SQL of a model, of its [`inputs`], with [`joins`] and [`expression`]s.
//!
//! Nothing here touches the disk, and nothing stops at the first bad contract: one that cannot be
//! generated is left out with a finding.

mod access;
mod bare;
pub mod bound;
mod columns;
mod constraints;
mod custom;
mod expression;
mod files;
pub mod gates;
pub mod groups;
mod inputs;
mod joins;
mod location;
mod metadata;
mod models;
mod names;
mod options;
mod parts;
mod quality;
pub mod query;
mod relationships;
mod scope;
mod service_levels;
mod settings;
pub mod shapes;
pub mod singular;
mod sources;
pub mod staging;
mod suite;
mod tests;
pub mod types;
mod values;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::config::Config;
use crate::dbt::adapter::Adapter;
use crate::dbt::packages::Package;
use crate::dbt::project::Project;
use crate::dbt::properties::{Model, Source};
use crate::dbt::release::Release;
use crate::diagnostics::{Diagnostic, rules};
use crate::lineage::Role;
use crate::odcs::Contract;
use crate::odps::Product;
use crate::select::Resource;
use bound::BoundFile;
use gates::ShapeFile;
use groups::GroupsFile;
pub(crate) use scope::{BESIDE_IT, MADE_OF_IT, held_back};
use shapes::Shape;
use singular::SingularFile;
use staging::Staging;

/// What is mapped. The slices have one entry for each contract.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The contracts of the workspace.
    pub contracts: &'a [Contract],
    /// The products of the workspace.
    pub products: &'a [Product],
    /// The contracts, indexed.
    pub catalog: &'a Catalog<'a>,
    /// What each contract is in dbt.
    pub roles: &'a [Role],
    /// The contracts that each one is made of.
    pub upstreams: &'a [Vec<usize>],
    /// Whether each one is generated. Others are still known, as what references lead to.
    pub generate: &'a [bool],
    /// Those that are not generated for the one reason that they are retired.
    pub ended: &'a BTreeSet<usize>,
    /// Paths of the files that earlier runs generated.
    pub standing: &'a BTreeSet<String>,
    /// The names of the models among them that are on disk.
    pub own_models: &'a BTreeSet<String>,
    /// Those of them that were changed by hand, with the contracts that they are of, `id@version`.
    pub edited: &'a BTreeMap<String, Vec<String>>,
    /// The macros that our own tests are made of and that the project has already, with their files.
    pub taken: &'a BTreeMap<String, String>,
    /// Whether a contract that files were generated for may be in a file that cannot be read.
    pub unsettled: bool,
    /// The models and source tables that stand with columns, as the path of their properties file
    /// and the name; those of contracts with an object that has none.
    pub with_columns: &'a BTreeSet<(String, String)>,
    /// Whether an output port names each one, and not just another version of it.
    pub outputs: &'a [bool],
    /// The product that outputs each one, or another version of it.
    pub producers: &'a [Option<&'a Product>],
    /// The settings of the project.
    pub config: &'a Config,
    /// The settings of each contract.
    pub settings: &'a [Arc<Config>],
    /// The adapter whose SQL is written.
    pub adapter: Adapter,
    /// The release of dbt whose properties files are written.
    pub release: Release,
    /// The dbt project that it is written for.
    pub project: &'a Project,
    /// The day, `YYYY-MM-DD`: who owns a contract depends on it.
    pub today: &'a str,
}

/// Which contract a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Path of the contract.
    pub path: String,
    /// `id@version`.
    pub contract: String,
}

/// The properties file of a source contract.
#[derive(Clone, Debug)]
pub struct SourcesFile {
    /// Path in the project.
    pub path: String,
    /// The contract.
    pub origin: Origin,
    /// Its sources, until they are taken; several where its tables live in several schemas.
    pub sources: Vec<Source>,
}

/// The properties file of a model contract.
#[derive(Clone, Debug)]
pub struct SchemaFile {
    /// Path in the project.
    pub path: String,
    /// The contract, and further versions of it, each with its models as dbt calls them:
    /// `orders`, `orders.v2`.
    pub origins: Vec<(Origin, Vec<String>)>,
    /// Their models, until they are taken.
    pub models: Vec<Model>,
}

/// The SQL file of a model.
#[derive(Clone, Debug)]
pub struct StagingFile {
    /// Path in the project.
    pub path: String,
    /// The contract.
    pub origin: Origin,
    /// What the SQL selects, until it is taken.
    pub staging: Option<Staging>,
}

/// What dbt should have.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The adapter whose SQL it is.
    pub adapter: Adapter,
    /// The release of dbt that reads it.
    pub release: Release,
    /// Source contracts.
    pub sources: Vec<SourcesFile>,
    /// Model contracts.
    pub models: Vec<SchemaFile>,
    /// What goes into properties files of persons.
    pub bound: Vec<BoundFile>,
    /// Macros that say so inside dbt.
    pub shape_files: Vec<ShapeFile>,
    /// What the tables of sources should look like.
    pub shapes: Vec<Shape>,
    /// SQL of models.
    pub staging: Vec<StagingFile>,
    /// Groups of models.
    pub groups: Option<GroupsFile>,
    /// Singular tests.
    pub singular: Vec<SingularFile>,
    /// Whether tests of our own are used, whose macros the project then needs.
    pub own_tests: bool,
    /// Whether tests are about columns that may be absent.
    pub optional_tests: bool,
    /// The packages that the project should list.
    pub missing_packages: Vec<&'static Package>,
    /// The folder of those macros.
    pub macros: String,
    /// The contracts, `id@version`, that another version takes the place of, each with that one.
    pub replaced: Vec<(String, String)>,
    /// What the objects of each contract are called, generated or not.
    pub resources: Vec<Vec<Resource>>,
    /// What was found on the way: contracts that could not be generated, and everything that dbt
    /// has no counterpart for.
    pub diagnostics: Vec<Diagnostic>,
}

impl Mapped {
    /// How many files there are of what contracts have for themselves.
    fn counts(&self) -> [usize; 4] {
        let Self {
            sources,
            models,
            staging,
            singular,
            ..
        } = self;
        [sources.len(), models.len(), staging.len(), singular.len()]
    }

    /// All of them.
    pub fn files(&mut self) -> Finished<'_> {
        self.since([0; 4])
    }

    /// The files that came after so many.
    fn since(&mut self, [sources, models, staging, singular]: [usize; 4]) -> Finished<'_> {
        Finished {
            sources: &mut self.sources[sources..],
            models: &mut self.models[models..],
            staging: &mut self.staging[staging..],
            singular: &mut self.singular[singular..],
        }
    }
}

/// What becomes of the files of a contract while others are still mapped, so that a large project is
/// never there as a whole.
pub trait Finish {
    /// Takes what is in files that nothing will be added to. Their paths and origins stay.
    fn take(&mut self, files: Finished<'_>);

    /// Forgets all that was taken: another attempt begins.
    fn again(&mut self);
}

/// Leaves everything where it is.
impl Finish for () {
    fn take(&mut self, _: Finished<'_>) {}

    fn again(&mut self) {}
}

/// The files of one contract.
#[derive(Debug)]
pub struct Finished<'m> {
    /// Properties files of sources.
    pub sources: &'m mut [SourcesFile],
    /// Properties files of models.
    pub models: &'m mut [SchemaFile],
    /// SQL of models.
    pub staging: &'m mut [StagingFile],
    /// Singular tests.
    pub singular: &'m mut [SingularFile],
}

/// Maps a workspace, and hands over what is finished. What turns out only on the way to have to wait
/// is left out of another attempt.
pub fn map(input: &Input<'_>, finish: &mut dyn Finish) -> Mapped {
    let mut generate = input.generate.to_vec();
    let mut findings = Vec::new();
    loop {
        let narrowed = Input {
            generate: &generate,
            ..*input
        };
        let (mut mapped, waiting) = attempt(&narrowed, finish);
        if waiting.contracts.is_empty() {
            mapped.diagnostics.extend(findings);
            return mapped;
        }
        finish.again();
        for index in waiting.contracts {
            generate[index] = false;
        }
        findings.extend(waiting.findings);
    }
}

/// Contracts that turned out to have to wait, and why.
#[derive(Default)]
struct Waiting {
    contracts: BTreeSet<usize>,
    findings: Vec<Diagnostic>,
}

/// Maps what is to be generated.
fn attempt(input: &Input<'_>, finish: &mut dyn Finish) -> (Mapped, Waiting) {
    let mut diagnostics = Vec::new();
    let scope = scope::Scope::new(input, &mut diagnostics);
    let mut mapped = Mapped {
        adapter: input.adapter,
        release: input.release,
        sources: Vec::new(),
        models: Vec::new(),
        bound: Vec::new(),
        shape_files: Vec::new(),
        shapes: Vec::new(),
        staging: Vec::new(),
        groups: None,
        resources: scope.names.resources(),
        singular: Vec::new(),
        own_tests: false,
        optional_tests: false,
        missing_packages: Vec::new(),
        macros: scope.names.macros.clone(),
        replaced: scope.replaced(),
        diagnostics,
    };
    let mut used = suite::Used::default();
    let mut waiting = Waiting::default();
    let mut tested = BTreeSet::new();
    for index in scope.generated() {
        let before = mapped.diagnostics.len();
        let files = mapped.counts();
        used.own_tests = false;
        match input.roles[index] {
            Role::Source => sources::map(&scope, index, &mut used, &mut mapped),
            Role::Model => models::map(&scope, index, &mut used, &mut mapped),
        }
        let own = mapped.diagnostics[before..].iter();
        let waits = |finding: &&Diagnostic| finding.rule == &rules::MAPPING_HELD_BACK;
        let found: Vec<Diagnostic> = own.filter(waits).cloned().collect();
        if !found.is_empty() {
            waiting.contracts.insert(index);
        }
        waiting.findings.extend(found);
        if used.own_tests {
            tested.insert(index);
        }
        if scope.names.is_apart(index) {
            finish.take(mapped.since(files));
        }
    }
    mapped.own_tests = !tested.is_empty();
    let taken = names::taken(input.taken, &mapped.macros);
    if let (true, Some(finding)) = (mapped.own_tests, taken) {
        waiting.contracts.extend(tested);
        waiting.findings.push(finding);
    }
    bound::map(&scope, &mut mapped);
    let (optional_tests, finding) =
        gates::optional_tests(&mapped.shape_files, input.taken, &mapped.macros);
    mapped.optional_tests = optional_tests;
    mapped.diagnostics.extend(finding);
    groups::map(&scope, &mut mapped);
    let (missing, findings) = used.packages(input);
    mapped.missing_packages = missing;
    mapped.diagnostics.extend(findings);
    (mapped, waiting)
}
