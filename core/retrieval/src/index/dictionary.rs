//! Terms and their postings: a hash finds a number, a number finds the postings. Knows nothing of documents' fields.
//!
//! A term without documents is forgotten and its number used again, so a million registrations and removals leave nothing
//! behind. Frequent terms are met first and get low, neighbouring numbers, which keeps the lists of a document short.

mod page;
mod recent;

use super::postings::Postings;
use super::radix::Radix;
use super::slab::END;
use super::store::{Kind, Place, Store, StoreBuilder};
use super::trie::{Gathered, Trie};
use super::warm::Touch;
use crate::text::hash::in_server_space;
use page::{PAGE, PAGE_TERMS, Page};
use recent::Recent;

/// More terms do not lie in a cache of a megabyte with their postings. Fewer in tests, so that these look, too.
const LARGE: u32 = if cfg!(test) { 24 } else { 1 << 16 };

/// The terms of a catalog.
#[derive(Debug, Clone)]
pub(crate) struct Dictionary {
    /// By number, in pages.
    pages: Radix<Page, 1>,
    numbers: Trie,
    recent: Recent,
    store: Store,
    /// The first free number, each of which names the next.
    free: u32,
    /// Numbers ever used.
    used: u32,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self {
            pages: Radix::default(),
            numbers: Trie::default(),
            recent: Recent::default(),
            store: Store::default(),
            free: END,
            used: 0,
        }
    }
}

impl Dictionary {
    /// The number of a term that some document has.
    #[inline]
    pub(crate) fn number(&self, hash: u64) -> Option<u32> {
        self.find_page(hash).map(|(number, _)| number)
    }

    /// The number of a term that some document has, and its postings.
    #[inline]
    pub(crate) fn find(&self, hash: u64) -> Option<(u32, Postings<'_>)> {
        let (number, page) = self.find_page(hash)?;
        Some((number, self.read(page, number)?))
    }

    /// The same of a word, and of that word in the names of servers: they lie side by side, so one look finds both.
    #[inline]
    pub(crate) fn find_both(&self, hash: u64) -> [Option<(u32, Postings<'_>)>; 2] {
        let (mut word, mut server) = (None, None);
        self.numbers.any(hash, &mut |number| {
            if let Some(page) = self.page(number)
                && let Some(known) = page.hash(number)
            {
                let found = || Some((number, self.read(page, number)?));
                if known == hash {
                    word = found();
                } else if known == in_server_space(hash) {
                    server = found();
                }
            }
            false
        });
        [word, server]
    }

    /// The postings under a number.
    #[inline]
    pub(crate) fn postings(&self, number: u32) -> Option<Postings<'_>> {
        self.read(self.page(number)?, number)
    }

    /// The term under a number.
    pub(crate) fn hash(&self, number: u32) -> Option<u64> {
        self.page(number)?.hash(number)
    }

    /// Adds a document to a term that some document has.
    pub(crate) fn insert(&mut self, number: u32, slot: u32, impact: u8) {
        let place = self.place(number);
        let now = self.store.insert(place, slot, impact, self.is_large());
        self.move_to(number, place, now);
    }

    /// Adds a document to a term that no document has; answers the term's number.
    pub(crate) fn insert_new(&mut self, hash: u64, slot: u32, impact: u8) -> u32 {
        let number = self.take_number();
        let place = self.store.insert(Place::VACANT, slot, impact, false);
        self.allot(number, hash, place);
        number
    }

    /// Says what a term weighs in a document that has it.
    pub(crate) fn set(&mut self, number: u32, slot: u32, impact: u8) {
        let place = self.place(number);
        let now = self.store.set(place, slot, impact, self.is_large());
        self.move_to(number, place, now);
    }

    /// Whether there are so many terms that what a change touches lies in no cache.
    pub(crate) fn is_large(&self) -> bool {
        self.used > LARGE
    }

    /// The numbers of terms, [`END`] for one that no document has; in a large catalog everything of them is asked for on the way.
    pub(crate) fn numbers(&mut self, hashes: &[u64]) -> Vec<u32> {
        if !self.is_large() {
            let numbers = hashes.iter().map(|hash| self.number(*hash).unwrap_or(END));
            return numbers.collect();
        }
        let mut numbers = vec![END; hashes.len()];
        let all = || hashes.iter().copied().enumerate();
        let guess = |(at, hash)| Some((at, self.recent.guess(hash)?));
        let guesses: Vec<_> = all().filter_map(guess).collect();
        self.confirm(&guesses, hashes, &mut numbers);
        let left = all().filter(|(at, _)| numbers.get(*at) == Some(&END));
        self.confirm(&self.numbers.likely(left), hashes, &mut numbers);
        for (hash, number) in hashes.iter().zip(&numbers).filter(|(_, number)| **number != END) {
            self.recent.note(*hash, *number);
        }
        numbers
    }

    /// Takes those for the numbers of terms that are. A vacant number has no hash, which reads as 0, and a term may have that.
    fn confirm(&self, likely: &[(usize, u32)], hashes: &[u64], numbers: &mut [u32]) {
        self.ask(likely.iter().map(|(_, number)| *number));
        for (at, number) in likely {
            if self.hash(*number).as_ref() == hashes.get(*at)
                && self.place(*number).kind != Kind::Vacant
                && let Some(place) = numbers.get_mut(*at)
            {
                *place = *number;
            }
        }
    }

    /// Asks for what leads to the postings of terms.
    pub(crate) fn warm_ways(&self, hashes: &[u64]) {
        let likely = self.numbers.likely(hashes.iter().copied().enumerate());
        self.ask(likely.iter().map(|(_, number)| *number));
        let places = likely.iter().map(|(_, number)| self.place(*number));
        self.store.warm_ways(places);
    }

