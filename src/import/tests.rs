//! The import as a specification: tables of properties files with the contracts that they become. Every
//! contract is valid under the schema of its version.

#![expect(
    clippy::disallowed_methods,
    reason = "tests lay out their own projects"
)]

use std::fs;
use std::path::{Path, PathBuf};

use super::{GroupBy, Input, Outcome, Stop, VERSIONS, import};
use crate::config::{Config, TestSeverity};
use crate::dbt::adapter::Adapter;
use crate::dbt::project::{self, Project};
use crate::dbt::release::Release;
use crate::diagnostics::Severity;
use crate::document::{ApiVersion, texts};
use crate::file::Files;
use crate::workspace::{Options, Workspace};
use crate::yaml::{self, Limits, Node};

/// How a project is imported.
#[derive(Clone, Copy)]
struct How<'a> {
    paths: &'a [&'a str],
    select: &'a [&'a str],
    exclude: &'a [&'a str],
    group_by: GroupBy,
    version: ApiVersion,
    adapter: Option<Adapter>,
    config: fn() -> Config,
}

const HOW: How<'_> = How {
    paths: &["models"],
    select: &[],
    exclude: &[],
    group_by: GroupBy::Folder,
    version: VERSIONS[0],
    adapter: Some(Adapter::DuckDb),
    config: Config::default,
};

/// A project of these files.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let project = ("dbt_project.yml", "name: shop\n");
    for (path, text) in files.iter().chain([&project]) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &Path, how: How<'_>) -> Result<Outcome, Stop> {
    let (project, _): (Project, _) = project::read(folder, &Files::default(), &|_| false);
    let owned = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    };
    let paths: Vec<PathBuf> = how.paths.iter().map(|path| folder.join(path)).collect();
    import(&Input {
        project_dir: folder,
        project: &project,
        config: &(how.config)(),
        adapter: how.adapter,
        paths: &paths,
        manifest: None,
        catalog: None,
        select: &owned(how.select),
        exclude: &owned(how.exclude),
        group_by: how.group_by,
        version: how.version,
        output: "contracts/contracts",
        products: None,
        known: &[],
        update: false,
    })
}

/// The contracts of a project by the names of their files, each of them valid, and what is lost.
fn imported(files: &[(&str, &str)], how: How<'_>) -> (Vec<(String, String)>, Vec<String>) {
    let folder = project(files);
    let outcome = run(folder.path(), how).unwrap_or_else(|stop| panic!("{}", stop.message));
    let mut contracts = Vec::new();
    for contract in outcome.contracts {
        let path = folder.path().join(&contract.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &contract.text).unwrap();
        let name = contract.path.rsplit('/').next().unwrap().to_owned();
        contracts.push((name, contract.text));
    }
    let options = Options {
        project_dir: folder.path().to_path_buf(),
        ..Options::default()
    };
    let workspace = Workspace::load(&options).unwrap();
    let findings = workspace.sink.diagnostics().iter();
    let errors: Vec<&String> = findings
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| &finding.message)
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{contracts:?}");
    let losses = outcome.losses.iter();
    let losses = losses.map(|loss| format!("{}: {}: {}", loss.line(), loss.what, loss.why));
    (contracts, losses.collect())
}

/// The cases of a table.
fn cases(table: &str) -> Vec<Node> {
    yaml::parse(table, &Limits::default())
        .documents
        .remove(0)
        .as_sequence()
        .unwrap()
        .to_vec()
}

fn text<'n>(case: &'n Node, key: &str) -> &'n str {
    case.get(key).and_then(Node::as_str).unwrap_or_default()
}

fn lost(case: &Node) -> Vec<String> {
    texts(case, "lost")
        .into_iter()
        .map(|text| text.value)
        .collect()
}

/// Lines that begin with as many blanks, without them.
fn dedented(text: &str, width: usize) -> String {
    let blanks = " ".repeat(width);
    let lines = text.lines();
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with(&blanks));
    let lines: Vec<&str> = lines
        .map(|line| line.get(width..).unwrap_or_default())
        .collect();
    lines.join("\n") + "\n"
}

#[test]
fn columns() {
    for case in cases(include_str!("tests/columns.yaml")) {
        let name = text(&case, "case");
        let columns = text(&case, "columns").trim_end().replace('\n', "\n      ");
        let file = format!("models:\n  - name: orders\n    columns:\n      {columns}\n");
        let (contracts, losses) = imported(&[("models/schema.yml", &file)], HOW);
        let (_, properties) = contracts[0].1.split_once("    properties:\n").unwrap();
        assert_eq!(dedented(properties, 6), text(&case, "becomes"), "{name}");
        assert_eq!(losses, lost(&case), "{name}");
    }
}

