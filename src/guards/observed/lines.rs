//! A JSON object on each line: a relation with its columns, or one column. Lines without an object,
//! such as those of dbt's log, are passed over, and so is what stands before an object. In dbt's log
//! in JSON, what was printed is the message of a line.

use serde_json::Value;

use super::{Column, Observation, Relation, nullable, rows, said};

/// The first object on a line of its own, if there is one.
pub(super) fn first_object(text: &str) -> Option<Value> {
    objects(text).next()?.ok()
}

/// The objects of the lines, or what is wrong with one.
fn objects(text: &str) -> impl Iterator<Item = Result<Value, String>> + '_ {
    text.lines().enumerate().filter_map(|(number, line)| {
        let start = line.find("{\"")?;
        let object = line[start..].trim_end();
        match serde_json::from_str(object) {
            Ok(object) => logged(object).map(Ok),
            Err(error) => Some(Err(format!(
                "the object on line {} is no JSON: {error}",
                number + 1
            ))),
        }
    })
}

/// An object, or the one that is the message of a line of dbt's log, where that is one.
fn logged(object: Value) -> Option<Value> {
    let Some(message) = object.pointer("/info/msg") else {
        return Some(object);
    };
    let message = message.as_str()?;
    serde_json::from_str(message.get(message.find("{\"")?..)?).ok()
}

/// The relations of all lines.
pub(super) fn read(text: &str) -> Result<Observation, String> {
    let items: Vec<Value> = objects(text).collect::<Result<_, _>>()?;
    if items.iter().any(is_relation) {
        relations(&items)
    } else {
        rows::json(&items)
    }
}

/// Whether an object is a relation with columns.
pub(super) fn is_relation(value: &Value) -> bool {
    value.get("columns").is_some_and(Value::is_array)
}

/// The relations of a list of objects.
pub(super) fn relations(items: &[Value]) -> Result<Observation, String> {
    let relations = items.iter().filter(|item| is_relation(item)).map(relation);
    Ok(Observation {
        form: "relations in JSON",
        error: None,
        relations: relations.collect::<Result<_, _>>()?,
    })
}

/// One relation.
fn relation(value: &Value) -> Result<Relation, String> {
    let text = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| value.get(name).and_then(Value::as_str))
            .and_then(said)
    };
    let columns = value.get("columns").and_then(Value::as_array);
    Ok(Relation {
        source: text(&["source"]).zip(text(&["table"])),
        database: text(&["database"]),
        schema: text(&["schema"]),
        name: text(&["identifier", "name", "relation"]),
        label: None,
        columns: columns
            .into_iter()
            .flatten()
            .map(column)
            .collect::<Result<_, _>>()?,
    })
}

/// One column of a relation.
fn column(value: &Value) -> Result<Column, String> {
    let text = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| value.get(name).and_then(Value::as_str))
    };
    Ok(Column {
        name: text(&["name", "column_name"])
            .ok_or("a column of a relation has no `name`")?
            .to_owned(),
        data_type: text(&["type", "data_type"]).and_then(said),
        nullable: match value.get("nullable").or_else(|| value.get("is_nullable")) {
            Some(Value::Bool(known)) => Some(*known),
            Some(Value::String(word)) => nullable(word),
            _ => None,
        },
    })
}
