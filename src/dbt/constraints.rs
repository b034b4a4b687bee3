//! Constraints of dbt's model contracts: what a warehouse makes of each, and what is written.
//!
//! A release of dbt, an adapter, a materialization and a kind come in; whether such a constraint is
//! enforced goes out.

use super::adapter::Adapter;
use super::release::Release;

/// A kind of constraint that dbt's model contracts know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are SQL's")]
pub enum ConstraintKind {
    NotNull,
    Unique,
    PrimaryKey,
    ForeignKey,
    Check,
}

impl ConstraintKind {
    /// Every kind with the word that dbt's YAML uses, in the order of the columns of the matrix.
    pub const ALL: &[(Self, &str)] = &[
        (Self::NotNull, "not_null"),
        (Self::Unique, "unique"),
        (Self::PrimaryKey, "primary_key"),
        (Self::ForeignKey, "foreign_key"),
        (Self::Check, "check"),
    ];

    /// The kind of a `type` in dbt's YAML.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, name)| *name == word)
            .map(|(kind, _)| *kind)
    }

    /// The `type` in dbt's YAML.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }
}

/// What a warehouse does with a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Support {
    /// Rows that violate it cannot be written.
    Enforced,
    /// It can be declared, and is not checked; dbt warns unless `warn_unenforced: false`.
    NotEnforced,
    /// dbt leaves it out and warns unless `warn_unsupported: false`.
    Unsupported,
}

/// One row for each adapter, as its `CONSTRAINT_SUPPORT` declares it to dbt:
/// `not_null`, `unique`, `primary_key`, `foreign_key`, `check`.
#[rustfmt::skip]
const MATRIX: &[(Adapter, [Support; 5])] = {
    use Support::{Enforced as E, NotEnforced as N, Unsupported as X};
    &[
        (Adapter::DuckDb,     [E, E, E, E, E]),
        (Adapter::Postgres,   [E, E, E, E, E]),
        (Adapter::Snowflake,  [E, N, N, N, X]),
        (Adapter::BigQuery,   [E, X, N, N, X]),
        (Adapter::Redshift,   [E, N, N, N, X]),
        (Adapter::Databricks, [E, X, N, N, E]),
        (Adapter::Spark,      [N, N, N, N, N]),
        (Adapter::Trino,      [E, X, X, X, X]),
        (Adapter::Athena,     [X, X, X, X, X]),
        (Adapter::ClickHouse, [X, X, X, X, E]),
        (Adapter::SqlServer,  [E, E, E, E, E]),
        // The adapter declares keys as enforced; the warehouse takes them only as NOT ENFORCED.
        (Adapter::Fabric,     [E, N, N, N, X]),
        (Adapter::MySql,      [E, E, E, X, E]),
        (Adapter::Oracle,     [E, E, E, E, E]),
        // No table of its own: the defaults of dbt's base adapter.
        (Adapter::Sqlite,     [E, N, N, E, X]),
    ]
};

/// The rows that dbt v2 declares otherwise. It knows the others as they are, or not at all.
#[rustfmt::skip]
const MATRIX_OF_V2: &[(Adapter, [Support; 5])] = {
    use Support::{Enforced as E, NotEnforced as N, Unsupported as X};
    &[
        (Adapter::DuckDb,     [E, N, N, E, X]),
        (Adapter::Postgres,   [E, N, N, E, X]),
        // It stops at any constraint.
        (Adapter::Spark,      [X, X, X, X, X]),
        (Adapter::Trino,      [X, X, X, X, X]),
        (Adapter::Athena,     [X, X, X, X, X]),
        (Adapter::ClickHouse, [X, X, X, X, X]),
        (Adapter::Oracle,     [X, X, X, X, X]),
    ]
};

/// What dbt does with the contract of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It compares names and types, and puts constraints on the table.
    Constraints,
    /// It compares names and types.
    Types,
    /// It looks at nothing, or loads no such model.
    Nothing,
}

/// What dbt does by materialization; a model that states none is a view.
const MATERIALIZATIONS: &[(&str, Checked)] = &[
    ("incremental", Checked::Constraints),
    ("table", Checked::Constraints),
    ("view", Checked::Types),
];

/// What dbt does with the contract of a model of that materialization.
pub fn checked(materialized: Option<&str>) -> Checked {
    let word = materialized.unwrap_or("view");
    MATERIALIZATIONS
        .iter()
        .find(|(known, _)| *known == word)
        .map_or(Checked::Nothing, |(_, checked)| *checked)
}

/// The adapters that make a table anew although foreign keys of others lead to it, which are made anew
/// too: what stays, as an incremental model does, would have to be without its key.
const REBUILT_UNDER_KEYS: &[Adapter] = &[Adapter::DuckDb, Adapter::Postgres];

