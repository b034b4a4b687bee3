//! Settings that concern dbt alone, which contracts write as custom properties: which there are, where
//! they are read and what they take. One that would silently do nothing is a finding.

use super::metadata;
use super::scope::Subject;
use crate::config::Policy;
use crate::dbt::jinja;
use crate::dbt::project::Project;
use crate::diagnostics::{Diagnostic, Severity, closest, rules};
use crate::document::{CustomProperties, CustomProperty, spanned};
use crate::odcs::Contract;
use crate::yaml::Node;

/// How the names of settings begin.
pub(super) const PREFIX: &str = "dbt.";

/// What a setting takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Text,
    Boolean,
    /// The word of a policy of drift.
    Policy,
    /// A whole number from 1.
    Version,
}

/// Where a setting may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    /// An object alone.
    Object,
    /// An object, or the contract for all of its objects.
    Both,
    /// The same, but one name does not do for several objects.
    BothIfOne,
    /// A property of an object.
    Property,
}

/// All settings.
const SETTINGS: &[(&str, Takes, On)] = &[
    ("dbt.access", Takes::Text, On::Both),
    ("dbt.added_in_version", Takes::Version, On::Property),
    ("dbt.alias", Takes::Text, On::Object),
    ("dbt.database", Takes::Text, On::Both),
    ("dbt.drift_policy", Takes::Policy, On::Both),
    ("dbt.enforced", Takes::Boolean, On::Both),
    ("dbt.loader", Takes::Text, On::Both),
    ("dbt.materialized", Takes::Text, On::Both),
    ("dbt.model", Takes::Text, On::BothIfOne),
    ("dbt.renamed_from", Takes::Text, On::Property),
    ("dbt.schema", Takes::Text, On::Both),
    ("dbt.source", Takes::Text, On::Both),
    ("dbt.table", Takes::Text, On::BothIfOne),
];

/// The materializations of dbt and its adapters.
const MATERIALIZATIONS: &[&str] = &[
    "dictionary",
    "distributed_incremental",
    "distributed_table",
    "dynamic_table",
    "ephemeral",
    "external",
    "incremental",
    "materialized_view",
    "snapshot",
    "streaming_table",
    "table",
    "view",
];

/// Where settings of columns belong.
const ON_PROPERTY: &str = "put it on the property of an object that is the column";

/// The settings of a contract that nothing reads.
pub(super) fn unread(contract: &Contract) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut check = |custom: &CustomProperties,
                     accepts: &dyn Fn(On) -> Result<(), &'static str>| {
        let settings = custom.0.iter();
        for setting in settings.filter(|custom| custom.property.value.starts_with(PREFIX)) {
            findings.extend(problem(contract, setting, accepts));
        }
    };
    check(&contract.custom, &|on| match on {
        On::Both => Ok(()),
        On::Object => Err("put it on the object that is meant"),
        On::Property => Err(ON_PROPERTY),
        On::BothIfOne if contract.objects.len() == 1 => Ok(()),
        On::BothIfOne => Err("the contract has several objects; put it on each of them"),
    });
    for object in &contract.objects {
        check(&object.custom, &|on| match on {
            On::Property => Err(ON_PROPERTY),
            _ => Ok(()),
        });
        for property in object.properties_at_any_depth() {
            let is_column = object
                .properties
                .iter()
                .any(|column| std::ptr::eq(column, property));
            check(&property.custom, &|on| match on {
                On::Property if is_column => Ok(()),
                On::Property => Err(ON_PROPERTY),
                _ => Err("put it on the object"),
            });
        }
    }
    findings
}

