//! The words with which the standards' examples say where in its life a document stands.

/// A known status. Of the first three each outranks the one before; the last two are the end of
/// life and rank nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// An idea that is still discussed.
    Proposed,
    /// Being worked out.
    Draft,
    /// In force.
    Active,
    /// In force, and about to go.
    Deprecated,
    /// No longer in force.
    Retired,
}

impl Status {
    /// Every status with its word.
    pub const ALL: &[(Self, &str)] = &[
        (Self::Proposed, "proposed"),
        (Self::Draft, "draft"),
        (Self::Active, "active"),
        (Self::Deprecated, "deprecated"),
        (Self::Retired, "retired"),
    ];

    /// The status of that word, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, name)| name.eq_ignore_ascii_case(word))
            .map(|(status, _)| *status)
    }

    /// The word.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(status, _)| *status == self)
            .map_or("", |(_, name)| name)
    }
}
