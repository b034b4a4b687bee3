//! What a data test says of the values of a column, as constraints of the type `check`: a test comes
//! in, the expression that is false for exactly the rows that the test fails goes out. There is none
//! where the values of the column's type might compare with the literals in another way, or where the
//! test lets rows through.

use super::adapter::Adapter;
use super::properties::{Constraint, Entries, GenericTest, Value};
use super::types::{self, Meaning, SqlType};
use super::{identifiers, jinja, literals};

/// How a warehouse takes checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Style {
    /// The function that counts characters.
    length: &'static str,
    /// Whether a check that is neither true nor false refuses the row.
    refuses_null: bool,
    /// Whether the adapter wants a name for each, which it puts into SQL as it is.
    named: bool,
}

/// The warehouses whose checks are written. Of the others that dbt's matrix has as enforcing them,
/// ClickHouse stops at a null, older servers of MySQL read checks and forget them, and SQL Server and
/// Oracle want names that no other table has, also not the one that is about to be replaced.
const STYLES: &[(Adapter, Style)] = &[
    (
        Adapter::DuckDb,
        Style {
            length: "length",
            refuses_null: false,
            named: false,
        },
    ),
    (
        Adapter::Postgres,
        Style {
            length: "length",
            refuses_null: false,
            named: false,
        },
    ),
    (
        Adapter::Databricks,
        Style {
            length: "char_length",
            refuses_null: true,
            named: true,
        },
    ),
];

/// The settings by which a test lets rows through that do not keep its promise, or counts others.
const LENIENT: &[&str] = &[
    "enabled",
    "error_if",
    "fail_calc",
    "limit",
    "warn_if",
    "where",
];

/// The arguments of a test of bounds with the operator that a value in them keeps.
type Operators = &'static [(&'static str, &'static str)];

const OWN: Operators = &[
    ("min_value", ">="),
    ("max_value", "<="),
    ("exclusive_min", ">"),
    ("exclusive_max", "<"),
];
const LOOSE: Operators = &[("min_value", ">="), ("max_value", "<=")];
const STRICT: Operators = &[("min_value", ">"), ("max_value", "<")];
const LENGTHS: Operators = &[("min_length", ">="), ("max_length", "<=")];

/// The checks of a column that its tests say.
pub fn of_column(
    adapter: Adapter,
    column: &str,
    data_type: Option<&str>,
    tests: &[GenericTest],
) -> Vec<Constraint> {
    let style = STYLES.iter().find(|(of, _)| *of == adapter);
    let parsed = data_type.and_then(|data_type| types::parse(adapter, data_type));
    let (Some((_, style)), Some(SqlType::Scalar(scalar))) = (style, parsed) else {
        return Vec::new();
    };
    let of = Column {
        adapter,
        style: *style,
        name: identifiers::identifier(adapter, column),
        meaning: scalar.meaning,
    };
    let mut checks: Vec<Constraint> = Vec::new();
    for test in tests.iter().filter(|test| is_strict(test)) {
        let Some((kind, expression)) = of.condition(test) else {
            continue;
        };
        if checks
            .iter()
            .any(|check| check.expression.as_ref() == Some(&expression))
        {
            continue;
        }
        let name = style
            .named
            .then(|| format!("{}_{kind}", column.to_lowercase()));
        // dbt does not quote it.
        if name
            .as_deref()
            .is_some_and(|name| identifiers::needs_quotes(adapter, name))
        {
            continue;
        }
        checks.push(Constraint {
            kind: "check",
            name: name.map(|name| free(&checks, name)),
            expression: Some(expression),
            ..Constraint::default()
        });
    }
    checks
}

/// A name that none of the constraints has, with a number where it needs one.
fn free(constraints: &[Constraint], name: String) -> String {
    let is_free = |name: &String| {
        let mut taken = constraints.iter().filter_map(|known| known.name.as_ref());
        !taken.any(|known| known == name)
    };
    let numbered = (2..=constraints.len() + 1).map(|number| format!("{name}_{number}"));
    let found = std::iter::once(name.clone()).chain(numbered).find(is_free);
    found.unwrap_or(name)
}

/// Whether one row that breaks its promise makes a test fail. What a person wrote may be anything.
fn is_strict(test: &GenericTest) -> bool {
    let severity = test.config.get("severity");
    let is_error =
        |value: &Value| matches!(value, Value::Text(word) if word.eq_ignore_ascii_case("error"));
    !test.verbatim
        && severity.is_none_or(is_error)
        && LENIENT.iter().all(|key| test.config.get(key).is_none())
}

/// The column that a test is on.
struct Column {
    adapter: Adapter,
    style: Style,
    /// As it stands in SQL.
    name: String,
    meaning: Meaning,
}

impl Column {
    /// What a test says, with the kind of promise that it is.
    fn condition(&self, test: &GenericTest) -> Option<(&'static str, String)> {
        let arguments = &test.arguments;
        let is_strict = arguments.get("strictly") == Some(&Value::Bool(true));
        let package = if is_strict { STRICT } else { LOOSE };
        let (kind, condition) = match test.test.as_ref() {
            "accepted_values" => ("values", self.one_of(arguments)?),
            "contract_between" => ("between", self.between(arguments, OWN, "data_type")?),
            "dbt_expectations.expect_column_values_to_be_between" => {
                ("between", self.between(arguments, package, "strictly")?)
            }
            "contract_length" => ("length", self.length(arguments, LENGTHS)?),
            "dbt_expectations.expect_column_value_lengths_to_be_between" => {
                ("length", self.length(arguments, LOOSE)?)
            }
            _ => return None,
        };
        let condition = if self.style.refuses_null {
            format!("{} is null or ({condition})", self.name)
        } else {
            condition
        };
        Some((kind, condition))
    }

