//! Many documents at once: each term is looked up once, and its postings are written once, at the size they have.
//! Knows nothing of where the documents come from, and must leave an index that answers as one filled one by one.

use super::dictionary::Dictionary;
use super::record::OwnTerm;
use super::slab::END;
use super::{Index, Prepared, SLOTS_MOST};

/// Fewer documents are put one by one.
const BATCH_LEAST: usize = 8;

/// A term of the batch.
struct Term {
    hash: u64,
    number: u32,
    /// How many documents of the batch have it.
    count: u32,
    /// Where its next posting goes.
    next: u32,
}

impl Index {
    /// Puts documents at their slots, as [`Index::put`] does one by one, in far less time when they are many.
    pub fn put_all(&mut self, batch: &[(u32, &Prepared)]) {
        let mut documents: Vec<(u32, &Prepared)> = batch.to_vec();
        documents.sort_by_key(|document| document.0);
        let stands_twice = documents
            .windows(2)
            .any(|pair| matches!(pair, [left, right] if left.0 == right.0));
        if stands_twice || documents.len() < BATCH_LEAST {
            batch
                .iter()
                .for_each(|(slot, prepared)| self.put(*slot, prepared));
            return;
        }
        documents.retain(|document| document.0 < SLOTS_MOST);
        for (slot, _) in &documents {
            self.remove(*slot);
        }
        let mut terms = self.terms.insert_all(&documents);
        let all_names = documents
            .iter()
            .flat_map(|(slot, prepared)| prepared.names.iter().map(|name| (*name, *slot)));
        self.names.extend(all_names);
        let (mut left, mut bytes) = (terms.as_mut_slice(), Vec::new());
        for (slot, prepared) in documents {
            let Some((own, rest)) = left.split_at_mut_checked(prepared.gathered.terms.len()) else {
                return;
            };
            let spelled = self.spell(prepared);
            self.write_record(slot, prepared, own, &spelled, &mut bytes);
            left = rest;
        }
    }
}

impl Dictionary {
    /// Adds documents, in ascending order of their slots, to their terms; answers the terms of each by number, document after
    /// document.
    fn insert_all(&mut self, documents: &[(u32, &Prepared)]) -> Vec<OwnTerm> {
        let is_first = self.places() == 0;
        let (mut terms, places) = distinct(documents);
        let order = self.number_all(&mut terms);

        // All postings by the numbers of their terms, and in the order of slots below one number.
        let mut next = 0;
        for place in &order {
            if let Some(term) = terms.get_mut(*place as usize) {
                term.next = next;
                next += term.count;
            }
        }
        let mut words = vec![0; places.len()];
        let mut owners = vec![0; places.len()];
        let mut of_posting = places.iter();
        for (document, (slot, prepared)) in (0_u32..).zip(documents) {
            for (own, place) in prepared.gathered.terms.iter().zip(of_posting.by_ref()) {
                let Some(term) = terms.get_mut(*place as usize) else {
                    continue;
                };
                let at = term.next as usize;
                term.next += 1;
                if let (Some(word), Some(owner)) = (words.get_mut(at), owners.get_mut(at)) {
                    *word = slot << 8 | u32::from(own.impact);
                    *owner = document << 1 | u32::from(own.in_name);
                }
            }
        }
        let in_order = order.iter().filter_map(|place| terms.get(*place as usize));
        let own_terms = by_document(documents, in_order.clone(), &owners);
        let mut left = words.as_slice();
        let with_words = in_order.map_while(|term| {
            let (own, rest) = left.split_at_checked(term.count as usize)?;
            left = rest;
            Some((term.number, term.hash, own))
        });
        if is_first {
            *self = Self::from_terms(with_words.map(|(_, hash, own)| (hash, own)));
        } else {
            self.merge_all(with_words);
        }
        own_terms
    }

