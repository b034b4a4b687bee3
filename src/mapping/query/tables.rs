//! What the parser knows of a query: the tables that it reads, and what it returns.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, GroupByExpr, ObjectName, Query, Select, SelectItem, SetExpr, TableFactor, Visit, Visitor,
};
use sqlparser::tokenizer::Location;

use super::Returns;

/// The functions that make one value of many rows.
const AGGREGATES: &[&str] = &[
    "approx_count_distinct",
    "approx_distinct",
    "avg",
    "bool_and",
    "bool_or",
    "count",
    "count_if",
    "countif",
    "max",
    "median",
    "min",
    "stddev",
    "sum",
    "variance",
];

/// Those of them that give a number of anything.
const NUMBERS: &[&str] = &[
    "approx_count_distinct",
    "approx_distinct",
    "avg",
    "count",
    "count_if",
    "countif",
    "stddev",
    "sum",
    "variance",
];

/// A table that a query reads.
pub(super) struct Factor {
    /// The parts of its name.
    pub(super) parts: Vec<String>,
    /// Where the first part starts.
    pub(super) start: Location,
    /// Where the last part starts.
    pub(super) end: Location,
    /// Whether the query gives it an alias.
    pub(super) has_alias: bool,
}

/// The tables of a query, without the names that its `with` clauses define.
pub(super) fn factors(query: &Query) -> Vec<Factor> {
    let mut finder = Finder::default();
    // Nothing breaks off.
    let _: ControlFlow<()> = query.visit(&mut finder);
    finder.factors
}

/// Goes through a query with the names that are defined where it is.
#[derive(Default)]
struct Finder {
    factors: Vec<Factor>,
    /// For each open query its common table expressions.
    open: Vec<Scope>,
}

/// The names in a query.
struct Scope {
    /// Its own common table expressions: where the query of each starts to be one, by its address.
    ctes: Vec<(*const Query, String)>,
    /// Whether they may read themselves.
    recursive: bool,
    /// The names that it can read besides its own.
    outer: BTreeSet<String>,
}

impl Scope {
    /// The names that a query in this one can read: those before it where it is itself one of the
    /// common table expressions.
    fn visible(&self, query: *const Query) -> BTreeSet<String> {
        let own = self.ctes.iter().position(|(cte, _)| *cte == query);
        let count = own.map_or(self.ctes.len(), |index| index + usize::from(self.recursive));
        let names = self.ctes[..count].iter().map(|(_, name)| name.clone());
        self.outer.iter().cloned().chain(names).collect()
    }
}

impl Visitor for Finder {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let outer = self
            .open
            .last()
            .map(|scope| scope.visible(query))
            .unwrap_or_default();
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        self.open.push(Scope {
            ctes: tables
                .map(|cte| (&raw const *cte.query, cte.alias.name.value.to_lowercase()))
                .collect(),
            recursive: query.with.as_ref().is_some_and(|with| with.recursive),
            outer,
        });
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &Query) -> ControlFlow<()> {
        self.open.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = factor
        else {
            return ControlFlow::Continue(());
        };
        let Some(factor) = table(name, alias.is_some()) else {
            return ControlFlow::Continue(());
        };
        let is_defined = self.open.last().is_some_and(|scope| {
            matches!(factor.parts.as_slice(), [name]
                if scope.visible(std::ptr::null()).contains(&name.to_lowercase()))
        });
        if !is_defined {
            self.factors.push(factor);
        }
        ControlFlow::Continue(())
    }
}

/// A table by its name, unless a part of that is a function.
fn table(name: &ObjectName, has_alias: bool) -> Option<Factor> {
    let parts: Option<Vec<_>> = name.0.iter().map(|part| part.as_ident()).collect();
    let parts = parts?;
    Some(Factor {
        start: parts.first()?.span.start,
        end: parts.last()?.span.start,
        parts: parts.iter().map(|part| part.value.clone()).collect(),
        has_alias,
    })
}

/// What a query returns: one value where it aggregates all its rows, or reads none at all.
pub(super) fn returns(query: &Query) -> Returns {
    match query.body.as_ref() {
        SetExpr::Select(select) if is_value(select) => Returns::Value,
        SetExpr::Query(query) => returns(query),
        _ => Returns::Rows,
    }
}

/// The list that a query selects; of several queries in one, that of the first.
fn projection(query: &Query) -> Option<&[SelectItem]> {
    let mut body = query.body.as_ref();
    loop {
        match body {
            SetExpr::Select(select) => return Some(&select.projection),
            SetExpr::Query(query) => body = query.body.as_ref(),
            SetExpr::SetOperation { left, .. } => body = left.as_ref(),
            _ => return None,
        }
    }
}

/// How many columns a query returns, unless a star leaves that open.
pub(super) fn columns(query: &Query) -> Option<usize> {
    let items = projection(query)?;
    let is_one = |item: &SelectItem| {
        matches!(
            item,
            SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }
        )
    };
    items.iter().all(is_one).then_some(items.len())
}

/// Whether the one column that a query returns is a number, whatever the data.
pub(super) fn is_number(query: &Query) -> bool {
    let Some(
        [
            SelectItem::UnnamedExpr(expression)
            | SelectItem::ExprWithAlias {
                expr: expression, ..
            },
        ],
    ) = projection(query)
    else {
        return false;
    };
    let Expr::Function(function) = expression else {
        return false;
    };
    NUMBERS.contains(&function.name.to_string().to_lowercase().as_str())
}

/// Whether a `select` gives one row whatever the data.
fn is_value(select: &Select) -> bool {
    let is_grouped = match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(expressions, _) => !expressions.is_empty(),
    };
    let aggregates = select.projection.iter().any(|item| match item {
        SelectItem::UnnamedExpr(expression)
        | SelectItem::ExprWithAlias {
            expr: expression, ..
        } => has_aggregate(expression),
        _ => false,
    });
    !is_grouped && (aggregates || select.from.is_empty())
}

/// Whether an expression calls one of the aggregates.
fn has_aggregate(expression: &Expr) -> bool {
    struct Search;
    impl Visitor for Search {
        type Break = ();
        fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
            match expression {
                Expr::Function(function) if function.over.is_none() => {
                    let name = function.name.to_string().to_lowercase();
                    if AGGREGATES.contains(&name.as_str()) {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    expression.visit(&mut Search).is_break()
}
