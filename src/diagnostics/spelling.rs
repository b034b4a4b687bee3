//! Slips of the pen: a word that is not known comes in, the known one that its author meant goes out.

/// The known word closest to `word`, if one is close enough to be a slip of the pen.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (candidate.to_lowercase(), candidate))
        // Jaro-Winkler makes much of a common beginning; most of the letters must agree too.
        .filter(|(candidate, _)| strsim::normalized_levenshtein(&lower, candidate) >= 0.55)
        .map(|(candidate, original)| (strsim::jaro_winkler(&lower, &candidate), original))
        .filter(|(likeness, _)| *likeness >= 0.82)
        // The first of equal likeness wins, so that the answer does not depend on the iterator's length.
        .fold(None, |best: Option<(f64, &str)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .map(|(_, candidate)| candidate)
}

/// The one known word that `word` can only be a slip of the pen for: a letter off, two in a long word,
/// or other case and separators, and no other known word nearly as close.
pub fn unmistakable<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = letters(word);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (strsim::osa_distance(&plain, &letters(known)), known))
        .filter(|(distance, known)| *distance <= allowed(known) + 1)
        .collect();
    near.sort_unstable();
    near.dedup();
    let (distance, best) = *near.first()?;
    // Where only case and separators differ, nothing else comes near.
    let rival = near.get(1).map(|(next, _)| *next);
    let alone = rival.is_none_or(|rival| rival > distance + usize::from(distance > 0));
    (distance <= allowed(best) && alone).then_some(best)
}

/// How many letters a slip of the pen may get wrong in a word.
fn allowed(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// The letters and digits of a word in lower case.
fn letters(word: &str) -> String {
    word.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_word_can_be_meant() {
        let keys = [
            "id",
            "name",
            "type",
            "minimum",
            "maximum",
            "logicalType",
            "logicalTypeOptions",
            "physicalName",
            "physicalType",
            "properties",
            "mustBe",
            "mustNotBe",
            "map",
        ];
        for (word, meant) in [
            ("logicalTyp", Some("logicalType")),
            ("logical_type", Some("logicalType")),
            ("LogicalType", Some("logicalType")),
            ("propertys", Some("properties")),
            ("nmae", Some("name")),
            ("nme", Some("name")),
            ("minimun", Some("minimum")),
            ("must-be", Some("mustBe")),
            ("ID", Some("id")),
            // Two are about as near.
            ("mimimum", None),
            ("physicalNype", None),
            // Too far, or too short to tell.
            ("ip", None),
            ("desc", None),
            ("proprts", None),
            ("", None),
        ] {
            assert_eq!(unmistakable(word, keys), meant, "{word}");
        }
        assert_eq!(unmistakable("name", []), None);
        assert_eq!(unmistakable("nam", ["name", "name"]), Some("name"));
    }
}
