//! A query, looked up: which postings count, and how much. Knows nothing of slots and of the order of hits.

use serde::Serialize;

use crate::ablation::{Idea, on};
use crate::index::Index;
use crate::index::postings::Postings;
use crate::text::hash::in_server_space;
use crate::text::lexicon;
use crate::text::{QueryTerm, QueryText, term_of};

use super::idf::weight;

/// The most words of a query that count.
const WORDS_MOST: usize = 128;
/// The most lists; sums of that many fit their integers.
const LISTS_MOST: usize = 256;
/// A word that fewer documents have than this, and fewer than one in `KNOWN_SHARE`, is hardly known: it is also looked for
/// by the words that are related to it.
const KNOWN_LEAST: u32 = 5;
const KNOWN_SHARE: usize = 64;
/// What a word that matches is worth beside its rarity in the catalog: 0.8 nats. In a small catalog the frequency of a word
/// tells little, and without a floor a hit that has one rare word stands before one that has all the others.
const FLOOR: i16 = 1_638;
/// The most words that a misspelt one is taken for.
const CORRECTIONS_MOST: usize = 4;
/// A misspelt word counts as much as one that means nearly the same.
const MISSPELT: lexicon::Nearness = 7;

/// One list of postings to be added up.
pub(crate) struct PlanTerm<'a> {
    pub(crate) postings: &'a Postings,
    pub(crate) number: u32,
    /// Two bytes, so that the compiler multiplies it with an impact the short way.
    pub(crate) weight: i16,
    /// The word of the query it stands for.
    pub(crate) word: usize,
    /// How it came to stand for that word.
    pub(crate) way: Way,
}

/// How a term of the catalog matches a word of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Way {
    /// It is the word.
    Same,
    /// It is the word, in the name of the server.
    Server,
    /// Its meaning is near, and hardly a document has the word itself.
    Related,
    /// It is a word of a name, and the word of the query is one edit away and otherwise unknown.
    Misspelt,
}

impl Way {
    /// Whether the word itself stands there.
    pub(crate) const fn is_direct(self) -> bool {
        matches!(self, Self::Same | Self::Server)
    }
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
        let mut plan = Self {
            terms: Vec::with_capacity(query.terms.len() + 2),
            words: Vec::with_capacity(query.terms.len()),
            bits: 0,
        };
        for term in query.terms.iter().take(WORDS_MOST) {
            plan.add_word(index, query, term);
        }
        plan
    }

    fn add_word(&mut self, index: &'a Index, query: &QueryText, term: &QueryTerm) {
        let number = term.number;
        let documents = index.len();
        let floor = floor();
        // A server's word weighs by how many tools the server has: naming one of a hundred tools' server says little.
        let same = self.add(index, number, Way::Same, |count| {
            weight(count, documents).saturating_add(floor)
        });
        let server = self.add(index, in_server_space(number), Way::Server, |count| {
            weight(count, documents).saturating_add(floor)
        });
        let count = same.map_or(0, |list| list.count);
        let mut mass = same.max(server).map_or(0, |list| list.weight);
        let hardly_known = count < KNOWN_LEAST && count as usize * KNOWN_SHARE <= documents;
        let known = if hardly_known {
            lexicon::known(number)
        } else {
            None
        };
        if on(Idea::Related) {
            let own = weight(count, documents);
            for (other, nearness) in known.into_iter().flat_map(lexicon::Known::related) {
                if query.terms.iter().all(|term| term.number != other) {
                    let list = self.add(index, other, Way::Related, |count| {
                        lessened(weight(count, documents).min(own), nearness)
                    });
                    mass = mass.max(list.map_or(0, |list| list.weight));
                }
            }
        }
        if mass == 0 && known.is_none() && on(Idea::Misspelt) {
            for right in corrections(index, query.word(term)) {
                let list = self.add(index, right, Way::Misspelt, |count| {
                    lessened(weight(count, documents), MISSPELT)
                });
                mass = mass.max(list.map_or(0, |list| list.weight));
            }
        }
        self.words.push(PlanWord {
            mass: i32::from(if mass > 0 { mass } else { rarest(documents) }),
            known: mass > 0,
        });
    }

    /// Adds the postings of a term, if the catalog has it, for the word at hand.
    fn add(&mut self, index: &'a Index, hash: u64, way: Way, weigh: impl Fn(u32) -> i16) -> Option<List> {
        let dictionary = index.terms();
        let number = dictionary.number(hash)?;
        let postings = dictionary.postings(number)?;
        if self.terms.len() >= LISTS_MOST {
            return None;
        }
        let count = postings.count();
        let weight = weigh(count);
        if way.is_direct() {
            self.bits |= 1 << (number % 64);
        }
        self.terms.push(PlanTerm {
            postings,
            number,
            weight,
            word: self.words.len(),
            way,
        });
        Some(List { weight, count })
    }

    /// Whether a term of the catalog is in the query, and as which word.
    #[inline]
    pub(crate) fn word_of(&self, number: u32) -> Option<usize> {
        if self.bits >> (number % 64) & 1 == 0 {
            return None;
        }
        self.terms
            .iter()
            .find(|term| term.number == number && term.way.is_direct())
            .map(|term| term.word)
    }
}

/// The greatest weight a word can have in a catalog of so many documents.
pub(crate) fn rarest(documents: usize) -> i16 {
    weight(0, documents).saturating_add(floor())
}

/// What every word that matches is worth.
fn floor() -> i16 {
    if on(Idea::Floor) { FLOOR } else { 0 }
}

/// The terms of the words that an unknown word may be meant to be.
fn corrections(index: &Index, misspelt: &str) -> Vec<u64> {
    let mut words: Vec<Box<str>> = Vec::new();
    index
        .spellings()
        .near(misspelt, &mut |word| words.push(word.into()));
    words.sort_unstable();
    words.dedup();
    let mut terms: Vec<u64> = words
        .iter()
        .take(CORRECTIONS_MOST)
        .map(|word| term_of(word))
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// A list of postings that was added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct List {
    weight: i16,
    count: u32,
}

/// The weight of a word that is related to the one that was asked for: four fifths of it, times the square of how near they
/// are (a cosine, in 32nds, from the middle of its step).
fn lessened(weight: i16, nearness: lexicon::Nearness) -> i16 {
    let near = 17 + 2 * i32::from(nearness);
    i16::try_from(i32::from(weight) * 4 * near * near / (5 * 1_024))
        .unwrap_or(i16::MAX)
        .max(1)
}
