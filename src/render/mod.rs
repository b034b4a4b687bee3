//! What was mapped to the text of files, by templates: the embedded ones, or the user's of the same
//! names in `contracts/templates/`.
//!
//! Delimiters are `<% %>`, `<%= %>` and `<%# %>`, so that dbt's own `{{ ref() }}` stays readable. No
//! template can forget to escape: in `*.yml.j2` [`yaml`] prints every value, in `*.sql.j2` nothing
//! prints without one of the filters of [`sql`].

mod bound;
mod identities;
mod macros;
mod sql;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior, context};

pub use macros::taken;

use crate::dbt::properties::Identity;
use crate::dbt::release::Feature;
use crate::diagnostics::{Diagnostic, SourceFile, rules};
use crate::mapping::{Mapped, Origin};
use crate::plan::{Artifact, ArtifactKind, HEADER};
use crate::yaml::Span;

/// The templates that are part of the program, by name.
pub const EMBEDDED: &[(&str, &str)] = &[
    (
        "columns.yml.j2",
        include_str!("../../templates/columns.yml.j2"),
    ),
    (
        "contract_shape.sql.j2",
        include_str!("../../templates/contract_shape.sql.j2"),
    ),
    (
        "groups.yml.j2",
        include_str!("../../templates/groups.yml.j2"),
    ),
    (
        "schema.yml.j2",
        include_str!("../../templates/schema.yml.j2"),
    ),
    (
        "singular_test.sql.j2",
        include_str!("../../templates/singular_test.sql.j2"),
    ),
    (
        "sources.yml.j2",
        include_str!("../../templates/sources.yml.j2"),
    ),
    (
        "staging.sql.j2",
        include_str!("../../templates/staging.sql.j2"),
    ),
];

/// The names under which users may put templates of their own.
pub fn names() -> impl Iterator<Item = String> {
    let templates = EMBEDDED.iter().map(|(name, _)| (*name).to_owned());
    templates.chain(macros::names())
}

/// Steps of the engine that a file may take, and more for each column of the widest one: many times
/// what the embedded templates need, and the end of a loop that would never end.
const STEPS: (u64, u64) = (200_000, 10_000);

/// The filters of the engine that would print text as it is.
const UNSAFE_FILTERS: &[&str] = &["e", "escape", "format", "safe", "tojson", "urlencode"];

/// The user's templates.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    /// Files by the name of the template that they replace.
    pub files: BTreeMap<String, Arc<SourceFile>>,
}

/// Renders everything. What cannot be rendered is left out with a finding. `is_known` says of the text
/// for a path whether an earlier run has written it already. What the properties files say of sources
/// and models is taken out of `mapped`, file by file: of a large project there is little at a time.
pub fn render(
    mapped: &mut Mapped,
    templates: &Templates,
    is_known: &dyn Fn(&str, &str) -> bool,
) -> (Vec<Artifact>, Vec<Diagnostic>) {
    let mut renderer = Renderer {
        templates,
        is_known,
        environment: match environment(mapped, templates) {
            Ok(environment) => environment,
            Err(error) => return (Vec::new(), vec![failed(templates, "", &error)]),
        },
        artifacts: Vec::new(),
        diagnostics: Vec::new(),
        reported: BTreeSet::new(),
    };
    let fuel = STEPS.0 + STEPS.1 * widest(mapped);
    renderer.environment.set_fuel(Some(fuel));
    for file in &mut mapped.sources {
        let sources = std::mem::take(&mut file.sources);
        let context =
            context! { header => header([&file.origin]), sources => Value::from(Serde(&sources)) };
        renderer.properties("sources.yml.j2", &file.path, of(&file.origin), context);
        renderer.identify(&file.path, identities::of(&sources, &[]));
    }
    for file in &mut mapped.models {
        let models = std::mem::take(&mut file.models);
        let origins = || file.origins.iter().map(|(origin, _)| origin);
        let contracts: Vec<String> = origins().map(|origin| origin.contract.clone()).collect();
        let context =
            context! { header => header(origins()), models => Value::from(Serde(&models)) };
        renderer.properties("schema.yml.j2", &file.path, &contracts, context);
        renderer.identify(&file.path, identities::of(&[], &models));
    }
    for file in &mapped.bound {
        bound::render(&mut renderer, file);
    }
    if let Some(file) = &mapped.groups {
        let context = context! { header => header([]), groups => Value::from(Serde(&file.groups)) };
        renderer.properties("groups.yml.j2", &file.path, &file.contracts, context);
    }
    for file in &mapped.staging {
        let context =
            context! { header => header([&file.origin]), ..Value::from(Serde(&file.staging)) };
        renderer.file(
            "staging.sql.j2",
            ArtifactKind::Staging,
            &file.path,
            of(&file.origin),
            context,
        );
    }
    for file in &mapped.singular {
        let context =
            context! { header => header([&file.origin]), ..Value::from(Serde(&file.test)) };
        renderer.file(
            "singular_test.sql.j2",
            ArtifactKind::SingularTest,
            &file.path,
            of(&file.origin),
            context,
        );
    }
    for file in &mapped.shape_files {
        let context =
            context! { header => header([&file.origin]), ..Value::from(Serde(&file.shape)) };
        renderer.file(
            "contract_shape.sql.j2",
            ArtifactKind::Macro,
            &file.path,
            of(&file.origin),
            context,
        );
    }
    let sets = [
        (mapped.own_tests, macros::TESTS),
        (!mapped.shape_files.is_empty(), macros::DRIFT),
        (mapped.optional_tests, macros::OPTIONAL),
    ];
    for (_, set) in sets.iter().filter(|(used, _)| *used) {
        let artifacts = macros::artifacts(set, &mapped.macros, templates);
        renderer.artifacts.extend(artifacts);
    }
    (renderer.artifacts, renderer.diagnostics)
}

