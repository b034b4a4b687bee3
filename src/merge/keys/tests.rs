//! What becomes of a properties file that a person wrote to, when the contract says something else.

use super::*;

mod comments;
mod imported;
mod random;
mod renamed;

/// What was written once.
const BASE: &str = "\
version: 2

models:
  - name: orders
    description: Orders
    config:
      tags: [finance]
      meta:
        owner: sales
    columns:
      - name: id
        data_type: integer
        data_tests:
          - not_null
          - unique
      - name: amount
        description: Cents
        data_type: integer
";

/// The contract's side after a change of what it says.
fn changed(from: &str, to: &str) -> String {
    assert!(BASE.contains(from), "{from}");
    BASE.replacen(from, to, 1)
}

fn merging(text: &str, disk: &str, base: &Base, bound: bool, prune: bool) -> Result<Merge, String> {
    let identities = &[];
    merge(
        Ours {
            text,
            identities,
            bound,
            prune,
            adapter: None,
        },
        disk,
        base,
    )
}

/// The run after one that took what is safe.
fn next(result: &Merge, ours: &str) -> Merge {
    let base = result.after(Taken::Safe);
    merging(ours, &result.safe, &base, false, false).unwrap()
}

fn merged(disk: &str, ours: &str) -> Merge {
    merging(ours, disk, &Base::of(BASE, None), false, false).unwrap()
}

/// The parts that differ, with their words.
fn words(merge: &Merge) -> Vec<String> {
    let keys = merge.keys.iter();
    keys.map(|key| format!("{} {} {}", key.status.as_str(), key.resource, key.key))
        .collect()
}

/// What the contract says next is taken, and all that a person wrote stays.
#[test]
fn what_nobody_wrote_to_follows_the_contract() {
    let disk =
        BASE.replace(
            "  - name: orders\n",
            "  # everybody's\n  - name: orders   # ours\n    docs: {show: false}\n",
        )
        .replace(
            "          - not_null\n          - unique\n",
            "          - not_null   # sure\n          - unique\n          - mine\n",
        ) + "\n  - name: other\n";
    for (from, to) in [
        ("description: Orders", "description: All orders"),
        (
            "data_type: integer\n        data_tests",
            "data_type: bigint\n        data_tests",
        ),
        ("owner: sales", "owner: finance"),
        (
            "        data_type: integer\n        data_tests",
            "        description: Key\n        data_type: integer\n        data_tests",
        ),
        ("          - unique\n", ""),
        (
            "          - unique\n",
            "          - unique:\n              config:\n                severity: warn\n",
        ),
        (
            "        owner: sales\n",
            "        owner: sales\n        level: high\n",
        ),
        ("        description: Cents\n", ""),
        (
            "      - name: amount\n        description: Cents\n        data_type: integer\n",
            "",
        ),
        (
            "      - name: amount\n",
            "      - name: customer\n        data_type: integer\n      - name: amount\n",
        ),
    ] {
        let ours = changed(from, to);
        let result = merged(&disk, &ours);
        assert_eq!(result.status, Status::Modified, "{to}");
        let person = [
            "# everybody's",
            "# ours",
            "# sure",
            "docs: {show: false}",
            "- mine",
            "name: other",
        ];
        assert!(
            person.iter().all(|words| result.safe.contains(words)),
            "{}",
            result.safe
        );
        let expected: Vec<&str> = ours.lines().collect();
        let lines: Vec<&str> = result
            .safe
            .lines()
            .map(|line| line.split("   #").next().unwrap_or(""))
            .collect();
        let mut rest = lines.iter();
        assert!(
            expected
                .iter()
                .all(|line| line.is_empty() || rest.any(|other| other == line)),
            "{to}\n{}",
            result.safe
        );
        // The next run has nothing to do, and finds everything as it is.
        let again = next(&result, &ours);
        assert_eq!(
            (again.status, again.safe),
            (Status::Unchanged, result.safe),
            "{to}"
        );
        let lost = merging(&ours, &again.forced, &Base::default(), false, false).unwrap();
        assert_eq!(lost.status, Status::Unchanged, "{to}");
    }
}

