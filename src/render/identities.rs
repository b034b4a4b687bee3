//! Columns that may have had another name: what was mapped comes in, the keys that lead to each such
//! column in its properties file go out.

use crate::dbt::properties::{Column, Identity, Model, Source};

/// The columns that are known by more than their names.
pub(super) fn of(sources: &[Source], models: &[Model]) -> Vec<(Vec<String>, Identity)> {
    let mut found = Vec::new();
    for source in sources {
        for table in &source.tables {
            let path = [
                format!("sources/{}", source.name),
                format!("tables/{}", table.name),
            ];
            add(&path, &table.columns, &mut found);
        }
    }
    for model in models {
        let name = format!("models/{}", model.name);
        add(std::slice::from_ref(&name), &model.body.columns, &mut found);
        for version in &model.versions {
            let path = [name.clone(), format!("versions/{}", version.v)];
            add(&path, &version.body.columns, &mut found);
        }
    }
    found
}

fn add(path: &[String], columns: &[Column], found: &mut Vec<(Vec<String>, Identity)>) {
    let known = columns
        .iter()
        .filter(|column| column.identity != Identity::default());
    found.extend(known.map(|column| {
        let column_key = format!("columns/{}", column.name.to_lowercase());
        let path = path.iter().cloned().chain([column_key]);
        (path.collect(), column.identity.clone())
    }));
}
