//! One model or source table as an object of a contract: what properties files say of it comes in, an
//! [`ObjectDraft`] goes out; what the object cannot say is a loss.

use std::collections::BTreeSet;

use super::draft::{ObjectDraft, PropertyDraft, custom};
use super::loss::Losses;
use super::meta::{self, Meta};
use super::quality::Testing;
use super::resources::{Kind, Resource, Version};
use super::text::{Texts, setting};
use super::{gates, levels, refused};
use crate::config::{Access, Config, Naming};
use crate::dbt::adapter::Adapter;
use crate::dbt::data_tests::{self, LISTS};
use crate::dbt::identifiers;
use crate::dbt::names::slug;
use crate::dbt::properties::Value;
use crate::dbt::release::Release;
use crate::document::{ApiVersion, items, spanned};
use crate::plan::is_generated;
use crate::yaml::{Entry, Node};

/// The materializations that are physical types of the standard.
const PHYSICAL: &[&str] = &[
    "ephemeral",
    "incremental",
    "materialized_view",
    "table",
    "view",
];

/// Why a key stays behind.
pub(super) const NO_WORD: &str = "neither the standard nor a `dbt.*` property has a word for it";

/// The keys that are read of a model and of a source table, under `config` or beside it.
const MODEL: &[&str] = &[
    "access",
    "alias",
    "columns",
    "config",
    "constraints",
    "contract",
    "data_tests",
    "database",
    "defined_in",
    "deprecation_date",
    "description",
    "latest_version",
    "materialized",
    "meta",
    "name",
    "on_schema_change",
    "schema",
    "tags",
    "tests",
    "unique_key",
    "v",
    "versions",
];
const TABLE: &[&str] = &[
    "columns",
    "config",
    "data_tests",
    "description",
    "freshness",
    "identifier",
    "loaded_at_field",
    "loaded_at_query",
    "loader",
    "meta",
    "name",
    "quoting",
    "tags",
    "tests",
];

/// What all objects of a run have in common.
pub(super) struct Importing<'a> {
    pub(super) adapter: Option<Adapter>,
    /// The release of dbt that `generate` writes for.
    pub(super) release: Release,
    pub(super) version: ApiVersion,
    pub(super) config: &'a Config,
    pub(super) losses: Losses,
    /// The names that dbt gives tests by itself, so far.
    pub(super) automatic: BTreeSet<String>,
    /// Whether dbt's groups become products.
    pub(super) has_groups: bool,
    /// The groups each of whose models has a contract of its own.
    pub(super) apart: BTreeSet<String>,
}

