//! What becomes of each imported document: a new file, or an update of the one that is there.

use std::sync::Arc;

use super::super::Context;
use crate::cli::Import;
use crate::config::Config;
use crate::diagnostics::SourceFile;
use crate::discovery::Texts;
use crate::import::update::update;
use crate::import::{Loss, Outcome};
use crate::merge::Digest;
use crate::odcs::Contract;
use crate::odps::Product;
use crate::report::Failure;
use crate::workspace::{Options, Workspace};
use crate::write::{Change, Kind};

/// An imported document.
pub(super) struct Document {
    pub(super) path: String,
    /// The new text.
    pub(super) text: String,
    /// The file that is there, with its text.
    pub(super) old: Option<Arc<SourceFile>>,
    /// `id@version` of a contract, the id of a product.
    pub(super) id: String,
    pub(super) is_product: bool,
    /// Whether its objects are models.
    pub(super) models: bool,
}

/// How many of the files that are there already a message names.
const MOST: usize = 5;

/// All documents, what files keep, and what is in products that are there already.
pub(super) struct Settled {
    pub(super) documents: Vec<Document>,
    pub(super) kept: Vec<Loss>,
    pub(super) covered: Vec<String>,
}

impl Document {
    /// Whether the file will be another one.
    pub(super) fn is_changed(&self) -> bool {
        self.old.as_ref().is_none_or(|old| *old.text != *self.text)
    }

    /// `new`, `modified` or `unchanged`.
    pub(super) fn status(&self) -> &'static str {
        match (&self.old, self.is_changed()) {
            (None, _) => "new",
            (Some(_), true) => "modified",
            (Some(_), false) => "unchanged",
        }
    }

    pub(super) fn change(&self) -> Change {
        Change {
            path: self.path.clone(),
            kind: Kind::Write {
                text: self.text.clone(),
            },
            expected: self.old.as_ref().map(|old| Digest::of(old.text.as_bytes())),
        }
    }
}

/// What the workspace has already.
pub(super) struct Known {
    workspace: Option<Workspace>,
    /// Whether contracts go where the workspace has its own.
    is_ours: bool,
}

impl Known {
    /// Loads it, as far as it can be.
    pub(super) fn load(context: &Context, config: &Config, folder: &str) -> Self {
        let is_below = |path: &str| {
            folder == path || folder.starts_with(&format!("{}/", path.trim_end_matches('/')))
        };
        let mut paths = config.paths.contracts.iter();
        let options = Options {
            project_dir: context.project_dir.clone(),
            config: context.config.clone(),
            ..Options::default()
        };
        Self {
            workspace: Workspace::load(&options).ok(),
            is_ours: paths.any(|path| is_below(path.as_str())),
        }
    }

    /// Its contracts; none where others of the same ids may be written elsewhere.
    pub(super) fn contracts(&self) -> &[Contract] {
        let workspace = self.workspace.as_ref().filter(|_| self.is_ours);
        workspace.map_or(&[], |workspace| &workspace.contracts)
    }

    fn products(&self) -> &[Product] {
        let workspace = self.workspace.as_ref();
        workspace.map_or(&[], |workspace| &workspace.products)
    }
}

/// Works out every document. Nothing is to be written where something stands that is not to be
/// updated, or that a contract of the workspace says elsewhere.
pub(super) fn settle(
    context: &Context,
    arguments: &Import,
    known: &Known,
    outcome: &Outcome,
) -> Result<Settled, Failure> {
    let (known, products) = (known.contracts(), known.products());
    let mut settled = Settled {
        documents: Vec::new(),
        kept: Vec::new(),
        covered: Vec::new(),
    };
    let mut there = Vec::new();
    for contract in &outcome.contracts {
        let same = known.iter().find(|known| known.key() == contract.contract);
        settled.add(
            context,
            arguments.update,
            same.map(|same| &same.document.file),
            Document {
                path: contract.path.clone(),
                text: contract.text.clone(),
                old: None,
                id: contract.contract.clone(),
                is_product: false,
                models: contract.models,
            },
            &mut there,
        )?;
    }
    for product in &outcome.products {
        let same = products.iter().find(|known| known.id.value == product.id);
        let is_output = |id: &String| products.iter().any(|known| outputs(known, id));
        if same.is_none() && product.outputs.iter().all(is_output) {
            settled.covered.push(product.id.clone());
            continue;
        }
        settled.add(
            context,
            arguments.update,
            same.map(|same| &same.document.file),
            Document {
                path: product.path.clone(),
                text: product.text.clone(),
                old: None,
                id: product.id.clone(),
                is_product: true,
                models: false,
            },
            &mut there,
        )?;
    }
    if there.is_empty() {
        validate(context, &settled)?;
        return Ok(settled);
    }
    let further = there.len().saturating_sub(MOST);
    let are = if there.len() == 1 { "is" } else { "are" };
    if further > 0 {
        there.truncate(MOST);
        there.push(format!("and {further} more"));
    }
    let message = format!(
        "{} {are} there already, and `import` writes new files only; nothing was written. Add to them with `--update`, delete what is to be imported anew, choose another folder with `--output`, or leave resources out with `--exclude`",
        there.join(", "),
    );
    Err(Failure::new("exists", message))
}

/// Refuses updates with which a document has an error that it did not have before.
fn validate(context: &Context, settled: &Settled) -> Result<(), Failure> {
    let updated = settled.documents.iter();
    let updated = updated.filter(|document| document.old.is_some() && document.is_changed());
    let texts: Texts = updated
        .map(|document| {
            let new = SourceFile::new(document.path.as_str(), document.text.as_str());
            (document.path.clone(), new)
        })
        .collect();
    if texts.is_empty() {
        return Ok(());
    }
    match context.new_errors(texts)?.first() {
        None => Ok(()),
        Some((path, message)) => {
            let message = format!(
                "`{path}` would not be valid any more: {message}; nothing was written. Leave its resources out with `--exclude`"
            );
            Err(Failure::new("update", message))
        }
    }
}

/// Whether a product outputs the contract of that id.
fn outputs(product: &Product, id: &str) -> bool {
    let mut ports = product.output_ports.iter();
    ports.any(|port| {
        port.contract_id
            .as_ref()
            .is_some_and(|known| known.value == id)
    })
}

impl Settled {
    /// Adds a document; `same` is the file that says it already, to which an update adds what it does
    /// not say.
    fn add(
        &mut self,
        context: &Context,
        is_update: bool,
        same: Option<&Arc<SourceFile>>,
        mut document: Document,
        there: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let path = context.project_dir.join(&document.path);
        match same {
            Some(file) if is_update => {
                let updated = update(file, &document.text)
                    .map_err(|why| Failure::new("update", format!("`{}` {why}", file.path)))?;
                self.kept.extend(updated.kept);
                document.path.clone_from(&file.path);
                document.text = updated.text;
                document.old = Some(Arc::clone(file));
            }
            _ if path.symlink_metadata().is_ok() => there.push(format!("`{}`", document.path)),
            Some(file) => {
                let what = if document.is_product {
                    "product"
                } else {
                    "contract"
                };
                there.push(format!("`{}` (the {what} `{}`)", file.path, document.id));
            }
            None => {}
        }
        self.documents.push(document);
        Ok(())
    }
}
