//! Many documents at once: each term is looked up once, and its postings are written once, at the size they have.
//! Knows nothing of where the documents come from, and must leave an index that answers as one filled one by one.

use super::dictionary::Dictionary;
use super::record::OwnTerm;
use super::slab::END;
use super::trie::by_path;
use super::{Batch, Index, Room, SLOTS_MOST};
use crate::settled::settled;

/// Fewer documents are put one by one.
const BATCH_LEAST: usize = 8;

/// A term of the batch.
#[derive(Debug)]
struct Term {
    hash: u64,
    number: u32,
    /// How many documents of the batch have it; once that is known of all, where its next posting goes, and at last where its
    /// postings end.
    at: u32,
}

/// Where a batch is put in order. It is given back no sooner than what stays of the batch lies in memory, and used again for the next
/// one: what was touched once is cheap, and memory that is given back to the system has to be got ready again.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    terms: Vec<Term>,
    /// Which term each posting is of; at last, the terms of each document by number.
    places: Vec<u32>,
    /// Where terms are looked for; then, the document of each posting.
    table: Vec<u32>,
    words: Vec<u32>,
    order: Vec<u32>,
    /// New terms that stand in several documents, by how many.
    new: Vec<u64>,
}

/// A document of a batch: its slot, and its place in the batch.
type Placed = (u32, usize);

impl Index {
    /// Puts the documents of a batch at slots, as [`Index::put`] does one by one, in far less time when they are many.
    pub fn put_all(&mut self, slots: &[u32], batch: &mut Batch) {
        let mut space = std::mem::take(&mut batch.space);
        self.put_in_order(slots, batch, &mut space);
        batch.space = space;
    }

    fn put_in_order(&mut self, slots: &[u32], batch: &Batch, space: &mut Workspace) {
        let mut documents: Vec<Placed> = slots.iter().copied().zip(0..batch.len()).collect();
        // Slots of a new catalog ascend. Places do, so that of one slot the last stays the last.
        if !documents.is_sorted() {
            documents = settled(documents, &|left, right| left.cmp(right));
        }
        let stands_twice = documents
            .windows(2)
            .any(|pair| matches!(pair, [left, right] if left.0 == right.0));
        if stands_twice || documents.len() < BATCH_LEAST {
            for (slot, place) in slots.iter().zip(0..batch.len()) {
                self.put_one(*slot, &batch.reading(place));
            }
            return;
        }
        documents.retain(|document| document.0 < SLOTS_MOST);
        for (slot, _) in &documents {
            self.remove(*slot);
        }
        self.terms.insert_all(&documents, batch, space);
        let all_names = documents.iter().flat_map(|(slot, place)| {
            let names = batch.reading(*place).names.iter();
            names.map(|name| (*name, *slot))
        });
        self.names.extend(all_names);
        let (mut left, mut room, mut own_terms) = (space.places.as_slice(), Room::default(), Vec::new());
        for (slot, place) in documents {
            let reading = batch.reading(place);
            let Some((own, rest)) = left.split_at_checked(reading.hashes.len()) else {
                return;
            };
            own_terms.clear();
            own_terms.extend(own.iter().map(|own| unpacked(*own)));
            self.spell(&reading, &mut room);
            self.write_record(slot, &reading, &mut own_terms, &mut room);
            left = rest;
        }
    }
}

impl Dictionary {
    /// Adds documents, in ascending order of their slots, to their terms; the terms of each by number, document after document, packed,
    /// are in the places then.
    fn insert_all(&mut self, documents: &[Placed], batch: &Batch, space: &mut Workspace) {
        let is_first = self.places() == 0;
        distinct(documents, batch, space);
        let Workspace {
            terms,
            places,
            table: owners,
            words,
            order,
            new,
        } = space;
        self.number_all(terms, order, new);

        // All postings by the numbers of their terms, and in the order of slots below one number.
        let mut next = 0;
        for place in &*order {
            if let Some(term) = terms.get_mut(*place as usize) {
                next += std::mem::replace(&mut term.at, next);
            }
        }
        words.clear();
        words.resize(places.len(), 0);
        let (terms, words, owners) = (terms.as_mut_slice(), words.as_mut_slice(), owners.as_mut_slice());
        let mut of_posting = places.iter();
        for (document, (slot, place)) in (0_u32..).zip(documents) {
            for (own, place) in batch.reading(*place).weights.iter().zip(of_posting.by_ref()) {
                let Some(term) = terms.get_mut(*place as usize) else {
                    continue;
                };
                let at = term.at as usize;
                term.at += 1;
                if let (Some(word), Some(owner)) = (words.get_mut(at), owners.get_mut(at)) {
                    *word = slot << 8 | u32::from(own.impact);
                    *owner = packed(document, own.in_name);
                }
            }
        }
        let in_order = order.iter().filter_map(|place| terms.get(*place as usize));
        by_document(documents, batch, in_order.clone(), owners, places);
        let mut begin = 0;
        let with_words = in_order.map_while(|term| {
            let own = words.get(begin..term.at as usize)?;
            begin = term.at as usize;
            Some((term.number, term.hash, own))
        });
        if is_first {
            *self = Self::from_terms(with_words.map(|(_, hash, own)| (hash, own)));
        } else {
            self.merge_all(with_words);
        }
    }

