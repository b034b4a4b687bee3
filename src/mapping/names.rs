//! What everything is called: the naming and layout templates of the configuration and the custom
//! properties of contracts come in; names of sources, tables and models and the paths of files go
//! out, each of them once.

mod claims;
mod template;

use std::collections::BTreeSet;

use super::Input;
use super::location::{self, Location};
use crate::dbt::names::{is_safe_file_name, slug};
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::lineage::Role;
use crate::odcs::{Contract, SchemaObject};
use claims::Claims;
use template::{Of, Setting, Templates};

/// What an object is in dbt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// A model.
    Model {
        /// Its name.
        name: String,
    },
    /// A table of a source.
    Source {
        /// Name of the source.
        source: String,
        /// Name of the table.
        table: String,
        /// Where it lives.
        location: Location,
    },
}

impl Relation {
    /// The call that selects it in a model: `ref('orders')`.
    pub(super) fn call(&self) -> String {
        match self {
            Self::Model { name } => format!("ref('{name}')"),
            Self::Source { source, table, .. } => format!("source('{source}', '{table}')"),
        }
    }

    /// The words that dbt puts into the names of its tests.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Model { name } => name.clone(),
            Self::Source { source, table, .. } => format!("{source}_{table}"),
        }
    }

    /// Its own name, without the source's.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Model { name } => name,
            Self::Source { table, .. } => table,
        }
    }
}

/// The names of a workspace.
#[derive(Debug)]
pub(super) struct Names {
    /// What each object of each contract is called; empty for a contract that could not be named.
    pub(super) relations: Vec<Vec<Relation>>,
    /// The properties file of each contract.
    pub(super) properties: Vec<String>,
    /// The SQL files of each model contract's objects.
    pub(super) staging: Vec<Vec<String>>,
    /// The folder of our own tests.
    pub(super) macros: String,
    /// The properties file of groups.
    pub(super) groups: String,
    /// The settings, for what is named only when it is known.
    templates: Templates,
}

/// The names of one contract.
struct Named {
    relations: Vec<Relation>,
    properties: String,
    staging: Vec<String>,
}

/// Names every contract. One that is `planned` and cannot be named, or wants a name that another
/// one wants too, is blocked.
pub(super) fn name(
    input: &Input<'_>,
    chosen: &[usize],
    planned: &[bool],
    blocked: &mut BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Names {
    let (templates, findings) = Templates::new(input);
    diagnostics.extend(findings);
    let mut shared = |setting| {
        templates.shared(setting, input).unwrap_or_else(|finding| {
            // Tests without their macros would stop dbt from loading the project, and so would
            // models without their groups.
            diagnostics.push(*finding);
            blocked.extend((0..planned.len()).filter(|index| planned[*index]));
            String::new()
        })
    };
    let macros = shared(Setting::Macros);
    let groups = shared(Setting::Groups);
    let mut names = Names {
        relations: Vec::new(),
        properties: Vec::new(),
        staging: Vec::new(),
        macros,
        groups,
        templates,
    };
    let mut claims = Claims::default();
    for (index, contract) in input.contracts.iter().enumerate() {
        let naming = Naming {
            input,
            templates: &names.templates,
            contract,
            role: input.roles[index],
        };
        let own = match naming.name() {
            Ok(own) => own,
            Err(finding) => {
                if planned[index] {
                    blocked.insert(index);
                    diagnostics.push(*finding);
                }
                Named {
                    relations: Vec::new(),
                    properties: String::new(),
                    staging: Vec::new(),
                }
            }
        };
        if chosen[index] == index && planned[index] && !blocked.contains(&index) {
            claims.add(
                index,
                input.contracts,
                &own.relations,
                &own.properties,
                &own.staging,
            );
        }
        names.relations.push(own.relations);
        names.properties.push(own.properties);
        names.staging.push(own.staging);
    }
    claims.collisions(input, blocked, diagnostics);
    names
}

/// Names one contract.
struct Naming<'a> {
    input: &'a Input<'a>,
    templates: &'a Templates,
    contract: &'a Contract,
    role: Role,
}

impl Names {
    /// The file of a singular test, which dbt names after the file.
    pub(super) fn test(
        &self,
        input: &Input<'_>,
        contract: usize,
        object: &SchemaObject,
        name: &str,
    ) -> Result<String> {
        let naming = Naming {
            input,
            templates: &self.templates,
            contract: &input.contracts[contract],
            role: input.roles[contract],
        };
        let of = Of {
            rule: Some(name),
            ..of_object(object)
        };
        let path = naming.path(Setting::Tests, of)?;
        if path.rsplit('/').next() == Some(format!("{name}.sql").as_str()) {
            Ok(path)
        } else {
            Err(naming.refuse(&format!(
                "`layout.tests` puts the test `{name}` into `{path}`, but dbt names a test after its file"
            )))
        }
    }
}

