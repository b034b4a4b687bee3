//! Data contracts: the shape of ODCS v3.2.0, into which every version from v3.0.0 on is read.
//!
//! [`load()`] turns a document's tree into a [`Contract`]; [`mod@reference`] reads the texts with which
//! relationships refer to objects and properties. Section numbers are those of the standard's text.

mod load;
mod objects;
pub mod quality;
pub mod reference;
pub mod service_levels;

use std::ops::Deref;
use std::sync::Arc;

use crate::document::{ApiVersion, CustomProperties, Document, Scalar, Spanned, Text};
use crate::team::Team;
use crate::yaml::{Node, Span};

pub use load::load;
pub use objects::{Objects, Relationships};
pub use quality::Quality;

/// The versions of ODCS that can be read, oldest first.
pub const VERSIONS: &[ApiVersion] = &[
    ApiVersion::new(3, 0, 0),
    ApiVersion::new(3, 0, 1),
    ApiVersion::new(3, 0, 2),
    ApiVersion::new(3, 1, 0),
    ApiVersion::new(3, 2, 0),
];

/// A data contract (section "Fundamentals").
#[derive(Debug)]
pub struct Contract {
    /// The document it was read from.
    pub document: Arc<Document>,
    /// Which version of the standard it follows.
    pub api_version: ApiVersion,
    /// Unique id, compared exactly.
    pub id: Text,
    /// Version of the contract.
    pub version: Text,
    /// Name for people.
    pub name: Option<Text>,
    /// Where in its life it stands; free text in the standard.
    pub status: Option<Text>,
    /// Logical data domain.
    pub domain: Option<Text>,
    /// Whose it is, of several tenants.
    pub tenant: Option<Text>,
    /// Where it is defined: a list of links, as written.
    pub definitions: Option<Box<Node>>,
    /// Tags.
    pub tags: Vec<Text>,
    /// What it is for.
    pub description: Description,
    /// Where the data lives.
    pub servers: Vec<Server>,
    /// The schema: its objects in order.
    pub objects: Objects,
    /// Where the relationships lead that start at them or at their properties.
    pub relationships: Relationships,
    /// Who answers for it.
    pub team: Team,
    /// Service levels.
    pub service_levels: Vec<ServiceLevel>,
    /// Custom properties.
    pub custom: CustomProperties,
}

impl Contract {
    /// `id@version`, as edges and messages name it.
    pub fn key(&self) -> String {
        format!("{}@{}", self.id.value, self.version.value)
    }

    /// The schema object of that name.
    pub fn object(&self, name: &str) -> Option<&SchemaObject> {
        self.objects.iter().find(|object| object.name.value == name)
    }
}

/// The three texts under `description`.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Why the data exists.
    pub purpose: Option<Text>,
    /// What it cannot be used for.
    pub limitations: Option<Text>,
    /// How it should be used.
    pub usage: Option<Text>,
}

/// One entry of `servers` (section "Infrastructure and servers").
#[derive(Clone, Debug)]
pub struct Server {
    /// Its name, `server`.
    pub name: Text,
    /// Its technology, `type`.
    pub server_type: Text,
    /// `prod`, `dev`, or any other word.
    pub environment: Option<Text>,
    /// All scalar fields by name, such as `database` or `project`.
    pub fields: Vec<(String, Text)>,
}

impl Server {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Text> {
        self.fields
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value)
    }
}

/// One entry of `schema`: a table, view, topic or file (section "Schema").
#[derive(Clone, Debug)]
pub struct SchemaObject {
    /// Logical name.
    pub name: Text,
    /// Stable id that fully qualified references use.
    pub id: Option<Text>,
    /// Name in the warehouse.
    pub physical_name: Option<Text>,
    /// table, view, topic …
    pub physical_type: Option<Text>,
    /// Description.
    pub description: Option<Text>,
    /// Display name.
    pub business_name: Option<Text>,
    /// What one row stands for.
    pub granularity: Option<Text>,
    /// Tags.
    pub tags: Vec<Text>,
    /// Where it is defined: a list of links, as written.
    pub definitions: Option<Box<Node>>,
    /// Columns in order.
    pub properties: Vec<Property>,
    /// Relationships declared on the object.
    pub relationships: Vec<Relationship>,
    /// Quality rules on the object.
    pub quality: Vec<Quality>,
    /// Custom properties.
    pub custom: CustomProperties,
    /// The whole entry.
    pub span: Span,
}

