//! A properties document as the parts that have an identity of their own: resources, columns, tests,
//! entries of `config` and `meta`. The tree of a document comes in, a tree of [`Part`]s goes out, the
//! same for every shape that dbt has had for them.

use serde_json::{Value, json};

use super::base::Hash;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Entries, Value as Entry};
use crate::dbt::{data_tests, jinja, types};
use crate::yaml::{Data, Node};

/// Where parts stand below the resource, column or other group that they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// Among its own keys.
    Own,
    /// In its `config`.
    Config,
    /// In its `meta`.
    Meta,
    /// In its `tags`.
    Tags,
    /// In its list of data tests.
    Tests,
    /// In its list of constraints.
    Constraints,
    /// In a list of further groups.
    Groups(&'static Groups),
}

/// A list of groups: which key it has, which one names its items, and what these hold.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Groups {
    pub(super) list: &'static str,
    name: &'static str,
    below: &'static [Groups],
}

/// The columns of a resource.
pub(super) const COLUMNS: Groups = Groups {
    list: "columns",
    name: "name",
    below: &[],
};

/// The lists of a properties file that contracts ask for. Others are their authors' alone.
pub(super) const RESOURCES: &[Groups] = &[
    Groups {
        list: "groups",
        name: "name",
        below: &[],
    },
    Groups {
        list: "models",
        name: "name",
        below: &[
            COLUMNS,
            Groups {
                list: "versions",
                name: "v",
                below: &[COLUMNS],
            },
        ],
    },
    Groups {
        list: "sources",
        name: "name",
        below: &[Groups {
            list: "tables",
            name: "name",
            below: &[COLUMNS],
        }],
    },
];

/// Keys that dbt takes beside `config` as well as in it.
const OF_CONFIG: &[&str] = &[
    "access",
    "docs",
    "enabled",
    "event_time",
    "freshness",
    "group",
    "loaded_at_field",
    "loaded_at_query",
];

impl Slot {
    /// The containers from the group downwards; of several notations the one of dbt today first.
    pub(super) fn paths(self) -> Vec<Vec<&'static str>> {
        match self {
            Self::Own => vec![vec![]],
            Self::Config => vec![vec!["config"]],
            Self::Meta => vec![vec!["config", "meta"], vec!["meta"]],
            Self::Tags => vec![vec!["config", "tags"], vec!["tags"]],
            Self::Tests => data_tests::LISTS.iter().map(|list| vec![*list]).collect(),
            Self::Constraints => vec![vec!["constraints"]],
            Self::Groups(groups) => vec![vec![groups.list]],
        }
    }
}

/// Something that has an identity in a properties document.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    /// Which it is among the parts of its group: `description`, `meta/owner`, `columns/amount`.
    pub(super) key: String,
    /// Where it stands in its document, as a JSON pointer.
    pub(super) at: String,
    /// Where it stands in its group.
    pub(super) slot: Slot,
    /// What is written there.
    pub(super) node: &'a Node,
    /// Whether its text is also that of something else, by an anchor or a merge key.
    pub(super) shared: bool,
    /// What a group holds; `None` for a value.
    pub(super) parts: Option<Vec<Part<'a>>>,
    /// The adapter whose types it has.
    adapter: Option<Adapter>,
}

impl Part<'_> {
    /// What the value says, in whatever notation.
    pub(super) fn hash(&self) -> Hash {
        let plain = || plain(self.node);
        Hash::of(&match (self.slot, self.key.as_str(), self.node.as_str()) {
            (Slot::Tests, ..) => test(self.node).map_or_else(plain, |test| test.1),
            (Slot::Own, "data_type", Some(data_type)) => {
                Value::String(unified(self.adapter, data_type))
            }
            _ => plain(),
        })
    }

    /// Whether it is a model, source table or group, or holds some.
    pub(super) fn is_resource(&self) -> bool {
        matches!(self.slot, Slot::Groups(groups) if *groups != COLUMNS)
    }

    /// Whether it is a version of a model.
    pub(super) fn is_version(&self) -> bool {
        matches!(self.slot, Slot::Groups(groups) if groups.list == "versions")
    }

    /// Whether dbt renders the value: what it says is known to dbt alone.
    pub(super) fn is_jinja(&self) -> bool {
        is_jinja(self.node)
    }
}

/// The resources of a document with types of that adapter.
pub(super) fn view(root: &Node, adapter: Option<Adapter>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for groups in RESOURCES {
        members(root, "", groups, is_shared(root, false), &mut parts);
    }
    speak(&mut parts, adapter);
    parts
}

