//! What contracts say in a properties file of a person, as one document: the templates of models and
//! of sources each print theirs.

use minijinja::context;
use minijinja::value::{Serde, Value};

use super::renderer::Renderer;
use super::{header, identities};
use crate::mapping::bound::{BoundFile, Resource};
use crate::plan::{Artifact, ArtifactKind, Known};
use crate::yaml::{Limits, parse};

/// Renders one file; nothing where a template fails.
pub(super) fn render(renderer: &mut Renderer<'_>, file: &BoundFile) -> Option<Artifact> {
    let origins = || file.owners.iter().map(|(_, origin)| origin);
    let mut contracts: Vec<String> = origins().map(|origin| origin.contract.clone()).collect();
    contracts.sort();
    contracts.dedup();
    let mut documents = Vec::new();
    if !file.models.is_empty() {
        let models = Value::from(Serde(&file.models));
        let context = context! { header => header(origins()), models => models };
        documents.push(renderer.document("schema.yml.j2", &file.path, context));
    }
    if !file.sources.is_empty() {
        let sources = Value::from(Serde(&file.sources));
        let context = context! { header => header(origins()), sources => sources };
        documents.push(renderer.document("sources.yml.j2", &file.path, context));
    }
    // What one of the templates could not print was reported; half of a file is none.
    let documents: Option<Vec<String>> = documents.into_iter().collect();
    let mut documents = documents?.into_iter();
    let mut text = documents.next()?;
    for other in documents {
        text.push_str(&entries(&other));
    }
    let owners = file.owners.iter();
    Some(Artifact {
        path: file.path.clone(),
        kind: ArtifactKind::Bound,
        text,
        known: Known::New,
        recipe: None,
        contracts,
        owners: owners
            .map(|(resource, origin)| (keys(resource), origin.contract.clone()))
            .collect(),
        identities: identities::of(&file.sources, &file.models),
    })
}

/// The entries of a document but for its version, which another one has already.
fn entries(text: &str) -> String {
    let documents = parse(text, &Limits::default()).documents;
    let root = documents.first().and_then(|root| root.as_mapping());
    let mut entries = String::new();
    for entry in root
        .into_iter()
        .flatten()
        .filter(|entry| entry.name() != "version")
    {
        let range = entry.key.span.start()..entry.value.span.end();
        entries.push('\n');
        entries.push_str(text.get(range).unwrap_or_default());
        entries.push('\n');
    }
    entries
}

/// The keys that lead to a resource.
fn keys(resource: &Resource) -> Vec<String> {
    match resource {
        Resource::Model(name) => vec![format!("models/{name}")],
        Resource::Table(source, table) => {
            vec![format!("sources/{source}"), format!("tables/{table}")]
        }
    }
}
