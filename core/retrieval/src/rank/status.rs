//! Whether the best hit answers the query, as an absolute decision. Knows nothing of the other hits.
//!
//! Two things make an answer. It is *strong*: its score is worth one match, in full, of the rarest word a document could have, or a
//! good part of one. And it *covers* what was asked: of the mass of the query's words (each weighed by how much it tells)
//! the hit has a good part. A word that the catalog does not know is missed as well, but counts a quarter: most such words
//! are values for parameters, not needs. The evidence is the product of both, so neither makes up for a lack of the other.
//!
//! Where every word of the query stands in the hit, rarity no longer decides: in a catalog that is all about issues,
//! `create issue` has its answer though both words are everywhere. Then what the words are worth in the hit, whatever they are
//! worth in the catalog, is strength enough.
//!
//! In a text that is not English, a word that the hit begins like covers as the word would, and its score says how much less it is
//! worth. Where the word itself stands, its beginning stands as well, and is no evidence beside it. Where words are looked
//! for in part, hits score less, so less makes them possible.
//!
//! Where meaning counts, the best hit also has a *lift*: how much nearer it is to the query than the mean document, as a difference
//! of cosines. Words and lift are added, on a scale that the same two thresholds cut. Meaning alone has to be very near to be
//! certain, a little nearness without words is no match, and what words make possible, no lack of nearness makes impossible.
//!
//! Two thresholds cut the evidence. The lower one is where at most two of a hundred right answers are lost on any public set; the
//! upper one halves what a cut-off on the top score of BM25 lets through wrongly (`docs/retrieval.md`, `make bench-quality`).

use serde::Serialize;

use crate::ablation::{Idea, on};
use crate::index::Index;
use crate::index::impact::IMPACT_STEPS;
use crate::text::Part;

use super::Method;
use super::order::Candidate;
use super::plan::{Plan, WORDS_MOST, Way, rarest_found};

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

/// Where the evidence of a good answer and of a possible one begins, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// From here on a hit answers.
    pub ok: u32,
    /// From here on it may answer; below, nothing does.
    pub weak: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { ok: 1_050, weak: 200 }
    }
}

