//! What is known of English words before a catalog is seen: which are related.
//!
//! Must not know queries and catalogs. `lexicon.bin` holds 8,192 stems as text, which packs better than their hashes, and is
//! written by `bench/quality/lexicon.py`, which says where it comes from and how it is laid out. It is read where it lies; only
//! the hashes of the stems that a search came by are kept, without an allocation or a lock.

use std::sync::atomic::{AtomicU64, Ordering};

use super::hash::hash_bytes;

static FILE: &[u8; LENGTH] = include_bytes!("lexicon.bin");

const LENGTH: usize = LETTERS + LETTERS_LENGTH + 2 * RELATIONS;
const WORDS: usize = 8_192;
/// The more frequent half of the words, which others are related to.
const TARGETS: usize = WORDS / 2;
const LETTERS: usize = WORDS;
const LETTERS_LENGTH: usize = 48_394;
const RELATIONS: usize = 52_759;
const LOWS: usize = LETTERS + LETTERS_LENGTH;
const HIGHS: usize = LOWS + RELATIONS;

/// One known word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    place: usize,
}

/// How near two related words are, from 0 (a cosine of their vectors of 0.5) to 7 (nearly the same), in steps of 1/16.
pub(crate) type Nearness = u8;

/// The word with this number, if it is known.
#[inline]
pub(crate) fn known(number: u64) -> Option<Known> {
    let bucket = (number >> BUCKET_SHIFT) as usize;
    STARTS.iter().find_map(|starts| {
        let (first, last) = (*starts.get(bucket)?, *starts.get(bucket + 1)?);
        (usize::from(first)..usize::from(last))
            .find(|place| word_at(*place) >= number)
            .filter(|place| word_at(*place) == number)
            .map(|place| Known { place })
    })
}

impl Known {
    /// The numbers of the words that are related to it, at most eight.
    pub(crate) fn related(self) -> impl Iterator<Item = (u64, Nearness)> {
        let block = self.place / BLOCK;
        let before = (block * BLOCK..self.place)
            .map(|place| usize::from(count_at(place)))
            .sum::<usize>();
        let first = BLOCKS.get(block).map_or(0, |block| usize::from(block.relations)) + before;
        let count = usize::from(count_at(self.place));
        let lows = FILE.get(LOWS + first..).unwrap_or_default();
        let highs = FILE.get(HIGHS + first..).unwrap_or_default();
        let mut after = 0;
        lows.iter().zip(highs).take(count).map(move |(low, high)| {
            let place = after + usize::from(u16::from_le_bytes([*low, high & 0x0F]));
            after = place + 1;
            (word_at(place), high >> 4)
        })
    }
}

/// The number of the word at a place.
#[inline]
fn word_at(place: usize) -> u64 {
    let Some(number) = NUMBERS.get(place) else {
        return 0;
    };
    match number.load(Ordering::Relaxed) {
        0 => {
            let read = read_number(place);
            number.store(read, Ordering::Relaxed);
            read
        }
        number => number,
    }
}

fn count_at(place: usize) -> u8 {
    FILE.get(place).copied().unwrap_or(0)
}

/// The numbers of the words, as far as somebody asked; no word has the number 0. Threads that ask at once write the same.
static NUMBERS: [AtomicU64; WORDS] = [const { AtomicU64::new(0) }; WORDS];

/// Out of line: once the words of the queries are known, it is hardly called.
#[inline(never)]
fn read_number(place: usize) -> u64 {
    let block = BLOCKS.get(place / BLOCK);
    let mut at = block.map_or(0, |block| usize::from(block.letters));
    for _ in 0..place % BLOCK {
        at += Stem::at(at).length();
    }
    Stem::at(at).number()
}

/// The bytes where a stem begins: its letters, the last of which is marked by its high bit, and some of what follows.
struct Stem {
    bytes: [u8; LONGEST],
}

const LONGEST: usize = 24;

impl Stem {
    const fn at(at: usize) -> Self {
        if let Some((_, rest)) = FILE.split_at_checked(LETTERS + at)
            && let Some(bytes) = rest.first_chunk()
        {
            return Self { bytes: *bytes };
        }
        Self { bytes: [0; LONGEST] }
    }

