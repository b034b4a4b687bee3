//! The two sides of a file: what stands at its path, and what the contract has there.

use crate::dbt::adapter::Adapter;
use crate::dbt::properties::Identity;
use crate::merge::content::Form;
use crate::merge::keys::{self, Base, Merge, Ours};
use crate::merge::lock::{Entry, Parts};
use crate::plan::{Artifact, ArtifactKind};

/// What stands at a path.
pub(in crate::merge) enum Disk {
    /// Nothing.
    Absent,
    /// A file of these bytes.
    File(Vec<u8>),
    /// Something that is no file to be read or written; the reason completes a sentence that begins
    /// with the path.
    Blocked(String),
}

/// The contract's side of a file.
#[derive(Clone, Debug)]
pub(in crate::merge) struct Plan {
    kind: ArtifactKind,
    pub(super) text: String,
    pub(super) entry: Entry,
    pub(super) identities: Vec<(Vec<String>, Identity)>,
    adapter: Option<Adapter>,
}

impl Plan {
    /// The planned text as it would be written: with the line endings of the file that is there.
    pub(in crate::merge) fn new(
        artifact: &Artifact,
        disk: &Disk,
        adapter: Option<Adapter>,
    ) -> Self {
        let form = match disk {
            // Also where lines end in both ways: nothing is to be changed.
            Disk::File(bytes) if bytes == artifact.text.as_bytes() => Form::default(),
            Disk::File(bytes) => Form::of(bytes),
            Disk::Absent | Disk::Blocked(_) => Form::default(),
        };
        Self {
            kind: artifact.kind,
            text: form.apply(&artifact.text),
            entry: Entry {
                recipe: artifact.recipe,
                ..Entry::new(&artifact.text, &artifact.contracts)
            },
            identities: artifact.identities.clone(),
            adapter,
        }
    }

    /// What stands there already, as `entry` says.
    pub(super) fn written(artifact: &Artifact, entry: &Entry, adapter: Option<Adapter>) -> Self {
        Self {
            kind: artifact.kind,
            text: String::new(),
            entry: Entry {
                recipe: artifact.recipe.or(entry.recipe),
                ..Entry::of(entry.base, &artifact.contracts)
            },
            identities: artifact.identities.clone(),
            adapter,
        }
    }

    /// A text for a file of a person.
    pub(super) fn addition(text: String) -> Self {
        Self {
            kind: ArtifactKind::Bound,
            entry: Entry::new(&text, &[]),
            text,
            identities: Vec::new(),
            adapter: None,
        }
    }

    /// Whether the lock knows the planned text already, with its parts.
    pub(super) fn is_recorded(&self, base: Option<&Entry>) -> bool {
        base.is_some_and(|base| {
            let has_parts = self.kind != ArtifactKind::Properties || !base.parts.is_empty();
            base.base == self.entry.base && has_parts
        })
    }

    /// What the lock says of the file once it has the planned text.
    pub(super) fn entry(&self, base: Option<&Entry>) -> Entry {
        let mut parts = match base {
            _ if self.kind != ArtifactKind::Properties => Parts::default(),
            Some(base) if self.is_recorded(Some(base)) => base.parts.clone(),
            _ => Base::of(&self.text, self.adapter).into(),
        };
        if !parts.is_identified(&self.identities) {
            let mut base = parts.base().clone();
            base.identify(&self.identities);
            parts = base.into();
        }
        Entry {
            parts,
            ..self.entry.clone()
        }
    }

    /// What a properties file says.
    pub(super) fn ours(&self, bound: bool, prune: bool) -> Ours<'_> {
        Ours {
            text: &self.text,
            identities: &self.identities,
            bound,
            prune,
            adapter: self.adapter,
        }
    }

    /// The planned text merged into a properties file that a person wrote to; `None` for what can
    /// only be taken or left as a whole. The error completes a sentence that begins with the path.
    pub(super) fn merged(
        &self,
        base: Option<&Entry>,
        disk: &Disk,
        prune: bool,
    ) -> Option<Result<Merge, String>> {
        let Disk::File(bytes) = disk else {
            return None;
        };
        let text = str::from_utf8(bytes).ok()?;
        if self.kind != ArtifactKind::Properties {
            return None;
        }
        let base = match base {
            // An entry without parts says all the same what they were.
            Some(base) if base.parts.is_empty() && base.base == self.entry.base => {
                &Base::of(&self.text, self.adapter)
            }
            Some(base) => base.parts.base(),
            None => &Base::default(),
        };
        Some(keys::merge(self.ours(false, prune), text, base))
    }

    /// Whether the file on disk has the planned text. Line endings may be mixed.
    pub(super) fn is_written(&self, disk: &Disk) -> bool {
        let lines = |text: &str| text.replace("\r\n", "\n");
        match disk {
            Disk::File(bytes) if bytes == self.text.as_bytes() => true,
            Disk::File(bytes) => {
                str::from_utf8(bytes).is_ok_and(|text| lines(text) == lines(&self.text))
            }
            Disk::Absent | Disk::Blocked(_) => false,
        }
    }
}
