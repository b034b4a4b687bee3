//! What `import` says: what was written, what was lost, and what to do next.

use serde_json::{Value, json};

use super::super::Context;
use super::settle::{Document, Settled};
use crate::cli::Import;
use crate::import::{Loss, Outcome};
use crate::merge::diff_of;
use crate::report::{Exit, output, plural};

/// Prints what was written and what was lost.
pub(super) fn print(
    context: &Context,
    arguments: &Import,
    outcome: &Outcome,
    settled: &Settled,
) -> Exit {
    let reporter = &context.reporter;
    reporter.diagnostics(&outcome.diagnostics);
    let (changed, unchanged): (Vec<&Document>, Vec<&Document>) = settled
        .documents
        .iter()
        .partition(|document| document.is_changed());
    if arguments.dry_run && reporter.format.is_text() {
        for document in &changed {
            let old = document.old.as_ref().map(|old| &*old.text);
            let color = reporter.color_output();
            output(&diff_of(&document.path, old, Some(&document.text), color));
        }
    } else {
        for document in changed.iter().chain(&unchanged) {
            reporter.line(&format!("{:<10} {}", document.status(), document.path));
        }
    }
    for (word, losses) in [("lost", &outcome.losses), ("kept", &settled.kept)] {
        for loss in losses {
            reporter.progress(&format!(
                "{word:<10} {}:{}: {}: {}",
                loss.file.path,
                loss.line(),
                loss.what,
                loss.why
            ));
        }
    }
    for product in &settled.covered {
        reporter.progress(&format!(
            "no product `{product}` was made: other products output its contracts already"
        ));
    }
    let conclusion = conclusion(arguments, outcome, settled);
    // A patch on stdout has nothing behind it.
    if arguments.dry_run {
        reporter.progress(&conclusion);
    } else {
        reporter.conclusion(&conclusion);
    }
    next(context, outcome, settled);
    let failed = outcome.contracts.is_empty() || arguments.strict && !outcome.losses.is_empty();
    let written: Vec<&str> = changed
        .iter()
        .map(|document| document.path.as_str())
        .collect();
    let documents = |is_product: bool| {
        let documents = settled.documents.iter();
        documents.filter(move |document| document.is_product == is_product)
    };
    let fields = json!({
        "written": if arguments.dry_run { Vec::new() } else { written },
        "contracts": documents(false).map(|document| json!({
            "path": document.path,
            "contract": document.id,
            "kind": if document.models { "models" } else { "source" },
            "status": document.status(),
        })).collect::<Vec<_>>(),
        "products": documents(true).map(|document| json!({
            "path": document.path,
            "product": document.id,
            "status": document.status(),
        })).collect::<Vec<_>>(),
        "losses": outcome.losses.iter().map(loss).collect::<Vec<_>>(),
        "kept": settled.kept.iter().map(loss).collect::<Vec<_>>(),
    });
    reporter.document(!failed, fields, &outcome.diagnostics);
    Exit::findings(failed)
}

/// The last word.
fn conclusion(arguments: &Import, outcome: &Outcome, settled: &Settled) -> String {
    let products = settled
        .documents
        .iter()
        .filter(|document| document.is_product);
    let products = match products.count() {
        0 => String::new(),
        count => format!(" and {}", plural(count, "product")),
    };
    let kept = match settled.kept.len() {
        0 => String::new(),
        count => format!(", {count} kept"),
    };
    format!(
        "{} {} into {}{products}; {} lost{kept}",
        if arguments.dry_run {
            "would import"
        } else {
            "imported"
        },
        plural(outcome.resources, "model or source table")
            .replace("model or source tables", "models and source tables"),
        plural(outcome.contracts.len(), "contract"),
        outcome.losses.len(),
    )
}

/// What to do now.
fn next(context: &Context, outcome: &Outcome, settled: &Settled) {
    let reporter = &context.reporter;
    let has_products = !settled.covered.is_empty() || !outcome.products.is_empty();
    if outcome.contracts.is_empty() {
        let others = match outcome.others {
            0 => String::new(),
            others => format!(
                "; {} without models or sources in the folders",
                plural(others, "YAML file")
            ),
        };
        reporter.progress(&format!("nothing was imported{others}"));
    } else if !has_products && outcome.contracts.iter().any(|contract| contract.models) {
        reporter.progress("next: name the contracts of models in the output ports of a product, else they are taken for sources; then `dbt-contracts validate`");
    } else {
        reporter.progress("next: `dbt-contracts validate`");
    }
}

fn loss(loss: &Loss) -> Value {
    json!({"path": loss.file.path, "line": loss.line(), "what": loss.what, "why": loss.why})
}
