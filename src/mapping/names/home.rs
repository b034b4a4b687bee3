//! Where persons describe what contracts are bound to.

use crate::dbt::project::Declared;
use crate::dbt::properties::Value;

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

impl Home {
    /// What its author sets there.
    pub(in crate::mapping) fn setting(&self, name: &str) -> Option<&Value> {
        let mut settings = self.declared.settings.iter();
        let (_, value, _) = settings.find(|(known, ..)| known == name)?;
        Some(value)
    }

    /// Whether its author has dbt enforce it.
    pub(in crate::mapping) fn is_enforced(&self) -> bool {
        match self.setting("contract") {
            Some(Value::Map(contract)) => contract.get("enforced") == Some(&Value::Bool(true)),
            _ => false,
        }
    }

    /// How its author has it materialized, as far as the properties file says.
    pub(in crate::mapping) fn materialized(&self) -> Option<&str> {
        match self.setting("materialized") {
            Some(Value::Text(word)) => Some(word),
            _ => None,
        }
    }
}
