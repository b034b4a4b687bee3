mod fixes;

use std::sync::Arc;

use super::*;
use crate::diagnostics::SourceFile;
use crate::yaml::{Limits, parse};

/// A valid contract of that version, but for `body`.
fn contract(version: &str, body: &str) -> String {
    format!(
        "apiVersion: {version}\nkind: DataContract\nid: shop\nversion: 1.0.0\nstatus: active\n{body}"
    )
}

fn findings(kind: Kind, text: &str) -> Vec<Diagnostic> {
    let root = parse(text, &Limits::default())
        .documents
        .into_iter()
        .next()
        .unwrap();
    let file = SourceFile::new("contract.yaml", text);
    check(&Document {
        file,
        root,
        kind,
        comments: Vec::new(),
    })
}

/// Each finding as `line:column code message`, with its help behind an arrow.
fn report(kind: Kind, text: &str) -> Vec<String> {
    findings(kind, text)
        .iter()
        .map(|finding| {
            let place = finding.place.as_ref().unwrap();
            let place = place.display().replace("contract.yaml:", "");
            let code = finding.rule.code.trim_start_matches("schema/");
            let help = finding.help.as_ref();
            let help = help.map_or_else(String::new, |help| format!(" -> {help}"));
            format!("{place} {code}: {}{help}", finding.message)
        })
        .collect()
}

#[track_caller]
fn expect(version: &str, cases: &[(&str, &[&str])]) {
    for (body, expected) in cases {
        assert_eq!(
            report(Kind::Contract, &contract(version, body)),
            *expected,
            "{body}"
        );
    }
}

#[test]
fn valid_documents_have_no_findings() {
    for version in ["v3.0.0", "v3.0.1", "v3.0.2", "v3.1.0", "v3.2.0", "v2.2.2"] {
        let text = contract(version, "schema:\n- name: orders\n");
        assert_eq!(report(Kind::Contract, &text), [""; 0]);
    }
    let product = "apiVersion: v1.1.0\nkind: DataProduct\nid: p\n";
    assert_eq!(report(Kind::Product, product), [""; 0]);
}

#[test]
fn unknown_keys() {
    expect(
        "v3.2.0",
        &[
            (
                "schema:\n- name: orders\n  propertys: []\n  owner: me\n",
                &[
                    "8:3 unknown-key: unknown key `propertys` in schema object `orders` \
                     -> did you mean `properties`?",
                    "9:3 unknown-key: unknown key `owner` in schema object `orders` \
                     -> own settings go into `customProperties`",
                ],
            ),
            (
                // A misspelt key is not missing as well.
                "schema:\n- nme: orders\n",
                &["7:3 unknown-key: unknown key `nme` in schema object 1 -> did you mean `name`?"],
            ),
            (
                "quality: []\noutputPorts: []\n",
                &[
                    "6:1 unknown-key: unknown key `quality` in the contract \
                     -> `quality` goes into a schema object or a property",
                    "7:1 unknown-key: unknown key `outputPorts` in the contract \
                     -> `outputPorts` goes into a data product",
                ],
            ),
            (
                "schema:\n- name: o\n  columns: []\n  properties:\n  - name: a\n    maxLength: 2\n",
                &[
                    "8:3 unknown-key: unknown key `columns` in schema object `o` \
                     -> columns are listed under `properties`",
                    "11:5 unknown-key: unknown key `maxLength` in property `a` of `o` \
                     -> `maxLength` goes into `logicalTypeOptions`",
                ],
            ),
            (
                "schema:\n- name: o\n  properties:\n  - name: a\n    logicalType: integer\n    \
                 logicalTypeOptions: {pattern: x, zone: 1, enum: []}\n",
                &[
                    "11:26 unknown-key: unknown key `pattern` in `logicalTypeOptions` of property \
                     `a` of `o` -> `pattern` goes with logicalType `string`",
                    "11:38 unknown-key: unknown key `zone` in `logicalTypeOptions` of property \
                     `a` of `o` -> known here: `minimum`, `maximum`, `exclusiveMinimum`, \
                     `exclusiveMaximum`, `multipleOf` and `format`",
                    "11:47 unknown-key: unknown key `enum` in `logicalTypeOptions` of property \
                     `a` of `o` -> `enum` goes into the property itself",
                ],
            ),
            (
                "servers:\n- {server: p, type: kinesis, password: x}\n",
                &[
                    "7:30 unknown-key: unknown key `password` in server `p` of type `kinesis` \
                     -> credentials have no place in a contract; dbt reads them from \
                     `profiles.yml`",
                ],
            ),
        ],
    );
    let product = "apiVersion: v1.1.0\nkind: DataProduct\nid: p\nslaProperties: []\noutputPorts:\n\
                   - name: o\n  inputContracts: [{contractId: a, version: '1'}]\n";
    assert_eq!(
        report(Kind::Product, product),
        [
            "4:1 unknown-key: unknown key `slaProperties` in the product \
             -> `slaProperties` goes into a data contract",
            "7:21 unknown-key: unknown key `contractId` in input contract 1 of output port `o` \
             -> did you mean `id`?",
        ]
    );
}

