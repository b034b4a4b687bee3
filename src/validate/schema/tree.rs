//! The tree as the validator sees it: a node of our own comes in, a JSON value goes out, without a
//! copy of the document in between.
//!
//! It is what [`Node::to_json`] says, value by value; the tests hold the two against each other.

use std::borrow::Cow;
use std::slice;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node as JsonNode, NodeIdentity, Object};
use serde_json::{Number, Value};

use crate::yaml::{Data, Entry, Mapping, Node};

/// Trees as a representation of JSON.
pub(super) struct Tree;

/// A value of a tree.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    /// Of a document.
    Node(&'a Node),
    /// A text on its own, such as the name of a key.
    Text(&'a str),
}

impl Json for Tree {
    type Node<'a> = Item<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // Most mappings are small, and a lookup goes through them.
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Item<'_>) -> T) -> T {
        f(Item::Text(string))
    }
}

/// A number of a tree that JSON has.
pub(super) enum TreeNumber {
    Int(i128),
    Float(f64),
}

impl JsonNumber for TreeNumber {
    fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Int(value) => u64::try_from(*value).ok(),
            Self::Float(_) => None,
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => i64::try_from(*value).ok(),
            Self::Float(_) => None,
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a float is asked for; the nearest one is the answer"
    )]
    fn as_f64(&self) -> Option<f64> {
        Some(match self {
            Self::Int(value) => *value as f64,
            Self::Float(value) => *value,
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        self.to_number().to_string().into()
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let whole = self.as_i64().map(Number::from);
        let number = whole
            .or_else(|| self.as_u64().map(Number::from))
            .or_else(|| self.as_f64().and_then(Number::from_f64));
        // Numbers that JSON lacks are texts.
        Cow::Owned(number.unwrap_or_else(|| Number::from(0)))
    }
}

impl<'a> JsonNode<'a, Tree> for Item<'a> {
    type Object = &'a Mapping;
    type Array = &'a [Node];
    type Number = TreeNumber;

    fn as_object(&self) -> Option<&'a Mapping> {
        match self {
            Self::Node(node) => node.as_mapping(),
            Self::Text(_) => None,
        }
    }

    fn as_array(&self) -> Option<&'a [Node]> {
        match self {
            Self::Node(node) => node.as_sequence(),
            Self::Text(_) => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(Cow::Borrowed(text)),
            Self::Node(node) => match &node.data {
                Data::String(text) => Some(Cow::Borrowed(text)),
                Data::Float(value) if !value.is_finite() => match node.to_json() {
                    Value::String(text) => Some(Cow::Owned(text)),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    fn as_number(&self) -> Option<TreeNumber> {
        let Self::Node(node) = self else {
            return None;
        };
        match node.data {
            Data::Int(value) => Some(TreeNumber::Int(value)),
            Data::Float(value) if value.is_finite() => Some(TreeNumber::Float(value)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Node(node) => node.as_bool(),
            Self::Text(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Self::Node(node) if node.is_null())
    }

    fn json_type(&self) -> JsonType {
        let Self::Node(node) = self else {
            return JsonType::String;
        };
        match &node.data {
            Data::Null => JsonType::Null,
            Data::Bool(_) => JsonType::Boolean,
            Data::Float(value) if !value.is_finite() => JsonType::String,
            Data::Int(_) | Data::Float(_) => JsonType::Number,
            Data::String(_) => JsonType::String,
            Data::Sequence(_) => JsonType::Array,
            Data::Mapping(_) => JsonType::Object,
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self {
            Self::Node(node) => node.to_json(),
            Self::Text(text) => Value::from(*text),
        })
    }

    fn equals_value(&self, expected: &Value) -> bool {
        // What `const` and `enum` compare is text nearly always.
        match (self.as_string(), expected) {
            (Some(text), Value::String(expected)) => text == *expected,
            (Some(_), _) => false,
            (None, _) => jsonschema::json::cmp::equal(&self.to_value(), expected),
        }
    }

    fn identity(&self) -> Option<NodeIdentity> {
        match self {
            Self::Node(node) => Some(NodeIdentity::new(std::ptr::from_ref(*node).addr())),
            Self::Text(_) => None,
        }
    }
}

/// The entries of a mapping by name.
pub(super) struct Members<'a>(slice::Iter<'a, Entry>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, Item<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.0.next()?;
        Some((entry.name(), Item::Node(&entry.value)))
    }
}

impl<'a> Object<'a, Tree> for &'a Mapping {
    type Node = Item<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        Mapping::len(self)
    }

    fn get(&self, key: &String) -> Option<Item<'a>> {
        Mapping::get(self, key).map(Item::Node)
    }

    fn members(&self) -> Members<'a> {
        Members(self.iter())
    }
}

/// The items of a list.
pub(super) struct Elements<'a>(slice::Iter<'a, Node>);

impl<'a> Iterator for Elements<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Item::Node)
    }
}

