//! The gate inside dbt: the macro that says the shape of a source table, the test of the source and
//! the hooks of models that call it, and the columns that may still be absent.

use std::collections::BTreeMap;

use serde::Serialize;

use super::names::{Relation, in_case, is_below};
use super::scope::{Scope, Subject, origin};
use super::shapes::{self, ColumnType, Shape};
use super::tests::Tests;
use super::types::{Wider, wider};
use super::{Mapped, Origin, suite};
use crate::config::{Gate, Policy};
use crate::dbt::names::macro_name;
use crate::dbt::properties::{Entries, GenericTest, Value};
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::odcs::SchemaObject;

/// The test of a source, which is a macro of its own.
pub(super) const TEST: &str = "contract_drift";

/// The macro by which tests see absent columns as nulls; dbt's own may be replaced by a project's.
pub(super) const WHERE: &str = "default__get_where_subquery";

/// The file of the macro of one source table.
#[derive(Clone, Debug)]
pub struct ShapeFile {
    /// Path in the project.
    pub path: String,
    /// The contract.
    pub origin: Origin,
    /// What the macro returns.
    pub shape: ShapeMacro,
}

/// The macro of one source table.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct ShapeMacro {
    /// Its name.
    pub name: String,
    /// Everything but the columns.
    pub settings: Entries,
    /// The columns.
    pub columns: Vec<Entries>,
}

impl ShapeMacro {
    /// Whether columns may be absent.
    pub fn is_optional(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| column.get("added_in").is_some())
    }
}

/// Whether the project needs the macro by which tests see absent columns as nulls. One of its own by
/// that name stays, with a word on what that means.
pub(super) fn optional_tests(
    shape_files: &[ShapeFile],
    taken: &BTreeMap<String, String>,
    macros: &str,
) -> (bool, Option<Diagnostic>) {
    if !shape_files.iter().any(|file| file.shape.is_optional()) {
        return (false, None);
    }
    let own = taken.get(WHERE).filter(|path| !is_below(path, macros));
    let finding = own.map(|path| {
        let message = format!(
            "the macro `{WHERE}` of `{path}` stays: tests of columns with `dbt.added_in_version` \
             fail while the source does not have them"
        );
        let finding = Diagnostic::new(&rules::MAPPING_NAME_COLLISION, message);
        finding
            .severity(Severity::Warning)
            .help("delete it to take the generated one, or select from the nulls of `contract_optional` too")
    });
    (finding.is_none(), finding)
}

/// The call of the macro that says the shape of a source table.
pub(super) fn call(source: &str, table: &str) -> String {
    format!("{}()", macro_name("contract_shape", &[source, table]))
}

/// The call for the relation of an object whose columns may be absent in part.
pub(super) fn optional(relation: &Relation, object: &SchemaObject) -> Option<String> {
    let Relation::Source { source, table, .. } = relation else {
        return None;
    };
    let may_be_absent = object
        .columns()
        .any(|property| shapes::added_in(property).is_some());
    may_be_absent.then(|| format!("contract_optional({})", call(source, table)))
}

/// The test of a source table, where the settings ask for it.
pub(super) fn test(scope: &Scope<'_>, index: usize, relation: &Relation) -> Option<GenericTest> {
    let Relation::Source { source, table, .. } = relation else {
        return None;
    };
    let drift = &scope.input.settings[index].drift;
    let shape = format!("{{{{ {} }}}}", call(source, table));
    let arguments = Entries::default().with("shape", shape);
    matches!(drift.gate, Gate::SourceTest | Gate::Both).then(|| suite::with(TEST, arguments))
}

/// The `pre_hook` and `post_hook` of a model for each source table that it is made of, as the
/// settings of that source's contract ask.
pub(super) fn hooks(scope: &Scope<'_>, inputs: &[(usize, &Relation)]) -> Entries {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (contract, relation) in inputs {
        let Relation::Source { source, table, .. } = relation else {
            continue;
        };
        let drift = &scope.input.settings[*contract].drift;
        let shape = call(source, table);
        if matches!(drift.gate, Gate::PreHook | Gate::Both) {
            before.push(format!("{{{{ contract_gate({shape}) }}}}"));
        }
        if drift.record {
            after.push(format!("{{{{ contract_record({shape}) }}}}"));
        }
    }
    let mut hooks = Entries::default();
    hooks.set_list("pre_hook", before);
    hooks.set_list("post_hook", after);
    hooks
}

