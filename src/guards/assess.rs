//! Which observed relation a shape is compared with, and what comes of it: shapes and observations
//! come in, an [`Assessment`] of each goes out.

use super::drift::{Decision, Difference, Judgement, NULLABILITY_UNKNOWN, Terms, judge};
use super::observed::{Observation, Relation};
use super::policy::Policy;
use crate::dbt::adapter::Adapter;
use crate::mapping::shapes::Shape;

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The dialect of all types.
    pub adapter: Adapter,
    /// A policy over those of contracts and configuration.
    pub policy: Option<Policy>,
    /// Whether nullability counts.
    pub strict_nullability: bool,
}

/// What is decided of one shape.
#[derive(Clone, Debug)]
pub struct Assessment<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// The word of the policy.
    pub policy: String,
    /// What the relation is called in the file.
    pub observed: Option<String>,
    /// The decision.
    pub decision: Decision,
    /// The fixed words for it.
    pub reason: String,
    /// Why it could not be judged, and what to do.
    pub obstacle: Option<(String, String)>,
    /// The version of the schema that is there, where it was judged.
    pub schema_version: Option<u32>,
    /// The differences.
    pub differences: Vec<Difference>,
    /// A missing and an unexpected column that look like one column renamed.
    pub renamed: Option<(String, String)>,
}

/// Assesses every shape.
pub fn assess<'a>(
    shapes: &[&'a Shape],
    observation: &Observation,
    question: Question,
) -> Vec<Assessment<'a>> {
    let alone = shapes.len() == 1;
    shapes
        .iter()
        .flat_map(|shape| of_shape(shape, observation, question, alone))
        .collect()
}

/// Assesses one shape; several times where the file holds several states of the one relation.
fn of_shape<'a>(
    shape: &'a Shape,
    observation: &Observation,
    question: Question,
    alone: bool,
) -> Vec<Assessment<'a>> {
    let policy = match (question.policy, &shape.policy) {
        (Some(policy), _) => policy,
        (None, Ok(policy)) => *policy,
        (None, Err(word)) => {
            let problem = format!("`{}` is no policy of drift", word.value);
            let help = Policy::parse(&word.value).err().unwrap_or_default();
            return vec![Assessment::without(
                shape,
                &word.value,
                "policy_unknown",
                problem,
                help,
            )];
        }
    };
    let without = |reason, (problem, help): (String, String)| {
        vec![Assessment::without(
            shape,
            policy.as_str(),
            reason,
            problem,
            help,
        )]
    };
    if shape.columns.is_empty() {
        let problem = "the contract lists no columns to compare with".to_owned();
        let help = "list them under `properties`".to_owned();
        return without("columns_unknown", (problem, help));
    }
    match find(shape, &observation.relations, alone) {
        Found::Nothing => without("relation_missing", missing(shape, observation)),
        Found::Several(relations) => {
            let names: Vec<String> = relations.iter().map(|relation| relation.shown()).collect();
            let problem = format!(
                "several observed relations may be it: `{}`",
                names.join("`, `")
            );
            let help = "observe one of them alone, or let the contract's server say the database and schema";
            without("relation_ambiguous", (problem, help.to_owned()))
        }
        Found::These(relations) => {
            let repeated = relations
                .iter()
                .find_map(|relation| Some((relation.shown(), relation.repeated()?)));
            if let Some((name, column)) = repeated {
                let problem = format!("`{name}` has the column `{column}` twice in the file");
                let help = "observe it once, at one moment";
                return without("column_repeated", (problem, help.to_owned()));
            }
            let terms = Terms {
                adapter: question.adapter,
                policy,
                strict_nullability: question.strict_nullability,
            };
            let judged = |relation: &Relation| {
                let judgement = judge(shape, relation, terms);
                Assessment::judged(shape, policy, relation, judgement, observation.form)
            };
            relations.into_iter().map(judged).collect()
        }
    }
}

impl<'a> Assessment<'a> {
    /// One that could not be made.
    fn without(
        shape: &'a Shape,
        policy: &str,
        reason: &str,
        problem: String,
        help: String,
    ) -> Self {
        Self {
            shape,
            policy: policy.to_owned(),
            observed: None,
            decision: Decision::CannotJudge,
            reason: reason.to_owned(),
            obstacle: Some((problem, help)),
            schema_version: None,
            differences: Vec::new(),
            renamed: None,
        }
    }

