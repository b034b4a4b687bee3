//! Quality rules of the engine `dbt`: the data tests that a contract writes itself come in, as text
//! or as YAML and in every shape that dbt has had for them, and go out in the one of today.
//!
//! It is dbt code, so that nothing in it is escaped.

use super::metadata;
use super::scope::Subject;
use super::tests::severity;
use crate::dbt::project::Project;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::odcs::quality::{Check, Quality};
use crate::yaml::{self, Data, Limits, Node, ProblemKind};

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

/// The words under which a list of tests may stand.
const LISTS: &[&str] = &["data_tests", "tests"];

/// The tests that are part of dbt.
const BUILT_IN: &[&str] = &["accepted_values", "not_null", "relationships", "unique"];

/// How the names of our own tests begin.
const OWN: &str = "contract_";

/// The tests of a rule of the engine `dbt`; `None` for every other rule. One that nobody defines
/// would keep dbt from compiling the whole project, so that it is left out.
pub(super) fn tests(
    subject: &Subject<'_>,
    rule: &Quality,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<GenericTest>> {
    let Check::Custom {
        engine,
        implementation,
    } = &rule.check
    else {
        return None;
    };
    let engine = engine.as_ref().map_or("", Text::as_str);
    if !engine.eq_ignore_ascii_case("dbt") {
        return None;
    }
    let span = implementation.as_ref().map_or(rule.span, |node| node.span);
    let name = rule.name.as_ref().map_or_else(
        || "a quality rule".to_owned(),
        |name| format!("the quality rule `{}`", name.value),
    );
    let finding = |reason: &str| {
        let message = format!("{name} has no test: {reason}");
        subject.finding(&rules::MAPPING_INVALID_RULE, span, message)
    };
    let implementation = implementation.as_ref();
    let read = implementation
        .ok_or_else(|| "it has no `implementation`".to_owned())
        .and_then(read);
    let mut tests = match read {
        Ok(tests) => tests,
        Err(reason) => {
            diagnostics.push(finding(&reason).help(
                "write one data test, or a list of them, as under `data_tests` in a properties file of dbt",
            ));
            return Some(Vec::new());
        }
    };
    tests.retain(|test| {
        let is_defined = is_defined(subject.scope.input.project, &test.test);
        if !is_defined {
            let reason = format!("neither the project nor a package defines `{}`", test.test);
            diagnostics.push(finding(&reason).help(format!(
                "define the generic test `{}` below `macros/`, or add its package to `packages.yml`",
                test.test
            )));
        }
        is_defined
    });
    Some(tests)
}

/// Whether dbt finds a test of that name, as far as its files tell: a package that is not installed
/// may have it, and so may a project that is elsewhere.
fn is_defined(project: &Project, name: &str) -> bool {
    let own = project.name.as_deref();
    let (package, test) = match name.split_once('.') {
        Some((package, test)) if Some(package) != own => (Some(package), test),
        Some((_, test)) => (None, test),
        None => (None, name),
    };
    let is_installed = |package: &str| {
        project
            .packages_installed
            .iter()
            .any(|known| known == package)
    };
    match package {
        _ if own.is_none() => true,
        Some("dbt") => BUILT_IN.contains(&test),
        Some(package) => !is_installed(package) || project.macros.tests.contains(name),
        None => {
            BUILT_IN.contains(&test)
                || test.starts_with(OWN)
                || project.macros.tests.contains(test)
                || !project.packages.iter().all(|package| is_installed(package))
        }
    }
}

/// The tests of an implementation, which may be text that holds YAML.
fn read(node: &Node) -> Result<Vec<GenericTest>, String> {
    let Some(text) = node.as_str() else {
        return list(node);
    };
    let parsed = yaml::parse(text, &Limits::default());
    // dbt reads ambiguous words and numbers as we do.
    let is_broken = |kind| {
        !matches!(
            kind,
            ProblemKind::AmbiguousBoolean | ProblemKind::AmbiguousNumber
        )
    };
    let broken = parsed
        .problems
        .iter()
        .find(|problem| is_broken(problem.kind));
    match (broken, parsed.documents.as_slice()) {
        (Some(problem), _) => Err(format!(
            "its implementation is not YAML: {}",
            problem.message
        )),
        (None, [root]) => list(root),
        (None, _) => Err("its implementation is empty".to_owned()),
    }
}

/// One test or a list of them.
fn list(node: &Node) -> Result<Vec<GenericTest>, String> {
    let listed = match node.as_mapping() {
        Some(mapping) if mapping.iter().count() == 1 => {
            LISTS.iter().find_map(|key| node.get(key)).unwrap_or(node)
        }
        _ => node,
    };
    match listed.as_sequence() {
        Some([]) => Err("its implementation is empty".to_owned()),
        Some(items) => items.iter().map(test).collect(),
        None => Ok(vec![test(listed)?]),
    }
}

/// One test: its name alone, a mapping under its name, or a mapping with `test_name`.
fn test(node: &Node) -> Result<GenericTest, String> {
    const EXPECTED: &str = "its implementation is no data test of dbt, such as `not_null` or `accepted_values: {arguments: …}`";
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
        test: name.to_owned(),
        verbatim: true,
        ..GenericTest::default()
    };
    let mut config = Entries::default();
    for entry in body.and_then(Node::as_mapping).into_iter().flatten() {
        let key = entry
            .key
            .as_str()
            .ok_or_else(|| format!("a key under `{name}` is no text"))?;
        let value = metadata::value(&entry.value);
        match (key, value) {
            ("test_name", _) | ("arguments" | "config", Value::Null) => {}
            ("name", Value::Text(words)) => test.name = Some(words),
            ("description", Value::Text(words)) => test.description = Some(words),
            ("arguments", Value::Map(entries)) => extend(&mut test.arguments, &entries),
            ("config", Value::Map(entries)) => extend(&mut config, &entries),
            ("name" | "description", _) => {
                return Err(format!("the `{key}` of `{name}` is no text"));
            }
            ("arguments" | "config", _) => {
                return Err(format!("the `{key}` of `{name}` is no mapping"));
            }
            (key, value) if SETTINGS.contains(&key) => config.set(key, value),
            (key, value) => test.arguments.set(key, value),
        }
    }
    // The JSON Schema of dbt's YAML takes the word in one case only.
    if let Some(Value::Text(word)) = config.get("severity")
        && ["error", "warn"].contains(&word.to_lowercase().as_str())
        && let Some(word) = severity(Some(&word.clone()))
    {
        config.set("severity", word);
    }
    test.config = config;
    Ok(test)
}

/// Adds entries to others.
fn extend(entries: &mut Entries, further: &Entries) {
    for (key, value) in further.iter() {
        entries.set(key, value.clone());
    }
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
