//! The type of a column: an ODCS property comes in, the `data_type` that dbt's YAML and SQL use for
//! the adapter goes out, with notes on what the contract leaves open.
//!
//! The physical type wins where it is of the adapter's dialect. One of another dialect is
//! translated as far as the logical type agrees with it. Otherwise the logical type decides, by
//! the `table` of all adapters. What none of them says stays without a type.
//!
//! Whether a value may be null is not part of the type; ClickHouse's `Nullable` is read in a
//! physical type and not added to others.

mod form;
mod note;
mod spelling;
#[rustfmt::skip]
mod table;
mod target;
#[cfg(test)]
mod tests;

use crate::dbt::adapter::Adapter;
use crate::dbt::types::{self, Meaning, SqlType};
use crate::odcs::{LogicalType, Property};
use form::Form;
use target::{Target, target};

pub use note::TypeNote;

/// What a number is whose precision nobody states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRule {
    /// The adapter's widest decimal type, with [`TypeNote::UnstatedPrecision`] where it may round.
    ErrorIfEnforced,
    /// A 64 bit floating point number.
    Double,
    /// A decimal type of that precision and scale.
    Decimal(u8, u8),
}

/// What a timestamp is whose `timezone` nobody states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampRule {
    /// Without time zone.
    Naive,
    /// With time zone.
    Aware,
}

/// For whom the type is.
#[derive(Clone, Copy, Debug)]
pub struct TypeSettings {
    /// The adapter that dbt runs on.
    pub adapter: Adapter,
    /// The dialect of the contract's server, in which physical types are written, if it is known.
    pub server: Option<Adapter>,
    /// What an unstated precision means.
    pub number: NumberRule,
    /// What an unstated time zone means.
    pub timestamp: TimestampRule,
}

/// A column's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The type in the adapter's dialect, if the contract says enough.
    pub data_type: Option<String>,
    /// Whether the contract says the type itself, in the adapter's dialect.
    pub stated: bool,
    /// What the contract leaves open or the adapter cannot hold.
    pub notes: Vec<TypeNote>,
}

/// The type of a property.
pub fn data_type(property: &Property, settings: &TypeSettings) -> Typed {
    let mut typing = Typing::new(settings);
    let data_type = typing.property(property);
    Typed {
        data_type,
        stated: typing.stated,
        notes: typing.notes,
    }
}

/// What holds every value of a type unchanged, and more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wider {
    /// Types of the adapter: wider whole numbers, floats and text of any length.
    pub types: Vec<String>,
    /// Decimals with at least so many digits before and after the point.
    pub digits: Option<(u32, u32)>,
    /// Text that may be at least so long.
    pub length: Option<u32>,
}

/// What holds every value of a type, and more.
pub fn wider(adapter: Adapter, data_type: &str) -> Wider {
    let target = target(adapter);
    let Some(SqlType::Scalar(scalar)) = types::parse(adapter, data_type) else {
        return Wider::default();
    };
    let words: Vec<&str> = match scalar.meaning {
        Meaning::Integer { bits, signed } => {
            let wider = |word: &&str| {
                let parsed = types::parse(adapter, word);
                matches!(parsed, Some(SqlType::Scalar(other))
                    if matches!(other.meaning, Meaning::Integer { bits: more, signed: negative }
                        if more > bits && (negative || !signed)))
            };
            let floats = [(16, target.floats[0]), (32, target.floats[1])];
            let floats = floats.into_iter().filter(|(most, _)| bits <= *most);
            let integers = target.integers.iter().copied().filter(wider);
            integers.chain(floats.map(|(_, word)| word)).collect()
        }
        Meaning::Float32 => vec![target.floats[1]],
        Meaning::Text if scalar.has_parameters() => vec![target.text],
        _ => Vec::new(),
    };
    let mut types: Vec<String> = Vec::new();
    for word in words.into_iter().map(|word| word.trim_end_matches('*')) {
        if !types.iter().any(|known| known == word) {
            types.push(word.to_owned());
        }
    }
    let is_text = scalar.meaning == Meaning::Text;
    Wider {
        types,
        digits: scalar.digits_needed(),
        length: is_text.then(|| scalar.numbers().first().copied()).flatten(),
    }
}