impl SchemaObject {
    /// The property of that name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name.value == name)
    }

    /// Every property at any depth, and what arrays hold.
    pub fn properties_at_any_depth(&self) -> Vec<&Property> {
        let mut found: Vec<&Property> = self.properties.iter().collect();
        let mut place = 0;
        while let Some(property) = found.get(place).copied() {
            found.extend(&property.properties);
            found.extend(property.items.as_deref());
            place += 1;
        }
        found
    }

    /// The name of the table in the warehouse.
    pub fn physical(&self) -> &str {
        self.physical_name.as_ref().unwrap_or(&self.name).as_str()
    }

    /// The columns: all properties but measures and dimensions, which exist in queries only.
    pub fn columns(&self) -> impl Iterator<Item = &Property> {
        self.properties
            .iter()
            .filter(|property| property.is_column())
    }

    /// The properties of the primary key in key order: by `primaryKeyPosition` where it is above
    /// zero, then as declared.
    pub fn primary_key(&self) -> Vec<&Property> {
        let mut key: Vec<&Property> = self
            .columns()
            .filter(|property| property.primary_key)
            .collect();
        key.sort_by_key(|property| match property.primary_key_position {
            Some(position) if position > 0 => position,
            _ => i64::MAX,
        });
        key
    }
}

/// A logical type (section "Schema", `logicalType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the standard's words")]
pub enum LogicalType {
    String,
    Date,
    Timestamp,
    Time,
    Number,
    Integer,
    Object,
    Array,
    Boolean,
    Map,
    Vector,
}

impl LogicalType {
    /// Every type with the word that the standard uses for it.
    pub const ALL: &[(Self, &str)] = &[
        (Self::String, "string"),
        (Self::Date, "date"),
        (Self::Timestamp, "timestamp"),
        (Self::Time, "time"),
        (Self::Number, "number"),
        (Self::Integer, "integer"),
        (Self::Object, "object"),
        (Self::Array, "array"),
        (Self::Boolean, "boolean"),
        (Self::Map, "map"),
        (Self::Vector, "vector"),
    ];

    /// The type of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, name)| *name == word)
            .map(|(logical, _)| *logical)
    }

    /// The standard's word.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(logical, _)| *logical == self)
            .map_or("", |(_, name)| name)
    }
}

/// A property: a column, or a part of one (section "Schema", `properties`).
#[derive(Clone, Debug)]
pub struct Property {
    /// Logical name; empty for the items of an array.
    pub name: Text,
    /// Stable id that fully qualified references use.
    pub id: Option<Text>,
    /// Name in the warehouse.
    pub physical_name: Option<Text>,
    /// Type in the warehouse.
    pub physical_type: Option<Text>,
    /// Type of the standard.
    pub logical_type: Option<Spanned<LogicalType>>,
    /// What the type allows.
    pub options: TypeOptions,
    /// Never null.
    pub required: bool,
    /// No value twice.
    pub unique: bool,
    /// Part of the primary key.
    pub primary_key: bool,
    /// Place in the primary key, from 1.
    pub primary_key_position: Option<i64>,
    /// Description.
    pub description: Option<Text>,
    /// Display name.
    pub business_name: Option<Text>,
    /// public, restricted, confidential …
    pub classification: Option<Text>,
    /// Needs special care.
    pub critical: bool,
    /// Tags.
    pub tags: Vec<Text>,
    /// Where it is defined: a list of links, as written.
    pub definitions: Option<Box<Node>>,
    /// Values that it may have, as written.
    pub examples: Option<Box<Node>>,
    /// SQL that makes the value.
    pub transform_logic: Option<Text>,
    /// column (default), measure or dimension.
    pub semantic_type: Option<Text>,
    /// The only values allowed (v3.2.0).
    pub enum_values: Vec<EnumValue>,
    /// Relationships that start here.
    pub relationships: Vec<Relationship>,
    /// Quality rules on the property.
    pub quality: Vec<Quality>,
    /// Parts of an object.
    pub properties: Vec<Property>,
    /// What an array holds.
    pub items: Option<Box<Property>>,
    /// Key and value of a map (v3.2.0).
    pub map: Option<Box<(Property, Property)>>,
    /// Custom properties.
    pub custom: CustomProperties,
    /// The whole entry.
    pub span: Span,
}

