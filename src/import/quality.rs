//! Data tests as what a contract says: each test of a column or object comes in and becomes a word of
//! the standard where one promises exactly the same, else a rule of the engine `dbt`, which gives the
//! test back as it is.

use std::collections::BTreeSet;

use super::draft::{ObjectDraft, Pending, PropertyDraft};
use super::promise::{self, Promise};
use crate::dbt::adapter::Adapter;
use crate::dbt::data_tests::{NAME_LENGTH, automatic_name, joined_name, numbered, short_name};
use crate::dbt::identifiers;
use crate::dbt::jinja;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::document::Scalar;

/// The dimensions of the standard.
const DIMENSIONS: &[&str] = &[
    "accuracy",
    "completeness",
    "conformity",
    "consistency",
    "coverage",
    "timeliness",
    "uniqueness",
];

/// What the tests of a run have in common.
pub(super) struct Testing<'a> {
    pub(super) adapter: Option<Adapter>,
    /// The names that dbt gives tests by itself, so far.
    pub(super) automatic: &'a mut BTreeSet<String>,
    /// Whether the relation is a table of a source.
    pub(super) source: bool,
}

/// A test that dbt will call otherwise.
pub(super) struct Renamed {
    pub(super) from: String,
    pub(super) to: String,
}

/// A test that the standard has words for, with what it will be called where that is something else.
struct Kept(Option<Renamed>);

/// What a rule says of itself beside what it checks.
#[derive(Default)]
struct Words {
    name: Option<String>,
    description: Option<String>,
    severity: Option<&'static str>,
    dimension: Option<String>,
    tags: Vec<String>,
}

impl Words {
    /// Whether nothing is said that a property itself could not say.
    fn is_plain(&self) -> bool {
        self.is_bare() && self.severity.is_none()
    }

    /// Whether nothing is said but how bad a failure is.
    fn is_bare(&self) -> bool {
        self.name.is_none()
            && self.description.is_none()
            && self.dimension.is_none()
            && self.tags.is_empty()
    }
}

impl Testing<'_> {
    /// Takes in one test of a column, or of the object where there is none.
    pub(super) fn take(
        &mut self,
        object: &mut ObjectDraft,
        column: Option<usize>,
        test: &GenericTest,
    ) -> Option<Renamed> {
        let column_name = column.map_or("", |column| object.properties[column].name.as_str());
        let own = automatic_name(test, &object.label, self.source, column_name);
        let is_taken = !self.automatic.insert(own.clone());
        let by_kind = short_name(test, &object.label, column_name);
        let needs_other = is_taken || own.len() > NAME_LENGTH;
        let is_automatic = |name: &str| {
            name == own || needs_other && (name == by_kind || numbered(name).0 == by_kind)
        };
        let mut rest = test.clone();
        rest.name = rest.name.filter(|name| !is_automatic(name));
        let stated = rest.clone();
        let taken = promise::of(self.adapter, &mut rest).and_then(|promise| {
            let words = words(&rest, &object.label)?;
            self.keep(object, column, promise, &words, &stated)
        });
        if let Some(Kept(renamed)) = taken {
            if let Some(column) = column {
                object.properties[column].said.push(GenericTest {
                    verbatim: false,
                    ..stated
                });
            }
            return renamed;
        }
        let rules = match column {
            Some(column) => &mut object.properties[column].quality,
            None => &mut object.quality,
        };
        rules.push(implementation(&stated));
        None
    }

    /// Says a promise in the words of the standard; `None` where they would say something else.
    fn keep(
        &self,
        object: &mut ObjectDraft,
        column: Option<usize>,
        promise: Promise,
        words: &Words,
        test: &GenericTest,
    ) -> Option<Kept> {
        let renamed = renamed(test, &object.label, words);
        let is_said = match (promise, column) {
            (
                Promise::Reference {
                    columns,
                    to,
                    fields,
                },
                _,
            ) => {
                // A relationship says nothing of itself.
                words.is_plain().then(|| {
                    object.pending.push(Pending {
                        property: column,
                        columns,
                        to,
                        fields,
                        test: test.clone(),
                        constraint: None,
                    });
                })
            }
            (promise, None) => self.of_object(object, promise, words),
            (promise, Some(column)) => {
                self.of_column(&mut object.properties[column], promise, words)
            }
        };
        is_said.map(|()| Kept(renamed))
    }

    /// Says a promise of the object.
    fn of_object(&self, object: &mut ObjectDraft, promise: Promise, words: &Words) -> Option<()> {
        match promise {
            Promise::Combination {
                columns,
                counts_nulls,
            } => {
                let key = self.columns(object, &columns)?;
                let is_required = key.iter().all(|place| object.properties[*place].required);
                if counts_nulls && !is_required {
                    return None;
                }
                if !words.is_plain() || !is_key(object, &key, is_required) {
                    let arguments = properties(object, &key);
                    object
                        .quality
                        .push(rule("duplicateValues", arguments, &NONE, false, words));
                }
            }
            Promise::Metric {
                metric,
                mut arguments,
                columns,
                operator,
                percent,
            } => {
                if metric != "rowCount" && (metric != "duplicateValues" || columns.is_empty()) {
                    return None;
                }
                if !columns.is_empty() {
                    arguments = properties(object, &self.columns(object, &columns)?);
                }
                object
                    .quality
                    .push(rule(metric, arguments, &operator?, percent, words));
            }
            Promise::Reference { .. } | Promise::Bounds { .. } | Promise::Options(..) => {
                return None;
            }
        }
        Some(())
    }

    /// Says a promise of a column.
    fn of_column(
        &self,
        property: &mut PropertyDraft,
        promise: Promise,
        words: &Words,
    ) -> Option<()> {
        match promise {
            Promise::Metric {
                metric,
                arguments,
                columns,
                operator,
                percent,
            } => {
                if metric == "rowCount" || !columns.is_empty() {
                    return None;
                }
                let is_flag =
                    operator.is_none() && words.severity.is_none() && flag(property, metric);
                // Anything else that is said of a required or unique column goes with a rule.
                if !is_flag || !words.is_bare() {
                    let operator = operator.unwrap_or(NONE);
                    property
                        .quality
                        .push(rule(metric, arguments, &operator, percent, words));
                }
            }
            Promise::Bounds { bounds, data_type } => {
                if !words.is_plain() || !fits(property, &bounds, data_type.as_deref(), self.adapter)
                {
                    return None;
                }
                for (option, bound) in bounds {
                    property.options.set(option, value(bound));
                }
            }
            Promise::Options(types, options) => {
                let is_free = options
                    .iter()
                    .all(|(option, _)| property.options.get(option).is_none());
                let is_of_type = property
                    .logical
                    .is_some_and(|logical| types.contains(&logical));
                if words.is_plain() && is_free && is_of_type {
                    for (option, value) in options.iter() {
                        property.options.set(option, value.clone());
                    }
                } else {
                    // A pattern may be a rule too.
                    options.get("pattern")?;
                    property
                        .quality
                        .push(rule("invalidValues", options, &NONE, false, words));
                }
            }
            Promise::Reference { .. } | Promise::Combination { .. } => return None,
        }
        Some(())
    }

    /// The properties of columns as they stand in SQL.
    fn columns(&self, object: &ObjectDraft, columns: &[String]) -> Option<Vec<usize>> {
        let columns = columns.iter();
        columns
            .map(|column| property(self.adapter, object, column))
            .collect()
    }
}