/// A type of one dialect in the preferred spelling of another, as far as that has such a type.
pub fn translated(from: Adapter, to: Adapter, text: &str) -> Option<String> {
    let parsed = types::parse(from, text)?;
    if same_dialect(from, to) {
        return Some(parsed.render(to));
    }
    let settings = TypeSettings {
        adapter: to,
        server: Some(from),
        number: NumberRule::ErrorIfEnforced,
        timestamp: TimestampRule::Naive,
    };
    Typing::new(&settings).convert(&parsed)
}

/// Words that name a kind of type and leave its parts to the contract's `properties`, `items` and
/// `map`.
const KINDS: &[&str] = &[
    "array", "list", "struct", "record", "row", "object", "map", "tuple",
];

/// One run over a property and its parts.
struct Typing<'a> {
    settings: &'a TypeSettings,
    target: &'static Target,
    stated: bool,
    notes: Vec<TypeNote>,
}

impl<'a> Typing<'a> {
    fn new(settings: &'a TypeSettings) -> Self {
        Self {
            settings,
            target: target(settings.adapter),
            stated: false,
            notes: Vec::new(),
        }
    }

    /// The type of a property, from the most exact statement on.
    fn property(&mut self, property: &Property) -> Option<String> {
        let adapter = self.settings.adapter;
        let own = format!("{}Type", adapter.as_str());
        let custom = property.custom.text(&own);
        let physical = property
            .physical_type
            .as_ref()
            .map(|text| text.value.trim());
        let native = self
            .settings
            .server
            .is_some_and(|server| same_dialect(server, adapter));

        if native
            && let Some(text) = physical
            && let Some(parsed) = types::parse(adapter, text)
        {
            return self.keep(&parsed, true);
        }
        if let Some(text) = &custom {
            match types::parse(adapter, text.as_str()) {
                Some(parsed) => return self.keep(&parsed, true),
                None => self.unknown(text.as_str(), property, Some(adapter)),
            }
        }
        let Some(text) = physical else {
            return self.logical(property);
        };
        match self.settings.server {
            Some(server) if !native => {
                if let Some(parsed) = types::parse(server, text) {
                    return self.translate(&parsed, text, property);
                }
                self.unknown(text, property, Some(server));
            }
            Some(server) => self.unknown(text, property, Some(server)),
            None => match types::parse(adapter, text) {
                Some(parsed) if contradicts(&parsed, property) => {
                    self.contradiction(text, property);
                }
                Some(parsed) => return self.keep(&parsed, false),
                None => match Form::anywhere(text) {
                    Some(form) if self.scalar_refines(form, property) => {
                        let translated = self.spell(form);
                        return self.translated(text, translated);
                    }
                    _ => self.unknown(text, property, None),
                },
            },
        }
        self.logical(property)
    }

    /// Notes a physical type that is of another kind than the logical type.
    fn contradiction(&mut self, text: &str, property: &Property) {
        self.notes.push(TypeNote::Contradicts {
            physical: text.to_owned(),
            dialect: self.settings.server.unwrap_or(self.settings.adapter),
            logical: property
                .logical()
                .map_or("", LogicalType::as_str)
                .to_owned(),
        });
    }

    /// Notes a physical type that is none, unless it only repeats the logical type or leaves the
    /// parts to the contract. `dialect` is what the contract says that it is of.
    fn unknown(&mut self, text: &str, property: &Property, dialect: Option<Adapter>) {
        let repeats = property
            .logical()
            .is_some_and(|logical| logical.as_str().eq_ignore_ascii_case(text));
        let kind = has_parts(property) && KINDS.iter().any(|kind| kind.eq_ignore_ascii_case(text));
        if !repeats && !kind {
            self.notes.push(TypeNote::UnknownPhysicalType {
                text: text.to_owned(),
                dialect: dialect.unwrap_or(self.settings.adapter),
                stated: dialect.is_some(),
            });
        }
    }

