//! `contracts/dbt-contracts.lock`: what was generated, so that the next run can tell its own bytes
//! from a person's. Text in, [`Lock`] out, and back.
//!
//! One line for each file, sorted by path, its first word saying what the line is about, so that
//! git merges it line by line and later kinds of lines fit in:
//!
//! ```text
//! version = 1
//! file 1f3870be274f6c49 models/contracts/orders/schema.yml orders@1.0.0
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::content::{Digest, Fingerprint, Form};
use super::place::{self, Root};
use crate::diagnostics::{Diagnostic, SourceFile, rules};
use crate::yaml::Span;

/// Where the lock file stands in a project.
pub const LOCK_PATH: &str = "contracts/dbt-contracts.lock";

/// The folder of a running command; there only while files are written.
pub const TOOL_FOLDER: &str = "contracts/.dbt-contracts";

/// First line that counts.
const VERSION: &str = "version = 1";

/// What is written above the first line.
const HEADER: &str = "\
# What dbt-contracts generated, one line for each file. Commit this file; do not edit it.
# After a merge conflict take either side and run `dbt-contracts sync`.
";

/// What git writes at the beginning of a line where it could not merge.
const CONFLICT_MARKERS: &[&str] = &["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// What the lock says about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The contract's side when the file was last written or accepted: the base of the comparison.
    pub base: Fingerprint,
    /// `id@version` of each contract that it comes from, sorted; empty for what all share.
    pub contracts: Vec<String>,
}

impl Entry {
    /// An entry for a file with that text.
    pub fn new(text: &str, contracts: &[String]) -> Self {
        let mut contracts = contracts.to_vec();
        contracts.retain(|contract| !contract.is_empty());
        contracts.sort();
        contracts.dedup();
        Self {
            base: Fingerprint::of(text.as_bytes()),
            contracts,
        }
    }
}

/// The lock file of a project.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    files: BTreeMap<String, Entry>,
    seen: Option<Digest>,
    content: Option<Fingerprint>,
    form: Form,
}

impl Lock {
    /// Reads the lock file; a project without one has an empty lock.
    pub fn read(project_dir: &Path) -> Result<Self, Box<Diagnostic>> {
        let refuse = |reason: String| {
            Box::new(
                Diagnostic::new(&rules::MERGE_LOCK, format!("`{LOCK_PATH}` {reason}"))
                    .in_file(&SourceFile::new(LOCK_PATH, ""))
                    .help(format!("make `{LOCK_PATH}` a readable file, or remove it")),
            )
        };
        let target = Root::open(project_dir)
            .map_err(|error| refuse(format!("cannot be reached: {error}")))?
            .locate(LOCK_PATH)
            .map_err(|refusal| refuse(refusal.to_string()))?;
        if !target.exists {
            return Ok(Self::default());
        }
        match fs::read(&target.real) {
            Ok(bytes) => Self::parse(&bytes),
            Err(error) => Err(refuse(format!("cannot be read: {error}"))),
        }
    }

    /// The lock in the bytes of a lock file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let file = SourceFile::new(LOCK_PATH, String::from_utf8_lossy(bytes));
        let mut files = BTreeMap::new();
        let mut versioned = false;
        let broken = std::str::from_utf8(bytes)
            .err()
            .map(|error| error.valid_up_to());
        let mut start = 0;
        for text in file.text.split_inclusive('\n') {
            let line = Line {
                file: &file,
                text: text
                    .trim_start_matches('\u{feff}')
                    .trim_end_matches(['\r', '\n']),
                start,
            };
            start += text.len();
            if broken.is_some_and(|broken| broken < start) {
                return Err(line.malformed("bytes that are not UTF-8"));
            }
            if CONFLICT_MARKERS
                .iter()
                .any(|marker| line.text.starts_with(marker))
            {
                let help = format!(
                    "take either side (`git checkout --ours {LOCK_PATH}`) and run \
                     `dbt-contracts sync`, which brings it up to date"
                );
                return Err(line.error("git conflict markers in the lock file", help));
            }
            if line.text.is_empty() || line.text.starts_with('#') {
                continue;
            }
            if versioned {
                line.entry(&mut files)?;
            } else {
                line.version()?;
                versioned = true;
            }
        }
        if !versioned {
            let end = Line {
                file: &file,
                text: "",
                start: file.text.len(),
            };
            return Err(end.malformed(format!("no line `{VERSION}`")));
        }
        Ok(Self {
            files,
            seen: Some(Digest::of(bytes)),
            content: Some(Fingerprint::of(bytes)),
            form: Form::of(bytes),
        })
    }

    /// What the lock says about the file at `path`.
    pub fn get(&self, path: &str) -> Option<&Entry> {
        self.files.get(path)
    }

    /// Every file with its entry, sorted by path.
    pub fn files(&self) -> btree_map::Iter<'_, String, Entry> {
        self.files.iter()
    }

    /// The bytes that were read, as a digest; `None` where there was no lock file.
    pub fn seen(&self) -> Option<Digest> {
        self.seen
    }

    /// This lock file with other entries.
    pub fn with_files(&self, files: BTreeMap<String, Entry>) -> Self {
        Self {
            files,
            ..self.clone()
        }
    }

    /// The text of the lock file.
    pub fn render(&self) -> String {
        let mut text = format!("{HEADER}{VERSION}\n");
        for (path, entry) in &self.files {
            // Writing to a string cannot fail.
            let _ = write!(text, "file {} {}", entry.base, escape(path));
            for contract in &entry.contracts {
                let _ = write!(text, " {}", escape(contract));
            }
            text.push('\n');
        }
        self.form.apply(&text)
    }

    /// The text to write: `None` where the file on disk says the same already, or where there is
    /// neither a file nor anything to record.
    pub fn update(&self) -> Option<String> {
        let text = self.render();
        let same = match self.content {
            Some(content) => content == Fingerprint::of(text.as_bytes()),
            None => self.files.is_empty(),
        };
        (!same).then_some(text)
    }
}

