//! dbt to contracts: properties files or a manifest come in, ODCS contracts and ODPS products go out,
//! with a list of everything that does not come along.
//!
//! * `files` reads them, or `manifest` says what they would; `resources` finds the models and source
//!   tables in them, `select` narrows them with the `graph` of the manifest, `refused` takes out what has
//!   no name to generate it by, `catalog` knows the columns that they have.
//! * `object` makes an object of a contract of each: its columns by `property` and `types`, its tests by `quality`,
//!   which knows them by their `promise` (with `arguments`, `thresholds` and `words`), its `constraints`, its
//!   freshness by `levels`, its words by `meta` and `text`.
//! * `contracts` puts objects together into contracts by their `groups`, `known` finds those that are
//!   there already, `references` joins them, `singular` brings back the rules in SQL; `draft` is what is
//!   gathered of a contract, `write` its text. `products` has ports by the lineage.
//! * `update` adds to a document that is there what it does not say.
//!
//! What a contract cannot say and `generate` could not write again is a [`Loss`]. Nothing is written
//! here.

mod arguments;
pub mod catalog;
mod constraints;
mod contracts;
mod draft;
mod fields;
mod files;
mod gates;
mod graph;
mod groups;
mod known;
mod levels;
mod loss;
pub mod manifest;
mod meta;
mod object;
mod products;
mod promise;
mod property;
mod quality;
mod references;
mod refused;
mod resources;
mod select;
mod singular;
#[cfg(test)]
mod tests;
mod text;
mod thresholds;
pub mod types;
pub mod update;
mod words;
mod write;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::dbt::adapter::Adapter;
use crate::dbt::project::Project;
use crate::diagnostics::Diagnostic;
use crate::document::{ApiVersion, Kind};
use crate::odcs::Contract;
use crate::target;
use crate::variables;
use catalog::Catalog;
use graph::Graph;
use manifest::Manifest;
use manifest::describe::{self, Extent};
use object::Importing;
use references::Calls;

pub use loss::Loss;

/// The versions of the standard that contracts can be written in, the default first.
pub const VERSIONS: &[ApiVersion] = &[ApiVersion::new(3, 1, 0), ApiVersion::new(3, 2, 0)];

/// Which models share a contract. Sources have one each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// Those in one folder of properties files.
    #[default]
    Folder,
    /// Those of one dbt group; others by folder.
    Group,
    /// Those whose SQL reads one source only, and the same; others by folder.
    Source,
}

/// What is imported, and how.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The folder of the dbt project.
    pub project_dir: &'a Path,
    /// The project.
    pub project: &'a Project,
    /// The configuration.
    pub config: &'a Config,
    /// Whose types they are, where that is known.
    pub adapter: Option<Adapter>,
    /// Properties files, and folders of them; without any, the manifest says everything.
    pub paths: &'a [PathBuf],
    /// What dbt knows of the project.
    pub manifest: Option<&'a Manifest>,
    /// What the warehouse has.
    pub catalog: Option<&'a Catalog>,
    /// What is selected; nothing is everything.
    pub select: &'a [String],
    /// What is left out.
    pub exclude: &'a [String],
    /// Which models share a contract.
    pub group_by: GroupBy,
    /// The version of the standard that contracts are written in.
    pub version: ApiVersion,
    /// The folder that they go to.
    pub output: &'a str,
    /// The contracts that the workspace has already.
    pub known: &'a [Contract],
    /// Whether these are to be added to.
    pub update: bool,
    /// The folder that products go to, where there are to be any, which takes a manifest.
    pub products: Option<&'a str>,
}

/// A contract that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Path in the project.
    pub path: String,
    /// Its text.
    pub text: String,
    /// `id@version`.
    pub contract: String,
    /// Whether its objects are models, which an output port of a product then has to name.
    pub models: bool,
}

/// A product that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedProduct {
    /// Path in the project.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its id.
    pub id: String,
    /// The ids of the contracts that it outputs.
    pub outputs: Vec<String>,
}

