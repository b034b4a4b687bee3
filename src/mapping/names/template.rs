//! The settings under `naming` and `layout`: minijinja templates over `contract`, `object`, `model`
//! and `rule`, compiled once, rendered for every contract.

use minijinja::{Environment, UndefinedBehavior, context};

use crate::dbt::names::{is_safe_file_name, slug};
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::mapping::Input;
use crate::odcs::{Contract, SchemaObject};

/// A setting that is a template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Model,
    Source,
    Table,
    Sources,
    Schema,
    Staging,
    Groups,
    Tests,
    Macros,
}

impl Setting {
    const ALL: &[Self] = &[
        Self::Model,
        Self::Source,
        Self::Table,
        Self::Sources,
        Self::Schema,
        Self::Staging,
        Self::Groups,
        Self::Tests,
        Self::Macros,
    ];

    /// Its key in the configuration.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Model => "naming.model",
            Self::Source => "naming.source",
            Self::Table => "naming.table",
            Self::Sources => "layout.sources",
            Self::Schema => "layout.schema",
            Self::Staging => "layout.staging",
            Self::Groups => "layout.groups",
            Self::Tests => "layout.tests",
            Self::Macros => "layout.macros",
        }
    }

    /// The end that its path must have.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Sources | Self::Schema | Self::Groups => &[".yml", ".yaml"],
            Self::Staging | Self::Tests => &[".sql"],
            Self::Model | Self::Source | Self::Table | Self::Macros => &[],
        }
    }
}

/// What a setting is rendered for, besides the contract.
#[derive(Clone, Copy, Default)]
pub(super) struct Of<'a> {
    /// An object of the contract.
    pub(super) object: Option<&'a SchemaObject>,
    /// The name of its model.
    pub(super) model: Option<&'a str>,
    /// The name of the test of a quality rule.
    pub(super) rule: Option<&'a str>,
}

/// All settings, compiled.
#[derive(Debug, Default)]
pub(super) struct Templates {
    environment: Environment<'static>,
}

impl Templates {
    /// Compiles the settings. One that is no template renders to an error.
    pub(super) fn new(input: &Input<'_>) -> (Self, Vec<Diagnostic>) {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // Names are short; a loop that never ends is stopped.
        environment.set_fuel(Some(100_000));
        environment.add_filter("slug", |text: &str| slug(text));
        let mut findings = Vec::new();
        for setting in Setting::ALL {
            let (text, configured) = source(input, *setting);
            if let Err(error) = environment.add_template_owned(setting.key(), text) {
                let mut finding = Diagnostic::new(
                    &rules::CONFIG_INVALID_VALUE,
                    format!("`{}` is no template: {}", setting.key(), reason(&error)),
                );
                if let (Some(file), Some(configured)) = (&input.config.file, configured) {
                    finding = finding.at(file, configured.span);
                }
                findings.push(finding);
            }
        }
        (Self { environment }, findings)
    }

    /// Renders a setting for a contract.
    pub(super) fn render(
        &self,
        setting: Setting,
        contract: &Contract,
        of: Of<'_>,
    ) -> Result<String, String> {
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
        let name = contract.name.as_ref().unwrap_or(&contract.id).as_str();
        let object = of.object.map(|object| {
            context! {
                name => object.name.as_str(),
                slug => slug(object.name.as_str()),
                physicalName => object.physical(),
                physicalType => text(&object.physical_type),
            }
        });
        let context = context! {
            contract => context! {
                id => contract.id.as_str(),
                name => name,
                slug => slug(name),
                version => contract.version.as_str(),
                domain => text(&contract.domain),
            },
            object => object,
            model => of.model,
            rule => of.rule.map(|name| context! { slug => name }),
        };
        self.environment
            .get_template(setting.key())
            .and_then(|template| template.render(context))
            .map_err(|error| reason(&error))
    }

    /// The path of what all contracts share.
    pub(super) fn shared(
        &self,
        setting: Setting,
        input: &Input<'_>,
    ) -> Result<String, Box<Diagnostic>> {
        let key = setting.key();
        let rendered = self
            .environment
            .get_template(key)
            .and_then(|template| template.render(()));
        let (rule, message) = match rendered {
            Ok(path) => match problem(&path, setting) {
                None => return Ok(path),
                Some(problem) => (
                    &rules::MAPPING_UNSAFE_PATH,
                    format!("`{key}` gives the path `{path}`, {problem}"),
                ),
            },
            Err(error) => (
                &rules::MAPPING_TEMPLATE,
                format!("`{key}` cannot be rendered: {}", reason(&error)),
            ),
        };
        let mut finding = Diagnostic::new(rule, message);
        if let (Some(file), (_, Some(configured))) = (&input.config.file, source(input, setting)) {
            finding = finding.at(file, configured.span);
        }
        Err(Box::new(finding))
    }
}

/// The text of a setting, and the configured one unless it is the default.
fn source<'a>(input: &Input<'a>, setting: Setting) -> (String, Option<&'a Text>) {
    let (naming, layout) = (&input.config.naming, &input.config.layout);
    let given = match setting {
        Setting::Model => Some(&naming.model),
        Setting::Source => Some(&naming.source),
        Setting::Table => Some(&naming.table),
        Setting::Sources => layout.sources.as_ref(),
        Setting::Schema => layout.schema.as_ref(),
        Setting::Staging => layout.staging.as_ref(),
        Setting::Groups => layout.groups.as_ref(),
        Setting::Tests => layout.tests.as_ref(),
        Setting::Macros => layout.macros.as_ref(),
    };
    if let Some(given) = given {
        return (given.value.clone(), Some(given));
    }
    let first = |paths: &[String], default: &str| {
        paths
            .first()
            .map_or_else(|| default.to_owned(), Clone::clone)
    };
    let project = input.project;
    let contracts = format!("{}/contracts", first(&project.model_paths, "models"));
    let models = format!("{contracts}/{{{{ contract.slug }}}}");
    let text = match setting {
        Setting::Sources => format!("{models}/sources.yml"),
        Setting::Schema => format!("{models}/schema.yml"),
        Setting::Staging => format!("{models}/{{{{ model }}}}.sql"),
        Setting::Groups => format!("{contracts}/groups.yml"),
        Setting::Tests => format!(
            "{}/dbt_contracts/{{{{ contract.slug }}}}/{{{{ rule.slug }}}}.sql",
            first(&project.test_paths, "tests")
        ),
        _ => format!("{}/dbt_contracts", first(&project.macro_paths, "macros")),
    };
    (text, None)
}

/// Why a path cannot be written to, if it cannot.
pub(super) fn problem(path: &str, setting: Setting) -> Option<String> {
    let mut parts = path.split('/');
    if path.starts_with('/') || parts.clone().any(|part| part == "..") {
        return Some("which leads out of the project".into());
    }
    if let Some(part) = parts.find(|part| !is_safe_file_name(part) || part.starts_with('.')) {
        return Some(format!(
            "and `{part}` cannot be the name of a file everywhere"
        ));
    }
    let endings = setting.endings();
    let fits = endings.is_empty() || endings.iter().any(|ending| path.ends_with(ending));
    (!fits).then(|| format!("which does not end in `{}`", endings.join("` or `")))
}

/// The engine's own words, with the line where there are several.
fn reason(error: &minijinja::Error) -> String {
    let words = error.kind().to_string();
    match error.detail() {
        Some(detail) => format!("{words}: {detail}"),
        None => words,
    }
}
