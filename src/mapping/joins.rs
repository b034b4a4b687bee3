//! How the inputs of a model come together: the base, what is joined to it, and what stays apart.
//!
//! An input is joined only on a key of its own, so that no row is ever multiplied.

use super::inputs::Upstream;
use super::scope::{Place, Subject};
use crate::odcs::{Property, Relationship, SchemaObject};

/// One end of a relationship.
#[derive(Clone, Copy)]
enum End<'a> {
    /// A column of an input.
    Input(usize, &'a Property),
    /// A column of the model itself, which stands for the input's that it is made of.
    Own(&'a Property),
}

/// A relationship between inputs, or from the model to an input.
struct Link<'a> {
    from: Vec<End<'a>>,
    to: Vec<End<'a>>,
}

/// An input that is joined, with the pairs of columns that must be equal.
pub(super) struct Join<'a> {
    /// Place among the inputs.
    pub(super) input: usize,
    /// A column of an input that is there already, and one of this input.
    pub(super) on: Vec<((usize, &'a Property), &'a Property)>,
}

/// Joins all inputs that relationships allow, beginning at `base`.
pub(super) fn plan<'a>(
    subject: &Subject<'a>,
    inputs: &[Upstream<'a>],
    base: usize,
) -> Vec<Join<'a>> {
    let links = links(subject, inputs);
    let mut present = vec![base];
    let mut joins = Vec::new();
    // An input may be joined to one that is joined later in the list: try again until none is.
    loop {
        let next = (0..inputs.len())
            .filter(|index| !present.contains(index))
            .find_map(|index| {
                links
                    .iter()
                    .find_map(|link| join(inputs, link, &present, index))
            });
        let Some(join) = next else { return joins };
        present.push(join.input);
        joins.push(join);
    }
}

/// The join of an input by one link, in either direction.
fn join<'a>(
    inputs: &[Upstream<'a>],
    link: &Link<'a>,
    present: &[usize],
    input: usize,
) -> Option<Join<'a>> {
    [(&link.from, &link.to), (&link.to, &link.from)]
        .into_iter()
        .find_map(|(there, here)| {
            let key: Vec<&Property> = here
                .iter()
                .map(|end| match end {
                    End::Input(index, property) if *index == input => Some(*property),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            if !is_key(inputs[input].object, &key) {
                return None;
            }
            let there: Vec<(usize, &Property)> = there
                .iter()
                .map(|end| match end {
                    End::Input(index, property) => {
                        present.contains(index).then_some((*index, *property))
                    }
                    End::Own(property) => present
                        .iter()
                        .find_map(|index| Some((*index, inputs[*index].find(property)?))),
                })
                .collect::<Option<_>>()?;
            Some(Join {
                input,
                on: there.into_iter().zip(key).collect(),
            })
        })
}

/// Whether the columns are a key: no two rows have the same values in them.
fn is_key(object: &SchemaObject, columns: &[&Property]) -> bool {
    let key = object.primary_key();
    let same = |one: &&Property, other: &&Property| std::ptr::eq(*one, *other);
    let is_primary = !key.is_empty()
        && key.len() == columns.len()
        && key
            .iter()
            .all(|part| columns.iter().any(|column| same(part, column)));
    is_primary || matches!(columns, [only] if only.unique)
}

/// The relationships of the inputs and of the model.
fn links<'a>(subject: &Subject<'a>, inputs: &[Upstream<'a>]) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        let end = move |property| End::Input(index, property);
        links.extend(of_object(
            subject,
            inputs,
            input.contract,
            input.object,
            &end,
        ));
    }
    links.extend(of_object(
        subject,
        inputs,
        subject.index,
        subject.object,
        &End::Own,
    ));
    links
}

/// The relationships of one object that lead to inputs.
fn of_object<'a>(
    subject: &Subject<'a>,
    inputs: &[Upstream<'a>],
    contract: usize,
    object: &'a SchemaObject,
    end: &dyn Fn(&'a Property) -> End<'a>,
) -> Vec<Link<'a>> {
    let target = |text: &str| -> Option<End<'a>> {
        let located = subject.scope.input.catalog.locate(contract, text).ok()?;
        let place: Place<'a> = subject.scope.current(located)?;
        let index = inputs
            .iter()
            .position(|input| (input.contract, input.index) == (place.contract, place.index))?;
        place.property.map(|property| End::Input(index, property))
    };
    let targets = |relationship: &Relationship| -> Option<Vec<End<'a>>> {
        relationship
            .to
            .iter()
            .map(|to| target(to.as_str()))
            .collect()
    };
    let of_properties = object.columns().flat_map(|property| {
        property
            .relationships
            .iter()
            .filter_map(move |relationship| {
                (relationship.to.len() == 1).then_some((vec![property], relationship))
            })
    });
    let of_object = object.relationships.iter().filter_map(|relationship| {
        let from: Option<Vec<&Property>> = relationship
            .from
            .iter()
            .map(|from| {
                let located = subject
                    .scope
                    .input
                    .catalog
                    .locate(contract, from.as_str())
                    .ok()?;
                let place = subject.scope.current(located)?;
                let own = place.contract == contract && std::ptr::eq(place.object, object);
                place.property.filter(|_| own)
            })
            .collect();
        Some((from?, relationship))
    });
    of_properties
        .chain(of_object)
        .filter_map(|(from, relationship)| {
            let to = targets(relationship)?;
            (from.len() == to.len()).then(|| Link {
                from: from.into_iter().map(end).collect(),
                to,
            })
        })
        .collect()
}
