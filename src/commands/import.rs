//! `import`: properties files of dbt to new contracts. Never overwrites.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Context, pipeline};
use crate::cli::{GroupModels, Import};
use crate::config::{self, Config};
use crate::dbt::project;
use crate::diagnostics::Severity;
use crate::file::normalize;
use crate::import::{self, GroupBy, Imported, Input, Loss, Outcome, Stop};
use crate::merge::diff_of;
use crate::report::{Exit, Failure, output, plural};
use crate::target;
use crate::workspace::{Options, Workspace};
use crate::write::{self, Change, Kind};

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
    let (project, _) = project::read(&context.project_dir);
    let folder = folder(context, arguments, &config)?;
    let paths: Vec<PathBuf> = arguments
        .paths
        .iter()
        .map(|path| normalize(&context.start.join(path)))
        .collect();
    let outcome = import::import(&Input {
        project_dir: &context.project_dir,
        project: &project,
        config: &config,
        adapter: target::adapter(&config, &project, &[]).ok(),
        paths: &paths,
        select: &arguments.select,
        exclude: &arguments.exclude,
        group_by: match arguments.group_by {
            GroupModels::Source => GroupBy::Source,
            GroupModels::Folder => GroupBy::Folder,
            GroupModels::Group => GroupBy::Group,
        },
        version: arguments.api_version,
        output: &folder,
    })?;
    refuse_existing(context, &config, &folder, &outcome.contracts)?;
    if !arguments.dry_run {
        let changes: Vec<Change> = outcome.contracts.iter().map(change).collect();
        write::commit(&context.project_dir, &changes).map_err(|error| pipeline::failure(&error))?;
    }
    Ok(print(context, arguments, &outcome))
}

fn change(contract: &Imported) -> Change {
    Change {
        path: contract.path.clone(),
        kind: Kind::Write {
            text: contract.text.clone(),
        },
        expected: None,
    }
}

/// The folder in the project that contracts go to.
fn folder(context: &Context, arguments: &Import, config: &Config) -> Result<String, Failure> {
    let Some(stated) = &arguments.output else {
        let first = config
            .paths
            .contracts
            .first()
            .map_or("contracts", |path| path.as_str());
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
        return Ok(if folder.is_empty() {
            "contracts".to_owned()
        } else {
            folder.join("/")
        });
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

/// Refuses to write where something stands, and to say anew what a contract of the workspace says.
fn refuse_existing(
    context: &Context,
    config: &Config,
    folder: &str,
    contracts: &[Imported],
) -> Result<(), Failure> {
    let mut there: Vec<String> = contracts
        .iter()
        .filter(|contract| {
            context
                .project_dir
                .join(&contract.path)
                .symlink_metadata()
                .is_ok()
        })
        .map(|contract| format!("`{}`", contract.path))
        .collect();
    let is_below = |path: &str| {
        folder == path || folder.starts_with(&format!("{}/", path.trim_end_matches('/')))
    };
    if config
        .paths
        .contracts
        .iter()
        .any(|path| is_below(path.as_str()))
    {
        let options = Options {
            project_dir: context.project_dir.clone(),
            config: context.config.clone(),
            ..Options::default()
        };
        let known =
            Workspace::load(&options).map_or_else(|_| Vec::new(), |workspace| workspace.contracts);
        for contract in contracts {
            let same = known.iter().find(|known| known.key() == contract.contract);
            let path = same.map(|known| format!("`{}`", known.document.file.path));
            if let Some(path) = path.filter(|path| !there.contains(path)) {
                there.push(format!("{path} (the contract `{}`)", contract.contract));
            }
        }
    }
    if there.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} {} there already, and `import` writes new contracts only; nothing was written. Delete what is to be imported anew, choose another folder with `--output`, or leave its resources out with `--exclude`",
        there.join(", "),
        if there.len() == 1 { "is" } else { "are" },
    );
    Err(Failure::new("exists", message))
}

/// Prints what was written and what was lost.
fn print(context: &Context, arguments: &Import, outcome: &Outcome) -> Exit {
    let reporter = &context.reporter;
    reporter.diagnostics(&outcome.diagnostics);
    if arguments.dry_run && reporter.format.is_text() {
        for contract in &outcome.contracts {
            let patch = diff_of(
                &contract.path,
                None,
                Some(&contract.text),
                reporter.color_output(),
            );
            output(&patch);
        }
    } else {
        for contract in &outcome.contracts {
            reporter.line(&format!("new        {}", contract.path));
        }
    }
    for loss in &outcome.losses {
        reporter.progress(&format!(
            "lost       {}:{}: {}: {}",
            loss.file.path,
            loss.line(),
            loss.what,
            loss.why
        ));
    }
    let conclusion = format!(
        "{} {} into {}; {} lost",
        if arguments.dry_run {
            "would import"
        } else {
            "imported"
        },
        plural(outcome.resources, "model or source table")
            .replace("model or source tables", "models and source tables"),
        plural(outcome.contracts.len(), "contract"),
        outcome.losses.len(),
    );
    // A patch on stdout has nothing behind it.
    if arguments.dry_run {
        reporter.progress(&conclusion);
    } else {
        reporter.conclusion(&conclusion);
    }
    let is_empty = outcome.contracts.is_empty();
    if is_empty {
        let others = match outcome.others {
            0 => String::new(),
            others => format!(
                "; {} without models or sources in the folders",
                plural(others, "YAML file")
            ),
        };
        reporter.progress(&format!("nothing was imported{others}"));
    } else if outcome.contracts.iter().any(|contract| contract.models) {
        reporter.progress("next: name the contracts of models in the output ports of a product, else they are taken for sources; then `dbt-contracts validate`");
    } else {
        reporter.progress("next: `dbt-contracts validate`");
    }
    let failed = is_empty || arguments.strict && !outcome.losses.is_empty();
    let written: Vec<&str> = outcome
        .contracts
        .iter()
        .map(|contract| contract.path.as_str())
        .collect();
    let fields = json!({
        "written": if arguments.dry_run { Vec::new() } else { written.clone() },
        "contracts": outcome.contracts.iter().map(|contract| json!({
            "path": contract.path,
            "contract": contract.contract,
            "kind": if contract.models { "models" } else { "source" },
        })).collect::<Vec<_>>(),
        "losses": outcome.losses.iter().map(loss).collect::<Vec<_>>(),
    });
    reporter.document(!failed, fields, &outcome.diagnostics);
    Exit::findings(failed)
}

fn loss(loss: &Loss) -> serde_json::Value {
    json!({"path": loss.file.path, "line": loss.line(), "what": loss.what, "why": loss.why})
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
