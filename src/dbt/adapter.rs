//! The warehouses that dbt can talk to: the name of a profile's `type` or of a contract's server
//! comes in, an [`Adapter`] goes out.

/// A dbt adapter, which also stands for the SQL dialect of its warehouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are those of the warehouses")]
pub enum Adapter {
    DuckDb,
    Postgres,
    Snowflake,
    BigQuery,
    Redshift,
    Databricks,
    Spark,
    Trino,
    Athena,
    ClickHouse,
    SqlServer,
    Fabric,
    MySql,
    Oracle,
    Sqlite,
}

/// Further words that dbt profiles use as a `type`: forks and products that speak the same dialect.
const ALIASES: &[(&str, Adapter)] = &[
    ("postgresql", Adapter::Postgres),
    ("mariadb", Adapter::MySql),
    ("mysql5", Adapter::MySql),
    ("starburst", Adapter::Trino),
];

/// The server types of ODCS whose dialect is that of an adapter. Types that name a place of files,
/// a stream, or a database without a dbt adapter of its own are absent.
const SERVERS: &[(&str, Adapter)] = &[
    ("athena", Adapter::Athena),
    ("bigquery", Adapter::BigQuery),
    ("clickhouse", Adapter::ClickHouse),
    ("databricks", Adapter::Databricks),
    ("duckdb", Adapter::DuckDb),
    ("glue", Adapter::Athena),
    ("hive", Adapter::Spark),
    ("mysql", Adapter::MySql),
    ("oracle", Adapter::Oracle),
    ("postgres", Adapter::Postgres),
    ("postgresql", Adapter::Postgres),
    ("presto", Adapter::Trino),
    ("redshift", Adapter::Redshift),
    ("snowflake", Adapter::Snowflake),
    ("sqlserver", Adapter::SqlServer),
    ("synapse", Adapter::SqlServer),
    ("trino", Adapter::Trino),
];

impl Adapter {
    /// Every adapter with the word that a dbt profile uses for it.
    pub const ALL: &[(Self, &str)] = &[
        (Self::DuckDb, "duckdb"),
        (Self::Postgres, "postgres"),
        (Self::Snowflake, "snowflake"),
        (Self::BigQuery, "bigquery"),
        (Self::Redshift, "redshift"),
        (Self::Databricks, "databricks"),
        (Self::Spark, "spark"),
        (Self::Trino, "trino"),
        (Self::Athena, "athena"),
        (Self::ClickHouse, "clickhouse"),
        (Self::SqlServer, "sqlserver"),
        (Self::Fabric, "fabric"),
        (Self::MySql, "mysql"),
        (Self::Oracle, "oracle"),
        (Self::Sqlite, "sqlite"),
    ];

    /// The adapter of a profile's `type`, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        let named = |word: &str| word.eq_ignore_ascii_case(name);
        Self::ALL
            .iter()
            .find(|(_, word)| named(word))
            .map(|(adapter, _)| *adapter)
            .or_else(|| lookup(ALIASES, name))
    }

    /// The word that a dbt profile uses.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(adapter, _)| *adapter == self)
            .map_or("", |(_, word)| word)
    }

    /// The adapter whose dialect a contract's `servers[].type` speaks.
    pub fn of_server(server_type: &str) -> Option<Self> {
        lookup(SERVERS, server_type)
    }
}

/// The adapter of a word in a table, in any case.
fn lookup(table: &[(&str, Adapter)], name: &str) -> Option<Adapter> {
    table
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(name))
        .map(|(_, adapter)| *adapter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_adapter_is_found_by_its_own_word() {
        for (adapter, word) in Adapter::ALL {
            assert_eq!(Adapter::parse(word), Some(*adapter));
            assert_eq!(adapter.as_str(), *word);
        }
    }

    #[test]
    fn aliases_and_servers() {
        assert_eq!(Adapter::parse("PostgreSQL"), Some(Adapter::Postgres));
        assert_eq!(Adapter::parse("mariadb"), Some(Adapter::MySql));
        assert_eq!(Adapter::parse("teradata"), None);
        assert_eq!(Adapter::of_server("glue"), Some(Adapter::Athena));
        for storage in ["s3", "kafka", "local", "custom", "", "api"] {
            assert_eq!(Adapter::of_server(storage), None);
        }
    }
}
