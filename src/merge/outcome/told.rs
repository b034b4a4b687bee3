//! What people are told about a file that stays, or about the parts of it that do.

use super::{Action, Choice, Outcome, Status};
use crate::diagnostics::{Diagnostic, Rule, Severity, SourceFile, rules};
use crate::merge::keys::Key;

/// What shows both sides, and takes one.
const DECIDE: &str = "`dbt-contracts sync --force` takes the contract's side, \
                      `dbt-contracts sync --keep-mine` yours; `dbt-contracts diff --force` shows both";

impl Outcome {
    /// What people should know, where something is not as the contract has it and stays.
    pub(in crate::merge) fn diagnostics(&self) -> Vec<Diagnostic> {
        let findings = match &self.merge {
            Some(merge) if self.held.is_none() => self.of_parts(&merge.keys),
            _ => self.of_file().into_iter().collect(),
        };
        findings
            .into_iter()
            .map(|finding| self.contract(finding))
            .collect()
    }

    /// The findings about the parts of a properties file: each conflict, and all edits together.
    fn of_parts(&self, keys: &[Key]) -> Vec<Diagnostic> {
        let stays = |key: &&Key| match self.chosen {
            Choice::Contract => key.blocked,
            Choice::Safe | Choice::Mine | Choice::Later => true,
        };
        let pruned = self.merge.as_ref().is_some_and(|merge| merge.prune);
        let stays = |key: &&Key| stays(key) && !(pruned && key.status == Status::Orphaned);
        let accepted = self.chosen == Choice::Mine;
        let of = |status: Status| {
            let is = move |key: &&Key| {
                let settled = accepted && key.status == Status::Conflict;
                let found = if settled { Status::Edited } else { key.status };
                found == status
            };
            keys.iter().filter(stays).filter(is).collect::<Vec<&Key>>()
        };
        let mut findings: Vec<Diagnostic> = of(Status::Conflict)
            .into_iter()
            .map(|key| self.conflict(key))
            .collect();
        let edited = of(Status::Edited);
        if let Some(first) = edited.first() {
            let words: Vec<String> = edited.iter().map(|key| name(key)).collect();
            let message = format!(
                "`{}` keeps what was changed by hand: {}",
                self.path,
                words.join(", ")
            );
            let help = "`dbt-contracts diff --force` shows the contract's side, \
                        `dbt-contracts sync --force` takes it";
            findings.push(self.at(&rules::MERGE_EDITED, first, message).help(help));
        }
        let mut left: Vec<&Key> = of(Status::Orphaned);
        left.dedup_by_key(|key| &key.resource);
        findings.extend(left.into_iter().filter(|_| !accepted).map(|key| {
            let (kind, name) = key.resource.split_once(' ').unwrap_or(("", &key.resource));
            let message = format!(
                "`{}` has what was generated for the {kind} `{name}`, and no contract asks for it any more",
                self.path
            );
            let help = "`dbt-contracts sync --prune` takes it out, \
                        `dbt-contracts sync --keep-mine` makes it yours";
            self.at(&rules::MERGE_ORPHANED, key, message).help(help)
        }));
        findings
    }

    /// The finding about one part that is in conflict.
    fn conflict(&self, key: &Key) -> Diagnostic {
        let name = name(key);
        let known = self.base.is_some();
        let is_tag = key.key.split('/').any(|step| step == "tags");
        let (message, help) = match (&key.wanted, key.blocked) {
            (Some(wanted), true) if is_tag => (
                format!("the tag `{wanted}` is to be added, and `tags` is no list of its own"),
                "write `tags` as a list of its own, and run `dbt-contracts sync` again".to_owned(),
            ),
            (Some(wanted), true) => (
                format!(
                    "{name} is to become `{wanted}`, and its text is shared by an anchor or alias"
                ),
                "write it out where it is used, and run `dbt-contracts sync` again".to_owned(),
            ),
            (None, true) => (
                format!(
                    "no contract asks for {name} any more, and its text is shared by an anchor or alias"
                ),
                "remove it by hand".to_owned(),
            ),
            (Some(wanted), false) if known => (
                format!(
                    "{name} was changed by hand, and the contract has changed it too: it says `{wanted}`"
                ),
                DECIDE.to_owned(),
            ),
            (Some(wanted), false) => (
                format!("{name} differs from the contract, which says `{wanted}`"),
                DECIDE.to_owned(),
            ),
            (None, false) => (
                format!(
                    "no contract asks for {name} any more, and it was changed or commented by hand"
                ),
                DECIDE.to_owned(),
            ),
        };
        self.at(&rules::MERGE_EDITED, key, message)
            .help(help)
            .severity(Severity::Error)
    }

