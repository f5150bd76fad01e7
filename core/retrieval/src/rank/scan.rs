//! Walks the slots block by block, counts what matches and keeps the best. Knows nothing of words and ties.
//!
//! Everything here is inlined into one function, of which [`pulp`] keeps a version for each width of registers and takes the
//! widest that the machine has: the sums are integers, so all of them answer alike.

use pulp::{Arch, Simd, WithSimd};

use crate::index::chunk::BLOCK;
use crate::index::{Bitmap, Index};

use super::block::Sums;
use super::order::{Best, Candidate};
use super::plan::Plan;

/// Sums looked at together.
const GROUP: usize = 32;
const GROUP_SLOTS: u32 = 32;
/// Sums this far apart are compared with each other; more groups than hits are kept in most searches.
const RESIDUES: usize = 64;
/// The least sums among which it pays to look for a bar first.
const BAR_LEAST: usize = 512;

/// How many match, and the best of them in order.
pub(crate) fn best(
    index: &Index,
    plan: &Plan<'_>,
    named: &[u32],
    visible: Option<&Bitmap>,
    keep: usize,
    least: i32,
) -> (usize, Vec<Candidate>) {
    if plan.terms.is_empty() && named.is_empty() {
        return (0, Vec::new());
    }
    let mut best = Best::new(index, plan, keep, least);
    let matched = Arch::new().dispatch(Walk {
        index,
        plan,
        named,
        visible,
        least,
        best: &mut best,
    });
    (named.len() + matched, best.into_sorted())
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
        let mut sums = Sums::new(span, self.plan.terms.len());
        for first in (0..span).step_by(BLOCK as usize) {
            self.all.extend_from_slice(sums.add(first, &self.plan.terms));
        }
        self.all.truncate(span as usize);
    }
}

struct Walk<'a, 'b> {
    index: &'a Index,
    plan: &'a Plan<'a>,
    named: &'a [u32],
    visible: Option<&'a Bitmap>,
    least: i32,
    best: &'a mut Best<'b>,
}

impl WithSimd for Walk<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        walk(self)
    }
}

#[inline(always)]
fn walk(walk: Walk<'_, '_>) -> usize {
    let Walk {
        index,
        plan,
        named,
        visible,
        least,
        best,
    } = walk;
    let mut matched = 0;
    let mut sums = Sums::new(index.span(), plan.terms.len());
    let mut highest = [0; RESIDUES];
    let mut named = named.iter().copied().peekable();
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
        matched += look(sums, least, &mut highest);
        if sums.len() >= BAR_LEAST {
            best.raise(&highest);
        }
        take(sums, first, best);
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

/// Counts the sums that reach `least`, and notes the highest of each residue of slots.
#[inline(always)]
fn look(sums: &[i32], least: i32, highest: &mut [i32; RESIDUES]) -> usize {
    highest.fill(0);
    for row in sums.chunks(RESIDUES) {
        for (high, sum) in highest.iter_mut().zip(row) {
            *high = if *sum > *high { *sum } else { *high };
        }
    }
    let mut matched = 0;
    for sum in sums {
        matched += i32::from(*sum >= least);
    }
    usize::try_from(matched).unwrap_or(0)
}

/// Hands on what can be among the best.
#[inline(always)]
fn take(sums: &[i32], first: u32, best: &mut Best<'_>) {
    let (groups, rest) = sums.as_chunks::<GROUP>();
    let mut slot = first;
    for group in groups {
        let bar = best.least();
        let mut among = 0;
        for sum in group {
            among |= i32::from(*sum >= bar);
        }
        if among != 0 {
            hand_on(group, slot, best);
        }
        slot += GROUP_SLOTS;
    }
    hand_on(rest, slot, best);
}

#[inline(never)]
fn hand_on(sums: &[i32], first: u32, best: &mut Best<'_>) {
    let mut bar = best.least();
    for (sum, slot) in sums.iter().zip(first..) {
        if *sum >= bar {
            best.push(slot, *sum);
            bar = best.least();
        }
    }
}
