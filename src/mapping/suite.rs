//! The tests of one column or object, each promise once, and the names of all tests of a project.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use super::Input;
use super::gates;
use super::scope::Subject;
use super::tests::WARN;
use crate::config::TestMode;
use crate::dbt::data_tests::{
    NAME_LENGTH, OWN, automatic_name, is_plain_name, joined_name, short_name,
};
use crate::dbt::names::test_name;
use crate::dbt::packages::{self, Package};
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::dbt::release::Feature;
use crate::diagnostics::{Diagnostic, rules};

/// The package that is dbt itself.
const DBT: &str = "dbt";

/// Whether tests of a package are taken.
pub(super) fn takes(input: &Input<'_>, package: &str) -> bool {
    match input.config.tests.mode {
        TestMode::Packages => true,
        TestMode::Builtin => false,
        TestMode::Auto => is_listed(input, package),
    }
}

/// Whether the project lists a package.
fn is_listed(input: &Input<'_>, package: &str) -> bool {
    input
        .project
        .packages
        .iter()
        .any(|listed| listed == package)
}

/// What the tests so far use.
#[derive(Debug, Default)]
pub(super) struct Used {
    names: HashSet<String>,
    packages: BTreeSet<String>,
    /// Whether a test of our own is among them.
    pub(super) own_tests: bool,
}

impl Used {
    /// The packages to list, and what all that are used need.
    pub(super) fn packages(&self, input: &Input<'_>) -> (Vec<&'static Package>, Vec<Diagnostic>) {
        let (mut missing, mut findings) = (Vec::new(), Vec::new());
        let wanted = input.config.tests.mode == TestMode::Packages;
        let own = input.project.name.as_deref();
        let is_package =
            |package: &&String| package.as_str() != DBT && Some(package.as_str()) != own;
        for name in self.packages.iter().filter(is_package) {
            let known = Package::of(name);
            let (mut problems, mut cures) = (Vec::new(), Vec::new());
            let is_installed = input.project.packages_installed.contains(name);
            if is_listed(input, name) {
                if !is_installed {
                    problems.push("it is not installed".to_owned());
                    cures.push("run `dbt deps`".to_owned());
                }
            } else {
                let file = input.project.packages_file.unwrap_or(packages::FILE);
                let is_added = known.is_some() && wanted && file == packages::FILE;
                problems.push(if is_added {
                    format!("it is new in `{file}`")
                } else {
                    "the project does not list it".to_owned()
                });
                match known {
                    // dbt loads no project that lists packages in two files. And a list that grows
                    // decides in `auto` which tests are used, which is for people to say.
                    Some(package) if is_added => {
                        missing.push(package);
                        cures.push(format!("run `dbt deps` once `{file}` lists it"));
                    }
                    Some(package) => {
                        let origin = package.origin;
                        let add = format!("add `{origin}` to `{file}` and run `dbt deps`");
                        let auto = if wanted {
                            ", or set `tests.mode: auto`"
                        } else {
                            ""
                        };
                        cures.push(format!("{add}{auto}"));
                    }
                    None => cures.push(format!("add it to `{file}`")),
                }
            }
            let variable = known.and_then(|package| package.variable);
            let is_unset = |variable: &&str| !input.project.variables.contains(*variable);
            if let Some(variable) = variable.filter(is_unset) {
                problems.push(format!("it needs the variable `{variable}`"));
                cures.push(format!(
                    "set `vars: {{\"{variable}\": \"UTC\"}}` in `dbt_project.yml`"
                ));
            }
            if problems.is_empty() {
                continue;
            }
            let message = format!(
                "tests of the package `{name}` are used, and {}",
                problems.join(", and ")
            );
            let finding = Diagnostic::new(&rules::MAPPING_PACKAGES, message);
            findings.push(finding.help(cures.join("; ")));
        }
        (missing, findings)
    }

    /// The first of the names that no test has yet, else the last with a number.
    pub(super) fn unique(&mut self, names: &[String]) -> String {
        let free = names.iter().find(|name| !self.names.contains(*name));
        let name = match (free, names.last()) {
            (Some(name), _) => name.clone(),
            (None, last) => {
                let last = last.map_or("", String::as_str);
                // Of so many numbers one is free.
                (2..self.names.len() + 3)
                    .map(|number| test_name(&[&format!("{last}_{number}")]))
                    .find(|name| !self.names.contains(name))
                    .unwrap_or_default()
            }
        };
        self.names.insert(name.clone());
        name
    }
}

