//! Whether the best hit answers the query, as an absolute decision. Knows nothing of the other hits.
//!
//! Two things make an answer. It is *strong*: its score is worth one match, in full, of the rarest word there could be, or a
//! good part of one. And it *covers* what was asked: of the mass of the query's words (each weighed by how much it tells)
//! the hit has a good part. A word that the catalog does not know is missed as well, but counts a quarter: most such words
//! are values for parameters, not needs. The evidence is the product of both, so neither makes up for a lack of the other.
//!
//! Where every word of the query stands in the hit, and not only in the small print of a body, rarity no longer decides: in a
//! catalog that is all about issues, `create issue` has its answer though both words are everywhere.

use serde::Serialize;

use crate::index::Index;
use crate::index::impact::IMPACT_STEPS;

use super::idf::weight;
use super::order::Candidate;
use super::plan::Plan;

/// How far the best hit can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It answers.
    Ok,
    /// It may answer; check it.
    Weak,
    /// Nothing answers.
    NoMatch,
}

/// The least evidence, in thousandths, of a good answer. On the development sets it doubts between none and a fifth of the
/// right first hits.
const OK_LEAST: i64 = 300;
/// The least of one that may be an answer: on each of the sets it loses at most two of a hundred right first hits.
const WEAK_LEAST: i64 = 100;
/// One over the share that a word counts which the catalog does not know.
const UNKNOWN_DIVISOR: i64 = 4;

/// The least depth, in thousandths, at which a hit that has every word answers: between what a word is worth in a body
/// (about 170) and in a description (500 and more).
const DEPTH_LEAST: i64 = 300;
/// How many words a query must have for that to be a good answer; one word alone may be an accident.
const WORDS_LEAST: usize = 2;

/// The status of a query whose best hit is this one.
pub(crate) fn status_of(index: &Index, plan: &Plan<'_>, best: &Candidate) -> Status {
    let evidence = Evidence::of(index, plan, best);
    let whole = evidence.whole && evidence.depth >= DEPTH_LEAST;
    match evidence.product {
        OK_LEAST.. => Status::Ok,
        _ if whole && plan.words.len() >= WORDS_LEAST => Status::Ok,
        WEAK_LEAST.. => Status::Weak,
        _ if whole => Status::Weak,
        _ => Status::NoMatch,
    }
}

/// What speaks for the best hit, in thousandths.
#[derive(Debug, Default)]
struct Evidence {
    /// Strength times coverage.
    product: i64,
    /// How much the words that it has are worth in it, whatever they are worth in the catalog.
    depth: i64,
    /// Whether it has every word.
    whole: bool,
}

impl Evidence {
    fn of(index: &Index, plan: &Plan<'_>, best: &Candidate) -> Self {
        let mut covered = vec![false; plan.words.len()];
        for term in &plan.terms {
            if let Some(place) = covered.get_mut(term.word) {
                *place |= term.postings.impact(best.slot) > 0;
            }
        }
        let whole = covered.iter().all(|covered| *covered);
        let (mut had, mut asked) = (0, 0);
        for (word, covered) in plan.words.iter().zip(covered) {
            let mass = i64::from(word.mass);
            asked += if word.known { mass } else { mass / UNKNOWN_DIVISOR };
            had += if covered { mass } else { 0 };
        }
        let rarest = i64::from(weight(0, index.len()));
        // In this order the product stays below 2^62: a score is below 2^31, a mass below 2^15.
        let score = 1_000 * i64::from(best.score);
        let strength = score / (rarest * IMPACT_STEPS).max(1);
        Self {
            product: strength * had / asked.max(1),
            depth: score / (had * IMPACT_STEPS).max(1),
            whole,
        }
    }
}
