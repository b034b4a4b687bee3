//! Pieces of another text: a cut comes in, its text in the shape of the place it goes to comes out.

use super::super::node::{Data, Node, Style};
use super::super::quote;
use super::Cut;
use super::page::{Page, is_blank, is_block, is_block_scalar, is_missing};
use super::plan::children;

/// What a value is written as behind a key or a dash.
pub(super) enum Form {
    /// Nothing.
    Missing,
    /// Text on the line, which may go on over several.
    Inline(Vec<String>),
    /// A block scalar: its header, and its lines.
    Scalar(String, Vec<String>),
    /// A list or mapping by indentation: its column, and its lines, the first without indentation.
    Block(usize, Vec<String>),
}

impl Cut<'_> {
    fn page(&self) -> Page<'_> {
        Page::bare(self.text)
    }

    /// The column that the lines of the value are relative to: that of its key or of its dash, else that of
    /// the first thing on its line.
    fn base(&self) -> usize {
        let page = self.page();
        if let Some(key) = self.key {
            return page.column(key.place().start());
        }
        let start = self.value.place().start();
        if page.is_block_start(start)
            && let Some(dash) = page.dash(self.value)
            && page.line_start(dash) == page.line_start(start)
        {
            return page.column(dash);
        }
        let lead = page.lead(start);
        lead.len() - lead.trim_start_matches([' ', '\t', '-']).len()
    }

    /// The lines from a byte of the text to another, moved from one column to another; the first is not.
    fn lines(&self, start: usize, end: usize, base: usize, column: usize) -> Vec<String> {
        let text = self.text[start..end].replace("\r\n", "\n");
        let mut lines = text.split(['\n', '\r']).map(str::to_owned);
        let first = lines.next().unwrap_or_default();
        let moved = lines.map(|line| {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let line = &line[blanks.min(base)..];
            if line.is_empty() {
                String::new()
            } else {
                " ".repeat(column) + line
            }
        });
        std::iter::once(first).chain(moved).collect()
    }

    /// The end of the value, or of a comment on its last line.
    fn end(&self, value_end: usize) -> usize {
        let end = self.page().line_end(value_end);
        let rest = &self.text[value_end..end];
        let comment = rest.trim_start_matches([' ', '\t']);
        let is_comment = comment.starts_with('#') && comment.len() < rest.len();
        if is_comment { end } else { value_end }
    }

    /// The lines of an entry whose key stands at a column; the first without indentation.
    pub(super) fn entry(&self, key: &Node, column: usize) -> Result<Vec<String>, String> {
        let page = self.page();
        let start = key.place().start();
        let base = page.column(start);
        let notation = &self.text[key.place().range()];
        if is_missing(self.value) {
            return Ok(vec![format!("{notation}:")]);
        }
        let colon = page.colon(key).ok_or_else(odd)?;
        let mut lines = self.lines(colon, self.end(page.end(self.value)), base, column);
        if let Some(first) = lines.first_mut() {
            let gap = if first.is_empty() || first.starts_with([' ', '\t']) {
                ""
            } else {
                " "
            };
            *first = format!("{notation}:{gap}{first}");
        }
        Ok(lines)
    }

    /// The lines of an item whose dash stands at a column, with `gap` behind it; the first without
    /// indentation.
    pub(super) fn item(&self, column: usize, gap: &str) -> Result<Vec<String>, String> {
        let page = self.page();
        if is_missing(self.value) {
            return Ok(vec!["-".to_owned()]);
        }
        let start = page.start(self.value).ok_or_else(odd)?;
        let (base, column) = if is_block(self.value) {
            (page.column(start), column + 1 + gap.len())
        } else {
            (self.base(), column)
        };
        let mut lines = self.lines(start, self.end(page.end(self.value)), base, column);
        if let Some(first) = lines.first_mut() {
            *first = format!("-{gap}{first}");
        }
        Ok(lines)
    }

    /// The value behind a key or dash at a column. A block collection's children stand at `below`, where
    /// that is given, else as far from that column as they do in the cut.
    pub(super) fn form(&self, column: usize, below: Option<usize>) -> Result<Form, String> {
        let (page, value, base) = (self.page(), self.value, self.base());
        let end = page.end(value);
        let start = page.start(value).ok_or_else(odd)?;
        if is_missing(value) {
            return Ok(Form::Missing);
        }
        if is_block(value) {
            let own = page.column(start);
            let least = usize::from(value.as_mapping().is_some()) * 2;
            let apart = match own.saturating_sub(base) {
                0 => least,
                apart => apart,
            };
            let column = below.unwrap_or(column + apart);
            return Ok(Form::Block(column, self.lines(start, end, own, column)));
        }
        let mut lines = self.lines(start, end, base, column);
        if is_block_scalar(value) {
            let first = lines.remove(0);
            let header = first.find(|character| !"|>+-0123456789".contains(character));
            let header = first[..header.unwrap_or(first.len())].to_owned();
            return Ok(Form::Scalar(header, lines));
        }
        Ok(Form::Inline(lines))
    }

    /// The value in brackets or as a scalar on one line.
    pub(super) fn flow(&self, json: bool) -> Result<String, String> {
        flow(self.value, self.text, json).ok_or_else(odd)
    }

    /// The key with the value, or just the value.
    pub(super) fn flow_child(&self, json: bool) -> Result<String, String> {
        let value = self.flow(json)?;
        let Some(key) = self.key else {
            return Ok(value);
        };
        let key = flow(key, self.text, json).filter(|key| !json || key.starts_with('"'));
        Ok(format!("{}: {value}", key.ok_or_else(odd)?))
    }
}

fn odd() -> String {
    "would get a value in a form that cannot be moved; write it by hand".to_owned()
}

fn flow(node: &Node, text: &str, json: bool) -> Option<String> {
    let written = text.get(node.span.range())?;
    Some(match &node.data {
        Data::String(value) if json => serde_json::to_string(value).ok()?,
        Data::String(value) => quote::flow_scalar(value),
        Data::Null => "null".to_owned(),
        Data::Bool(value) if json => value.to_string(),
        Data::Int(value) if json => value.to_string(),
        Data::Float(value) if json => {
            let number = serde_json::Number::from_f64(*value)?;
            let is_json = serde_json::from_str::<serde_json::Number>(written).is_ok();
            if is_json {
                written.to_owned()
            } else {
                number.to_string()
            }
        }
        Data::Bool(_) | Data::Int(_) | Data::Float(_) => {
            let is_plain = node.style == Style::Plain && !written.contains(['\n', '\r']);
            is_plain.then(|| written.to_owned())?
        }
        Data::Sequence(_) | Data::Mapping(_) => {
            let mut parts = Vec::new();
            for child in children(node) {
                let value = flow(child.value, text, json)?;
                parts.push(match child.entry {
                    None => value,
                    Some(entry) if json && entry.key.as_str().is_none() => return None,
                    Some(entry) => format!("{}: {value}", flow(&entry.key, text, json)?),
                });
            }
            let parts = parts.join(", ");
            match node.data {
                Data::Sequence(_) => format!("[{parts}]"),
                _ => format!("{{{parts}}}"),
            }
        }
    })
}

/// The blanks behind a dash, where something stands behind it on its line.
pub(super) fn gap<'t>(page: &Page<'t>, dash: usize) -> &'t str {
    let rest = &page.text[dash + 1..page.line_end(dash)];
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let (gap, behind) = rest.split_at(blanks);
    let is_usual = !is_blank(behind) && !behind.starts_with(['#', '&', '!', '|', '>', '\t']);
    if is_usual && !gap.is_empty() {
        gap
    } else {
        " "
    }
}