/// Whether `path` is the tool's own, so that nothing generated may stand there.
pub fn is_reserved(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path == LOCK_PATH
        || path
            .strip_prefix(TOOL_FOLDER)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// One line of a lock file.
struct Line<'a> {
    file: &'a Arc<SourceFile>,
    text: &'a str,
    start: usize,
}

impl Line<'_> {
    fn error(&self, message: impl Into<String>, help: impl Into<String>) -> Box<Diagnostic> {
        let span = Span::new(
            self.start,
            (self.start + self.text.len()).min(self.file.text.len()),
        );
        let diagnostic = Diagnostic::new(&rules::MERGE_LOCK, message);
        Box::new(diagnostic.at(self.file, span).help(help))
    }

    fn malformed(&self, found: impl Into<String>) -> Box<Diagnostic> {
        let help = format!(
            "restore it (`git checkout {LOCK_PATH}`), or remove it and run `dbt-contracts sync`, \
             which adopts every file that is as generated"
        );
        self.error(format!("unreadable lock file: {}", found.into()), help)
    }

    fn version(&self) -> Result<(), Box<Diagnostic>> {
        if self.text == VERSION {
            return Ok(());
        }
        Err(match self.text.strip_prefix("version = ") {
            Some(version) => self.error(
                format!("the lock file has the unknown version `{version}`, expected `1`"),
                "use the release of dbt-contracts that wrote it, or a newer one",
            ),
            None => self.malformed(format!("expected `{VERSION}` as the first line")),
        })
    }

    fn entry(&self, files: &mut BTreeMap<String, Entry>) -> Result<(), Box<Diagnostic>> {
        let expected = "expected `file`, 16 hexadecimal digits, a path and the contracts";
        let mut words = self.text.split(' ');
        let (Some("file"), Some(base), Some(path)) = (words.next(), words.next(), words.next())
        else {
            return Err(self.malformed(expected));
        };
        let base = Fingerprint::parse(base).ok_or_else(|| self.malformed(expected))?;
        let path = unescape(path).ok_or_else(|| self.malformed("a broken `%` escape"))?;
        // The file is committed, so it may come from anybody: it must not lead a run elsewhere.
        if let Err(refusal) = place::check(&path) {
            return Err(self.malformed(format!("the path {path:?} {refusal}")));
        }
        if is_reserved(&path) {
            return Err(self.malformed(format!("the path `{path}` is the tool's own")));
        }
        let mut contracts = Vec::new();
        for word in words {
            match unescape(word) {
                Some(contract) if !contract.is_empty() => contracts.push(contract),
                _ => return Err(self.malformed("an empty contract or a broken `%` escape")),
            }
        }
        match files.entry(path) {
            btree_map::Entry::Occupied(entry) => {
                Err(self.malformed(format!("the path `{}` stands there twice", entry.key())))
            }
            btree_map::Entry::Vacant(entry) => {
                entry.insert(Entry { base, contracts });
                Ok(())
            }
        }
    }
}

