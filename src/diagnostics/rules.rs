//! Every rule: code, default severity, summary and explanation, in one table for each part of the
//! program that finds something.
//!
//! Codes are `area/what-is-wrong` and never change once released. `dbt-contracts explain` and the
//! documentation read these tables; a new finding is a new row of one of them.

use std::sync::LazyLock;

use super::{Rule, Severity};

/// Declares rules as statics, and lists them under the name of their table.
macro_rules! rules {
    ($table:ident: $($name:ident = $code:literal, $severity:ident, $summary:literal, $explanation:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $name: Rule = Rule {
                code: $code,
                severity: $severity,
                summary: $summary,
                explanation: $explanation,
            };
        )*

        pub(super) static $table: &[&Rule] = &[$(&$name),*];
    };
}

mod contents;
mod graph;
mod guards;
mod output;
mod reading;

pub use contents::*;
pub use graph::*;
pub use guards::*;
pub use output::*;
pub use reading::*;

/// All rules, sorted by code.
pub static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let tables = [CONTENTS, GRAPH, GUARDS, OUTPUT, READING];
    let mut rules = tables.concat();
    rules.sort_by_key(|rule| rule.code);
    rules
});

/// The rule of that code.
pub fn by_code(code: &str) -> Option<&'static Rule> {
    let index = ALL.binary_search_by(|rule| rule.code.cmp(code));
    index.ok().map(|index| ALL[index])
}

#[cfg(test)]
mod tests;
