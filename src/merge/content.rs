//! What a file holds, as a hash: its exact bytes, or its text however an editor or git wrote it.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::plan::HEADER;

/// The byte order mark, as UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// SHA-256 of the exact bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut digest = [0; 32];
        let parsed = text.len() == 64
            && text.is_ascii()
            && digest.iter_mut().enumerate().all(|(index, byte)| {
                u8::from_str_radix(&text[2 * index..2 * index + 2], 16)
                    .map(|value| *byte = value)
                    .is_ok()
            });
        parsed
            .then_some(Self(digest))
            .ok_or_else(|| "expected a SHA-256 of 64 hexadecimal digits".to_owned())
    }
}

/// Short hash of a text that is the same with and without a byte order mark and whether lines end
/// in LF or CRLF: git may change both on checkout without anybody having edited the file. The paths
/// in the header count for nothing either: a contract that moves changes none of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a file's bytes, which need not be text.
    pub fn of(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let mut hasher = Sha256::new();
        let mut add = |bytes: &[u8]| {
            // At once where there is nothing to change.
            if !bytes.contains(&b'\r') {
                return hasher.update(bytes);
            }
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                match line.strip_suffix(b"\r\n") {
                    Some(line) => {
                        hasher.update(line);
                        hasher.update(b"\n");
                    }
                    None => hasher.update(line),
                }
            }
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (first, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        add(if is_header(first) {
            HEADER.as_bytes()
        } else {
            first
        });
        add(rest);
        let digest: [u8; 32] = hasher.finalize().into();
        Self(
            digest[..8]
                .iter()
                .fold(0, |value, byte| value << 8 | u64::from(*byte)),
        )
    }

    /// Reads the 16 hexadecimal digits that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let value = Self(u64::from_str_radix(text, 16).ok()?);
        (value.to_string() == text).then_some(value)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Whether a line is the header of a generated file.
fn is_header(line: &[u8]) -> bool {
    let mut parts = line.windows(HEADER.len());
    parts.any(|part| part == HEADER.as_bytes())
}

/// How a file writes its text: what an update keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// Starts with a byte order mark.
    pub(super) byte_order_mark: bool,
    /// Most lines end in CRLF.
    pub(super) carriage_returns: bool,
}

impl Form {
    /// The form of a file's bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let (mut all, mut carriage_returns) = (0_usize, 0_usize);
        for line in lines.filter(|line| line.ends_with(b"\n")) {
            all += 1;
            carriage_returns += usize::from(line.ends_with(b"\r\n"));
        }
        Self {
            byte_order_mark: bytes.starts_with(BOM),
            carriage_returns: carriage_returns * 2 > all,
        }
    }

    /// `text` in this form.
    pub(super) fn apply(self, text: &str) -> String {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if self == Self::default() && !text.contains('\r') {
            return text.to_owned();
        }
        let mut written = String::with_capacity(text.len());
        if self.byte_order_mark {
            written.push('\u{feff}');
        }
        if self.carriage_returns {
            written.push_str(&text.replace("\r\n", "\n").replace('\n', "\r\n"));
        } else {
            written.push_str(&text.replace("\r\n", "\n"));
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_ignores_line_endings_and_the_byte_order_mark_and_nothing_else() {
        let same: &[&[u8]] = &[b"a\nb\n", b"a\r\nb\r\n", b"a\r\nb\n", b"\xef\xbb\xbfa\nb\n"];
        for bytes in same {
            assert_eq!(Fingerprint::of(bytes), Fingerprint::of(same[0]));
        }
        let other: &[&[u8]] = &[
            b"a\nb",
            b"a\rb\n",
            b"a\n\nb\n",
            b"a\r\r\nb\n",
            b"a \nb\n",
            b"",
        ];
        for bytes in other {
            assert_ne!(
                Fingerprint::of(bytes),
                Fingerprint::of(same[0]),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn a_fingerprint_ignores_where_contracts_are() {
        let header = |path: &str| format!("-- {HEADER}{path}; edit it and it is yours\nselect 1\n");
        let of = |text: &str| Fingerprint::of(text.as_bytes());
        let (old, new) = (header("a.yaml"), header("sales/a.yaml"));
        assert_eq!(of(&old), of(&new));
        assert_ne!(of(&old), of("select 1\n"));
        let below = |path: &str| format!("select 1\n{}", header(path));
        assert_ne!(of(&below("a.yaml")), of(&below("sales/a.yaml")));
    }

    #[test]
    fn hashes_are_read_back_as_they_are_written() {
        let digest = Digest::of(b"abc");
        assert!(digest.to_string().starts_with("ba7816bf8f01cfea"));
        assert_eq!(Digest::try_from(digest.to_string()), Ok(digest));
        let fingerprint = Fingerprint::of(b"abc");
        assert_eq!(
            Fingerprint::parse(&fingerprint.to_string()),
            Some(fingerprint)
        );
        for text in [
            "",
            "+a7816bf8f01cfea",
            "BA7816BF8F01CFEA",
            "ba7816bf",
            "äöüäöüäö",
        ] {
            assert_eq!(Fingerprint::parse(text), None, "{text}");
            assert!(Digest::try_from(text.to_owned()).is_err());
        }
        assert!(Digest::try_from("ä".repeat(32)).is_err());
    }

    #[test]
    fn an_update_keeps_the_form() {
        for (old, new) in [
            ("a\n", "x\ny\n"),
            ("a\r\nb\r\n", "x\r\ny\r\n"),
            ("a\r\nb\n", "x\ny\n"),
            ("\u{feff}a\r\n", "\u{feff}x\r\ny\r\n"),
            ("", "x\ny\n"),
        ] {
            assert_eq!(Form::of(old.as_bytes()).apply("x\ny\n"), new, "{old:?}");
        }
    }
}