    /// A type of the adapter's dialect in its preferred spelling. Only a decimal that would round
    /// gets its precision: the dialect's own where it is `stated` that this is the dialect.
    fn keep(&mut self, parsed: &SqlType, stated: bool) -> Option<String> {
        let adapter = self.settings.adapter;
        self.stated = true;
        match parsed {
            SqlType::Scalar(scalar) => match scalar.default_decimal() {
                Some((precision, scale)) if stated => self.decimal(precision.into(), scale.into()),
                Some(_) => self.spell(Form::Number),
                None => Some(parsed.render(adapter)),
            },
            SqlType::Array { items, length } => {
                types::array_of(adapter, &self.keep(items, stated)?, *length)
            }
            SqlType::Struct(fields) => {
                let fields: Option<Vec<_>> = fields
                    .iter()
                    .map(|(name, field)| Some((name.clone(), self.keep(field, stated)?)))
                    .collect();
                types::struct_of(adapter, &fields?)
            }
            SqlType::Map(parts) => types::map_of(
                adapter,
                &self.keep(&parts.0, stated)?,
                &self.keep(&parts.1, stated)?,
            ),
            SqlType::Wrapped { .. } => Some(parsed.render(adapter)),
        }
    }

    /// The type that stands for one of another dialect. Where the logical type and its options say
    /// something else or more, they decide.
    fn translate(&mut self, parsed: &SqlType, text: &str, property: &Property) -> Option<String> {
        if !self.refines(parsed, property) {
            if !agrees(parsed, property) {
                self.contradiction(text, property);
            }
            return self.logical(property);
        }
        if let Some(translated) = self.convert(parsed) {
            return self.translated(text, Some(translated));
        }
        self.notes.push(TypeNote::Untranslatable(text.to_owned()));
        self.logical(property)
    }

    /// Notes a translation that changes more than case.
    fn translated(&mut self, from: &str, to: Option<String>) -> Option<String> {
        if let Some(to) = &to
            && !to.eq_ignore_ascii_case(from)
        {
            self.notes.push(TypeNote::Translated {
                from: from.to_owned(),
                to: to.clone(),
            });
        }
        to
    }

    /// Whether a type of another dialect says more than the logical type with its options.
    fn refines(&self, parsed: &SqlType, property: &Property) -> bool {
        match (parsed, property.logical()) {
            (SqlType::Wrapped { inner, .. }, Some(_)) => self.refines(inner, property),
            (SqlType::Scalar(scalar), Some(_)) => {
                Form::of(scalar).is_some_and(|form| self.scalar_refines(form, property))
            }
            (SqlType::Scalar(_), None) => !has_parts(property),
            (_, None) => true,
            (_, Some(_)) => agrees(parsed, property),
        }
    }

    /// Whether a form says more than the logical type with its options, neither of which names
    /// width, zone or parts.
    fn scalar_refines(&self, form: Form, property: &Property) -> bool {
        let unstated = Form::logical(property, self.settings.timestamp).is_none_or(|logical| {
            property.options.timezone.is_none()
                && match logical {
                    Form::Float32 | Form::Float64 | Form::Uuid | Form::Binary => false,
                    Form::Integer { .. } => property
                        .options
                        .format
                        .as_ref()
                        .is_none_or(|format| form::integer(format.as_str()).is_none()),
                    _ => true,
                }
        });
        let refined = property
            .logical()
            .is_some_and(|logical| form.refines(logical));
        unstated && refined && !has_parts(property)
    }

    /// A type of another dialect in the adapter's words.
    fn convert(&mut self, parsed: &SqlType) -> Option<String> {
        match parsed {
            SqlType::Scalar(scalar) => self.spell(Form::of(scalar)?),
            SqlType::Array { items, .. } => {
                let items = self.convert(items)?;
                self.array(&items)
            }
            SqlType::Struct(fields) => {
                let fields: Option<Vec<_>> = fields
                    .iter()
                    .map(|(name, field)| Some((name.clone(), self.convert(field)?)))
                    .collect();
                self.structure(&fields?)
            }
            SqlType::Map(parts) => {
                let (key, value) = (self.convert(&parts.0)?, self.convert(&parts.1)?);
                self.map(&key, &value)
            }
            SqlType::Wrapped { word, inner } => match *word {
                "Nullable" | "LowCardinality" => self.convert(inner),
                _ => None,
            },
        }
    }

