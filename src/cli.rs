//! The command line: what can be asked, in clap's terms.

use std::path::PathBuf;

use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum};

use crate::config::Policy;
use crate::document::ApiVersion;
use crate::import;
use crate::status::Status;

/// Exit codes, as `--help` shows them.
const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  findings: errors in documents, differences, conflicts
  2  could not run: wrong arguments or configuration, nothing to work on, I/O";

/// Data contracts (ODCS) and data products (ODPS) as the source of truth of a dbt project.
#[derive(Debug, Parser)]
#[command(name = "dbt-contracts", version, after_help = EXIT_CODES)]
pub struct Cli {
    /// What applies to every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The dbt project [default: the nearest parent folder with a dbt_project.yml, else this folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub project_dir: Option<PathBuf>,
    /// Another configuration than contracts/config.yaml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Form of findings and results; each command says which it has
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Colours in text for people
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Print only errors and the result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print notes too, and the schemas that documents were checked against
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    pub verbose: bool,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// With the lines of the file, for people
    Human,
    /// One line for each finding, for editors and grep
    Short,
    /// Exactly one JSON document on stdout, for programs
    Json,
    /// Workflow commands of GitHub Actions, shown beside the lines of a pull request
    Github,
    /// One SARIF 2.1.0 log on stdout, for code scanning
    Sarif,
    /// Tables in Markdown, for pull requests and the summary of a workflow
    Markdown,
}

impl Format {
    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Short => "short",
            Self::Json => "json",
            Self::Github => "github",
            Self::Sarif => "sarif",
            Self::Markdown => "markdown",
        }
    }

    /// Whether results are text; otherwise stdout is one document.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Human | Self::Short | Self::Github)
    }
}

/// When text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lay out contracts/ with a commented configuration, and a dbt project where there is none
    Init(Init),
    /// Check contracts and products: schema, cross references, status
    Validate(Validate),
    /// Show what every contract is in dbt: a source, a model, or a ref to another product's output
    Lineage(Lineage),
    /// Write new dbt files and safe updates; leave what was edited by hand alone
    Generate(Generate),
    /// Show what sync would write; exit code 1 when there is something to do
    Diff(Diff),
    /// Bring the dbt files in step with the contracts
    Sync(Sync),
    /// Make contracts of the properties files that a dbt project has
    Import(Import),
    /// Compare the columns that a source has with those of its contract, before anything is loaded
    Drift(Drift),
    /// Print a JSON Schema that editors can use
    Schema(Schema),
    /// Explain the code of a finding
    Explain(Explain),
    /// Print the completions of a shell
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}

/// What commands print that are about findings.
const FINDINGS: &[Format] = &[
    Format::Human,
    Format::Short,
    Format::Json,
    Format::Github,
    Format::Sarif,
];

/// The same, and a summary for people who read it in a browser.
const DRIFT: &[Format] = &[
    Format::Human,
    Format::Short,
    Format::Json,
    Format::Github,
    Format::Sarif,
    Format::Markdown,
];

impl Command {
    /// The word on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::Validate(_) => "validate",
            Self::Lineage(_) => "lineage",
            Self::Generate(_) => "generate",
            Self::Diff(_) => "diff",
            Self::Sync(_) => "sync",
            Self::Import(_) => "import",
            Self::Drift(_) => "drift",
            Self::Schema(_) => "schema",
            Self::Explain(_) => "explain",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }

    /// The formats that make sense for it, the default first.
    pub fn formats(&self) -> &'static [Format] {
        match self {
            Self::Validate(_) | Self::Generate(_) | Self::Diff(_) | Self::Sync(_) => FINDINGS,
            Self::Drift(_) => DRIFT,
            Self::Init(_)
            | Self::Lineage(_)
            | Self::Import(_)
            | Self::Schema(_)
            | Self::Explain(_) => &[Format::Human, Format::Json],
            Self::Completions(_) | Self::Man(_) => &[Format::Human],
        }
    }
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Adapter of the new configuration and profile
    #[arg(long, value_name = "ADAPTER", default_value = "duckdb")]
    pub adapter: String,
    /// Lay out a complete example project instead
    #[arg(long)]
    pub example: bool,
}

/// Which contracts a command works on.
#[derive(Clone, Debug, Args)]
pub struct Selection {
    /// Contracts to work on, in dbt's syntax: names and globs, tag: contract: product: domain:
    /// status: source: path:, +upstream, downstream+, `a,b` for both, a blank for either
    #[arg(short, long, value_name = "SELECTOR", num_args = 1..)]
    pub select: Vec<String>,
    /// Contracts to leave out, in the same syntax
    #[arg(long, value_name = "SELECTOR", num_args = 1..)]
    pub exclude: Vec<String>,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("fixing").args(["fix", "diff"]).multiple(true))]
