//! What `generate` would refuse for its name, or since it is there already: selected models and source
//! tables come in, those that it takes go out, without the columns that it does not; the others are losses.

use std::collections::BTreeSet;

use super::Input;
use super::loss::Losses;
use super::resources::{Kind, Resource};
use crate::dbt::adapter::Adapter;
use crate::dbt::identifiers;
use crate::dbt::names::{is_name, is_safe_file_name};
use crate::document::text;

/// Why a resource stays behind.
const NAME: &str =
    "dbt or a file system takes no such name: it is empty, or has blanks, quotes or other marks";

/// Why a column stays behind.
const COLUMN: &str = "its name is empty, or has the quotes that dbt puts around it";

/// Why a second entry stays behind.
const AGAIN: &str = "it is described before, and dbt takes one entry only";

/// Takes out what cannot be generated.
pub(super) fn without<'t>(
    input: &Input<'_>,
    resources: Vec<Resource<'t>>,
    losses: &mut Losses,
) -> Vec<Resource<'t>> {
    let mut kept = Vec::new();
    let mut known = BTreeSet::new();
    for mut resource in resources {
        if !known.insert(resource.title()) {
            losses.add(resource.file, resource.span, resource.title(), AGAIN);
            continue;
        }
        if !is_possible(&resource) {
            losses.add(resource.file, resource.span, resource.title(), NAME);
            continue;
        }
        let title = resource.title();
        let file = resource.file;
        resource.columns.retain(|column| {
            let name = text(column, "name").map_or_else(String::new, |name| name.value);
            let is_possible = is_quotable(input.adapter, &name);
            if !is_possible {
                let what = format!("the column `{name}` of {title}");
                losses.add(file, column.span, what, COLUMN);
            }
            is_possible
        });
        kept.push(resource);
    }
    kept
}

/// Whether `generate` gives a model or table its name.
fn is_possible(resource: &Resource<'_>) -> bool {
    let name = resource.name.as_str();
    match &resource.kind {
        Kind::Table(_) => is_name(&resource.source) && is_name(name),
        Kind::Model(version) => {
            let file = version.as_ref().map_or_else(
                || name.to_owned(),
                |version| format!("{name}_v{}", version.v),
            );
            is_name(name) && is_name(&file) && is_safe_file_name(name) && is_safe_file_name(&file)
        }
    }
}

/// Whether dbt can put a name into SQL.
pub(super) fn is_quotable(adapter: Option<Adapter>, name: &str) -> bool {
    match adapter {
        Some(adapter) => identifiers::survives_dbt(adapter, name),
        None => !name.trim().is_empty() && !name.contains(['"', '`']),
    }
}
