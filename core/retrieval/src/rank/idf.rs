//! How much a word tells, from how many documents have it: integers only, so every platform gets the same bits.
//! Knows nothing of queries.
//!
//! The weight is ln((N + 1) / (df + 1/2)), which is never negative, in steps of 1/2048. The logarithm comes from a table that
//! the compiler computes by repeated squaring, with a straight line between its entries (error below 1/100,000).

/// Steps of a weight per unit (nat).
pub(crate) const WEIGHT_SCALE: i32 = 2_048;
/// The largest weight; 256 words at it, times the largest impact, still fit an `i32`.
pub(crate) const WEIGHT_MOST: i16 = i16::MAX;

const TABLE_BITS: u32 = 8;
const TABLE: [u32; (1 << TABLE_BITS) + 1] = table();
/// ln 2, in steps of 2^-20.
const LN_2: u64 = 726_817;

/// What words weigh in a catalog of so many documents.
#[derive(Clone, Copy)]
pub(crate) struct Weights {
    /// The logarithm of twice (N + 1), in steps of 2^-16.
    documents: u64,
}

impl Weights {
    pub(crate) fn among(documents: usize) -> Self {
        Self {
            documents: log2(2 * documents as u64 + 2),
        }
    }

    /// The weight of a word that `count` documents have; at least 1, so that a match is worth something.
    pub(crate) fn of(self, count: u32) -> i16 {
        let bits = self.documents.saturating_sub(log2(2 * u64::from(count) + 1));
        let nats = (bits * LN_2 * u64::from(WEIGHT_SCALE.unsigned_abs())) >> 36;
        i16::try_from(nats).unwrap_or(WEIGHT_MOST).clamp(1, WEIGHT_MOST)
    }
}

/// The binary logarithm of a positive number, in steps of 2^-16.
fn log2(value: u64) -> u64 {
    let value = value.max(1);
    let whole = value.ilog2();
    // The bits after the leading one, as a fraction in 32 bits.
    let fraction = (value << (63 - whole) << 1) >> 32;
    let place = (fraction >> (32 - TABLE_BITS)) as usize;
    let within = fraction & ((1 << (32 - TABLE_BITS)) - 1);
    let low = TABLE.get(place).copied().map_or(0, u64::from);
    let high = TABLE.get(place + 1).copied().map_or(0, u64::from);
    (u64::from(whole) << 16) + low + (((high - low) * within) >> (32 - TABLE_BITS))
}

/// log2(1 + place / 256) in steps of 2^-16: squaring doubles a logarithm, and passing 2 yields its next bit.
#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "computed while compiling"
)]
const fn table() -> [u32; (1 << TABLE_BITS) + 1] {
    let mut table = [0; (1 << TABLE_BITS) + 1];
    let mut place = 0;
    while place < 1 << TABLE_BITS {
        let mut value = (1u128 << 60) + ((place as u128) << (60 - TABLE_BITS));
        let (mut bits, mut left) = (0u32, 18);
        while left > 0 {
            value = (value * value) >> 60;
            bits <<= 1;
            if value >= 2 << 60 {
                value >>= 1;
                bits |= 1;
            }
            left -= 1;
        }
        table[place] = (bits + 2) >> 2;
        place += 1;
    }
    table[1 << TABLE_BITS] = 1 << 16;
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_logarithm_of_the_platform() {
        for documents in [1usize, 2, 3, 10, 147, 1_000, 99_999, 1_000_000] {
            for count in [0u32, 1, 2, 3, 9, 100, 146, 999, 99_998, 1_000_000] {
                if count as usize <= documents {
                    let exact = ((documents as f64 + 1.0) / (f64::from(count) + 0.5)).ln() * 2_048.0;
                    let ours = f64::from(Weights::among(documents).of(count));
                    assert!(
                        (ours - exact.clamp(1.0, 32_767.0)).abs() <= 1.5,
                        "{count} of {documents}: {ours} {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_rarer_word_never_weighs_less() {
        for documents in [1usize, 5, 1_000, 50_000] {
            let weights: Vec<i16> = (0..=u32::try_from(documents).unwrap())
                .map(|count| Weights::among(documents).of(count))
                .collect();
            assert!(weights.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }

    #[test]
    fn the_widest_query_fits_a_sum() {
        assert!(256i64 * i64::from(WEIGHT_MOST) * 255 <= i64::from(i32::MAX));
    }
}