/// The contract that a file comes from, as a list.
fn of(origin: &Origin) -> &[String] {
    std::slice::from_ref(&origin.contract)
}

/// How many columns the file with the most of them has.
fn widest(mapped: &Mapped) -> u64 {
    let sources = mapped.sources.iter().map(|file| {
        let tables = file.sources.iter().flat_map(|source| &source.tables);
        tables.map(|table| table.columns.len()).sum::<usize>()
    });
    let models = mapped.models.iter().map(|file| {
        let models = file.models.iter().map(|model| {
            let versions = model.versions.iter();
            let of_versions: usize = versions.map(|version| version.body.columns.len()).sum();
            model.body.columns.len() + of_versions
        });
        models.sum()
    });
    let widest = sources.chain(models).max().unwrap_or_default();
    u64::try_from(widest).unwrap_or(u64::MAX / STEPS.1 / 2)
}

/// The one line at the head of a file.
fn header<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> String {
    let paths: Vec<&str> = origins
        .into_iter()
        .map(|origin| origin.path.as_str())
        .collect();
    match paths.as_slice() {
        [] => "generated by dbt-contracts; edit it and it is yours".to_owned(),
        paths => format!("{HEADER}{}; edit it and it is yours", paths.join(", ")),
    }
}

/// Files as they are rendered.
struct Renderer<'a> {
    templates: &'a Templates,
    is_known: &'a dyn Fn(&str, &str) -> bool,
    environment: Environment<'static>,
    artifacts: Vec<Artifact>,
    diagnostics: Vec<Diagnostic>,
    /// Findings so far: one fault of a template shows in every file.
    reported: BTreeSet<(String, Option<usize>, String)>,
}

impl Renderer<'_> {
    /// Renders a properties file, and makes sure that it is YAML. What was written before has been
    /// parsed then, which takes half as long as to render it.
    fn properties(&mut self, template: &str, path: &str, contracts: &[String], context: Value) {
        self.file(template, ArtifactKind::Properties, path, contracts, context);
        let Some(artifact) = self
            .artifacts
            .last()
            .filter(|artifact| artifact.path == path)
        else {
            return;
        };
        if (self.is_known)(path, &artifact.text) {
            return;
        }
        if let Some(message) = no_properties(path, &artifact.text) {
            self.artifacts.pop();
            self.report(template, &Error::new(ErrorKind::InvalidOperation, message));
        }
    }

    /// Says of the file that was rendered last what its columns are known by.
    fn identify(&mut self, path: &str, identities: Vec<(Vec<String>, Identity)>) {
        if let Some(artifact) = self
            .artifacts
            .last_mut()
            .filter(|artifact| artifact.path == path)
        {
            artifact.identities = identities;
        }
    }

    /// Renders one file.
    fn file(
        &mut self,
        template: &str,
        kind: ArtifactKind,
        path: &str,
        contracts: &[String],
        context: Value,
    ) {
        let rendered = self
            .environment
            .get_template(template)
            .and_then(|template| template.render(context));
        match rendered {
            Ok(text) => self.artifacts.push(Artifact {
                path: path.to_owned(),
                kind,
                text,
                contracts: contracts.to_vec(),
                owners: Vec::new(),
                identities: Vec::new(),
            }),
            Err(error) => self.report(template, &error),
        }
    }

    /// Reports a failure once.
    fn report(&mut self, template: &str, error: &Error) {
        let finding = failed(self.templates, template, error);
        let key = (
            error.name().unwrap_or(template).to_owned(),
            error.line(),
            finding.message.clone(),
        );
        if self.reported.insert(key) {
            self.diagnostics.push(finding);
        }
    }
}

