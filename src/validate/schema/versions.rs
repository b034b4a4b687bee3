//! The schemas: the name of a version comes in, its JSON Schema and a compiled validator go out.
//!
//! The newest version of each standard is embedded whole, every older one as the merge patch
//! (RFC 7396) that turns the next newer schema into it. All are built when first asked for, once
//! in a process.

use std::sync::OnceLock;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::tree::{Item, Tree};
use crate::document::{ApiVersion, Kind};
use crate::yaml::Node;

/// The schema of one version of a standard.
pub(super) struct Schema {
    /// Which standard.
    pub(super) kind: Kind,
    /// Which version of it.
    pub(super) version: ApiVersion,
    source: &'static str,
    whole: OnceLock<Value>,
    validator: OnceLock<Validator<Tree>>,
}

/// An embedded schema: the standard, the version, the file.
macro_rules! embedded {
    ($kind:ident, $major:literal, $minor:literal, $patch:literal, $file:literal) => {
        Schema {
            kind: Kind::$kind,
            version: ApiVersion::new($major, $minor, $patch),
            source: include_str!(concat!("../../../schemas/", $file)),
            whole: OnceLock::new(),
            validator: OnceLock::new(),
        }
    };
}

/// All schemas, of each standard the newest first.
static SCHEMAS: [Schema; 8] = [
    embedded!(Contract, 3, 2, 0, "odcs-3.2.0.json"),
    embedded!(Contract, 3, 1, 0, "odcs-3.1.0.patch.json"),
    embedded!(Contract, 3, 0, 2, "odcs-3.0.2.patch.json"),
    embedded!(Contract, 3, 0, 1, "odcs-3.0.1.patch.json"),
    embedded!(Contract, 3, 0, 0, "odcs-3.0.0.patch.json"),
    embedded!(Product, 1, 1, 0, "odps-1.1.0.json"),
    embedded!(Product, 1, 0, 0, "odps-1.0.0.patch.json"),
    embedded!(Product, 0, 9, 0, "odps-0.9.0.patch.json"),
];

/// All schemas of a standard, newest first.
pub(super) fn all(kind: Kind) -> impl DoubleEndedIterator<Item = &'static Schema> {
    SCHEMAS.iter().filter(move |schema| schema.kind == kind)
}

/// The schema of a version.
pub(super) fn of(kind: Kind, version: ApiVersion) -> Option<&'static Schema> {
    all(kind).find(|schema| schema.version == version)
}

/// The schema of the newest version.
pub(super) fn newest(kind: Kind) -> &'static Schema {
    all(kind).next().expect("every standard has a schema")
}

/// The schema that a document with this `apiVersion` is checked against: its own, or for a label
/// from before the schemas (`v2.2.x`) the newest one that still takes it.
pub(super) fn for_label(kind: Kind, label: &str) -> Option<&'static Schema> {
    match ApiVersion::parse(label).and_then(|version| of(kind, version)) {
        Some(schema) => Some(schema),
        None => all(kind).find(|schema| schema.names(label)),
    }
}

impl Schema {
    /// The whole schema.
    pub(super) fn whole(&self) -> &Value {
        self.whole.get_or_init(|| {
            let own = serde_json::from_str(self.source).expect("embedded schemas are JSON");
            match all(self.kind).rfind(|schema| schema.version > self.version) {
                Some(newer) => {
                    let mut whole = newer.whole().clone();
                    merge(&mut whole, own);
                    whole
                }
                None => own,
            }
        })
    }

    /// Whether a document is valid.
    pub(super) fn takes(&self, root: &Node) -> bool {
        self.validator().is_valid(Item::Node(root))
    }

    /// The compiled schema.
    pub(super) fn validator(&self) -> &Validator<Tree> {
        self.validator.get_or_init(|| {
            jsonschema::options_for::<Tree>()
                .with_draft(Draft::Draft201909)
                .should_validate_formats(false)
                .with_pattern_options(PatternOptions::regex())
                .build(self.whole())
                .expect("embedded schemas compile")
        })
    }

    /// The part of the schema at a JSON pointer.
    pub(super) fn part(&self, location: &str) -> Option<&Value> {
        self.whole().pointer(location)
    }

    /// The schemas of later versions, the next one first.
    pub(super) fn later(&self) -> impl Iterator<Item = &'static Schema> {
        let version = self.version;
        all(self.kind)
            .rev()
            .filter(move |schema| schema.version > version)
    }

    /// Follows the `$ref` of a part, as long as it is nothing else.
    pub(super) fn resolve<'a>(&'a self, part: &'a Value) -> &'a Value {
        part.get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| self.part(reference.trim_start_matches('#')))
            .unwrap_or(part)
    }

    fn names(&self, label: &str) -> bool {
        self.part("/$defs/api_version/enum")
            .and_then(Value::as_array)
            .is_some_and(|labels| labels.iter().any(|known| known == label))
    }
}

/// Applies a merge patch: `null` removes, mappings merge, anything else replaces.
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    if let Value::Object(members) = target {
        for (key, value) in patch {
            if value.is_null() {
                members.shift_remove(&key);
            } else {
                merge(members.entry(key).or_insert(Value::Null), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{odcs, odps};

    #[test]
    fn every_known_version_has_a_schema_that_compiles_and_takes_its_own_label() {
        for (kind, versions) in [
            (Kind::Contract, odcs::VERSIONS),
            (Kind::Product, odps::VERSIONS),
        ] {
            let mut declared: Vec<_> = all(kind).map(|schema| schema.version).collect();
            assert!(declared.is_sorted_by(|newer, older| newer > older));
            declared.reverse();
            assert_eq!(declared, versions);
            for schema in all(kind) {
                assert!(schema.names(&schema.version.to_string()));
                assert_eq!(schema.validator().draft(), Draft::Draft201909);
            }
        }
    }

    #[test]
    fn alternatives_stand_in_conditions_or_have_a_message() {
        fn look(part: &Value, location: &str) {
            for (key, value) in part.as_object().into_iter().flatten() {
                let inner = format!("{location}/{key}");
                let condition = location.ends_with("/if") || location.contains("quality.is_");
                if ["oneOf", "anyOf"].contains(&key.as_str()) && !condition {
                    assert!(part.get("x-message").is_some(), "{inner}");
                }
                look(value, &inner);
            }
            for item in part.as_array().into_iter().flatten() {
                look(item, location);
            }
        }
        for schema in &SCHEMAS {
            look(schema.whole(), &schema.version.to_string());
        }
    }

    #[test]
    fn a_label_from_before_the_schemas_takes_the_newest_one() {
        let schema = for_label(Kind::Contract, "v2.2.2").unwrap();
        assert_eq!(schema.version, ApiVersion::new(3, 2, 0));
        assert!(for_label(Kind::Contract, "v2.3.0").is_none());
        assert!(for_label(Kind::Contract, "3.1.0").is_none());
        assert!(for_label(Kind::Product, "v3.1.0").is_none());
    }

    #[test]
    fn merges_as_the_rfc_says() {
        let mut target = json!({"a": {"b": 1, "c": 2}, "d": [1, 2], "e": 3});
        merge(
            &mut target,
            json!({"a": {"b": null, "f": {"g": null, "h": 1}}, "d": [3], "e": {"i": 4}}),
        );
        assert_eq!(
            target,
            json!({"a": {"c": 2, "f": {"h": 1}}, "d": [3], "e": {"i": 4}})
        );
    }
}
