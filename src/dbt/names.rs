//! Names that are safe in dbt: any text comes in, and a name for a source, model, test or file
//! goes out.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The longest name of a test that dbt and PostgreSQL both keep whole.
const TEST_NAME_LENGTH: usize = 63;

/// The longest stem of a file name, far below the limit of any file system.
const FILE_STEM_LENGTH: usize = 120;

/// Device names, which Windows opens instead of a file, whatever the extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// A name of `[a-z0-9_]+` for any text, which never starts with a digit.
///
/// Letters become lower case, and a word that starts inside another gets an underscore
/// (`customerId` is `customer_id`, `HTTPServer` is `http_server`, `ORD_ID` is `ord_id`). Every run
/// of other characters becomes one underscore, none at the ends unless the text has it there. A
/// leading digit gets `_` before it. Text without any ASCII letter or digit becomes `_` and a hash,
/// so that two of them stay apart.
pub fn slug(text: &str) -> String {
    let characters: Vec<char> = text.trim().chars().collect();
    let mut slug = String::with_capacity(text.len());
    for (index, &character) in characters.iter().enumerate() {
        if character.is_ascii_uppercase() && starts_word(&characters, index) {
            slug.push('_');
        }
        if character.is_ascii_alphanumeric() || character == '_' {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') && index + 1 < characters.len() {
            slug.push('_');
        }
    }
    if !slug.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return format!("_{}", hash(text));
    }
    if !text.trim_end().ends_with('_') {
        slug.truncate(slug.trim_end_matches('_').len());
    }
    if slug.starts_with(|first: char| first.is_ascii_digit()) {
        slug.insert(0, '_');
    }
    slug
}

/// Whether two names are the same but for the case of their letters.
pub fn same_but_for_case(one: &str, other: &str) -> bool {
    let first = |text: &str| text.bytes().next().filter(u8::is_ascii);
    if let (Some(one), Some(other)) = (first(one), first(other))
        && !one.eq_ignore_ascii_case(&other)
    {
        return false;
    }
    // Most names are plain, and need no copies.
    if one.is_ascii() && other.is_ascii() {
        one.eq_ignore_ascii_case(other)
    } else {
        one.to_lowercase() == other.to_lowercase()
    }
}

/// Whether dbt takes the text for a name: blanks are refused since 1.10, and quotes, backslashes
/// and braces would end the calls that it stands in.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|character: char| {
            character.is_whitespace()
                || character.is_control()
                || matches!(character, '\'' | '"' | '`' | '\\' | '{' | '}' | '%' | '#')
        })
}

/// A name for a macro: a word, then a slug of each part, with a hash where others have the same.
pub fn macro_name(word: &str, parts: &[&str]) -> String {
    let slugs: Vec<String> = parts.iter().map(|part| slug(part)).collect();
    let name = format!("{word}__{}", slugs.join("__"));
    let is_exact = |(slug, part): (&String, &&str)| slug == part && !slug.contains("__");
    if slugs.iter().zip(parts).all(is_exact) {
        name
    } else {
        format!("{name}__{}", hash(&parts.join("\0")))
    }
}

/// Whether the capital at `index` starts a word right after another: after a small letter or a
/// digit, or as the last of several capitals before a small letter.
fn starts_word(characters: &[char], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|before| characters[before]) else {
        return false;
    };
    let small_follows = characters
        .get(index + 1)
        .is_some_and(char::is_ascii_lowercase);
    before.is_ascii_lowercase()
        || small_follows && (before.is_ascii_uppercase() || before.is_ascii_digit())
}

/// The name of a test: the slugs of its parts, joined by underscores, at most 63 characters. A
/// longer one is cut and ends in a hash of the whole.
pub fn test_name(parts: &[&str]) -> String {
    let slugs: Vec<String> = parts.iter().map(|part| slug(part)).collect();
    let name = slugs.join("_");
    if name.is_empty() {
        return slug(&name);
    }
    if name.len() <= TEST_NAME_LENGTH {
        return name;
    }
    let hash = hash(&name);
    let kept = name[..TEST_NAME_LENGTH - hash.len() - 1].trim_end_matches('_');
    format!("{kept}_{hash}")
}

