//! Puts one document at a slot, in place of what stood there. Knows nothing of batches.
//!
//! What the old and the new document have in common stays as it is: a new description keeps the name, and most of the terms. What
//! is left is looked up before anything is written: see [`super::warm`].

use super::reading::Reading;
use super::record::{OwnTerm, Record, RecordParts, Stored};
use super::slab::END;
use super::warm::{self, Touch};
use super::{Index, Prepared, Room, SLOTS_MOST};

impl Index {
    /// Puts a document at a slot, in place of what stood there. Slots are numbered from 0 and used again by the caller; there
    /// are 2^24 of them, and a document beyond is not indexed.
    pub fn put(&mut self, slot: u32, prepared: &Prepared) {
        self.put_one(slot, &prepared.reading());
    }

    pub(super) fn put_one(&mut self, slot: u32, reading: &Reading<'_>) {
        if slot >= SLOTS_MOST {
            return;
        }
        if self.terms.is_large() {
            self.warm(slot, reading);
        }
        let before = self.take_record(slot);
        let before = before.as_deref().map(Record::of);
        let mut terms = self.exchange_terms(slot, before, reading);
        self.exchange_names(slot, before, reading);
        let mut room = Room::default();
        self.exchange_spelled(before, reading, &mut room);
        self.write_record(slot, reading, &mut terms, &mut room);
    }

    /// Takes the document at a slot out; says whether there was one.
    pub fn remove(&mut self, slot: u32) -> bool {
        let Some(stored) = self.take_record(slot) else {
            return false;
        };
        let record = Record::of(&stored);
        let terms = record.terms().map(|term| (term.number, Touch::Posting));
        let touched: Vec<(u32, Touch)> = terms.collect();
        if self.terms.is_large() {
            self.terms.warm(&touched, slot);
        }
        for (number, _) in touched {
            self.terms.remove(number, slot);
        }
        record.names().for_each(|name| self.names.remove(name, slot));
        record.spelled().for_each(|word| self.spellings.remove(word));
        true
    }

    /// Asks for the document at a slot, or for the names and words of one that is new: another text seldom has another name.
    fn warm(&self, slot: u32, reading: &Reading<'_>) {
        match self.records.get(slot) {
            Some(Some(stored)) => warm::ask(stored),
            _ => {
                self.names.warm(reading.names.iter().copied());
                self.spellings.warm(reading.spelled());
            }
        }
    }

    /// Takes what is kept of a document beside its postings.
    fn take_record(&mut self, slot: u32) -> Option<Stored> {
        self.record(slot)?;
        let stored = self.records.get_mut(slot).and_then(Option::take)?;
        self.documents -= 1;
        Some(stored)
    }

    /// What is kept of a document beside its postings and what its names lead to; the numbers of its spelled words are in the room.
    pub(super) fn write_record(
        &mut self,
        slot: u32,
        reading: &Reading<'_>,
        terms: &mut [OwnTerm],
        room: &mut Room,
    ) {
        let Some(place) = self.records.get_mut(slot) else {
            return;
        };
        let parts = RecordParts {
            id: reading.id,
            names: reading.names,
            spelled: &room.spelled,
            terms,
            group: reading.traits.group,
            name_ends: reading.traits.name_ends,
            hint: reading.traits.hint,
        };
        *place = Some(parts.store(&mut room.bytes));
        self.documents += 1;
        self.span = self.span.max(slot + 1);
    }

