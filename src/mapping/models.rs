//! A model contract as the entries of a `schema.yml` and the SQL of its models. Versions of one
//! contract share the file, and those of one model its entry.

use super::constraints::Constraints;
use super::location;
use super::scope::{Scope, Subject, origin};
use super::suite::Used;
use super::{
    Mapped, SchemaFile, StagingFile, bound, columns, gates, groups, metadata, names, parts,
    service_levels, settings, staging, tests,
};
use crate::dbt::project::Project;
use crate::dbt::properties::{Entries, Model, ModelBody, ModelVersion};
use crate::diagnostics::{Diagnostic, rules};
use crate::document::spanned;
use crate::odcs::{Contract, Property, SchemaObject};
use crate::version::Version;

/// The physical types that are materializations of dbt; topics and files say nothing.
const MATERIALIZATIONS: &[(&str, &str)] = &[
    ("table", "table"),
    ("view", "view"),
    ("incremental", "incremental"),
    ("ephemeral", "ephemeral"),
    ("materialized_view", "materialized_view"),
    ("materialized view", "materialized_view"),
];

/// Parts of a contract that nothing is made of.
const UNUSED: &[(&str, &str)] = &[
    ("price", "the price"),
    ("roles", "the roles"),
    ("support", "the support channels"),
];

/// How an object is materialized: by its `dbt.materialized`, else by the contract's, else by its
/// physical type.
pub(super) fn materialized(contract: &Contract, object: &SchemaObject) -> Option<String> {
    if let Some(stated) = metadata::setting(contract, object, "dbt.materialized") {
        return spanned(stated).map(|text| text.value);
    }
    let physical = object.physical_type.as_ref()?.value.to_lowercase();
    MATERIALIZATIONS
        .iter()
        .find(|(word, _)| *word == physical)
        .map(|(_, materialized)| (*materialized).to_owned())
}

/// Maps a model contract.
pub(super) fn map(scope: &Scope<'_>, index: usize, used: &mut Used, mapped: &mut Mapped) {
    let contract = scope.contract(index);
    let project = scope.input.project;
    mapped.diagnostics.extend(uncovered(project, contract));
    mapped
        .diagnostics
        .extend(service_levels::fresher_than_inputs(scope, index));
    let levels = service_levels::of_contract(scope, index, &mut mapped.diagnostics);
    let mut models = Vec::new();
    let mut called = Vec::new();
    for (object, levels) in levels.into_iter().enumerate() {
        let subject = scope.subject(index, object);
        let mut model = model(&subject, levels.deprecation_date, used, mapped);
        called.push(match subject.relation.version() {
            Some(version) => format!("{}.v{}", model.name, version.number),
            None => model.name.clone(),
        });
        let path = &scope.names.staging[index][object];
        // A model that is there elsewhere was written by a person.
        let known = scope.input.project.resources.get(subject.relation.file());
        if known.is_none_or(|known| known == path) {
            let staging = staging::plan(&subject, &mut mapped.diagnostics);
            model.body.config.extend(&staging.hooks);
            mapped.staging.push(StagingFile {
                path: path.clone(),
                origin: origin(contract),
                staging: Some(staging),
            });
        } else {
            let hooks = staging::hooks(&subject);
            mapped.diagnostics.extend(gates::left_out(&subject, &hooks));
            if let Some(home) = subject.home {
                let findings = bound::leave_to_author(contract, subject.object, home, &mut model);
                mapped.diagnostics.extend(findings);
                mapped.diagnostics.extend(bound::turned_off(&subject, home));
            }
        }
        models.push(versioned(&subject, model));
    }
    if models.is_empty() {
        return;
    }
    let path = &scope.names.properties[index];
    let origin = (origin(contract), called);
    let shares = scope.names.siblings.contains_key(&index);
    let mut files = mapped.models.iter_mut();
    match files.find(|file| shares && file.path == *path) {
        Some(file) => {
            file.origins.push(origin);
            for model in models {
                add(&mut file.models, model);
            }
        }
        None => mapped.models.push(SchemaFile {
            path: path.clone(),
            origins: vec![origin],
            models,
        }),
    }
}

