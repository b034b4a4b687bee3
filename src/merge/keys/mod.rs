//! The merge of a properties file that a person wrote to, part by part: the contract's text, the text
//! on disk and what was written last come in; how each part stands goes out, with the text that a run
//! would write.
//!
//! * [`view`]: a document as the parts that have an identity of their own.
//! * [`base`]: what was written last.
//! * [`mod@decide`]: whose side counts for each part.
//! * [`rename`]: columns that have another name now take along what a person said of them.
//! * [`changes`]: the edits that take the contract's side where it does.

mod base;
mod changes;
mod decide;
mod rename;
mod view;

use super::Status;
use crate::dbt::adapter::Adapter;
use crate::dbt::properties::Identity;
use crate::yaml::{Limits, Node, ProblemKind, Span, parse};
pub use base::{Base, Hash};
use changes::{Side, apply};
use decide::{Act, Comments, Taking, Verdict, Verdicts, decide, find};
use view::Part;

/// How a part of a properties file stands, for people and programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The resource, such as `model orders` or `source raw.orders`.
    pub resource: String,
    /// What of it: `description`, `columns/amount/data_type`; empty for the resource as a whole.
    pub key: String,
    /// How it stands.
    pub status: Status,
    /// Where it stands on disk, or what would hold it.
    pub span: Option<Span>,
    /// What the contract says, in one line; `None` where it says nothing.
    pub wanted: Option<String>,
    /// Whether the text on disk is that of something else too, so that only a person can change it.
    pub blocked: bool,
}

/// A properties file that a person wrote to, merged with what a contract says.
#[derive(Clone, Debug)]
pub(super) struct Merge {
    /// The strongest status of a part.
    pub(super) status: Status,
    /// The parts that are not as the contract has them.
    pub(super) keys: Vec<Key>,
    /// The text with what can be taken safely.
    pub(super) safe: String,
    /// The text with the contract's side everywhere.
    pub(super) forced: String,
    verdicts: Verdicts,
    /// Whether what no contract asks for any more goes.
    pub(super) prune: bool,
    ours: Base,
    base: Base,
}

/// Whose side was taken, which decides about the base of the next run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The contract's where nobody else wrote.
    Safe,
    /// The contract's.
    Contract,
    /// The person's.
    Mine,
}

/// The contract's side of a properties file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ours<'a> {
    /// Its text.
    pub(super) text: &'a str,
    /// The columns that may have had another name.
    pub(super) identities: &'a [(Vec<String>, Identity)],
    /// Whether it goes into a file of a person, where a resource that no contract asks for any more
    /// is an orphan.
    pub(super) bound: bool,
    /// Whether orphans are taken out.
    pub(super) prune: bool,
    /// The adapter whose types it has.
    pub(super) adapter: Option<Adapter>,
}

/// Merges the contract's side into the text on disk. The error completes a sentence that begins with
/// the path of the file.
pub(super) fn merge(contract: Ours<'_>, disk: &str, base: &Base) -> Result<Merge, String> {
    let Ours {
        text: ours,
        identities,
        bound,
        prune,
        adapter,
    } = contract;
    let (our_root, our_comments) = tree(ours)?;
    let our_parts = view::view(&our_root, adapter);
    let renamed = rename::rename(identities, &our_parts, disk, base)?;
    let (disk, base) = (renamed.text.as_str(), &renamed.base);
    let (disk_root, comments) = tree(disk)?;
    // Where a template has comments too, whose they are cannot be told. The first line has always one.
    let is_header = |comment: &Span| !ours[..comment.start()].contains('\n');
    let comments = Comments {
        text: disk,
        spans: if our_comments.iter().all(is_header) {
            &comments
        } else {
            &[]
        },
    };
    let disk_parts = view::view(&disk_root, adapter);
    let verdicts = decide(&our_parts, &disk_parts, base, comments, bound);
    let side = |text, root| Side { text, root };
    let text = |force| {
        apply(
            side(ours, &our_root),
            side(disk, &disk_root),
            &verdicts,
            Taking { force, prune },
        )
    };
    let (safe, forced) = (text(false)?, text(true)?);
    let mut keys = keys(&verdicts, &our_parts, &disk_parts, ours);
    keys.extend(renamed.columns.into_iter().map(|(path, name)| {
        let (resource, key) = words(&path);
        Key {
            resource,
            key: format!("{key}/name"),
            status: Status::Modified,
            span: None,
            wanted: Some(name),
            blocked: false,
        }
    }));
    let status = keys.iter().map(|key| key.status).max();
    Ok(Merge {
        // The file is there: what is new in it is a change.
        status: match status.unwrap_or(Status::Unchanged) {
            Status::New => Status::Modified,
            status => status,
        },
        keys,
        safe,
        forced,
        ours: Base::of_parts(&our_parts),
        base: base.clone(),
        prune,
        verdicts,
    })
}

impl Merge {
    /// What the lock says of the file after the run.
    pub(super) fn after(&self, taken: Taken) -> Base {
        self.level(&self.ours, &self.base, taken, &mut Vec::new())
    }

