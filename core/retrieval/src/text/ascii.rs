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

/// What the bytes of a run are: of which kinds the first is, and of which the rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    first: u8,
    rest: u8,
}

/// How a word is written that needs no cutting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// Without capitals; numbers too.
    Lower,
    /// With a capital, then small letters.
    Title,
    /// In capitals.
    Upper,
}

impl Kinds {
    /// The kinds of these bytes.
    pub(super) fn of(run: &[u8]) -> Self {
        let Some((first, rest)) = run.split_first() else {
            return Self::default();
        };
        Self {
            first: kind(*first),
            rest: rest.iter().fold(0, |all, byte| all | kind(*byte)),
        }
    }

    /// Whether the run is two small letters or more, and nothing else.
    #[inline]
    pub(super) const fn is_lower(self) -> bool {
        matches!((self.first, self.rest), (LOWER, LOWER))
    }

    /// How the run is written, if it is one word without a border inside.
    #[inline]
    pub(super) const fn case(self) -> Option<Case> {
        match (self.first, self.rest) {
            (LOWER, LOWER | 0) | (DIGIT, DIGIT | 0) => Some(Case::Lower),
            (UPPER, UPPER | 0) => Some(Case::Upper),
            (UPPER, LOWER) => Some(Case::Title),
            _ => None,
        }
    }
}

static KINDS: [u8; 256] = kinds();

/// What a byte is.
#[inline]
pub(super) fn kind(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// Where the letters and digits end that begin there, and what they are.
#[inline]
pub(super) fn run(bytes: &[u8], start: usize) -> (usize, Kinds) {
    let small = small_letters(bytes.get(start..).unwrap_or_default());
    let mut end = start + small;
    let mut kinds = match small {
        0 => {
            let Some(first) = bytes
                .get(start)
                .map(|byte| kind(*byte))
                .filter(|kind| *kind != OTHER)
            else {
                return (start, Kinds::default());
            };
            end += 1;
            Kinds { first, rest: 0 }
        }
        1 => Kinds {
            first: LOWER,
            rest: 0,
        },
        _ => Kinds {
            first: LOWER,
            rest: LOWER,
        },
    };
    while let Some(kind) = bytes
        .get(end)
        .map(|byte| kind(*byte))
        .filter(|kind| *kind != OTHER)
    {
        kinds.rest |= kind;
        end += 1;
    }
    (end, kinds)
}

/// How many of the first bytes are small letters, as far as whole words of the machine tell: eight bytes at a time, where most
/// words of most texts are no longer.
#[inline]
fn small_letters(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let mut count = 0;
    while let Some(eight) = bytes.get(count..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*eight);
        let low = eight & !HIGH;
        let from_a = low + ONES * u64::from(0x80 - b'a');
        let beyond_z = low + ONES * u64::from(0x7F - b'z');
        let others = !(from_a & !beyond_z & !eight) & HIGH;
        if others != 0 {
            return count + others.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count
}

/// Whether a byte is a letter or a digit.
#[inline]
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
    fn a_run_ends_at_the_first_byte_that_is_no_letter_and_no_digit() {
        for length in 0..20 {
            for byte in 0..=u8::MAX {
                let mut bytes = vec![b'm'; length];
                bytes.push(byte);
                for behind in [b"".as_slice(), b" and more words", b"9"] {
                    let text = [bytes.as_slice(), behind].concat();
                    let end = text.iter().position(|byte| !byte.is_ascii_alphanumeric());
                    let end = end.unwrap_or(text.len());
                    assert_eq!(run(&text, 0).0, end, "{text:?}");
                    assert_eq!(run(&text, 0).1, Kinds::of(&text[..end]), "{text:?}");
                    assert_eq!(run(&text, text.len()), (text.len(), Kinds::default()));
                }
            }
        }
    }

    #[test]
    fn the_table_agrees_with_the_standard_library() {
        for byte in 0..=u8::MAX {
            assert_eq!(is_in_word(byte), byte.is_ascii_alphanumeric(), "{byte}");
            assert_eq!(kind(byte) == LOWER, byte.is_ascii_lowercase(), "{byte}");
            assert_eq!(kind(byte) == UPPER, byte.is_ascii_uppercase(), "{byte}");
        }
    }
}
