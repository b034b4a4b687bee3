//! How values print in `*.sql.j2`: only through a filter that says what they are.

use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind};

use crate::dbt::adapter::Adapter;
use crate::dbt::{identifiers, jinja, literals};

/// The name of this way of printing.
pub(super) const NAME: &str = "sql";

/// The filters: `ident` for names, `literal` for text as a string, `sql` for expressions, and `call`
/// for the calls of dbt that select a relation.
pub(super) fn add_filters(environment: &mut Environment<'_>, adapter: Adapter) {
    environment.add_filter("ident", move |name: &str| {
        printed(&identifiers::identifier(adapter, name))
    });
    environment.add_filter("literal", move |text: &str| {
        printed(&literals::string(adapter, text))
    });
    environment.add_filter("sql", printed);
    environment.add_filter("call", |call: &str| {
        Value::from_safe_string(format!("{{{{ {call} }}}}"))
    });
}

/// SQL in a file that dbt renders as Jinja.
fn printed(sql: &str) -> Value {
    Value::from_safe_string(jinja::escape(sql).into_owned())
}

/// A value without a filter.
pub(super) fn format(value: &Value) -> Result<String, Error> {
    let shown: String = value.to_string().chars().take(40).collect();
    Err(Error::new(
        ErrorKind::InvalidOperation,
        format!(
            "`{shown}` prints without a filter: use `ident` for names, `literal` for text, `sql` for \
             expressions, `call` for relations or `comment`"
        ),
    ))
}
