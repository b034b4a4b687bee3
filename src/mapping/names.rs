//! What everything is called: the naming and layout templates of the configuration and the custom
//! properties of contracts come in; names of sources, tables and models and the paths of files go
//! out, each of them once.

mod basis;
mod binding;
mod claims;
mod columns;
mod families;
mod objects;
mod resources;
mod template;

use std::collections::{BTreeMap, BTreeSet};

use super::Input;
use super::location::{self, Location};
use super::versions::Versions;
use crate::dbt::names::slug;
use crate::dbt::project::Declared;
use crate::diagnostics::{Diagnostic, rules};
use crate::lineage::Role;
use crate::odcs::{Contract, SchemaObject};
pub(super) use basis::Basis;
use binding::Index;
use claims::Claims;
pub(super) use claims::taken;
pub(super) use columns::{column_name, in_case};
use families::Families;
pub(super) use families::{ModelVersion, with_number};
use template::{Of, Setting, Templates};

/// What an object is in dbt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// A model.
    Model {
        /// Its name.
        name: String,
        /// The version that it is of it, where it has several.
        version: Option<ModelVersion>,
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
    /// The call that selects it in a model: `ref('orders')`, with the version unless it is the
    /// latest one.
    pub(super) fn call(&self) -> String {
        match self {
            Self::Model {
                name,
                version: Some(version),
            } if !version.is_latest() => format!("ref('{name}', v={})", version.number.argument()),
            Self::Model { name, .. } => format!("ref('{name}')"),
            Self::Source { source, table, .. } => format!("source('{source}', '{table}')"),
        }
    }

    /// The words that dbt puts into the names of its tests.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Model {
                name,
                version: Some(version),
            } => with_number(name, &version.number),
            Self::Model { name, .. } => name.clone(),
            Self::Source { source, table, .. } => format!("{source}_{table}"),
        }
    }

    /// Its own name, without the source's.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Model { name, .. } => name,
            Self::Source { table, .. } => table,
        }
    }

    /// The version of a model, where it has several.
    pub(super) fn version(&self) -> Option<&ModelVersion> {
        match self {
            Self::Model { version, .. } => version.as_ref(),
            Self::Source { .. } => None,
        }
    }

    /// The name of the relation of a model, unless its contract gives it another one.
    pub(super) fn relation(&self) -> String {
        let own = || self.name().to_owned();
        self.version()
            .map_or_else(own, |version| version.table(self.name()))
    }

    /// The stem of the file of a model.
    pub(super) fn file(&self) -> &str {
        self.version()
            .map_or_else(|| self.name(), |version| &version.file)
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
    /// For each object the entry of a person's properties file that describes it already.
    pub(super) homes: Vec<Vec<Option<Home>>>,
    /// The other versions of a model contract, in the same properties file.
    pub(super) siblings: BTreeMap<usize, BTreeSet<usize>>,
    /// The model contracts of several versions whose models the project has.
    pub(super) standing: BTreeSet<usize>,
    /// The folder of our own tests.
    pub(super) macros: String,
    /// The properties file of groups.
    pub(super) groups: String,
    /// The settings, for what is named only when it is known.
    templates: Templates,
}

/// Where a person describes what an object is bound to.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// The properties file.
    pub(super) path: String,
    /// Whether all its columns are in lower case, where the contract shouts.
    pub(super) is_lower: bool,
    /// The entry there.
    pub(super) declared: Declared,
}

/// The names of one contract.
struct Named {
    relations: Vec<Relation>,
    properties: String,
    staging: Vec<String>,
}

