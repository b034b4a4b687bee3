//! Text that dbt renders as Jinja: text comes in, and text that dbt shows as the first goes out.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// The function calls that dbt evaluates in the arguments of a test even without braces.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r"(?s)^\s*(?:env_var|ref|var|source|doc)\s*\(.+\)\s*$").unwrap()
});

/// A call that selects a relation, whose arguments are texts.
static SELECTION: LazyLock<Regex> = LazyLock::new(|| {
    const TEXT: &str = r#"(?:'[^']*'|"[^"]*")"#;
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(&format!(
        r"^\s*(ref|source)\s*\(\s*({TEXT})\s*(?:,\s*({TEXT})\s*)?(?:,\s*(?:v|version)\s*=\s*({TEXT}|[0-9.]+)\s*)?\)\s*$"
    ))
    .unwrap()
});

/// A call in one spelling, so that two of them can be compared.
pub fn normal_call(call: &str) -> Option<String> {
    let call = call.trim();
    // Older projects put braces around it.
    let call = call
        .strip_prefix("{{")
        .and_then(|call| call.strip_suffix("}}"))
        .unwrap_or(call);
    let parts = SELECTION.captures(call)?;
    let text = |index: usize| {
        let part = parts.get(index)?.as_str();
        Some(part.trim_matches(['"', '\'']).to_owned())
    };
    let mut words = vec![parts[1].to_owned()];
    words.extend((2..=4).filter_map(text));
    Some(words.join("\0"))
}

/// `text` for a field that dbt renders once: each `{{`, `{%` and `{#` becomes an expression that
/// prints it. Closing braces alone mean nothing to Jinja.
///
/// A `{% raw %}` block would end at an `{% endraw %}` in the text.
pub fn escape(text: &str) -> Cow<'_, str> {
    let Some(mut at) = opener(text) else {
        return Cow::Borrowed(text);
    };
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut rest = text;
    loop {
        let (before, from) = rest.split_at(at);
        let (brace, after) = from.split_at(2);
        escaped.push_str(before);
        escaped.push_str("{{ '");
        escaped.push_str(brace);
        escaped.push_str("' }}");
        rest = after;
        match opener(rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    escaped.push_str(rest);
    Cow::Owned(escaped)
}

/// `text` for an argument of a test, where dbt also evaluates what looks like a call of `ref`,
/// `source`, `var`, `env_var` or `doc`: as a whole it becomes a string in an expression.
pub fn escape_argument(text: &str) -> Cow<'_, str> {
    if !CALL.is_match(text) {
        return escape(text);
    }
    Cow::Owned(format!("{{{{ {} }}}}", string(text)))
}

/// What `text` shows where [`escape`] or [`escape_argument`] may have made it; `None` where it is
/// Jinja of somebody else, which only dbt can render.
pub fn unescape(text: &str) -> Option<String> {
    if let Some(inside) = text.strip_prefix("{{ \"")
        && let Some(inside) = inside.strip_suffix("\" }}")
        && let Some(plain) = content(inside)
    {
        return Some(plain);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = opener(rest) {
        let printed = rest[at..].strip_prefix("{{ '")?;
        let (brace, after) = printed.split_at_checked(2)?;
        opener(brace)?;
        plain.push_str(&rest[..at]);
        plain.push_str(brace);
        rest = after.strip_prefix("' }}")?;
    }
    plain.push_str(rest);
    Some(plain)
}

/// Whether dbt evaluates an argument of a test although it has no braces.
pub fn is_call(text: &str) -> bool {
    CALL.is_match(text)
}

/// What stands between the quotes of a [`string`].
fn content(inside: &str) -> Option<String> {
    let mut content = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return None,
            '\\' => content.push(match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                escaped @ ('"' | '\\') => escaped,
                _ => return None,
            }),
            _ => content.push(character),
        }
    }
    Some(content)
}

/// `text` as a string in an expression.
pub fn string(text: &str) -> String {
    let mut string = String::with_capacity(text.len() + 2);
    string.push('"');
    for character in text.chars() {
        match character {
            '\\' => string.push_str("\\\\"),
            '"' => string.push_str("\\\""),
            '\n' => string.push_str("\\n"),
            '\r' => string.push_str("\\r"),
            _ => string.push(character),
        }
    }
    string.push('"');
    string
}

/// Where the next opener of Jinja stands.
fn opener(text: &str) -> Option<usize> {
    text.as_bytes()
        .windows(2)
        .position(|pair| matches!(pair, b"{{" | b"{%" | b"{#"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn openers_are_printed() {
        let cases = [
            ("plain { x }", "plain { x }"),
            ("{{ x }}", "{{ '{{' }} x }}"),
            ("^{#x}$", "^{{ '{#' }}x}$"),
            (
                "a {% raw %} b {% endraw %}",
                "a {{ '{%' }} raw %} b {{ '{%' }} endraw %}",
            ),
            ("{{{", "{{ '{{' }}{"),
            ("{{{{", "{{ '{{' }}{{ '{{' }}"),
            ("ä{{ö", "ä{{ '{{' }}ö"),
            ("[0-9]{0,3}", "[0-9]{0,3}"),
            ("ref('x')", "ref('x')"),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn calls_are_printed_in_arguments() {
        let cases = [
            ("ref('x')", r#"{{ "ref('x')" }}"#),
            (" var(\"a\")", r#"{{ " var(\"a\")" }}"#),
            ("reference(1)", "reference(1)"),
            ("ref x", "ref x"),
            ("{{ ref('x') }}", "{{ '{{' }} ref('x') }}"),
        ];
        for (text, expected) in cases {
            assert_eq!(escape_argument(text), expected);
        }
    }

    #[test]
    fn what_others_write_is_not_unescaped() {
        for text in [
            "{{ doc('x') }}",
            "a {% if x %}",
            "{# c #}",
            "{{ \"a\" ~ \"b\" }}",
            "{{",
        ] {
            assert_eq!(unescape(text), None, "{text}");
        }
        assert_eq!(unescape("a } b"), Some("a } b".to_owned()));
    }

    proptest! {
        #[test]
        fn any_text_renders_to_itself(text in any::<String>(), braces in "[{}%#'\" a-b\\\\]{0,24}") {
            let environment = minijinja::Environment::new();
            // Jinja drops a line ending at the very end of every text.
            let plain = format!("{text}{braces}.");
            let call = format!("ref({plain})");
            for (text, escaped) in [(&plain, escape(&plain)), (&call, escape_argument(&call))] {
                let shown = environment.render_str(&escaped, ()).unwrap();
                prop_assert_eq!(&shown, text);
                prop_assert_eq!(unescape(&escaped), Some(text.clone()));
            }
        }
    }
}
