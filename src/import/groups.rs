//! Which models share a contract: a model comes in, the name of its folder, dbt group or source goes out.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::resources::Resource;
use super::{GroupBy, Input};
use crate::dbt::names::slug;
use crate::document::spanned;
use crate::file;

/// The group of a model.
pub(super) fn group(input: &Input<'_>, resource: &Resource<'_>) -> String {
    let stated = match input.group_by {
        GroupBy::Folder => None,
        GroupBy::Group => resource
            .settings("group")
            .first()
            .and_then(|node| spanned(node))
            .map(|text| text.value),
        GroupBy::Source => only_source(input, &resource.name),
    };
    stated.unwrap_or_else(|| folder(input, &resource.file.path))
}

/// A call that reads a source.
static SOURCES: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a constant pattern, compiled by the tests"
    )]
    Regex::new(r#"\bsource\s*\(\s*['"]([^'"]+)['"]"#).unwrap()
});

/// The one source that the SQL of a model reads.
fn only_source(input: &Input<'_>, model: &str) -> Option<String> {
    let path = input.project.resources.get(model)?;
    let file = file::read(&input.project_dir.join(path), path).ok()?;
    let sources: BTreeSet<&str> = SOURCES
        .captures_iter(&file.text)
        .filter_map(|call| Some(call.get(1)?.as_str()))
        .collect();
    match sources.into_iter().collect::<Vec<_>>()[..] {
        [only] => Some(only.to_owned()),
        _ => None,
    }
}

/// The folder of a properties file below the folder of models, in one word.
fn folder(input: &Input<'_>, path: &str) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = input.project.model_paths.iter().find_map(|models| {
        let rest = folder.strip_prefix(models.trim_end_matches('/'))?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/'))
    });
    let parts = below.unwrap_or(folder).split('/');
    // What leads to a file outside of the project says nothing about its models.
    let parts: Vec<&str> = if path.starts_with('/') || path.starts_with("..") {
        parts.rev().take(1).collect()
    } else {
        parts.collect()
    };
    let words: Vec<String> = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(slug)
        .collect();
    if words.is_empty() {
        "models".to_owned()
    } else {
        words.join("_")
    }
}
