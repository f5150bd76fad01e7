//! What each byte of ASCII is, by one look into a table instead of comparisons: most text is ASCII.
//!
//! Must not know words or folding.

/// A small letter.
pub(super) const LOWER: u8 = 1;
/// A capital.
pub(super) const UPPER: u8 = 2;
/// A digit.
pub(super) const DIGIT: u8 = 4;
/// Anything else, bytes of other scripts among it.
const OTHER: u8 = 8;
/// Small letters and capitals.
pub(super) const MIXED: u8 = LOWER | UPPER;

static KINDS: [u8; 256] = kinds();

/// What a byte is.
pub(super) fn kind(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// Whether a byte is a letter or a digit.
pub(super) fn is_in_word(byte: u8) -> bool {
    kind(byte) != OTHER
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn kinds() -> [u8; 256] {
    let mut kinds = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        match byte as u8 {
            b'a'..=b'z' => kinds[byte] = LOWER,
            b'A'..=b'Z' => kinds[byte] = UPPER,
            b'0'..=b'9' => kinds[byte] = DIGIT,
            _ => {}
        }
        byte += 1;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_standard_library() {
        for byte in 0..=u8::MAX {
            assert_eq!(is_in_word(byte), byte.is_ascii_alphanumeric(), "{byte}");
            assert_eq!(kind(byte) == LOWER, byte.is_ascii_lowercase(), "{byte}");
            assert_eq!(kind(byte) == UPPER, byte.is_ascii_uppercase(), "{byte}");
        }
    }
}
