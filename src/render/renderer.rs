//! Artifacts of what was mapped, file by file.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, ErrorKind, context};
use serde::Serialize;

use super::{Templates, bound, environment, failed, header, identities, macros, printer};
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::{Identity, Model, Source};
use crate::dbt::release::Release;
use crate::diagnostics::{Diagnostic, SourceFile};
use crate::mapping::{Finish, Finished, Mapped, Origin};
use crate::plan::{Artifact, ArtifactKind, Earlier, Known, Recipe};

/// Steps of the engine that a file may take, and more for each of its columns: many times
/// what the embedded templates need, and the end of a loop that would never end.
const STEPS: (u64, u64) = (200_000, 10_000);

/// Files as they are rendered: those of single contracts while others are mapped, and the rest once
/// all are. What they say is taken out of them, so that of a large project there is little at a time.
/// What cannot be rendered is left out with a finding.
pub struct Renderer<'a> {
    templates: &'a Templates,
    earlier: &'a dyn Earlier,
    environment: Environment<'static>,
    /// What every text is made of beside its template and values.
    printer: Recipe,
    artifacts: Vec<Artifact>,
    diagnostics: Vec<Diagnostic>,
    /// Findings so far: one fault of a template shows in every file.
    reported: BTreeSet<(String, Option<usize>, String)>,
}

impl<'a> Renderer<'a> {
    /// Renders for a warehouse and a release of dbt.
    pub fn new(
        adapter: Adapter,
        release: Release,
        templates: &'a Templates,
        earlier: &'a dyn Earlier,
    ) -> Self {
        let (environment, failure) = match environment(adapter, release, templates) {
            Ok(environment) => (environment, None),
            Err(error) => (Environment::new(), Some(failed(templates, "", &error))),
        };
        Self {
            templates,
            earlier,
            environment,
            printer: printer(adapter, release, templates),
            artifacts: Vec::new(),
            diagnostics: failure.into_iter().collect(),
            reported: BTreeSet::new(),
        }
    }

    /// Renders what was not taken before. Files of one kind come together.
    pub fn finish(mut self, mapped: &mut Mapped) -> (Vec<Artifact>, Vec<Diagnostic>) {
        self.take(mapped.files());
        for file in &mapped.bound {
            self.set_fuel(columns_of(&file.sources, &file.models));
            let artifact = bound::render(&mut self, file);
            self.artifacts.extend(artifact);
        }
        if let Some(file) = &mapped.groups {
            self.file(&Sheet {
                template: "groups.yml.j2",
                kind: ArtifactKind::Properties,
                path: &file.path,
                contracts: &file.contracts,
                header: header([]),
                name: Some("groups"),
                values: &file.groups,
                columns: file.groups.len(),
            });
        }
        for file in &mapped.shape_files {
            self.file(&Sheet {
                columns: file.shape.columns.len(),
                ..Sheet::sql(
                    "contract_shape.sql.j2",
                    ArtifactKind::Macro,
                    &file.path,
                    &file.origin,
                    &file.shape,
                )
            });
        }
        let sets = [
            (mapped.own_tests, macros::TESTS),
            (!mapped.shape_files.is_empty(), macros::DRIFT),
            (mapped.optional_tests, macros::OPTIONAL),
        ];
        for (_, set) in sets.iter().filter(|(used, _)| *used) {
            let artifacts = macros::artifacts(set, &mapped.macros, self.templates);
            self.artifacts.extend(artifacts);
        }
        self.artifacts.sort_by_key(|artifact| artifact.kind);
        self.diagnostics
            .sort_by(|one, other| one.message.cmp(&other.message));
        (self.artifacts, self.diagnostics)
    }

    /// Allows the steps that a file with so many columns may take.
    fn set_fuel(&mut self, columns: usize) {
        let columns = u64::try_from(columns).unwrap_or(u64::MAX);
        let steps = STEPS.0.saturating_add(STEPS.1.saturating_mul(columns));
        self.environment.set_fuel(Some(steps));
    }

    /// Renders what belongs into a properties file of a person.
    pub(super) fn document(
        &mut self,
        template: &str,
        path: &str,
        context: Value,
    ) -> Option<String> {
        let text = self.text(template, context)?;
        self.is_properties(template, path, &text).then_some(text)
    }

