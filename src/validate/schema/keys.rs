//! Keys: one that the schema does not know comes in, what its author may have meant goes out.

use std::collections::BTreeSet;

use serde_json::Value;

use super::explain::{Checked, choice};
use super::failure::Failure;
use super::place::join;
use super::versions::{self, Schema};
use crate::diagnostics::{closest, unmistakable};
use crate::document::{ApiVersion, Kind};
use crate::yaml::Entry;

/// What an unknown key is likely to be.
pub(super) enum Unknown {
    /// A key of a later version.
    Newer(ApiVersion),
    /// A misspelling of another key.
    Slip {
        /// The key that is likely meant.
        meant: String,
        /// Whether it cannot be any other.
        plain: bool,
    },
    /// A key for another place, or of another format; with what to do.
    Misplaced(String),
    /// A setting of the author's own, where `customProperties` may stand.
    Own,
    /// None of these; with the keys that the place knows, unless they are too many.
    Closed(Vec<String>),
}

/// Words of other formats and of earlier versions, with what this standard has instead. The place is
/// a location in the schema, or where it ends in a dot all locations that begin so.
const HABITS: &[(&str, &str, &str)] = &[
    ("", "dataset", "objects are listed under `schema`"),
    ("", "models", "objects are listed under `schema`"),
    ("", "tables", "objects are listed under `schema`"),
    ("", "uuid", "the identifier is `id`"),
    ("", "datasetDomain", "the domain is `domain`"),
    (
        "/$defs/schema_object",
        "columns",
        "columns are listed under `properties`",
    ),
    (
        "/$defs/schema_object",
        "fields",
        "columns are listed under `properties`",
    ),
    (
        "/$defs/schema_object",
        "type",
        "`physicalType` says table, view or file",
    ),
    (
        "/$defs/property_base",
        "column",
        "the name of a column is `name`",
    ),
    (
        "/$defs/property_base",
        "type",
        "types are `logicalType` and `physicalType`",
    ),
    (
        "/$defs/property_base",
        "dataType",
        "types are `logicalType` and `physicalType`",
    ),
    (
        "/$defs/property_base",
        "data_type",
        "types are `logicalType` and `physicalType`",
    ),
    (
        "/$defs/property_base",
        "isNullable",
        "`required: true` says that a value is never null",
    ),
    (
        "/$defs/property_base",
        "nullable",
        "`required: true` says that a value is never null",
    ),
    (
        "/$defs/property_base",
        "isUnique",
        "`unique: true` says that no value occurs twice",
    ),
    (
        "/$defs/property_base",
        "isPrimaryKey",
        "`primaryKey: true` marks the primary key",
    ),
    (
        "/$defs/property_base",
        "length",
        "write `maxLength` in `logicalTypeOptions`, or a `physicalType` such as `varchar(20)`",
    ),
    ("/$defs/property_base", "precision", PRECISION),
    ("/$defs/property_base", "scale", PRECISION),
    ("/$defs/options.number", "precision", PRECISION),
    ("/$defs/options.number", "scale", PRECISION),
    ("/$defs/server.", "password", CREDENTIALS),
    ("/$defs/server.", "secret", CREDENTIALS),
    ("/$defs/server.", "token", CREDENTIALS),
    ("/$defs/server.", "user", CREDENTIALS),
    ("/$defs/server.", "username", CREDENTIALS),
    ("/$defs/quality_rule", "validValues", ARGUMENTS),
    ("/$defs/quality_rule", "missingValues", ARGUMENTS),
    ("/$defs/quality_rule", "pattern", ARGUMENTS),
    ("/$defs/quality_rule", "properties", ARGUMENTS),
];
const PRECISION: &str = "precision and scale belong to a `physicalType` such as `decimal(12,2)`";
const ARGUMENTS: &str = "the arguments of a metric stand under `arguments`";
const CREDENTIALS: &str =
    "credentials have no place in a contract; dbt reads them from `profiles.yml`";

/// The places that a key is looked for when its own place does not know it.
const HOMES: &[(&str, &str)] = &[
    ("", "the top level"),
    ("/$defs/schema_object", "a schema object"),
    ("/$defs/property_base", "a property"),
];

/// Where the options of a logical type are described.
const OPTIONS: &str = "/$defs/options.";

