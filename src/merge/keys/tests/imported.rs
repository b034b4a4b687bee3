//! What an import has left as it is: a file says the same as the contract that came of it.

use super::*;

/// What an import has taken from a file is no edit of it.
#[test]
fn jinja_that_a_contract_has_as_its_text_is_the_same() {
    let disk = changed("description: Orders", "description: \"{{ doc('o') }}\"");
    let text = "description: \"{{ '{{' }} doc('o') }}\"";
    let ours = changed("description: Orders", text);
    let result = merging(&ours, &disk, &Base::default(), false, false).unwrap();
    let same = merging(BASE, BASE, &Base::default(), false, false).unwrap();
    assert_eq!((result.status, &result.safe), (same.status, &disk));
}

/// Said or not, dbt does it.
#[test]
fn what_dbt_does_by_itself_is_no_other_test() {
    let tests = "data_tests: [{accepted_values: {arguments: {values: [a]}, config: {limit: 1}}}]";
    let stated =
        "data_tests: [{accepted_values: {quote: true, values: [a], severity: Error, limit: 1}}]";
    let ours = format!("{BASE}        {tests}\n");
    let disk = format!("{BASE}        {stated}\n");
    let result = merging(&ours, &disk, &Base::default(), false, false).unwrap();
    assert_eq!(result.safe, disk);
    assert!(result.keys.is_empty(), "{:?}", words(&result));
}

/// A number is the same to dbt in quotes and without.
#[test]
fn numbers_are_accepted_with_quotes_or_without() {
    let of = |more: &str| {
        format!(
            "{BASE}        data_tests: [{{accepted_values: {{arguments: {{values: [1, 2]{more}}}}}}}]\n"
        )
    };
    let result = merging(
        &of(", quote: false"),
        &of(""),
        &Base::default(),
        false,
        false,
    )
    .unwrap();
    assert_eq!(
        (result.safe.as_str(), words(&result)),
        (of("").as_str(), Vec::new())
    );
}

/// Each of the two has its own tables for dbt.
#[test]
fn a_source_in_two_entries_has_the_tables_of_both() {
    let disk = "sources:\n  - name: raw\n    tables:\n      - name: orders\n  - name: raw\n    tables:\n      - name: lines\n";
    let ours =
        "sources:\n  - name: raw\n    tables:\n      - name: orders\n        description: All\n";
    let result = merging(ours, disk, &Base::default(), true, false).unwrap();
    let described = disk.replacen(
        "- name: orders\n",
        "- name: orders\n        description: All\n",
        1,
    );
    assert_eq!(result.safe, described);
    let again = merging(ours, &result.safe, &result.after(Taken::Safe), true, false).unwrap();
    assert_eq!(again.safe, described);
}
