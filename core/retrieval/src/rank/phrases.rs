//! What words are worth beside each other: the part of a document's words that their order makes. Knows nothing of meaning.
//!
//! Words that a query and a text have side by side, in the same order, say more than the same words apart: `sample test` is not
//! `test sample`. Two of them are worth 0.6 of what a match of the rarer one is worth, in all texts alike (Metzler, Croft: *A Markov
//! random field model for term dependencies*, SIGIR 2005). They add to what the words have; a text without the words has nothing.

use crate::index::Index;
use crate::text::Reader;
use crate::text::hash::pair;

use super::idf::Weights;

/// What two neighbours are worth beside the weight of the rarer, in steps of an impact: 0.6 of a match.
const SHARE: i32 = 60;
/// Neighbours both of which more documents have than this, and than one in so many, count for nothing: in a large catalog they say
/// little, and the work that a query asks for is bounded.
const COMMON_LEAST: usize = 256;
const COMMON_SHARE: usize = 16;

/// Adds to the sums of the words, by slot, what the neighbours among a query's words are worth.
pub(crate) fn add(index: &Index, query: &str, reader: &mut Reader, sums: &mut [i32]) {
    let weights = Weights::among(index.len());
    let common = COMMON_LEAST.max(index.len() / COMMON_SHARE);
    for (first, second) in reader.side_by_side(query) {
        let (Some((_, left)), Some((_, right))) = (index.terms().find(first), index.terms().find(second))
        else {
            continue;
        };
        let rarer = if left.count() <= right.count() {
            left
        } else {
            right
        };
        if rarer.count() as usize > common {
            continue;
        }
        let worth = SHARE * i32::from(weights.of(rarer.count()));
        let pair = pair(first, second);
        rarer.for_each(&mut |slot, _| {
            let sum = sums.get_mut(slot as usize).filter(|sum| **sum > 0);
            if let Some(sum) = sum.filter(|_| index.vectors().stand_side_by_side(slot, pair)) {
                *sum = sum.saturating_add(worth);
            }
        });
    }
}

#[cfg(test)]
#[path = "phrases_tests.rs"]
mod tests;
