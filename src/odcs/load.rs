//! Document -> [`Contract`]. Lenient: what has the wrong type is left out, since the schema pass
//! has already reported it; only a document without an id is no contract at all.

use std::sync::Arc;

use super::objects::{Objects, Relationships};
use super::quality::{self, scalar};
use super::{
    Contract, Description, EnumValue, LogicalType, Options, Property, Relationship, SchemaObject,
    Server, ServiceLevel, TypeOptions, VERSIONS,
};
use crate::document::{
    ApiVersion, Document, Scalar, Spanned, Text, boolean, custom_properties, list, one_or_more,
    spanned, text, texts,
};
use crate::team;
use crate::yaml::Node;

/// Reads a contract from the whole tree of its document, or nothing where that has no id. Its schema
/// objects are left for when they are asked for.
pub fn load(document: &Arc<Document>, root: &Node) -> Option<Contract> {
    let id = text(root, "id")?;
    let api_version = text(root, "apiVersion")
        .and_then(|version| ApiVersion::parse(&version.value))
        .unwrap_or(VERSIONS[VERSIONS.len() - 1]);
    Some(Contract {
        document: Arc::clone(document),
        api_version,
        version: text(root, "version").unwrap_or_else(|| Text {
            value: String::new(),
            span: id.span,
        }),
        id,
        name: text(root, "name"),
        status: text(root, "status"),
        domain: text(root, "domain"),
        tenant: text(root, "tenant"),
        definitions: as_written(root, "authoritativeDefinitions"),
        tags: texts(root, "tags"),
        description: root.get("description").map(description).unwrap_or_default(),
        servers: list(root, "servers", server),
        objects: Objects::new(document, api_version),
        relationships: root
            .get("schema")
            .map(Relationships::below)
            .unwrap_or_default(),
        team: root.get("team").map(team::load).unwrap_or_default(),
        service_levels: list(root, "slaProperties", |node| {
            service_level(node, text(root, "slaDefaultElement"))
        }),
        custom: custom_properties(root),
    })
}

/// Reads `description`, an object of three texts.
fn description(node: &Node) -> Description {
    Description {
        purpose: text(node, "purpose"),
        limitations: text(node, "limitations"),
        usage: text(node, "usage"),
    }
}

/// A list that is taken over as it is.
fn as_written(node: &Node, key: &str) -> Option<Box<Node>> {
    let list = node.get(key)?;
    let is_empty = list.as_sequence().is_none_or(<[Node]>::is_empty);
    (!is_empty).then(|| Box::new(list.clone()))
}

/// Reads one server with all its scalar fields.
fn server(node: &Node) -> Option<Server> {
    Some(Server {
        name: text(node, "server")?,
        server_type: text(node, "type")?,
        environment: text(node, "environment"),
        fields: node
            .as_mapping()?
            .iter()
            .filter_map(|entry| Some((entry.key.as_str()?.to_owned(), spanned(&entry.value)?)))
            .collect(),
    })
}

/// Reads one service level.
fn service_level(node: &Node, element: Option<Text>) -> Option<ServiceLevel> {
    Some(ServiceLevel {
        property: text(node, "property")?,
        value: scalar(node, "value"),
        unit: text(node, "unit"),
        element: text(node, "element").or(element),
        span: node.span,
    })
}

/// Reads the relationships under a node; `from` is absent on a property.
fn relationships(node: &Node) -> Vec<Relationship> {
    list(node, "relationships", |node| {
        let relationship = Relationship {
            from: one_or_more(node, "from"),
            to: one_or_more(node, "to"),
            span: node.span,
        };
        (!relationship.to.is_empty()).then_some(relationship)
    })
}

/// Reads the parts whose meaning depends on the version.
pub(super) struct Reader<'a> {
    pub(super) api_version: ApiVersion,
    pub(super) document: &'a Document,
}

