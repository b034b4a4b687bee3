//! Selection among the resources of properties files, in the syntax of dbt as far as files alone tell:
//! names and globs, `tag:`, `path:`, `source:`, `group:`, `resource_type:`; a blank for either, a comma
//! for both. What needs the graph, such as `+name`, is refused.

use std::collections::BTreeSet;

use globset::GlobBuilder;

use super::Stop;
use super::resources::{Kind, Resource};
use crate::diagnostics::closest;
use crate::document::spanned;
use crate::yaml::Node;

/// The texts of a resource that a method compares.
type Values = fn(&Resource<'_>) -> Vec<String>;

/// The methods that can be written.
const METHODS: &[(&str, Values)] = &[
    ("group", |resource| listed(&resource.settings("group"))),
    ("path", |resource| vec![resource.file.path.clone()]),
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
        let found = intersection(resources, selector)?;
        if found.is_empty() {
            return Err(nothing(resources, selector));
        }
        selected.extend(found);
    }
    if selected.is_empty() && !select.is_empty() {
        return Err(Stop::new("selection", "an empty selector selects nothing"));
    }
    for selector in exclude.iter().flat_map(|text| text.split_whitespace()) {
        for place in intersection(resources, selector)? {
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
fn intersection(resources: &[Resource<'_>], selector: &str) -> Result<BTreeSet<usize>, Stop> {
    let mut parts = selector.split(',').map(|text| part(resources, text));
    let mut all = parts.next().unwrap_or_else(|| Ok(BTreeSet::new()))?;
    for next in parts {
        let next = next?;
        all.retain(|place| next.contains(place));
    }
    Ok(all)
}

/// What one part matches.
fn part(resources: &[Resource<'_>], text: &str) -> Result<BTreeSet<usize>, Stop> {
    if text.starts_with(['+', '@']) || text.ends_with('+') {
        let message = format!(
            "`{text}` asks for the graph, which properties files do not have; name what is to be imported"
        );
        return Err(Stop::new("selection", message));
    }
    let (values, value, is_path) = method(text)?;
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
            || is_path && below.is_some_and(|rest| rest.starts_with('/'))
    };
    let matches = |place: &usize| values(&resources[*place]).iter().any(answers);
    Ok((0..resources.len()).filter(matches).collect())
}

/// The method of a part, its value, and whether it is a path.
fn method(text: &str) -> Result<(Values, &str, bool), Stop> {
    let Some((word, value)) = text.split_once(':') else {
        return Ok(if text.contains('/') {
            (path, text, true)
        } else {
            (names, text, false)
        });
    };
    if let Some((name, values)) = METHODS.iter().find(|(name, _)| *name == word) {
        return Ok((*values, value, *name == "path"));
    }
    let known: Vec<String> = METHODS
        .iter()
        .map(|(name, _)| format!("`{name}:`"))
        .collect();
    let message = format!(
        "`{word}:` in `{text}` is no method that properties files answer; known are {}, and names without any",
        known.join(", ")
    );
    Err(Stop::new("selection", message))
}

fn path(resource: &Resource<'_>) -> Vec<String> {
    vec![resource.file.path.clone()]
}

/// The names of a resource: of a model with and without its version, of a table with its source.
fn names(resource: &Resource<'_>) -> Vec<String> {
    match &resource.kind {
        Kind::Model(None) => vec![resource.name.clone()],
        Kind::Model(Some(version)) => vec![
            resource.name.clone(),
            format!("{}.v{}", resource.name, version.v),
        ],
        Kind::Table(_) => vec![format!("{}.{}", resource.source, resource.name)],
    }
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
    let (values, value) = match method(selector.split(',').next().unwrap_or(selector)) {
        Ok((values, value, _)) => (values, value),
        Err(_) => (names as Values, selector),
    };
    let known: BTreeSet<String> = resources.iter().flat_map(values).collect();
    let nearest = closest(value, known.iter().map(String::as_str)).filter(|near| *near != value);
    let message = match nearest {
        Some(nearest) => format!("nothing matches `{selector}`; did you mean `{nearest}`?"),
        None => format!("nothing matches `{selector}`"),
    };
    Stop::new("selection", message)
}
