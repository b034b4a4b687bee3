//! Grafts: a text and changes of its tree come in, the text with just these changes goes out.
//!
//! * `plan`: pointers become places in the tree; what must not be touched is refused.
//! * `page`: where lines, values and dashes begin and end.
//! * `cut`: pieces of another text in the shape of the place they go to.
//! * `block`, `replace`, `flow`: changes of collections by indentation and in brackets become edits.
//! * `guard`: the new text must be read as the old tree with just the changes made.

use super::edit::Edit;
use super::node::{Node, Span, Style};
use super::parse::{Limits, ProblemKind, parse};

mod block;
mod cut;
mod flow;
mod guard;
mod page;
mod plan;
mod replace;

use page::Page;
use plan::Plan;

/// A value in another text, such as a rendered one, with its key where it is a mapping's entry.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// The text that the value stands in.
    pub text: &'a str,
    /// The key of the value.
    pub key: Option<&'a Node>,
    /// The value.
    pub value: &'a Node,
}

/// One change of a tree.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// The value at a JSON pointer becomes that of the cut, whose key counts for nothing. Comments on the
    /// line of the key and on that of a single value stay; those inside a list or mapping go with it.
    Replace {
        /// The pointer.
        at: String,
        /// The new value.
        by: Cut<'a>,
    },
    /// The cut becomes an entry, for which it needs a key, or an item, for which it must have none.
    ///
    /// It comes behind the last line of its neighbour, behind comment lines directly below that stand
    /// deeper than the neighbour; other comment lines belong to what follows them. Before all others it comes
    /// before the comment lines directly above the first child, as they are about that child; only those
    /// at the very head of the file stay above.
    Insert {
        /// The pointer to the mapping or list.
        into: String,
        /// The child of the old tree to come behind, counted as [`Mapping::iter`](super::Mapping::iter) or
        /// the list does; none to come before all others. The child may be removed at the same time.
        after: Option<usize>,
        /// The new entry or item.
        cut: Cut<'a>,
    },
    /// The entry or item at a pointer goes, with the comments that belong to it: on its lines, directly below
    /// where they stand deeper, and directly above at its column, except at the very head of the file.
    Remove {
        /// The pointer.
        at: String,
    },
}

/// The text with all changes made; pointers and indices mean the old tree.
///
/// Everything else stays byte for byte. The error says why it cannot be done without touching anything
/// else, and completes a sentence that begins with the file's path.
pub fn graft(text: &str, changes: &[Change<'_>]) -> Result<String, String> {
    if changes.is_empty() {
        return Ok(text.to_owned());
    }
    let old = parse(text, &Limits::default());
    let harmless = [
        ProblemKind::DuplicateKey,
        ProblemKind::AmbiguousBoolean,
        ProblemKind::AmbiguousNumber,
    ];
    let mut problems = old.problems.iter();
    if let Some(problem) = problems.find(|problem| !harmless.contains(&problem.kind)) {
        return Err(format!("cannot be read as it stands: {}", problem.message));
    }
    let root = match old.documents.as_slice() {
        [root] => root,
        [] => return Err("has no document to change".to_owned()),
        _ => return Err("has more than one document; split it into files".to_owned()),
    };
    let page = Page {
        text,
        comments: &old.comments,
    };
    let plan = Plan::new(page, root, &old.problems, changes)?;
    let mut edits = Edits {
        page,
        line_break: page.line_break(),
        json: root.style == Style::Flow && super::edit::is_json_text(text),
        patches: Vec::new(),
        deletions: Vec::new(),
    };
    for (path, family) in &plan.families {
        edits.depth(path.len()).family(family)?;
    }
    let json = edits.json;
    let edits = edits.finish();
    let misread = || "would not be read as meant; change it by hand".to_owned();
    let patched = super::edit::splice(text, &edits).ok_or_else(misread)?;
    if plan.is_meant(&old, &edits, &patched, json) {
        return Ok(patched);
    }
    // Without a last line break a block scalar at the end of the file lacks one too.
    let mut edits = edits;
    let end = Span::new(text.len(), text.len());
    let text_of_edit = page.line_break().to_owned();
    edits.push(Edit {
        span: end,
        text: text_of_edit,
    });
    let patched = super::edit::splice(text, &edits).ok_or_else(misread)?;
    let wanted = !text.ends_with(['\n', '\r']) && plan.is_meant(&old, &edits, &patched, json);
    wanted.then_some(patched).ok_or_else(misread)
}

/// What is to be written where.
struct Edits<'t> {
    page: Page<'t>,
    line_break: &'static str,
    json: bool,
    patches: Vec<Patch>,
    deletions: Vec<Deletion>,
}

