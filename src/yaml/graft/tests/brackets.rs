//! Brackets and JSON.

use super::check;

#[test]
fn brackets_stay_brackets() {
    check(&[
        (
            "a: {b: 1}\n",
            &[(
                "insert /a 0 /c",
                "c:\n  - 'x, y'\n  - d: true\n    e: 1.50\n    f:\n",
            )],
            "a: {b: 1, c: ['x, y', {d: true, e: 1.50, f: null}]}\n",
        ),
        (
            "a: [x, y] # c\n",
            &[("insert /a 0 /0", "- z"), ("insert /a - /0", "- |\n  t\n")],
            "a: [\"t\\n\", x, z, y] # c\n",
        ),
        (
            "a: []\nb: { }\n",
            &[
                ("insert /a - /0", "- z"),
                ("insert /a - /0", "- 1"),
                ("insert /b - /k", "k: "),
            ],
            "a: [z, 1]\nb: {k: null }\n",
        ),
        (
            "a: [x, y,]\n",
            &[("insert /a 1 /0", "- z")],
            "a: [x, y, z,]\n",
        ),
        (
            "a: [\n  x, # x\n  # y\n  y # y\n]\n",
            &[("insert /a 0 /0", "- z"), ("insert /a 1 /0", "- w")],
            "a: [\n  x, # x\n  z,\n  # y\n  y, # y\n  w\n]\n",
        ),
        (
            "a: [\n  x,\n  y,\n]\n",
            &[("insert /a 1 /0", "- w"), ("insert /a - /0", "- v")],
            "a: [\n  v,\n  x,\n  y,\n  w,\n]\n",
        ),
        (
            "a: [x,\n    y]\n",
            &[("insert /a 1 /0", "- w")],
            "a: [x,\n    y, w]\n",
        ),
    ]);
}

#[test]
fn what_goes_takes_its_comma() {
    check(&[
        ("a: [x, y, z]\n", &[("remove /a/0", "")], "a: [y, z]\n"),
        (
            "a: [x, y, z]\n",
            &[("remove /a/0", ""), ("remove /a/1", "")],
            "a: [z]\n",
        ),
        (
            "a: [x, y, z]\n",
            &[("remove /a/2", ""), ("remove /a/1", "")],
            "a: [x]\n",
        ),
        (
            "a: [x, y, z]\n",
            &[
                ("remove /a/1", ""),
                ("insert /a 0 /0", "- v"),
                ("insert /a 1 /0", "- w"),
            ],
            "a: [x, v, w, z]\n",
        ),
        (
            "a: {x: 1, y: 2}\n",
            &[("remove /a/x", ""), ("insert /a - /z", "z: 1")],
            "a: {z: 1, y: 2}\n",
        ),
        (
            "a: [\n  x, # x\n  y # y\n]\n",
            &[("remove /a/1", "")],
            "a: [\n  x # x\n]\n",
        ),
        (
            "a: [\n  x, # x\n  y # y\n]\n",
            &[("remove /a/0", "")],
            "a: [\n  y # y\n]\n",
        ),
        (
            "a: {x: 1, y: {z: 2}}\n",
            &[
                ("replace /a/x /k", "k:\n  - 1\n"),
                ("replace /a/y/z /k", "k: 'a: b'"),
            ],
            "a: {x: [1], y: {z: 'a: b'}}\n",
        ),
        (
            "a: {x: , y, 'z':}\n",
            &[
                ("replace /a/x /k", "k: 1"),
                ("replace /a/y /k", "k: 2"),
                ("replace /a/z /k", "k: 3"),
            ],
            "a: {x: 1 , y: 2, 'z': 3}\n",
        ),
        (
            "- [a: 1, b]\n",
            &[("replace /0/0/a /k", "k: 2")],
            "- [a: 2, b]\n",
        ),
    ]);
}

#[test]
fn json_stays_json() {
    check(&[
        (
            "{\"a\": 1}",
            &[("insert . 0 /b", "b:\n  c: yes\n  d: [x, ~, 0x10, 1.50]\n")],
            "{\"a\": 1, \"b\": {\"c\": true, \"d\": [\"x\", null, 16, 1.50]}}",
        ),
        (
            "{\n\t\"a\": [\n\t\t1\n\t],\n\t\"b\": 2\n}\n",
            &[
                ("insert /a 0 /0", "- it's"),
                ("replace /b /x", "x:\n- 'y'"),
                ("insert . 1 /c", "c:"),
            ],
            "{\n\t\"a\": [\n\t\t1,\n\t\t\"it's\"\n\t],\n\t\"b\": [\"y\"],\n\t\"c\": null\n}\n",
        ),
        (
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
            &[("remove /b", "")],
            "{\n  \"a\": 1\n}\n",
        ),
        (
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
            &[("remove /a", ""), ("insert . 1 /c", "c: 1")],
            "{\n  \"b\": 2,\n  \"c\": 1\n}\n",
        ),
    ]);
}
