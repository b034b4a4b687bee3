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
    let moved: Vec<(&[String], &str, String)> = identities
        .iter()
        .filter_map(|(path, identity)| {
            let (column, group) = path.split_last()?;
            Some((
                group,
                column.as_str(),
                former(group, column, identity, base)?,
            ))
        })
        .collect();
    if moved.is_empty() {
        return Ok(renamed);
    }
    let documents = parse(disk, &Limits::default()).documents;
    let parts = documents
        .first()
        .map(|root| view(root, None))
        .unwrap_or_default();
    for (group, column, old) in moved {
        let Some(columns) = below(&parts, group) else {
            continue;
        };
        let (Some(there), None) = (find(columns, &old), find(columns, column)) else {
            continue;
        };
        let new = below(ours, group).and_then(|columns| find(columns, column));
        let Some(name) = new.and_then(|new| new.node.get("name")?.as_str()) else {
            continue;
        };
        let text = quote::flow_scalar(name);
        let value = parse(&text, &Limits::default()).documents;
        let (Some(value), false) = (value.first(), there.shared) else {
            continue;
        };
        let by = Cut {
            text: &text,
            key: None,
            value,
        };
        let at = format!("{}/name", there.at);
        renamed.text = graft(&renamed.text, &[Change::Replace { at, by }])?;
        if let Some(group) = renamed.base.at_mut(group)
            && let Some(known) = group.groups.remove(&old)
        {
            group.groups.insert(column.to_owned(), known);
        }
        let path = group.iter().cloned().chain([column.to_owned()]);
        renamed.columns.push((path.collect(), name.to_owned()));
    }
    Ok(renamed)
}

/// The key of the column that was written of the same group and is known by the same, under another
/// name.
fn former(group: &[String], column: &str, identity: &Identity, base: &Base) -> Option<String> {
    let mut known = Some(base);
    for key in group {
        known = known.and_then(|base| base.groups.get(key));
    }
    let columns = &known?.groups;
    if columns.contains_key(column) {
        return None;
    }
    let by_id = columns
        .iter()
        .find(|(_, known)| known.id.is_some() && known.id == identity.id);
    let by_name = || {
        let key = format!("columns/{}", identity.renamed_from.as_ref()?.to_lowercase());
        columns.contains_key(&key).then_some(key)
    };
    by_id.map(|(key, _)| key.clone()).or_else(by_name)
}

/// The parts of the group that keys lead to.
fn below<'p, 'a>(parts: &'p [Part<'a>], path: &[String]) -> Option<&'p [Part<'a>]> {
    path.iter()
        .try_fold(parts, |parts, key| find(parts, key)?.parts.as_deref())
}
