//! Lists the files that may be documents, sorted by path, each once however often it is met.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::{DirEntry, WalkDir};

use crate::config::Config;
use crate::diagnostics::rules::{DISCOVERY_LINK_LOOP, DISCOVERY_UNREADABLE};
use crate::diagnostics::{Diagnostic, Rule, Severity, SourceFile};
use crate::document::Text;
use crate::file::{reason, shown};
use crate::yaml::Span;

/// Extensions of documents. A file without one may be a document too.
const EXTENSIONS: &[&str] = &["yaml", "yml", "json"];

/// Folders of the project in which no document is looked for: our own, and dbt's copies of others'.
const SKIPPED: &[&str] = &["contracts/templates", "dbt_packages", "target"];

/// A file that may be a document.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Its path in findings.
    pub(super) shown: String,
    /// Whether it has to be YAML: by its extension, or since the command line names it.
    pub(super) expected: bool,
    /// Whether it is reached through a link.
    linked: bool,
}

/// The files, and what stood in the way.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) candidates: Vec<Candidate>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Lists the files in the places of `config` and in `extra`.
pub(super) fn walk(project_dir: &Path, config: &Config, extra: &[PathBuf]) -> Walked {
    let mut walker = Walker {
        project_dir,
        real_project_dir: project_dir.canonicalize().ok(),
        config_file: config.file.as_ref().map(|file| file.path.as_str()),
        found: BTreeMap::new(),
        folder: None,
        diagnostics: Vec::new(),
    };
    let lists = [
        ("paths.contracts", &config.paths.contracts),
        ("paths.products", &config.paths.products),
    ];
    for (setting, places) in lists {
        for place in places {
            walker.place(setting, place, config);
        }
    }
    for path in extra {
        walker.given(path);
    }
    let mut candidates: Vec<Candidate> = walker.found.into_values().collect();
    candidates.sort_by(|left, right| left.shown.cmp(&right.shown));
    Walked {
        candidates,
        diagnostics: walker.diagnostics,
    }
}

struct Walker<'a> {
    project_dir: &'a Path,
    real_project_dir: Option<PathBuf>,
    config_file: Option<&'a str>,
    /// By the path that remains when links are resolved.
    found: BTreeMap<PathBuf, Candidate>,
    /// The folder of the last file, and what it is when links are resolved.
    folder: Option<(PathBuf, PathBuf)>,
    diagnostics: Vec<Diagnostic>,
}

