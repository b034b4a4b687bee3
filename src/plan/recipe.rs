//! What a text is made of, with the text, as a short hash: of the same the same text comes out, so that
//! whoever finds both again need not make it.

use std::fmt;
use std::hash::{Hash, Hasher};

use sha2::{Digest as _, Sha256};

/// The short hash of everything that decides about a text, and of what came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipe(u64);

impl Recipe {
    /// The recipe with these parts.
    pub fn of(parts: &(impl Hash + ?Sized)) -> Self {
        let mut bytes = Bytes(Vec::with_capacity(16 * 1024));
        parts.hash(&mut bytes);
        Self(bytes.finish())
    }

    /// The recipe with the text that it makes, to the last byte.
    pub fn making(self, text: &[u8]) -> Self {
        let digest = Sha256::new().chain_update(self.0.to_le_bytes());
        Self(short(digest.chain_update(text)))
    }

    /// Reads the 16 hexadecimal digits that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let value = Self(u64::from_str_radix(text, 16).ok()?);
        (value.to_string() == text).then_some(value)
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What is hashed, as bytes that are the same on every machine: the lock has the hash of them.
struct Bytes(Vec<u8>);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_le_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    fn write_u128(&mut self, value: u128) {
        self.write(&value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_i128(&mut self, value: i128) {
        self.write(&value.to_le_bytes());
    }

    fn write_isize(&mut self, value: isize) {
        self.write(&(value as i64).to_le_bytes());
    }

    fn finish(&self) -> u64 {
        short(Sha256::new().chain_update(&self.0))
    }
}

/// The first eight bytes of a hash.
fn short(hasher: Sha256) -> u64 {
    let digest: [u8; 32] = hasher.finalize().into();
    let first = digest[..8].iter();
    first.fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::Recipe;

    #[test]
    fn every_part_counts() {
        let of = |parts: &(u64, &str, Vec<&str>)| Recipe::of(parts);
        let one = of(&(1, "a", vec!["b", "c"]));
        assert_eq!(one, of(&(1, "a", vec!["b", "c"])));
        for other in [
            (2, "a", vec!["b", "c"]),
            (1, "", vec!["ab", "c"]),
            (1, "a", vec!["bc"]),
            (1, "a", vec!["b", "c", ""]),
        ] {
            assert_ne!(one, of(&other));
        }
    }

    #[test]
    fn it_is_the_same_on_every_machine() {
        let parts = (
            7_usize,
            Some(true),
            "text",
            [-1_i128],
            (1_u16, 2_u32, -3_isize),
        );
        assert_eq!(Recipe::of(&parts).to_string(), "8cf90c807af92014");
    }

    #[test]
    fn what_comes_out_counts() {
        let recipe = Recipe::of("values");
        let other = Recipe::of("other values");
        assert_eq!(recipe.making(b"a"), recipe.making(b"a"));
        assert_ne!(recipe.making(b"a"), recipe.making(b"a\r"));
        assert_ne!(recipe.making(b"a"), other.making(b"a"));
    }

    #[test]
    fn it_is_read_back() {
        let recipe = Recipe::of("anything");
        assert_eq!(Recipe::parse(&recipe.to_string()), Some(recipe));
        for broken in [
            "",
            "1",
            "+00000000000001f",
            "00000000000001F0",
            "00000000000001f00",
        ] {
            assert_eq!(Recipe::parse(broken), None, "{broken}");
        }
    }
}