#[test]
fn an_edit_stays_until_the_contract_says_something_else_too() {
    for (from, mine, theirs) in [
        (
            "description: Orders",
            "description: My orders",
            "description: Their orders",
        ),
        (
            "data_type: integer\n        data_tests",
            "data_type: int8\n        data_tests",
            "data_type: text\n        data_tests",
        ),
        ("owner: sales", "owner: me", "owner: them"),
        (
            "          - unique\n",
            "          - unique: {config: {severity: warn}}\n",
            "          - unique:\n              config:\n                limit: 5\n",
        ),
        (
            "        description: Cents\n",
            "",
            "        description: Euros\n",
        ),
        (
            "      - name: amount\n        description: Cents\n        data_type: integer\n",
            "",
            "      - name: amount\n        data_type: bigint\n",
        ),
    ] {
        let disk = changed(from, mine);
        let edited = merged(&disk, BASE);
        assert_eq!(
            (edited.status, &edited.safe),
            (Status::Edited, &disk),
            "{mine}"
        );
        let ours = changed(from, theirs);
        let conflict = merged(&disk, &ours);
        assert_eq!(
            (conflict.status, &conflict.safe),
            (Status::Conflict, &disk),
            "{mine}"
        );
        assert_eq!(conflict.keys.len(), 1, "{:?}", words(&conflict));
        // Taken, it is the contract's; kept, it is an edit that is at rest.
        let base = conflict.after(Taken::Contract);
        let taken = merging(&ours, &conflict.forced, &base, false, false).unwrap();
        assert_eq!(taken.status, Status::Unchanged, "{mine}");
        let kept = merging(&ours, &disk, &conflict.after(Taken::Mine), false, false).unwrap();
        assert_eq!((kept.status, &kept.safe), (Status::Edited, &disk), "{mine}");
        let still = merging(&ours, &disk, &conflict.after(Taken::Safe), false, false).unwrap();
        assert_eq!(still.status, Status::Conflict, "{mine}");
    }
}

/// What the contract takes away goes where nobody wrote to it.
#[test]
fn what_is_gone_goes_unless_a_person_wrote_to_it() {
    let column = "      - name: amount\n        description: Cents\n        data_type: integer\n";
    let ours = changed(column, "");
    assert_eq!(merged(BASE, &ours).safe, ours);
    let disk = changed(column, &format!("{column}        data_tests: [mine]\n"));
    let result = merged(&disk, &ours);
    assert_eq!(words(&result), ["conflict model orders columns/amount"]);
    assert_eq!(result.safe, disk);
    let mine = merging(&ours, &disk, &result.after(Taken::Mine), false, false).unwrap();
    assert_eq!(mine.status, Status::Unchanged);
}

#[test]
fn the_second_of_two_changes_waits_for_nobody() {
    let disk = changed("description: Orders", "description: Mine");
    let ours = changed("description: Orders", "description: Theirs").replace("Cents", "Euros");
    let result = merged(&disk, &ours);
    assert_eq!(
        words(&result),
        [
            "conflict model orders description",
            "modified model orders columns/amount/description"
        ]
    );
    assert_eq!(result.safe, disk.replace("Cents", "Euros"));
}

/// A file that nothing is known of: what agrees is taken over, what differs is told.
#[test]
fn what_a_person_wrote_first_is_recognised_in_any_notation() {
    let disk = "\
models:
- columns:
  - {name: ID, data_type: INTEGER, tests: [unique, {not_null: }]}
  - name: amount
    description: >
      Cents
    data_type: integer
  meta: {owner: sales}
  tags: finance
  name: orders
  description: 'Orders'
";
    let result = merging(BASE, disk, &Base::default(), false, false).unwrap();
    assert_eq!((words(&result), result.safe.as_str()), (vec![], disk));
    // It is known to be a person's, and stays when the contract asks for it no more.
    let after = result.after(Taken::Safe);
    let orders = &after.groups["models/orders"];
    assert!(orders.adopted && orders.adopted_values.contains("tags/finance"));
    let left = merging("{}\n", disk, &after, true, true).unwrap();
    assert_eq!((left.status, left.safe.as_str()), (Status::Unchanged, disk));
}