    /// Asks for what changes of the terms in a document touch.
    pub(crate) fn warm(&self, touched: &[(u32, Touch)], slot: u32) {
        self.ask(touched.iter().map(|(number, _)| *number));
        let places = touched.iter().map(|(number, _)| self.place(*number));
        self.store.warm(places, slot);
        // A term with one document may go with it.
        let goes = |(number, touch): &&(u32, Touch)| {
            *touch == Touch::Posting && self.place(*number).kind == Kind::One
        };
        let single = touched.iter().filter(goes);
        self.numbers
            .warm(single.filter_map(|(number, _)| self.hash(*number)));
    }

    /// Adds documents to terms, under the numbers that these have or that were taken for them: the words of those documents, in
    /// ascending order.
    pub(crate) fn merge_all<'a>(&mut self, terms: impl Iterator<Item = (u32, u64, &'a [u32])>) {
        let (mut scratch, mut new) = (Vec::new(), Vec::new());
        for (number, hash, words) in terms {
            let place = self.place(number);
            let now = self.store.merge(place, words, &mut scratch);
            if place.kind == Kind::Vacant {
                self.name(number, hash, now);
                new.push((hash, number));
            } else {
                self.move_to(number, place, now);
            }
        }
        self.numbers.extend(new.into_iter());
    }

    /// Takes a document from a term, and the term itself with its last document.
    pub(crate) fn remove(&mut self, number: u32, slot: u32) {
        let place = self.place(number);
        if place.kind == Kind::Vacant {
            return;
        }
        let now = self.store.remove(place, slot, self.is_large());
        if now.kind != Kind::Vacant {
            self.move_to(number, place, now);
            return;
        }
        let next = std::mem::replace(&mut self.free, number);
        let mut gone = 0;
        if let Some(page) = self.pages.get_mut(number / PAGE_TERMS) {
            let kind = Kind::Vacant;
            page.set(number, Place { kind, value: next });
            gone = page.hash(number).unwrap_or_default();
            page.name(number, 0);
        }
        self.numbers.remove(gone, number);
    }

    /// The terms by number, a vacant place as a term without documents.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, Postings<'_>)> {
        (0..self.used).filter_map(|number| {
            let page = self.page(number)?;
            let hash = page.hash(number)?;
            Some((hash, self.read(page, number)?))
        })
    }

    /// The dictionary of such terms, each with its words in ascending order.
    pub(crate) fn from_terms<'a>(terms: impl Iterator<Item = (u64, &'a [u32])>) -> Self {
        let mut store = StoreBuilder::default();
        let mut numbers = Gathered::with_capacity(terms.size_hint().1.unwrap_or(0));
        let mut number = 0;
        let mut free = END;
        let mut terms = terms.peekable();
        // Each page is made where it stays: those of a catalog are as much memory as its texts.
        let pages = std::iter::from_fn(|| {
            terms.peek()?;
            let mut page = Page::default();
            for (hash, words) in terms.by_ref().take(PAGE) {
                let mut place = store.put(words);
                if place.kind == Kind::Vacant {
                    place.value = std::mem::replace(&mut free, number);
                } else {
                    numbers.push(hash, number);
                    page.name(number, hash);
                }
                page.set(number, place);
                number += 1;
            }
            Some(page)
        });
        Self {
            pages: pages.collect(),
            numbers: Trie::of_gathered(&numbers),
            recent: Recent::default(),
            store: store.build(),
            free,
            used: number,
        }
    }

    /// Whether no document has any term.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many places for terms there are, free ones too.
    pub(crate) fn places(&self) -> u32 {
        self.used
    }

    /// Asks for everything of terms.
    fn ask(&self, numbers: impl Iterator<Item = u32>) {
        let places: Vec<_> = numbers
            .map(|number| (number / PAGE_TERMS, Page::bytes(number)))
            .collect();
        self.pages.ask(&places);
    }

    #[inline]
    fn page(&self, number: u32) -> Option<&Page> {
        self.pages.get(number / PAGE_TERMS)
    }

    #[inline]
    fn find_page(&self, hash: u64) -> Option<(u32, &Page)> {
        let mut found = None;
        self.numbers.any(hash, &mut |number| {
            let page = self.page(number).filter(|page| page.hash(number) == Some(hash));
            found = page.map(|page| (number, page));
            found.is_some()
        });
        found
    }

    #[inline(always)]
    fn read<'a>(&'a self, page: &'a Page, number: u32) -> Option<Postings<'a>> {
        let term = page.term(number)?;
        Some(self.store.read(page.kind(number), &term.value))
    }

    fn place(&self, number: u32) -> Place {
        let page = self.page(number);
        page.map_or(Place::VACANT, |page| page.place(number))
    }

    /// A page is written when the place is another one only: it may be shared with a published state.
    fn move_to(&mut self, number: u32, before: Place, now: Place) {
        if now != before
            && let Some(page) = self.pages.get_mut(number / PAGE_TERMS)
        {
            page.set(number, now);
        }
    }

    /// A number for a new term.
    pub(crate) fn take_number(&mut self) -> u32 {
        let number = if self.free == END { self.used } else { self.free };
        if number == self.used {
            self.used += 1;
        } else {
            self.free = self.place(number).value;
        }
        number
    }

    fn allot(&mut self, number: u32, hash: u64, place: Place) {
        self.name(number, hash, place);
        self.numbers.insert(hash, number);
    }

    fn name(&mut self, number: u32, hash: u64, place: Place) {
        if let Some(page) = self.pages.get_mut(number / PAGE_TERMS) {
            page.name(number, hash);
            page.set(number, place);
        }
    }
}
