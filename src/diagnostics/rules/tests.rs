use super::*;

#[test]
fn codes_are_sorted_unique_and_belong_to_a_known_area() {
    let areas = [
        "config",
        "discovery",
        "drift",
        "lineage",
        "mapping",
        "merge",
        "reference",
        "rule",
        "schema",
        "status",
        "yaml",
    ];
    assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
    for rule in ALL.iter() {
        let (area, name) = rule.code.split_once('/').unwrap();
        let in_words = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(areas.contains(&area), "{}", rule.code);
        assert!(name.chars().all(in_words), "{}", rule.code);
        assert!(!rule.summary.ends_with('.'), "{}", rule.code);
        assert!(rule.explanation.ends_with('.'), "{}", rule.code);
        assert_eq!(by_code(rule.code), Some(*rule));
    }
}
