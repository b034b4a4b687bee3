//! Relationships as tests: dbt's `relationships` for one column, our own for composite keys.

use super::access;
use super::scope::{Place, Subject};
use super::suite::with;
use super::tests::uncovered;
use super::values;
use crate::catalog::Missing;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::diagnostics::Diagnostic;
use crate::document::Text;
use crate::odcs::{Property, Relationship};

/// The tests of the relationships that start at a column.
pub(super) fn of_property(
    subject: &Subject<'_>,
    property: &Property,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<GenericTest> {
    let mut tests = Vec::new();
    for relationship in &property.relationships {
        let [to] = relationship.to.as_slice() else {
            diagnostics.push(uncovered(
                subject,
                relationship.span,
                format!(
                    "the relationship of `{}` leads to several columns",
                    property.name.value
                ),
            ));
            continue;
        };
        match target(subject, to) {
            Ok((place, column)) => tests.push(single(subject, place, column)),
            Err(note) => diagnostics.push(*note),
        }
    }
    tests
}

/// The tests of the relationships that an object states: those of single columns with their
/// column, and those of composite keys.
pub(super) fn of_object<'s>(
    subject: &Subject<'s>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<(&'s Property, GenericTest)>, Vec<GenericTest>) {
    let mut of_columns = Vec::new();
    let mut of_object = Vec::new();
    for relationship in &subject.object.relationships {
        let pairs = match pairs(subject, relationship) {
            Ok(pairs) => pairs,
            Err(note) => {
                diagnostics.push(*note);
                continue;
            }
        };
        match pairs.as_slice() {
            [] => {}
            [(from, place, column)] => of_columns.push((*from, single(subject, *place, column))),
            [(_, place, _), ..] => {
                let from: Vec<String> = pairs
                    .iter()
                    .map(|(from, ..)| subject.sql_name(from))
                    .collect();
                let to: Vec<String> = pairs
                    .iter()
                    .map(|(_, place, column)| sql_name(subject, *place, column))
                    .collect();
                let arguments = Entries::default()
                    .with("columns", values::arguments(&from))
                    .with("to", call(subject, *place))
                    .with("to_columns", values::arguments(&to));
                of_object.push(with("contract_foreign_key", arguments));
            }
        }
    }
    (of_columns, of_object)
}

/// Columns of an object that refer to columns of another one.
pub(super) struct Reference<'s> {
    pub(super) from: Vec<&'s Property>,
    pub(super) place: Place<'s>,
    pub(super) to: Vec<&'s Property>,
    /// The call that selects the other object.
    pub(super) call: String,
    /// Its columns as they stand in SQL.
    pub(super) to_columns: Vec<String>,
}

/// All references of an object that lead somewhere. What is wrong with others the tests say.
pub(super) fn references<'s>(subject: &Subject<'s>) -> Vec<Reference<'s>> {
    let of_columns = subject.object.columns().flat_map(|property| {
        let single = property.relationships.iter().filter_map(|relationship| {
            let [to] = relationship.to.as_slice() else {
                return None;
            };
            let (place, column) = target(subject, to).ok()?;
            Some(vec![(property, place, column)])
        });
        single.collect::<Vec<_>>()
    });
    let of_object = subject
        .object
        .relationships
        .iter()
        .filter_map(|relationship| pairs(subject, relationship).ok());
    of_columns
        .chain(of_object)
        .filter_map(|pairs| {
            let (_, place, _) = *pairs.first()?;
            let relation = subject.scope.relation(place.contract, place.index)?;
            Some(Reference {
                from: pairs.iter().map(|(from, ..)| *from).collect(),
                place,
                to: pairs.iter().map(|(.., to)| *to).collect(),
                call: relation.call(),
                to_columns: pairs
                    .iter()
                    .map(|(.., to)| sql_name(subject, place, to))
                    .collect(),
            })
        })
        .collect()
}

/// A column of the object, and the column of another one that it refers to.
type Pair<'s> = (&'s Property, Place<'s>, &'s Property);

