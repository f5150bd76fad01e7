//! How the evidence of words and of meaning becomes one score: the one file to change for another formula.
//! Knows nothing of how either evidence comes about, of names and of the order of hits.
//!
//! A score of words stays as it is: it already means the same in every catalog, and it is the larger the more a query says.
//! Meaning is added in the same units. What a cosine says depends on the model and on the query, so it is measured against
//! the cosines of all documents (the hidden ones too): what is nearer than the mean document adds 2.4 for each standard
//! deviation that it is nearer, which is about 29 for a whole cosine. A few documents say little about a mean and a deviation, so
//! eight imagined ones, as a sentence encoder sees unrelated texts, stand beside them. A document without a vector stands at
//! the mean. Everything is in integers: the steps of [`super::Score`]. Why this formula: `docs/semantic.md`.

use serde::Deserialize;

use super::dense::Dense;
use super::{Method, STEPS};
use crate::ablation::{Idea, on};
use crate::index::vectors::ONE;

/// What a standard deviation of meaning is worth, in hundredths of a unit of score.
const WEIGHT: i64 = 240;
/// The same where the query is in a language that the model does not know.
const STRANGE_WEIGHT: i64 = 60;
/// How many imagined documents a query is compared with beside the real ones, and their cosines, in thousandths: mean and
/// standard deviation.
const IMAGINED: i64 = 8;
const IMAGINED_MEAN: i64 = 70;
const IMAGINED_DEVIATION: i64 = 83;
/// How many deviations above the mean a meaning must be that no word supports.
const FLOOR_DEVIATIONS: i64 = 2;
/// The most that one arm adds.
const ARM_MOST: i64 = 1 << 29;
/// What reciprocal ranks are shifted by.
const RANK_SHIFT: i64 = 60;

/// How words and meaning become one score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Fusion"))]
#[serde(rename_all = "lowercase")]
pub enum Formula {
    /// The score of the words, and 2.4 for each standard deviation that the meaning is nearer than the mean document.
    #[default]
    Sum,
    /// Reciprocal ranks: 61 / (60 + rank) in each arm, the best of which has rank 1 (Cormack, Clarke, Büttcher: *Reciprocal rank fusion
    /// outperforms Condorcet and individual rank learning methods*, SIGIR 2009).
    Ranks,
    /// Both arms in their own standard deviations over all documents.
    Deviations,
}

/// What is known of a query before its documents are scored.
#[derive(Debug)]
pub(crate) struct Fusion {
    /// Whether words count: they were asked for, and they tell documents apart.
    words: bool,
    arms: Arms,
    /// What documents are compared with.
    mean: i64,
    deviation: i64,
    /// What a deviation is worth, in hundredths of a unit of score.
    weight: i64,
}

/// What a formula needs to know beside.
#[derive(Debug)]
enum Arms {
    Sum,
    /// The sums and the similarities of the documents that have any, ascending.
    Ranks {
        words: Vec<i32>,
        meanings: Vec<i32>,
    },
    /// The standard deviation of the sums of all documents; the least similarity.
    Deviations {
        words: i64,
        least: i64,
    },
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
    pub(crate) fn new(
        method: Method,
        formula: Formula,
        sums: &[i32],
        documents: usize,
        dense: &Dense,
    ) -> Self {
        let arms = match formula {
            Formula::Sum => Arms::Sum,
            Formula::Ranks => Arms::Ranks {
                words: ascending(sums.iter().copied().filter(|sum| *sum > 0)),
                meanings: ascending(dense.slots().map(|(_, similarity)| similarity)),
            },
            Formula::Deviations => Arms::Deviations {
                words: deviation(sums, documents),
                least: i64::from(dense.least),
            },
        };
        let (mean, deviation) = match formula {
            Formula::Sum | Formula::Ranks => spread(dense),
            Formula::Deviations => (i64::from(dense.mean), i64::from(dense.deviation)),
        };
        Self {
            words: method == Method::Hybrid && sums.iter().any(|sum| *sum > 0),
            arms,
            mean,
            deviation,
            weight: if on(Idea::MeaningWeight) { WEIGHT } else { 100 },
        }
    }

