//! What is made of what, by a manifest: resources and unique ids come in, what they reach goes out.

use std::collections::{BTreeMap, BTreeSet};

use super::manifest::Manifest;
use super::resources::{Kind, Resource};

/// The lineage of a project.
#[derive(Debug)]
pub(super) struct Graph<'m> {
    parents: BTreeMap<&'m str, Vec<&'m str>>,
    children: BTreeMap<&'m str, Vec<&'m str>>,
}

/// Which way edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To what it is made of.
    Up,
    /// To what is made of it.
    Down,
}

impl<'m> Graph<'m> {
    pub(super) fn new(manifest: &'m Manifest) -> Self {
        let mut graph = Self {
            parents: BTreeMap::new(),
            children: BTreeMap::new(),
        };
        // A test reads a model, and nothing is made of a test.
        let nodes = manifest.nodes.iter();
        for (id, node) in nodes.filter(|(_, node)| node.kind != "test") {
            for parent in &node.parents {
                graph.parents.entry(id).or_default().push(parent);
                graph.children.entry(parent).or_default().push(id);
            }
        }
        graph
    }

    /// What is one step away.
    pub(super) fn next(&self, id: &str, way: Way) -> &[&'m str] {
        let edges = match way {
            Way::Up => &self.parents,
            Way::Down => &self.children,
        };
        edges.get(id).map_or(&[], Vec::as_slice)
    }

    /// What up to so many steps lead to from `start`, which belongs to it.
    pub(super) fn reach(
        &self,
        start: &BTreeSet<&'m str>,
        way: Way,
        steps: usize,
    ) -> BTreeSet<&'m str> {
        let mut found = start.clone();
        let mut open = start.clone();
        for _ in 0..steps {
            let next = open.iter().flat_map(|id| self.next(id, way));
            open = next.copied().filter(|id| !found.contains(id)).collect();
            if open.is_empty() {
                break;
            }
            found.extend(&open);
        }
        found
    }
}

/// Tells resources what the manifest says of them: those of its own project by name.
pub(super) fn identify<'m>(manifest: &'m Manifest, resources: &mut [Resource<'m>]) {
    let mut ids: BTreeMap<(bool, &str, &str, String), &str> = BTreeMap::new();
    for (id, node) in &manifest.nodes {
        let Some(said) = &node.said else {
            continue;
        };
        let is_model = node.kind == "model";
        if !is_model && node.kind != "source" {
            continue;
        }
        let source = said.text("source_name").unwrap_or_default();
        let version = said.field("version").map(|version| match version.as_str() {
            Some(text) => text.to_owned(),
            None => version.to_string(),
        });
        let key = (
            is_model,
            source,
            node.name.as_str(),
            version.unwrap_or_default(),
        );
        ids.insert(key, id);
    }
    for resource in resources {
        let (is_model, version) = match &resource.kind {
            Kind::Model(Some(version)) => (true, version.v.as_str()),
            Kind::Model(None) => (true, ""),
            Kind::Table(_) => (false, ""),
        };
        let key = (
            is_model,
            resource.source.as_str(),
            resource.name.as_str(),
            version.to_owned(),
        );
        let id = ids.get(&key).copied();
        resource.id = id;
        resource.said = id.and_then(|id| manifest.nodes.get(id)?.said.as_deref());
    }
}
