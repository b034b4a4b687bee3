//! The plan: pointers and a tree come in, the changes of each collection go out, or why one is refused.

use std::collections::{BTreeMap, BTreeSet};

use super::super::mapping::Entry;
use super::super::node::{Data, Node, Span, Style};
use super::super::parse::{Problem, ProblemKind};
use super::page::Page;
use super::{Change, Cut};

/// The steps from the root to a node, each the index of a child.
pub(super) type Path = Vec<usize>;

/// All changes, by the collection that they are made in.
pub(super) struct Plan<'p> {
    pub(super) families: BTreeMap<Path, Family<'p>>,
}

/// A collection and what becomes of its children.
pub(super) struct Family<'p> {
    /// The list or mapping.
    pub(super) node: &'p Node,
    /// What comes before all others.
    pub(super) before: Vec<Cut<'p>>,
    /// The children that something becomes of.
    pub(super) children: BTreeMap<usize, Fate<'p>>,
}

/// What becomes of a child.
#[derive(Default)]
pub(super) struct Fate<'p> {
    pub(super) removed: bool,
    pub(super) replaced: Option<Cut<'p>>,
    /// What comes behind it, in order.
    pub(super) behind: Vec<Cut<'p>>,
}

/// A child as it stands in the tree.
#[derive(Clone, Copy)]
pub(super) struct Child<'p> {
    pub(super) entry: Option<&'p Entry>,
    pub(super) value: &'p Node,
}

impl Child<'_> {
    /// Whether a merge key brought it, so that its text is elsewhere.
    pub(super) fn is_merged(&self) -> bool {
        self.entry.is_some_and(|entry| entry.merged)
    }
}

/// The children of a list or mapping, in order.
pub(super) fn children(node: &Node) -> Vec<Child<'_>> {
    match &node.data {
        Data::Sequence(items) => {
            let child = |value| Child { entry: None, value };
            items.iter().map(child).collect()
        }
        Data::Mapping(mapping) => {
            let child = |entry| Child {
                entry: Some(entry),
                value: &entry.value,
            };
            mapping.iter().map(child).collect()
        }
        _ => Vec::new(),
    }
}

impl<'p> Family<'p> {
    /// What comes before a first child that goes takes its place.
    fn settle(&mut self) {
        let mut children = children(self.node).into_iter();
        let first = children.position(|child| !child.is_merged());
        let first = first.and_then(|first| self.children.get_mut(&first));
        if let Some(fate) = first.filter(|fate| fate.removed) {
            fate.behind.splice(0..0, self.before.drain(..));
        }
    }

    pub(super) fn fate(&self, index: usize) -> Option<&Fate<'p>> {
        self.children.get(&index)
    }

    pub(super) fn is_removed(&self, index: usize) -> bool {
        self.fate(index).is_some_and(|fate| fate.removed)
    }

    /// What comes behind a child.
    pub(super) fn behind(&self, index: usize) -> &[Cut<'p>] {
        self.fate(index).map_or(&[], |fate| &fate.behind)
    }

    /// Whether nothing stands where a child was.
    pub(super) fn is_gone(&self, index: usize) -> bool {
        self.is_removed(index) && self.behind(index).is_empty()
    }
}

impl<'p> Plan<'p> {
    pub(super) fn new(
        page: Page<'p>,
        root: &'p Node,
        problems: &[Problem],
        changes: &'p [Change<'p>],
    ) -> Result<Self, String> {
        let twice = problems.iter();
        let twice = twice.filter(|problem| problem.kind == ProblemKind::DuplicateKey);
        let mut planner = Planner {
            page,
            root,
            twice: twice.map(|problem| problem.span).collect(),
            families: BTreeMap::new(),
            taken: BTreeSet::new(),
        };
        for change in changes {
            planner.take(change)?;
        }
        planner.check_apart()?;
        for family in planner.families.values_mut() {
            check_children(family)?;
            family.settle();
        }
        let families = planner.families;
        Ok(Self { families })
    }
}

/// Collects changes.
struct Planner<'p> {
    page: Page<'p>,
    root: &'p Node,
    /// The last ones of keys that are given twice.
    twice: BTreeSet<Span>,
    families: BTreeMap<Path, Family<'p>>,
    /// What is replaced or removed as a whole.
    taken: BTreeSet<Path>,
}

impl<'p> Planner<'p> {
    fn take(&mut self, change: &'p Change<'p>) -> Result<(), String> {
        match change {
            Change::Replace { at, by } => {
                check_cut(by)?;
                self.fate(at)?.replaced = Some(*by);
            }
            Change::Remove { at } => self.fate(at)?.removed = true,
            Change::Insert { into, after, cut } => {
                check_cut(cut)?;
                let (path, node) = self.walk(into)?;
                check_fits(node, cut, into)?;
                let children = children(node);
                let family = self.family(path, node);
                match after {
                    None => family.before.push(*cut),
                    Some(index) => {
                        let child = children.get(*index);
                        if child.is_none_or(Child::is_merged) {
                            return Err(format!("has no child {index} of its own {}", place(into)));
                        }
                        family.children.entry(*index).or_default().behind.push(*cut);
                    }
                }
            }
        }
        Ok(())
    }