/// The operator of a rule that lets no row fail.
const NONE: (&str, Value) = ("mustBe", Value::Int(0));

/// Says a promise by a word of the property itself, if there is one.
fn flag(property: &mut PropertyDraft, metric: &str) -> bool {
    let flag = match metric {
        "nullValues" => &mut property.required,
        "duplicateValues" => &mut property.unique,
        _ => return false,
    };
    *flag = true;
    true
}

/// Whether a unique combination is the primary key, which it becomes where there is none and it is of
/// several columns without nulls.
fn is_key(object: &mut ObjectDraft, key: &[usize], is_required: bool) -> bool {
    let mut known: Vec<(usize, usize)> = (0..object.properties.len())
        .filter_map(|place| Some((object.properties[place].key?, place)))
        .collect();
    known.sort_unstable();
    if known
        .iter()
        .map(|(_, place)| *place)
        .eq(key.iter().copied())
    {
        return true;
    }
    let becomes = known.is_empty() && is_required && key.len() > 1;
    for (position, place) in key.iter().enumerate().filter(|_| becomes) {
        object.properties[*place].key = Some(position + 1);
    }
    becomes
}

/// The names of properties as the arguments of a rule.
fn properties(object: &ObjectDraft, key: &[usize]) -> Entries {
    let names = key
        .iter()
        .map(|place| object.properties[*place].name.clone());
    Entries::default().with("properties", names.collect::<Vec<_>>())
}

/// The property of a column as it stands in SQL.
pub(super) fn property(
    adapter: Option<Adapter>,
    object: &ObjectDraft,
    column: &str,
) -> Option<usize> {
    let is_column = |name: &str| match adapter {
        Some(adapter) => identifiers::identifier(adapter, name) == column,
        None => name == column,
    };
    object
        .property(is_column)
        .or_else(|| object.property(|name| name == column))
        .or_else(|| {
            object.property(|name| {
                adapter.is_some_and(|adapter| identifiers::quote(adapter, name) == column)
            })
        })
        .or_else(|| object.property(|name| name.eq_ignore_ascii_case(column)))
}

