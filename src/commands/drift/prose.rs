//! What is said of differences: as findings, as text and as Markdown.

use std::fmt::Write as _;

use super::Report;
use crate::diagnostics::{Diagnostic, rules};
use crate::guards::assess::Assessment;
use crate::guards::drift::{Decision, Difference};
use crate::guards::policy::{Change, Verdict};
use crate::mapping::shapes::Shape;
use crate::odcs::Contract;
use crate::yaml::Span;

/// Where a difference stands in the contract: at its column, else at the object.
pub(super) fn span(contract: &Contract, shape: &Shape, place: Option<usize>) -> Span {
    let object = contract.objects.get(shape.object);
    match place.and_then(|place| shape.columns.get(place)) {
        Some(column) => column.span,
        None => object.map_or(contract.id.span, |object| object.name.span),
    }
}

/// What is said of a difference.
fn message(assessment: &Assessment<'_>, difference: &Difference) -> String {
    let column = &difference.column;
    let expected = difference.expected.as_deref().unwrap_or_default();
    let observed = difference
        .observed
        .as_deref()
        .unwrap_or("of an unknown type");
    match difference.change {
        Change::Approved => format!("the approved addition `{column}` is there"),
        Change::NotYet => format!("the approved addition `{column}` is not there yet"),
        Change::Missing => format!("the column `{column}` is missing"),
        Change::Unexpected => format!("the column `{column}`, {observed}, is not in the contract"),
        Change::UnexpectedRequired => {
            format!("the column `{column}`, {observed} and never null, is not in the contract")
        }
        Change::Wider => {
            format!(
                "the column `{column}` is {observed}, which holds more than the contract's {expected}"
            )
        }
        Change::Retyped => {
            format!("the column `{column}` is {observed}, and the contract says {expected}")
        }
        Change::Unproven => format!(
            "the column `{column}` is {observed}, a type that is not known here, and the contract says {expected}"
        ),
        Change::Untyped => match untyped(assessment).count() {
            1 => format!("the type of the column `{column}` was not observed"),
            count => format!("the types of {count} columns were not observed"),
        },
        Change::Nullable => {
            format!("the column `{column}` may be null, and the contract requires it")
        }
    }
}

/// What to do about a difference.
fn help(assessment: &Assessment<'_>, difference: &Difference) -> Option<String> {
    let column = &difference.column;
    if let Some((from, to)) = &assessment.renamed
        && (from == column || to == column)
    {
        return Some(format!(
            "`{to}` looks like `{from}` renamed: say `physicalName: {to}` in a new version of the \
             contract, or have the source renamed back"
        ));
    }
    let observed = difference.observed.as_deref().unwrap_or_default();
    match difference.change {
        Change::Approved | Change::Untyped => None,
        Change::NotYet => Some("wait for it, or take a policy that does".to_owned()),
        Change::Missing => Some(
            "bring it back at the source, or publish a major version of the contract without it"
                .to_owned(),
        ),
        Change::Unexpected | Change::UnexpectedRequired => Some(
            "`drift --adopt --write` adds it to the contract, or remove it at the source"
                .to_owned(),
        ),
        Change::Wider | Change::Retyped | Change::Unproven => Some(format!(
            "cast it back at the source, or publish a version of the contract with `physicalType: {observed}`"
        )),
        Change::Nullable => Some(
            "let the source promise values, or publish a version of the contract without `required`"
                .to_owned(),
        ),
    }
}

/// The findings of an assessment.
pub(super) fn findings(contract: &Contract, assessment: &Assessment<'_>) -> Vec<Diagnostic> {
    let shape = assessment.shape;
    let relation = assessment.observed.clone();
    let relation = relation.filter(|name| !name.is_empty());
    let relation = relation.unwrap_or_else(|| shape.relation());
    if let Some((problem, help)) = &assessment.obstacle {
        let finding = contract.document.finding(
            &rules::DRIFT_CANNOT_JUDGE,
            span(contract, shape, None),
            format!("`{relation}` cannot be judged: {problem}"),
        );
        let finding = finding
            .help(help.clone())
            .contract(contract.id.value.clone());
        return vec![finding];
    }
    told(assessment)
        .map(|difference| {
            let rule = match difference.verdict {
                Verdict::Reject => &rules::DRIFT_REJECTED,
                Verdict::Load | Verdict::Warn => &rules::DRIFT_TOLERATED,
            };
            let message = format!(
                "{} [{}, `{relation}`]",
                message(assessment, difference),
                assessment.policy
            );
            let place = span(contract, shape, difference.place);
            let mut finding = contract.document.finding(rule, place, message);
            finding.help = help(assessment, difference);
            finding.contract(contract.id.value.clone())
        })
        .collect()
}

