//! A manifest as properties files: what dbt knows of models and source tables comes in, the files that
//! would say it go out, each value at the place of its resource or column in the file that is there.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

use super::data_tests::{Tests, tests};
use super::places::placed;
use super::values::{json, merged, plain, rendered, set, set_list, settings, shown, stated};
use super::{Manifest, Said};
use crate::dbt::properties::{Entries, Value};
use crate::import::resources::PropertiesFile;

/// How much of a manifest is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Extent {
    /// Everything.
    Whole,
    /// The settings of models and source tables, for those that properties files describe.
    Settings,
}

/// The properties files that say what a manifest says, in the order of their paths.
pub(in crate::import) fn files(
    project_dir: &Path,
    manifest: &Manifest,
    extent: Extent,
) -> Vec<PropertiesFile> {
    let mut tests = match extent {
        Extent::Whole => tests(manifest),
        Extent::Settings => Tests::new(),
    };
    let mut drafts: BTreeMap<&str, Draft> = BTreeMap::new();
    // The order of the manifest is about that of the files.
    let nodes = manifest.nodes.iter();
    let mut nodes: Vec<_> = nodes
        .filter_map(|(id, node)| Some((id, node, node.said.as_ref()?)))
        .collect();
    nodes.sort_by_key(|(.., said)| said.order);
    for (id, node, said) in nodes {
        let draft = drafts.entry(said.described_in());
        match node.kind.as_str() {
            "model" => {
                let tests = tests.remove(id.as_str()).unwrap_or_default();
                draft
                    .or_default()
                    .model(&node.name, model(said, tests, extent), said);
            }
            "source" => {
                let tests = tests.remove(id.as_str()).unwrap_or_default();
                draft
                    .or_default()
                    .table(table(&node.name, said, tests, extent), said);
            }
            _ => {}
        }
    }
    if extent == Extent::Whole {
        for other in &manifest.others {
            let draft = drafts.entry(&other.file).or_default();
            let entry = Entries::default().with("name", other.name.as_str());
            draft
                .others
                .entry(other.key)
                .or_default()
                .push(Value::Map(entry));
        }
    }
    let files = drafts.into_iter();
    files
        .filter_map(|(path, draft)| placed(project_dir, path, &draft.entries()))
        .collect()
}

/// A source table, and its tags.
type TaggedTable = (Entries, Vec<String>);

/// A properties file in the making.
#[derive(Default)]
struct Draft {
    /// Models by name, each with what its versions say, or it alone.
    models: IndexMap<String, (Option<Value>, Vec<Entries>)>,
    /// Sources by name: what each says, and its tables.
    sources: IndexMap<String, (Entries, Vec<TaggedTable>)>,
    others: BTreeMap<&'static str, Vec<Value>>,
}

impl Draft {
    fn model(&mut self, name: &str, mut body: Entries, said: &Said) {
        let known = self.models.entry(name.to_owned()).or_default();
        if let Some(version) = said.field("version") {
            known.0 = said.field("latest_version").map(plain);
            let mut all = Entries::default().with("v", plain(version));
            all.extend(&body);
            body = all;
        }
        known.1.push(body);
    }

    fn table(&mut self, table: Entries, said: &Said) {
        let name = said.text("source_name").unwrap_or_default();
        let known = self.sources.entry(name.to_owned()).or_insert_with(|| {
            let mut source = Entries::default().with("name", name);
            let description = said.text("source_description").map(shown);
            set(&mut source, "description", description);
            // What was not stated is the target's.
            let database = said.text("unrendered_database");
            let database = database.and_then(|_| said.text("database"));
            set(&mut source, "database", database.map(shown));
            set(&mut source, "loader", said.text("loader").map(shown));
            let schema = said.text("schema").filter(|schema| *schema != name);
            set(&mut source, "schema", schema.map(shown));
            let mut config = Entries::default();
            let meta = said.field("source_meta").and_then(Json::as_object);
            config.set_map("meta", meta.map(rendered).unwrap_or_default());
            source.set_map("config", config);
            (source, Vec::new())
        });
        let tags = said.config("tags").or_else(|| said.field("tags"));
        let tags = tags.and_then(Json::as_array).into_iter().flatten();
        let tags = tags.filter_map(Json::as_str).map(shown).collect();
        known.1.push((table, tags));
    }

