//! A source contract as the entries of a `sources.yml`.

use super::names::Relation;
use super::scope::{Scope, Subject, origin};
use super::service_levels::{self, Levels};
use super::suite::Used;
use super::{
    Mapped, SourcesFile, columns, files, gates, location, metadata, models, parts, settings,
    shapes, tests,
};
use crate::config::Gate;
use crate::dbt::adapter::Adapter;
use crate::dbt::identifiers;
use crate::dbt::properties::{Entries, Source, SourceTable, Value};
use crate::diagnostics::rules;

/// The custom property that says what loads a source, or a table of it.
const LOADER: &str = "dbt.loader";

/// Maps a source contract.
pub(super) fn map(scope: &Scope<'_>, index: usize, used: &mut Used, mapped: &mut Mapped) {
    let contract = scope.contract(index);
    mapped
        .diagnostics
        .extend(models::uncovered(scope.input.project, contract));
    let levels = service_levels::of_contract(scope, index, &mut mapped.diagnostics);
    let mut sources: Vec<Source> = Vec::new();
    for (object, levels) in levels.iter().enumerate() {
        let subject = scope.subject(index, object);
        let Relation::Source {
            source, location, ..
        } = subject.relation
        else {
            continue;
        };
        if let Some(shape) = shapes::of_object(&subject, object) {
            gates::map(scope, &shape, mapped);
            mapped.shapes.push(shape);
        }
        let table = table(&subject, levels, used, mapped);
        if let Some(known) = sources.iter_mut().find(|known| known.name == *source) {
            known.tables.push(table);
            continue;
        }
        let place = |stated: &Option<String>, setting| {
            let text = stated.as_deref();
            text.map(|text| settings::rendered(&subject, setting, text))
        };
        let mut config = Entries::default();
        config.set_list("tags", metadata::tags([contract.tags.as_slice()]));
        config.set_map("meta", metadata::of_contract(scope.input, index, None));
        sources.push(Source {
            name: source.clone(),
            description: metadata::description(contract),
            database: place(&location.database, "dbt.database"),
            schema: place(&location.schema, "dbt.schema"),
            loader: contract.custom.text(LOADER).map(|text| text.value),
            config,
            tables: vec![table],
        });
    }
    let help = if contract.servers.is_empty() {
        "add a server to the contract, or the custom properties `dbt.database` and `dbt.schema`"
    } else {
        "its servers have no schema; the custom properties `dbt.database` and `dbt.schema` say where dbt finds the tables"
    };
    let is_in_files = |table: &SourceTable| {
        let meta = table.config.get("meta");
        matches!(meta, Some(Value::Map(meta)) if meta.get(files::OWN).is_some())
    };
    let is_nowhere =
        |source: &&Source| source.schema.is_none() && !source.tables.iter().all(is_in_files);
    for source in sources.iter().filter(is_nowhere) {
        mapped.diagnostics.push(
            contract
                .document
                .finding(
                    &rules::MAPPING_SOURCE_WITHOUT_SERVER,
                    contract.id.span,
                    format!(
                        "nothing says in which schema the source `{0}` lives; dbt looks in one that is called `{0}`",
                        source.name
                    ),
                )
                .help(help)
                .contract(contract.id.value.clone()),
        );
    }
    if !sources.is_empty() {
        mapped.sources.push(SourcesFile {
            path: scope.names.properties[index].clone(),
            origin: origin(contract),
            sources,
        });
    }
}

/// Maps one object.
fn table(
    subject: &Subject<'_>,
    levels: &Levels,
    used: &mut Used,
    mapped: &mut Mapped,
) -> SourceTable {
    let object = subject.object;
    let mut tests = tests::of_object(subject, used, &mut mapped.diagnostics);
    gates::mark(subject, &mut tests);
    mapped.diagnostics.extend(tests::measures(subject));
    mapped.singular.extend(tests.singular);
    let columns = object
        .columns()
        .zip(&subject.columns.data_types)
        .zip(tests.columns)
        .flat_map(|((property, data_type), tests)| {
            let mut column = columns::column(subject, property, data_type.as_deref());
            column.data_tests = tests;
            parts::expand(subject.scope.input.adapter, property, column, &|_| {
                Vec::new()
            })
        })
        .collect();
    let mut config = Entries::default();
    levels.configure(&mut config);
    config.set_list("tags", metadata::tags([object.tags.as_slice()]));
    let gated = subject.scope.input.settings[subject.index].drift.gate != Gate::None;
    let policy = gated.then(|| shapes::policy(subject));
    let mut meta = metadata::of_table(subject.contract, object, policy.as_deref());
    if meta.get(files::OWN).is_none() {
        let server = location::chosen(subject.scope.input, subject.contract);
        match files::external_location(subject, server.ok().flatten()) {
            Ok(Some(place)) => meta.set(files::OWN, place),
            Ok(None) => {}
            Err(finding) => mapped.diagnostics.push(*finding),
        }
    }
    config.set_map("meta", meta);
    let (identifier, location) = match subject.relation {
        Relation::Source { location, .. } => (location.identifier.as_str(), Some(location)),
        Relation::Model { .. } => (object.physical(), None),
    };
    let name = subject.relation.name();
    let adapter = subject.scope.input.adapter;
    let mut quoting = Entries::default();
    // The one adapter that quotes no names of tables unless asked.
    if adapter == Adapter::Snowflake {
        let place = location.map(|location| [&location.database, &location.schema]);
        let [database, schema] = place.map_or([None, None], |place| place.map(Option::as_deref));
        let parts = [
            ("database", database),
            ("schema", schema),
            ("identifier", Some(identifier)),
        ];
        // What dbt renders is spelled when it is rendered.
        let is_name =
            |name: &&str| !name.contains("{{") && identifiers::needs_quotes(adapter, name);
        for (part, _) in parts
            .into_iter()
            .filter(|(_, name)| name.as_ref().is_some_and(is_name))
        {
            quoting.set(part, true);
        }
    }
    SourceTable {
        name: name.to_owned(),
        identifier: (identifier != name).then(|| identifier.to_owned()),
        description: metadata::text(object.description.as_ref()),
        loader: object.custom.text(LOADER).map(|text| text.value),
        quoting,
        config,
        data_tests: tests.object,
        columns,
    }
}
