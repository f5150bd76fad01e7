//! The postings of all terms, each in a place of about its size. Knows nothing of terms.
//!
//! Most terms of a catalog stand in one document, and most others in a few: those lie in cells of two, four, eight or sixteen
//! words, which cost no allocation of their own and no count of references. What does not fit is a run, and then a list of runs
//! and columns ([`super::chunk`]), each copied cheaply when a published index changes.

mod cell;
mod late;
mod long;
mod looks;
#[cfg(test)]
mod tests;

use super::postings::{Pieces, Postings};
use super::slab::{END, Slab};
use cell::{cell, copy, insert, remove, set, used};
use long::{Body, Long, merge};

/// Where the postings of a term are: what kind of place, and the place, or the only posting itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) kind: Kind,
    pub(crate) value: u32,
}

/// A kind of place, by how much it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No posting; the value is free for others to use.
    Vacant,
    /// One, which is the value.
    One,
    /// A cell of two.
    Two,
    /// A cell of four.
    Four,
    /// A cell of eight.
    Eight,
    /// A cell of sixteen.
    Sixteen,
    /// A run or a list.
    Long,
}

/// The most postings of a cell.
const CELL_MOST: usize = 16;
/// The fewest postings that do not go back to a cell.
const LONG_LEAST: u32 = 8;

/// The places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    twos: Slab<[u32; 2], 32>,
    fours: Slab<[u32; 4], 16>,
    eights: Slab<[u32; 8], 8>,
    sixteens: Slab<[u32; 16], 4>,
    longs: Slab<Long, 2>,
}

impl Place {
    /// No posting.
    pub(crate) const VACANT: Self = Self {
        kind: Kind::Vacant,
        value: END,
    };

    const fn one(word: u32) -> Self {
        Self {
            kind: Kind::One,
            value: word,
        }
    }
}

impl Store {
    /// What is at a place.
    #[inline(always)]
    pub(crate) fn read<'a>(&'a self, kind: Kind, value: &'a u32) -> Postings<'a> {
        let words: &[u32] = match kind {
            Kind::Vacant => &[],
            Kind::One => std::slice::from_ref(value),
            Kind::Two => used(self.twos.get(*value)),
            Kind::Four => used(self.fours.get(*value)),
            Kind::Eight => used(self.eights.get(*value)),
            Kind::Sixteen => used(self.sixteens.get(*value)),
            Kind::Long => match self.longs.get(*value) {
                Some(long) => return long.read(),
                None => &[],
            },
        };
        Postings::of(Pieces::Words(words))
    }

    /// Adds a document that is not there yet, which may wait beside many; answers where the postings are now.
    pub(crate) fn insert(&mut self, place: Place, slot: u32, impact: u8, may_wait: bool) -> Place {
        let word = slot << 8 | u32::from(impact);
        let value = place.value;
        let full = match place.kind {
            Kind::Vacant => return Place::one(word),
            Kind::One => return self.twos_of(value, word),
            Kind::Two => insert(&mut self.twos, value, word),
            Kind::Four => insert(&mut self.fours, value, word),
            Kind::Eight => insert(&mut self.eights, value, word),
            Kind::Sixteen => insert(&mut self.sixteens, value, word),
            Kind::Long => {
                if let Some(long) = self.longs.get_mut(value) {
                    long.insert(slot, impact, may_wait);
                }
                false
            }
        };
        if !full {
            return place;
        }
        let mut words = [0; CELL_MOST + 1];
        let count = self.take_out(place, &mut words);
        let at = words
            .iter()
            .take(count)
            .take_while(|other| **other < word)
            .count();
        if let Some(behind) = words.get_mut(at..=count) {
            behind.rotate_right(1);
            if let Some(first) = behind.first_mut() {
                *first = word;
            }
        }
        self.put(words.get(..=count).unwrap_or_default())
    }

    /// Says what a document weighs that is there, which may wait beside many.
    pub(crate) fn set(&mut self, place: Place, slot: u32, impact: u8, may_wait: bool) -> Place {
        let value = place.value;
        let word = slot << 8 | u32::from(impact);
        match place.kind {
            Kind::Vacant => {}
            Kind::One => return Place::one(word),
            Kind::Two => set(&mut self.twos, value, word),
            Kind::Four => set(&mut self.fours, value, word),
            Kind::Eight => set(&mut self.eights, value, word),
            Kind::Sixteen => set(&mut self.sixteens, value, word),
            Kind::Long => {
                if (may_wait || self.read(Kind::Long, &value).impact(slot) != impact)
                    && let Some(long) = self.longs.get_mut(value)
                {
                    long.set(slot, impact, may_wait);
                }
            }
        }
        place
    }

