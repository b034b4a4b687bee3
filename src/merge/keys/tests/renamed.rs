//! Columns that get other names.

use super::*;

/// A column under another name is still the one that a person wrote to.
#[test]
fn what_a_person_said_of_a_column_goes_along_when_it_is_renamed() {
    let disk = BASE.replace(
        "        description: Cents\n",
        "        description: Cents\n        docs: {mine: 1}   # yes\n",
    );
    let ours = changed("name: amount", "name: total").replace("Cents", "Euros");
    let path = vec!["models/orders".to_owned(), "columns/total".to_owned()];
    let (id, name) = (Some("a".to_owned()), Some("Amount".to_owned()));
    let mut known = Base::of(BASE, None);
    known.identify(&[(
        vec!["models/orders".to_owned(), "columns/amount".to_owned()],
        Identity {
            id: id.clone(),
            renamed_from: None,
        },
    )]);
    for (identity, base) in [
        (
            Identity {
                id,
                renamed_from: None,
            },
            known,
        ),
        (
            Identity {
                id: None,
                renamed_from: name,
            },
            Base::of(BASE, None),
        ),
    ] {
        let identities = &[(path.clone(), identity)];
        let (bound, prune) = (false, false);
        let result = merge(
            Ours {
                text: &ours,
                identities,
                bound,
                prune,
                adapter: None,
            },
            &disk,
            &base,
        )
        .unwrap();
        assert_eq!(
            result.safe,
            disk.replace("name: amount", "name: total")
                .replace("Cents", "Euros")
        );
        assert_eq!(result.status, Status::Modified);
        let again = next(&result, &ours);
        assert_eq!(again.status, Status::Unchanged);
    }
}

/// Two columns that change places take along what a person said of each, and nothing of the other's.
#[test]
fn columns_that_change_names_with_each_other_take_their_own_along() {
    let columns = |first: &str, second: &str| {
        format!(
            "models:\n  - name: orders\n    columns:\n      - name: {first}\n        description: Net\n\
             {{net}}      - name: {second}\n        description: Gross\n{{gross}}"
        )
    };
    let with =
        |text: &str, net: &str, gross: &str| text.replace("{net}", net).replace("{gross}", gross);
    let identities = |names: [&str; 2]| -> Vec<(Vec<String>, Identity)> {
        let ids = ["n", "g"].into_iter().zip(names);
        let identity = |id: &str| Identity {
            id: Some(id.to_owned()),
            renamed_from: None,
        };
        let path = |name| vec!["models/orders".to_owned(), format!("columns/{name}")];
        ids.map(|(id, name)| (path(name), identity(id))).collect()
    };
    let (net, gross) = (
        "        docs: {of: net}   # mine\n",
        "        tests: [unique]\n",
    );
    let before = columns("a", "b");
    let mut base = Base::of(&with(&before, "", ""), None);
    base.identify(&identities(["a", "b"]));
    for [first, second] in [["b", "a"], ["b", "c"], ["c", "a"]] {
        let after = columns(first, second);
        let result = merge(
            Ours {
                text: &with(&after, "", ""),
                identities: &identities([first, second]),
                bound: false,
                prune: false,
                adapter: None,
            },
            &with(&before, net, gross),
            &base,
        )
        .unwrap();
        assert_eq!(result.safe, with(&after, net, gross));
        assert_eq!(result.status, Status::Modified, "{:?}", words(&result));
    }
}
