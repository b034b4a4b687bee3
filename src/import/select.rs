//! Selection among models and source tables, in the syntax of dbt: names and globs, `tag:`, `path:`,
//! `source:`, `group:`, `access:`, `config.KEY:`, `fqn:`, `package:`, `resource_type:`; a blank for
//! either, a comma for both. What needs the graph, such as `+name`, `name+2` and `@name`, needs a
//! manifest, and is refused without one.

use std::collections::BTreeSet;

use globset::GlobBuilder;

use super::Stop;
use super::graph::{Graph, Way};
use super::resources::{Kind, Resource};
use crate::diagnostics::closest;
use crate::document::spanned;
use crate::yaml::Node;

/// The texts of a resource that a method compares.
type Values = fn(&Resource<'_>) -> Vec<String>;

/// The methods that can be written.
const METHODS: &[(&str, Values)] = &[
    ("access", |resource| listed(&resource.settings("access"))),
    ("fqn", names),
    ("group", |resource| listed(&resource.settings("group"))),
    ("package", |resource| {
        let fqn = resource.said.map(|said| &said.fqn);
        fqn.and_then(|fqn| fqn.first())
            .cloned()
            .into_iter()
            .collect()
    }),
    ("path", path),
    ("resource_type", |resource| {
        vec![
            if matches!(resource.kind, Kind::Model(_)) {
                "model"
            } else {
                "source"
            }
            .to_owned(),
        ]
    }),
    ("source", |resource| match resource.kind {
        Kind::Model(_) => Vec::new(),
        Kind::Table(_) => vec![
            resource.source.clone(),
            format!("{}.{}", resource.source, resource.name),
        ],
    }),
    ("tag", tags),
];

/// The places of the resources that `select` takes and `exclude` leaves. No selection takes all.
pub(super) fn select(
    resources: &[Resource<'_>],
    graph: Option<&Graph<'_>>,
    select: &[String],
    exclude: &[String],
) -> Result<BTreeSet<usize>, Stop> {
    let all = || (0..resources.len()).collect();
    let mut selected: BTreeSet<usize> = if select.is_empty() {
        all()
    } else {
        BTreeSet::new()
    };
    for selector in select.iter().flat_map(|text| text.split_whitespace()) {
        let found = intersection(resources, graph, selector)?;
        if found.is_empty() {
            return Err(nothing(resources, selector));
        }
        selected.extend(found);
    }
    if selected.is_empty() && !select.is_empty() {
        return Err(Stop::new("selection", "an empty selector selects nothing"));
    }
    for selector in exclude.iter().flat_map(|text| text.split_whitespace()) {
        for place in intersection(resources, graph, selector)? {
            selected.remove(&place);
        }
    }
    if selected.is_empty() && !resources.is_empty() {
        let message = format!("nothing is left without `{}`", exclude.join(" "));
        return Err(Stop::new("selection", message));
    }
    Ok(selected)
}

/// What all parts of a selector match.
fn intersection(
    resources: &[Resource<'_>],
    graph: Option<&Graph<'_>>,
    selector: &str,
) -> Result<BTreeSet<usize>, Stop> {
    let mut parts = selector.split(',').map(|text| part(resources, graph, text));
    let mut all = parts.next().unwrap_or_else(|| Ok(BTreeSet::new()))?;
    for next in parts {
        let next = next?;
        all.retain(|place| next.contains(place));
    }
    Ok(all)
}

/// What one part matches, with its neighbours where it asks for them.
fn part(
    resources: &[Resource<'_>],
    graph: Option<&Graph<'_>>,
    text: &str,
) -> Result<BTreeSet<usize>, Stop> {
    let (steps, named) = steps(text);
    let found = matching(resources, named)?;
    if steps == Steps::default() {
        return Ok(found);
    }
    let Some(graph) = graph else {
        let message = format!(
            "`{text}` asks for the graph, which properties files do not have; give `--manifest`, or name what is to be imported"
        );
        return Err(Stop::new("selection", message));
    };
    let start: BTreeSet<&str> = found
        .iter()
        .filter_map(|place| resources[*place].id)
        .collect();
    let mut ids = BTreeSet::new();
    if let Some(steps) = steps.up {
        ids.extend(graph.reach(&start, Way::Up, steps));
    }
    if let Some(steps) = steps.down {
        ids.extend(graph.reach(&start, Way::Down, steps));
    }
    if steps.closed {
        let below = graph.reach(&start, Way::Down, usize::MAX);
        ids.extend(graph.reach(&below, Way::Up, usize::MAX));
    }
    let is_reached = |place: &usize| {
        found.contains(place) || resources[*place].id.is_some_and(|id| ids.contains(id))
    };
    Ok((0..resources.len()).filter(is_reached).collect())
}

/// How far a part asks for the neighbours of what it matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Steps {
    up: Option<usize>,
    down: Option<usize>,
    /// `@`: what is made of it, with all that that is made of.
    closed: bool,
}

/// The steps of a part, and the part without them: `2+name+`, `@name`.
fn steps(text: &str) -> (Steps, &str) {
    let mut steps = Steps::default();
    if let Some(rest) = text.strip_prefix('@') {
        steps.closed = true;
        return (steps, rest);
    }
    let number = |digits: &str| match digits {
        "" => Some(usize::MAX),
        digits => digits.parse().ok(),
    };
    let mut rest = text;
    if let Some((digits, after)) = rest.split_once('+')
        && let Some(up) = number(digits)
    {
        steps.up = Some(up);
        rest = after;
    }
    if let Some((before, digits)) = rest.rsplit_once('+')
        && let Some(down) = number(digits)
    {
        steps.down = Some(down);
        rest = before;
    }
    (steps, rest)
}

/// What a part without steps matches.
fn matching(resources: &[Resource<'_>], text: &str) -> Result<BTreeSet<usize>, Stop> {
    let (method, value) = method(text)?;
    if value.is_empty() {
        return Err(Stop::new(
            "selection",
            format!("`{text}` selects by nothing"),
        ));
    }
    let glob = GlobBuilder::new(value).literal_separator(false).build();
    let glob =
        glob.map_err(|error| Stop::new("selection", format!("`{value}` is no pattern: {error}")))?;
    let glob = glob.compile_matcher();
    let answers = |candidate: &String| {
        // A folder selects what is below it.
        let below = candidate.strip_prefix(value.trim_end_matches('/'));
        candidate == value
            || glob.is_match(candidate)
            || method == Method::Path && below.is_some_and(|rest| rest.starts_with('/'))
    };
    let matches = |place: &usize| method.values(&resources[*place]).iter().any(answers);
    Ok((0..resources.len()).filter(matches).collect())
}

/// What a part compares with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method<'t> {
    Name,
    Path,
    /// One of the table.
    Other(&'static str),
    /// A setting, by its key.
    Config(&'t str),
}

impl Method<'_> {
    fn values(self, resource: &Resource<'_>) -> Vec<String> {
        match self {
            Self::Name => names(resource),
            Self::Path => path(resource),
            Self::Config(key) => {
                let stated: Vec<&Node> = resource.settings(key).into_iter().take(1).collect();
                // What dbt sets by itself nobody has stated.
                let resolved = resource.said.and_then(|said| said.config(key)?.as_str());
                match resolved {
                    Some(word) if stated.is_empty() => vec![word.to_owned()],
                    _ => listed(&stated),
                }
            }
            Self::Other(word) => {
                let known = METHODS.iter().find(|(name, _)| *name == word);
                known.map_or_else(Vec::new, |(_, values)| values(resource))
            }
        }
    }
}

/// The method of a part, and its value.
fn method(text: &str) -> Result<(Method<'_>, &str), Stop> {
    let Some((word, value)) = text.split_once(':') else {
        let is_path = text.contains('/');
        return Ok((if is_path { Method::Path } else { Method::Name }, text));
    };
    if word == "path" {
        return Ok((Method::Path, value));
    }
    if let Some(key) = word.strip_prefix("config.") {
        return Ok((Method::Config(key), value));
    }
    if let Some((name, _)) = METHODS.iter().find(|(name, _)| *name == word) {
        return Ok((Method::Other(name), value));
    }
    let known: Vec<String> = METHODS
        .iter()
        .map(|(name, _)| format!("`{name}:`"))
        .collect();
    let message = format!(
        "`{word}:` in `{text}` is no method that is known here; known are {}, `config.KEY:`, and names without any",
        known.join(", ")
    );
    Err(Stop::new("selection", message))
}

/// The files that describe and define a resource.
fn path(resource: &Resource<'_>) -> Vec<String> {
    let defined = resource.said.map(|said| said.file.clone());
    let mut paths = vec![resource.file.path.clone()];
    paths.extend(defined.filter(|path| *path != resource.file.path));
    paths
}

/// The names of a resource: of a model with and without its version, of a table with its source. A
/// manifest knows the folders that they are in too.
fn names(resource: &Resource<'_>) -> Vec<String> {
    let mut names = match &resource.kind {
        Kind::Model(None) => vec![resource.name.clone()],
        Kind::Model(Some(version)) => vec![
            resource.name.clone(),
            format!("{}.v{}", resource.name, version.v),
        ],
        Kind::Table(_) => vec![format!("{}.{}", resource.source, resource.name)],
    };
    if let Some(said) = resource.said {
        for first in 0..said.fqn.len().min(2) {
            let parts = &said.fqn[first..];
            names.extend((1..=parts.len()).map(|length| parts[..length].join(".")));
        }
    }
    names
}

/// The tags of a resource, and those of its source.
fn tags(resource: &Resource<'_>) -> Vec<String> {
    let mut nodes = resource.settings("tags");
    if let Kind::Table(source) = resource.kind {
        let under = source.get("config").and_then(|config| config.get("tags"));
        nodes.extend([under, source.get("tags")].into_iter().flatten());
    }
    listed(&nodes)
}

fn listed(nodes: &[&Node]) -> Vec<String> {
    let nodes = nodes
        .iter()
        .flat_map(|node| node.as_sequence().unwrap_or(std::slice::from_ref(*node)));
    nodes.filter_map(spanned).map(|text| text.value).collect()
}

/// That nothing answers to a selector, with names like it.
fn nothing(resources: &[Resource<'_>], selector: &str) -> Stop {
    let (_, first) = steps(selector.split(',').next().unwrap_or(selector));
    let (method, value) = method(first).unwrap_or((Method::Name, first));
    let known: BTreeSet<String> = resources
        .iter()
        .flat_map(|resource| method.values(resource))
        .collect();
    let nearest = closest(value, known.iter().map(String::as_str)).filter(|near| *near != value);
    let message = match nearest {
        Some(nearest) => format!("nothing matches `{selector}`; did you mean `{nearest}`?"),
        None => format!("nothing matches `{selector}`"),
    };
    Stop::new("selection", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stand_around_a_name() {
        let all = Some(usize::MAX);
        for (text, up, down, closed, rest) in [
            ("orders", None, None, false, "orders"),
            ("+orders", all, None, false, "orders"),
            ("orders+", None, all, false, "orders"),
            ("2+orders+1", Some(2), Some(1), false, "orders"),
            ("@orders", None, None, true, "orders"),
            ("1+tag:a", Some(1), None, false, "tag:a"),
            ("a+b", None, None, false, "a+b"),
        ] {
            let expected = Steps { up, down, closed };
            assert_eq!(steps(text), (expected, rest), "{text}");
        }
    }
}
