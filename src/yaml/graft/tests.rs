//! Texts before and after grafts, as tables; refusals; any document with any changes.

use super::*;
mod brackets;
mod inserted;
mod oracle;
mod random;
mod removed;
mod replaced;

/// The root of a text that is well.
fn root(text: &str) -> Node {
    let mut parsed = parse(text, &Limits::default());
    assert!(parsed.documents.len() == 1, "{text} {parsed:?}");
    parsed.documents.remove(0)
}

/// The text with the changes made. Each is `replace AT FROM`, `insert INTO AFTER FROM` or `remove AT`,
/// where FROM is a pointer into the text beside it, `.` is the root and `-` means before all others.
fn changed(text: &str, changes: &[(&str, &str)]) -> Result<String, String> {
    let roots: Vec<Node> = changes
        .iter()
        .map(|(_, cut)| root(if cut.is_empty() { "a" } else { cut }))
        .collect();
    let pointer = |word: &str| word.trim_start_matches('.').to_owned();
    let changes = changes.iter().zip(&roots).map(|((words, text), root)| {
        let words: Vec<&str> = words.split(' ').collect();
        let cut = |from: &str| {
            let located = root.locate(&pointer(from));
            assert!(located.complete, "{from} {text}");
            Cut {
                text,
                key: located.key,
                value: located.node,
            }
        };
        match words[..] {
            ["replace", at, from] => Change::Replace {
                at: pointer(at),
                by: cut(from),
            },
            ["insert", into, after, from] => Change::Insert {
                into: pointer(into),
                after: after.parse().ok(),
                cut: cut(from),
            },
            ["remove", at] => Change::Remove { at: pointer(at) },
            _ => panic!("{words:?}"),
        }
    });
    graft(text, &changes.collect::<Vec<_>>())
}

type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

fn check(cases: &[Case<'_>]) {
    let mut wrong = 0;
    for (text, changes, expected) in cases {
        let found = changed(text, changes);
        if found.as_deref() != Ok(*expected) {
            wrong += 1;
            let shown = found.unwrap_or_else(|error| format!("refused: {error}"));
            let bar = "-".repeat(20);
            eprint!(
                "{changes:?}\n{text}\n{bar} expected\n{expected}\n{bar} found\n{shown}\n{bar}\n\n"
            );
        }
    }
    assert_eq!(wrong, 0);
}

/// Each of the changes is refused, for the reason beside it; none means that it is made.
fn refused(cases: &[Case<'_>]) {
    for (text, changes, reason) in cases {
        match changed(text, changes) {
            Err(error) if error.contains(reason) => {}
            other if reason.is_empty() => assert!(other.is_ok(), "{text} {changes:?} {other:?}"),
            other => panic!("{text} {changes:?} {other:?}"),
        }
    }
}

#[test]
fn what_cannot_be_done_alone_is_refused() {
    refused(&[
        (
            "a: &x {k: 1}\nb: *x\n",
            &[("replace /a/k /x", "x: 2")],
            "alias, anchor",
        ),
        (
            "a: &x {k: 1}\nb: *x\n",
            &[("insert /b 0 /x", "x: 2")],
            "alias, anchor",
        ),
        (
            "a: &x {k: 1}\nb: *x\n",
            &[("remove /b", "")],
            "alias, anchor",
        ),
        (
            "a: &x 1\nc: {b: *x}\n",
            &[("remove /a", "")],
            "alias, anchor",
        ),
        (
            "a:\n  b: &x 1\nc: {b: *x}\n",
            &[("remove /a", "")],
            "read as meant",
        ),
        ("a: !t {k: 1}\n", &[("insert /a 0 /x", "x: 2")], "tag"),
        (
            "a: {<<: {k: 1}, l: 2}\n",
            &[("remove /a/k", "")],
            "merge key",
        ),
        (
            "a: {<<: {k: 1}, l: 2}\n",
            &[("insert /a 0 /x", "x: 1")],
            "no child 0",
        ),
        (
            "a: {<<: {k: 1}, l: 2}\n",
            &[("insert /a 1 /k", "k: 1")],
            "key `k` twice",
        ),
        ("a: 1\n", &[("remove /b", "")], "has no `/b`"),
        ("a: 1\n", &[("remove a", "")], "has no `a`"),
        ("a: 1\n", &[("replace . .", "a: 1")], "as a whole"),
        (
            "a: 1\n",
            &[("remove /a", "")],
            "would be left with an empty",
        ),
        (
            "a:\n- 1\n- 2\n",
            &[("remove /a/0", ""), ("remove /a/1", "")],
            "would be left with an empty",
        ),
        ("a: 1\n", &[("insert . 1 /b", "b: 1")], "no child 1"),
        ("a: 1\n", &[("insert . 0 /0", "- b")], "takes no item"),
        ("- 1\n", &[("insert . 0 /b", "b: 1")], "takes no entry"),
        ("a:\n", &[("insert /a - /b", "b: 1")], "nothing"),
        ("a: 1\n", &[("insert . 0 /a", "a: 2")], "key `a` twice"),
        (
            "a: 1\n---\nb: 2\n",
            &[("replace /a /x", "x: 2")],
            "more than one document",
        ),
        ("# nothing\n", &[("replace /a /x", "x: 2")], "no document"),
        (
            "a: 1\nb: {a: 1}\nb: {a: 2}\n",
            &[("replace /b/a /x", "x: 2")],
            "key `b` twice",
        ),
        ("a: [\n", &[("replace /a /x", "x: 2")], "cannot be read"),
        (
            "a: {{ x }}\nb: 1\n",
            &[("replace /b /x", "x: 2")],
            "cannot be read",
        ),
    ]);
}

#[test]
fn changes_that_do_not_go_together_are_refused() {
    refused(&[
        (
            "a: {b: 1}\nc: 1\n",
            &[("remove /a", ""), ("replace /a/b /x", "x: 1")],
            "inside",
        ),
        (
            "a: {b: 1}\nc: 1\n",
            &[("replace /a /x", "x: 1"), ("insert /a 0 /x", "x: 1")],
            "inside",
        ),
        (
            "a: 1\nc: 1\n",
            &[("replace /a /x", "x: 1"), ("remove /a", "")],
            "twice",
        ),
        (
            "a: 1\n",
            &[("insert . 0 /b", "x: &x 1\nb: *x\n")],
            "would get a value with an alias",
        ),
        (
            "a: 1\n",
            &[("insert . 0 /b", "b: !t 1\n")],
            "would get a value with an alias",
        ),
        ("a: 1\n", &[("insert . 0 /b", "b: 010\n")], "read as meant"),
        ("? a\n: 1\n", &[("insert . 0 /b", "b: 1\n")], "form"),
        // The text of the block scalar before would get a line break.
        ("a: |\n  x", &[("insert . 0 /b", "b: 1\n")], "read as meant"),
        (
            "a: |+\n  x\n\n",
            &[("replace /a /b", "b: |+\n  x\n\n\n\nc: 1")],
            "",
        ),
        ("{\"a\": 1}", &[("insert . 0 /b", "b: .nan\n")], "form"),
        ("{\"a\": 1}", &[("insert . 0 /1", "1: 2\n")], "form"),
    ]);
}
