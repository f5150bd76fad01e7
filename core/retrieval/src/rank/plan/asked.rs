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
        for (word, term) in query.terms.iter().take(self.words.len()).enumerate() {
            let first = self.terms.len();
            requests::others(term.number, term.part, &mut |other| {
                self.add_related(index, query, word, other, NEARLY_THE_SAME);
            });
            self.share_among(first);
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
    }

    /// Has all that was added for a word be worth together what one of it would be: whoever writes down everything that can be asked for
    /// gains no more by it than whoever has the word.
    fn share_among(&mut self, first: usize) {
        let added = self.terms.get_mut(first..).unwrap_or_default();
        let count = i16::try_from(added.len()).unwrap_or(i16::MAX);
        for term in added {
            term.weight = (term.weight / count.max(1)).max(1);
        }
    }
}