/// What the unknown key of a failure is likely to be; `missing` are the keys that places lack.
pub(super) fn unknown(
    checked: Checked<'_>,
    failure: &Failure,
    missing: &BTreeSet<(&str, &str)>,
) -> Unknown {
    let key = failure.key.as_deref().unwrap_or_default();
    let newer = checked
        .schema
        .later()
        .find(|later| knows(later, &failure.location, key));
    if let Some(newer) = newer {
        return Unknown::Newer(newer.version);
    }
    let habit = HABITS.iter().find(|(place, habit, _)| {
        let here = *place == failure.location
            || (place.ends_with('.') && failure.location.starts_with(place));
        here && *habit == key
    });
    if let Some((_, _, help)) = habit {
        return Unknown::Misplaced((*help).to_owned());
    }
    let node = checked.document.root.locate(&failure.pointer).node;
    let present: BTreeSet<&str> = node
        .as_mapping()
        .into_iter()
        .flat_map(|mapping| mapping.iter().map(Entry::name))
        .collect();
    let known_here = known(checked.schema, &failure.location);
    let absent = || {
        known_here
            .iter()
            .copied()
            .filter(|known| !present.contains(known))
    };
    let needed = absent().find(|known| {
        missing.contains(&(failure.pointer.as_str(), known)) && contains_word(key, known)
    });
    let is_same = |other: &&str| other.eq_ignore_ascii_case(key) && *other != key;
    if let Some(other) = present
        .iter()
        .copied()
        .find(is_same)
        .filter(|other| known_here.contains(other))
    {
        return Unknown::Misplaced(format!("`{other}` is there as well; keep one of the two"));
    }
    let slip = || closest(key, absent());
    if let Some(known) = needed.or_else(slip) {
        return Unknown::Slip {
            meant: known.to_owned(),
            plain: unmistakable(key, known_here.iter().copied()) == Some(known),
        };
    }
    if let Some(help) = home(checked, &failure.location, key) {
        return Unknown::Misplaced(help);
    }
    if known_here.contains(&"customProperties") {
        return Unknown::Own;
    }
    Unknown::Closed(known_here.into_iter().map(str::to_owned).collect())
}

/// What a missing key is for, by the schema's own description.
pub(super) fn purpose(checked: Checked<'_>, failure: &Failure, key: &str) -> Option<String> {
    let part = checked.schema.part(&failure.location)?;
    let own = part.get("properties")?.get(key)?;
    let described = checked.schema.resolve(own);
    if let Some(words) = described.get("enum").and_then(Value::as_array) {
        let is = if words.len() == 1 {
            "is always"
        } else {
            "is one of"
        };
        let words = words.iter().filter_map(Value::as_str);
        return Some(format!("`{key}` {is} {}", choice(words)));
    }
    let description = own
        .get("description")
        .or_else(|| described.get("description"))?;
    let description = description.as_str()?;
    // `url`: address, `schema`: schema in the database: that helps nobody.
    let plain = description.to_lowercase().starts_with(&key.to_lowercase());
    if plain || !description.contains(' ') {
        return None;
    }
    let mut letters = description.chars();
    let first = letters.next()?.to_lowercase();
    Some(format!("`{key}`: {first}{}", letters.as_str()))
}

/// The keys that a part of the schema takes.
fn known<'a>(schema: &'a Schema, location: &str) -> Vec<&'a str> {
    schema
        .part(location)
        .and_then(|part| part.get("properties"))
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(_, value)| value.get("not").is_none())
        .map(|(key, _)| key.as_str())
        .collect()
}

fn knows(schema: &Schema, location: &str, key: &str) -> bool {
    known(schema, location).contains(&key)
}

/// Whether `key` holds `word` as a part of its own: `contractId` holds `id`, `provider` does not.
fn contains_word(key: &str, word: &str) -> bool {
    let mut capital = word.to_owned();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    key.ends_with(&capital) || key.split(['_', '-', ' ']).any(|part| part == word)
}

/// The other places that know the key.
fn home(checked: Checked<'_>, location: &str, key: &str) -> Option<String> {
    let schema = checked.schema;
    let options: Vec<&str> = schema
        .part("/$defs")?
        .as_object()?
        .keys()
        .filter_map(|name| name.strip_prefix("options."))
        .filter(|name| knows(schema, &format!("{OPTIONS}{name}"), key))
        .collect();
    if location.starts_with(OPTIONS) {
        return if knows(schema, "/$defs/property_base", key) {
            Some(format!("`{key}` goes into the property itself"))
        } else if options.is_empty() {
            None
        } else {
            Some(format!("`{key}` goes with logicalType {}", choice(options)))
        };
    }
    if !HOMES.iter().any(|(home, _)| *home == location) {
        return None;
    }
    if location == "/$defs/property_base" && !options.is_empty() {
        return Some(format!("`{key}` goes into `logicalTypeOptions`"));
    }
    let homes: Vec<&str> = HOMES
        .iter()
        .filter(|(home, _)| knows(schema, home, key))
        .map(|(_, words)| *words)
        .collect();
    if !homes.is_empty() {
        return Some(format!("`{key}` goes into {}", homes.join(" or ")));
    }
    let (other, words) = match schema.kind {
        Kind::Contract => (Kind::Product, "a data product"),
        Kind::Product => (Kind::Contract, "a data contract"),
    };
    // Only lists: texts of that name may be anything.
    let part = versions::newest(other).part(&join("/properties", key))?;
    (location.is_empty() && part.get("type")? == "array")
        .then(|| format!("`{key}` goes into {words}"))
}