impl Importing<'_> {
    /// Reads one model or source table; `meta` is what the contract has not taken of its `meta`.
    pub(super) fn object(&mut self, resource: &Resource<'_>) -> (ObjectDraft, Meta) {
        let mut texts = Texts {
            file: resource.file.clone(),
            losses: &mut self.losses,
        };
        let title = resource.title();
        let mut object = ObjectDraft {
            name: resource.name.clone(),
            ..ObjectDraft::default()
        };
        let description = resource.get("description");
        object.description = texts.word(description, &format!("the description of {title}"));
        object.tags = texts.tags(&resource.settings("tags"), &format!("a tag of {title}"));
        let mut meta = meta::read(&resource.settings("meta"), &title, &mut texts);
        object.business_name = meta.take_text("business_name");
        object.granularity = meta.take_text("granularity");
        object.owner = match meta.entries.get("owner") {
            Some(Value::Text(owner)) => Some(owner.clone()),
            _ => None,
        };
        match &resource.kind {
            Kind::Model(_) => self.model(resource, &meta, &mut object),
            Kind::Table(_) => self.table(resource, &mut object),
        }
        if let Some(name) = &object.physical_name
            && !refused::is_quotable(self.adapter, name)
        {
            let what = format!("the relation `{name}` of {title}");
            let why = "its name has the quotes that dbt puts around it";
            self.losses.add(resource.file, resource.span, what, why);
            object.physical_name = None;
        }
        let columns: Vec<PropertyDraft> = resource
            .columns
            .iter()
            .map(|column| self.property(resource, column))
            .collect();
        object.properties = columns;
        self.undescribed(resource, &mut object);
        if let Kind::Table(source) = &resource.kind {
            let mut texts = Texts {
                file: resource.file.clone(),
                losses: &mut self.losses,
            };
            levels::freshness(self.adapter, resource, source, &mut object, &mut texts);
        }
        self.constraints(resource, &mut object);
        self.tests(resource, &mut object);
        self.checks(resource, &object);
        self.key(resource, &mut object);
        (object, meta)
    }

    /// What is particular to models.
    fn model(&mut self, resource: &Resource<'_>, meta: &Meta, object: &mut ObjectDraft) {
        let title = resource.title();
        let stated = |key: &str| setting(resource.settings(key).first().copied());
        let (materialized, alias) = (stated("materialized"), stated("alias"));
        let settings = [
            ("dbt.schema", stated("schema")),
            ("dbt.database", stated("database")),
            ("dbt.access", stated("access")),
        ];
        let name = &resource.name;
        object.name = meta
            .anchor
            .as_ref()
            .and_then(|anchor| anchor.object.clone())
            .unwrap_or_else(|| {
                let stem = name.strip_prefix("stg_").filter(|stem| slug(stem) == *stem);
                stem.unwrap_or(name).to_owned()
            });
        let is_default = self.config.naming.model.value == Naming::default().model.value;
        if !is_default || format!("stg_{}", slug(&object.name)) != *name {
            object.custom.push(custom("dbt.model", name.as_str()));
        }
        let (version, call) = match &resource.kind {
            Kind::Model(Some(version)) => {
                let is_latest = version
                    .latest
                    .and_then(spanned)
                    .is_none_or(|latest| latest.value == version.v);
                let number = if version.v.bytes().all(|byte| byte.is_ascii_digit()) {
                    version.v.clone()
                } else {
                    format!("'{}'", version.v)
                };
                let call = if is_latest {
                    format!("ref('{name}')")
                } else {
                    format!("ref('{name}', v={number})")
                };
                (Some(version), call)
            }
            _ => (None, format!("ref('{name}')")),
        };
        object.call = call;
        object.label =
            version.map_or_else(|| name.clone(), |version| format!("{name}_v{}", version.v));
        match alias {
            // `generate` takes the parts of a dotted physical name for a schema and a name.
            Some(alias) if alias.contains('.') || alias.contains("{{") => {
                object.custom.push(custom("dbt.alias", alias));
            }
            Some(alias) => object.physical_name = Some(alias),
            None if version.is_none() && name.contains('.') => {
                object.custom.push(custom("dbt.alias", name.as_str()));
            }
            None => {
                let relation = object.label.replace('.', "_");
                object.physical_name = (relation != object.name).then_some(relation);
            }
        }
        match materialized {
            Some(word) if PHYSICAL.contains(&word.as_str()) => object.physical_type = Some(word),
            Some(word) => object.custom.push(custom("dbt.materialized", word)),
            None => {}
        }
        for (key, value) in settings {
            if let Some(value) = value {
                if key == "dbt.access" && self.config.access == Access::Off {
                    let span = resource
                        .settings("access")
                        .first()
                        .map_or(resource.span, |node| node.span);
                    let why = "it is in the contract, and `generate` writes it with `access: product` only";
                    self.losses
                        .add(resource.file, span, format!("`access` of {title}"), why);
                }
                object.custom.push(custom(key, value));
            }
        }
        self.defined_in(resource, version);
        self.enforced(resource, object);
        let beside = resource.layers.iter().filter_map(|layer| layer.get("tags"));
        for tags in beside.filter(|tags| !tags.is_null()) {
            let why =
                "dbt reads those of a model under `config` only, where `generate` writes them";
            let what = format!("`tags` beside `config` of {title}");
            self.losses.add(resource.file, tags.span, what, why);
        }
        levels::deprecation(resource, object);
        self.unknown_keys(resource, MODEL, &title);
    }

    /// Lists the file of a version's SQL, where it has another name.
    fn defined_in(&mut self, resource: &Resource<'_>, version: Option<&Version<'_>>) {
        let (name, title) = (&resource.name, resource.title());
        if let (Some(node), Some(version)) = (resource.get("defined_in"), version) {
            let file = format!("{name}_v{}", version.v);
            if spanned(node).is_some_and(|stated| stated.value != file) {
                let why = format!("`generate` has its SQL in `{file}.sql`; rename the file");
                let what = format!("`defined_in` of {title}");
                self.losses.add(resource.file, node.span, what, why);
            }
        }
    }

    /// Whether dbt enforces the contract of a model.
    fn enforced(&mut self, resource: &Resource<'_>, object: &mut ObjectDraft) {
        let title = resource.title();
        let contracts = resource.settings("contract");
        let is_stated = |contract: &&Node| contract.get("enforced").and_then(Node::as_bool);
        if self.config.model_contracts.enforced
            && contracts.first().and_then(is_stated) != Some(true)
        {
            object.custom.push(custom("dbt.enforced", false));
        }
        for contract in contracts.into_iter().take(1) {
            if contract.get("enforced").and_then(Node::as_bool) == Some(true) {
                object.custom.push(custom("dbt.enforced", true));
            }
            self.unknown(
                resource,
                contract,
                &["enforced"],
                &format!("`contract` of {title}"),
            );
        }
    }

    /// What is particular to source tables.
    fn table(&mut self, resource: &Resource<'_>, object: &mut ObjectDraft) {
        let title = resource.title();
        let mut texts = Texts {
            file: resource.file.clone(),
            losses: &mut self.losses,
        };
        let identifier = resource.get("identifier");
        let identifier = identifier
            .and_then(|node| texts.plain(node, &format!("the identifier of {title}")))
            .filter(|identifier| !identifier.trim().is_empty());
        match identifier {
            // A logical name is only text, while a dotted physical name has a schema before it.
            Some(identifier) if identifier.contains('.') => object.name = identifier,
            other => object.physical_name = other.filter(|identifier| *identifier != object.name),
        }
        let naming = &self.config.naming.table.value;
        if *naming != Naming::default().table.value || slug(&object.name) != resource.name {
            object
                .custom
                .push(custom("dbt.table", resource.name.as_str()));
        }
        let loader = texts.word(resource.get("loader"), &format!("the loader of {title}"));
        object
            .custom
            .extend(loader.map(|loader| custom("dbt.loader", loader)));
        object.call = format!("source('{}', '{}')", resource.source, resource.name);
        object.label = format!("{}_{}", resource.source, resource.name);
        if let Some(quoting) = resource.get("quoting") {
            let known = self.quoted(resource, object);
            self.unknown(resource, quoting, &known, &format!("`quoting` of {title}"));
        }
        self.unknown_keys(resource, TABLE, &title);
    }

    /// The parts of a source table's name that `generate` has quoted.
    fn quoted(&self, resource: &Resource<'_>, object: &ObjectDraft) -> Vec<&'static str> {
        let Kind::Table(source) = &resource.kind else {
            return Vec::new();
        };
        let stated = |key| Some(spanned(source.get(key)?)?.value);
        let name = object.physical_name.as_ref().unwrap_or(&object.name);
        let parts = [
            ("database", stated("database")),
            ("schema", stated("schema")),
            ("identifier", Some(name.clone())),
        ];
        let is_quoted = |name: &String| {
            let needs = |adapter| identifiers::needs_quotes(adapter, name);
            self.adapter
                .is_some_and(|adapter| adapter == Adapter::Snowflake && needs(adapter))
        };
        let parts = parts.into_iter();
        let quoted = parts.filter(|(_, name)| name.as_ref().is_some_and(is_quoted));
        quoted.map(|(part, _)| part).collect()
    }

    /// Lists the keys of a resource that nothing reads, under `config` and beside it.
    fn unknown_keys(&mut self, resource: &Resource<'_>, known: &[&str], title: &str) {
        let mut known = known.to_vec();
        for layer in &resource.layers {
            let places = [Some(*layer), layer.get("config")];
            let mut names = Vec::new();
            for place in places.into_iter().flatten() {
                self.unknown(resource, place, &known, title);
                let entries = place.as_mapping().into_iter().flatten();
                names.extend(entries.map(Entry::name));
            }
            // The first place of a key is the one that counts.
            known.extend(names);
        }
    }

    pub(super) fn unknown(
        &mut self,
        resource: &Resource<'_>,
        node: &Node,
        known: &[&str],
        title: &str,
    ) {
        for entry in node.as_mapping().into_iter().flatten() {
            let is_silent = entry.value.is_null()
                || gates::is_hook(entry.name(), &entry.value)
                || entry.name() == "group"
                    && (self.has_groups || is_generated(&resource.file.text))
                || known.contains(&entry.name())
                || entry.name() == "enabled" && entry.value.as_bool() == Some(true);
            if !is_silent {
                let what = format!("`{}` of {title}", entry.name());
                self.losses
                    .add(resource.file, entry.key.place(), what, NO_WORD);
            }
        }
    }

    /// The tests of the columns, then those of the object.
    fn tests(&mut self, resource: &Resource<'_>, object: &mut ObjectDraft) {
        for (place, column) in resource.columns.iter().enumerate() {
            let listed = LISTS.iter().flat_map(|key| items(column, key));
            for node in listed {
                self.test(resource, object, Some(place), node);
            }
        }
        // A version's own tests take the place of the model's.
        let lists = resource.layers.iter().find_map(|layer| {
            let listed: Vec<&Node> = LISTS.iter().flat_map(|key| items(layer, key)).collect();
            let is_there = LISTS.iter().any(|key| layer.get(key).is_some());
            is_there.then_some(listed)
        });
        for node in lists.unwrap_or_default() {
            self.test(resource, object, None, node);
        }
    }

    fn test(
        &mut self,
        resource: &Resource<'_>,
        object: &mut ObjectDraft,
        column: Option<usize>,
        node: &Node,
    ) {
        let title = resource.title();
        let test = match data_tests::read(node) {
            Ok(test) if gates::is_test(self.config, &test) => return,
            Ok(mut test) => {
                if gates::is_marked(&test.config) {
                    gates::unmark(&mut test);
                }
                test
            }
            Err(why) => {
                return self.losses.add(
                    resource.file,
                    node.span,
                    format!("a test of {title}"),
                    why,
                );
            }
        };
        let mut testing = Testing {
            adapter: self.adapter,
            automatic: &mut self.automatic,
            source: matches!(resource.kind, Kind::Table(_)),
        };
        if let Some(renamed) = testing.take(object, column, &test) {
            let what = format!("the name of the test `{}` of {title}", renamed.from);
            let why = format!(
                "`generate` puts the name of the table before it: `{}`",
                renamed.to
            );
            self.losses.add(resource.file, node.span, what, why);
        }
    }
}
