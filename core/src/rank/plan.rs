//! A query, looked up: which postings count, and how much. Knows nothing of slots and of the order of hits.

use crate::index::Index;
use crate::index::hash::{hash, in_server_space};
use crate::index::postings::Postings;
use crate::text::QueryText;

use super::idf::weight;

/// The most words of a query that count; sums of that many fit their integers.
const WORDS_MOST: usize = 128;
/// A server's name says where a tool lives, not what it does: its words weigh this many quarters.
const SERVER_QUARTERS: i32 = 2;

/// One list of postings to be added up.
pub(crate) struct PlanTerm<'a> {
    pub(crate) postings: &'a Postings,
    pub(crate) number: u32,
    pub(crate) weight: i32,
    /// The word of the query it stands for.
    pub(crate) word: usize,
}

/// One word of the query.
pub(crate) struct PlanWord {
    /// What the word could tell; for a word the catalog does not know, as much as the rarest.
    pub(crate) mass: i32,
    /// Whether the catalog knows it.
    pub(crate) known: bool,
}

/// Everything a search adds up.
pub(crate) struct Plan<'a> {
    pub(crate) terms: Vec<PlanTerm<'a>>,
    pub(crate) words: Vec<PlanWord>,
    /// A bit for each number modulo 64, to tell most other numbers apart at once.
    bits: u64,
}

impl<'a> Plan<'a> {
    /// Looks the words of a query up.
    pub(crate) fn new(index: &'a Index, query: &QueryText) -> Self {
        let documents = index.len();
        let dictionary = index.terms();
        let mut plan = Self {
            terms: Vec::with_capacity(query.terms.len() + 2),
            words: Vec::with_capacity(query.terms.len()),
            bits: 0,
        };
        for term in query.terms.iter().take(WORDS_MOST) {
            let word = plan.words.len();
            let hash = hash(&term.term);
            let mut mass = 0;
            for (hash, quarters) in [(hash, 4), (in_server_space(hash), SERVER_QUARTERS)] {
                let Some(number) = dictionary.number(hash) else {
                    continue;
                };
                let Some(postings) = dictionary.postings(number) else {
                    continue;
                };
                let full = weight(postings.count(), documents);
                mass = mass.max(full);
                plan.bits |= 1 << (number % 64);
                plan.terms.push(PlanTerm {
                    postings,
                    number,
                    weight: (full * quarters / 4).max(1),
                    word,
                });
            }
            plan.words.push(PlanWord {
                mass: if mass > 0 { mass } else { weight(0, documents) },
                known: mass > 0,
            });
        }
        plan
    }

    /// Whether a term of the catalog is in the query, and as which word.
    #[inline]
    pub(crate) fn word_of(&self, number: u32) -> Option<usize> {
        if self.bits >> (number % 64) & 1 == 0 {
            return None;
        }
        self.terms
            .iter()
            .find(|term| term.number == number)
            .map(|term| term.word)
    }
}
