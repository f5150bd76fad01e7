//! Terms and their postings: a hash finds a number, a number finds the postings. Knows nothing of documents' fields.
//!
//! A term without documents is forgotten and its number used again, so a million registrations and removals leave nothing
//! behind. Frequent terms are met first and get low, neighbouring numbers, which keeps the lists of a document short.

use super::postings::Postings;
use super::radix::Radix;
use super::slab::END;
use super::store::{Kind, Place, Store, StoreBuilder};
use super::trie::Trie;

/// Terms of a page.
const PAGE: usize = 16;

/// The terms of a catalog.
#[derive(Debug, Clone)]
pub(crate) struct Dictionary {
    /// By number, in pages.
    pages: Radix<Page, 1>,
    numbers: Trie,
    store: Store,
    /// The first free number, each of which names the next.
    free: u32,
    /// Numbers ever used.
    used: u32,
}

/// Sixteen terms, with no byte between them: a catalog has many.
#[derive(Debug, Clone)]
struct Page {
    hashes: [u64; PAGE],
    /// What [`Place`] they have; a vacant one names the next free number.
    values: [u32; PAGE],
    /// Kinds of the places, four bits each.
    kinds: u64,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            hashes: [0; PAGE],
            values: [END; PAGE],
            kinds: 0,
        }
    }
}

impl Page {
    fn place(&self, at: usize) -> Place {
        Place {
            kind: self.kind(at),
            value: self.values.get(at).copied().unwrap_or(END),
        }
    }

    #[inline]
    const fn kind(&self, at: usize) -> Kind {
        match self.kinds >> (4 * at) & 15 {
            0 => Kind::Vacant,
            1 => Kind::One,
            2 => Kind::Two,
            3 => Kind::Four,
            4 => Kind::Eight,
            5 => Kind::Sixteen,
            _ => Kind::Long,
        }
    }

    fn set(&mut self, at: usize, place: Place) {
        let kind = match place.kind {
            Kind::Vacant => 0,
            Kind::One => 1,
            Kind::Two => 2,
            Kind::Four => 3,
            Kind::Eight => 4,
            Kind::Sixteen => 5,
            Kind::Long => 6,
        };
        self.kinds = self.kinds & !(15 << (4 * at)) | kind << (4 * at);
        if let Some(value) = self.values.get_mut(at) {
            *value = place.value;
        }
    }
}

impl Default for Dictionary {
    fn default() -> Self {
        Self {
            pages: Radix::default(),
            numbers: Trie::default(),
            store: Store::default(),
            free: END,
            used: 0,
        }
    }
}

impl Dictionary {
    pub(crate) fn weigh(&self, add: &mut impl FnMut(&str, usize)) {
        self.pages.weigh("dictionary pages", add);
        self.numbers.weigh("dictionary", add);
        self.store.weigh(add);
    }

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

    /// The postings under a number.
    #[inline]
    pub(crate) fn postings(&self, number: u32) -> Option<Postings<'_>> {
        self.read(self.page(number)?, number)
    }

    /// The term under a number.
    pub(crate) fn hash(&self, number: u32) -> Option<u64> {
        self.page(number)?.hashes.get(number as usize % PAGE).copied()
    }

    /// Adds a document to a term; answers the term's number.
    pub(crate) fn insert(&mut self, hash: u64, slot: u32, impact: u8) -> u32 {
        let number = self.number(hash).unwrap_or_else(|| self.allot(hash));
        let place = self.place(number);
        let now = self.store.insert(place, slot, impact);
        self.move_to(number, place, now);
        number
    }

    /// Takes a document from a term, and the term itself with its last document.
    pub(crate) fn remove(&mut self, number: u32, slot: u32) {
        let place = self.place(number);
        if place.kind == Kind::Vacant {
            return;
        }
        let now = self.store.remove(place, slot);
        if now.kind != Kind::Vacant {
            self.move_to(number, place, now);
            return;
        }
        let next = std::mem::replace(&mut self.free, number);
        let mut gone = 0;
        if let Some(page) = self.pages.get_mut(page_of(number)) {
            let at = number as usize % PAGE;
            page.set(
                at,
                Place {
                    kind: Kind::Vacant,
                    value: next,
                },
            );
            if let Some(hash) = page.hashes.get_mut(at) {
                gone = std::mem::take(hash);
            }
        }
        self.numbers.remove(gone, number);
    }

    /// The terms by number, a vacant place as a term without documents.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, Postings<'_>)> {
        (0..self.used).filter_map(|number| {
            let page = self.page(number)?;
            let hash = *page.hashes.get(number as usize % PAGE)?;
            Some((hash, self.read(page, number)?))
        })
    }

    /// The dictionary of such terms, each with its words in ascending order.
    pub(crate) fn from_terms(terms: &[(u64, &[u32])]) -> Self {
        let mut store = StoreBuilder::default();
        let mut pages = Vec::with_capacity(terms.len().div_ceil(PAGE));
        let mut free = END;
        let mut numbers = Vec::with_capacity(terms.len());
        let mut number = 0;
        for terms in terms.chunks(PAGE) {
            let mut page = Page::default();
            for (at, (hash, words)) in terms.iter().enumerate() {
                let mut place = store.put(words);
                if place.kind == Kind::Vacant {
                    place.value = std::mem::replace(&mut free, number);
                } else {
                    numbers.push((*hash, number));
                    if let Some(known) = page.hashes.get_mut(at) {
                        *known = *hash;
                    }
                }
                page.set(at, place);
                number += 1;
            }
            pages.push(page);
        }
        Self {
            pages: pages.into_iter().collect(),
            numbers: Trie::from_pairs(numbers.into_iter()),
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

    #[inline]
    fn page(&self, number: u32) -> Option<&Page> {
        self.pages.get(page_of(number))
    }

    #[inline]
    fn find_page(&self, hash: u64) -> Option<(u32, &Page)> {
        let mut found = None;
        self.numbers.any(hash, &mut |number| {
            let page = self.page(number).filter(|page| {
                let known = page.hashes.get(number as usize % PAGE);
                known.is_some_and(|known| *known == hash)
            });
            found = page.map(|page| (number, page));
            found.is_some()
        });
        found
    }

    #[inline]
    fn read<'a>(&'a self, page: &'a Page, number: u32) -> Option<Postings<'a>> {
        let at = number as usize % PAGE;
        Some(self.store.read(page.kind(at), page.values.get(at)?))
    }

    fn place(&self, number: u32) -> Place {
        let page = self.page(number);
        page.map_or(Place::VACANT, |page| page.place(number as usize % PAGE))
    }

    /// A page is written when the place is another one only: it may be shared with a published state.
    fn move_to(&mut self, number: u32, before: Place, now: Place) {
        if now != before
            && let Some(page) = self.pages.get_mut(page_of(number))
        {
            page.set(number as usize % PAGE, now);
        }
    }

    fn allot(&mut self, hash: u64) -> u32 {
        let number = if self.free == END { self.used } else { self.free };
        if number == self.used {
            self.used += 1;
        } else {
            self.free = self.place(number).value;
        }
        if let Some(page) = self.pages.get_mut(page_of(number)) {
            let at = number as usize % PAGE;
            page.set(at, Place::VACANT);
            if let Some(place) = page.hashes.get_mut(at) {
                *place = hash;
            }
        }
        self.numbers.insert(hash, number);
        number
    }
}

const fn page_of(number: u32) -> u32 {
    number / 16
}