/// Says which adapter's types parts have.
fn speak(parts: &mut [Part<'_>], adapter: Option<Adapter>) {
    for part in parts {
        part.adapter = adapter;
        speak(part.parts.as_deref_mut().unwrap_or_default(), adapter);
    }
}

/// The items of a list of groups.
fn members<'a>(
    node: &'a Node,
    at: &str,
    groups: &'static Groups,
    shared: bool,
    parts: &mut Vec<Part<'a>>,
) {
    let Some(entry) = node.entry(groups.list) else {
        return;
    };
    let shared = is_shared(&entry.value, shared || entry.merged);
    for (index, item) in items(&entry.value).iter().enumerate() {
        let Some(name) = item.get(groups.name).and_then(scalar) else {
            continue;
        };
        // dbt finds columns whatever the case of their names.
        let name = if groups.list == COLUMNS.list {
            name.to_lowercase()
        } else {
            name
        };
        let at = format!("{at}/{}/{index}", groups.list);
        let shared = is_shared(item, shared);
        let part = Part {
            key: format!("{}/{name}", groups.list),
            slot: Slot::Groups(groups),
            node: item,
            shared,
            parts: Some(of_group(item, &at, groups, shared)),
            adapter: None,
            at,
        };
        add(parts, part);
    }
}

/// Adds a part. Of two with one key dbt takes the last; two sources of one name have each their tables.
fn add<'a>(parts: &mut Vec<Part<'a>>, mut part: Part<'a>) {
    if let Some(place) = parts.iter().position(|known| known.key == part.key) {
        let known = parts.remove(place);
        let is_source = matches!(part.slot, Slot::Groups(groups) if groups.list == "sources");
        if let (true, Some(tables), Some(earlier)) = (is_source, &mut part.parts, known.parts) {
            let further = earlier.into_iter().filter(|earlier| {
                earlier.is_resource() && tables.iter().all(|table| table.key != earlier.key)
            });
            let further: Vec<Part<'a>> = further.collect();
            tables.extend(further);
        }
    }
    parts.push(part);
}

/// What a group holds.
fn of_group<'a>(item: &'a Node, at: &str, groups: &'static Groups, shared: bool) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for entry in item.as_mapping().into_iter().flatten() {
        let (name, node) = (entry.name(), &entry.value);
        let at = format!("{at}/{}", token(name));
        let shared = is_shared(node, shared || entry.merged);
        let nested = groups.below.iter().find(|below| below.list == name);
        match name {
            _ if name == groups.name => {}
            _ if nested.is_some() => {}
            "config" => {
                for entry in node.as_mapping().into_iter().flatten() {
                    let (name, node) = (entry.name(), &entry.value);
                    let at = format!("{at}/{}", token(name));
                    let shared = is_shared(node, shared || entry.merged);
                    match name {
                        "meta" => meta(node, &at, shared, &mut parts),
                        "tags" => tags(node, &at, shared, &mut parts),
                        _ => {
                            let key = format!("config/{name}");
                            value(key, node, at, Slot::Config, shared, &mut parts);
                        }
                    }
                }
            }
            "meta" => meta(node, &at, shared, &mut parts),
            "tags" => tags(node, &at, shared, &mut parts),
            "constraints" => {
                list(node, &at, shared, Slot::Constraints, constraint, &mut parts);
            }
            _ if data_tests::LISTS.contains(&name) => {
                let key = |node: &Node| test(node).map(|test| test.0);
                list(node, &at, shared, Slot::Tests, key, &mut parts);
            }
            _ if OF_CONFIG.contains(&name) => {
                let key = format!("config/{name}");
                value(key, node, at, Slot::Config, shared, &mut parts);
            }
            _ => value(name.to_owned(), node, at, Slot::Own, shared, &mut parts),
        }
    }
    for below in groups.below {
        members(item, at, below, shared, &mut parts);
    }
    parts
}

fn value<'a>(
    key: String,
    node: &'a Node,
    at: String,
    slot: Slot,
    shared: bool,
    parts: &mut Vec<Part<'a>>,
) {
    // A key without a value says nothing.
    if node.is_null() && node.alias().is_none() {
        return;
    }
    let part = Part {
        key,
        at,
        slot,
        node,
        shared,
        parts: None,
        adapter: None,
    };
    add(parts, part);
}

fn meta<'a>(node: &'a Node, at: &str, shared: bool, parts: &mut Vec<Part<'a>>) {
    for entry in node.as_mapping().into_iter().flatten() {
        let key = format!("meta/{}", entry.name());
        let at = format!("{at}/{}", token(entry.name()));
        let shared = is_shared(&entry.value, shared || entry.merged);
        value(key, &entry.value, at, Slot::Meta, shared, parts);
    }
}

fn tags<'a>(node: &'a Node, at: &str, shared: bool, parts: &mut Vec<Part<'a>>) {
    // One tag may stand without a list.
    if let Some(tag) = node.as_str() {
        let key = format!("tags/{tag}");
        return value(key, node, at.to_owned(), Slot::Tags, shared, parts);
    }
    let key = |node: &Node| scalar(node).map(|tag| format!("tags/{tag}"));
    list(node, at, shared, Slot::Tags, key, parts);
}

/// The items of a list, each known by its key. The second of two equal ones says nothing new.
fn list<'a>(
    node: &'a Node,
    at: &str,
    shared: bool,
    slot: Slot,
    key: impl Fn(&Node) -> Option<String>,
    parts: &mut Vec<Part<'a>>,
) {
    for (index, item) in items(node).iter().enumerate() {
        let Some(key) = key(item) else {
            continue;
        };
        if parts.iter().any(|part| part.key == key) {
            continue;
        }
        let at = format!("{at}/{index}");
        value(key, item, at, slot, is_shared(item, shared), parts);
    }
}

