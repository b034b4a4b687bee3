//! `drift --adopt`: brings contracts up to what was observed. Prints the patch; with `--write` writes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::{Context, pipeline};
use crate::cli::Drift;
use crate::dbt::adapter::Adapter;
use crate::diagnostics::SourceFile;
use crate::discovery::Texts;
use crate::guards::adopt::{Adopted, Wish, adopt};
use crate::guards::assess::candidates;
use crate::guards::observed::{Observation, Relation};
use crate::mapping::shapes::Shape;
use crate::merge::{Digest, Root, diff_of};
use crate::report::{Exit, Failure, error_output, plural};
use crate::workspace::Workspace;
use crate::write::{self, Change, Kind};

/// What was observed, and of what.
pub(super) struct Observed<'a> {
    pub(super) adapter: Adapter,
    pub(super) shapes: &'a [&'a Shape],
    /// Contracts that have errors.
    pub(super) unusable: &'a [usize],
    pub(super) observation: &'a Observation,
}

/// What becomes of one contract.
struct File<'a> {
    old: &'a Arc<SourceFile>,
    /// The new text with its changes, or why it stays.
    outcome: Result<(String, Vec<Adopted>), String>,
}

/// Adopts what was observed of the shapes.
pub(super) fn run(
    context: &Context,
    arguments: &Drift,
    workspace: &Workspace,
    observed: &Observed<'_>,
) -> Result<Exit, Failure> {
    let mut files = adopted(arguments.overwrite, workspace, observed);
    files.extend(observed.unusable.iter().map(|index| File {
        old: &workspace.contracts[*index].document.file,
        outcome: Err("has errors; `dbt-contracts generate --dry-run` says them".to_owned()),
    }));
    validate(context, &mut files)?;
    if arguments.write {
        write::commit(&context.project_dir, &changes(&files))
            .map_err(|error| pipeline::failure(&error))?;
    }
    Ok(report(context, arguments, &files))
}

/// Works out the texts of all contracts.
fn adopted<'a>(
    overwrite: bool,
    workspace: &'a Workspace,
    observed: &Observed<'_>,
) -> Vec<File<'a>> {
    let shapes = observed.shapes;
    let mut by_contract: BTreeMap<usize, Vec<&Shape>> = BTreeMap::new();
    for shape in shapes {
        by_contract.entry(shape.contract).or_default().push(shape);
    }
    let root = Root::open(&workspace.project_dir);
    let files = by_contract.into_iter().map(|(index, of_contract)| {
        let contract = &workspace.contracts[index];
        let file = &contract.document.file;
        let located = match &root {
            Ok(root) => root
                .locate(&file.path)
                .map_err(|refusal| refusal.to_string()),
            Err(error) => Err(format!("is in a folder that cannot be opened: {error}")),
        };
        let wishes = of_contract.iter().map(|shape| {
            let relation = relation(shape, observed.observation, shapes.len() == 1)?;
            Ok(Wish {
                object: &contract.objects[shape.object],
                shape,
                relation,
            })
        });
        let wishes: Result<Vec<Wish<'_>>, String> = wishes.collect();
        let outcome = located
            .and(wishes)
            .and_then(|wishes| adopt(&file.text, &wishes, observed.adapter, overwrite));
        File { old: file, outcome }
    });
    files.collect()
}

/// The one relation that a shape is, or several that do not differ.
fn relation<'o>(
    shape: &Shape,
    observation: &'o Observation,
    alone: bool,
) -> Result<&'o Relation, String> {
    let relations = candidates(shape, observation, alone);
    let first = *relations.first().ok_or_else(|| {
        format!(
            "has `{}`, which was not observed; observe it too, or leave the contract out with \
                 `--exclude`",
            shape.relation()
        )
    })?;
    if relations
        .iter()
        .all(|relation| relation.columns == first.columns)
    {
        return Ok(first);
    }
    let names: Vec<String> = relations
        .iter()
        .map(|relation| format!("`{}`", relation.shown()))
        .collect();
    Err(format!(
        "is bound to relations that disagree: {}; observe the one that it describes alone",
        names.join(", ")
    ))
}

/// Refuses the texts with which a document has an error that it did not have before.
fn validate(context: &Context, files: &mut [File<'_>]) -> Result<(), Failure> {
    let texts: Texts = files
        .iter()
        .filter_map(|file| {
            let (text, changes) = file.outcome.as_ref().ok()?;
            let new = SourceFile::new(file.old.path.as_str(), text.as_str());
            (!changes.is_empty()).then(|| (file.old.path.clone(), new))
        })
        .collect();
    if texts.is_empty() {
        return Ok(());
    }
    let new = context.new_errors(texts)?;
    for file in files.iter_mut() {
        // What is wrong elsewhere may come from any of them.
        let own = new.iter().find(|(path, _)| *path == file.old.path);
        if let Some((_, message)) = own.or(new.first()) {
            file.outcome = Err(format!(
                "would not be valid any more: {message}; adopt it by hand"
            ));
        }
    }
    Ok(())
}

/// The changes that bring the texts to disk.
fn changes(files: &[File<'_>]) -> Vec<Change> {
    let changes = files.iter().filter_map(|file| {
        let (text, changes) = file.outcome.as_ref().ok()?;
        (!changes.is_empty()).then(|| Change {
            path: file.old.path.clone(),
            kind: Kind::Write { text: text.clone() },
            expected: Some(Digest::of(file.old.text.as_bytes())),
        })
    });
    changes.collect()
}

/// Says what was, or would be, adopted. Without `--write`, something to write is a finding.
fn report(context: &Context, arguments: &Drift, files: &[File<'_>]) -> Exit {
    let reporter = &context.reporter;
    let (mut with_changes, mut refused) = (0, 0);
    let mut results = Vec::new();
    for file in files {
        let path = &file.old.path;
        match &file.outcome {
            Ok((text, changes)) => {
                with_changes += usize::from(!changes.is_empty());
                let diff = diff_of(
                    path,
                    Some(&file.old.text),
                    Some(text),
                    reporter.color_output(),
                );
                if !diff.is_empty() {
                    reporter.line(diff.trim_end_matches('\n'));
                }
                let changes = changes.iter().map(|adopted| {
                    json!({
                        "object": adopted.object,
                        "column": adopted.column,
                        "change": adopted.what,
                        "data_type": adopted.data_type,
                    })
                });
                let changes: Value = changes.collect();
                let written = arguments.write && changes != json!([]);
                results.push(
                    json!({"path": path, "written": written, "changes": changes, "refused": null}),
                );
            }
            Err(reason) => {
                refused += 1;
                if reporter.format.is_text() {
                    error_output(&format!("error: `{path}` {reason}\n"));
                }
                results.push(
                    json!({"path": path, "written": false, "changes": [], "refused": reason}),
                );
            }
        }
    }
    let exit = Exit::findings(refused > 0 || !arguments.write && with_changes > 0);
    let done = if arguments.write {
        "adopted"
    } else {
        "to adopt (--write does)"
    };
    reporter.progress(&format!(
        "{}: {with_changes} {done}, {refused} refused",
        plural(files.len(), "contract")
    ));
    reporter.document(exit == Exit::Fine, json!({"files": results}), &[]);
    exit
}
