//! Text to YAML: a string comes in, a scalar goes out that readers of YAML 1.1 (PyYAML, and so dbt) and
//! of YAML 1.2 both take back as exactly that string.

use std::fmt::Write;

use super::scalar::typed;

/// Characters that mean something at the start of a scalar.
const INDICATORS: &str = "-?:,[]{}#&*!|>'\"%@`";

/// Words that some reader takes for a value that is not text, in lower case.
const RESERVED: [&str; 12] = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "=",
];

/// Characters that numbers, dates and times in any notation are made of.
const NUMERIC: &str = "0123456789abcdefABCDEFxXoOtTzZiInN_.,:+- ";

/// A scalar on one line for a key or value of a block collection: plain where that is safe, else in
/// single quotes, else, for line breaks and characters that do not print, in double quotes.
pub fn scalar(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// The same for a place inside `[…]` or `{…}`, where commas, brackets and colons need quotes too.
pub fn flow_scalar(text: &str) -> String {
    let plain = is_plain(text) && !text.contains([',', '[', ']', '{', '}', ':', '?']);
    if plain { text.to_owned() } else { quoted(text) }
}

/// A literal block scalar for text of several lines, its lines indented by `indent` spaces.
///
/// It begins with `|`, `|-` or `|+` and lacks the last line break, so that it stands where any other scalar
/// could; a line break must follow. `None` when only another notation is exact: for text of one line,
/// text that begins with a blank, has lines of blanks only or characters that need escapes.
pub fn block(text: &str, indent: usize) -> Option<String> {
    let body = text.trim_end_matches('\n');
    let exact = indent > 0
        && text.contains('\n')
        && !body.is_empty()
        && text
            .chars()
            .all(|character| character == '\n' || is_printable(character))
        && text
            .lines()
            .all(|line| line.is_empty() || !line.trim_matches(' ').is_empty())
        && !body.trim_start_matches('\n').starts_with(' ');
    if !exact {
        return None;
    }
    let (header, lines) = match text.len() - body.len() {
        0 => ("|-", text),
        1 => ("|", body),
        _ => ("|+", &text[..text.len() - 1]),
    };
    let mut out = header.to_owned();
    for line in lines.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    }
    Some(out)
}

/// A number with a point, which readers of YAML 1.1 take for one with an exponent too.
pub fn float(number: f64) -> String {
    let size = number.abs();
    if number.is_nan() {
        ".nan".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { ".inf" } else { "-.inf" }.to_owned()
    } else if size == 0.0 || (1e-9..1e17).contains(&size) {
        format!("{number:?}")
    } else {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        format!("{mantissa}{point}e{sign}{exponent}")
    }
}

/// Whether text without quotes is read as itself.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    !INDICATORS.contains(first)
        && text.chars().all(is_printable)
        && text.trim() == text
        && !(text.contains(':') && (text.contains(": ") || text.ends_with(':')))
        && !(text.contains('#') && text.contains(" #"))
        && !looks_typed(text)
}

/// Whether some reader could take the text for a boolean, a number, a date, null or a merge key.
fn looks_typed(text: &str) -> bool {
    let numeric = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    text == "<<"
        || RESERVED.iter().any(|word| text.eq_ignore_ascii_case(word))
        || (numeric && text.chars().all(|character| NUMERIC.contains(character)))
        || typed(text).is_some()
}

fn quoted(text: &str) -> String {
    if text.chars().all(is_printable) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::with_capacity(text.len() + 8);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_printable(character) => out.push(character),
            _ => escape(&mut out, u32::from(character)),
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, code: u32) {
    let written = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
    debug_assert!(
        written.is_ok(),
        "a `String` takes all that is written to it"
    );
}

