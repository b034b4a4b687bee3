//! The configuration: `contracts/config.yaml` comes in, a [`Config`] goes out, and what is wrong in it.
//!
//! What can be set, and of which kind it is, is one table in [`settings`]; [`read`] goes through the
//! file by it. `schemas/config.json` says the same as JSON Schema.

mod drift;
mod read;
mod settings;

use std::path::Path;
use std::sync::Arc;

use crate::dbt::release::Release;
use crate::diagnostics::{Diagnostic, Severity, SourceFile};
use crate::document::{Spanned, Text};
use crate::file;
use crate::status::Status;
use crate::yaml::{Node, Span};

pub use drift::{Drift, Gate, Policy};

/// Where the configuration stands unless the command line names another file.
pub const DEFAULT_FILE: &str = "contracts/config.yaml";

/// Where it may stand instead.
const OTHER_FILE: &str = "contracts/config.yml";

/// The JSON Schema of the configuration.
pub const SCHEMA: &str = include_str!("../../schemas/config.json");

/// All settings. A text that is a default has an empty span at the beginning of the file.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file that it was read from; `None` where there is none and all is default.
    pub file: Option<Arc<SourceFile>>,
    /// `paths`: where documents are looked for.
    pub paths: Paths,
    /// `dbt`: which warehouse is meant.
    pub dbt: Dbt,
    /// `tests`: which tests are generated.
    pub tests: Tests,
    /// `naming`: what is generated is called.
    pub naming: Naming,
    /// `layout`: where it is written.
    pub layout: Layout,
    /// `types`: what an unstated part of a type means.
    pub types: Types,
    /// `validation`: how strict it is.
    pub validation: Validation,
    /// `rules`: the weight of single rules; of several for one rule the last counts.
    pub rules: Vec<RuleLevel>,
    /// `access`: which models may be read from where.
    pub access: Access,
    /// `model_contracts`: what dbt enforces.
    pub model_contracts: ModelContracts,
    /// `drift`: what becomes of sources that are not as their contract says.
    pub drift: Drift,
    /// `overrides`: other values of some settings for some documents.
    pub overrides: Vec<Override>,
}

impl Config {
    /// Whether any setting is for a selection of documents.
    pub fn has_selections(&self) -> bool {
        !self.overrides.is_empty() || self.rules.iter().any(|rule| rule.select.is_some())
    }

    /// The settings with those of the given `overrides`, by place; of several values the last counts.
    pub fn overridden(&self, overrides: impl IntoIterator<Item = usize>) -> Self {
        let mut config = self.clone();
        for place in overrides {
            config = read::override_with(config, &self.overrides[place]);
        }
        config
    }
}

/// One entry of `rules`.
#[derive(Clone, Debug)]
pub struct RuleLevel {
    /// Code of the rule.
    pub code: &'static str,
    /// Its weight; `None` silences it.
    pub level: Option<Severity>,
    /// The contracts and products in whose files it is; `None` for everywhere.
    pub select: Option<Text>,
}

/// One entry of `overrides`.
#[derive(Clone, Debug)]
pub struct Override {
    /// The contracts and products that it is for.
    pub select: Text,
    /// The whole entry.
    settings: Node,
}

/// Folders, files or globs, relative to the project directory; folders are searched recursively.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Where contracts are.
    pub contracts: Vec<Text>,
    /// Where products are. A document's `kind` says what it is, not the list that found it.
    pub products: Vec<Text>,
}

impl Default for Paths {
    fn default() -> Self {
        Self {
            contracts: vec![default_text("contracts/contracts")],
            products: vec![default_text("contracts/products")],
        }
    }
}

/// What cannot be told from contracts alone.
#[derive(Clone, Debug, Default)]
pub struct Dbt {
    /// The adapter, a word that [`Adapter::parse`](crate::dbt::adapter::Adapter::parse) knows. By default
    /// the profile's target says it, or the contracts' servers.
    pub adapter: Option<Text>,
    /// Which of a contract's servers is meant, by its name or environment.
    pub server: Option<Text>,
    /// The version of dbt whose properties files are written. By default `require-dbt-version` of the
    /// project says it.
    pub version: Option<Release>,
}

/// Which tests are generated.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    /// From where they are taken.
    pub mode: TestMode,
    /// Severity of the tests of quality rules that state none.
    pub default_severity: TestSeverity,
}

