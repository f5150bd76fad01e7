//! Eight letters at once: which of them are one of a few.
//!
//! Must not know words.

/// Eight letters, each looked at in the same steps.
#[derive(Clone, Copy)]
pub(super) struct Eight {
    letters: u64,
    /// The high bit of each byte that is ASCII.
    ascii: u64,
}

impl Eight {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = Self::ONES << 7;

    pub(super) const fn of(bytes: [u8; 8]) -> Self {
        let bytes = u64::from_le_bytes(bytes);
        Self {
            letters: bytes & !Self::HIGH,
            ascii: !bytes & Self::HIGH,
        }
    }

    /// The high bit of each of the eight that is one of these letters.
    #[inline]
    pub(super) fn marks(self, letters: &[u8]) -> u64 {
        // What is left of an equal byte is 0, and only 0 leaves the high bit.
        let one = |letter: &u8| Self::HIGH - (self.letters ^ (Self::ONES * u64::from(*letter)));
        letters.iter().fold(0, |found, letter| found | one(letter)) & self.ascii
    }

    /// A bit for each of the eight, the first one lowest, in place of its high bit.
    #[inline]
    pub(super) const fn bits(marks: u64) -> u64 {
        // The product brings the first bit of each byte into the highest byte.
        (marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_eight_is_found_where_it_stands_and_what_is_no_ascii_is_none() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut eight = [b'x'; 8];
                eight[place] = byte;
                let expected = u64::from(matches!(byte, b'a' | b'e')) << place;
                assert_eq!(Eight::bits(Eight::of(eight).marks(b"ae")), expected, "{byte}");
            }
        }
        assert_eq!(Eight::bits(Eight::of(*b"aeaeaeae").marks(b"ea")), 0xFF);
    }
}
