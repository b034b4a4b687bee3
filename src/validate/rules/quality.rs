//! Quality rules: metrics where they can be measured, with the arguments that they need.

use super::element::{Level, Site};
use super::{pattern, thresholds, values};
use crate::diagnostics::{Diagnostic, Severity, closest, rules, unmistakable};
use crate::document::ApiVersion;
use crate::odcs::SchemaObject;
use crate::yaml::Node;

/// What a metric of the library needs.
struct Metric {
    name: &'static str,
    /// Whether it is measured on an object, and whether on a property.
    on: (bool, bool),
    /// The arguments that it knows.
    arguments: &'static [&'static str],
    /// Whether it needs one of its arguments.
    needs_one: bool,
}

const METRICS: &[Metric] = &[
    Metric {
        name: "nullValues",
        on: (false, true),
        arguments: &[],
        needs_one: false,
    },
    Metric {
        name: "missingValues",
        on: (false, true),
        arguments: &["missingValues"],
        // Null counts as missing in any case.
        needs_one: false,
    },
    Metric {
        name: "invalidValues",
        on: (false, true),
        arguments: &["validValues", "pattern"],
        needs_one: true,
    },
    Metric {
        name: "duplicateValues",
        on: (true, true),
        arguments: &["properties"],
        needs_one: false,
    },
    Metric {
        name: "rowCount",
        on: (true, false),
        arguments: &[],
        needs_one: false,
    },
];

/// The arguments that are lists.
const LISTS: &[&str] = &["missingValues", "validValues", "properties"];

/// The units of a metric; anything else is counted in rows without a word.
const UNITS: &[&str] = &["rows", "row", "percent", "percentage", "%"];

/// The rules on one object or property.
pub(super) fn check(site: &Site<'_>, findings: &mut Vec<Diagnostic>) {
    for (index, node) in site.items() {
        let rule = Rule {
            site,
            node,
            below: format!("/{index}"),
        };
        rule.check(findings);
    }
}

/// One quality rule.
pub(super) struct Rule<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) node: &'a Node,
    /// The way to it from `quality`.
    pub(super) below: String,
}

impl<'a> Rule<'a> {
    fn check(&self, findings: &mut Vec<Diagnostic>) {
        let kind = self.node.get("type").and_then(Node::as_str);
        match kind {
            Some("sql") => {
                thresholds::check(self, None, findings);
                findings.extend(self.relation());
            }
            Some("library") | None => self.library(findings),
            Some(_) => {}
        }
    }

    /// A rule of the library: its metric, its arguments, its unit and its threshold.
    fn library(&self, findings: &mut Vec<Diagnostic>) {
        // The rules of v3.0 were free text.
        let Some(name) = self.node.get("metric") else {
            return;
        };
        let Some(metric) = METRICS
            .iter()
            .find(|metric| Some(metric.name) == name.as_str())
        else {
            return;
        };
        let misplaced = self.level(metric, name);
        // Where it cannot be measured, its arguments do not matter.
        if misplaced.is_none() {
            self.arguments(metric, name, findings);
        }
        findings.extend(misplaced);
        let percent = self.unit(metric, findings);
        thresholds::check(self, Some((metric.name, percent)), findings);
    }

    /// A finding at a value of the rule.
    pub(super) fn finding(
        &self,
        rule: &'static crate::diagnostics::Rule,
        node: &Node,
        key: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let below = format!("{}/{key}", self.below);
        self.site.finding(rule, node, &below, message)
    }

    /// The finding that a metric stands where it cannot be measured.
    fn level(&self, metric: &Metric, node: &Node) -> Option<Diagnostic> {
        let (on_object, on_property) = metric.on;
        let path = self.site.path();
        let is_object = self.site.element.level == Level::Object;
        let (message, help) = if is_object && !on_object && self.argument("properties").is_none() {
            (
                format!(
                    "`{}` is measured on a property, and stands on the object `{path}`",
                    metric.name
                ),
                "move it to `quality` of the property that is meant",
            )
        } else if !is_object && !on_property {
            (
                format!(
                    "`{}` is measured on an object, and stands on the property `{path}`",
                    metric.name
                ),
                "move it to `quality` of the object",
            )
        } else {
            return None;
        };
        let finding = self.finding(&rules::RULE_METRIC_LEVEL, node, "metric", message);
        Some(finding.help(help))
    }