/// Names every contract. One that is `planned` and cannot be named, or wants a name that another
/// one wants too, is blocked. Retired versions whose models are there are planned from here on.
pub(super) fn name(
    basis: Basis<'_>,
    versions: &Versions,
    planned: &mut [bool],
    blocked: &mut BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Names {
    let input = basis.input;
    let templates = &basis.templates;
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
    let naming = |index: usize| basis.naming(index, basis.is_alone(versions, index));
    let families = Families::new(input, versions, naming, planned);
    let mut names = Names {
        relations: Vec::new(),
        properties: Vec::new(),
        staging: Vec::new(),
        homes: Vec::new(),
        siblings: BTreeMap::new(),
        standing: BTreeSet::new(),
        macros,
        groups,
        templates: Templates::default(),
    };
    let mut claims = Claims::default();
    for index in 0..input.contracts.len() {
        let versioned = Versioned {
            families: &families,
            index,
            planned,
        };
        let naming = naming(index);
        let is_described_once = |own: Named| {
            naming.refuse_two_entries(&own.relations)?;
            Ok(own)
        };
        let own = match naming.name(&versioned).and_then(is_described_once) {
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
        if planned[index] && !blocked.contains(&index) {
            let is_home = families.home(index) == index;
            claims.add(
                index,
                input.contracts,
                &own.relations,
                is_home.then_some(own.properties.as_str()),
                &own.staging,
            );
        }
        let siblings = families.siblings(index);
        if !siblings.is_empty() {
            names.siblings.insert(index, siblings);
            names
                .standing
                .extend(families.stands(index).then_some(index));
        }
        if planned[index] && !blocked.contains(&index) {
            diagnostics.extend(naming.bound(&own));
        }
        let objects = input.contracts[index].objects.iter();
        let homes = own.relations.iter().zip(objects).map(|(relation, object)| {
            let home = basis
                .project
                .home(relation)
                .filter(|home| relation.version().is_none() && home.file.path != own.properties)?;
            let mut columns = home.columns.iter();
            let mut wanted = object.columns();
            let shouts = |property| {
                let name = column_name(input.roles[index], property);
                name == name.to_uppercase()
            };
            Some(Home {
                path: home.file.path.clone(),
                is_lower: !home.columns.is_empty()
                    && columns.all(|column| *column == column.to_lowercase())
                    && wanted.all(shouts),
                declared: home.clone(),
            })
        });
        names.homes.push(homes.collect());
        names.relations.push(own.relations);
        names.properties.push(own.properties);
        names.staging.push(own.staging);
    }
    claims.collisions(input, blocked, diagnostics);
    names.templates = basis.templates;
    names
}

/// Which of several versions a contract is.
struct Versioned<'a> {
    families: &'a Families<'a>,
    index: usize,
    planned: &'a [bool],
}

/// Names one contract.
#[derive(Clone, Copy)]
struct Naming<'a> {
    input: &'a Input<'a>,
    project: &'a Index<'a>,
    templates: &'a Templates,
    contract: &'a Contract,
    role: Role,
    /// Whether no other version of the contract is generated.
    is_alone: bool,
}

impl Names {
    /// The entry of a person's that describes an object already.
    pub(super) fn home(&self, contract: usize, object: usize) -> Option<&Home> {
        self.homes[contract].get(object)?.as_ref()
    }

    /// Whether the files of a contract are its own: neither other versions nor persons write there.
    pub(super) fn is_apart(&self, contract: usize) -> bool {
        let is_bound = self.homes[contract].iter().any(Option::is_some);
        !is_bound && !self.siblings.contains_key(&contract)
    }

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
            project: &Index::default(),
            templates: &self.templates,
            contract: &input.contracts[contract],
            role: input.roles[contract],
            is_alone: true,
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
    fn name(&self, versioned: &Versioned<'_>) -> Result<Named> {
        match self.role {
            Role::Source => self.source(),
            Role::Model => self.models(versioned),
        }
    }

    /// A source contract: one source, or one for each database and schema that its tables live in.
    fn source(&self) -> Result<Named> {
        let locations = location::locations(self.input, self.contract)?;
        let mut relations = Vec::new();
        let mut homes: Vec<(String, Location)> = Vec::new();
        for (object, location) in self.contract.objects.iter().zip(locations) {
            let (name, table) = (self.source_name(object)?, self.table_name(object)?);
            let stated =
                self.custom(object, "dbt.table").is_some() || self.source_stated(object).is_some();
            let bound = if stated {
                None
            } else {
                self.bound_table(object, (&name, &table), &location)?
            };
            if let Some((source, table)) = bound {
                relations.push(Relation::Source {
                    source,
                    table,
                    location,
                });
                continue;
            }
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
                table,
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
    fn models(&self, versioned: &Versioned<'_>) -> Result<Named> {
        let Versioned {
            families,
            index,
            planned,
        } = *versioned;
        let mut relations = Vec::new();
        let mut staging = Vec::new();
        for object in &self.contract.objects {
            let name = self.model_name(object)?;
            let version = families.version(index, object, &name, planned);
            let relation = Relation::Model { name, version };
            let file = relation.file();
            let of = Of {
                model: Some(file),
                ..of_object(object)
            };
            let path = self.path(Setting::Staging, of)?;
            self.refuse_other_resource(object, relation.name())?;
            self.refuse_other_resource(object, file)?;
            if path.rsplit('/').next() != Some(format!("{file}.sql").as_str()) {
                return Err(self.refuse(&format!(
                    "`layout.staging` puts the model `{file}` into `{path}`, but dbt names a model after its file"
                )));
            }
            relations.push(relation);
            staging.push(path);
        }
        let home = Naming {
            contract: &self.input.contracts[families.home(index)],
            ..*self
        };
        Ok(Named {
            relations,
            properties: home.path(Setting::Schema, Of::default())?,
            staging,
        })
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
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/'))
        .is_some_and(|rest| rest.starts_with('/'))
}
