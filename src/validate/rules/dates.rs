//! Dates about the contract itself: when it was made, and who answered for it from when to when.

use super::element::{Site, is_variable};
use super::moment::Moment;
use super::names;
use crate::diagnostics::{Diagnostic, rules};
use crate::yaml::Node;

/// When the contract was made.
pub(super) fn created(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    read(site, site.value, "", "contractCreatedTs", findings);
}

/// When members of the team came and went; since v3.1.0 they stand below `members`.
pub(super) fn team(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    let (key, members) = match site.value.get("members") {
        Some(members) => ("team/members", members),
        None => ("team", site.value),
    };
    let site = &Site {
        element: site.element,
        key,
        value: members,
    };
    for (index, member) in site.items() {
        let mut date = |key: &str| {
            let node = member.get(key)?;
            let below = format!("/{index}/{key}");
            Some((node, read(site, node, &below, key, findings)?))
        };
        let (from, to) = (date("dateIn"), date("dateOut"));
        let (Some((from_node, from)), Some((to_node, to))) = (from, to) else {
            continue;
        };
        if from.is_after(to) == Some(true) {
            let below = format!("/{index}/dateOut");
            let finding = site
                .finding(
                    &rules::RULE_INVALID_DATE,
                    to_node,
                    &below,
                    "a member of the team left before the day of arrival",
                )
                .help("exchange `dateIn` and `dateOut`, or correct one");
            findings.push(site.also(finding, from_node, "the arrival"));
        }
    }
    names::ids(site, findings);
}

/// The date at a node, or the finding that it is none.
fn read(
    site: &Site<'_>,
    node: &Node,
    below: &str,
    key: &str,
    findings: &mut Vec<Diagnostic>,
) -> Option<Moment> {
    let text = node.as_str()?;
    let moment = Moment::parse(text);
    if moment.is_none() && !is_variable(text) {
        let message = format!("`{key}` is no date: `{text}`");
        findings.push(
            site.finding(&rules::RULE_INVALID_DATE, node, below, message)
                .help("write it as ISO 8601 does, such as `2024-12-31`"),
        );
    }
    moment
}
