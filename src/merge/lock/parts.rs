//! The lines below a file: what was written of its resources and columns, each by a short hash.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Lock, escape, unescape};
use crate::merge::keys::{Base, Hash};

/// What the keys of many parts begin with, and the shorter text that stands for it.
const SHORT: &[(&str, &str)] = &[("columns/", ":"), ("tests/", "?")];

/// Values that most resources and columns have, and the letters that stand for them.
const LETTERS: &[(&str, &str)] = &[("description", "d"), ("data_type", "t")];

/// How a contract begins.
const CONTRACT: char = '@';

/// Stands for `=` where a person wrote the value before any contract asked for it, and alone for a
/// group of which that is true.
const ADOPTED: char = '~';

/// How the id of a column begins.
const ID: char = '#';

/// Where in a lock the lines go that are being read.
#[derive(Debug, Default)]
pub(super) enum Place {
    /// Nowhere yet.
    #[default]
    None,
    /// Below a file of our own, or one of a person.
    Below { path: String, is_bound: bool },
}

impl Place {
    /// Below that file.
    pub(super) fn file(path: &str) -> Self {
        let (path, is_bound) = (path.to_owned(), false);
        Self::Below { path, is_bound }
    }

    /// Below that file of a person.
    pub(super) fn bound(path: &str) -> Self {
        let (path, is_bound) = (path.to_owned(), true);
        Self::Below { path, is_bound }
    }

    /// What a line of that many marks adds to: the last group of the level above.
    pub(super) fn base<'l>(&self, lock: &'l mut Lock, depth: usize) -> Option<&'l mut Base> {
        let Self::Below { path, is_bound } = self else {
            return None;
        };
        let mut base = if *is_bound {
            lock.bound.get_mut(path)?
        } else {
            Arc::make_mut(&mut lock.files.get_mut(path)?.parts)
        };
        for _ in 1..depth {
            // Groups are sorted, so that the last one read is the last one.
            base = base.groups.values_mut().next_back()?;
        }
        Some(base)
    }
}

/// Writes a line for each group.
pub(super) fn render(base: &Base, depth: usize, text: &mut String) {
    for (key, group) in &base.groups {
        text.extend(std::iter::repeat_n('+', depth));
        // Writing to a string cannot fail.
        let _ = write!(text, " {}", short(key));
        if let Some(contract) = &group.contract {
            let _ = write!(text, " {CONTRACT}{}", escape(contract));
        }
        if let Some(id) = &group.id {
            let _ = write!(text, " {ID}{}", escape(id));
        }
        if group.adopted {
            let _ = write!(text, " {ADOPTED}");
        }
        for (key, hash) in &group.values {
            let adopted = group.adopted_values.contains(key);
            let sign = if adopted { ADOPTED } else { '=' };
            let _ = write!(text, " {}{sign}{hash}", short(key));
        }
        text.push('\n');
        render(group, depth + 1, text);
    }
}

/// Adds the group of a line; `None` where the line is none.
pub(super) fn read<'w>(base: &mut Base, mut words: impl Iterator<Item = &'w str>) -> Option<()> {
    let key = long(words.next()?)?;
    // Also keeps what a merge may have put out of order from going below another group.
    if base
        .groups
        .last_key_value()
        .is_some_and(|(last, _)| *last >= key)
    {
        return None;
    }
    let mut group = Base::default();
    for word in words {
        if let Some(contract) = word.strip_prefix(CONTRACT) {
            group.contract = Some(unescape(contract)?);
            continue;
        }
        if let Some(id) = word.strip_prefix(ID) {
            group.id = Some(unescape(id)?);
            continue;
        }
        if word.len() == 1 && word.starts_with(ADOPTED) {
            group.adopted = true;
            continue;
        }
        let (key, hash) = word.rsplit_once(['=', ADOPTED])?;
        let key = long(key)?;
        if word.ends_with(&format!("{ADOPTED}{hash}")) {
            group.adopted_values.insert(key.clone());
        }
        group.values.insert(key, Hash::parse(hash)?);
    }
    base.groups.insert(key, group);
    Some(())
}

/// A key as one short word.
fn short(key: &str) -> String {
    let exact = LETTERS.iter().find(|(long, _)| *long == key);
    if let Some((_, short)) = exact {
        return (*short).to_owned();
    }
    let part = SHORT
        .iter()
        .find_map(|(long, short)| Some((key.strip_prefix(long)?, short)));
    match part {
        Some((rest, short)) => format!("{short}{}", escape(rest)),
        None => plain(key),
    }
}

/// A key that nothing shorter stands for, and that does not look as if.
fn plain(key: &str) -> String {
    let word = escape(key);
    let first = word.bytes().next().filter(u8::is_ascii);
    match first {
        Some(first)
            if word.starts_with([CONTRACT, ID, ADOPTED]) || long(&word).as_deref() != Some(key) =>
        {
            format!("%{first:02X}{}", &word[1..])
        }
        _ => word,
    }
}

/// What [`short`] was given.
fn long(word: &str) -> Option<String> {
    let exact = LETTERS.iter().find(|(_, short)| *short == word);
    if let Some((long, _)) = exact {
        return Some((*long).to_owned());
    }
    let part = SHORT
        .iter()
        .find_map(|(long, short)| Some((word.strip_prefix(short)?, long)));
    match part {
        Some((rest, long)) => Some(format!("{long}{}", unescape(rest)?)),
        None => unescape(word),
    }
}
