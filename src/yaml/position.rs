//! Byte offsets to lines and columns: an offset comes in, the place that an editor shows goes out.

/// Where the lines of one text begin.
///
/// Lines end with LF, CRLF or a lone CR, as YAML has it.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// The index of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |&at: &usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let after = (0..bytes.len()).filter(ends_line).map(|at| at + 1);
        Self {
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    /// Line and column of an offset in `text`, the text of the index; both count from 1, the column in
    /// characters without a byte-order mark. An offset past the end counts as the end, one inside a
    /// character as that character.
    pub fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let offset = floor_char_boundary(text, offset);
        let line = self.starts.partition_point(|&start| start <= offset);
        let before = &text[self.starts[line - 1]..offset];
        let column = before.trim_start_matches('\u{feff}').chars().count() + 1;
        (line, column)
    }
}

/// The offset, or the nearest one before it at which a character begins.
pub(super) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters() {
        let text = "\u{feff}aé: b\r\nc\rd\n";
        let index = LineIndex::new(text);
        let at = |part: &str| index.position(text, text.find(part).unwrap());
        assert_eq!(
            ["a", ":", "\r\n", "c", "d"].map(at),
            [(1, 1), (1, 3), (1, 6), (2, 1), (3, 1)]
        );
        assert_eq!(index.position(text, text.len()), (4, 1));
        assert_eq!(index.position(text, 99), (4, 1));
        assert_eq!(LineIndex::new("").position("", 0), (1, 1));
        assert_eq!(LineIndex::new("é").position("é", 1), (1, 1));
    }
}
