//! The front end as a whole: spans, values, anchors, limits, and any text at all.

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// The only document of a text without problems.
fn tree(text: &str) -> Node {
    let mut parsed = parse(text, &Limits::default());
    assert_eq!(parsed.problems, [], "{text}");
    assert_eq!(parsed.documents.len(), 1, "{text}");
    parsed.documents.remove(0)
}

/// The kinds of problems with the text they point at.
fn problems(text: &str) -> Vec<(ProblemKind, &str)> {
    let parsed = parse(text, &Limits::default());
    parsed
        .problems
        .iter()
        .map(|problem| (problem.kind, &text[problem.span.range()]))
        .collect()
}

/// What the node at a pointer is written as.
fn written<'text>(text: &'text str, pointer: &str) -> &'text str {
    let root = tree(text);
    let located = root.locate(pointer);
    assert!(located.complete, "{pointer}");
    &text[located.node.place().range()]
}

#[test]
fn scalars_span_what_is_written() {
    let text = "plain: two\n  lines   # comment\nsingle: 'it''s'\ndouble: \"a\\n\"\nempty:\ntilde: ~\nlast: é";
    let expected = [
        ("/plain", "two\n  lines"),
        ("/single", "'it''s'"),
        ("/double", "\"a\\n\""),
        ("/empty", ""),
        ("/tilde", "~"),
        ("/last", "é"),
    ];
    for (pointer, slice) in expected {
        assert_eq!(written(text, pointer), slice, "{pointer}");
    }
    assert_eq!(
        tree(text).get("empty").unwrap().span.start(),
        text.find("empty:").unwrap() + 6
    );
}

#[test]
fn block_scalars_span_from_indicator_to_content() {
    let cases = [
        ("a: |\n  x\n  y  \n\n\nb: 1\n", "|\n  x\n  y  "),
        (
            "a: >- # folded | text\n\n  x\n# end\nb: 1\n",
            ">- # folded | text\n\n  x",
        ),
        (
            "a: # why | not > this\n  !!str |2\n    x\nb: 1\n",
            "|2\n    x",
        ),
        ("a: &x|y |+\n  x\n\n\nb: 1\n", "|+\n  x\n\n"),
        ("a: |\r\n  x\r\n  y\r\nb: 1\r\n", "|\r\n  x\r\n  y"),
        ("a: |\nb: 1\n", "|"),
        ("a: |", "|"),
        ("a: |+\n  x", "|+\n  x"),
        ("a:\n  |\n  x\n", "|\n  x"),
        ("\"a|b\": |\n  x\n", "|\n  x"),
    ];
    for (text, slice) in cases {
        let root = tree(text);
        let entry = root.as_mapping().unwrap().iter().next().unwrap();
        assert_eq!(&text[entry.value.span.range()], slice, "{text}");
    }
    assert_eq!(written("|\ntext\n", ""), "|\ntext");
    assert_eq!(written("--- |\n text\n", ""), "|\n text");
    assert_eq!(written("- |\n  x\n- - >\n   y\n", "/0"), "|\n  x");
    assert_eq!(written("- |\n  x\n- - >\n   y\n", "/1/0"), ">\n   y");
}

#[test]
fn collections_span_first_to_last_child() {
    let text = "list:\n  - a: 1\n    b: 2   # comment\n  - [x, {y: z} ]\nmap: &m\n  key: 'v'\n  none:\n\nend: *m\n";
    let expected = [
        ("/list", "- a: 1\n    b: 2   # comment\n  - [x, {y: z} ]"),
        ("/list/0", "a: 1\n    b: 2"),
        ("/list/1", "[x, {y: z} ]"),
        ("/list/1/1", "{y: z}"),
        ("/map", "key: 'v'\n  none:"),
        ("/end", "*m"),
    ];
    for (pointer, slice) in expected {
        let slice = if pointer == "/list" {
            &slice[2..]
        } else {
            slice
        };
        assert_eq!(written(text, pointer), slice, "{pointer}");
    }
    assert_eq!(written("[a: 1, b]", "/0"), "a: 1");
    assert_eq!(written(text, ""), text.trim_end());
    let root = tree(text);
    let anchor = root
        .get("map")
        .unwrap()
        .properties
        .as_ref()
        .unwrap()
        .anchor
        .unwrap();
    assert_eq!(&text[anchor.range()], "&m");
}