/// The note on hooks that a model does not get, since its author decides what runs around its SQL.
pub(super) fn left_out(subject: &Subject<'_>, hooks: &Entries) -> Option<Diagnostic> {
    let mut calls = Vec::new();
    for (name, value) in hooks.iter() {
        let Value::List(items) = value else { continue };
        calls.extend(items.iter().filter_map(|item| match item {
            Value::Text(text) => Some(format!("`{text}` to its `{name}`")),
            _ => None,
        }));
    }
    if calls.is_empty() {
        return None;
    }
    let message = format!(
        "the model `{}` is its author's, and nothing of the drift gate is put around it",
        subject.relation.name()
    );
    let rule = &rules::MAPPING_NO_COUNTERPART;
    let finding = subject.finding(rule, subject.object.name.span, message);
    Some(finding.help(format!("to have it there, add {}", calls.join(" and "))))
}

/// Marks the tests of a table with columns that may be absent: the ones of such a column, and those
/// of the table, which may be about one. Our `get_where_subquery` puts nulls in place of what is.
pub(super) fn mark(subject: &Subject<'_>, tests: &mut Tests) {
    let Relation::Source { source, table, .. } = subject.relation else {
        return;
    };
    let name = macro_name("contract_shape", &[source, table]);
    let mut any = false;
    let mark = |test: &mut GenericTest| {
        let mut meta = Entries::default();
        if let Some(Value::Map(own)) = test.config.get("meta") {
            meta.extend(own);
        }
        test.config
            .set_map("meta", meta.with("contract_shape", name.as_str()));
    };
    for (property, tests) in subject.object.columns().zip(&mut tests.columns) {
        if shapes::added_in(property).is_some() {
            any = true;
            tests.iter_mut().for_each(mark);
        }
    }
    if any {
        let others = tests.object.iter_mut().filter(|test| test.test != TEST);
        others.for_each(mark);
    }
}

/// Says of a column what may take the place of its type.
fn widen(entries: &mut Entries, wider: Wider) {
    entries.set_list("wider", wider.types);
    if let Some((whole, fraction)) = wider.digits {
        let digits = [whole, fraction].map(|digits| Value::Int(digits.into()));
        entries.set("digits", Value::List(digits.into()));
    }
    if let Some(length) = wider.length {
        entries.set("length", i128::from(length));
    }
}

/// Adds the macro of a source table where something calls it.
pub(super) fn map(scope: &Scope<'_>, shape: &Shape, mapped: &mut Mapped) {
    let drift = &scope.input.settings[shape.contract].drift;
    let optional = shape.columns.iter().any(|column| column.added_in.is_some());
    if drift.gate == Gate::None && !drift.record && !optional {
        return;
    }
    let contract = scope.contract(shape.contract);
    let name = macro_name("contract_shape", &[&shape.source, &shape.table]);
    let policy = match &shape.policy {
        Ok(policy) => policy.as_str(),
        // The macro refuses it.
        Err(word) => word.as_str(),
    };
    let data_types = &scope
        .subject(shape.contract, shape.object)
        .columns
        .data_types;
    let columns = shape.columns.iter().zip(data_types);
    let home = scope.names.home(shape.contract, shape.object);
    mapped.shape_files.push(ShapeFile {
        path: format!("{}/shapes/{name}.sql", scope.names.macros),
        origin: origin(contract),
        shape: ShapeMacro {
            name,
            settings: Entries::default()
                .with("contract", contract.id.as_str())
                .with("version", contract.version.as_str())
                .with("source", shape.source.as_str())
                .with("table", shape.table.as_str())
                .with("policy", policy),
            columns: columns
                .map(|(column, data_type)| {
                    let mut entries = Entries::default().with("name", column.name.as_str());
                    match &column.data_type {
                        ColumnType::Exact(data_type) => {
                            entries.set("type", data_type.as_str());
                            if policy == Policy::Widening.as_str() {
                                widen(&mut entries, wider(scope.input.adapter, data_type));
                            }
                        }
                        ColumnType::Logical(logical) => entries.set("kind", logical.as_str()),
                        ColumnType::Any => {}
                    }
                    if let Some(version) = column.added_in {
                        entries.set("added_in", i128::from(version));
                        entries.set("sql", scope.identifier(&in_case(home, &column.name)));
                        entries.set(
                            "absent",
                            data_type.as_deref().map_or(Value::Null, Value::from),
                        );
                    }
                    entries
                })
                .collect(),
        },
    });
}