/// From where generic tests are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestMode {
    /// From the packages that the project lists where they are exact, else our own.
    #[default]
    Auto,
    /// Our own, written into the project's macros.
    Builtin,
    /// From dbt_utils and dbt_expectations.
    Packages,
}

/// What dbt does when a test fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestSeverity {
    /// The run fails.
    #[default]
    Error,
    /// The run goes on.
    Warn,
}

/// What is generated is called: minijinja templates over `contract` and `object`.
#[derive(Clone, Debug)]
pub struct Naming {
    /// Name of a model.
    pub model: Text,
    /// Name of a source.
    pub source: Text,
    /// Name of a table in a source.
    pub table: Text,
}

impl Default for Naming {
    fn default() -> Self {
        Self {
            model: default_text("stg_{{ object.name | slug }}"),
            source: default_text("{{ contract.name | slug }}"),
            table: default_text("{{ object.name | slug }}"),
        }
    }
}

/// Where artifacts are written: minijinja templates for paths in the project. By default they are
/// below the project's first model, test or macro path.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The properties file of a source contract.
    pub sources: Option<Text>,
    /// The properties file of a model contract.
    pub schema: Option<Text>,
    /// The SQL of a model.
    pub staging: Option<Text>,
    /// The properties file of the groups of all products.
    pub groups: Option<Text>,
    /// The singular test of a quality rule in SQL.
    pub tests: Option<Text>,
    /// The folder of our own generic tests.
    pub macros: Option<Text>,
}

/// What an unstated part of a type means.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// A `number` without precision.
    pub number: NumberType,
    /// A `timestamp` that does not say whether it has a time zone.
    pub timestamp: TimestampType,
}

/// The type of a number without precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberType {
    /// Nothing is assumed: an error where dbt enforces the type, a warning elsewhere.
    #[default]
    ErrorIfEnforced,
    /// A floating-point number.
    Double,
    /// A decimal of that many digits, and that many of them after the point.
    Decimal(u32, u32),
}

/// The type of a timestamp that does not say whether it has a time zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimestampType {
    /// Without.
    #[default]
    Naive,
    /// With.
    Aware,
}

/// How strict validation is.
#[derive(Clone, Debug)]
pub struct Validation {
    /// Weight of a port whose contract is not there; `None` is silence.
    pub cross_reference: Option<Severity>,
    /// The least status: proposed, draft or active.
    pub min_status: Status,
}

impl Default for Validation {
    fn default() -> Self {
        Self {
            cross_reference: Some(Severity::Error),
            min_status: Status::Proposed,
        }
    }
}

/// Which models may be read from where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// dbt's default.
    #[default]
    Off,
    /// A product is a group, and its outputs are public.
    Product,
}

/// Which model contracts dbt enforces.
#[derive(Clone, Debug, Default)]
pub struct ModelContracts {
    /// Every generated model whose contract can be enforced; otherwise those that ask for it.
    pub enforced: bool,
}

/// What came of the file.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The settings; defaults stand in for what could not be read.
    pub config: Config,
    /// The file, where there is one that can be read.
    pub file: Option<Arc<SourceFile>>,
    /// What is wrong in it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads `file`, or [`DEFAULT_FILE`] of the project if it is there.
pub fn load(project_dir: &Path, file: Option<&Path>) -> Loaded {
    let default = || {
        let [default, other] = [DEFAULT_FILE, OTHER_FILE].map(|path| project_dir.join(path));
        let is_other = default.symlink_metadata().is_err() && other.exists();
        if is_other { other } else { default }
    };
    let path = file.map_or_else(default, Path::to_path_buf);
    let shown = file::shown(project_dir, &path);
    // A link that leads nowhere is there, and a mistake.
    if file.is_none() && path.symlink_metadata().is_err() {
        return Loaded::default();
    }
    match file::read(&path, &shown) {
        Ok(file) => read::read(&file),
        Err(refused) => {
            let mut finding = refused.finding;
            if file.is_some() && finding.help.is_none() {
                finding.help = Some("`--config` names the configuration file".into());
            }
            Loaded {
                diagnostics: vec![finding],
                ..Loaded::default()
            }
        }
    }
}

/// A text that no file holds.
fn default_text(text: &str) -> Text {
    Spanned {
        value: text.to_owned(),
        span: Span::default(),
    }
}

#[cfg(test)]
mod tests;
