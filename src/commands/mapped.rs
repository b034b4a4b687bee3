//! What dbt should have of a workspace, for its project and adapter.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::dbt::adapter::Adapter;
use crate::dbt::project;
use crate::dbt::release::Release;
use crate::diagnostics::{Diagnostic, Severity, SourceFile, rules};
use crate::file::Files;
use crate::mapping::{self, Finish, Mapped};
use crate::merge::Lock;
use crate::odcs::Contract;
use crate::report::Failure;
use crate::standing::Standing;
use crate::workspace::Workspace;
use crate::{outputs, render, select, target};

/// Holds back what looks like a source and may be a model.
pub(super) fn settle(workspace: &mut Workspace, lock: &Lock) {
    let standing = Standing::new(&workspace.project_dir, lock);
    let (doubted, findings) = outputs::in_doubt(workspace, &standing);
    for index in doubted {
        workspace.generated[index] = false;
    }
    workspace.sink.extend(findings);
}

/// Maps the workspace for its adapter and release of dbt; `finish` makes what takes the files that are
/// finished on the way.
pub(super) fn map<F: Finish>(
    workspace: &Workspace,
    lock: &Lock,
    files: &Files,
    finish: impl FnOnce(Adapter, Release) -> F,
) -> Result<(Mapped, F, Vec<Diagnostic>), Failure> {
    let is_own = |path: &str| lock.get(path).is_some();
    let (mut project, mut findings) = project::read(&workspace.project_dir, files, &is_own);
    let settings = ["dbt_project.yml", "packages.yml", "dependencies.yml"];
    let broken = findings.iter().any(|finding| {
        finding.severity == Severity::Error
            && finding
                .place
                .as_ref()
                .is_some_and(|place| settings.contains(&place.file.path.as_str()))
    });
    // With dbt's defaults in their place, everything would be written elsewhere or otherwise.
    if broken {
        return Err(Failure {
            code: "project",
            message: "the dbt project cannot be read".to_owned(),
            diagnostics: findings,
        });
    }
    // A file that we generated is no model of the user's, wherever an earlier layout put it.
    let (own, others): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut project.resources)
        .into_iter()
        .partition(|(_, path)| is_own(path));
    project.resources = others;
    // Nor is one that is off: dbt knows no model of that name.
    let disabled = std::mem::take(&mut project.disabled);
    project.resources.retain(|_, path| !disabled.contains(path));
    let adapter =
        target::adapter(&workspace.config, &project, &workspace.contracts).map_err(|finding| {
            Failure {
                code: rules::MAPPING_AMBIGUOUS_ADAPTER.code,
                message: "the dbt adapter cannot be told".to_owned(),
                diagnostics: vec![*finding],
            }
        })?;
    let (release, finding) = target::release(&workspace.config, &project);
    findings.extend(finding);
    let producers: Vec<_> = workspace
        .lineage
        .producers
        .iter()
        .map(|producer| producer.map(|index| &workspace.products[index]))
        .collect();
    let standing = Standing::new(&workspace.project_dir, lock);
    standing.tell_apart(&mut project.declared);
    let mut generate = workspace.generated.clone();
    let hidden = standing.hidden(&project.unreadable);
    for (contract, generate) in workspace.contracts.iter().zip(&mut generate) {
        if let (true, Some(path)) = (*generate, hidden.get(contract.id.as_str())) {
            *generate = false;
            findings.push(unreadable(contract, path));
        }
    }
    let is_bare = |contract: &&Contract| {
        let mut objects = contract.objects.iter();
        objects.any(|object| object.columns().next().is_none())
    };
    let bare = workspace.contracts.iter().filter(is_bare);
    let catalog = workspace.catalog();
    let is_missing = |id: &str| catalog.versions(id).is_empty();
    let mut finish = finish(adapter, release);
    let input = mapping::Input {
        taken: &render::taken(&project.macros, is_own),
        unsettled: !workspace.unread.is_empty() && standing.ids().into_iter().any(is_missing),
        edited: &standing.edited(&own, files),
        contracts: &workspace.contracts,
        products: &workspace.products,
        catalog: &catalog,
        roles: &workspace.lineage.roles,
        upstreams: &workspace.lineage.upstreams,
        generate: &generate,
        ended: &workspace.retired,
        own_models: &own.into_keys().collect(),
        outputs: &workspace.lineage.outputs,
        standing: &lock.files().map(|(path, _)| path.clone()).collect(),
        with_columns: &bare
            .flat_map(|contract| standing.with_columns(contract.id.as_str()))
            .collect(),
        producers: &producers,
        config: &workspace.config,
        settings: &workspace.settings,
        adapter,
        release,
        project: &project,
        today: &today(),
    };
    let mapped = mapping::map(&input, &mut finish);
    Ok((mapped, finish, findings))
}

/// The finding that nobody knows what a file of a person says of a contract.
fn unreadable(contract: &Contract, path: &str) -> Diagnostic {
    let key = contract.key();
    let message =
        format!("`{path}` cannot be read, so that `{key}`, which it describes, stays as it is");
    Diagnostic::new(&rules::MERGE_BLOCKED, message)
        .in_file(&SourceFile::new(path, ""))
        .help("mend the file: it has to be YAML in UTF-8, as for dbt")
        .contract(contract.id.value.clone())
}

/// What dbt should have of a workspace, with everything found on the way in its sink.
pub(crate) fn mapped(workspace: &mut Workspace) -> Result<Mapped, Failure> {
    let lock = Lock::read(&workspace.project_dir).unwrap_or_default();
    settle(workspace, &lock);
    let (mapped, (), findings) = map(workspace, &lock, &Files::default(), |_, _| ())?;
    workspace.sink.extend(findings);
    workspace.sink.extend(mapped.diagnostics.iter().cloned());
    Ok(mapped)
}

/// The dbt resources of each contract, as `model.<name>` and `source.<source>.<table>`.
#[derive(Default)]
pub(crate) struct Resources {
    by_contract: BTreeMap<String, Vec<String>>,
    /// What the objects of each contract are called.
    pub(crate) names: Vec<Vec<select::Resource>>,
}

impl Resources {
    /// The resources of a workspace; none where the adapter cannot be told.
    pub(crate) fn of(workspace: &mut Workspace) -> Self {
        let mut by_contract: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let lock = Lock::read(&workspace.project_dir).unwrap_or_default();
        settle(workspace, &lock);
        let mut resources = Vec::new();
        if let Ok((mapped, ..)) = map(workspace, &lock, &Files::default(), |_, _| ()) {
            resources.clone_from(&mapped.resources);
            for file in &mapped.sources {
                let names = by_contract.entry(file.origin.contract.clone()).or_default();
                for source in &file.sources {
                    let tables = source.tables.iter();
                    names.extend(
                        tables.map(|table| format!("source.{}.{}", source.name, table.name)),
                    );
                }
            }
            for (origin, models) in mapped.models.iter().flat_map(|file| &file.origins) {
                let names = by_contract.entry(origin.contract.clone()).or_default();
                names.extend(models.iter().map(|model| format!("model.{model}")));
            }
        }
        Self {
            by_contract,
            names: resources,
        }
    }

    /// The resources of one contract.
    pub(crate) fn of_contract(&self, workspace: &Workspace, index: usize) -> &[String] {
        self.by_contract
            .get(&workspace.contracts[index].key())
            .map_or(&[], Vec::as_slice)
    }
}

/// The day in UTC as `YYYY-MM-DD`.
fn today() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar.
fn date(mut days: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_513), "2026-03-01");
    }
}
