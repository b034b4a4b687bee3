//! `contracts/dbt-contracts.lock`: what was generated, so that the next run can tell its own bytes
//! from a person's. Text in, [`Lock`] out, and back.
//!
//! One line for each file, sorted by path, its first word saying what the line is about, so that
//! git merges it line by line and later kinds of lines fit in: the hash of its text, and the
//! [`Recipe`]. Below a properties file stands a line
//! for each resource and column ([`parts`]), with a short hash of each value; below one that a person
//! wrote, which is `bound`, only for what contracts say in it:
//!
//! ```text
//! version = 1
//! file 1f3870be274f6c49=5d41402abc4b2a76 models/contracts/orders/schema.yml orders@1.0.0
//! + models/stg_orders d=Ab3xY meta/owner=9_sdF
//! ++ :order_id t=Kq0aB ?not_null=zZ81-
//! bound models/marts/schema.yml
//! + models/customers @customers@2.1.0 d=0Ga1x
//! ```

mod parts;

pub use parts::Parts;

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::content::{Digest, Fingerprint, Form};
use super::keys::Base;
use super::place::{self, Root};
use crate::diagnostics::{Diagnostic, SourceFile, rules};
use crate::plan::Recipe;
use crate::yaml::Span;

/// Where the lock file stands in a project.
pub const LOCK_PATH: &str = "contracts/dbt-contracts.lock";

/// The folder of a running command; there only while files are written.
pub const TOOL_FOLDER: &str = "contracts/.dbt-contracts";

/// First line that counts.
const VERSION: &str = "version = 1";

/// What is written above the first line.
const HEADER: &str = "\
# What dbt-contracts generated: a line for each file, and for each resource and column in it.
# Commit this file; do not edit it.
# After a merge conflict take either side and run `dbt-contracts sync`.
";

/// What git writes at the beginning of a line where it could not merge.
const CONFLICT_MARKERS: &[&str] = &["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// What the lock says about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The contract's side when the file was last written or accepted: the base of the comparison.
    pub base: Fingerprint,
    /// What that side was made of, with its text, where that is known.
    pub recipe: Option<Recipe>,
    /// `id@version` of each contract that it comes from, sorted; empty for what all share.
    pub contracts: Vec<String>,
    /// For a properties file, what was written of each of its parts.
    pub parts: Parts,
}

impl Entry {
    /// An entry for a file with that text, whose parts are not known yet.
    pub fn new(text: &str, contracts: &[String]) -> Self {
        Self::of(Fingerprint::of(text.as_bytes()), contracts)
    }

    /// An entry for a file with a text of that fingerprint.
    pub(super) fn of(base: Fingerprint, contracts: &[String]) -> Self {
        let mut contracts = contracts.to_vec();
        contracts.retain(|contract| !contract.is_empty());
        contracts.sort();
        contracts.dedup();
        Self {
            base,
            recipe: None,
            contracts,
            parts: Parts::default(),
        }
    }
}