    fn entries(self) -> Entries {
        let mut root = Entries::default();
        let models = self.models.into_iter().map(|(name, (latest, bodies))| {
            let mut model = Entries::default().with("name", name);
            let is_versioned = bodies.iter().any(|body| body.get("v").is_some());
            if is_versioned {
                set(&mut model, "latest_version", latest);
                model.set("versions", bodies);
            } else if let Some(body) = bodies.first() {
                model.extend(body);
            }
            model
        });
        set_list(&mut root, "models", models.map(Value::Map).collect());
        let sources = self.sources.into_iter().map(|(_, (mut source, tables))| {
            // What all tables are tagged with, their source is.
            let common = |tag: &String| tables.iter().all(|(_, tags)| tags.contains(tag));
            let first = tables.first().map_or(&[][..], |(_, tags)| tags.as_slice());
            let shared: Vec<String> = first.iter().filter(|tag| common(tag)).cloned().collect();
            let tables: Vec<Entries> = tables
                .into_iter()
                .map(|(mut table, mut tags)| {
                    tags.retain(|tag| !shared.contains(tag));
                    merged(&mut table, "config", |config| config.set_list("tags", tags));
                    table
                })
                .collect();
            merged(&mut source, "config", |config| {
                config.set_list("tags", shared);
            });
            source.with("tables", tables)
        });
        set_list(&mut root, "sources", sources.map(Value::Map).collect());
        for (key, others) in self.others {
            root.set(key, Value::List(others));
        }
        root
    }
}

/// What a model says beside its name.
fn model(said: &Said, tests: Vec<(usize, String, Value)>, extent: Extent) -> Entries {
    let mut model = Entries::default();
    let mut config = settings(said);
    if let Some(group) = said.text("group") {
        config.set("group", shown(group));
    }
    if let Some(access) = said.text("access").filter(|access| *access != "protected") {
        config.set("access", shown(access));
    }
    if extent == Extent::Settings {
        model.set_map("config", config);
        return model;
    }
    set(
        &mut model,
        "description",
        said.text("description").map(shown),
    );
    if let Some(date) = said.text("deprecation_date") {
        // A day, which dbt reads as the moment at which it begins.
        model.set(
            "deprecation_date",
            date.strip_suffix("T00:00:00").map_or(date, |day| day),
        );
    }
    model.set_map("config", config);
    let constraints = said.field("constraints").and_then(Json::as_array);
    let constraints = constraints.into_iter().flatten();
    set_list(&mut model, "constraints", constraints.map(stated).collect());
    described(&mut model, said, tests);
    model
}

/// What a source table says.
fn table(name: &str, said: &Said, tests: Vec<(usize, String, Value)>, extent: Extent) -> Entries {
    let mut table = Entries::default().with("name", name);
    let mut config = Entries::default();
    let meta = said.config("meta").or_else(|| said.field("meta"));
    let source_meta = said.field("source_meta");
    let mut own = Entries::default();
    for (key, value) in meta.and_then(Json::as_object).into_iter().flatten() {
        if source_meta.and_then(|meta| meta.get(key)) != Some(value) {
            own.set(key.clone(), json(value, &shown));
        }
    }
    config.set_map("meta", own);
    for key in ["loaded_at_field", "loaded_at_query"] {
        let stated = said.text(key).or_else(|| said.config(key)?.as_str());
        set(
            &mut config,
            key,
            stated.filter(|stated| !stated.is_empty()).map(shown),
        );
    }
    let freshness = said.field("freshness").or_else(|| said.config("freshness"));
    if let Some(Value::Map(freshness)) = freshness.map(stated) {
        config.set_map("freshness", freshness);
    }
    table.set_map("config", config);
    if extent == Extent::Settings {
        return table;
    }
    let identifier = said
        .text("identifier")
        .filter(|identifier| *identifier != name);
    set(&mut table, "identifier", identifier.map(shown));
    set(
        &mut table,
        "description",
        said.text("description").map(shown),
    );
    for key in ["quoting", "external"] {
        if let Some(Value::Map(stated)) = said.field(key).map(stated) {
            table.set_map(key, stated);
        }
    }
    described(&mut table, said, tests);
    table
}