/// The tests of one column, or of an object as a whole.
#[derive(Debug, Default)]
pub(super) struct Suite {
    tests: Vec<GenericTest>,
}

impl Suite {
    /// Adds a test, unless the same promise is there: then the stronger severity stays, and what
    /// describes it is taken over.
    pub(super) fn add(&mut self, mut test: GenericTest) {
        let same = |known: &&mut GenericTest| {
            known.test == test.test
                && known.arguments == test.arguments
                && promise(known) == promise(&test)
                // Code and text do not mix.
                && (known.verbatim == test.verbatim || test.config.is_empty())
        };
        let Some(known) = self.tests.iter_mut().find(same) else {
            self.tests.push(test);
            return;
        };
        let severity = test.config.remove("severity");
        let stronger = stronger(known.config.remove("severity"), severity.as_ref());
        if let Some(severity) = stronger {
            known.config.set("severity", severity);
        }
        known.config.fill(&test.config);
        known.name = known.name.take().or(test.name);
        known.description = known.description.take().or(test.description);
    }

    /// Adds several tests.
    pub(super) fn extend(&mut self, tests: impl IntoIterator<Item = GenericTest>) {
        for test in tests {
            self.add(test);
        }
    }

    /// The tests with their names: dbt's own name where it is short and nothing else has it.
    pub(super) fn finish(
        self,
        subject: &Subject<'_>,
        column: Option<&str>,
        used: &mut Used,
    ) -> Vec<GenericTest> {
        let label = subject.relation.label();
        let source = matches!(subject.relation, super::names::Relation::Source { .. });
        let mut tests = self.tests;
        let described = subject.scope.input.release.has(Feature::DescribedTests);
        for test in &mut tests {
            if !described {
                undescribe(test);
            }
            match test.test.split_once('.') {
                Some((package, _)) => {
                    used.packages.insert(package.to_owned());
                }
                None => {
                    used.own_tests |= test.test.starts_with(OWN) && test.test != gates::TEST;
                }
            }
            let column = column.unwrap_or_default();
            if let Some(name) = &test.name {
                // The name of a test that a contract writes itself is part of it.
                let own = (test.verbatim && is_plain_name(name)).then(|| name.clone());
                let further = [
                    joined_name(&[&label, name]),
                    joined_name(&[&label, column, name]),
                ];
                let names: Vec<String> = own.into_iter().chain(further).collect();
                test.name = Some(used.unique(&names));
                continue;
            }
            let own = automatic_name(test, &label, source, column);
            if own.len() > NAME_LENGTH || !used.names.insert(own) {
                test.name = Some(used.unique(&[short_name(test, &label, column)]));
            }
        }
        tests
    }
}

/// Moves the description of a test to where dbt takes one that knows none.
fn undescribe(test: &mut GenericTest) {
    let Some(description) = test.description.take() else {
        return;
    };
    let meta = match test.config.get("meta") {
        Some(Value::Map(meta)) => meta.clone(),
        _ => Entries::default(),
    };
    let meta = meta.with("description", description);
    test.config.set("meta", meta);
}

/// The stronger of two severities, of which an unstated one stands between the others.
fn stronger(one: Option<Value>, other: Option<&Value>) -> Option<Value> {
    let rank = |severity: Option<&Value>| match severity {
        Some(Value::Text(word)) if word == WARN => 0,
        None => 1,
        Some(_) => 2,
    };
    if rank(one.as_ref()) >= rank(other) {
        one
    } else {
        other.cloned()
    }
}

/// What makes two tests of the same arguments different promises.
fn promise(test: &GenericTest) -> [Option<&Value>; 6] {
    [
        "error_if",
        "warn_if",
        "where",
        "limit",
        "fail_calc",
        "enabled",
    ]
    .map(|key| test.config.get(key))
}

/// A test without arguments.
pub(super) fn plain(test: &'static str) -> GenericTest {
    with(test, Entries::default())
}

/// A test with arguments.
pub(super) fn with(test: impl Into<Cow<'static, str>>, arguments: Entries) -> GenericTest {
    GenericTest {
        test: test.into(),
        arguments,
        ..GenericTest::default()
    }
}
