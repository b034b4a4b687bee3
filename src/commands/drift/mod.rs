//! `drift`: whether what arrives still has the shape of the contracts.

mod adopt;
mod prose;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Context, mapped, pipeline};
use crate::cli::{Drift, Format};
use crate::dbt::adapter::Adapter;
use crate::diagnostics::{Diagnostic, Severity, Sink, rules};
use crate::document::Text;
use crate::guards::assess::{Assessment, Question, assess};
use crate::guards::drift::Decision;
use crate::guards::observed::{self, query};
use crate::lineage::Role;
use crate::mapping::Mapped;
use crate::mapping::shapes::Shape;
use crate::odcs::Contract;
use crate::report::{Exit, Failure, Reporter, output, plural};
use crate::select;
use crate::workspace::Workspace;

/// What adoption prints is a patch or one document.
const FORMATS_OF_ADOPTION: &[Format] = &[Format::Human, Format::Json];

/// Compares what was observed with the contracts that are selected.
pub(crate) fn run(context: &Context, arguments: &Drift) -> Result<Exit, Failure> {
    if let Some(word) = &arguments.print_query {
        return print_query(&context.reporter, word);
    }
    if arguments.adopt && !FORMATS_OF_ADOPTION.contains(&context.reporter.format) {
        let message = "`drift --adopt` has the formats `human` and `json`";
        return Err(Failure::new("usage", message));
    }
    if arguments.write {
        pipeline::recover(context)?;
    }
    let mut workspace = context.load(Vec::new(), None)?;
    let mapped = mapped::mapped(&mut workspace)?;
    // The command line asks for one of the two.
    let given = arguments.observed.as_deref().unwrap_or("".as_ref());
    let observation =
        observed::read(&context.start.join(given), mapped.adapter).map_err(|reason| {
            let message = format!(
                "`{}` cannot be read as an observation: {reason}",
                given.display()
            );
            Failure::new("observed", message)
        })?;
    let graph = select::Graph {
        resources: &mapped.resources,
        ..workspace.graph()
    };
    let selection = &arguments.selection;
    let selected = select::select(graph, &selection.select, &selection.exclude)?;
    let shapes: Vec<&Shape> = mapped
        .shapes
        .iter()
        .filter(|shape| selected.contains(&shape.contract))
        .collect();
    let unusable = unusable(&workspace, &mapped, &selected);
    if shapes.is_empty() && unusable.is_empty() {
        let message = "no contract that is selected is a source; what products output is built by \
                       dbt, which checks it itself";
        return Err(Failure::new("selection", message));
    }
    if arguments.adopt {
        let observed = adopt::Observed {
            adapter: mapped.adapter,
            shapes: &shapes,
            unusable: &unusable,
            observation: &observation,
        };
        return adopt::run(context, arguments, &workspace, &observed);
    }
    let question = Question {
        adapter: mapped.adapter,
        policy: arguments.policy,
        strict_nullability: arguments.strict_nullability,
    };
    let assessments = assess(&shapes, &observation, question);
    let report = Report {
        contracts: &workspace.contracts,
        assessments: &assessments,
        unusable: &unusable,
    };
    report.print(
        &context.reporter,
        report.of_relations(&workspace.sink),
        report.of_contracts(&workspace.sink),
    );
    Ok(report.exit())
}

/// Prints the query of an adapter.
fn print_query(reporter: &Reporter, word: &str) -> Result<Exit, Failure> {
    let adapter = Adapter::parse(word).ok_or_else(|| {
        let known: Vec<&str> = Adapter::ALL.iter().map(|(_, word)| *word).collect();
        let message = format!("`{word}` is no adapter that is known: {}", known.join(", "));
        Failure::new("usage", message)
    })?;
    let query = query::export(adapter).map_err(|reason| Failure::new("usage", reason))?;
    match reporter.format {
        Format::Json => reporter.document(
            true,
            json!({"adapter": adapter.as_str(), "query": query}),
            &[],
        ),
        _ => output(query),
    }
    Ok(Exit::Fine)
}

/// The selected sources that have no shape because something is wrong with their contract.
fn unusable(workspace: &Workspace, mapped: &Mapped, selected: &BTreeSet<usize>) -> Vec<usize> {
    let has_shape = |index: usize| mapped.shapes.iter().any(|shape| shape.contract == index);
    let replaced = |index: usize| {
        let key = workspace.contracts[index].key();
        mapped.replaced.iter().any(|(old, _)| *old == key)
    };
    selected
        .iter()
        .copied()
        .filter(|index| workspace.lineage.roles[*index] == Role::Source)
        .filter(|index| !workspace.retired.contains(index) && !replaced(*index))
        .filter(|index| !has_shape(*index))
        .collect()
}

/// A finding with the weight that the settings give it, unless they or a comment silence it. What is
/// decided stays as it is.
fn weighed(sink: &Sink, mut finding: Diagnostic) -> Option<Diagnostic> {
    let place = finding.place.as_ref();
    if place.is_some_and(|place| sink.is_allowed(finding.rule, place)) {
        return None;
    }
    finding.severity = sink.weigh(finding.rule, finding.severity, place)?;
    Some(finding)
}

/// What a run has to tell.
pub(super) struct Report<'a> {
    contracts: &'a [Contract],
    assessments: &'a [Assessment<'a>],
    /// Contracts that could not be used at all.
    unusable: &'a [usize],
}