/// Whether a character may stand in YAML text as it is. Tabs and the breaks of YAML 1.1 (NEL, LS, PS)
/// may as well, but not with one meaning everywhere.
fn is_printable(character: char) -> bool {
    matches!(character,
        ' '..='~'
        | '\u{a0}'..='\u{2027}'
        | '\u{202a}'..='\u{d7ff}'
        | '\u{e000}'..='\u{fefe}'
        | '\u{ff00}'..='\u{fffd}'
        | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::yaml::tests::nasty;
    use crate::yaml::{Limits, Node, ProblemKind, parse};

    #[test]
    fn plain_only_where_every_reader_agrees() {
        let plain =
            ["orders", "Zürich", "it's", "a, b", "a:b", "#"].map(|text| (text, text == "#"));
        for (text, quoted) in plain {
            assert_eq!(scalar(text) != text, quoted, "{text}");
        }
        let quoted = [
            "",
            " a",
            "a ",
            "yes",
            "No",
            "y",
            "N",
            "~",
            "null",
            "1",
            "1.5",
            "1e3",
            "0o17",
            "0x1f",
            "1:30",
            "2024-01-31",
            "<<",
            "=",
            "- a",
            "-",
            "a: b",
            "a:",
            "a #b",
            "{{ x }}",
            "'a'",
            ".inf",
            ".5",
            "+1",
            "1.2.3",
            "...",
            "---",
            "!t",
            "&a",
            "*a",
            "%a",
            "@a",
            "`a`",
        ];
        for text in quoted {
            assert_eq!(scalar(text), format!("'{}'", text.replace('\'', "''")));
        }
        assert_eq!(flow_scalar("a, b"), "'a, b'");
        assert_eq!(
            scalar("a\nb\t\u{1}\u{85}\u{feff}\"\\é"),
            "\"a\\nb\\t\\x01\\x85\\ufeff\\\"\\\\é\""
        );
    }

    #[test]
    fn floats_are_floats_for_every_reader() {
        for (number, expected) in [
            (0.5, "0.5"),
            (-2.0, "-2.0"),
            (1e20, "1.0e+20"),
            (1.5e-12, "1.5e-12"),
            (f64::INFINITY, ".inf"),
        ] {
            assert_eq!(float(number), expected);
        }
    }

    #[test]
    fn block_scalars_only_where_exact() {
        assert_eq!(block("a\n\n  b\n", 2).as_deref(), Some("|\n  a\n\n    b"));
        assert_eq!(block("a\nb", 4).as_deref(), Some("|-\n    a\n    b"));
        assert_eq!(block("a\n\n", 2).as_deref(), Some("|+\n  a\n"));
        for text in [
            "", "a", "\n", "\n\n", " a\nb", "\n a\n", "a\n  \nb", "a\r\nb", "a\tb\nc",
        ] {
            assert_eq!(block(text, 2), None, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quoted_text_comes_back(text in nasty()) {
            let yaml = format!("{0}: {0}\nlist:\n- {0}\nflow: [{1}, {{{1}: {1}}}]\n", scalar(&text), flow_scalar(&text));
            let parsed = parse(&yaml, &Limits::default());
            prop_assert!(parsed.problems.iter().all(|problem| problem.kind == ProblemKind::DuplicateKey), "{yaml} {parsed:?}");
            let flow = json!([text, {(&text): text}]);
            prop_assert_eq!(&parsed.documents[0].locate("/list/0").node.to_json(), &json!(text));
            prop_assert_eq!(parsed.documents[0].locate("/flow").node.to_json(), flow);
            prop_assert!(text == "flow" || text == "list" || parsed.documents[0].get(&text).and_then(Node::as_str) == Some(&text));
        }

        #[test]
        fn block_text_comes_back(text in nasty(), indent in 1_usize..6) {
            if let Some(block) = block(&text, indent) {
                let yaml = format!("a: {block}\nb: 1\n");
                let root = parse(&yaml, &Limits::default()).documents.remove(0);
                prop_assert_eq!(root.get("a").and_then(Node::as_str), Some(text.as_str()));
                prop_assert_eq!(&yaml[root.get("a").unwrap().span.range()], block);
            }
        }
    }
}
