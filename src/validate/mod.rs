//! The three passes over documents, in order: their [`schema`]; their [`rules`], [`references`] and
//! [`relationships`]; their [`status`].

pub mod references;
pub mod relationships;
pub mod rules;
pub mod schema;
pub mod status;
