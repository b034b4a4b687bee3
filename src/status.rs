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

    /// Words of other examples of the standards, and of their authors, that mean the same.
    const SYNONYMS: &[(Self, &str)] = &[
        (Self::Draft, "development"),
        (Self::Draft, "in development"),
        (Self::Draft, "test"),
        (Self::Active, "current"),
        (Self::Active, "production"),
    ];

    /// The status that a document states by that word, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        let words = Self::ALL.iter().chain(Self::SYNONYMS);
        Self::find(words, word)
    }

    /// The status of that very word, which settings are written in.
    pub fn named(word: &str) -> Option<Self> {
        Self::find(Self::ALL.iter(), word)
    }

    fn find<'a>(mut words: impl Iterator<Item = &'a (Self, &'a str)>, word: &str) -> Option<Self> {
        words
            .find(|(_, name)| name.eq_ignore_ascii_case(word.trim()))
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