impl<'a> Array<'a, Tree> for &'a [Node] {
    type Node = Item<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        <[Node]>::len(self)
    }

    fn elements(&self) -> Elements<'a> {
        Elements(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::versions;
    use super::*;
    use crate::document::Kind;
    use crate::yaml::{self, Limits};

    /// What a validator gets to see of an item.
    fn seen(item: Item<'_>) -> Value {
        match item.json_type() {
            JsonType::Null => {
                assert!(item.is_null());
                Value::Null
            }
            JsonType::Boolean => item.as_boolean().unwrap().into(),
            JsonType::Number | JsonType::Integer => {
                let number = item.as_number().unwrap();
                assert_eq!(number.as_str(), number.to_number().to_string());
                Value::Number(number.to_number().into_owned())
            }
            JsonType::String => item.as_string().unwrap().into(),
            JsonType::Array => item.as_array().unwrap().elements().map(seen).collect(),
            JsonType::Object => {
                let members = item.as_object().unwrap().members();
                let members = members.map(|(name, value)| (name.to_owned(), seen(value)));
                Value::Object(members.collect())
            }
        }
    }

    #[test]
    fn an_item_is_what_its_json_is() {
        let text = "a: [~, yes, 1, -1, 18446744073709551615, 99999999999999999999999, 1.5, 1.0, .inf, -.inf, .nan, '1', x]\n\
                    1: {b: {}, c: []}\ny: &a {d: 1}\nz: {<<: *a}\n";
        let parsed = yaml::parse(text, &Limits::default());
        let root = &parsed.documents[0];
        assert_eq!(seen(Item::Node(root)), root.to_json());
        let item = Item::Node(root);
        assert!(item.equals_value(&root.to_json()));
        assert!(!item.equals_value(&json!("x")));
        assert!(Item::Text("x").equals_value(&json!("x")));
        assert!(!Item::Text("1").equals_value(&json!(1)));
    }

    #[test]
    fn both_views_get_the_same_verdict() {
        let schema = json!({
            "type": "object",
            "propertyNames": {"maxLength": 3},
            "additionalProperties": {
                "anyOf": [
                    {"type": "integer", "minimum": 2, "multipleOf": 2},
                    {"enum": ["a", 1.5, null, [1, {"b": true}]]},
                    {"type": "array", "uniqueItems": true, "maxItems": 2, "items": {"type": "number"}},
                    {"type": "string", "pattern": "^x", "minLength": 2},
                ],
            },
        });
        let of_json = jsonschema::options().build(&schema).unwrap();
        let of_tree = jsonschema::options_for::<Tree>().build(&schema).unwrap();
        for (value, expected) in [
            ("4", true),
            ("4.0", true),
            ("3", false),
            ("a", true),
            ("'1.5'", false),
            ("1.5", true),
            ("~", true),
            ("[1, {b: true}]", true),
            ("[1, 2]", true),
            ("[1, 1.0]", false),
            ("[1, 2, 3]", false),
            ("xy", true),
            ("x", false),
            ("{}", false),
            ("99999999999999999999999999999999", true),
        ] {
            for (key, fits) in [("k", true), ("long", false)] {
                let parsed = yaml::parse(&format!("{key}: {value}"), &Limits::default());
                let root = &parsed.documents[0];
                let verdict = of_tree.is_valid(Item::Node(root));
                assert_eq!(verdict, of_json.is_valid(&root.to_json()), "{key}: {value}");
                assert_eq!(verdict, expected && fits, "{key}: {value}");
            }
        }
    }

    /// A value and all that it becomes when one of its keys, at any depth, is left out.
    fn mutations(value: &Value) -> Vec<Value> {
        let mut found = vec![value.clone()];
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    let mut without = members.clone();
                    without.shift_remove(key);
                    found.push(Value::Object(without));
                    for mutation in mutations(member).into_iter().skip(1) {
                        let mut changed = members.clone();
                        changed[key] = mutation;
                        found.push(Value::Object(changed));
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    for mutation in mutations(item).into_iter().skip(1) {
                        let mut changed = items.clone();
                        changed[index] = mutation;
                        found.push(Value::Array(changed));
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// The schemas are held against the official ones by their JSON; this is what makes the verdicts
    /// of the program the same.
    #[test]
    fn documents_get_the_verdicts_of_their_json() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/documents");
        let files = walkdir::WalkDir::new(folder).into_iter().flatten();
        let mut verdicts = [0, 0];
        for file in files.filter(|entry| entry.file_type().is_file()) {
            let source = crate::file::read(file.path(), "").unwrap();
            let parsed = yaml::parse(&source.text, &Limits::default());
            let whole = parsed.documents[0].to_json();
            let kind = match whole["kind"].as_str() {
                Some("DataProduct") => Kind::Product,
                _ => Kind::Contract,
            };
            let label = whole["apiVersion"].as_str().unwrap_or_default();
            let schema = versions::for_label(kind, label).unwrap_or(versions::newest(kind));
            let of_json = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft201909)
                .should_validate_formats(false)
                .build(schema.whole())
                .unwrap();
            for value in mutations(&whole) {
                let text = value.to_string();
                let parsed = yaml::parse(&text, &Limits::default());
                let verdict = schema.takes(&parsed.documents[0]);
                assert_eq!(
                    verdict,
                    of_json.is_valid(&value),
                    "{}",
                    file.path().display()
                );
                verdicts[usize::from(verdict)] += 1;
            }
        }
        assert!(verdicts.iter().all(|count| *count > 100), "{verdicts:?}");
    }
}
