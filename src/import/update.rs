//! An imported contract or product into the one that is there: both texts come in, the text of the one
//! that is there goes out with what it did not say yet. Nothing is removed or replaced; where the two say
//! different things, the difference is listed and the file keeps what it says.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::dbt::names::slug;
use crate::diagnostics::SourceFile;
use crate::document::one_or_more;
use crate::yaml::{Change, Cut, Data, Entry, Limits, Mapping, Node, graft, parse};

use super::Loss;

/// How the items of a list are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Items {
    /// By the value of one of these keys, in any case.
    Named(&'static [&'static str]),
    /// By the values of all these keys.
    Keyed(&'static [&'static str]),
    /// By all that they say.
    Whole,
    /// By what they measure.
    Rules,
}

/// The lists of a contract. What is in none of them is one value.
const LISTS: &[(&str, Items)] = &[
    ("customProperties", Items::Keyed(&["property"])),
    ("inputContracts", Items::Keyed(&["id"])),
    ("inputPorts", Items::Named(&["name"])),
    ("outputPorts", Items::Named(&["name"])),
    ("properties", Items::Named(&["name", "physicalName"])),
    ("quality", Items::Rules),
    ("relationships", Items::Whole),
    ("schema", Items::Named(&["name", "physicalName"])),
    ("slaProperties", Items::Keyed(&["property", "element"])),
    ("tags", Items::Whole),
];

/// The keys of a mapping whose parts are merged one by one.
const MERGED: &[&str] = &["description", "items", "logicalTypeOptions", "team"];

/// What the file alone says of itself.
const OWN: &[&str] = &["apiVersion", "id", "kind", "name", "status", "version"];

/// What a rule checks, beside which it has a name, a description and so on.
const CHECKED: &[&str] = &[
    "arguments",
    "column",
    "engine",
    "implementation",
    "metric",
    "query",
];

/// How the settings of dbt are called.
const SETTINGS: &str = "dbt.";

/// The settings that say which model or table an object is.
const RESOURCES: &[&str] = &["dbt.model", "dbt.table"];

/// What says the same as a rule that values are out of a list or pattern.
const VALID: &[(&str, &str)] = &[("enum", "validValues"), ("pattern", "pattern")];

/// What came of an update.
#[derive(Debug)]
pub struct Updated {
    /// The new text of the file.
    pub text: String,
    /// What is said otherwise in the file, which keeps it.
    pub kept: Vec<Loss>,
}

/// The text of `file` with what the imported contract says and it does not. The error completes a
/// sentence that begins with the file's path.
pub fn update(file: &Arc<SourceFile>, imported: &str) -> Result<Updated, String> {
    let old = parse(&file.text, &Limits::default());
    let new = parse(imported, &Limits::default());
    let ([root], [whole]) = (old.documents.as_slice(), new.documents.as_slice()) else {
        return Err("has more than one document; split it into files".to_owned());
    };
    let mut pruning = Pruning {
        root,
        removed: Vec::new(),
    };
    pruning.mapping("", root, whole);
    let imported = graft(imported, &pruning.removed)?;
    let new = parse(&imported, &Limits::default());
    let ([old], [new]) = (old.documents.as_slice(), new.documents.as_slice()) else {
        return Err("has more than one document; split it into files".to_owned());
    };
    let mut update = Update {
        file,
        imported: &imported,
        changes: Vec::new(),
        kept: Vec::new(),
    };
    update.mapping("", old, new, "the contract");
    let text = graft(&file.text, &update.changes)?;
    Ok(Updated {
        text,
        kept: update.kept,
    })
}

/// One run over two trees.
struct Update<'a> {
    file: &'a Arc<SourceFile>,
    imported: &'a str,
    changes: Vec<Change<'a>>,
    kept: Vec<Loss>,
}

impl<'a> Update<'a> {
    /// Merges a mapping at a pointer into the one that is there.
    fn mapping(&mut self, pointer: &str, old: &'a Node, new: &'a Node, title: &str) {
        let count = old.as_mapping().map_or(0, Mapping::len);
        for entry in new.as_mapping().into_iter().flatten() {
            let key = entry.name();
            let there = old.get(key).filter(|node| !node.is_null());
            let Some(there) = there else {
                // An empty value of a key stands in the way of an entry of that key.
                if old.get(key).is_none() && !is_said(old, entry) {
                    self.changes.push(Change::Insert {
                        into: pointer.to_owned(),
                        after: count.checked_sub(1),
                        cut: Cut {
                            text: self.imported,
                            key: Some(&entry.key),
                            value: &entry.value,
                        },
                    });
                }
                continue;
            };
            let below = format!("{pointer}/{}", escaped(key));
            let list = LISTS.iter().find(|(known, _)| *known == key);
            match (list, &there.data, &entry.value.data) {
                (Some((_, items)), Data::Sequence(_), Data::Sequence(_)) => {
                    self.list(&below, there, &entry.value, *items, title);
                }
                (None, Data::Mapping(_), Data::Mapping(_)) if MERGED.contains(&key) => {
                    self.mapping(&below, there, &entry.value, title);
                }
                _ if pointer.is_empty() && OWN.contains(&key) => {}
                _ if ["id", "name"].contains(&key) => {}
                // `generate` puts what the contract says of its use behind it.
                _ if key == "description" && begins(&entry.value, there) => {}
                _ => self.compare(there, &entry.value, &format!("`{key}` of {title}")),
            }
        }
    }

