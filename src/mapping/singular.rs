//! Quality rules in SQL as singular tests: a query and an operator come in, the plan of a test that
//! fails exactly where the operator does not hold goes out.
//!
//! A query returns one value, and a null is none, so that it fails. Without an operator, which only
//! v3.0 allows, a query that returns rows returns the bad ones, as dbt itself has it; one that
//! measures a value has nothing to judge it by.

use std::cell::Cell;

use serde::Serialize;

use super::names::{ModelVersion, Relation};
use super::query::{self, Column, Found, Piece, Query, Returns, Table};
use super::scope::{Place, Subject, origin};
use super::suite::Used;
use super::tests::{ERROR, WARN, severity, uncovered};
use super::{Origin, access, groups, location, metadata, values};
use crate::config::TestSeverity;
use crate::dbt::adapter::Adapter;
use crate::dbt::literals;
use crate::dbt::names::{hash, slug, test_name};
use crate::dbt::properties::Entries;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::document::{Scalar, Text};
use crate::odcs::quality::{Check, Operator, Quality};
use crate::odcs::{Contract, Property, SchemaObject};

/// The column of the measured value.
const VALUE: &str = "measured_value";

/// A singular test.
#[derive(Clone, Debug, Hash, Serialize)]
pub struct SingularTest {
    /// What the rule says of itself.
    pub description: Option<String>,
    /// `severity`, `tags`, `meta`.
    pub config: Entries,
    /// The query.
    pub query: Vec<Piece>,
    /// The condition on the measured value; `None` where the query returns the bad rows itself.
    pub condition: Option<String>,
    /// The name of the measured value.
    pub value: &'static str,
    /// Whether a common table expression can name its columns.
    pub names_columns: bool,
}

/// The file of a singular test.
#[derive(Clone, Debug)]
pub struct SingularFile {
    /// Path in the project.
    pub path: String,
    /// The contract.
    pub origin: Origin,
    /// The test, until it is taken.
    pub test: Option<SingularTest>,
}

