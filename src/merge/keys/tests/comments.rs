//! What a person notes down in a file is theirs, also where the rest is not.

use super::*;

const WITHOUT: &str =
    "      - name: amount\n        description: Cents\n        data_type: integer\n";

#[test]
fn a_column_with_a_comment_goes_by_force_only() {
    let noted = [
        (
            "      - name: amount\n",
            "      # Bob's\n      - name: amount\n",
        ),
        (
            "        description: Cents\n",
            "        # ask Bob\n        description: Cents\n",
        ),
        (
            "data_type: integer\n\n",
            "data_type: integer  # as Bob wants it\n\n",
        ),
        (
            "data_type: integer\n\n",
            "data_type: integer\n        # says Bob\n\n",
        ),
    ];
    let base = BASE.to_owned() + "\n";
    let ours = changed(WITHOUT, "");
    for (from, to) in noted {
        assert!(base.contains(from));
        let disk = base.replacen(from, to, 1);
        let result = merged(&disk, &ours);
        assert_eq!(result.status, Status::Conflict);
        assert_eq!(result.safe, disk);
        assert!(!result.forced.contains("Bob"), "{}", result.forced);
    }
    assert_eq!(merged(BASE, &ours).status, Status::Modified);
}

#[test]
fn comments_of_a_template_are_nobodys() {
    let comment = |text: &str| {
        text.replacen(
            "        data_type",
            "        # a type\n        data_type",
            2,
        )
    };
    let (disk, ours) = (comment(BASE), comment(&changed(WITHOUT, "")));
    assert_eq!(merged(&disk, &ours).status, Status::Modified);
}

#[test]
fn a_value_or_test_with_a_comment_goes_by_force_only() {
    let base = BASE.replace(
        "Cents\n        data_type: integer\n",
        "Cents\n        data_type: integer\n        data_tests:\n          - accepted_values: {arguments: {values: [1]}}\n          - unique\n",
    );
    assert_ne!(base, BASE);
    let description = "        description: Cents\n";
    let values = "          - accepted_values: {arguments: {values: [1]}}\n";
    let unique = "          - unique\n";
    let base = base.replacen(unique, "", 1);
    for (noted, part, to) in [
        (
            "        # ask Bob\n        description: Cents\n",
            description,
            "",
        ),
        ("        description: Cents  # says Bob\n", description, ""),
        ("          # ask Bob\n          - unique\n", unique, ""),
        ("          - unique  # says Bob\n", unique, ""),
        (
            "          - accepted_values: {arguments: {values: [1]}}  # says Bob\n",
            values,
            "          - accepted_values: {arguments: {values: [1, 2]}}\n",
        ),
    ] {
        let disk = base.replace(part, noted);
        let ours = base.replace(part, to);
        let known = Base::of(&base, None);
        let result = merging(&ours, &disk, &known, false, false).unwrap();
        assert_eq!(result.status, Status::Conflict, "{noted}");
        assert_eq!(result.safe, disk);
        assert!(result.forced.contains(to) && !result.forced.contains(part.trim_start()));
        let kept = result.after(Taken::Mine);
        let again = merging(&ours, &disk, &kept, false, false).unwrap();
        assert_ne!(again.status, Status::Conflict, "{noted}");
        // What is there to stay may be noted at as well.
        let same = merging(&base, &disk, &known, false, false).unwrap();
        assert_eq!((same.status, &same.safe), (Status::Unchanged, &disk));
    }
}
