//! Columns that have another name now: what they are known by, the text on disk and what was written
//! last come in; both go out with the new names, so that what a person said of a column goes along.

use super::base::Base;
use super::decide::find;
use super::view::{Part, view};
use crate::dbt::properties::Identity;
use crate::yaml::{Change, Cut, Limits, graft, parse, quote};

/// A properties file after its columns got their new names.
pub(super) struct Renamed {
    pub(super) text: String,
    pub(super) base: Base,
    /// The keys that lead to each, and its new name.
    pub(super) columns: Vec<(Vec<String>, String)>,
}

/// A column that gets another name.
struct Move<'m> {
    /// The keys that lead to its resource.
    group: &'m [String],
    /// Its key, and the one that it had.
    column: &'m str,
    old: String,
    /// Where it stands on disk.
    at: String,
    name: &'m str,
}

/// Gives the columns of a properties file their new names.
pub(super) fn rename(
    identities: &[(Vec<String>, Identity)],
    ours: &[Part<'_>],
    disk: &str,
    base: &Base,
) -> Result<Renamed, String> {
    let mut renamed = Renamed {
        text: disk.to_owned(),
        base: base.clone(),
        columns: Vec::new(),
    };
    let mut found = Vec::new();
    for (path, identity) in identities {
        if let Some((column, group)) = path.split_last()
            && let Some(old) = former(identities, group, column, identity, base)
        {
            found.push((group, column.as_str(), old));
        }
    }
    if found.is_empty() {
        return Ok(renamed);
    }
    let documents = parse(disk, &Limits::default()).documents;
    let parts = documents
        .first()
        .map(|root| view(root, None))
        .unwrap_or_default();
    let moves = found.into_iter().filter_map(|(group, column, old)| {
        let there = find(below(&parts, group)?, &old).filter(|there| !there.shared)?;
        let new = find(below(ours, group)?, column)?;
        Some(Move {
            group,
            column,
            old,
            at: format!("{}/name", there.at),
            name: new.node.get("name")?.as_str()?,
        })
    });
    let moves = possible(moves.collect(), &parts);
    for Move { at, name, .. } in &moves {
        let text = quote::flow_scalar(name);
        let value = parse(&text, &Limits::default()).documents;
        if let Some(value) = value.first() {
            let by = Cut {
                text: &text,
                key: None,
                value,
            };
            let at = at.clone();
            renamed.text = graft(&renamed.text, &[Change::Replace { at, by }])?;
        }
    }
    // All are taken out before one is put back: two may have changed places.
    let known: Vec<Option<Base>> = moves
        .iter()
        .map(|Move { group, old, .. }| renamed.base.at_mut(group)?.groups.remove(old))
        .collect();
    for (Move { group, column, .. }, known) in moves.iter().zip(known) {
        if let (Some(group), Some(known)) = (renamed.base.at_mut(group), known) {
            group.groups.insert((*column).to_owned(), known);
        }
    }
    renamed.columns = moves
        .into_iter()
        .map(
            |Move {
                 group,
                 column,
                 name,
                 ..
             }| {
                let path = group.iter().cloned().chain([column.to_owned()]);
                (path.collect(), name.to_owned())
            },
        )
        .collect();
    Ok(renamed)
}

/// The moves to names that no other column has on disk, once all have moved.
fn possible<'m>(mut moves: Vec<Move<'m>>, parts: &[Part<'_>]) -> Vec<Move<'m>> {
    loop {
        let is_free = |one: &Move<'_>| {
            let mut others = moves.iter();
            let is_taken =
                below(parts, one.group).is_some_and(|columns| find(columns, one.column).is_some());
            !is_taken || others.any(|other| other.group == one.group && other.old == one.column)
        };
        let free: Vec<bool> = moves.iter().map(is_free).collect();
        if free.iter().all(|free| *free) {
            return moves;
        }
        let mut free = free.into_iter();
        moves.retain(|_| free.next().unwrap_or_default());
    }
}

/// The key of the column that was written of the same group and is known by the same, under another
/// name.
fn former(
    identities: &[(Vec<String>, Identity)],
    group: &[String],
    column: &str,
    identity: &Identity,
    base: &Base,
) -> Option<String> {
    let mut known = Some(base);
    for key in group {
        known = known.and_then(|base| base.groups.get(key));
    }
    let columns = &known?.groups;
    let by_id = columns
        .iter()
        .find(|(_, known)| known.id.is_some() && known.id == identity.id)
        .map(|(key, _)| key.clone());
    let Some(there) = columns.get(column) else {
        let by_name = || {
            let key = format!("columns/{}", identity.renamed_from.as_ref()?.to_lowercase());
            columns.contains_key(&key).then_some(key)
        };
        return by_id.or_else(by_name);
    };
    // The name is another one's, which has one of its own now. What `dbt.renamed_from` says stays in
    // the contract, and would have the two change places again and again.
    let moves_on = identities.iter().any(|(path, other)| {
        there.id.is_some()
            && other.id == there.id
            && path
                .split_last()
                .is_some_and(|(key, of)| of == group && key != column)
    });
    by_id.filter(|old| old != column && moves_on)
}

/// The parts of the group that keys lead to.
fn below<'p, 'a>(parts: &'p [Part<'a>], path: &[String]) -> Option<&'p [Part<'a>]> {
    path.iter()
        .try_fold(parts, |parts, key| find(parts, key)?.parts.as_deref())
}