/// The singular tests of an object and its columns.
pub(super) fn of_object(
    subject: &Subject<'_>,
    used: &mut Used,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<SingularFile> {
    let of_object = subject.object.quality.iter().map(|rule| (None, rule));
    let of_columns = subject.object.columns().flat_map(|property| {
        property
            .quality
            .iter()
            .map(move |rule| (Some(property), rule))
    });
    let mut files = Vec::new();
    for (property, rule) in of_object.chain(of_columns) {
        let Check::Sql(query) = &rule.check else {
            continue;
        };
        match test(subject, property, rule, query, diagnostics) {
            Ok(test) => {
                let name = name(subject, property, rule, &test.query, used);
                let scope = subject.scope;
                match scope
                    .names
                    .test(scope.input, subject.index, subject.object, &name)
                {
                    Ok(path) => files.push(SingularFile {
                        path,
                        origin: origin(subject.contract),
                        test: Some(test),
                    }),
                    Err(finding) => diagnostics.push(*finding),
                }
            }
            Err(finding) => diagnostics.push(*finding),
        }
    }
    files
}

/// The name of a test, which is that of its file. A rule without a name of its own is called by a
/// hash of its query, so that it keeps its file whatever other rules there are.
fn name(
    subject: &Subject<'_>,
    property: Option<&Property>,
    rule: &Quality,
    query: &[Piece],
    used: &mut Used,
) -> String {
    let label = subject.relation.label();
    let column = property.map(|property| property.name.as_str());
    let names = match (rule.name.as_ref().map(Text::as_str), column) {
        (Some(own), None) => vec![test_name(&[&label, own])],
        (Some(own), Some(column)) => {
            vec![test_name(&[&label, own]), test_name(&[&label, column, own])]
        }
        (None, column) => {
            // However it calls its relations, and breaks its lines.
            let text = query.iter().map(|piece| match piece {
                Piece::Sql(sql) => sql.as_str(),
                Piece::Call(_) => "{}",
            });
            let text: String = text.collect();
            let words: Vec<&str> = text.split_whitespace().collect();
            let hash = hash(&words.join(" "));
            let place = column.map_or(label.clone(), |column| format!("{label}_{}", slug(column)));
            vec![test_name(&["sql", &format!("{place}_{hash}")])]
        }
    };
    used.unique(&names)
}

/// The test of a rule, or the finding that there is none.
fn test(
    subject: &Subject<'_>,
    property: Option<&Property>,
    rule: &Quality,
    query: &Text,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<SingularTest, Box<Diagnostic>> {
    let adapter = subject.scope.input.adapter;
    let called = match &rule.name {
        Some(name) => format!("the quality rule `{}`", name.value),
        None => "a quality rule".to_owned(),
    };
    let invalid = |reason: &str| {
        let message = format!("{called} has no test: {reason}");
        let finding = subject.finding(&rules::MAPPING_INVALID_RULE, query.span, message);
        Box::new(finding.help(
            "write one `select` that returns one value, with `{object}` and `{property}` for what the rule is on, and an operator such as `mustBe`",
        ))
    };
    let none = |reason: &str| {
        Box::new(uncovered(
            subject,
            rule.span,
            format!("{called} has no test: {reason}"),
        ))
    };
    let obstacles = Obstacles::default();
    let names = query::Names {
        object: Table {
            call: subject.relation.call(),
            alias: subject.scope.identifier(subject.relation.name()),
        },
        column: property.map(|property| Column {
            name: subject.column_name(property).into_owned(),
            sql: subject.sql_name(property),
        }),
        table: &|parts| table(subject, parts, &obstacles),
    };
    let read = query::read(adapter, query.as_str(), &names).map_err(|reason| invalid(&reason))?;
    if let Some(finding) = obstacles.finding(subject, query, &called) {
        return Err(Box::new(finding));
    }
    if let (Some(_), Some(columns @ 2..)) = (&rule.operator, read.columns) {
        return Err(invalid(&format!(
            "its query returns {columns} columns, and an operator judges one value"
        )));
    }
    if let Some(Operator::MustBe(value) | Operator::MustNotBe(value)) = &rule.operator
        && read.is_number
        && values::number(value).as_number().is_none()
    {
        return Err(invalid(&format!(
            "its query returns a number, and its threshold `{value}` is none"
        )));
    }
    let condition = match (&rule.operator, read.returns) {
        (Some(operator), _) => Some(condition(adapter, operator).map_err(invalid)?),
        (None, Some(Returns::Rows)) => None,
        (None, Some(Returns::Value)) => {
            return Err(none("it has no operator to judge the value by"));
        }
        (None, None) => {
            return Err(none(
                "it has no operator, and what its query returns cannot be told",
            ));
        }
    };
    // The one family that has no `with` inside another.
    if read.has_ctes && matches!(adapter, Adapter::SqlServer | Adapter::Fabric) {
        return Err(none(&format!(
            "a query that starts with `with` cannot be part of another one on `{}`",
            adapter.as_str()
        )));
    }
    diagnostics.extend(unbound(subject, query, &called, &read));
    Ok(SingularTest {
        description: metadata::text(rule.description.as_ref()),
        config: config(subject, rule),
        query: read.pieces,
        condition,
        value: VALUE,
        names_columns: !matches!(adapter, Adapter::BigQuery | Adapter::ClickHouse),
    })
}

/// The finding on SQL of another dialect. The test is written all the same: the project's own
/// macros or a later version of the warehouse may read it.
fn foreign(subject: &Subject<'_>, query: &Text, called: &str, read: &Query) -> Option<Diagnostic> {
    let foreign = read.foreign.as_ref()?;
    let adapter = subject.scope.input.adapter.as_str();
    let message = format!(
        "`{}` in {called} is no SQL of `{adapter}`",
        foreign.construct
    );
    let known: Vec<&str> = foreign
        .known_to
        .iter()
        .map(|known| known.as_str())
        .collect();
    let finding = subject.finding(&rules::MAPPING_FOREIGN_SQL, query.span, message);
    Some(finding.help(format!(
        "it is SQL of {}; write the query so that `{adapter}` reads it, or its test fails with an error",
        known.join(", ")
    )))
}

/// The findings on what of a query is no relation of dbt, or not of its warehouse.
fn unbound(subject: &Subject<'_>, query: &Text, called: &str, read: &Query) -> Vec<Diagnostic> {
    let listed = |tables: &[String]| format!("`{}`", tables.join("`, `"));
    let mut findings: Vec<Diagnostic> = foreign(subject, query, called, read).into_iter().collect();
    let Some(unbound) = &read.unbound else {
        if !findings.is_empty() {
            return findings;
        }
        let message =
            format!("the tables that {called} names stay as they are: its query could not be read");
        let finding = uncovered(subject, query.span, message);
        let dialect = location::dialect(subject.scope.input, subject.contract);
        let foreign = dialect.filter(|dialect| *dialect != subject.scope.input.adapter);
        return vec![match foreign {
            Some(dialect) => finding.severity(Severity::Warning).help(format!(
                "the server of the contract speaks {}; write the query so that both read it",
                dialect.as_str()
            )),
            None => finding,
        }];
    };
    if !unbound.unknown.is_empty() {
        let tables = listed(&unbound.unknown);
        let message = format!("{tables} in {called} stays as it is: no contract describes it");
        let finding = uncovered(subject, query.span, message).severity(Severity::Warning);
        findings.push(finding.help(
            "`{object}` stands for the object that the rule is on; the test fails if dbt's connection has no table of that name",
        ));
    }
    if !unbound.ambiguous.is_empty() {
        let tables = listed(&unbound.ambiguous);
        let message = format!("{tables} in {called} stays as it is: several objects have it");
        let finding = uncovered(subject, query.span, message).severity(Severity::Warning);
        findings.push(finding.help(
            "write the schema before the name, or make the contract of one of them an input",
        ));
    }
    findings
}

/// The `config` of a test.
fn config(subject: &Subject<'_>, rule: &Quality) -> Entries {
    let default = match subject.scope.input.settings[subject.index]
        .tests
        .default_severity
    {
        TestSeverity::Error => ERROR,
        TestSeverity::Warn => WARN,
    };
    let stated = severity(rule.severity.as_ref().map(Text::as_str)).unwrap_or(default);
    let mut config = Entries::default();
    if stated != ERROR {
        config.set("severity", stated.to_lowercase());
    }
    // A private model is read by its own group only.
    if let Some(group) = groups::of_model(subject) {
        config.set("group", group);
    }
    config.set_list("tags", metadata::tags([rule.tags.as_slice()]));
    if let Some(dimension) = &rule.dimension {
        let meta = Entries::default().with("dimension", dimension.as_str());
        config.set("meta", meta);
    }
    config
}

/// What an operator asks of the measured value.
fn condition(adapter: Adapter, operator: &Operator) -> Result<String, &'static str> {
    let number = |scalar: &Scalar| {
        let number = values::number(scalar);
        number.as_number().map(|_| number.to_string())
    };
    // Only equality makes sense of anything but a number.
    let any = |scalar: &Scalar| match scalar {
        Scalar::Null => Err("its threshold is null, which nothing equals"),
        Scalar::Bool(value) if values::has_booleans(adapter) => Ok(value.to_string()),
        Scalar::Bool(value) => Ok(u8::from(*value).to_string()),
        Scalar::Text(text) => Ok(number(scalar).unwrap_or_else(|| literals::string(adapter, text))),
        Scalar::Int(_) | Scalar::Float(_) => Ok(scalar.to_string()),
    };
    let compared = |sign: &str, scalar: &Scalar| {
        let number = number(scalar).ok_or("its threshold is not a number")?;
        Ok(format!("{VALUE} {sign} {number}"))
    };
    let between = |word: &str, low: &Scalar, high: &Scalar| {
        let (Some(first), Some(second)) = (number(low), number(high)) else {
            return Err("its threshold is not a number");
        };
        // The standard does not ask for an order.
        let is_turned = values::number(low).as_number() > values::number(high).as_number();
        let (low, high) = if is_turned {
            (second, first)
        } else {
            (first, second)
        };
        Ok(format!("{VALUE} {word} {low} and {high}"))
    };
    match operator {
        Operator::MustBe(value) => Ok(format!("{VALUE} = {}", any(value)?)),
        Operator::MustNotBe(value) => Ok(format!("{VALUE} <> {}", any(value)?)),
        Operator::MustBeGreaterThan(value) => compared(">", value),
        Operator::MustBeGreaterOrEqualTo(value) => compared(">=", value),
        Operator::MustBeLessThan(value) => compared("<", value),
        Operator::MustBeLessOrEqualTo(value) => compared("<=", value),
        Operator::MustBeBetween(low, high) => between("between", low, high),
        Operator::MustNotBeBetween(low, high) => between("not between", low, high),
    }
}

/// What a test may not refer to, among the tables of its query.
#[derive(Default)]
struct Obstacles<'s> {
    /// A model that is private to another product.
    forbidden: Cell<Option<Place<'s>>>,
    /// An object whose contract is not generated and never was.
    absent: Cell<Option<Place<'s>>>,
    /// A table may be that of a contract that cannot be read.
    unsettled: Cell<bool>,
}