    /// Merges a list at a pointer into the one that is there.
    fn list(&mut self, pointer: &str, old: &'a Node, new: &'a Node, items: Items, title: &str) {
        let known = old.as_sequence().unwrap_or_default();
        let key = pointer.rsplit('/').next().unwrap_or_default();
        for item in new.as_sequence().unwrap_or_default() {
            let all = new.as_sequence().unwrap_or_default();
            let Some(place) = counterpart(items, known, all, item) else {
                self.changes.push(Change::Insert {
                    into: pointer.to_owned(),
                    after: known.len().checked_sub(1),
                    cut: Cut {
                        text: self.imported,
                        key: None,
                        value: item,
                    },
                });
                continue;
            };
            let below = format!("{pointer}/{place}");
            match items {
                Items::Named(_) => {
                    let name = item.get("name").and_then(Node::as_str).unwrap_or_default();
                    let inner = match key {
                        "properties" => format!("`{name}` in {title}"),
                        _ => format!("`{name}`"),
                    };
                    self.mapping(&below, &known[place], item, &inner);
                }
                Items::Keyed(keys) => {
                    let words = keys.iter().filter_map(|key| item.get(key)?.as_str());
                    let words: Vec<&str> = words.collect();
                    let title = format!("`{}` of {title}", words.join(" "));
                    for key in ["value", "unit"] {
                        if let (Some(there), Some(value)) = (known[place].get(key), item.get(key)) {
                            self.compare(there, value, &title);
                        }
                    }
                }
                Items::Whole | Items::Rules => {}
            }
        }
    }

    /// Lists a value that is said otherwise.
    fn compare(&mut self, there: &Node, value: &Node, title: &str) {
        let is_same = match (there.as_str(), value.as_str()) {
            (Some(one), Some(other)) => one.trim_end() == other.trim_end(),
            _ => there.to_json() == value.to_json(),
        };
        if !is_same {
            self.kept.push(Loss {
                file: Arc::clone(self.file),
                span: there.span,
                what: title.to_owned(),
                why: format!("dbt says {}; the contract keeps what it says", shown(value)),
            });
        }
    }
}

/// What of an imported contract the one that is there says by other words, or cannot say.
struct Pruning<'a> {
    /// The contract that is there.
    root: &'a Node,
    removed: Vec<Change<'a>>,
}

impl Pruning<'_> {
    /// Looks through a mapping of the imported contract and the one of the same place; a pointer leads to
    /// the imported one.
    fn mapping(&mut self, pointer: &str, old: &Node, new: &Node) {
        for entry in new.as_mapping().into_iter().flatten() {
            let key = entry.name();
            let below = format!("{pointer}/{}", escaped(key));
            let (Some((_, items)), Some(list)) = (
                LISTS.iter().find(|(known, _)| *known == key),
                entry.value.as_sequence(),
            ) else {
                continue;
            };
            let known = old.get(key).and_then(Node::as_sequence).unwrap_or_default();
            let mut superfluous = Vec::new();
            for (place, item) in list.iter().enumerate() {
                let found = counterpart(*items, known, list, item).map(|place| &known[place]);
                match (found, items) {
                    (Some(found), Items::Named(_)) => {
                        self.mapping(&format!("{below}/{place}"), found, item);
                    }
                    (None, _) if self.is_item_said(old, key, item) => superfluous.push(place),
                    _ => {}
                }
            }
            if superfluous.len() == list.len() {
                self.removed.push(Change::Remove { at: below });
            } else {
                let places = superfluous.iter();
                self.removed.extend(places.map(|place| Change::Remove {
                    at: format!("{below}/{place}"),
                }));
            }
        }
    }

    /// Whether an item of a list is said already, at the place or for the whole contract, or cannot be.
    fn is_item_said(&self, old: &Node, key: &str, item: &Node) -> bool {
        let of_all = |key: &str| {
            let all = self.root.get(key).and_then(Node::as_sequence);
            let item = item.to_json();
            all.into_iter()
                .flatten()
                .any(|known| known.to_json() == item)
        };
        match key {
            "customProperties" => {
                let name = item
                    .get("property")
                    .and_then(Node::as_str)
                    .unwrap_or_default();
                let team = self.root.get("team").and_then(|team| team.get("name"));
                // A contract that is there says itself what dbt is to make of it.
                name.starts_with(SETTINGS)
                    || of_all("customProperties")
                    || name == "owner"
                        && team.and_then(Node::as_str) == item.get("value").and_then(Node::as_str)
            }
            "tags" => of_all("tags"),
            "quality" => VALID.iter().any(|(option, argument)| {
                let stated = old
                    .get("logicalTypeOptions")
                    .and_then(|all| all.get(option));
                let arguments = item.get("arguments");
                (stated.is_some() || old.get(option).is_some())
                    && arguments.is_some_and(|all| all.get(argument).is_some())
            }),
            "relationships" => {
                let ends = |node: &Node| -> Vec<String> {
                    let ends = one_or_more(node, "to").into_iter();
                    ends.map(|end| last(&end.value).to_lowercase()).collect()
                };
                let known = old.get("relationships").and_then(Node::as_sequence);
                let mut known = known.into_iter().flatten();
                known.any(|known| ends(known) == ends(item))
            }
            _ => false,
        }
    }
}

