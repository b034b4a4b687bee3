//! Lines and places: a text with its comments comes in, where things begin and end in it goes out.

use super::super::node::{Data, Node, Span, Style};

/// A text to look for places in.
#[derive(Clone, Copy)]
pub(super) struct Page<'t> {
    pub(super) text: &'t str,
    /// The comments, in order; none where they do not matter.
    pub(super) comments: &'t [Span],
}

impl<'t> Page<'t> {
    /// A page to cut from.
    pub(super) fn bare(text: &'t str) -> Self {
        let comments = &[];
        Self { text, comments }
    }

    /// The line break that most lines end with.
    pub(super) fn line_break(&self) -> &'static str {
        let both = self.text.matches("\r\n").count();
        let feeds = self.text.matches('\n').count() - both;
        let returns = self.text.matches('\r').count() - both;
        match () {
            () if both > feeds.max(returns) => "\r\n",
            () if returns > feeds => "\r",
            () => "\n",
        }
    }

    /// Where the text begins, behind a byte-order mark.
    pub(super) fn first(&self) -> usize {
        self.text.len() - self.text.trim_start_matches('\u{feff}').len()
    }

    /// Where the line of a byte begins.
    pub(super) fn line_start(&self, at: usize) -> usize {
        let before = self.text[..at].rfind(['\n', '\r']);
        before.map_or_else(|| self.first().min(at), |found| found + 1)
    }

    /// Where the line of a byte ends, before its break.
    pub(super) fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.find(['\n', '\r']).unwrap_or(rest.len())
    }

    /// Where the line behind the one that ends at `end` begins; the same place at the end of the text.
    pub(super) fn next_line(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        end + match () {
            () if rest.starts_with("\r\n") => 2,
            () if rest.starts_with(['\n', '\r']) => 1,
            () => 0,
        }
    }

    /// Where the line before the one that begins at `start` ends; the same place for the first line.
    pub(super) fn line_before(&self, start: usize) -> usize {
        let before = &self.text[..start];
        let cut = before.strip_suffix("\r\n");
        let cut = cut.or_else(|| before.strip_suffix(['\n', '\r']));
        cut.map_or(start, str::len)
    }

    /// What stands before a byte on its line.
    pub(super) fn lead(&self, at: usize) -> &'t str {
        &self.text[self.line_start(at)..at]
    }

    /// How many bytes stand before a byte on its line.
    pub(super) fn column(&self, at: usize) -> usize {
        self.lead(at).len()
    }

    /// Whether only blanks and the dashes of items stand before a byte on its line.
    pub(super) fn is_block_start(&self, at: usize) -> bool {
        let lead = self.lead(at);
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        lead.bytes().enumerate().all(|(index, byte)| {
            blank(&byte) || byte == b'-' && lead.as_bytes().get(index + 1).is_some_and(blank)
        })
    }

    /// Whether only blanks stand before a byte on its line.
    pub(super) fn is_own_line(&self, at: usize) -> bool {
        is_blank(self.lead(at))
    }

    /// Whether the line that begins at `start` has nothing but blanks.
    pub(super) fn is_blank_line(&self, start: usize) -> bool {
        is_blank(&self.text[start..self.line_end(start)])
    }

    /// The column of the comment that is all that the line at `start` has.
    pub(super) fn comment_line(&self, start: usize) -> Option<usize> {
        let line = &self.text[start..self.line_end(start)];
        let column = line.len() - line.trim_start_matches([' ', '\t']).len();
        self.comment_at(start + column).map(|_| column)
    }

    /// The comment that begins at a byte.
    pub(super) fn comment_at(&self, at: usize) -> Option<Span> {
        let found = self.comments.binary_search_by_key(&at, |span| span.start());
        found.ok().map(|index| self.comments[index])
    }

    /// Whether a comment begins in a range.
    pub(super) fn has_comment(&self, start: usize, end: usize) -> bool {
        let index = self.comments.partition_point(|span| span.start() < start);
        self.comments
            .get(index)
            .is_some_and(|span| span.start() < end)
    }

    /// The end of the last thing that is written of a node.
    pub(super) fn end(&self, node: &Node) -> usize {
        let mut end = node.place().end();
        if node.alias().is_some() {
            return end;
        }
        if let Some(properties) = &node.properties {
            let spans = properties.anchor.into_iter().chain(properties.tag);
            let last = spans.map(Span::end).max().unwrap_or_default();
            if is_missing(node) {
                return last;
            }
            end = end.max(last);
        }
        if node.style != Style::Block {
            return end;
        }
        match &node.data {
            Data::Sequence(items) => items.last().map_or(end, |item| self.item_end(item)),
            Data::Mapping(mapping) => match mapping.iter().last() {
                // What a merge key or an earlier one of two keys has stands behind all others.
                Some(entry) if !entry.merged && entry.value.place().end() >= end => {
                    self.end(&entry.value)
                }
                _ => end,
            },
            _ => end,
        }
    }

    /// The end of an item, at least behind its dash.
    pub(super) fn item_end(&self, item: &Node) -> usize {
        match self.dash(item) {
            Some(dash) if is_missing(item) && item.properties.is_none() => dash + 1,
            _ => self.end(item),
        }
    }

    /// The dash of a block list's item.
    pub(super) fn dash(&self, item: &Node) -> Option<usize> {
        let mut outer = 0;
        let mut node = item;
        // The lists that are first items of each other begin at one place.
        while node.properties.is_none()
            && node.style == Style::Block
            && let Some(first) = node.as_sequence().and_then(<[Node]>::first)
        {
            outer += 1;
            node = first;
        }
        let mut at = property_start(node);
        for _ in 0..=outer {
            at = self.token_end(at);
            at = self.text[..at].strip_suffix('-')?.len();
        }
        Some(at)
    }

    /// Where the last thing before a byte ends, blanks, line breaks and comments apart.
    fn token_end(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            end = self.text[..end]
                .trim_end_matches([' ', '\t', '\n', '\r'])
                .len();
            let found = self.comments.binary_search_by_key(&end, |span| span.end());
            match found {
                Ok(index) => end = self.comments[index].start(),
                Err(_) => return end,
            }
        }
    }

    /// Where the text of a value begins: a block list at its first dash.
    pub(super) fn start(&self, node: &Node) -> Option<usize> {
        let first = node.as_sequence().and_then(<[Node]>::first);
        match first.filter(|_| node.style == Style::Block) {
            Some(first) => self.dash(first),
            None => Some(node.place().start()),
        }
    }

    /// Where the colon behind a key ends.
    pub(super) fn colon(&self, key: &Node) -> Option<usize> {
        let end = key.place().end();
        let rest = self.text[end..].trim_start_matches([' ', '\t']);
        rest.starts_with(':')
            .then(|| self.text.len() - rest.len() + 1)
    }

    /// Where the lines of a child end: behind a comment on its last line, and behind comment lines directly
    /// below that stand deeper than the child.
    pub(super) fn tail(&self, end: usize, column: usize) -> usize {
        let mut end = self.line_end(end);
        loop {
            let next = self.next_line(end);
            if next == end || self.comment_line(next).is_none_or(|at| at <= column) {
                return end;
            }
            end = self.line_end(next);
        }
    }

    /// Where the comment lines begin that belong to what stands at `column` of the line at `start`: directly
    /// above it, at its column, and not at the head of the file.
    pub(super) fn with_comments(&self, start: usize, column: usize) -> usize {
        let mut first = start;
        loop {
            if first <= self.first() {
                return start;
            }
            let above = self.line_start(self.line_before(first));
            if self.comment_line(above) != Some(column) {
                return first;
            }
            first = above;
        }
    }
}

/// Where a node begins, with an anchor and a tag before it.
pub(super) fn property_start(node: &Node) -> usize {
    let at = node.place().start();
    let own = node.properties.as_ref().filter(|_| node.alias().is_none());
    let spans = own.into_iter();
    let spans = spans.flat_map(|own| own.anchor.into_iter().chain(own.tag));
    spans
        .map(Span::start)
        .min()
        .map_or(at, |start| start.min(at))
}

/// Whether a value is not written at all.
pub(super) fn is_missing(node: &Node) -> bool {
    node.is_null() && node.style == Style::Plain && node.place().start() >= node.place().end()
}

/// Whether a value is a list or mapping by indentation.
pub(super) fn is_block(node: &Node) -> bool {
    node.style == Style::Block
}

/// Whether a value begins with `|` or `>`.
pub(super) fn is_block_scalar(node: &Node) -> bool {
    matches!(node.style, Style::Literal | Style::Folded)
}

/// Whether a text has nothing but blanks.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}