impl Walker<'_> {
    /// One place of the configuration: a folder, a file or a glob.
    fn place(&mut self, setting: &str, place: &Text, config: &Config) {
        let text = match place.value.strip_prefix("./") {
            Some(relative) => relative.trim_start_matches('/'),
            None => place.value.as_str(),
        };
        let root = self.project_dir.join(text);
        if root.symlink_metadata().is_ok() {
            return self.below(&root, None);
        }
        if let Some((folder, glob)) = split_glob(text) {
            let folder = self.project_dir.join(folder);
            if folder.symlink_metadata().is_ok() {
                self.below(&folder, Some(&glob));
            }
            return;
        }
        // The default folders need not be there.
        if place.span == Span::default() {
            return;
        }
        let message = format!("`{text}`, which `{setting}` lists, does not exist");
        let finding = Diagnostic::new(&DISCOVERY_UNREADABLE, message)
            .severity(Severity::Warning)
            .help("make the folder, or take it out of the list");
        self.diagnostics.push(match &config.file {
            Some(file) => finding.at(file, place.span),
            None => finding,
        });
    }

    /// A path of the command line.
    fn given(&mut self, path: &Path) {
        if let Err(error) = path.metadata() {
            let message = format!(
                "`{}` cannot be read: {}",
                shown(self.project_dir, path),
                reason(&error)
            );
            self.report(&DISCOVERY_UNREADABLE, path, message);
        } else if path.is_dir() {
            self.below(path, None);
        } else {
            let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            self.add(path, real, true);
        }
    }

    /// All files below `root`, or `root` itself where it is a file.
    fn below(&mut self, root: &Path, glob: Option<&GlobMatcher>) {
        let project_dir = self.project_dir;
        let entries = WalkDir::new(root)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || !is_skipped(project_dir, entry));
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let path = entry.path();
                    let wanted = glob.is_none_or(|glob| matches(glob, project_dir, path));
                    let kind = entry.file_type();
                    if !wanted || kind.is_dir() || !may_be_document(path) {
                        continue;
                    }
                    if kind.is_file() {
                        let real = self.resolved(&entry);
                        self.add(path, real, false);
                    } else if path.extension().is_some() {
                        let name = shown(self.project_dir, path);
                        let message = format!("`{name}` is not a file that can be read");
                        self.report(&DISCOVERY_UNREADABLE, path, message);
                    }
                }
                Err(error) => self.failed(&error),
            }
        }
    }

    /// The path of a file of a walk with links resolved. Only a link itself is asked for: for all
    /// other files that of their folder, which is looked up once, says it.
    fn resolved(&mut self, entry: &DirEntry) -> PathBuf {
        let path = entry.path();
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let (Some(folder), false) = (path.parent(), entry.path_is_symlink() || entry.depth() == 0)
        else {
            return canonical(path);
        };
        let real = match self.folder.take() {
            Some((known, real)) if known == folder => real,
            _ => canonical(folder),
        };
        let resolved = real.join(entry.file_name());
        self.folder = Some((folder.to_path_buf(), real));
        resolved
    }

    /// A file, with its path when links are resolved.
    fn add(&mut self, path: &Path, real: PathBuf, named: bool) {
        let shown = shown(self.project_dir, path);
        if !named && self.config_file == Some(shown.as_str()) {
            return;
        }
        let direct = self.real_project_dir.as_ref().map(|dir| dir.join(&shown));
        let candidate = Candidate {
            path: path.to_path_buf(),
            expected: named || path.extension().is_some(),
            linked: direct.as_ref() != Some(&real),
            shown,
        };
        match self.found.get_mut(&real) {
            Some(known) => {
                let expected = known.expected || candidate.expected;
                if (candidate.linked, &candidate.shown) < (known.linked, &known.shown) {
                    *known = candidate;
                }
                known.expected = expected;
            }
            None => {
                self.found.insert(real, candidate);
            }
        }
    }

    /// A file or folder that could not be looked at.
    fn failed(&mut self, error: &walkdir::Error) {
        let Some(path) = error.path() else { return };
        if is_hidden(path) {
            return;
        }
        let name = shown(self.project_dir, path);
        if let Some(ancestor) = error.loop_ancestor() {
            let ancestor = shown(self.project_dir, ancestor);
            let message =
                format!("the link `{name}` leads back to `{ancestor}`, and is not followed");
            return self.report(&DISCOVERY_LINK_LOOP, path, message);
        }
        let is_link = path.is_symlink();
        // A broken link to something that would not be read anyway is none of our business.
        if is_link && !may_be_document(path) {
            return;
        }
        let why = match error.io_error() {
            Some(_) if is_link && !path.exists() => "the link leads nowhere".into(),
            Some(error) => reason(error),
            None => error.to_string(),
        };
        let message = format!("`{name}` cannot be read: {why}");
        self.report(&DISCOVERY_UNREADABLE, path, message);
    }

    fn report(&mut self, rule: &'static Rule, path: &Path, message: String) {
        let file = SourceFile::new(shown(self.project_dir, path), "");
        let finding = Diagnostic::new(rule, message).in_file(&file);
        self.diagnostics.push(finding);
    }
}

/// Whether a file's name is one that a document may have.
fn may_be_document(path: &Path) -> bool {
    path.extension().is_none_or(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// Whether a file or folder is hidden, as on Unix.
fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .and_then(OsStr::to_str)
        .is_some_and(|name| name.starts_with('.') && name != "." && name != "..")
}

/// Whether the walk leaves a file or folder alone.
fn is_skipped(project_dir: &Path, entry: &DirEntry) -> bool {
    let skipped = || {
        let relative = entry.path().strip_prefix(project_dir).ok();
        relative.is_some_and(|path| SKIPPED.iter().any(|skipped| path == Path::new(skipped)))
    };
    is_hidden(entry.path()) || (entry.file_type().is_dir() && skipped())
}

/// The folder in which a glob's matches are, and the glob; `None` for a plain path.
fn split_glob(text: &str) -> Option<(PathBuf, GlobMatcher)> {
    let special = text.find(['*', '?', '[', '{'])?;
    let folder = text[..special]
        .rfind('/')
        .map_or("", |slash| &text[..=slash]);
    let glob = GlobBuilder::new(text)
        .literal_separator(true)
        .build()
        .ok()?;
    Some((folder.into(), glob.compile_matcher()))
}

/// Whether a glob matches a file or one of the folders that it is in.
fn matches(glob: &GlobMatcher, project_dir: &Path, path: &Path) -> bool {
    path.strip_prefix(project_dir)
        .unwrap_or(path)
        .ancestors()
        .any(|path| glob.is_match(path))
}