    fn at(&self, rule: &'static Rule, key: &Key, message: String) -> Diagnostic {
        let file = SourceFile::new(self.path.as_str(), self.old.clone().unwrap_or_default());
        let finding = Diagnostic::new(rule, message);
        match key.span {
            Some(span) => finding.at(&file, span),
            None => finding.in_file(&file),
        }
    }

    /// The finding about a file that can only be taken or left as a whole.
    fn of_file(&self) -> Option<Diagnostic> {
        let path = &self.path;
        let deleted = self.old.is_none();
        let (rule, message, help) = match (&self.blocked, self.status) {
            _ if self.action != Action::Leave || self.addition => return None,
            // An orphan that a person took over is nobody's business any more, and one that moves
            // is told of where it moves to.
            (_, Status::Edited) if self.plan.is_none() => return None,
            (_, Status::Orphaned) if self.new_place.is_some() => return None,
            (Some(reason), _) => (
                &rules::MERGE_BLOCKED,
                format!("`{path}` {reason}"),
                if self.bound.is_some() {
                    "mend the file, or describe the resource in a properties file of its own, and run \
                     `dbt-contracts sync` again"
                } else {
                    "move what stands there, or change `layout` in `contracts/config.yaml`"
                }
                .to_owned(),
            ),
            (None, Status::Edited) => (
                &rules::MERGE_EDITED,
                if deleted {
                    format!("`{path}` was deleted by hand and stays deleted")
                } else {
                    format!("`{path}` was changed by hand and stays as it is")
                },
                "`dbt-contracts diff --force` shows the contract's side, \
                 `dbt-contracts sync --force` takes it"
                    .to_owned(),
            ),
            (None, Status::Conflict) => (
                &rules::MERGE_EDITED,
                match (&self.old_place, &self.base, deleted) {
                    (Some(old), ..) => format!(
                        "`{path}` would stand beside `{old}`, which was changed by hand and is the \
                         same to dbt"
                    ),
                    (_, None, _) => format!(
                        "`{path}` was not generated by dbt-contracts and differs from the contract"
                    ),
                    (_, Some(_), true) => {
                        format!("`{path}` was deleted by hand, and the contract has changed since")
                    }
                    (_, Some(_), false) => {
                        format!("`{path}` was changed by hand, and the contract has changed too")
                    }
                },
                DECIDE.to_owned(),
            ),
            (None, Status::Orphaned) if self.held.is_none() => (
                &rules::MERGE_ORPHANED,
                format!("`{path}` was generated once, and no contract asks for it any more"),
                if self.edited {
                    "it was changed by hand: delete it yourself, or make it yours with \
                     `dbt-contracts sync --keep-mine`"
                        .to_owned()
                } else {
                    "`dbt-contracts sync --prune` deletes it".to_owned()
                },
            ),
            (None, Status::Unchanged | Status::Modified | Status::New | Status::Orphaned) => (
                &rules::MERGE_HELD,
                format!(
                    "`{path}` waits for `{}`, which is in conflict",
                    self.held.as_ref()?
                ),
                "decide about that file first: the two belong together".to_owned(),
            ),
        };
        let message = match &self.apart {
            Some(reason) => {
                format!("{message}; part by part they cannot be merged, since it {reason}")
            }
            None => message,
        };
        let file = SourceFile::new(path.as_str(), self.old.clone().unwrap_or_default());
        let diagnostic = Diagnostic::new(rule, message).in_file(&file).help(help);
        // An edit that the contract does not contradict is at rest; a conflict asks for a decision.
        Some(match self.status {
            Status::Conflict => diagnostic.severity(Severity::Error),
            _ => diagnostic,
        })
    }

    /// The finding with the contract that the file comes from, where that is one.
    fn contract(&self, finding: Diagnostic) -> Diagnostic {
        match self.contracts.as_slice() {
            [contract] => {
                let id = contract
                    .rsplit_once('@')
                    .map_or(contract.as_str(), |(id, _)| id);
                finding.contract(id)
            }
            _ => finding,
        }
    }
}

/// What a part is called: `` `columns/amount/data_type` of model `orders` ``.
fn name(key: &Key) -> String {
    let (kind, resource) = key.resource.split_once(' ').unwrap_or(("", &key.resource));
    if key.key.is_empty() {
        format!("{kind} `{resource}`")
    } else {
        format!("`{}` of {kind} `{resource}`", key.key)
    }
}
