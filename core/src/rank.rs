//! A query and an index become ordered slots. Knows nothing of mutation, JSON and item types.
//!
//! `plan` looks the words up, `block` adds their postings, `order` keeps the best, `status` says whether they answer.
//! Scores are integers until [`Score::to_f64`].

mod block;
mod diversity;
pub(crate) mod edits;
mod idf;
#[cfg(test)]
mod kit;
#[cfg(test)]
mod laws;
mod order;
#[cfg(test)]
mod pains;
mod plan;
mod status;
mod suggest;

pub use status::Status;
pub use suggest::suggest;

use crate::index::chunk::BLOCK;
use crate::index::impact::IMPACT_STEPS;
use crate::index::{Bitmap, Index};
use crate::text::{QueryText, analyze_query};
use block::Sums;
use order::{Best, Candidate};
use plan::Plan;

/// The most slots named as nearest.
const NEAREST_MOST: usize = 3;
/// The most named hits that stand on a page beyond its limit: a bound against a thousand namesakes.
const NAMED_MOST: usize = 50;
/// How many pages ahead diversity looks for hits that are not look-alikes.
const DIVERSITY_PAGES: usize = 3;

/// Sums looked at together.
const GROUP: usize = 32;
const GROUP_SLOTS: u32 = 32;

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Query<'a> {
    /// The words.
    pub text: &'a str,
    /// The most hits.
    pub limit: usize,
    /// Hits to skip.
    pub offset: usize,
    /// What may be seen; all when absent.
    pub visible: Option<&'a Bitmap>,
    /// The least score of an unnamed hit.
    pub min_score: Option<f64>,
    /// Whether the page is for a model: look-alikes make room for others, and every named hit stands on it.
    pub diversify: bool,
}

/// One hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Where the document stands.
    pub slot: u32,
    /// How well it fits; comparable within a catalog.
    pub score: Score,
    /// Whether the query names it.
    pub named: bool,
}

/// A score, exact and equal on every platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u32);

/// What a search answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// How far the best hit can be trusted.
    pub status: Status,
    /// The page.
    pub hits: Vec<Hit>,
    /// How many hits there are on all pages.
    pub total: usize,
    /// With `NoMatch`, the nearest slots, at most three.
    pub nearest: Vec<u32>,
}

impl Score {
    /// As a number for people and programs.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / steps()
    }
}

/// Orders what matches a query.
pub fn search(index: &Index, query: &Query<'_>) -> Ranking {
    let text = analyze_query(query.text);
    let named = named_slots(index, &text, query.visible);
    let plan = Plan::new(index, &text);
    let limit = if query.diversify {
        query.limit.max(named.len().min(NAMED_MOST))
    } else {
        query.limit
    };
    let reach = query.offset.saturating_add(limit);
    let keep = if query.diversify {
        reach.saturating_mul(DIVERSITY_PAGES)
    } else {
        reach
    };
    let least = query.min_score.map_or(1, least_sum);
    let (total, mut candidates) = collect(index, &plan, &named, query.visible, keep, least);

    let (status, nearest) = match candidates.first() {
        None => (Status::NoMatch, Vec::new()),
        Some(best) if best.named => (Status::Ok, Vec::new()),
        Some(best) => match status::status_of(index, &plan, best) {
            Status::NoMatch => (
                Status::NoMatch,
                candidates
                    .iter()
                    .take(NEAREST_MOST)
                    .map(|candidate| candidate.slot)
                    .collect(),
            ),
            status => (status, Vec::new()),
        },
    };
    if query.diversify {
        diversity::diversify(index, &mut candidates);
    }
    let page = candidates.iter().skip(query.offset).take(limit);
    let hits = page.map(|candidate| Hit {
        slot: candidate.slot,
        score: Score(candidate.score.unsigned_abs()),
        named: candidate.named,
    });
    Ranking {
        status,
        hits: hits.collect(),
        total,
        nearest,
    }
}

