//! Adoption: an observed relation comes in, and the text of the contract that says what is there goes
//! out. Missing types are filled and observed columns appended; only where it is asked for, other
//! types are replaced and columns that are gone removed.
//!
//! No other byte changes. The new text is read again, and refused unless it is the old document with
//! just these values.

use serde_json::{Value, json};

use super::drift::matched;
use super::observed::{Column, Relation};
use super::types::{Likeness, compare};
use crate::dbt::adapter::Adapter;
use crate::dbt::identifiers::survives_dbt;
use crate::dbt::types;
use crate::document::ApiVersion;
use crate::import::types::logical;
use crate::mapping::shapes::Shape;
use crate::mapping::types::{is_of, translated};
use crate::odcs::{LogicalType, SchemaObject};
use crate::yaml::{Edit, Limits, Node, Parsed, Span, Style, parse, quote, splice};

/// The first version of the standard with timestamps and times of day.
const TIMES: ApiVersion = ApiVersion::new(3, 1, 0);

/// What is adopted of one object.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// The object.
    pub object: &'a SchemaObject,
    /// Its shape.
    pub shape: &'a Shape,
    /// What was observed of it.
    pub relation: &'a Relation,
}

/// A change of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// The object.
    pub object: String,
    /// The column.
    pub column: String,
    /// `filled`, `appended`, `replaced` or `removed`.
    pub what: &'static str,
    /// The type that is written, or nothing where the column is removed.
    pub data_type: Option<String>,
}

/// The text of a contract that says what was observed, with its changes; or why it stays.
pub fn adopt(
    text: &str,
    wishes: &[Wish<'_>],
    adapter: Adapter,
    overwrite: bool,
) -> Result<(String, Vec<Adopted>), String> {
    let old = parse(text, &Limits::default());
    let [root] = old.documents.as_slice() else {
        return Err("is not one document; write each contract into a file of its own".to_owned());
    };
    let version = root.get("apiVersion").and_then(Node::as_str);
    let version = version.and_then(ApiVersion::parse);
    let mut adoption = Adoption {
        text,
        adapter,
        dialect: adapter,
        version: version.unwrap_or(ApiVersion::new(3, 0, 0)),
        overwrite,
        is_json: root.style == Style::Flow,
        line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
        edits: Vec::new(),
        adopted: Vec::new(),
        meant: root.to_json(),
    };
    for wish in wishes {
        adoption.object(root, wish)?;
    }
    adoption.finish(&old)
}

/// One run over a contract.
struct Adoption<'a> {
    text: &'a str,
    adapter: Adapter,
    /// The dialect of the object's physical types.
    dialect: Adapter,
    version: ApiVersion,
    overwrite: bool,
    is_json: bool,
    line_break: &'static str,
    edits: Vec<Edit>,
    adopted: Vec<Adopted>,
    /// The document that is meant.
    meant: Value,
}

