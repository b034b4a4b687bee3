//! Any document with any changes: either the tree that was meant and nothing else touched, or an error.

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::super::{Change, Cut, graft};
use crate::yaml::tests::nasty;
use crate::yaml::{Data, Limits, Mapping, Node, Style, parse, quote};

/// A tree to be written in some style.
#[derive(Clone, Debug)]
enum Shape {
    Scalar(String),
    List(Vec<Shape>, bool),
    Mapping(Vec<(String, Shape)>, bool),
}

fn shape() -> impl Strategy<Value = Shape> {
    let word = prop_oneof![
        4 => "[b-m]{1,4}",
        1 => Just("1".to_owned()),
        1 => Just(String::new()),
        1 => Just("'it''s # no'".to_owned()),
        1 => Just("\"{{ x }}\"".to_owned()),
        1 => Just("|".to_owned()),
        1 => Just(">+".to_owned()),
        1 => Just("'two\n lines'".to_owned()),
    ];
    let leaf = word.prop_map(Shape::Scalar);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = (prop::collection::vec(inner.clone(), 0..4), any::<bool>());
        let entries = prop::collection::vec(("[a-h]", inner), 0..4);
        prop_oneof![
            list.prop_map(|(items, flow)| Shape::List(items, flow)),
            (entries, any::<bool>()).prop_map(|(mut entries, flow)| {
                entries.sort_by(|left, right| left.0.cmp(&right.0));
                entries.dedup_by(|left, right| left.0 == right.0);
                Shape::Mapping(entries, flow)
            }),
        ]
    })
}

/// Writes documents, with comments and blank lines where chance has them.
struct Writer {
    out: String,
    chances: Vec<u8>,
    at: usize,
    step: usize,
}

impl Writer {
    fn chance(&mut self, of: u8) -> bool {
        self.at += 1;
        let value = self.chances[self.at % self.chances.len()];
        value
            .wrapping_add(u8::try_from(self.at % 251).unwrap())
            .is_multiple_of(of)
    }

    fn end_line(&mut self) {
        if self.chance(4) {
            let _ = write!(self.out, "  # c{}", self.at);
        }
        self.out.push('\n');
    }

    fn noise(&mut self, column: usize) {
        if self.chance(5) {
            self.out.push('\n');
        }
        if self.chance(5) {
            let column = if self.chance(3) { column + 2 } else { column };
            let _ = writeln!(self.out, "{}# n{}", " ".repeat(column), self.at);
        }
    }

    /// A value behind a key or dash; `column` is that of the key or dash.
    fn value(&mut self, shape: &Shape, column: usize, is_item: bool) {
        match shape {
            Shape::Scalar(header) if header.starts_with(['|', '>']) => {
                let pad = " ".repeat(column + self.step);
                let _ = writeln!(self.out, " {header}\n{pad}x\n\n{pad}  # y");
                if header.contains('+') && self.chance(2) {
                    self.out.push('\n');
                }
            }
            Shape::Scalar(word) => {
                let pad = " ".repeat(column + self.step);
                self.out.push(' ');
                self.out += &word.replace('\n', &format!("\n{pad}"));
                self.end_line();
            }
            Shape::List(items, false) if !items.is_empty() => {
                let inline = is_item && !self.chance(4);
                let below = if is_item {
                    column + 2
                } else {
                    column + self.step * usize::from(self.chance(2))
                };
                if !inline {
                    self.end_line();
                }
                for (index, item) in items.iter().enumerate() {
                    if index > 0 || !inline {
                        self.noise(below);
                        self.out += &" ".repeat(below);
                    } else {
                        self.out.push(' ');
                    }
                    self.out.push('-');
                    self.value(item, below, true);
                }
            }
            Shape::Mapping(entries, false) if !entries.is_empty() => {
                let inline = is_item && !self.chance(4);
                let below = if is_item {
                    column + 2
                } else {
                    column + self.step
                };
                if !inline {
                    self.end_line();
                }
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 || !inline {
                        self.noise(below);
                        self.out += &" ".repeat(below);
                    } else {
                        self.out.push(' ');
                    }
                    self.out += key;
                    self.out.push(':');
                    self.value(value, below, false);
                }
            }
            shape => {
                self.out.push(' ');
                let pad = self.chance(3).then(|| " ".repeat(column + self.step));
                self.flow(shape, pad.as_deref());
                self.end_line();
            }
        }
    }

    fn flow(&mut self, shape: &Shape, pad: Option<&str>) {
        let (open, close, parts): (_, _, Vec<(Option<&str>, &Shape)>) = match shape {
            Shape::Scalar(word) => {
                let word = word.trim_start_matches(['|', '>', '+']).replace('\n', " ");
                self.out += if word.is_empty() { "x" } else { &word };
                return;
            }
            Shape::List(items, _) => ("[", "]", items.iter().map(|item| (None, item)).collect()),
            Shape::Mapping(entries, _) => {
                let entries = entries.iter();
                (
                    "{",
                    "}",
                    entries
                        .map(|(key, value)| (Some(key.as_str()), value))
                        .collect(),
                )
            }
        };
        self.out += open;
        for (index, (key, value)) in parts.iter().enumerate() {
            if let Some(pad) = pad {
                self.end_line();
                self.out += pad;
            }
            if let Some(key) = key {
                self.out += key;
                self.out += ": ";
            }
            self.flow(value, None);
            if index + 1 < parts.len() || self.chance(3) {
                self.out += if pad.is_none() { ", " } else { "," };
            }
        }
        if pad.is_some() {
            self.out.push('\n');
            self.out += pad.unwrap_or_default();
        }
        self.out += close;
    }
}

