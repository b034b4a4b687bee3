//! What the SQL of a model selects: its inputs as imports, a base, joins, and the columns of the
//! contract in their order.

use serde::Serialize;

use super::expression::{self, Expression, Written};
use super::gates;
use super::inputs::{self, Upstream, Wanted};
use super::joins::{self, Join};
use super::scope::Subject;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::Entries;
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::odcs::Property;

/// How far in the columns of the select list stand.
const INDENT: usize = 8;

/// The SQL of one model. Names are as they are, expressions are SQL.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct Staging {
    /// The model.
    pub model: String,
    /// What it reads; empty where nothing says what that is.
    pub imports: Vec<Import>,
    /// The import that it selects from.
    pub from: Option<String>,
    /// Imports that are joined to it.
    pub joins: Vec<JoinedImport>,
    /// The columns in order.
    pub columns: Vec<StagingColumn>,
    /// Name of the last common table expression.
    pub result: String,
    /// The hooks that sources ask for.
    #[serde(skip)]
    pub hooks: Entries,
}

/// A relation that is read.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct Import {
    /// Name of its common table expression.
    pub name: String,
    /// The call that selects it, such as `ref('orders')`.
    pub relation: String,
    /// The call that adds the columns which may be absent, where it may lack some.
    pub optional: Option<String>,
}

/// A left join on equal columns.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct JoinedImport {
    /// Name of the import.
    pub name: String,
    /// Pairs of expressions that are equal.
    pub on: Vec<Equal>,
}

/// Two expressions that are equal.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct Equal {
    /// Of an import before.
    pub left: String,
    /// Of the import that is joined.
    pub right: String,
}

/// A column of the select list.
#[derive(Clone, Debug, PartialEq, Hash, Serialize)]
pub struct StagingColumn {
    /// Its name.
    pub name: String,
    /// The expression, cast to the contract's type.
    pub expression: String,
    /// What was meant to make it and is no SQL.
    pub comment: Option<String>,
    /// What a reader should know about it.
    pub note: Option<String>,
}

/// Plans the SQL of a model.
pub(super) fn plan(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) -> Staging {
    let adapter = subject.scope.input.adapter;
    let wanted: Vec<Wanted<'_>> = subject
        .object
        .columns()
        .zip(&subject.columns.data_types)
        .map(|(property, data_type)| Wanted {
            property,
            data_type: data_type.as_deref(),
            expression: property
                .transform_logic
                .as_ref()
                .and_then(|logic| expression::parse(adapter, logic.as_str())),
        })
        .collect();
    let inputs = inputs::all(subject);
    let count = |input: &Upstream<'_>| wanted.iter().filter(|column| input.offers(column)).count();
    // The first of those that offer most.
    let base = (0..inputs.len())
        .rev()
        .max_by_key(|index| count(&inputs[*index]));
    let Some(base) = base else {
        return without_inputs(subject, &wanted, diagnostics);
    };
    let kept = inputs::kept(&inputs, base, &wanted);
    let base = kept.iter().position(|index| *index == base).unwrap_or(0);
    let inputs: Vec<Upstream<'_>> = kept.into_iter().map(|index| inputs[index]).collect();
    let joins = joins::plan(subject, &inputs, base);
    report_apart(subject, &inputs, base, &joins, diagnostics);
    Select {
        subject,
        names: inputs::names(&inputs),
        inputs,
        base,
        joins,
    }
    .staging(&wanted, diagnostics)
}

/// The hooks that the SQL of a model would have.
pub(super) fn hooks(subject: &Subject<'_>) -> Entries {
    let inputs = inputs::all(subject);
    let relations: Vec<_> = inputs
        .iter()
        .map(|input| (input.contract, input.relation))
        .collect();
    gates::hooks(subject.scope, &relations)
}

