//! What asks for the same as the words of a query: which lists, and how much. Knows nothing of which words those are.

use super::{NEARLY_THE_SAME, Plan};
use crate::index::Index;
use crate::text::beginning::beginning;
use crate::text::{QueryText, requests};

/// What a word counts that begins like one that asks for the same, in tenths.
const REQUEST: i32 = 3;

impl<'a> Plan<'a> {
    /// Adds what asks for the same as a word of the query does, or what begins like that.
    #[inline(never)]
    pub(super) fn add_requests(&mut self, index: &'a Index, query: &QueryText, turns: &[usize]) {
        let first = self.terms.len();
        for (word, term) in query.terms.iter().take(self.words.len()).enumerate() {
            requests::others(term.number, term.part, &mut |other| {
                self.add_related(index, query, word, other, NEARLY_THE_SAME);
            });
        }
        for word in turns.iter().copied() {
            let Some(term) = query.terms.get(word) else {
                continue;
            };
            if let Some(number) = beginning(query.word(term)) {
                requests::others(number, term.part, &mut |other| {
                    self.add_beginning(index, Some(other), word, REQUEST);
                });
            }
        }
        self.count_the_best(first, index.span());
    }
}
