//! The tests of an object: keys, options, rules and references of the contract come in, generic
//! tests of its columns and of the object and singular tests go out, and notes on what no test can
//! check.

use std::collections::VecDeque;

use super::relationships;
use super::scope::Subject;
use super::singular::{self, SingularFile};
use super::suite::{self, Suite, Used, plain, with};
use super::values;
use super::{gates, options, quality};
use crate::config::TestSeverity;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Entries, GenericTest};
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Scalar;
use crate::odcs::{Property, SchemaObject};
use crate::yaml::Span;

/// Our own tests that some warehouses cannot run: they lack regular expressions or arrays.
const UNSUPPORTED: &[(&str, &[Adapter])] = &[
    (
        "contract_pattern",
        &[Adapter::SqlServer, Adapter::Fabric, Adapter::Sqlite],
    ),
    (
        "contract_array_length",
        &[
            Adapter::SqlServer,
            Adapter::Fabric,
            Adapter::MySql,
            Adapter::Oracle,
            Adapter::Sqlite,
        ],
    ),
    (
        "contract_unique_items",
        &[
            Adapter::Redshift,
            Adapter::SqlServer,
            Adapter::Fabric,
            Adapter::MySql,
            Adapter::Oracle,
            Adapter::Sqlite,
        ],
    ),
];

/// Whether the adapter can run a test.
pub(super) fn is_supported(adapter: Adapter, test: &str) -> bool {
    UNSUPPORTED
        .iter()
        .find(|(known, _)| *known == test)
        .is_none_or(|(_, adapters)| !adapters.contains(&adapter))
}

/// The tests of an object.
pub(super) struct Tests {
    /// Of the object as a whole.
    pub(super) object: Vec<GenericTest>,
    /// Of each column, in the order of [`SchemaObject::columns`].
    pub(super) columns: Vec<Vec<GenericTest>>,
    /// Files of singular tests.
    pub(super) singular: Vec<SingularFile>,
}

/// Gathers the tests of an object.
pub(super) fn of_object(
    subject: &Subject<'_>,
    used: &mut Used,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tests {
    let key = subject.object.primary_key();
    let mut whole = Suite::default();
    whole.extend(gates::test(subject.scope, subject.index, subject.relation));
    whole.extend(composite_key(subject, &key));
    whole.extend(quality::of_object(subject, diagnostics));
    let (of_columns, of_object) = relationships::of_object(subject, diagnostics);
    whole.extend(of_object);
    let mut columns = Vec::new();
    for (property, data_type) in subject.object.columns().zip(&subject.columns.data_types) {
        let mut suite = Suite::default();
        suite.extend(keys(property, key.len()));
        suite.extend(options::of_property(
            subject,
            property,
            data_type.as_deref(),
            diagnostics,
        ));
        suite.extend(allowed(subject, property));
        let (of_column, further) = quality::of_property(subject, property, diagnostics);
        suite.extend(of_column);
        whole.extend(further);
        suite.extend(relationships::of_property(subject, property, diagnostics));
        let own = of_columns
            .iter()
            .filter(|(of, _)| std::ptr::eq(*of, property))
            .map(|(_, test)| test.clone());
        suite.extend(own);
        diagnostics.extend(nested(subject, property));
        let name = subject.column_name(property);
        let mut tests = suite.finish(subject, Some(&name), used);
        default_severity(subject, &mut tests);
        columns.push(tests);
    }
    let mut object = whole.finish(subject, None, used);
    default_severity(subject, &mut object);
    Tests {
        object,
        columns,
        singular: singular::of_object(subject, used, diagnostics),
    }
}

/// What dbt does by default when a test fails.
pub(super) const ERROR: &str = "error";

/// The other severity. dbt takes it in any case; the JSON Schema of its YAML in this one only.
pub(super) const WARN: &str = "Warn";

/// A severity that a rule states as dbt's word; unstated, it is the configuration's.
pub(super) fn severity(words: Option<&str>) -> Option<&'static str> {
    const MILD: &[&str] = &["info", "warning", "warn", "low", "minor", "trivial"];
    words.map(|word| {
        if MILD.contains(&word.to_lowercase().as_str()) {
            WARN
        } else {
            ERROR
        }
    })
}