pub struct Validate {
    /// Report on these files and folders only; they may lie outside the configured ones
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Least status of every document
    #[arg(long, value_name = "STATUS", value_parser = status)]
    pub min_status: Option<Status>,
    /// Exit with 1 on warnings too
    #[arg(long)]
    pub deny_warnings: bool,
    /// Correct what can only have been meant otherwise, then report what remains
    #[arg(long)]
    pub fix: bool,
    /// Correct also what may have been meant as it is
    #[arg(long, requires = "fixing")]
    pub unsafe_fixes: bool,
    /// Print what --fix would change as a patch, and write nothing; exit with 1 if there is any
    #[arg(long, visible_alias = "dry-run")]
    pub diff: bool,
}

/// Arguments of `lineage`.
#[derive(Debug, Args)]
pub struct Lineage {
    /// Which contracts.
    #[command(flatten)]
    pub selection: Selection,
    /// Form of the output
    #[arg(long = "as", value_enum, default_value_t = LineageForm::Tree)]
    pub form: LineageForm,
}

/// Forms of `lineage`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LineageForm {
    /// Products with their ports, for people.
    Tree,
    /// For programs; the same as --format json.
    Json,
}

/// Arguments of `generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// Which contracts.
    #[command(flatten)]
    pub selection: Selection,
    /// Write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// Which contracts.
    #[command(flatten)]
    pub selection: Selection,
    /// Show what sync --force would write
    #[arg(long)]
    pub force: bool,
    /// Count lines per file instead
    #[arg(long, conflicts_with = "name_only")]
    pub stat: bool,
    /// Print paths only
    #[arg(long)]
    pub name_only: bool,
}

