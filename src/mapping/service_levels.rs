//! Service levels of a contract: `slaProperties` come in, what dbt can hold of them goes out for
//! each object, and a note for each of the others.
//!
//! A latency is the age of a source's data at which `dbt source freshness` fails, a frequency the age
//! at which it warns; both are put only on the tables that the level names, with the column that it
//! names. Data that comes once a day and up to four hours late is never late before it is 28 hours
//! old: beside a frequency the latency counts from when the next load is due. The end of life is the
//! date of a model's deprecation.

mod duration;

use super::names::Relation;
use super::scope::{Scope, Subject};
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::Entries;
use crate::diagnostics::{Diagnostic, rules};
use crate::document::{Scalar, Text};
use crate::odcs::{Contract, Property, ServiceLevel, service_levels as names};
use crate::validate::rules::moment::{Form, Moment};
use duration::Duration;

/// The service levels that matter here.
const KINDS: &[(&str, Kind)] = &[
    ("endOfLife", Kind::EndOfLife),
    ("frequency", Kind::Frequency),
    ("latency", Kind::Latency),
];

/// What a service level is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Latency,
    Frequency,
    EndOfLife,
}

impl Kind {
    fn of(level: &ServiceLevel) -> Option<Self> {
        let word = level.property.as_str();
        let name = names::named(word).or_else(|| names::meant(word))?;
        let kind = KINDS.iter().find(|(known, _)| *known == name);
        kind.map(|(_, kind)| *kind)
    }
}

/// What dbt holds of the service levels of one object.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The column that says how old a source's data is, in SQL.
    loaded_at: Option<String>,
    latency: Option<Duration>,
    frequency: Option<Duration>,
    /// The day that a model is deprecated from.
    pub(super) deprecation_date: Option<String>,
}

impl Levels {
    /// Adds the freshness of a source table to its `config`.
    pub(super) fn configure(&self, config: &mut Entries) {
        let Some(loaded_at) = &self.loaded_at else {
            return;
        };
        let error_after = match (self.frequency, self.latency) {
            (Some(frequency), Some(latency)) => Some(frequency.plus(latency)),
            (_, latency) => latency,
        };
        let mut freshness = Entries::default();
        for (key, duration) in [("warn_after", self.frequency), ("error_after", error_after)] {
            if let Some(duration) = duration {
                freshness.set(key, duration.entries());
            }
        }
        config.set("loaded_at_field", loaded_at.as_str());
        config.set("freshness", freshness);
    }
}

/// The service levels of a contract, for each of its objects.
pub(super) fn of_contract(
    scope: &Scope<'_>,
    index: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Levels> {
    let contract = scope.contract(index);
    let mut levels = vec![Levels::default(); contract.objects.len()];
    for level in &contract.service_levels {
        if let Err(finding) = place(scope, index, level, &mut levels) {
            diagnostics.push(*finding);
        }
    }
    levels
}

/// Puts one service level where it belongs, or says why it is nowhere.
fn place(
    scope: &Scope<'_>,
    index: usize,
    level: &ServiceLevel,
    levels: &mut [Levels],
) -> Result<(), Box<Diagnostic>> {
    let contract = scope.contract(index);
    let none = |reason: &str| {
        let message = format!(
            "nothing in dbt is made of the service level `{}`: {reason}",
            level.property.value
        );
        Box::new(note(contract, level, message))
    };
    let kind = Kind::of(level).ok_or_else(|| none("dbt has no counterpart"))?;
    let is_source = levels
        .first()
        .is_some_and(|_| matches!(scope.subject(index, 0).relation, Relation::Source { .. }));
    let elements = elements(contract, level).map_err(|reason| none(&reason))?;
    match kind {
        Kind::Latency | Kind::Frequency if !is_source => {
            Err(none("dbt checks the freshness of sources only"))
        }
        Kind::Latency | Kind::Frequency => {
            let duration = read(level).map_err(|reason| none(&reason))?;
            if elements.is_empty() {
                return Err(none(
                    "its `element` names no column that says how old the data is",
                ));
            }
            for (object, property) in elements {
                let Some(property) = property else {
                    return Err(none(&format!(
                        "its `element` names `{}` and no column of it",
                        contract.objects[object].name.value
                    )));
                };
                let subject = scope.subject(index, object);
                let loaded_at = loaded_at(&subject, property).map_err(|reason| none(&reason))?;
                let levels = &mut levels[object];
                if levels
                    .loaded_at
                    .as_ref()
                    .is_some_and(|known| *known != loaded_at)
                {
                    return Err(none(
                        "another one measures the same table by another column",
                    ));
                }
                levels.loaded_at = Some(loaded_at);
                let known = match kind {
                    Kind::Latency => &mut levels.latency,
                    _ => &mut levels.frequency,
                };
                // Of two promises the stronger one holds both.
                *known = Some(match *known {
                    Some(known) if known.seconds <= duration.seconds => known,
                    _ => duration,
                });
            }
            Ok(())
        }
        Kind::EndOfLife if is_source => Err(none("dbt deprecates models and not sources")),
        Kind::EndOfLife => {
            let date = level.value.as_ref().map(|value| value.value.to_string());
            let date = date
                .filter(|date| is_date(date))
                .ok_or_else(|| none("it is no date"))?;
            let all = || (0..contract.objects.len()).collect();
            let named: Vec<usize> = elements.iter().map(|(object, _)| *object).collect();
            for object in if named.is_empty() { all() } else { named } {
                levels[object].deprecation_date = Some(date.clone());
            }
            Ok(())
        }
    }
}

/// How long a service level allows.
fn read(level: &ServiceLevel) -> Result<Duration, String> {
    let value = level
        .value
        .as_ref()
        .map_or(&Scalar::Null, |value| &value.value);
    match value {
        Scalar::Null => Err("it has no value".to_owned()),
        value => duration::read(value, level.unit.as_ref().map(Text::as_str)),
    }
}

/// An object of the contract by its place, and a column of it.
type Element<'c> = (usize, Option<&'c Property>);