#[test]
fn newer_keys_and_values() {
    expect(
        "v3.0.2",
        &[
            (
                "schema:\n- name: o\n  properties:\n  - name: a\n    enum: [{value: 1}]\n",
                &[
                    "10:5 newer-key: `enum` in property `a` of `o` needs apiVersion `v3.2.0` \
                     -> raise `apiVersion` to `v3.2.0`; the document is valid then",
                ],
            ),
            (
                "schema:\n- name: o\n  properties:\n  - {name: a, logicalType: timestamp}\n",
                &[
                    "9:28 invalid-value: the value `timestamp` of `logicalType` of property `a` \
                     of `o` needs apiVersion `v3.1.0` -> raise `apiVersion` to `v3.1.0`; the \
                     document is valid then",
                ],
            ),
            (
                "team: {name: sales}\n",
                &[
                    "6:7 wrong-type: expected a list for `team`, found a mapping -> make it a \
                     list whose entries begin with `-`; or raise `apiVersion` to `v3.1.0`, as \
                     which the document is valid",
                ],
            ),
            (
                // Nothing is said of a later version in which the document would not be valid either.
                "team: {name: sales}\nnope: 1\n",
                &[
                    "6:7 wrong-type: expected a list for `team`, found a mapping -> make it a \
                     list whose entries begin with `-`",
                    "7:1 unknown-key: unknown key `nope` in the contract \
                     -> own settings go into `customProperties`",
                ],
            ),
        ],
    );
}

#[test]
fn missing_keys() {
    assert_eq!(
        report(Kind::Contract, "kind: DataContract\nid: shop\n"),
        [
            "1:1 missing-key: missing key `apiVersion` -> write `apiVersion: v3.2.0`",
            "1:1 missing-key: missing key `version`",
        ]
    );
    expect(
        "v3.2.0",
        &[
            (
                "servers:\n- server: prod\n  type: databricks\n  catalog: c\n- {server: dev}\n",
                &[
                    "7:3 missing-key: missing key `schema` in server `prod` of type `databricks`",
                    "10:3 missing-key: missing key `type` in server `dev` -> `type` is one of \
                     `api`, `athena`, `azure`, `bigquery`, `btrieve`, `clickhouse`, `cloudsql`, \
                     `custom`, `databricks`, `db2`, `denodo`, `dremio` or 32 more",
                ],
            ),
            (
                "schema:\n- name: o\n  properties:\n  - name: a\n    properties:\n    - name: b\n\
                 \x20     logicalType: map\n    - physicalType: int\n",
                &[
                    "11:7 missing-key: missing key `map` in property `a.b` of `o` -> `map`: key and \
                     value of a map",
                    "13:7 missing-key: missing key `name` in property 2 of property `a` of `o`",
                ],
            ),
            (
                "schema:\n- name: o\n  quality:\n  - query: select 1\n    mustBe: 1\n",
                &[
                    "9:5 missing-key: missing key `type` in quality rule 1 of `o` -> the entry \
                     needs `type`: `sql` beside `query`, `custom` beside `engine` and \
                     `implementation`",
                ],
            ),
        ],
    );
}

