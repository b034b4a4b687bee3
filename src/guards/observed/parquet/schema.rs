//! The schema of a Parquet file: its elements in the order of a walk from the root come in, the columns
//! go out with what DuckDB calls their types.

use super::super::Column;
use super::thrift::Struct;
use crate::dbt::adapter::Adapter;
use crate::dbt::types::{array_of, map_of, struct_of};

/// How deep columns may nest: a list takes two levels.
const DEPTH: usize = 64;

/// The places of the fields of an element.
const PHYSICAL: i16 = 1;
const REPETITION: i16 = 3;
const NAME: i16 = 4;
const CHILDREN: i16 = 5;
const CONVERTED: i16 = 6;
const SCALE: i16 = 7;
const PRECISION: i16 = 8;
const LOGICAL: i16 = 10;

const OPTIONAL: i64 = 1;
const REPEATED: i64 = 2;

/// The logical types that hold others, and the decimal and temporal ones.
const MAP: i16 = 2;
const LIST: i16 = 3;
const DECIMAL: i16 = 5;
const TIME: i16 = 7;
const TIMESTAMP: i16 = 8;
const INTEGER: i16 = 10;
const VARIANT: i16 = 16;

/// The logical types without anything to say of themselves.
const PLAIN: &[(i16, &str)] = &[
    (1, "varchar"),
    (4, "varchar"),
    (6, "date"),
    (12, "json"),
    (13, "blob"),
    (14, "uuid"),
    (15, "float"),
    (17, "geometry"),
    (18, "geometry"),
];

/// The converted types of older writers. Moments are those of UTC.
const CONVERTED_TYPES: &[(i64, &str)] = &[
    (0, "varchar"),
    (4, "varchar"),
    (6, "date"),
    (7, "time"),
    (8, "time"),
    (9, "timestamptz"),
    (10, "timestamptz"),
    (11, "utinyint"),
    (12, "usmallint"),
    (13, "uinteger"),
    (14, "ubigint"),
    (15, "tinyint"),
    (16, "smallint"),
    (17, "integer"),
    (18, "bigint"),
    (19, "json"),
    (20, "blob"),
    (21, "interval"),
];
const CONVERTED_MAP: &[i64] = &[1, 2];
const CONVERTED_LIST: i64 = 3;
const CONVERTED_DECIMAL: i64 = 5;

/// The physical types where nothing more is said, in their order.
const PHYSICAL_TYPES: [&str; 8] = [
    "boolean",
    "integer",
    "bigint",
    "timestamp",
    "float",
    "double",
    "blob",
    "blob",
];

/// An element with those below it.
struct Node<'a> {
    element: &'a Struct<'a>,
    name: &'a str,
    children: Vec<Self>,
}

