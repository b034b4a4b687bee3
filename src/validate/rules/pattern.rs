//! Patterns: regular expressions of ECMA-262, as the standard asks for.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::element::{Site, is_variable};
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::yaml::Node;

/// Longer or deeper patterns are not checked: the parser calls itself for each group and alternative.
const LONGEST: usize = 1000;
const DEEPEST: usize = 64;

/// The finding that a pattern does not compile.
pub(super) fn check(site: &Site<'_>, node: &Node, below: &str) -> Option<Diagnostic> {
    let pattern = node.as_str().filter(|pattern| !is_variable(pattern))?;
    let groups = pattern.bytes().filter(|byte| *byte == b'(').count();
    if pattern.len() > LONGEST || groups > DEEPEST {
        return None;
    }
    let error = error(pattern)?;
    let shown = crate::validate::schema::quote(pattern);
    let path = site.path();
    let finding =
        |message: String| site.finding(&rules::RULE_INVALID_PATTERN, node, below, message);
    // What warehouses understand is close to what the crate understands.
    Some(if regex::Regex::new(pattern).is_ok() {
        finding(format!(
            "the pattern {shown} of `{path}` is not one of ECMA-262: {}",
            words(&error)
        ))
        .severity(Severity::Warning)
        .help("other readers of the contract may refuse it; leave out what only some dialects have")
    } else {
        finding(format!(
            "the pattern {shown} of `{path}` cannot be read: {}",
            words(&error)
        ))
        .help("write a regular expression as ECMA-262 defines them; a backslash makes a character literal")
    })
}

thread_local! {
    /// Patterns that compile. Workspaces have a few that stand everywhere, and to compile one takes
    /// longer than all other checks of its property.
    static COMPILED: RefCell<BTreeSet<Box<str>>> = const { RefCell::new(BTreeSet::new()) };
}

/// As many patterns are remembered.
const REMEMBERED: usize = 1000;

/// Why a pattern does not compile.
fn error(pattern: &str) -> Option<regress::Error> {
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.contains(pattern) {
            return None;
        }
        let error = regress::Regex::new(pattern).err();
        if error.is_none() && compiled.len() < REMEMBERED {
            compiled.insert(pattern.into());
        }
        error
    })
}

/// The parser's reason in the style of our messages.
fn words(error: &regress::Error) -> String {
    let text = error.to_string();
    let mut letters = text.trim_end_matches('.').chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
