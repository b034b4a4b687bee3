#![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

use std::collections::BTreeSet;

use serde_json::Value;

use super::settings::{LEVELS, OF_DOCUMENTS, RULE_KEYS, SELECT, SETTINGS, Takes};
use super::*;
use crate::dbt::adapter::Adapter;
use crate::dbt::release::Release;
use crate::diagnostics::Diagnostic;

fn load_text(text: &str) -> Loaded {
    let project = tempfile::tempdir().unwrap();
    std::fs::create_dir(project.path().join("contracts")).unwrap();
    std::fs::write(project.path().join(DEFAULT_FILE), text).unwrap();
    load(project.path(), None)
}

#[test]
fn the_file_may_have_the_shorter_extension() {
    let project = tempfile::tempdir().unwrap();
    std::fs::create_dir(project.path().join("contracts")).unwrap();
    let write = |path: &str, text: &str| std::fs::write(project.path().join(path), text).unwrap();
    let server = || load(project.path(), None).config.dbt.server.unwrap().value;
    write(OTHER_FILE, "dbt: {server: dev}\n");
    assert_eq!(server(), "dev");
    write(DEFAULT_FILE, "dbt: {server: prod}\n");
    assert_eq!(server(), "prod");
}

/// Each finding as `line:column code message (help)`.
fn findings(text: &str) -> Vec<String> {
    load_text(text).diagnostics.iter().map(line).collect()
}

fn line(finding: &Diagnostic) -> String {
    let place = finding.place.as_ref().unwrap().display();
    let place = place.trim_start_matches("contracts/config.yaml:");
    let help = finding.help.as_deref().unwrap_or("-");
    format!("{place} {} {} ({help})", finding.rule.code, finding.message)
}

#[test]
fn every_setting_is_read() {
    let loaded = load_text(
        "paths: {contracts: [a, 'b/**/*.odcs.yaml'], products: c}
dbt: {adapter: snowflake, server: prod}
tests: {mode: packages, default_severity: warn}
naming: {model: 'm_{{ object.name }}', source: s, table: t}
layout: {sources: a.yml, schema: b.yml, staging: '{{ model }}.sql', groups: g.yml, tests: t.sql, macros: m}
types: {number: 'decimal(18, 4)', timestamp: aware}
validation: {cross_reference: warn, min_status: active}
rules:
  - {code: lineage/no-port, level: off}
  - {code: lineage/no-port, level: note, select: 'tag:old'}
model_contracts: {enforced: true}
overrides:
  - {select: 'domain:a', types: {number: double}}
  - {select: 'domain:b', validation: {min_status: draft}}
",
    );
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let config = loaded.config;
    let values = |texts: &[Text]| {
        let values: Vec<_> = texts.iter().map(|text| text.value.clone()).collect();
        values.join(" ")
    };
    assert_eq!(values(&config.paths.contracts), "a b/**/*.odcs.yaml");
    assert_eq!(values(&config.paths.products), "c");
    assert_eq!(config.dbt.adapter.unwrap().value, "snowflake");
    assert_eq!(config.dbt.server.unwrap().value, "prod");
    assert_eq!(config.tests.mode, TestMode::Packages);
    assert_eq!(config.tests.default_severity, TestSeverity::Warn);
    let naming = config.naming;
    assert_eq!(
        values(&[naming.model, naming.source, naming.table]),
        "m_{{ object.name }} s t"
    );
    let layout = config.layout;
    let layout = [
        layout.sources,
        layout.schema,
        layout.staging,
        layout.groups,
        layout.tests,
        layout.macros,
    ];
    assert_eq!(
        values(&layout.map(Option::unwrap)),
        "a.yml b.yml {{ model }}.sql g.yml t.sql m"
    );
    assert_eq!(config.types.number, NumberType::Decimal(18, 4));
    assert_eq!(config.types.timestamp, TimestampType::Aware);
    assert_eq!(config.validation.cross_reference, Some(Severity::Warning));
    assert_eq!(config.validation.min_status, Status::Active);
    assert!(config.model_contracts.enforced);
    let rules: Vec<_> = config
        .rules
        .into_iter()
        .map(|rule| {
            (
                rule.code,
                rule.level,
                rule.select.map(|select| select.value),
            )
        })
        .collect();
    assert_eq!(
        rules,
        [
            ("lineage/no-port", None, None),
            (
                "lineage/no-port",
                Some(Severity::Note),
                Some("tag:old".to_owned())
            ),
        ]
    );
    let selections = config.overrides.iter();
    let selections: Vec<_> = selections.map(|entry| entry.select.as_str()).collect();
    assert_eq!(selections, ["domain:a", "domain:b"]);
}