    /// Gives each term the number it has, or a new one: those of the most documents first, so that the lists of documents stay
    /// short, and those of one document as they come, so that they are neighbours. `order` is the order of numbers then.
    fn number_all(&mut self, terms: &mut [Term], order: &mut Vec<u32>, new: &mut Vec<u64>) {
        let mut in_order = std::mem::take(order);
        new.clear();
        in_order.clear();
        in_order.reserve(terms.len());
        if self.places() > 0 {
            for place in by_path(terms, |term| term.hash) {
                if let Some(term) = terms.get_mut(place as usize) {
                    term.number = self.number(term.hash).unwrap_or(END);
                }
            }
        }
        for (place, term) in (0_u32..).zip(terms.iter()) {
            match term {
                Term { number: END, at, .. } if *at > 1 => {
                    new.push(u64::from(u32::MAX - *at) << 32 | u64::from(place));
                }
                Term { number: END, .. } => {}
                _ => in_order.push(place),
            }
        }
        new.sort_unstable();
        for place in new.iter().copied().map(low) {
            if let Some(term) = terms.get_mut(place as usize) {
                term.number = self.take_number();
            }
            in_order.push(place);
        }
        // What is left stands in one document.
        for (place, term) in (0_u32..).zip(terms.iter_mut()) {
            if term.number == END {
                term.number = self.take_number();
                in_order.push(place);
            }
        }
        // New numbers ascend, unless some were another term's before.
        let number = |place: &u32| terms.get(*place as usize).map_or(END, |term| term.number);
        if !in_order.is_sorted_by_key(number) {
            in_order = settled(in_order, &|left, right| number(left).cmp(&number(right)));
        }
        *order = in_order;
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
const fn low(key: u64) -> u32 {
    key as u32
}

/// A number, and in its lowest bit whether the name has the term. Terms and documents are fewer than 2³¹: each takes more than ten
/// bytes.
const fn packed(number: u32, in_name: bool) -> u32 {
    number << 1 | in_name as u32
}

const fn unpacked(word: u32) -> OwnTerm {
    OwnTerm {
        number: word >> 1,
        in_name: word & 1 == 1,
    }
}

/// The terms of each document by number, document after document, from the documents of each term by number. `own_terms` is as
/// long as they are.
fn by_document<'a>(
    documents: &[Placed],
    batch: &Batch,
    in_order: impl Iterator<Item = &'a Term>,
    owners: &[u32],
    own_terms: &mut [u32],
) {
    let mut begin = 0;
    let begins = documents.iter().map(|(_, place)| {
        let end = begin + batch.reading(*place).hashes.len();
        std::mem::replace(&mut begin, end)
    });
    let mut next: Vec<usize> = begins.collect();
    let mut begin = 0_u32;
    for term in in_order {
        let own = owners.get(begin as usize..term.at as usize).unwrap_or_default();
        begin = term.at;
        for owner in own {
            if let Some(next) = next.get_mut((owner >> 1) as usize)
                && let Some(own) = own_terms.get_mut(*next)
            {
                *next += 1;
                *own = packed(term.number, owner & 1 == 1);
            }
        }
    }
}

/// Finds the terms of documents, each once, in the order in which they are met; and for each posting, which of them it is. The table
/// has room for a number of each posting then, with anything in it.
fn distinct(documents: &[Placed], batch: &Batch, space: &mut Workspace) {
    let postings = documents
        .iter()
        .map(|(_, place)| batch.reading(*place).hashes.len())
        .sum();
    // At hand, and not behind a reference.
    let mut terms = std::mem::take(&mut space.terms);
    let mut of_posting = std::mem::take(&mut space.places);
    let mut table = std::mem::take(&mut space.table);
    // Room for the most there can be: what is not used is never touched, and what grows is copied.
    terms.clear();
    terms.reserve(postings);
    of_posting.clear();
    of_posting.reserve(postings);
    // At most four fifths full, and seldom more than half: most postings are of terms that were met before. The steps from one
    // place to the next differ with the other half of a hash, so that nobody makes them long by choosing words.
    table.clear();
    table.resize((postings + postings / 4 + 1).next_power_of_two(), END);
    let mask = table.len() as u64 - 1;
    let mut meet = |hash: &u64| {
        let (mut at, step) = (*hash, hash >> 32 | 1);
        let place = loop {
            let Some(entry) = usize::try_from(at & mask).ok().and_then(|at| table.get_mut(at)) else {
                break END;
            };
            match terms.get_mut(*entry as usize) {
                Some(term) if term.hash == *hash => {
                    term.at += 1;
                    break *entry;
                }
                Some(_) => at = at.wrapping_add(step),
                None => {
                    *entry = u32::try_from(terms.len()).unwrap_or(END);
                    terms.push(Term {
                        hash: *hash,
                        number: END,
                        at: 1,
                    });
                    break *entry;
                }
            }
        };
        of_posting.push(place);
    };
    for (_, place) in documents {
        batch.reading(*place).hashes.iter().for_each(&mut meet);
    }
    (space.terms, space.places, space.table) = (terms, of_posting, table);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::kit::with_document;
    use super::*;
    use crate::text::Analyzer;

    /// Documents with words of which a few are in all, some in some and most in one.
    fn read(number: u32, seed: u32, batch: &mut Batch, analyzer: &mut Analyzer) {
        let id = format!("server{}__verb{}_noun{number}", number % 5, (number ^ seed) % 12);
        let description = format!(
            "common topic{} half{} rare{} unique{number} seed{seed}",
            number % 30,
            number % 2,
            number % 300
        );
        with_document(&id, &description, |document| batch.read(document, analyzer));
    }

    /// All that is in an index.
    fn state(index: &Index) -> String {
        let slots: Vec<u32> = (0..index.span())
            .filter(|slot| index.record(*slot).is_some())
            .collect();
        let ids: Vec<&str> = slots
            .iter()
            .filter_map(|slot| index.record(*slot).map(|record| record.id()))
            .collect();
        format!("{} {ids:?} {:?}", index.len(), index.save(&slots))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn an_index_filled_at_once_is_one_filled_one_by_one(
            batches in proptest::collection::vec((0u32..700, 0u32..900, 1u32..4), 1..5), removed in proptest::collection::vec(0u32..900, 0..200),
        ) {
            let (mut analyzer, mut batch) = (Analyzer::default(), Batch::default());
            let (mut at_once, mut one_by_one) = (Index::new(), Index::new());
            let mut published = Vec::new();
            for (round, (first, count, step)) in (0..).zip(batches) {
                // In falling order of slots, some in place of others.
                let slots: Vec<u32> = (0..count).rev().step_by(step as usize).map(|number| first + number).collect();
                batch.clear();
                slots.iter().for_each(|slot| read(*slot, round, &mut batch, &mut analyzer));
                (0..).zip(&slots).for_each(|(place, slot)| one_by_one.put(*slot, &batch.prepared(place)));
                at_once.put_all(&slots, &mut batch);
                prop_assert_eq!(state(&at_once), state(&one_by_one));
                published.push((at_once.clone(), state(&at_once)));
                for slot in &removed {
                    prop_assert_eq!(at_once.remove(*slot), one_by_one.remove(*slot));
                }
            }
            prop_assert_eq!(state(&at_once), state(&one_by_one));
            for (clone, before) in published { prop_assert_eq!(state(&clone), before); }
            for slot in 0..at_once.span() { at_once.remove(slot); }
            prop_assert!(at_once.is_empty() && at_once.terms.is_empty() && at_once.names.is_empty());
        }
    }

    #[test]
    fn the_last_of_two_documents_for_one_slot_counts_and_a_slot_beyond_the_last_is_left_out() {
        let (mut analyzer, mut batch) = (Analyzer::default(), Batch::default());
        (0..20).for_each(|number| read(number, 0, &mut batch, &mut analyzer));
        let mut slots: Vec<u32> = (0..19).chain([SLOTS_MOST]).collect();
        let mut index = Index::new();
        index.put_all(&slots, &mut batch);
        assert_eq!((index.len(), index.span()), (19, 19));
        read(19, 0, &mut batch, &mut analyzer);
        slots.push(0);
        index.put_all(&slots, &mut batch);
        assert_eq!(
            index.record(0).map(|record| record.id()),
            Some("server4__verb7_noun19")
        );
    }
}
