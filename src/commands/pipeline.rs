//! What `generate`, `diff` and `sync` share: the way from documents to a comparison of what should
//! be on disk with what is there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Context;
use super::kept::Kept;
use super::mapped::{map, settle};
use super::{templates, whole};
use crate::cli::{Format, Selection};
use crate::dbt::packages;
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::file::Files;
use crate::mapping::Mapped;
use crate::merge::{
    self, Action, Comparison, Lock, Options, Outcome, Past, Root, Status, Surroundings, WORDS,
};
use crate::odcs::Contract;
use crate::render::Renderer;
use crate::report::{Exit, Failure, Reporter};
use crate::select;
use crate::workspace::Workspace;
use crate::write::{self, Recovered};

/// What is known before anything is written.
pub(crate) struct Step {
    /// The workspace, with everything found on the way.
    pub(crate) workspace: Workspace,
    /// What a run does to each file.
    pub(crate) comparison: Comparison,
}

impl Step {
    /// Goes the whole way. `selection` narrows which contracts' files are looked at; everything is
    /// loaded and named as a whole all the same.
    pub(crate) fn take(
        context: &Context,
        selection: &Selection,
        options: Options,
    ) -> Result<Self, Failure> {
        let mut workspace = context.load(Vec::new(), None)?;
        let whole = selection.select.is_empty() && selection.exclude.is_empty();
        let lock = Lock::read(&workspace.project_dir).map_err(|finding| Failure {
            code: rules::MERGE_LOCK.code,
            message: "the lock file cannot be used".to_owned(),
            diagnostics: vec![*finding],
        })?;
        settle(&mut workspace, &lock);
        let files = Files::default();
        let (templates, findings) = templates::read(&workspace.project_dir)?;
        workspace.sink.extend(findings);
        let root = Root::survey(&workspace.project_dir).map_err(|error| {
            let path = workspace.project_dir.display();
            Failure::new("io", format!("`{path}` cannot be reached: {error}"))
        })?;
        let past = Past {
            root: &root,
            lock: &lock,
            files: &files,
        };
        let renderer = |adapter, release| Renderer::new(adapter, release, &templates, &past);
        let (mut mapped, renderer, findings) = map(&workspace, &lock, &files, renderer)?;
        workspace.sink.extend(findings);
        let graph = select::Graph {
            resources: &mapped.resources,
            ..workspace.graph()
        };
        let selected = select::select(graph, &selection.select, &selection.exclude)?;
        workspace
            .sink
            .extend(std::mem::take(&mut mapped.diagnostics));
        let (artifacts, findings) = renderer.finish(&mut mapped);
        workspace.sink.extend(findings);
        report_unused_allows(&mut workspace);
        let keys: BTreeSet<String> = selected
            .iter()
            .map(|index| workspace.contracts[*index].key())
            .collect();
        let documents = workspace
            .contracts
            .iter()
            .map(|contract| &contract.document);
        let documents = documents.chain(workspace.products.iter().map(|product| &product.document));
        let ids: BTreeSet<String> = selected
            .iter()
            .map(|index| workspace.contracts[*index].id.value.clone())
            .collect();
        let inputs: BTreeSet<&str> = documents
            .map(|document| &document.file)
            .chain(&workspace.config_file)
            .map(|file| file.path.as_str())
            .collect();
        let (artifacts, findings) = merge::apart(&root, artifacts, &inputs);
        workspace.sink.extend(findings);
        let (artifacts, findings) = whole::whole(&workspace, &mapped, artifacts);
        workspace.sink.extend(findings);
        let kept = Kept::new(&workspace, &mapped, &artifacts);
        let (artifacts, others): (Vec<_>, Vec<_>) = artifacts.into_iter().partition(|artifact| {
            let mut contracts = artifact.contracts.iter();
            artifact.contracts.is_empty() || contracts.any(|contract| keys.contains(contract))
        });
        // An entry of an earlier version is one of the contract; one of another version that is there,
        // and is not selected, is not.
        let unselected: BTreeSet<String> = workspace
            .contracts
            .iter()
            .map(Contract::key)
            .filter(|key| !keys.contains(key))
            .collect();
        let comparison = merge::compare(
            &root,
            &artifacts,
            &lock,
            Options { whole, ..options },
            Surroundings {
                kept: &|contract| kept.keeps(contract),
                selected: &|contract| {
                    let id = contract.rsplit_once('@').map_or(contract, |(id, _)| id);
                    ids.contains(id) && !unselected.contains(contract)
                },
                others: &others,
                inputs: &inputs,
                adapter: Some(mapped.adapter),
                files: &files,
            },
        );
        let mut step = Self {
            workspace,
            comparison,
        };
        step.list_packages(&mapped, options);
        Ok(step)
    }

    /// Has the project list the packages whose tests are used.
    fn list_packages(&mut self, mapped: &Mapped, options: Options) {
        let missing = &mapped.missing_packages;
        if missing.is_empty() {
            return;
        }
        let project_dir = &self.workspace.project_dir;
        let added = |text: Option<&str>| packages::add(text, missing);
        let Some(outcome) = merge::addition(project_dir, packages::FILE, options, added) else {
            let names: Vec<String> = missing
                .iter()
                .map(|package| format!("`{}`", package.origin))
                .collect();
            let message = format!("`{}` cannot be added to as it is", packages::FILE);
            let finding = Diagnostic::new(&rules::MAPPING_PACKAGES, message);
            let help = format!("list {} there yourself", names.join(" and "));
            self.workspace.sink.extend([finding.help(help)]);
            return;
        };
        self.comparison.include(outcome);
    }

