//! A query and an index become ordered slots. Knows nothing of mutation, JSON and item types.
//!
//! `plan` looks the words up, `scan` walks the blocks of slots, `block` adds their postings, `order` keeps the best, `status`
//! says whether they answer. With a vector of the query, `dense` compares meanings, `literacy` says whether the model can
//! know the query, `fusion` makes one score of both, and `blend` takes the place of the scan. `opinion` puts the best in the order of a judgement from outside.
//! Scores are integers until [`Score::to_f64`].

#[cfg(test)]
mod beginnings_tests;
mod blend;
#[cfg(test)]
mod blend_tests;
mod block;
#[cfg(test)]
mod changes_tests;
mod dense;
mod diversity;
pub mod edits;
mod explain;
mod fusion;
mod idf;
#[cfg(test)]
mod kit;
#[cfg(test)]
mod laws;
mod literacy;
#[cfg(test)]
mod literacy_tests;
mod needs;
mod opinion;
mod order;
#[cfg(test)]
mod pains;
mod phrases;
mod plan;
#[cfg(test)]
mod requests_tests;
#[cfg(test)]
mod roots_tests;
mod rows;
mod scan;
mod scratch;
mod status;
mod suggest;
mod values;

pub use explain::{Contribution, Explainer, Meaning};
pub use fusion::Formula;
pub use literacy::{Literacy, are_mostly_other};
pub use needs::{Turn, take_turns};
pub use plan::Way;
pub use status::{Status, Thresholds};
pub use suggest::suggest;

use serde::{Deserialize, Serialize};

use crate::index::impact::IMPACT_STEPS;
use crate::index::{Bitmap, Index, Probe};
use crate::text::QueryText;
use blend::Blend;
use order::{Candidate, Wanted};
use plan::Plan;
use scratch::Scratch;

/// The most slots named as nearest.
const NEAREST_MOST: usize = 3;
/// The most named hits that stand on a page beyond its limit: a bound against a thousand namesakes.
const NAMED_MOST: usize = 50;
/// How many pages ahead diversity looks for hits that are not look-alikes.
const DIVERSITY_PAGES: usize = 3;

/// How a catalog is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Method {
    /// Words, in process, no model (the default).
    #[default]
    Lexical,
    /// Vectors alone.
    Semantic,
    /// Words and vectors.
    Hybrid,
}

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
    /// From how much evidence on a hit answers.
    pub thresholds: Thresholds,
    /// Whether the page is for a model: look-alikes make room for others, and every named hit stands on it.
    pub diversify: bool,
    /// How words and meaning become one score, where both count.
    pub formula: Formula,
    /// What ranks; words alone do where there is no vector to compare.
    pub method: Method,
    /// The query's vector, of the model of the index.
    pub probe: Option<&'a Probe>,
    /// What somebody else makes of the best hits, by slot: higher is better. It orders those among themselves and changes nothing
    /// of the status, nor of what is named.
    pub judged: &'a [(u32, f64)],
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
    /// What speaks for the best hit, in thousandths of one full match of the rarest word; nothing does where there is no hit,
    /// everything where one is named. What the status comes from; benches draw curves of it.
    pub evidence: u32,
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
    scratch::with(|scratch| search_with(index, query, scratch))
}

fn search_with(index: &Index, query: &Query<'_>, scratch: &mut Scratch) -> Ranking {
    let Scratch {
        reader,
        text,
        sums,
        room,
        plan: plan_room,
    } = scratch;
    reader.read(query.text, text);
    if index.terms().is_large() {
        // One word after the other would wait for each piece of memory on its way.
        let hashes: Vec<u64> = text.terms.iter().map(|term| term.number).collect();
        index.terms().warm_ways(&hashes);
    }
    let named = named_slots(index, text, query.visible);
    let plan = Plan::with_room(index, text, std::mem::take(plan_room));
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
    let keep = match query.judged.len() {
        0 => keep,
        // Whoever was judged may come to stand on the page.
        judged => keep.max(named.len().saturating_add(judged)),
    };
    let least = query.min_score.map_or(1, least_sum);
    let blend = Blend::new(index, &plan, query, (text, reader));
    let wanted = Wanted {
        named: &named,
        visible: query.visible,
        keep,
        least,
    };
    let (total, mut candidates) = match &blend {
        None => scan::best(index, &plan, &wanted, sums, room),
        Some(blend) => blend.best(index, &plan, &wanted, room),
    };
    let evidence = match (candidates.first(), &blend) {
        (None, _) => 0,
        (Some(best), _) if best.named => u32::MAX,
        (Some(best), None) => status::evidence_of(index, &plan, best),
        (Some(best), Some(blend)) => {
            let words = Candidate::new(best.slot, plan.sum(best.slot), false);
            blend.evidence(status::evidence_of(index, &plan, &words), best.slot, query.method)
        }
    };
    let status = if candidates.is_empty() {
        Status::NoMatch
    } else {
        Status::of(evidence, query.thresholds)
    };
    let nearest = match status {
        Status::NoMatch => candidates
            .iter()
            .take(NEAREST_MOST)
            .map(|candidate| candidate.slot)
            .collect(),
        Status::Ok | Status::Weak => Vec::new(),
    };
    if !query.judged.is_empty() {
        opinion::reorder(&mut candidates, query.judged);
    }
    if query.diversify {
        diversity::diversify(index, &mut candidates, limit);
    }
    let page = candidates.get(query.offset..).unwrap_or_default();
    let page = page.get(..limit).unwrap_or(page);
    let mut hits = Vec::with_capacity(page.len());
    for candidate in page {
        hits.push(Hit {
            slot: candidate.slot,
            score: Score(candidate.score.unsigned_abs()),
            named: candidate.named,
        });
    }
    room.take_back(candidates);
    *plan_room = plan.into_room();
    Ranking {
        status,
        evidence,
        hits,
        total,
        nearest,
    }
}

/// Slots that the query names, ascending: the whole query is a name, or it holds one in the form of an identifier.
fn named_slots(index: &Index, text: &QueryText, visible: Option<&Bitmap>) -> Vec<u32> {
    let mut slots = Vec::new();
    let mut name = |key: &str| {
        let before = slots.len();
        index.for_each_named(key, &mut |slot| {
            if visible.is_none_or(|visible| visible.contains(slot)) {
                slots.push(slot);
            }
        });
        slots.len() > before
    };
    name(text.whole());
    let wholes: Vec<bool> = text.identifiers.iter().map(|key| name(key)).collect();
    for (whole, part) in &text.parts {
        if !wholes.get(*whole).copied().unwrap_or(false) {
            name(part);
        }
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// Steps of a sum per unit of a score.
#[allow(clippy::cast_possible_truncation, reason = "a hundred")]
const STEPS: i32 = idf::WEIGHT_SCALE * IMPACT_STEPS as i32;

fn steps() -> f64 {
    f64::from(STEPS)
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