#[test]
fn plain_scalars_mean_what_pyyaml_says() {
    let table = [
        (
            "[yes, Yes, YES, on, true, TRUE]",
            json!([true, true, true, true, true, true]),
        ),
        ("[no, off, Off, False]", json!([false, false, false, false])),
        (
            "[y, n, yEs, tRUE, oN]",
            json!(["y", "n", "yEs", "tRUE", "oN"]),
        ),
        (
            "[~, null, Null, NULL, nULL]",
            json!([null, null, null, null, "nULL"]),
        ),
        (
            "[0, -1, +12, 1_000, 0x1F, 0b101, 010, -0x10]",
            json!([0, -1, 12, 1000, 31, 5, 8, -16]),
        ),
        (
            "[08, 0o17, 0x, 0b_, 1-2, '12', 0_, +]",
            json!(["08", "0o17", "0x", "0b_", "1-2", "12", 0, "+"]),
        ),
        (
            "[1:30, -1:30:00, 1:60, 01:30]",
            json!([90, -5400, "1:60", "01:30"]),
        ),
        (
            "[1.5, 1., .5, -.5, 1_0.5, 1.5e+3, 1.5e3, 1e3]",
            json!([1.5, 1.0, 0.5, "-.5", 10.5, 1500.0, "1.5e3", "1e3"]),
        ),
        (
            "[1:30.5, .inf, -.INF, .NaN, -.nan, .]",
            json!([90.5, ".inf", "-.inf", ".nan", "-.nan", "."]),
        ),
        (
            "[2024-01-31, 2024-01-31T10:00:00Z, 1.2.3]",
            json!(["2024-01-31", "2024-01-31T10:00:00Z", "1.2.3"]),
        ),
        ("[=, <<, {=: 1}]", json!(["=", "<<", {"=": 1}])),
        (
            "[18446744073709551615, -9223372036854775808]",
            json!([u64::MAX, i64::MIN]),
        ),
        (
            "[18446744073709551616]",
            json!([18_446_744_073_709_551_616.0]),
        ),
        (
            "[!!str 1, !!int '0x1F', !!float 3, !!bool 'On', !!null x]",
            json!(["1", 31, 3.0, true, null]),
        ),
        (
            "[! 12, !custom 12, !custom {a: 1}, !!str ]",
            json!(["12", "12", {"a": 1}, ""]),
        ),
    ];
    for (text, value) in table {
        let parsed = parse(text, &Limits::default());
        assert_eq!(parsed.documents[0].to_json(), value, "{text}");
        assert!(parsed.problems.iter().all(|problem| matches!(
            problem.kind,
            ProblemKind::AmbiguousBoolean | ProblemKind::AmbiguousNumber
        )));
    }
    let huge = tree(&"9".repeat(60));
    assert!(matches!(huge.data, Data::Float(value) if value > 9e59));
}

#[test]
fn numbers_that_readers_differ_about_are_reported() {
    let text = "[010, 07, 0, -012, 1_000, 0b11, 0x1f, 12:30, 1:30.5, 1.50, +5, '010', 08]\n";
    let expected = ["010", "-012", "1_000", "0b11", "12:30", "1:30.5", "08"];
    let expected = expected.map(|word| (ProblemKind::AmbiguousNumber, word));
    assert_eq!(problems(text), expected);
    let problems = parse("[010, 1_000, 12:30:00]\n", &Limits::default()).problems;
    let messages = problems.iter().map(|problem| problem.message.as_str());
    assert_eq!(
        messages.collect::<Vec<_>>(),
        [
            "`010` is 8 to YAML 1.1 readers such as dbt and 10 to YAML 1.2 readers; write `8`, or put it in quotes",
            "`1_000` is 1000 to YAML 1.1 readers such as dbt and text to YAML 1.2 readers; write `1000`, or put it in quotes",
            "`12:30:00` is 45000 to YAML 1.1 readers such as dbt and text to YAML 1.2 readers; put it in quotes",
        ]
    );
}

#[test]
fn ambiguous_booleans_are_reported_as_keys_and_values() {
    let text = "on: [yes, true, 'no', Off]\n";
    let expected = ["on", "yes", "Off"].map(|word| (ProblemKind::AmbiguousBoolean, word));
    assert_eq!(problems(text), expected);
    assert_eq!(
        parse(text, &Limits::default()).documents[0].to_json(),
        json!({"on": [true, true, "no", false]})
    );
}

#[test]
fn keys_are_found_by_their_text() {
    let root = tree("1: a\n0x2: b\n~: c\ntrue: d\n'q''s': e\n");
    let mapping = root.as_mapping().unwrap();
    assert_eq!(
        mapping.iter().map(Entry::name).collect::<Vec<_>>(),
        ["1", "0x2", "null", "true", "q's"]
    );
    assert_eq!(root.get("0x2").and_then(Node::as_str), Some("b"));
    assert!(matches!(root.entry("1").unwrap().key.data, Data::Int(1)));
    assert!(root.get("2").is_none());

    let text: String = (0..100).rev().fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "k{number}: {number}");
        text
    });
    let large = tree(&text);
    assert!(
        (0..100)
            .all(|number| large.get(&format!("k{number}")).and_then(Node::as_i64) == Some(number))
    );
    assert_eq!(
        large.as_mapping().unwrap().iter().next().unwrap().name(),
        "k99"
    );
}

