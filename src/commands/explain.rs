//! `explain`: what the code of a finding means.

use serde_json::{Value, json};

use super::Context;
use crate::cli::Explain;
use crate::diagnostics::{Rule, closest, rules};
use crate::report::{Exit, Failure};

/// Prints a rule of the table.
pub(crate) fn run(context: &Context, arguments: &Explain) -> Result<Exit, Failure> {
    let Some(code) = &arguments.code else {
        return Ok(list(context));
    };
    let Some(rule) = rules::by_code(code) else {
        let codes = rules::ALL.iter().map(|rule| rule.code);
        let advice = match closest(code, codes) {
            Some(close) => format!("; did you mean `{close}`?"),
            None => "; `dbt-contracts explain` lists all codes".to_owned(),
        };
        let message = format!("no rule has the code `{code}`{advice}");
        return Err(Failure::new("usage", message));
    };
    context.reporter.line(&format!(
        "{} ({})\n{}\n\n{}",
        rule.code,
        rule.severity.as_str(),
        rule.summary,
        rule.explanation
    ));
    context
        .reporter
        .document(true, json!({"rule": fields(rule)}), &[]);
    Ok(Exit::Fine)
}

/// Prints a line for each rule.
fn list(context: &Context) -> Exit {
    let width = rules::ALL.iter().map(|rule| rule.code.len()).max();
    for rule in rules::ALL.iter() {
        context.reporter.line(&format!(
            "{:width$}  {:7}  {}",
            rule.code,
            rule.severity.as_str(),
            rule.summary,
            width = width.unwrap_or_default()
        ));
    }
    let rules: Vec<Value> = rules::ALL.iter().map(|rule| fields(rule)).collect();
    context
        .reporter
        .document(true, json!({"rules": rules}), &[]);
    Exit::Fine
}

/// A rule for programs.
fn fields(rule: &Rule) -> Value {
    json!({
        "code": rule.code,
        "severity": rule.severity.as_str(),
        "summary": rule.summary,
        "explanation": rule.explanation,
    })
}
