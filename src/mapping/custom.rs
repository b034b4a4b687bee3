//! Quality rules of the engine `dbt`: the data tests that a contract writes itself come in, as text
//! or as YAML and in every shape that dbt has had for them, and go out in the one of today.
//!
//! It is dbt code, so that nothing in it is escaped.

use super::scope::Subject;
use super::tests::severity;
use crate::dbt::data_tests::{self, BUILT_IN, LISTS, OWN};
use crate::dbt::project::Project;
use crate::dbt::properties::{GenericTest, Value};
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::odcs::quality::{Check, Quality};
use crate::yaml::{self, Limits, Node, ProblemKind};

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

/// One test. The JSON Schema of dbt's YAML takes the word of a severity in one case only.
fn test(node: &Node) -> Result<GenericTest, String> {
    let mut test = data_tests::read(node)?;
    if let Some(Value::Text(word)) = test.config.get("severity")
        && ["error", "warn"].contains(&word.to_lowercase().as_str())
        && let Some(word) = severity(Some(&word.clone()))
    {
        test.config.set("severity", word);
    }
    Ok(test)
}