    /// Gives each term the number it has, or a new one: those of the most documents first, so that the lists of documents stay
    /// short, and those of one document as they come, so that they are neighbours. Answers the order of numbers.
    fn number_all(&mut self, terms: &mut [Term]) -> Vec<u32> {
        let (mut new, mut single, mut order) = (Vec::new(), Vec::new(), Vec::new());
        for (place, term) in (0_u32..).zip(terms.iter_mut()) {
            term.number = self.number(term.hash).unwrap_or(END);
            match term {
                Term {
                    number: END,
                    count: 1,
                    ..
                } => single.push(place),
                Term {
                    number: END, count, ..
                } => new.push(u64::from(u32::MAX - *count) << 32 | u64::from(place)),
                _ => order.push(place),
            }
        }
        new.sort_unstable();
        let new = new.into_iter().map(low).chain(single);
        for place in new {
            if let Some(term) = terms.get_mut(place as usize) {
                term.number = self.take_number();
            }
            order.push(place);
        }
        // New numbers ascend, unless some were another term's before.
        let number = |place: &u32| terms.get(*place as usize).map_or(END, |term| term.number);
        if !order.is_sorted_by_key(number) {
            order.sort_unstable_by_key(number);
        }
        order
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
const fn low(key: u64) -> u32 {
    key as u32
}

/// The terms of each document by number, document after document, from the documents of each term by number.
fn by_document<'a>(
    documents: &[(u32, &Prepared)],
    in_order: impl Iterator<Item = &'a Term>,
    owners: &[u32],
) -> Vec<OwnTerm> {
    let mut begin = 0;
    let begins = documents.iter().map(|(_, prepared)| {
        let end = begin + prepared.gathered.terms.len();
        std::mem::replace(&mut begin, end)
    });
    let mut next: Vec<usize> = begins.collect();
    let unset = OwnTerm {
        number: END,
        in_name: false,
    };
    let mut own_terms = vec![unset; owners.len()];
    let mut owners = owners.iter();
    for term in in_order {
        for owner in owners.by_ref().take(term.count as usize) {
            if let Some(next) = next.get_mut((owner >> 1) as usize)
                && let Some(own) = own_terms.get_mut(*next)
            {
                *next += 1;
                *own = OwnTerm {
                    number: term.number,
                    in_name: owner & 1 == 1,
                };
            }
        }
    }
    own_terms
}

/// The terms of documents, each once, in the order in which they are met; and for each posting, which of them it is.
fn distinct(documents: &[(u32, &Prepared)]) -> (Vec<Term>, Vec<u32>) {
    let postings = documents
        .iter()
        .map(|(_, prepared)| prepared.gathered.terms.len())
        .sum();
    let mut terms: Vec<Term> = Vec::with_capacity(postings / 2);
    let mut of_posting = Vec::with_capacity(postings);
    // At most half full. The steps from one place to the next differ with the other half of a hash, so that nobody makes them
    // long by choosing words.
    let mut table = vec![END; (2 * postings).next_power_of_two()];
    let mask = table.len() as u64 - 1;
    for own in documents
        .iter()
        .flat_map(|(_, prepared)| &prepared.gathered.terms)
    {
        let (mut at, step) = (own.hash, own.hash >> 32 | 1);
        let place = loop {
            let Some(entry) = usize::try_from(at & mask).ok().and_then(|at| table.get_mut(at)) else {
                break END;
            };
            match terms.get_mut(*entry as usize) {
                Some(term) if term.hash == own.hash => {
                    term.count += 1;
                    break *entry;
                }
                Some(_) => at = at.wrapping_add(step),
                None => {
                    *entry = u32::try_from(terms.len()).unwrap_or(END);
                    terms.push(Term {
                        hash: own.hash,
                        number: END,
                        count: 1,
                        next: 0,
                    });
                    break *entry;
                }
            }
        };
        of_posting.push(place);
    }
    (terms, of_posting)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::super::{Document, Field, Hint};
    use super::*;
    use crate::text::Analyzer;

    /// Documents with words of which a few are in all, some in some and most in one.
    fn read(number: u32, seed: u32, analyzer: &mut Analyzer) -> Prepared {
        let id = format!("server{}__verb{}_noun{number}", number % 5, (number ^ seed) % 12);
        let description = format!(
            "common topic{} half{} rare{} unique{number} seed{seed}",
            number % 30,
            number % 2,
            number % 300
        );
        let fields = [
            (Field::Name, Cow::Borrowed(id.as_str())),
            (Field::Description, Cow::Borrowed(description.as_str())),
        ];
        Prepared::new(
            &Document {
                id: &id,
                names: &[&id],
                group: "server",
                hint: Hint::Neutral,
                fields: &fields,
            },
            analyzer,
        )
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
            let mut analyzer = Analyzer::default();
            let (mut at_once, mut one_by_one) = (Index::new(), Index::new());
            let mut published = Vec::new();
            for (round, (first, count, step)) in (0..).zip(batches) {
                // In falling order of slots, some in place of others.
                let documents: Vec<(u32, Prepared)> = (0..count).rev().step_by(step as usize)
                    .map(|number| (first + number, read(first + number, round, &mut analyzer))).collect();
                documents.iter().for_each(|(slot, prepared)| one_by_one.put(*slot, prepared));
                let batch: Vec<(u32, &Prepared)> = documents.iter().map(|(slot, prepared)| (*slot, prepared)).collect();
                at_once.put_all(&batch);
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
        let mut analyzer = Analyzer::default();
        let documents: Vec<Prepared> = (0..20).map(|number| read(number, 0, &mut analyzer)).collect();
        let mut batch: Vec<(u32, &Prepared)> = (0..).zip(&documents).collect();
        if let Some(last) = batch.last_mut() {
            last.0 = SLOTS_MOST;
        }
        let mut index = Index::new();
        index.put_all(&batch);
        assert_eq!((index.len(), index.span()), (19, 19));
        batch.push((0, &documents[19]));
        index.put_all(&batch);
        assert_eq!(
            index.record(0).map(|record| record.id()),
            Some("server4__verb7_noun19")
        );
    }
}
