//! Where a project-relative path leads on disk: never outside the project.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Names that Windows keeps for devices, whatever follows a dot.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// Why nothing may be read or written at a path; completes a sentence that begins with the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }

    fn io(error: &io::Error) -> Self {
        Self(format!("cannot be reached: {error}"))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The project directory, with every symbolic link resolved.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    /// What was seen, where each place is looked at once.
    seen: Option<Mutex<Seen>>,
}

/// What a survey has seen of a project, relative to it.
#[derive(Debug, Default)]
struct Seen {
    /// The folders that no link leads to.
    folders: HashSet<String>,
    /// The files that stand there, by the path that was asked for.
    files: HashMap<String, Target>,
}

/// A place inside the project where a file stands or may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file itself, symbolic links resolved.
    pub real: PathBuf,
    /// `real` relative to the project directory, `/` between its parts.
    pub relative: String,
    /// Whether a file stands there.
    pub exists: bool,
}

impl Root {
    /// The project in that directory.
    pub fn open(project_dir: &Path) -> io::Result<Self> {
        fs::canonicalize(project_dir).map(|path| Self { path, seen: None })
    }

    /// The same for thousands of looks at a project, between which nothing moves: each place is asked
    /// for once.
    pub fn survey(project_dir: &Path) -> io::Result<Self> {
        let root = Self::open(project_dir)?;
        Ok(Self {
            seen: Some(Mutex::default()),
            ..root
        })
    }

    /// The project directory itself.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What was seen, where that is remembered.
    fn seen(&self) -> Option<MutexGuard<'_, Seen>> {
        let seen = self.seen.as_ref()?;
        Some(seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The place of a plain file, or of none yet, in a folder that was seen before.
    fn beside(&self, path: &str) -> Option<Target> {
        let (folder, name) = path.rsplit_once('/')?;
        if !self.seen()?.folders.contains(folder) || part(name).is_err() {
            return None;
        }
        let real = self.join(path);
        let exists = match fs::symlink_metadata(&real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Ok(metadata) if metadata.is_file() => true,
            _ => return None,
        };
        Some(Target {
            real,
            relative: path.to_owned(),
            exists,
        })
    }

    /// `path` below the project directory, without a look at the disk.
    pub fn join(&self, path: &str) -> PathBuf {
        path.split('/')
            .fold(self.path.clone(), |joined, part| joined.join(part))
    }

    /// The place of the file at `path`. Symbolic links are followed as far as they stay inside the
    /// project; only files, or nothing at all, may stand there.
    pub fn locate(&self, path: &str) -> Result<Target, Refusal> {
        if let Some(target) = self.seen().and_then(|seen| seen.files.get(path).cloned()) {
            return Ok(target);
        }
        let target = match self.beside(path) {
            Some(target) => target,
            None => self.walk(path)?,
        };
        if let (true, Some(mut seen)) = (target.exists, self.seen()) {
            seen.files.insert(path.to_owned(), target.clone());
        }
        Ok(target)
    }

    /// The place of the file at `path`, part by part.
    fn walk(&self, path: &str) -> Result<Target, Refusal> {
        check(path)?;
        let mut real = self.path.clone();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            real.push(part);
            let metadata = match fs::symlink_metadata(&real) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    real.extend(parts);
                    return self.target(real, false);
                }
                other => other.map_err(|error| Refusal::io(&error))?,
            };
            let metadata = if metadata.is_symlink() {
                real = self.follow(&real)?;
                fs::metadata(&real).map_err(|error| Refusal::io(&error))?
            } else {
                metadata
            };
            if parts.peek().is_some() {
                if !metadata.is_dir() {
                    return Err(Refusal::new(format!(
                        "needs the folder `{}`, where a file stands",
                        self.relative(&real)?
                    )));
                }
            } else if metadata.is_dir() {
                return Err(Refusal::new("is a folder where a file was expected"));
            } else if !metadata.is_file() {
                return Err(Refusal::new("is neither a file nor a folder"));
            }
        }
        self.target(real, true)
    }

    /// The end of a symbolic link, which must stay inside the project.
    fn follow(&self, link: &Path) -> Result<PathBuf, Refusal> {
        let shown = self.relative(link)?;
        let real = fs::canonicalize(link).map_err(|error| {
            Refusal::new(format!(
                "goes through the symbolic link `{shown}`, which leads nowhere: {error}"
            ))
        })?;
        if real.starts_with(&self.path) {
            Ok(real)
        } else {
            Err(Refusal::new(format!(
                "goes through the symbolic link `{shown}`, which leads outside the project"
            )))
        }
    }

    fn target(&self, real: PathBuf, exists: bool) -> Result<Target, Refusal> {
        let relative = self.relative(&real)?;
        // A link may have led to a name that the path itself does not show.
        check(&relative)?;
        if let (true, Some((folder, _)), Some(mut seen)) =
            (exists, relative.rsplit_once('/'), self.seen())
        {
            seen.folders.insert(folder.to_owned());
        }
        Ok(Target {
            real,
            relative,
            exists,
        })
    }

    fn relative(&self, real: &Path) -> Result<String, Refusal> {
        let parts: Option<Vec<&str>> = real
            .strip_prefix(&self.path)
            .map_err(|_| Refusal::new("leads outside the project"))?
            .components()
            .map(|part| match part {
                Component::Normal(name) => name.to_str(),
                _ => None,
            })
            .collect();
        parts
            .map(|parts| parts.join("/"))
            .ok_or_else(|| Refusal::new("leads to a name that is not UTF-8"))
    }
}

