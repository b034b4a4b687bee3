//! What contracts say in a properties file of a person, as one document: the templates of models and
//! of sources each print theirs.

use minijinja::context;
use minijinja::value::{Serde, Value};

use super::{Renderer, header, identities};
use crate::mapping::bound::{BoundFile, Resource};
use crate::plan::ArtifactKind;
use crate::yaml::{Limits, parse};

/// Renders one file.
pub(super) fn render(renderer: &mut Renderer<'_>, file: &BoundFile) {
    let origins = || file.owners.iter().map(|(_, origin)| origin);
    let mut contracts: Vec<String> = origins().map(|origin| origin.contract.clone()).collect();
    contracts.sort();
    contracts.dedup();
    let before = renderer.artifacts.len();
    if !file.models.is_empty() {
        let models = Value::from(Serde(&file.models));
        let context = context! { header => header(origins()), models => models };
        renderer.properties("schema.yml.j2", &file.path, &contracts, context);
    }
    if !file.sources.is_empty() {
        let sources = Value::from(Serde(&file.sources));
        let context = context! { header => header(origins()), sources => sources };
        renderer.properties("sources.yml.j2", &file.path, &contracts, context);
    }
    let parts = usize::from(!file.models.is_empty()) + usize::from(!file.sources.is_empty());
    let documents = renderer.artifacts.split_off(before);
    // What one of the templates could not print was reported; half of a file is none.
    if documents.len() < parts {
        return;
    }
    let mut documents = documents.into_iter();
    let Some(mut artifact) = documents.next() else {
        return;
    };
    for other in documents {
        artifact.text.push_str(&entries(&other.text));
    }
    artifact.kind = ArtifactKind::Bound;
    artifact.owners = file
        .owners
        .iter()
        .map(|(resource, origin)| (keys(resource), origin.contract.clone()))
        .collect();
    artifact.identities = identities::of(&file.sources, &file.models);
    renderer.artifacts.push(artifact);
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
