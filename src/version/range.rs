//! Ranges of versions, as a port may ask for one: `>=1.2,<2`, `~=1.2`, `^1.2`, `~1.2`, `1.x`.
//!
//! The text of a port comes in, what it lets pass goes out. Both families of notations that people
//! know are read, that of Python's packages and that of JavaScript's, since the standards only speak
//! of a simplified one.

use std::cmp::Ordering;

use super::Version;

/// The signs of comparisons, longer ones first.
const SIGNS: &[(&str, Sign)] = &[
    ("===", Sign::Means),
    ("~=", Sign::Compatible),
    ("==", Sign::Means),
    ("!=", Sign::Differs),
    (">=", Sign::AtLeast),
    ("<=", Sign::AtMost),
    ("=", Sign::Means),
    (">", Sign::Above),
    ("<", Sign::Below),
    ("~", Sign::Close),
    ("^", Sign::Caret),
];

/// What is asked of a version beside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Means,
    Differs,
    AtLeast,
    AtMost,
    Above,
    Below,
    /// `~=`: all but the last stated part stay.
    Compatible,
    /// `~`: the first two parts stay.
    Close,
    /// `^`: the first part that is not zero stays.
    Caret,
}

/// A range of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    clauses: Vec<Clause>,
}

/// One condition of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Clause {
    /// A comparison; one of the signs that are no range of their own.
    Compare(Sign, Version),
    /// From one version on up to another one, which is outside.
    Within(Version, Version),
    /// Not in that range.
    Without(Version, Version),
}

impl Range {
    /// Reads a range; `None` where the text is a version alone, or nothing of this.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim();
        let mut clauses = Vec::new();
        let mut is_range = false;
        while !rest.is_empty() {
            let (sign, after) = SIGNS
                .iter()
                .find_map(|(word, sign)| Some((Some(*sign), rest.strip_prefix(word)?)))
                .unwrap_or((None, rest));
            let after = after.trim_start();
            let end = after
                .find(|letter: char| letter == ',' || letter.is_whitespace())
                .unwrap_or(after.len());
            let word = &after[..end];
            let wildcard = stem(word);
            is_range |= sign.is_some() || wildcard.is_some();
            match wildcard {
                Some(stem) => clauses.extend(of_wildcard(sign, &stem)?),
                None => clauses.push(clause(sign, word)?),
            }
            rest = after[end..].trim_start();
            if let Some(next) = rest.strip_prefix(',') {
                rest = next.trim_start();
                if rest.is_empty() {
                    return None;
                }
            }
        }
        is_range.then_some(Self { clauses })
    }

    /// Whether a version is in the range. One before a release is only where the range names one.
    pub fn contains(&self, version: &Version) -> bool {
        if self.clauses.is_empty() {
            return true;
        }
        let early =
            version.pre_release.is_some() && !self.clauses.iter().any(Clause::names_a_pre_release);
        !version.numbers.is_empty()
            && !early
            && self.clauses.iter().all(|clause| clause.holds(version))
    }
}

impl Clause {
    fn holds(&self, version: &Version) -> bool {
        let within = |from: &Version, to: &Version| version >= from && is_below(version, to);
        match self {
            Self::Within(from, to) => within(from, to),
            Self::Without(from, to) => !within(from, to),
            Self::Compare(sign, other) => match sign {
                Sign::Differs => !other.means(version),
                Sign::AtLeast => version >= other,
                Sign::AtMost => version <= other,
                Sign::Above => version > other,
                Sign::Below => is_below(version, other),
                Sign::Means | Sign::Compatible | Sign::Close | Sign::Caret => other.means(version),
            },
        }
    }

    fn names_a_pre_release(&self) -> bool {
        let (Self::Compare(_, version) | Self::Within(version, _) | Self::Without(version, _)) =
            self;
        version.pre_release.is_some()
    }
}

/// Whether a version comes before another one. What comes before the release of a version that is
/// no pre-release itself belongs to that release.
fn is_below(version: &Version, other: &Version) -> bool {
    let release = release(version.numbers.clone());
    let version = if other.pre_release.is_none() {
        &release
    } else {
        version
    };
    version.cmp(other) == Ordering::Less
}

/// A version of numbers alone.
fn release(numbers: Vec<u64>) -> Version {
    Version {
        numbers,
        pre_release: None,
    }
}

/// The numbers before the `x` or `*` of a version that ends in one; none where that is all of it.
fn stem(word: &str) -> Option<Vec<u64>> {
    let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let mut numbers = Vec::new();
    let mut is_open = false;
    for part in word.split('.') {
        match part {
            "x" | "X" | "*" => is_open = true,
            part if !is_open => numbers.push(part.parse().ok()?),
            _ => return None,
        }
    }
    is_open.then_some(numbers)
}

