//! What a test says of itself, its name, description, severity, dimension and tags: a test comes in, the
//! words of a rule go out, or none where a rule cannot say it.

use crate::dbt::data_tests::joined_name;
use crate::dbt::jinja;
use crate::dbt::properties::{GenericTest, Value};

/// The dimensions of the standard.
const DIMENSIONS: &[&str] = &[
    "accuracy",
    "completeness",
    "conformity",
    "consistency",
    "coverage",
    "timeliness",
    "uniqueness",
];

/// A test that dbt will call otherwise.
pub(super) struct Renamed {
    pub(super) from: String,
    pub(super) to: String,
}

/// What a rule says of itself beside what it checks.
#[derive(Default)]
pub(super) struct Words {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) severity: Option<&'static str>,
    pub(super) dimension: Option<String>,
    pub(super) tags: Vec<String>,
}

impl Words {
    /// Whether nothing is said that a property itself could not say.
    pub(super) fn is_plain(&self) -> bool {
        self.is_bare() && self.severity.is_none()
    }

    /// Whether nothing is said but how bad a failure is.
    pub(super) fn is_bare(&self) -> bool {
        self.name.is_none()
            && self.description.is_none()
            && self.dimension.is_none()
            && self.tags.is_empty()
    }
}

/// What a test says of itself; `None` where a rule cannot say it.
pub(super) fn words(test: &GenericTest, label: &str) -> Option<Words> {
    let mut words = Words::default();
    for (key, value) in test.config.iter() {
        match (key, value) {
            ("severity", Value::Text(word)) => match word.to_lowercase().as_str() {
                "warn" => words.severity = Some("warning"),
                "error" => {}
                _ => return None,
            },
            ("tags", Value::Text(tag)) => words.tags.push(jinja::unescape(tag)?),
            ("tags", Value::List(tags)) => {
                for tag in tags {
                    match tag {
                        Value::Text(tag) => words.tags.push(jinja::unescape(tag)?),
                        _ => return None,
                    }
                }
            }
            ("meta", Value::Map(meta)) => {
                let mut meta = meta.iter();
                match (meta.next(), meta.next()) {
                    (Some(("dimension", Value::Text(word))), None)
                        if DIMENSIONS.contains(&word.as_str()) =>
                    {
                        words.dimension = Some(word.clone());
                    }
                    (None, _) => {}
                    _ => return None,
                }
            }
            ("enabled", Value::Bool(true)) => {}
            _ => return None,
        }
    }
    if let Some(text) = &test.description {
        words.description = Some(jinja::unescape(text)?).filter(|text| !text.trim().is_empty());
    }
    words.name = test.name.as_deref().map(|name| rule_name(name, label));
    Some(words)
}

/// The name of the rule whose test has a name.
pub(super) fn rule_name(name: &str, label: &str) -> String {
    let prefix = format!("{}_", joined_name(&[label]));
    let rest = name.strip_prefix(&prefix).filter(|rest| !rest.is_empty());
    let is_same = |rest: &&str| joined_name(&[label, rest]) == name;
    rest.filter(is_same).unwrap_or(name).to_owned()
}

/// What a named test will be called, where that is something else.
pub(super) fn renamed(test: &GenericTest, label: &str, words: &Words) -> Option<Renamed> {
    let (from, name) = (test.name.as_ref()?, words.name.as_ref()?);
    let to = joined_name(&[label, name]);
    (to != *from).then(|| Renamed {
        from: from.clone(),
        to,
    })
}