/// What came of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The contracts in the order of their files.
    pub contracts: Vec<Imported>,
    /// The products of the models in them.
    pub products: Vec<ImportedProduct>,
    /// What does not come along.
    pub losses: Vec<Loss>,
    /// What was found in the files on the way.
    pub diagnostics: Vec<Diagnostic>,
    /// Models and source tables in the contracts.
    pub resources: usize,
    /// YAML files in folders that are no properties files.
    pub others: usize,
}

/// Why there is nothing to write.
#[derive(Debug)]
pub struct Stop {
    /// Stable word for programs.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// The findings that say where.
    pub diagnostics: Vec<Diagnostic>,
}

impl Stop {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }
}

/// Makes contracts of properties files.
pub fn import(input: &Input<'_>) -> Result<Outcome, Stop> {
    let read = match input.manifest {
        Some(manifest) if input.paths.is_empty() => files::Read {
            files: describe::files(input.project_dir, manifest, Extent::Whole),
            ..files::Read::default()
        },
        _ => files::read(input.project_dir, input.paths)?,
    };
    // What the files do not say the manifest has resolved.
    let resolved = match input.manifest {
        Some(manifest) if !input.paths.is_empty() => {
            describe::files(input.project_dir, manifest, Extent::Settings)
        }
        _ => Vec::new(),
    };
    let mut importing = Importing {
        adapter: input.adapter,
        release: target::release(input.config, input.project).0,
        version: input.version,
        config: input.config,
        losses: loss::Losses::default(),
        automatic: BTreeSet::new(),
        has_groups: input.products.is_some() && input.group_by == GroupBy::Group,
        apart: BTreeSet::new(),
    };
    let mut resources =
        resources::resources(&read.files, input.select.is_empty(), &mut importing.losses);
    resources::resolve(&mut resources, &resolved);
    let graph = input.manifest.map(|manifest| {
        graph::identify(manifest, &mut resources);
        Graph::new(manifest)
    });
    if let Some(catalog) = input.catalog {
        let project = input.project.name.as_deref();
        catalog.describe(project, &mut resources);
        if !resources.is_empty() && !Catalog::knows(&resources) {
            let message =
                "the catalog has none of these models and source tables; is it of this project?";
            return Err(Stop::new("catalog", message));
        }
    }
    let selected = select::select(&resources, graph.as_ref(), input.select, input.exclude)?;
    let selected = selected.into_iter().map(|place| resources[place].clone());
    let selected = refused::without(input, selected.collect(), &mut importing.losses);
    let selected: Vec<_> = selected.iter().collect();
    if let (Some(_), Some(graph)) = (input.products, &graph) {
        importing.apart = products::apart(input, graph, &selected);
    }
    let mut contracts = contracts::gather(input, &selected, &mut importing);
    known::recognise(input, &mut contracts);
    let calls = Calls::new(&contracts);
    references::resolve(input, &mut contracts, &calls, &mut importing.losses);
    singular::gather(input, &mut contracts, &calls, &mut importing.losses);
    let products = match (input.products, input.manifest, &graph) {
        (Some(folder), Some(manifest), Some(graph)) => {
            let losses = &mut importing.losses;
            products::gather(input, manifest, graph, &contracts, folder, losses)
        }
        _ => Vec::new(),
    };
    let products = products.into_iter().map(|draft| {
        let comment = "imported by dbt-contracts from the lineage of its models".to_owned();
        ImportedProduct {
            text: write::document(&[comment], &draft.root),
            path: draft.path,
            id: draft.id,
            outputs: draft.outputs,
        }
    });
    let products = products.collect();
    let version = input.version.to_string();
    let contracts = contracts.into_iter().map(|draft| {
        let root = draft.entries(&version);
        let root = root
            .map_texts(&|text| variables::escape(text, Kind::Contract, input.version).into_owned());
        let comment = format!("imported by dbt-contracts from {}", draft.files.join(", "));
        Imported {
            text: write::document(&[comment], &root),
            contract: format!("{}@{}", draft.id, draft.version),
            models: draft.models,
            path: draft.path,
        }
    });
    Ok(Outcome {
        contracts: contracts.collect(),
        products,
        losses: importing.losses.sorted(),
        diagnostics: read.diagnostics,
        resources: selected.len(),
        others: read.others,
    })
}