/// A document with a mapping at its root.
pub(super) fn document() -> impl Strategy<Value = String> {
    let entries = prop::collection::vec(shape(), 1..5);
    let chances = prop::collection::vec(any::<u8>(), 8..40);
    (entries, chances, 1_usize..4, 0_u8..4).prop_map(|(values, chances, step, end)| {
        let mut writer = Writer {
            out: String::new(),
            chances,
            at: 0,
            step,
        };
        for (index, value) in values.iter().enumerate() {
            writer.noise(0);
            let _ = write!(writer.out, "k{index}:");
            writer.value(value, 0, false);
        }
        match end {
            0 => writer.out.trim_end_matches('\n').to_owned(),
            1 => writer.out.replace('\n', "\r\n"),
            2 => format!("\u{feff}{}", writer.out),
            _ => writer.out,
        }
    })
}

/// All pointers to the nodes below a node.
pub(super) fn pointers(node: &Node, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match &node.data {
        Data::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        Data::Mapping(mapping) => {
            for entry in mapping {
                let name = entry.name().replace('~', "~0").replace('/', "~1");
                pointers(&entry.value, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// What a change is drawn from.
type Draw = (u8, u16, u16, u8);

fn draws() -> impl Strategy<Value = Vec<Draw>> {
    let draw = (any::<u8>(), any::<u16>(), any::<u16>(), 0_u8..5);
    prop::collection::vec(draw, 1..5)
}

fn change<'a>(root: &Node, text: &'a str, other: &'a Node, draw: Draw) -> Change<'a> {
    let pick = |root: &Node, number: u16, inserts: bool| {
        let mut found = Vec::new();
        pointers(root, "", &mut found);
        // Most changes are to be possible ones.
        if inserts && !number.is_multiple_of(9) {
            found.retain(|at| matches!(root.locate(at).node.style, Style::Block | Style::Flow));
        } else if found.len() > 1 && !number.is_multiple_of(9) {
            found.remove(0);
        }
        let index = usize::from(number) % found.len().max(1);
        found.get(index).cloned().unwrap_or_default()
    };
    let at = pick(root, draw.1, draw.0 % 4 > 1);
    let from = other.locate(&pick(other, draw.2, false));
    let (key, value) = (from.key, from.node);
    match draw.0 % 4 {
        0 => {
            let by = Cut { text, key, value };
            Change::Replace { at, by }
        }
        1 => Change::Remove { at },
        _ => {
            let key = key.filter(|_| root.locate(&at).node.as_sequence().is_none());
            let node = root.locate(&at).node;
            let items = node.as_sequence().map(<[Node]>::len);
            let length = items.or(node.as_mapping().map(Mapping::len)).unwrap_or(3);
            let after = (draw.3 > 0 && length > 0).then(|| usize::from(draw.3) % length);
            let cut = Cut { text, key, value };
            Change::Insert {
                into: at,
                after,
                cut,
            }
        }
    }
}

/// The tree that is meant, by a way of its own: through JSON.
pub(super) fn meant(node: &Node, at: &str, changes: &[Change<'_>]) -> Value {
    let new = |place: Option<usize>| {
        changes.iter().filter_map(move |change| match change {
            Change::Insert { into, after, cut } if into == at && *after == place => {
                let key = cut.key.and_then(Node::as_str).unwrap_or_default();
                Some((key.to_owned(), cut.value.to_json()))
            }
            _ => None,
        })
    };
    let old = |pointer: &str, value: &Node| {
        for change in changes {
            match change {
                Change::Remove { at } if at == pointer => return None,
                Change::Replace { at, by } if at == pointer => return Some(by.value.to_json()),
                _ => {}
            }
        }
        Some(meant(value, pointer, changes))
    };
    match &node.data {
        Data::Sequence(items) => {
            let mut list: Vec<Value> = new(None).map(|(_, value)| value).collect();
            for (index, item) in items.iter().enumerate() {
                list.extend(old(&format!("{at}/{index}"), item));
                list.extend(new(Some(index)).map(|(_, value)| value));
            }
            list.into()
        }
        Data::Mapping(mapping) => {
            let mut object: Map<String, Value> = new(None).collect();
            for (index, entry) in mapping.iter().enumerate() {
                let name = entry.name().replace('~', "~0").replace('/', "~1");
                let value = old(&format!("{at}/{name}"), &entry.value);
                object.extend(value.map(|value| (entry.name().to_owned(), value)));
                object.extend(new(Some(index)));
            }
            object.into()
        }
        _ => node.to_json(),
    }
}

/// Whether the lines of one text are among those of another, in order.
fn is_among(some: &str, all: &str) -> bool {
    let mut all = all.trim_start_matches('\u{feff}').lines();
    let mut some = some.trim_start_matches('\u{feff}').lines();
    some.all(|line| all.any(|other| other == line))
}

/// Where what stands before an item ends. Its dash may stand lines above its value.
fn behind_other(root: &Node, pointer: &str) -> usize {
    let Some((above, index)) = pointer.rsplit_once('/') else {
        return 0;
    };
    let above = root.locate(above).node;
    let index: usize = index.parse().unwrap();
    match index
        .checked_sub(1)
        .and_then(|before| above.as_sequence()?.get(before))
    {
        Some(before) => before.place().end(),
        // The list begins behind its own dash or key.
        None => 0,
    }
}

fn is_block(root: &Node, pointer: &str) -> bool {
    let above = &pointer[..pointer.rfind('/').unwrap_or_default()];
    root.locate(above).node.style == Style::Block
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_graft_is_what_was_meant_or_an_error(text in document(), other in document(), draws in draws()) {
        let limits = Limits::default();
        let old = parse(&text, &limits);
        let others = parse(&other, &limits);
        prop_assert!(old.problems.is_empty() && others.problems.is_empty(), "{text}{:?}\n{other}", old.problems);
        let (root, source) = (&old.documents[0], &others.documents[0]);
        let changes: Vec<Change<'_>> =
            draws.iter().map(|draw| change(root, &other, source, *draw)).collect();
        let Ok(new) = graft(&text, &changes) else {
            return Ok(());
        };
        let parsed = parse(&new, &limits);
        let expected = meant(root, "", &changes).to_string();
        prop_assert_eq!(parsed.documents[0].to_json().to_string(), expected, "{}", new);
        let grows = changes.iter().all(|change| matches!(change,
            Change::Insert { into, after: Some(_), .. } if root.locate(into).node.style == Style::Block));
        prop_assert!(!grows || is_among(&text, &new), "{text}\n=>\n{new}");
        let shrinks = changes.iter().all(|change| matches!(change,
            Change::Remove { at } if is_block(root, at) && !text.contains("- ")));
        prop_assert!(!shrinks || is_among(&new, &text), "{text}\n=>\n{new}");
        // What stands before and behind a value that is replaced is not touched.
        if let [Change::Replace { at, .. }] = changes.as_slice() {
            let located = root.locate(at);
            let place = match located.key {
                Some(key) => key.place().start(),
                None => behind_other(root, at),
            };
            let line = text[..place].rfind('\n').unwrap_or_default();
            prop_assert!(new.starts_with(text[..line].trim_end()), "{text}\n=>\n{new}");
            let rest = &text[located.node.place().end()..];
            let rest = rest.lines().skip(1).filter(|line| !line.contains('#'));
            let rest: Vec<&str> = rest.collect();
            prop_assert!(is_among(&rest.join("\n"), &new), "{text}\n=>\n{new}");
        }
        // Comments of the old text are all there where nothing goes.
        let goes = changes.iter().any(|change| !matches!(change, Change::Insert { .. }));
        let mut comments = old.comments.iter().map(|comment| &text[comment.range()]);
        prop_assert!(goes || comments.all(|comment| new.contains(comment)), "{text}\n=>\n{new}");
    }

    #[test]
    fn no_text_and_no_change_panics(text in nasty(), other in nasty(), draws in draws()) {
        let limits = Limits::default();
        let other = format!("a: {}\nb:\n- {other}\n", quote::scalar(&other));
        let others = parse(&other, &limits);
        for text in [text.clone(), format!("a: {text}\nb: [{text}]\n"), format!("- |\n {text}\n- - {text}\n  - b: {text}")] {
            let old = parse(&text, &limits);
            if let (Some(root), Some(source)) = (old.documents.first(), others.documents.first()) {
                let changes: Vec<Change<'_>> =
                    draws.iter().map(|draw| change(root, &other, source, *draw)).collect();
                if let Ok(new) = graft(&text, &changes) {
                    let parsed = parse(&new, &limits);
                    prop_assert_eq!(parsed.documents.len(), 1);
                }
            }
        }
    }
}
