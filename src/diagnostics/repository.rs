//! Paths as code hosts know them: a path in the dbt project comes in, one in the repository goes out.
//!
//! Findings name files relative to the dbt project. Annotations and code scanning look them up from
//! the root of the repository, of which the project may be a folder.

use std::path::{Path, PathBuf};

/// Where the dbt project stands in its repository.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    root: PathBuf,
    /// Folders between the root and the project.
    folders: Vec<String>,
}

impl Repository {
    /// The repository around a project: the nearest folder above it that git made one, else the
    /// project itself.
    pub fn around(project_dir: &Path) -> Self {
        let Ok(project_dir) = project_dir.canonicalize() else {
            return Self::default();
        };
        let root = project_dir
            .ancestors()
            .find(|folder| folder.join(".git").exists())
            .unwrap_or(&project_dir);
        let between = project_dir.strip_prefix(root).unwrap_or(Path::new(""));
        Self {
            root: root.to_owned(),
            folders: between
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect(),
        }
    }

    /// The path from the root of the repository, with `/` between its parts; an absolute path where
    /// the file is not in the repository.
    pub fn path(&self, shown: &str) -> String {
        let (mut parts, shown) = if Path::new(shown).is_absolute() {
            let inside = Path::new(shown).strip_prefix(&self.root).ok();
            match inside.and_then(Path::to_str) {
                Some(inside) if !self.root.as_os_str().is_empty() => (Vec::new(), inside),
                _ => return shown.to_owned(),
            }
        } else {
            (self.folders.iter().map(String::as_str).collect(), shown)
        };
        for part in shown.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_root_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("warehouse/dbt");
        std::fs::create_dir_all(&project).unwrap();
        assert_eq!(
            Repository::around(&project).path("contracts/a.yaml"),
            "contracts/a.yaml"
        );
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        let repository = Repository::around(&project);
        let absolute = folder.path().canonicalize().unwrap().join("x.yaml");
        for (shown, path) in [
            ("contracts/a.yaml", "warehouse/dbt/contracts/a.yaml"),
            ("./a.yaml", "warehouse/dbt/a.yaml"),
            ("../../shared/a.yaml", "shared/a.yaml"),
            ("../../../a.yaml", "../a.yaml"),
            (absolute.to_str().unwrap(), "x.yaml"),
            ("/elsewhere/a.yaml", "/elsewhere/a.yaml"),
        ] {
            assert_eq!(repository.path(shown), path);
        }
    }
}