/// Whether a file of that stem can be written on every system and stays in its folder.
pub fn is_safe_file_name(stem: &str) -> bool {
    let forbidden = |character: char| {
        character.is_control()
            || matches!(
                character,
                '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'
            )
    };
    !stem.is_empty()
        && stem.len() <= FILE_STEM_LENGTH
        && !stem.contains(forbidden)
        && !stem.ends_with(['.', ' '])
        && !stem.starts_with(' ')
        && !is_device(stem)
}

/// Whether Windows takes the name for a device: such a word before the first dot.
fn is_device(stem: &str) -> bool {
    let word = stem.split('.').next().unwrap_or(stem).trim_end();
    let word = word.to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().any(|port| {
        word.strip_prefix(port).is_some_and(|number| {
            matches!(
                number,
                "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
            )
        })
    });
    numbered || DEVICES.contains(&word.as_str())
}

/// The first eight hexadecimal digits of the text's SHA-256.
pub fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .take(4)
        .fold(String::new(), |mut digits, byte| {
            // Writing to a string does not fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slugs() {
        let cases = [
            ("orders", "orders"),
            ("ORD_ID", "ord_id"),
            ("customerId", "customer_id"),
            ("customerID", "customer_id"),
            ("HTTPServer", "http_server"),
            ("SalesOrder2024", "sales_order2024"),
            ("My Table", "my_table"),
            ("sales-orders", "sales_orders"),
            ("sales.orders", "sales_orders"),
            (
                "urn:datacontract:checkout:orders-latest",
                "urn_datacontract_checkout_orders_latest",
            ),
            ("100_table", "_100_table"),
            ("a - b", "a_b"),
            ("a__b", "a__b"),
            ("_private", "_private"),
            ("(x)", "x"),
            ("Café au lait", "caf_au_lait"),
            ("v1.0.0", "v1_0_0"),
            ("id_v2", "id_v2"),
            ("i32Value", "i32_value"),
            ("S3Bucket", "s3_bucket"),
        ];
        for (text, expected) in cases {
            assert_eq!(slug(text), expected, "{text}");
        }
        assert_ne!(slug("注文"), slug("顧客"));
    }

    #[test]
    fn long_test_names_stay_unique() {
        assert_eq!(
            test_name(&["orders", "ORD_ID", "not null"]),
            "orders_ord_id_not_null"
        );
        let long = "x".repeat(80);
        let (one, other) = (test_name(&[&long, "a"]), test_name(&[&long, "b"]));
        assert_eq!(one.len(), 63);
        assert_ne!(one, other);
    }

    #[test]
    fn file_names() {
        for safe in [
            "orders",
            "stg_orders",
            "console",
            "com",
            "com10",
            "orders.v2",
            "größe",
        ] {
            assert!(is_safe_file_name(safe), "{safe}");
        }
        let long = "x".repeat(121);
        for unsafe_name in [
            "", ".", "..", "a/b", "a\\b", "CON", "con.yml", "nul ", "Aux.a.b", "com1", "LPT9.sql",
            "a\0", "a\nb", "a:b", "orders.", " orders", &long,
        ] {
            assert!(!is_safe_file_name(unsafe_name), "{unsafe_name:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_name(text in any::<String>(), ascii in "[ -~]{0,40}") {
            for text in [text, ascii] {
                let slug = slug(&text);
                prop_assert!(slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'));
                prop_assert!(slug.starts_with(|first: char| first == '_' || first.is_ascii_lowercase()));
                prop_assert_eq!(super::slug(&slug), slug.clone());
                prop_assert!(test_name(&[&text, &text, &text]).len() <= 63);
                is_safe_file_name(&text);
            }
        }
    }
}