#[test]
fn the_last_of_equal_keys_counts() {
    let text = "a: 1\nb: 2\na: 3\n'a': 4\n";
    let parsed = parse(text, &Limits::default());
    assert_eq!(parsed.documents[0].to_json(), json!({"b": 2, "a": 4}));
    let found: Vec<_> = parsed
        .problems
        .iter()
        .map(|problem| {
            (
                problem.kind,
                problem.span.start(),
                problem.related.unwrap().start(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (ProblemKind::DuplicateKey, 10, 0),
            (ProblemKind::DuplicateKey, 15, 10)
        ]
    );

    let many = "k0: 0\nk1: 1\nk2: 2\nk3: 3\nk4: 4\n".repeat(2) + "k3: 5\n";
    let parsed = parse(&many, &Limits::default());
    assert_eq!(parsed.problems.len(), 6);
    assert_eq!(
        parsed.documents[0].get("k3").and_then(Node::as_i64),
        Some(5)
    );
}

#[test]
fn aliases_are_copies_with_a_mark() {
    let text = "a: &x {k: [1]}\nb: *x\nc: &x 2\nd: *x\n";
    let root = tree(text);
    assert_eq!(
        root.to_json(),
        json!({"a": {"k": [1]}, "b": {"k": [1]}, "c": 2, "d": 2})
    );
    let copy = root.get("b").unwrap();
    assert_eq!(&text[copy.alias().unwrap().range()], "*x");
    assert_eq!(copy.span, root.get("a").unwrap().span);
    assert_eq!(root.get("a").unwrap().alias(), None);

    assert_eq!(
        problems("- *x\n- &x 1\n"),
        [(ProblemKind::UndefinedAlias, "*x")]
    );
    assert_eq!(
        problems("a: &x [*x]\n"),
        [(ProblemKind::UndefinedAlias, "*x")]
    );
    assert_eq!(
        problems("&x a: 1\n---\nb: *x\n"),
        [(ProblemKind::UndefinedAlias, "*x")]
    );
}

#[test]
fn merge_keys_merge_as_in_pyyaml() {
    let text = "base: &base {a: 1, b: 1}\nmore: &more {b: 2, c: 2}\none:\n  b: 0\n  <<: *base\nlist: {<<: [*base, *more], d: 4}\ninline:\n  <<: {x: 1}\nnested: &n\n  <<: *base\n  z: 1\ndeep:\n  <<: *n\n";
    let root = tree(text);
    assert_eq!(root.get("one").unwrap().to_json(), json!({"a": 1, "b": 0}));
    assert_eq!(
        root.get("list").unwrap().to_json(),
        json!({"a": 1, "b": 1, "c": 2, "d": 4})
    );
    assert_eq!(root.get("inline").unwrap().to_json(), json!({"x": 1}));
    assert_eq!(
        root.get("deep").unwrap().to_json(),
        json!({"a": 1, "b": 1, "z": 1})
    );
    let entry = |pointer: &str, key: &str| root.locate(pointer).node.entry(key).unwrap();
    assert!(entry("/one", "a").merged && !entry("/one", "b").merged);
    assert_eq!(
        &text[entry("/one", "a").value.alias().unwrap().range()],
        "*base"
    );
    assert_eq!(
        &text[entry("/deep", "a").key.alias().unwrap().range()],
        "*n"
    );

    let refused = "a:\n  <<: 1\n  b: 2\nc:\n  <<: [{d: 3}, x]\n'<<': 4\n";
    assert_eq!(
        problems(refused),
        [
            (ProblemKind::InvalidMerge, "1"),
            (ProblemKind::InvalidMerge, "x")
        ]
    );
    let value = parse(refused, &Limits::default()).documents[0].to_json();
    assert_eq!(value, json!({"a": {"b": 2}, "c": {"d": 3}, "<<": 4}));
}

#[test]
fn collections_as_keys_are_left_out() {
    assert_eq!(
        problems("? [a]\n: 1\nb: 2\n"),
        [(ProblemKind::NotAMappingKey, "[a]")]
    );
    let parsed = parse("name: {{title}}\n", &Limits::default());
    assert!(
        parsed.problems[0]
            .message
            .contains("put the template in quotes"),
        "{parsed:?}"
    );
    assert_eq!(problems("[!!int abc]"), [(ProblemKind::InvalidTag, "abc")]);
}

#[test]
fn limits_stop_the_reading() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(problems(&deep), [(ProblemKind::TooDeep, "[")]);
    assert_eq!(
        parse(&"- ".repeat(200), &Limits::default()).problems[0].kind,
        ProblemKind::TooDeep
    );
    assert!(problems(&("[".repeat(128) + &"]".repeat(128))).is_empty());

    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        let _ = writeln!(laughs, "a{level}: &a{level} [{items}]");
    }
    let parsed = parse(&laughs, &Limits::default());
    assert_eq!(
        parsed
            .problems
            .iter()
            .map(|problem| problem.kind)
            .collect::<Vec<_>>(),
        [ProblemKind::TooLarge]
    );
    assert!(parsed.documents.is_empty());

    // Each step nests the one before it, so copies alone could reach any depth.
    let mut chain = format!("a0: &a0 {}{}\n", "[".repeat(60), "]".repeat(60));
    for level in 1..4 {
        let (open, close) = ("[".repeat(60), "]".repeat(60));
        let _ = writeln!(chain, "a{level}: &a{level} {open}*a{}{close}", level - 1);
    }
    assert_eq!(problems(&chain), [(ProblemKind::TooDeep, "*a1")]);

    let limits = Limits {
        nodes: 10,
        ..Limits::default()
    };
    assert_eq!(
        parse(&"- 1\n".repeat(11), &limits).problems[0].kind,
        ProblemKind::TooLarge
    );
}

