//! Verdicts become edits: the contract's text and the one on disk come in, the text that has what is
//! taken of the contract goes out, every other byte as it was.

use std::collections::BTreeSet;

use super::decide::{Act, Taking, Verdicts, find};
use super::view::{Part, Slot, token, view};
use crate::yaml::{Change, Cut, Entry, Limits, Node, graft, parse};

/// A text with its tree.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) text: &'a str,
    pub(super) root: &'a Node,
}

/// The text on disk with what the verdicts take of the contract's side. The error completes a
/// sentence that begins with the path of the file.
pub(super) fn apply(
    ours: Side<'_>,
    disk: Side<'_>,
    verdicts: &Verdicts,
    taking: Taking,
) -> Result<String, String> {
    let takes = |path: &[String], act| {
        let verdict = verdicts.get(path);
        verdict.is_some_and(|verdict| verdict.act == act && verdict.takes(taking))
    };
    if !verdicts.values().any(|verdict| verdict.takes(taking)) {
        return Ok(disk.text.to_owned());
    }
    let (our_parts, disk_parts) = (view(ours.root, None), view(disk.root, None));
    // What is put in is cut out of a text that has nothing else.
    let mut others = BTreeSet::new();
    let mut inserts = false;
    each(&our_parts, &mut Vec::new(), &mut |path, part| {
        let inserted = takes(path, Act::Insert);
        inserts |= inserted;
        if !inserted && part.parts.is_none() {
            others.insert(part.at.clone());
        }
        // What is new as a whole is looked at no further; neither is what stays away.
        let stays_away = !inserted && part.parts.is_some() && lookup(&disk_parts, path).is_none();
        if stays_away {
            others.insert(part.at.clone());
        }
        !inserted && !stays_away
    });
    let mut removed = BTreeSet::new();
    each(&disk_parts, &mut Vec::new(), &mut |path, part| {
        let is_removed = takes(path, Act::Remove);
        if is_removed {
            removed.insert(part.at.clone());
        }
        !is_removed
    });
    let new_text = match (inserts, others.is_empty()) {
        (false, _) => None,
        (true, true) => Some(ours.text.to_owned()),
        (true, false) => Some(without(ours, &others)?),
    };
    let new = new_text
        .as_deref()
        .map(|text| (text, parse(text, &Limits::default()).documents));
    let mut plan = Plan {
        disk: disk.root,
        changes: Vec::new(),
        filled: BTreeSet::new(),
        done: BTreeSet::new(),
    };
    each(&our_parts, &mut Vec::new(), &mut |path, part| {
        let there = lookup(&disk_parts, path);
        if let (true, Some(there)) = (takes(path, Act::Replace), there) {
            plan.changes.push(Change::Replace {
                at: there.at.clone(),
                by: cut(ours.text, None, part.node),
            });
        }
        there.is_some()
    });
    if let Some((text, documents)) = &new
        && let Some(root) = documents.first()
    {
        let side = Side { text, root };
        let new = New {
            side,
            at: "",
            parts: &view(root, None),
            all: &our_parts,
        };
        let there = There {
            at: "",
            parts: &disk_parts,
        };
        plan.insert(new, there)?;
    }
    for at in collapsed(disk.root, "", &removed, &plan.filled) {
        plan.changes.push(Change::Remove { at });
    }
    graft(disk.text, &plan.changes)
}

/// Walks through parts with the keys that lead to them, into the groups for which it is told to.
fn each<'p, 'a>(
    parts: &'p [Part<'a>],
    path: &mut Vec<String>,
    visit: &mut impl FnMut(&[String], &'p Part<'a>) -> bool,
) {
    for part in parts {
        path.push(part.key.clone());
        if visit(path, part)
            && let Some(parts) = &part.parts
        {
            each(parts, path, visit);
        }
        path.pop();
    }
}

/// The part that keys lead to.
fn lookup<'p, 'a>(parts: &'p [Part<'a>], path: &[String]) -> Option<&'p Part<'a>> {
    let (first, rest) = path.split_first()?;
    let part = find(parts, first)?;
    if rest.is_empty() {
        return Some(part);
    }
    lookup(part.parts.as_deref().unwrap_or_default(), rest)
}

fn cut<'a>(text: &'a str, key: Option<&'a Node>, value: &'a Node) -> Cut<'a> {
    Cut { text, key, value }
}