impl Thresholds {
    /// With others where a host sets some, in units of evidence; a possible answer never asks for more than a good one.
    pub fn set(self, ok: Option<f64>, weak: Option<f64>) -> Self {
        let ok = ok.map_or(self.ok, thousandths);
        Self {
            ok,
            weak: weak.map_or(self.weak, thousandths).min(ok),
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range before; what is not a number becomes 0"
)]
fn thousandths(evidence: f64) -> u32 {
    (evidence * 1_000.0).round().clamp(0.0, f64::from(u32::MAX)) as u32
}

/// One over the share that a word counts which the catalog does not know.
const UNKNOWN_DIVISOR: i64 = 4;

/// How many words a query must have for a hit with all of them to be a good answer; one word alone may be an accident.
const WORDS_LEAST: u32 = 2;
/// What one word alone may be worth: more than nothing, and less than a good answer.
const WHOLE_MOST: i64 = 200;
/// What beginnings of words may be worth where none of the words stands in full: less than a good answer, since other words begin
/// alike.
const BEGINNINGS_MOST: i64 = 1_000;
/// What parts of words and beginnings of theirs are worth in a score, about: 0.6 to 0.75 of a word, in tenths. Where they are looked for,
/// because words change their forms, as much less evidence makes a possible answer, and none the less a good one.
const PARTS_TENTHS: i64 = 7;
/// The evidence of a possible answer.
const POSSIBLE: i64 = 200;

/// How well the best hit answers a query, in thousandths.
pub(crate) fn evidence_of(index: &Index, plan: &Plan<'_>, best: &Candidate) -> u32 {
    let evidence = Evidence::of(index, plan, best);
    let strength = if evidence.whole {
        let depth = if words_of(plan) >= WORDS_LEAST {
            evidence.depth
        } else {
            evidence.depth.min(WHOLE_MOST)
        };
        evidence.strength.max(depth)
    } else {
        evidence.strength
    };
    let mut found = strength * evidence.coverage / 1_000;
    if plan.is_of_parts {
        found = found.max((10 * found / PARTS_TENTHS).min(POSSIBLE));
    }
    let most = if evidence.by_beginnings {
        BEGINNINGS_MOST
    } else {
        found
    };
    u32::try_from(found.min(most)).unwrap_or(u32::MAX)
}

/// How many words were asked for, whole ones: parts of one word do not vouch for each other.
fn words_of(plan: &Plan<'_>) -> u32 {
    let words = plan.words.iter().filter(|word| word.part != Part::Root);
    words.map(|word| u32::from(word.part.share())).sum::<u32>() / 100
}

/// The evidence of words and meaning: 0.575 of that of the words and 2.3 of the lift, less 0.325; in thousandths.
const WORDS_SHARE: i64 = 575;
const LIFT_SHARE: i64 = 2_300;
const FUSED_OFFSET: i64 = 325;
/// How much of the words' evidence stands whatever the meaning says: a possible answer stays one.
const WORDS_KEPT: u32 = 200;
/// The evidence of meaning alone: 4.25 of the lift, less 0.65.
const ALONE_SHARE: i64 = 4_250;
const ALONE_OFFSET: i64 = 650;

/// How well the best hit answers, in thousandths: from the evidence of its words and from how much nearer than the mean document it
/// is, in thousandths of a cosine. Without a vector, words are all there is.
pub(crate) fn fused(words: u32, lift: Option<i64>, method: Method) -> u32 {
    let Some(lift) = lift.filter(|_| on(Idea::Lift)) else {
        return words;
    };
    if method == Method::Semantic {
        let share = part(Idea::AloneShare, ALONE_SHARE, 1_000);
        return at_least_nothing(lift * share / 1_000 - part(Idea::AloneOffset, ALONE_OFFSET, 0));
    }
    let of_words = i64::from(words) * part(Idea::WordsShare, WORDS_SHARE, 1_000);
    let of_lift = lift * part(Idea::LiftShare, LIFT_SHARE, 1_000);
    let both = (of_words + of_lift) / 1_000 - part(Idea::DoubtOffset, FUSED_OFFSET, 0);
    let kept = if on(Idea::WordsKept) { WORDS_KEPT } else { 0 };
    at_least_nothing(both).max(words.min(kept))
}

fn part(idea: Idea, own: i64, without: i64) -> i64 {
    if on(idea) { own } else { without }
}

fn at_least_nothing(evidence: i64) -> u32 {
    u32::try_from(evidence.max(0)).unwrap_or(u32::MAX)
}

impl Status {
    /// What evidence says.
    pub(crate) const fn of(evidence: u32, thresholds: Thresholds) -> Self {
        if evidence >= thresholds.ok {
            Self::Ok
        } else if evidence >= thresholds.weak {
            Self::Weak
        } else {
            Self::NoMatch
        }
    }
}

/// What speaks for the best hit, in thousandths.
#[derive(Debug, Default)]
struct Evidence {
    strength: i64,
    coverage: i64,
    /// How much the words that it has are worth in it, whatever they are worth in the catalog.
    depth: i64,
    /// Whether it has every word.
    whole: bool,
    /// Whether all that it has is what words begin with.
    by_beginnings: bool,
}

/// What a word of the query has in a document: itself, a word that begins like it, another word that stands for it.
const DIRECT: u8 = 1;
const BEGUN: u8 = 2;
const BY_ANOTHER: u8 = 4;

impl Evidence {
    fn of(index: &Index, plan: &Plan<'_>, best: &Candidate) -> Self {
        let mut marks = [0_u8; WORDS_MOST];
        // What is counted beside the word itself.
        let mut beside = 0;
        let surplus = plan.surplus_at(best.slot);
        for (place, term) in plan.terms.iter().enumerate() {
            let impact = term.postings.impact(best.slot);
            if impact > 0
                && let Some(marks) = marks.get_mut(term.word)
            {
                // Words themselves come first in a plan.
                if term.way == Way::Beginning
                    && *marks & DIRECT > 0
                    && surplus.iter().all(|one| one.term != place)
                {
                    beside += i64::from(term.steps(impact));
                }
                *marks |= match term.way {
                    Way::Same | Way::Server => DIRECT,
                    Way::Beginning => BEGUN,
                    Way::Related | Way::Misspelt => BY_ANOTHER,
                };
            }
        }
        let (mut all, mut any) = (DIRECT, 0);
        let mut by_beginnings = true;
        let (mut had, mut asked) = (0, 0);
        for (word, marks) in plan.words.iter().zip(marks) {
            let mass = i64::from(word.mass);
            asked += if word.known { mass } else { mass / UNKNOWN_DIVISOR };
            had += if marks > 0 { mass } else { 0 };
            by_beginnings &= marks == 0 || marks & BEGUN > 0;
            (all, any) = (all & marks, any | marks);
        }
        let by_beginnings = by_beginnings && any > 0 && any & DIRECT == 0;
        let whole = all & DIRECT > 0;
        let rarest = i64::from(rarest_found(index.len()));
        // A score is below 2^31, a mass below 2^15.
        let score = 1_000 * (i64::from(best.score) - beside).max(0);
        Self {
            strength: score / (rarest * IMPACT_STEPS).max(1),
            coverage: 1_000 * had / asked.max(1),
            depth: score / (had * IMPACT_STEPS).max(1),
            whole,
            by_beginnings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{Shelf, tool};
    use super::*;

    fn hybrid(words: u32, lift: i64) -> Status {
        Status::of(fused(words, Some(lift), Method::Hybrid), Thresholds::default())
    }

    #[test]
    fn a_little_nearness_without_words_is_no_match_and_it_takes_much_to_be_certain() {
        assert_eq!([0, 150, 220].map(|lift| hybrid(0, lift)), [Status::NoMatch; 3]);
        assert_eq!([240, 450, 590].map(|lift| hybrid(0, lift)), [Status::Weak; 3]);
        assert_eq!(hybrid(0, 610), Status::Ok);
    }

    #[test]
    fn words_and_nearness_make_up_for_each_other_but_words_are_not_taken_back() {
        assert_eq!(
            [0, 200, 300].map(|lift| hybrid(1_300, lift)),
            [Status::Weak, Status::Weak, Status::Ok]
        );
        assert_eq!(hybrid(2_600, 0), Status::Ok);
        assert_eq!(hybrid(210, -300), Status::Weak);
        assert_eq!(hybrid(190, -300), Status::NoMatch);
    }

    #[test]
    fn the_evidence_of_words_and_lift_is_a_sum_of_shares_to_the_thousandth() {
        let hybrid = |words, lift| fused(words, Some(lift), Method::Hybrid);
        // 0.575 of the words, 2.3 of the lift, less 0.325.
        assert_eq!(
            [hybrid(1_000, 400), hybrid(2_000, 0), hybrid(0, 1_000)],
            [1_170, 825, 1_975]
        );
        // What words make possible stands: at most 0.2 of them.
        assert_eq!(
            [hybrid(500, -1_000), hybrid(199, -1_000), hybrid(0, -1_000)],
            [200, 199, 0]
        );
        // 4.25 of the lift, less 0.65.
        assert_eq!(
            [153, 400, 1_000].map(|lift| fused(9_000, Some(lift), Method::Semantic)),
            [0, 1_050, 3_600]
        );
    }

    #[test]
    fn a_word_that_the_catalog_does_not_know_is_missed_by_a_quarter() {
        let mut tools: Vec<_> = ["list", "close", "label", "merge"]
            .map(|verb| tool(&format!("{verb}_issue"), "Handles an issue"))
            .to_vec();
        tools.push(tool("gargle_water", "Gargles"));
        let shelf = Shelf::of(tools);
        let evidence = |query: &str| f64::from(shelf.search(query, 9).evidence);
        // What is unknown weighs half as much again as this word, and counts a quarter: 1 / (1 + 1.5 / 4), 1 / (1 + 3 / 4).
        assert!((evidence("gargle xylophone") / evidence("gargle") - 0.727).abs() < 0.002);
        assert!((evidence("gargle xylophone zeppelin") / evidence("gargle") - 0.571).abs() < 0.002);
    }

    #[test]
    fn without_a_vector_the_evidence_is_that_of_the_words() {
        for method in [Method::Hybrid, Method::Semantic] {
            assert_eq!(
                [0, 190, 5_000].map(|words| fused(words, None, method)),
                [0, 190, 5_000]
            );
        }
    }

    #[test]
    fn meaning_alone_is_judged_by_itself() {
        let alone = |lift| Status::of(fused(3_000, Some(lift), Method::Semantic), Thresholds::default());
        assert_eq!(
            [100, 190, 210, 390, 410].map(alone),
            [
                Status::NoMatch,
                Status::NoMatch,
                Status::Weak,
                Status::Weak,
                Status::Ok
            ]
        );
    }
}