#[test]
fn overrides_change_settings_of_documents() {
    let loaded = load_text(
        "types: {number: double}
overrides:
  - {select: a, types: {number: 'decimal(9,2)'}, validation: {min_status: draft}}
  - {select: b, validation: {min_status: active}, model_contracts: {enforced: true}, tests: {default_severity: warn}}
",
    );
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let settings = |overrides: &[usize]| {
        let config = loaded.config.overridden(overrides.iter().copied());
        (
            config.types.number,
            config.validation.min_status,
            config.model_contracts.enforced,
            config.tests.default_severity,
        )
    };
    let (double, decimal) = (NumberType::Double, NumberType::Decimal(9, 2));
    let (error, warn) = (TestSeverity::Error, TestSeverity::Warn);
    assert_eq!(settings(&[]), (double, Status::Proposed, false, error));
    assert_eq!(settings(&[0]), (decimal, Status::Draft, false, error));
    assert_eq!(settings(&[1]), (double, Status::Active, true, warn));
    assert_eq!(settings(&[0, 1]), (decimal, Status::Active, true, warn));
}

#[test]
fn overrides_change_nothing_else() {
    let known = "`overrides` can change `tests.default_severity`, `types.number`, `types.timestamp`, \
                 `validation.min_status`, `model_contracts.enforced`, `drift.policy`, `drift.gate` \
                 and `drift.record`";
    assert_eq!(
        findings(
            "overrides:
  - {validation: {min_status: draft}}
  - {select: '', access: product}
  - {select: a, validation: {cross_reference: warn, min_status: x}, dbt: {adapter: duckdb}}
  - {select: a, overrides: [], rules: []}
  - x
"
        ),
        [
            "2:5 config/invalid-value an entry of `overrides` needs `select` (-)".to_owned(),
            "3:14 config/invalid-value `overrides.select` takes a selection such as `domain:sales`, found `''` (give it a value, or remove the key)".to_owned(),
            format!("3:18 config/unknown-key `access` is set for the whole project ({known})"),
            format!("4:30 config/unknown-key `validation.cross_reference` is set for the whole project ({known})"),
            "4:65 config/invalid-value `validation.min_status` takes `proposed`, `draft` or `active`, found `x` (-)".to_owned(),
            format!("4:75 config/unknown-key `dbt.adapter` is set for the whole project ({known})"),
            format!("5:17 config/unknown-key `overrides` is set for the whole project ({known})"),
            format!("5:32 config/unknown-key `rules` is set for the whole project ({known})"),
            "6:5 config/invalid-value `overrides` takes entries of settings with `select`, found `x` (-)".to_owned()
        ]
    );
}