impl Obstacles<'_> {
    /// The finding that there is no test.
    fn finding(&self, subject: &Subject<'_>, query: &Text, called: &str) -> Option<Diagnostic> {
        let what = format!("{called} has no test");
        if let Some(place) = self.forbidden.get() {
            return Some(access::left_out(subject, query.span, &what, place));
        }
        if self.unsettled.get() {
            let what = format!("{called} reads a table that an unreadable contract may describe");
            return Some(subject.unsettled(query.span, &what));
        }
        let place = self.absent.get()?;
        let contract = subject.scope.contract(place.contract);
        let message = format!(
            "{what}: it reads `{}`, whose contract `{}` is not generated",
            place.object.name.value,
            contract.key()
        );
        let finding = uncovered(subject, query.span, message).severity(Severity::Warning);
        Some(finding.label(&contract.document.file, contract.id.span, "this contract"))
    }
}

/// The relation of a name in a query; what the test may not refer to goes into `obstacles`.
fn table<'s>(subject: &Subject<'s>, parts: &[&str], obstacles: &Obstacles<'s>) -> Found {
    let scope = subject.scope;
    let places = named(subject, parts);
    let [place] = places.as_slice() else {
        return if places.is_empty() {
            obstacles.unsettled.set(scope.input.unsettled);
            Found::Nothing
        } else {
            Found::Several
        };
    };
    if !access::may_read(scope.input, subject.index, place.contract, place.object) {
        obstacles.forbidden.set(Some(*place));
    }
    if !scope.stands(place.contract) {
        obstacles.absent.set(Some(*place));
    }
    match scope.relation(place.contract, place.index) {
        Some(relation) => Found::Table(Table {
            call: relation.call(),
            alias: scope.identifier(relation.name()),
        }),
        None => Found::Nothing,
    }
}

