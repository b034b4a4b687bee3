//! Primary and partition keys: which properties are in them, and in which order.

use super::element::Site;
use crate::diagnostics::{Diagnostic, rules};
use crate::yaml::{Data, Node};

/// The keys of an object: the flag of a property in it, its position, what it is called.
const KEYS: &[(&str, &str, &str)] = &[
    ("primaryKey", "primaryKeyPosition", "primary key"),
    ("partitioned", "partitionKeyPosition", "partition key"),
];

/// The positions in the keys of an object, which count from 1, each once, for all or for none.
pub(super) fn positions(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    for key in KEYS {
        positions_of(site, *key, findings);
    }
}

fn positions_of(
    site: &Site<'_>,
    (flag, position, key): (&str, &str, &str),
    findings: &mut Vec<Diagnostic>,
) {
    let report = |index: usize, node: &Node, message: String, help: String| {
        let below = format!("/{index}/{position}");
        site.finding(&rules::RULE_KEY_POSITION, node, &below, message)
            .help(help)
    };
    let mut placed: Vec<(i128, &Node, &str)> = Vec::new();
    let mut unplaced = Vec::new();
    for (index, property) in site.items() {
        let name = property
            .get("name")
            .and_then(Node::as_str)
            .unwrap_or_default();
        let stated = property
            .get(position)
            .and_then(|node| Some((node, whole(node)?)))
            // The standard's default says that there is none.
            .filter(|(_, number)| *number != -1);
        let is_part = property.get(flag).and_then(Node::as_bool) == Some(true);
        match (is_part, stated) {
            (false, None) => {}
            (true, None) => unplaced.push((index, property, name)),
            (false, Some((node, number))) => findings.push(report(
                index,
                node,
                format!(
                    "`{}.{name}` has the position {number} in a {key} that it is no part of",
                    site.path()
                ),
                format!("add `{flag}: true`, or remove `{position}`"),
            )),
            (true, Some((node, number))) if number < 1 => findings.push(report(
                index,
                node,
                format!(
                    "`{position}` of `{}.{name}` is {number}, and positions count from 1",
                    site.path()
                ),
                "number the properties of the key 1, 2 and so on".to_owned(),
            )),
            (true, Some((node, number))) => {
                if let Some((_, first, other)) = placed.iter().find(|known| known.0 == number) {
                    let message = format!(
                        "`{other}` and `{name}` of `{}` are both number {number} of the {key}",
                        site.path()
                    );
                    let help = "number the properties of the key 1, 2 and so on".to_owned();
                    let finding = report(index, node, message, help);
                    findings.push(site.also(finding, first, "the first one"));
                }
                placed.push((number, node, name));
            }
        }
    }
    if placed.is_empty() {
        return;
    }
    for (index, property, name) in unplaced {
        let node = property.get(flag).unwrap_or(property);
        findings.push(report(
            index,
            node,
            format!(
                "`{}.{name}` has no position in the {key}, of which other properties have one",
                site.path()
            ),
            format!("add `{position}`; until then it comes last"),
        ));
    }
}

/// A whole number, which may be written `1.0`.
fn whole(node: &Node) -> Option<i128> {
    match node.data {
        Data::Int(number) => Some(number),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a whole number, and out of range it is as wrong as the nearest one in range"
        )]
        Data::Float(number) if number.fract() == 0.0 => Some(number as i128),
        _ => None,
    }
}

/// A part of the primary key that may be null.
pub(super) fn nullable(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    let Some(required) = site.sibling("required") else {
        return;
    };
    if site.value.as_bool() != Some(true) || required.value.as_bool() != Some(false) {
        return;
    }
    let message = format!(
        "`{}` is in the primary key and says `required: false`",
        site.path()
    );
    let finding = required
        .own_finding(&rules::RULE_NULLABLE_KEY, message)
        .fix(required.boolean(true).map(|fix| {
            // It may as well be the key that is wrong.
            fix.title("write `required: true`").when_asked()
        }))
        .help("write `required: true`; a primary key is never null and is tested for that");
    findings.push(site.also(finding, site.value, "the key"));
}

/// Promises about stored columns on a property that is only computed.
pub(super) fn semantic_type(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    const STORED: &[&str] = &["primaryKey", "unique", "required", "partitioned"];
    let Some(kind @ ("measure" | "dimension")) = site.value.as_str() else {
        return;
    };
    for promise in STORED.iter().filter_map(|key| site.sibling(key)) {
        if promise.value.as_bool() != Some(true) {
            continue;
        }
        let key = promise.key;
        let message = format!(
            "`{}` is a {kind}, about which `{key}` can say nothing",
            site.path()
        );
        findings.push(
            promise
                .own_finding(&rules::RULE_SEMANTIC_TYPE, message)
                .help(format!(
                    "remove `{key}`, or `semanticType` if the property is stored; nothing is tested on a {kind}"
                )),
        );
    }
}