/// The condition of a version with an open end, in a list; an empty one where everything will do.
fn of_wildcard(sign: Option<Sign>, stem: &[u64]) -> Option<Vec<Clause>> {
    if stem.is_empty() {
        return (sign != Some(Sign::Differs)).then(Vec::new);
    }
    let (from, to) = (release(stem.to_vec()), raised(stem, stem.len())?);
    Some(vec![match sign {
        None | Some(Sign::Means | Sign::Close) => Clause::Within(from, to),
        Some(Sign::Differs) => Clause::Without(from, to),
        Some(Sign::Above) => Clause::Compare(Sign::AtLeast, to),
        Some(Sign::AtMost) => Clause::Compare(Sign::Below, to),
        Some(Sign::Compatible | Sign::Caret) => {
            let kept = caret(stem);
            Clause::Within(from, raised(stem, kept)?)
        }
        Some(sign @ (Sign::AtLeast | Sign::Below)) => Clause::Compare(sign, from),
    }])
}

/// The condition of a sign and a version.
fn clause(sign: Option<Sign>, word: &str) -> Option<Clause> {
    let version = Version::parse(word);
    let numbers = &version.numbers;
    if numbers.is_empty() {
        return None;
    }
    let kept = match sign {
        Some(Sign::Compatible) => numbers.len().saturating_sub(1).max(1),
        Some(Sign::Close) => numbers.len().min(2),
        Some(Sign::Caret) => caret(numbers),
        sign => return Some(Clause::Compare(sign.unwrap_or(Sign::Means), version)),
    };
    let to = raised(numbers, kept)?;
    Some(Clause::Within(version, to))
}

/// How many parts lead to the first one that is not zero.
fn caret(numbers: &[u64]) -> usize {
    let first = numbers.iter().position(|number| *number != 0);
    first.map_or(numbers.len(), |index| index + 1)
}

/// The first version whose first `kept` parts are higher.
fn raised(numbers: &[u64], kept: usize) -> Option<Version> {
    let mut numbers = numbers[..kept].to_vec();
    let last = numbers.last_mut()?;
    *last = last.checked_add(1)?;
    Some(release(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_in_every_notation() {
        // The range, what is in it, what is not.
        let table: &[(&str, &[&str], &[&str])] = &[
            (
                ">=1.2,<2",
                &["1.2.0", "v1.9"],
                &["1.1.9", "2.0.0", "2.0.0-rc1"],
            ),
            (">= 1.2 , < 2", &["1.2.0"], &["2.0.0"]),
            (">=1.2 <2", &["1.5.0"], &["2.0.0"]),
            ("~=1.2", &["1.2.0", "1.9.0"], &["1.1.0", "2.0.0"]),
            ("~=1.2.3", &["1.2.3", "1.2.9"], &["1.2.2", "1.3.0"]),
            ("~=1", &["1.9.0"], &["2.0.0"]),
            ("^1.2", &["1.2.0", "1.10.0"], &["1.1.0", "2.0.0"]),
            ("^0.2.3", &["0.2.9"], &["0.3.0", "0.2.2"]),
            ("^0.0.3", &["0.0.3"], &["0.0.4"]),
            ("^v1", &["1.0.0"], &["2.0.0"]),
            ("~1.2.3", &["1.2.9"], &["1.3.0"]),
            ("~1", &["1.9.0"], &["2.0.0"]),
            ("1.x", &["1.0.0", "1.7.2"], &["2.0.0", "0.9.0"]),
            ("1.2.*", &["1.2.7"], &["1.3.0"]),
            ("==1.*,!=1.3.*", &["1.2.0"], &["1.3.1", "2.0.0"]),
            ("!=1.5.0", &["1.4.0", "2.0.0"], &["1.5.0"]),
            (">1.x", &["2.0.0"], &["1.9.0"]),
            ("<=1.x", &["1.9.0", "0.1.0"], &["2.0.0"]),
            ("^1.x", &["1.9.0"], &["2.0.0"]),
            ("=1.2", &["1.2.0"], &["1.2.1"]),
            (
                ">=1.0.0-rc1,<2",
                &["1.0.0-rc2", "1.0.0"],
                &["1.0.0-beta", "2.0.0"],
            ),
            (">=1", &["1.0.0"], &["1.1.0-rc1", "draft"]),
            ("*", &["1.0.0", "draft"], &[]),
        ];
        for (text, inside, outside) in table {
            let range = Range::parse(text).unwrap();
            for version in *inside {
                assert!(range.contains(&Version::parse(version)), "{text} {version}");
            }
            for version in *outside {
                assert!(
                    !range.contains(&Version::parse(version)),
                    "{text} {version}"
                );
            }
        }
    }

    #[test]
    fn versions_alone_and_nonsense_are_no_ranges() {
        for text in [
            "1",
            "1.2.0",
            "v1.2.0",
            "1.0.0-rc1",
            "1.0.0+build",
            "latest",
            "",
            ">=",
            ">=one",
            "1.2 -",
            ">=1,",
            "1.x.2",
            "!=*",
            "^18446744073709551615",
        ] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }
}
