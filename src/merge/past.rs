//! What earlier runs did about a file while it is made: a plan comes in, with its text or without,
//! whether that stands there already goes out.

use super::content::Fingerprint;
use super::lock::{Entry, Lock};
use super::look;
use super::outcome::Disk;
use super::place::Root;
use crate::file::Files;
use crate::plan::{ArtifactKind, Earlier, Known, Recipe};

/// What earlier runs did, as the lock and the disk say.
pub struct Past<'a> {
    /// The folder of the project.
    pub root: &'a Root,
    /// What the runs said of it.
    pub lock: &'a Lock,
    /// What was read of the project before.
    pub files: &'a Files,
}

impl Past<'_> {
    /// The file that stands there, with what is known of it; `None` where the lock is to be written
    /// in any case, and the text taken apart for that.
    fn file(&self, kind: ArtifactKind, path: &str) -> Option<(&Entry, Vec<u8>)> {
        let is_whole = |entry: &&Entry| kind != ArtifactKind::Properties || !entry.parts.is_empty();
        let entry = self.lock.get(path).filter(is_whole)?;
        match look(self.root, path, self.files) {
            Disk::File(bytes) => Some((entry, bytes)),
            Disk::Absent | Disk::Blocked(_) => None,
        }
    }
}

impl Earlier for Past<'_> {
    fn stands(&self, kind: ArtifactKind, path: &str, recipe: Recipe) -> bool {
        let has_recipe = |entry: &Entry| entry.recipe.is_some();
        self.lock.get(path).is_some_and(has_recipe)
            && self.file(kind, path).is_some_and(|(entry, bytes)| {
                entry.recipe == Some(recipe.making(&bytes)) && entry.base == Fingerprint::of(&bytes)
            })
    }

    fn known(&self, kind: ArtifactKind, path: &str, text: &str) -> Known {
        let is_of = |entry: &Entry| entry.base == Fingerprint::of(text.as_bytes());
        if !self.lock.get(path).is_some_and(is_of) {
            return Known::New;
        }
        match self.file(kind, path) {
            Some((_, bytes)) if bytes == text.as_bytes() => Known::Written,
            _ => Known::Recorded,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::merge::Base;
    use crate::plan::HEADER;

    const PATH: &str = "schema.yml";

    /// A project with that file, and a lock that knows it as generated.
    struct Project {
        folder: TempDir,
        lock: Lock,
        text: String,
    }

    fn recipe() -> Recipe {
        Recipe::of("its values")
    }

    impl Project {
        fn new() -> Self {
            let text = format!("# {HEADER}a.yaml\nmodels: [{{name: orders}}]\n");
            let entry = Entry {
                recipe: Some(recipe().making(text.as_bytes())),
                parts: Base::of(&text, None).into(),
                ..Entry::new(&text, &[])
            };
            let project = Self {
                folder: tempfile::tempdir().unwrap(),
                lock: Lock::default().with_files([(PATH.to_owned(), entry)].into()),
                text,
            };
            project.put(&project.text);
            project
        }

        fn put(&self, text: &str) {
            #[expect(clippy::disallowed_methods, reason = "a file of the test's own")]
            fs::write(self.folder.path().join(PATH), text).unwrap();
        }

        fn ask<T>(&self, question: impl Fn(&dyn Earlier) -> T) -> T {
            question(&Past {
                root: &Root::survey(self.folder.path()).unwrap(),
                lock: &self.lock,
                files: &Files::default(),
            })
        }

        fn stands(&self, recipe: Recipe) -> bool {
            self.ask(|past| past.stands(ArtifactKind::Properties, PATH, recipe))
        }

        fn known(&self, text: &str) -> Known {
            self.ask(|past| past.known(ArtifactKind::Properties, PATH, text))
        }
    }

    #[test]
    fn what_was_made_of_the_same_and_stands_there_need_not_be_made() {
        let project = Project::new();
        assert!(project.stands(recipe()));
        assert!(!project.stands(Recipe::of("other values")));
    }

    #[test]
    fn a_text_is_known_by_its_bytes() {
        let project = Project::new();
        assert_eq!(project.known(&project.text), Known::Written);
        assert_eq!(project.known("models: []\n"), Known::New);
    }

    #[test]
    fn what_anybody_wrote_there_is_looked_at() {
        let mut project = Project::new();
        let text = project.text.clone();
        // By the hash of the text alone, the first four are as generated.
        for other in [
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
            text.replacen("a.yaml", "a.yaml, mine", 1),
            text.replacen("# ", "-- ", 1),
            format!("{text}# mine\n"),
            String::new(),
        ] {
            project.put(&other);
            assert!(!project.stands(recipe()), "{other:?}");
            assert_eq!(project.known(&text), Known::Recorded, "{other:?}");
        }
        fs::remove_file(project.folder.path().join(PATH)).unwrap();
        assert!(!project.stands(recipe()));
        assert_eq!(project.known(&text), Known::Recorded);
        project.lock = Lock::default();
        assert_eq!(project.known(&text), Known::New);
    }

    #[test]
    fn a_lock_that_lacks_something_is_to_be_written() {
        let mut project = Project::new();
        let of = |entry: Entry| Lock::default().with_files([(PATH.to_owned(), entry)].into());
        let whole = project.lock.get(PATH).unwrap().clone();
        for broken in [
            Entry {
                recipe: None,
                ..whole.clone()
            },
            Entry {
                base: Fingerprint::of(b"other"),
                ..whole.clone()
            },
        ] {
            project.lock = of(broken);
            assert!(!project.stands(recipe()));
        }
        project.lock = of(Entry {
            parts: Base::default().into(),
            ..whole
        });
        assert!(!project.stands(recipe()));
        assert_eq!(project.known(&project.text), Known::Recorded);
    }
}
