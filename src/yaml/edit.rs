//! Edits: a text and new notations for some of its scalars come in, the changed text goes out, but only
//! where it is read as the old tree with just these scalars replaced.

use serde::de::IgnoredAny;

use super::mapping::Entry;
use super::node::{Data, Located, Node, Span, Style};
use super::parse::{Limits, Parsed, parse};
use super::quote;

/// A scalar that is written anew.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The scalar as it stands in the text, quotes included.
    pub span: Span,
    /// What takes its place: one scalar.
    pub text: String,
}

impl Edit {
    /// The scalar `node` in quotes, with the very characters that it has without them.
    pub fn quoted(root: &Node, text: &str, node: &Node) -> Option<Self> {
        let written = text.get(node.span.range())?;
        let typed = matches!(node.data, Data::Bool(_) | Data::Int(_) | Data::Float(_));
        if !typed || node.style != Style::Plain || written.contains(['\'', '"', '\\', '\n']) {
            return None;
        }
        let mark = if is_json(root) { '"' } else { '\'' };
        Some(Self {
            span: node.span,
            text: format!("{mark}{written}{mark}"),
        })
    }

    /// The scalar `node` as the text `word`, in the notation that the scalar has.
    pub fn word(root: &Node, node: &Node, word: &str) -> Option<Self> {
        let text = match node.style {
            Style::Plain if !is_json(root) => quote::flow_scalar(word),
            Style::SingleQuoted => format!("'{}'", word.replace('\'', "''")),
            // YAML reads the escapes of JSON.
            Style::Plain | Style::DoubleQuoted => serde_json::to_string(word).ok()?,
            Style::Literal | Style::Folded | Style::Block | Style::Flow => return None,
        };
        let span = node.span;
        (span.start() < span.end()).then_some(Self { span, text })
    }

    /// The scalar `node` as `true` or `false`.
    pub fn boolean(node: &Node, value: bool) -> Option<Self> {
        let text = value.to_string();
        let span = node.span;
        matches!(node.data, Data::Bool(_)).then_some(Self { span, text })
    }
}

/// JSON has quotes around its keys, and no single ones.
fn is_json(root: &Node) -> bool {
    root.style == Style::Flow
}

/// The value at a JSON pointer, if its text is its own: nothing on the way to it is an alias, has an
/// anchor that an alias may name, or came in by a merge key. What stands there has no tag either.
pub fn sole<'a>(root: &'a Node, pointer: &str) -> Option<Located<'a>> {
    let mut end = 0;
    loop {
        let located = root.locate(&pointer[..end]);
        let key = located.key;
        let shared = |node: &Node| node.properties.is_some();
        if !located.complete || shared(located.node) || key.is_some_and(shared) {
            return None;
        }
        if end == pointer.len() {
            return Some(located);
        }
        let rest = &pointer[end + 1..];
        let token = &rest[..rest.find('/').unwrap_or(rest.len())];
        let name = token.replace("~1", "/").replace("~0", "~");
        if located.node.entry(&name).is_some_and(|entry| entry.merged) {
            return None;
        }
        end += 1 + token.len();
    }
}

/// The text with all edits made, which must be in order and apart. `None` where the result would not be
/// read as the old tree with just these scalars replaced, everything else where it was.
pub fn patch(text: &str, edits: &[Edit]) -> Option<String> {
    let patched = splice(text, edits)?;
    let limits = Limits::default();
    let meanings = edits
        .iter()
        .map(|edit| meaning(&edit.text, &limits))
        .collect::<Option<Vec<Node>>>()?;
    let mut moved = 0;
    let guard = Guard {
        edits,
        meanings,
        moves: edits
            .iter()
            .map(|edit| {
                moved += edit.text.len().cast_signed();
                moved -= (edit.span.end() - edit.span.start()).cast_signed();
                moved
            })
            .collect(),
    };
    let (old, new) = (parse(text, &limits), parse(&patched, &limits));
    let is_meant = guard.is_meant(&old, &new)
        && comments(text, &old).eq(comments(&patched, &new))
        && (!is_json_text(text) || is_json_text(&patched));
    is_meant.then_some(patched)
}

/// The text with all edits made, which must be in order and apart; whoever calls it looks whether the
/// result is what was meant.
pub fn splice(text: &str, edits: &[Edit]) -> Option<String> {
    let mut patched = String::with_capacity(text.len() + 64);
    let mut end = 0;
    for edit in edits {
        patched.push_str(text.get(end..edit.span.start())?);
        patched.push_str(&edit.text);
        text.get(edit.span.range())?;
        end = edit.span.end();
    }
    patched.push_str(text.get(end..)?);
    Some(patched)
}

/// What the notation of a scalar means by itself.
fn meaning(notation: &str, limits: &Limits) -> Option<Node> {
    let mut parsed = parse(notation, limits);
    let is_scalar = parsed.documents.len() == 1 && parsed.problems.is_empty();
    parsed.documents.pop().filter(|_| is_scalar)
}

