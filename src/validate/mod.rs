//! The three passes over documents, in order: their [`schema`], their [`references`], their [`status`].

pub mod references;
pub mod schema;
pub mod status;