    /// The child at a pointer, to be replaced or removed.
    fn fate(&mut self, pointer: &str) -> Result<&mut Fate<'p>, String> {
        let (path, node) = self.walk(pointer)?;
        if node.properties.is_some() {
            return Err(shared(pointer));
        }
        if !self.taken.insert(path.clone()) {
            return Err(format!("would be changed twice at `{pointer}`"));
        }
        let above = &pointer[..pointer.rfind('/').unwrap_or_default()];
        let (parent, collection) = self.walk(above)?;
        let Some(&index) = path.last() else {
            return Err("cannot be replaced as a whole".to_owned());
        };
        let family = self.family(parent, collection);
        Ok(family.children.entry(index).or_default())
    }

    fn family(&mut self, path: Path, node: &'p Node) -> &mut Family<'p> {
        self.families.entry(path).or_insert_with(|| Family {
            node,
            before: Vec::new(),
            children: BTreeMap::new(),
        })
    }

    /// The node at a pointer that no other place of the text shares.
    fn walk(&self, pointer: &str) -> Result<(Path, &'p Node), String> {
        let missing = || format!("has no `{pointer}`");
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(missing());
        }
        let mut path = Path::new();
        let mut node = self.root;
        for token in pointer.split('/').skip(1) {
            if self.is_shared(node) {
                return Err(shared(pointer));
            }
            let name = token.replace("~1", "/").replace("~0", "~");
            let index = match &node.data {
                Data::Mapping(mapping) => mapping.iter().position(|entry| entry.name() == name),
                _ => name.parse().ok(),
            };
            let children = children(node);
            let child = index.and_then(|index| Some((index, children.get(index)?)));
            let (index, child) = child.ok_or_else(missing)?;
            if let Some(entry) = child.entry {
                if entry.merged || entry.key.properties.is_some() {
                    return Err(shared(pointer));
                }
                if self.twice.contains(&entry.key.place()) {
                    return Err(format!(
                        "has the key `{}` twice on the way to `{pointer}`; remove one",
                        entry.name()
                    ));
                }
            }
            path.push(index);
            node = child.value;
        }
        if self.is_shared(node) {
            return Err(shared(pointer));
        }
        Ok((path, node))
    }

    /// Whether a node is a copy, has a copy, or is not what it looks like.
    fn is_shared(&self, node: &Node) -> bool {
        node.properties.as_ref().is_some_and(|properties| {
            let used = properties.anchor.is_some_and(|anchor| {
                let name = self.page.text[anchor.range()].trim_start_matches('&');
                self.page.text.contains(&format!("*{name}"))
            });
            used || properties.alias.is_some() || properties.tag.is_some()
        })
    }

    /// Nothing may change inside what is replaced or removed.
    fn check_apart(&self) -> Result<(), String> {
        let is_inside = |path: &Path| (1..=path.len()).any(|end| self.taken.contains(&path[..end]));
        if self.families.keys().any(is_inside) {
            return Err("would be changed inside what is replaced or removed".to_owned());
        }
        Ok(())
    }
}

fn shared(pointer: &str) -> String {
    format!("has an alias, anchor, tag or merge key at or above `{pointer}`; change it by hand")
}

/// Where a pointer leads, in words.
fn place(pointer: &str) -> String {
    if pointer.is_empty() {
        "at the top".to_owned()
    } else {
        format!("at `{pointer}`")
    }
}

/// What is new must mean the same elsewhere.
fn check_cut(cut: &Cut<'_>) -> Result<(), String> {
    let plain = cut.key.is_none_or(|key| key.properties.is_none()) && is_sole(cut.value);
    let is_text = |node: &Node| cut.text.get(node.span.range()).is_some();
    if plain && is_text(cut.value) && cut.key.is_none_or(is_text) {
        Ok(())
    } else {
        Err("would get a value with an alias, anchor, tag or merge key".to_owned())
    }
}

fn is_sole(node: &Node) -> bool {
    let sole = |child: &Child<'_>| {
        let key = child.entry.map(|entry| &entry.key);
        !child.is_merged() && key.is_none_or(|key| key.properties.is_none()) && is_sole(child.value)
    };
    node.properties.is_none() && children(node).iter().all(sole)
}

/// Mappings take entries and lists items.
fn check_fits(node: &Node, cut: &Cut<'_>, into: &str) -> Result<(), String> {
    match (&node.data, cut.key) {
        (Data::Mapping(_), Some(_)) | (Data::Sequence(_), None) => Ok(()),
        _ => {
            let new = cut.key.map_or("item", |_| "entry");
            let kind = node.kind();
            Err(format!("has {kind} {}, which takes no {new}", place(into)))
        }
    }
}

/// No key twice, and something must be left.
fn check_children(family: &Family<'_>) -> Result<(), String> {
    let children = children(family.node);
    let fates = family.children.values();
    let new: Vec<&Cut<'_>> = fates
        .flat_map(|fate| &fate.behind)
        .chain(&family.before)
        .collect();
    let left = (0..children.len()).filter(|index| !family.is_removed(*index));
    let left: Vec<Child<'_>> = left.map(|index| children[index]).collect();
    if left.is_empty() && new.is_empty() {
        return Err("would be left with an empty list or mapping; remove that".to_owned());
    }
    let mut names = BTreeSet::new();
    let old = left.iter().filter_map(|child| child.entry);
    names.extend(old.map(|entry| entry.name().to_owned()));
    for cut in new {
        if let Some(key) = cut.key {
            let name = name(key, cut.text);
            if !names.insert(name.clone()) {
                return Err(format!("has or would get the key `{name}` twice"));
            }
        }
    }
    Ok(())
}

/// What a key is called, as [`Entry::name`] has it.
fn name(key: &Node, text: &str) -> String {
    match &key.data {
        Data::String(text) => text.clone(),
        Data::Null => "null".to_owned(),
        _ if key.style == Style::Plain => text[key.span.range()].to_owned(),
        _ => text[key.span.range()].trim_matches(['"', '\'']).to_owned(),
    }
}
