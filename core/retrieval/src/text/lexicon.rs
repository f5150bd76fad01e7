//! What is known of English words before a catalog is seen: which are related.
//!
//! Must not know queries and catalogs. `lexicon.bin` holds 8,192 stems by their hashes and is written by
//! `bench/quality/lexicon.py`, which says where it comes from and how it is laid out. It is read where it lies: nothing is
//! decoded, allocated or locked.

static FILE: &[u8; LENGTH] = include_bytes!("lexicon.bin");

const LENGTH: usize = 179_246;
const WORDS: usize = 8_192;
const COUNTS: usize = 8 * WORDS;
const PAIRS: usize = COUNTS + WORDS;

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
    let first = usize::from(*STARTS.get(bucket)?);
    let last = usize::from(*STARTS.get(bucket + 1)?);
    (first..last)
        .find(|place| word_at(*place) == number)
        .map(|place| Known { place })
}

impl Known {
    /// The numbers of the words that are related to it, at most eight.
    pub(crate) fn related(self) -> impl Iterator<Item = (u64, Nearness)> {
        let block = self.place / BLOCK;
        let before = (block * BLOCK..self.place)
            .map(|place| usize::from(count_at(place)))
            .sum::<usize>();
        let first = PAIRS + 2 * (OFFSETS.get(block).copied().map_or(0, usize::from) + before);
        let count = usize::from(count_at(self.place));
        let pairs = FILE.get(first..first + 2 * count).unwrap_or_default();
        pairs.as_chunks::<2>().0.iter().map(|pair| {
            let pair = u16::from_le_bytes(*pair);
            let [_, high] = pair.to_le_bytes();
            (word_at(usize::from(pair & 0x1FFF)), high >> 5)
        })
    }
}

fn word_at(place: usize) -> u64 {
    FILE.get(8 * place..8 * place + 8)
        .and_then(|bytes| bytes.first_chunk::<8>())
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn count_at(place: usize) -> u8 {
    FILE.get(COUNTS + place).copied().unwrap_or(0)
}

const BUCKET_BITS: u32 = 10;
const BUCKET_SHIFT: u32 = 64 - BUCKET_BITS;

/// Where the words begin whose numbers begin with the same bits: about eight each.
static STARTS: [u16; (1 << BUCKET_BITS) + 1] = starts();

const BLOCK: usize = 16;

/// How many related words stand before those of each block of words.
static OFFSETS: [u16; WORDS / BLOCK] = offsets();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn starts() -> [u16; (1 << BUCKET_BITS) + 1] {
    let mut starts = [WORDS as u16; (1 << BUCKET_BITS) + 1];
    let mut place = WORDS;
    while place > 0 {
        place -= 1;
        let bucket = (FILE[8 * place + 7] as usize) << 2 | (FILE[8 * place + 6] as usize) >> 6;
        starts[bucket] = place as u16;
    }
    // A bucket without words begins where the next one does.
    let mut bucket = 1 << BUCKET_BITS;
    while bucket > 0 {
        bucket -= 1;
        if starts[bucket] > starts[bucket + 1] {
            starts[bucket] = starts[bucket + 1];
        }
    }
    starts
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn offsets() -> [u16; WORDS / BLOCK] {
    let mut offsets = [0; WORDS / BLOCK];
    let (mut place, mut before) = (0, 0u16);
    while place < WORDS {
        if place % BLOCK == 0 {
            offsets[place / BLOCK] = before;
        }
        before += FILE[COUNTS + place] as u16;
        place += 1;
    }
    assert!(
        PAIRS + 2 * before as usize == LENGTH,
        "the file is not what the layout says"
    );
    offsets
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
        assert_eq!(2 * relations, LENGTH - PAIRS);
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