impl Property {
    /// The name of the column in the warehouse.
    pub fn physical(&self) -> &str {
        self.physical_name.as_ref().unwrap_or(&self.name).as_str()
    }

    /// Whether it is a column; measures and dimensions are not.
    pub fn is_column(&self) -> bool {
        self.semantic_type
            .as_ref()
            .is_none_or(|semantic| semantic.value == "column")
    }

    /// The logical type without its place.
    pub fn logical(&self) -> Option<LogicalType> {
        self.logical_type.as_ref().map(|logical| logical.value)
    }
}

/// `logicalTypeOptions`. The boolean `exclusiveMinimum` of v3.0 is read as a bound of its own.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Least number of characters.
    pub min_length: Option<i128>,
    /// Greatest number of characters.
    pub max_length: Option<i128>,
    /// Regular expression, not anchored.
    pub pattern: Option<Text>,
    /// Width of a number, form of a string or date.
    pub format: Option<Text>,
    /// Least value.
    pub minimum: Option<Spanned<Scalar>>,
    /// Greatest value.
    pub maximum: Option<Spanned<Scalar>>,
    /// Every value is greater.
    pub exclusive_minimum: Option<Spanned<Scalar>>,
    /// Every value is less.
    pub exclusive_maximum: Option<Spanned<Scalar>>,
    /// Every value is a multiple.
    pub multiple_of: Option<Spanned<Scalar>>,
    /// With time zone; unstated is neither yes nor no.
    pub timezone: Option<bool>,
    /// The time zone of moments that name none.
    pub default_timezone: Option<Text>,
    /// Least number of items.
    pub min_items: Option<i128>,
    /// Greatest number of items.
    pub max_items: Option<i128>,
    /// No item twice.
    pub unique_items: bool,
    /// Which keys an object has, or how many.
    pub object_keys: bool,
    /// Length of a vector.
    pub dimensions: Option<i128>,
}

impl Options {
    /// Whether they say something of the values beyond their type.
    pub fn restrict_values(&self) -> bool {
        let bounds = [
            &self.minimum,
            &self.maximum,
            &self.exclusive_minimum,
            &self.exclusive_maximum,
            &self.multiple_of,
        ];
        let counts = [
            self.min_length,
            self.max_length,
            self.min_items,
            self.max_items,
        ];
        bounds.iter().any(|bound| bound.is_some())
            || counts.iter().any(Option::is_some)
            || self.pattern.is_some()
            || self.unique_items
            || self.object_keys
    }
}

/// The options of a property. Few have any, and properties are what a workspace is full of, so they
/// are not part of each.
#[derive(Clone, Debug, Default)]
pub struct TypeOptions(Option<Box<Options>>);

impl From<Options> for TypeOptions {
    fn from(options: Options) -> Self {
        Self(Some(Box::new(options)))
    }
}

impl Deref for TypeOptions {
    type Target = Options;

    fn deref(&self) -> &Options {
        static NONE: Options = Options {
            min_length: None,
            max_length: None,
            pattern: None,
            format: None,
            minimum: None,
            maximum: None,
            exclusive_minimum: None,
            exclusive_maximum: None,
            multiple_of: None,
            timezone: None,
            default_timezone: None,
            min_items: None,
            max_items: None,
            unique_items: false,
            object_keys: false,
            dimensions: None,
        };
        self.0.as_deref().unwrap_or(&NONE)
    }
}

/// One allowed value of `enum`.
#[derive(Clone, Debug)]
pub struct EnumValue {
    /// The value.
    pub value: Spanned<Scalar>,
    /// Its name for people.
    pub label: Option<Text>,
}

/// A relationship, paired by index: `from[i]` refers to `to[i]` (section "References").
#[derive(Clone, Debug)]
pub struct Relationship {
    /// Where it starts; empty on a property, which is the start itself.
    pub from: Vec<Text>,
    /// Where it leads.
    pub to: Vec<Text>,
    /// The whole entry.
    pub span: Span,
}

/// One entry of `slaProperties`.
#[derive(Clone, Debug)]
pub struct ServiceLevel {
    /// latency, frequency …; not case-sensitive.
    pub property: Text,
    /// The value promised.
    pub value: Option<Spanned<Scalar>>,
    /// Unit of the value.
    pub unit: Option<Text>,
    /// `object.property` that it is measured on, by default the one of `slaDefaultElement`.
    pub element: Option<Text>,
    /// The whole entry.
    pub span: Span,
}
