//! What generated files may never take the place of: the documents and settings that they come
//! from, and each other. Artifacts come in, those that have a place of their own go out.

use std::collections::{BTreeMap, BTreeSet};

use super::place::Root;
use crate::diagnostics::{Diagnostic, SourceFile, rules};
use crate::plan::Artifact;

/// The settings of a dbt project.
const SETTINGS: &[&str] = &[
    "dbt_project.yml",
    "dependencies.yml",
    "package-lock.yml",
    "packages.yml",
    "profiles.yml",
    "selectors.yml",
];

/// Whether files are generated from that one, or it is a setting of the project.
pub(super) fn is_input(path: &str, inputs: &BTreeSet<&str>) -> bool {
    inputs.contains(path) || SETTINGS.contains(&path)
}

/// Leaves out every artifact that would be written over one of `inputs`, over a setting of the
/// project or over another artifact, directly or through a symbolic link. Not even `--force` may.
pub fn apart(
    root: &Root,
    artifacts: Vec<Artifact>,
    inputs: &BTreeSet<&str>,
) -> (Vec<Artifact>, Vec<Diagnostic>) {
    let real = |path: &String| {
        let located = root.locate(path);
        located.map_or_else(|_| path.clone(), |target| target.relative)
    };
    // A file belongs to the artifact of its own name before any link to it.
    let mut taken: BTreeMap<String, String> = artifacts
        .iter()
        .map(|artifact| (artifact.path.clone(), artifact.path.clone()))
        .collect();
    let mut diagnostics = Vec::new();
    let kept = artifacts.into_iter().filter(|artifact| {
        let path = &artifact.path;
        let real = real(path);
        let by = if is_input(&real, inputs) {
            Some(format!("`{real}`, which the project is made of"))
        } else {
            let first = taken.entry(real).or_insert_with(|| path.clone());
            (first != path).then(|| format!("the generated file `{first}`"))
        };
        let Some(by) = by else {
            return true;
        };
        let message = format!("`{path}` would be written over {by}");
        let finding = Diagnostic::new(&rules::MERGE_BLOCKED, message)
            .in_file(&SourceFile::new(path.as_str(), ""))
            .help("remove the symbolic link, or change `layout` in `contracts/config.yaml`");
        diagnostics.push(finding);
        false
    });
    let kept = kept.collect();
    (kept, diagnostics)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::plan::{ArtifactKind, Known};

    fn artifact(path: &str) -> Artifact {
        Artifact {
            path: path.to_owned(),
            kind: ArtifactKind::Properties,
            text: String::new(),
            known: Known::New,
            recipe: None,
            contracts: Vec::new(),
            owners: Vec::new(),
            identities: Vec::new(),
        }
    }

    fn kept(project_dir: &Path, paths: &[&str], inputs: &[&str]) -> Vec<String> {
        let artifacts = paths.iter().map(|path| artifact(path)).collect();
        let inputs = inputs.iter().copied().collect();
        let root = Root::survey(project_dir).unwrap();
        let (kept, findings) = apart(&root, artifacts, &inputs);
        assert_eq!(kept.len() + findings.len(), paths.len());
        kept.into_iter().map(|artifact| artifact.path).collect()
    }

    #[test]
    fn inputs_and_settings_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["contracts/a.yaml", "dbt_project.yml", "models/a.yml"];
        let kept = kept(folder.path(), &paths, &["contracts/a.yaml"]);
        assert_eq!(kept, ["models/a.yml"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_seen_through() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("models")).unwrap();
        for name in ["dbt_project.yml", "models/a.yml"] {
            std::fs::File::create(folder.path().join(name)).unwrap();
        }
        for (target, link) in [("../dbt_project.yml", "b.yml"), ("a.yml", "c.yml")] {
            let link = folder.path().join("models").join(link);
            std::os::unix::fs::symlink(target, link).unwrap();
        }
        let paths = ["models/c.yml", "models/b.yml", "models/a.yml"];
        assert_eq!(kept(folder.path(), &paths, &[]), ["models/a.yml"]);
    }
}
