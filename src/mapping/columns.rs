//! The columns of objects: properties come in, columns with their types go out, and whether dbt can
//! enforce them.

use std::collections::{BTreeMap, BTreeSet};

use super::names::column_name;
use super::scope::{self, Subject};
use super::shapes::ColumnType;
use super::types::{self, NumberRule, TimestampRule, TypeNote, TypeSettings, Typed};
use super::{Input, constraints, location, metadata, models};
use crate::config::{NumberType, TimestampType};
use crate::dbt::adapter::Adapter;
use crate::dbt::identifiers;
use crate::dbt::properties::{Column, Identity};
use crate::diagnostics::{Diagnostic, Severity, rules};
use crate::lineage::Role;
use crate::odcs::{Contract, Property, SchemaObject};

/// The property that says what a column was called before.
const RENAMED_FROM: &str = "dbt.renamed_from";

/// What the columns of one object are in dbt.
#[derive(Debug)]
pub(super) struct ObjectColumns {
    /// The type of each column, in the order of [`SchemaObject::columns`].
    pub(super) data_types: Vec<Option<String>>,
    /// What the contract says of the type of each of them.
    pub(super) promised: Vec<ColumnType>,
    /// Whether dbt enforces the model's contract.
    pub(super) enforced: bool,
}

/// Types the columns of a contract that is generated. One with errors is blocked.
pub(super) fn of_contract(
    input: &Input<'_>,
    index: usize,
    blocked: &mut BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ObjectColumns> {
    let contract = &input.contracts[index];
    let role = input.roles[index];
    let settings = settings(input, index);
    let before = diagnostics.len();
    let columns = contract
        .objects
        .iter()
        .map(|object| {
            diagnostics.extend(repeated(contract, object, role));
            diagnostics.extend(unquotable(input, contract, object, role));
            of_object(input, index, object, settings, diagnostics)
        })
        .collect();
    if scope::any_error(&diagnostics[before..]) {
        blocked.insert(index);
    }
    columns
}

/// The names of an object and its columns that no query of dbt can hold.
fn unquotable(
    input: &Input<'_>,
    contract: &Contract,
    object: &SchemaObject,
    role: Role,
) -> Vec<Diagnostic> {
    let of_columns = object.columns().map(|property| {
        let span = match (&property.physical_name, role) {
            (Some(physical), Role::Source) => physical.span,
            _ => property.name.span,
        };
        (column_name(role, property), span)
    });
    let span = object.physical_name.as_ref().unwrap_or(&object.name).span;
    std::iter::once((object.physical(), span))
        .chain(of_columns)
        .filter(|(name, _)| !identifiers::survives_dbt(input.adapter, name))
        .map(|(name, span)| {
            let message = format!("dbt cannot put the name `{name}` into SQL");
            contract
                .document
                .finding(&rules::MAPPING_UNQUOTABLE_NAME, span, message)
                .help("it is empty, or holds the quotes that dbt puts around it; rename it, or give it another `physicalName`")
                .contract(contract.id.value.clone())
        })
        .collect()
}

/// How the types of a contract are read.
fn settings(input: &Input<'_>, index: usize) -> TypeSettings {
    let types = &input.settings[index].types;
    TypeSettings {
        adapter: input.adapter,
        server: location::dialect(input, &input.contracts[index]),
        number: match types.number {
            NumberType::ErrorIfEnforced => NumberRule::ErrorIfEnforced,
            NumberType::Double => NumberRule::Double,
            NumberType::Decimal(precision, scale) => {
                // The configuration allows no more digits than the widest warehouse.
                let narrow = |digits: u32| u8::try_from(digits).unwrap_or(u8::MAX);
                NumberRule::Decimal(narrow(precision), narrow(scale))
            }
        },
        timestamp: match types.timestamp {
            TimestampType::Naive => TimestampRule::Naive,
            TimestampType::Aware => TimestampRule::Aware,
        },
    }
}

/// Types the columns of one object.
fn of_object(
    input: &Input<'_>,
    index: usize,
    object: &SchemaObject,
    settings: TypeSettings,
    diagnostics: &mut Vec<Diagnostic>,
) -> ObjectColumns {
    let contract = &input.contracts[index];
    let role = input.roles[index];
    let typed: Vec<(&Property, Typed)> = object
        .columns()
        .map(|property| (property, types::data_type(property, &settings)))
        .collect();
    let wanted = role == Role::Model && constraints::wanted(input, index, object);
    let obstacle = constraints::obstacle(models::materialized(contract, object).as_deref(), &typed);
    let enforced = wanted && obstacle.is_none();
    if let (true, Some(obstacle)) = (wanted, obstacle) {
        diagnostics.push(
            contract
                .document
                .finding(
                    &rules::MAPPING_NOT_ENFORCEABLE,
                    object.name.span,
                    format!(
                        "the contract of `{}` is not enforced: {obstacle}",
                        object.name.value
                    ),
                )
                .contract(contract.id.value.clone()),
        );
    }
    for (property, typed) in &typed {
        for note in &typed.notes {
            let finding = match (is_precision(note), severity(note)) {
                (true, _) => {
                    let finding = precision(contract, property, typed, note);
                    match (role, enforced, settings.number) {
                        // What a source holds is not decided here.
                        (Role::Source, ..) => finding.severity(Severity::Note),
                        (Role::Model, true, NumberRule::ErrorIfEnforced) => finding
                            .severity(Severity::Error)
                            .help("give it a `physicalType` such as `decimal(12,2)`, or set `types.number` in `contracts/config.yaml`"),
                        (Role::Model, ..) => finding,
                    }
                }
                (false, Some(severity)) => {
                    unknown(contract, property, typed, note, settings.adapter).severity(severity)
                }
                (false, None) => continue,
            };
            diagnostics.push(finding);
        }
    }
    ObjectColumns {
        promised: typed
            .iter()
            .map(|(property, typed)| promised(property, typed))
            .collect(),
        data_types: typed
            .into_iter()
            .map(|(property, typed)| {
                let data_type = typed.data_type?;
                Some(nullable(input.adapter, property, data_type))
            })
            .collect(),
        enforced,
    }
}

/// What the contract says of a column's type. One that only the tables of adapters chose is none of
/// the contract's, unless the contract has another dialect and no logical type.
fn promised(property: &Property, typed: &Typed) -> ColumnType {
    let translated = property.physical_type.is_some();
    match (&typed.data_type, property.logical()) {
        (Some(data_type), _) if typed.stated => ColumnType::Exact(data_type.clone()),
        (_, Some(logical)) => ColumnType::Logical(logical),
        (Some(data_type), None) if translated => ColumnType::Exact(data_type.clone()),
        _ => ColumnType::Any,
    }
}

/// The type with what ClickHouse needs where a value may be null. Containers cannot be null there.
fn nullable(adapter: Adapter, property: &Property, data_type: String) -> String {
    const WHOLE: &[&str] = &[
        "Nullable(",
        "Array(",
        "Map(",
        "Tuple(",
        "Nested(",
        "LowCardinality(",
    ];
    let stays = adapter != Adapter::ClickHouse
        || property.required
        || property.primary_key
        || WHOLE.iter().any(|word| data_type.starts_with(word));
    if stays {
        data_type
    } else {
        format!("Nullable({data_type})")
    }
}

/// The finding that a number has no precision.
fn precision(
    contract: &Contract,
    property: &Property,
    typed: &Typed,
    mut note: &TypeNote,
) -> Diagnostic {
    let mut number = property.name.value.clone();
    while let TypeNote::Part { name, note: inner } = note {
        number = format!("{number}.{name}");
        note = inner;
    }
    let taken = match &typed.data_type {
        Some(data_type) => format!("; `{data_type}` is taken"),
        None => String::new(),
    };
    contract
        .document
        .finding(
            &rules::MAPPING_UNSTATED_PRECISION,
            place(property),
            format!("the number `{number}` has no precision{taken}"),
        )
        .contract(contract.id.value.clone())
}

/// The finding on what a type does not say or hold, with what is taken for it.
fn unknown(
    contract: &Contract,
    property: &Property,
    typed: &Typed,
    note: &TypeNote,
    adapter: Adapter,
) -> Diagnostic {
    let taken = match (note, &typed.data_type) {
        (
            TypeNote::UnknownPhysicalType { .. }
            | TypeNote::Contradicts { .. }
            | TypeNote::Untranslatable(_),
            Some(data_type),
        ) => format!("; `{data_type}` is taken"),
        (_, Some(_)) => String::new(),
        (_, None) => "; the column gets no type".to_owned(),
    };
    let finding = contract
        .document
        .finding(
            &rules::MAPPING_UNKNOWN_TYPE,
            place(property),
            format!("the type of `{}`: {note}{taken}", property.name.value),
        )
        .contract(contract.id.value.clone());
    let physical = property.physical_type.as_ref();
    if let Some(meant) = physical.and_then(|physical| in_parentheses(physical.as_str(), adapter)) {
        return finding.help(format!("did you mean `{meant}`?"));
    }
    match note {
        TypeNote::UnknownPhysicalType { stated: false, .. } => finding.help(format!(
            "a server says in which dialect physical types are written; the custom property `{}Type` says the type itself",
            adapter.as_str()
        )),
        _ => finding,
    }
}

/// The type that was meant where its length stands in square brackets, `varchar[15]`.
fn in_parentheses(text: &str, adapter: Adapter) -> Option<String> {
    let (word, length) = text.trim().strip_suffix(']')?.split_once('[')?;
    let is_length = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let meant = format!("{word}({length})");
    let mut parts = length.split(',').map(str::trim);
    (parts.all(is_length) && crate::dbt::types::parse(adapter, &meant).is_some()).then_some(meant)
}

/// Whether a note says that a number has no precision.
fn is_precision(note: &TypeNote) -> bool {
    match note {
        TypeNote::UnstatedPrecision => true,
        TypeNote::Part { note, .. } => is_precision(note),
        _ => false,
    }
}

/// What a note on a type weighs; `None` where the type is as good as the contract's.
fn severity(note: &TypeNote) -> Option<Severity> {
    match note {
        TypeNote::Translated { .. } => None,
        // An enforced contract says by itself that it needs the type.
        TypeNote::Untyped | TypeNote::UnknownPhysicalType { stated: false, .. } => {
            Some(Severity::Note)
        }
        // The type is right where the contract is at home; text and objects are what is left to call it.
        TypeNote::Untranslatable(_) => Some(Severity::Note),
        TypeNote::Contradicts { logical, .. }
            if ["string", "object"].contains(&logical.as_str()) =>
        {
            Some(Severity::Note)
        }
        TypeNote::Part { note, .. } => severity(note),
        _ => Some(Severity::Warning),
    }
}

/// Where the type of a property stands.
fn place(property: &Property) -> crate::yaml::Span {
    let logical = property.logical_type.as_ref().map(|logical| logical.span);
    let physical = property
        .physical_type
        .as_ref()
        .map(|physical| physical.span);
    physical.or(logical).unwrap_or(property.name.span)
}

/// Two columns of one object with one name: dbt would keep the last of them.
fn repeated(contract: &Contract, object: &SchemaObject, role: Role) -> Vec<Diagnostic> {
    let mut known: BTreeMap<String, &Property> = BTreeMap::new();
    let mut findings = Vec::new();
    for property in object.columns() {
        let name = column_name(role, property);
        match known.get(&name.to_lowercase()) {
            None => {
                known.insert(name.to_lowercase(), property);
            }
            Some(first) => findings.push(
                contract
                    .document
                    .finding(
                        &rules::MAPPING_NAME_COLLISION,
                        property.name.span,
                        format!(
                            "two properties of the object `{}` are the column `{name}`",
                            object.name.value
                        ),
                    )
                    .label(&contract.document.file, first.name.span, "the other one")
                    .contract(contract.id.value.clone()),
            ),
        }
    }
    findings
}

/// A column without its tests and constraints.
pub(super) fn column(
    subject: &Subject<'_>,
    property: &Property,
    data_type: Option<&str>,
) -> Column {
    let name = subject.column_name(property);
    Column {
        quote: identifiers::needs_quotes(subject.scope.input.adapter, &name),
        ..described(&name, property, data_type)
    }
}

/// What describes a property, as the column `name`.
pub(super) fn described(name: &str, property: &Property, data_type: Option<&str>) -> Column {
    Column {
        name: name.to_owned(),
        description: metadata::text(property.description.as_ref()),
        data_type: data_type.map(str::to_owned),
        config: metadata::of_column(property),
        identity: Identity {
            id: property.id.as_ref().map(|id| id.value.clone()),
            renamed_from: property.custom.text(RENAMED_FROM).map(|name| name.value),
        },
        ..Column::default()
    }
}
