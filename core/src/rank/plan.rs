//! A query, looked up: which postings count, and how much. Knows nothing of slots and of the order of hits.

use crate::index::Index;
use crate::index::postings::Postings;
use crate::text::QueryText;
use crate::text::hash::in_server_space;

use super::idf::weight;

/// The most words of a query that count; sums of that many fit their integers.
const WORDS_MOST: usize = 128;

/// One list of postings to be added up.
pub(crate) struct PlanTerm<'a> {
    pub(crate) postings: &'a Postings,
    pub(crate) number: u32,
    /// Two bytes, so that the compiler multiplies it with an impact the short way.
    pub(crate) weight: i16,
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
            let mut mass = 0;
            // A server's word weighs by how many tools the server has: naming one of a hundred tools' server says little.
            for hash in [term.number, in_server_space(term.number)] {
                let Some(number) = dictionary.number(hash) else {
                    continue;
                };
                let Some(postings) = dictionary.postings(number) else {
                    continue;
                };
                let weight = weight(postings.count(), documents);
                mass = mass.max(i32::from(weight));
                plan.bits |= 1 << (number % 64);
                plan.terms.push(PlanTerm {
                    postings,
                    number,
                    weight,
                    word,
                });
            }
            plan.words.push(PlanWord {
                mass: if mass > 0 {
                    mass
                } else {
                    i32::from(weight(0, documents))
                },
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
