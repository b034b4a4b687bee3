//! The three passes over documents, in order: their [`schema`]; their [`rules`], [`references`] and
//! [`relationships`]; their [`status`]. What one mistake makes all of them find is told once, by
//! [`precedence`].

pub mod precedence;
pub mod references;
pub mod relationships;
pub mod rules;
pub mod schema;
pub mod status;
