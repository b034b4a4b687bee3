//! Versions of one id in the graph: a version that no output port names is what its siblings are.

use super::{Builder, Edge, Role};
use crate::catalog;
use crate::odps::Product;

/// A version that no output port names, and the best one of its id that some port does.
#[derive(Clone, Copy)]
pub(super) struct Sibling {
    own: usize,
    named: usize,
}

impl Builder<'_> {
    /// Makes every version of an id a model once an output port names one of them, except for those
    /// that the same product reads: there the newer version is made of the older one.
    pub(super) fn siblings(&mut self) {
        for (_, versions) in self
            .catalog
            .ids()
            .filter(|(_, versions)| versions.len() > 1)
        {
            let named = versions
                .iter()
                .copied()
                .filter(|index| self.lineage.outputs[*index])
                .max_by_key(|index| catalog::rank(&self.contracts[*index]));
            let Some(named) = named else { continue };
            let producer = self.lineage.producers[named];
            for own in versions.iter().copied() {
                let reads = |product: usize| self.reads(&self.products[product], own);
                if self.lineage.outputs[own] || producer.is_some_and(reads) {
                    continue;
                }
                self.lineage.roles[own] = Role::Model;
                self.lineage.producers[own] = producer;
                self.siblings.push(Sibling { own, named });
            }
        }
    }

    /// Makes those versions of what their sibling is made of.
    pub(super) fn edges_of_siblings(&mut self) {
        for Sibling { own, named } in self.siblings.clone() {
            let inputs = self.lineage.edges.iter().filter(|edge| edge.to == named);
            let inputs: Vec<Edge> = inputs
                .filter(|edge| edge.from != own)
                .map(|edge| Edge { to: own, ..*edge })
                .collect();
            for edge in inputs {
                self.edge(edge);
            }
            if let Some(causes) = self.lineage.incomplete.get(&named).cloned() {
                self.lineage.incomplete.insert(own, causes);
            }
        }
    }

    /// Whether a product says that it reads a contract.
    fn reads(&self, product: &Product, contract: usize) -> bool {
        let ports = product.input_ports.iter().map(|port| self.bound(port));
        let made_of = product
            .output_ports
            .iter()
            .flat_map(|port| port.input_contracts.iter().flatten())
            .map(|input| self.find(&input.id, input.version.as_ref()));
        ports.chain(made_of).flatten().any(|read| read == contract)
    }
}
