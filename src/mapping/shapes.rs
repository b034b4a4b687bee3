//! The shape that a source table should have: its place, and its columns with what the contract says
//! of each. What arrives is compared with it.

use std::fmt;

use super::names::{Relation, column_name};
use super::scope::Subject;
use super::{location, metadata, settings};
use crate::config::Policy;
use crate::dbt::adapter::Adapter;
use crate::document::{Text, spanned};
use crate::lineage::Role;
use crate::odcs::{LogicalType, Property};
use crate::yaml::Span;

/// What a source table should look like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Place of the contract in the workspace.
    pub contract: usize,
    /// Place of the object in the contract.
    pub object: usize,
    /// Name of the source in dbt.
    pub source: String,
    /// Name of the table in dbt.
    pub table: String,
    /// The dialect of the contract's physical types, where its servers say it.
    pub dialect: Option<Adapter>,
    /// Database, project or catalog, where it is known.
    pub database: Option<String>,
    /// Schema or dataset; dbt takes the source's name where it is not known.
    pub schema: Option<String>,
    /// The table's name in the warehouse.
    pub identifier: String,
    /// How much may differ, as the contract or the configuration says it, or why that is no policy.
    pub policy: Result<Policy, Text>,
    /// The columns in order.
    pub columns: Vec<ShapeColumn>,
}

impl Shape {
    /// `schema.identifier`, as messages name it.
    pub fn relation(&self) -> String {
        let schema = self.schema.as_deref().unwrap_or(&self.source);
        [
            self.database.as_deref(),
            Some(schema),
            Some(&self.identifier),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(".")
    }
}

/// A column of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeColumn {
    /// Its name in the warehouse.
    pub name: String,
    /// Where it stands in the contract.
    pub span: Span,
    /// Its type.
    pub data_type: ColumnType,
    /// Whether it is never null.
    pub required: bool,
    /// The version that added it, without which it may still be absent.
    pub added_in: Option<u32>,
}

impl ShapeColumn {
    /// A column of an object.
    fn new(property: &Property, data_type: &ColumnType) -> Self {
        Self {
            name: column_name(Role::Source, property).to_owned(),
            span: property.name.span,
            data_type: data_type.clone(),
            required: property.required || property.primary_key,
            added_in: added_in(property),
        }
    }
}

/// What a contract says of the type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// The type itself, in the adapter's dialect.
    Exact(String),
    /// What its values are. The type of the adapter is not decided by it.
    Logical(LogicalType),
    /// Nothing.
    Any,
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(data_type) => data_type.fmt(f),
            Self::Logical(logical) => write!(f, "logical type {}", logical.as_str()),
            Self::Any => f.write_str("any type"),
        }
    }
}

/// The version that added a column which may be absent: one that may be null and says since when
/// it is there.
pub(super) fn added_in(property: &Property) -> Option<u32> {
    let stated = property.custom.get("dbt.added_in_version")?;
    let optional = !property.required && !property.primary_key;
    settings::version(stated).filter(|_| optional)
}

/// The word of the policy that a contract or the configuration says.
pub(super) fn policy(subject: &Subject<'_>) -> String {
    match stated(subject) {
        Ok(policy) => policy.as_str().to_owned(),
        Err(word) => word.value,
    }
}

/// The policy that a contract or the configuration says, or the word that is none.
fn stated(subject: &Subject<'_>) -> Result<Policy, Text> {
    let stated = metadata::setting(subject.contract, subject.object, "dbt.drift_policy");
    let configured = subject.scope.input.settings[subject.index].drift.policy;
    match stated.and_then(spanned) {
        None => Ok(configured),
        Some(word) => Policy::parse(&word.value).map_err(|_| word),
    }
}

/// The shape of an object of a source contract.
pub(super) fn of_object(subject: &Subject<'_>, object: usize) -> Option<Shape> {
    let Relation::Source {
        source,
        table,
        location,
    } = subject.relation
    else {
        return None;
    };
    let columns = subject.object.columns().zip(&subject.columns.promised);
    Some(Shape {
        contract: subject.index,
        object,
        source: source.clone(),
        table: table.clone(),
        dialect: location::dialect(subject.scope.input, subject.contract),
        database: location.database.clone(),
        schema: location.schema.clone(),
        identifier: location.identifier.clone(),
        policy: stated(subject),
        columns: columns
            .map(|(property, data_type)| ShapeColumn::new(property, data_type))
            .collect(),
    })
}
