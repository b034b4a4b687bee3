//! The schema objects of a contract: its document comes in, objects go out once somebody asks for them.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::SchemaObject;
use super::load::Reader;
use crate::document::{ApiVersion, Document, list};
use crate::file;
use crate::variables;
use crate::yaml::{Data, Entry, Node};

/// The schema objects of a contract in order, read when they are first asked for.
///
/// They are most of what a contract takes, and the checks of a workspace ask few contracts for them:
/// with thousands of contracts, to keep them all costs more than to read those few again.
#[derive(Debug)]
pub struct Objects {
    document: Arc<Document>,
    api_version: ApiVersion,
    known: OnceLock<Vec<SchemaObject>>,
}

impl Objects {
    /// The objects of a document, which are not read yet.
    pub(super) fn new(document: &Arc<Document>, api_version: ApiVersion) -> Self {
        Self {
            document: Arc::clone(document),
            api_version,
            known: OnceLock::new(),
        }
    }

    /// The objects, taken from the document's whole tree as it is meant while that is there.
    pub fn read(&self, root: &Node) -> &[SchemaObject] {
        let reader = Reader {
            api_version: self.api_version,
            document: &self.document,
        };
        self.known
            .get_or_init(|| list(root, "schema", |node| reader.object(node)))
    }

    /// Forgets the objects until somebody asks for them again.
    pub fn release(&mut self) {
        self.known.take();
    }

    /// The objects in order.
    pub fn iter(&self) -> std::slice::Iter<'_, SchemaObject> {
        self.as_ref().iter()
    }
}

impl AsRef<[SchemaObject]> for Objects {
    fn as_ref(&self) -> &[SchemaObject] {
        if let Some(known) = self.known.get() {
            return known;
        }
        let trees = file::parse(&self.document.file);
        let Some(root) = trees.documents.into_iter().next() else {
            return &[];
        };
        let whole = Document {
            file: Arc::clone(&self.document.file),
            root,
            kind: self.document.kind,
            comments: Vec::new(),
        };
        let (root, _) = variables::meant(&whole);
        self.read(&root)
    }
}

impl Deref for Objects {
    type Target = [SchemaObject];

    fn deref(&self) -> &[SchemaObject] {
        self.as_ref()
    }
}

impl<'a> IntoIterator for &'a Objects {
    type Item = &'a SchemaObject;
    type IntoIter = std::slice::Iter<'a, SchemaObject>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The keys that lead from an object to its properties and to the parts of those.
const PARTS: &[&str] = &["properties", "items", "map", "key", "value"];

/// Where the relationships of a contract lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relationships {
    /// It has none.
    #[default]
    None,
    /// All stay within the contract.
    Within,
    /// Some may lead to the contract of another file.
    Across,
}

impl Relationships {
    /// Those of the objects and properties below `node`.
    pub(super) fn below(node: &Node) -> Self {
        let of_entry = |entry: &Entry| match entry.name() {
            "relationships" if names_file(&entry.value) => Self::Across,
            "relationships" => Self::Within,
            name if PARTS.contains(&name) => Self::below(&entry.value),
            _ => Self::None,
        };
        let found = match &node.data {
            Data::Sequence(items) => items.iter().map(Self::below).max(),
            Data::Mapping(entries) => entries.iter().map(of_entry).max(),
            _ => None,
        };
        found.unwrap_or_default()
    }
}

/// Whether a text below `node` has the mark behind which a reference goes on in another file.
fn names_file(node: &Node) -> bool {
    match &node.data {
        Data::Sequence(items) => items.iter().any(names_file),
        Data::Mapping(entries) => entries.iter().any(|entry| names_file(&entry.value)),
        _ => node.as_str().is_some_and(|text| text.contains('#')),
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::SourceFile;
    use crate::document::Kind;
    use crate::odcs;
    use crate::yaml::{Limits, parse};

    use super::*;

    fn contract(text: &str) -> (odcs::Contract, Node) {
        let root = parse(text, &Limits::default()).documents.remove(0);
        let whole = Document {
            file: SourceFile::new("a.yaml", text),
            root: root.clone(),
            kind: Kind::Contract,
            comments: Vec::new(),
        };
        let (meant, _) = variables::meant(&whole);
        let outline = Arc::new(whole.outline());
        (odcs::load(&outline, &meant).unwrap(), meant.into_owned())
    }

    #[test]
    fn objects_are_the_same_whenever_they_are_read() {
        let text = "apiVersion: v3.2.0\nkind: DataContract\nid: a\nschema:\n- name: o\n  description: ${UNSET_IN_TESTS:-text}\n  \
                    properties:\n  - {name: p, logicalType: time, logicalTypeOptions: {minimum: 12:30:00}}\n- name: q\n";
        let (mut contract, root) = contract(text);
        let early = format!("{:?}", contract.objects.read(&root));
        assert!(early.contains("Text(\"12:30:00\")") && early.contains("\"text\""));
        contract.objects.release();
        assert_eq!(format!("{:?}", &contract.objects[..]), early);
        assert_eq!(contract.objects.iter().count(), 2);
    }

    #[test]
    fn relationships_are_seen_at_any_depth() {
        use Relationships::{Across, None, Within};
        for (schema, expected) in [
            ("[{name: o, relationships: []}]", Within),
            (
                "[{name: o, properties: [{name: p, relationships: [{to: a.b}]}]}]",
                Within,
            ),
            (
                "[{name: o, properties: [{name: p, items: {properties: [{relationships: []}]}}]}]",
                Within,
            ),
            (
                "[{name: o, properties: [{name: p, map: {value: {relationships: []}}}]}]",
                Within,
            ),
            (
                "[{name: o, relationships: [{to: a.b}, {from: [o.a], to: ['b.yaml#schema/p']}]}, {name: p}]",
                Across,
            ),
            (
                "[{name: relationships, customProperties: [{property: a, value: {relationships: 1}}]}]",
                None,
            ),
            ("~", None),
        ] {
            let text = format!("apiVersion: v3.2.0\nid: a\nschema: {schema}\n");
            assert_eq!(contract(&text).0.relationships, expected, "{schema}");
        }
    }
}
