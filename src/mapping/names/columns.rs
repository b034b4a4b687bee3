//! What columns are called.

use std::borrow::Cow;

use super::Home;
use crate::lineage::Role;
use crate::odcs::Property;

/// A name in the case in which a person writes those of the same table.
pub(in crate::mapping) fn in_case<'n>(home: Option<&Home>, name: &'n str) -> Cow<'n, str> {
    match home {
        Some(home) if home.is_lower => Cow::Owned(name.to_lowercase()),
        _ => Cow::Borrowed(name),
    }
}

/// The name of a column in dbt: physical in a source, logical in a model.
pub(in crate::mapping) fn column_name(role: Role, property: &Property) -> &str {
    match role {
        Role::Source => property.physical(),
        Role::Model => property.name.as_str(),
    }
}