    /// The values lie within bounds: numbers, or text in the type that the test names.
    fn between(&self, arguments: &Entries, operators: Operators, beside: &str) -> Option<String> {
        let in_type = match arguments.get("data_type") {
            Some(Value::Text(data_type)) => Some(jinja::unescape(data_type)?),
            Some(_) => return None,
            None => None,
        };
        let literal = |value: &Value| match (&in_type, value) {
            (Some(data_type), Value::Text(text)) => self.moment(data_type, &jinja::unescape(text)?),
            (None, Value::Text(sql)) => self.day(&jinja::unescape(sql)?),
            (None, number) => self.number(number),
            (Some(_), _) => None,
        };
        compared(&self.name, arguments, operators, beside, &literal)
    }

    /// The text has so many characters.
    fn length(&self, arguments: &Entries, operators: Operators) -> Option<String> {
        let is_text = self.meaning == Meaning::Text;
        let characters = format!("{}({})", self.style.length, self.name);
        let literal = |value: &Value| match value {
            Value::Int(length) if is_text => Some(length.to_string()),
            _ => None,
        };
        compared(&characters, arguments, operators, "", &literal)
    }

    /// The value is one of those that dbt's `accepted_values` lists.
    fn one_of(&self, arguments: &Entries) -> Option<String> {
        let quote = match arguments.get("quote") {
            None | Some(Value::Bool(true)) => true,
            Some(Value::Bool(false)) => false,
            Some(_) => return None,
        };
        let Some(Value::List(values)) = arguments.get("values") else {
            return None;
        };
        let is_known = |name| ["values", "quote"].contains(&name);
        if values.is_empty() || !arguments.iter().all(|(name, _)| is_known(name)) {
            return None;
        }
        let literal = |value: &Value| match value {
            // What is inside the quotes is escaped already.
            Value::Text(text) if quote && self.meaning == Meaning::Text => {
                Some(format!("'{}'", jinja::unescape(text)?))
            }
            Value::Bool(value) if !quote && self.meaning == Meaning::Boolean => {
                Some(value.to_string())
            }
            number if !quote => self.number(number),
            _ => None,
        };
        let literals: Option<Vec<String>> = values.iter().map(literal).collect();
        Some(format!("{} in ({})", self.name, literals?.join(", ")))
    }

    /// A number for a column of numbers, as dbt prints it.
    fn number(&self, value: &Value) -> Option<String> {
        let is_number = matches!(
            self.meaning,
            Meaning::Integer { .. }
                | Meaning::Decimal
                | Meaning::FixedDecimal { .. }
                | Meaning::RoundingDecimal { .. }
                | Meaning::Float32
                | Meaning::Float64
        );
        match value {
            _ if !is_number => None,
            Value::Int(number) => Some(number.to_string()),
            // Beyond these, Python prints an exponent, which makes it a number of another type.
            Value::Float(number) if *number == 0.0 || (1e-4..1e16).contains(&number.abs()) => {
                Some(format!("{number:?}"))
            }
            _ => None,
        }
    }

    /// A text as a point in time of a type, in the words of the test of our own.
    fn moment(&self, data_type: &str, text: &str) -> Option<String> {
        let Some(SqlType::Scalar(scalar)) = types::parse(self.adapter, data_type) else {
            return None;
        };
        let is_moment = matches!(
            self.meaning,
            Meaning::Date | Meaning::Timestamp { .. } | Meaning::Time { aware: false }
        );
        if !is_moment || scalar.meaning != self.meaning {
            return None;
        }
        let aware = self.meaning == Meaning::Timestamp { aware: true };
        let text = literals::string(self.adapter, &spelled(text, aware));
        Some(format!("cast({text} as {data_type})"))
    }

    /// A day as the tests of packages take it, which is SQL.
    fn day(&self, sql: &str) -> Option<String> {
        let text = sql.strip_prefix("cast('")?.strip_suffix("' as date)")?;
        let is_day = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        (is_day && self.meaning == Meaning::Date).then(|| sql.to_owned())
    }
}

/// An expression against each bound that a test has; `None` where the test says more. What the
/// argument `beside` says is no bound.
fn compared(
    expression: &str,
    arguments: &Entries,
    operators: Operators,
    beside: &str,
    literal: &dyn Fn(&Value) -> Option<String>,
) -> Option<String> {
    let is_known = |name: &str| name == beside || operators.iter().any(|(known, _)| *known == name);
    if !arguments.iter().all(|(name, _)| is_known(name)) {
        return None;
    }
    let bounds: Option<Vec<String>> = operators
        .iter()
        .filter_map(|(name, operator)| Some((operator, arguments.get(name)?)))
        .map(|(operator, bound)| Some(format!("{expression} {operator} {}", literal(bound)?)))
        .collect();
    let bounds = bounds.filter(|bounds| !bounds.is_empty())?;
    Some(bounds.join(" and "))
}

/// ISO 8601 as every warehouse reads it, as the macro `contract_moment` spells it.
fn spelled(text: &str, aware: bool) -> String {
    let mut spelled = text.to_owned();
    if spelled.as_bytes().get(10) == Some(&b'T') && spelled.is_ascii() {
        spelled.replace_range(10..11, " ");
    }
    let clock = spelled.get(11..).unwrap_or_default();
    if let Some(without) = spelled
        .strip_suffix('Z')
        .filter(|without| without.contains(':') && !clock.contains(' '))
    {
        spelled = format!("{without}{}", if aware { "+00:00" } else { "" });
    }
    if spelled.len() == 5 && spelled.as_bytes()[2] == b':' {
        spelled.push_str(":00");
    }
    spelled
}

#[cfg(test)]
mod tests;