#[test]
fn syntax_errors_point_at_their_place() {
    let cases = [
        ("a: b: c\n", ":"),
        ("a: 'x\n", "'"),
        ("a: [1, 2\n", "["),
        ("a: @x\n", "@"),
        ("x:\n\ty: 1\n", "y"),
        ("a: 1\n<<<<<<< HEAD\n", "<"),
        ("a: 1\nb: \u{1}\n", "\u{1}"),
        ("a: 1\n\0", "\0"),
        ("a: é'\n  b: é: é\n", ":"),
    ];
    for (text, slice) in cases {
        assert_eq!(problems(text), [(ProblemKind::Syntax, slice)], "{text:?}");
    }
    let two = parse("a: 1\n---\nb: [\n", &Limits::default());
    assert_eq!((two.documents.len(), two.problems.len()), (1, 1));
}

#[test]
fn any_line_ending_and_empty_files_are_read() {
    for text in [
        "a: 1\nb: 2\n",
        "a: 1\r\nb: 2\r\n",
        "a: 1\rb: 2\r",
        "\u{feff}a: 1\nb: 2",
        "---\na: 1\nb: 2\n...\n",
    ] {
        assert_eq!(tree(text).to_json(), json!({"a": 1, "b": 2}), "{text:?}");
        assert_eq!(written(text, "/b"), "2");
    }
    for text in ["", "\n", "# only a comment\n", "\u{feff}"] {
        assert_eq!(parse(text, &Limits::default()).documents, [], "{text:?}");
    }
    assert_eq!(
        parse("a\n---\nb\n---\n", &Limits::default())
            .documents
            .len(),
        3
    );
    let json = "{\n\t\"a\": [\n\t\t1,\t2\n\t],\n\t\"b\":\"x\"\n}\n";
    assert_eq!(tree(json).to_json(), json!({"a": [1, 2], "b": "x"}));
    assert_eq!(written(json, "/a/1"), "2");
}

#[test]
fn comments_are_listed_in_order() {
    let text = "# one\na: | # two\n  # text\nb: ' # no' # three\n";
    let comments = parse(text, &Limits::default()).comments;
    let comments: Vec<_> = comments
        .iter()
        .map(|comment| &text[comment.range()])
        .collect();
    assert_eq!(comments, ["# one", "# two", "# three"]);
}

#[test]
fn pointers_lead_as_far_as_they_can() {
    let root = tree("a/b:\n  - c~d: 1\n");
    let located = root.locate("/a~1b/0/c~0d");
    assert_eq!((located.complete, located.node.as_i64()), (true, Some(1)));
    assert_eq!(located.key.and_then(Node::as_str), Some("c~d"));
    let located = root.locate("/a~1b/7");
    assert_eq!((located.complete, located.node.kind()), (false, "a list"));
    assert_eq!(located.key.and_then(Node::as_str), Some("a/b"));
    assert!(root.locate("/a~1b/0").key.is_none());
}

/// Text with more of what YAML finds remarkable than chance would bring.
pub(super) fn nasty() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "[-?:,\\[\\]{}#&*!|>'\"%@`=~<. \\n\\t\\r0-9a-zA-Z_+]",
        "\\PC",
        Just(": ".to_owned()),
        Just(" #".to_owned()),
        Just("\n  ".to_owned()),
        Just("---".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(text in nasty()) {
        for text in [text.clone(), format!("a: {text}\n"), format!("- |\n {text}")] {
            let parsed = parse(&text, &Limits::default());
            let spans = parsed.problems.iter().map(|problem| problem.span).chain(parsed.comments.iter().copied());
            for span in spans {
                prop_assert!(text.get(span.range()).is_some());
            }
        }
    }
}