impl Reader<'_> {
    /// Reads one schema object; without a name it can be nothing in dbt.
    pub(super) fn object(&self, node: &Node) -> Option<SchemaObject> {
        Some(SchemaObject {
            name: text(node, "name")?,
            id: text(node, "id"),
            physical_name: text(node, "physicalName"),
            physical_type: text(node, "physicalType"),
            description: text(node, "description"),
            business_name: text(node, "businessName"),
            granularity: text(node, "dataGranularityDescription"),
            tags: texts(node, "tags"),
            definitions: as_written(node, "authoritativeDefinitions"),
            properties: self.properties(node),
            relationships: relationships(node),
            quality: quality::load(node, &Scalar::of),
            custom: custom_properties(node),
            span: node.span,
        })
    }

    /// Reads the properties that have a name.
    fn properties(&self, node: &Node) -> Vec<Property> {
        list(node, "properties", |node| {
            Some(self.property(node, text(node, "name")?))
        })
    }

    /// Reads what an array or a map holds, which needs no name.
    fn part(&self, node: &Node) -> Property {
        let name = text(node, "name").unwrap_or_else(|| Text {
            value: String::new(),
            span: node.span,
        });
        self.property(node, name)
    }

    /// Reads one property at any depth.
    fn property(&self, node: &Node, name: Text) -> Property {
        let flag = |key| boolean(node, key).is_some_and(|flag| flag.value);
        let physical_type = text(node, "physicalType");
        let options = node
            .get("logicalTypeOptions")
            .map(|node| TypeOptions::from(options(node)))
            .unwrap_or_default();
        let logical_type = self.logical_type(node, physical_type.as_ref(), &options);
        let is_text = logical_type
            .as_ref()
            .is_some_and(|logical| logical.value == LogicalType::String);
        let value = |node: &Node| self.value(node, is_text);
        Property {
            name,
            id: text(node, "id"),
            physical_name: text(node, "physicalName"),
            logical_type,
            physical_type,
            options,
            required: flag("required"),
            unique: flag("unique"),
            primary_key: flag("primaryKey"),
            primary_key_position: node.get("primaryKeyPosition").and_then(Node::as_i64),
            description: text(node, "description"),
            business_name: text(node, "businessName"),
            classification: text(node, "classification"),
            critical: flag("criticalDataElement"),
            tags: texts(node, "tags"),
            definitions: as_written(node, "authoritativeDefinitions"),
            examples: as_written(node, "examples"),
            transform_logic: text(node, "transformLogic"),
            semantic_type: text(node, "semanticType"),
            enum_values: list(node, "enum", |node| enum_value(node, &value)),
            relationships: relationships(node),
            quality: quality::load(node, &value),
            properties: self.properties(node),
            items: node.get("items").map(|node| Box::new(self.part(node))),
            map: node.get("map").and_then(|map| {
                Some(Box::new((
                    self.part(map.get("key")?),
                    self.part(map.get("value")?),
                )))
            }),
            custom: custom_properties(node),
            span: node.span,
        }
    }

    /// Reads a value that the data may have. Of a text it is what the author wrote, though without
    /// quotes YAML takes it for something else: `010` is none of the numbers that it could be.
    fn value(&self, node: &Node, is_text: bool) -> Option<Scalar> {
        let value = Scalar::of(node)?;
        let as_written = is_text && !matches!(value, Scalar::Null | Scalar::Text(_));
        let written = self.document.written(node).filter(|_| as_written);
        Some(written.map_or(value, |written| Scalar::Text(written.to_owned())))
    }

    /// Reads `logicalType`. Before v3.1.0 `date` stood for every temporal type; the physical type
    /// or the format tells which one is meant.
    fn logical_type(
        &self,
        node: &Node,
        physical_type: Option<&Text>,
        options: &Options,
    ) -> Option<Spanned<LogicalType>> {
        let word = text(node, "logicalType")?;
        let mut logical = LogicalType::parse(&word.value)?;
        if logical == LogicalType::Date && self.api_version < ApiVersion::new(3, 1, 0) {
            let physical = physical_type
                .map(|physical| physical.value.to_lowercase())
                .unwrap_or_default();
            let format = options.format.as_ref().map_or("", Text::as_str);
            let has_date = format.contains(['y', 'Y', 'u', 'M', 'd', 'D']);
            let has_time = format.contains(['H', 'h', 's', 'm']);
            if physical.starts_with("timestamp") || physical.starts_with("datetime") {
                logical = LogicalType::Timestamp;
            } else if physical.starts_with("time") {
                logical = LogicalType::Time;
            } else if physical.is_empty() && has_time {
                logical = if has_date {
                    LogicalType::Timestamp
                } else {
                    LogicalType::Time
                };
            }
        }
        Some(Spanned {
            value: logical,
            span: word.span,
        })
    }
}

/// Reads `logicalTypeOptions`. In v3.0 `exclusiveMinimum: true` turned `minimum` into an
/// exclusive bound; since v3.1.0 it is a bound of its own.
fn options(node: &Node) -> Options {
    let count = |key| match node.get(key).and_then(Scalar::of) {
        Some(Scalar::Int(count)) => Some(count),
        _ => None,
    };
    let mut options = Options {
        min_length: count("minLength"),
        max_length: count("maxLength"),
        pattern: text(node, "pattern"),
        format: text(node, "format"),
        minimum: scalar(node, "minimum"),
        maximum: scalar(node, "maximum"),
        exclusive_minimum: scalar(node, "exclusiveMinimum"),
        exclusive_maximum: scalar(node, "exclusiveMaximum"),
        multiple_of: scalar(node, "multipleOf"),
        timezone: boolean(node, "timezone").map(|timezone| timezone.value),
        default_timezone: text(node, "defaultTimezone"),
        min_items: count("minItems"),
        max_items: count("maxItems"),
        unique_items: boolean(node, "uniqueItems").is_some_and(|unique| unique.value),
        object_keys: ["minProperties", "maxProperties", "required"]
            .iter()
            .any(|key| node.get(key).is_some()),
        dimensions: count("dimensions"),
    };
    modifier(&mut options.minimum, &mut options.exclusive_minimum);
    modifier(&mut options.maximum, &mut options.exclusive_maximum);
    options
}

/// Applies the boolean form of an exclusive bound.
fn modifier(bound: &mut Option<Spanned<Scalar>>, exclusive: &mut Option<Spanned<Scalar>>) {
    match exclusive.as_ref().map(|exclusive| &exclusive.value) {
        Some(Scalar::Bool(true)) => *exclusive = bound.take(),
        Some(Scalar::Bool(false)) => *exclusive = None,
        _ => {}
    }
}

/// Reads one entry of `enum`.
fn enum_value(node: &Node, read: quality::Read<'_>) -> Option<EnumValue> {
    let value = node.get("value")?;
    Some(EnumValue {
        value: Spanned {
            value: read(value)?,
            span: value.span,
        },
        label: text(node, "label"),
    })
}