    /// The same for a query in a language that the model does not know.
    pub(crate) fn of_a_strange_language(self) -> Self {
        Self {
            weight: STRANGE_WEIGHT,
            ..self
        }
    }

    /// The mean that deviations are counted from.
    pub(crate) fn mean(&self) -> i32 {
        capped(self.mean)
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
        match &self.arms {
            Arms::Sum => Parts {
                words,
                meaning: capped(self.deviations(similarity) * self.weight / 100),
            },
            Arms::Ranks {
                words: sums,
                meanings,
            } => Parts {
                words: if words > 0 { reciprocal(sums, words) } else { 0 },
                meaning: similarity.map_or(0, |similarity| reciprocal(meanings, similarity)),
            },
            Arms::Deviations { words: spread, least } => Parts {
                words: capped(in_deviations(i64::from(words), *spread)),
                meaning: capped(in_deviations(
                    similarity.map_or(self.mean, i64::from) - least,
                    self.deviation,
                )),
            },
        }
    }

    /// Whether a document is a hit: a word supports it, or its meaning stands out.
    pub(crate) fn is_hit(&self, words: i32, similarity: Option<i32>) -> bool {
        if !self.words {
            return similarity.is_some_and(|similarity| similarity > 0);
        }
        let floor = FLOOR_DEVIATIONS * i64::from(STEPS);
        words > 0
            || similarity.is_some() && (self.deviations(similarity) >= floor || !on(Idea::NeighbourFloor))
    }

    /// How much nearer a document is than the mean one, in thousandths of a cosine; `None` without a vector.
    pub(crate) fn lift(&self, similarity: Option<i32>) -> Option<i64> {
        Some(1_000 * (i64::from(similarity?) - self.mean) / i64::from(ONE))
    }

    /// Whether words count; if not, meaning is all there is to go by.
    pub(crate) const fn counts_words(&self) -> bool {
        self.words
    }

    /// How many deviations above the mean a similarity is, in steps of a score.
    fn deviations(&self, similarity: Option<i32>) -> i64 {
        let nearer = similarity.map_or(0, |similarity| i64::from(similarity) - self.mean);
        in_deviations(nearer, self.deviation)
    }
}

/// The mean of the similarities of a query's documents, and of the imagined ones, and the standard deviation.
fn spread(dense: &Dense) -> (i64, i64) {
    let one = i64::from(ONE);
    let (mean, deviation) = (IMAGINED_MEAN * one / 1_000, IMAGINED_DEVIATION * one / 1_000);
    if !on(Idea::Spread) {
        return (mean, deviation);
    }
    let (real, imagined) = (
        i64::from(dense.count),
        if on(Idea::Imagined) { IMAGINED } else { 0 },
    );
    let all = (real + imagined).max(1);
    // At most 2^24 documents of at most 2^26 steps: below 2^51, and the squares below 2^77.
    let squares = i128::from(real) * i128::from(dense.deviation).pow(2)
        + i128::from(imagined) * i128::from(deviation).pow(2);
    let variance = squares / i128::from(all);
    (
        (real * i64::from(dense.mean) + imagined * mean) / all,
        i64::try_from(variance.isqrt()).unwrap_or(i64::MAX),
    )
}

fn in_deviations(value: i64, deviation: i64) -> i64 {
    // What is at most 2^31 times the steps stays below 2^50.
    value * i64::from(STEPS) / deviation.max(1) * i64::from(deviation > 0)
}

fn capped(steps: i64) -> i32 {
    i32::try_from(steps.clamp(0, ARM_MOST)).unwrap_or(0)
}

fn ascending(values: impl Iterator<Item = i32>) -> Vec<i32> {
    let mut values: Vec<i32> = values.collect();
    values.sort_unstable();
    values
}

/// 61 / (60 + rank): the rank is one more than how many are greater, so equal ones have the same.
fn reciprocal(ascending: &[i32], value: i32) -> i32 {
    let greater = ascending.len() - ascending.partition_point(|other| *other <= value);
    let rank = 1 + i64::try_from(greater).unwrap_or(i64::MAX - RANK_SHIFT - 1);
    capped((RANK_SHIFT + 1) * i64::from(STEPS) / (RANK_SHIFT + rank))
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