    /// The type that the logical type asks for, else the one that the parts or the allowed values
    /// show.
    fn logical(&mut self, property: &Property) -> Option<String> {
        if let Some(form) = Form::logical(property, self.settings.timestamp) {
            return self.spell(form);
        }
        let kind = property.logical().or(if !property.properties.is_empty() {
            Some(LogicalType::Object)
        } else if property.items.is_some() {
            Some(LogicalType::Array)
        } else if property.map.is_some() {
            Some(LogicalType::Map)
        } else {
            None
        });
        match kind {
            Some(LogicalType::Array) => self.list(property),
            Some(LogicalType::Map) => self.keys_and_values(property),
            Some(_) => self.object(property),
            None => {
                if let Some(form) = form::allowed_values(property) {
                    return self.spell(form);
                }
                if property.physical_type.is_none() {
                    self.notes.push(TypeNote::Untyped);
                }
                None
            }
        }
    }

    /// The type of an array.
    fn list(&mut self, property: &Property) -> Option<String> {
        if let Some(word) = self.target.nested.array {
            return Some(word.to_owned());
        }
        let Some(items) = &property.items else {
            return self.lacks("an array without `items` has no type here");
        };
        let items = self.part("items", items)?;
        self.array(&items)
    }

    /// The type of a map.
    fn keys_and_values(&mut self, property: &Property) -> Option<String> {
        if let Some(word) = self.target.nested.map {
            return Some(word.to_owned());
        }
        let Some(map) = &property.map else {
            return self.lacks("a map without `map.key` and `map.value` has no type here");
        };
        let (key, value) = (self.part("key", &map.0), self.part("value", &map.1));
        self.map(&key?, &value?)
    }

    /// The type of an object.
    fn object(&mut self, property: &Property) -> Option<String> {
        if property.properties.is_empty() {
            return Some(self.target.document.to_owned());
        }
        if let Some(word) = self.target.nested.structure {
            return Some(word.to_owned());
        }
        let fields: Vec<_> = property
            .properties
            .iter()
            .map(|part| (part.physical().to_owned(), self.part(part.physical(), part)))
            .collect();
        let fields: Option<Vec<_>> = fields
            .into_iter()
            .map(|(name, field)| Some((name, field?)))
            .collect();
        self.structure(&fields?)
    }

    /// The type of a part, whose notes say which part they are about.
    fn part(&mut self, name: &str, part: &Property) -> Option<String> {
        let typed = data_type(part, self.settings);
        self.notes
            .extend(typed.notes.into_iter().map(|note| TypeNote::Part {
                name: name.to_owned(),
                note: Box::new(note),
            }));
        typed.data_type
    }
}

/// Whether two adapters read the same types.
fn same_dialect(one: Adapter, other: Adapter) -> bool {
    let family = |adapter| match adapter {
        Adapter::Databricks => Adapter::Spark,
        adapter => adapter,
    };
    family(one) == family(other)
}

/// Whether the contract names what the value holds.
fn has_parts(property: &Property) -> bool {
    !property.properties.is_empty() || property.items.is_some() || property.map.is_some()
}

/// Whether a type and the logical type, if there is one, are of one kind.
fn agrees(parsed: &SqlType, property: &Property) -> bool {
    property
        .logical()
        .is_none_or(|logical| is_of(parsed, logical))
}

/// Whether the values of a type are of a logical type.
pub fn is_of(parsed: &SqlType, logical: LogicalType) -> bool {
    match parsed {
        SqlType::Scalar(scalar) => Form::of(scalar).is_some_and(|form| form.refines(logical)),
        SqlType::Array { .. } => matches!(logical, LogicalType::Array | LogicalType::Vector),
        SqlType::Struct(_) => logical == LogicalType::Object,
        SqlType::Map(_) => matches!(logical, LogicalType::Map | LogicalType::Object),
        SqlType::Wrapped { inner, .. } => is_of(inner, logical),
    }
}

/// Whether a type that holds others, but for `Nullable` and its like, was read where the contract says that
/// the value has no parts: `varchar[10]` is no array of strings in the dialects that have it.
fn contradicts(parsed: &SqlType, property: &Property) -> bool {
    use LogicalType::{Array, Map, Object, Vector};
    let has_none = |logical| !matches!(logical, Object | Array | Map | Vector);
    match parsed {
        SqlType::Scalar(_) => false,
        SqlType::Wrapped { word, inner } if *word != "range" => contradicts(inner, property),
        _ => property.logical().is_some_and(has_none),
    }
}
