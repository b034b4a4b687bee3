//! The models and source tables that properties files describe: trees come in, [`Resource`]s go out,
//! one for each version of a model. What else the files describe is a loss.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalog::Column;
use super::loss::Losses;
use super::manifest::Said;
use crate::diagnostics::SourceFile;
use crate::document::{items, spanned, text};
use crate::plan::is_generated;
use crate::yaml::{Node, Span};

/// A properties file.
#[derive(Debug)]
pub(super) struct PropertiesFile {
    pub(super) file: Arc<SourceFile>,
    pub(super) root: Node,
}

/// What a resource is.
#[derive(Clone, Debug)]
pub(super) enum Kind<'t> {
    /// A model, or one version of it.
    Model(Option<Version<'t>>),
    /// A table of the source.
    Table(&'t Node),
}

/// One version of a model.
#[derive(Clone, Debug)]
pub(super) struct Version<'t> {
    /// How dbt calls it.
    pub(super) v: String,
    /// The version that the model says is its latest.
    pub(super) latest: Option<&'t Node>,
}

/// A model or source table.
#[derive(Clone, Debug)]
pub(super) struct Resource<'t> {
    pub(super) file: &'t Arc<SourceFile>,
    pub(super) kind: Kind<'t>,
    /// The name of the source; empty for a model.
    pub(super) source: String,
    pub(super) name: String,
    /// Where the name stands.
    pub(super) span: Span,
    /// What is said of it: by its version, then by the model.
    pub(super) layers: Vec<&'t Node>,
    /// Its columns, the last of each name.
    pub(super) columns: Vec<&'t Node>,
    /// The unique id that dbt gives it, where a manifest says so.
    pub(super) id: Option<&'t str>,
    /// What the manifest has resolved of its source.
    pub(super) resolved: Option<&'t Node>,
    /// What the manifest says of it.
    pub(super) said: Option<&'t Said>,
    /// The columns that it has in the warehouse, where a catalog says so.
    pub(super) observed: Vec<Column>,
}

/// What is described in properties files and is no contract, and why.
const OTHERS: &[(&str, &str, &str)] = &[
    ("analyses", "analysis", "it is no data that others read"),
    ("exposures", "exposure", "it is no data of this project"),
    ("functions", "function", "it is code and no data"),
    (
        "groups",
        "group",
        "groups are made of products, with `access: product`",
    ),
    ("macros", "macro", "it is code and no data"),
    (
        "metrics",
        "metric",
        "it is a query over models and no column of one",
    ),
    ("saved_queries", "saved query", "it is a query over models"),
    (
        "seeds",
        "seed",
        "its rows are part of the project, and nothing generates them",
    ),
    (
        "semantic_models",
        "semantic model",
        "it is a view of a model and no data of its own",
    ),
    ("snapshots", "snapshot", "nothing generates snapshots"),
    (
        "unit_tests",
        "unit test",
        "it tests SQL, and contracts are about data",
    ),
];

/// The keys that say which version of the format it is, or hold what others refer to.
const SILENT: &[&str] = &["anchors", "version"];

/// What is said under a key, in `config` and beside it.
pub(super) fn settings<'n>(node: &'n Node, key: &str) -> Vec<&'n Node> {
    let under = node.get("config").and_then(|config| config.get(key));
    let said = [under, node.get(key)].into_iter().flatten();
    said.filter(|node| !node.is_null()).collect()
}

/// Whether a tree is that of a properties file.
pub(super) fn is_properties(root: &Node) -> bool {
    let keys = ["models", "sources"];
    let others = OTHERS.iter().map(|(key, ..)| *key);
    let mut known = keys.into_iter().chain(others).chain(["data_tests"]);
    known.any(|key| {
        root.get(key)
            .is_some_and(|node| node.as_sequence().is_some() || node.is_null())
    })
}