/// One edit with its place among those at the same byte.
struct Patch {
    edit: Edit,
    /// What is deeper in the tree comes first.
    depth: usize,
    /// What is left of a value before what comes behind it.
    rank: Rank,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Head,
    Body,
    Beside,
}

/// Whole lines that go.
struct Deletion {
    start: usize,
    /// Behind the last line's break.
    end: usize,
    /// Whether the first child of a collection is among them.
    first: bool,
    /// Up to here the text above is that of another value.
    floor: usize,
}

/// The edits, for collections at one depth.
struct Editor<'e, 't> {
    edits: &'e mut Edits<'t>,
    depth: usize,
}

impl<'t> Edits<'t> {
    fn depth(&mut self, depth: usize) -> Editor<'_, 't> {
        Editor { edits: self, depth }
    }

    /// The edits in order.
    fn finish(mut self) -> Vec<Edit> {
        let deleted = self.deleted();
        for Patch { edit, .. } in &mut self.patches {
            // What comes behind lines that go comes behind those before them.
            let at = edit.span.start();
            let around = deleted.partition_point(|span| span.end() <= at);
            let around = deleted.get(around).filter(|span| span.start() < at);
            if let Some(around) = around.filter(|_| edit.span.end() == at) {
                let at = self.page.line_before(around.start());
                edit.span = Span::new(at, at);
            }
        }
        for span in deleted {
            self.patches.push(Patch {
                edit: Edit {
                    span,
                    text: String::new(),
                },
                depth: 0,
                rank: Rank::Beside,
            });
        }
        self.patches.sort_by_key(|patch| {
            let span = patch.edit.span;
            let is_range = span.start() < span.end();
            let depth = usize::MAX - patch.depth;
            (span.start(), is_range, depth, patch.rank)
        });
        self.patches.into_iter().map(|patch| patch.edit).collect()
    }

    /// The lines that go, and with them the blank lines that would be too many.
    fn deleted(&mut self) -> Vec<Span> {
        let page = self.page;
        self.deletions.sort_by_key(|deletion| deletion.start);
        let mut runs: Vec<Deletion> = Vec::new();
        for deletion in self.deletions.drain(..) {
            match runs.last_mut() {
                Some(last)
                    if last.end >= deletion.start
                        || page.text[last.end..deletion.start].trim().is_empty() =>
                {
                    last.end = last.end.max(deletion.end);
                }
                _ => runs.push(deletion),
            }
        }
        let spans = runs.into_iter().map(|run| {
            let (mut start, mut end) = (run.start, run.end);
            let above = page.line_start(page.line_before(start));
            let blank_above = above < start && page.is_blank_line(above);
            if page.text[end..].trim().is_empty() {
                // Nothing follows: blank lines above would be the last ones.
                loop {
                    let above = page.line_start(page.line_before(start));
                    if above >= start || above <= run.floor || !page.is_blank_line(above) {
                        break;
                    }
                    start = above;
                }
                if end == page.text.len() && !page.text.ends_with(['\n', '\r']) {
                    start = page.line_before(start);
                }
            } else if (blank_above || run.first) && page.is_blank_line(end) {
                end = page.next_line(page.line_end(end));
            }
            Span::new(start, end)
        });
        spans.collect()
    }
}

impl<'t> Editor<'_, 't> {
    fn page(&self) -> Page<'t> {
        self.edits.page
    }

    fn patch(&mut self, start: usize, end: usize, text: String, rank: Rank) {
        if start == end && text.is_empty() {
            return;
        }
        let span = Span::new(start, end);
        let edit = Edit { span, text };
        let depth = self.depth;
        self.edits.patches.push(Patch { edit, depth, rank });
    }

    fn family(&mut self, family: &plan::Family<'_>) -> Result<(), String> {
        if family.node.style == Style::Flow {
            self.flow(family)
        } else {
            self.block(family)
        }
    }
}

#[cfg(test)]
mod tests;
