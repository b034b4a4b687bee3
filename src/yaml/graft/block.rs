//! Collections by indentation: the changes of one come in, edits of its lines go out.

use super::super::node::Node;
use super::cut::gap;
use super::page::is_block;
use super::plan::{Child, Family, children};
use super::{Cut, Deletion, Editor, Rank};

/// How the children of a collection stand.
struct Layout {
    /// Where each begins, at its key or dash; none for one whose text is elsewhere or odd.
    starts: Vec<Option<usize>>,
    /// Where each ends.
    ends: Vec<usize>,
    /// The column of all.
    column: usize,
    /// The blanks behind a dash.
    gap: String,
}

impl Editor<'_, '_> {
    /// The changes of a collection by indentation.
    pub(super) fn block(&mut self, family: &Family<'_>) -> Result<(), String> {
        let children = children(family.node);
        let layout = self.layout(family.node, &children)?;
        for (&index, fate) in &family.children {
            if let Some(cut) = &fate.replaced {
                self.replace_below(&children[index], &layout, index, cut)?;
            }
        }
        self.insert_before(family, &children, &layout)?;
        for (&index, fate) in &family.children {
            if !fate.removed && !fate.behind.is_empty() {
                let lines = self.lines(&fate.behind, &layout)?;
                let end = self.page().tail(layout.ends[index], layout.column);
                let text = lines.iter().map(|line| pad(layout.column, line));
                let text: String = text
                    .map(|line| self.edits.line_break.to_owned() + &line)
                    .collect();
                self.patch(end, end, text, Rank::Beside);
            } else if fate.removed && !fate.behind.is_empty() {
                self.exchange(&fate.behind, &layout, index)?;
            }
        }
        self.remove_all(family, &children, &layout)
    }