/// The columns, or what is wrong with the elements.
pub(super) fn columns(elements: &[Struct<'_>]) -> Result<Vec<Column>, &'static str> {
    let mut rest = elements.iter();
    let root = Node::next(&mut rest, 0)?;
    if root.children.is_empty() || rest.next().is_some() {
        return Err("without columns, or with more than one root");
    }
    let columns = root.children.iter().map(|node| Column {
        name: node.name.to_owned(),
        data_type: node.data_type(),
        nullable: Some(node.element.number(REPETITION) == Some(OPTIONAL)),
    });
    Ok(columns.collect())
}

impl<'a> Node<'a> {
    /// The next element with those below it.
    fn next(
        rest: &mut std::slice::Iter<'a, Struct<'a>>,
        depth: usize,
    ) -> Result<Self, &'static str> {
        const ENDS: &str = "whose schema ends early";
        if depth > DEPTH {
            return Err("whose columns nest too deep");
        }
        let element = rest.next().ok_or(ENDS)?;
        let name = element.bytes(NAME).map(str::from_utf8);
        let Some(Ok(name)) = name else {
            return Err("with a column whose name is no UTF-8 text");
        };
        let count = element.number(CHILDREN).unwrap_or(0);
        let count = usize::try_from(count).map_err(|_| "whose footer is damaged")?;
        if count > rest.len() {
            return Err(ENDS);
        }
        let children = (0..count).map(|_| Self::next(rest, depth + 1));
        Ok(Self {
            element,
            name,
            children: children.collect::<Result<_, _>>()?,
        })
    }

    /// The type, which is a list where the element may be there several times.
    fn data_type(&self) -> Option<String> {
        let of_one = self.of_one()?;
        if self.element.number(REPETITION) == Some(REPEATED) {
            array_of(Adapter::DuckDb, &of_one, None)
        } else {
            Some(of_one)
        }
    }

    /// The type of one value.
    fn of_one(&self) -> Option<String> {
        if self.children.is_empty() {
            return self.scalar();
        }
        let logical = self.element.union(LOGICAL).map(|(kind, _)| kind);
        let converted = self.element.number(CONVERTED);
        let is_map = converted.is_some_and(|converted| CONVERTED_MAP.contains(&converted));
        if logical == Some(VARIANT) {
            return Some("variant".to_owned());
        }
        if logical == Some(LIST) || converted == Some(CONVERTED_LIST) {
            return self.list();
        }
        if logical == Some(MAP) || is_map {
            return self.map();
        }
        let fields = self
            .children
            .iter()
            .map(|child| Some((child.name.to_owned(), child.data_type()?)));
        struct_of(Adapter::DuckDb, &fields.collect::<Option<Vec<_>>>()?)
    }

    /// A list: its one child is repeated and holds the items, or is one in files of older writers.
    fn list(&self) -> Option<String> {
        let [repeated] = self.children.as_slice() else {
            return None;
        };
        let tuple = format!("{}_tuple", self.name);
        let items = match repeated.children.as_slice() {
            [item] if repeated.name != "array" && repeated.name != tuple => item.data_type(),
            _ => repeated.of_one(),
        };
        array_of(Adapter::DuckDb, &items?, None)
    }

    /// A map: its one child is repeated and holds the key and the value.
    fn map(&self) -> Option<String> {
        let [entries] = self.children.as_slice() else {
            return None;
        };
        let [key, value] = entries.children.as_slice() else {
            return None;
        };
        map_of(Adapter::DuckDb, &key.data_type()?, &value.data_type()?)
    }

    /// The type of an element without others.
    fn scalar(&self) -> Option<String> {
        let decimal = |precision: Option<i64>, scale: Option<i64>| {
            Some(format!("decimal({},{})", precision?, scale.unwrap_or(0)))
        };
        if let Some((kind, says)) = self.element.union(LOGICAL) {
            let plain = PLAIN.iter().find(|(known, _)| *known == kind);
            return match kind {
                DECIMAL => decimal(says.number(2), says.number(1)),
                TIME => Some(moment("time", says)),
                TIMESTAMP => Some(moment("timestamp", says)),
                INTEGER => integer(says),
                _ => plain.map(|(_, word)| (*word).to_owned()),
            };
        }
        if let Some(converted) = self.element.number(CONVERTED) {
            if converted == CONVERTED_DECIMAL {
                return decimal(self.element.number(PRECISION), self.element.number(SCALE));
            }
            let known = CONVERTED_TYPES
                .iter()
                .find(|(known, _)| *known == converted);
            return known.map(|(_, word)| (*word).to_owned());
        }
        let physical = usize::try_from(self.element.number(PHYSICAL)?).ok()?;
        PHYSICAL_TYPES.get(physical).map(|word| (*word).to_owned())
    }
}

/// A time of day or a day and time, by its zone and unit.
fn moment(word: &str, says: &Struct<'_>) -> String {
    const NANOS: i16 = 3;
    let zone = if says.number(1) == Some(1) { "tz" } else { "" };
    let nanos = says.union(2).is_some_and(|(unit, _)| unit == NANOS);
    // DuckDB keeps nanoseconds only without a zone.
    let unit = if nanos && zone.is_empty() { "_ns" } else { "" };
    format!("{word}{zone}{unit}")
}

/// A whole number by its width and sign.
fn integer(says: &Struct<'_>) -> Option<String> {
    let word = match says.number(1)? {
        8 => "tinyint",
        16 => "smallint",
        32 => "integer",
        64 => "bigint",
        _ => return None,
    };
    let sign = if says.number(2) == Some(1) { "" } else { "u" };
    Some(format!("{sign}{word}"))
}
