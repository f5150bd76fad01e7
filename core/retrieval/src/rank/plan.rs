//! A query, looked up: which postings count, and how much. Knows nothing of slots and of the order of hits.

mod asked;
mod room;
mod surplus;

use std::cmp::Reverse;

use serde::Serialize;

use crate::ablation::{Idea, on};
use crate::index::Index;
use crate::index::postings::Postings;
use crate::settled::settled;
use crate::text::beginning::{self, beginning, beginning_with_umlaut, inside};
use crate::text::lexicon;
use crate::text::{Part, QueryText, term_of};

use super::idf::Weights;
pub(crate) use room::PlanRoom;
pub(crate) use surplus::Surplus;

/// The most words of a query that count.
pub(crate) const WORDS_MOST: usize = 128;
/// The most lists; sums of that many fit their integers.
const LISTS_MOST: usize = 256;
/// A word that fewer documents have than this, and fewer than one in `KNOWN_SHARE`, is hardly known: it is also looked for
/// by the words that are related to it.
const KNOWN_LEAST: u32 = 5;
const KNOWN_SHARE: usize = 64;
/// What a word that itself matches is worth beside its rarity in the catalog: 0.8 nats. In a small catalog the frequency of a word
/// tells little, and without a floor a hit that has one rare word stands before one that has all the others.
const FLOOR: i16 = 1_638;
/// The most unknown words of a query that are looked for among the names.
const CORRECTED_MOST: usize = 8;
/// The most words that a misspelt one is taken for.
const CORRECTIONS_MOST: usize = 4;
/// A misspelt word, and one that asks for the same in another language, counts as much as one that means nearly the same.
const NEARLY_THE_SAME: lexicon::Nearness = 7;

/// What a word counts that begins like the one that was asked for, in tenths, and one that begins like a part of it.
const BEGINNING: i32 = 6;
const INSIDE: i32 = 3;
/// The most parts inside words of a query that are looked for.
const LOOKS_MOST: usize = 128;

/// One list of postings to be added up.
pub(crate) struct PlanTerm<'a> {
    pub(crate) postings: Postings<'a>,
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
    /// Its meaning is near, and hardly a document has the word itself; or it asks for the same, in a query that is not English.
    Related,
    /// It is a word of a name, and the word of the query is one edit away and otherwise unknown.
    Misspelt,
    /// It begins like the word, or like a part of it, in a text that is not English.
    Beginning,
}

impl PlanTerm<'_> {
    /// What it adds to the sum of a document that it weighs so much in.
    pub(crate) fn steps(&self, impact: u8) -> i32 {
        i32::from(self.weight) * i32::from(impact)
    }
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
    /// How much of a word it is.
    pub(crate) part: Part,
    /// How many documents have the word itself.
    count: u32,
}

/// Everything a search adds up.
pub(crate) struct Plan<'a> {
    pub(crate) terms: Vec<PlanTerm<'a>>,
    pub(crate) words: Vec<PlanWord>,
    /// What the lists add too much, by slot.
    pub(crate) surplus: Vec<Surplus>,
    /// Whether something is looked for that is a part of a word, or that only begins like one. Not in an English query: a
    /// word in another script there is a name or a value.
    pub(crate) is_of_parts: bool,
    /// A bit for each number modulo 64, to tell most other numbers apart at once.
    bits: u64,
    weights: Weights,
}

impl<'a> Plan<'a> {
    /// Looks the words of a query up.
    pub(crate) fn new(index: &'a Index, query: &QueryText) -> Self {
        Self::with_room(index, query, PlanRoom::default())
    }