#[test]
fn files() {
    let mut all = cases(include_str!("tests/files.yaml"));
    all.extend(cases(include_str!("tests/limits.yaml")));
    for case in all {
        let name = text(&case, "case");
        let (contracts, losses) = imported(&[("models/schema.yml", text(&case, "file"))], HOW);
        let becomes = case.get("becomes").and_then(Node::as_mapping).unwrap();
        let expected: Vec<(String, String)> = becomes
            .iter()
            .map(|entry| {
                (
                    entry.name().to_owned(),
                    entry.value.as_str().unwrap().to_owned(),
                )
            })
            .collect();
        assert_eq!(contracts, expected, "{name}");
        assert_eq!(losses, lost(&case), "{name}");
    }
}

#[test]
fn the_newest_version_has_maps_and_variables() {
    let file = "models: [{name: a, description: 'in ${CURRENCY}', columns: [{name: b, data_type: 'map(varchar, integer)'}]}]\n";
    let how = How {
        version: VERSIONS[1],
        ..HOW
    };
    let (contracts, losses) = imported(&[("models/schema.yml", file)], how);
    let text = &contracts[0].1;
    assert!(text.contains("apiVersion: v3.2.0\n"), "{text}");
    assert!(text.contains("logicalType: map\n"), "{text}");
    assert!(
        text.contains("description: in ${text_as_it_is:-$}{CURRENCY}\n"),
        "{text}"
    );
    assert_eq!(losses, [""; 0]);
}

