//! What words are worth beside meaning that are values for parameters: half. Knows nothing of how a value is told.
//!
//! `Remind me of "book the flight to Rome" on March 3` wants a reminder. The words of what is quoted, of numbers, dates and
//! addresses are what the tool will be handed: a text that has them has them mostly by accident, but sometimes because it says
//! with which values it is called, so they keep a half. Where meaning counts there is enough beside them to go by.

use crate::text::QueryText;

use super::plan::{Plan, PlanTerm};

/// The places of the words of a query whose terms are among these, ascending ones.
pub(crate) fn among(text: &QueryText, terms: &[u64]) -> Vec<usize> {
    let words = text.terms.iter().enumerate();
    words
        .filter(|(_, term)| terms.binary_search(&term.number).is_ok())
        .map(|(place, _)| place)
        .collect()
}

/// Takes from the sums of the words, by slot, what the words at these places have too much. A sum above 0 stays above it.
pub(crate) fn lessen(plan: &Plan<'_>, words: &[usize], sums: &mut [i32]) {
    let is_value = |term: &PlanTerm<'_>| words.contains(&term.word);
    for term in plan.terms.iter().filter(|term| is_value(term)) {
        term.postings.for_each(&mut |slot, impact| {
            if let Some(sum) = sums.get_mut(slot as usize) {
                *sum -= too_much(term.steps(impact));
            }
        });
    }
    // What was not in the sum is not taken from it.
    for surplus in &plan.surplus {
        if plan.terms.get(surplus.term).is_some_and(is_value)
            && let Some(sum) = sums.get_mut(surplus.slot as usize)
        {
            *sum += too_much(surplus.steps);
        }
    }
}

/// What a value's word adds beyond its half.
const fn too_much(steps: i32) -> i32 {
    steps - of(steps)
}

/// What a value's word adds in place of what another one would: a half, rounded up.
pub(crate) const fn of(steps: i32) -> i32 {
    steps - steps / 2
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
