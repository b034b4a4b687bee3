//! Settling findings in the documents themselves: rounds of findings come in, the texts that their
//! files get go out, and why a file gets none.
//!
//! What a fix changes may lead to new findings, so after each [`Fixes::round`] the documents are
//! checked again with [`Fixes::texts`] in place of what is on disk, until a round has nothing to do.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Fix, SourceFile};
use crate::discovery::Texts;
use crate::merge::{Digest, Root};
use crate::write::{Change, Kind};
use crate::yaml::{Edit, patch};

/// More rounds than documents of any sense need; a bound, should two fixes undo each other.
const ROUNDS: usize = 20;

/// The fixes of one run.
#[derive(Debug)]
pub struct Fixes {
    root: Option<Root>,
    when_asked: bool,
    rounds: usize,
    files: BTreeMap<String, Fixed>,
    refused: BTreeMap<String, String>,
}

/// A file with fixes.
#[derive(Debug)]
pub struct Fixed {
    /// As it was.
    pub old: Arc<SourceFile>,
    /// As it will be.
    pub new: Arc<SourceFile>,
    /// How many findings were settled.
    pub count: usize,
}

impl Fixes {
    /// No fixes yet. Only files of the project are changed; `when_asked` says whether somebody asked
    /// for the fixes that are not safe.
    pub fn new(project_dir: &Path, when_asked: bool) -> Self {
        Self {
            root: Root::open(project_dir).ok(),
            when_asked,
            rounds: 0,
            files: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Makes the fixes of all findings that do not get in each other's way. Says whether anything has
    /// changed, so that the findings are others now.
    pub fn round<'a>(&mut self, findings: impl IntoIterator<Item = &'a Diagnostic>) -> bool {
        self.rounds += 1;
        if self.rounds > ROUNDS {
            return false;
        }
        let mut by_file: BTreeMap<&str, (&Arc<SourceFile>, Vec<&Fix>)> = BTreeMap::new();
        for finding in findings {
            let Some((fix, place)) = finding.fix.as_ref().zip(finding.place.as_ref()) else {
                continue;
            };
            let path = place.file.path.as_str();
            if (fix.is_safe() || self.when_asked) && !self.refused.contains_key(path) {
                let (_, fixes) = by_file.entry(path).or_insert((&place.file, Vec::new()));
                fixes.push(fix);
            }
        }
        let mut changed = false;
        for (file, fixes) in by_file.into_values() {
            changed |= self.apply(file, &fixes);
        }
        changed
    }

    /// Makes the fixes of one file, or none of them.
    fn apply(&mut self, file: &Arc<SourceFile>, fixes: &[&Fix]) -> bool {
        if let Some(reason) = self.refusal(&file.path) {
            self.refused.insert(file.path.clone(), reason);
            return false;
        }
        let (edits, count) = apart(fixes);
        let Some(text) = patch(&file.text, &edits) else {
            let reason = "would not be read as meant after its fixes; make them by hand".to_owned();
            self.refused.insert(file.path.clone(), reason);
            // What earlier rounds did to the file is taken back.
            return self.files.remove(&file.path).is_some();
        };
        let new = SourceFile::new(file.path.as_str(), text);
        self.files
            .entry(file.path.clone())
            .and_modify(|fixed| {
                fixed.new = Arc::clone(&new);
                fixed.count += count;
            })
            .or_insert_with(|| Fixed {
                old: Arc::clone(file),
                new,
                count,
            });
        true
    }

    /// Why a file may not be written.
    fn refusal(&self, path: &str) -> Option<String> {
        match &self.root {
            Some(root) => root.locate(path).err().map(|refusal| refusal.to_string()),
            None => Some("is in a folder that cannot be opened".to_owned()),
        }
    }

    /// The files with fixes, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = &Fixed> {
        self.files.values()
    }

    /// How many findings were settled.
    pub fn count(&self) -> usize {
        self.files.values().map(|fixed| fixed.count).sum()
    }

    /// The files that stay without their fixes, sorted by path; the reason completes a sentence that
    /// begins with the path.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        let refused = self.refused.iter();
        refused.map(|(path, reason)| (path.as_str(), reason.as_str()))
    }

    /// What the files hold after the fixes.
    pub fn texts(&self) -> Texts {
        let files = self.files.iter();
        files
            .map(|(path, fixed)| (path.clone(), Arc::clone(&fixed.new)))
            .collect()
    }

    /// The changes that bring the fixes to disk.
    pub fn changes(&self) -> Vec<Change> {
        let files = self.files.iter();
        files
            .map(|(path, fixed)| Change {
                path: path.clone(),
                kind: Kind::Write {
                    text: fixed.new.text.clone(),
                },
                expected: Some(Digest::of(fixed.old.text.as_bytes())),
            })
            .collect()
    }
}