    fn layout(&self, node: &Node, children: &[Child<'_>]) -> Result<Layout, String> {
        let page = self.page();
        let start = |child: &Child<'_>| match child.entry {
            Some(entry) if entry.merged || entry.key.properties.is_some() => None,
            Some(entry) => Some(entry.key.place().start()),
            None => page.dash(child.value),
        };
        let starts = children.iter().map(start);
        let starts: Vec<Option<usize>> = starts
            .map(|start| start.filter(|at| page.is_block_start(*at)))
            .collect();
        let end = |child: &Child<'_>| match child.entry {
            Some(entry) => page.end(child.value).max(entry.key.place().end()),
            None => page.item_end(child.value),
        };
        let first = starts.iter().copied().flatten().next();
        let first = first.ok_or_else(|| {
            let kind = node.kind();
            format!("has {kind} in a form that cannot be changed here; change it by hand")
        })?;
        let is_list = node.as_sequence().is_some();
        Ok(Layout {
            ends: children.iter().map(end).collect(),
            column: page.column(first),
            gap: if is_list { gap(&page, first) } else { " " }.to_owned(),
            starts,
        })
    }

    /// New children as lines; each but the first line of the first is to be indented or is so already.
    fn lines(&self, cuts: &[Cut<'_>], layout: &Layout) -> Result<Vec<String>, String> {
        let shaped = cuts.iter().map(|cut| {
            let lines = match cut.key {
                Some(key) => cut.entry(key, layout.column)?,
                None => cut.item(layout.column, &layout.gap)?,
            };
            Ok(lines.join(self.edits.line_break))
        });
        shaped.collect()
    }

    /// New children before all others.
    fn insert_before(
        &mut self,
        family: &Family<'_>,
        children: &[Child<'_>],
        layout: &Layout,
    ) -> Result<(), String> {
        if family.before.is_empty() {
            return Ok(());
        }
        let page = self.page();
        let first = children.iter().position(|child| !child.is_merged());
        let start = first
            .and_then(|first| layout.starts[first])
            .ok_or_else(odd)?;
        let lines = self.lines(&family.before, layout)?;
        let line_break = self.edits.line_break;
        if page.is_own_line(start) {
            let at = page.with_comments(page.line_start(start), layout.column);
            let lines = lines
                .iter()
                .map(|line| pad(layout.column, line) + line_break);
            let text = lines.collect();
            self.patch(at, at, text, Rank::Beside);
        } else {
            let indent = pad(layout.column, "");
            let lines = lines
                .iter()
                .map(|line| format!("{line}{line_break}{indent}"));
            let text = lines.collect();
            self.patch(start, start, text, Rank::Beside);
        }
        Ok(())
    }

    /// New children in the place of one that goes.
    fn exchange(&mut self, cuts: &[Cut<'_>], layout: &Layout, index: usize) -> Result<(), String> {
        let page = self.page();
        let start = layout.starts[index].ok_or_else(odd)?;
        let end = page.tail(layout.ends[index], layout.column);
        let indent = pad(layout.column, "");
        let text = self.lines(cuts, layout)?;
        let text = text.join(&format!("{}{indent}", self.edits.line_break));
        if page.is_own_line(start) {
            let first = page.with_comments(page.line_start(start), layout.column);
            self.patch(first, end, indent + &text, Rank::Body);
        } else {
            self.patch(start, end, text, Rank::Body);
        }
        Ok(())
    }

    /// The children that go and leave nothing in their place.
    fn remove_all(
        &mut self,
        family: &Family<'_>,
        children: &[Child<'_>],
        layout: &Layout,
    ) -> Result<(), String> {
        let page = self.page();
        let first = children.iter().position(|child| !child.is_merged());
        let mut done = 0;
        for index in 0..children.len() {
            if index < done || !family.is_gone(index) {
                continue;
            }
            let start = layout.starts[index].ok_or_else(odd)?;
            if !page.is_own_line(start) {
                done = self.draw_up(family, layout, index, start)?;
                continue;
            }
            let end = page.tail(layout.ends[index], layout.column);
            let start = page.with_comments(page.line_start(start), layout.column);
            let before = index.checked_sub(1).filter(|_| first != Some(index));
            self.edits.deletions.push(Deletion {
                start,
                end: page.next_line(end),
                first: first == Some(index),
                floor: before.map_or(0, |before| layout.ends[before]),
            });
        }
        Ok(())
    }

    /// Removes the child that stands behind the dash of an item, and those that follow and go as well: the
    /// next one comes up behind the dash. The answer is the index of that one.
    fn draw_up(
        &mut self,
        family: &Family<'_>,
        layout: &Layout,
        index: usize,
        start: usize,
    ) -> Result<usize, String> {
        let page = self.page();
        let mut last = index;
        while family.is_gone(last + 1) {
            last += 1;
            // A comment between two that go is lost with neither.
            let (end, next) = (layout.ends[last - 1], layout.starts[last].ok_or_else(odd)?);
            let end = page.tail(end, layout.column);
            if page.has_comment(
                end,
                page.with_comments(page.line_start(next), layout.column),
            ) {
                return Err(odd());
            }
        }
        let end = page.tail(layout.ends[last], layout.column);
        let rest = page.text[end..].trim_start();
        let next = page.text.len() - rest.len();
        if page.comment_at(next).is_some() {
            // The comment belongs to what follows, and the dash may stand alone.
            let dash = page.text[..start].trim_end_matches([' ', '\t']).len();
            self.patch(dash, end, String::new(), Rank::Body);
        } else {
            self.patch(start, next, String::new(), Rank::Body);
        }
        Ok(last + 1)
    }

    /// A new value behind a key or a dash.
    fn replace_below(
        &mut self,
        child: &Child<'_>,
        layout: &Layout,
        index: usize,
        cut: &Cut<'_>,
    ) -> Result<(), String> {
        let page = self.page();
        let start = layout.starts[index].ok_or_else(odd)?;
        let behind = match child.entry {
            Some(entry) => page.colon(&entry.key).ok_or_else(odd)?,
            None => start + 1,
        };
        let old = child.value;
        let own = page.start(old).ok_or_else(odd)?;
        let alike = is_block(old)
            && is_block(cut.value)
            && old.as_sequence().is_some() == cut.value.as_sequence().is_some();
        let is_item = child.entry.is_none();
        let on_line = own >= behind && page.line_start(own) == page.line_start(behind);
        let below = if alike || is_item && on_line && !super::page::is_missing(old) {
            Some(page.column(own))
        } else if is_item {
            Some(layout.column + 1 + layout.gap.len())
        } else {
            None
        };
        let form = cut.form(layout.column, below)?;
        self.replace(old, behind, own, form, is_item);
        Ok(())
    }
}

/// A line that stands at a column.
fn pad(column: usize, line: &str) -> String {
    " ".repeat(column) + line
}

pub(super) fn odd() -> String {
    "has the value to be changed in a form that cannot be changed here; change it by hand"
        .to_owned()
}
