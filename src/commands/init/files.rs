//! The files of `init`, as they stand in `templates/init/` and `contracts-example/`.

use super::File;
use crate::dbt::adapter::Adapter;

/// The files of a folder of this repository, by their paths in it.
macro_rules! embedded {
    ($folder:literal: $($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../", $folder, "/", $path)))),*]
    };
}

/// The example project.
const EXAMPLE: &[(&str, &str)] = embedded!("contracts-example":
    ".gitignore"
    "README.md"
    "contracts/config.yaml"
    "contracts/contracts/analytics/order_facts.odcs.yaml"
    "contracts/contracts/analytics/order_line_facts.odcs.yaml"
    "contracts/contracts/marketing/campaign_orders.odcs.yaml"
    "contracts/contracts/sales/customers.odcs.yaml"
    "contracts/contracts/sales/order_lines.odcs.yaml"
    "contracts/contracts/sales/orders.odcs.yaml"
    "contracts/contracts/sales/products.odcs.yaml"
    "contracts/contracts/sales/raw_customers.odcs.yaml"
    "contracts/contracts/sales/raw_orders.odcs.yaml"
    "contracts/contracts/sales/raw_products.odcs.yaml"
    "contracts/products/shop_analytics.odps.yaml"
    "contracts/products/shop_marketing.odps.yaml"
    "contracts/products/shop_sales.odps.yaml"
    "dbt_project.yml"
    "macros/generate_schema_name.sql"
    "profiles.yml"
    "seeds/raw_customers.csv"
    "seeds/raw_order_lines.csv"
    "seeds/raw_orders.csv"
    "seeds/raw_products.csv"
    "seeds_bad/README.md"
    "seeds_bad/raw_customers.csv"
    "seeds_bad/raw_order_lines.csv"
    "seeds_bad/raw_orders.csv"
    "seeds_bad/raw_products.csv"
);

/// What `contracts/` begins with.
const CONTRACTS: &[(&str, &str)] = &[
    (
        "contracts/config.yaml",
        include_str!("../../../templates/init/config.yaml"),
    ),
    ("contracts/contracts/.gitkeep", ""),
    ("contracts/products/.gitkeep", ""),
];

/// What a dbt project begins with.
const PROJECT: &[(&str, &str)] = &[
    (
        "dbt_project.yml",
        include_str!("../../../templates/init/dbt_project.yml"),
    ),
    (
        ".gitignore",
        include_str!("../../../templates/init/gitignore"),
    ),
    ("models/.gitkeep", ""),
];

/// The profile of a DuckDB project. Other adapters need credentials, which nobody can make up.
const PROFILE: (&str, &str) = (
    "profiles.yml",
    include_str!("../../../templates/init/profiles.yml"),
);

/// The whole example project.
pub(super) fn example() -> Vec<File> {
    let files = EXAMPLE.iter();
    files
        .map(|(path, text)| File {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect()
}

/// `contracts/`, and beside it a dbt project of that name unless there is one.
pub(super) fn scaffold(name: &str, adapter: Adapter, project: bool) -> Vec<File> {
    let mut files: Vec<&(&str, &str)> = CONTRACTS.iter().collect();
    if !project {
        files.extend(PROJECT);
        if adapter == Adapter::DuckDb {
            files.push(&PROFILE);
        }
    }
    files
        .into_iter()
        .map(|(path, text)| File {
            path: (*path).to_owned(),
            text: text
                .replace("<%= name %>", name)
                .replace("<%= adapter %>", adapter.as_str()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_example_is_embedded_whole() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("contracts-example");
        // What is generated into the folder, or by dbt, is not part of it.
        let skipped = [
            "target",
            "logs",
            "models",
            "dbt_contracts",
            "dbt-contracts.lock",
            "shop.duckdb",
            ".user.yml",
        ];
        let walk = walkdir::WalkDir::new(&folder)
            .sort_by_file_name()
            .into_iter();
        let mut files: Vec<String> = walk
            .filter_entry(|entry| !skipped.contains(&entry.file_name().to_string_lossy().as_ref()))
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                entry
                    .path()
                    .strip_prefix(&folder)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        let mut embedded: Vec<String> =
            EXAMPLE.iter().map(|(path, _)| (*path).to_owned()).collect();
        files.sort();
        embedded.sort();
        assert_eq!(files, embedded);
    }
}
