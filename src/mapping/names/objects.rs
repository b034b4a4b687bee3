//! What single objects are called: by their custom properties, by what the project has, by the naming
//! of the configuration.

use super::template::Setting;
use super::{Naming, Result, is_below, of_object};
use crate::dbt::names::{is_name, is_safe_file_name};
use crate::diagnostics::rules;
use crate::document::Text;
use crate::odcs::SchemaObject;

impl Naming<'_> {
    /// The name of an object's model.
    pub(super) fn model_name(&self, object: &SchemaObject) -> Result<String> {
        let name = if let Some(name) = self.custom(object, "dbt.model") {
            self.refuse_versions(object, &name.value)?;
            name.value
        } else {
            let rendered = self.render(Setting::Model, of_object(object))?;
            self.bound_model(object, &rendered)?.unwrap_or(rendered)
        };
        if is_name(&name) && is_safe_file_name(&name) {
            Ok(name)
        } else {
            Err(self.refuse(&format!("`{name}` cannot be the name of a model")))
        }
    }

    /// Refuses a name that a seed or snapshot of the project has, which share it with models.
    pub(super) fn refuse_other_resource(&self, object: &SchemaObject, name: &str) -> Result<()> {
        let project = self.input.project;
        let Some(path) = project.resources.get(name) else {
            return Ok(());
        };
        let below = |folders: &[String]| folders.iter().any(|folder| is_below(path, folder));
        if !below(&project.seed_paths) && !below(&project.snapshot_paths) {
            return Ok(());
        }
        Err(Box::new(
            self.contract
                .document
                .finding(
                    &rules::MAPPING_NAME_COLLISION,
                    object.name.span,
                    format!("the model `{name}` would have the name of `{path}`"),
                )
                .help("give the object the custom property `dbt.model`, or change `naming.model`")
                .contract(self.contract.id.value.clone()),
        ))
    }

    /// The name of the source that a table stands in.
    pub(super) fn source_name(&self, object: &SchemaObject) -> Result<String> {
        let name = match self.source_stated(object) {
            Some(name) => name.value,
            None => self.render(Setting::Source, of_object(object))?,
        };
        if is_name(&name) {
            Ok(name)
        } else {
            Err(self.refuse(&format!("`{name}` cannot be the name of a source")))
        }
    }

    /// The source that custom properties name.
    pub(super) fn source_stated(&self, object: &SchemaObject) -> Option<Text> {
        let custom = object.custom.text("dbt.source");
        custom.or_else(|| self.contract.custom.text("dbt.source"))
    }

    /// The name of a table in its source.
    pub(super) fn table_name(&self, object: &SchemaObject) -> Result<String> {
        let name = match self.custom(object, "dbt.table") {
            Some(name) => name.value,
            None => self.render(Setting::Table, of_object(object))?,
        };
        if is_name(&name) {
            Ok(name)
        } else {
            Err(self.refuse(&format!("`{name}` cannot be the name of a source table")))
        }
    }

    /// A custom property of the object, or of the contract where that has no other object.
    pub(super) fn custom(&self, object: &SchemaObject, key: &str) -> Option<Text> {
        let of_contract = || {
            let only = self.contract.objects.len() == 1;
            self.contract.custom.text(key).filter(|_| only)
        };
        object.custom.text(key).or_else(of_contract)
    }
}