/// Whether `path` is a plain path below the project directory that every file system can hold.
pub fn check(path: &str) -> Result<(), Refusal> {
    if path.is_empty() {
        return Err(Refusal::new("is empty"));
    }
    if path.starts_with('/') {
        return Err(Refusal::new(
            "is absolute; expected a path below the project directory",
        ));
    }
    path.split('/').try_for_each(part)
}

/// Whether `name` may stand between two slashes.
fn part(name: &str) -> Result<(), Refusal> {
    let lower = name.to_lowercase();
    let stem = lower.split('.').next().unwrap_or_default().trim_end();
    let numbered = |device: &str| {
        stem.strip_prefix(device).is_some_and(|rest| {
            rest.chars().count() == 1 && rest.contains(|c| "0123456789¹²³".contains(c))
        })
    };
    let problem = if name.is_empty() {
        "has an empty part between its slashes"
    } else if name == "." || name == ".." {
        "may not contain `.` or `..`"
    } else if lower == ".git" {
        "leads into git's own folder"
    } else if name.contains(|c: char| c.is_control() || "\\<>:\"|?*".contains(c)) {
        "contains a character that not every file system allows"
    } else if name.ends_with(['.', ' ']) {
        "has a part that ends in a dot or a blank, which Windows drops"
    } else if DEVICES.contains(&stem) || numbered("com") || numbered("lpt") {
        "has a part that Windows keeps for a device"
    } else {
        return Ok(());
    };
    Err(Refusal::new(problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn only_plain_relative_paths_pass() {
        for path in [
            "a",
            "models/contracts/x y/schema.yml",
            "naïve/ü.sql",
            "console.sql",
            "com.sql",
            ".x",
        ] {
            assert_eq!(check(path), Ok(()), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a/",
            "./a",
            "a\\b",
            "C:/x",
            "a\nb",
            "aux",
            "models/AUX.sql",
            "nul.tar.gz",
            "com1",
            "LPT9.txt",
            "com¹",
            "a./b",
            "a ",
            "x?.sql",
            ".git/config",
            "sub/.GIT/hooks/x",
            "con .x",
        ] {
            assert!(check(path).is_err(), "{path}");
        }
    }

    #[test]
    fn what_stands_in_the_way_is_named() {
        let project = tempfile::tempdir().unwrap();
        fs::create_dir(project.path().join("folder")).unwrap();
        File::create(project.path().join("file")).unwrap();
        let root = Root::open(project.path()).unwrap();
        let reason = |path| root.locate(path).unwrap_err().to_string();
        assert_eq!(reason("folder"), "is a folder where a file was expected");
        assert_eq!(
            reason("file/x/y"),
            "needs the folder `file`, where a file stands"
        );
        assert!(root.locate("file").unwrap().exists);
        let target = root.locate("new/x.sql").unwrap();
        assert_eq!(
            (target.relative.as_str(), target.exists),
            ("new/x.sql", false)
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_the_project_only() {
        use std::os::unix::fs::symlink;

        let outside = tempfile::tempdir().unwrap();
        File::create(outside.path().join("x")).unwrap();
        let project = tempfile::tempdir().unwrap();
        let at = |path: &str| project.path().join(path);
        fs::create_dir_all(at("real/.git")).unwrap();
        File::create(at("real/x")).unwrap();
        symlink("real", at("inside")).unwrap();
        symlink("real/.git", at("git")).unwrap();
        symlink("real/x", at("x")).unwrap();
        symlink(outside.path(), at("outside")).unwrap();
        symlink(outside.path().join("x"), at("leak")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        let root = Root::open(project.path()).unwrap();
        assert_eq!(root.locate("inside/x").unwrap().relative, "real/x");
        assert_eq!(root.locate("x").unwrap().relative, "real/x");
        for path in [
            "outside/x",
            "outside/new",
            "leak",
            "dangling",
            "dangling/x",
            "git/x",
        ] {
            assert!(root.locate(path).is_err(), "{path}");
        }
    }
}
