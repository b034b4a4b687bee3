//! Data contracts as the source of truth of a dbt project.
//!
//! The way of the data, each stage a module, none of which looks back:
//!
//! [`discovery`] finds documents, [`odcs`] and [`odps`] load them from trees that [`yaml`] reads with
//! the place of every value, [`validate`] checks them in three passes, [`lineage`] tells sources
//! from models. [`workspace`] holds all of that. [`mapping`] says what dbt should have, [`render`]
//! turns it into text, [`plan`] names the files, [`merge`] compares them with what is there, and
//! [`mod@write`] writes them in one transaction. [`fix`] settles findings in the documents themselves,
//! and [`import`] goes the other way, from the files of dbt to new contracts. [`commands`] has one thin
//! file for each subcommand; what they find is a list of [`diagnostics`].

pub mod catalog;
pub mod cli;
pub mod commands;
pub mod config;
mod configured;
pub mod dbt;
pub mod diagnostics;
pub mod discovery;
pub mod document;
pub mod file;
pub mod fix;
pub mod guards;
pub mod import;
pub mod lineage;
pub mod mapping;
pub mod merge;
pub mod odcs;
pub mod odps;
mod outputs;
pub mod plan;
pub mod render;
pub mod report;
pub mod select;
mod standing;
pub mod status;
pub mod target;
pub mod team;
pub mod validate;
pub mod variables;
pub mod version;
pub mod workspace;
pub mod write;
pub mod yaml;