    /// Whether dbt could load the text as a properties file; what keeps it from that is reported.
    fn is_properties(&mut self, template: &str, path: &str, text: &str) -> bool {
        let problem = no_properties(path, text);
        if let Some(message) = &problem {
            let error = Error::new(ErrorKind::InvalidOperation, message.clone());
            self.report(template, &error);
        }
        problem.is_none()
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

    /// Renders one file, unless an earlier run made it of the same. Properties files have to be YAML;
    /// those that were written before have been parsed then, which takes half as long as to render them.
    fn file<V: Hash + Serialize>(&mut self, sheet: &Sheet<'_, V>) {
        let Sheet {
            template,
            kind,
            path,
            ..
        } = *sheet;
        let recipe = Recipe::of(&(self.printer, template, &sheet.header, sheet.values));
        if self.earlier.stands(kind, path, recipe) {
            self.add(sheet, None, String::new(), Known::Written);
            return;
        }
        self.set_fuel(sheet.columns);
        let Some(text) = self.text(template, sheet.context()) else {
            return;
        };
        let known = self.earlier.known(kind, path, &text);
        let is_unseen = kind == ArtifactKind::Properties && known == Known::New;
        if !is_unseen || self.is_properties(template, path, &text) {
            let recipe = recipe.making(text.as_bytes());
            self.add(sheet, Some(recipe), text, known);
        }
    }

    /// Renders a text.
    fn text(&mut self, template: &str, context: Value) -> Option<String> {
        let rendered = self
            .environment
            .get_template(template)
            .and_then(|template| template.render(context));
        rendered
            .inspect_err(|error| self.report(template, error))
            .ok()
    }

    /// Adds a file.
    fn add<V>(&mut self, sheet: &Sheet<'_, V>, recipe: Option<Recipe>, text: String, known: Known) {
        self.artifacts.push(Artifact {
            path: sheet.path.to_owned(),
            kind: sheet.kind,
            text: if known == Known::Written {
                String::new()
            } else {
                text
            },
            known,
            recipe,
            contracts: sheet.contracts.to_vec(),
            owners: Vec::new(),
            identities: Vec::new(),
        });
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

/// A file to render.
struct Sheet<'f, V> {
    template: &'static str,
    kind: ArtifactKind,
    path: &'f str,
    contracts: &'f [String],
    header: String,
    /// The name under which the template finds the values; it finds each under its own where there
    /// is none.
    name: Option<&'static str>,
    values: &'f V,
    /// How many columns are printed.
    columns: usize,
}

impl<'f, V: Serialize> Sheet<'f, V> {
    /// A file of SQL.
    fn sql(
        template: &'static str,
        kind: ArtifactKind,
        path: &'f str,
        origin: &'f Origin,
        values: &'f V,
    ) -> Self {
        Self {
            template,
            kind,
            path,
            contracts: of(origin),
            header: header([origin]),
            name: None,
            values,
            columns: 0,
        }
    }

    /// What the template finds.
    fn context(&self) -> Value {
        let header = Value::from(self.header.as_str());
        let values = Value::from(Serde(self.values));
        if let Some(name) = self.name {
            return Value::from(BTreeMap::from([("header", header), (name, values)]));
        }
        context! { header => header, ..values }
    }
}

impl Finish for Renderer<'_> {
    fn take(&mut self, files: Finished<'_>) {
        for file in files.sources {
            let sources = std::mem::take(&mut file.sources);
            if sources.is_empty() {
                continue;
            }
            self.file(&Sheet {
                template: "sources.yml.j2",
                kind: ArtifactKind::Properties,
                path: &file.path,
                contracts: of(&file.origin),
                header: header([&file.origin]),
                name: Some("sources"),
                values: &sources,
                columns: columns_of(&sources, &[]),
            });
            self.identify(&file.path, identities::of(&sources, &[]));
        }
        for file in files.models {
            let models = std::mem::take(&mut file.models);
            if models.is_empty() {
                continue;
            }
            let origins = || file.origins.iter().map(|(origin, _)| origin);
            let contracts: Vec<String> = origins().map(|origin| origin.contract.clone()).collect();
            self.file(&Sheet {
                template: "schema.yml.j2",
                kind: ArtifactKind::Properties,
                path: &file.path,
                contracts: &contracts,
                header: header(origins()),
                name: Some("models"),
                values: &models,
                columns: columns_of(&[], &models),
            });
            self.identify(&file.path, identities::of(&[], &models));
        }
        for file in files.staging {
            let Some(staging) = file.staging.take() else {
                continue;
            };
            self.file(&Sheet {
                columns: staging.columns.len(),
                ..Sheet::sql(
                    "staging.sql.j2",
                    ArtifactKind::Staging,
                    &file.path,
                    &file.origin,
                    &staging,
                )
            });
        }
        for file in files.singular {
            let Some(test) = file.test.take() else {
                continue;
            };
            self.file(&Sheet::sql(
                "singular_test.sql.j2",
                ArtifactKind::SingularTest,
                &file.path,
                &file.origin,
                &test,
            ));
        }
    }

    fn again(&mut self) {
        self.artifacts.clear();
        self.diagnostics.clear();
        self.reported.clear();
    }
}

/// The contract that a file comes from, as a list.
fn of(origin: &Origin) -> &[String] {
    std::slice::from_ref(&origin.contract)
}

/// How many columns sources and models have, in all their versions.
fn columns_of(sources: &[Source], models: &[Model]) -> usize {
    let tables = sources.iter().flat_map(|source| &source.tables);
    let versions = models.iter().flat_map(|model| &model.versions);
    let bodies = models.iter().map(|model| &model.body);
    let bodies = bodies.chain(versions.map(|version| &version.body));
    let of_tables = tables.map(|table| table.columns.len());
    of_tables.chain(bodies.map(|body| body.columns.len())).sum()
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
