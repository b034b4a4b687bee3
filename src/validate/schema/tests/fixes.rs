//! What the findings of pass 1 offer to write.

use super::*;
use crate::diagnostics::Fix;
use crate::yaml::patch;

/// The document with all fixes made, and what each says; those to be asked for in brackets.
fn fixed(kind: Kind, text: &str) -> (String, Vec<String>) {
    let fixes: Vec<Fix> = findings(kind, text)
        .into_iter()
        .filter_map(|finding| finding.fix)
        .collect();
    let mut edits: Vec<_> = fixes.iter().flat_map(|fix| fix.edits.clone()).collect();
    edits.sort();
    let titles = fixes.iter().map(|fix| {
        if fix.is_safe() {
            fix.title.clone()
        } else {
            format!("[{}]", fix.title)
        }
    });
    (patch(text, &edits).unwrap(), titles.collect())
}

#[track_caller]
fn expect_fixed(version: &str, before: &str, after: &str, titles: &[&str]) {
    let (text, said) = fixed(Kind::Contract, &contract(version, before));
    assert_eq!(said, titles, "{before}");
    assert_eq!(text, contract(version, after));
}

#[test]
fn values_are_quoted_as_they_are_written() {
    expect_fixed(
        "v3.1.0",
        "name: 1_0.50 # n\ndomain: yes\ntags: [0x1F, 2]\nschema:\n- {name: 007, tags: [1, a]}\n",
        "name: '1_0.50' # n\ndomain: 'yes'\ntags: ['0x1F', '2']\nschema:\n\
         - {name: '007', tags: ['1', a]}\n",
        &[
            "put `1_0.50` in quotes",
            "put `yes` in quotes",
            "put all 2 entries in quotes",
            "put `007` in quotes",
            "put `1` in quotes",
        ],
    );
    // Quotes make none of the words of it.
    let body = "schema:\n- {name: o, properties: [{name: a, logicalType: 1}]}\n";
    expect_fixed("v3.1.0", body, body, &[]);
}

#[test]
fn slips_that_can_be_one_word_only_are_corrected() {
    expect_fixed(
        "v3.1.0",
        "schema:\n- name: o\n  properties:\n  - {nme: a, logicalType: Strng}\n  \"qualty\": []\n",
        "schema:\n- name: o\n  properties:\n  - {name: a, logicalType: string}\n  \"quality\": []\n",
        &[
            "rename the key to `name`",
            "write `string`",
            "rename the key to `quality`",
        ],
    );
    for body in [
        // One is about as close as the other.
        "schema:\n- {name: o, physicalNype: a}\n",
        // It is there already.
        "schema:\n- {name: o, nmae: a}\n",
        // Which of the two is it?
        "schema:\n- {name: o, descriptio: a, decription: b}\n",
        // A word of the author's own.
        "schema:\n- {name: o, owner: me}\n",
    ] {
        expect_fixed("v3.1.0", body, body, &[]);
    }
}

#[test]
fn text_that_is_shared_is_left_alone() {
    for body in [
        "tags: &t [1]\nschema:\n- {name: o, tags: *t}\n",
        "schema:\n- &o {name: o, tgas: []}\n",
        "schema:\n- {<<: {tgas: []}, name: o}\n",
        "name: !!int 1\n",
    ] {
        expect_fixed("v3.1.0", body, body, &[]);
    }
}

#[test]
fn the_version_is_raised_where_that_is_all() {
    let text = |version| {
        contract(
            version,
            "schema:\n- {name: o, properties: [{name: a, enum: [{value: 1}]}]}\n",
        )
    };
    assert_eq!(
        fixed(Kind::Contract, &text("\"v3.0.0\"")),
        (
            text("\"v3.2.0\""),
            vec!["raise `apiVersion` to `v3.2.0`: valid under v3.2.0".to_owned()]
        )
    );
    // Something else is wrong in any version.
    let both = text("v3.0.0") + "nme: o\n";
    let (fixed_text, said) = fixed(Kind::Contract, &both);
    assert_eq!(
        (fixed_text, said.as_slice()),
        (
            text("v3.0.0") + "name: o\n",
            &["rename the key to `name`".to_owned()][..]
        )
    );
    // Another major version is for the author to decide.
    let product = |version| {
        format!(
            "apiVersion: {version}\nkind: DataProduct\nid: p\nstatus: draft\noutputPorts:\n- {{name: a, version: '1', inputContracts: [{{id: b, version: '1'}}], contractId: c, sbom: []}}\n"
        )
    };
    let (_, said) = fixed(Kind::Product, &product("v0.9.0"));
    assert!(said.iter().all(|title| title.starts_with('[')), "{said:?}");
}

#[test]
fn a_version_that_is_almost_one_is_completed() {
    for (written, corrected) in [
        ("3.1", "v3.1.0"),
        ("3.1.0", "v3.1.0"),
        ("'V3.0.2'", "'v3.0.2'"),
    ] {
        let (text, said) = fixed(Kind::Contract, &contract(written, ""));
        assert_eq!(text, contract(corrected, ""));
        assert_eq!(said, [format!("write `{}`", corrected.trim_matches('\''))]);
    }
}