#[test]
fn a_test_is_the_same_in_every_notation() {
    let ours = "models:\n  - name: a\n    data_tests:\n      - between:\n          arguments:\n            low: 1\n            high: 2\n          config:\n            severity: Warn\n";
    let disk =
        "models:\n  - name: a\n    tests:\n      - between: {high: 2, low: 1, severity: warn}\n";
    let result = merging(ours, disk, &Base::default(), false, false).unwrap();
    assert_eq!(result.status, Status::Unchanged, "{:?}", words(&result));
    let ours = "models:\n  - name: a\n    data_tests:\n      - relationships:\n          arguments: {to: \"source('x', 'y')\", field: id}\n";
    for call in [
        "source(\"x\",\"y\")",
        "source( 'x' ,  'y' )",
        "{{ source('x', 'y') }}",
    ] {
        let disk = format!(
            "models:\n  - name: a\n    tests:\n      - relationships:\n          to: >-\n            {call}\n          field: id\n"
        );
        let result = merging(ours, &disk, &Base::default(), false, false).unwrap();
        assert_eq!(
            result.status,
            Status::Unchanged,
            "{call}: {:?}",
            words(&result)
        );
    }
}

#[test]
fn a_test_with_other_arguments_on_both_sides_is_a_conflict() {
    let file = |bound: u8| {
        format!(
            "models:\n  - name: a\n    columns:\n      - name: x\n        data_tests:\n          - between: {{arguments: {{low: {bound}}}}}\n"
        )
    };
    let base = Base::of(&file(0), None);
    let edited = merging(&file(0), &file(7), &base, false, false).unwrap();
    assert_eq!(edited.status, Status::Edited);
    let conflict = merging(&file(3), &file(7), &base, false, false).unwrap();
    assert_eq!(
        (conflict.status, &conflict.safe),
        (Status::Conflict, &file(7))
    );
    // Kept, it is at rest.
    let kept = merging(
        &file(3),
        &file(7),
        &conflict.after(Taken::Mine),
        false,
        false,
    )
    .unwrap();
    assert_eq!((kept.status, &kept.safe), (Status::Edited, &file(7)));
}

#[test]
fn what_is_shared_holds_nothing_else_back() {
    let disk = "models:\n  - name: a\n    columns:\n      - &id\n        name: id\n      - name: x\n  - name: b\n    columns:\n      - *id\n";
    let ours = "models:\n  - name: a\n    columns:\n      - name: id\n        data_type: integer\n      - name: x\n        data_type: integer\n";
    let result = merging(ours, disk, &Base::default(), false, false).unwrap();
    assert_eq!(result.status, Status::Conflict);
    assert_eq!(
        result.safe,
        disk.replace("- name: x\n", "- name: x\n        data_type: integer\n")
    );
    let kept = merging(ours, &result.safe, &result.after(Taken::Mine), false, false).unwrap();
    assert_eq!((kept.status, &kept.safe), (Status::Edited, &result.safe));
}

#[test]
fn an_enforced_constraint_does_for_a_test() {
    let ours = "models:\n  - name: a\n    columns:\n      - name: id\n        data_tests:\n          - not_null\n";
    let column = "    columns:\n      - name: id\n        constraints: [{type: not_null}]\n";
    for (config, status) in [
        (
            "    config: {contract: {enforced: true}}\n",
            Status::Unchanged,
        ),
        // No warehouse enforces one of a view.
        (
            "    config: {materialized: view, contract: {enforced: true}}\n",
            Status::Modified,
        ),
        ("", Status::Modified),
    ] {
        let disk = format!("models:\n  - name: a\n{config}{column}");
        let result = merging(ours, &disk, &Base::default(), false, false).unwrap();
        assert_eq!(result.status, status);
        // Once the constraint is gone, the test is needed after all.
        let after = result.after(Taken::Safe);
        let without = disk.replace("        constraints: [{type: not_null}]\n", "");
        let again = merging(ours, &without, &after, false, false).unwrap();
        assert!(status == Status::Modified || again.status == Status::Modified);
    }
}

