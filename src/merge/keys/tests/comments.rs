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