/// The column that a reference ends in.
fn last(reference: &str) -> &str {
    reference.rsplit(['/', '.']).next().unwrap_or(reference)
}

/// Whether a place says by other words what a key of it would say.
fn is_said(old: &Node, entry: &Entry) -> bool {
    match entry.name() {
        // A key says both.
        "required" | "unique" => old.get("primaryKey").and_then(Node::as_bool) == Some(true),
        "primaryKeyPosition" => old.get("primaryKey").is_some(),
        // The type is said, and the warehouse's is made of it.
        "physicalType" => old.get("logicalType").is_some(),
        // As `generate` calls the model of an object that says nothing of it.
        "physicalName" => {
            let name = old.get("name").and_then(Node::as_str).map(slug);
            let stem = entry
                .value
                .as_str()
                .and_then(|name| name.strip_prefix("stg_"));
            stem.is_some() && name.as_deref() == stem
        }
        _ => false,
    }
}

/// The place of what an item of `all` is about among those that are known. Ports of one name are told
/// apart by their versions.
fn counterpart(items: Items, known: &[Node], all: &[Node], item: &Node) -> Option<usize> {
    let version = |node: &Node| node.get("version").map(Node::to_json);
    let is_exact =
        |known: &Node, item: &Node| is_same(items, known, item) && version(known) == version(item);
    let exact = known.iter().position(|known| is_exact(known, item));
    let is_free = |known: &Node| !all.iter().any(|other| is_exact(known, other));
    exact.or_else(|| {
        let mut known = known.iter();
        known.position(|known| is_same(items, known, item) && is_free(known))
    })
}

/// Whether two items of a list are about the same thing.
fn is_same(items: Items, old: &Node, new: &Node) -> bool {
    let word = |node: &Node, key: &str| {
        node.get(key)
            .map(Node::to_json)
            .filter(|value| !value.is_null())
    };
    match items {
        Items::Named(keys) => {
            let texts = |node: &Node| -> Vec<String> {
                let texts = keys.iter().filter_map(|key| node.get(key)?.as_str());
                let settings = node.get("customProperties").and_then(Node::as_sequence);
                let settings = settings.into_iter().flatten();
                let settings = settings.filter(|setting| {
                    let name = setting.get("property").and_then(Node::as_str);
                    name.is_some_and(|name| RESOURCES.contains(&name))
                });
                let resources = settings.filter_map(|setting| setting.get("value")?.as_str());
                texts.chain(resources).map(str::to_lowercase).collect()
            };
            let (old, new) = (texts(old), texts(new));
            old.iter().any(|text| new.contains(text))
        }
        Items::Keyed(keys) => keys.iter().all(|key| word(old, key) == word(new, key)),
        Items::Whole => old.to_json() == new.to_json(),
        Items::Rules => {
            let has_name = word(new, "name").is_some() && word(old, "name") == word(new, "name");
            // Other words for what is measured are older than the standard's.
            let metric = |node: &Node| word(node, "metric").or_else(|| word(node, "rule"));
            let checked = |node: &Node| -> Vec<Option<Json>> {
                let keys = CHECKED.iter().filter(|key| **key != "metric");
                let mut all: Vec<_> = keys.map(|key| word(node, key)).collect();
                all.push(metric(node));
                all
            };
            has_name || checked(old) == checked(new)
        }
    }
}

/// Whether a text begins with another one.
fn begins(text: &Node, start: &Node) -> bool {
    match (text.as_str(), start.as_str()) {
        (Some(text), Some(start)) => text.starts_with(start.trim_end()),
        _ => false,
    }
}

/// A value in a message.
fn shown(value: &Node) -> String {
    let text = value.to_json().to_string();
    if text.chars().count() <= 60 {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(57).collect();
    format!("`{start}…`")
}

/// A key as a part of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_one_name_are_told_apart_by_their_versions() {
        let port = |version: &str, contract: &str| {
            format!("  - {{name: out, version: {version}, contractId: {contract}}}\n")
        };
        let both = format!("outputPorts:\n{}{}", port("1.0.0", "a"), port("2.0.0", "b"));
        let file = SourceFile::new("p.odps.yaml", &both);
        let updated = update(&file, &both).unwrap();
        assert_eq!(updated.text, both);
        assert!(updated.kept.is_empty(), "{:?}", updated.kept);

        let one = format!("outputPorts:\n{}", port("1.0.0", "a"));
        let file = SourceFile::new("p.odps.yaml", &one);
        let updated = update(&file, &both).unwrap();
        assert!(updated.text.contains("2.0.0"), "{}", updated.text);
        assert!(updated.kept.is_empty(), "{:?}", updated.kept);
    }
}