#[test]
fn a_bare_off_is_off() {
    for (text, level) in [
        ("off", None),
        ("'off'", None),
        ("false", None),
        ("true", Some(Severity::Error)),
        ("error", Some(Severity::Error)),
    ] {
        let loaded = load_text(&format!("validation: {{cross_reference: {text}}}"));
        assert!(loaded.diagnostics.is_empty(), "{text}");
        assert_eq!(loaded.config.validation.cross_reference, level, "{text}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    assert_eq!(
        findings(
            "pathz: {}
adapter: duckdb
dbt: {adaptr: x, qqqq: 1, adapter: postgresql, server: 1}
tests: [auto]
paths: {contracts: ['a[', {}, '']}
naming: {model: '{{ object.name', source:, table: ''}
types: {number: 'decimal(40,2)', timestamp: native}
validation: {min_status: retired, cross_reference: warning}
rules: [{code: lineage/no-prt, level: fatal}, {code: schema/operator}, {selct: a}, x]
model_contracts: {enforced: often}
tests.mode: auto
"
        ),
        [
            "1:1 config/unknown-key unknown setting `pathz` (did you mean `paths`?)",
            "2:1 config/unknown-key unknown setting `adapter` (`adapter` stands below `dbt:`)",
            "3:7 config/unknown-key unknown setting `dbt.adaptr` (did you mean `adapter`?)",
            "3:18 config/unknown-key unknown setting `dbt.qqqq` (known are `adapter`, `server` and `version`)",
            "3:36 config/invalid-value `dbt.adapter` takes `duckdb`, `postgres`, `snowflake`, \
             `bigquery`, `redshift`, `databricks`, `spark`, `trino`, `athena`, `clickhouse`, \
             `sqlserver`, `fabric`, `mysql`, `oracle` or `sqlite`, found `postgresql` \
             (did you mean `postgres`?)",
            "3:56 config/invalid-value `dbt.server` takes text, found `1` \
             (put it in quotes to make it text)",
            "4:8 config/invalid-value `tests` takes a mapping of settings, found a list (-)",
            "5:21 config/invalid-value `paths.contracts` takes a folder or glob, or a list of \
             them, found `'a['` (unclosed character class; missing ']')",
            "5:27 config/invalid-value `paths.contracts` takes a folder or glob, or a list of \
             them, found a mapping (-)",
            "5:31 config/invalid-value `paths.contracts` takes a folder or glob, or a list of \
             them, found `''` (give it a value, or remove the key)",
            "6:17 config/invalid-value `naming.model` takes a template, found \
             `'{{ object.name'` (unexpected end of input, expected end of variable block)",
            "6:42 config/invalid-value `naming.source` takes a template, found nothing \
             (give it a value, or remove the key)",
            "6:51 config/invalid-value `naming.table` takes a template, found `''` \
             (give it a value, or remove the key)",
            "7:17 config/invalid-value `types.number` takes `error_if_enforced`, `double` or \
             `decimal(p,s)`, found `'decimal(40,2)'` (a decimal has 1 to 38 \
             digits, such as `decimal(18,4)`)",
            "7:45 config/invalid-value `types.timestamp` takes `naive` or `aware`, found `native` \
             (did you mean `naive`?)",
            "8:26 config/invalid-value `validation.min_status` takes `proposed`, `draft` or \
             `active`, found `retired` (-)",
            "8:52 config/invalid-value `validation.cross_reference` takes `error`, `warn`, `off`, \
             `true` or `false`, found `warning` (did you mean `warn`?)",
            "9:16 config/invalid-value `rules.code` takes the code of a rule, found \
             `lineage/no-prt` (did you mean `lineage/no-port`?)",
            "9:39 config/invalid-value `rules.level` takes `error`, `warn`, `note` or `off`, found \
             `fatal` (-)",
            "9:47 config/invalid-value an entry of `rules` needs `level` (-)",
            "9:73 config/unknown-key unknown key `selct` in an entry of `rules` (did you mean \
             `select`?)",
            "9:72 config/invalid-value an entry of `rules` needs `code` (-)",
            "9:72 config/invalid-value an entry of `rules` needs `level` (-)",
            "9:84 config/invalid-value `rules` takes entries like `{code, level}`, found `x` (-)",
            "10:29 config/invalid-value `model_contracts.enforced` takes `true` or `false`, found \
             `often` (-)",
            "11:1 config/unknown-key unknown setting `tests.mode` (`mode` stands below `tests:`)",
        ]
    );
}

#[test]
fn files_without_settings_are_defaults() {
    let default = format!("{:?}", Config::default());
    for text in ["", "# nothing yet\n", "paths:\ndbt:\n", "{}"] {
        let loaded = load_text(text);
        assert!(loaded.diagnostics.is_empty(), "{text}");
        let config = Config {
            file: None,
            ..loaded.config
        };
        assert_eq!(format!("{config:?}"), default, "{text}");
    }
}

#[test]
fn what_is_no_configuration_is_named() {
    for (text, expected) in [
        (
            "- paths\n",
            "1:3 config/invalid-value the configuration takes a mapping of settings, found a \
             list (-)",
        ),
        (
            "a: 1\n---\nb: 2\n",
            "3:1 yaml/several-documents the configuration is one document, found several \
             (remove the `---` line)",
        ),
        (
            "\0\u{1}",
            "contracts/config.yaml discovery/unreadable `contracts/config.yaml` is a binary file \
             (save the file as UTF-8 text)",
        ),
    ] {
        assert_eq!(findings(text), [expected]);
    }
    let broken = load_text("tests: {mode: auto\nrules: [");
    assert_eq!(broken.diagnostics[0].rule.code, "yaml/syntax");
    let twice = load_text("tests: {mode: auto}\ntests: {mode: builtin}\n");
    assert_eq!(twice.diagnostics[0].rule.code, "yaml/duplicate-key");
}

#[test]
fn only_the_default_file_may_be_absent() {
    let project = tempfile::tempdir().unwrap();
    assert!(load(project.path(), None).diagnostics.is_empty());
    let given = project.path().join("other.yaml");
    let loaded = load(project.path(), Some(&given));
    assert_eq!(
        loaded.diagnostics.iter().map(line).collect::<Vec<_>>(),
        [
            "other.yaml discovery/unreadable `other.yaml` cannot be read: it does not exist \
          (`--config` names the configuration file)"
        ]
    );
    std::fs::write(&given, "model_contracts: {enforced: true}").unwrap();
    assert!(
        load(project.path(), Some(&given))
            .config
            .model_contracts
            .enforced
    );
}

/// The keys of a JSON Schema's properties as `section.name`.
fn schema_paths(schema: &Value, section: &str, paths: &mut BTreeSet<String>) {
    for (name, property) in schema["properties"].as_object().unwrap() {
        assert!(property["description"].is_string(), "{name}");
        let path = format!("{section}{name}");
        if property.get("properties").is_some() {
            assert_eq!(property["additionalProperties"], false, "{path}");
            schema_paths(property, &format!("{path}."), paths);
        } else {
            paths.insert(path);
        }
    }
}

#[test]
fn the_schema_has_the_keys_and_words_of_the_table() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut paths = BTreeSet::new();
    schema_paths(&schema, "", &mut paths);
    assert_eq!(
        paths,
        SETTINGS.iter().map(settings::Setting::path).collect()
    );
    let texts = |words: &Value| -> Vec<String> {
        let words = words.as_array().unwrap().iter().filter_map(Value::as_str);
        words.map(str::to_owned).collect()
    };
    for setting in SETTINGS {
        let pointer = match setting.section {
            "" => format!("/properties/{}", setting.name),
            section => format!("/properties/{section}/properties/{}", setting.name),
        };
        let property = schema.pointer(&pointer).unwrap();
        let path = setting.path();
        match &setting.takes {
            Takes::Text(_) | Takes::Template(_) => {
                assert_eq!(property["$ref"], "#/$defs/text", "{path}");
            }
            Takes::Places(_) => assert_eq!(property["$ref"], "#/$defs/places", "{path}"),
            Takes::Bool(_) => assert_eq!(property["type"], "boolean", "{path}"),
            Takes::Word(words) => {
                let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                assert_eq!(texts(&property["enum"]), words, "{path}");
            }
            Takes::Adapter(_) => {
                let words: Vec<_> = Adapter::ALL.iter().map(|(_, word)| *word).collect();
                assert_eq!(texts(&property["enum"]), words, "{path}");
            }
            Takes::Release(_) => {
                let pattern = property["pattern"].as_str().unwrap();
                let pattern = regex::Regex::new(pattern).unwrap();
                for text in [
                    "1.8", "1.9.11", "1.10.4", "v1.11", "2", "2.0.1", "10.0", "1.7", "1", "0.21",
                    "x", "1.8.x", "1.8.1.1", "1.", "",
                ] {
                    let read = Release::parse(text).is_some();
                    assert_eq!(pattern.is_match(text), read, "{path}: {text}");
                }
            }
            Takes::Number(words, _) => {
                let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                assert_eq!(texts(&property["anyOf"][0]["enum"]), words, "{path}");
            }
            Takes::Rules => {
                let entry = &property["items"];
                let keys: Vec<_> = entry["properties"].as_object().unwrap().keys().collect();
                let known: Vec<_> = RULE_KEYS.iter().map(|(key, _)| *key).collect();
                assert_eq!(keys, known, "{path}");
                let required = RULE_KEYS.iter().filter(|(_, required)| *required);
                let required: Vec<_> = required.map(|(key, _)| *key).collect();
                assert_eq!(texts(&entry["required"]), required, "{path}");
                let levels: Vec<_> = LEVELS.iter().map(|(word, _)| *word).collect();
                assert_eq!(
                    texts(&entry["properties"]["level"]["enum"]),
                    levels,
                    "{path}"
                );
            }
            Takes::Overrides => {
                let sections = property["items"]["properties"].as_object().unwrap();
                let of_documents = OF_DOCUMENTS
                    .iter()
                    .map(|path| path.split_once('.').unwrap());
                for (section, name) in of_documents.clone() {
                    let own = &sections[section];
                    let reference = format!("#/properties/{section}");
                    let inner = format!("{reference}/properties/{name}");
                    let is_known = own["$ref"] == reference.as_str()
                        || own["properties"][name]["$ref"] == inner.as_str();
                    assert!(is_known, "{section}.{name}");
                }
                for section in sections.keys().filter(|section| *section != SELECT) {
                    assert!(of_documents.clone().any(|(known, _)| known == section));
                }
            }
        }
    }
}

