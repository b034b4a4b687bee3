//! `drift`: what becomes of a source whose columns are not those of its contract.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::diagnostics::closest;

/// The settings of the section.
#[derive(Clone, Debug, Default)]
pub struct Drift {
    /// The policy of contracts that name none.
    pub policy: Policy,
    /// Where dbt asks whether a source may be loaded.
    pub gate: Gate,
    /// Whether each load is recorded in `contract_loads`.
    pub record: bool,
}

/// Where dbt asks whether a source may be loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gate {
    /// Nowhere.
    #[default]
    None,
    /// In a test of the source, so that `dbt build` skips what depends on it.
    SourceTest,
    /// Before each model that is made of it.
    PreHook,
    /// In both places.
    Both,
}

/// How much a source may differ from its contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// Exactly the columns of the contract.
    Frozen,
    /// The same, but columns that a later version added may still be absent.
    #[default]
    Approved,
    /// Columns that the contract does not know may be there.
    Additive,
    /// The same, and types may hold more.
    Widening,
    /// Everything is let through and reported.
    Evolve,
}

impl Policy {
    /// Every policy with its word, the strictest first.
    pub const ALL: &[(Self, &str)] = &[
        (Self::Frozen, "frozen"),
        (Self::Approved, "approved"),
        (Self::Additive, "additive"),
        (Self::Widening, "widening"),
        (Self::Evolve, "evolve"),
    ];

    /// The policy of a word, or what to write instead.
    pub fn parse(word: &str) -> Result<Self, String> {
        if let Some((policy, _)) = Self::ALL.iter().find(|(_, name)| *name == word) {
            return Ok(*policy);
        }
        let words: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
        Err(match closest(word, words.iter().copied()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("write one of `{}`", words.join("`, `")),
        })
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(policy, _)| *policy == self)
            .map_or("", |(_, word)| word)
    }
}

impl ValueEnum for Policy {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Frozen,
            Self::Approved,
            Self::Additive,
            Self::Widening,
            Self::Evolve,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for (policy, word) in Policy::ALL {
            assert_eq!(Policy::parse(word), Ok(*policy));
        }
        let close = Policy::parse("additve").unwrap_err();
        assert_eq!(close, "did you mean `additive`?");
    }
}