    /// Everything found, with what is to be known of files that stay; sorted by place.
    pub(crate) fn diagnostics(&mut self) -> &[Diagnostic] {
        self.workspace.sink.extend(self.comparison.diagnostics());
        self.workspace.sink.sort();
        self.workspace.sink.diagnostics()
    }

    /// Whether documents or templates have errors.
    pub(crate) fn has_errors(&self) -> bool {
        self.workspace.sink.count(Severity::Error) > 0
    }

    /// How `generate` and `sync` end: writes what the comparison decided, and reports.
    pub(crate) fn finish(mut self, context: &Context, dry_run: bool) -> Result<Exit, Failure> {
        let reporter = &context.reporter;
        if !dry_run {
            let changes = write::changes(&self.comparison);
            let committed = write::commit(&self.workspace.project_dir, &changes)
                .map_err(|error| failure(&error))?;
            if let Some(recovered) = committed.recovered {
                tell(reporter, &recovered);
            }
        }
        reporter.diagnostics(self.diagnostics());
        self.print_files(reporter);
        let found = self.has_errors() || self.comparison.has_conflicts();
        let diagnostics = self.workspace.sink.diagnostics();
        reporter.document(!found, self.files(reporter, !dry_run), diagnostics);
        Ok(self.end(found))
    }

    /// The last of a run. What it knows goes back with the memory of the process, not tree by tree.
    pub(crate) fn end(self, found: bool) -> Exit {
        std::mem::forget(self);
        Exit::findings(found)
    }

    /// `3 new, 1 modified, 12 unchanged, 2 edited, 1 conflict, 0 orphaned`, and what else was done.
    pub(crate) fn summary(&self, reporter: &Reporter) -> String {
        let always = [
            Status::New,
            Status::Modified,
            Status::Unchanged,
            Status::Edited,
            Status::Conflict,
            Status::Orphaned,
        ];
        let mut counts = always.map(|status| (status.as_str(), 0)).to_vec();
        counts.extend(WORDS.iter().map(|word| (*word, 0)));
        for outcome in &self.comparison.files {
            let word = outcome.word();
            for (_, count) in counts.iter_mut().filter(|(known, _)| *known == word) {
                *count += 1;
            }
        }
        let counts = counts
            .iter()
            .enumerate()
            .filter(|(place, (_, count))| *place < always.len() || *count > 0);
        let counts = counts.map(|(_, (word, count))| format!("{count} {word}"));
        let files = counts.collect::<Vec<_>>().join(", ");
        match self.workspace.sink.count(Severity::Note) {
            0 => files,
            notes => format!("{files}; {}", reporter.hidden(notes)),
        }
    }

    /// Prints a line for each file that is not unchanged, and the summary.
    fn print_files(&self, reporter: &Reporter) {
        for outcome in &self.comparison.files {
            if outcome.status != Status::Unchanged {
                reporter.line(&format!("{:9}  {}", outcome.word(), outcome.path));
            }
        }
        reporter.line(&self.summary(reporter));
    }

    /// The files for programs, and nothing for people. `written` says whether the run wrote what it
    /// decided.
    pub(crate) fn files(&self, reporter: &Reporter, written: bool) -> Value {
        if reporter.format != Format::Json {
            return Value::Null;
        }
        let files: Vec<Value> = self
            .comparison
            .files
            .iter()
            .map(|outcome| {
                json!({
                    "path": outcome.path,
                    "status": outcome.status.as_str(),
                    "written": written && outcome.action != Action::Leave,
                    "contracts": outcome.contracts,
                    "keys": keys(outcome),
                })
            })
            .collect();
        json!({"files": files})
    }
}

/// The parts of a properties file that are not as the contract has them.
fn keys(outcome: &Outcome) -> Vec<Value> {
    let keys = outcome.keys().iter();
    keys.map(|key| json!({"resource": key.resource, "key": key.key, "status": key.status.as_str()}))
        .collect()
}

/// Finishes or undoes what an interrupted run left, before anything is read.
pub(crate) fn recover(context: &Context) -> Result<(), Failure> {
    if let Some(recovered) =
        write::recover(&context.project_dir).map_err(|error| failure(&error))?
    {
        tell(&context.reporter, &recovered);
    }
    Ok(())
}

/// Says what became of an interrupted run.
fn tell(reporter: &Reporter, recovered: &Recovered) {
    reporter.progress(&format!("note: {recovered}"));
}

/// A failed write as a failed command.
pub(crate) fn failure(error: &write::WriteError) -> Failure {
    Failure::new("io", error.to_string())
}

/// Reports the comments that silenced nothing in the mapping of the contracts that were mapped.
fn report_unused_allows(workspace: &mut Workspace) {
    let contracts = workspace.contracts.iter().zip(&workspace.generated);
    let mapped: BTreeSet<&str> = contracts
        .filter(|(_, generated)| **generated)
        .map(|(contract, _)| contract.document.file.path.as_str())
        .collect();
    workspace.sink.report_unused_allows(|allow| {
        allow.rule.area() == "mapping" && mapped.contains(allow.path())
    });
}
