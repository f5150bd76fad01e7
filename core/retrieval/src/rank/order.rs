//! The one order of hits, over all candidates, and the best of them without sorting the rest.
//! Knows nothing of how scores come about.
//!
//! Named first, then score descending, then more of the name covered, then the more careful hint, then id ascending. Ids are
//! unique, so the order is total, and the same whatever slots the documents have.

use std::cell::Cell;
use std::cmp::Ordering;

use crate::index::Index;

use super::plan::Plan;

/// A document that may become a hit.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) named: bool,
    pub(crate) score: i32,
    pub(crate) slot: u32,
    /// Looked up when a tie first needs it.
    cover: Cell<Option<u32>>,
}

impl Candidate {
    pub(crate) fn new(slot: u32, score: i32, named: bool) -> Self {
        Self {
            named,
            score,
            slot,
            cover: Cell::new(None),
        }
    }
}

/// The best candidates so far.
pub(crate) struct Best<'a> {
    index: &'a Index,
    plan: &'a Plan<'a>,
    keep: usize,
    least: i32,
    named: Vec<Candidate>,
    /// Score and slot of each unnamed candidate, in one number.
    others: Vec<u64>,
    scratch: Vec<i32>,
    /// How many others may wait before the worst are dropped.
    room: usize,
}

impl<'a> Best<'a> {
    /// Keeps the best `keep` (at least one) candidates of those that reach a score.
    pub(crate) fn new(index: &'a Index, plan: &'a Plan<'a>, keep: usize, least: i32) -> Self {
        let keep = keep.clamp(1, index.len().max(1));
        let room = keep + keep / 2 + 16;
        Self {
            index,
            plan,
            keep,
            least,
            named: Vec::new(),
            others: Vec::with_capacity(room.min(1_024)),
            scratch: Vec::new(),
            room,
        }
    }

    /// The least score with which an unnamed candidate can still be among the best.
    #[inline]
    pub(crate) fn least(&self) -> i32 {
        self.least
    }

    /// Told the highest scores of groups of unnamed documents, asks from now on for what can still be among the best: as
    /// many groups as are kept have a document at the last of their highest.
    #[inline]
    pub(crate) fn raise(&mut self, highest: &[i32]) {
        let mut few = [self.least; FEW];
        if let Some(few) = few.get_mut(..self.keep) {
            self.least = last_of_best(few, highest);
            return;
        }
        self.scratch.clear();
        self.scratch.reserve(highest.len());
        for score in highest {
            if *score > self.least {
                self.scratch.push(*score);
            }
        }
        if self.scratch.len() < self.keep {
            return;
        }
        let place = self.scratch.len() - self.keep;
        self.least = *self.scratch.select_nth_unstable(place).1;
    }

    /// Takes a named document in.
    pub(crate) fn push_named(&mut self, slot: u32, score: i32) {
        self.named.push(Candidate::new(slot, score, true));
    }

    /// Takes an unnamed document in.
    #[inline]
    pub(crate) fn push(&mut self, slot: u32, score: i32) {
        self.others
            .push(u64::from(score.unsigned_abs()) << 32 | u64::from(slot));
        if self.others.len() >= self.room {
            self.drop_worst();
        }
    }

    /// The best, in order.
    pub(crate) fn into_sorted(mut self) -> Vec<Candidate> {
        self.drop_worst();
        let (index, plan) = (self.index, self.plan);
        let mut all = self.named;
        all.extend(
            self.others
                .iter()
                .map(|other| Candidate::new(slot_of(*other), score_of(*other), false)),
        );
        if all.len() > self.keep {
            all.select_nth_unstable_by(self.keep - 1, |left, right| compare(index, plan, left, right));
            all.truncate(self.keep);
        }
        all.sort_unstable_by(|left, right| compare(index, plan, left, right));
        all
    }

    /// Drops what scores less than the last that is kept. What ties with it stays until the end, so that only the final
    /// ties are looked into; then there is room for more of them.
    fn drop_worst(&mut self) {
        if self.others.len() <= self.keep {
            return;
        }
        let (_, last, _) = self
            .others
            .select_nth_unstable_by(self.keep - 1, |left, right| right.cmp(left));
        let least = score_of(*last);
        self.others.retain(|other| score_of(*other) >= least);
        self.least = self.least.max(least);
        self.room = self.room.max(2 * self.others.len());
    }
}

/// So few scores are kept in order as they come.
const FEW: usize = 16;

/// The last of as many best scores as there are places: of these, and of those that stand in the places, best first.
#[inline]
fn last_of_best(places: &mut [i32], scores: &[i32]) -> i32 {
    let mut last = places.last().copied().unwrap_or(0);
    for score in scores {
        if *score <= last {
            continue;
        }
        let mut carried = *score;
        for place in places.iter_mut() {
            let higher = carried.max(*place);
            carried = carried.min(*place);
            *place = higher;
        }
        last = places.last().copied().unwrap_or(0);
    }
    last
}

fn score_of(packed: u64) -> i32 {
    i32::try_from(packed >> 32).unwrap_or(i32::MAX)
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is the slot")]
const fn slot_of(packed: u64) -> u32 {
    packed as u32
}

fn compare(index: &Index, plan: &Plan<'_>, left: &Candidate, right: &Candidate) -> Ordering {
    right
        .named
        .cmp(&left.named)
        .then(right.score.cmp(&left.score))
        .then_with(|| {
            let (Some(left_record), Some(right_record)) = (index.record(left.slot), index.record(right.slot))
            else {
                return left.slot.cmp(&right.slot);
            };
            cover(index, plan, right)
                .cmp(&cover(index, plan, left))
                .then(left_record.hint().cmp(&right_record.hint()))
                .then_with(|| left_record.id_bytes().cmp(right_record.id_bytes()))
        })
}

/// The part of the name's terms that the query has, in steps of 1/65536.
fn cover(index: &Index, plan: &Plan<'_>, candidate: &Candidate) -> u32 {
    if let Some(known) = candidate.cover.get() {
        return known;
    }
    let (mut all, mut covered) = (0u32, 0u32);
    if let Some(record) = index.record(candidate.slot) {
        for term in record.name_terms() {
            all += 1;
            covered += u32::from(plan.word_of(term).is_some());
        }
    }
    let part = u32::try_from((u64::from(covered) << 16) / u64::from(all.max(1))).unwrap_or(0);
    candidate.cover.set(Some(part));
    part
}