/// Whether a constraint is written: the warehouse enforces it, and dbt can still build the next time.
pub fn is_written(
    release: Release,
    adapter: Adapter,
    materialized: Option<&str>,
    kind: ConstraintKind,
) -> bool {
    let of_v2 = MATRIX_OF_V2
        .iter()
        .filter(|_| release.is_v2())
        .find(|(row, _)| *row == adapter);
    let of_v2 = of_v2.and_then(|(_, row)| Some(row[column(kind)?]));
    checked(materialized) == Checked::Constraints
        && of_v2.unwrap_or_else(|| support(adapter, kind)) == Support::Enforced
        && (kind != ConstraintKind::ForeignKey
            || materialized == Some("table") && REBUILT_UNDER_KEYS.contains(&adapter))
}

/// The column of a kind in the matrix.
fn column(kind: ConstraintKind) -> Option<usize> {
    ConstraintKind::ALL.iter().position(|(of, _)| *of == kind)
}

/// What the adapter's warehouse does with constraints of that kind.
pub fn support(adapter: Adapter, kind: ConstraintKind) -> Support {
    MATRIX
        .iter()
        .find(|(row, _)| *row == adapter)
        .zip(column(kind))
        .map_or(Support::Unsupported, |((_, row), column)| row[column])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_adapter_has_one_row() {
        for (adapter, word) in Adapter::ALL {
            let rows = MATRIX.iter().filter(|(row, _)| row == adapter).count();
            assert_eq!(rows, 1, "{word}");
        }
    }

    #[test]
    fn columns_follow_the_kinds() {
        let adapter = Adapter::Databricks;
        assert_eq!(support(adapter, ConstraintKind::NotNull), Support::Enforced);
        assert_eq!(
            support(adapter, ConstraintKind::Unique),
            Support::Unsupported
        );
        assert_eq!(
            support(adapter, ConstraintKind::PrimaryKey),
            Support::NotEnforced
        );
        assert_eq!(support(adapter, ConstraintKind::Check), Support::Enforced);
    }

    #[test]
    fn what_is_written_by_release_adapter_and_materialization() {
        // not_null, unique, primary_key, foreign_key, check
        const TABLE: &[(&str, &str, &str, &str)] = &[
            ("1.11", "duckdb", "table", "+++++"),
            ("1.11", "duckdb", "incremental", "+++-+"),
            ("1.11", "duckdb", "view", "-----"),
            ("1.11", "duckdb", "ephemeral", "-----"),
            ("1.11", "duckdb", "materialized_view", "-----"),
            ("1.11", "postgres", "table", "+++++"),
            ("1.8", "postgres", "table", "+++++"),
            ("1.11", "snowflake", "table", "+----"),
            ("1.11", "bigquery", "table", "+----"),
            ("1.11", "redshift", "incremental", "+----"),
            ("1.11", "databricks", "table", "+---+"),
            ("1.11", "spark", "table", "-----"),
            ("1.11", "trino", "table", "+----"),
            ("1.11", "athena", "table", "-----"),
            ("1.11", "clickhouse", "table", "----+"),
            ("1.11", "sqlserver", "table", "+++-+"),
            ("1.11", "fabric", "table", "+----"),
            ("1.11", "mysql", "table", "+++-+"),
            ("1.11", "oracle", "table", "+++-+"),
            ("1.11", "sqlite", "table", "+----"),
            ("2.0", "duckdb", "table", "+--+-"),
            ("2.0", "postgres", "view", "-----"),
            ("2.0", "snowflake", "table", "+----"),
            ("2.0", "trino", "table", "-----"),
            ("2.0", "oracle", "incremental", "-----"),
        ];
        for (release, adapter, materialized, expected) in TABLE {
            let of = Release::parse(release).unwrap();
            let on = Adapter::parse(adapter).unwrap();
            let written = |kind| is_written(of, on, Some(*materialized), kind);
            let found: String = ConstraintKind::ALL
                .iter()
                .map(|(kind, _)| if written(*kind) { '+' } else { '-' })
                .collect();
            assert_eq!(&found, expected, "{release} {adapter} {materialized}");
        }
        let named: Vec<&str> = TABLE.iter().map(|(_, adapter, ..)| *adapter).collect();
        assert!(Adapter::ALL.iter().all(|(_, word)| named.contains(word)));
        assert_eq!(checked(None), Checked::Types);
    }

    #[test]
    fn words_are_those_of_dbt() {
        for (kind, word) in ConstraintKind::ALL {
            assert_eq!(ConstraintKind::parse(word), Some(*kind));
            assert_eq!(kind.as_str(), *word);
        }
        assert_eq!(ConstraintKind::parse("custom"), None);
    }
}
