//! New values behind keys and dashes: the old value and the form of the new one come in, edits go out.

use super::super::node::Node;
use super::cut::Form;
use super::page::{is_block, is_block_scalar, is_missing};
use super::{Editor, Rank};

/// The parts of the text that a value has.
struct Parts {
    /// What stands on the line of the key or dash.
    head: (usize, usize),
    /// The lines below, each with the break before it.
    body: (usize, usize),
}

impl Editor<'_, '_> {
    /// Puts a value in the place of another one that begins at `own`, behind the colon or dash that ends
    /// at `behind`.
    pub(super) fn replace(
        &mut self,
        old: &Node,
        behind: usize,
        own: usize,
        form: Form,
        is_item: bool,
    ) {
        let page = self.page();
        let line_break = self.edits.line_break;
        let mut parts = self.parts(old, behind, own);
        let (head, body) = match form {
            Form::Missing => (None, Vec::new()),
            Form::Inline(lines) => (Some(lines.join(line_break)), Vec::new()),
            Form::Scalar(header, lines) => (Some(header), lines),
            Form::Block(_, mut lines) if is_item => {
                let first = lines.remove(0);
                (Some(first), lines)
            }
            Form::Block(column, mut lines) => {
                if let Some(first) = lines.first_mut() {
                    first.insert_str(0, &" ".repeat(column));
                }
                (None, lines)
            }
        };
        if let Some(head) = head {
            let (start, end) = parts.head;
            let head = if start == behind {
                format!(" {head}")
            } else {
                head
            };
            self.patch(start, end, head, Rank::Head);
        } else if parts.head.1 > behind {
            if page.line_start(behind) == page.line_start(parts.head.0) {
                self.patch(behind, parts.head.1, String::new(), Rank::Head);
            } else {
                let start = page.line_before(page.line_start(own));
                parts.body = (start, page.line_end(parts.head.1).max(parts.body.1));
            }
        }
        let lines = body.iter().map(|line| line_break.to_owned() + line);
        let text = lines.collect();
        let (start, end) = parts.body;
        self.patch(start, end, text, Rank::Body);
    }

    fn parts(&self, old: &Node, behind: usize, own: usize) -> Parts {
        let page = self.page();
        let below = |at: usize| (page.line_end(at), page.line_end(at));
        if is_missing(old) {
            return Parts {
                head: (behind, behind),
                body: below(behind),
            };
        }
        let end = page.end(old);
        if is_block_scalar(old) {
            let text = &page.text[own..end];
            let header = text.find(|character| !"|>+-0123456789".contains(character));
            let line_end = page.line_end(own);
            return Parts {
                head: (own, own + header.unwrap_or(text.len())),
                body: (line_end, line_end.max(end)),
            };
        }
        if !is_block(old) {
            return Parts {
                head: (own, end),
                body: below(end),
            };
        }
        let tail = page.tail(end, page.column(own));
        if page.line_start(own) != page.line_start(behind) {
            return Parts {
                head: (behind, behind),
                body: (page.line_before(page.line_start(own)), tail),
            };
        }
        // A comment on the only line is about what is new as well.
        let is_one_line = page.line_end(own) == tail;
        Parts {
            head: (own, if is_one_line { end } else { tail }),
            body: (tail, tail),
        }
    }
}