/// A text without what stands at some places.
fn without(side: Side<'_>, removed: &BTreeSet<String>) -> Result<String, String> {
    let places = collapsed(side.root, "", removed, &BTreeSet::new()).into_iter();
    let changes: Vec<_> = places.map(|at| Change::Remove { at }).collect();
    graft(side.text, &changes)
}

/// The places to remove so that no collection is left empty: where all of one goes, it goes itself.
/// Resources and columns stay, since their names do.
fn collapsed(
    node: &Node,
    at: &str,
    removed: &BTreeSet<String>,
    filled: &BTreeSet<String>,
) -> Vec<String> {
    if removed.contains(at) {
        return vec![at.to_owned()];
    }
    let children: Vec<(String, &Node)> = match (node.as_mapping(), node.as_sequence()) {
        (Some(entries), _) => {
            let entries = entries.iter();
            entries
                .map(|entry| (format!("{at}/{}", token(entry.name())), &entry.value))
                .collect()
        }
        (_, Some(items)) => {
            let items = items.iter().enumerate();
            items
                .map(|(index, item)| (format!("{at}/{index}"), item))
                .collect()
        }
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    let mut all = !children.is_empty() && !at.is_empty() && !filled.contains(at);
    for (place, child) in children {
        let below = format!("{place}/");
        let touched = removed.contains(&place)
            || removed
                .range(below.clone()..)
                .next()
                .is_some_and(|next| next.starts_with(&below));
        if !touched {
            all = false;
            continue;
        }
        let places = collapsed(child, &place, removed, filled);
        all &= places == [place];
        found.extend(places);
    }
    if all { vec![at.to_owned()] } else { found }
}

/// Changes as they are found.
struct Plan<'a> {
    disk: &'a Node,
    changes: Vec<Change<'a>>,
    /// The collections on disk that something is put into.
    filled: BTreeSet<String>,
    /// The entries of the contract's side that are put in already.
    done: BTreeSet<String>,
}

/// A group of the contract's side: where it stands, what is new of it, and all that it holds.
#[derive(Clone, Copy)]
struct New<'p, 'a> {
    side: Side<'a>,
    at: &'p str,
    parts: &'p [Part<'a>],
    all: &'p [Part<'p>],
}

/// A group on disk.
#[derive(Clone, Copy)]
struct There<'p, 'a> {
    at: &'p str,
    parts: &'p [Part<'a>],
}

impl<'a> Plan<'a> {
    /// Puts what is new of a group into the one on disk.
    fn insert(&mut self, new: New<'_, 'a>, there: There<'_, '_>) -> Result<(), String> {
        for part in new.parts {
            match (&part.parts, find(there.parts, &part.key)) {
                (Some(parts), Some(known)) => {
                    let all = find(new.all, &part.key).and_then(|all| all.parts.as_deref());
                    let below = New {
                        side: new.side,
                        at: &part.at,
                        parts,
                        all: all.unwrap_or_default(),
                    };
                    let known = There {
                        at: &known.at,
                        parts: known.parts.as_deref().unwrap_or_default(),
                    };
                    self.insert(below, known)?;
                }
                (None, Some(_)) => {}
                (_, None) => self.part(new, part, there)?,
            }
        }
        Ok(())
    }

    /// Puts one part in: into its container, or with that container where there is none.
    fn part(
        &mut self,
        new: New<'_, 'a>,
        part: &Part<'a>,
        there: There<'_, '_>,
    ) -> Result<(), String> {
        if let Some(container) = self.container(part.slot, there.at) {
            let after = neighbour(new, part, there);
            return self.put(new.side, &part.at, container, after);
        }
        let own = part.at.strip_prefix(new.at).unwrap_or_default();
        let mut steps: Vec<&str> = own.split('/').skip(1).collect();
        steps.pop();
        let (mut ours, mut theirs) = (new.at.to_owned(), there.at.to_owned());
        for step in steps {
            let into = std::mem::take(&mut theirs);
            theirs = format!("{into}/{step}");
            ours = format!("{ours}/{step}");
            let located = self.disk.locate(&theirs);
            if located.complete && is_collection(located.node) {
                continue;
            }
            if !self.done.insert(ours.clone()) {
                return Ok(());
            }
            if !located.complete {
                return self.put(new.side, &ours, into, Place::Usual);
            }
            if !located.node.is_null() {
                return Err(format!(
                    "has a single value at `{theirs}`, where more belongs"
                ));
            }
            let by = piece(new.side, &ours)?;
            self.changes.push(Change::Replace { at: theirs, by });
            return Ok(());
        }
        self.put(new.side, &part.at, theirs, Place::Usual)
    }

