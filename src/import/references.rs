//! Relationships: a test that every value is found elsewhere comes in with the call that selects the
//! other relation, and becomes a relationship where that one is imported too.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{ContractDraft, Pending};
use super::known::Known;
use super::loss::Losses;
use super::{Input, known, quality};
use crate::dbt::adapter::Adapter;
use crate::dbt::jinja::normal_call;
use crate::dbt::names::slug;
use crate::dbt::properties::{Entries, Value};

/// An object: its contract, and its place in that.
pub(super) type Place = (usize, usize);

/// The objects by the calls that select them, of several the first.
pub(super) struct Calls(BTreeMap<String, Place>);

impl Calls {
    /// Those of all contracts.
    pub(super) fn new(contracts: &[ContractDraft]) -> Self {
        let mut calls = BTreeMap::new();
        for (index, contract) in contracts.iter().enumerate() {
            for (place, object) in contract.objects.iter().enumerate() {
                if let Some(call) = normal_call(&object.call) {
                    calls.entry(call).or_insert((index, place));
                }
            }
        }
        Self(calls)
    }

    /// The object of a call.
    pub(super) fn find(&self, call: &str) -> Option<Place> {
        self.0.get(&normal_call(call)?).copied()
    }
}

/// Makes relationships of everything that still waits for one.
pub(super) fn resolve(
    input: &Input<'_>,
    contracts: &mut [ContractDraft],
    calls: &Calls,
    losses: &mut Losses,
) {
    let known = Known::new(input.known);
    let adapter = input.adapter;
    for index in 0..contracts.len() {
        for place in 0..contracts[index].objects.len() {
            for pending in std::mem::take(&mut contracts[index].objects[place].pending) {
                let from = (index, place);
                let is_done = match calls.find(&pending.to) {
                    Some(to) => relate(contracts, adapter, from, to, &pending),
                    None => lead(adapter, contracts, from, &known, &pending),
                };
                if is_done.is_some() {
                    continue;
                }
                let object = &mut contracts[index].objects[place];
                match (&pending.constraint, pending.property) {
                    (Some((file, span)), _) => {
                        let what = format!("a foreign key of `{}`", object.label);
                        let why = "what it refers to is not imported with it";
                        losses.add(file, *span, what, why);
                    }
                    (None, Some(property)) => {
                        let rule = quality::implementation(&pending.test);
                        object.properties[property].quality.push(rule);
                    }
                    (None, None) => object.quality.push(quality::implementation(&pending.test)),
                }
            }
        }
    }
}

/// Adds one relationship; `None` where its ends are not all there.
fn relate(
    contracts: &mut [ContractDraft],
    adapter: Option<Adapter>,
    (index, place): Place,
    (there, target): Place,
    pending: &Pending,
) -> Option<()> {
    let object = &contracts[index].objects[place];
    let columns = pending.columns.iter();
    let named: Option<Vec<usize>> = columns
        .map(|column| quality::property(adapter, object, column))
        .collect();
    let from = match pending.property {
        Some(property) => vec![property],
        None => named?,
    };
    let fields = pending.fields.iter();
    let other = &contracts[there].objects[target];
    let to: Vec<usize> = fields
        .map(|field| quality::property(adapter, other, field))
        .collect::<Option<_>>()?;
    if from.is_empty() || from.len() != to.len() {
        return None;
    }
    let mut ends = Vec::new();
    for property in to {
        ends.push(end(contracts, index, (there, target), property));
    }
    let relationship = match (from.as_slice(), ends.as_slice()) {
        ([property], [to]) => {
            let relationship = Entries::default().with("to", to.as_str());
            let object = &mut contracts[index].objects[place];
            object.properties[*property]
                .relationships
                .push(Value::Map(relationship));
            return Some(());
        }
        (from, to) => {
            let starts: Vec<String> = from
                .iter()
                .map(|property| end(contracts, index, (index, place), *property))
                .collect();
            Entries::default()
                .with("from", starts)
                .with("to", to.to_vec())
        }
    };
    contracts[index].objects[place]
        .relationships
        .push(Value::Map(relationship));
    Some(())
}

/// Adds a relationship of one column to a contract that is there already and not imported.
fn lead(
    adapter: Option<Adapter>,
    contracts: &mut [ContractDraft],
    (index, place): Place,
    known: &Known<'_>,
    pending: &Pending,
) -> Option<()> {
    let elsewhere = known.find(&pending.to)?;
    let from = contracts[index].path.clone();
    let [field] = pending.fields.as_slice() else {
        return None;
    };
    let to = elsewhere.reference(&from, field)?;
    let object = &mut contracts[index].objects[place];
    let property = match (pending.property, pending.columns.as_slice()) {
        (Some(property), _) => property,
        (None, [column]) => quality::property(adapter, object, column)?,
        (None, _) => return None,
    };
    let relationship = Entries::default().with("to", to);
    object.properties[property]
        .relationships
        .push(Value::Map(relationship));
    Some(())
}

/// The text that refers to a property from the contract `from`: by names in the same contract where
/// they can be written so, else by ids, which both get.
fn end(
    contracts: &mut [ContractDraft],
    from: usize,
    (contract, object): Place,
    property: usize,
) -> String {
    let drafts = &contracts[contract].objects;
    let (one, other) = (
        &drafts[object].name,
        &drafts[object].properties[property].name,
    );
    let is_only = drafts.iter().filter(|draft| draft.name == *one).count() == 1;
    if from == contract && is_only && is_word(one) && is_word(other) {
        return format!("{one}.{other}");
    }
    let names: Vec<(Option<String>, String)> = drafts
        .iter()
        .map(|draft| (draft.id.clone(), draft.name.clone()))
        .collect();
    let object_id = id(&names, object);
    let properties = &drafts[object].properties;
    let names: Vec<(Option<String>, String)> = properties
        .iter()
        .map(|draft| (draft.id.clone(), draft.name.clone()))
        .collect();
    let property_id = id(&names, property);
    let path = format!("schema/{object_id}/properties/{property_id}");
    let file = known::relative(&contracts[from].path, &contracts[contract].path);
    let draft = &mut contracts[contract].objects[object];
    draft.properties[property].id = Some(property_id);
    draft.id = Some(object_id);
    if from == contract {
        path
    } else {
        format!("{file}#/{path}")
    }
}

/// Whether a name can stand in a reference by names.
fn is_word(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The id of one of several: the one that it has, else its name as far as ids may have it, else that
/// with a number.
fn id(names: &[(Option<String>, String)], place: usize) -> String {
    if let Some(id) = &names[place].0 {
        return id.clone();
    }
    let name = &names[place].1;
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let wanted = if !name.is_empty() && name.bytes().all(is_id) {
        name.clone()
    } else {
        slug(name)
    };
    let taken: BTreeSet<&str> = names
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != place)
        .flat_map(|(_, (id, name))| [Some(name.as_str()), id.as_deref()])
        .flatten()
        .collect();
    if !taken.contains(wanted.as_str()) {
        return wanted;
    }
    // Of so many numbers one is free.
    let numbered = (2..taken.len() + 3).map(|number| format!("{wanted}_{number}"));
    numbered
        .into_iter()
        .find(|id| !taken.contains(id.as_str()))
        .unwrap_or(wanted)
}
