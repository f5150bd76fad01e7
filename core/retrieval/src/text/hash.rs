//! A fixed 64-bit hash that stands for a word, equal on every platform and in every release.
//! Knows nothing of what the words mean.
//!
//! A term is known by this number alone: the index keeps no term text. Two of a million words share a number by
//! accident about once in forty million catalogs, and whoever makes two words collide on purpose gains only what writing the
//! other word gains. Snapshots hold these numbers, so the function never changes.

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const STEP: u64 = 0xd6e8_feb8_6659_fd93;
const FINISH: u64 = 0xff51_afd7_ed55_8ccd;

/// The number of a word.
#[inline]
pub const fn hash(text: &str) -> u64 {
    hash_bytes(text.as_bytes())
}

/// The same of the bytes of a word.
#[inline]
pub(crate) const fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut state = SEED ^ bytes.len() as u64;
    let mut rest = bytes;
    while let Some((word, more)) = rest.split_first_chunk() {
        state = fold(state ^ u64::from_le_bytes(*word), STEP);
        rest = more;
    }
    if !rest.is_empty() {
        state = fold(state ^ little_endian(rest), STEP);
    }
    state ^= state >> 32;
    fold(state, FINISH)
}

/// At most seven bytes as a number, by looks that overlap instead of one for each.
#[inline]
pub(super) const fn little_endian(bytes: &[u8]) -> u64 {
    if let (Some(low), Some(high)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
        return low as u64 | (high as u64) << (8 * (bytes.len() - 4));
    }
    match bytes {
        [first] => *first as u64,
        [first, second] => u16::from_le_bytes([*first, *second]) as u64,
        [first, second, third, ..] => u32::from_le_bytes([*first, *second, *third, 0]) as u64,
        [] => 0,
    }
}

/// The same word in another space of words (a server's name is weighed apart from the same word in a text). Both have the same
/// low half, so whoever looks for one by that half comes by the other.
pub(crate) const fn in_server_space(hash: u64) -> u64 {
    hash ^ 0x5bf0_3635_0000_0000
}

/// What words begin with is known in a space of its own, so that it never is a word.
pub(crate) const fn in_beginning_space(hash: u64) -> u64 {
    hash ^ 0x2c91_77d3_a86b_e10f
}

/// The number of two words that stand side by side, in this order. Half a hash tells the pairs of one text apart.
pub(crate) const fn pair(first: u64, second: u64) -> u32 {
    #[allow(clippy::cast_possible_truncation, reason = "the upper half is what is wanted")]
    let half = (fold(first.rotate_left(1) ^ SEED, second ^ STEP) >> 32) as u32;
    half
}

/// Both halves of the product, so that high bits reach low ones.
#[inline]
const fn fold(left: u64, right: u64) -> u64 {
    let product = (left as u128) * (right as u128);
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the halves of a product are what is wanted"
    )]
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded ^ left.rotate_left(23)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_numbers_never_change() {
        assert_eq!(
            [hash(""), hash("issue"), hash("create_issue"), hash("日本")],
            GOLDEN
        );
    }
    const GOLDEN: [u64; 4] = [
        4_537_400_370_694_711_703,
        6_127_332_102_906_995_326,
        14_904_129_313_482_256_757,
        10_396_660_012_452_451_143,
    ];

    #[test]
    fn a_few_bytes_make_the_number_that_they_make_with_zeros_behind() {
        for length in 1..8 {
            let mut bytes = [0; 8];
            (0x81..)
                .zip(&mut bytes[..length])
                .for_each(|(value, byte)| *byte = value);
            assert_eq!(
                little_endian(&bytes[..length]),
                u64::from_le_bytes(bytes),
                "{length}"
            );
        }
    }

    #[test]
    fn a_pair_is_another_one_the_other_way_round() {
        let (water, heater) = (hash("water"), hash("heater"));
        assert_eq!(pair(water, heater), 1_594_334_485);
        assert_ne!(pair(water, heater), pair(heater, water));
    }

    #[test]
    fn a_word_in_the_names_of_servers_has_another_number_with_the_same_low_half() {
        let word = hash("issue");
        let server = in_server_space(word);
        assert_ne!(word, server);
        assert_eq!(word << 32, server << 32);
        assert_eq!(in_server_space(server), word);
    }

    #[test]
    fn near_words_have_far_numbers() {
        let mut seen = HashSet::new();
        let mut low = HashSet::new();
        for number in 0..200_000u32 {
            let value = hash(&format!("word{number}"));
            assert!(seen.insert(value));
            low.insert(value & 0x000f_ffff);
        }
        // 200,000 balls in 1,048,576 boxes leave 181,900 boxes used when they fall evenly.
        assert!((181_000..183_000).contains(&low.len()), "{}", low.len());
    }
}