    /// An argument.
    fn argument(&self, name: &str) -> Option<&'a Node> {
        self.node.get("arguments")?.get(name)
    }

    /// The arguments: known, of the right kind, and there where one is needed.
    fn arguments(&self, metric: &Metric, metric_node: &Node, findings: &mut Vec<Diagnostic>) {
        let path = self.site.path();
        let is_object = self.site.element.level == Level::Object;
        let entries = self.node.get("arguments").and_then(Node::as_mapping);
        let mut given = false;
        for entry in entries.into_iter().flatten() {
            let (name, node) = (entry.name(), &entry.value);
            let below = format!("arguments/{name}");
            // Any metric that stands on an object may say which properties it is about.
            let is_known = metric.arguments.contains(&name) || (is_object && name == "properties");
            if !is_known {
                let message = format!("`{}` has no argument `{name}`", metric.name);
                let finding =
                    self.finding(&rules::RULE_METRIC_ARGUMENTS, &entry.key, &below, message);
                let close = closest(name, metric.arguments.iter().copied());
                // What is misspelt is not missing too.
                given |= close.is_some();
                findings.push(match (close, metric.arguments) {
                    (Some(close), known) => finding
                        .fix(
                            unmistakable(name, known.iter().copied())
                                .filter(|only| self.argument(only).is_none())
                                .and_then(|only| {
                                    self.site.renaming(&format!("{}/{below}", self.below), only)
                                }),
                        )
                        .help(format!("did you mean `{close}`?")),
                    (None, []) => finding.help("remove it; the metric takes no arguments"),
                    (None, known) => finding.help(format!(
                        "it takes `{}`; remove this one",
                        known.join("` and `")
                    )),
                });
                continue;
            }
            if LISTS.contains(&name) && node.as_sequence().is_none() {
                let message = format!(
                    "`{name}` of `{}` takes a list, found {}",
                    metric.name,
                    node.kind()
                );
                let finding = self.finding(&rules::RULE_METRIC_ARGUMENTS, node, &below, message);
                findings.push(finding.help("write the values as a list, such as `[a, b]`"));
                given = true;
                continue;
            }
            given |= node.as_sequence().is_none_or(|items| !items.is_empty());
            self.argument_value(name, node, &below, findings);
        }
        let needed = metric.needs_one || (is_object && metric.name == "duplicateValues");
        // What stands beside `arguments` rather than in them is misplaced and not missing.
        let mut names = metric.arguments.iter();
        let is_misplaced = names.any(|name| self.node.get(name).is_some());
        if needed && !given && !is_misplaced {
            let message = format!(
                "`{}` of `{path}` needs `{}` in `arguments`",
                metric.name,
                metric.arguments.join("` or `")
            );
            let finding = self.finding(
                &rules::RULE_METRIC_ARGUMENTS,
                metric_node,
                "metric",
                message,
            );
            findings.push(finding.help(match metric.name {
                "duplicateValues" => "name the properties that are unique together",
                _ => "without either, every value is valid",
            }));
        }
    }

    /// What an argument says.
    fn argument_value(&self, name: &str, node: &Node, below: &str, findings: &mut Vec<Diagnostic>) {
        let items = node.as_sequence().unwrap_or_default();
        match name {
            "pattern" => {
                let below = format!("{}/{below}", self.below);
                findings.extend(pattern::check(self.site, node, &below));
            }
            "validValues" => {
                let values: Vec<(String, &Node)> = items
                    .iter()
                    .enumerate()
                    .map(|(index, node)| (format!("{}/{below}/{index}", self.below), node))
                    .collect();
                values::check(self.site, &values, findings);
                let below = format!("{}/{below}", self.below);
                findings.extend(values::differing(self.site, node, &below));
            }
            "properties" => {
                for (index, node) in items.iter().enumerate() {
                    findings.extend(self.property(node, &format!("{below}/{index}")));
                }
            }
            _ => {}
        }
    }

    /// The schema object that the rule is about.
    fn object(&self) -> Option<&'a SchemaObject> {
        let name = self.site.element.object()?.text("name")?;
        let mut objects = self.site.objects().iter();
        objects.find(|object| object.name.value == name)
    }

    /// The finding that a property is named which the object does not have.
    fn property(&self, node: &Node, below: &str) -> Option<Diagnostic> {
        let (name, object) = (node.as_str()?, self.object()?);
        // What follows a dot is a part of a column.
        let column = name.split_once('.').map_or(name, |(column, _)| column);
        let is_known = object.properties.iter().any(|property| {
            [name, column].contains(&property.name.as_str()) || property.physical() == name
        });
        if is_known {
            return None;
        }
        let message = format!(
            "`{}` has no property `{name}`, which a quality rule names",
            object.name.value
        );
        let known = object
            .properties
            .iter()
            .map(|property| property.name.as_str());
        let finding = self.finding(&rules::REFERENCE_UNKNOWN_PROPERTY, node, below, message);
        Some(match closest(name, known) {
            Some(close) => finding.help(format!("did you mean `{close}`?")),
            None => finding.help("name properties of the object; nothing is tested until then"),
        })
    }

    /// Whether the metric is a share of the rows; a unit that is none is reported.
    fn unit(&self, metric: &Metric, findings: &mut Vec<Diagnostic>) -> bool {
        let Some(node) = self.node.get("unit") else {
            return false;
        };
        let unit = node.as_str().unwrap_or_default();
        let lower = unit.to_lowercase();
        if !UNITS.contains(&lower.as_str()) {
            let message = format!(
                "`{unit}` is no unit of `{}`; it is counted in rows",
                metric.name
            );
            findings.push(
                self.finding(&rules::RULE_METRIC_UNIT, node, "unit", message)
                    .help("write `rows` or `percent`"),
            );
            return false;
        }
        let is_percent = !lower.starts_with("row");
        if is_percent && metric.name == "rowCount" {
            findings.push(
                self.finding(
                    &rules::RULE_METRIC_UNIT,
                    node,
                    "unit",
                    "`rowCount` is a number of rows, and no share of them",
                )
                .help("remove `unit`; nothing is tested until then"),
            );
            return false;
        }
        is_percent
    }

    /// The note that a query is about no relation of the contract.
    fn relation(&self) -> Option<Diagnostic> {
        let node = self.node.get("query")?;
        let query = node.as_str()?;
        let object = self.object()?;
        let is_named = [object.name.as_str(), object.physical()]
            .iter()
            .any(|name| mentions(query, name));
        if query.contains('{') || is_named {
            return None;
        }
        let message = format!(
            "the query of a quality rule of `{}` names neither the object nor a placeholder for it",
            self.site.path()
        );
        let placeholder = if self.site.contract().api_version < ApiVersion::new(3, 1, 0) {
            "${object}"
        } else {
            "{object}"
        };
        Some(
            self.finding(&rules::RULE_QUERY_WITHOUT_RELATION, node, "query", message)
                .help(format!(
                    "select from `{placeholder}`, so that it follows the object"
                ))
                .severity(Severity::Note),
        )
    }
}

/// Whether a query has the last part of a name as a whole word, in any case.
fn mentions(query: &str, name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let query = query.to_lowercase();
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    query.match_indices(&name).any(|(start, found)| {
        let (before, after) = (&query[..start], &query[start + found.len()..]);
        !before.ends_with(in_word) && !after.starts_with(in_word)
    })
}
