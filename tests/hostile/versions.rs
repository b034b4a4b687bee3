//! Several versions of a contract beside what a person has, and what was generated of them.

use crate::bound::{MARTS, written};
use crate::project::{ID, PRODUCT, Project, contract};

/// A contract of that version and status with a column more than [`ID`].
fn next(version: &str, status: &str) -> String {
    let further = format!("{ID}      - {{name: total, logicalType: number}}\n");
    contract("orders", &further)
        .replace("version: 1.0.0", &format!("version: {version}"))
        .replace("status: active", &format!("status: {status}"))
}

#[test]
fn versions_that_a_person_describes_are_not_made_again() {
    let project = written();
    project.remove("models/marts/orders.sql");
    project.write("models/marts/orders_v1.sql", "select 1 as id\n");
    let marts = MARTS.replace(
        "      columns:\n",
        "      versions: [{v: 1}]\n      columns:\n",
    );
    project.write("models/marts/all.yaml", &marts);
    let codes = project.codes(&["sync"]);
    assert!(
        codes.contains(&"mapping/name-collision".to_owned()),
        "{codes:?}"
    );
    assert!(!project.exists("models/contracts/orders"));

    let project = Project::empty();
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    let first = contract("orders", ID);
    project.write("contracts/contracts/v1.yaml", &first);
    project.write(
        "contracts/contracts/v2.yaml",
        &first.replace("version: 1.0.0", "version: 2.0.0"),
    );
    project.write(
        "contracts/products/shop.yaml",
        &format!("{PRODUCT}  - {{name: out, version: 2.0.0, contractId: orders}}\n"),
    );
    project.write(
        "models/s.yml",
        "models:\n  - name: orders\n    versions: [{v: 1, defined_in: old}, {v: 2}]\n",
    );
    for name in ["old", "orders_v2"] {
        project.write(&format!("models/{name}.sql"), "select 1 as id\n");
    }
    let codes = project.codes(&["sync"]);
    assert!(
        codes.contains(&"mapping/name-collision".to_owned()),
        "{codes:?}"
    );
    assert!(!project.exists("models/contracts/orders"));
    assert!(!project.exists("models/contracts/stg_orders"));
}

#[test]
fn a_described_model_follows_the_version_that_its_product_names() {
    let project = written();
    let first = contract("orders", ID);
    let has_total = || {
        let (code, _, told) = project.run(&["sync"]);
        assert_eq!(code, 0, "{told}");
        assert!(!project.exists("models/contracts/orders"), "{told}");
        let text = project.read("models/marts/all.yaml");
        assert!(text.contains("# everybody's darling") && text.contains("tests: [unique"));
        assert_eq!(project.run(&["diff"]).0, 0, "{text}");
        text.contains("name: total")
    };
    // Somebody works on the next version, minor or major: the model keeps what is promised now.
    for version in ["1.1.0", "2.0.0"] {
        project.write("contracts/contracts/next.yaml", &next(version, "draft"));
        assert!(!has_total(), "{version}");
    }
    // It is out, and the old one over.
    project.write("contracts/contracts/next.yaml", &next("2.0.0", "active"));
    let retired = first.replace("status: active", "status: retired");
    project.write("contracts/contracts/orders.yaml", &retired);
    let named = "version: 1.0.0, contractId: orders";
    let product = PRODUCT.replace(named, &named.replace("1.0.0", "2.0.0"));
    project.write("contracts/products/shop.yaml", &product);
    assert!(has_total());
    // One model cannot be both.
    project.write("contracts/contracts/orders.yaml", &first);
    let both = format!("{product}  - {{name: old, version: 1.0.0, contractId: orders}}\n");
    project.write("contracts/products/shop.yaml", &both);
    let before = project.read("models/marts/all.yaml");
    let codes = project.codes(&["sync"]);
    assert!(
        codes.contains(&"mapping/name-collision".to_owned()),
        "{codes:?}"
    );
    assert_eq!(project.read("models/marts/all.yaml"), before);
}

#[test]
fn sql_that_a_person_wrote_follows_one_version_without_an_entry_too() {
    let project = written();
    let (models, sources) = MARTS.split_once("sources:").unwrap();
    assert!(models.contains("orders"));
    project.write("models/marts/all.yaml", &format!("sources:{sources}"));
    assert_eq!(project.run(&["sync"]).0, 0);
    let before = project.read("models/contracts/orders/schema.yml");
    project.write("contracts/contracts/next.yaml", &next("2.0.0", "draft"));
    assert_eq!(project.run(&["sync"]).0, 0);
    assert_eq!(project.read("models/contracts/orders/schema.yml"), before);
    assert!(!project.exists("models/contracts/orders/stg_orders_v2.sql"));
}