#[test]
fn fields_of_records_go_into_their_columns() {
    let columns = "\
models:
- name: a
  columns:
  - {name: place, data_type: struct, description: Where}
  - {name: place.city, data_type: string}
  - {name: place.at, data_type: struct}
  - {name: place.at.x, data_type: float64}
  - {name: lines, data_type: array}
  - {name: lines.sku, data_type: string}
  - {name: alone.x, data_type: string}
";
    let how = How {
        adapter: Some(Adapter::BigQuery),
        ..HOW
    };
    let (contracts, losses) = imported(&[("models/a.yml", columns)], how);
    assert_eq!(losses, [""; 0]);
    let text = &contracts[0].1;
    let expected = "
      - name: place
        logicalType: object
        description: Where
        properties:
          - name: city
            logicalType: string
            physicalType: string
          - name: at
            logicalType: object
            properties:
              - name: x
                logicalType: number
                physicalType: float64
                logicalTypeOptions: {format: f64}
      - name: lines
        logicalType: array
        items:
          logicalType: object
          properties:
            - name: sku
              logicalType: string
              physicalType: string
      - name: alone.x
        logicalType: string
        physicalType: string
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn without_an_adapter_types_are_what_nearly_all_agree_on() {
    let file = "models: [{name: a, columns: [{name: b, data_type: varchar}, {name: c, data_type: timestamp}, {name: d, data_type: date}, {name: e, data_type: number}]}]\n";
    let how = How {
        adapter: None,
        ..HOW
    };
    let (contracts, losses) = imported(&[("models/schema.yml", file)], how);
    let text = &contracts[0].1;
    assert!(text.contains("logicalType: string\n"), "{text}");
    assert!(
        text.contains("logicalType: timestamp\n        physicalType: timestamp\n      -"),
        "{text}"
    );
    assert!(text.contains("logicalType: date\n"), "{text}");
    assert_eq!(losses, [""; 0]);
}

#[test]
fn checks_are_lost_where_generate_writes_none() {
    let file = "models: [{name: a, config: {materialized: table, contract: {enforced: true}}, columns: [{name: b, data_type: bigint, \
        constraints: [{type: check, expression: b >= 0}], data_tests: [{contract_between: {arguments: {min_value: 0}}}]}]}]\n";
    let old: fn() -> Config = || {
        let mut config = Config::default();
        config.dbt.version = Release::parse("1.8");
        config
    };
    let v2: fn() -> Config = || {
        let mut config = Config::default();
        config.dbt.version = Release::parse("2.0");
        config
    };
    let mild: fn() -> Config = || {
        let mut config = Config::default();
        config.tests.default_severity = TestSeverity::Warn;
        config
    };
    for (config, lost) in [
        (Config::default as fn() -> Config, 0),
        (old, 0),
        (v2, 1),
        (mild, 1),
    ] {
        let (_, losses) = imported(&[("models/a.yml", file)], How { config, ..HOW });
        assert_eq!(losses.len(), lost, "{losses:?}");
    }
}

/// Two models that read one source, and one that reads two.
const SHOP: &[(&str, &str)] = &[
    (
        "models/a/schema.yml",
        "models: [{name: one, group: g, tags: [x]}, {name: two, config: {group: g}}]\n",
    ),
    (
        "models/b/c/schema.yml",
        "models: [{name: three, config: {tags: y}}]\nsources: [{name: erp, tables: [{name: orders}]}]\n",
    ),
    (
        "models/a/one.sql",
        "select * from {{ source('erp', 'orders') }}",
    ),
    (
        "models/b/c/three.sql",
        "select * from {{ source(\"erp\", 'orders') }} join {{ source('erp', 'lines') }}",
    ),
    (
        "models/a/two.sql",
        "select * from {{ source('erp', 'orders') }}, {{ source('crm', 'x') }}",
    ),
    ("models/ci.yaml", "jobs: {}\n"),
];

#[test]
fn models_share_a_contract_as_asked() {
    for (group_by, expected) in [
        (
            GroupBy::Folder,
            &[
                "a.odcs.yaml: one two",
                "b_c.odcs.yaml: three",
                "erp.odcs.yaml: orders",
            ][..],
        ),
        (
            GroupBy::Source,
            &[
                "erp.odcs.yaml: one three",
                "a.odcs.yaml: two",
                "erp_2.odcs.yaml: orders",
            ],
        ),
        (
            GroupBy::Group,
            &[
                "g.odcs.yaml: one two",
                "b_c.odcs.yaml: three",
                "erp.odcs.yaml: orders",
            ],
        ),
    ] {
        let (contracts, _) = imported(SHOP, How { group_by, ..HOW });
        let shown: Vec<String> = contracts
            .iter()
            .map(|(name, text)| {
                let objects = text
                    .lines()
                    .filter_map(|line| line.strip_prefix("  - name: "));
                format!("{name}: {}", objects.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(shown, expected);
    }
}

#[test]
fn selections() {
    let found = |select: &[&str], exclude: &[&str]| {
        let folder = project(SHOP);
        match run(
            folder.path(),
            How {
                select,
                exclude,
                ..HOW
            },
        ) {
            Ok(outcome) => outcome.resources.to_string(),
            Err(stop) => stop.message,
        }
    };
    for (select, exclude, expected) in [
        (&["one"][..], &[][..], "1"),
        (&["t*"], &[], "2"),
        (&["source:erp"], &[], "1"),
        (&["source:erp.orders", "one"], &[], "2"),
        (&["tag:x tag:y"], &[], "2"),
        (&["tag:x,two"], &[], "nothing matches `tag:x,two`"),
        (&["path:models/a"], &["two"], "1"),
        (&["models/b/c/schema.yml"], &[], "2"),
        (&["group:g"], &[], "2"),
        (&["resource_type:model"], &[], "3"),
        (
            &["tree"],
            &[],
            "nothing matches `tree`; did you mean `three`?",
        ),
        (
            &["+one"],
            &[],
            "`+one` asks for the graph, which properties files do not have; give `--manifest`, or name what is to be imported",
        ),
        (
            &[],
            &["*", "source:*"],
            "nothing is left without `* source:*`",
        ),
    ] {
        assert_eq!(found(select, exclude), expected, "{select:?} {exclude:?}");
    }
}

#[test]
fn what_stops_a_run() {
    let stopped = |files: &[(&str, &str)], path: &str| {
        let folder = project(files);
        let stop = run(
            folder.path(),
            How {
                paths: &[path],
                ..HOW
            },
        )
        .err()?;
        let first = stop.diagnostics.first();
        let place = first.and_then(|finding| Some(finding.place.as_ref()?.display()));
        Some(format!(
            "{}: {}",
            place.unwrap_or_default(),
            first.map_or(stop.message, |finding| finding.message.clone())
        ))
    };
    assert_eq!(
        stopped(SHOP, "nothing").unwrap(),
        ": no such file or folder: `nothing`"
    );
    let broken = stopped(
        &[("models/a.yml", "models:\n  - name: a\n   - b\n")],
        "models",
    )
    .unwrap();
    assert!(broken.starts_with("models/a.yml:3:"), "{broken}");
    assert_eq!(
        stopped(SHOP, "models/ci.yaml").unwrap(),
        "models/ci.yaml: `models/ci.yaml` is no properties file of dbt: it has neither `models` nor `sources`"
    );
    let two = stopped(
        &[("models/a.yml", "models: []\n---\nmodels: []\n")],
        "models",
    )
    .unwrap();
    assert_eq!(
        two,
        "models/a.yml:3:1: a second document, and dbt reads one in a file"
    );
    assert!(stopped(&[("models/a.yml", "")], "models").is_none());
}

/// What `generate` has written comes again, though no contract says it.
#[test]
fn what_is_generated_with_the_rest_is_no_loss() {
    let source = "sources:\n  - name: q\n    database: my-db\n    tables:\n      - {name: t, quoting: {database: true, schema: true}}\n";
    let snowflake = How {
        adapter: Some(Adapter::Snowflake),
        ..HOW
    };
    let losses = imported(&[("models/s.yml", source)], snowflake).1;
    assert!(
        losses.len() == 1 && losses[0].contains("`schema` of `quoting`"),
        "{losses:?}"
    );
    let models = "models: [{name: m, config: {group: g}}]\ngroups: [{name: g, owner: {name: x}}]\n";
    let lost = |text: &str| imported(&[("models/s.yml", text)], HOW).1.len();
    let header = "# generated by dbt-contracts from c.yaml; edit it and it is yours\n";
    assert_eq!((lost(models), lost(&format!("{header}{models}"))), (2, 0));
}