impl Adoption<'_> {
    /// Adopts what was observed of one object.
    fn object(&mut self, root: &Node, wish: &Wish<'_>) -> Result<(), String> {
        let name = wish.object.name.as_str();
        self.dialect = wish.shape.dialect.unwrap_or(self.adapter);
        let (index_of_object, object) = item(root.get("schema"), wish.object.span)
            .ok_or_else(|| elsewhere(&format!("object `{name}`")))?;
        let list = object.get("properties");
        let properties: Vec<&Node> = list
            .and_then(Node::as_sequence)
            .into_iter()
            .flatten()
            .collect();
        let (observed, left_over) = matched(wish.shape, wish.relation);
        // What dbt cannot quote, no model could select.
        let mut names = left_over.iter().map(|column| column.name.as_str());
        if let Some(name) = names.find(|name| !survives_dbt(self.adapter, name)) {
            return Err(format!(
                "would have the column `{name}`, whose name dbt cannot quote; rename it where it comes from"
            ));
        }
        let columns = wish
            .object
            .columns()
            .zip(wish.shape.columns.iter().zip(observed));
        let mut removed = Vec::new();
        for (property, (column, found)) in columns {
            let (index, node) = item(list, property.span)
                .ok_or_else(|| elsewhere(&format!("property `{}`", column.name)))?;
            let pointer = format!("/schema/{index_of_object}/properties/{index}");
            match found {
                Some(Column {
                    data_type: Some(observed),
                    ..
                }) => {
                    let likeness = compare(self.adapter, &column.data_type, observed);
                    let stated = node.get("physicalType");
                    let what = match (likeness, stated) {
                        (Likeness::Same, None) => "filled",
                        (Likeness::Same, Some(_)) => continue,
                        _ if self.overwrite => "replaced",
                        _ => continue,
                    };
                    let written = self.set_type(root, node, &pointer, observed)?;
                    self.note(name, &column.name, what, Some(written));
                }
                None if self.overwrite && column.added_in.is_none() => {
                    removed.push(index);
                    self.remove(&properties, index, list);
                    self.note(name, &column.name, "removed", None);
                }
                Some(_) | None => {}
            }
        }
        let beside = (0..properties.len())
            .rev()
            .find(|index| !removed.contains(index))
            .map(|index| properties[index])
            .ok_or_else(|| {
                format!("would be left without any property in `{name}`; is it the right relation?")
            })?;
        let flow_list = list.is_some_and(|list| list.style == Style::Flow);
        for column in left_over {
            let written = self.append(
                beside,
                flow_list,
                &format!("/schema/{index_of_object}/properties"),
                column,
            )?;
            self.note(name, &column.name, "appended", written);
        }
        let pointer = format!("/schema/{index_of_object}/properties");
        if let Some(meant) = self
            .meant
            .pointer_mut(&pointer)
            .and_then(Value::as_array_mut)
        {
            for index in removed.iter().rev() {
                meant.remove(*index);
            }
        }
        Ok(())
    }

    /// Notes a change.
    fn note(&mut self, object: &str, column: &str, what: &'static str, data_type: Option<String>) {
        self.adopted.push(Adopted {
            object: object.to_owned(),
            column: column.to_owned(),
            what,
            data_type,
        });
    }

    /// Gives a property the observed type, and a logical type that goes with it where it has none or
    /// another. The type as it is written.
    fn set_type(
        &mut self,
        root: &Node,
        node: &Node,
        pointer: &str,
        observed: &str,
    ) -> Result<String, String> {
        let written = self.written(observed);
        let stated = node.get("logicalType");
        let kind = stated.and_then(Node::as_str).and_then(LogicalType::parse);
        let parsed = types::parse(self.adapter, observed);
        let contradicts = kind
            .zip(parsed)
            .is_some_and(|(kind, parsed)| !is_of(&parsed, kind));
        if let Some(stated) = stated.filter(|_| contradicts) {
            let by_hand = || {
                format!("says a `logicalType` that `{observed}` does not have; change it by hand")
            };
            let (word, options) = self.logical(observed).ok_or_else(by_hand)?;
            if node.get("logicalTypeOptions").is_some() || options.is_some() && self.is_json {
                return Err(by_hand());
            }
            self.replace(root, stated, word)?;
            self.mean(pointer, "logicalType", json!(word));
        }
        if let Some(physical) = node.get("physicalType") {
            self.replace(root, physical, &written)?;
            self.mean(pointer, "physicalType", json!(written));
            return Ok(written);
        }
        let mut entries = self.described(observed);
        if stated.is_some() {
            entries.retain(|(key, _)| *key == "physicalType");
        }
        let beside = ["logicalType", "name"]
            .into_iter()
            .find_map(|key| node.entry(key));
        let beside = beside.ok_or("has a property without a name; give it one")?;
        let (key, value) = (beside.key.span.start(), beside.value.span.end());
        for (entry, value_of_it) in entries {
            if node.style == Style::Flow {
                let entry = self.flow_entry(entry, &value_of_it);
                self.insert(value, format!(", {entry}"));
            } else {
                let indent = " ".repeat(key - self.line_start(key));
                let line = format!(
                    "{}{indent}{}",
                    self.line_break,
                    block_entry(entry, &value_of_it)
                );
                self.insert(self.line_end(value), line);
            }
            self.mean(pointer, entry, value_of_it);
        }
        Ok(written)
    }

    /// An observed type in the words of the contract's own server, whose physical types it has.
    fn written(&self, observed: &str) -> String {
        let same = self.dialect == self.adapter;
        let other = || translated(self.adapter, self.dialect, observed);
        let other = (!same).then(other).flatten();
        other.unwrap_or_else(|| observed.to_owned())
    }

    /// What a property says of an observed type.
    fn described(&self, observed: &str) -> Vec<(&'static str, Value)> {
        let mut entries = Vec::new();
        if let Some((word, options)) = self.logical(observed) {
            entries.push(("logicalType", json!(word)));
            entries.extend(options.map(|options| ("logicalTypeOptions", options)));
        }
        entries.push(("physicalType", json!(self.written(observed))));
        entries
    }

    /// Sets a key of the document that is meant.
    fn mean(&mut self, pointer: &str, key: &str, value: Value) {
        if let Some(meant) = self.meant.pointer_mut(pointer) {
            meant[key] = value;
        }
    }

    /// Writes another word in place of a scalar.
    fn replace(&mut self, root: &Node, node: &Node, word: &str) -> Result<(), String> {
        let edit = Edit::word(root, node, word);
        let edit = edit.ok_or("has a type in a notation that cannot be changed here; write it as one word on its line")?;
        self.edits.push(edit);
        Ok(())
    }

    /// Writes a property behind the last one, in the form that it has.
    fn append(
        &mut self,
        last: &Node,
        flow_list: bool,
        pointer: &str,
        column: &Column,
    ) -> Result<Option<String>, String> {
        let observed = column.data_type.as_deref();
        let mut entries = vec![("name", json!(column.name))];
        entries.extend(
            observed
                .into_iter()
                .flat_map(|observed| self.described(observed)),
        );
        let words = entries
            .iter()
            .map(|(key, value)| self.flow_entry(key, value));
        let flow = format!("{{{}}}", words.collect::<Vec<_>>().join(", "));
        let start = self.line_start(last.span.start());
        let lead = &self.text[start..last.span.start()];
        let blanks = lead.len() - lead.trim_start().len();
        let end = last.span.end();
        if flow_list {
            let apart = if lead.trim().is_empty() {
                format!(",{}{}", self.line_break, &lead[..blanks])
            } else {
                ", ".to_owned()
            };
            self.insert(end, apart + &flow);
        } else {
            if !(lead.trim_start().starts_with('-') && lead[blanks + 1..].trim().is_empty()) {
                return Err(
                    "has a list of properties in a form that cannot be added to here; begin \
                            each with `- name:` on a line of its own"
                        .to_owned(),
                );
            }
            let indent = &lead[..blanks];
            let body = if last.style == Style::Flow {
                flow
            } else {
                let lines = entries.iter().map(|(key, value)| block_entry(key, value));
                let gap = format!("{}{}", self.line_break, " ".repeat(lead.len()));
                lines.collect::<Vec<_>>().join(&gap)
            };
            let dash = &lead[blanks..];
            let line = format!("{}{indent}{dash}{body}", self.line_break);
            self.insert(self.line_end(end), line);
        }
        let item: Value = entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<serde_json::Map<_, _>>()
            .into();
        if let Some(list) = self
            .meant
            .pointer_mut(pointer)
            .and_then(Value::as_array_mut)
        {
            list.push(item);
        }
        Ok(observed.map(|observed| self.written(observed)))
    }

    /// Takes a property out, with its line break or comma.
    fn remove(&mut self, properties: &[&Node], index: usize, list: Option<&Node>) {
        let node = properties[index];
        let span = if list.is_some_and(|list| list.style == Style::Flow) {
            match (index.checked_sub(1), properties.get(index + 1)) {
                (Some(before), _) => Span::new(properties[before].span.end(), node.span.end()),
                (None, Some(next)) => Span::new(node.span.start(), next.span.start()),
                (None, None) => node.span,
            }
        } else {
            let end = self.line_end(node.span.end());
            let rest = &self.text[end..];
            let line_break = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
            Span::new(
                self.line_start(node.span.start()),
                end + line_break.min(self.line_break.len()),
            )
        };
        let text = String::new();
        self.edits.push(Edit { span, text });
    }

    /// The logical type of an observed type with its options, in the version of the contract.
    fn logical(&self, observed: &str) -> Option<(&'static str, Option<Value>)> {
        let found = logical(Some(self.adapter), self.version, observed)?;
        let kind = match found.kind {
            // Before 3.1 a day and its time are a date, and there is no time of day.
            LogicalType::Timestamp if self.version < TIMES => return Some(("date", None)),
            LogicalType::Time if self.version < TIMES => return None,
            kind => kind,
        };
        let options = serde_json::to_value(&found.options).ok();
        let options = options.filter(|_| !found.options.is_empty());
        Some((kind.as_str(), options))
    }

    /// A key and its value inside braces.
    fn flow_entry(&self, key: &str, value: &Value) -> String {
        if self.is_json {
            format!("{}: {value}", json!(key))
        } else {
            format!("{key}: {}", flow(value))
        }
    }

    fn insert(&mut self, at: usize, text: String) {
        let span = Span::new(at, at);
        self.edits.push(Edit { span, text });
    }

    /// Where the line of a byte begins.
    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |found| found + 1)
    }

    /// Where the line of a byte ends, before its break.
    fn line_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        let line = rest.split('\n').next().unwrap_or_default();
        at + line.trim_end_matches('\r').len()
    }

    /// Makes the edits, unless the result would be read as anything else than what is meant.
    fn finish(mut self, old: &Parsed) -> Result<(String, Vec<Adopted>), String> {
        // What is added at one place stays in its order.
        self.edits
            .sort_by_key(|edit| (edit.span.start(), edit.span.end()));
        let misread = || "would not be read as meant; adopt it by hand".to_owned();
        let patched = splice(self.text, &self.edits).ok_or_else(misread)?;
        let new = parse(&patched, &Limits::default());
        let [root] = new.documents.as_slice() else {
            return Err(misread());
        };
        let comments = |text: &str, parsed: &Parsed| -> Vec<String> {
            let comments = parsed.comments.iter();
            comments
                .map(|comment| text[comment.range()].to_owned())
                .collect()
        };
        let (before, after) = (comments(self.text, old), comments(&patched, &new));
        let removes = self.adopted.iter().any(|adopted| adopted.what == "removed");
        let is_meant = root.to_json() == self.meant
            && new.problems.len() <= old.problems.len()
            && (before == after || removes && after.len() < before.len());
        if is_meant {
            Ok((patched, self.adopted))
        } else {
            Err(misread())
        }
    }
}

/// Why what an alias or a merge key brings is not changed.
fn elsewhere(what: &str) -> String {
    format!("has the {what} from an alias or a merge key; adopt it by hand where it is written")
}

/// A key and its value on a line.
fn block_entry(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) => format!("{key}: {}", quote::scalar(text)),
        other => format!("{key}: {}", flow(other)),
    }
}

/// A value inside braces.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => quote::flow_scalar(text),
        Value::Object(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, value)| format!("{key}: {}", flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// The item of a list at a place in the text, unless it came from elsewhere.
fn item(list: Option<&Node>, span: Span) -> Option<(usize, &Node)> {
    let items = list?.as_sequence()?;
    let index = items.iter().position(|item| item.span == span)?;
    let item = &items[index];
    item.properties.is_none().then_some((index, item))
}

#[cfg(test)]
mod tests;