/// What marks the lock has for a column says nothing about its deletion.
#[test]
fn a_column_that_is_known_by_an_id_comes_to_rest_when_it_is_deleted() {
    let column = "      - name: amount\n        description: Cents\n        data_type: integer\n";
    let disk = changed(column, "");
    let path = ["models/orders", "columns/amount"].map(str::to_owned);
    let identity = Identity {
        id: Some("a".to_owned()),
        renamed_from: None,
    };
    let mut base = Base::of(BASE, None);
    base.identify(&[(path.to_vec(), identity)]);
    base.at_mut(&path).unwrap().adopted = true;
    let deleted = merging(BASE, &disk, &base, false, false).unwrap();
    assert_eq!((deleted.status, &deleted.safe), (Status::Edited, &disk));
    let ours = changed("data_type: integer\n", "data_type: bigint\n").replace("Cents", "Euros");
    let conflict = merging(&ours, &disk, &base, false, false).unwrap();
    assert_eq!(conflict.status, Status::Conflict);
    let kept = conflict.after(Taken::Mine);
    let again = merging(&ours, &disk, &kept, false, false).unwrap();
    assert_eq!(again.status, Status::Edited, "{:?}", words(&again));
}

#[test]
fn jinja_is_its_authors() {
    let disk = changed(
        "description: Orders",
        "description: \"{{ doc('orders') }}\"",
    );
    for ours in [
        BASE.to_owned(),
        changed("description: Orders", "description: Others"),
    ] {
        let result = merged(&disk, &ours);
        assert_eq!((result.status, &result.safe), (Status::Edited, &disk));
        let again = merging(&ours, &disk, &result.after(Taken::Safe), false, false).unwrap();
        assert_eq!(again.status, Status::Edited);
    }
}

#[test]
fn what_an_anchor_shares_is_told_and_left() {
    let disk = BASE
        .replace("description: Orders", "description: &text Orders")
        .replace("description: Cents", "description: *text");
    let ours = changed("description: Orders", "description: All orders");
    let result = merged(&disk, &ours);
    assert_eq!(result.safe, disk);
    assert!(
        result.keys.iter().any(|key| key.blocked),
        "{:?}",
        words(&result)
    );
}

#[test]
fn a_file_that_dbt_cannot_read_is_no_matter_of_parts() {
    for disk in ["a: [", "- a\n", "text", "a: 1\n---\nb: 1\n", "", "a: *b\n"] {
        assert!(
            merging(BASE, disk, &Base::default(), false, false).is_err(),
            "{disk}"
        );
    }
}

/// In a file of a person, what nobody asks for any more is taken out only when it is asked for.
#[test]
fn a_resource_of_a_person_outlives_the_contract() {
    let disk = format!("{BASE}        data_tests: [mine]\n");
    let base = Base::of(BASE, None);
    let left = merging("{}\n", &disk, &base, true, false).unwrap();
    assert_eq!((left.status, &left.safe), (Status::Orphaned, &disk));
    assert_eq!(left.after(Taken::Safe), base);
    let pruned = merging("{}\n", &disk, &base, true, true).unwrap();
    assert_eq!(
        pruned.safe,
        "version: 2\n\nmodels:\n  - name: orders\n    columns:\n      - name: amount\n        data_tests: [mine]\n"
    );
    assert!(pruned.after(Taken::Safe).is_empty());
    assert!(left.after(Taken::Mine).is_empty());
}

#[test]
fn a_contract_without_columns_takes_none_away() {
    let bare = "models:\n  - name: orders\n    description: Orders\n";
    let result = merged(BASE, bare);
    assert!(result.safe.contains("name: amount"), "{:?}", words(&result));
}
