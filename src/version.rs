//! Versions of contracts and products: semantic versions as they are written in practice.

mod range;

use std::cmp::Ordering;

pub use range::Range;

/// A version that can be compared: numbers joined by dots, perhaps a leading `v`, perhaps a
/// pre-release after `-`. Text that is none of this has no numbers and sorts first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: Vec<u64>,
    pre_release: Option<String>,
}

impl Version {
    /// Reads a version as written.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        // Build metadata has no rank.
        let text = text.split('+').next().unwrap_or(text);
        let (numbers, pre_release) = match text.split_once('-') {
            Some((numbers, pre_release)) => (numbers, Some(pre_release.to_owned())),
            None => (text, None),
        };
        let numbers: Option<Vec<u64>> = numbers.split('.').map(|part| part.parse().ok()).collect();
        match numbers {
            Some(numbers) => Self {
                numbers,
                pre_release,
            },
            None => Self {
                numbers: Vec::new(),
                pre_release: Some(text.to_owned()),
            },
        }
    }

    /// The first number, if it is a version at all.
    pub fn major(&self) -> Option<u64> {
        self.numbers.first().copied()
    }

    /// Whether `self`, as a port states it, means `other`: equal, or a major number alone that is
    /// `other`'s.
    pub fn means(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
            || (self.numbers.len() == 1
                && self.pre_release.is_none()
                && self.major() == other.major())
    }
}

/// What the versions have in common of which one takes the place of the other: the major number,
/// else the whole text.
pub fn line(version: &str) -> String {
    match Version::parse(version).major() {
        Some(major) => major.to_string(),
        None => version.trim().to_lowercase(),
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let longest = self.numbers.len().max(other.numbers.len());
        let number = |version: &Self, index: usize| version.numbers.get(index).copied();
        (0..longest)
            .map(|index| {
                // `1.2` is `1.2.0`; text without numbers sorts before every version.
                let missing = |version: &Self| {
                    if version.numbers.is_empty() {
                        None
                    } else {
                        Some(0)
                    }
                };
                number(self, index)
                    .or_else(|| missing(self))
                    .cmp(&number(other, index).or_else(|| missing(other)))
            })
            .find(|order| *order != Ordering::Equal)
            .unwrap_or_else(|| match (&self.pre_release, &other.pre_release) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(left), Some(right)) => left.cmp(right),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number_and_not_by_letter() {
        let ordered = [
            "draft",
            "0.9",
            "1.0.0-rc1",
            "1.0.0",
            "1.2.0",
            "1.10.0",
            "v2.0.0",
        ];
        for pair in ordered.windows(2) {
            assert!(
                Version::parse(pair[0]) < Version::parse(pair[1]),
                "{pair:?}"
            );
        }
    }

    #[test]
    fn a_port_may_leave_parts_out() {
        let means = |port, contract| Version::parse(port).means(&Version::parse(contract));
        assert!(means("v1.2.0", "1.2.0"));
        assert!(means("1.2", "1.2.0"));
        assert!(means("1", "1.7.3"));
        assert!(!means("1", "2.0.0"));
        assert!(!means("1.2", "1.3.0"));
        assert!(!means("latest", "1.0.0"));
    }
}
