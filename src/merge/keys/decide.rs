//! Part by part, whose side counts: the contract's parts, those on disk and what was written last come
//! in, a [`Verdict`] for each part that differs or is the same goes out.

use std::collections::BTreeMap;

use super::base::Base;
use super::view::{COLUMNS, Part, Slot};
use crate::dbt::jinja;
use crate::merge::Status;
use crate::yaml::{Node, Span};

/// A constraint that keeps the promise of the data test of that name wherever dbt enforces it.
const KEPT_BY_CONSTRAINT: &str = "not_null";

/// What taking the contract's side would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Nothing: both say the same.
    Nothing,
    /// Add what is not there.
    Insert,
    /// Say something else.
    Replace,
    /// Take it away.
    Remove,
}

/// How a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// In one word.
    pub(super) status: Status,
    /// What is left to do.
    pub(super) act: Act,
    /// Whether the part cannot be edited where it stands.
    pub(super) blocked: bool,
    /// Whether the contract's side is there, and not just something that does as well.
    pub(super) recorded: bool,
}

impl Verdict {
    const SAME: Self = Self::new(Status::Unchanged, Act::Nothing);

    const fn new(status: Status, act: Act) -> Self {
        Self {
            status,
            act,
            blocked: false,
            recorded: true,
        }
    }

    /// Whether the contract's side is taken: where nobody else wrote, or by force.
    pub(super) fn takes(self, taking: Taking) -> bool {
        let takes = match self.status {
            Status::New | Status::Modified => true,
            Status::Orphaned => taking.prune,
            Status::Unchanged | Status::Edited | Status::Conflict => taking.force,
        };
        self.act != Act::Nothing && !self.blocked && takes
    }
}

/// What is taken of the contract's side beside what is safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taking {
    /// What a person wrote against it.
    pub(super) force: bool,
    /// What no contract asks for any more in a file of a person.
    pub(super) prune: bool,
}

/// The verdicts by the keys that lead to the parts.
pub(super) type Verdicts = BTreeMap<Vec<String>, Verdict>;

/// The verdicts on all parts that a contract asks for or asked for.
///
/// In a file of a person, which is `bound`, a resource that is gone is an orphan. The `comments` on disk
/// are what a person wrote too.
pub(super) fn decide(
    ours: &[Part<'_>],
    disk: &[Part<'_>],
    base: &Base,
    comments: Comments<'_>,
    bound: bool,
) -> Verdicts {
    let mut judge = Judge {
        bound,
        comments,
        path: Vec::new(),
        verdicts: Verdicts::new(),
        enforced: false,
        shared: false,
    };
    judge.parts(ours, disk, Some(base));
    judge.verdicts
}

/// The comments of the text on disk.
#[derive(Clone, Copy)]
pub(super) struct Comments<'c> {
    pub(super) text: &'c str,
    pub(super) spans: &'c [Span],
}

/// A walk through both documents.
struct Judge<'c> {
    bound: bool,
    comments: Comments<'c>,
    path: Vec<String>,
    verdicts: Verdicts,
    /// Whether dbt enforces the contract of the model that the walk is in.
    enforced: bool,
    /// Whether the text of the group that the walk is in is also that of something else.
    shared: bool,
}