/// Arguments of `sync`.
#[derive(Debug, Args)]
pub struct Sync {
    /// Which contracts.
    #[command(flatten)]
    pub selection: Selection,
    /// Take the contract's side everywhere, over edits by hand
    #[arg(long)]
    pub force: bool,
    /// Keep what was edited by hand and record that this is meant, so that it is no conflict any more
    #[arg(long, conflicts_with = "force")]
    pub keep_mine: bool,
    /// Delete what was generated and no contract asks for any more, unless somebody edited it
    #[arg(long)]
    pub prune: bool,
    /// Write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What `import --help` adds.
const IMPORT: &str = "\
A source becomes one contract, and so do the models of a folder (see --group-by); what `generate`
wrote returns to the contract that it came from. Tests become keys, required columns, options,
relationships and quality rules where those promise exactly the same, and rules of the engine `dbt`
where they do not. Everything that a contract cannot say is listed with its line: read the list.

A manifest says what dbt knows: resolved settings, rendered descriptions, models that nobody
describes, and what is made of what, by which --products writes the ports. The files say what stands
there: Jinja, comments of descriptions, lines. dbt is never run.

Examples:
  dbt-contracts import models                         everything below models/
  dbt-contracts import models/sources.yml -s source:erp
  dbt-contracts import --manifest target/manifest.json --products --group-by group
  dbt-contracts import models --manifest target/manifest.json -s +orders
  dbt-contracts import models --update --dry-run      what contracts do not say yet, as a patch
  dbt-contracts import models --strict                exit code 1 if anything is lost

Models become models again once an output port of a product names their contract; a contract in no
port is a source.";

/// Arguments of `import`.
#[derive(Debug, Args)]
#[command(after_help = IMPORT)]
pub struct Import {
    /// Properties files of dbt (schema.yml, sources.yml), and folders of them
    #[arg(value_name = "PATH", required_unless_present = "manifest")]
    pub paths: Vec<PathBuf>,
    /// What dbt knows of the project, `target/manifest.json` of dbt 1.8 to 1.12: alone, or under
    /// what the files at PATH say
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// What the warehouse has, `target/catalog.json`: types of columns that state none, and columns
    /// that nobody describes
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
    /// Models and source tables to import, in dbt's syntax: names and globs, tag: path: source:
    /// group: access: config.KEY: fqn: package: resource_type:, `a,b` for both, a blank for either;
    /// with --manifest also +upstream, downstream+, 1+near+2, @all
    #[arg(short, long, value_name = "SELECTOR", num_args = 1..)]
    pub select: Vec<String>,
    /// Models and source tables to leave out, in the same syntax
    #[arg(long, value_name = "SELECTOR", num_args = 1..)]
    pub exclude: Vec<String>,
    /// Folder of the project that contracts are written to [default: the first of `paths.contracts`]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write products too, one for each folder or group of models, with ports by the lineage of
    /// --manifest, into the first of `paths.products`
    #[arg(long, requires = "manifest")]
    pub products: bool,
    /// Which models share a contract
    #[arg(long, value_enum, default_value_t = GroupModels::Folder)]
    pub group_by: GroupModels,
    /// Version of ODCS that contracts are written in
    #[arg(long, value_name = "VERSION", default_value = "v3.1.0", value_parser = api_version)]
    pub api_version: ApiVersion,
    /// Add to contracts that are there what they do not say yet; nothing in them is removed or
    /// replaced, and what they say otherwise is listed
    #[arg(long)]
    pub update: bool,
    /// Exit with 1 if anything is lost
    #[arg(long)]
    pub strict: bool,
    /// Print what would be written as a patch, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Which models share a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroupModels {
    /// Those whose SQL reads the same one source; others by folder
    Source,
    /// Those that one folder of properties files describes
    Folder,
    /// Those of one dbt group; others by folder
    Group,
}

/// Reads the version of a standard that contracts can be written in.
fn api_version(word: &str) -> Result<ApiVersion, String> {
    let known = || import::VERSIONS.iter().map(ToString::to_string);
    let version = ApiVersion::parse(&format!("v{}", word.trim_start_matches('v')));
    let version = version.filter(|version| import::VERSIONS.contains(version));
    version.ok_or_else(|| format!("expected {}", known().collect::<Vec<_>>().join(" or ")))
}

/// Exit codes of `drift`, and where what it reads comes from.
const DRIFT_HELP: &str = "\
What --observed takes, told by what is in the file:
  target/catalog.json                 what `dbt docs generate` writes; has no nullability
  columns in CSV or JSON              the result of the query that --print-query prints, also as
                                      `dbt show --output json` prints it
  a JSON object on each line          {\"source\", \"table\", \"columns\": [{\"name\", \"type\", \"nullable\"}]}
  a Parquet file                      its footer: names, types and what is never null
  CSV with data                       its header; types stay unproven

Policies, the strictest first:
  frozen     exactly the columns of the contract
  approved   the same, but columns with `dbt.added_in_version` may still be absent
  additive   other columns may be there, unless they are never null
  widening   the same, and types may hold more
  evolve     everything is let through and reported

Exit codes:
  0  every relation is accepted
  1  a relation is rejected
  2  a relation could not be judged, or the command could not run";

/// Arguments of `drift`.
#[derive(Debug, Args)]
#[command(after_help = DRIFT_HELP)]
pub struct Drift {
    /// Which contracts.
    #[command(flatten)]
    pub selection: Selection,
    /// The columns as they are
    #[arg(long, value_name = "FILE", required_unless_present = "print_query")]
    pub observed: Option<PathBuf>,
    /// Policy for all contracts, over what they and the configuration say
    #[arg(long, value_enum, value_name = "POLICY")]
    pub policy: Option<Policy>,
    /// Reject columns that may be null where the contract requires values
    #[arg(long)]
    pub strict_nullability: bool,
    /// Bring the contracts up to what was observed: fill missing types, append columns; prints the patch
    #[arg(long)]
    pub adopt: bool,
    /// Write what --adopt prints
    #[arg(long, requires = "adopt")]
    pub write: bool,
    /// With --adopt, also replace other types and remove columns that are gone
    #[arg(long, requires = "adopt")]
    pub overwrite: bool,
    /// Print the query whose result --observed reads, and do nothing else
    #[arg(long, value_name = "ADAPTER", conflicts_with = "observed")]
    pub print_query: Option<String>,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// Which documents it is for
    #[arg(value_enum)]
    pub of: SchemaOf,
    /// Version of the standard, such as 3.1.0 [default: the newest]
    #[arg(long, value_name = "VERSION")]
    pub version: Option<String>,
}

/// What there are schemas of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// Data contracts.
    Odcs,
    /// Data products.
    Odps,
    /// contracts/config.yaml.
    Config,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// Code of a finding, such as schema/unknown-key [default: list all of them]
    pub code: Option<String>,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct Man {
    /// The command whose page is printed [default: the program's own]
    pub command: Option<String>,
}

/// Reads a least status.
fn status(word: &str) -> Result<Status, String> {
    match Status::named(word) {
        Some(status @ (Status::Proposed | Status::Draft | Status::Active)) => Ok(status),
        _ => Err("expected proposed, draft or active".to_owned()),
    }
}
