//! The guard: a changed text comes in, whether it is read as what was meant goes out.

use super::super::edit::{Edit, is_json_text, is_same_scalar};
use super::super::node::{Data, Node};
use super::super::parse::{Limits, Parsed, parse};
use super::Cut;
use super::plan::{Child, Path, Plan, children};

/// A child as it is meant.
enum Meant<'p> {
    /// The child of that index of the old tree, or what becomes of it.
    Old(usize, Child<'p>),
    /// A value of another text.
    New(Option<&'p Node>, &'p Node),
}

impl Plan<'_> {
    /// Whether the new text is the old tree with just the changes made, and has all other comments.
    pub(super) fn is_meant(&self, old: &Parsed, edits: &[Edit], patched: &str, json: bool) -> bool {
        let new = parse(patched, &Limits::default());
        let ([before], [after]) = (old.documents.as_slice(), new.documents.as_slice()) else {
            return false;
        };
        new.problems.len() <= old.problems.len()
            && self.follows(before, after, &mut Path::new())
            && keeps_comments(old, edits, &new)
            && (!json || is_json_text(patched))
    }

    /// Whether `new` is what becomes of the old node at a path.
    fn follows(&self, old: &Node, new: &Node, path: &mut Path) -> bool {
        let mut changed = self.families.range(path.clone()..);
        let is_changed = changed
            .next()
            .is_some_and(|(changed, _)| changed.starts_with(path));
        if !is_changed {
            return is_same(old, new, true);
        }
        let meant = self.meant(old, path);
        let found = children(new);
        let same_kind = old.as_sequence().is_some() == new.as_sequence().is_some();
        let mut pairs = meant.iter().zip(&found);
        old.style == new.style
            && has_same_marks(old, new)
            && same_kind
            && meant.len() == found.len()
            && pairs.all(|(meant, found)| match meant {
                Meant::New(key, value) => {
                    !found.is_merged()
                        && is_same_key(*key, found, false)
                        && is_same(value, found.value, false)
                }
                Meant::Old(index, child) => {
                    path.push(*index);
                    let follows = child.is_merged() == found.is_merged()
                        && is_same_key(child.entry.map(|entry| &entry.key), found, true)
                        && self.follows(child.value, found.value, path);
                    path.pop();
                    follows
                }
            })
    }

    /// The children that an old node is to have.
    fn meant<'p>(&'p self, old: &'p Node, path: &Path) -> Vec<Meant<'p>> {
        let children = children(old);
        let family = self.families.get(path);
        let new = |cuts: &'p [Cut<'p>]| cuts.iter().map(|cut| Meant::New(cut.key, cut.value));
        let mut before = family.map(|family| family.before.as_slice());
        let mut meant = Vec::new();
        for (index, child) in children.into_iter().enumerate() {
            if !child.is_merged() {
                meant.extend(new(before.take().unwrap_or_default()));
            }
            let fate = family.and_then(|family| family.fate(index));
            let key = child.entry.map(|entry| &entry.key);
            match fate {
                Some(fate) if fate.removed => {}
                Some(fate) => match &fate.replaced {
                    Some(cut) => meant.push(Meant::New(key, cut.value)),
                    None => meant.push(Meant::Old(index, child)),
                },
                None => meant.push(Meant::Old(index, child)),
            }
            meant.extend(new(fate.map_or(&[], |fate| &fate.behind)));
        }
        meant.extend(new(before.take().unwrap_or_default()));
        meant
    }
}

fn is_same_key(meant: Option<&Node>, found: &Child<'_>, written: bool) -> bool {
    match (meant, found.entry) {
        (None, None) => true,
        (Some(meant), Some(found)) => is_same(meant, &found.key, written),
        _ => false,
    }
}

/// Whether two trees have the same values in the same order; if `written`, in the same notation.
fn is_same(old: &Node, new: &Node, written: bool) -> bool {
    if written && (old.style != new.style || !has_same_marks(old, new)) {
        return false;
    }
    let (before, after) = (children(old), children(new));
    let same = |(before, after): (&Child<'_>, &Child<'_>)| {
        before.is_merged() == after.is_merged()
            && is_same_key(before.entry.map(|entry| &entry.key), after, written)
            && is_same(before.value, after.value, written)
    };
    match (&old.data, &new.data) {
        (Data::Sequence(_), Data::Sequence(_)) | (Data::Mapping(_), Data::Mapping(_)) => {
            before.len() == after.len() && before.iter().zip(&after).all(same)
        }
        (old, new) => is_same_scalar(old, new),
    }
}

/// Whether two nodes have an alias, an anchor and a tag, or lack them, alike.
fn has_same_marks(old: &Node, new: &Node) -> bool {
    let marks = |node: &Node| {
        let properties = node.properties.as_deref().copied().unwrap_or_default();
        let (alias, anchor, tag) = (properties.alias, properties.anchor, properties.tag);
        let length = |span: super::Span| span.end() - span.start();
        (alias.map(length), anchor.map(length), tag.map(length))
    };
    marks(old) == marks(new)
}

/// Whether each comment outside of what was changed is where it must be, and no other is there.
fn keeps_comments(old: &Parsed, edits: &[Edit], new: &Parsed) -> bool {
    let mut meant = Vec::with_capacity(old.comments.len());
    let mut written = Vec::new();
    let mut comments = old.comments.iter().peekable();
    let mut moved = 0_isize;
    for edit in edits {
        let (start, end) = (edit.span.start(), edit.span.end());
        while let Some(comment) = comments.next_if(|comment| comment.end() <= start) {
            meant.push((
                comment.start().saturating_add_signed(moved),
                comment.end() - comment.start(),
            ));
        }
        while comments
            .next_if(|comment| comment.start() >= start && comment.end() <= end)
            .is_some()
        {}
        let begin = start.saturating_add_signed(moved);
        written.push((begin, begin + edit.text.len()));
        moved += edit.text.len().cast_signed() - (end - start).cast_signed();
    }
    for comment in comments {
        meant.push((
            comment.start().saturating_add_signed(moved),
            comment.end() - comment.start(),
        ));
    }
    let is_new = |start: usize| {
        let index = written.partition_point(|&(_, end)| end <= start);
        written.get(index).is_some_and(|&(begin, _)| begin <= start)
    };
    let found = new
        .comments
        .iter()
        .filter(|comment| !is_new(comment.start()));
    let found = found.map(|comment| (comment.start(), comment.end() - comment.start()));
    meant.into_iter().eq(found)
}
