//! The columns that an expression reads: its tree comes in, their names go out, each in its parts.
//!
//! Not every name is a column. Parameters of lambdas, fields, and words that a function takes, such
//! as the unit of `date_trunc(month, x)`, are left out.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{
    AccessExpr, BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    Ident, visit_expressions,
};

/// Words that functions take for a part of a date or time.
const PARTS: &[&str] = &[
    "century",
    "d",
    "day",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "days",
    "dd",
    "decade",
    "dow",
    "doy",
    "dy",
    "epoch",
    "friday",
    "h",
    "hh",
    "hour",
    "hours",
    "isodow",
    "isoweek",
    "isoyear",
    "m",
    "mi",
    "microsecond",
    "microseconds",
    "millisecond",
    "milliseconds",
    "minute",
    "minutes",
    "mm",
    "monday",
    "month",
    "months",
    "ms",
    "n",
    "nanosecond",
    "ns",
    "q",
    "qq",
    "quarter",
    "quarters",
    "s",
    "saturday",
    "second",
    "seconds",
    "ss",
    "sunday",
    "thursday",
    "tuesday",
    "us",
    "w",
    "wednesday",
    "week",
    "weekday",
    "weeks",
    "wk",
    "ww",
    "y",
    "year",
    "years",
    "yy",
    "yyyy",
];

/// What the names of the functions that take them have in common.
const OF_DATES: &[&str] = &["date", "day", "diff", "part", "time", "trunc", "week"];

/// What warehouses offer beside the columns of a table.
const BESIDE: &[&str] = &[
    "_file_name",
    "_metadata",
    "_partitiondate",
    "_partitiontime",
    "_table_suffix",
    "ctid",
    "filename",
    "level",
    "rowid",
    "rownum",
    "sysdate",
    "systimestamp",
    "user",
];

/// Whether a name may be none of a column that a table has.
pub(super) fn is_beside(name: &str) -> bool {
    BESIDE.contains(&name.to_lowercase().as_str())
}

/// The columns in an expression.
pub(super) fn of(expression: &Expr) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut others = BTreeSet::new();
    // Nothing breaks off.
    let _: ControlFlow<()> = visit_expressions(expression, |part| {
        match part {
            Expr::Identifier(name) => found.push(vec![name.value.clone()]),
            Expr::CompoundIdentifier(names) => {
                found.push(names.iter().map(|name| name.value.clone()).collect());
            }
            Expr::CompoundFieldAccess { access_chain, .. } => {
                for access in access_chain {
                    if let AccessExpr::Dot(Expr::Identifier(field)) = access {
                        others.insert(field.value.to_lowercase());
                    }
                }
            }
            // An arrow before a literal leads into a document.
            Expr::Lambda(lambda) if starts_with_literal(&lambda.body) => {
                let names = lambda.params.iter();
                found.extend(names.map(|column| vec![column.name.value.clone()]));
            }
            Expr::Lambda(lambda) => {
                let parameters = lambda.params.iter();
                others.extend(parameters.map(|parameter| parameter.name.value.to_lowercase()));
            }
            // A lambda to those readers that do not know them.
            Expr::BinaryOp { left, op, right }
                if *op == BinaryOperator::Arrow && !starts_with_literal(right) =>
            {
                others.extend(parameters(left));
            }
            Expr::Function(function) => others.extend(words(function)),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    let is_column = |parts: &Vec<String>| {
        let first = parts.first().map(|first| first.to_lowercase());
        let is_special = |name: &str| name.starts_with('@') || name.contains('$');
        first.is_some_and(|first| !is_special(&first) && !others.contains(&first))
    };
    found.retain(is_column);
    found.dedup();
    found
}

/// Whether the first thing in an expression is a literal.
fn starts_with_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Value(_) => true,
        Expr::BinaryOp { left, .. } => starts_with_literal(left),
        _ => false,
    }
}

/// The names before an arrow.
fn parameters(left: &Expr) -> Vec<String> {
    match left {
        Expr::Identifier(name) => vec![name.value.to_lowercase()],
        Expr::Tuple(names) => names.iter().flat_map(parameters).collect(),
        Expr::Nested(inner) => parameters(inner),
        _ => Vec::new(),
    }
}

/// The arguments of a function that are no columns: parts of dates, and names of arguments.
fn words(function: &Function) -> Vec<String> {
    let FunctionArguments::List(list) = &function.args else {
        return Vec::new();
    };
    let called = function.name.to_string().to_lowercase();
    let takes_parts = OF_DATES.iter().any(|word| called.contains(word));
    let is_part = |name: &Ident| {
        takes_parts
            && name.quote_style.is_none()
            && PARTS.contains(&name.value.to_lowercase().as_str())
    };
    let words = list.args.iter().filter_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(name))) if is_part(name) => {
            Some(name)
        }
        FunctionArg::ExprNamed {
            name: Expr::Identifier(name),
            ..
        } => Some(name),
        _ => None,
    });
    words.map(|name| name.value.to_lowercase()).collect()
}
