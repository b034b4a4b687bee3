//! The contracts that a workspace has already: what is imported again keeps their places and ids, and
//! what is imported anew may refer to them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::Input;
use super::draft::{ContractDraft, ObjectDraft};
use crate::dbt::jinja::normal_call;
use crate::dbt::names::slug;
use crate::document::Text;
use crate::odcs::{Contract, SchemaObject};

/// Where a call of dbt leads in a contract that is there.
pub(super) struct Elsewhere<'k> {
    /// The path of its file.
    pub(super) path: &'k str,
    pub(super) object: &'k SchemaObject,
}

/// Gives contracts that are there already their paths, and the ids that they have.
pub(super) fn recognise(input: &Input<'_>, contracts: &mut [ContractDraft]) {
    if !input.update {
        return;
    }
    // Of two of one key the first counts.
    let known = input.known.iter().rev();
    let known: BTreeMap<String, &Contract> = known.map(|known| (known.key(), known)).collect();
    for draft in contracts {
        let key = format!("{}@{}", draft.id, draft.version);
        let Some(known) = known.get(&key) else {
            continue;
        };
        draft.path.clone_from(&known.document.file.path);
        for object in &mut draft.objects {
            let same = known.objects.iter().find(|known| is_same(known, object));
            let Some(same) = same else {
                continue;
            };
            object.id = same.id.as_ref().map(|id| id.value.clone());
            for property in &mut object.properties {
                let mut columns = same.properties.iter();
                let column = columns.find(|known| {
                    let physical = known.physical_name.as_ref();
                    let mut names = std::iter::once(&known.name).chain(physical);
                    names.any(|name| name.value.eq_ignore_ascii_case(&property.name))
                });
                property.id = column
                    .and_then(|known| known.id.as_ref())
                    .map(|id| id.value.clone());
            }
        }
    }
}

/// Whether an object is that of a draft.
fn is_same(known: &SchemaObject, draft: &ObjectDraft) -> bool {
    let is_name = |name: &Text| {
        name.value.eq_ignore_ascii_case(&draft.name)
            || draft
                .physical_name
                .as_ref()
                .is_some_and(|own| own.eq_ignore_ascii_case(&name.value))
    };
    let call = normal_call(&draft.call);
    is_name(&known.name)
        || known.physical_name.as_ref().is_some_and(is_name)
        || call.is_some_and(|call| {
            let resource = call.rsplit('\0').next().unwrap_or_default();
            let stated = ["dbt.model", "dbt.table"].map(|key| known.custom.text(key));
            stated
                .into_iter()
                .flatten()
                .any(|name| name.value == resource)
        })
}

/// The objects of the contracts that are there, by the calls of dbt that select them. They are looked
/// at when somebody first asks.
pub(super) struct Known<'k> {
    contracts: &'k [Contract],
    calls: OnceCell<BTreeMap<String, Elsewhere<'k>>>,
}

impl<'k> Known<'k> {
    /// Those of the contracts.
    pub(super) fn new(contracts: &'k [Contract]) -> Self {
        let calls = OnceCell::new();
        Self { contracts, calls }
    }

    /// The object that a call selects; of several that of the first contract.
    pub(super) fn find(&self, call: &str) -> Option<&Elsewhere<'k>> {
        let call = normal_call(call)?;
        self.calls.get_or_init(|| calls(self.contracts)).get(&call)
    }
}

/// The calls that select an object, as a model and as a table of a source.
fn calls(contracts: &[Contract]) -> BTreeMap<String, Elsewhere<'_>> {
    let mut calls = BTreeMap::new();
    for contract in contracts {
        for object in &contract.objects {
            let stated = |key: &str| {
                let own = object.custom.text(key);
                let stated = own.or_else(|| contract.custom.text(key));
                stated.map(|text| text.value)
            };
            let own = slug(&object.name.value);
            let name = contract.name.as_ref().unwrap_or(&contract.id);
            let model = stated("dbt.model").unwrap_or_else(|| format!("stg_{own}"));
            let source = stated("dbt.source").unwrap_or_else(|| slug(&name.value));
            let table = stated("dbt.table").unwrap_or(own);
            for call in [
                ["ref", &model].join("\0"),
                ["source", &source, &table].join("\0"),
            ] {
                calls.entry(call).or_insert(Elsewhere {
                    path: &contract.document.file.path,
                    object,
                });
            }
        }
    }
    calls
}

impl Elsewhere<'_> {
    /// The reference to one of its columns, from the contract at a path; only ids lead from one file to
    /// another.
    pub(super) fn reference(&self, from: &str, column: &str) -> Option<String> {
        let mut columns = self.object.properties.iter();
        let property = columns.find(|known| {
            let physical = known.physical_name.as_ref();
            let mut names = std::iter::once(&known.name).chain(physical);
            names.any(|name| name.value.eq_ignore_ascii_case(column))
        })?;
        let (object, property) = (self.object.id.as_ref()?, property.id.as_ref()?);
        let file = relative(from, self.path);
        Some(format!(
            "{file}#/schema/{}/properties/{}",
            object.value, property.value
        ))
    }
}

/// The path of a file as one in another place writes it.
pub(super) fn relative(from: &str, to: &str) -> String {
    let folders = |path: &str| -> Vec<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let parts = folder.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (own, other) = (folders(from), folders(to));
    let shared = own
        .iter()
        .zip(&other)
        .take_while(|(one, two)| one == two)
        .count();
    let file = to.rsplit('/').next().unwrap_or_default().to_owned();
    let up = std::iter::repeat_n("..".to_owned(), own.len() - shared);
    let down = other[shared..].iter().cloned();
    up.chain(down).chain([file]).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn files_are_named_from_where_they_are_referred_to() {
        for (from, to, expected) in [
            ("c/a.yaml", "c/b.yaml", "b.yaml"),
            ("c/a.yaml", "c/sales/b.yaml", "sales/b.yaml"),
            ("c/sales/a.yaml", "c/b.yaml", "../b.yaml"),
            ("c/sales/a.yaml", "c/erp/b.yaml", "../erp/b.yaml"),
            ("a.yaml", "c/b.yaml", "c/b.yaml"),
        ] {
            assert_eq!(relative(from, to), expected, "{from} {to}");
        }
    }
}
