//! One column as a property of a contract: what properties files and the warehouse say of it comes in,
//! a [`PropertyDraft`] goes out; its tests and constraints follow.

use super::draft::{ObjectDraft, PropertyDraft};
use super::fields;
use super::meta;
use super::object::Importing;
use super::resources::{Kind, Resource, settings};
use super::text::Texts;
use super::types;
use crate::dbt::identifiers;
use crate::dbt::properties::Value;
use crate::document::text;
use crate::yaml::{Node, Span};

/// The keys that are read of a column, under `config` or beside it.
const COLUMN: &[&str] = &[
    "config",
    "constraints",
    "data_tests",
    "data_type",
    "description",
    "meta",
    "name",
    "quote",
    "tags",
    "tests",
];

impl Importing<'_> {
    /// One column, without its tests.
    pub(super) fn property(&mut self, resource: &Resource<'_>, node: &Node) -> PropertyDraft {
        let name = text(node, "name")
            .map(|name| name.value)
            .unwrap_or_default();
        let title = format!("the column `{name}` of {}", resource.title());
        for node in [Some(node), node.get("config")].into_iter().flatten() {
            self.unknown(resource, node, COLUMN, &title);
        }
        let mut texts = Texts {
            file: resource.file.clone(),
            losses: &mut self.losses,
        };
        let mut property = PropertyDraft {
            name,
            ..PropertyDraft::default()
        };
        property.description = texts.word(
            node.get("description"),
            &format!("the description of {title}"),
        );
        let settings = |key| settings(node, key);
        property.tags = texts.tags(&settings("tags"), &format!("a tag of {title}"));
        let mut meta = meta::read(&settings("meta"), &title, &mut texts);
        property.business_name = meta.take_text("business_name");
        property.classification = meta.take_text("classification");
        if meta.entries.get("critical_data_element") == Some(&Value::Bool(true)) {
            meta.entries.remove("critical_data_element");
            property.critical = true;
        }
        property.custom = meta.custom(&mut texts);
        let stated = node.get("data_type").filter(|stated| !stated.is_null());
        let (physical, span) = match stated {
            Some(stated) => (
                texts.text(stated, &format!("the type of {title}")),
                stated.span,
            ),
            None => (resource.observed_type(&property.name), node.span),
        };
        if let Some(physical) = physical {
            self.data_type(resource, &mut property, physical, span);
        }
        if let (Some(quote), Some(adapter)) = (node.get("quote"), self.adapter)
            && let Some(stated) = quote.as_bool()
            && stated != identifiers::needs_quotes(adapter, &property.name)
        {
            let why = if stated {
                "the name needs no quotes, and `generate` writes none"
            } else {
                "the name needs quotes, and `generate` writes them"
            };
            self.losses.add(
                resource.file,
                quote.span,
                format!("`quote` of {title}"),
                why,
            );
        }
        property
    }

    /// The type of a column, which stands at a place in the file.
    fn data_type(
        &mut self,
        resource: &Resource<'_>,
        property: &mut PropertyDraft,
        physical: String,
        span: Span,
    ) {
        if let Some(record) = fields::record(self.adapter, resource, &property.name, &physical) {
            return property.set_record(record);
        }
        if let Some(logical) = types::logical(self.adapter, self.version, &physical) {
            property.set_logical(logical, matches!(resource.kind, Kind::Model(_)));
        } else {
            let what = format!(
                "the logical type of the column `{}` of {}",
                property.name,
                resource.title()
            );
            let why = match self.adapter {
                Some(adapter) => format!(
                    "`{physical}` is no type of {} that is known; the contract has it as `physicalType` only",
                    adapter.as_str()
                ),
                None => format!(
                    "`{physical}` means something else to each adapter; set `dbt.adapter` in the configuration"
                ),
            };
            self.losses.add(resource.file, span, what, why);
        }
        property.physical = Some(physical);
    }

    /// The columns that the warehouse has and nobody describes.
    pub(super) fn undescribed(&mut self, resource: &Resource<'_>, object: &mut ObjectDraft) {
        for column in &resource.observed {
            if object
                .property(|name| name.eq_ignore_ascii_case(&column.name))
                .is_some()
            {
                continue;
            }
            let mut property = PropertyDraft {
                name: column.name.clone(),
                ..PropertyDraft::default()
            };
            self.data_type(
                resource,
                &mut property,
                column.data_type.clone(),
                resource.span,
            );
            object.properties.push(property);
        }
    }
}