fn comments<'a>(text: &'a str, parsed: &'a Parsed) -> impl Iterator<Item = Option<&'a str>> {
    let comments = parsed.comments.iter();
    comments.map(|comment| text.get(comment.range()))
}

pub(super) fn is_json_text(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Compares the tree of a changed text with the one that was meant.
struct Guard<'a> {
    edits: &'a [Edit],
    /// What each edit means.
    meanings: Vec<Node>,
    /// How far the text behind each edit moves.
    moves: Vec<isize>,
}

impl Guard<'_> {
    fn is_meant(&self, old: &Parsed, new: &Parsed) -> bool {
        let mut made = 0;
        let mut documents = old.documents.iter().zip(&new.documents);
        old.documents.len() == new.documents.len()
            && new.problems.len() <= old.problems.len()
            && documents.all(|(old, new)| self.follows(old, new, false, &mut made))
            && made == self.edits.len()
    }

    /// Whether `new` is what becomes of `old`. A copy takes no edit: its text is elsewhere.
    fn follows(&self, old: &Node, new: &Node, copied: bool, made: &mut usize) -> bool {
        let copied = copied || old.alias().is_some();
        let properties = |node: &Node| node.properties.as_deref().copied().unwrap_or_default();
        let (before, after) = (properties(old), properties(new));
        let stays = self.moved(old.span) == new.span
            && old.alias().map(|span| self.moved(span)) == new.alias()
            && before.anchor.map(|span| self.moved(span)) == after.anchor
            && before.tag.map(|span| self.moved(span)) == after.tag;
        if !stays {
            return false;
        }
        // A list of one item, such as `- a`, stands where the item does.
        let is_scalar = !matches!(old.data, Data::Sequence(_) | Data::Mapping(_));
        if is_scalar
            && !copied
            && let Ok(edit) = self.edits.binary_search_by_key(&old.span, |edit| edit.span)
        {
            *made += 1;
            let meant = &self.meanings[edit];
            return new.style == meant.style && is_same_scalar(&meant.data, &new.data);
        }
        let mut below =
            |old: &Node, new: &Node, merged| self.follows(old, new, copied || merged, made);
        old.style == new.style
            && match (&old.data, &new.data) {
                (Data::Sequence(old), Data::Sequence(new)) => {
                    let mut items = old.iter().zip(new);
                    old.len() == new.len() && items.all(|(old, new)| below(old, new, false))
                }
                (Data::Mapping(old), Data::Mapping(new)) => {
                    let mut entries = old.iter().zip(new);
                    let mut same = |old: &Entry, new: &Entry| {
                        old.merged == new.merged
                            && below(&old.key, &new.key, old.merged)
                            && below(&old.value, &new.value, old.merged)
                    };
                    old.len() == new.len() && entries.all(|(old, new)| same(old, new))
                }
                (old, new) => is_same_scalar(old, new),
            }
    }

    /// Where the bytes of `span` are after the edits.
    fn moved(&self, span: Span) -> Span {
        let moved = |offset: usize| {
            let passed = self.edits.partition_point(|edit| edit.span.end() <= offset);
            let distance = passed.checked_sub(1).map_or(0, |last| self.moves[last]);
            offset.saturating_add_signed(distance)
        };
        Span::new(moved(span.start()), moved(span.end()))
    }
}