impl Judge<'_> {
    fn parts(&mut self, ours: &[Part<'_>], disk: &[Part<'_>], base: Option<&Base>) {
        self.enforced |= disk.iter().any(enforces) && !disk.iter().any(is_view);
        for part in ours {
            let there = find(disk, &part.key);
            let verdict = match (&part.parts, there.and_then(|there| there.parts.as_ref())) {
                (Some(parts), Some(below)) => {
                    let (enforced, shared) = (self.enforced, self.shared);
                    self.shared = there.is_some_and(|there| there.shared);
                    let known = base.and_then(|base| base.groups.get(&part.key));
                    self.path.push(part.key.clone());
                    self.parts(parts, below, known);
                    self.path.pop();
                    (self.enforced, self.shared) = (enforced, shared);
                    Verdict::SAME
                }
                (Some(parts), None) => {
                    let known = base.and_then(|base| base.groups.get(&part.key));
                    let verdict =
                        missing(known.map(|known| known.says_the_same(&Base::of_parts(parts))));
                    if self.shared {
                        closed(verdict)
                    } else {
                        verdict
                    }
                }
                (None, _) => match there {
                    Some(there) => value(part, there, base),
                    None if self.is_kept(part, disk) => Verdict {
                        recorded: false,
                        ..Verdict::SAME
                    },
                    None => {
                        let known = base.and_then(|base| base.values.get(&part.key));
                        let verdict = missing(known.map(|known| *known == part.hash()));
                        if is_single(part, disk) || self.shared {
                            closed(verdict)
                        } else if known.is_none() && self.is_edited(part, ours, disk, base) {
                            Verdict {
                                status: Status::Conflict,
                                ..verdict
                            }
                        } else {
                            verdict
                        }
                    }
                },
            };
            self.set(&part.key, verdict);
        }
        // A contract that has lost its columns takes away none, unless they stand in its versions now.
        let has_versions = ours.iter().any(Part::is_version);
        let is_bare = |slot| {
            let is_there = || ours.iter().any(|part| part.slot == slot);
            slot == Slot::Groups(&COLUMNS) && !has_versions && !is_there()
        };
        let gone_parts = disk.iter().filter(|part| find(ours, &part.key).is_none());
        for there in gone_parts.filter(|part| !is_bare(part.slot)) {
            let below = base.and_then(|base| base.groups.get(&there.key));
            match (&there.parts, below) {
                (Some(parts), Some(below)) if self.bound && there.is_resource() => {
                    self.path.push(there.key.clone());
                    self.strip(parts, below, Status::Orphaned);
                    self.path.pop();
                }
                (Some(parts), Some(below)) if below.adopted => {
                    self.path.push(there.key.clone());
                    self.strip(parts, below, Status::Modified);
                    self.path.pop();
                }
                _ => {
                    if let Some(verdict) = self.gone(there, base) {
                        self.set(&there.key, verdict);
                    }
                }
            }
        }
    }

    /// What was written of something that no contract asks for any more, and nobody changed since. What
    /// a person wrote first stays.
    fn strip(&mut self, parts: &[Part<'_>], base: &Base, status: Status) {
        let verdict = Verdict::new(status, Act::Remove);
        for part in parts {
            let below = base.groups.get(&part.key);
            let is_ours = match (&part.parts, below) {
                (Some(parts), Some(below)) => {
                    !part.is_resource()
                        && !below.adopted
                        && is_intact(parts, below)
                        && !self.is_commented(part)
                }
                (Some(_), None) => false,
                (None, _) => {
                    base.values.get(&part.key) == Some(&part.hash())
                        && !base.adopted_values.contains(&part.key)
                        && !self.is_commented(part)
                }
            };
            if is_ours && !part.shared {
                self.set(&part.key, verdict);
            } else if let (Some(parts), Some(below)) = (&part.parts, below) {
                self.path.push(part.key.clone());
                self.strip(parts, below, status);
                self.path.pop();
            }
        }
    }

    fn set(&mut self, key: &str, verdict: Verdict) {
        let mut path = self.path.clone();
        path.push(key.to_owned());
        self.verdicts.insert(path, verdict);
    }

    /// Something that no contract asks for; `None` for what none ever asked for, and for a value that a
    /// person wrote first.
    fn gone(&self, there: &Part<'_>, base: Option<&Base>) -> Option<Verdict> {
        let base = base?;
        let intact = match &there.parts {
            Some(parts) => {
                is_intact(parts, base.groups.get(&there.key)?) && !self.is_commented(there)
            }
            None if base.adopted_values.contains(&there.key) => return None,
            None => there.hash() == *base.values.get(&there.key)? && !self.is_commented(there),
        };
        let status = if intact {
            Status::Modified
        } else if there.parts.is_none() && there.is_jinja() {
            Status::Edited
        } else {
            Status::Conflict
        };
        Some(blocked(Verdict::new(status, Act::Remove), there))
    }

    /// Whether a comment stands among what a part holds, behind it, below it as deep as its keys, or
    /// above it less deep.
    fn is_commented(&self, there: &Part<'_>) -> bool {
        let place = there.node.place();
        let Comments { text, spans } = self.comments;
        let start = text[..place.start()].rfind('\n').map_or(0, |end| end + 1);
        let end = text[place.end()..].find('\n');
        let end = end.map_or(text.len(), |length| place.end() + length);
        let keys = place.start() - start;
        // How deep the comment of a line is that holds nothing else.
        let alone = |line: &str| {
            let depth = line.len() - line.trim_start().len();
            line[depth..].starts_with('#').then_some(depth)
        };
        let above = text[..start].lines().next_back().and_then(alone);
        let mut below = text[end..].lines().skip(1);
        let below = below.find(|line| !line.trim().is_empty()).and_then(alone);
        let mut spans = spans.iter();
        let is_inside = |comment: &Span| place.start() < comment.start() && comment.start() < end;
        !self.comments.spans.is_empty()
            && (spans.any(is_inside)
                || above.is_some_and(|depth| depth < keys)
                || below.is_some_and(|depth| depth >= keys))
    }

    /// Whether a new test takes the place of one that a person has edited: what was written is gone from
    /// both sides, and the person's has the same macro with other arguments. Or of one that a person
    /// wrote a comment at, which stays with it.
    fn is_edited(
        &self,
        part: &Part<'_>,
        ours: &[Part<'_>],
        disk: &[Part<'_>],
        base: Option<&Base>,
    ) -> bool {
        let Some(base) = base.filter(|_| part.slot == Slot::Tests) else {
            return false;
        };
        let is_alike = |key: &str| key.split('(').next() == part.key.split('(').next();
        let is_gone = |key: &&String| find(ours, key).is_none() && find(disk, key).is_none();
        let others = || {
            let alike = disk.iter().filter(|there| is_alike(&there.key));
            alike.filter(|there| find(ours, &there.key).is_none())
        };
        let is_theirs = |there: &Part<'_>| !base.values.contains_key(&there.key);
        let is_noted = |there: &Part<'_>| !is_theirs(there) && self.is_commented(there);
        let mut known = base.values.keys().filter(|key| is_alike(key));
        (known.any(|key| is_gone(&key)) && others().any(is_theirs)) || others().any(is_noted)
    }

    /// Whether a constraint on disk keeps what a test promises.
    fn is_kept(&self, part: &Part<'_>, disk: &[Part<'_>]) -> bool {
        let is = |key: &str, list: &str| key.strip_prefix(list) == Some(KEPT_BY_CONSTRAINT);
        let mut disk = disk.iter();
        self.enforced && is(&part.key, "tests/") && disk.any(|there| is(&there.key, "constraints/"))
    }
}

/// Whether a single tag stands on disk where a list would have to.
fn is_single(part: &Part<'_>, disk: &[Part<'_>]) -> bool {
    let mut disk = disk.iter();
    part.slot == Slot::Tags
        && disk.any(|there| there.slot == Slot::Tags && there.at.ends_with("/tags"))
}

