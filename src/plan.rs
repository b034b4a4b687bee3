//! The files that a project should have.

/// What a file is, which decides how it is brought in step with the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArtifactKind {
    /// A properties file: merged key by key.
    Properties,
    /// The SQL of a model.
    Staging,
    /// The SQL of a singular test.
    SingularTest,
    /// A macro file of our own tests, the same for all contracts.
    Macro,
}

/// A file that should exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Path in the project, `/` between its parts.
    pub path: String,
    /// What it is.
    pub kind: ArtifactKind,
    /// Its text.
    pub text: String,
    /// The contracts that it comes from, `id@version`; empty for what all of them share.
    pub contracts: Vec<String>,
}