/// All models and source tables, file by file. What is neither matters only where all is `wanted`.
pub(super) fn resources<'t>(
    files: &'t [PropertiesFile],
    wanted: bool,
    losses: &mut Losses,
) -> Vec<Resource<'t>> {
    let mut resources = Vec::new();
    for PropertiesFile { file, root } in files {
        for entry in root.as_mapping().into_iter().flatten() {
            match entry.name() {
                "models" => models(file, root, &mut resources, losses),
                "sources" => sources(file, root, &mut resources, losses),
                key if !wanted || SILENT.contains(&key) => {}
                // Of what we wrote these are the groups of products.
                "groups" if is_generated(&file.text) => {}
                key => other(file, key, entry.key.span, &entry.value, losses),
            }
        }
    }
    resources
}

/// Adds what a manifest has resolved below what files say of the same models and source tables.
pub(super) fn resolve<'t>(resources: &mut [Resource<'t>], resolved: &'t [PropertiesFile]) {
    let resolved = self::resources(resolved, false, &mut Losses::default());
    let key = |resource: &Resource<'_>| {
        let version = match &resource.kind {
            Kind::Model(Some(version)) => version.v.clone(),
            Kind::Model(None) | Kind::Table(_) => String::new(),
        };
        (resource.source.clone(), resource.name.clone(), version)
    };
    let known: BTreeMap<_, _> = resolved
        .iter()
        .map(|resource| (key(resource), resource))
        .collect();
    for resource in resources {
        let Some(known) = known.get(&key(resource)) else {
            continue;
        };
        resource.layers.push(known.layers[0]);
        if let Kind::Table(source) = known.kind {
            resource.resolved = Some(source);
        }
    }
}

/// Lists what is neither a model nor a source.
fn other(file: &Arc<SourceFile>, key: &str, span: Span, value: &Node, losses: &mut Losses) {
    let known = OTHERS.iter().find(|(known, ..)| *known == key);
    let Some((_, word, why)) = known else {
        let why = "it is no key of a properties file that contracts know";
        return losses.add(file, span, format!("`{key}`"), why);
    };
    for item in value.as_sequence().unwrap_or_default() {
        let what = match text(item, "name") {
            Some(name) => format!("the {word} `{}`", name.value),
            None => format!("a {word} without a name"),
        };
        losses.add(file, item.span, what, *why);
    }
}

/// The models of a file.
fn models<'t>(
    file: &'t Arc<SourceFile>,
    root: &'t Node,
    resources: &mut Vec<Resource<'t>>,
    losses: &mut Losses,
) {
    for model in items(root, "models") {
        let Some(name) = text(model, "name") else {
            losses.add(
                file,
                model.span,
                "a model without a name",
                "dbt does not load it",
            );
            continue;
        };
        let mut add = |version: Option<Version<'t>>, layers: Vec<&'t Node>, columns| {
            resources.push(Resource {
                file,
                kind: Kind::Model(version),
                source: String::new(),
                name: name.value.clone(),
                span: name.span,
                layers,
                columns,
                id: None,
                resolved: None,
                said: None,
                observed: Vec::new(),
            });
        };
        let base = columns(file, items(model, "columns"), losses);
        let versions = items(model, "versions");
        if versions.is_empty() {
            add(None, vec![model], base);
            continue;
        }
        for version in versions {
            let Some(v) = version.get("v").and_then(spanned) else {
                let what = format!("a version of the model `{}` without `v`", name.value);
                losses.add(file, version.span, what, "dbt does not load it");
                continue;
            };
            let own = columns(file, items(version, "columns"), losses);
            let mut all = base.clone();
            for column in own {
                if column.get("name").is_none() {
                    all.retain(|base| includes(column, base));
                    continue;
                }
                match all
                    .iter()
                    .position(|known| name_of(known) == name_of(column))
                {
                    Some(place) => all[place] = column,
                    None => all.push(column),
                }
            }
            let latest = model.get("latest_version");
            let known = Version { v: v.value, latest };
            add(Some(known), vec![version, model], all);
        }
    }
}