/// Whether two single values are the same; `.nan` is.
pub(super) fn is_same_scalar(old: &Data, new: &Data) -> bool {
    match (old, new) {
        (Data::Float(old), Data::Float(new)) => old.to_bits() == new.to_bits(),
        (Data::Sequence(_) | Data::Mapping(_), _) => false,
        (old, new) => old == new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the value at the pointer replaced.
    fn replace(text: &str, pointer: &str, new: &str) -> Option<String> {
        let root = parse(text, &Limits::default()).documents.remove(0);
        let span = root.locate(pointer).node.span;
        let text_of_edit = new.to_owned();
        patch(
            text,
            &[Edit {
                span,
                text: text_of_edit,
            }],
        )
    }

    #[test]
    fn all_but_the_scalar_stays_byte_for_byte() {
        for (text, pointer, new, expected) in [
            (
                "\u{feff}# é\r\na:  1.10   # c\r\n\r\n'b': [x ,y]",
                "/a",
                "'1.10'",
                "\u{feff}# é\r\na:  '1.10'   # c\r\n\r\n'b': [x ,y]",
            ),
            (
                "{\"a\": [1, {\"b\" : 2}]}",
                "/a/1/b",
                "\"2\"",
                "{\"a\": [1, {\"b\" : \"2\"}]}",
            ),
            (
                "- a: .nan\n  b: 1\n- |\n   t\n\n",
                "/0/b",
                "x",
                "- a: .nan\n  b: x\n- |\n   t\n\n",
            ),
            (
                "a: &x 1\nb: *x\nc: 2\n",
                "/c",
                "3",
                "a: &x 1\nb: *x\nc: 3\n",
            ),
            ("a: yes\n", "/a", "true", "a: true\n"),
            ("a:\n- 1\n", "/a/0", "'1'", "a:\n- '1'\n"),
        ] {
            assert_eq!(
                replace(text, pointer, new).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn what_would_be_read_otherwise_is_refused() {
        for (text, pointer, new) in [
            // More than one value, or none.
            ("a: 1\n", "/a", "1\nb: 2"),
            ("a: 1\n", "/a", "x: y"),
            ("a: 1\n", "/a", "1 # c"),
            ("a: 1\n", "/a", ""),
            // Not what the notation means by itself.
            ("a: [1]\n", "/a/0", "x, y"),
            ("a: {b: 1}\n", "/a/b", "x}"),
            // Others would change with it.
            ("a: &x 1\nb: *x\n", "/a", "2"),
            ("a: &x {c: 1}\nb: *x\n", "/b/c", "2"),
            ("a: &x {c: 1}\nb: {<<: *x}\n", "/b/c", "2"),
            ("a: {<<: {c: 1}}\n", "/a/c", "2"),
            // JSON has no single quotes.
            ("{\"a\": 1}", "/a", "'1'"),
            // Only scalars are replaced.
            ("a: [1]\n", "/a", "2"),
        ] {
            assert_eq!(replace(text, pointer, new), None, "{text} {new}");
        }
        let duplicate = Edit {
            span: Span::new(0, 1),
            text: "b".into(),
        };
        assert_eq!(patch("a: 1\nb: 2\n", &[duplicate]), None);
        let key = Edit {
            span: Span::new(15, 16),
            text: "c".into(),
        };
        assert_eq!(patch("x: &x {c: 1}\nb: {<<: *x, d: 2}\n", &[key]), None);
        let edit = |start, end| Edit {
            span: Span::new(start, end),
            text: "1".into(),
        };
        assert_eq!(patch("a: b\n", &[edit(3, 4), edit(3, 4)]), None);
        assert_eq!(patch("a: é\n", &[edit(4, 5)]), None);
        assert_eq!(patch("a: b\n", &[edit(3, 9)]), None);
    }

    #[test]
    fn several_edits_move_what_follows() {
        let edit = |start, end, text: &str| Edit {
            span: Span::new(start, end),
            text: text.into(),
        };
        let text = "abcdef: 1\nb: {c: 22}\nd: x\n";
        let edits = [edit(0, 6, "a"), edit(14, 15, "long"), edit(17, 19, "'22'")];
        assert_eq!(
            patch(text, &edits).as_deref(),
            Some("a: 1\nb: {long: '22'}\nd: x\n")
        );
    }

    #[test]
    fn a_value_is_its_own_where_nothing_shares_its_text() {
        let text = "a: &x {b: {c: 1}}\nd: *x\ne: {<<: *x, f: 2}\n'g/h': [!!str 1, 2]\n";
        let root = parse(text, &Limits::default()).documents.remove(0);
        for (pointer, own) in [
            ("", true),
            ("/a", false),
            ("/a/b/c", false),
            ("/d/b", false),
            ("/e", true),
            ("/e/b", false),
            ("/e/f", true),
            ("/g~1h/0", false),
            ("/g~1h/1", true),
            ("/g~1h/2", false),
        ] {
            assert_eq!(sole(&root, pointer).is_some(), own, "{pointer}");
        }
    }

    #[test]
    fn a_word_takes_the_notation_of_the_scalar() {
        let written = |text: &str, word: &str| {
            let root = parse(text, &Limits::default()).documents.remove(0);
            let node = root.locate("/a").node;
            Edit::word(&root, node, word).map(|edit| edit.text)
        };
        for (text, word, expected) in [
            ("a: x", "z", Some("z")),
            ("a: x", "1.10", Some("'1.10'")),
            ("a: 'x'", "it's", Some("'it''s'")),
            ("a: \"x\"", "y\"z", Some("\"y\\\"z\"")),
            ("{\"a\": 3.1}", "v3.1.0", Some("\"v3.1.0\"")),
            ("a: |\n  x\n", "y", None),
            ("a:", "y", None),
        ] {
            assert_eq!(written(text, word).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn quotes_keep_what_is_written() {
        let quoted = |text: &str| {
            let root = parse(text, &Limits::default()).documents.remove(0);
            Edit::quoted(&root, text, root.locate("/a").node).map(|edit| edit.text)
        };
        for (text, expected) in [
            ("a: 1.10", Some("'1.10'")),
            ("a: 0x1F # c", Some("'0x1F'")),
            ("a: yes", Some("'yes'")),
            ("{\"a\": 1e5, \"b\": 2}", None),
            ("{\"a\": 1.50}", Some("\"1.50\"")),
            ("a: text", None),
            ("a: '1'", None),
            ("a:", None),
        ] {
            assert_eq!(quoted(text).as_deref(), expected, "{text}");
        }
    }
}