/// The objects that a name in a query may stand for: those of the contract itself, else of the ones
/// that it is made of, else of the whole workspace. What is not there counts only where nothing is.
fn named<'s>(subject: &Subject<'s>, parts: &[&str]) -> Vec<Place<'s>> {
    let scope = subject.scope;
    let answers = |contract: usize| {
        let of_contract = scope.contract(contract);
        let objects = of_contract.objects.iter().enumerate();
        objects
            .filter(move |(index, object)| {
                let relation = scope.relation(contract, *index);
                let model = relation.map(Relation::name);
                is_name_of(of_contract, object, model, parts)
            })
            .map(move |(index, _)| (contract, index))
    };
    let mut found: Vec<(usize, usize)> = answers(subject.index).collect();
    if found.is_empty() {
        // Of several versions the one that is read, else the one that is the latest.
        let upstreams = scope.input.upstreams[subject.index].iter();
        let upstreams = upstreams.map(|upstream| scope.chosen(*upstream));
        found = upstreams.flat_map(answers).collect();
    }
    if found.is_empty() {
        let is_latest = |(contract, index): &(usize, usize)| {
            let version = scope
                .relation(*contract, *index)
                .and_then(Relation::version);
            version.is_none_or(ModelVersion::is_latest)
        };
        let all = 0..scope.input.contracts.len();
        let current = all.filter(|contract| scope.chosen(*contract) == *contract);
        let (standing, absent) = current
            .flat_map(answers)
            .filter(is_latest)
            .partition::<Vec<_>, _>(|(contract, _)| scope.stands(*contract));
        found = if standing.is_empty() {
            absent.into_iter().take(1).collect()
        } else {
            standing
        };
    }
    let places = found.into_iter().map(|(contract, index)| Place {
        contract,
        index,
        object: &scope.contract(contract).objects[index],
        property: None,
    });
    places.collect()
}

/// Whether a name in a query is that of an object: logical, physical or in dbt, and after a schema
/// only if the object may live there.
fn is_name_of(
    contract: &Contract,
    object: &SchemaObject,
    relation: Option<&str>,
    parts: &[&str],
) -> bool {
    let (_, physical) = location::physical(contract, object);
    let names = [
        Some(object.name.as_str()),
        Some(physical.as_deref().unwrap_or(object.physical())),
        relation,
    ];
    let is_called = |name: &str| {
        let mut known = names.iter().flatten();
        known.any(|known| known.eq_ignore_ascii_case(name))
    };
    let lives_in = |database: Option<&str>, schema: &str| {
        location::homes(contract, object)
            .iter()
            .any(|(home_database, home_schema)| {
                let same = |known: &String| {
                    database.is_none_or(|database| known.eq_ignore_ascii_case(database))
                };
                home_schema.eq_ignore_ascii_case(schema) && home_database.as_ref().is_none_or(same)
            })
    };
    match parts {
        [name] => is_called(name),
        [schema, name] => is_called(name) && lives_in(None, schema),
        [database, schema, name] => is_called(name) && lives_in(Some(database), schema),
        _ => false,
    }
}
