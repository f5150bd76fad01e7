//! Walks the slots block by block, counts what matches and keeps the best. Knows nothing of words and ties.
//!
//! Everything here is inlined into one function, of which [`pulp`] keeps a version for each width of registers and takes the
//! widest that the machine has: the sums are integers, so all of them answer alike.

use pulp::{Arch, Simd, WithSimd};

use crate::index::chunk::BLOCK;
use crate::index::{Bitmap, Index};

use super::block::Sums;
use super::order::{Best, Candidate, Room, Wanted};
use super::plan::Plan;
use super::rows::{self, Bars, ROW};
use super::scratch::Zeros;

/// How many match, and the best of them in order.
pub(crate) fn best(
    index: &Index,
    plan: &Plan<'_>,
    wanted: &Wanted<'_>,
    sums: &mut Zeros,
    room: &mut Room,
) -> (usize, Vec<Candidate>) {
    if plan.terms.is_empty() && wanted.named.is_empty() {
        return (0, Vec::new());
    }
    let mut best = Best::new(index, plan, wanted, room);
    let matched = Arch::new().dispatch(Walk {
        index,
        plan,
        wanted,
        sums: sums.of_block(index.span()),
        best: &mut best,
    });
    (wanted.named.len() + matched, best.into_sorted())
}

/// The sum of each slot, whoever may see it.
pub(crate) fn sums(index: &Index, plan: &Plan<'_>) -> Vec<i32> {
    let mut all = Vec::with_capacity(index.span() as usize);
    Arch::new().dispatch(AddUp {
        index,
        plan,
        all: &mut all,
    });
    all
}

struct AddUp<'a, 'b> {
    index: &'a Index,
    plan: &'a Plan<'a>,
    all: &'b mut Vec<i32>,
}

impl WithSimd for AddUp<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let span = self.index.span();
        let mut zeros = Zeros::default();
        let mut sums = Sums::new(zeros.of_block(span), span, self.plan.terms.len());
        for first in (0..span).step_by(BLOCK as usize) {
            let sums = sums.add(first, self.plan);
            self.all.extend_from_slice(sums);
            sums.fill(0);
        }
        self.all.truncate(span as usize);
    }
}

struct Walk<'a, 'b, 'c> {
    index: &'a Index,
    plan: &'a Plan<'a>,
    wanted: &'a Wanted<'a>,
    sums: &'c mut [i32],
    best: &'c mut Best<'b>,
}

impl WithSimd for Walk<'_, '_, '_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        walk(simd, self)
    }
}

#[inline(always)]
fn walk<S: Simd>(simd: S, walk: Walk<'_, '_, '_>) -> usize {
    let Walk {
        index,
        plan,
        wanted,
        sums,
        best,
    } = walk;
    let mut matched = 0;
    let mut highest = [0; ROW];
    let mut sums = Sums::new(sums, index.span(), plan.terms.len());
    let mut named = wanted.named.iter().copied().peekable();
    for first in (0..index.span()).step_by(BLOCK as usize) {
        let sums = sums.add(first, plan);
        if let Some(visible) = wanted.visible {
            hide(sums, first, visible);
        }
        while let Some(slot) = named.next_if(|slot| slot - first < BLOCK) {
            if let Some(sum) = sums.get_mut((slot - first) as usize) {
                best.push_named(slot, std::mem::take(sum));
            }
        }
        if first == 0 {
            // Before a bar is known, all would be handed on.
            rows::look(simd, sums, wanted.least, &mut highest);
            best.raise(&highest);
        }
        let bars = Bars {
            least: wanted.least,
            among: best.least(),
        };
        let mut found = false;
        matched += rows::take(simd, sums, bars, &mut highest, &mut |place, sums| {
            found = true;
            hand_on(sums, first + u32::try_from(place).unwrap_or(0), best);
        });
        if found && first > 0 {
            best.raise(&highest);
        }
    }
    matched
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

/// Hands on what can be among the best.
#[inline(never)]
fn hand_on(sums: &[i32], first: u32, best: &mut Best<'_>) {
    let mut bar = best.least();
    for (place, sum) in sums.iter().enumerate() {
        if *sum >= bar {
            best.push(first + u32::try_from(place).unwrap_or(0), *sum);
            bar = best.least();
        }
    }
}