    /// The container of a slot, in whatever notation the group on disk has it.
    fn container(&self, slot: Slot, group: &str) -> Option<String> {
        let mut paths = slot.paths().into_iter().map(|path| {
            let steps = path.iter().flat_map(|step| ["/", step]);
            std::iter::once(group).chain(steps).collect::<String>()
        });
        paths.find(|path| {
            let located = self.disk.locate(path);
            located.complete && is_collection(located.node)
        })
    }

    /// Puts the entry or item of the contract's side that stands at `ours` into the collection at
    /// `theirs`.
    fn put(
        &mut self,
        new: Side<'a>,
        ours: &str,
        theirs: String,
        place: Place,
    ) -> Result<(), String> {
        let cut = piece(new, ours)?;
        let container = self.disk.locate(&theirs).node;
        let last = |items: &[Node]| items.len().checked_sub(1);
        let after = match (place, cut.key, container.as_mapping()) {
            (Place::First, ..) => None,
            (Place::Behind(neighbour), ..) => Some(neighbour),
            (Place::Usual, Some(key), Some(entries)) => {
                let names: Vec<&str> = entries.iter().map(Entry::name).collect();
                behind(key, &names)
            }
            (Place::Usual, ..) => container.as_sequence().and_then(last),
        };
        self.filled.insert(theirs.clone());
        self.changes.push(Change::Insert {
            into: theirs,
            after,
            cut,
        });
        Ok(())
    }
}

/// Where something new goes among the children of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Where its key says, else at the end.
    Usual,
    /// Before all others.
    First,
    /// Behind the child of that index.
    Behind(usize),
}

/// The place on disk of a group, which follows the one that it follows in the contract.
fn neighbour<'a>(new: New<'_, 'a>, part: &Part<'a>, there: There<'_, '_>) -> Place {
    let beside = |other: &&Part<'_>| other.slot == part.slot;
    let index = |other: &Part<'_>| -> Option<usize> {
        let known = find(there.parts, &other.key)?;
        known.at.rsplit('/').next()?.parse().ok()
    };
    let siblings: Vec<_> = new.all.iter().filter(beside).collect();
    let is_group = matches!(part.slot, Slot::Groups(_));
    let own = siblings.iter().position(|other| other.key == part.key);
    let Some((before, behind)) = own.filter(|_| is_group).map(|own| siblings.split_at(own)) else {
        return Place::Usual;
    };
    let is_there = |other: &&Part<'_>| index(other).is_some();
    match before.iter().rev().find_map(|other| index(other)) {
        Some(neighbour) => Place::Behind(neighbour),
        None if behind.iter().any(is_there) => Place::First,
        None => Place::Usual,
    }
}

fn is_collection(node: &Node) -> bool {
    node.as_mapping().is_some() || node.as_sequence().is_some()
}

/// What stands at a place of the contract's side.
fn piece<'a>(side: Side<'a>, at: &str) -> Result<Cut<'a>, String> {
    let located = side.root.locate(at);
    if located.complete {
        Ok(cut(side.text, located.key, located.node))
    } else {
        Err(format!("cannot take `{at}` of the contract's side"))
    }
}

/// The order of keys in properties files, for those that have no neighbour to follow.
const ORDER: &[&str] = &[
    "version",
    "name",
    "v",
    "defined_in",
    "latest_version",
    "identifier",
    "description",
    "database",
    "schema",
    "data_type",
    "quote",
    "quoting",
    "deprecation_date",
    "config",
    "constraints",
    "data_tests",
    "tests",
    "columns",
    "tables",
    "versions",
];

/// The index of the entry that a new one goes behind: the last that stands before it by the order of
/// keys, else the last of all.
fn behind(key: &Node, names: &[&str]) -> Option<usize> {
    let rank = |name: &str| ORDER.iter().position(|known| *known == name);
    let last = names.len().checked_sub(1);
    let Some(own) = key.as_str().and_then(rank) else {
        return last;
    };
    let before = |name: &&str| rank(name).is_some_and(|rank| rank < own);
    names.iter().rposition(before).or(last)
}