    const fn length(&self) -> usize {
        let mut length = 0;
        let mut rest = self.bytes.as_slice();
        while let Some((letters, after)) = rest.split_first_chunk() {
            let marks = u64::from_le_bytes(*letters) & 0x8080_8080_8080_8080;
            if marks != 0 {
                return length + marks.trailing_zeros() as usize / 8 + 1;
            }
            length += letters.len();
            rest = after;
        }
        length
    }

    const fn number(&self) -> u64 {
        let mut bytes = self.bytes;
        let Some((letters, _)) = bytes.split_at_mut_checked(self.length()) else {
            return 0;
        };
        if let Some(last) = letters.last_mut() {
            *last &= 0x7F;
        }
        hash_bytes(letters)
    }
}

const BUCKET_BITS: u32 = 9;
const BUCKET_SHIFT: u32 = 64 - BUCKET_BITS;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// Where, in each half, the words begin whose numbers begin with the same bits: about eight each, in the order of their numbers.
static STARTS: [[u16; BUCKETS + 1]; 2] = starts();

const BLOCK: usize = 16;

/// Where what belongs to some words that stand together begins.
#[derive(Clone, Copy)]
struct Block {
    letters: u16,
    relations: u16,
}

static BLOCKS: [Block; WORDS / BLOCK] = blocks();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    long_running_const_eval,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn starts() -> [[u16; BUCKETS + 1]; 2] {
    let mut starts = [[TARGETS as u16; BUCKETS + 1], [WORDS as u16; BUCKETS + 1]];
    let (mut place, mut at) = (0, 0);
    let (mut half, mut bucket) = (0, 0);
    while place < WORDS {
        let stem = Stem::at(at);
        let of = (stem.number() >> BUCKET_SHIFT) as usize;
        if place == TARGETS {
            (half, bucket) = (1, 0);
        }
        assert!(
            of + 1 >= bucket,
            "the words of a half stand in the order of their numbers"
        );
        // A bucket without words begins where the next one does.
        while bucket <= of {
            starts[half][bucket] = place as u16;
            bucket += 1;
        }
        (place, at) = (place + 1, at + stem.length());
    }
    assert!(at == LETTERS_LENGTH, "the file is not what the layout says");
    starts
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    long_running_const_eval,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn blocks() -> [Block; WORDS / BLOCK] {
    let mut blocks = [Block {
        letters: 0,
        relations: 0,
    }; WORDS / BLOCK];
    let (mut place, mut at, mut before) = (0, 0, 0);
    while place < WORDS {
        if place % BLOCK == 0 {
            blocks[place / BLOCK] = Block {
                letters: at as u16,
                relations: before as u16,
            };
        }
        before += FILE[place] as usize;
        (place, at) = (place + 1, at + Stem::at(at).length());
    }
    assert!(before == RELATIONS, "the file is not what the layout says");
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hash::hash as number_of;

    #[test]
    fn every_word_is_found_by_its_number_and_is_related_to_others_that_are_known() {
        let mut relations = 0;
        for place in 0..WORDS {
            let word = known(word_at(place)).unwrap();
            assert_eq!(word, Known { place });
            for (number, nearness) in word.related() {
                assert!(nearness < 8 && number != word_at(place));
                assert!(known(number).is_some());
                relations += 1;
            }
        }
        assert_eq!(relations, RELATIONS);
        assert_eq!(known(0), None);
        assert_eq!(known(u64::MAX), None);
    }

    #[test]
    fn synonyms_are_related_and_the_nearer_the_closer_they_are() {
        let nearness = |one: &str, other: &str| {
            let mut related = known(number_of(one)).unwrap().related();
            related
                .find(|(number, _)| *number == number_of(other))
                .map(|(_, nearness)| nearness)
        };
        for (one, other) in [
            ("delet", "remov"),
            ("film", "movi"),
            ("physician", "doctor"),
            ("purchas", "buy"),
        ] {
            assert!(nearness(one, other).is_some(), "{one} and {other}");
        }
        assert_eq!(nearness("film", "doctor"), None);
        assert!(nearness("physician", "doctor") > nearness("physician", "patient"));
    }
}
