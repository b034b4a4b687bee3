//! What goes, and what comes in its place.

use super::check;

#[test]
fn what_goes_takes_its_comments_and_no_others() {
    check(&[
        ("a: 1\nb: 2\nc: 3\n", &[("remove /b", "")], "a: 1\nc: 3\n"),
        ("a: 1\nb: 2", &[("remove /b", "")], "a: 1"),
        ("a: 1\r\nb: 2\r\n", &[("remove /a", "")], "b: 2\r\n"),
        (
            "\u{feff}a: 1\nb: 2\n",
            &[("remove /a", "")],
            "\u{feff}b: 2\n",
        ),
        (
            "# head\na: 1\nb: 2\n",
            &[("remove /a", "")],
            "# head\nb: 2\n",
        ),
        (
            "# head\n\n# a\na: 1 # one\n  # deeper\n# b\nb: 2\n",
            &[("remove /a", "")],
            "# head\n\n# b\nb: 2\n",
        ),
        (
            "a: 1\n# far\n\n# near\nb: 2\nc: 3\n",
            &[("remove /b", "")],
            "a: 1\n# far\n\nc: 3\n",
        ),
        (
            "m:\n  # first\n  a: 1\n  b: 2\n",
            &[("remove /m/a", "")],
            "m:\n  b: 2\n",
        ),
    ]);
}

#[test]
fn no_blank_line_is_left_over() {
    check(&[
        // Blank lines.
        (
            "a: 1\n\nb: 2\n\nc: 3\n",
            &[("remove /b", "")],
            "a: 1\n\nc: 3\n",
        ),
        (
            "a: 1\n\nb: 2\nc: 3\n\nd: 4\n",
            &[("remove /b", ""), ("remove /c", "")],
            "a: 1\n\nd: 4\n",
        ),
        (
            "a: 1\n\nb: 2\n\nc: 3\n",
            &[("remove /c", ""), ("remove /b", "")],
            "a: 1\n",
        ),
        ("a: 1\n\nb: 2\n\nc: 3", &[("remove /c", "")], "a: 1\n\nb: 2"),
        (
            "a: 1\n\nb: 2\n\nc: 3\n",
            &[("remove /a", "")],
            "b: 2\n\nc: 3\n",
        ),
        (
            "a: |+\n  x\n\nb: 2\n\nc: 3\n",
            &[("remove /b", "")],
            "a: |+\n  x\n\nc: 3\n",
        ),
        (
            "a: |+\n  x\n\nb: 2\n",
            &[("remove /b", "")],
            "a: |+\n  x\n\n",
        ),
        (
            "a: 1\nb: |+\n  x\n\n\nc: 3\n",
            &[("remove /b", "")],
            "a: 1\nc: 3\n",
        ),
        // The next key comes up.
        ("- a: 1\n  b: 2\n", &[("remove /0/a", "")], "- b: 2\n"),
        (
            "-   a: 1 # x\n\n    b: 2\n    c: 3\n",
            &[("remove /0/a", ""), ("remove /0/b", "")],
            "-   c: 3\n",
        ),
        (
            "- a: 1\n  # about b\n  b: 2\n",
            &[("remove /0/a", "")],
            "-\n  # about b\n  b: 2\n",
        ),
        (
            "- - a\n  - b\n- c\n",
            &[("remove /0/0", "")],
            "- - b\n- c\n",
        ),
        ("- - a\n  - b\n- c\n", &[("remove /0", "")], "- c\n"),
    ]);
}

#[test]
fn items_go_and_others_come_in_their_place() {
    check(&[
        // Items.
        (
            "c:\n  # a\n  - name: a\n    x: |\n      y\n\n  # b\n  - name: b\n\n  - name: c\nd: 1\n",
            &[("remove /c/1", "")],
            "c:\n  # a\n  - name: a\n    x: |\n      y\n\n  - name: c\nd: 1\n",
        ),
        (
            "c:\n  - a\n\n  - b # b\n    # more\n\nd: 1\n",
            &[("remove /c/1", "")],
            "c:\n  - a\n\nd: 1\n",
        ),
        (
            "c:\n- a\n- b\n",
            &[
                ("remove /c/1", ""),
                ("insert . 0 /d", "d: 1"),
                ("insert /c 0 /0", "- x"),
            ],
            "c:\n- a\n- x\nd: 1\n",
        ),
        // What comes in the place of what goes.
        (
            "a: 1\n# b\nb: 2 # b\nc: 3\n",
            &[
                ("remove /b", ""),
                ("insert . 1 /x", "x: 1"),
                ("insert . 1 /b", "b: 1"),
            ],
            "a: 1\nx: 1\nb: 1\nc: 3\n",
        ),
        (
            "- a: 1\n  b: 2\n",
            &[("remove /0/a", ""), ("insert /0 0 /x", "x: 1")],
            "- x: 1\n  b: 2\n",
        ),
        (
            "- a\n",
            &[
                ("remove /0", ""),
                ("insert . 0 /0", "- x"),
                ("insert . - /0", "- y"),
            ],
            "- y\n- x\n",
        ),
        (
            "k:\n  a: 1\nb: 2\n",
            &[("remove /k", ""), ("insert . - /x", "x: 1")],
            "x: 1\nb: 2\n",
        ),
    ]);
}