    /// The same with room of an earlier one.
    pub(crate) fn with_room(index: &'a Index, query: &QueryText, room: PlanRoom) -> Self {
        let (terms, words) = room.empty();
        let mut plan = Self {
            terms,
            words,
            surplus: Vec::new(),
            is_of_parts: false,
            bits: 0,
            weights: Weights::among(index.len()),
        };
        let words = query.terms.iter().take(WORDS_MOST);
        // What was asked for comes first: what is only near to it takes the room that is left.
        for term in words.clone() {
            plan.add_word(index, term.number, term.part);
        }
        if !query.is_english() {
            let turns = plan.turns(index, query);
            if on(Idea::Beginnings) {
                plan.add_beginnings(index, query, &turns);
            }
            if on(Idea::Requests) {
                plan.add_requests(index, query, &turns);
            }
            plan.is_of_parts = plan.words.iter().any(|word| word.part != Part::Word)
                || plan.terms.iter().any(|term| term.way == Way::Beginning);
        }
        let mut unknown = 0;
        for (word, term) in words.enumerate() {
            let count = plan.words.get(word).map_or(0, |word| word.count);
            if count >= KNOWN_LEAST || (count > 0 && count as usize * KNOWN_SHARE >= index.len()) {
                continue;
            }
            let known = lexicon::known(term.number);
            if let Some(known) = known.filter(|_| on(Idea::Related)) {
                for (other, nearness) in known.related() {
                    plan.add_related(index, query, word, other, nearness);
                }
            }
            if count == 0 && known.is_none() && unknown < CORRECTED_MOST && on(Idea::Misspelt) {
                unknown += 1;
                plan.add_misspelt(index, query, word);
            }
        }
        plan
    }

    /// Adds what has the word itself, in texts or in the names of servers.
    fn add_word(&mut self, index: &'a Index, number: u64, part: Part) {
        let word = self.words.len();
        let weights = self.weights;
        let weigh = |count| share_of(part, weights.of(count).saturating_add(floor()));
        // A server's word weighs by how many tools the server has: naming one of a hundred tools' server says little.
        let [same, server] = index.terms().find_both(number);
        let same = self.add(same, word, Way::Same, weigh);
        let server = self.add(server, word, Way::Server, weigh);
        let found = same.max(server);
        let count = |list: Option<List>| list.map_or(0, |list| list.count);
        self.words.push(PlanWord {
            count: count(same).max(count(server)),
            mass: i32::from(found.map_or_else(|| weigh(0), |list| list.weight)),
            known: found.is_some(),
            part,
        });
    }

    /// The words in the order in which they are given what begins like them, where documents have beginnings. Each list is given once,
    /// so the order tells which word it stands for, and must not be that of the query. Words that documents have come first, so
    /// that their beginnings stand beside them; of those the ones that tell less, since the best hit has more often what tells more.
    fn turns(&self, index: &Index, query: &QueryText) -> Vec<usize> {
        if index.terms().find(beginning::ANY).is_none() {
            return Vec::new();
        }
        let turns: Vec<_> = self
            .words
            .iter()
            .zip(&query.terms)
            .enumerate()
            .map(|(word, (known, term))| (known.count == 0, known.mass, term.number, word))
            .collect();
        let turns = settled(turns, &|left, right| left.cmp(right));
        turns.into_iter().map(|(.., word)| word).collect()
    }

    /// Adds what begins like the words, and like parts of those that no document has.
    #[inline(never)]
    fn add_beginnings(&mut self, index: &'a Index, query: &QueryText, turns: &[usize]) {
        let mut looks = 0..LOOKS_MOST;
        for word in turns.iter().copied() {
            let (Some(term), Some(known)) = (query.terms.get(word), self.words.get(word)) else {
                continue;
            };
            let is_had = known.count > 0;
            let text = query.word(term);
            self.add_beginning(index, beginning(text), word, BEGINNING);
            if !is_had {
                self.add_beginning(index, beginning_with_umlaut(text), word, BEGINNING);
                for number in inside(text).zip(&mut looks).map(|(number, _)| number) {
                    self.add_beginning(index, Some(number), word, INSIDE);
                }
            }
        }
    }

