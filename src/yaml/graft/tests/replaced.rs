//! What is replaced: values behind keys and dashes.

use super::check;

#[test]
fn values_are_replaced_behind_their_keys() {
    check(&[
        (
            "a: 1  # why\nb: 2\n",
            &[("replace /a /x", "x: 'y' # no")],
            "a: 'y'  # why\nb: 2\n",
        ),
        (
            "a: 1  # why",
            &[("replace /a /x", "x: |\n  t\n")],
            "a: |  # why\n  t\n",
        ),
        (
            "a: 1  # why",
            &[("replace /a /x", "x:\n  - t\n")],
            "a:  # why\n  - t",
        ),
        (
            "m:\n    a: 1\n",
            &[("replace /m/a /x", "x:\n- t\n- u: 1\n  v: 2\n")],
            "m:\n    a:\n    - t\n    - u: 1\n      v: 2\n",
        ),
        (
            "a: one\n  two # c\nb: 1\n",
            &[("replace /a /x", "x: |-\n  t\n  u\n")],
            "a: |- # c\n  t\n  u\nb: 1\n",
        ),
        (
            "a: |  # c\n  x\n  y\n\nb: 1\n",
            &[("replace /a /x", "x: 1")],
            "a: 1  # c\n\nb: 1\n",
        ),
        (
            "a: |-\n  x\n  y\n",
            &[("replace /a /x", "x: >2\n   1\n  2\n")],
            "a: >2\n   1\n  2\n",
        ),
        (
            "a: |-\n  x\n  y",
            &[("replace /a /x", "x:\n  y: 1\n")],
            "a:\n  y: 1",
        ),
        (
            "a:  # c\n  # d\n  - 1 # e\n  - 2 # f\nb: 1\n",
            &[("replace /a /x", "x: 1")],
            "a: 1  # c\n  # d\nb: 1\n",
        ),
        (
            "a:\n    - 1\n    - 2\nb: 1\n",
            &[("replace /a /x", "x:\n- 3\n- y: |\n    4\n")],
            "a:\n    - 3\n    - y: |\n        4\nb: 1\n",
        ),
        (
            "a:\n- 1\n",
            &[("replace /a /x", "x:\n  y: 3\n  z:\n  - 4\n")],
            "a:\n  y: 3\n  z:\n  - 4\n",
        ),
    ]);
}

#[test]
fn missing_values_and_values_over_several_lines_are_replaced() {
    check(&[
        (
            "a:\nb:\n",
            &[("replace /a /x", "x: 1"), ("replace /b /x", "x:\n  y: 1")],
            "a: 1\nb:\n  y: 1\n",
        ),
        ("a: 1\nb:", &[("replace /b /x", "x: 1")], "a: 1\nb: 1"),
        (
            "a: 1\nb:",
            &[("replace /b /x", "x: |\n  u")],
            "a: 1\nb: |\n  u",
        ),
        ("b: # c", &[("replace /b /x", "x: 1")], "b: 1 # c"),
        ("b: 1 # c\n", &[("replace /b /x", "x:")], "b: # c\n"),
        (
            "b:\n  - 1 # c\nc: 1\n",
            &[("replace /b /x", "x:")],
            "b:\nc: 1\n",
        ),
        (
            "b:\n  1 # c\nc: 1\n",
            &[("replace /b /x", "x: 2")],
            "b:\n  2 # c\nc: 1\n",
        ),
        (
            "b:\n  1\nc: 1\n",
            &[("replace /b /x", "x:\n- 2")],
            "b:\n- 2\nc: 1\n",
        ),
        (
            "a: \"x\n  y\"\r\nb: 1\r\n",
            &[("replace /a /x", "x: 'p\n\n  q'")],
            "a: 'p\r\n\r\n  q'\r\nb: 1\r\n",
        ),
        (
            "a: [1, 2] # c\n",
            &[("replace /a /x", "x:\n- 3")],
            "a: # c\n- 3\n",
        ),
        (
            "a:\n- 3\n",
            &[("replace /a /x", "x: [1,\n  2]\n")],
            "a: [1,\n  2]\n",
        ),
        // A merge key stays what it is.
        (
            "a: &x {k: 1}\nc:\n  <<: *x\n  d: 1\n",
            &[("replace /c/d /x", "x: 2")],
            "a: &x {k: 1}\nc:\n  <<: *x\n  d: 2\n",
        ),
    ]);
}

#[test]
fn items_are_replaced_behind_their_dashes() {
    check(&[
        (
            "- 1 # c\n- 2\n",
            &[("replace /0 /x", "x:\n  y: 1\n  z: 2\n")],
            "- y: 1 # c\n  z: 2\n- 2\n",
        ),
        (
            "- y: 1 # c\n  z: 2 # d\n- 2\n",
            &[("replace /0 /0", "- 3")],
            "- 3\n- 2\n",
        ),
        (
            "- y: 1 # c\n- 2\n",
            &[("replace /0 /0", "- 3")],
            "- 3 # c\n- 2\n",
        ),
        (
            "-   y: 1\n    z: 2\n- 2\n",
            &[("replace /0 /0", "- p:\n    q: 1\n  r: |\n    s\n")],
            "-   p:\n      q: 1\n    r: |\n      s\n- 2\n",
        ),
        (
            "-\n  y: 1\n  z: 2\n- 2\n",
            &[("replace /0 /0", "- 3"), ("replace /1 /0", "- - 4\n  - 5")],
            "- 3\n- - 4\n  - 5\n",
        ),
        (
            "- |\n  x\n-\n",
            &[
                ("replace /0 /0", "- >-\n     3"),
                ("replace /1 /0", "- a: 4\n  b: 5"),
            ],
            "- >-\n     3\n- a: 4\n  b: 5\n",
        ),
        (
            "a:\n  - - b\n    - c\n  - d\n",
            &[
                ("replace /a/0 /x", "x: 1"),
                ("replace /a/1 /x", "x:\n  - 1\n  - 2"),
            ],
            "a:\n  - 1\n  - - 1\n    - 2\n",
        ),
        (
            "a:\n  - - b\n    - c\n",
            &[("replace /a/0/0 /x", "x:\n  y: 1\n  z: 1")],
            "a:\n  - - y: 1\n      z: 1\n    - c\n",
        ),
    ]);
}
