//! One file from disk: a path comes in, its text and trees go out, or what is wrong with it.
//!
//! Contracts, the configuration and dbt's own files are all read here, so that a limit or a message
//! is the same for each of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostics::rules::{
    DISCOVERY_TOO_LARGE, DISCOVERY_UNREADABLE, YAML_ALIAS, YAML_AMBIGUOUS_BOOLEAN,
    YAML_AMBIGUOUS_NUMBER, YAML_DUPLICATE_KEY, YAML_KEY, YAML_LIMIT, YAML_SYNTAX,
};
use crate::diagnostics::{Diagnostic, Rule, SourceFile};
use crate::yaml::{self, Limits, Node, Problem, ProblemKind, Span};

/// A larger file is not read.
pub const MAX_BYTES: u64 = 32 << 20;

/// Which rule a problem of the YAML reader belongs to.
fn rule(kind: ProblemKind) -> &'static Rule {
    match kind {
        ProblemKind::Syntax | ProblemKind::InvalidTag => &YAML_SYNTAX,
        ProblemKind::DuplicateKey => &YAML_DUPLICATE_KEY,
        ProblemKind::AmbiguousBoolean => &YAML_AMBIGUOUS_BOOLEAN,
        ProblemKind::AmbiguousNumber => &YAML_AMBIGUOUS_NUMBER,
        ProblemKind::TooDeep | ProblemKind::TooLarge => &YAML_LIMIT,
        ProblemKind::UndefinedAlias | ProblemKind::InvalidMerge => &YAML_ALIAS,
        ProblemKind::NotAMappingKey => &YAML_KEY,
    }
}

/// The first bytes of encodings that are not UTF-8, the longer ones first.
const OTHER_ENCODINGS: &[(&[u8], &str)] = &[
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
];

/// The path as findings show it: relative to the project directory with `/` between its parts, or
/// as given where the file is elsewhere.
pub fn shown(project_dir: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(project_dir).map(Path::to_path_buf).ok();
    let relative = inside.or_else(|| {
        // One of the two may be absolute, the other not. The file itself may be a link: its name stays.
        let folder = path.parent()?.canonicalize().ok()?;
        let folder = folder.strip_prefix(project_dir.canonicalize().ok()?).ok()?;
        Some(folder.join(path.file_name()?))
    });
    match slashes(relative.as_deref().unwrap_or(path)) {
        name if name.is_empty() => ".".to_owned(),
        name => name,
    }
}

/// The path without `.` and `..`, by its text alone.
pub fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

/// The path with `/` between its parts on every system.
fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.into_owned()
    }
}

/// Why a file was not read.
#[derive(Debug)]
pub struct Refused {
    /// What to tell about it.
    pub finding: Diagnostic,
    /// Whether the file can be read, but is no text.
    pub not_text: bool,
}

/// Reads a text file, which findings show as `shown`.
pub fn read(path: &Path, shown: &str) -> Result<Arc<SourceFile>, Box<Refused>> {
    let refuse = |rule, message: String| {
        let file = SourceFile::new(shown, "");
        Box::new(Refused {
            finding: Diagnostic::new(rule, message).in_file(&file),
            not_text: false,
        })
    };
    let failed = |error: &io::Error| {
        refuse(
            &DISCOVERY_UNREADABLE,
            format!("`{shown}` cannot be read: {}", reason(error)),
        )
    };
    let metadata = path.metadata().map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        let message = format!("`{shown}` is not a file that can be read");
        return Err(refuse(&DISCOVERY_UNREADABLE, message));
    }
    let too_large = |bytes: u64| {
        let message = format!(
            "`{shown}` has {} MiB, the limit is {} MiB",
            bytes.div_ceil(1 << 20),
            MAX_BYTES >> 20
        );
        refuse(&DISCOVERY_TOO_LARGE, message)
    };
    if metadata.len() > MAX_BYTES {
        return Err(too_large(metadata.len()));
    }
    let bytes = bytes(path, metadata.len()).map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    text(bytes)
        .map(|text| SourceFile::new(shown, text))
        .map_err(|what| {
            let mut refused = refuse(&DISCOVERY_UNREADABLE, format!("`{shown}` is {what}"));
            refused.finding.help = Some("save the file as UTF-8 text".into());
            refused.not_text = true;
            refused
        })
}

/// The text files that more than one part of a run looks at: each is read once, and is the same for
/// all of them.
#[derive(Debug, Default)]
pub struct Files(Mutex<BTreeMap<String, Arc<SourceFile>>>);

impl Files {
    /// Reads a text file as [`read`] does, unless it was read before.
    pub fn read(&self, path: &Path, shown: &str) -> Result<Arc<SourceFile>, Box<Refused>> {
        if let Some(file) = self.known(shown) {
            return Ok(file);
        }
        let file = read(path, shown)?;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(shown.to_owned(), Arc::clone(&file));
        Ok(file)
    }

    /// The file that findings show as `shown`, if it was read before.
    pub fn known(&self, shown: &str) -> Option<Arc<SourceFile>> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(shown).cloned()
    }
}