    /// Adds the documents with words that begin so, once, at a part in tenths of what a word would weigh.
    fn add_beginning(&mut self, index: &'a Index, number: Option<u64>, word: usize, tenths: i32) {
        let Some((number, postings)) = number.and_then(|number| index.terms().find(number)) else {
            return;
        };
        if self.terms.len() >= LISTS_MOST || self.terms.iter().any(|term| term.number == number) {
            return;
        }
        let whole = self.weights.of(postings.count()).saturating_add(floor());
        let weight = i16::try_from(i32::from(whole) * tenths / 10).unwrap_or(i16::MAX);
        self.terms.push(PlanTerm {
            postings,
            number,
            weight,
            word,
            way: Way::Beginning,
        });
        if let Some(word) = self.words.get_mut(word).filter(|word| !word.known) {
            word.mass = i32::from(whole);
            word.known = true;
        }
    }

    /// Adds a word that is related to one of the query.
    fn add_related(
        &mut self,
        index: &'a Index,
        query: &QueryText,
        word: usize,
        other: u64,
        nearness: lexicon::Nearness,
    ) {
        if query.terms.iter().any(|term| term.number == other) {
            return;
        }
        let weights = self.weights;
        let own = weights.of(self.words.get(word).map_or(0, |word| word.count));
        let list = self.add(index.terms().find(other), word, Way::Related, |count| {
            lessened(weights.of(count).min(own), nearness)
        });
        self.found(word, list);
    }

    /// Adds the words of names that one edit makes of an unknown word.
    fn add_misspelt(&mut self, index: &'a Index, query: &QueryText, word: usize) {
        let Some(term) = query.terms.get(word) else {
            return;
        };
        let weights = self.weights;
        for right in corrections(index, query.word(term)) {
            if query.terms.iter().all(|term| term.number != right) {
                let list = self.add(index.terms().find(right), word, Way::Misspelt, |count| {
                    lessened(weights.of(count), NEARLY_THE_SAME)
                });
                self.found(word, list);
            }
        }
    }

    /// An unknown word is known once something stands for it, and tells as much as the best of that.
    fn found(&mut self, word: usize, list: Option<List>) {
        if let (Some(list), Some(word)) = (list, self.words.get_mut(word)) {
            let mass = i32::from(list.weight);
            word.mass = if word.known { word.mass.max(mass) } else { mass };
            word.known = true;
        }
    }

    /// Adds the postings of a term, if the catalog has it, for a word of the query.
    fn add(
        &mut self,
        found: Option<(u32, Postings<'a>)>,
        word: usize,
        way: Way,
        weigh: impl Fn(u32) -> i16,
    ) -> Option<List> {
        let (number, postings) = found?;
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
            word,
            way,
        });
        Some(List { weight, count })
    }

    /// The sum of the words of the document at a slot.
    pub(crate) fn sum(&self, slot: u32) -> i32 {
        self.parts(slot).map(|(_, steps)| steps).sum()
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

/// The greatest weight that a word of a document can have in a catalog of so many.
pub(crate) fn rarest_found(documents: usize) -> i16 {
    Weights::among(documents).of(1).saturating_add(floor())
}

/// What every word that itself matches is worth.
fn floor() -> i16 {
    if on(Idea::Floor) { FLOOR } else { 0 }
}

/// The terms of the words that an unknown word may be meant to be, those of the most documents first: a few names that
/// somebody made up do not take the place of a word that many have.
fn corrections(index: &Index, misspelt: &str) -> Vec<u64> {
    let count = |term: u64| {
        let found = index.terms().find(term);
        found.map_or(0, |(_, postings)| postings.count())
    };
    let mut terms: Vec<(Reverse<u32>, u64)> = Vec::new();
    index.spellings().near(misspelt, &mut |word| {
        let term = term_of(word);
        terms.push((Reverse(count(term)), term));
    });
    let mut terms = settled(terms, &|left, right| left.cmp(right));
    terms.dedup();
    terms.truncate(CORRECTIONS_MOST);
    terms.into_iter().map(|(_, term)| term).collect()
}

/// The weight of what is only a part of a word.
fn share_of(part: Part, weight: i16) -> i16 {
    match part {
        Part::Word => weight,
        _ => i16::try_from(i32::from(weight) * i32::from(part.share()) / 100).unwrap_or(i16::MAX),
    }
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
