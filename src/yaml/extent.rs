//! Spans: the parser's ranges and positions come in, spans as a person would mark them go out.

use granit_parser::ScanError;

use super::node::Span;
use super::position::floor_char_boundary;

/// The bytes that the parser names.
pub(super) fn of(span: granit_parser::Span) -> Span {
    // A parser over a `&str` knows the offset of every position.
    let range = span.byte_range().unwrap_or_default();
    Span::new(range.start, range.end)
}

/// The character at which the parser gave up; empty at the end of a line or of the text.
pub(super) fn of_error(error: &ScanError, text: &str) -> Span {
    let start = floor_char_boundary(text, error.marker().byte_offset().unwrap_or(text.len()));
    let length = text[start..]
        .chars()
        .next()
        .filter(|character| !matches!(character, '\n' | '\r'));
    Span::new(start, start + length.map_or(0, char::len_utf8))
}

/// The place of a value that is not there: behind the key's `:`, where it would be written. The parser's
/// is before it.
pub(super) fn missing_value(text: &str, place: Span) -> Span {
    let rest = text[place.start()..].trim_start_matches([' ', '\t']);
    if !rest.starts_with(':') {
        return place;
    }
    let start = text.len() - rest.len() + 1;
    Span::new(start, start)
}

/// A block scalar from its indicator to the end of its last line. The parser's span is the content from
/// its first character on, with the blank lines and the indentation that follow it. `before` is a place
/// between the previous node and the indicator.
pub(super) fn block_scalar(text: &str, before: usize, content: Span) -> Span {
    let start = indicator(text, before, content.start());
    let header = text[start..]
        .find(|c: char| !"|>+-0123456789".contains(c))
        .unwrap_or(text.len() - start);
    let keep = text[start..start + header].contains('+');
    let mut end = content.end().max(start + header);
    loop {
        let line = text[start..end].rfind(['\n', '\r']).map(|at| start + at);
        let Some(line_break) = line else {
            return Span::new(start, start + header);
        };
        if !text[line_break + 1..end]
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t'))
        {
            return Span::new(start, end);
        }
        end = if text[..=line_break].ends_with("\r\n") {
            line_break - 1
        } else {
            line_break
        };
        if keep {
            return Span::new(start, end);
        }
    }
}

/// The `|` or `>` of a block scalar: behind a key's `:`, an item's `-`, comments, a tag and an anchor.
fn indicator(text: &str, before: usize, latest: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = before;
    while at <= latest && at < bytes.len() {
        match bytes[at] {
            b'|' | b'>' => return at,
            b'#' => at += skip(&bytes[at..], |byte| matches!(byte, b'\n' | b'\r')),
            b'&' | b'!' => at += skip(&bytes[at..], u8::is_ascii_whitespace),
            _ => at += 1,
        }
    }
    latest
}

/// How many bytes come before the first that ends a token.
fn skip(bytes: &[u8], ends: fn(&u8) -> bool) -> usize {
    bytes.iter().position(ends).unwrap_or(bytes.len())
}
