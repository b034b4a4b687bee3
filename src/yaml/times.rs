//! Times of day without quotes, which YAML 1.1 reads as numbers to base 60: `12:30:00` becomes the text
//! that its author wrote, as dates are text from the start.

use std::borrow::Cow;

use super::node::{Data, Node};
use super::scalar::is_sexagesimal;

/// Makes times of day in a tree text again. `text` is the file's; a tree without any is not copied.
pub fn as_text(root: &mut Cow<'_, Node>, text: &str) {
    if may_have_any(text) && has_any(root, text) {
        convert(root.to_mut(), text);
    }
}

/// Whether a colon stands between digits somewhere.
fn may_have_any(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|bytes| bytes[0].is_ascii_digit() && bytes[1] == b':' && bytes[2].is_ascii_digit())
}

/// The time of day that a node is.
fn written<'t>(node: &Node, text: &'t str) -> Option<&'t str> {
    let is_number = matches!(node.data, Data::Int(_) | Data::Float(_));
    // A tag says that the number is meant.
    let is_tagged = node
        .properties
        .as_ref()
        .is_some_and(|properties| properties.tag.is_some());
    let written = text.get(node.span.range())?;
    (is_number && !is_tagged && is_sexagesimal(written)).then_some(written)
}

fn has_any(node: &Node, text: &str) -> bool {
    match &node.data {
        Data::Sequence(items) => items.iter().any(|item| has_any(item, text)),
        Data::Mapping(mapping) => mapping.iter().any(|entry| has_any(&entry.value, text)),
        _ => written(node, text).is_some(),
    }
}

fn convert(node: &mut Node, text: &str) {
    if let Some(written) = written(node, text) {
        node.data = Data::String(written.to_owned());
    }
    match &mut node.data {
        Data::Sequence(items) => items.iter_mut().for_each(|item| convert(item, text)),
        Data::Mapping(mapping) => mapping
            .values_mut()
            .for_each(|(_, value)| convert(value, text)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::yaml::{Limits, parse};

    #[test]
    fn times_are_text_and_other_numbers_stay() {
        let text = "a: 12:30:00\nb: ['1:30', 1:30.5, 010, {c: &t 23:59:59}]\nd: *t\ne: !!int 1:30\nf: 1:60\n";
        let tree = parse(text, &Limits::default()).documents.remove(0);
        let mut root = Cow::Borrowed(&tree);
        as_text(&mut root, text);
        let expected = json!({
            "a": "12:30:00", "b": ["1:30", "1:30.5", 8, {"c": "23:59:59"}],
            "d": "23:59:59", "e": 90, "f": "1:60"
        });
        assert_eq!(root.to_json(), expected);
        let text = "a: '12:30'\nb: 5\n";
        let tree = parse(text, &Limits::default()).documents.remove(0);
        let mut root = Cow::Borrowed(&tree);
        as_text(&mut root, text);
        assert!(matches!(root, Cow::Borrowed(_)));
    }
}