    fn level(&self, ours: &Base, base: &Base, taken: Taken, path: &mut Vec<String>) -> Base {
        let nothing = Base::default();
        let mut after = Base {
            contract: base.contract.clone(),
            id: base.id.clone(),
            adopted: base.adopted,
            ..Base::default()
        };
        let values = ours.values.keys().chain(base.values.keys());
        for key in values {
            path.push(key.clone());
            let verdict = self.verdicts.get(path).copied();
            let recorded = verdict.is_none_or(|verdict| verdict.recorded);
            let hash = if self.is_open(verdict, taken) {
                base.values.get(key)
            } else {
                ours.values.get(key).filter(|_| recorded)
            };
            let same = verdict.is_some_and(|verdict| verdict.act == Act::Nothing);
            let known = base.adopted_values.contains(key) && !is_written(verdict);
            if hash.is_some() && (known || (same && !base.values.contains_key(key))) {
                after.adopted_values.insert(key.clone());
            }
            after.values.extend(hash.map(|hash| (key.clone(), *hash)));
            path.pop();
        }
        let groups = ours.groups.keys().chain(base.groups.keys());
        for key in groups {
            let (own, below) = (ours.groups.get(key), base.groups.get(key));
            path.push(key.clone());
            let group = if self.is_open(self.verdicts.get(path).copied(), taken) {
                below.cloned()
            } else {
                let mut level = self.level(
                    own.unwrap_or(&nothing),
                    below.unwrap_or(&nothing),
                    taken,
                    path,
                );
                let verdict = self.verdicts.get(path);
                let same = verdict.is_some_and(|verdict| verdict.act == Act::Nothing);
                level.adopted |= same && below.is_none();
                (own.is_some() || !level.is_empty()).then_some(level)
            };
            path.pop();
            after.groups.extend(group.map(|group| (key.clone(), group)));
        }
        after
    }

    /// Whether a part stays as it is and undecided, so that its base stays too.
    fn is_open(&self, verdict: Option<Verdict>, taken: Taken) -> bool {
        let Some(verdict) = verdict else {
            return false;
        };
        match (verdict.status, taken) {
            (Status::Conflict, Taken::Safe) => true,
            (Status::Conflict, Taken::Contract) => verdict.blocked,
            (Status::Orphaned, Taken::Safe | Taken::Contract) => !self.prune,
            _ => false,
        }
    }
}

/// Whether the contract's side of a value takes the place of another.
fn is_written(verdict: Option<Verdict>) -> bool {
    verdict.is_some_and(|verdict| verdict.status == Status::Modified)
}

/// The one document of a properties file, and its comments.
fn tree(text: &str) -> Result<(Node, Vec<Span>), String> {
    let parsed = parse(text, &Limits::default());
    let harmless = [
        ProblemKind::AmbiguousBoolean,
        ProblemKind::AmbiguousNumber,
        ProblemKind::DuplicateKey,
    ];
    let mut problems = parsed.problems.iter();
    match problems.find(|problem| !harmless.contains(&problem.kind)) {
        Some(problem) => Err(format!("is no YAML that dbt can read: {}", problem.message)),
        None if parsed.documents.len() > 1 => Err("has more than one document".to_owned()),
        None => {
            let root = parsed.documents.into_iter().next();
            let root = root.filter(|root| root.as_mapping().is_some());
            let root = root.ok_or("is no mapping, as dbt's properties files are")?;
            Ok((root, parsed.comments))
        }
    }
}

/// The parts that are not as the contract has them, in the order of their places.
fn keys(verdicts: &Verdicts, ours: &[Part<'_>], disk: &[Part<'_>], our_text: &str) -> Vec<Key> {
    let differs = |(_, verdict): &(&Vec<String>, &Verdict)| verdict.act != Act::Nothing;
    let keys = verdicts.iter().filter(differs).map(|(path, verdict)| {
        let (resource, key) = words(path);
        Key {
            resource,
            key,
            status: verdict.status,
            span: nearest(disk, path),
            wanted: exact(ours, path).map(|node| line(our_text, node)),
            blocked: verdict.blocked,
        }
    });
    let mut keys: Vec<Key> = keys.collect();
    keys.sort_by_key(|key| key.span);
    keys
}

/// What a path leads to, in words: the resource and what of it.
fn words(path: &[String]) -> (String, String) {
    let split = |key: &str| {
        let (list, name) = key.split_once('/').unwrap_or((key, ""));
        (list.to_owned(), name.to_owned())
    };
    let Some((first, rest)) = path.split_first() else {
        return (String::new(), String::new());
    };
    let (list, name) = split(first);
    let (resource, rest) = match (list.as_str(), rest) {
        ("sources", [table, rest @ ..]) if table.starts_with("tables/") => {
            (format!("source {name}.{}", split(table).1), rest)
        }
        ("sources", _) => (format!("source {name}"), rest),
        ("models", [version, rest @ ..]) if version.starts_with("versions/") => {
            (format!("model {name}.v{}", split(version).1), rest)
        }
        ("models", _) => (format!("model {name}"), rest),
        _ => (format!("{} {name}", list.trim_end_matches('s')), rest),
    };
    (resource, rest.join("/"))
}

/// The node of the part that a path leads to.
fn exact<'a>(parts: &[Part<'a>], path: &[String]) -> Option<&'a Node> {
    let (first, rest) = path.split_first()?;
    let part = find(parts, first)?;
    if rest.is_empty() {
        return Some(part.node);
    }
    exact(part.parts.as_deref()?, rest)
}

/// Where a part stands, or else the group that it would belong to.
fn nearest(parts: &[Part<'_>], path: &[String]) -> Option<Span> {
    let (first, rest) = path.split_first()?;
    let part = find(parts, first)?;
    let below = part.parts.as_deref().and_then(|parts| nearest(parts, rest));
    // Of a group its first line is enough.
    let own = match part
        .node
        .as_mapping()
        .and_then(|entries| entries.iter().next())
    {
        Some(entry) if part.parts.is_some() => {
            Span::new(entry.key.span.start(), entry.value.span.end())
        }
        _ => part.node.span,
    };
    below.or(Some(own))
}

/// What is written at a node, in one line.
fn line(text: &str, node: &Node) -> String {
    let written = text.get(node.span.range()).unwrap_or_default();
    let mut words = written.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(100) {
        words.truncate(end);
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests;