/// The lock file of a project.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    files: BTreeMap<String, Entry>,
    bound: BTreeMap<String, Base>,
    /// The file that was read; `None` where there was none.
    file: Option<Arc<SourceFile>>,
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
        let mut lock = Self {
            file: Some(Arc::clone(&file)),
            form: Form::of(bytes),
            ..Self::default()
        };
        let mut reading = parts::Reading::default();
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
                line.entry(&mut lock, &mut reading)?;
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
        reading.finish(&mut lock, &file);
        Ok(lock)
    }

    /// What the lock says about the file at `path`.
    pub fn get(&self, path: &str) -> Option<&Entry> {
        self.files.get(path)
    }

    /// Every file with its entry, sorted by path.
    pub fn files(&self) -> btree_map::Iter<'_, String, Entry> {
        self.files.iter()
    }

    /// Every file of a person that contracts say something in, with what was written there.
    pub fn bound(&self) -> &BTreeMap<String, Base> {
        &self.bound
    }

    /// The bytes that were read, as a digest; `None` where there was no lock file.
    pub fn seen(&self) -> Option<Digest> {
        let file = self.file.as_ref()?;
        Some(Digest::of(file.text.as_bytes()))
    }

    /// This lock file without any entry.
    pub fn emptied(&self) -> Self {
        Self {
            files: BTreeMap::new(),
            bound: BTreeMap::new(),
            file: self.file.clone(),
            form: self.form,
        }
    }

    /// This lock file with other entries.
    pub fn with_files(self, files: BTreeMap<String, Entry>) -> Self {
        Self { files, ..self }
    }

    /// This lock file with other files of persons.
    pub fn with_bound(self, bound: BTreeMap<String, Base>) -> Self {
        Self { bound, ..self }
    }

    /// The text of the lock file.
    pub fn render(&self) -> String {
        let mut text = format!("{HEADER}{VERSION}\n");
        for (path, entry) in &self.files {
            // Writing to a string cannot fail.
            let _ = write!(text, "file {}", entry.base);
            if let Some(recipe) = entry.recipe {
                let _ = write!(text, "={recipe}");
            }
            let _ = write!(text, " {}", escape(path));
            for contract in &entry.contracts {
                let _ = write!(text, " {}", escape(contract));
            }
            text.push('\n');
            entry.parts.render(&mut text);
        }
        for (path, base) in &self.bound {
            let _ = writeln!(text, "bound {}", escape(path));
            parts::render(base, 1, &mut text);
        }
        self.form.apply(&text)
    }

    /// The text to write: `None` where the file on disk says the same already, or where there is
    /// neither a file nor anything to record.
    pub fn update(&self) -> Option<String> {
        let text = self.render();
        let same = match &self.file {
            Some(file) => Fingerprint::of(file.text.as_bytes()) == Fingerprint::of(text.as_bytes()),
            None => self.files.is_empty() && self.bound.is_empty(),
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

    fn entry(&self, lock: &mut Lock, reading: &mut parts::Reading) -> Result<(), Box<Diagnostic>> {
        let expected = "expected `file`, 16 hexadecimal digits, a path and the contracts";
        let mut words = self.text.split(' ');
        let path = match words.next() {
            Some(word) if word.starts_with('+') => {
                let range = self.start..self.start + self.text.len();
                return reading.line(self.text, range).ok_or_else(|| {
                    self.malformed("expected a part of the file above, with hashes of five digits")
                });
            }
            Some("bound") => {
                let path = self.path(words.next().filter(|_| words.next().is_none()), expected)?;
                return match lock.bound.entry(path) {
                    btree_map::Entry::Occupied(entry) => Err(self.twice(entry.key())),
                    btree_map::Entry::Vacant(entry) => {
                        let next = parts::Reading::of(entry.key().clone(), true);
                        entry.insert(Base::default());
                        std::mem::replace(reading, next).finish(lock, self.file);
                        Ok(())
                    }
                };
            }
            Some("file") => words.next().zip(words.next()),
            _ => None,
        };
        let (base, path) = path.ok_or_else(|| self.malformed(expected))?;
        let (base, recipe) = hashes(base).ok_or_else(|| self.malformed(expected))?;
        let path = self.path(Some(path), expected)?;
        let mut contracts = Vec::new();
        for word in words {
            match unescape(word) {
                Some(contract) if !contract.is_empty() => contracts.push(contract),
                _ => return Err(self.malformed("an empty contract or a broken `%` escape")),
            }
        }
        match lock.files.entry(path) {
            btree_map::Entry::Occupied(entry) => Err(self.twice(entry.key())),
            btree_map::Entry::Vacant(entry) => {
                let next = parts::Reading::of(entry.key().clone(), false);
                let parts = Parts::default();
                entry.insert(Entry {
                    base,
                    recipe,
                    contracts,
                    parts,
                });
                std::mem::replace(reading, next).finish(lock, self.file);
                Ok(())
            }
        }
    }

    /// The path that stands in a word.
    fn path(&self, word: Option<&str>, expected: &str) -> Result<String, Box<Diagnostic>> {
        let word = word.ok_or_else(|| self.malformed(expected))?;
        let path = unescape(word).ok_or_else(|| self.malformed("a broken `%` escape"))?;
        // The file is committed, so it may come from anybody: it must not lead a run elsewhere.
        if let Err(refusal) = place::check(&path) {
            return Err(self.malformed(format!("the path {path:?} {refusal}")));
        }
        if is_reserved(&path) {
            return Err(self.malformed(format!("the path `{path}` is the tool's own")));
        }
        Ok(path)
    }

    fn twice(&self, path: &str) -> Box<Diagnostic> {
        self.malformed(format!("the path `{path}` stands there twice"))
    }
}

/// The hash of a text, and after `=` its recipe.
fn hashes(word: &str) -> Option<(Fingerprint, Option<Recipe>)> {
    let (base, recipe) = match word.split_once('=') {
        Some((base, recipe)) => (base, Some(Recipe::parse(recipe)?)),
        None => (word, None),
    };
    Some((Fingerprint::parse(base)?, recipe))
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
mod tests;
