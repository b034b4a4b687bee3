//! `init`: lays out `contracts/`, and a dbt project where there is none. Never overwrites.

mod files;

use serde_json::json;

use super::Context;
use super::pipeline;
use crate::cli::Init;
use crate::dbt::adapter::Adapter;
use crate::dbt::names::slug;
use crate::diagnostics::closest;
use crate::report::{Exit, Failure};
use crate::write::{self, Change, Kind};

/// A file that `init` lays out.
struct File {
    /// Path in the project.
    path: String,
    /// Its text.
    text: String,
}

/// Writes what is missing, and says what to do next.
pub(crate) fn run(context: &Context, arguments: &Init) -> Result<Exit, Failure> {
    let Some(adapter) = Adapter::parse(&arguments.adapter) else {
        let words = || Adapter::ALL.iter().map(|(_, word)| *word);
        let advice = match closest(&arguments.adapter, words()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("known are {}", words().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("no adapter `{}`; {advice}", arguments.adapter);
        return Err(Failure::new("usage", message));
    };
    pipeline::recover(context)?;
    let project = context.project_dir.join("dbt_project.yml").exists();
    let files = if arguments.example {
        files::example()
    } else {
        let name = context
            .project_dir
            .file_name()
            .map(|name| name.to_string_lossy());
        files::scaffold(
            &slug(name.as_deref().unwrap_or("project")),
            adapter,
            project,
        )
    };
    let (there, missing): (Vec<File>, Vec<File>) = files.into_iter().partition(|file| {
        context
            .project_dir
            .join(&file.path)
            .symlink_metadata()
            .is_ok()
    });
    if arguments.example && !there.is_empty() {
        let message = format!(
            "`{}` exists; lay the example out in an empty folder",
            there[0].path
        );
        return Err(Failure::new("usage", message));
    }
    let changes: Vec<Change> = missing
        .into_iter()
        .map(|file| Change {
            path: file.path,
            kind: Kind::Write { text: file.text },
            expected: None,
        })
        .collect();
    write::commit(&context.project_dir, &changes).map_err(|error| pipeline::failure(&error))?;
    for change in &changes {
        context
            .reporter
            .line(&format!("new        {}", change.path));
    }
    for file in &there {
        context.reporter.line(&format!("unchanged  {}", file.path));
    }
    context.reporter.progress(if arguments.example {
        "next: `dbt-contracts generate`, then `dbt seed` and `dbt build --exclude resource_type:seed`"
    } else {
        "next: put ODCS contracts into contracts/contracts, ODPS products into contracts/products, then `dbt-contracts validate`"
    });
    let states = changes.iter().map(|change| (&change.path, "new"));
    let states = states.chain(there.iter().map(|file| (&file.path, "unchanged")));
    let files: Vec<_> = states
        .map(|(path, status)| json!({"path": path, "status": status, "written": status == "new"}))
        .collect();
    context
        .reporter
        .document(true, json!({"files": files}), &[]);
    Ok(Exit::Fine)
}
