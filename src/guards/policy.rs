//! Policies: what becomes of each difference between a contract's columns and the observed ones.
//! One table says it; the macros inside dbt hold the same.

pub use crate::config::Policy;

/// What becomes of a change under a policy.
pub fn verdict(policy: Policy, change: Change) -> Verdict {
    let place = Policy::ALL.iter().position(|(known, _)| *known == policy);
    VERDICTS
        .iter()
        .find(|(known, _)| *known == change)
        .zip(place)
        .map_or(Reject, |((_, verdicts), place)| verdicts[place])
}

/// What is different in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A column that a later version added is there.
    Approved,
    /// A column that a later version added is not there yet.
    NotYet,
    /// A column of the contract is not there.
    Missing,
    /// A column that the contract does not know.
    Unexpected,
    /// The same, and it is never null: whoever writes the contract's columns alone cannot write.
    UnexpectedRequired,
    /// The type holds every value of the contract's type and more.
    Wider,
    /// Another type.
    Retyped,
    /// A type that the adapter does not know by that name.
    Unproven,
    /// Nothing is known of the type.
    Untyped,
    /// The contract promises values and the column may be null.
    Nullable,
}

impl Change {
    /// Every change with its word in machine output.
    pub const ALL: &[(Self, &str)] = &[
        (Self::Approved, "approved"),
        (Self::NotYet, "not_yet"),
        (Self::Missing, "missing"),
        (Self::Unexpected, "unexpected"),
        (Self::UnexpectedRequired, "unexpected_required"),
        (Self::Wider, "wider"),
        (Self::Retyped, "retyped"),
        (Self::Unproven, "unproven"),
        (Self::Untyped, "untyped"),
        (Self::Nullable, "nullable"),
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(change, _)| *change == self)
            .map_or("", |(_, word)| word)
    }
}

/// What becomes of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is as the contract says.
    Load,
    /// It is let through and reported.
    Warn,
    /// Nothing is loaded.
    Reject,
}

impl Verdict {
    /// Its word in machine output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Warn => "warn",
            Self::Reject => "reject",
        }
    }
}

use Verdict::{Load, Reject, Warn};

/// What becomes of each change under each policy, in the order of [`Policy::ALL`].
#[rustfmt::skip]
const VERDICTS: &[(Change, [Verdict; 5])] = &[
    //                             frozen  approved additive widening evolve
    (Change::Approved,           [Load,   Load,    Load,    Load,    Load]),
    (Change::NotYet,             [Reject, Load,    Load,    Load,    Load]),
    (Change::Missing,            [Reject, Reject,  Reject,  Reject,  Warn]),
    (Change::Unexpected,         [Reject, Reject,  Warn,    Warn,    Warn]),
    (Change::UnexpectedRequired, [Reject, Reject,  Reject,  Reject,  Warn]),
    (Change::Wider,              [Reject, Reject,  Reject,  Warn,    Warn]),
    (Change::Retyped,            [Reject, Reject,  Reject,  Reject,  Warn]),
    (Change::Unproven,           [Reject, Reject,  Warn,    Warn,    Warn]),
    (Change::Untyped,            [Warn,   Warn,    Warn,    Warn,    Warn]),
    (Change::Nullable,           [Reject, Reject,  Reject,  Reject,  Warn]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_has_a_word_and_a_row() {
        for (change, word) in Change::ALL {
            assert_eq!(change.as_str(), *word);
            assert!(VERDICTS.iter().any(|(known, _)| known == change), "{word}");
        }
        assert_eq!(VERDICTS.len(), Change::ALL.len());
    }

    /// The gate inside dbt sees these changes; the others need what it does not ask for.
    const GATE: &[Change] = &[
        Change::NotYet,
        Change::Missing,
        Change::Unexpected,
        Change::Wider,
        Change::Retyped,
    ];

    #[test]
    fn the_gate_inside_dbt_has_the_same_table() {
        let gate = include_str!("../../templates/drift/contract_drift.sql");
        for (policy, word) in Policy::ALL {
            let rejected = GATE
                .iter()
                .filter(|change| verdict(*policy, **change) == Reject);
            let words: Vec<String> = rejected
                .map(|change| format!("'{}'", change.as_str()))
                .collect();
            let line = format!("'{word}': [{}],", words.join(", "));
            assert!(gate.contains(&line), "{line}");
        }
    }
}
