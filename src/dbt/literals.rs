//! String literals in SQL: text comes in, and the literal that stands for exactly that text in the
//! adapter's dialect goes out.

use super::adapter::Adapter;

/// How a dialect writes a quote and a backslash inside `'…'`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// A quote is doubled; a backslash is a backslash.
    Doubled,
    /// A quote is doubled, and a backslash too, since it starts an escape.
    DoubledAndBackslash,
    /// Both take a backslash; two literals side by side would not be one.
    Backslash,
}

/// How the adapter's dialect escapes.
fn escapes(adapter: Adapter) -> Escapes {
    match adapter {
        Adapter::DuckDb
        | Adapter::Postgres
        | Adapter::Trino
        | Adapter::Athena
        | Adapter::SqlServer
        | Adapter::Fabric
        | Adapter::Oracle
        | Adapter::Sqlite => Escapes::Doubled,
        Adapter::Snowflake | Adapter::Redshift | Adapter::ClickHouse | Adapter::MySql => {
            Escapes::DoubledAndBackslash
        }
        Adapter::BigQuery | Adapter::Databricks | Adapter::Spark => Escapes::Backslash,
    }
}

/// `text` as a literal.
pub fn string(adapter: Adapter, text: &str) -> String {
    format!("'{}'", inside_quotes(adapter, text))
}

/// `text` as it stands between the quotes of a literal, for the places where dbt adds them itself.
pub fn inside_quotes(adapter: Adapter, text: &str) -> String {
    let escapes = escapes(adapter);
    let mut inside = String::with_capacity(text.len());
    for character in text.chars() {
        match (character, escapes) {
            ('\'', Escapes::Backslash) => inside.push_str("\\'"),
            ('\'', _) => inside.push_str("''"),
            ('\\', Escapes::Backslash | Escapes::DoubledAndBackslash) => inside.push_str("\\\\"),
            // The only dialect whose literals end with their line.
            ('\n', _) if adapter == Adapter::BigQuery => inside.push_str("\\n"),
            ('\r', _) if adapter == Adapter::BigQuery => inside.push_str("\\r"),
            _ => inside.push(character),
        }
    }
    inside
}

/// The text of which [`inside_quotes`] made `inside`; `None` where it is something else.
pub fn outside_quotes(adapter: Adapter, inside: &str) -> Option<String> {
    let escapes = escapes(adapter);
    let mut text = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        match (character, escapes) {
            ('\'', Escapes::Doubled | Escapes::DoubledAndBackslash) => {
                characters.next().filter(|next| *next == '\'')?;
                text.push('\'');
            }
            ('\'', Escapes::Backslash) => return None,
            ('\\', Escapes::Backslash | Escapes::DoubledAndBackslash) => {
                text.push(match characters.next()? {
                    'n' if adapter == Adapter::BigQuery => '\n',
                    'r' if adapter == Adapter::BigQuery => '\r',
                    '\'' if escapes == Escapes::Backslash => '\'',
                    '\\' => '\\',
                    _ => return None,
                });
            }
            _ => text.push(character),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_by_dialect() {
        let text = "it's \\d";
        let cases = [
            (Adapter::DuckDb, r"'it''s \d'"),
            (Adapter::Postgres, r"'it''s \d'"),
            (Adapter::Snowflake, r"'it''s \\d'"),
            (Adapter::BigQuery, r"'it\'s \\d'"),
            (Adapter::Spark, r"'it\'s \\d'"),
            (Adapter::SqlServer, r"'it''s \d'"),
            (Adapter::MySql, r"'it''s \\d'"),
        ];
        for (adapter, expected) in cases {
            assert_eq!(string(adapter, text), expected, "{}", adapter.as_str());
            let inside = inside_quotes(adapter, text);
            assert_eq!(outside_quotes(adapter, &inside).as_deref(), Some(text));
        }
    }

    #[test]
    fn lines_stay_inside_one_literal() {
        assert_eq!(string(Adapter::BigQuery, "a\nb"), "'a\\nb'");
        assert_eq!(string(Adapter::DuckDb, "a\nb"), "'a\nb'");
    }
}
