//! Drift: the shape of a contract and an observed relation come in, a decision goes out with the
//! differences that it rests on.
//!
//! The reasons are fixed words that programs and the gate inside dbt share; the rest is prose.

use crate::dbt::adapter::Adapter;
use crate::dbt::names::same_but_for_case;
use crate::mapping::shapes::{ColumnType, Shape, ShapeColumn};

use super::observed::{Column, Relation};
use super::policy::{Change, Policy, Verdict, verdict};
use super::types::{Likeness, compare};

/// What is decided of one relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// It may be loaded.
    Accepted,
    /// It may not.
    Rejected,
    /// What is known does not suffice, which is never a pass.
    CannotJudge,
}

impl Decision {
    /// Its word in machine output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::CannotJudge => "cannot_judge",
        }
    }
}

/// What decides.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The dialect of all types.
    pub adapter: Adapter,
    /// How much may differ.
    pub policy: Policy,
    /// Whether a column that may be null counts as changed where the contract requires values.
    pub strict_nullability: bool,
}

/// A difference in one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The column: the contract's name of it, or the observed one where the contract has none.
    pub column: String,
    /// What is different.
    pub change: Change,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Place of the column in the shape, where it is one of the contract's.
    pub place: Option<usize>,
    /// The contract's type.
    pub expected: Option<String>,
    /// The observed type.
    pub observed: Option<String>,
    /// The observed name, where it is not written like the contract's.
    pub observed_name: Option<String>,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The decision.
    pub decision: Decision,
    /// `none`, `approved_nullable_addition`, or what differs, joined by `, `.
    pub reason: String,
    /// The highest version that added a column which is there; 1 where none did.
    pub schema_version: u32,
    /// Every difference, in the order of the contract, then of the relation.
    pub differences: Vec<Difference>,
    /// A missing and an unexpected column that look like one column renamed.
    pub renamed: Option<(String, String)>,
}

/// The reason where nothing is known of nullability and it is asked for.
pub const NULLABILITY_UNKNOWN: &str = "nullability_unknown";

/// The observed column of each column of a shape, and the columns that are left over.
pub fn matched<'o>(
    shape: &Shape,
    relation: &'o Relation,
) -> (Vec<Option<&'o Column>>, Vec<&'o Column>) {
    let mut unmatched: Vec<&Column> = relation.columns.iter().collect();
    let matched: Vec<Option<&Column>> = shape
        .columns
        .iter()
        .map(|column| take(&mut unmatched, &column.name, true))
        .collect();
    // Names are compared in any case once those of the same case are taken.
    let matched: Vec<Option<&Column>> = shape
        .columns
        .iter()
        .zip(matched)
        .map(|(column, found)| found.or_else(|| take(&mut unmatched, &column.name, false)))
        .collect();
    (matched, unmatched)
}

/// Compares a relation with the shape that it should have.
pub fn judge(shape: &Shape, relation: &Relation, terms: Terms) -> Judgement {
    let (matched, unmatched) = matched(shape, relation);
    let mut differences = Vec::new();
    let mut nullability_unknown = false;
    let mut schema_version = 1;
    for (place, (column, found)) in shape.columns.iter().zip(&matched).enumerate() {
        let difference = |change| Difference::new(place, column, *found, change, terms);
        let Some(found) = found else {
            let change = match column.added_in {
                Some(_) => Change::NotYet,
                None => Change::Missing,
            };
            differences.push(difference(change));
            continue;
        };
        if let Some(version) = column.added_in {
            schema_version = schema_version.max(version);
            differences.push(difference(Change::Approved));
        }
        nullability_unknown |= column.required && found.nullable.is_none();
        differences.extend(changes(column, found, terms).map(difference));
    }
    differences.extend(unmatched.iter().map(|column| Difference {
        column: column.name.clone(),
        ..Difference::unexpected(column, terms)
    }));
    let rejected = differences
        .iter()
        .any(|difference| difference.verdict == Verdict::Reject);
    let mut judgement = Judgement {
        decision: if rejected {
            Decision::Rejected
        } else {
            Decision::Accepted
        },
        reason: reason(&differences),
        schema_version,
        renamed: renamed(shape, &matched, &unmatched, terms.adapter),
        differences,
    };
    if terms.strict_nullability && nullability_unknown {
        judgement.decision = Decision::CannotJudge;
        NULLABILITY_UNKNOWN.clone_into(&mut judgement.reason);
    }
    judgement
}

