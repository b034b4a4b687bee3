//! What the validator objects to: a document comes in, a list of failures goes out, one for
//! each place and key, in a form that is ready to be put into words.

use jsonschema::error::ValidationErrorKind;

use super::tree::Item;
use super::versions::Schema;
use crate::yaml::Node;

/// One keyword of the schema that a value does not satisfy.
pub(super) struct Failure {
    /// JSON pointer of the value.
    pub(super) pointer: String,
    /// JSON pointer of the subschema in the schema.
    pub(super) location: String,
    /// The keyword of the subschema.
    pub(super) keyword: String,
    /// The key that is unknown or missing.
    pub(super) key: Option<String>,
}

impl Failure {
    /// Whether it is about a key that the schema does not know.
    pub(super) fn is_unknown_key(&self) -> bool {
        self.keyword == "additionalProperties"
    }

    /// Whether it is about a key that is missing.
    pub(super) fn is_missing_key(&self) -> bool {
        self.keyword == "required"
    }

    /// Whether it is about the choice between several keys of a mapping.
    pub(super) fn is_choice(&self) -> bool {
        self.keyword == "oneOf"
    }

    /// What is told of several failures of one value: that it must not be there, then its type.
    fn weight(&self) -> u8 {
        match self.keyword.as_str() {
            "not" => 0,
            "type" => 1,
            _ => 2,
        }
    }

    /// Failures of the same identity are one mistake.
    fn identity(&self) -> (&str, u8, Option<&str>) {
        let aspect = match self.keyword.as_str() {
            "additionalProperties" => 1,
            "required" => 2,
            "oneOf" => 3,
            _ => 0,
        };
        (&self.pointer, aspect, self.key.as_deref())
    }
}

/// All failures of a document, without those that only repeat another one.
pub(super) fn collect(schema: &Schema, root: &Node) -> Vec<Failure> {
    let mut failures = Vec::new();
    for error in schema.validator().iter_errors(Item::Node(root)) {
        let path = error.schema_path().as_str();
        let (location, keyword) = path.rsplit_once('/').unwrap_or(("", path));
        let keys = match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                unexpected.iter().cloned().map(Some).collect()
            }
            ValidationErrorKind::Required { property } => {
                vec![property.as_str().map(str::to_owned)]
            }
            _ => vec![None],
        };
        for key in keys {
            failures.push(Failure {
                pointer: error.instance_path().as_str().to_owned(),
                location: location.to_owned(),
                keyword: keyword.to_owned(),
                key,
            });
        }
    }
    failures.sort_by(|left, right| {
        (left.identity(), left.weight()).cmp(&(right.identity(), right.weight()))
    });
    failures.dedup_by(|next, kept| next.identity() == kept.identity());
    failures
}
