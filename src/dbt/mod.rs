//! What dbt is, without any contract: its [`adapter`]s and their [`types`], [`constraints`] ([`checks`] of
//! values among them) and quoting ([`identifiers`], [`literals`]), what its [`release`]s read, how it reads
//! text ([`jinja`]) and [`names`] things, and what a [`project`] on disk holds.
//!
//! Nothing here knows of data contracts; `mapping` brings the two together.

pub mod adapter;
pub mod checks;
pub mod constraints;
pub mod data_tests;
pub mod identifiers;
pub mod jinja;
pub mod literals;
pub mod names;
pub mod packages;
pub mod project;
pub mod properties;
pub mod release;
pub mod types;
