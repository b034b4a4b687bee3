//! Which adapter is generated for: the configuration says it, else the profile, else the servers.

use std::collections::BTreeSet;

use crate::config::Config;
use crate::dbt::adapter::Adapter;
use crate::dbt::project::Project;
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
