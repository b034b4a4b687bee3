//! Pass 3: does every document stand high enough in its life for this project?

use crate::catalog::Catalog;
use crate::diagnostics::{Diagnostic, Fix, rules, unmistakable};
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

/// Findings about the status of the contracts behind a product's ports.
pub fn ports(catalog: &Catalog<'_>, contracts: &[Contract], product: &Product) -> Vec<Diagnostic> {
    let stated = |status: Option<&Text>| Status::parse(&status?.value);
    let find = |id: &Text, version: Option<&Text>| {
        let index = catalog
            .find(&id.value, version.map(Text::as_str))
            .contract()?;
        let contract = &contracts[index];
        Some((
            contract,
            standing(contract.status.as_ref(), Status::Draft).status,
        ))
    };
    let own = stated(product.status.as_ref());
    let mut findings = Vec::new();
    let mut report = |rule, contract: &Contract, id: &Text, message: String, help: &str| {
        let status = contract.status.as_ref().unwrap_or(&contract.id);
        findings.push(
            product
                .document
                .finding(rule, id.span, message)
                .label(
                    &contract.document.file,
                    status.span,
                    "the contract's status",
                )
                .help(help)
                .contract(product.id.value.clone()),
        );
    };
    for port in &product.output_ports {
        let Some(id) = &port.contract_id else {
            continue;
        };
        let Some((contract, status)) = find(id, port.version.as_ref()) else {
            continue;
        };
        let in_force = matches!(status, Status::Active | Status::Deprecated);
        if own == Some(Status::Active) && !in_force {
            let message = format!(
                "the active product `{}` outputs the contract `{}`, which is {}",
                product.label(),
                contract.key(),
                match &contract.status {
                    Some(word) if stated(Some(word)).is_none() =>
                        format!("{} by its unknown status `{}`", status.as_str(), word.value),
                    Some(_) => status.as_str().to_owned(),
                    None => format!("{} for want of a status", status.as_str()),
                }
            );
            report(
                &rules::STATUS_OUTPUT_NOT_ACTIVE,
                contract,
                id,
                message,
                "raise the status of the contract, or lower that of the product",
            );
        }
    }
    if own == Some(Status::Retired) {
        return findings;
    }
    let ports = product
        .input_ports
        .iter()
        .filter_map(|port| Some((port.contract_id.as_ref()?, port.version.as_ref())));
    let inputs = product
        .output_ports
        .iter()
        .flat_map(|port| port.input_contracts.iter().flatten())
        .map(|input| (&input.id, input.version.as_ref()));
    for (id, version) in ports.chain(inputs) {
        if let Some((contract, Status::Retired)) = find(id, version) {
            let message = format!(
                "the product `{}` still reads the contract `{}`, which is retired",
                product.label(),
                contract.key()
            );
            report(
                &rules::STATUS_RETIRED_INPUT,
                contract,
                id,
                message,
                "read what replaces it; nothing new is generated for it",
            );
        }
    }
    findings
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
    let finding = |rule, message: String, help: &str| {
        document
            .finding(rule, span, message)
            .help(help)
            .pointer("/status")
            .contract(id.value.clone())
    };
    if let Some(word) = status
        && Status::parse(&word.value).is_none()
    {
        let message = format!(
            "the status `{}` of this {kind} is not known and counts as draft",
            word.value
        );
        let close = unmistakable(&word.value, Status::ALL.iter().map(|(_, name)| *name));
        let help = close.map_or_else(
            || "use proposed, draft, active, deprecated or retired".to_owned(),
            |close| format!("did you mean `{close}`?"),
        );
        // The word decides what is generated.
        let fix = close
            .and_then(|close| Fix::word(&document.root, "/status", close))
            .map(Fix::when_asked);
        findings.push(finding(&rules::STATUS_UNKNOWN, message, &help).fix(fix));
    }
    let mut report =
        |rule, message: String, help: &str| findings.push(finding(rule, message, help));
    let standing = standing(status, minimum);
    let is = match status {
        Some(_) => format!("is {}", standing.status.as_str()),
        None => "has no status, which counts as draft".to_owned(),
    };
    if !standing.sufficient {
        report(
            &rules::STATUS_BELOW_MINIMUM,
            format!(
                "this {kind} {is}, and the project asks for {} at least",
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
            match kind {
                "product" => "nothing new is generated for what it alone outputs",
                _ => "nothing new is generated for it; take it out of the ports that still name it",
            },
        );
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostics::SourceFile;
    use crate::document::Kind;
    use crate::yaml::{Limits, Span, parse};
    use crate::{odcs, odps};

    fn document(kind: Kind, text: &str) -> Arc<Document> {
        let root = parse(text, &Limits::default()).documents.remove(0);
        let file = SourceFile::new("document.yaml", text);
        Arc::new(Document {
            file,
            root,
            kind,
            comments: Vec::new(),
        })
    }

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
            (Some("production"), [true, true, true]),
            (Some("Current"), [true, true, true]),
            (Some("in development"), [true, true, false]),
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

    #[test]
    fn a_product_and_the_contracts_behind_its_ports() {
        // status of the product, of its output, of its input
        let table: [(&str, &str, &str, &[&str]); 7] = [
            ("active", "active", "draft", &[]),
            ("active", "deprecated", "deprecated", &[]),
            ("draft", "draft", "active", &[]),
            ("retired", "retired", "retired", &[]),
            (
                "active",
                "in review",
                "active",
                &[
                    "output-not-active: the active product `p` outputs the contract `out@1.0.0`, which is draft by its unknown status `in review`",
                ],
            ),
            (
                "Active",
                "Draft",
                "active",
                &[
                    "output-not-active: the active product `p` outputs the contract `out@1.0.0`, which is draft",
                ],
            ),
            (
                "active",
                "retired",
                "retired",
                &[
                    "output-not-active: the active product `p` outputs the contract `out@1.0.0`, which is retired",
                    "retired-input: the product `p` still reads the contract `in@1.0.0`, which is retired",
                    "retired-input: the product `p` still reads the contract `in@1.0.0`, which is retired",
                ],
            ),
        ];
        for (product, output, input, expected) in table {
            let contracts = [("out", output), ("in", input)].map(|(id, status)| {
                let text = format!("id: {id}\nversion: 1.0.0\nstatus: {status}\n");
                {
                    let whole = document(Kind::Contract, &text);
                    odcs::load(&whole, &whole.root).unwrap()
                }
            });
            let text = format!(
                "id: p\nstatus: {product}\ninputPorts: [{{name: i, contractId: in}}, {{name: j}}]\n\
                 outputPorts: [{{name: o, contractId: out, inputContracts: [{{id: in}}, {{id: gone}}]}}]\n"
            );
            let product = {
                let whole = document(Kind::Product, &text);
                odps::load(&whole, &whole.root).unwrap()
            };
            let findings: Vec<String> = ports(&Catalog::new(&contracts), &contracts, &product)
                .iter()
                .map(|finding| {
                    let code = finding.rule.code.trim_start_matches("status/");
                    format!("{code}: {}", finding.message)
                })
                .collect();
            assert_eq!(findings, expected, "{text}");
        }
    }
}