/// Gives tests that state no severity the configuration's, and leaves out dbt's default.
fn default_severity(subject: &Subject<'_>, tests: &mut [GenericTest]) {
    let default = match subject.scope.input.settings[subject.index]
        .tests
        .default_severity
    {
        TestSeverity::Error => ERROR,
        TestSeverity::Warn => WARN,
    };
    for test in tests {
        let stated = match test.config.remove("severity") {
            Some(crate::dbt::properties::Value::Text(word)) => word,
            _ => default.to_owned(),
        };
        if stated != ERROR {
            let rest = std::mem::take(&mut test.config);
            test.config.set("severity", stated);
            test.config.extend(&rest);
        }
    }
}

/// `required`, `unique` and the primary key: a key of one column is itself unique, the columns of
/// a composite one are so together.
fn keys(property: &Property, key_length: usize) -> Vec<GenericTest> {
    let is_key = property.primary_key && key_length == 1;
    let not_null = (property.required || property.primary_key).then(|| plain("not_null"));
    let unique = (property.unique || is_key).then(|| plain("unique"));
    not_null.into_iter().chain(unique).collect()
}

/// The combination of a composite key is unique.
fn composite_key(subject: &Subject<'_>, key: &[&Property]) -> Option<GenericTest> {
    (key.len() > 1).then(|| combination(subject, key))
}

/// The test that no two rows share a combination. As for a unique constraint, one with a null part
/// equals no other.
pub(super) fn combination(subject: &Subject<'_>, key: &[&Property]) -> GenericTest {
    let columns: Vec<String> = key
        .iter()
        .map(|property| subject.sql_name(property))
        .collect();
    let arguments = Entries::default().with("combination_of_columns", values::arguments(&columns));
    if !suite::takes(subject.scope.input, "dbt_utils") {
        return with("contract_unique_combination", arguments);
    }
    let present: Vec<String> = columns
        .iter()
        .map(|column| format!("{column} is not null"))
        .collect();
    let mut test = with("dbt_utils.unique_combination_of_columns", arguments);
    test.config.set("where", present.join(" and "));
    test
}

/// The values of `enum`.
fn allowed(subject: &Subject<'_>, property: &Property) -> Option<GenericTest> {
    let allowed: Vec<Scalar> = property
        .enum_values
        .iter()
        .map(|allowed| allowed.value.value.clone())
        .collect();
    let nothing = || (!allowed.is_empty()).then(quality::nothing_valid);
    values::accepted(subject, property, &allowed).or_else(nothing)
}

/// The note that dbt has no counterpart for something.
pub(super) fn uncovered(
    subject: &Subject<'_>,
    span: Span,
    message: impl Into<String>,
) -> Diagnostic {
    subject.finding(&rules::MAPPING_NO_COUNTERPART, span, message)
}

/// The promises on parts of a column, which dbt cannot test one by one.
fn nested(subject: &Subject<'_>, property: &Property) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let mut parts: VecDeque<&Property> = children(property).collect();
    while let Some(part) = parts.pop_front() {
        parts.extend(children(part));
        let promises = part.required
            || part.unique
            || part.options.restrict_values()
            || !part.enum_values.is_empty()
            || !part.quality.is_empty()
            || !part.relationships.is_empty();
        if promises {
            let name = if part.name.value.is_empty() {
                "the items"
            } else {
                part.name.as_str()
            };
            notes.push(uncovered(
                subject,
                part.name.span,
                format!(
                    "what is promised of `{name}` inside the column `{}` is not tested",
                    property.name.value
                ),
            ));
        }
    }
    notes
}

/// The parts of a property.
fn children(property: &Property) -> impl Iterator<Item = &Property> {
    let map = property.map.iter().flat_map(|map| [&map.0, &map.1]);
    property
        .properties
        .iter()
        .chain(property.items.as_deref())
        .chain(map)
}

/// The measures and dimensions of an object, which are no columns.
pub(super) fn measures(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let object: &SchemaObject = subject.object;
    object
        .properties
        .iter()
        .filter(|property| !property.is_column())
        .map(|property| {
            let kind = property
                .semantic_type
                .as_ref()
                .map_or("", |kind| kind.as_str());
            uncovered(
                subject,
                property.name.span,
                format!("the {kind} `{}` is no column", property.name.value),
            )
        })
        .collect()
}
