//! The texts with which relationships refer to objects and properties (section "References").
//!
//! Shorthand uses names, `object.property[.nested…]`; the fully qualified form uses ids,
//! `[file#][/]schema/<id>[/properties/<id>…]`. The two are never mixed.

use super::{Contract, Property, SchemaObject};

/// A reference as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// Names joined by dots.
    Names(Vec<&'a str>),
    /// Ids below a section, in this file or in another one.
    Ids {
        /// The other file, a path or an URL, as written.
        file: Option<&'a str>,
        /// The object's id.
        object: &'a str,
        /// The property's id, and those of nested ones.
        properties: Vec<&'a str>,
    },
}

/// What a reference leads to.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The object.
    pub object: &'a SchemaObject,
    /// The column of the object; `None` where the reference names the object alone.
    pub property: Option<&'a Property>,
    /// Whether it goes on into a part of the column.
    pub nested: bool,
}

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No object of that name or id.
    NoObject(String),
    /// The object has no such property.
    NoProperty {
        /// The object's name.
        object: String,
        /// The name or id asked for.
        property: String,
    },
    /// Several things answer to the name or id.
    Ambiguous(String),
}

/// Reads a reference; `None` where it has neither form.
pub fn parse(text: &str) -> Option<Reference<'_>> {
    let (file, path) = match text.split_once('#') {
        Some((file, path)) => (Some(file), path),
        None => (None, text),
    };
    if file.is_none() && !path.contains('/') {
        let names: Vec<&str> = path.split('.').collect();
        let complete = names.len() >= 2 && names.iter().all(|name| !name.is_empty());
        return complete.then_some(Reference::Names(names));
    }
    if wrong_section(text).is_some() {
        return None;
    }
    let mut parts = path.strip_prefix('/').unwrap_or(path).split('/');
    parts.next()?;
    let object = parts.next().filter(|id| !id.is_empty())?;
    let mut properties = Vec::new();
    while parts.next().is_some() {
        properties.push(parts.next().filter(|id| !id.is_empty())?);
    }
    Some(Reference::Ids {
        file,
        object,
        properties,
    })
}

/// The name before an id that is not the one of that part of a contract, with the one that is.
pub fn wrong_section(text: &str) -> Option<(&str, &'static str)> {
    let path = text.split_once('#').map_or(text, |(_, path)| path);
    let sections = path.strip_prefix('/').unwrap_or(path).split('/').step_by(2);
    let expected = std::iter::once("schema").chain(std::iter::repeat("properties"));
    let is_by_id = path.contains('/') || text.contains('#');
    let mut pairs = sections.zip(expected);
    pairs.find(|(section, expected)| is_by_id && section != expected)
}

impl Reference<'_> {
    /// Follows the reference into `contract`, which for another file is that file's contract.
    pub fn resolve<'c>(&self, contract: &'c Contract) -> Result<Target<'c>, Failure> {
        let (object, path, by) = match self {
            Self::Names(names) => (names[0], &names[1..], By::Name),
            Self::Ids {
                object, properties, ..
            } => (*object, properties.as_slice(), By::Id),
        };
        let object = only(
            contract
                .objects
                .iter()
                .filter(|candidate| by.object(candidate, object)),
            object,
        )?
        .ok_or_else(|| Failure::NoObject(object.to_owned()))?;
        let mut property: Option<&Property> = None;
        let mut level = object.properties.as_slice();
        for part in path {
            let next = only(
                level
                    .iter()
                    .filter(|candidate| by.property(candidate, part)),
                part,
            )?
            .ok_or_else(|| Failure::NoProperty {
                object: object.name.value.clone(),
                property: (*part).to_owned(),
            })?;
            property = property.or(Some(next));
            // The items of an array are reached through the array's name.
            level = match &next.items {
                Some(items) if next.properties.is_empty() => &items.properties,
                _ => &next.properties,
            };
        }
        Ok(Target {
            object,
            property,
            nested: path.len() > 1,
        })
    }
}

/// What a part of a reference is compared with.
#[derive(Clone, Copy)]
enum By {
    Name,
    Id,
}

impl By {
    fn object(self, object: &SchemaObject, part: &str) -> bool {
        match self {
            Self::Name => object.name.value == part,
            Self::Id => object.id.as_ref().is_some_and(|id| id.value == part),
        }
    }

    fn property(self, property: &Property, part: &str) -> bool {
        match self {
            Self::Name => property.name.value == part,
            Self::Id => property.id.as_ref().is_some_and(|id| id.value == part),
        }
    }
}

/// The only item, none, or a failure where there are several.
fn only<T>(mut items: impl Iterator<Item = T>, part: &str) -> Result<Option<T>, Failure> {
    match (items.next(), items.next()) {
        (first, None) => Ok(first),
        (_, Some(_)) => Err(Failure::Ambiguous(part.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_told_apart() {
        assert_eq!(
            parse("orders.id"),
            Some(Reference::Names(vec!["orders", "id"]))
        );
        assert_eq!(parse("a.b.c"), Some(Reference::Names(vec!["a", "b", "c"])));
        let ids = |file, properties| {
            Some(Reference::Ids {
                file,
                object: "o",
                properties,
            })
        };
        assert_eq!(parse("schema/o/properties/p"), ids(None, vec!["p"]));
        assert_eq!(
            parse("/schema/o/properties/p/properties/q"),
            ids(None, vec!["p", "q"])
        );
        assert_eq!(parse("x/y.yaml#/schema/o"), ids(Some("x/y.yaml"), vec![]));
        assert_eq!(
            wrong_section("schemas/o/properties/p"),
            Some(("schemas", "schema"))
        );
        assert_eq!(
            wrong_section("x.yaml#/schema/o/bar/p"),
            Some(("bar", "properties"))
        );
        for good in [
            "a.b",
            "schema/o",
            "x.yaml#schema/o/properties/p/properties/q",
        ] {
            assert_eq!(wrong_section(good), None, "{good}");
        }
        assert_eq!(parse("foo/o/properties/p"), None);
        for broken in ["id", "a.", ".b", "", "schema/", "schema/o/properties", "#"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }
}