/// Warns of the imports that nothing joins.
fn report_apart(
    subject: &Subject<'_>,
    inputs: &[Upstream<'_>],
    base: usize,
    joins: &[Join<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let apart: Vec<String> = inputs
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != base && joins.iter().all(|join| join.input != *index))
        .map(|(_, input)| format!("`{}`", input.relation.call()))
        .collect();
    if apart.is_empty() {
        return;
    }
    diagnostics.push(
        subject
            .finding(
                &rules::MAPPING_JOIN_UNKNOWN,
                subject.object.name.span,
                format!(
                    "`{}` selects from `{}`; no relationship leads to a key of {}, which is imported and not joined",
                    subject.relation.name(),
                    inputs[base].relation.call(),
                    apart.join(", ")
                ),
            )
            .help("add a relationship to one of the contracts, or write the SQL yourself: an edited file stays yours"),
    );
}

/// A select over inputs.
struct Select<'a> {
    subject: &'a Subject<'a>,
    inputs: Vec<Upstream<'a>>,
    /// Of their common table expressions.
    names: Vec<String>,
    base: usize,
    joins: Vec<Join<'a>>,
}

impl Select<'_> {
    fn staging(&self, wanted: &[Wanted<'_>], diagnostics: &mut Vec<Diagnostic>) -> Staging {
        let result = ["renamed", "joined", "final_columns"]
            .into_iter()
            .skip(usize::from(!self.joins.is_empty()))
            .find(|name| !self.names.iter().any(|known| known == name))
            .unwrap_or("result_columns");
        let relations: Vec<_> = self
            .inputs
            .iter()
            .map(|input| (input.contract, input.relation))
            .collect();
        Staging {
            model: self.subject.relation.name().to_owned(),
            imports: self
                .inputs
                .iter()
                .zip(&self.names)
                .map(|(input, name)| Import {
                    name: name.clone(),
                    relation: input.relation.call(),
                    optional: gates::optional(input.relation, input.object),
                })
                .collect(),
            from: Some(self.names[self.base].clone()),
            joins: self
                .joins
                .iter()
                .map(|join| JoinedImport {
                    name: self.names[join.input].clone(),
                    on: join
                        .on
                        .iter()
                        .map(|((input, left), right)| Equal {
                            left: self.qualified(*input, left),
                            right: self.qualified(join.input, right),
                        })
                        .collect(),
                })
                .collect(),
            columns: wanted
                .iter()
                .map(|column| self.column(column, diagnostics))
                .collect(),
            result: result.to_owned(),
            hooks: gates::hooks(self.subject.scope, &relations),
        }
    }

    /// The inputs that columns are taken from, in the order in which they are asked.
    fn present(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.base).chain(self.joins.iter().map(|join| join.input))
    }

    /// A column of an input with the import's name before it.
    fn qualified(&self, input: usize, column: &Property) -> String {
        let scope = self.subject.scope;
        let name = scope.identifier(&self.inputs[input].seen(column));
        format!("{}.{name}", scope.identifier(&self.names[input]))
    }

    /// One column: its `transformLogic`, else the input's column, else a typed null.
    fn column(&self, wanted: &Wanted<'_>, diagnostics: &mut Vec<Diagnostic>) -> StagingColumn {
        let adapter = self.subject.scope.input.adapter;
        let property = wanted.property;
        let mut column = StagingColumn {
            name: property.name.value.clone(),
            expression: String::new(),
            comment: None,
            note: None,
        };
        let logic = property.transform_logic.as_ref();
        if let (Some(expression), Some(logic)) = (&wanted.expression, logic) {
            let missing = self.lacks(expression);
            if missing.is_empty() {
                let data_type = wanted
                    .data_type
                    .filter(|data_type| !expression.is_cast_to(data_type));
                let further = if data_type.is_some() { 4 } else { 0 };
                let sql = expression.text(INDENT + further, |parts| {
                    self.written(parts).unwrap_or(Written::Same)
                });
                column.expression = cast(adapter, &sql, data_type);
            } else {
                column.comment = Some(format!("transformLogic: {}", logic.value));
                column.note = Some(format!("no input offers {}", missing.join(", ")));
                column.expression = null(adapter, wanted.data_type);
                diagnostics.push(self.incomplete(property, logic, &missing));
            }
            return column;
        }
        if let Some(logic) = logic {
            column.comment = Some(format!("transformLogic: {}", logic.value));
            diagnostics.push(self.subject.finding(
                &rules::MAPPING_TRANSFORM_NOT_SQL,
                logic.span,
                format!(
                    "the `transformLogic` of `{}` is not one SQL expression of `{}` and stays a comment",
                    property.name.value,
                    adapter.as_str()
                ),
            ));
        }
        column.expression = if let Some(sql) = self.offered(property) {
            cast(adapter, &sql, wanted.data_type)
        } else {
            let (note, message) = self.missing(property);
            column.note = Some(note);
            diagnostics.push(self.subject.finding(
                &rules::MAPPING_MISSING_INPUT_COLUMN,
                property.name.span,
                message,
            ));
            null(adapter, wanted.data_type)
        };
        column
    }

    /// The comment and the message on a column that the select has no input for.
    fn missing(&self, property: &Property) -> (String, String) {
        let model = self.subject.relation.name();
        let column = &property.name.value;
        let apart = self
            .inputs
            .iter()
            .position(|input| input.find(property).is_some());
        match apart {
            Some(input) => (
                format!("{} offers this column and is not joined", self.names[input]),
                format!(
                    "`{}` offers the column `{column}` of `{model}` and is not joined; it is a typed null",
                    self.inputs[input].relation.call()
                ),
            ),
            None => (
                "no input offers this column".to_owned(),
                format!("no input of `{model}` offers the column `{column}`; it is a typed null"),
            ),
        }
    }

    /// The first column of an input that offers a property.
    fn offered(&self, property: &Property) -> Option<String> {
        let (input, column) = self
            .present()
            .find_map(|input| Some((input, self.inputs[input].find(property)?)))?;
        Some(self.taken(input, column))
    }

    /// A column of an input as the select list names it.
    fn taken(&self, input: usize, column: &Property) -> String {
        let scope = self.subject.scope;
        if self.joins.is_empty() {
            scope.identifier(&self.inputs[input].seen(column))
        } else {
            self.qualified(input, column)
        }
    }

    /// The columns of an expression that no input offers which the model selects from. Nothing is
    /// known of the columns of an input whose contract lists none.
    fn lacks(&self, expression: &Expression) -> Vec<String> {
        let mut missing: Vec<String> = Vec::new();
        if self.present().all(|input| self.inputs[input].has_columns()) {
            for parts in expression.columns() {
                let name = parts.join(".");
                let is_known = self.written(parts).is_some() || Expression::is_beside(parts);
                if !is_known && !missing.contains(&name) {
                    missing.push(name);
                }
            }
        }
        missing
    }

    /// How a column of an expression is written; `None` where no input has it. Columns go by the
    /// names that they have in the warehouse, and by those of their contracts where these differ.
    fn written(&self, parts: &[String]) -> Option<Written> {
        let scope = self.subject.scope;
        let (first, rest) = parts.split_first()?;
        let import = self
            .present()
            .find(|input| self.names[*input].eq_ignore_ascii_case(first));
        if let (Some(input), Some(name)) = (import, rest.first()) {
            let column = self.inputs[input].named(name)?;
            return Some(if self.is_seen(input, name) {
                Written::Same
            } else {
                Written::As(2, self.qualified(input, column))
            });
        }
        let mut seen = self.present().filter(|input| self.is_seen(*input, first));
        if let Some(input) = seen.next() {
            return Some(match seen.next() {
                Some(_) => Written::Of(scope.identifier(&self.names[input])),
                None => Written::Same,
            });
        }
        let mut called = self
            .present()
            .filter(|input| self.inputs[*input].is_called(first));
        if let (Some(input), Some(name)) = (called.next(), rest.first())
            && let Some(column) = self.inputs[input].named(name)
        {
            return Some(Written::As(2, self.qualified(input, column)));
        }
        let mut logical = self.present();
        let (input, column) =
            logical.find_map(|input| Some((input, self.inputs[input].named(first)?)))?;
        Some(Written::As(1, self.taken(input, column)))
    }

    /// Whether an import has a column of that name.
    fn is_seen(&self, input: usize, name: &str) -> bool {
        let upstream = &self.inputs[input];
        let mut columns = upstream.object.columns();
        columns.any(|column| upstream.seen(column).eq_ignore_ascii_case(name))
    }

    /// The finding that a `transformLogic` names columns that are not there.
    fn incomplete(&self, property: &Property, logic: &Text, missing: &[String]) -> Diagnostic {
        let apart = (0..self.inputs.len())
            .filter(|input| self.present().all(|present| present != *input))
            .find(|input| {
                let names = |name: &String| self.inputs[*input].named(name).is_some();
                missing.iter().any(names)
            });
        let message = format!(
            "the `transformLogic` of `{}` names `{}`, which nothing that `{}` selects from offers; it is a typed null",
            property.name.value,
            missing.join("`, `"),
            self.subject.relation.name()
        );
        let finding =
            self.subject
                .finding(&rules::MAPPING_MISSING_INPUT_COLUMN, logic.span, message);
        match apart {
            Some(input) => finding.help(format!(
                "`{}` has it and is not joined: add a relationship to a key of it",
                self.inputs[input].relation.call()
            )),
            None => finding,
        }
    }
}

