//! Constraints and keys: what a model's contract in dbt enforces, and the settings of incremental models
//! that `generate` takes from the key.

use super::draft::{ObjectDraft, Pending, PropertyDraft, custom};
use super::object::{Importing, NO_WORD};
use super::quality;
use super::resources::Resource;
use crate::config::TestSeverity;
use crate::dbt::checks;
use crate::dbt::constraints::{ConstraintKind, is_written};
use crate::dbt::jinja;
use crate::dbt::properties::{Constraint, Entries, GenericTest, Value};
use crate::document::{items, spanned, text, texts};
use crate::yaml::Node;

/// Why a constraint does not come along.
const UNWRITTEN: &str = "`generate` writes constraints of keys and required columns, and checks that say what a test of the column says";

/// Whether a constraint is a check of one column.
fn is_check(constraint: &Node) -> bool {
    let kind = text(constraint, "type").and_then(|kind| ConstraintKind::parse(&kind.value));
    kind == Some(ConstraintKind::Check) && constraint.get("columns").is_none()
}

impl Importing<'_> {
    /// Constraints, which the contract says as keys and required properties.
    pub(super) fn constraints(&mut self, resource: &Resource<'_>, object: &mut ObjectDraft) {
        let title = resource.title();
        for (place, column) in resource.columns.iter().enumerate() {
            for constraint in items(column, "constraints") {
                let of = format!("the column `{}` of {title}", object.properties[place].name);
                self.constraint(resource, object, constraint, &[place], &of);
            }
        }
        let listed = resource
            .layers
            .iter()
            .map(|layer| items(layer, "constraints"));
        let listed = listed
            .into_iter()
            .find(|listed| !listed.is_empty())
            .unwrap_or_default();
        for constraint in listed {
            let columns = texts(constraint, "columns");
            let places: Option<Vec<usize>> = columns
                .iter()
                .map(|column| quality::property(self.adapter, object, &column.value))
                .collect();
            if let Some(places) = places {
                self.constraint(resource, object, constraint, &places, &title);
            } else {
                let what = format!("a constraint of {title}");
                let why = "it is on a column that is not described";
                self.losses.add(resource.file, constraint.span, what, why);
            }
        }
    }

    fn constraint(
        &mut self,
        resource: &Resource<'_>,
        object: &mut ObjectDraft,
        constraint: &Node,
        places: &[usize],
        of: &str,
    ) {
        let kind = text(constraint, "type")
            .map(|kind| kind.value)
            .unwrap_or_default();
        let what = format!("the constraint `{kind}` of {of}");
        let mut known = vec!["type", "columns"];
        match (kind.as_str(), places) {
            ("not_null", _) => places
                .iter()
                .for_each(|place| object.properties[*place].required = true),
            ("unique", [place]) => object.properties[*place].unique = true,
            ("unique", [_, ..]) => {
                let names = places
                    .iter()
                    .map(|place| object.properties[*place].name.clone());
                let arguments = Entries::default().with("properties", names.collect::<Vec<_>>());
                let rule = Entries::default()
                    .with("type", "library")
                    .with("metric", "duplicateValues");
                object.quality.push(Value::Map(
                    rule.with("arguments", arguments).with("mustBe", 0_i128),
                ));
            }
            ("primary_key", [_, ..]) => {
                for (position, place) in places.iter().enumerate() {
                    let property = &mut object.properties[*place];
                    property.key = Some(position + 1);
                    property.required = true;
                    property.unique |= places.len() == 1;
                }
            }
            ("foreign_key", [_, ..]) if text(constraint, "to").is_some() => {
                known.extend(["to", "to_columns"]);
                object.pending.push(Pending {
                    property: None,
                    columns: places
                        .iter()
                        .map(|place| object.properties[*place].name.clone())
                        .collect(),
                    to: text(constraint, "to")
                        .map(|to| to.value)
                        .unwrap_or_default(),
                    fields: texts(constraint, "to_columns")
                        .into_iter()
                        .map(|field| field.value)
                        .collect(),
                    test: GenericTest::default(),
                    constraint: Some((resource.file.clone(), constraint.span)),
                });
            }
            // What it is depends on the tests beside it.
            ("check", [_]) if is_check(constraint) => return,
            _ => {
                return self
                    .losses
                    .add(resource.file, constraint.span, what, UNWRITTEN);
            }
        }
        self.unknown(resource, constraint, &known, &what);
    }

    /// Checks of columns, which `generate` makes of the tests that say the same.
    pub(super) fn checks(&mut self, resource: &Resource<'_>, object: &ObjectDraft) {
        let materialized = object.custom.iter().find_map(|entry| match entry {
            Value::Map(entry) if entry.get("property") == Some(&"dbt.materialized".into()) => {
                entry.get("value").map(ToString::to_string)
            }
            _ => None,
        });
        let materialized = materialized.as_deref().or(object.physical_type.as_deref());
        // Tests that come back without a severity may only warn.
        let is_taken = object.custom.contains(&custom("dbt.enforced", true))
            && self.config.tests.default_severity == TestSeverity::Error;
        let adapter = self.adapter.filter(|adapter| {
            let kind = ConstraintKind::Check;
            is_taken && is_written(self.release, *adapter, materialized, kind)
        });
        for (column, property) in resource.columns.iter().zip(&object.properties) {
            let data_type = text(column, "data_type").map(|data_type| data_type.value);
            let ours = match adapter {
                Some(adapter) => checks::of_column(
                    adapter,
                    &property.name,
                    data_type.as_deref(),
                    &property.said,
                ),
                None => Vec::new(),
            };
            let listed = items(column, "constraints");
            for constraint in listed.iter().filter(|node| is_check(node)) {
                let of = format!("the column `{}` of {}", property.name, resource.title());
                let what = format!("the constraint `check` of {of}");
                let expression = text(constraint, "expression")
                    .and_then(|expression| jinja::unescape(&expression.value));
                let same =
                    |check: &&Constraint| expression.is_some() && check.expression == expression;
                let Some(check) = ours.iter().find(same) else {
                    self.losses
                        .add(resource.file, constraint.span, what, UNWRITTEN);
                    continue;
                };
                let mut known = vec!["type", "expression"];
                if check.name == text(constraint, "name").map(|name| name.value) {
                    known.push("name");
                }
                self.unknown(resource, constraint, &known, &what);
            }
        }
    }

    /// Without constraints dbt takes a column that is unique and never null for the key, if one is.
    pub(super) fn key(&mut self, resource: &Resource<'_>, object: &mut ObjectDraft) {
        let has_constraints = resource.get("constraints").is_some()
            || resource
                .columns
                .iter()
                .any(|column| column.get("constraints").is_some());
        let is_candidate = |property: &&mut PropertyDraft| property.required && property.unique;
        if !has_constraints
            && object
                .properties
                .iter()
                .all(|property| property.key.is_none())
        {
            let mut candidates = object.properties.iter_mut().filter(is_candidate);
            if let (Some(only), None) = (candidates.next(), candidates.next()) {
                only.key = Some(1);
            }
        }
        self.incremental(resource, object);
    }

    /// The settings of incremental models that `generate` takes from the key.
    fn incremental(&mut self, resource: &Resource<'_>, object: &ObjectDraft) {
        let title = resource.title();
        let mut key: Vec<(usize, &str)> = object
            .properties
            .iter()
            .filter_map(|property| Some((property.key?, property.name.as_str())))
            .collect();
        key.sort_unstable();
        let stated = resource.settings("unique_key");
        if object.physical_type.as_deref() == Some("incremental")
            && !key.is_empty()
            && stated.is_empty()
        {
            let why = "it has none, and `generate` makes one of the primary key: dbt then merges, and adds no rows of a key that is there";
            let what = format!("`unique_key` of {title}");
            self.losses.add(resource.file, resource.span, what, why);
        }
        for node in stated.into_iter().take(1) {
            let stated: Vec<String> = match node.as_sequence() {
                Some(items) => items
                    .iter()
                    .filter_map(spanned)
                    .map(|item| item.value)
                    .collect(),
                None => spanned(node).into_iter().map(|item| item.value).collect(),
            };
            let is_key = stated.len() == key.len()
                && stated.iter().zip(&key).all(|(stated, (_, name))| {
                    quality::property(self.adapter, object, stated)
                        .is_some_and(|place| object.properties[place].name == *name)
                });
            if !is_key || object.physical_type.as_deref() != Some("incremental") {
                let why = "`generate` takes it from the primary key of an incremental model, which this is not";
                self.losses.add(
                    resource.file,
                    node.span,
                    format!("`unique_key` of {title}"),
                    why,
                );
            }
        }
        for node in resource.settings("on_schema_change").into_iter().take(1) {
            let is_ours = spanned(node).is_some_and(|word| word.value == "append_new_columns");
            let is_enforced = object.custom.contains(&custom("dbt.enforced", true));
            if !is_ours || !is_enforced {
                self.losses.add(
                    resource.file,
                    node.span,
                    format!("`on_schema_change` of {title}"),
                    NO_WORD,
                );
            }
        }
    }
}