/// Why dbt could not load the text as a properties file, if it could not.
fn no_properties(path: &str, text: &str) -> Option<String> {
    let parsed = crate::yaml::parse(text, &crate::yaml::Limits::default());
    if let Some(problem) = parsed.problems.first() {
        let (line, _) = SourceFile::new(path, text).position(problem.span.start());
        let message = &problem.message;
        return Some(format!(
            "line {line} of `{path}` would not be YAML: {message}"
        ));
    }
    let is_mapping = |root: &crate::yaml::Node| root.as_mapping().is_some();
    (!parsed.documents.first().is_some_and(is_mapping))
        .then(|| format!("`{path}` would be no mapping, as dbt's properties files are"))
}

/// The engine with its syntax, formatter and filters.
fn environment(mapped: &Mapped, templates: &Templates) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let nested = mapped.release.has(Feature::NestedShape);
    environment.add_global("legacy", !nested);
    // An undefined value is named, for templates are written by people.
    environment.set_debug(true);
    environment.set_syntax(
        SyntaxConfig::builder()
            .block_delimiters("<%", "%>")
            .variable_delimiters("<%=", "%>")
            .comment_delimiters("<%#", "%>")
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| {
        AutoEscape::Custom(
            if name.ends_with(".sql.j2") {
                sql::NAME
            } else {
                yaml::NAME
            }
            .into(),
        )
    });
    environment.set_formatter(|out, state, value| {
        // What a macro or one of the filters printed is ready.
        match (value.as_str(), value.is_safe()) {
            (Some(text), true) => out.write_str(text),
            _ if is_sql(state) => out.write_str(&sql::format(value)?),
            _ => out.write_str(&yaml::format(value)?),
        }
        .map_err(Error::from)
    });
    for filter in UNSAFE_FILTERS {
        environment.remove_filter(filter);
    }
    sql::add_filters(&mut environment, mapped.adapter);
    yaml::add_filters(&mut environment);
    environment.add_filter("comment", comment);
    environment.add_filter("words", |text: &str| {
        // Inside a comment of Jinja only its own end matters.
        Value::from_safe_string(one_line(&text.replace("#}", "# }")))
    });
    let files = templates.files.clone();
    environment.set_loader(move |name| {
        let own = files.get(name).map(|file| file.text.clone());
        let embedded = || {
            let found = EMBEDDED.iter().find(|(known, _)| *known == name);
            found.map(|(_, text)| (*text).to_owned())
        };
        Ok(own.or_else(embedded))
    });
    Ok(environment)
}

/// Whether the template that is rendered is one of SQL.
fn is_sql(state: &State<'_, '_>) -> bool {
    matches!(state.auto_escape(), AutoEscape::Custom(name) if name == sql::NAME)
}

/// A comment of one line. dbt renders Jinja in the comments of SQL, so nothing in it may open any.
fn comment(state: &State<'_, '_>, text: &str) -> Value {
    let mark = if is_sql(state) { "--" } else { "#" };
    let mut line = one_line(text);
    for (opener, apart) in [("{{", "{ {"), ("{%", "{ %"), ("{#", "{ #")] {
        while line.contains(opener) {
            line = line.replace(opener, apart);
        }
    }
    Value::from_safe_string(format!("{mark} {line}"))
}

/// Text on one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    line.retain(|character| !character.is_control());
    line
}

/// The finding that a template failed, at its line where it is the user's.
fn failed(templates: &Templates, template: &str, error: &Error) -> Diagnostic {
    let name = error.name().unwrap_or(template);
    let line = error
        .line()
        .map_or(String::new(), |line| format!(":{line}"));
    let reason = match error.detail() {
        Some(detail) => format!("{}: {detail}", error.kind()),
        None => error.kind().to_string(),
    };
    let finding = Diagnostic::new(
        &rules::MAPPING_TEMPLATE,
        format!("the template `{name}{line}` failed: {reason}"),
    );
    let Some(file) = templates.files.get(name) else {
        return finding;
    };
    match error.line().and_then(|line| line_span(&file.text, line)) {
        Some(span) => finding.at(file, span),
        None => finding.in_file(file),
    }
}

/// The bytes of a line.
fn line_span(text: &str, line: usize) -> Option<Span> {
    let mut start = 0;
    for (number, content) in text.split('\n').enumerate() {
        if number + 1 == line {
            return Some(Span::new(start, start + content.len()));
        }
        start += content.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests;