/// The default of each property of a JSON Schema as a configuration.
fn schema_defaults(schema: &Value) -> Value {
    let properties = schema["properties"].as_object().unwrap();
    let defaults = properties.iter().filter_map(|(name, property)| {
        let value = match property.get("properties") {
            Some(_) => schema_defaults(property),
            None => property.get("default")?.clone(),
        };
        Some((name.clone(), value))
    });
    Value::Object(defaults.collect())
}

#[test]
fn the_schema_agrees_with_the_reader() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let defaults = schema_defaults(&schema);
    for (valid, text) in [
        (true, defaults.to_string().as_str()),
        (
            true,
            r#"{"types": {"number": "decimal(18, 4)"}, "rules": [{"code": "lineage/no-port", "level": false}]}"#,
        ),
        (
            true,
            r#"{"paths": null, "validation": {"cross_reference": false}}"#,
        ),
        (false, r#"{"paths": {"contracts": null}}"#),
        (false, r#"{"paths": {"contracts": [""]}}"#),
        (false, r#"{"dbt": {"adapter": "DuckDB"}}"#),
        (false, r#"{"dbt": {"server": 1}}"#),
        (true, r#"{"dbt": {"version": "1.10.4"}}"#),
        (false, r#"{"dbt": {"version": "1.7"}}"#),
        (false, r#"{"dbt": {"version": 1.11}}"#),
        (false, r#"{"rules": [{"code": "lineage/no-port"}]}"#),
        (false, r#"{"rules": null}"#),
        (false, r#"{"nosuch": {}}"#),
        (false, "[]"),
    ] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(validator.is_valid(&value), valid, "schema: {text}");
        assert_eq!(findings(text).is_empty(), valid, "reader: {text}");
    }
    let loaded = load_text(&defaults.to_string());
    let without_spans = |config: Config| {
        let texts = |texts: Vec<Text>| texts.into_iter().map(|text| text.value).collect::<Vec<_>>();
        let naming = [
            config.naming.model,
            config.naming.source,
            config.naming.table,
        ];
        format!(
            "{:?}",
            (
                texts(config.paths.contracts),
                texts(config.paths.products),
                texts(naming.into()),
                config.tests,
                config.types,
                config.validation,
                config.model_contracts
            )
        )
    };
    assert_eq!(
        without_spans(loaded.config),
        without_spans(Config::default())
    );
}