#[test]
fn wrong_types() {
    expect(
        "v3.2.0",
        &[
            (
                "name: 1.10\ndomain: yes\ntenant:\ndescription: Orders\ntags: new\n",
                &[
                    "6:7 wrong-type: expected a string for `name`, found a number \
                     -> put it in quotes: `name: '1.10'`",
                    "7:9 wrong-type: expected a string for `domain`, found a boolean \
                     -> put it in quotes: `domain: 'yes'`",
                    "8:1 wrong-type: expected a string for `tenant`, found nothing \
                     -> give it a value, or remove the key",
                    "9:14 wrong-type: expected a mapping for `description`, found a string -> it \
                     takes the keys `purpose`, `usage`, `limitations`, `customProperties` and \
                     `authoritativeDefinitions`",
                    "10:7 wrong-type: expected a list for `tags`, found a string \
                     -> make it a list: `tags: [new]`",
                ],
            ),
            (
                "customProperties:\n  owner: me\n",
                &[
                    "6:1 wrong-type: expected a list for `customProperties`, found a mapping -> \
                     make it a list whose entries begin with `-` and have `property` and `value`",
                ],
            ),
            (
                "schema:\n- name: o\n  properties:\n  - name: a\n    required: \"true\"\n    \
                 primaryKeyPosition: 1.5\n    enum: [x, y]\n    tags: [a, 1]\n",
                &[
                    "10:15 wrong-type: expected a boolean for `required` of property `a` \
                     of `o`, found a string -> remove the quotes: `required: true`",
                    "11:25 wrong-type: expected a whole number for `primaryKeyPosition` of \
                     property `a` of `o`, found a fraction",
                    "12:12 wrong-type: expected a mapping for enum value 1 of property `a` of \
                     `o`, found a string (the same in all 2 entries) -> write `- value: x`",
                    "13:15 wrong-type: expected a string for tag 2 of property `a` of `o`, found \
                     a number -> put it in quotes: `'1'`",
                ],
            ),
            (
                "slaProperties:\n- {property: latency, value: [1]}\n",
                &[
                    "7:30 wrong-type: expected a string, a number or a boolean for \
                     `value` of service level `latency`, found a list",
                ],
            ),
        ],
    );
    let json = r#"{"apiVersion": "v3.2.0", "kind": "DataContract", "id": "a", "version": 2}"#;
    assert_eq!(
        report(Kind::Contract, json),
        [
            "1:72 wrong-type: expected a string for `version`, found a number \
             -> put it in quotes: `\"version\": \"2\"`"
        ]
    );
    let product = "apiVersion: v1.1.0\nkind: DataProduct\nid: p\nteam:\n- username: a\n";
    assert_eq!(
        report(Kind::Product, product),
        [
            "4:1 wrong-type: expected a mapping for `team`, found a list \
             -> list the entries under `members`"
        ]
    );
}

#[test]
fn values_out_of_range() {
    expect(
        "v3.2.0",
        &[
            (
                "schema:\n- name: o\n  id: a b\n  properties:\n  - name: a\n    \
                 logicalType: strng\n    items: {}\n    enum: []\n",
                &[
                    "8:7 invalid-value: `id` of `o` cannot be `a b`: it must be an id without \
                     blanks and without `. # / \\ @ ! % & ^`",
                    "11:18 invalid-value: `logicalType` of property `a` of `o` cannot be `strng`: \
                     expected `string`, `date`, `timestamp`, `time`, `number`, `integer`, \
                     `object`, `array`, `boolean`, `map` or `vector` -> did you mean `string`?",
                    "13:11 invalid-value: `enum` of property `a` of `o` has no entries, but needs \
                     at least 1",
                ],
            ),
            (
                "schema:\n- name: o\n  properties:\n  - name: a\n    logicalType: string\n    \
                 items: {}\n    logicalTypeOptions: {minLength: -1}\n  - name: b\n    \
                 logicalTypeOptions: {minLength: 1}\n",
                &[
                    "11:5 invalid-value: `items` of property `a` of `o` needs logicalType `array`",
                    "12:37 invalid-value: `minLength` of `logicalTypeOptions` of property `a` of \
                     `o` must be at least 0, not `-1`",
                    "14:5 invalid-value: `logicalTypeOptions` of property `b` of `o` needs a \
                     `logicalType` beside it",
                ],
            ),
            (
                "servers:\n- {server: a, type: postgress}\n- {server: b, type: sftp, location: x}\n",
                &[
                    "7:21 invalid-value: `type` of server `a` cannot be `postgress` \
                     -> did you mean `postgres`?",
                    "8:37 invalid-value: `location` of server `b` cannot be `x`: it must start \
                     with `sftp://`",
                ],
            ),
            (
                "schema:\n- name: o\n  relationships:\n  - {from: '', to: [b.id]}\n",
                &[
                    "9:12 invalid-value: `from` of relationship 1 of `o` cannot be blank: it \
                     is not a reference -> write names as `object.property`, or ids as \
                     `schema/<id>/properties/<id>` (after `file.yaml#` when they are in another \
                     file)",
                    "9:16 invalid-value: `to` of relationship 1 of `o` must be a single \
                     reference, as `from` is one",
                ],
            ),
        ],
    );
}