/// Whether a property can have these bounds: it has none of them yet, and a type of their kind.
fn fits(
    property: &PropertyDraft,
    bounds: &[(&str, Scalar)],
    data_type: Option<&str>,
    adapter: Option<Adapter>,
) -> bool {
    let is_text = bounds.iter().any(|(_, bound)| bound.as_number().is_none());
    let types: &[&str] = if is_text {
        &["date", "timestamp", "time"]
    } else {
        &["integer", "number"]
    };
    // What is compared is what the warehouse makes of the type, whatever it is called there.
    let normal = |text: &str| {
        let text = text
            .strip_prefix("Nullable(")
            .and_then(|text| text.strip_suffix(')'))
            .unwrap_or(text);
        let known = adapter.and_then(|adapter| crate::dbt::types::normalize(adapter, text));
        known.unwrap_or_else(|| text.to_lowercase())
    };
    let is_compared = match data_type {
        Some(stated) => property.physical.as_deref().map(normal) == Some(normal(stated)),
        None => !is_text,
    };
    is_compared
        && property
            .logical
            .is_some_and(|logical| types.contains(&logical))
        && bounds
            .iter()
            .all(|(option, _)| property.options.get(option).is_none())
}

fn value(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Int(value),
        Scalar::Float(value) => Value::Float(value),
        Scalar::Text(text) => Value::Text(text),
    }
}

/// What a test says of itself; `None` where a rule cannot say it.
fn words(test: &GenericTest, label: &str) -> Option<Words> {
    let mut words = Words::default();
    for (key, value) in test.config.iter() {
        match (key, value) {
            ("severity", Value::Text(word)) => match word.to_lowercase().as_str() {
                "warn" => words.severity = Some("warning"),
                "error" => {}
                _ => return None,
            },
            ("tags", Value::Text(tag)) => words.tags.push(jinja::unescape(tag)?),
            ("tags", Value::List(tags)) => {
                for tag in tags {
                    match tag {
                        Value::Text(tag) => words.tags.push(jinja::unescape(tag)?),
                        _ => return None,
                    }
                }
            }
            ("meta", Value::Map(meta)) => {
                let mut meta = meta.iter();
                match (meta.next(), meta.next()) {
                    (Some(("dimension", Value::Text(word))), None)
                        if DIMENSIONS.contains(&word.as_str()) =>
                    {
                        words.dimension = Some(word.clone());
                    }
                    (None, _) => {}
                    _ => return None,
                }
            }
            ("enabled", Value::Bool(true)) => {}
            _ => return None,
        }
    }
    if let Some(text) = &test.description {
        words.description = Some(jinja::unescape(text)?).filter(|text| !text.trim().is_empty());
    }
    words.name = test.name.as_deref().map(|name| rule_name(name, label));
    Some(words)
}

/// The name of the rule whose test has a name.
pub(super) fn rule_name(name: &str, label: &str) -> String {
    let prefix = format!("{}_", joined_name(&[label]));
    let rest = name.strip_prefix(&prefix).filter(|rest| !rest.is_empty());
    let is_same = |rest: &&str| joined_name(&[label, rest]) == name;
    rest.filter(is_same).unwrap_or(name).to_owned()
}

/// What a named test will be called, where that is something else.
fn renamed(test: &GenericTest, label: &str, words: &Words) -> Option<Renamed> {
    let (from, name) = (test.name.as_ref()?, words.name.as_ref()?);
    let to = joined_name(&[label, name]);
    (to != *from).then(|| Renamed {
        from: from.clone(),
        to,
    })
}

/// A rule of the library.
fn rule(
    metric: &str,
    arguments: Entries,
    (operator, threshold): &(&str, Value),
    percent: bool,
    words: &Words,
) -> Value {
    let mut rule = Entries::default();
    set_stated(&mut rule, "name", words.name.as_deref());
    set_stated(&mut rule, "description", words.description.as_deref());
    rule.set("type", "library");
    rule.set("metric", metric);
    rule.set_map("arguments", arguments);
    rule.set(*operator, threshold.clone());
    if percent {
        rule.set("unit", "percent");
    }
    set_stated(&mut rule, "dimension", words.dimension.as_deref());
    set_stated(&mut rule, "severity", words.severity);
    rule.set_list("tags", words.tags.clone());
    Value::Map(rule)
}

/// Sets a key that has a value.
fn set_stated(entries: &mut Entries, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        entries.set(key, value);
    }
}

/// A rule of the engine `dbt`: the test in the shape of today.
pub(super) fn implementation(test: &GenericTest) -> Value {
    let mut body = Entries::default();
    for (key, text) in [("name", &test.name), ("description", &test.description)] {
        if let Some(text) = text {
            body.set(key, text.as_str());
        }
    }
    body.set_map("arguments", test.arguments.clone());
    body.set_map("config", test.config.clone());
    let implementation = if body.is_empty() {
        Value::Text(test.test.clone())
    } else {
        Value::Map(Entries::default().with(test.test.as_str(), body))
    };
    let rule = Entries::default()
        .with("type", "custom")
        .with("engine", "dbt");
    Value::Map(rule.with("implementation", implementation))
}
