//! What comes: entries and items by indentation.

use super::check;

#[test]
fn entries_come_where_the_others_stand() {
    check(&[
        ("a: 1\n", &[("insert . 0 /b", "b: 2\n")], "a: 1\nb: 2\n"),
        ("a: 1", &[("insert . 0 /b", "b: 2\n")], "a: 1\nb: 2"),
        (
            "\u{feff}a: 1\r\nc: 3\r\n",
            &[("insert . 0 /b", "b:\n  - x\n  - y\n")],
            "\u{feff}a: 1\r\nb:\r\n  - x\r\n  - y\r\nc: 3\r\n",
        ),
        (
            "\u{feff}a: 1\n",
            &[("insert . - /x/b", "x:\n    b: 2 # two\n")],
            "\u{feff}b: 2 # two\na: 1\n",
        ),
        (
            "a: 1 # one\n# about c\nc: 3\n",
            &[(
                "insert . 0 /x/b",
                "x:\n    b:\n        c: 1\n\n        d: 2\n",
            )],
            "a: 1 # one\nb:\n    c: 1\n\n    d: 2\n# about c\nc: 3\n",
        ),
        // Comments that stand deeper belong to what is above.
        (
            "m:\n    a: 1\n      # still a\n    # b\n    b: 2\n  # end\nz: 1\n",
            &[
                ("insert /m 0 /x", "x: 1"),
                ("insert /m 1 /y", "y: 1"),
                ("insert . 0 /w", "w: 1"),
            ],
            "m:\n    a: 1\n      # still a\n    x: 1\n    # b\n    b: 2\n    y: 1\n  # end\nw: 1\nz: 1\n",
        ),
        // Before all others, but below the head of the file.
        (
            "# head\na: 1\n",
            &[("insert . - /b", "b: 2")],
            "# head\nb: 2\na: 1\n",
        ),
        (
            "# head\n\n# about a\na: 1\n",
            &[("insert . - /b", "b: 2")],
            "# head\n\nb: 2\n# about a\na: 1\n",
        ),
        (
            "m: # m\n  # about a\n  a: 1\n",
            &[("insert /m - /b", "b: 2"), ("insert /m - /c", "c: 3")],
            "m: # m\n  b: 2\n  c: 3\n  # about a\n  a: 1\n",
        ),
        // Several in one place keep their order, the deeper ones first.
        (
            "a:\n  b:\n    c: 1\n",
            &[
                ("insert . 0 /x", "x: 1"),
                ("insert /a 0 /x", "x: 2"),
                ("insert . 0 /y", "y: 1"),
                ("insert /a/b 0 /x", "x: 3"),
            ],
            "a:\n  b:\n    c: 1\n    x: 3\n  x: 2\nx: 1\ny: 1\n",
        ),
    ]);
}

#[test]
fn entries_keep_the_shape_of_their_text() {
    check(&[
        // Block scalars, with and without line break at the end.
        (
            "a: |\n  x\n\nb: 1\n",
            &[("insert . 0 /c", "c: |\n  one\n\n   two\nd: 1\n")],
            "a: |\n  x\nc: |\n  one\n\n   two\n\nb: 1\n",
        ),
        (
            "m:\n    a: 1\n",
            &[("insert /m 0 /c", "c: |2-\n    one\n  two\n")],
            "m:\n    a: 1\n    c: |2-\n        one\n      two\n",
        ),
        (
            "a: |+\n  x\n\n\nb: 1\n",
            &[("insert . 0 /c", "c: >+\n  one\n\nd: 1\n")],
            "a: |+\n  x\n\n\nc: >+\n  one\n\nb: 1\n",
        ),
        (
            "a: 1",
            &[("insert . 0 /c", "c: |\n  one\n")],
            "a: 1\nc: |\n  one\n",
        ),
        (
            "a: 1",
            &[("insert . 0 /c", "c: |-\n  one\n")],
            "a: 1\nc: |-\n  one",
        ),
        // Text over several lines.
        (
            "m:\n    a: 1\n",
            &[
                ("insert /m 0 /c", "c: \"one\n  two\"\nd: 1\n"),
                ("insert /m 0 /c2", "c2: one\n  two\n\n  three\n"),
            ],
            "m:\n    a: 1\n    c: \"one\n      two\"\n    c2: one\n      two\n\n      three\n",
        ),
        // From brackets and to brackets.
        (
            "a: 1\n",
            &[
                ("insert . 0 /b", "{\"b\":\"x\", \"c\": [1]}"),
                ("insert . 0 /c", "{\"b\":\"x\", \"c\": [1]}"),
            ],
            "a: 1\n\"b\": \"x\"\n\"c\": [1]\n",
        ),
        // Jinja and odd keys.
        (
            "\"a b\": \"{{ doc('x') }}\"   # j\n'c': 1\n",
            &[("insert . 0 /d~1e", "'d/e': '{{ var(\"y\") }}'\n")],
            "\"a b\": \"{{ doc('x') }}\"   # j\n'd/e': '{{ var(\"y\") }}'\n'c': 1\n",
        ),
        (
            "---\na: 1\n...\n",
            &[("insert . 0 /b", "b: 2")],
            "---\na: 1\nb: 2\n...\n",
        ),
        // Behind what has an anchor, an alias, a merge key.
        (
            "a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  d: 1\n",
            &[
                ("insert . 0 /e", "e: 1"),
                ("insert . 1 /f", "f: 1"),
                ("insert /c 1 /g", "g: 1"),
            ],
            "a: &x {k: 1}\ne: 1\nb: *x\nf: 1\nc:\n  <<: *x\n  d: 1\n  g: 1\n",
        ),
    ]);
}

