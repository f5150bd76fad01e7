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
        surplus.sort_unstable_by_key(|one| (one.slot, one.term));
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

/// Adds what all but the best of these lists say of each document.
fn add_surplus(lists: &[(usize, &PlanTerm<'_>)], span: u32, surplus: &mut Vec<Surplus>) {
    let [(_, first), others @ ..] = lists else { return };
    if others.is_empty() {
        return;
    }
    // Few documents have two of them, so those are found first.
    let (mut once, mut twice) = (Bitmap::with_len(span as usize), Bitmap::default());
    first.postings.for_each(&mut |slot, _| once.insert(slot));
    for (_, term) in others {
        term.postings.for_each(&mut |slot, _| {
            if once.contains(slot) {
                twice.insert(slot);
            } else {
                once.insert(slot);
            }
        });
    }
    let from = surplus.len();
    for (place, term) in lists {
        term.postings.for_each(&mut |slot, impact| {
            if twice.contains(slot) {
                let steps = term.steps(impact);
                surplus.push(Surplus {
                    slot,
                    term: *place,
                    steps,
                });
            }
        });
    }
    drop_the_best(surplus, from);
}

/// Drops the greatest of each slot from this place on, the first of equals.
fn drop_the_best(surplus: &mut Vec<Surplus>, from: usize) {
    let mut found = surplus.split_off(from);
    found.sort_unstable_by_key(|one| (one.slot, -one.steps, one.term));
    let mut before = None;
    for one in found {
        if before.replace(one.slot) == Some(one.slot) {
            surplus.push(one);
        }
    }
}
