//! Files that move: what a contract asks for at another path than before. dbt refuses a project that
//! has it at both.

use std::collections::{BTreeMap, BTreeSet};

use super::lock::{Entry, Lock};
use super::outcome::Choice;
use super::{Options, Outcome, Status};
use crate::plan::Artifact;
use crate::yaml::{self, Limits, Node};

/// The entry of a file that a person moved to where it is planned now.
pub(super) fn by_hand<'a>(
    artifact: &Artifact,
    lock: &'a Lock,
    planned: &BTreeMap<&str, &Artifact>,
    is_absent: impl Fn(&str) -> bool,
) -> Option<&'a Entry> {
    let moved = |(path, entry): &(&String, &Entry)| {
        file_name(path) == file_name(&artifact.path)
            && share(&entry.contracts, &artifact.contracts)
            && !planned.contains_key(path.as_str())
            && is_absent(path)
    };
    lock.files().find(moved).map(|(_, entry)| entry)
}

/// Finds for each new file the orphan that dbt takes for the same. Where a person wrote to that one,
/// the new file is a conflict.
pub(super) fn pair(files: &mut [Outcome], options: Options) {
    if files.iter().all(Outcome::is_planned) {
        return;
    }
    let mut orphans: BTreeMap<String, usize> = BTreeMap::new();
    let unplanned = files.iter().enumerate();
    for (index, outcome) in unplanned.filter(|(_, outcome)| !outcome.is_planned()) {
        let text = outcome.old.as_deref().unwrap_or_default();
        let resources = resources(&outcome.path, text).into_iter();
        orphans.extend(resources.map(|resource| (resource, index)));
    }
    for index in 0..files.len() {
        if files[index].status != Status::New {
            continue;
        }
        let text = files[index].planned_text().unwrap_or_default();
        let places = resources(&files[index].path, text);
        let mut places = places.iter().filter_map(|resource| orphans.get(resource));
        let same = places.find(|old| share(&files[**old].contracts, &files[index].contracts));
        if let Some(old) = same.copied() {
            let (path, is_edited) = (files[old].path.clone(), files[old].is_edited());
            files[old].moves_to(files[index].path.clone());
            files[index].takes_the_place_of(path, is_edited);
            options.decide(&mut files[index]);
        }
    }
}

/// Has the old files follow what is decided about the new ones.
pub(super) fn follow(files: &mut [Outcome]) {
    let decided: BTreeMap<String, Choice> = files
        .iter()
        .filter(|outcome| outcome.is_planned())
        .map(|outcome| (outcome.path.clone(), outcome.choice()))
        .collect();
    for outcome in files {
        let new = outcome.moved_to().and_then(|path| decided.get(path));
        if let Some(choice) = new {
            outcome.choose(*choice);
        }
    }
}

/// What a file declares, in words that tell kinds apart.
fn resources(path: &str, text: &str) -> BTreeSet<String> {
    let name = file_name(path).to_lowercase();
    if let Some(stem) = name.strip_suffix(".sql") {
        return [format!("file {stem}")].into();
    }
    let documents = yaml::parse(text, &Limits::default()).documents;
    let Some(root) = documents.first() else {
        return BTreeSet::new();
    };
    let named = |node: &Node, kind: &str| -> Vec<String> {
        let entries = node.get(kind).and_then(Node::as_sequence);
        let names = entries.into_iter().flatten();
        let names = names.filter_map(|entry| entry.get("name").and_then(Node::as_str));
        names.map(|name| format!("{kind} {name}")).collect()
    };
    let mut found: BTreeSet<String> = ["models", "groups", "macros"]
        .iter()
        .flat_map(|kind| named(root, kind))
        .collect();
    let sources = root.get("sources").and_then(Node::as_sequence);
    for source in sources.into_iter().flatten() {
        let name = source.get("name").and_then(Node::as_str);
        let tables = named(source, "tables").into_iter();
        found.extend(tables.map(|table| format!("{} {table}", name.unwrap_or_default())));
    }
    found
}

/// Whether two files come from one contract, of any version, or both from none.
fn share(left: &[String], right: &[String]) -> bool {
    let id = |contract: &String| {
        let id = contract.rsplit_once('@').map(|(id, _)| id.to_owned());
        id.unwrap_or_else(|| contract.clone())
    };
    let ids: BTreeSet<String> = left.iter().map(id).collect();
    (left.is_empty() && right.is_empty())
        || right.iter().any(|contract| ids.contains(&id(contract)))
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
