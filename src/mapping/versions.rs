//! Several versions of one contract: which of them are generated, and how dbt calls them.
//!
//! A model has one version for each major number, since a minor one replaces the one before; output
//! ports that name several of one major keep them all. A model that a person has follows one
//! version for all majors, unless output ports name several. A source is one table, whatever the
//! version: the one that a port names, and the best of them where ports name several or none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::Input;
use crate::catalog;
use crate::dbt::properties::Value;
use crate::diagnostics::{Diagnostic, rules};
use crate::document::Text;
use crate::lineage::Role;
use crate::odcs::Contract;
use crate::odps::Product;
use crate::version::{Version, line as line_of};

/// How dbt calls a version of a model, its `v`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// By the major number.
    Major(u64),
    /// By a text. dbt takes a number 0 for none.
    Text(String),
}

impl Number {
    /// The number of a contract, by its major number where no other version has that.
    fn of(contract: &Contract, alone: bool) -> Self {
        let text = contract.version.value.trim();
        match Version::parse(text).major() {
            Some(0) if alone => Self::Text("0".to_owned()),
            Some(major) if alone => Self::Major(major),
            _ => {
                let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
                let is_safe = |part: char| part.is_ascii_alphanumeric() || "._-".contains(part);
                let safe = |part: char| if is_safe(part) { part } else { '_' };
                Self::Text(text.chars().map(safe).collect())
            }
        }
    }