    /// Makes the postings of a slot those of a document; answers its terms.
    fn exchange_terms(
        &mut self,
        slot: u32,
        before: Option<Record<'_>>,
        reading: &Reading<'_>,
    ) -> Vec<OwnTerm> {
        let mut terms: Vec<OwnTerm> = Vec::with_capacity(reading.hashes.len());
        for (number, weight) in self
            .terms
            .numbers(reading.hashes)
            .into_iter()
            .zip(reading.weights)
        {
            terms.push(OwnTerm {
                number,
                in_name: weight.in_name,
            });
        }
        let mut old: Vec<u32> = Vec::new();
        if let Some(before) = before {
            old.extend(before.terms().map(|term| term.number));
            old.sort_unstable();
        }
        let mut kept = vec![false; old.len()];
        let mut touched: Vec<(u32, Touch)> = Vec::with_capacity(terms.len() + old.len());
        for own in terms.iter().filter(|own| own.number != END) {
            let known = old.binary_search(&own.number);
            let place = known.ok().and_then(|at| kept.get_mut(at));
            let touch = place.map_or(Touch::Posting, |kept| {
                *kept = true;
                Touch::Weight
            });
            touched.push((own.number, touch));
        }
        let come_or_stay = touched.len();
        let gone = old.iter().zip(kept).filter(|(_, kept)| !kept);
        touched.extend(gone.map(|(number, _)| (*number, Touch::Posting)));
        if self.terms.is_large() {
            self.terms.warm(&touched, slot);
        }
        let (touched, gone) = touched.split_at_checked(come_or_stay).unwrap_or_default();
        let weights = reading.weights.iter().zip(&terms);
        let weights = weights.filter(|(_, own)| own.number != END);
        for ((weight, _), (number, touch)) in weights.zip(touched) {
            match touch {
                Touch::Weight => self.terms.set(*number, slot, weight.impact),
                Touch::Posting => self.terms.insert(*number, slot, weight.impact),
            }
        }
        for (number, _) in gone {
            self.terms.remove(*number, slot);
        }
        // The numbers that went are used again.
        for ((hash, weight), own) in reading.hashes.iter().zip(reading.weights).zip(&mut terms) {
            if own.number == END {
                own.number = self.terms.insert_new(*hash, slot, weight.impact);
            }
        }
        terms
    }

    /// Lets the names of a document lead to its slot, and no others.
    fn exchange_names(&mut self, slot: u32, before: Option<Record<'_>>, reading: &Reading<'_>) {
        let old: Vec<u64> = before.iter().flat_map(Record::names).collect();
        for name in old.iter().filter(|name| !reading.names.contains(name)) {
            self.names.remove(*name, slot);
        }
        for name in reading.names.iter().filter(|name| !old.contains(name)) {
            self.names.insert(*name, slot);
        }
    }

    /// Counts the words of a name whose misspellings are found, and those of the old name no longer; their numbers are in the room then.
    fn exchange_spelled(&mut self, before: Option<Record<'_>>, reading: &Reading<'_>, room: &mut Room) {
        room.spelled.extend(before.iter().flat_map(Record::spelled));
        let words = room.spelled.iter().map(|number| self.spellings.word(*number));
        if !words.eq(reading.spelled()) {
            let old = room.spelled.iter();
            old.for_each(|word| self.spellings.remove(*word));
            self.spell(reading, room);
        }
    }

    /// Counts the words of a name whose misspellings are found; their numbers are in the room then.
    pub(super) fn spell(&mut self, reading: &Reading<'_>, room: &mut Room) {
        room.spelled.clear();
        let spelled = reading.spelled().map(|word| self.spellings.insert(word));
        room.spelled.extend(spelled);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::kit::with_document;
    use super::*;
    use crate::text::Analyzer;

    /// A document whose name has one of four words twice or once, and whose text has some of many.
    fn read(name: u32, text: &[u32], analyzer: &mut Analyzer) -> Prepared {
        let words = ["weather", "calendar", "repository", "message"];
        let id = format!("{}_{}", words[name as usize % 4], words[name as usize / 4 % 4]);
        let text: String = text.iter().map(|word| format!("word{word} ")).collect();
        with_document(&id, &text, |document| Prepared::new(document, analyzer))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn what_stood_at_a_slot_before_leaves_nothing_behind_and_a_clone_keeps_it(
            puts in proptest::collection::vec((0u32..30, 0u32..16, proptest::collection::vec(0u32..40, 0..30)), 1..120), cut in 0usize..120,
        ) {
            let mut analyzer = Analyzer::default();
            let mut last = std::collections::BTreeMap::new();
            let (mut changed, mut published) = (Index::new(), None);
            let state = |index: &Index| {
                let slots: Vec<u32> = (0..30).filter(|slot| index.record(*slot).is_some()).collect();
                format!("{:?}", index.save(&slots))
            };
            for (at, (slot, name, text)) in puts.iter().enumerate() {
                if at == cut { published = Some((changed.clone(), state(&changed))); }
                changed.put(*slot, &read(*name, text, &mut analyzer));
                last.insert(*slot, (*name, text));
            }
            let mut fresh = Index::new();
            for (slot, (name, text)) in &last { fresh.put(*slot, &read(*name, text, &mut analyzer)); }
            prop_assert_eq!(state(&changed), state(&fresh));
            prop_assert_eq!(changed.len(), fresh.len());
            if let Some((clone, before)) = published { prop_assert_eq!(state(&clone), before); }
            for slot in last.keys() { prop_assert!(changed.remove(*slot)); }
            prop_assert!(changed.is_empty() && changed.terms.is_empty() && changed.names.is_empty() && changed.spellings.is_empty());
        }
    }
}
