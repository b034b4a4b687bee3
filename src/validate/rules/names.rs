//! Names and ids that are given twice among siblings.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::element::{Level, Site};
use crate::diagnostics::{Diagnostic, Rule, Severity, rules};
use crate::yaml::Node;

/// The names of objects, and of the properties of one element.
pub(super) fn names(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    let (noun, owner) = match site.element.level {
        Level::Contract => ("objects", String::new()),
        Level::Object | Level::Property => ("properties", format!(" of `{}`", site.path())),
    };
    for again in repeated(site, "name", str::to_lowercase) {
        let (name, first) = (again.name, again.first_name);
        let finding = |message| again.finding(site, &rules::RULE_DUPLICATE_NAME, message);
        findings.push(if name == first {
            finding(format!("two {noun}{owner} are named `{name}`"))
                .help("rename one of them; a reference could mean either")
        } else if noun == "properties" && are_stored_apart(&again) {
            continue;
        } else {
            finding(format!(
                "the {noun} `{first}` and `{name}`{owner} differ in case only"
            ))
            .severity(Severity::Warning)
            .help("rename one of them; most warehouses do not tell upper from lower case")
        });
    }
}

/// Whether two properties have physical names that differ in more than case.
fn are_stored_apart(again: &Again<'_>) -> bool {
    let physical = |entry: &Node| {
        let name = entry.get("physicalName")?.as_str()?;
        Some(name.to_lowercase())
    };
    match (physical(again.first_entry), physical(again.entry)) {
        (Some(first), Some(second)) => first != second,
        _ => false,
    }
}

/// The names of servers, by which the configuration chooses one.
pub(super) fn servers(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    for again in repeated(site, "server", str::to_owned) {
        let message = format!("two servers are named `{}`", again.name);
        findings.push(
            again
                .finding(site, &rules::RULE_DUPLICATE_NAME, message)
                .severity(Severity::Warning)
                .help("rename one of them, so that `dbt.server` can choose between them"),
        );
    }
}

/// The id of the contract, which everything else knows it by.
pub(super) fn own_id(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    if site.value.as_str().is_some_and(|id| id.trim().is_empty()) {
        findings.push(
            site.own_finding(&rules::RULE_EMPTY_ID, "the `id` of the contract is empty")
                .help(EMPTY_ID_HELP),
        );
    }
}

/// What to do about an empty id.
pub(super) const EMPTY_ID_HELP: &str =
    "give it an id that no other document has and that stays the same over all versions";

/// The ids in a list, where each may stand once.
pub(super) fn ids(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    for again in repeated(site, "id", str::to_owned) {
        let list = site.key.rsplit('/').next().unwrap_or_default();
        let message = format!("two entries of `{list}` have the id `{}`", again.name);
        findings.push(
            again
                .finding(site, &rules::RULE_DUPLICATE_ID, message)
                .help("give one of them another id, unique in this list"),
        );
    }
}

/// The custom properties of an element, which dbt knows by their names.
pub(super) fn custom(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    for (index, entry) in site.items() {
        let Some(node) = entry
            .get("property")
            .filter(|node| node.as_str() == Some(""))
        else {
            continue;
        };
        let below = format!("/{index}/property");
        let finding = site.finding(
            &rules::RULE_CUSTOM_PROPERTY,
            node,
            &below,
            "a custom property has no name",
        );
        findings.push(finding.help("give it a name; until then dbt does not see it"));
    }
    for again in repeated(site, "property", str::to_owned) {
        let message = format!("the custom property `{}` is given twice", again.name);
        findings.push(
            again
                .finding(site, &rules::RULE_CUSTOM_PROPERTY, message)
                .help("remove one of the two, or make its value a list; the last one counts"),
        );
    }
}

/// An entry whose name an earlier one has.
struct Again<'a> {
    name: &'a str,
    node: &'a Node,
    entry: &'a Node,
    /// How the name is reached from the list.
    below: String,
    first_name: &'a str,
    first: &'a Node,
    first_entry: &'a Node,
}

impl Again<'_> {
    /// A finding at the name, which also shows the earlier one.
    fn finding(&self, site: &Site<'_>, rule: &'static Rule, message: String) -> Diagnostic {
        let finding = site.finding(rule, self.node, &self.below, message);
        site.also(finding, self.first, "the first one")
    }
}

/// The entries of a list whose text under `key` an earlier entry has too, as `fold` compares them.
fn repeated<'a>(site: &Site<'a>, key: &str, fold: fn(&str) -> String) -> Vec<Again<'a>> {
    let mut known: BTreeMap<String, (&str, &Node, &Node)> = BTreeMap::new();
    let mut repeated = Vec::new();
    for (index, entry) in site.items() {
        let Some(node) = entry.get(key) else { continue };
        let Some(name) = node.as_str() else { continue };
        match known.entry(fold(name)) {
            Entry::Vacant(place) => {
                place.insert((name, node, entry));
            }
            Entry::Occupied(place) => {
                let (first_name, first, first_entry) = *place.get();
                repeated.push(Again {
                    name,
                    node,
                    entry,
                    below: format!("/{index}/{key}"),
                    first_name,
                    first,
                    first_entry,
                });
            }
        }
    }
    repeated
}