#[test]
fn operators() {
    expect(
        "v3.2.0",
        &[
            (
                "schema:\n- name: o\n  quality:\n  - name: many\n    metric: rowCount\n  \
                 - metric: rowCount\n    mustBeGreaterThan: 1\n    mustBeLessThan: 9\n",
                &[
                    "9:5 operator: quality rule `many` of `o` has no operator -> add exactly one \
                     of `mustBe`, `mustNotBe`, `mustBeGreaterThan`, `mustBeGreaterOrEqualTo`, \
                     `mustBeLessThan`, `mustBeLessOrEqualTo`, `mustBeBetween` or \
                     `mustNotBeBetween`",
                    "13:5 operator: quality rule 2 of `o` has 2 operators, `mustBeGreaterThan` \
                     and `mustBeLessThan`, where one is allowed -> write `mustBeBetween: [least, \
                     greatest]`, or one rule for each bound",
                ],
            ),
            (
                // A misspelt operator is not missing as well.
                "schema:\n- name: o\n  quality:\n  - {metric: rowCount, mustBeLessThen: 9}\n  \
                 - {metric: rowCount, mustBeBetween: [5, 5]}\n  \
                 - {metric: rowCount, mustBeBetween: [5]}\n",
                &[
                    "9:24 unknown-key: unknown key `mustBeLessThen` in quality rule 1 of `o` \
                     -> did you mean `mustBeLessThan`?",
                    "10:43 invalid-value: `mustBeBetween` of quality rule 2 of `o` has the same \
                     entry twice -> write `mustBe: 5`",
                    "11:39 invalid-value: `mustBeBetween` of quality rule 3 of `o` has 1 entry, \
                     but needs exactly 2",
                ],
            ),
        ],
    );
}

#[test]
fn api_versions() {
    for (written, expected) in [
        (
            "3.1.0",
            "1:13 unknown-version: unknown apiVersion `3.1.0`: expected `v3.0.0`, `v3.0.1`, \
             `v3.0.2`, `v3.1.0` or `v3.2.0` -> write `apiVersion: v3.1.0`",
        ),
        (
            "v9.0.0",
            "1:13 unknown-version: unknown apiVersion `v9.0.0`: expected `v3.0.0`, `v3.0.1`, \
             `v3.0.2`, `v3.1.0` or `v3.2.0`",
        ),
        (
            "3.1",
            "1:13 wrong-type: expected a version such as `v3.2.0` for `apiVersion`, found a \
             number -> write `apiVersion: v3.1.0`",
        ),
        (
            "",
            "1:1 wrong-type: expected a version such as `v3.2.0` for `apiVersion`, found nothing",
        ),
    ] {
        let text = contract(written, "nope: 1\n");
        assert_eq!(report(Kind::Contract, &text), [expected]);
    }
}

#[test]
fn findings_name_the_contract_and_the_place() {
    let text = contract(
        "v3.2.0",
        "schema:\n- name: o\n  a/b: 1\n  description: 5\nservers:\n- server: x\n  type: duckdb\n",
    );
    let found: Vec<_> = findings(Kind::Contract, &text)
        .into_iter()
        .map(|finding| (finding.pointer.unwrap(), finding.contract.unwrap()))
        .collect();
    let shop = |pointer: &str| (pointer.to_owned(), "shop".to_owned());
    let pointers = ["/schema/0/a~1b", "/schema/0/description", "/servers/0"];
    assert_eq!(found, pointers.map(shop));
}

#[test]
fn values_behind_an_alias_are_marked_at_the_alias() {
    let text = contract(
        "v3.2.0",
        "customProperties:\n- {property: x, value: &n 5}\nname: *n\n",
    );
    assert_eq!(
        report(Kind::Contract, &text),
        ["8:7 wrong-type: expected a string for `name`, found a number -> put it in quotes"]
    );
}

#[test]
fn threads_share_the_schemas() {
    let text = Arc::new(contract("v3.1.0", "nope: 1\n"));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let text = Arc::clone(&text);
            std::thread::spawn(move || report(Kind::Contract, &text).len())
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 1);
    }
    let whole = schema(Kind::Product, ApiVersion::new(0, 9, 0)).unwrap();
    assert_eq!(whole["title"], "Data product, ODPS 0.9.0");
    assert_eq!(schema(Kind::Product, ApiVersion::new(3, 0, 0)), None);
}
