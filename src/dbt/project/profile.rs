//! Which adapter the project's profile asks for.

use std::path::PathBuf;

use super::{Excerpts, ProfileAdapter, Reader};
use crate::yaml::Node;

/// The target of a profile that names none.
const DEFAULT_TARGET: &str = "default";

impl Reader<'_> {
    /// The type of the target of the profile that `dbt_project.yml`, whose tree is `root`, names.
    pub(super) fn adapter(&mut self, root: &Node) -> Option<ProfileAdapter> {
        let profile = self
            .option("PROFILE")
            .or_else(|| self.value(root.get("profile")?))?;
        let path = self.profiles_dir()?.join("profiles.yml");
        let (file, profiles) = self.tree(&path, Excerpts::Hidden)?;
        let profile = profiles.get(&profile)?;
        let target = match (self.option("TARGET"), profile.get("target")) {
            (Some(target), _) => target,
            (None, Some(target)) => self.value(target)?,
            (None, None) => DEFAULT_TARGET.to_owned(),
        };
        let output = profile.get("outputs")?.get(&target)?;
        Some(ProfileAdapter {
            value: self.value(output.get("type")?)?,
            path: file.path.clone(),
        })
    }

    /// The folder in which dbt looks for `profiles.yml`.
    fn profiles_dir(&self) -> Option<PathBuf> {
        if let Some(folder) = self.option("PROFILES_DIR") {
            return Some(folder.into());
        }
        if self.project_dir.join("profiles.yml").is_file() {
            return Some(self.project_dir.to_path_buf());
        }
        let home = (self.variable)("HOME").or_else(|| (self.variable)("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".dbt"))
    }
}