/// Why nothing reads a setting, if nothing does.
fn problem(
    contract: &Contract,
    custom: &CustomProperty,
    accepts: &dyn Fn(On) -> Result<(), &'static str>,
) -> Option<Diagnostic> {
    let name = custom.property.as_str();
    let names = || SETTINGS.iter().map(|(name, ..)| *name);
    let Some((_, takes, on)) = SETTINGS.iter().find(|(known, ..)| *known == name) else {
        let message = format!("nothing reads the custom property `{name}`");
        let help = match closest(name, names()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("known are `{}`", names().collect::<Vec<_>>().join("`, `")),
        };
        return Some(warning(contract, custom, message, &help));
    };
    if let Err(help) = accepts(*on) {
        let message = format!("nothing reads the custom property `{name}` here");
        return Some(warning(contract, custom, message, help));
    }
    let (fits, expected) = match takes {
        Takes::Text => (spanned(&custom.value).is_some(), "a text"),
        Takes::Boolean => (custom.value.as_bool().is_some(), "`true` or `false`"),
        Takes::Policy => (
            spanned(&custom.value).is_some_and(|word| Policy::parse(&word.value).is_ok()),
            "`frozen`, `approved`, `additive`, `widening` or `evolve`",
        ),
        Takes::Version => (
            version(&custom.value).is_some(),
            "the major version that added the column, a whole number from 1",
        ),
    };
    let message = || {
        let found = match spanned(&custom.value) {
            Some(word) if takes == &Takes::Policy => format!("`{}`", word.value),
            _ => custom.value.kind().to_owned(),
        };
        format!("the custom property `{name}` takes {expected}, found {found}")
    };
    let help = || format!("write {expected}, without which it does nothing");
    (!fits).then(|| warning(contract, custom, message(), &help()))
}

/// A text for a place where dbt renders it: that of a setting of dbt is its own, Jinja included; any
/// other is shown as it is.
pub(super) fn rendered(subject: &Subject<'_>, setting: &str, text: &str) -> String {
    let stated = metadata::setting(subject.contract, subject.object, setting).and_then(spanned);
    if stated.is_some_and(|stated| stated.value == text) {
        return text.to_owned();
    }
    jinja::escape(text).into_owned()
}

/// The version in `dbt.added_in_version`: `2`, or the major number of `2.1.0`.
pub(super) fn version(node: &Node) -> Option<u32> {
    let text = spanned(node)?;
    let major = text.value.split('.').next()?;
    major.parse().ok().filter(|version| *version > 0)
}

/// The values of `dbt.materialized` that look like a misspelt word of dbt and that no macro defines.
pub(super) fn unknown_materializations(project: &Project, contract: &Contract) -> Vec<Diagnostic> {
    let objects = contract.objects.iter();
    let mut seen: Vec<&Node> = Vec::new();
    let mut findings = Vec::new();
    for node in objects.filter_map(|object| metadata::setting(contract, object, "dbt.materialized"))
    {
        let Some(word) = spanned(node) else { continue };
        let is_known = MATERIALIZATIONS.contains(&word.as_str())
            || project.macros.materializations.contains(word.as_str())
            || seen.iter().any(|seen| std::ptr::eq(*seen, node));
        seen.push(node);
        let Some(close) = closest(word.as_str(), MATERIALIZATIONS.iter().copied()) else {
            continue;
        };
        if !is_known && !word.value.contains("{{") {
            findings.push(
                contract
                    .document
                    .finding(
                        &rules::MAPPING_NO_COUNTERPART,
                        word.span,
                        format!("dbt has no materialization `{}`", word.value),
                    )
                    .severity(Severity::Warning)
                    .help(format!("did you mean `{close}`?"))
                    .contract(contract.id.value.clone()),
            );
        }
    }
    findings
}

/// A warning about a setting.
fn warning(
    contract: &Contract,
    custom: &CustomProperty,
    message: String,
    help: &str,
) -> Diagnostic {
    contract
        .document
        .finding(
            &rules::MAPPING_NO_COUNTERPART,
            custom.property.span,
            message,
        )
        .severity(Severity::Warning)
        .help(help)
        .contract(contract.id.value.clone())
}