/// The columns of a relation, and its tests and theirs.
fn described(entries: &mut Entries, said: &Said, tests: Vec<(usize, String, Value)>) {
    let mut columns: Vec<(Entries, Vec<Value>)> = Vec::new();
    for column in said
        .field("columns")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
    {
        columns.push((self::column(column.0, column.1), Vec::new()));
    }
    let mut own = Vec::new();
    for (_, on, test) in tests {
        let named = |matches: &dyn Fn(&str) -> bool| {
            columns.iter().position(|(column, _)| {
                matches!(column.get("name"), Some(Value::Text(name)) if matches(name))
            })
        };
        let unquoted = on.trim_matches(['"', '`', '[', ']']);
        let place = named(&|name| name == on)
            .or_else(|| named(&|name| name == unquoted))
            .or_else(|| named(&|name| name.eq_ignore_ascii_case(unquoted)));
        match place {
            Some(place) => columns[place].1.push(test),
            None => own.push(with_column(test, &on)),
        }
    }
    set_list(entries, "data_tests", own);
    let columns = columns.into_iter().map(|(mut column, tests)| {
        set_list(&mut column, "data_tests", tests);
        Value::Map(column)
    });
    set_list(entries, "columns", columns.collect());
}

/// A test with the column that it is on as an argument, where that is not described.
fn with_column(test: Value, column: &str) -> Value {
    let Value::Map(entries) = &test else {
        return test;
    };
    let Some((name, Value::Map(body))) = entries.iter().next() else {
        return test;
    };
    if column.is_empty() {
        return test;
    }
    let mut body = body.clone();
    merged(&mut body, "arguments", |arguments| {
        arguments.set("column_name", column);
    });
    Value::Map(Entries::default().with(name.to_owned(), body))
}

/// One column.
fn column(name: &str, said: &Json) -> Entries {
    let mut column = Entries::default();
    let text = |key: &str| {
        said.get(key)
            .and_then(Json::as_str)
            .filter(|text| !text.is_empty())
    };
    column.set("name", text("name").unwrap_or(name));
    set(&mut column, "description", text("description").map(shown));
    set(&mut column, "data_type", text("data_type").map(shown));
    set(
        &mut column,
        "quote",
        said.get("quote").and_then(Json::as_bool),
    );
    let constraints = said.get("constraints").and_then(Json::as_array);
    let constraints = constraints.into_iter().flatten();
    set_list(
        &mut column,
        "constraints",
        constraints.map(stated).collect(),
    );
    // Before 1.10 they were beside `config`.
    let setting = |key: &str| {
        let under = said.get("config").and_then(|config| config.get(key));
        let is_empty = |value: &&Json| {
            value.as_array().is_some_and(Vec::is_empty)
                || value.as_object().is_some_and(Map::is_empty)
        };
        under
            .filter(|value| !is_empty(value))
            .or_else(|| said.get(key))
    };
    let mut config = Entries::default();
    let meta = setting("meta").and_then(Json::as_object);
    config.set_map("meta", meta.map(rendered).unwrap_or_default());
    let tags = setting("tags")
        .and_then(Json::as_array)
        .into_iter()
        .flatten();
    config.set_list("tags", tags.filter_map(Json::as_str).map(shown).collect());
    column.set_map("config", config);
    column
}
