//! Of all that asks for the same, what counts in a document: the best, not the sum. Knows nothing of which words those are.
//!
//! Whoever writes down everything that can be asked for gains no more by it than whoever has the one word. Sums are linear, so what
//! has to be taken from them is known before they are made: the few documents that have two of a word's lists.

use super::{Plan, PlanTerm, Way};
use crate::index::Bitmap;

/// What a list adds to a document's sum too much, since another list of the same word counts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Surplus {
    pub(crate) slot: u32,
    /// The place of the list in the plan.
    pub(crate) term: usize,
    pub(crate) steps: i32,
}

impl<'a> Plan<'a> {
    /// Lets the best count in each document, of a word itself and of the lists that were added from this place on for it.
    pub(super) fn count_the_best(&mut self, first: usize, span: u32) {
        let mut surplus = Vec::new();
        for word in 0..self.words.len() {
            let (itself, added) = self.terms.split_at_checked(first).unwrap_or_default();
            if added.iter().any(|term| term.word == word) {
                let itself = places_of(itself, 0, word).filter(|(_, term)| term.way == Way::Same);
                let lists: Vec<_> = itself.chain(places_of(added, first, word)).collect();
                add_surplus(&lists, span, &mut surplus);
            }
        }
        self.surplus = surplus;
    }

    /// What is too much in the sum of a document.
    pub(crate) fn surplus_at(&self, slot: u32) -> &[Surplus] {
        let from = self.surplus.partition_point(|one| one.slot < slot);
        let rest = self.surplus.get(from..).unwrap_or_default();
        let length = rest.iter().take_while(|one| one.slot == slot).count();
        rest.get(..length).unwrap_or_default()
    }

    /// What each list adds to the sum of the document at a slot.
    pub(crate) fn parts(&self, slot: u32) -> impl Iterator<Item = (&PlanTerm<'a>, i32)> {
        let surplus = self.surplus_at(slot);
        self.terms.iter().enumerate().map(move |(place, term)| {
            let whole = term.steps(term.postings.impact(slot));
            let counts = surplus.iter().all(|one| one.term != place);
            (term, if counts { whole } else { 0 })
        })
    }
}

/// The lists of a word, each with its place in the plan.
fn places_of<'b, 'a>(
    terms: &'b [PlanTerm<'a>],
    first: usize,
    word: usize,
) -> impl Iterator<Item = (usize, &'b PlanTerm<'a>)> {
    (first..).zip(terms).filter(move |(_, term)| term.word == word)
}

/// Adds what all but the best of these lists say of each document. Lists are read in the order of their slots, so nothing is sorted.
fn add_surplus(lists: &[(usize, &PlanTerm<'_>)], span: u32, surplus: &mut Vec<Surplus>) {
    let twice = in_two(lists, span);
    let mut best: Vec<Surplus> = Vec::new();
    for (place, term) in lists {
        let mut known = best.iter().copied().peekable();
        let (mut better, mut lesser) = (Vec::with_capacity(best.len()), Vec::new());
        term.postings.for_each(&mut |slot, impact| {
            if !twice.contains(slot) {
                return;
            }
            let own = Surplus {
                slot,
                term: *place,
                steps: term.steps(impact),
            };
            while let Some(other) = known.next_if(|other| other.slot < slot) {
                better.push(other);
            }
            match known.next_if(|other| other.slot == slot) {
                None => better.push(own),
                Some(other) if other.steps >= own.steps => {
                    better.push(other);
                    lesser.push(own);
                }
                Some(other) => {
                    better.push(own);
                    lesser.push(other);
                }
            }
        });
        better.extend(known);
        best = better;
        *surplus = merged(surplus, &lesser);
    }
}

/// The documents that are in two of these lists: few are, so these are found first.
fn in_two(lists: &[(usize, &PlanTerm<'_>)], span: u32) -> Bitmap {
    let (mut once, mut twice) = (Bitmap::with_len(span as usize), Bitmap::default());
    for (_, term) in lists {
        term.postings.for_each(&mut |slot, _| {
            if once.contains(slot) {
                twice.insert(slot);
            } else {
                once.insert(slot);
            }
        });
    }
    twice
}

/// Both ascending rows as one.
fn merged(left: &[Surplus], right: &[Surplus]) -> Vec<Surplus> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    let mut left = left.iter().copied().peekable();
    for one in right {
        while let Some(other) = left.next_if(|other| other.slot <= one.slot) {
            all.push(other);
        }
        all.push(*one);
    }
    all.extend(left);
    all
}