/// A model as the one version of an entry for several, where it is one.
fn versioned(subject: &Subject<'_>, model: Model) -> Model {
    let Some(version) = subject.relation.version() else {
        return model;
    };
    let default = names::with_number(&model.name, &version.number);
    let entry = ModelVersion {
        v: version.number.value(),
        defined_in: (version.file != default).then(|| version.file.clone()),
        body: model.body,
    };
    Model {
        name: model.name,
        latest_version: Some(version.latest.value()),
        versions: vec![entry],
        ..Model::default()
    }
}

/// Adds a model to those of a file, or its version to the others, the oldest first.
fn add(models: &mut Vec<Model>, model: Model) {
    let same = |known: &&mut Model| !known.versions.is_empty() && known.name == model.name;
    match models.iter_mut().find(same) {
        Some(known) if !model.versions.is_empty() => {
            known.versions.extend(model.versions);
            let number = |version: &ModelVersion| Version::parse(&version.v.to_string());
            known.versions.sort_by_key(number);
        }
        _ => models.push(model),
    }
}

/// Maps one object.
fn model(
    subject: &Subject<'_>,
    deprecation_date: Option<String>,
    used: &mut Used,
    mapped: &mut Mapped,
) -> Model {
    let diagnostics = &mut mapped.diagnostics;
    let object = subject.object;
    let materialized = materialized(subject.contract, object);
    let key = object.primary_key();
    let constraints = Constraints::new(subject, materialized.as_deref());
    let tests = tests::of_object(subject, used, diagnostics);
    diagnostics.extend(tests::measures(subject));
    mapped.singular.extend(tests.singular);
    let columns = object
        .columns()
        .zip(&subject.columns.data_types)
        .zip(tests.columns)
        .flat_map(|((property, data_type), tests)| {
            let mut column = columns::column(subject, property, data_type.as_deref());
            column.constraints = constraints.of_column(property, &key);
            column
                .constraints
                .extend(constraints.checks(property, data_type.as_deref(), &tests));
            column.data_tests = tests;
            let of_part = |part: &Property| constraints.of_part(part);
            parts::expand(subject.scope.input.adapter, property, column, &of_part)
        })
        .collect();
    Model {
        name: subject.relation.name().to_owned(),
        body: ModelBody {
            description: description(subject),
            deprecation_date,
            config: config(subject, materialized.as_deref(), diagnostics),
            constraints: constraints.of_model(&key),
            data_tests: tests.object,
            columns,
        },
        ..Model::default()
    }
}

/// The object's description, else that of the port where the contract has no purpose; then the
/// contract's purpose, usage and limitations.
fn description(subject: &Subject<'_>) -> Option<String> {
    let contract = subject.contract;
    let own = metadata::text(subject.object.description.as_ref());
    let purpose = metadata::text(contract.description.purpose.as_ref());
    let of_port = || {
        let product = subject.scope.input.producers[subject.index]?;
        let ports = product.output_ports.iter().filter(|port| {
            let id = port.contract_id.as_ref();
            id.is_some_and(|id| id.value == contract.id.value)
        });
        // Of several versions each has its own port.
        let own = Version::parse(&contract.version.value);
        let port = ports.min_by_key(|port| {
            let version = port.version.as_ref();
            !version.is_some_and(|version| Version::parse(&version.value).means(&own))
        })?;
        metadata::text(port.description.as_ref())
    };
    let first = own.or_else(|| if purpose.is_none() { of_port() } else { None });
    metadata::joined(first, contract)
}

