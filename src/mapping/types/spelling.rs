//! What the adapter calls a form: [`Form`]s and the types of parts come in, text goes out.

use super::form::Form;
use super::{NumberRule, TypeNote, Typing};
use crate::dbt::adapter::Adapter;
use crate::dbt::types;

impl Typing<'_> {
    /// An array of a type.
    pub(super) fn array(&mut self, items: &str) -> Option<String> {
        let adapter = self.settings.adapter;
        if let Some(word) = self.target.nested.array {
            return Some(word.to_owned());
        }
        if adapter == Adapter::BigQuery && items.starts_with("array<") {
            return self.lacks("BigQuery has no array of arrays");
        }
        types::array_of(adapter, items, None)
    }

    /// A struct of fields.
    pub(super) fn structure(&self, fields: &[(String, String)]) -> Option<String> {
        match self.target.nested.structure {
            Some(word) => Some(word.to_owned()),
            None => types::struct_of(self.settings.adapter, fields),
        }
    }

    /// A map from one type to another.
    pub(super) fn map(&self, key: &str, value: &str) -> Option<String> {
        match self.target.nested.map {
            Some(word) => Some(word.to_owned()),
            None => types::map_of(self.settings.adapter, key, value),
        }
    }

    /// What the adapter calls a form.
    pub(super) fn spell(&mut self, form: Form) -> Option<String> {
        let target = self.target;
        let word = match form {
            Form::Integer { bits, signed } => {
                let width = bits.trailing_zeros().saturating_sub(3) as usize;
                target.integers[width.min(4) + if signed { 0 } else { 5 }]
            }
            Form::Decimal { precision, scale } => return self.decimal(precision, scale),
            Form::Number => match self.settings.number {
                NumberRule::Double => target.floats[1],
                NumberRule::Decimal(precision, scale) => {
                    return self.decimal(precision.into(), scale.into());
                }
                NumberRule::ErrorIfEnforced => {
                    if !target.number_keeps_all {
                        self.notes.push(TypeNote::UnstatedPrecision);
                    }
                    target.number
                }
            },
            Form::Float32 => target.floats[0],
            Form::Float64 => target.floats[1],
            Form::Boolean => target.boolean,
            Form::Text { length } => return Some(self.text(length)),
            Form::Uuid => target.uuid,
            Form::Binary => target.binary,
            Form::Date => target.date,
            Form::Time { aware } => target.times[usize::from(aware)],
            Form::Timestamp { aware } => target.timestamps[usize::from(aware)],
            Form::Document => target.document,
            Form::Vector { dimensions } => return self.vector(dimensions),
        };
        let Some(narrow) = word.strip_suffix('*') else {
            return Some(word.to_owned());
        };
        self.notes.push(TypeNote::Lossy(match form {
            Form::Time { .. } | Form::Timestamp { .. } => {
                "the adapter has no type that keeps a time zone"
            }
            _ => "the adapter has no integer type for all values of this format",
        }));
        Some(narrow.to_owned())
    }

    /// The first decimal type that is wide enough.
    pub(super) fn decimal(&mut self, precision: u32, scale: u32) -> Option<String> {
        let fits = self.target.decimals.iter().find(|decimal| {
            precision <= decimal.precision
                && scale <= decimal.scale
                && precision.saturating_sub(scale) <= decimal.integer_digits
        });
        let Some(decimal) = fits else {
            return self.lacks("the adapter has no decimal type of that precision and scale");
        };
        let text = format!("{}({precision},{scale})", decimal.word);
        Some(types::normalize(self.settings.adapter, &text).unwrap_or(text))
    }

    /// Text, up to a length where the adapter has such a type and the length fits it.
    pub(super) fn text(&self, length: Option<u32>) -> String {
        self.target
            .sized_text
            .as_ref()
            .zip(length)
            .and_then(|(sized, length)| {
                let length = length.checked_mul(sized.factor)?;
                (length <= sized.most).then(|| format!("{}({length}{})", sized.word, sized.unit))
            })
            .unwrap_or_else(|| self.target.text.to_owned())
    }

    /// A vector.
    pub(super) fn vector(&mut self, dimensions: Option<u32>) -> Option<String> {
        match (self.target.vector, dimensions) {
            (Some(word), Some(dimensions)) => Some(word.replace("{}", &dimensions.to_string())),
            (Some(word), None) if !word.contains("{}") => Some(word.to_owned()),
            (Some(_), None) => self.lacks("a vector without `dimensions` has no type here"),
            (None, _) => self.lacks("the adapter has no type for vectors"),
        }
    }

    /// Notes why there is no type.
    pub(super) fn lacks(&mut self, why: &'static str) -> Option<String> {
        self.notes.push(TypeNote::NotRepresentable(why));
        None
    }
}
