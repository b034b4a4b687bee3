//! What of a query the warehouse does not read: a query comes in, the construct that is of another
//! dialect goes out, with the warehouses that have it.

use std::ops::ControlFlow;

use sqlparser::ast::{
    LimitClause, Query as Tree, Select, SetExpr, TableFactor, TableSampleKind, TableSampleModifier,
    Visit, Visitor,
};
use sqlparser::tokenizer::Token;

use super::Lexeme;
use crate::dbt::adapter::Adapter;

/// SQL of other warehouses.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::mapping) struct Foreign {
    /// What it is, as the query writes it.
    pub(in crate::mapping) construct: String,
    /// Which adapters read it.
    pub(in crate::mapping) known_to: Vec<Adapter>,
}

impl Foreign {
    /// A construct that is foreign unless the adapter is one of those that know it.
    fn unless_known(adapter: Adapter, construct: &str, known_to: &[Adapter]) -> Option<Self> {
        (!known_to.contains(&adapter)).then(|| Self {
            construct: construct.to_owned(),
            known_to: known_to.to_vec(),
        })
    }
}

/// The warehouses that put names in backticks.
const BACKTICKS: &[Adapter] = &[
    Adapter::DuckDb,
    Adapter::BigQuery,
    Adapter::Databricks,
    Adapter::Spark,
    Adapter::ClickHouse,
    Adapter::MySql,
    Adapter::Sqlite,
];

/// The warehouses that put names in brackets.
const BRACKETS: &[Adapter] = &[Adapter::SqlServer, Adapter::Fabric, Adapter::Sqlite];

/// A clause that not all warehouses have and that the parser reads in every dialect.
struct Clause {
    word: &'static str,
    is_in: fn(&Select) -> bool,
    known_to: &'static [Adapter],
}

const CLAUSES: &[Clause] = &[
    Clause {
        word: "top",
        is_in: |select| select.top.is_some(),
        known_to: &[
            Adapter::SqlServer,
            Adapter::Fabric,
            Adapter::Snowflake,
            Adapter::Redshift,
        ],
    },
    Clause {
        word: "qualify",
        is_in: |select| select.qualify.is_some(),
        known_to: &[
            Adapter::Snowflake,
            Adapter::BigQuery,
            Adapter::Databricks,
            Adapter::DuckDb,
            Adapter::ClickHouse,
            Adapter::Redshift,
        ],
    },
];

/// The warehouses that have no `limit`.
const WITHOUT_LIMIT: &[Adapter] = &[Adapter::SqlServer, Adapter::Fabric, Adapter::Oracle];

/// What of a query is foreign to an adapter, as far as the parser reads it.
pub(super) fn find(adapter: Adapter, lexemes: &[Lexeme], tree: Option<&Tree>) -> Option<Foreign> {
    if let Some(foreign) = lexemes.iter().find_map(|lexeme| quotes(adapter, lexeme)) {
        return Some(foreign);
    }
    let tree = tree?;
    let mut clauses = Clauses {
        adapter,
        found: None,
    };
    let _: ControlFlow<()> = tree.visit(&mut clauses);
    clauses.found
}

/// Quotes around a name that the adapter has not.
fn quotes(adapter: Adapter, lexeme: &Lexeme) -> Option<Foreign> {
    let Token::Word(word) = &lexeme.token.token else {
        return None;
    };
    let known = match word.quote_style? {
        '`' => BACKTICKS,
        '[' => BRACKETS,
        _ => return None,
    };
    Foreign::unless_known(adapter, &word.to_string(), known)
}

/// Looks for clauses in all parts of a query.
struct Clauses {
    adapter: Adapter,
    found: Option<Foreign>,
}

impl Clauses {
    fn keep(&mut self, found: Option<Foreign>) -> ControlFlow<()> {
        self.found = self.found.take().or(found);
        match self.found {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Visitor for Clauses {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Tree) -> ControlFlow<()> {
        let adapter = self.adapter;
        let limited = matches!(
            query.limit_clause,
            Some(LimitClause::LimitOffset { limit: Some(_), .. })
        );
        let mut found = (limited && WITHOUT_LIMIT.contains(&adapter)).then(|| {
            let others = Adapter::ALL.iter().map(|(known, _)| *known);
            Foreign {
                construct: "limit".to_owned(),
                known_to: others
                    .filter(|known| !WITHOUT_LIMIT.contains(known))
                    .collect(),
            }
        });
        if let SetExpr::Select(select) = query.body.as_ref() {
            let mut clauses = CLAUSES.iter().filter(|clause| (clause.is_in)(select));
            found = found.or_else(|| {
                clauses
                    .find_map(|clause| Foreign::unless_known(adapter, clause.word, clause.known_to))
            });
        }
        self.keep(found)
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let TableFactor::Table {
            sample: Some(sample),
            ..
        } = factor
        else {
            return ControlFlow::Continue(());
        };
        let (TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample)) =
            sample;
        let is_short = sample.modifier == TableSampleModifier::Sample;
        let known = [Adapter::Snowflake, Adapter::ClickHouse, Adapter::Oracle];
        let found = is_short
            .then(|| Foreign::unless_known(self.adapter, "sample", &known))
            .flatten();
        self.keep(found)
    }
}
