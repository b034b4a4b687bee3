//! `import`: what dbt knows to contracts and products. Never overwrites, and adds to what is there only
//! where it is asked to.

mod print;
mod settle;

use std::path::{Path, PathBuf};

use super::{Context, pipeline};
use crate::cli::{GroupModels, Import};
use crate::config::{self, Config};
use crate::dbt::adapter::Adapter;
use crate::dbt::project;
use crate::diagnostics::Severity;
use crate::document::Text;
use crate::file::{self, Files, normalize};
use crate::import::{self, GroupBy, Input, Stop, catalog, manifest};
use crate::report::{Exit, Failure};
use crate::target;
use crate::write::{self, Change};
use print::print;
use settle::{Document, Known, settle};

/// Reads the files, writes the contracts unless one of them is there, and says what was lost.
pub(crate) fn run(context: &Context, arguments: &Import) -> Result<Exit, Failure> {
    if !arguments.dry_run {
        pipeline::recover(context)?;
    }
    let loaded = config::load(&context.project_dir, context.config.as_deref());
    let is_error = |severity| severity == Severity::Error;
    if loaded
        .diagnostics
        .iter()
        .any(|finding| is_error(finding.severity))
    {
        return Err(Failure {
            code: "config",
            message: "the configuration cannot be used".to_owned(),
            diagnostics: loaded.diagnostics,
        });
    }
    let config = loaded.config;
    let (project, _) = project::read(&context.project_dir, &Files::default(), &|_| false);
    let folder = folder(context, arguments, &config)?;
    let paths: Vec<PathBuf> = arguments
        .paths
        .iter()
        .map(|path| normalize(&context.start.join(path)))
        .collect();
    let products = first_folder(&config.paths.products, "products");
    let load = |path: &Option<PathBuf>| {
        let path = path
            .as_ref()
            .map(|path| normalize(&context.start.join(path)))?;
        let shown = file::shown(&context.project_dir, &path);
        Some((path, shown))
    };
    let manifest = load(&arguments.manifest).map(|(path, shown)| manifest::load(&path, &shown));
    let manifest = manifest.transpose()?;
    let catalog = load(&arguments.catalog).map(|(path, shown)| catalog::load(&path, &shown));
    let catalog = catalog.transpose()?;
    let stated = manifest
        .as_ref()
        .and_then(|manifest| manifest.adapter.as_deref());
    let adapter = target::adapter(&config, &project, &[]).ok();
    let known = Known::load(context, &config, &folder);
    let outcome = import::import(&Input {
        project_dir: &context.project_dir,
        project: &project,
        config: &config,
        adapter: adapter.or_else(|| stated.and_then(Adapter::parse)),
        paths: &paths,
        manifest: manifest.as_ref(),
        catalog: catalog.as_ref(),
        select: &arguments.select,
        exclude: &arguments.exclude,
        group_by: match arguments.group_by {
            GroupModels::Source => GroupBy::Source,
            GroupModels::Folder => GroupBy::Folder,
            GroupModels::Group => GroupBy::Group,
        },
        version: arguments.api_version,
        output: &folder,
        known: known.contracts(),
        update: arguments.update,
        products: arguments.products.then_some(&products),
    })?;
    let settled = settle(context, arguments, &known, &outcome)?;
    if !arguments.dry_run {
        let changed = settled
            .documents
            .iter()
            .filter(|document| document.is_changed());
        let writes: Vec<Change> = changed.map(Document::change).collect();
        write::commit(&context.project_dir, &writes).map_err(|error| pipeline::failure(&error))?;
    }
    Ok(print(context, arguments, &outcome, &settled))
}

/// The first folder of a list of places.
fn first_folder(places: &[Text], default: &str) -> String {
    let first = places.first().map_or(default, Text::as_str);
    let is_document = |part: &str| {
        let ending = Path::new(part).extension();
        ending.is_some_and(|ending| ending == "yaml" || ending == "yml")
    };
    // A glob begins with the folder that it looks in; a document is in one.
    let parts = first.trim_start_matches("./").split('/');
    let folder: Vec<&str> = parts
        .take_while(|part| !part.contains(['*', '?', '[', '{']) && !is_document(part))
        .filter(|part| !part.is_empty())
        .collect();
    if folder.is_empty() {
        default.to_owned()
    } else {
        folder.join("/")
    }
}

/// The folder in the project that contracts go to.
fn folder(context: &Context, arguments: &Import, config: &Config) -> Result<String, Failure> {
    let Some(stated) = &arguments.output else {
        return Ok(first_folder(&config.paths.contracts, "contracts"));
    };
    let path = normalize(&context.start.join(stated));
    let project_dir = normalize(&context.project_dir);
    let real = || context.project_dir.canonicalize().ok();
    let inside = path.strip_prefix(&project_dir).map(Path::to_path_buf).ok();
    let inside = inside.or_else(|| path.strip_prefix(real()?).map(Path::to_path_buf).ok());
    let shown = inside.map(|inside| {
        let parts = inside
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        parts.collect::<Vec<_>>().join("/")
    });
    match shown {
        Some(folder) if !folder.is_empty() => Ok(folder),
        Some(_) => Err(Failure::new(
            "usage",
            "contracts need a folder of their own in the project, such as `contracts/contracts`",
        )),
        None => {
            let message = format!(
                "`{}` is not in the project; contracts are part of it",
                stated.display()
            );
            Err(Failure::new("usage", message))
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self {
            code: stop.code,
            message: stop.message,
            diagnostics: stop.diagnostics,
        }
    }
}
