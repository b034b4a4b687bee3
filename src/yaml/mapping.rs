//! A mapping: entries in the order of the text, one for each key, found by name.

use super::node::{Data, Node, Span};

/// Up to this many entries a look through all of them is faster than an index.
const LINEAR: usize = 24;

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key, always a scalar.
    pub key: Node,
    /// The value.
    pub value: Node,
    /// Whether a merge key (`<<`) brought the entry in.
    pub merged: bool,
    /// What a key that is not a string is called; a string is its own name.
    name: Option<Box<str>>,
}

impl Entry {
    /// An entry of a mapping in `text`; a key that is a collection comes back.
    pub(super) fn new(key: Node, value: Node, text: &str) -> Result<Self, Node> {
        let name = match &key.data {
            Data::String(_) => None,
            Data::Null => Some("null".into()),
            Data::Sequence(_) | Data::Mapping(_) => return Err(key),
            _ => Some(text[key.span.range()].trim_matches(['"', '\'']).into()),
        };
        Ok(Self {
            key,
            value,
            merged: false,
            name,
        })
    }

    /// The text of the key: a string's value, else how it is written (`1`, `yes`), `null` for a missing one.
    pub fn name(&self) -> &str {
        self.name
            .as_deref()
            .or_else(|| self.key.as_str())
            .unwrap_or_default()
    }
}

/// The entries of a mapping in order. Of several entries with one name only the last is kept.
///
/// Entries of merge keys come first, as in PyYAML.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping {
    entries: Vec<Entry>,
    /// Positions in `entries` sorted by name; none for a small mapping. Boxed, since mappings are
    /// moved a lot and large ones are rare.
    by_name: Option<Box<Index>>,
}

/// Positions of entries.
type Index = Box<[usize]>;

/// Two entries that a mapping gives the same name.
pub(super) struct Duplicate {
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) again: Span,
}

impl Mapping {
    /// The mapping with every value emptied.
    pub(super) fn outline(&self) -> Self {
        let entries = self.entries.iter();
        Self {
            entries: entries
                .map(|entry| Entry {
                    key: entry.key.clone(),
                    value: entry.value.emptied(),
                    merged: entry.merged,
                    name: entry.name.clone(),
                })
                .collect(),
            by_name: self.by_name.clone(),
        }
    }

    /// Keeps the last of equal keys and reports those that were written twice. That an entry takes the
    /// place of a merged one is what merge keys are for, so it is not reported.
    pub(super) fn new(mut entries: Vec<Entry>) -> (Self, Vec<Duplicate>) {
        let mut by_name = index(&entries);
        let pairs = equal_names(&entries, by_name.as_deref());
        let mut duplicates = Vec::new();
        if !pairs.is_empty() {
            let mut overridden = vec![false; entries.len()];
            for &(earlier, later) in &pairs {
                overridden[earlier] = true;
                let (first, again) = (&entries[earlier], &entries[later]);
                if !first.merged && !again.merged {
                    duplicates.push(Duplicate {
                        name: again.name().to_owned(),
                        first: first.key.place(),
                        again: again.key.place(),
                    });
                }
            }
            let mut overridden = overridden.into_iter();
            entries.retain(|_| !overridden.next().unwrap_or_default());
            by_name = index(&entries);
        }
        (Self { entries, by_name }, duplicates)
    }

    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The key and value under a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        let Some(by_name) = &self.by_name else {
            return self.entries.iter().find(|entry| entry.name() == key);
        };
        let found = by_name.binary_search_by(|&position| self.entries[position].name().cmp(key));
        found.ok().map(|position| &self.entries[by_name[position]])
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// The values by the names of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = (&str, &mut Node)> {
        self.entries.iter_mut().map(|entry| {
            let name = entry.name.as_deref().or_else(|| entry.key.as_str());
            (name.unwrap_or_default(), &mut entry.value)
        })
    }

    /// Moves all keys and values to another place.
    pub(super) fn move_to(&mut self, span: Span) {
        for entry in &mut self.entries {
            entry.key.move_to(span);
            entry.value.move_to(span);
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Gives the entries up, for a mapping that merges this one.
    pub(super) fn into_entries(self) -> Vec<Entry> {
        self.entries
    }
}

impl<'a> IntoIterator for &'a Mapping {
    type Item = &'a Entry;
    type IntoIter = std::slice::Iter<'a, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Each entry that has a namesake before it, paired with the nearest such one.
fn equal_names(entries: &[Entry], by_name: Option<&Index>) -> Vec<(usize, usize)> {
    if let Some(by_name) = by_name {
        let mut pairs: Vec<_> = by_name
            .windows(2)
            .filter(|pair| entries[pair[0]].name() == entries[pair[1]].name())
            .map(|pair| (pair[0], pair[1]))
            .collect();
        pairs.sort_unstable_by_key(|pair| pair.1);
        return pairs;
    }
    let nearest = |later: usize| {
        let name = entries[later].name();
        entries[..later]
            .iter()
            .rposition(|entry| entry.name() == name)
            .map(|earlier| (earlier, later))
    };
    (1..entries.len()).filter_map(nearest).collect()
}

/// The positions of the entries by name, those of one name in order; none for a small mapping.
fn index(entries: &[Entry]) -> Option<Box<Index>> {
    if entries.len() <= LINEAR {
        return None;
    }
    let mut order: Index = (0..entries.len()).collect();
    order.sort_by(|&left, &right| entries[left].name().cmp(entries[right].name()));
    Some(Box::new(order))
}
