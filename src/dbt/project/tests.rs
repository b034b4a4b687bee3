#![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

use std::fs;

use tempfile::TempDir;

use super::*;

/// A project with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

/// Reads a project with these environment variables.
fn read_in(project: &TempDir, environment: &[(&str, &str)]) -> (Project, Vec<String>) {
    let variable = |name: &str| {
        let found = environment.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    let (project, diagnostics) =
        read_with(project.path(), &Files::default(), &|_| false, &variable);
    let line = |finding: &Diagnostic| {
        let place = finding.place.as_ref().unwrap().display();
        format!(
            "{place} {} {}",
            finding.severity.as_str(),
            finding.rule.code
        )
    };
    (project, diagnostics.iter().map(line).collect())
}

#[test]
fn a_folder_without_project_has_the_defaults() {
    let (read, findings) = read_in(&project(&[]), &[]);
    assert_eq!((read, findings), (Project::default(), vec![]));
}

#[test]
fn paths_variables_and_packages_are_read() {
    let folder = project(&[
        (
            "dbt_project.yml",
            "name: shop
model-paths: [transform, \"{{ env_var('MORE', 'more') }}\", \"{{ target.name }}\"]
data-paths: data
packages-install-path: vendor
vars:
  start: 2020-01-01
  'dbt_date:time_zone': UTC
  shop: {own: 1}
  other_package: {theirs: 1}
",
        ),
        (
            "packages.yml",
            "packages:
  - package: dbt-labs/dbt_utils
    version: 1.3.0
  - git: https://example.org/x/dbt-audit-helper.git
  - git: 'git@example.org:x/mono.git'
    subdirectory: packages/dbt-inner
  - local: ../sibling
  - local: helpers
  - tarball: https://example.org/a.tgz
    name: packed
",
        ),
        (
            "dependencies.yml",
            "packages: [{package: metaplane/dbt_expectations}, {package: a/dbt_utils}]",
        ),
        ("helpers/dbt_project.yml", "name: my_helpers"),
        ("vendor/dbt_utils/dbt_project.yml", ""),
        ("vendor/README.md", ""),
    ]);
    let (read, findings) = read_in(&folder, &[]);
    assert_eq!(findings, [""; 0]);
    assert_eq!(read.name.as_deref(), Some("shop"));
    assert_eq!(read.model_paths, ["transform", "more"]);
    assert_eq!(read.seed_paths, ["data"]);
    assert_eq!(read.macro_paths, ["macros"]);
    let variables: Vec<_> = read.variables.iter().collect();
    assert_eq!(
        variables,
        ["dbt_date:time_zone", "other_package", "own", "start"]
    );
    assert_eq!(
        read.packages,
        [
            "dbt_utils",
            "dbt_audit_helper",
            "dbt_inner",
            "sibling",
            "my_helpers",
            "packed",
            "dbt_expectations"
        ]
    );
    assert_eq!(read.packages_installed, ["dbt_utils"]);
}

#[test]
fn the_adapter_is_that_of_the_profiles_target() {
    let profiles = "shop:
  target: \"{{ env_var('SHOP_TARGET', 'dev') }}\"
  outputs:
    dev: {type: duckdb}
    prod: {type: snowflake, password: secret}
    lab: {type: \"{{ env_var('LAB_TYPE') }}\"}
    odd: {type: \"{{ var('x') }}\"}
other:
  outputs:
    default: {type: postgres}
";
    let there = project(&[(
        "profiles.yml",
        "shop: {target: a, outputs: {a: {type: trino}}}",
    )]);
    let there_path = there.path().to_str().unwrap();
    let inside = project(&[
        ("dbt_project.yml", "{name: s, profile: shop}"),
        ("profiles.yml", profiles),
    ]);
    for (environment, expected) in [
        (&[][..], Some("duckdb")),
        (&[("SHOP_TARGET", "prod")], Some("snowflake")),
        (&[("DBT_TARGET", "prod")], Some("snowflake")),
        (
            &[("DBT_ENGINE_TARGET", "dev"), ("DBT_TARGET", "prod")],
            Some("duckdb"),
        ),
        (&[("DBT_PROFILE", "other")], Some("postgres")),
        (
            &[("DBT_TARGET", "lab"), ("LAB_TYPE", "spark")],
            Some("spark"),
        ),
        (&[("DBT_TARGET", "lab")], None),
        (&[("DBT_TARGET", "odd")], None),
        (&[("DBT_TARGET", "nosuch")], None),
        (&[("DBT_PROFILES_DIR", there_path)], Some("trino")),
        (&[("DBT_PROFILES_DIR", "nosuch")], None),
    ] {
        let (read, findings) = read_in(&inside, environment);
        let adapter = read.adapter.map(|adapter| adapter.value);
        assert_eq!(adapter.as_deref(), expected, "{environment:?}");
        assert_eq!(findings, [""; 0]);
    }
    let home = project(&[(".dbt/profiles.yml", profiles)]);
    let plain = project(&[("dbt_project.yml", "profile: shop")]);
    let environment = [("HOME", home.path().to_str().unwrap())];
    let adapter = read_in(&plain, &environment).0.adapter.unwrap();
    assert_eq!(adapter.value, "duckdb");
    assert!(
        adapter.path.ends_with(".dbt/profiles.yml"),
        "{}",
        adapter.path
    );
}

#[test]
fn dbt_files_with_mistakes_are_reported_and_read_as_dbt_does() {
    let folder = project(&[
        (
            "dbt_project.yml",
            "name: a\nname: b\nprofile: p\nquoting: {database: yes}\n",
        ),
        ("packages.yml", "packages: [\n"),
        ("profiles.yml", "p:\n  outputs: {x: {password: secret}\n"),
    ]);
    let (read, findings) = read_in(&folder, &[]);
    assert_eq!(read.name.as_deref(), Some("b"));
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert_eq!(
        findings[0],
        "dbt_project.yml:2:1 warning yaml/duplicate-key"
    );
    assert_eq!(findings[1], "profiles.yml error yaml/syntax");
    assert!(findings[2].starts_with("packages.yml:1:"), "{findings:?}");
    let (_, diagnostics) = read_with(folder.path(), &Files::default(), &|_| false, &|_| None);
    assert!(
        diagnostics[1].message.contains("(line "),
        "{}",
        diagnostics[1].message
    );
    assert!(!crate::diagnostics::human::render(&diagnostics[1], false).contains("secret"));
}

#[test]
fn resources_are_what_files_define() {
    let folder = project(&[
        (
            "dbt_project.yml",
            "name: a\nmodel-paths: ['.']\nseed-paths: [seeds]",
        ),
        ("models/orders.sql", "select 1"),
        ("models/deep/scores.py", ""),
        ("models/schema.yml", "models: [{name: orders}]"),
        ("again/orders.sql", ""),
        ("target/compiled/x.sql", ""),
        ("dbt_packages/p/models/y.sql", ""),
        (".venv/z.sql", ""),
        ("seeds/countries.csv", "a"),
        (
            "snapshots/both.sql",
            "{% snapshot one %}{% endsnapshot %}\n{%- snapshot\n two -%}{% endsnapshot %}",
        ),
        (
            "snapshots/snapshots.yml",
            "snapshots: [{name: three, relation: ref('orders')}, {name: described}]",
        ),
    ]);
    let (read, findings) = read_in(&folder, &[]);
    assert_eq!(findings, [""; 0]);
    let resources: Vec<_> = read
        .resources
        .iter()
        .map(|(name, path)| format!("{name} {path}"))
        .collect();
    assert_eq!(
        resources,
        [
            "both snapshots/both.sql",
            "countries seeds/countries.csv",
            "one snapshots/both.sql",
            "orders again/orders.sql",
            "scores models/deep/scores.py",
            "three snapshots/snapshots.yml",
            "two snapshots/both.sql",
        ]
    );
}

#[test]
fn a_model_that_is_off_is_known_as_such_and_gives_way_to_one_that_is_not() {
    let folder = project(&[
        ("dbt_project.yml", "name: a"),
        (
            "models/a/orders.sql",
            "{{ config(materialized='table', enabled=False) }}",
        ),
        (
            "models/b/orders.sql",
            "{{ config(enabled=true) }} select false",
        ),
        ("models/old.sql", "{{ config(\n  enabled = false\n) }}"),
        ("models/g.yml", "groups: [{name: sales, owner: {name: x}}]"),
    ]);
    let (read, _) = read_in(&folder, &[]);
    assert_eq!(read.resources["orders"], "models/b/orders.sql");
    assert_eq!(
        Vec::from_iter(read.disabled),
        ["models/a/orders.sql", "models/old.sql"]
    );
    assert_eq!(read.groups["sales"], "models/g.yml");
}

#[test]
fn of_what_was_generated_nothing_but_the_names_counts() {
    let folder = project(&[
        ("models/a/orders.sql", "{{ config(enabled=false) }}"),
        (
            "models/a/own.yml",
            "models: [{name: orders}]\ngroups: [{name: sales, owner: {name: x}}]",
        ),
        ("models/b/mine.yml", "models: [{name: mine}]"),
    ]);
    let is_own = |path: &str| path.starts_with("models/a/");
    let (read, _) = read_with(folder.path(), &Files::default(), &is_own, &|_| None);
    assert_eq!(read.resources["orders"], "models/a/orders.sql");
    assert!(read.disabled.is_empty() && read.groups.is_empty());
    let names: Vec<&str> = read
        .declared
        .iter()
        .map(|declared| declared.name.as_str())
        .collect();
    assert_eq!(names, ["mine"]);
}

#[test]
fn a_generated_model_that_somebody_switched_off_gives_way_too() {
    let folder = project(&[
        ("models/a/orders.sql", "{{ config(enabled=false) }}"),
        ("models/b/orders.sql", "select 1"),
    ]);
    let is_own = |path: &str| path.starts_with("models/a/");
    let (read, _) = read_with(folder.path(), &Files::default(), &is_own, &|_| None);
    assert_eq!(read.resources["orders"], "models/b/orders.sql");
}

#[test]
fn the_root_is_the_nearest_folder_with_a_project_file() {
    let folder = project(&[
        ("outer/dbt_project.yml", ""),
        ("outer/inner/dbt_project.yml", ""),
        ("outer/a/b/c", ""),
    ]);
    let path = |path: &str| std::path::absolute(folder.path().join(path)).unwrap();
    assert_eq!(find_root(&path("outer/a/b")), Some(path("outer")));
    assert_eq!(find_root(&path("outer/inner")), Some(path("outer/inner")));
    assert_eq!(find_root(folder.path()), None);
}

#[test]
fn tests_and_materializations_are_found_in_macros() {
    let folder = project(&[
        ("dbt_project.yml", "name: shop\nmacro-paths: [lib]\n"),
        (
            "lib/deep/all.sql",
            "{% test first(model) %}{% endtest %}\n{%- data_test second(model) -%}\n\
             {% macro test_third(model) %}\n{% macro other() %}\n{% materialization quick, default %}\n",
        ),
        ("tests/generic/own.sql", "{%test fourth ( model ) %}"),
        ("tests/singular.sql", "{% test fifth(model) %}"),
        ("lib/readme.md", "{% test sixth(model) %}"),
        ("macros/not_a_path.sql", "{% test seventh(model) %}"),
        ("dbt_packages/audit/macros/a.sql", "{% test fresh(model) %}"),
    ]);
    let (project, _) = read_in(&folder, &[]);
    let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        names(&project.macros.tests),
        "audit.fresh first fourth fresh second third"
    );
    assert_eq!(names(&project.macros.materializations), "quick");
    let defined: Vec<&str> = project.macros.defined.keys().map(String::as_str).collect();
    assert_eq!(
        defined,
        [
            "other",
            "test_first",
            "test_fourth",
            "test_second",
            "test_third"
        ]
    );
    assert_eq!(project.macros.defined["test_first"], "lib/deep/all.sql");
}
