//! Beside another editor of YAML, which works on a lossless syntax tree: where that one does what was
//! meant, a graft does too, and touches no more lines.
//!
//! It is an oracle and no judge: on some documents it makes something else of the change, and those
//! say nothing.

use std::cell::Cell;
use std::str::FromStr;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use yaml_edit::{Document, Mapping as Tree};

use super::super::{Change, Cut, graft};
use super::random::{document, meant, pointers};
use crate::yaml::{Limits, Mapping, Node, parse};

/// The byte order mark, which is no part of the first line.
const MARK: char = '\u{feff}';

/// The entry that is put in.
const NEW: &str = "zz: new words\n";

/// A change that both can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Replace,
    Append,
    Remove,
}

/// Makes the change with the other editor, which is given the keys that lead to the entry.
fn by_oracle(text: &str, path: &[&str], deed: Deed) -> Option<String> {
    let document = Document::from_str(text).ok()?;
    let (last, above) = path.split_last()?;
    let mut mapping: Tree = document.as_mapping()?;
    for key in above {
        mapping = mapping.get_mapping(*key)?;
    }
    match deed {
        Deed::Replace => mapping.set(*last, "new words"),
        Deed::Append => mapping.get_mapping(*last)?.set("zz", "new words"),
        Deed::Remove => {
            mapping.remove(*last)?;
        }
    }
    Some(document.to_string())
}

/// The root of a text that is well.
fn root(text: &str) -> Option<Node> {
    let mut parsed = parse(text, &Limits::default());
    let is_well = parsed.problems.is_empty() && parsed.documents.len() == 1;
    is_well.then(|| parsed.documents.remove(0))
}

/// How many lines of the one text are not in the other, beside blank ones and comments: those that are
/// about what goes go with it.
fn lost(old: &str, new: &str) -> usize {
    let mut left: Vec<&str> = new.trim_start_matches(MARK).lines().collect();
    let mut lost = 0;
    let says = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    for line in old.trim_start_matches(MARK).lines().filter(says) {
        match left.iter().position(|other| *other == line) {
            Some(place) => {
                left.remove(place);
            }
            None => lost += 1,
        }
    }
    lost
}

/// Whether only mappings lead to the value at a pointer, and it is no root.
fn is_entry(old: &Node, at: &str) -> bool {
    let mut above = String::new();
    for step in at.split('/').skip(1) {
        if old.locate(&above).node.as_mapping().is_none() {
            return false;
        }
        above += "/";
        above += step;
    }
    !at.is_empty()
}

/// How many entries the mapping at a pointer has.
fn entries(old: &Node, at: &str) -> usize {
    let mapping = old.locate(at).node.as_mapping();
    mapping.map_or(0, Mapping::len)
}

/// Makes a change with both; whether the other editor was right.
fn compare(text: &str, number: u16, deed: Deed) -> Result<bool, TestCaseError> {
    let Some(old) = root(text) else {
        return Ok(false);
    };
    let mut places = Vec::new();
    pointers(&old, "", &mut places);
    places.retain(|at| is_entry(&old, at));
    if deed == Deed::Append {
        places.retain(|at| entries(&old, at) > 0);
    }
    let Some(at) = places.get(usize::from(number) % places.len().max(1)) else {
        return Ok(false);
    };
    let new = root(NEW).unwrap();
    let from = new.locate("/zz");
    let cut = Cut {
        text: NEW,
        key: from.key,
        value: from.node,
    };
    let at = at.clone();
    let change = match deed {
        Deed::Replace => Change::Replace {
            at: at.clone(),
            by: cut,
        },
        Deed::Append => Change::Insert {
            into: at.clone(),
            after: entries(&old, &at).checked_sub(1),
            cut,
        },
        Deed::Remove => Change::Remove { at: at.clone() },
    };
    let wanted = meant(&old, "", std::slice::from_ref(&change));
    let path: Vec<&str> = at.split('/').skip(1).collect();
    let is_wanted = |other: &String| root(other).is_some_and(|new| new.to_json() == wanted);
    let Some(other) = by_oracle(text, &path, deed).filter(is_wanted) else {
        return Ok(false);
    };
    // What is refused is told, and changed by hand.
    let Ok(ours) = graft(text, &[change]) else {
        return Ok(false);
    };
    prop_assert!(is_wanted(&ours), "{deed:?} {at}\n{text}\n--- ours\n{ours}");
    prop_assert!(
        lost(text, &ours) <= lost(text, &other),
        "{deed:?} {at}\n{text}\n--- ours\n{ours}\n--- other\n{other}"
    );
    Ok(true)
}

#[test]
fn where_the_other_editor_is_right_so_is_a_graft() {
    let deeds = prop_oneof![Just(Deed::Replace), Just(Deed::Append), Just(Deed::Remove)];
    let agreed = Cell::new(0_u32);
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(400)
    });
    let cases = (document(), any::<u16>(), deeds);
    let result = runner.run(&cases, |(text, number, deed)| {
        let is_right = compare(&text, number, deed)?;
        agreed.set(agreed.get() + u32::from(is_right));
        Ok(())
    });
    result.unwrap();
    assert!(agreed.get() > 100, "{agreed:?}");
}
