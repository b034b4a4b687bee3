//! Which release of dbt reads what is written: a version, or the versions that a project lets in,
//! come in; what the properties files for it may hold goes out.
//!
//! dbt 1.10.8 wants the arguments of tests under `arguments` and everything that describes a source
//! or column under `config`; what came before knows neither. No file satisfies both.

use crate::version::{Range, Version};

/// The oldest release that is written for, the first with `data_tests`.
pub const OLDEST: Release = Release(1, 8, 0);

/// The first release of the shape that dbt v2 reads too.
pub const MODERN: Release = Release(1, 10, 8);

/// The greatest patch of a minor version that anybody could mean.
const LAST_PATCH: u16 = 99;

/// The minor versions of dbt 1 that are or may be, and the first of dbt 2.
const MINORS: &[(u16, u16)] = &[
    (1, 8),
    (1, 9),
    (1, 10),
    (1, 11),
    (1, 12),
    (1, 13),
    (1, 14),
    (1, 15),
    (2, 0),
];

/// A release of dbt: major, minor and patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(u16, u16, u16);

impl Default for Release {
    fn default() -> Self {
        MODERN
    }
}

/// Something that properties files can say only from a release on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Arguments of tests under `arguments`; `meta`, `tags`, `freshness` and `loaded_at_field` of
    /// sources and columns under `config`.
    NestedShape,
    /// `description` and `config` of groups.
    DescribedGroups,
    /// `description` of a test.
    DescribedTests,
    /// `to` and `to_columns` of a foreign key.
    ForeignKeyTarget,
}

/// The release that each feature came with.
const SINCE: &[(Feature, Release)] = &[
    (Feature::NestedShape, MODERN),
    (Feature::DescribedGroups, Release(1, 10, 0)),
    (Feature::DescribedTests, Release(1, 9, 0)),
    (Feature::ForeignKeyTarget, Release(1, 9, 0)),
];

impl Release {
    /// Reads a version as people write it: one without a patch is the last of its kind. `None` where
    /// it is none, or older than [`OLDEST`].
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts = text.split('.').map(|part| part.parse::<u16>().ok());
        let major = parts.next()??;
        let last = (major > 1).then_some(LAST_PATCH);
        let minor = parts.next().unwrap_or(last)?;
        let patch = parts.next().unwrap_or(Some(LAST_PATCH))?;
        let release = Self(major, minor, patch);
        (parts.next().is_none() && release >= OLDEST).then_some(release)
    }

    /// Whether it is of the second dbt, which is another engine.
    pub fn is_v2(self) -> bool {
        self.0 >= 2
    }

    /// Whether properties files for this release can say it.
    pub fn has(self, feature: Feature) -> bool {
        SINCE
            .iter()
            .any(|(known, since)| *known == feature && self >= *since)
    }
}

/// The releases that a project lets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Required {
    /// The oldest of them that is written for.
    pub oldest: Release,
    /// The newest of them that is known of.
    pub newest: Release,
    /// Whether releases before [`OLDEST`] are let in too.
    pub older: bool,
}

impl Required {
    /// Reads `require-dbt-version`: one condition or several, all of which hold. `None` where one
    /// of them cannot be read; where no release of those that are written for is let in, both ends
    /// are [`OLDEST`].
    pub fn parse(conditions: &[String]) -> Option<Self> {
        let conditions = conditions.iter().flat_map(|text| text.split(','));
        let conditions: Option<Vec<Condition>> = conditions
            .map(|text| Condition::parse(text.trim()))
            .collect();
        let conditions = conditions.filter(|conditions| !conditions.is_empty())?;
        let lets_in = |Release(major, minor, patch): &Release| {
            let version = Version::parse(&format!("{major}.{minor}.{patch}"));
            conditions.iter().all(|condition| condition.holds(&version))
        };
        let releases = MINORS.iter().flat_map(|(major, minor)| {
            (0..=LAST_PATCH).map(|patch| Release(*major, *minor, patch))
        });
        let releases: Vec<Release> = releases.filter(lets_in).collect();
        let older = (0..OLDEST.1)
            .flat_map(|minor| (0..=LAST_PATCH).map(move |patch| Release(1, minor, patch)))
            .any(|release| lets_in(&release));
        Some(Self {
            oldest: releases.first().copied().unwrap_or(OLDEST),
            newest: releases.last().copied().unwrap_or(OLDEST),
            older,
        })
    }
}

