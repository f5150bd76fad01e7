//! How the evidence of words and of meaning becomes one score: the one file to change for another formula.
//! Knows nothing of how either evidence comes about, of names and of the order of hits.
//!
//! Both are measured in their own standard deviations over all documents, the hidden ones too, and added with equal weights.
//! An arm whose documents are all alike tells nothing and adds nothing. A document without a vector stands at the mean of
//! those that have one. Everything is in integers: the steps of [`super::Score`].

use super::dense::Dense;
use super::{Method, STEPS};
use crate::index::vectors::ONE;

/// How many deviations above the mean a meaning must be that no word supports.
const FLOOR_DEVIATIONS: i64 = 1;
/// The cosine below which a meaning is no evidence, and what more is worth, in thousandths of evidence per whole cosine.
const EVIDENCE_FROM: i64 = 200;
const EVIDENCE_SLOPE: i64 = 2_500;
/// The most that one arm adds.
const ARM_MOST: i64 = 1 << 29;

/// What is known of a query before its documents are scored.
#[derive(Debug)]
pub(crate) struct Fusion {
    /// Whether words count: they were asked for, and they tell documents apart.
    words: bool,
    /// The standard deviation of the sums of all documents.
    words_deviation: i64,
    mean: i64,
    least: i64,
    deviation: i64,
}

/// What the score of a document is made of; both parts are at least 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// What its words add.
    pub(crate) words: i32,
    /// What its meaning adds.
    pub(crate) meaning: i32,
}

impl Parts {
    /// The score.
    pub(crate) fn sum(self) -> i32 {
        self.words.saturating_add(self.meaning)
    }
}

impl Fusion {
    /// Weighs the two arms for one query; `sums` are those of the words, by slot, of `documents` documents.
    pub(crate) fn new(method: Method, sums: &[i32], documents: usize, dense: &Dense) -> Self {
        let words_deviation = deviation(sums, documents);
        Self {
            words: method == Method::Hybrid && words_deviation > 0,
            words_deviation,
            mean: i64::from(dense.mean),
            least: i64::from(dense.least),
            deviation: i64::from(dense.deviation),
        }
    }

    /// Whether words count; if not, meaning is all there is to go by.
    pub(crate) const fn counts_words(&self) -> bool {
        self.words
    }

    /// What the score of a document is made of, from the sum of its words (0 without any) and its similarity (none without a
    /// vector).
    pub(crate) fn parts(&self, words: i32, similarity: Option<i32>) -> Parts {
        if !self.words {
            // Alone, meaning is shown as the cosine that it is.
            let steps = i64::from(similarity.unwrap_or(0).max(0)) * i64::from(STEPS) / i64::from(ONE);
            return Parts {
                words: 0,
                meaning: capped(steps),
            };
        }
        let similarity = similarity.map_or(self.mean, i64::from);
        Parts {
            words: in_deviations(i64::from(words), self.words_deviation),
            meaning: in_deviations(similarity - self.least, self.deviation),
        }
    }

    /// Whether a document is a hit: a word supports it, or its meaning stands out.
    pub(crate) fn is_hit(&self, words: i32, similarity: Option<i32>) -> bool {
        let Some(similarity) = similarity else {
            return self.words && words > 0;
        };
        if !self.words {
            return similarity > 0;
        }
        words > 0 || i64::from(similarity) >= self.mean + FLOOR_DEVIATIONS * self.deviation
    }

    /// The evidence for the best hit, in thousandths, from that of its words and from its similarity.
    pub(crate) fn evidence(&self, words: u32, similarity: Option<i32>) -> u32 {
        let cosine = similarity.map_or(0, |similarity| 1_000 * i64::from(similarity) / i64::from(ONE));
        let meaning = ((cosine - EVIDENCE_FROM) * EVIDENCE_SLOPE / 1_000).max(0);
        let meaning = u32::try_from(meaning).unwrap_or(u32::MAX);
        if self.words { words.max(meaning) } else { meaning }
    }
}

fn in_deviations(value: i64, deviation: i64) -> i32 {
    if deviation == 0 {
        return 0;
    }
    capped(value * i64::from(STEPS) / deviation)
}

fn capped(steps: i64) -> i32 {
    i32::try_from(steps.clamp(0, ARM_MOST)).unwrap_or(0)
}

/// The standard deviation of sums, of which those that are not listed are 0.
fn deviation(sums: &[i32], documents: usize) -> i64 {
    let count = (documents as u128).max(1);
    let (mut sum, mut squares) = (0u128, 0u128);
    for value in sums.iter().filter(|value| **value > 0) {
        let value = u128::from(value.unsigned_abs());
        sum += value;
        squares += value * value;
    }
    // With at most 2^24 documents the products stay below 2^110.
    let spread = (count * squares).saturating_sub(sum * sum);
    i64::try_from(spread.isqrt() / count).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "fusion_tests.rs"]
mod tests;