/// What the `element` of a service level names: objects, or columns of them. A column may stand
/// alone where one object only has it.
fn elements<'c>(contract: &'c Contract, level: &ServiceLevel) -> Result<Vec<Element<'c>>, String> {
    let names = level
        .element
        .iter()
        .flat_map(|element| element.as_str().split(','));
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let mut columns = (0..contract.objects.len())
                .filter_map(|object| Some((object, Some(column(contract, object, name)?))));
            if let Some((owner, name)) = name.rsplit_once('.')
                && let Some(owner) = object(contract, owner)
                && let Some(column) = column(contract, owner, name)
            {
                return Ok((owner, Some(column)));
            }
            match (columns.next(), columns.next(), object(contract, name)) {
                (Some(only), None, _) => Ok(only),
                (Some(_), Some(_), None) => Err(format!("several objects have a column `{name}`")),
                (_, _, Some(object)) => Ok((object, None)),
                (None, _, None) => Err(format!("`{name}` is no object or column of the contract")),
            }
        })
        .collect()
}

/// The object of that logical or physical name.
fn object(contract: &Contract, name: &str) -> Option<usize> {
    contract.objects.iter().position(|object| {
        let names = [object.name.as_str(), object.physical()];
        names.iter().any(|known| known.eq_ignore_ascii_case(name))
    })
}

/// The column of that logical or physical name.
fn column<'c>(contract: &'c Contract, object: usize, name: &str) -> Option<&'c Property> {
    contract.objects[object]
        .columns()
        .find(|property| [property.name.as_str(), property.physical()].contains(&name))
}

/// The column as dbt takes the latest of: a moment, since dbt compares no dates.
fn loaded_at(subject: &Subject<'_>, property: &Property) -> Result<String, String> {
    let sql = subject.sql_name(property);
    let place = subject
        .object
        .columns()
        .position(|column| std::ptr::eq(column, property));
    let data_type = place.and_then(|place| subject.columns.data_types[place].as_deref());
    let Some(data_type) = data_type.map(str::to_lowercase) else {
        return Ok(sql);
    };
    let data_type = data_type.trim_start_matches("nullable(");
    if data_type.contains("timestamp") || data_type.contains("datetime") {
        Ok(sql)
    } else if data_type.starts_with("date") {
        let moment = match subject.scope.input.adapter {
            Adapter::SqlServer | Adapter::Fabric => "datetime2",
            Adapter::MySql | Adapter::ClickHouse => "datetime",
            _ => "timestamp",
        };
        Ok(format!("cast({sql} as {moment})"))
    } else {
        Err(format!(
            "`{}` is neither a date nor a timestamp",
            property.name.value
        ))
    }
}

/// Whether a text is a day, or a moment of one, that exists: dbt loads no project with another one.
fn is_date(text: &str) -> bool {
    Moment::parse(text).is_some_and(|moment| moment.form != Form::Time)
}

/// A note on a service level.
fn note(contract: &Contract, level: &ServiceLevel, message: String) -> Diagnostic {
    contract
        .document
        .finding(&rules::MAPPING_NO_COUNTERPART, level.span, message)
        .contract(contract.id.value.clone())
}

/// A contract that promises fresher data than one of those that it is made of delivers.
pub(super) fn fresher_than_inputs(scope: &Scope<'_>, index: usize) -> Vec<Diagnostic> {
    let contract = scope.contract(index);
    let Some((own, promise)) = shortest(contract) else {
        return Vec::new();
    };
    scope.input.upstreams[index]
        .iter()
        .filter_map(|upstream| {
            let upstream = scope.contract(scope.chosen(*upstream));
            let (delivered, level) = shortest(upstream)?;
            (delivered.seconds > own.seconds).then(|| {
                contract
                    .document
                    .finding(
                        &rules::MAPPING_FRESHER_THAN_INPUT,
                        promise.span,
                        format!(
                            "the contract `{}` promises fresher data than its input `{}` delivers",
                            contract.id.value, upstream.id.value
                        ),
                    )
                    .label(&upstream.document.file, level.span, "the input's promise")
                    .contract(contract.id.value.clone())
            })
        })
        .collect()
}

/// The strongest promise on the age of a contract's data.
fn shortest(contract: &Contract) -> Option<(Duration, &ServiceLevel)> {
    contract
        .service_levels
        .iter()
        .filter(|level| Kind::of(level) == Some(Kind::Latency))
        .filter_map(|level| Some((read(level).ok()?, level)))
        .min_by_key(|(duration, _)| duration.seconds)
}