    /// The value in a properties file.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Major(major) => Value::Int(i128::from(*major)),
            Self::Text(text) => Value::from(text.as_str()),
        }
    }

    /// The argument of `ref()`.
    pub(super) fn argument(&self) -> String {
        match self {
            Self::Major(major) => major.to_string(),
            Self::Text(text) => format!("'{text}'"),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Major(major) => write!(f, "{major}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The versions of all contracts.
pub(super) struct Versions {
    chosen: Vec<usize>,
    numbers: Vec<Option<Number>>,
}

impl Versions {
    /// Reads the versions. Those that are not generated are noted. `by_hand` are the ids of contracts
    /// with models that persons have.
    pub(super) fn read(
        input: &Input<'_>,
        by_hand: &BTreeSet<&str>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut lines: BTreeMap<(&str, Option<String>), Vec<usize>> = BTreeMap::new();
        for (index, contract) in input.contracts.iter().enumerate() {
            let line = match input.roles[index] {
                Role::Model if by_hand.contains(contract.id.as_str()) => Some(String::new()),
                Role::Model => Some(line_of(&contract.version.value)),
                Role::Source => None,
            };
            let members = lines.entry((contract.id.as_str(), line)).or_default();
            members.push(index);
        }
        let reads = reads(input);
        let named: BTreeSet<usize> = reads.iter().map(|read| read.contract).collect();
        let mut versions = Self {
            chosen: (0..input.contracts.len()).collect(),
            numbers: vec![None; input.contracts.len()],
        };
        for ((_, line), members) in lines {
            let kept = if line.is_some() {
                kept(input, &members)
            } else {
                let named = in_force(input, &members, &|index| named.contains(&index));
                let best = best(input, &named).or_else(|| best(input, &members));
                best.into_iter().collect()
            };
            let Some(first) = best(input, &kept) else {
                continue;
            };
            for index in members {
                if !kept.contains(&index) {
                    versions.chosen[index] = first;
                    diagnostics.extend(replaced(input, index, first));
                } else if line.is_some() {
                    let line = |index: usize| line_of(&input.contracts[index].version.value);
                    let mut alike = kept.iter().filter(|kept| line(**kept) == line(index));
                    let alone = alike.nth(1).is_none();
                    versions.numbers[index] = Some(Number::of(&input.contracts[index], alone));
                }
            }
        }
        for read in reads {
            let index = read.contract;
            let chosen = versions.chosen(index);
            let contract = &input.contracts[index];
            let is_by_hand = by_hand.contains(contract.id.as_str());
            let is_one = input.roles[index] == Role::Source || is_by_hand;
            if is_one && chosen != index {
                diagnostics.extend(read.gets(contract, &input.contracts[chosen], is_by_hand));
            }
        }
        versions
    }

    /// The version that is generated in the place of a contract.
    pub(super) fn chosen(&self, contract: usize) -> usize {
        self.chosen[contract]
    }

    /// How dbt calls a version that may be generated as one of a model.
    pub(super) fn number(&self, contract: usize) -> Option<&Number> {
        self.numbers[contract].as_ref()
    }
}

/// The versions of one major number that are generated: those that output ports name, else the best.
fn kept(input: &Input<'_>, members: &[usize]) -> Vec<usize> {
    let named = in_force(input, members, &|index| input.outputs[index]);
    if named.is_empty() {
        best(input, members).into_iter().collect()
    } else {
        named
    }
}

/// Those of the versions that ports name and that are not retired.
fn in_force(input: &Input<'_>, members: &[usize], is_named: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let is_over = |index: usize| catalog::is_retired(&input.contracts[index]);
    let members = members.iter().copied();
    members
        .filter(|index| is_named(*index) && !is_over(*index))
        .collect()
}

/// A place in a product that names a version of a contract to read.
struct Read<'a> {
    product: &'a Product,
    version: &'a Text,
    contract: usize,
}

impl Read<'_> {
    /// The warning that it gets another version, unless that is called the same.
    fn gets(&self, named: &Contract, other: &Contract, is_by_hand: bool) -> Option<Diagnostic> {
        let (asked, gets) = (&named.version, &other.version);
        let (what, why) = if is_by_hand {
            ("model", "the model is written by hand, as one")
        } else {
            ("source", "a source is one table")
        };
        let help = format!("{why}: let all ports name one version that is not retired");
        let message = format!(
            "the product `{}` asks for version `{}` of the {what} `{}` and gets version `{}`",
            self.product.label(),
            asked.value,
            other.id.value,
            gets.value
        );
        let document = &self.product.document;
        (asked.value != gets.value).then(|| {
            document
                .finding(&rules::MAPPING_OTHER_VERSION, self.version.span, message)
                .label(&other.document.file, gets.span, "this version is generated")
                .help(help)
                .contract(other.id.value.clone())
        })
    }
}

/// The versions that input ports and `inputContracts` name.
fn reads<'a>(input: &Input<'a>) -> Vec<Read<'a>> {
    let mut reads = Vec::new();
    for product in input.products {
        let ports = product.input_ports.iter();
        let ports = ports.filter_map(|port| Some((port.contract_id.as_ref()?, &port.version)));
        let outputs = product.output_ports.iter();
        let inputs = outputs.flat_map(|port| port.input_contracts.iter().flatten());
        let inputs = inputs.map(|input| (&input.id, &input.version));
        reads.extend(ports.chain(inputs).filter_map(|(id, version)| {
            let version = version.as_ref()?;
            let found = input.catalog.find(id.as_str(), Some(version.as_str()));
            Some(Read {
                product,
                version,
                contract: found.contract()?,
            })
        }));
    }
    reads
}

/// The first of the versions that nothing is better than.
pub(super) fn best(input: &Input<'_>, candidates: &[usize]) -> Option<usize> {
    let rank = |index: usize| catalog::rank(&input.contracts[index]);
    candidates.iter().copied().reduce(|best, other| {
        if rank(other) > rank(best) {
            other
        } else {
            best
        }
    })
}

/// The note that another version is generated in the place of one.
fn replaced(input: &Input<'_>, index: usize, by: usize) -> Option<Diagnostic> {
    let (contract, other) = (&input.contracts[index], &input.contracts[by]);
    let (own, best) = (&contract.version, &other.version);
    (own.value != best.value).then(|| {
        contract
            .document
            .finding(
                &rules::MAPPING_NO_COUNTERPART,
                own.span,
                format!(
                    "version `{}` of the contract `{}` is not generated beside version `{}`",
                    own.value, contract.id.value, best.value
                ),
            )
            .label(&other.document.file, best.span, "this version is generated")
            .contract(contract.id.value.clone())
    })
}
