//! Merge keys: entries as written come in, entries with those of every `<<` before them go out.
//!
//! As in PyYAML: a key written out wins over a merged one, in a list of mappings the earlier one wins, and
//! of several `<<` the last.

use super::mapping::Entry;
use super::node::{Data, Node, Span, Style};

/// Resolves the merge keys; the second part is the places of values that cannot be merged.
pub(super) fn resolve(entries: Vec<Entry>) -> (Vec<Entry>, Vec<Span>) {
    if !entries.iter().any(is_merge) {
        return (entries, Vec::new());
    }
    let (merge_keys, written): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(is_merge);
    let mut merged = Vec::new();
    let mut invalid = Vec::new();
    for entry in merge_keys {
        let alias = entry.value.alias();
        match entry.value.data {
            Data::Sequence(items) => {
                for mut item in items.into_iter().rev() {
                    if let Some(alias) = alias {
                        item.set_alias(alias);
                    }
                    merge(item, &mut merged, &mut invalid);
                }
            }
            _ => merge(entry.value, &mut merged, &mut invalid),
        }
    }
    merged.extend(written);
    (merged, invalid)
}

fn merge(source: Node, merged: &mut Vec<Entry>, invalid: &mut Vec<Span>) {
    let (place, alias) = (source.place(), source.alias());
    let Data::Mapping(mapping) = source.data else {
        invalid.push(place);
        return;
    };
    for mut entry in mapping.into_entries() {
        entry.merged = true;
        if let Some(alias) = alias {
            entry.key.set_alias(alias);
            entry.value.set_alias(alias);
        }
        merged.push(entry);
    }
}

fn is_merge(entry: &Entry) -> bool {
    let key = &entry.key;
    let tagged = key
        .properties
        .as_ref()
        .is_some_and(|properties| properties.tag.is_some());
    key.style == Style::Plain && key.as_str() == Some("<<") && !tagged
}
