//! The YAML front end: the text of a file comes in, trees with byte spans and a list of problems go out.
//!
//! * `parse`: the way in, with the limits and the problems it reports.
//! * `builder`: the events of the parser become [`Node`]s, by way of `extent` (spans as people see them),
//!   `anchor` (aliases become copies) and `merge` (so do merge keys).
//! * `syntax`: what the parser rejects, said so that the author knows what to change.
//! * `scalar`: what an unquoted word means, by the rules of PyYAML, which reads dbt's files.
//! * `node`, `mapping`: the tree and the ways to walk it.
//! * `quote`: text back to YAML that readers of YAML 1.1 and 1.2 understand alike.
//! * `edit`: changes of the text that leave all but some scalars as they are.
//! * `graft`: changes of the tree, such as new entries and items, that leave all else of the text as it is.
//! * `times`: times of day in documents are text, as dates are.
//! * `position`: byte offsets as lines and columns.
//!
//! JSON files take the same road.

mod anchor;
mod builder;
mod edit;
mod extent;
mod graft;
mod mapping;
mod merge;
mod node;
mod parse;
mod position;
pub mod quote;
mod scalar;
mod syntax;
pub mod times;

pub use edit::{Edit, patch, sole, splice};
pub use graft::{Change, Cut, graft};
pub use mapping::{Entry, Mapping};
pub use node::{Data, Located, Node, Properties, Span, Style};
pub use parse::{Limits, Parsed, Problem, ProblemKind, parse};
pub use position::LineIndex;

#[cfg(test)]
mod tests;