/// Whether a part says that dbt enforces the contract of its model.
fn enforces(part: &Part<'_>) -> bool {
    let enforced = || part.node.get("enforced")?.as_bool();
    part.key == "config/contract" && enforced() == Some(true)
}

/// Whether a part says that its model is no table: a warehouse then enforces no constraint of it.
fn is_view(part: &Part<'_>) -> bool {
    let views = ["ephemeral", "materialized_view", "view"];
    part.key == "config/materialized" && part.node.as_str().is_some_and(|is| views.contains(&is))
}

/// Something that is not on disk; `same` says whether it was once, and as the contract has it now.
fn missing(same: Option<bool>) -> Verdict {
    let status = match same {
        None => Status::New,
        Some(true) => Status::Edited,
        Some(false) => Status::Conflict,
    };
    Verdict::new(status, Act::Insert)
}

/// The verdict on something that cannot be put where it would have to stand. Accepted once, it is at
/// rest.
fn closed(verdict: Verdict) -> Verdict {
    let status = match verdict.status {
        Status::Edited => Status::Edited,
        _ => Status::Conflict,
    };
    Verdict {
        status,
        blocked: true,
        ..verdict
    }
}

/// A value that both have.
fn value(ours: &Part<'_>, there: &Part<'_>, base: Option<&Base>) -> Verdict {
    let (wanted, found) = (ours.hash(), there.hash());
    if wanted == found || names_contract(ours, there) || shows(ours, there) {
        return Verdict::SAME;
    }
    let base = base.and_then(|base| base.values.get(&ours.key)).copied();
    let status = match base {
        Some(base) if base == found => Status::Modified,
        Some(base) if base == wanted => Status::Edited,
        // What dbt renders is its author's.
        _ if there.is_jinja() => Status::Edited,
        _ => Status::Conflict,
    };
    blocked(Verdict::new(status, Act::Replace), there)
}

/// Whether a contract has Jinja of the file as its text, which an import took from there.
fn shows(ours: &Part<'_>, there: &Part<'_>) -> bool {
    let stated = there.node.as_str().filter(|_| there.is_jinja());
    stated.is_some_and(|text| {
        let shown = ours.node.as_str().and_then(jinja::unescape);
        shown.is_some_and(|shown| shown.trim_end() == text.trim_end())
    })
}

/// Whether a person has named the contract already, without a version.
fn names_contract(ours: &Part<'_>, there: &Part<'_>) -> bool {
    let id = |node: &Node| node.get("id").unwrap_or(node).as_str().map(str::to_owned);
    ours.key == "meta/data_contract"
        && there.node.get("version").is_none()
        && id(there.node).is_some_and(|there| id(ours.node) == Some(there))
}

/// Whether a group on disk holds what was written, and nothing else.
fn is_intact(parts: &[Part<'_>], base: &Base) -> bool {
    parts.iter().all(|part| match &part.parts {
        Some(parts) => {
            let below = base.groups.get(&part.key);
            below.is_some_and(|below| is_intact(parts, below))
        }
        None => base.values.get(&part.key) == Some(&part.hash()),
    })
}

/// The verdict on a part whose text may be that of others too: nobody edits it but a person.
fn blocked(verdict: Verdict, there: &Part<'_>) -> Verdict {
    match verdict.status {
        Status::Modified if there.shared => Verdict {
            status: Status::Conflict,
            blocked: true,
            ..verdict
        },
        _ => Verdict {
            blocked: there.shared,
            ..verdict
        },
    }
}

/// The part with that key.
pub(super) fn find<'p, 'a>(parts: &'p [Part<'a>], key: &str) -> Option<&'p Part<'a>> {
    parts.iter().find(|part| part.key == key)
}
