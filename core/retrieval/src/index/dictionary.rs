//! Terms and their postings: a hash finds a number, a number finds the postings. Knows nothing of documents' fields.
//!
//! A term without documents is forgotten and its number used again, so a million registrations and removals leave nothing
//! behind. Frequent terms are met first and get low, neighbouring numbers, which keeps the lists of a document short.

use super::postings::Postings;
use super::radix::Radix;
use super::trie::Trie;

const END: u32 = u32::MAX;

/// The terms of a catalog.
#[derive(Debug, Clone)]
pub(crate) struct Dictionary {
    entries: Radix<Entry>,
    numbers: Trie,
    /// The first free place, each of which names the next.
    free: u32,
    /// Places ever used.
    used: u32,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    hash: u64,
    postings: Postings,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self {
            entries: Radix::default(),
            numbers: Trie::default(),
            free: END,
            used: 0,
        }
    }
}

impl Dictionary {
    /// The number of a term that some document has.
    #[inline]
    pub(crate) fn number(&self, hash: u64) -> Option<u32> {
        self.find(hash).map(|(number, _)| number)
    }

    /// The number of a term that some document has, and its postings.
    #[inline]
    pub(crate) fn find(&self, hash: u64) -> Option<(u32, &Postings)> {
        let mut found = None;
        self.numbers.any(hash, &mut |number| {
            let entry = self.entries.get(number).filter(|entry| entry.hash == hash);
            if let Some(entry) = entry {
                found = Some((number, &entry.postings));
            }
            entry.is_some()
        });
        found
    }

    /// The postings under a number.
    #[inline]
    pub(crate) fn postings(&self, number: u32) -> Option<&Postings> {
        self.entries.get(number).map(|entry| &entry.postings)
    }

    /// The term under a number.
    pub(crate) fn hash(&self, number: u32) -> Option<u64> {
        self.entries.get(number).map(|entry| entry.hash)
    }

    /// Adds a document to a term; answers the term's number.
    pub(crate) fn insert(&mut self, hash: u64, slot: u32, impact: u8) -> u32 {
        let number = self.number(hash).unwrap_or_else(|| self.allot(hash));
        if let Some(entry) = self.entries.get_mut(number) {
            entry.postings.insert(slot, impact);
        }
        number
    }

    /// Takes a document from a term, and the term itself with its last document.
    pub(crate) fn remove(&mut self, number: u32, slot: u32) {
        let Some(entry) = self.entries.get_mut(number) else {
            return;
        };
        entry.postings.remove(slot);
        if entry.postings.count() == 0 {
            let hash = entry.hash;
            *entry = Entry {
                hash: 0,
                postings: Postings::Vacant(self.free),
            };
            self.free = number;
            self.numbers.remove(hash, number);
        }
    }

    /// The terms by number, a vacant place as a term without documents.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Postings)> {
        let entries = (0..self.used).filter_map(|number| self.entries.get(number));
        entries.map(|entry| (entry.hash, &entry.postings))
    }

    /// The dictionary of such terms.
    pub(crate) fn from_terms(terms: Vec<(u64, Postings)>) -> Self {
        let number = |place: usize| u32::try_from(place).unwrap_or(END);
        let known = terms.iter().enumerate().filter(|(_, term)| term.1.count() > 0);
        let numbers = Trie::from_pairs(known.map(|(place, term)| (term.0, number(place))));
        let used = number(terms.len());
        let mut free = END;
        let entries = terms.into_iter().enumerate().map(|(place, (hash, postings))| {
            if postings.count() > 0 {
                return Entry { hash, postings };
            }
            let next = std::mem::replace(&mut free, number(place));
            Entry {
                hash,
                postings: Postings::Vacant(next),
            }
        });
        Self {
            entries: entries.collect(),
            numbers,
            free,
            used,
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

    fn allot(&mut self, hash: u64) -> u32 {
        let number = if self.free == END { self.used } else { self.free };
        if let Some(entry) = self.entries.get_mut(number) {
            if number == self.used {
                self.used += 1;
            } else if let Postings::Vacant(next) = entry.postings {
                self.free = next;
            }
            *entry = Entry {
                hash,
                postings: Postings::default(),
            };
        }
        self.numbers.insert(hash, number);
        number
    }
}