/// Whether the `include` and `exclude` of a version's columns take a column of the model.
fn includes(rule: &Node, column: &Node) -> bool {
    let name = name_of(column).unwrap_or_default();
    let lists = |key: &str| {
        let listed = crate::document::one_or_more(rule, key);
        let mut words = listed.iter().map(|word| word.value.as_str());
        words.any(|word| word == name || word == "*" || word == "all")
    };
    (rule.get("include").is_none() || lists("include")) && !lists("exclude")
}

fn name_of(column: &Node) -> Option<String> {
    text(column, "name").map(|name| name.value)
}

/// The tables of the sources of a file.
fn sources<'t>(
    file: &'t Arc<SourceFile>,
    root: &'t Node,
    resources: &mut Vec<Resource<'t>>,
    losses: &mut Losses,
) {
    for source in items(root, "sources") {
        let Some(source_name) = text(source, "name") else {
            losses.add(
                file,
                source.span,
                "a source without a name",
                "dbt does not load it",
            );
            continue;
        };
        let tables = items(source, "tables");
        if tables.is_empty() {
            let what = format!("the source `{}`", source_name.value);
            losses.add(file, source_name.span, what, "it has no tables");
        }
        for table in tables {
            let Some(name) = text(table, "name") else {
                losses.add(
                    file,
                    table.span,
                    "a source table without a name",
                    "dbt does not load it",
                );
                continue;
            };
            resources.push(Resource {
                file,
                kind: Kind::Table(source),
                source: source_name.value.clone(),
                name: name.value,
                span: name.span,
                layers: vec![table],
                columns: columns(file, items(table, "columns"), losses),
                id: None,
                resolved: None,
                said: None,
                observed: Vec::new(),
            });
        }
    }
}

/// The columns of a list; of several with one name the last counts, as in dbt.
fn columns<'t>(file: &Arc<SourceFile>, nodes: &'t [Node], losses: &mut Losses) -> Vec<&'t Node> {
    let mut columns: Vec<&Node> = Vec::new();
    for node in nodes {
        let Some(name) = name_of(node) else {
            let is_rule = node.get("include").is_some() || node.get("exclude").is_some();
            if is_rule {
                columns.push(node);
            } else {
                losses.add(
                    file,
                    node.span,
                    "a column without a name",
                    "dbt does not load it",
                );
            }
            continue;
        };
        match columns
            .iter()
            .position(|known| name_of(known).as_ref() == Some(&name))
        {
            Some(place) => {
                let why = "another one of that name follows, which dbt takes";
                losses.add(
                    file,
                    columns[place].span,
                    format!("the column `{name}`"),
                    why,
                );
                columns[place] = node;
            }
            None => columns.push(node),
        }
    }
    columns
}

impl<'t> Resource<'t> {
    /// What it is called in messages.
    pub(super) fn title(&self) -> String {
        match &self.kind {
            Kind::Model(None) => format!("the model `{}`", self.name),
            Kind::Model(Some(version)) => format!("the model `{}.v{}`", self.name, version.v),
            Kind::Table(_) => format!("the source table `{}.{}`", self.source, self.name),
        }
    }

    /// The type that a column has in the warehouse.
    pub(super) fn observed_type(&self, name: &str) -> Option<String> {
        let columns = || self.observed.iter();
        let exact = columns().find(|column| column.name == name);
        let found =
            exact.or_else(|| columns().find(|column| column.name.eq_ignore_ascii_case(name)));
        found.map(|column| column.data_type.clone())
    }

    /// The value of a key, by the version before the model.
    pub(super) fn get(&self, key: &str) -> Option<&'t Node> {
        let mut found = self.layers.iter().filter_map(|layer| layer.get(key));
        found.find(|node| !node.is_null())
    }

    /// All places of a key, under `config` and beside it, the first of which counts.
    pub(super) fn settings(&self, key: &str) -> Vec<&'t Node> {
        let layers = self.layers.iter();
        layers.flat_map(|layer| settings(layer, key)).collect()
    }
}