/// The pairs of columns of an object's relationship.
fn pairs<'s>(
    subject: &Subject<'s>,
    relationship: &Relationship,
) -> Result<Vec<Pair<'s>>, Box<Diagnostic>> {
    let note = |message: String| Err(Box::new(uncovered(subject, relationship.span, message)));
    if relationship.from.len() != relationship.to.len() {
        return note(format!(
            "a relationship pairs {} columns with {}",
            relationship.from.len(),
            relationship.to.len()
        ));
    }
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    for (from, to) in relationship.from.iter().zip(&relationship.to) {
        let catalog = subject.scope.input.catalog;
        let Ok(start) = catalog.locate(subject.index, from.as_str()) else {
            return note(format!(
                "a relationship starts at `{}`, which is not there",
                from.value
            ));
        };
        let own = &subject.contract.objects[start.object];
        if start.contract != subject.index || !std::ptr::eq(own, subject.object) {
            return note(format!(
                "the relationship from `{}` does not start at its own object `{}`",
                from.value, subject.object.name.value
            ));
        }
        let property = start.property.map(|index| &own.properties[index]);
        let Some(property) = property.filter(|property| property.is_column() && !start.nested)
        else {
            return note(format!(
                "`{}` is no column that a relationship can start at",
                from.value
            ));
        };
        let (place, column) = target(subject, to)?;
        let elsewhere = |(_, first, _): &Pair<'_>| {
            (first.contract, first.index) != (place.contract, place.index)
        };
        if pairs.first().is_some_and(elsewhere) {
            return note("a relationship leads to columns of several objects".to_owned());
        }
        pairs.push((property, place, column));
    }
    Ok(pairs)
}

/// The column that a relationship leads to.
fn target<'s>(
    subject: &Subject<'s>,
    to: &Text,
) -> Result<(Place<'s>, &'s Property), Box<Diagnostic>> {
    let scope = subject.scope;
    let note = |message: String| Err(Box::new(uncovered(subject, to.span, message)));
    let located = match scope.input.catalog.locate(subject.index, to.as_str()) {
        Ok(located) => located,
        // The test may be there, and must not go as long as nobody knows what it leads to.
        Err(Missing::File(path)) if scope.input.unsettled => {
            let what = format!("nobody knows what `{path}` holds, which a relationship leads to");
            return Err(Box::new(subject.unsettled(to.span, &what)));
        }
        Err(_) => {
            return note(format!(
                "the relationship to `{}` is not tested: it leads nowhere",
                to.value
            ));
        }
    };
    let Some(place) = scope.current(located) else {
        return note(format!(
            "the relationship to `{}` is not tested: the version of its contract that is generated lacks it",
            to.value
        ));
    };
    if !scope.stands(place.contract) {
        return note(format!(
            "the relationship to `{}` is not tested: its contract `{}` is not generated",
            to.value,
            scope.contract(place.contract).key()
        ));
    }
    if !access::may_read(scope.input, subject.index, place.contract, place.object) {
        let what = format!("the relationship to `{}` is not tested", to.value);
        return Err(Box::new(access::left_out(subject, to.span, &what, place)));
    }
    match place.property {
        Some(property) if property.is_column() && !located.nested => Ok((place, property)),
        Some(_) => note(format!(
            "the relationship to `{}` is not tested: it leads to a part of a column",
            to.value
        )),
        None => note(format!(
            "the relationship to `{}` is not tested: it leads to an object and to no property of it",
            to.value
        )),
    }
}

/// dbt's test that every value is found in a column of another relation.
fn single(subject: &Subject<'_>, place: Place<'_>, column: &Property) -> GenericTest {
    with(
        "relationships",
        Entries::default()
            .with("to", call(subject, place))
            .with("field", values::argument(&sql_name(subject, place, column))),
    )
}

/// The relation as dbt's test takes it, which evaluates the text as a call.
fn call(subject: &Subject<'_>, place: Place<'_>) -> Value {
    let relation = subject.scope.relation(place.contract, place.index);
    Value::Text(
        relation
            .map(super::names::Relation::call)
            .unwrap_or_default(),
    )
}

/// A column of another object as it stands in SQL.
fn sql_name(subject: &Subject<'_>, place: Place<'_>, column: &Property) -> String {
    let scope = subject.scope;
    scope.identifier(&scope.column_name(place.contract, place.index, column))
}