/// Takes the column of that name out of those that are left.
fn take<'o>(columns: &mut Vec<&'o Column>, name: &str, exact: bool) -> Option<&'o Column> {
    let place = columns.iter().position(|column| {
        column.name == name || (!exact && same_but_for_case(&column.name, name))
    })?;
    Some(columns.remove(place))
}

/// What is different in a column that is there.
fn changes<'c>(
    column: &'c ShapeColumn,
    found: &'c Column,
    terms: Terms,
) -> impl Iterator<Item = Change> + 'c {
    let of_type = match &found.data_type {
        None if column.data_type == ColumnType::Any => None,
        None => Some(Change::Untyped),
        Some(observed) => match compare(terms.adapter, &column.data_type, observed) {
            Likeness::Same => None,
            Likeness::Wider => Some(Change::Wider),
            Likeness::Other => Some(Change::Retyped),
            Likeness::Unknown => Some(Change::Unproven),
        },
    };
    let may_be_null = terms.strict_nullability && column.required && found.nullable == Some(true);
    let of_nulls = may_be_null.then_some(Change::Nullable);
    of_type.into_iter().chain(of_nulls)
}

impl Difference {
    /// A difference in a column of the contract.
    fn new(
        place: usize,
        column: &ShapeColumn,
        found: Option<&Column>,
        change: Change,
        terms: Terms,
    ) -> Self {
        let observed_name = found.map(|found| found.name.clone());
        Self {
            column: column.name.clone(),
            change,
            verdict: verdict(terms.policy, change),
            place: Some(place),
            expected: Some(column.data_type.to_string()),
            observed: found.and_then(|found| found.data_type.clone()),
            observed_name: observed_name.filter(|name| *name != column.name),
        }
    }

    /// A column that the contract does not have.
    fn unexpected(column: &Column, terms: Terms) -> Self {
        let change = if column.nullable == Some(false) {
            Change::UnexpectedRequired
        } else {
            Change::Unexpected
        };
        Self {
            column: column.name.clone(),
            change,
            verdict: verdict(terms.policy, change),
            place: None,
            expected: None,
            observed: column.data_type.clone(),
            observed_name: None,
        }
    }

    /// The fixed words for it.
    fn reasons(&self) -> Vec<String> {
        let missing = || format!("missing_or_changed:{}", self.column);
        let name = self.observed_name.as_ref().unwrap_or(&self.column);
        let unexpected = || format!("unexpected_or_changed:{name}");
        match self.change {
            Change::Approved | Change::Untyped => Vec::new(),
            Change::NotYet if self.verdict == Verdict::Load => Vec::new(),
            Change::Missing | Change::NotYet => vec![missing()],
            Change::Unexpected | Change::UnexpectedRequired => vec![unexpected()],
            Change::Wider | Change::Retyped | Change::Unproven | Change::Nullable => {
                vec![missing(), unexpected()]
            }
        }
    }
}

/// All reasons, ordered by reason, then by column.
fn reason(differences: &[Difference]) -> String {
    let mut reasons: Vec<String> = differences.iter().flat_map(Difference::reasons).collect();
    reasons.sort();
    reasons.dedup();
    let is_approved = |difference: &Difference| difference.change == Change::Approved;
    if !reasons.is_empty() {
        reasons.join(", ")
    } else if differences.iter().any(is_approved) {
        "approved_nullable_addition".to_owned()
    } else {
        "none".to_owned()
    }
}

/// The one missing and the one unexpected column, if they have the same type.
fn renamed(
    shape: &Shape,
    matched: &[Option<&Column>],
    unmatched: &[&Column],
    adapter: Adapter,
) -> Option<(String, String)> {
    let mut missing = shape
        .columns
        .iter()
        .zip(matched)
        .filter(|(column, found)| found.is_none() && column.added_in.is_none());
    let (missing, _) = missing.next().filter(|_| missing.next().is_none())?;
    let [extra] = unmatched else {
        return None;
    };
    let same = missing.data_type != ColumnType::Any
        && compare(adapter, &missing.data_type, extra.data_type.as_deref()?) == Likeness::Same;
    same.then(|| (missing.name.clone(), extra.name.clone()))
}

#[cfg(test)]
mod tests;