    /// Takes a document out that is there, which may wait beside many; a place that has far more room than postings is given back
    /// for a smaller one.
    pub(crate) fn remove(&mut self, place: Place, slot: u32, may_wait: bool) -> Place {
        let value = place.value;
        let fits = match place.kind {
            Kind::Vacant => return place,
            Kind::One if value >> 8 == slot => return Place::VACANT,
            Kind::One => return place,
            Kind::Two => remove(&mut self.twos, value, slot),
            Kind::Four => remove(&mut self.fours, value, slot),
            Kind::Eight => remove(&mut self.eights, value, slot),
            Kind::Sixteen => remove(&mut self.sixteens, value, slot),
            Kind::Long => self
                .longs
                .get_mut(value)
                .is_some_and(|long| long.remove(slot, LONG_LEAST, may_wait) >= LONG_LEAST),
        };
        if fits {
            return place;
        }
        let mut words = [0; CELL_MOST + 1];
        let count = self.take_out(place, &mut words);
        self.put(words.get(..count).unwrap_or_default())
    }

    /// Takes a place of about the size of ascending words for them.
    pub(crate) fn put(&mut self, words: &[u32]) -> Place {
        let (kind, value) = match words {
            [] => return Place::VACANT,
            [word] => return Place::one(*word),
            [_, _] => (Kind::Two, self.twos.take(cell(words))),
            _ if words.len() <= 4 => (Kind::Four, self.fours.take(cell(words))),
            _ if words.len() <= 8 => (Kind::Eight, self.eights.take(cell(words))),
            _ if words.len() <= CELL_MOST => (Kind::Sixteen, self.sixteens.take(cell(words))),
            _ => (Kind::Long, self.longs.take(Long::of(words))),
        };
        Place { kind, value }
    }

    /// Adds ascending words of documents that are not there yet.
    pub(crate) fn merge(&mut self, place: Place, more: &[u32], scratch: &mut Vec<u32>) -> Place {
        if place.kind == Kind::Long {
            if let Some(long) = self.longs.get_mut(place.value) {
                long.merge(more, scratch);
            }
            return place;
        }
        let mut words = [0; CELL_MOST + 1];
        let count = match place.kind {
            Kind::Vacant => return self.put(more),
            _ => self.take_out(place, &mut words),
        };
        merge(words.get(..count).unwrap_or_default(), more, scratch);
        self.put(scratch)
    }

    fn twos_of(&mut self, one: u32, other: u32) -> Place {
        Place {
            kind: Kind::Two,
            value: self.twos.take([one.min(other), one.max(other)]),
        }
    }

    /// Gives a place back; its words, of which there are no more than a cell holds, are copied.
    fn take_out(&mut self, place: Place, to: &mut [u32; CELL_MOST + 1]) -> usize {
        let Place { kind, value } = place;
        match kind {
            Kind::Vacant => 0,
            Kind::One => copy(&[value], to),
            Kind::Two => copy(&self.twos.give_back(value), to),
            Kind::Four => copy(&self.fours.give_back(value), to),
            Kind::Eight => copy(&self.eights.give_back(value), to),
            Kind::Sixteen => copy(&self.sixteens.give_back(value), to),
            Kind::Long => match self.longs.give_back(value).body {
                Body::Free(_) => 0,
                Body::Run(run) => copy(run.words(), to),
                Body::List(list) => copy(&list.to_words(), to),
            },
        }
    }
}

/// Many places, made at once.
#[derive(Debug, Default)]
pub(crate) struct StoreBuilder {
    twos: Vec<[u32; 2]>,
    fours: Vec<[u32; 4]>,
    eights: Vec<[u32; 8]>,
    sixteens: Vec<[u32; 16]>,
    longs: Vec<Long>,
}

impl StoreBuilder {
    /// Takes a place for ascending words.
    pub(crate) fn put(&mut self, words: &[u32]) -> Place {
        let (kind, value) = match words {
            [] => return Place::VACANT,
            [word] => return Place::one(*word),
            [_, _] => (Kind::Two, push(&mut self.twos, cell(words))),
            _ if words.len() <= 4 => (Kind::Four, push(&mut self.fours, cell(words))),
            _ if words.len() <= 8 => (Kind::Eight, push(&mut self.eights, cell(words))),
            _ if words.len() <= CELL_MOST => (Kind::Sixteen, push(&mut self.sixteens, cell(words))),
            _ => (Kind::Long, push(&mut self.longs, Long::of(words))),
        };
        Place { kind, value }
    }

    /// The places.
    pub(crate) fn build(self) -> Store {
        Store {
            twos: self.twos.into(),
            fours: self.fours.into(),
            eights: self.eights.into(),
            sixteens: self.sixteens.into(),
            longs: self.longs.into(),
        }
    }
}

fn push<T>(places: &mut Vec<T>, value: T) -> u32 {
    places.push(value);
    u32::try_from(places.len() - 1).unwrap_or(END)
}
