//! Constraints of dbt's model contracts: what a warehouse makes of each.
//!
//! An adapter and a kind come in, and whether the warehouse enforces such a constraint goes out.

use super::adapter::Adapter;

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

/// What the adapter's warehouse does with constraints of that kind.
pub fn support(adapter: Adapter, kind: ConstraintKind) -> Support {
    MATRIX
        .iter()
        .find(|(row, _)| *row == adapter)
        .zip(ConstraintKind::ALL.iter().position(|(of, _)| *of == kind))
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
    fn words_are_those_of_dbt() {
        for (kind, word) in ConstraintKind::ALL {
            assert_eq!(ConstraintKind::parse(word), Some(*kind));
            assert_eq!(kind.as_str(), *word);
        }
        assert_eq!(ConstraintKind::parse("custom"), None);
    }
}