/// Slots that the query names, ascending: the whole query is a name, or it holds one in the form of an identifier.
fn named_slots(index: &Index, text: &QueryText, visible: Option<&Bitmap>) -> Vec<u32> {
    let mut slots = Vec::new();
    for key in std::iter::once(&text.whole).chain(&text.identifiers) {
        index.for_each_named(key, &mut |slot| slots.push(slot));
    }
    slots.retain(|slot| visible.is_none_or(|visible| visible.contains(*slot)));
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// How many match, and the best of them in order.
fn collect(
    index: &Index,
    plan: &Plan<'_>,
    named: &[u32],
    visible: Option<&Bitmap>,
    keep: usize,
    least: i32,
) -> (usize, Vec<Candidate>) {
    let mut best = Best::new(index, plan, keep, least);
    let mut total = named.len();
    let mut sums = Sums::new(index.span(), plan.terms.len());
    let mut named = named.iter().copied().peekable();
    if plan.terms.is_empty() && named.peek().is_none() {
        return (0, Vec::new());
    }
    for first in (0..index.span()).step_by(BLOCK as usize) {
        let sums = sums.add(first, &plan.terms);
        if let Some(visible) = visible {
            hide(sums, first, visible);
        }
        while let Some(slot) = named.next_if(|slot| slot - first < BLOCK) {
            if let Some(sum) = sums.get_mut((slot - first) as usize) {
                best.push_named(slot, std::mem::take(sum));
            }
        }
        total += scan(sums, first, least, &mut best);
    }
    (total, best.into_sorted())
}

/// Clears the sums of slots that may not be seen.
fn hide(sums: &mut [i32], first: u32, visible: &Bitmap) {
    for (sums, word) in sums.chunks_mut(64).zip(first as usize / 64..) {
        let mut hidden = !visible.word(word);
        while hidden != 0 {
            if let Some(sum) = sums.get_mut(hidden.trailing_zeros() as usize) {
                *sum = 0;
            }
            hidden &= hidden - 1;
        }
    }
}

/// Counts the sums that reach `least` and hands on those that can be among the best.
fn scan(sums: &[i32], first: u32, least: i32, best: &mut Best<'_>) -> usize {
    let (groups, rest) = sums.as_chunks::<GROUP>();
    let mut matched = 0;
    let mut slot = first;
    for group in groups {
        // Two sums without a branch, so that the compiler makes them wide operations.
        let (mut reach, mut among) = (0, 0);
        let bar = best.least();
        for sum in group {
            reach += i32::from(*sum >= least);
            among |= i32::from(*sum >= bar);
        }
        matched += reach;
        if among != 0 {
            hand_on(group, slot, best);
        }
        slot += GROUP_SLOTS;
    }
    matched += rest.iter().map(|sum| i32::from(*sum >= least)).sum::<i32>();
    hand_on(rest, slot, best);
    usize::try_from(matched).unwrap_or(0)
}

fn hand_on(sums: &[i32], first: u32, best: &mut Best<'_>) {
    for (sum, slot) in sums.iter().zip(first..) {
        if *sum >= best.least() {
            best.push(slot, *sum);
        }
    }
}

/// Steps of a sum per unit of a score.
fn steps() -> f64 {
    f64::from(idf::WEIGHT_SCALE) * IMPACT_STEPS as f64
}

/// The least sum whose score reaches another; what is not a number asks for nothing.
#[allow(clippy::cast_possible_truncation, reason = "clamped to the range of sums")]
fn least_sum(score: f64) -> i32 {
    if score.is_nan() {
        return 1;
    }
    // The product may be a little too large; the division of `to_f64` decides.
    let near = (score * steps()).clamp(2.0, f64::from(i32::MAX)) as i32 - 1;
    if f64::from(near) / steps() < score {
        near + 1
    } else {
        near
    }
}