impl Report<'_> {
    /// The decision on everything.
    fn worst(&self) -> Decision {
        let decisions = self
            .assessments
            .iter()
            .map(|assessment| assessment.decision);
        let unusable = self.unusable.iter().map(|_| Decision::CannotJudge);
        decisions
            .chain(unusable)
            .max()
            .unwrap_or(Decision::CannotJudge)
    }

    /// How many were decided so.
    fn count(&self, decision: Decision) -> usize {
        let decided = self.assessments.iter();
        let decided = decided.filter(|assessment| assessment.decision == decision);
        let unusable = if decision == Decision::CannotJudge {
            self.unusable.len()
        } else {
            0
        };
        decided.count() + unusable
    }

    /// What is to be said of relations.
    fn of_relations(&self, sink: &Sink) -> Vec<Diagnostic> {
        let findings = self.assessments.iter().flat_map(|assessment| {
            let contract = &self.contracts[assessment.shape.contract];
            prose::findings(contract, assessment)
        });
        findings
            .filter_map(|finding| weighed(sink, finding))
            .collect()
    }

    /// What is to be said of contracts that could not be used, with what is wrong in them.
    fn of_contracts(&self, sink: &Sink) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for index in self.unusable {
            let contract = &self.contracts[*index];
            let document = &contract.document;
            let message = format!("the contract `{}` cannot be used", contract.key());
            let finding = document
                .finding(&rules::DRIFT_CANNOT_JUDGE, contract.id.span, message)
                .help("`dbt-contracts generate --dry-run` says all of it")
                .contract(contract.id.value.clone());
            findings.extend(weighed(sink, finding));
            let wrong = sink.diagnostics().iter().filter(|finding| {
                let place = finding.place.as_ref();
                finding.severity == Severity::Error
                    && place.is_some_and(|place| place.file.path == document.file.path)
            });
            findings.extend(wrong.cloned());
        }
        findings
    }

    /// Prints it in the format asked for.
    fn print(
        &self,
        reporter: &Reporter,
        of_relations: Vec<Diagnostic>,
        of_contracts: Vec<Diagnostic>,
    ) {
        let counts = format!(
            "{}: {} accepted, {} rejected, {} not judged",
            plural(self.assessments.len() + self.unusable.len(), "relation"),
            self.count(Decision::Accepted),
            self.count(Decision::Rejected),
            self.count(Decision::CannotJudge),
        );
        let mut diagnostics = of_relations;
        match reporter.format {
            Format::Human => {
                // What is said of relations stands there already.
                output(&prose::human(self));
                reporter.diagnostics(&of_contracts);
                reporter.line(&counts);
            }
            Format::Markdown => output(&prose::markdown(self, &counts)),
            _ => {
                diagnostics.extend(of_contracts);
                reporter.diagnostics(&diagnostics);
                reporter.progress(&counts);
            }
        }
        let mut fields = json!({"results": self.results()});
        if self.worst() == Decision::CannotJudge {
            let count = plural(self.count(Decision::CannotJudge), "relation");
            fields["error"] = json!({
                "code": rules::DRIFT_CANNOT_JUDGE.code,
                "message": format!("{count} could not be judged"),
                "path": Value::Null,
                "line": Value::Null,
            });
        }
        reporter.finished(self.exit(), fields, &diagnostics);
    }

    /// What the decision on everything makes of the run.
    fn exit(&self) -> Exit {
        match self.worst() {
            Decision::Accepted => Exit::Fine,
            Decision::Rejected => Exit::Findings,
            Decision::CannotJudge => Exit::Failed,
        }
    }

    /// The results for programs.
    fn results(&self) -> Vec<Value> {
        let judged = self
            .assessments
            .iter()
            .map(|assessment| self.result(assessment));
        let unusable = self.unusable.iter().map(|index| {
            let contract = &self.contracts[*index];
            json!({
                "contract": contract.id.value,
                "version": contract.version.value,
                "object": Value::Null,
                "relation": Value::Null,
                "observed": Value::Null,
                "policy": Value::Null,
                "decision": Decision::CannotJudge.as_str(),
                "diff_reason": "contract_unusable",
                "schema_version": Value::Null,
                "findings": [],
                "renamed": Value::Null,
            })
        });
        judged.chain(unusable).collect()
    }

    /// One result.
    fn result(&self, assessment: &Assessment<'_>) -> Value {
        let shape = assessment.shape;
        let contract = &self.contracts[shape.contract];
        let file = &contract.document.file;
        let findings = assessment.differences.iter().map(|difference| {
            let span = prose::span(contract, shape, difference.place);
            json!({
                "column": difference.column,
                "kind": difference.change.as_str(),
                "verdict": difference.verdict.as_str(),
                "expected": difference.expected,
                "observed": difference.observed,
                "path": file.path,
                "line": file.position(span.start()).0,
            })
        });
        json!({
            "contract": contract.id.value,
            "version": contract.version.value,
            "object": contract.objects.get(shape.object).map(|object| object.name.as_str()),
            "relation": shape.relation(),
            "observed": assessment.observed,
            "policy": assessment.policy,
            "decision": assessment.decision.as_str(),
            "diff_reason": assessment.reason,
            "schema_version": assessment.schema_version,
            "findings": findings.collect::<Vec<_>>(),
            "renamed": assessment.renamed.as_ref().map(|(from, to)| json!({"from": from, "to": to})),
        })
    }

    /// How a contract and object are named: the object only where there are several.
    fn name(&self, assessment: &Assessment<'_>) -> String {
        let contract = &self.contracts[assessment.shape.contract];
        let object = contract.objects.get(assessment.shape.object);
        let object = object.filter(|_| contract.objects.len() > 1);
        let object = object.map(|object| &object.name).map(Text::as_str);
        let key = contract.key();
        [Some(key.as_str()), object]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }
}