    /// One that was made.
    fn judged(
        shape: &'a Shape,
        policy: Policy,
        relation: &Relation,
        judgement: Judgement,
        form: &str,
    ) -> Self {
        let obstacle = (judgement.reason == NULLABILITY_UNKNOWN).then(|| {
            (
                format!("whether columns may be null is not in {form}"),
                "observe with the query that `--print-query` prints, or leave out `--strict-nullability`"
                    .to_owned(),
            )
        });
        Self {
            shape,
            policy: policy.as_str().to_owned(),
            observed: Some(relation.shown()),
            decision: judgement.decision,
            reason: judgement.reason,
            obstacle,
            schema_version: Some(judgement.schema_version),
            differences: judgement.differences,
            renamed: judgement.renamed,
        }
    }
}

/// What a search found.
enum Found<'o> {
    Nothing,
    /// The relation, in one state or several.
    These(Vec<&'o Relation>),
    /// Relations that may each be it.
    Several(Vec<&'o Relation>),
}

/// Every observed relation that a shape may be.
pub fn candidates<'o>(
    shape: &Shape,
    observation: &'o Observation,
    alone: bool,
) -> Vec<&'o Relation> {
    match find(shape, &observation.relations, alone) {
        Found::Nothing => Vec::new(),
        Found::These(relations) | Found::Several(relations) => relations,
    }
}

/// Finds the relation of a shape: by what dbt calls it, else by its name and what is known of its
/// place, else as the one that the file is about.
fn find<'o>(shape: &Shape, relations: &'o [Relation], alone: bool) -> Found<'o> {
    let of_dbt = |relation: &&Relation| {
        let source = relation.source.as_ref();
        source.is_some_and(|(source, table)| *source == shape.source && *table == shape.table)
    };
    if let Some(relation) = relations.iter().find(of_dbt) {
        return Found::These(vec![relation]);
    }
    let mut named: Vec<&Relation> = relations
        .iter()
        .filter(|relation| is_at(shape, relation, str::eq_ignore_ascii_case))
        .collect();
    if named.len() > 1 {
        let exact = |relation: &&Relation| is_at(shape, relation, |one, other| one == other);
        if named.iter().any(exact) {
            named.retain(exact);
        }
    }
    match named[..] {
        [] => {}
        [relation] => return Found::These(vec![relation]),
        _ => return Found::Several(named),
    }
    let anonymous = relations.iter().filter(|relation| relation.is_anonymous());
    let is_called = |relation: &&Relation| {
        let label = relation.label.as_deref().unwrap_or_default();
        [&shape.identifier, &shape.table]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(label))
    };
    let found: Vec<&Relation> = anonymous
        .filter(|relation| alone || is_called(relation))
        .collect();
    if found.is_empty() {
        Found::Nothing
    } else {
        Found::These(found)
    }
}

/// Whether a relation is where the shape says, as far as both say it.
fn is_at(shape: &Shape, relation: &Relation, same: fn(&str, &str) -> bool) -> bool {
    let Some(name) = &relation.name else {
        return false;
    };
    let agree = |wanted: Option<&str>, found: Option<&String>| match (wanted, found) {
        (Some(wanted), Some(found)) => same(wanted, found),
        _ => true,
    };
    let schema = shape.schema.as_deref().unwrap_or(&shape.source);
    same(&shape.identifier, name)
        && agree(Some(schema), relation.schema.as_ref())
        && agree(shape.database.as_deref(), relation.database.as_ref())
}

/// What to say of a relation that was not observed.
fn missing(shape: &Shape, observation: &Observation) -> (String, String) {
    let problem = "it was not observed".to_owned();
    let elsewhere: Vec<String> = observation
        .relations
        .iter()
        .filter(|relation| {
            let name = relation.name.as_ref();
            name.is_some_and(|name| name.eq_ignore_ascii_case(&shape.identifier))
        })
        .map(|relation| format!("`{}`", relation.shown()))
        .collect();
    let help = if let Some(error) = &observation.error {
        format!("dbt met an error while it made the file: {error}")
    } else if !elsewhere.is_empty() {
        format!(
            "the file has {}; a server of the contract, `dbt.server`, or the custom properties \
             `dbt.database` and `dbt.schema` say where the relation is",
            elsewhere.join(", ")
        )
    } else if observation.relations.iter().any(Relation::is_anonymous) {
        "the file does not name its relation; select one contract with `--select`".to_owned()
    } else {
        "observe it too, or leave its contract out with `--exclude`".to_owned()
    };
    (problem, help)
}