/// `text` as one word on one line: blanks, control characters and `%` become `%` with two
/// hexadecimal digits for each byte.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '%' || character.is_whitespace() || character.is_control() {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(escaped, "%{byte:02X}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// What [`escape`] was given.
fn unescape(word: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lock(files: &[(&str, &[&str])]) -> Lock {
        let files = files.iter().map(|(path, contracts)| {
            let contracts: Vec<String> = contracts.iter().map(ToString::to_string).collect();
            ((*path).to_owned(), Entry::new("text\n", &contracts))
        });
        Lock::default().with_files(files.collect())
    }

    fn failure(text: &str) -> (String, String, String) {
        let error = Lock::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error.rule.code, "merge/lock");
        (
            error.message,
            error.place.unwrap().display(),
            error.help.unwrap(),
        )
    }

    #[test]
    fn one_line_for_each_file_sorted_by_path() {
        let text = lock(&[("b.sql", &["z@2", "a b:c\n%@1", "z@2"]), ("a x/ü.yml", &[])]).render();
        let hash = Fingerprint::of(b"text\n");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines,
            [
                "version = 1".to_owned(),
                format!("file {hash} a%20x/ü.yml"),
                format!("file {hash} b.sql a%20b:c%0A%25@1 z@2"),
            ]
        );
    }

    #[test]
    fn the_text_is_written_only_when_it_says_something_new() {
        assert_eq!(Lock::default().update(), None);
        let text = lock(&[("a", &["c@1"])]).update().unwrap();
        assert_eq!(Lock::parse(text.as_bytes()).unwrap().update(), None);
        let checked_out = Lock::parse(text.replace('\n', "\r\n").as_bytes()).unwrap();
        assert_eq!(checked_out.update(), None);
        let emptied = checked_out.with_files(BTreeMap::new()).update().unwrap();
        assert!(emptied.ends_with("version = 1\r\n"));
    }

    #[test]
    fn a_broken_lock_is_an_error_with_its_place_and_cure() {
        let head = "# x\nversion = 1\n";
        let hash = "0123456789abcdef";
        let (message, place, help) = failure(&format!(
            "{head}<<<<<<< HEAD\nfile {hash} a\n=======\n>>>>>>> b\n"
        ));
        assert!(message.contains("conflict markers") && help.contains("dbt-contracts sync"));
        assert_eq!(place, format!("{LOCK_PATH}:3:1"));
        let (message, place, _) = failure("version = 2\nfile x\n");
        assert!(message.contains("unknown version `2`"), "{message}");
        assert_eq!(place, format!("{LOCK_PATH}:1:1"));
        for line in [
            "file",
            "file x",
            "file 0123 a",
            "key 0123456789abcdef a",
            "file 0123456789abcdef ",
            "file 0123456789abcdef ../x",
            "file 0123456789abcdef /etc/passwd",
            "file 0123456789abcdef a%2",
            "file 0123456789abcdef a%FF",
            "file 0123456789abcdef a%+1",
            "file 0123456789abcdef a  b",
            "file 0123456789abcdef .git/config",
            "file 0123456789ABCDEF a",
            "file 0123456789abcdef contracts/dbt-contracts.lock",
        ] {
            let (_, place, help) = failure(&format!("{head}{line}\n"));
            assert_eq!(place, format!("{LOCK_PATH}:3:1"), "{line}");
            assert!(help.contains("sync"));
        }
        let twice = failure(&format!("{head}file {hash} a\nfile {hash} a x@1\n"));
        assert!(twice.0.contains("twice") && twice.1.ends_with(":4:1"));
        for text in ["", "\n# nothing\n", "file 0123456789abcdef a\n"] {
            assert!(failure(text).0.contains("version = 1"), "{text:?}");
        }
        let error = Lock::parse(b"version = 1\nfile 0123456789abcdef a\xff\n").unwrap_err();
        assert!(
            error.message.contains("UTF-8") && error.place.unwrap().display().ends_with(":2:1")
        );
    }

    #[test]
    fn a_project_without_a_lock_has_an_empty_one() {
        let project = tempfile::tempdir().unwrap();
        let lock = Lock::read(project.path()).unwrap();
        assert_eq!((lock.files().count(), lock.seen()), (0, None));
        fs::create_dir_all(project.path().join(LOCK_PATH)).unwrap();
        let error = Lock::read(project.path()).unwrap_err();
        assert!(error.message.contains("is a folder"), "{}", error.message);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            path in "[a-z\u{e4} %]{1,4}x/y",
            contracts in proptest::collection::vec("\\PC{1,9}|[ \t\r\n\u{85}\u{2028}%@:#]{1,5}", 0..4),
        ) {
            let entry = Entry::new("t", &contracts);
            let lock = Lock::default().with_files([(path.clone(), entry.clone())].into());
            let read = Lock::parse(lock.render().as_bytes()).unwrap();
            prop_assert_eq!(read.get(&path), Some(&entry));
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut text = format!("{VERSION}\nfile ").into_bytes();
            let _ = Lock::parse(&bytes);
            text.extend(bytes);
            let _ = Lock::parse(&text);
        }
    }
}
