//! Edits by hand and changes of contracts, at random and in turns.

use super::*;
use proptest::prelude::*;
use proptest::sample::Index;
use std::fmt::Write as _;

/// What a contract says of a few columns: for each, whether it is there, its description, type
/// and tests.
type Said = Vec<(bool, Option<u8>, u8, [bool; 2])>;

fn said() -> impl Strategy<Value = Said> {
    let column = (
        any::<bool>(),
        proptest::option::of(0..3_u8),
        0..3_u8,
        any::<[bool; 2]>(),
    );
    proptest::collection::vec(column, 4)
}

/// The properties file of such a contract.
fn rendered(said: &Said) -> String {
    let mut text = "version: 2\n\nmodels:\n  - name: orders\n    description: Orders\n".to_owned();
    let present: Vec<_> = said
        .iter()
        .enumerate()
        .filter(|(_, column)| column.0)
        .collect();
    if !present.is_empty() {
        text.push_str("    columns:\n");
    }
    for (index, (_, description, data_type, tests)) in present {
        let _ = writeln!(text, "      - name: column_{index}");
        if let Some(description) = description {
            let _ = writeln!(text, "        description: says {description}");
        }
        let _ = writeln!(text, "        data_type: type_{data_type}");
        if tests.contains(&true) {
            text.push_str("        data_tests:\n");
        }
        for (test, _) in ["not_null", "unique"]
            .iter()
            .zip(tests)
            .filter(|(_, there)| **there)
        {
            let _ = writeln!(text, "          - {test}");
        }
    }
    text
}

/// Lines that a person may put behind any other, with what they stand for at its depth.
const ADDED: &[(&str, &str)] = &[
    ("        data_type:", "        meta: {mine: 1}"),
    ("        data_type:", "        # mine"),
    ("          - not_null", "          - mine"),
    ("    description:", "    docs: {show: false}"),
    ("    description:", "    # mine"),
];

/// The file with an addition of a person, and with one of its values changed.
fn edit(text: &str, added: &[(Index, Index)], changed: &[Index]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (which, place) in added {
        let (behind, line) = which.get(ADDED);
        let places: Vec<usize> = (0..lines.len())
            .filter(|at| lines[*at].starts_with(behind))
            .collect();
        if places.is_empty() {
            continue;
        }
        let at = places[place.index(places.len())] + 1;
        if lines.get(at).is_none_or(|next| next != line) {
            lines.insert(at, (*line).to_owned());
        }
    }
    for place in changed {
        let values: Vec<usize> = (0..lines.len())
            .filter(|at| lines[*at].contains("description: "))
            .collect();
        if !values.is_empty() {
            let at = values[place.index(values.len())];
            let end = lines[at].find(':').unwrap_or_default();
            lines[at].truncate(end);
            lines[at].push_str(": edited");
        }
    }
    lines.join("\n") + "\n"
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    /// Contract changes and edits by hand take turns: no line of a person is lost, what nobody
    /// wrote to is as the contract has it, and the second run has nothing to do.
    #[test]
    fn edits_survive_and_contracts_hold(
        steps in proptest::collection::vec(
            (
                said(),
                proptest::collection::vec((any::<Index>(), any::<Index>()), 0..3),
                proptest::collection::vec(any::<Index>(), 0..2),
            ),
            1..4,
        )
    ) {
        let mut disk = rendered(&steps[0].0);
        let mut base = Base::of(&disk, None);
        for (said, added, changed) in &steps {
            disk = edit(&disk, added, changed);
            let ours = rendered(said);
            let result = merging(&ours, &disk, &base, false, false).unwrap();
            let mine = |text: &str| {
                let lines = text.lines().filter(|line| line.contains("mine") || line.contains("edited") || line.contains("docs"));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            // A value or test that the contract gives up goes with the comment on it.
            let values = |lines: Vec<String>| lines.into_iter().filter(|line| !line.contains('#')).collect::<Vec<_>>();
            prop_assert_eq!(values(mine(&result.safe)), values(mine(&disk)), "{}\n{}", disk, result.safe);
            base = result.after(Taken::Safe);
            let again = merging(&ours, &result.safe, &base, false, false).unwrap();
            prop_assert_eq!(&again.safe, &result.safe);
            prop_assert_eq!(again.after(Taken::Safe), base.clone());
            let open: Vec<&str> = again.keys.iter().map(|key| key.status.as_str()).collect();
            prop_assert!(open.iter().all(|status| ["edited", "conflict"].contains(status)), "{:?}", open);
            // By force the contract holds everywhere.
            let forced = merging(&ours, &result.forced, &result.after(Taken::Contract), false, false).unwrap();
            prop_assert_eq!(forced.status, Status::Unchanged, "{:?}\n{}", words(&forced), result.forced);
            disk = result.safe;
        }
    }
}
