//! How values print in `*.sql.j2`: only through a filter that says what they are.

use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind};

use crate::dbt::adapter::Adapter;
use crate::dbt::{identifiers, jinja, literals};

/// The name of this way of printing.
pub(super) const NAME: &str = "sql";

/// The filters: `ident` for names, `literal` for text as a string, `sql` for expressions, `call` for
/// the calls of dbt that select a relation, `query` for queries of several pieces, `config` for
/// the settings of a file, and `code` for values inside Jinja.
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
    environment.add_filter("query", query);
    environment.add_filter("config", config);
    environment.add_filter("code", |value: &Value| {
        code(value).map(Value::from_safe_string)
    });
}

/// The pieces of a query, each `sql` or a `call`.
fn query(pieces: &Value) -> Result<Value, Error> {
    let mut text = String::new();
    for piece in pieces.try_iter()? {
        let (sql, call) = (piece.get_attr("sql")?, piece.get_attr("call")?);
        match (sql.as_str(), call.as_str()) {
            (Some(sql), _) => text.push_str(&jinja::escape(sql)),
            (None, Some(call)) => {
                // Two braces side by side would be read as one opener.
                if text.ends_with('{') {
                    text.push(' ');
                }
                text.push_str("{{ ");
                text.push_str(call);
                text.push_str(" }}");
            }
            (None, None) => {}
        }
    }
    Ok(Value::from_safe_string(text))
}

/// The call of `config` with these settings.
fn config(settings: &Value) -> Result<Value, Error> {
    let mut arguments = Vec::new();
    for name in settings.try_iter()? {
        let value = code(&settings.get_item(&name)?)?;
        arguments.push(format!("{name}={value}"));
    }
    let arguments = arguments.join(", ");
    Ok(Value::from_safe_string(format!(
        "{{{{ config({arguments}) }}}}"
    )))
}

/// A value as an expression of Jinja.
fn code(value: &Value) -> Result<String, Error> {
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None => "none".to_owned(),
        ValueKind::Bool | ValueKind::Number => value.to_string(),
        ValueKind::Seq | ValueKind::Iterable => {
            let items: Result<Vec<String>, Error> =
                value.try_iter()?.map(|item| code(&item)).collect();
            format!("[{}]", items?.join(", "))
        }
        ValueKind::Map => {
            let entries: Result<Vec<String>, Error> = value
                .try_iter()?
                .map(|key| {
                    Ok(format!(
                        "{}: {}",
                        code(&key)?,
                        code(&value.get_item(&key)?)?
                    ))
                })
                .collect();
            format!("{{{}}}", entries?.join(", "))
        }
        _ => jinja::string(value.as_str().unwrap_or_default()),
    })
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
