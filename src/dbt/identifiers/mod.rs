//! Identifiers in SQL: a name comes in, and the text that names the same thing in the adapter's
//! warehouse goes out.

mod reserved;

use super::adapter::Adapter;

/// What a warehouse does with the case of a name without quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Folding {
    /// Keeps it, or does not tell cases apart.
    None,
    /// Makes it lower.
    Lower,
    /// Makes it upper.
    Upper,
}

/// How a dialect writes names: the opening and the closing quote, and what becomes of the case of
/// a name without them.
fn style(adapter: Adapter) -> (char, char, Folding) {
    match adapter {
        // Athena runs queries in the dialect of Trino, over a catalog without upper case.
        Adapter::DuckDb | Adapter::Sqlite | Adapter::Athena => ('"', '"', Folding::None),
        Adapter::Postgres | Adapter::Redshift | Adapter::Trino => ('"', '"', Folding::Lower),
        Adapter::Snowflake | Adapter::Oracle => ('"', '"', Folding::Upper),
        Adapter::SqlServer | Adapter::Fabric => ('[', ']', Folding::None),
        Adapter::BigQuery
        | Adapter::Databricks
        | Adapter::Spark
        | Adapter::ClickHouse
        | Adapter::MySql => ('`', '`', Folding::None),
    }
}

/// Whether `name` means something else, or nothing, without quotes: it is no plain identifier, the
/// dialect reserves it, or the warehouse would fold its case.
///
/// Where names fold to upper case, one that is all lower stays plain: that is how people write the
/// names of such a warehouse, whose columns are upper.
pub fn needs_quotes(adapter: Adapter, name: &str) -> bool {
    let (_, _, folding) = style(adapter);
    let upper = name.bytes().any(|byte| byte.is_ascii_uppercase());
    let lower = name.bytes().any(|byte| byte.is_ascii_lowercase());
    let folds = match folding {
        Folding::None => false,
        Folding::Lower => upper,
        Folding::Upper => upper && lower,
    };
    folds || !is_plain(name) || reserved::is_reserved(adapter, &name.to_ascii_lowercase())
}

/// `name` in the dialect's quotes, with a quote inside doubled.
pub fn quote(adapter: Adapter, name: &str) -> String {
    let (open, close, _) = style(adapter);
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push(open);
    for character in name.chars() {
        quoted.push(character);
        // BigQuery has no doubled quote; its quoted names take the escapes of its strings.
        if adapter == Adapter::BigQuery && matches!(character, '`' | '\\') {
            quoted.insert(quoted.len() - 1, '\\');
        } else if character == close {
            quoted.push(character);
        }
    }
    quoted.push(close);
    quoted
}

/// Whether the quotes that dbt puts around a name hold it: dbt escapes nothing inside them.
pub fn survives_dbt(adapter: Adapter, name: &str) -> bool {
    let (open, close, _) = style(adapter);
    !name.is_empty()
        && !name.contains(|character: char| {
            character == open || character == close || character == '\0'
        })
}

/// `name`, in quotes only where it needs them.
pub fn identifier(adapter: Adapter, name: &str) -> String {
    if needs_quotes(adapter, name) {
        quote(adapter, name)
    } else {
        name.to_owned()
    }
}

/// Whether `name` is `[A-Za-z_][A-Za-z0-9_]*`, which every dialect reads as one name.
fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quoted_only_when_needed() {
        let cases = [
            (Adapter::DuckDb, "order_id", "order_id"),
            (Adapter::DuckDb, "customerId", "customerId"),
            (Adapter::DuckDb, "order", "\"order\""),
            (Adapter::DuckDb, "User Id", "\"User Id\""),
            (Adapter::DuckDb, "min-temp", "\"min-temp\""),
            (Adapter::DuckDb, "100_table", "\"100_table\""),
            (Adapter::DuckDb, "größe", "\"größe\""),
            (Adapter::DuckDb, "a\"b", "\"a\"\"b\""),
            (Adapter::DuckDb, "", "\"\""),
            (Adapter::Postgres, "customerId", "\"customerId\""),
            (Adapter::Postgres, "ORD_ID", "\"ORD_ID\""),
            (Adapter::Postgres, "user", "\"user\""),
            (Adapter::Postgres, "table", "\"table\""),
            (Adapter::Postgres, "values", "values"),
            (Adapter::Snowflake, "order_id", "order_id"),
            (Adapter::Snowflake, "ORDER_ID", "ORDER_ID"),
            (Adapter::Snowflake, "customerId", "\"customerId\""),
            (Adapter::Snowflake, "date", "date"),
            (Adapter::Oracle, "date", "\"date\""),
            (Adapter::BigQuery, "Order", "`Order`"),
            (Adapter::BigQuery, "a`b\\c", "`a\\`b\\\\c`"),
            (Adapter::MySql, "a`b", "`a``b`"),
            (Adapter::SqlServer, "a]b[c", "[a]]b[c]"),
            (Adapter::SqlServer, "user", "[user]"),
            (Adapter::Spark, "customerId", "customerId"),
        ];
        for (adapter, name, expected) in cases {
            assert_eq!(identifier(adapter, name), expected, "{}", adapter.as_str());
        }
    }

    proptest! {
        #[test]
        fn any_name_is_closed_by_its_own_quote(name in any::<String>()) {
            for (adapter, _) in Adapter::ALL {
                let (open, close, _) = style(*adapter);
                let quoted = quote(*adapter, &name);
                let inner = quoted.strip_prefix(open).and_then(|text| text.strip_suffix(close));
                let escape = if *adapter == Adapter::BigQuery { '\\' } else { close };
                let rest = inner.unwrap_or_default().replace(&format!("{escape}{close}"), "");
                prop_assert!(*adapter == Adapter::BigQuery || !rest.contains(close));
            }
        }
    }
}
