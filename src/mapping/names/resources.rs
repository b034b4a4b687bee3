//! What selections call the objects of contracts: the names and paths that they have in dbt.

use super::{Names, Relation};
use crate::select::Resource;

impl Names {
    /// The models and source tables of each contract.
    pub(in crate::mapping) fn resources(&self) -> Vec<Vec<Resource>> {
        let of_contract = |(index, relations): (usize, &Vec<Relation>)| {
            let relations = relations.iter().enumerate();
            let resources = relations.map(|(object, relation)| {
                let paths = [
                    self.properties.get(index),
                    self.staging.get(index).and_then(|paths| paths.get(object)),
                ];
                Resource {
                    source: match relation {
                        Relation::Model { .. } => None,
                        Relation::Source { source, .. } => Some(source.clone()),
                    },
                    name: relation.name().to_owned(),
                    paths: paths.into_iter().flatten().cloned().collect(),
                }
            });
            resources.collect()
        };
        self.relations.iter().enumerate().map(of_contract).collect()
    }
}
