//! Documentation that is made from the program's tables. `UPDATE_DOCS=1 cargo test --test docs` writes
//! what the tables say; read the change before it is committed.

use std::fmt::Write as _;
use std::path::Path;

use dbt_contracts::diagnostics::rules::ALL;

/// Every area of rules with what its findings are about, in the order in which a document meets them.
const AREAS: &[(&str, &str)] = &[
    ("config", "Settings in `contracts/config.yaml`."),
    (
        "discovery",
        "Which files are contracts and products, and which files cannot be read as one.",
    ),
    (
        "yaml",
        "The text of a document, before anything is known of its meaning.",
    ),
    (
        "schema",
        "Pass 1: what the JSON Schema of the standard demands, in the version that `apiVersion` names.",
    ),
    (
        "reference",
        "Pass 2: whether what a document names is there.",
    ),
    (
        "rule",
        "Pass 2: what the text of the standard demands beyond its schema, and comments that silence findings.",
    ),
    ("status", "Pass 3: how far a document is in its life."),
    (
        "lineage",
        "The graph of contracts that the ports of products make.",
    ),
    ("mapping", "What a contract becomes in dbt."),
    ("merge", "Generated files and what people made of them."),
    (
        "drift",
        "What `drift` finds in the columns that sources have.",
    ),
];

/// The page of all rules.
fn rules() -> String {
    let mut page = String::from(
        "# Rules\n\n\
         <!-- Made from the table of rules: UPDATE_DOCS=1 cargo test --test docs -->\n\n\
         Every finding has the code of the rule that made it. `dbt-contracts explain CODE` prints what is \
         said here, `rules` in `contracts/config.yaml` raises, lowers or silences a rule, and a comment \
         silences it on one line:\n\n\
         ```yaml\n\
         status: retired # dbt-contracts: allow(status/retired) kept until the audit\n\
         ```\n\n\
         An error makes the exit code 1, a warning only under `--deny-warnings`, a note never.\n",
    );
    for (area, about) in AREAS {
        let _ = write!(page, "\n## {area}\n\n{about}\n");
        for rule in ALL.iter().filter(|rule| rule.area() == *area) {
            let _ = write!(
                page,
                "\n### `{}`\n\n**{}**: {}.\n\n{}\n",
                rule.code,
                rule.severity.as_str(),
                rule.summary,
                rule.explanation
            );
        }
    }
    page
}

#[test]
#[expect(clippy::disallowed_methods, reason = "writes the page when asked to")]
fn the_page_of_rules_is_up_to_date() {
    for rule in ALL.iter() {
        assert!(
            AREAS.iter().any(|(area, _)| *area == rule.area()),
            "`AREAS` in tests/docs.rs says nothing about the area of `{}`",
            rule.code
        );
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    let page = rules();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, page).unwrap();
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written.replace("\r\n", "\n") == page,
        "docs/rules.md is not what the table of rules says; `UPDATE_DOCS=1 cargo test --test docs` rewrites it"
    );
}