/// The `config` of a model.
fn config(
    subject: &Subject<'_>,
    materialized: Option<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Entries {
    let object = subject.object;
    let mut config = Entries::default();
    if let Some(materialized) = materialized {
        config.set(
            "materialized",
            settings::rendered(subject, "dbt.materialized", materialized),
        );
    }
    let (schema, stated) = alias(subject.contract, object);
    let alias = match subject.relation.version() {
        Some(version) => {
            if let (Some(stated), None) = (&stated, &version.alias) {
                diagnostics.extend(without_alias(subject, stated));
            }
            version.alias.clone()
        }
        None => stated.filter(|alias| alias != subject.relation.name()),
    };
    if let Some(alias) = alias {
        config.set("alias", settings::rendered(subject, "dbt.alias", &alias));
    }
    for (key, property) in [("schema", "dbt.schema"), ("database", "dbt.database")] {
        let stated = metadata::setting(subject.contract, object, property);
        if let Some(text) = stated.and_then(spanned) {
            config.set(key, text.value);
        }
    }
    if let (Some(schema), None) = (schema, config.get("schema")) {
        diagnostics.push(subject.finding(
            &rules::MAPPING_NO_COUNTERPART,
            object.physical_name.as_ref().map_or(object.name.span, |name| name.span),
            format!(
                "dbt decides in which schema `{}` lives, and not the `{schema}` of its physical name; `dbt.schema` would",
                subject.relation.name()
            ),
        ));
    }
    if materialized == Some("incremental") {
        let key = object.primary_key();
        let names: Vec<String> = key
            .iter()
            .map(|property| subject.sql_name(property))
            .collect();
        if names.is_empty() {
            diagnostics.push(subject.finding(
                &rules::MAPPING_NO_COUNTERPART,
                object.name.span,
                format!(
                    "`{}` is incremental and has no primary key: every run appends all rows of its SQL",
                    subject.relation.name()
                ),
            ));
        }
        config.set_list("unique_key", names);
        if subject.columns.enforced {
            // dbt loads no incremental model with a contract that ignores new columns.
            config.set("on_schema_change", "append_new_columns");
        }
    }
    if subject.columns.enforced {
        config.set("contract", Entries::default().with("enforced", true));
    }
    groups::configure(subject, &mut config);
    let tags = [subject.contract.tags.as_slice(), object.tags.as_slice()];
    config.set_list("tags", metadata::tags(tags));
    config.set_map(
        "meta",
        metadata::of_contract(subject.scope.input, subject.index, Some(object)),
    );
    config
}

/// The note that a version is not the relation that its contract names, which the latest one is.
fn without_alias(subject: &Subject<'_>, stated: &str) -> Option<Diagnostic> {
    let own = subject.relation.relation();
    let span = subject.object.physical_name.as_ref();
    (own != stated).then(|| {
        subject.finding(
            &rules::MAPPING_NO_COUNTERPART,
            span.unwrap_or(&subject.object.name).span,
            format!("the relation `{stated}` is the latest version's; version `{}` of the contract lives in `{own}`", subject.contract.version.value),
        )
    })
}

/// The relation of the name `table` that a model becomes, as far as the contract says: two models
/// of one relation are an error in dbt.
pub(super) fn relation(contract: &Contract, object: &SchemaObject, table: &str) -> String {
    let stated = |property| metadata::setting(contract, object, property).and_then(spanned);
    [stated("dbt.database"), stated("dbt.schema")]
        .into_iter()
        .flatten()
        .map(|text| text.value)
        .chain([table.to_owned()])
        .collect::<Vec<_>>()
        .join(".")
}

/// The schema in the physical name, and the name of the relation: `dbt.alias`, else the last part of
/// the physical name.
pub(super) fn alias(
    contract: &Contract,
    object: &SchemaObject,
) -> (Option<String>, Option<String>) {
    let (schema, name) = location::physical(contract, object);
    let stated = object.custom.text("dbt.alias").map(|alias| alias.value);
    (schema, stated.or(name))
}

/// The notes on a contract as a whole: what has no place in dbt, and settings that nothing reads.
pub(super) fn uncovered(project: &Project, contract: &Contract) -> Vec<Diagnostic> {
    let notes = UNUSED.iter().filter_map(|(key, words)| {
        let entry = contract.document.root.entry(key)?;
        Some(
            contract
                .document
                .finding(
                    &rules::MAPPING_NO_COUNTERPART,
                    entry.key.span,
                    format!(
                        "nothing in dbt is made of {words} of the contract `{}`",
                        contract.id.value
                    ),
                )
                .contract(contract.id.value.clone()),
        )
    });
    notes
        .chain(settings::unread(contract))
        .chain(settings::unknown_materializations(project, contract))
        .collect()
}