/// A condition of `require-dbt-version`.
enum Condition {
    Range(Range),
    Exactly(Version),
}

impl Condition {
    fn parse(text: &str) -> Option<Self> {
        if let Some(range) = Range::parse(text) {
            return Some(Self::Range(range));
        }
        let version = Version::parse(text);
        version.major().is_some().then_some(Self::Exactly(version))
    }

    fn holds(&self, version: &Version) -> bool {
        match self {
            Self::Range(range) => range.contains(version),
            Self::Exactly(wanted) => wanted == version,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_people_write_them() {
        let modern = |text: &str| Some(Release::parse(text)?.has(Feature::NestedShape));
        for (text, expected) in [
            ("1.8", Some(false)),
            ("v1.9.4", Some(false)),
            ("1.10.7", Some(false)),
            ("1.10.8", Some(true)),
            // Its last patch.
            ("1.10", Some(true)),
            ("1.11", Some(true)),
            ("2", Some(true)),
            ("2.0.1", Some(true)),
            ("1.7.9", None),
            ("1", None),
            ("1.10.x", None),
            ("1.10.8.1", None),
            ("", None),
            ("latest", None),
        ] {
            assert_eq!(modern(text), expected, "{text}");
        }
    }

    #[test]
    fn what_a_project_lets_in() {
        let parsed = |conditions: &[&str]| {
            let conditions: Vec<String> =
                conditions.iter().map(|text| (*text).to_owned()).collect();
            let required = Required::parse(&conditions)?;
            let text = |release: Release| format!("{}.{}.{}", release.0, release.1, release.2);
            Some((text(required.oldest), text(required.newest), required.older))
        };
        let of =
            |oldest: &str, newest: &str, older| Some((oldest.to_owned(), newest.to_owned(), older));
        assert_eq!(
            parsed(&[">=1.10.8", "<3.0.0"]),
            of("1.10.8", "2.0.99", false)
        );
        assert_eq!(parsed(&[">=1.8.0,<1.10.0"]), of("1.8.0", "1.9.99", false));
        assert_eq!(parsed(&[">1.8.3", "<2.0.0"]), of("1.8.4", "1.15.99", false));
        assert_eq!(parsed(&["=1.10.4"]), of("1.10.4", "1.10.4", false));
        assert_eq!(parsed(&["1.11.0"]), of("1.11.0", "1.11.0", false));
        assert_eq!(parsed(&[">=1.0.0", "<2.0.0"]), of("1.8.0", "1.15.99", true));
        assert_eq!(parsed(&["<1.5.0"]), of("1.8.0", "1.8.0", true));
        assert_eq!(parsed(&["soon"]), None);
        assert_eq!(parsed(&[]), None);
    }

    #[test]
    fn every_feature_has_its_release() {
        use Feature::{DescribedGroups, DescribedTests, ForeignKeyTarget, NestedShape};
        let of = |text: &str| {
            let release = Release::parse(text).unwrap();
            let features = [
                NestedShape,
                DescribedGroups,
                DescribedTests,
                ForeignKeyTarget,
            ];
            features.map(|feature| release.has(feature))
        };
        assert_eq!(of("1.8.10"), [false, false, false, false]);
        assert_eq!(of("1.9.11"), [false, false, true, true]);
        assert_eq!(of("1.10.4"), [false, true, true, true]);
        assert_eq!(of("1.11"), [true, true, true, true]);
    }
}
