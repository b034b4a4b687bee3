//! How values print in `*.yml.j2`: as YAML that dbt reads back as the same values.

use std::borrow::Cow;

use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, Error};

use crate::dbt::jinja;
use crate::yaml::quote::{block, float, flow_scalar, scalar};

/// The name of this way of printing.
pub(super) const NAME: &str = "yaml";

/// A longer list is wrapped.
const WIDTH: usize = 88;

/// Whether dbt renders a text as Jinja where it stands, so that braces in it need an escape.
#[derive(Clone, Copy)]
enum Rendered {
    Yes,
    No,
}

/// The filters: `text(indent)` for text of several lines, `wrap(indent)` for lists, `argument(indent)`
/// for the arguments of tests, which are escaped already, `verbatim` for what dbt does not render,
/// and `indent(width)` for what a macro printed. The test
/// `short` asks whether a value fits on one line.
pub(super) fn add_filters(environment: &mut Environment<'_>) {
    environment.add_filter("text", |value: &Value, indent: usize| {
        let text = value.as_str().map(jinja::escape);
        match text.and_then(|text| block(&text, indent)) {
            Some(block) => Ok(Value::from_safe_string(block)),
            None => format(value).map(Value::from_safe_string),
        }
    });
    environment.add_filter("wrap", |value: &Value, indent: usize| {
        wrap(value, indent, Rendered::Yes)
    });
    environment.add_filter("argument", |value: &Value, indent: usize| {
        wrap(value, indent, Rendered::No)
    });
    environment.add_filter("verbatim", |value: &Value| {
        print(value, Rendered::No, scalar).map(Value::from_safe_string)
    });
    environment.add_test("short", is_short);
    environment.add_filter("indent", |text: &str, width: usize| {
        let text = text.trim_end_matches('\n');
        let blanks = " ".repeat(width);
        let mut indented = String::with_capacity(text.len() + text.len() / 4);
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                indented.push('\n');
            }
            if !line.is_empty() {
                indented.push_str(&blanks);
                indented.push_str(line);
            }
        }
        Value::from_safe_string(indented)
    });
}

/// Whether a value that is not empty fits on one line.
fn is_short(value: &Value) -> Result<bool, Error> {
    Ok(value.is_true() && format(value)?.len() <= WIDTH)
}

/// A value on one line, for a place where dbt renders text.
pub(super) fn format(value: &Value) -> Result<String, Error> {
    print(value, Rendered::Yes, scalar)
}

/// A value on one line; lists and mappings in brackets.
fn print(value: &Value, rendered: Rendered, quote: fn(&str) -> String) -> Result<String, Error> {
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None => "null".to_owned(),
        ValueKind::Bool => if value.is_true() { "true" } else { "false" }.to_owned(),
        ValueKind::Number if value.is_integer() => integer(&value.to_string(), rendered),
        ValueKind::Number => float(f64::try_from(value.clone())?),
        ValueKind::Seq | ValueKind::Iterable => {
            let items: Result<Vec<String>, Error> = value
                .try_iter()?
                .map(|item| print(&item, rendered, flow_scalar))
                .collect();
            format!("[{}]", items?.join(", "))
        }
        ValueKind::Map => {
            let mut entries = Vec::new();
            for key in value.try_iter()? {
                let item = value.get_item(&key)?;
                let key = print(&key, rendered, flow_scalar)?;
                entries.push(format!("{key}: {}", print(&item, rendered, flow_scalar)?));
            }
            format!("{{{}}}", entries.join(", "))
        }
        _ => {
            let text = match value.as_str() {
                Some(text) => Cow::Borrowed(text),
                None => Cow::Owned(value.to_string()),
            };
            match rendered {
                Rendered::Yes => quote(&jinja::escape(&text)),
                Rendered::No => quote(&text),
            }
        }
    })
}

/// A whole number. dbt can load no project with one of more than 64 bits: in an argument it makes that
/// of an expression when it runs the test, and elsewhere the digits do.
fn integer(digits: &str, rendered: Rendered) -> String {
    let is_short = digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
    match rendered {
        _ if is_short => digits.to_owned(),
        Rendered::Yes => scalar(digits),
        Rendered::No => scalar(&format!("{{{{ {digits} }}}}")),
    }
}

/// A list that is too long for one line in several, all but the first at `indent`.
fn wrap(value: &Value, indent: usize, rendered: Rendered) -> Result<Value, Error> {
    let flow = print(value, rendered, scalar)?;
    if flow.len() + indent <= WIDTH || value.kind() != ValueKind::Seq {
        return Ok(Value::from_safe_string(flow));
    }
    let mut text = "[".to_owned();
    let mut column = indent;
    let mut rest = value.try_iter()?.peekable();
    while let Some(item) = rest.next() {
        let mut word = print(&item, rendered, flow_scalar)?;
        if rest.peek().is_some() {
            word.push(',');
        }
        let length = word.chars().count() + 1;
        if column + length > WIDTH && !text.ends_with('[') {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if !text.ends_with('[') {
            text.push(' ');
        }
        text.push_str(&word);
        column += length;
    }
    text.push(']');
    Ok(Value::from_safe_string(text))
}