#[test]
fn a_mart_of_the_name_of_an_object_leaves_generated_versions_alone() {
    let project = Project::generated();
    project.write(
        "models/marts/orders.sql",
        "select * from {{ ref('stg_orders') }}\n",
    );
    project.write(
        "models/marts/all.yml",
        "models:\n  - name: orders\n    description: The mart\n",
    );
    project.write("contracts/contracts/next.yaml", &next("2.0.0", "active"));
    let both = format!("{PRODUCT}  - {{name: new, version: 2.0.0, contractId: orders}}\n");
    project.write("contracts/products/shop.yaml", &both);
    let (code, _, told) = project.run(&["sync"]);
    assert_eq!(code, 0, "{told}");
    let schema = project.read("models/contracts/orders/schema.yml");
    assert!(
        schema.contains("v: 1\n") && schema.contains("v: 2\n"),
        "{schema}"
    );
    // Also where somebody wrote to the file before: what stands in the versions now is nowhere else.
    let project = Project::generated();
    project.append("models/contracts/orders/schema.yml", "# mine\n");
    assert_eq!(project.run(&["sync"]).0, 0);
    project.write("contracts/contracts/next.yaml", &next("2.0.0", "active"));
    project.write("contracts/products/shop.yaml", &both);
    assert_eq!(project.run(&["sync"]).0, 0);
    let text = project.read("models/contracts/orders/schema.yml");
    assert!(
        text.contains("# mine") && !text.contains("\n    columns:"),
        "{text}"
    );
    // Where nothing of what somebody wrote is left, a second run has nothing to do.
    let project = Project::generated();
    let text = project.read("models/contracts/orders/schema.yml");
    let spaced = text.replacen("- not_null", "-  not_null", 1);
    assert_ne!(spaced, text);
    project.write("models/contracts/orders/schema.yml", &spaced);
    project.write("contracts/contracts/next.yaml", &next("2.0.0", "active"));
    project.write("contracts/products/shop.yaml", &both);
    assert_eq!(project.run(&["sync"]).0, 0);
    assert_eq!(project.run(&["diff"]).0, 0);
}

#[test]
fn another_version_that_is_not_selected_is_no_orphan() {
    for bound in [false, true] {
        let project = if bound {
            written()
        } else {
            Project::generated()
        };
        assert_eq!(project.run(&["sync"]).0, 0);
        project.write("contracts/contracts/next.yaml", &next("1.1.0", "draft"));
        assert_eq!(project.run(&["sync"]).0, 0);
        let tree = || {
            let files = [
                "models/marts/all.yaml",
                "models/contracts/orders/schema.yml",
            ];
            let files = files.iter().filter(|path| project.exists(path));
            files.map(|path| project.read(path)).collect::<Vec<_>>()
        };
        let before = tree();
        for selection in [["-s", "status:draft"], ["--exclude", "status:active"]] {
            let arguments = [&["sync", "--prune"], &selection[..]].concat();
            let (code, out, told) = project.run(&arguments);
            assert_eq!((code, tree()), (0, before.clone()), "{out}{told}");
        }
        assert_eq!(project.run(&["diff"]).0, 0);
    }
}

#[test]
fn sql_of_a_person_stays_where_ports_name_two_versions() {
    let project = Project::empty();
    let (sql, text) = ("models/marts/orders.sql", "select 1 as id -- mine\n");
    project.write(sql, text);
    project.write("contracts/contracts/raw.yaml", &contract("raw", ID));
    project.write("contracts/contracts/orders.yaml", &contract("orders", ID));
    project.write("contracts/contracts/next.yaml", &next("2.0.0", "active"));
    let second = "  - {name: next, version: 2.0.0, contractId: orders}\n";
    project.write(
        "contracts/products/shop.yaml",
        &format!("{PRODUCT}{second}"),
    );
    for arguments in [["sync"].as_slice(), &["sync", "--force", "--prune"]] {
        let (code, _, told) = project.run(arguments);
        assert_eq!(code, 0, "{told}");
        assert_eq!(project.read(sql), text);
        // Each port has a model of its own, beside it.
        for version in [1, 2] {
            let made = format!("models/contracts/orders/stg_orders_v{version}.sql");
            assert!(project.exists(&made), "{told}");
        }
    }
}

#[test]
fn a_model_that_names_its_contract_stays_one_whatever_another_contract_has() {
    for named in ["1.0.0", "2.0.0"] {
        let project = written();
        project.write("contracts/contracts/next.yaml", &next("2.0.0", "active"));
        let other = contract("other", ID).replace("- name: other", "- name: orders");
        project.write("contracts/contracts/other.yaml", &other);
        let ports = PRODUCT.replace(
            "1.0.0, contractId: orders",
            &format!("{named}, contractId: orders"),
        );
        let further = "  - {name: other, version: 1.0.0, contractId: other}\n";
        project.write("contracts/products/shop.yaml", &format!("{ports}{further}"));
        project.remove("models/marts/orders.sql");
        project.write("models/marts/sold.sql", "select 1 as id\n");
        let marts = MARTS
            .replace("- name: orders", "- name: sold")
            .replace("{materialized: table}", "{meta: {data_contract: orders}}");
        project.write("models/marts/all.yaml", &marts);
        assert_eq!(project.run(&["sync", "--force"]).0, 0);
        let all = project.artifacts();
        for forgets in [false, true] {
            if forgets {
                project.remove("contracts/dbt-contracts.lock");
            }
            let (code, _, told) = project.run(&["sync"]);
            assert_eq!((code, project.artifacts()), (0, all.clone()), "{told}");
        }
        assert!(project.exists("models/contracts/other/stg_orders.sql"));
        assert!(!project.exists("models/contracts/orders"));
    }
}
