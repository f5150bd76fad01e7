//! The one order of hits, over all candidates, and the best of them without sorting the rest.
//! Knows nothing of how scores come about.
//!
//! Named first, then score descending, then more of the name covered, then the more careful hint, then id ascending. Ids are
//! unique, so the order is total, and the same whatever slots the documents have.

use std::cell::Cell;
use std::cmp::Ordering;

use crate::index::{Bitmap, Index};

use super::plan::Plan;
use super::rows::ROW;

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

/// Which candidates are wanted.
pub(crate) struct Wanted<'a> {
    /// The slots that the query names, ascending.
    pub(crate) named: &'a [u32],
    /// What may be seen.
    pub(crate) visible: Option<&'a Bitmap>,
    /// How many are kept.
    pub(crate) keep: usize,
    /// The least score of an unnamed one.
    pub(crate) least: i32,
}

/// Room for candidates, which one search after the other uses.
#[derive(Default)]
pub(crate) struct Room {
    /// Score and slot of each unnamed candidate, in one number.
    others: Vec<u64>,
    all: Vec<Candidate>,
}

impl Room {
    /// Takes back what candidates stood in.
    pub(crate) fn take_back(&mut self, candidates: Vec<Candidate>) {
        self.all = candidates;
    }

    /// Gives up what only a huge search needs.
    pub(crate) fn shrink(&mut self) {
        if self.others.capacity() > KEPT_MOST || self.all.capacity() > KEPT_MOST {
            *self = Self::default();
        }
    }
}

/// As many are sorted by insertion.
const FEW: usize = 20;

/// More room is not kept.
const KEPT_MOST: usize = 4_096;

/// The best candidates so far.
pub(crate) struct Best<'a> {
    index: &'a Index,
    plan: &'a Plan<'a>,
    keep: usize,
    least: i32,
    others: &'a mut Vec<u64>,
    /// The named ones.
    all: Vec<Candidate>,
    /// How many others may wait before the worst are dropped.
    most: usize,
}

/// How often the bar is looked for between two scores: it is found to a 256th of their distance.
const HALVINGS: usize = 8;

impl<'a> Best<'a> {
    /// Keeps the best (at least one) candidates of those that reach a score.
    pub(crate) fn new(index: &'a Index, plan: &'a Plan<'a>, wanted: &Wanted<'_>, room: &'a mut Room) -> Self {
        let keep = wanted.keep.clamp(1, index.len().max(1));
        let mut all = std::mem::take(&mut room.all);
        all.clear();
        room.others.clear();
        Self {
            index,
            plan,
            keep,
            least: wanted.least,
            others: &mut room.others,
            all,
            most: keep + keep / 2 + 16,
        }
    }

    /// The least score with which an unnamed candidate can still be among the best.
    #[inline]
    pub(crate) fn least(&self) -> i32 {
        self.least
    }

    /// Told the highest scores of groups of unnamed documents, asks from now on for what can still be among the best: as
    /// many groups as are kept have a document that reaches the bar.
    #[inline(always)]
    pub(crate) fn raise(&mut self, highest: &[i32; ROW]) {
        let reach = |bar: i32| {
            let mut count = 0;
            for score in highest {
                count += i32::from(*score >= bar);
            }
            usize::try_from(count).unwrap_or(0)
        };
        if self.keep > ROW || reach(self.least) < self.keep {
            return;
        }
        let mut above = 0;
        for score in highest {
            above = above.max(*score);
        }
        for _ in 0..HALVINGS {
            let middle = self.least + (above - self.least) / 2;
            let count = reach(middle);
            if count >= self.keep {
                self.least = middle;
            } else {
                above = middle;
            }
            if count == self.keep {
                break;
            }
        }
    }

    /// Takes a named document in.
    pub(crate) fn push_named(&mut self, slot: u32, score: i32) {
        self.all.push(Candidate::new(slot, score, true));
    }

    /// Takes an unnamed document in.
    #[inline]
    pub(crate) fn push(&mut self, slot: u32, score: i32) {
        self.others
            .push(u64::from(score.unsigned_abs()) << 32 | u64::from(slot));
        if self.others.len() >= self.most {
            self.drop_worst();
        }
    }

    /// The best, in order.
    pub(crate) fn into_sorted(mut self) -> Vec<Candidate> {
        // A few are sorted as fast as the worst of them are found.
        if self.others.len() > FEW {
            self.drop_worst();
        }
        let mut all = std::mem::take(&mut self.all);
        let named = all.len();
        self.settle(&mut all, named);
        let mut start = all.len();
        // Scores alone order nearly all; only where some are equal the documents are looked at.
        self.others.sort_unstable_by(|left, right| right.cmp(left));
        let others = self.others.iter();
        all.extend(others.map(|other| Candidate::new(slot_of(*other), score_of(*other), false)));
        while start < self.keep.min(all.len()) {
            let rest = all.get_mut(start..).unwrap_or_default();
            let score = rest.first().map_or(0, |candidate| candidate.score);
            let length = rest
                .iter()
                .take_while(|candidate| candidate.score == score)
                .count();
            if let Some(equal) = rest.get_mut(..length).filter(|equal| equal.len() > 1) {
                self.settle(equal, self.keep - start);
            }
            start += length;
        }
        all.truncate(self.keep);
        all
    }

    /// Puts the best of candidates that documents tell apart first, in order, as many as there is room for.
    fn settle(&self, equal: &mut [Candidate], room: usize) {
        let order = |left: &Candidate, right: &Candidate| compare(self.index, self.plan, left, right);
        if equal.len() > room {
            equal.select_nth_unstable_by(room - 1, order);
        }
        let kept = equal.len().min(room);
        if let Some(kept) = equal.get_mut(..kept) {
            kept.sort_unstable_by(order);
        }
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
        self.most = self.most.max(2 * self.others.len());
    }
}

fn score_of(packed: u64) -> i32 {
    i32::try_from(packed >> 32).unwrap_or(i32::MAX)
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is the slot")]
const fn slot_of(packed: u64) -> u32 {
    packed as u32
}

/// Not inlined: it looks at documents, and a sort has many places where it compares.
#[inline(never)]
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
