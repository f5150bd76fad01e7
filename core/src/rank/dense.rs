//! How near each document's meaning is to a query's: similarities as integers, and how they are spread.
//! Knows nothing of words and of how the two become one score.
//!
//! Every document that has a vector is compared, whether it may be seen or not, so what one caller sees never depends on what
//! another may see. The best are compared with all bits that are kept, as many as any page of a model can need.

use crate::index::vectors::{NONE, ONE};
use crate::index::{Index, Probe};

/// How many of the best are compared with all bits at least, and one in how many.
const AGAIN_LEAST: usize = 40;
const AGAIN_SHARE: usize = 64;
/// Steps of similarities that are counted together.
const BIN_BITS: u32 = 13;
const BINS: usize = 1 << (26 - BIN_BITS);
/// Squares that are added up in one small integer.
const PIECE: usize = 1_024;

/// The similarities of the documents of an index to one query.
#[derive(Debug)]
pub(crate) struct Dense {
    /// By slot, in steps of 1 / [`ONE`].
    similarities: Vec<i32>,
    /// How many documents have one.
    pub(crate) count: u32,
    /// The mean of all, and the least.
    pub(crate) mean: i32,
    pub(crate) least: i32,
    /// The standard deviation; 0 when they are all alike.
    pub(crate) deviation: i32,
}

impl Dense {
    /// Compares all documents; `None` when none has a vector.
    pub(crate) fn new(index: &Index, probe: &Probe) -> Option<Self> {
        let vectors = index.vectors();
        if vectors.embedded() == 0 {
            return None;
        }
        let mut similarities = vectors.similarities(probe);
        let again = AGAIN_LEAST.max(vectors.embedded() as usize / AGAIN_SHARE);
        let bar = bar(&similarities, again);
        for (slot, similarity) in (0..).zip(&mut similarities) {
            if *similarity >= bar {
                *similarity = vectors.similarity(probe, slot).unwrap_or(*similarity);
            }
        }
        Some(Self::of(similarities))
    }

    /// Of similarities by slot.
    pub(super) fn of(similarities: Vec<i32>) -> Self {
        let (mut count, mut sum, mut least) = (0u32, 0i64, i32::MAX);
        for similarity in similarities.iter().filter(|similarity| **similarity != NONE) {
            count += 1;
            sum += i64::from(*similarity);
            least = least.min(*similarity);
        }
        let mean = sum / i64::from(count.max(1));
        // At most 2^24 documents, each at most 2^26 away from the mean: a piece stays below 2^62, the sum below 2^76.
        let squares: u128 = similarities
            .chunks(PIECE)
            .map(|piece| {
                let known = piece.iter().filter(|similarity| **similarity != NONE);
                u128::from(
                    known
                        .map(|similarity| (i64::from(*similarity) - mean).unsigned_abs().pow(2))
                        .sum::<u64>(),
                )
            })
            .sum();
        let deviation = (squares / u128::from(count.max(1))).isqrt();
        Self {
            similarities,
            count,
            mean: i32::try_from(mean).unwrap_or(0),
            least: least.min(i32::try_from(mean).unwrap_or(0)),
            deviation: i32::try_from(deviation).unwrap_or(i32::MAX),
        }
    }

    /// The similarity of the document at a slot, when it has one.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<i32> {
        let similarity = self.similarities.get(slot as usize).copied()?;
        (similarity != NONE).then_some(similarity)
    }

    /// The slots that have a similarity.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (u32, i32)> + '_ {
        let known = (0..)
            .zip(&self.similarities)
            .map(|(slot, similarity)| (slot, *similarity));
        known.filter(|(_, similarity)| *similarity != NONE)
    }
}

/// A similarity that at least so many reach, and not many more: all of the same are on the same side, so it does not depend on slots.
fn bar(similarities: &[i32], reached_by: usize) -> i32 {
    let mut bins = vec![0usize; BINS];
    for similarity in similarities.iter().filter(|similarity| **similarity != NONE) {
        if let Some(bin) = bins.get_mut(bin(*similarity)) {
            *bin += 1;
        }
    }
    let (mut reached, mut bar) = (0, 2 * ONE);
    for bin in bins.iter().rev() {
        reached += bin;
        bar -= 1 << BIN_BITS;
        if reached >= reached_by {
            return bar;
        }
    }
    NONE + 1
}

/// Similarities lie between -1 and 1, up to rounding.
fn bin(similarity: i32) -> usize {
    usize::try_from(similarity.saturating_add(2 * ONE) >> BIN_BITS)
        .unwrap_or(0)
        .min(BINS - 1)
}

#[cfg(test)]
#[path = "dense_tests.rs"]
mod tests;