/// The bytes of a file of that length, up to the limit and one more: it may have grown since.
fn bytes(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    // In one read where it has not: thousands of files are read in pieces else.
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => bytes.truncate(filled),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let rest = (MAX_BYTES + 1).saturating_sub(bytes.len() as u64);
    file.take(rest).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of the bytes, or what they are instead.
fn text(bytes: Vec<u8>) -> Result<String, String> {
    if let Some((_, encoding)) = OTHER_ENCODINGS
        .iter()
        .find(|(mark, _)| bytes.starts_with(mark))
    {
        return Err(format!("{encoding} text, not UTF-8"));
    }
    if bytes.contains(&0) {
        return Err("a binary file".into());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|byte| *byte == b'\n').count();
        format!("not UTF-8 text: line {line} has a byte that no character begins with")
    })
}

/// Why the file system refused, without the number that the system gives it.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => {
            let text = error.to_string();
            let end = text.find(" (os error").unwrap_or(text.len());
            text[..end].to_lowercase()
        }
    }
}

/// A YAML or JSON file as trees, and what is wrong with its text.
#[derive(Debug, Default)]
pub struct Trees {
    /// The root of each document; none for an empty file.
    pub documents: Vec<Node>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Diagnostic>,
    /// The comments, in the order of the text.
    pub comments: Vec<Span>,
    /// Whether a document is missing, since its text could not be understood or is too large.
    pub broken: bool,
}

/// Parses a file.
pub fn parse(file: &Arc<SourceFile>) -> Trees {
    let parsed = yaml::parse(&file.text, &Limits::default());
    let broken = parsed.problems.iter().any(|problem| {
        matches!(
            problem.kind,
            ProblemKind::Syntax | ProblemKind::TooDeep | ProblemKind::TooLarge
        )
    });
    Trees {
        documents: parsed.documents,
        problems: parsed
            .problems
            .into_iter()
            .map(|problem| finding(file, problem))
            .collect(),
        comments: parsed.comments,
        broken,
    }
}

/// A problem of the YAML reader as a finding.
fn finding(file: &Arc<SourceFile>, problem: Problem) -> Diagnostic {
    let finding = Diagnostic::new(rule(problem.kind), problem.message).at(file, problem.span);
    match problem.related {
        Some(related) => finding.label(file, related, "first here"),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<Arc<SourceFile>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        std::fs::write(&path, bytes).unwrap();
        read(&path, "a.yaml")
            .map_err(|refused| refused.finding)
            .map_err(|finding| format!("{}: {}", finding.rule.code, finding.message))
    }

    #[test]
    fn says_what_a_file_is_that_is_no_text() {
        for (bytes, what) in [
            (&b"\xff\xfea\0"[..], "`a.yaml` is UTF-16 text, not UTF-8"),
            (b"\xff\xfe\0\0a\0\0\0", "`a.yaml` is UTF-32 text, not UTF-8"),
            (b"PK\x03\x04\0\0", "`a.yaml` is a binary file"),
            (
                b"id: a\nname: caf\xe9\n",
                "`a.yaml` is not UTF-8 text: line 2 has a byte that no character begins with",
            ),
        ] {
            assert_eq!(
                read_bytes(bytes).unwrap_err(),
                format!("discovery/unreadable: {what}")
            );
        }
        assert_eq!(
            read_bytes(b"\xef\xbb\xbfid: a").unwrap().text,
            "\u{feff}id: a"
        );
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("big.json");
        File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let finding = read(&path, "big.json").unwrap_err().finding;
        assert_eq!(finding.rule.code, "discovery/too-large");
        assert_eq!(
            finding.message,
            "`big.json` has 33 MiB, the limit is 32 MiB"
        );
    }

    #[test]
    fn a_file_that_several_look_at_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yml");
        let files = Files::default();
        assert!(files.read(&path, "a.yml").is_err());
        std::fs::write(&path, "a: 1").unwrap();
        assert!(files.known("a.yml").is_none());
        let first = files.read(&path, "a.yml").unwrap();
        std::fs::write(&path, "a: 2").unwrap();
        assert_eq!(files.read(&path, "a.yml").unwrap().text, first.text);
        assert_eq!(files.known("a.yml").unwrap().text, "a: 1");
    }

    #[test]
    fn absent_files_and_folders_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let absent = read(&folder.path().join("a"), "a").unwrap_err();
        assert_eq!(
            absent.finding.message,
            "`a` cannot be read: it does not exist"
        );
        let directory = read(folder.path(), "d").unwrap_err();
        assert_eq!(
            directory.finding.message,
            "`d` is not a file that can be read"
        );
    }

    #[test]
    fn paths_are_shown_relative_to_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir_all(project.join("contracts")).unwrap();
        let file = project.join("contracts/a.yaml");
        assert_eq!(shown(&project, &file), "contracts/a.yaml");
        assert_eq!(
            shown(&project, &project.join("contracts/../contracts/a.yaml")),
            "contracts/../contracts/a.yaml"
        );
        assert_eq!(
            shown(&project.join("contracts/.."), &file),
            "contracts/a.yaml"
        );
        assert_eq!(shown(&project, &project), ".");
        let outside = folder.path().join("b.yaml");
        assert_eq!(shown(&project, &outside), outside.to_string_lossy());
    }
}