/// A model that nothing says the inputs of: typed nulls, and no rows.
fn without_inputs(
    subject: &Subject<'_>,
    wanted: &[Wanted<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Staging {
    let adapter = subject.scope.input.adapter;
    diagnostics.push(subject.finding(
        &rules::MAPPING_NO_UPSTREAM,
        subject.object.name.span,
        format!(
            "nothing says what `{}` is made of; its SQL selects typed nulls and no rows",
            subject.relation.name()
        ),
    ));
    Staging {
        model: subject.relation.name().to_owned(),
        imports: Vec::new(),
        from: None,
        joins: Vec::new(),
        columns: wanted
            .iter()
            .map(|column| StagingColumn {
                name: column.property.name.value.clone(),
                expression: null(adapter, column.data_type),
                comment: None,
                note: None,
            })
            .collect(),
        result: "no_input".to_owned(),
        hooks: Entries::default(),
    }
}

/// An expression in a type. MySQL casts to a few types only, and not to those of its columns.
fn cast(adapter: Adapter, expression: &str, data_type: Option<&str>) -> String {
    match data_type {
        Some(data_type) if adapter != Adapter::MySql && expression.contains('\n') => {
            let (inner, outer) = (" ".repeat(INDENT + 4), " ".repeat(INDENT));
            format!("cast(\n{inner}{expression}\n{outer}as {data_type})")
        }
        Some(data_type) if adapter != Adapter::MySql => {
            format!("cast({expression} as {data_type})")
        }
        _ => expression.to_owned(),
    }
}

/// Null in a type. ClickHouse has no null but in types that say so, and none for containers.
fn null(adapter: Adapter, data_type: Option<&str>) -> String {
    match data_type {
        Some(data_type) if adapter == Adapter::ClickHouse => {
            let nullable = ["Nullable", "Array", "Map", "Tuple"]
                .iter()
                .any(|word| data_type.starts_with(word));
            if nullable {
                cast(adapter, "null", Some(data_type))
            } else {
                cast(adapter, "null", Some(&format!("Nullable({data_type})")))
            }
        }
        data_type => cast(adapter, "null", data_type),
    }
}
