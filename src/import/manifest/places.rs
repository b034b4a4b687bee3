//! Where the resources of a manifest stand: what would describe them comes in, a tree goes out each of
//! whose values stands where the real file has its resource or column, so that losses can be found.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::dbt::properties::Entries;
use crate::diagnostics::SourceFile;
use crate::document::{items, text};
use crate::file;
use crate::import::resources::PropertiesFile;
use crate::import::write;
use crate::yaml::{self, Limits, Node, Span};

/// A file of that path whose resources stand where they do in the real one, as far as it is there.
pub(super) fn placed(project_dir: &Path, path: &str, root: &Entries) -> Option<PropertiesFile> {
    if root.is_empty() {
        return None;
    }
    let text = write::document(&[], root);
    let limits = Limits {
        nodes: usize::MAX,
        ..Limits::default()
    };
    let mut root = yaml::parse(&text, &limits).documents.into_iter().next()?;
    let file =
        file::read(&project_dir.join(path), path).unwrap_or_else(|_| SourceFile::new(path, ""));
    let real = places(&file);
    for (section, list) in root.entries_mut() {
        for node in list.items_mut() {
            place(node, section, &real);
        }
    }
    Some(PropertiesFile { file, root })
}

/// Moves a resource, its columns and its tables to the places that they have in the real file.
fn place(node: &mut Node, section: &str, real: &Places) {
    let name = text(node, "name")
        .map(|name| name.value)
        .unwrap_or_default();
    let key = key(section, &name);
    let nowhere = (Span::default(), BTreeMap::new());
    let (span, columns) = real.get(&key).unwrap_or(&nowhere);
    node.move_to(*span);
    for column in columns_mut(node) {
        let own = text(column, "name").and_then(|name| columns.get(&name.value));
        if let Some(span) = own {
            column.move_to(*span);
        }
    }
    for (_, tables) in node.entries_mut().filter(|(key, _)| *key == "tables") {
        for table in tables.items_mut() {
            place(table, &key, real);
        }
    }
}

/// The places of a file: those of resources by their names, with those of their columns.
type Places = BTreeMap<String, (Span, BTreeMap<String, Span>)>;

fn places(file: &Arc<SourceFile>) -> Places {
    let mut places = Places::new();
    let ending = Path::new(&file.path).extension();
    if ending.is_none_or(|ending| ending != "yml" && ending != "yaml") {
        return places;
    }
    let trees = file::parse(file);
    let Some(root) = trees.documents.first() else {
        return places;
    };
    let columns = |node: &Node| -> Vec<(String, Span)> {
        let versions = items(node, "versions").iter();
        let all = versions.flat_map(|version| items(version, "columns"));
        let all = items(node, "columns").iter().chain(all);
        all.filter_map(|column| text(column, "name"))
            .map(|name| (name.value, name.span))
            .collect()
    };
    for entry in root.as_mapping().into_iter().flatten() {
        for node in entry.value.as_sequence().into_iter().flatten() {
            let Some(name) = text(node, "name") else {
                continue;
            };
            let whole = key(entry.name(), &name.value);
            for table in items(node, "tables") {
                if let Some(own) = text(table, "name") {
                    let columns = columns(table).into_iter().collect();
                    places.insert(key(&whole, &own.value), (own.span, columns));
                }
            }
            let columns = columns(node).into_iter().collect();
            places.insert(whole, (name.span, columns));
        }
    }
    places
}

fn key(above: &str, name: &str) -> String {
    format!("{above}\0{name}")
}

/// The columns of a resource, and of its versions.
fn columns_mut(node: &mut Node) -> Vec<&mut Node> {
    let mut columns = Vec::new();
    for (key, value) in node.entries_mut() {
        match key {
            "columns" => columns.extend(value.items_mut()),
            "versions" => {
                for version in value.items_mut() {
                    columns.extend(columns_mut(version));
                }
            }
            _ => {}
        }
    }
    columns
}