/// What a data test is known by, the macro and its arguments; and all that it promises, for which it
/// does not matter what it is called.
fn test(node: &Node) -> Option<(String, Value)> {
    let test = data_tests::read(node).ok()?;
    let mut stated = test.arguments.clone();
    // What dbt does by itself says nothing, and a number is the same with quotes and without.
    if test.test == "accepted_values" {
        let is_number = |value: &Entry| matches!(value, Entry::Int(_) | Entry::Float(_));
        let numbers = matches!(stated.get("values"), Some(Entry::List(values)) if values.iter().all(is_number));
        if numbers || stated.get("quote") == Some(&Entry::Bool(true)) {
            stated.remove("quote");
        }
    }
    let arguments = called(sorted(&stated));
    let key = if stated.is_empty() {
        format!("tests/{}", test.test)
    } else {
        format!("tests/{}({})", test.test, Hash::of(&arguments))
    };
    let mut config = test.config.clone();
    if let Some(Entry::Text(severity)) = config.get("severity") {
        match severity.to_lowercase().as_str() {
            "error" => {
                config.remove("severity");
            }
            other => config.set("severity", other),
        }
    }
    let config = sorted(&config);
    let description = test.description.map(|text| text.trim_end().to_owned());
    let says = json!([test.test, arguments, description, config]);
    Some((key, says))
}

/// Arguments in which calls of `ref` and `source` have one spelling.
fn called(json: Value) -> Value {
    each_text(json, &|text| jinja::normal_call(&text).unwrap_or(text))
}

/// A type as the adapter itself writes it; else without what means nothing in SQL, the case of its
/// words, and blanks.
fn unified(adapter: Option<Adapter>, data_type: &str) -> String {
    if let Some(normalized) = adapter.and_then(|adapter| types::normalize(adapter, data_type)) {
        return normalized;
    }
    if data_type.contains(['\'', '"', '`']) {
        return data_type.to_owned();
    }
    let words: String = data_type.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut unified = words.to_lowercase();
    for (loose, tight) in [
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (", ", ","),
    ] {
        unified = unified.replace(loose, tight);
    }
    unified
}

/// What a constraint is known by: its type and columns.
fn constraint(node: &Node) -> Option<String> {
    let kind = node.get("type")?.as_str()?.to_lowercase();
    let parts = ["columns", "expression", "to"];
    let parts: Vec<Value> = parts
        .iter()
        .filter_map(|key| node.get(key).map(plain))
        .collect();
    Some(if parts.is_empty() {
        format!("constraints/{kind}")
    } else {
        format!("constraints/{kind}({})", Hash::of(&Value::Array(parts)))
    })
}

/// Entries as JSON in the order of their keys, which says nothing.
fn sorted(entries: &Entries) -> Value {
    let mut json = serde_json::to_value(entries).unwrap_or_default();
    json.sort_all_objects();
    trimmed(json)
}

/// A value as JSON in the order of its keys. How a text ends depends on its notation.
fn plain(node: &Node) -> Value {
    let mut json = node.to_json();
    json.sort_all_objects();
    trimmed(json)
}

fn trimmed(json: Value) -> Value {
    each_text(json, &|text| text.trim_end().to_owned())
}

/// A value with something else in place of each text in it.
fn each_text(json: Value, other: &impl Fn(String) -> String) -> Value {
    match json {
        Value::String(text) => Value::String(other(text)),
        Value::Array(items) => items
            .into_iter()
            .map(|item| each_text(item, other))
            .collect(),
        Value::Object(entries) => entries
            .into_iter()
            .map(|(key, value)| (key, each_text(value, other)))
            .collect(),
        single => single,
    }
}

/// Whether the text of a node is not its own alone.
fn is_shared(node: &Node, above: bool) -> bool {
    let is_named = |node: &Node| {
        let properties = node.properties.as_ref();
        properties
            .is_some_and(|properties| properties.alias.is_some() || properties.anchor.is_some())
    };
    above || is_named(node)
}

fn is_jinja(node: &Node) -> bool {
    match &node.data {
        Data::String(text) => text.contains("{{") || text.contains("{%"),
        Data::Sequence(items) => items.iter().any(is_jinja),
        Data::Mapping(entries) => entries.iter().any(|entry| is_jinja(&entry.value)),
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) => false,
    }
}

fn items(node: &Node) -> &[Node] {
    node.as_sequence().unwrap_or_default()
}

/// A single value as text.
fn scalar(node: &Node) -> Option<String> {
    match &node.data {
        Data::String(text) => Some(text.clone()),
        Data::Bool(value) => Some(value.to_string()),
        Data::Int(value) => Some(value.to_string()),
        Data::Float(value) => Some(value.to_string()),
        Data::Null | Data::Sequence(_) | Data::Mapping(_) => None,
    }
}

/// A key as a step of a JSON pointer.
pub(super) fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