/// Names of a contract, or why it has none.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Naming<'_> {
    fn name(&self) -> Result<Named> {
        match self.role {
            Role::Source => self.source(),
            Role::Model => self.models(),
        }
    }

    /// A source contract: one source, or one for each database and schema that its tables live in.
    fn source(&self) -> Result<Named> {
        let locations = location::locations(self.input, self.contract)?;
        let mut relations = Vec::new();
        let mut homes: Vec<(String, Location)> = Vec::new();
        for (object, location) in self.contract.objects.iter().zip(locations) {
            let name = self.source_name(object)?;
            // The first home of a name keeps it; a source has one database and schema.
            let known = homes.iter().find(|(known, _)| *known == name);
            let source = match known {
                Some((_, home)) if !home.is_beside(&location) => {
                    let database = location.database.as_deref();
                    let parts = [
                        database.filter(|_| home.database != location.database),
                        location.schema.as_deref(),
                    ];
                    let parts = parts.into_iter().flatten().map(slug);
                    let parts: Vec<String> = std::iter::once(name).chain(parts).collect();
                    parts.join("_")
                }
                Some(_) => name,
                None => {
                    homes.push((name.clone(), location.clone()));
                    name
                }
            };
            relations.push(Relation::Source {
                source,
                table: self.table_name(object)?,
                location,
            });
        }
        Ok(Named {
            relations,
            properties: self.path(Setting::Sources, Of::default())?,
            staging: Vec::new(),
        })
    }

    /// A model contract: a model and a SQL file for each object.
    fn models(&self) -> Result<Named> {
        let mut relations = Vec::new();
        let mut staging = Vec::new();
        for object in &self.contract.objects {
            let name = match self.custom(object, "dbt.model") {
                Some(name) => name.value,
                None => self.render(Setting::Model, of_object(object))?,
            };
            if !is_name(&name) || !is_safe_file_name(&name) {
                return Err(self.refuse(&format!("`{name}` cannot be the name of a model")));
            }
            let of = Of {
                model: Some(&name),
                ..of_object(object)
            };
            let path = self.path(Setting::Staging, of)?;
            self.refuse_other_resource(object, &name)?;
            if path.rsplit('/').next() != Some(format!("{name}.sql").as_str()) {
                return Err(self.refuse(&format!(
                    "`layout.staging` puts the model `{name}` into `{path}`, but dbt names a model after its file"
                )));
            }
            relations.push(Relation::Model { name });
            staging.push(path);
        }
        Ok(Named {
            relations,
            properties: self.path(Setting::Schema, Of::default())?,
            staging,
        })
    }

    /// Refuses a name that a seed or snapshot of the project has, which share it with models.
    fn refuse_other_resource(&self, object: &SchemaObject, name: &str) -> Result<()> {
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
    fn source_name(&self, object: &SchemaObject) -> Result<String> {
        let custom = object.custom.text("dbt.source");
        let name = match custom.or_else(|| self.contract.custom.text("dbt.source")) {
            Some(name) => name.value,
            None => self.render(Setting::Source, of_object(object))?,
        };
        if is_name(&name) {
            Ok(name)
        } else {
            Err(self.refuse(&format!("`{name}` cannot be the name of a source")))
        }
    }

    /// The name of a table in its source.
    fn table_name(&self, object: &SchemaObject) -> Result<String> {
        let name = self.render(Setting::Table, of_object(object))?;
        if is_name(&name) {
            Ok(name)
        } else {
            Err(self.refuse(&format!("`{name}` cannot be the name of a source table")))
        }
    }

    /// A custom property of the object, or of the contract where that has no other object.
    fn custom(&self, object: &SchemaObject, key: &str) -> Option<Text> {
        let of_contract = || {
            let only = self.contract.objects.len() == 1;
            self.contract.custom.text(key).filter(|_| only)
        };
        object.custom.text(key).or_else(of_contract)
    }

    /// Renders a setting.
    fn render(&self, setting: Setting, of: Of<'_>) -> Result<String> {
        let object = of.object;
        self.templates
            .render(setting, self.contract, of)
            .map_err(|reason| {
                Box::new(
                    self.contract
                        .document
                        .finding(
                            &rules::MAPPING_TEMPLATE,
                            object.map_or(self.contract.id.span, |object| object.name.span),
                            format!("`{}` cannot be rendered: {reason}", setting.key()),
                        )
                        .contract(self.contract.id.value.clone()),
                )
            })
    }

    /// The path that a layout setting gives.
    fn path(&self, setting: Setting, of: Of<'_>) -> Result<String> {
        let path = self.render(setting, of)?;
        match template::problem(&path, setting) {
            None => Ok(path),
            Some(problem) => Err(self.refuse(&format!(
                "`{}` gives the path `{path}`, {problem}",
                setting.key()
            ))),
        }
    }

    /// The finding that a name or path cannot be used.
    fn refuse(&self, message: &str) -> Box<Diagnostic> {
        Box::new(
            self.contract
                .document
                .finding(&rules::MAPPING_UNSAFE_PATH, self.contract.id.span, message)
                .help("change `naming` or `layout` in `contracts/config.yaml`, or the custom property that gives the name")
                .contract(self.contract.id.value.clone()),
        )
    }
}

/// An object, and nothing else.
fn of_object(object: &SchemaObject) -> Of<'_> {
    Of {
        object: Some(object),
        ..Of::default()
    }
}

/// Whether a path is in a folder.
fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/'))
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Whether dbt takes the text for a name: blanks are refused since 1.10, and quotes, backslashes
/// and braces would end the calls that it stands in.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|character: char| {
            character.is_whitespace()
                || character.is_control()
                || matches!(character, '\'' | '"' | '`' | '\\' | '{' | '}' | '%' | '#')
        })
}
