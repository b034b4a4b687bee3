//! What is generated for: the adapter, which the configuration says, else the profile, else the
//! servers, and the release of dbt.

use std::collections::BTreeSet;

use crate::config::Config;
use crate::dbt::adapter::Adapter;
use crate::dbt::project::{PROJECT_FILE, Project};
use crate::dbt::release::{MODERN, Release, Required};
use crate::diagnostics::{Diagnostic, rules};
use crate::odcs::Contract;

/// Chooses the adapter, or says what it could be and how to choose.
pub fn adapter(
    config: &Config,
    project: &Project,
    contracts: &[Contract],
) -> Result<Adapter, Box<Diagnostic>> {
    if let Some(adapter) = config
        .dbt
        .adapter
        .as_ref()
        .and_then(|word| Adapter::parse(&word.value))
    {
        return Ok(adapter);
    }
    let choose = |message: String| {
        let words: Vec<&str> = Adapter::ALL.iter().map(|(_, word)| *word).collect();
        Box::new(
            Diagnostic::new(&rules::MAPPING_AMBIGUOUS_ADAPTER, message).help(format!(
                "set `dbt.adapter` in `contracts/config.yaml` to one of {}",
                words.join(", ")
            )),
        )
    };
    if let Some(profile) = &project.adapter {
        return Adapter::parse(&profile.value).ok_or_else(|| {
            choose(format!(
                "the profile's target in `{}` is of the type `{}`, which is not known",
                profile.path, profile.value
            ))
        });
    }
    let types: BTreeSet<(&str, Adapter)> = contracts
        .iter()
        .flat_map(|contract| &contract.servers)
        .filter_map(|server| {
            let server_type = server.server_type.as_str();
            Some((server_type, Adapter::of_server(server_type)?))
        })
        .collect();
    let adapters: BTreeSet<Adapter> = types.iter().map(|(_, adapter)| *adapter).collect();
    match adapters.iter().collect::<Vec<_>>()[..] {
        [adapter] => Ok(*adapter),
        [] => Err(choose(
            "no adapter is configured, there is no profile, and no contract has a server that says it".to_owned(),
        )),
        _ => {
            let types: Vec<String> = types.iter().map(|(word, _)| format!("`{word}`")).collect();
            Err(choose(format!(
                "the contracts have servers of several types: {}",
                types.join(", ")
            )))
        }
    }
}

/// The release of dbt that is written for: the configured one, else the oldest that the project lets
/// in, else one of today; and what is to be known of that choice.
pub fn release(config: &Config, project: &Project) -> (Release, Option<Diagnostic>) {
    if let Some(release) = config.dbt.version {
        return (release, None);
    }
    let Some(required) = Required::parse(&project.required_versions) else {
        return (Release::default(), None);
    };
    let conditions = project.required_versions.join(",");
    let (is_old, is_new) = (required.oldest < MODERN, required.newest >= MODERN);
    let message = match (is_old, is_new, required.older) {
        (true, true, _) => format!(
            "`require-dbt-version` of `{PROJECT_FILE}`, `{conditions}`, lets in releases of dbt before and after 1.10.8, which read different properties files; those before it are written for"
        ),
        (_, false, true) => format!(
            "`require-dbt-version` of `{PROJECT_FILE}`, `{conditions}`, lets in releases before dbt 1.8, which do not know `data_tests`"
        ),
        _ => return (required.oldest, None),
    };
    let finding = Diagnostic::new(&rules::MAPPING_DBT_VERSION, message)
        .help("set `dbt.version` in `contracts/config.yaml` to the one that you run");
    (required.oldest, Some(finding))
}