/// The edits of the fixes that are apart from each other, in order, and how many fixes that are. Of
/// two that overlap the one that begins first is made, unless they are the same.
fn apart(fixes: &[&Fix]) -> (Vec<Edit>, usize) {
    let mut fixes: Vec<&Fix> = fixes.to_vec();
    fixes.sort_by_key(|fix| fix.edits.first().map(|edit| edit.span));
    let mut made: BTreeMap<usize, &Edit> = BTreeMap::new();
    let mut count = 0;
    for fix in fixes {
        // Those made are apart, so only the last that begins before this one ends may reach into it.
        let fits = |edit: &Edit| {
            let before = made.range(..edit.span.end()).next_back();
            before.is_none_or(|(_, made)| *made == edit || made.span.end() <= edit.span.start())
        };
        if fix.edits.iter().all(fits) {
            count += 1;
            made.extend(fix.edits.iter().map(|edit| (edit.span.start(), edit)));
        }
    }
    (made.into_values().cloned().collect(), count)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests lay out their own files")]

    use super::*;
    use crate::diagnostics::{Safety, rules};
    use crate::yaml::Span;

    fn fix(edits: &[(usize, usize, &str)]) -> Fix {
        let edits = edits.iter().map(|&(start, end, text)| Edit {
            span: Span::new(start, end),
            text: text.to_owned(),
        });
        Fix {
            title: String::new(),
            safety: Safety::Safe,
            edits: edits.collect(),
        }
    }

    fn finding(file: &Arc<SourceFile>, fix: Fix) -> Diagnostic {
        let rule = &rules::SCHEMA_INVALID_VALUE;
        Diagnostic::new(rule, "").in_file(file).fix(Some(fix))
    }

    #[test]
    fn of_fixes_that_overlap_the_first_is_made() {
        let fixes = [
            fix(&[(4, 6, "late"), (8, 9, "x")]),
            fix(&[(0, 2, "a")]),
            fix(&[(1, 3, "overlaps")]),
            fix(&[(0, 2, "a")]),
            fix(&[(2, 4, "beside")]),
            fix(&[(9, 11, "y"), (5, 7, "overlaps")]),
        ];
        let (edits, count) = apart(&fixes.iter().collect::<Vec<_>>());
        let texts: Vec<&str> = edits.iter().map(|edit| edit.text.as_str()).collect();
        assert_eq!(
            (texts.as_slice(), count),
            (["a", "beside", "late", "x"].as_slice(), 4)
        );
    }

    #[test]
    fn a_file_that_would_be_misread_gets_back_what_it_was() {
        let project = tempfile::tempdir().unwrap();
        for path in ["a.yaml", "b.yaml"] {
            std::fs::write(project.path().join(path), "").unwrap();
        }
        let mut fixes = Fixes::new(project.path(), false);
        let (a, b) = (
            SourceFile::new("a.yaml", "x: 1\n"),
            SourceFile::new("b.yaml", "x: 2\n"),
        );
        let outside = SourceFile::new("/etc/c.yaml", "x: 3\n");
        let quote = |file, text| finding(file, fix(&[(3, 4, text)]));
        assert!(fixes.round(&[quote(&a, "'1'"), quote(&b, "'2'"), quote(&outside, "'3'")]));
        assert_eq!(fixes.count(), 2);
        let again = Arc::clone(&fixes.texts()["a.yaml"]);
        assert!(fixes.round(&[finding(&again, fix(&[(3, 6, "1\ny: 2")]))]));
        let changes = fixes.changes();
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].path, "b.yaml");
        assert_eq!(
            changes[0].kind,
            Kind::Write {
                text: "x: '2'\n".into()
            }
        );
        assert_eq!(changes[0].expected, Some(Digest::of(b"x: 2\n")));
        let refused: Vec<_> = fixes.refused().map(|(path, _)| path).collect();
        assert_eq!(refused, ["/etc/c.yaml", "a.yaml"]);
        assert!(!fixes.round(&[quote(&a, "'1'")]));
    }

    #[test]
    fn what_is_not_safe_waits_until_it_is_asked_for() {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join("a.yaml"), "").unwrap();
        let file = SourceFile::new("a.yaml", "x: 1\n");
        let unsafe_fix = [finding(&file, fix(&[(3, 4, "2")]).when_asked())];
        assert!(!Fixes::new(project.path(), false).round(&unsafe_fix));
        assert!(Fixes::new(project.path(), true).round(&unsafe_fix));
    }

    #[test]
    fn fixes_that_undo_each_other_come_to_an_end() {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join("a.yaml"), "").unwrap();
        let mut fixes = Fixes::new(project.path(), false);
        let mut file = SourceFile::new("a.yaml", "x: 1\n");
        while fixes.round(&[finding(&file, fix(&[(3, 4, "2")]))]) {
            file = Arc::clone(&fixes.texts()["a.yaml"]);
        }
        assert_eq!(fixes.count(), ROUNDS);
    }
}
