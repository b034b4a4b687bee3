//! The lines below a file: what was written of its resources and columns, each by a short hash.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::{Lock, escape, unescape};
use crate::dbt::properties::Identity;
use crate::diagnostics::SourceFile;
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

/// What was written of each part of a properties file. The lines of a lock that was read are checked
/// at once and understood when somebody asks: most files of most runs are as they should be, and
/// nobody does.
#[derive(Clone, Debug, Default)]
pub struct Parts(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The lines, where they come from a lock file.
    lines: Option<Lines>,
    base: OnceLock<Base>,
}

/// The lines of one file.
#[derive(Debug)]
struct Lines {
    lock: Arc<SourceFile>,
    range: Range<usize>,
    /// Whether a column is known by an id.
    has_ids: bool,
}

impl Parts {
    /// Each part with its hash.
    pub fn base(&self) -> &Base {
        let read = || {
            let mut base = Base::default();
            let lines = self.0.lines.iter();
            let lines = lines.flat_map(|lines| lines.lock.text[lines.range.clone()].lines());
            for line in lines.filter(|line| line.starts_with('+')) {
                // Each was read once without an error.
                let _ = add(&mut base, line);
            }
            base
        };
        self.0.base.get_or_init(read)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.lines.is_none() && self.base().is_empty()
    }

    /// Whether a resource stands in that list, such as `models/`.
    pub fn has(&self, list: &str) -> bool {
        let Some(lines) = &self.0.lines else {
            return self.base().groups.keys().any(|key| key.starts_with(list));
        };
        let mut lines = lines.lock.text[lines.range.clone()].lines();
        lines.any(|line| {
            line.strip_prefix("+ ")
                .is_some_and(|key| key.starts_with(list))
        })
    }

    /// Whether all columns are known by these ids already.
    pub(in crate::merge) fn is_identified(&self, identities: &[(Vec<String>, Identity)]) -> bool {
        let has_ids = self.0.lines.as_ref().is_none_or(|lines| lines.has_ids);
        let mut named = identities.iter();
        (!has_ids && named.all(|(_, identity)| identity.id.is_none()))
            || self.base().is_identified(identities)
    }

    /// Writes a line for each group.
    pub(super) fn render(&self, text: &mut String) {
        match &self.0.lines {
            Some(lines) => {
                text.push_str(&lines.lock.text[lines.range.clone()]);
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
            None => render(self.base(), 1, text),
        }
    }
}

impl From<Base> for Parts {
    fn from(base: Base) -> Self {
        let lines = None;
        let base = OnceLock::from(base);
        Self(Arc::new(Kept { lines, base }))
    }
}

impl PartialEq for Parts {
    fn eq(&self, other: &Self) -> bool {
        self.base() == other.base()
    }
}

impl Eq for Parts {}

/// The file of a lock whose lines are being read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    path: String,
    is_bound: bool,
    base: Base,
    lines: Option<Range<usize>>,
    has_ids: bool,
}

impl Reading {
    /// Begins with the lines of a file.
    pub(super) fn of(path: String, is_bound: bool) -> Self {
        Self {
            path,
            is_bound,
            ..Self::default()
        }
    }

    /// Takes a line that begins with marks; `None` where it is no part.
    pub(super) fn line(&mut self, line: &str, range: Range<usize>) -> Option<()> {
        if self.path.is_empty() {
            return None;
        }
        add(&mut self.base, line)?;
        self.has_ids |= line.contains(ID) && line.split(' ').any(|word| word.starts_with(ID));
        let start = self.lines.as_ref().map_or(range.start, |lines| lines.start);
        self.lines = Some(start..range.end);
        Some(())
    }

    /// Puts what was read where it belongs.
    pub(super) fn finish(self, lock: &mut Lock, file: &Arc<SourceFile>) {
        if self.is_bound {
            lock.bound.insert(self.path, self.base);
        } else if let (Some(entry), Some(range)) = (lock.files.get_mut(&self.path), self.lines) {
            let lines = Lines {
                lock: Arc::clone(file),
                range,
                has_ids: self.has_ids,
            };
            entry.parts = Parts(Arc::new(Kept {
                lines: Some(lines),
                base: OnceLock::new(),
            }));
        }
    }
}

/// Adds the group of a line, below the last group of the level above; `None` where the line is none.
fn add(mut base: &mut Base, line: &str) -> Option<()> {
    let mut words = line.trim_end_matches('\r').split(' ');
    for _ in 1..words.next()?.len() {
        // Groups are sorted, so that the last one read is the last one.
        base = base.groups.values_mut().next_back()?;
    }
    read(base, words)
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

/// Adds the group of the words of a line; `None` where they are none.
fn read<'w>(base: &mut Base, mut words: impl Iterator<Item = &'w str>) -> Option<()> {
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
        if word[..word.len() - hash.len()].ends_with(ADOPTED) {
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