/// The differences that are worth a word. Where no types were observed, one word does for all.
fn told<'a>(assessment: &'a Assessment<'_>) -> impl Iterator<Item = &'a Difference> {
    let first = untyped(assessment).next();
    let differences = assessment.differences.iter();
    differences.filter(move |difference| match difference.change {
        Change::Untyped => first.is_some_and(|first| std::ptr::eq(first, *difference)),
        _ => difference.verdict != Verdict::Load,
    })
}

/// The columns whose type was not observed.
fn untyped<'a>(assessment: &'a Assessment<'_>) -> impl Iterator<Item = &'a Difference> {
    let differences = assessment.differences.iter();
    differences.filter(|difference| difference.change == Change::Untyped)
}

/// Everything for people.
pub(super) fn human(report: &Report<'_>) -> String {
    let mut text = String::new();
    for assessment in report.assessments {
        let contract = &report.contracts[assessment.shape.contract];
        let _ = writeln!(text, "{}", headline(report, assessment));
        if let Some((problem, help)) = &assessment.obstacle {
            let _ = writeln!(text, "  {problem}\n    help: {help}");
        }
        let mut last = None;
        for difference in told(assessment).filter(|_| assessment.obstacle.is_none()) {
            let file = &contract.document.file;
            let span = span(contract, assessment.shape, difference.place);
            let line = file.position(span.start()).0;
            let _ = writeln!(
                text,
                "  {} ({}:{line})",
                message(assessment, difference),
                file.path
            );
            let help = help(assessment, difference);
            if let Some(help) = help.filter(|help| last.as_ref() != Some(help)) {
                let _ = writeln!(text, "    help: {help}");
                last = Some(help);
            }
        }
        let _ = writeln!(text, "  reason: {}\n", assessment.reason);
    }
    text
}

/// `orders@2.0.0 <- raw.orders [approved]: rejected`.
fn headline(report: &Report<'_>, assessment: &Assessment<'_>) -> String {
    format!(
        "{} <- {}{} [{}]: {}",
        report.name(assessment),
        assessment.shape.relation(),
        state(assessment),
        assessment.policy,
        words(assessment.decision),
    )
}

/// What the file calls the relation, where that is another name.
fn state(assessment: &Assessment<'_>) -> String {
    match &assessment.observed {
        Some(name) => {
            let relation = assessment.shape.relation().to_lowercase();
            let lower = name.to_lowercase();
            let is_same = relation.ends_with(&lower) || lower.ends_with(&relation);
            if is_same {
                String::new()
            } else {
                format!(" as `{name}`")
            }
        }
        None => String::new(),
    }
}

/// A decision in words.
fn words(decision: Decision) -> &'static str {
    match decision {
        Decision::Accepted => "accepted",
        Decision::Rejected => "rejected",
        Decision::CannotJudge => "cannot be judged",
    }
}

/// Everything as Markdown.
pub(super) fn markdown(report: &Report<'_>, counts: &str) -> String {
    let mut text = format!(
        "## Drift\n\n{counts}\n\n| contract | relation | policy | decision | reason |\n|---|---|---|---|---|\n"
    );
    for assessment in report.assessments {
        let cells = [
            report.name(assessment),
            assessment.shape.relation() + &state(assessment),
            assessment.policy.clone(),
            words(assessment.decision).to_owned(),
            format!("`{}`", assessment.reason),
        ];
        let _ = writeln!(text, "| {} |", cells.map(|cell| in_cell(&cell)).join(" | "));
    }
    for index in report.unusable {
        let key = in_cell(&report.contracts[*index].key());
        let _ = writeln!(
            text,
            "| {key} | | | {} | `contract_unusable` |",
            words(Decision::CannotJudge)
        );
    }
    for assessment in report.assessments {
        let contract = &report.contracts[assessment.shape.contract];
        let findings = findings(contract, assessment);
        if findings.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n### {}\n", in_cell(&report.name(assessment)));
        for finding in findings {
            let place = finding
                .place
                .as_ref()
                .map(crate::diagnostics::Place::display);
            let _ = writeln!(
                text,
                "- {} ({})",
                finding.message,
                place.unwrap_or_default()
            );
            if let Some(help) = finding.help {
                let _ = writeln!(text, "  <br>{help}");
            }
        }
    }
    text
}

/// Text in a cell of a table.
fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
