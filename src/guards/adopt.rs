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
use crate::dbt::types;
use crate::mapping::shapes::Shape;
use crate::mapping::types::is_of;
use crate::odcs::{LogicalType, SchemaObject};
use crate::yaml::{Edit, Limits, Node, Parsed, Span, Style, parse, quote, splice};

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
        return Err("is not one document".to_owned());
    };
    let mut adoption = Adoption {
        text,
        adapter,
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
        let (index_of_object, object) = item(root.get("schema"), wish.object.span)
            .ok_or_else(|| format!("has the object `{name}` in another place"))?;
        let list = object.get("properties");
        let properties: Vec<&Node> = list
            .and_then(Node::as_sequence)
            .into_iter()
            .flatten()
            .collect();
        let (observed, left_over) = matched(wish.shape, wish.relation);
        let columns = wish
            .object
            .columns()
            .zip(wish.shape.columns.iter().zip(observed));
        let mut removed = Vec::new();
        for (property, (column, found)) in columns {
            let (index, node) = item(list, property.span)
                .ok_or_else(|| format!("has the property `{}` in another place", column.name))?;
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
                    self.set_type(root, node, &pointer, observed)?;
                    self.note(name, &column.name, what, Some(observed));
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
            .ok_or_else(|| format!("would be left without any property in `{name}`"))?;
        let flow_list = list.is_some_and(|list| list.style == Style::Flow);
        for column in left_over {
            self.append(
                beside,
                flow_list,
                &format!("/schema/{index_of_object}/properties"),
                column,
            )?;
            self.note(name, &column.name, "appended", column.data_type.as_ref());
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
    fn note(&mut self, object: &str, column: &str, what: &'static str, data_type: Option<&String>) {
        self.adopted.push(Adopted {
            object: object.to_owned(),
            column: column.to_owned(),
            what,
            data_type: data_type.cloned(),
        });
    }

    /// Gives a property the observed type, and a logical type that goes with it where it has another.
    fn set_type(
        &mut self,
        root: &Node,
        node: &Node,
        pointer: &str,
        observed: &str,
    ) -> Result<(), String> {
        let logical = node.get("logicalType");
        let stated = logical.and_then(Node::as_str).and_then(LogicalType::parse);
        let parsed = types::parse(self.adapter, observed);
        let contradicts = stated
            .zip(parsed)
            .is_some_and(|(stated, parsed)| !is_of(&parsed, stated));
        if let Some(logical) = logical.filter(|_| contradicts) {
            let word = self
                .logical(observed)
                .ok_or_else(|| format!("says a `logicalType` that `{observed}` does not have"))?;
            self.replace(root, logical, word)?;
            self.mean(pointer, "logicalType", word);
        }
        match node.get("physicalType") {
            Some(physical) => self.replace(root, physical, observed)?,
            None => self.insert_key(node, "physicalType", observed)?,
        }
        self.mean(pointer, "physicalType", observed);
        Ok(())
    }

    /// Sets a key of the document that is meant.
    fn mean(&mut self, pointer: &str, key: &str, word: &str) {
        if let Some(meant) = self.meant.pointer_mut(pointer) {
            meant[key] = json!(word);
        }
    }

    /// Writes another word in place of a scalar.
    fn replace(&mut self, root: &Node, node: &Node, word: &str) -> Result<(), String> {
        let edit = Edit::word(root, node, word);
        let edit = edit.ok_or("has a type in a notation that cannot be changed here")?;
        self.edits.push(edit);
        Ok(())
    }

    /// Writes a key behind the name of a property.
    fn insert_key(&mut self, node: &Node, key: &str, word: &str) -> Result<(), String> {
        let name = node.entry("name").ok_or("has a property without a name")?;
        let at = name.value.span.end();
        if node.style == Style::Flow {
            let entry = self.flow_entry(key, word);
            self.insert(at, format!(", {entry}"));
            return Ok(());
        }
        let column = name.key.span.start() - self.line_start(name.key.span.start());
        let line = format!(
            "{}{}{key}: {}",
            self.line_break,
            " ".repeat(column),
            quote::scalar(word)
        );
        self.insert(self.line_end(at), line);
        Ok(())
    }

    /// Writes a property behind the last one, in the form that it has.
    fn append(
        &mut self,
        last: &Node,
        flow_list: bool,
        pointer: &str,
        column: &Column,
    ) -> Result<(), String> {
        let observed = column.data_type.as_deref();
        let logical = observed.and_then(|observed| self.logical(observed));
        let entries = [
            ("name", Some(column.name.as_str())),
            ("logicalType", logical),
            ("physicalType", observed),
        ];
        let entries = entries
            .into_iter()
            .filter_map(|(key, word)| Some((key, word?)));
        let entries: Vec<(&str, &str)> = entries.collect();
        let words = entries.iter().map(|(key, word)| self.flow_entry(key, word));
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
                    "has a list of properties in a form that cannot be added to here".to_owned(),
                );
            }
            let indent = &lead[..blanks];
            let body = if last.style == Style::Flow {
                flow
            } else {
                let lines = entries
                    .iter()
                    .map(|(key, word)| format!("{key}: {}", quote::scalar(word)));
                let gap = format!("{}{}", self.line_break, " ".repeat(lead.len()));
                lines.collect::<Vec<_>>().join(&gap)
            };
            let dash = &lead[blanks..];
            let line = format!("{}{indent}{dash}{body}", self.line_break);
            self.insert(self.line_end(end), line);
        }
        let item: Value = entries
            .iter()
            .map(|(key, word)| ((*key).to_owned(), json!(word)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        if let Some(list) = self
            .meant
            .pointer_mut(pointer)
            .and_then(Value::as_array_mut)
        {
            list.push(item);
        }
        Ok(())
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

    /// The logical type of an observed type.
    fn logical(&self, observed: &str) -> Option<&'static str> {
        // A number is whatever is no whole number; an object whatever is no text.
        const ORDER: &[LogicalType] = &[
            LogicalType::String,
            LogicalType::Boolean,
            LogicalType::Integer,
            LogicalType::Number,
            LogicalType::Date,
            LogicalType::Timestamp,
            LogicalType::Time,
            LogicalType::Array,
            LogicalType::Object,
            LogicalType::Map,
        ];
        let parsed = types::parse(self.adapter, observed)?;
        let logical = ORDER.iter().find(|logical| is_of(&parsed, **logical))?;
        Some(logical.as_str())
    }

    /// A key and word inside braces.
    fn flow_entry(&self, key: &str, word: &str) -> String {
        if self.is_json {
            format!("{}: {}", json!(key), json!(word))
        } else {
            format!("{key}: {}", quote::flow_scalar(word))
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

/// The item of a list at a place in the text, unless it came from elsewhere.
fn item(list: Option<&Node>, span: Span) -> Option<(usize, &Node)> {
    let items = list?.as_sequence()?;
    let index = items.iter().position(|item| item.span == span)?;
    let item = &items[index];
    item.properties.is_none().then_some((index, item))
}

#[cfg(test)]
mod tests;