#[test]
fn items_come_where_the_dashes_stand() {
    check(&[
        (
            "m:\n  columns:\n    - name: a\n      x: 1\n    # about b\n    - name: b\n",
            &[(
                "insert /m/columns 0 /c/0",
                "c:\n- name: n\n  tests:\n  - unique\n  d: >\n    x\n    y\n",
            )],
            "m:\n  columns:\n    - name: a\n      x: 1\n    - name: n\n      tests:\n      - unique\n      d: >\n        x\n        y\n    # about b\n    - name: b\n",
        ),
        // At the column of the key, and with more room behind the dash.
        (
            "c:\n-   name: a\n    x: 1\nd: 1\n",
            &[
                ("insert /c 0 /c/0", "c:\n  - name: n\n    y:\n      z: 1\n"),
                ("insert /c - /c/0", "c: [q]\n"),
            ],
            "c:\n-   q\n-   name: a\n    x: 1\n-   name: n\n    y:\n      z: 1\nd: 1\n",
        ),
        (
            "c:\n-   a\n",
            &[("insert /c 0 /0", "-   |\n  one\n  two\n")],
            "c:\n-   a\n-   |\n  one\n  two\n",
        ),
        // Lists in lists.
        (
            "- - a\n  - b\n- c\n",
            &[
                ("insert /0 0 /0", "- x"),
                ("insert /0 - /0", "- y"),
                ("insert . 0 /0", "- - p\n  - q"),
                ("insert . - /0", "- - - r"),
            ],
            "- - - r\n- - y\n  - a\n  - x\n  - b\n- - p\n  - q\n- c\n",
        ),
        // Items without text, and dashes that stand alone.
        (
            "a:\n-\n- b\n",
            &[("insert /a 0 /0", "- x")],
            "a:\n-\n- x\n- b\n",
        ),
        (
            "a:\n- b\n-\n# c\nd: 1\n",
            &[("insert /a 1 /0", "- x")],
            "a:\n- b\n-\n- x\n# c\nd: 1\n",
        ),
        (
            "a:\n- b\n-",
            &[("insert /a 1 /0", "- x"), ("insert . 0 /z", "z: 1")],
            "a:\n- b\n-\n- x\nz: 1",
        ),
        (
            "a:\n  - # first\n    b: 1\n  -\n    b: 2\n",
            &[("insert /a 0 /0", "- x"), ("insert /a/1 0 /c", "c: 1")],
            "a:\n  - # first\n    b: 1\n  - x\n  -\n    b: 2\n    c: 1\n",
        ),
        // A key before the first one of an item.
        (
            "- name: a # a\n  x: 1\n",
            &[("insert /0 - /y", "y:\n  z: 1")],
            "- y:\n    z: 1\n  name: a # a\n  x: 1\n",
        ),
        (
            "- a\n",
            &[
                ("insert . 0 /0", "[{x: 1, y: [2]}, 3]"),
                ("insert . 0 /1", "[{x: 1, y: [2]}, 3]"),
            ],
            "- a\n- {x: 1, y: [2]}\n- 3\n",
        ),
    ]);
}
