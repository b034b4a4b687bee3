//! `explain`: what the code of a finding means.

use serde_json::json;

use super::Context;
use crate::cli::Explain;
use crate::diagnostics::{closest, rules};
use crate::report::{Exit, Failure};

/// Prints a rule of the table.
pub(crate) fn run(context: &Context, arguments: &Explain) -> Result<Exit, Failure> {
    let Some(rule) = rules::by_code(&arguments.code) else {
        let codes = rules::ALL.iter().map(|rule| rule.code);
        let advice = match closest(&arguments.code, codes) {
            Some(close) => format!("; did you mean `{close}`?"),
            None => String::new(),
        };
        let message = format!("no rule has the code `{}`{advice}", arguments.code);
        return Err(Failure::new("usage", message));
    };
    context.reporter.line(&format!(
        "{} ({})\n{}\n\n{}",
        rule.code,
        rule.severity.as_str(),
        rule.summary,
        rule.explanation
    ));
    context.reporter.document(
        true,
        json!({"rule": {
            "code": rule.code,
            "severity": rule.severity.as_str(),
            "summary": rule.summary,
            "explanation": rule.explanation,
        }}),
        &[],
    );
    Ok(Exit::Fine)
}
