//! Data tests as what a contract says: each test of a column or object comes in and becomes a word of
//! the standard where one promises exactly the same, else a rule of the engine `dbt`, which gives the
//! test back as it is.

use std::collections::BTreeSet;

use super::draft::{ObjectDraft, Pending, PropertyDraft, custom};
use super::promise::{self, Promise};
use super::words::{Renamed, Words, renamed, words};
use crate::dbt::adapter::Adapter;
use crate::dbt::constraints::{self, Checked, ConstraintKind, Support};
use crate::dbt::data_tests::{NAME_LENGTH, automatic_name, numbered, short_name};
use crate::dbt::identifiers;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::document::Scalar;

/// What the tests of a run have in common.
pub(super) struct Testing<'a> {
    pub(super) adapter: Option<Adapter>,
    /// The names that dbt gives tests by itself, so far.
    pub(super) automatic: &'a mut BTreeSet<String>,
    /// Whether the relation is a table of a source.
    pub(super) source: bool,
}

/// A test that the standard has words for, with what it will be called where that is something else.
struct Kept(Option<Renamed>);

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
        let quoted = format!("'{column_name}'");
        let quoted = automatic_name(test, &object.label, self.source, &quoted);
        let is_taken = !self.automatic.insert(own.clone());
        let by_kind = short_name(test, &object.label, column_name);
        let needs_other = is_taken || own.len() > NAME_LENGTH;
        let is_automatic = |name: &str| {
            name == own
                || name == quoted
                || needs_other && (name == by_kind || numbered(name).0 == by_kind)
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
                let constrains = |kind| self.constrains(object, kind);
                let constrained = [
                    constrains(ConstraintKind::NotNull),
                    constrains(ConstraintKind::Unique),
                ];
                self.of_column(&mut object.properties[column], promise, words, constrained)
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

    /// Whether `generate` would put a constraint on the table, and not only test a column that the
    /// contract says is never null, or unique.
    fn constrains(&self, object: &ObjectDraft, kind: ConstraintKind) -> bool {
        let support = |adapter| constraints::support(adapter, kind);
        object.custom.contains(&custom("dbt.enforced", true))
            && constraints::checked(object.physical_type.as_deref()) == Checked::Constraints
            && self.adapter.map(support) == Some(Support::Enforced)
    }

    /// Says a promise of a column; `constrained` is whether to say so of one that is never null, and of a
    /// unique one, would be a constraint.
    fn of_column(
        &self,
        property: &mut PropertyDraft,
        promise: Promise,
        words: &Words,
        [required, unique]: [bool; 2],
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
                // A test is no constraint, unless the column has it beside one.
                let is_test = match metric {
                    "nullValues" => required && !property.required,
                    _ => unique && !property.unique,
                };
                let is_flag = operator.is_none()
                    && words.severity.is_none()
                    && !is_test
                    && flag(property, metric);
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
                    property.options.extend(&options);
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
    rule.set((*operator).to_owned(), threshold.clone());
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
        entries.set(key.to_owned(), value);
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
        Value::Text(test.test.clone().into_owned())
    } else {
        Value::Map(Entries::default().with(test.test.clone(), body))
    };
    let rule = Entries::default()
        .with("type", "custom")
        .with("engine", "dbt");
    Value::Map(rule.with("implementation", implementation))
}
