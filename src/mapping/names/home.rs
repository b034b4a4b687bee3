//! Where persons describe what contracts are bound to.

use crate::dbt::project::Declared;

/// Where a person describes what an object is bound to.
#[derive(Clone, Debug)]
pub(in crate::mapping) struct Home {
    /// The properties file.
    pub(in crate::mapping) path: String,
    /// Whether all its columns are in lower case.
    pub(in crate::mapping) is_lower: bool,
    /// The entry there.
    pub(in crate::mapping) declared: Declared,
}
