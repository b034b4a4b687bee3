//! Data tests as properties files write them: an entry under `data_tests`, in any shape that dbt has
//! had for one, comes in and a [`GenericTest`] goes out. And the names of tests: dbt's own, and the
//! shorter one that stands in for it.

use super::names::{slug, test_name};
use super::properties::{Entries, GenericTest, Value};
use crate::yaml::{Data, Node};

/// dbt cuts a longer name and ends it in a hash.
pub const NAME_LENGTH: usize = 63;

/// Our own test of metrics, which names call by the metric.
pub const METRIC: &str = "contract_metric";

/// How the names of our own tests begin.
pub const OWN: &str = "contract_";

/// The tests that are part of dbt.
pub const BUILT_IN: &[&str] = &["accepted_values", "not_null", "relationships", "unique"];

/// The words under which a list of tests may stand.
pub const LISTS: &[&str] = &["data_tests", "tests"];

/// The settings of a test, which older projects write beside its arguments.
const SETTINGS: &[&str] = &[
    "alias",
    "database",
    "enabled",
    "error_if",
    "fail_calc",
    "group",
    "limit",
    "meta",
    "schema",
    "severity",
    "store_failures",
    "store_failures_as",
    "tags",
    "warn_if",
    "where",
];

/// The words that stand for the tests of packages in names.
const SHORT: &[(&str, &str)] = &[
    (
        "dbt_expectations.expect_column_value_lengths_to_be_between",
        "length",
    ),
    (
        "dbt_expectations.expect_column_values_to_be_between",
        "between",
    ),
    (
        "dbt_expectations.expect_column_values_to_match_regex",
        "pattern",
    ),
    (
        "dbt_utils.unique_combination_of_columns",
        "unique_combination",
    ),
];

/// Reads one test: its name alone, a mapping under its name, or a mapping with `test_name`. What is
/// wrong with it otherwise completes a sentence.
pub fn read(node: &Node) -> Result<GenericTest, String> {
    const EXPECTED: &str =
        "it is no data test of dbt, such as `not_null` or `accepted_values: {arguments: …}`";
    if let Some(name) = node.as_str() {
        return named(name, None);
    }
    if let Some(name) = node.get("test_name") {
        return named(name.as_str().ok_or(EXPECTED)?, Some(node));
    }
    let entries: Vec<_> = node.as_mapping().ok_or(EXPECTED)?.iter().collect();
    let [entry] = entries.as_slice() else {
        return Err(EXPECTED.to_owned());
    };
    let name = entry.key.as_str().ok_or(EXPECTED)?;
    match &entry.value.data {
        Data::Null => named(name, None),
        Data::Mapping(_) => named(name, Some(&entry.value)),
        _ => Err(format!("the arguments of `{name}` are no mapping")),
    }
}

/// A test with what stands under its name.
fn named(name: &str, body: Option<&Node>) -> Result<GenericTest, String> {
    if !is_test_name(name) {
        return Err(format!("`{name}` cannot be the name of a data test"));
    }
    let mut test = GenericTest {
        test: name.to_owned().into(),
        verbatim: true,
        ..GenericTest::default()
    };
    let mut config = Entries::default();
    for entry in body.and_then(Node::as_mapping).into_iter().flatten() {
        let key = entry
            .key
            .as_str()
            .ok_or_else(|| format!("a key under `{name}` is no text"))?;
        let value = Value::of(&entry.value);
        match (key, value) {
            ("test_name", _) | ("arguments" | "config", Value::Null) => {}
            ("name", Value::Text(words)) => test.name = Some(words),
            ("description", Value::Text(words)) => test.description = Some(words),
            ("arguments", Value::Map(entries)) => test.arguments.extend(&entries),
            ("config", Value::Map(entries)) => config.extend(&entries),
            ("name" | "description", _) => {
                return Err(format!("the `{key}` of `{name}` is no text"));
            }
            ("arguments" | "config", _) => {
                return Err(format!("the `{key}` of `{name}` is no mapping"));
            }
            (key, value) if SETTINGS.contains(&key) => config.set(key.to_owned(), value),
            (key, value) => test.arguments.set(key.to_owned(), value),
        }
    }
    test.config = config;
    Ok(test)
}

/// Whether dbt finds a macro by that name, perhaps in a package.
fn is_test_name(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && !word.starts_with(|first: char| first.is_ascii_digit())
            && word
                .chars()
                .all(|part| part.is_ascii_alphanumeric() || part == '_')
    };
    let parts: Vec<&str> = name.split('.').collect();
    parts.len() <= 2 && parts.into_iter().all(is_word)
}

/// Whether dbt takes a name as it is.
pub fn is_name(name: &str) -> bool {
    name.len() <= NAME_LENGTH && is_plain_name(name)
}

/// Whether a name has no more than letters, digits and underscores, however long it is.
pub fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_plain)
}

/// The name that dbt gives a test: its own, the relation, then the arguments in the order of their
/// names, all other characters than word characters as underscores.
pub fn automatic_name(test: &GenericTest, label: &str, source: bool, column: &str) -> String {
    let mut arguments: Vec<(&str, &Value)> = test.arguments.iter().collect();
    let column = Value::from(column);
    if column != Value::from("") {
        arguments.push(("column_name", &column));
    }
    arguments.sort_by_key(|(name, _)| *name);
    let mut flat = Vec::new();
    for (_, value) in arguments {
        match value {
            Value::List(items) => flat.extend(items.iter().map(word)),
            Value::Map(entries) => flat.extend(entries.iter().map(|(_, value)| word(value))),
            single => flat.push(word(single)),
        }
    }
    let prefix = if source { "source_" } else { "" };
    let name = test.test.replace('.', "_");
    format!("{prefix}{name}_{label}_{}", flat.join("__"))
}

/// A value in a name.
fn word(value: &Value) -> String {
    let text = match value {
        Value::Null => "None".to_owned(),
        Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(items) => items.iter().map(word).collect::<Vec<_>>().join(", "),
        Value::Map(entries) => slug(&entries.iter().map(|(key, _)| key).collect::<String>()),
    };
    let mut word = String::with_capacity(text.len());
    let mut in_gap = false;
    for character in text.chars() {
        let is_word = character.is_ascii_alphanumeric() || character == '_';
        if is_word {
            word.push(character);
        } else if !in_gap {
            word.push('_');
        }
        in_gap = !is_word;
    }
    word
}

/// The name of a test by its kind, where dbt's own is too long or taken.
pub fn short_name(test: &GenericTest, label: &str, column: &str) -> String {
    joined_name(&[&kind(test), label, column])
}

/// The name of a test of those parts that are not empty, whose slug would be a hash.
pub fn joined_name(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    test_name(&parts)
}

/// A name without the number that keeps it apart from others.
pub fn numbered(stem: &str) -> (&str, usize) {
    let parts = stem.rsplit_once('_');
    let parts = parts.and_then(|(name, number)| Some((name, number.parse().ok()?)));
    parts.unwrap_or((stem, 1))
}

/// The words that stand for a test in names.
fn kind(test: &GenericTest) -> String {
    if let (true, Some(Value::Text(metric))) = (test.test == METRIC, test.arguments.get("metric")) {
        return metric.clone();
    }
    SHORT
        .iter()
        .find(|(known, _)| *known == test.test)
        .map_or(test.test.as_ref(), |(_, short)| *short)
        .to_owned()
}
