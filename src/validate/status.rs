//! Pass 3: does every document stand high enough in its life for this project?

use crate::diagnostics::{Diagnostic, rules};
use crate::document::{Document, Text};
use crate::odcs::Contract;
use crate::odps::Product;
use crate::status::Status;

/// What a document's status means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The status; a missing or unknown one counts as draft.
    pub status: Status,
    /// Whether it is at least what the project asks for.
    pub sufficient: bool,
}

/// Where `status` stands against `minimum`. Deprecated is still in force and ranks as active;
/// retired ranks below everything, and only a project that asks for nothing lets it pass.
pub fn standing(status: Option<&Text>, minimum: Status) -> Standing {
    let status = status
        .and_then(|status| Status::parse(&status.value))
        .unwrap_or(Status::Draft);
    let sufficient = match status {
        Status::Retired => minimum == Status::Proposed,
        Status::Deprecated => true,
        status => status >= minimum,
    };
    Standing { status, sufficient }
}

/// Findings about a contract's status.
pub fn contract(contract: &Contract, minimum: Status) -> Vec<Diagnostic> {
    check(
        &contract.document,
        "contract",
        &contract.id,
        contract.status.as_ref(),
        minimum,
    )
}

/// Findings about a product's status.
pub fn product(product: &Product, minimum: Status) -> Vec<Diagnostic> {
    check(
        &product.document,
        "product",
        &product.id,
        product.status.as_ref(),
        minimum,
    )
}

/// Findings about one status.
fn check(
    document: &Document,
    kind: &str,
    id: &Text,
    status: Option<&Text>,
    minimum: Status,
) -> Vec<Diagnostic> {
    let span = status.unwrap_or(id).span;
    let mut findings = Vec::new();
    let mut report = |rule, message: String, help: &str| {
        findings.push(
            document
                .finding(rule, span, message)
                .help(help)
                .pointer("/status")
                .contract(id.value.clone()),
        );
    };
    if let Some(word) = status
        && Status::parse(&word.value).is_none()
    {
        report(
            &rules::STATUS_UNKNOWN,
            format!(
                "the status `{}` of this {kind} is not known and counts as draft",
                word.value
            ),
            "use proposed, draft, active, deprecated or retired",
        );
    }
    let standing = standing(status, minimum);
    let word = status.map_or("no status, which counts as draft", |_| {
        standing.status.as_str()
    });
    if !standing.sufficient {
        report(
            &rules::STATUS_BELOW_MINIMUM,
            format!(
                "this {kind} is {word}, and the project asks for {} at least",
                minimum.as_str()
            ),
            "raise the status, or lower `validation.min_status`",
        );
    } else if standing.status == Status::Deprecated {
        report(
            &rules::STATUS_DEPRECATED,
            format!("this {kind} is deprecated"),
            "move its readers to what replaces it before it is retired",
        );
    } else if standing.status == Status::Retired {
        report(
            &rules::STATUS_RETIRED,
            format!("this {kind} is retired"),
            "nothing new is generated for it; take it out of the ports that still name it",
        );
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Span;

    #[test]
    fn every_status_against_every_minimum() {
        let sufficient = |word: Option<&str>, minimum| {
            let text = word.map(|word| Text {
                value: word.to_owned(),
                span: Span::default(),
            });
            standing(text.as_ref(), minimum).sufficient
        };
        // proposed, draft, active as the minimum
        let table = [
            (Some("proposed"), [true, false, false]),
            (Some("draft"), [true, true, false]),
            (Some("Active"), [true, true, true]),
            (Some("deprecated"), [true, true, true]),
            (Some("retired"), [true, false, false]),
            (Some("in review"), [true, true, false]),
            (None, [true, true, false]),
        ];
        for (word, expected) in table {
            let minima = [Status::Proposed, Status::Draft, Status::Active];
            assert_eq!(
                minima.map(|minimum| sufficient(word, minimum)),
                expected,
                "{word:?}"
            );
        }
    }
}
