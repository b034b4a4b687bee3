//! Names and paths that may be taken once: two contracts that want the same one are found here.

use std::collections::{BTreeMap, BTreeSet};

use super::{ModelVersion, Relation, is_below};
use crate::diagnostics::{Diagnostic, rules};
use crate::mapping::{Input, gates, models};
use crate::odcs::Contract;

/// What kind of thing is claimed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Model,
    Relation,
    Table,
    File,
}

impl Kind {
    /// How messages call it.
    fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Relation => "relation",
            Self::Table => "source table",
            Self::File => "file",
        }
    }

    /// What makes two of them differ.
    fn help(self) -> &'static str {
        match self {
            Self::Model => {
                "give one of them the custom property `dbt.model`, or change `naming.model`"
            }
            Self::Relation => "give one of them the custom property `dbt.alias` or `dbt.schema`",
            Self::Table => "give one of them the custom property `dbt.source`, or change `naming`",
            Self::File => "give one of the contracts another `name`, or change `layout`",
        }
    }
}

/// Who claims a name: a contract, and an object of it unless it is the contract as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Claimant {
    contract: usize,
    object: Option<usize>,
}

/// All claims, by kind and name in lower case: file systems and warehouses may not tell cases apart.
#[derive(Default)]
pub(super) struct Claims(BTreeMap<(Kind, String), Vec<(String, Claimant)>>);

impl Claims {
    /// Claims all that a contract needs.
    pub(super) fn add(
        &mut self,
        contract: usize,
        contracts: &[Contract],
        relations: &[Relation],
        properties: Option<&str>,
        staging: &[String],
    ) {
        for (object, relation) in relations.iter().enumerate() {
            match relation {
                Relation::Model { name, version } => {
                    let owner = &contracts[contract];
                    let stated = models::alias(owner, &owner.objects[object]).1;
                    let table = match version {
                        Some(version) => version.table(name),
                        None => stated.unwrap_or_else(|| name.clone()),
                    };
                    let table = models::relation(owner, &owner.objects[object], &table);
                    self.claim(Kind::Relation, &table, contract, Some(object));
                    // The versions of a model share its name, and a file is known by its own.
                    if version.as_ref().is_none_or(ModelVersion::is_latest) {
                        self.claim(Kind::Model, name, contract, Some(object));
                    }
                    if relation.file() != name {
                        self.claim(Kind::Model, relation.file(), contract, Some(object));
                    }
                }
                Relation::Source { source, table, .. } => {
                    let name = format!("{source}.{table}");
                    self.claim(Kind::Table, &name, contract, Some(object));
                }
            }
        }
        if let Some(properties) = properties {
            self.claim(Kind::File, properties, contract, None);
        }
        for (object, path) in staging.iter().enumerate() {
            self.claim(Kind::File, path, contract, Some(object));
        }
    }

    fn claim(&mut self, kind: Kind, name: &str, contract: usize, object: Option<usize>) {
        self.0
            .entry((kind, name.to_lowercase()))
            .or_default()
            .push((name.to_owned(), Claimant { contract, object }));
    }

    /// Blocks all contracts that claim the same, with a finding for each name.
    pub(super) fn collisions(
        self,
        input: &Input<'_>,
        blocked: &mut BTreeSet<usize>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        // The file of a model follows its name: one finding for the pair is enough.
        let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
        for ((kind, _), claims) in self.0 {
            let Some(((name, first), others)) = claims.split_first() else {
                continue;
            };
            for (_, other) in others {
                blocked.extend([first.contract, other.contract]);
                let pair = (first.contract, other.contract);
                if reported.insert(pair) || kind == Kind::Model {
                    diagnostics.push(collision(input.contracts, kind, name, *first, *other));
                }
            }
        }
    }
}

/// The finding that two claim the same name.
fn collision(
    contracts: &[Contract],
    kind: Kind,
    name: &str,
    first: Claimant,
    other: Claimant,
) -> Diagnostic {
    let describe = |claimant: Claimant| {
        let contract = &contracts[claimant.contract];
        match claimant.object.map(|object| &contract.objects[object]) {
            Some(object) => (
                format!("object `{}` of `{}`", object.name.value, contract.key()),
                object.name.span,
            ),
            None => (format!("contract `{}`", contract.key()), contract.id.span),
        }
    };
    let ((first_words, first_span), (other_words, other_span)) = (describe(first), describe(other));
    let contract = &contracts[other.contract];
    contract
        .document
        .finding(
            &rules::MAPPING_NAME_COLLISION,
            other_span,
            format!(
                "{first_words} and {other_words} both want the {} `{name}`",
                kind.word()
            ),
        )
        .label(
            &contracts[first.contract].document.file,
            first_span,
            "the other one",
        )
        .help(format!(
            "{}; until then neither contract is generated",
            kind.help()
        ))
        .contract(contract.id.value.clone())
}

/// The finding that the project has macros of its own with the names of those that go into the
/// folder `macros`: dbt would not load it.
pub(in crate::mapping) fn taken(
    taken: &BTreeMap<String, String>,
    macros: &str,
) -> Option<Diagnostic> {
    let mut taken = taken
        .iter()
        .filter(|(name, path)| *name != gates::WHERE && !is_below(path, macros));
    let (name, path) = taken.next()?;
    let others = match taken.count() {
        0 => String::new(),
        count => format!(" and {count} others"),
    };
    let message = format!(
        "the macro `{name}` of `{path}`{others} would be there twice: the tests of contracts need a \
         macro of that name"
    );
    let finding = Diagnostic::new(&rules::MAPPING_NAME_COLLISION, message);
    Some(finding.help("rename it, or delete it to take the generated one; until then no contract with such tests is generated"))
}
