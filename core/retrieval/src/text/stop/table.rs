//! All stop words in one piece, in the order of their numbers, laid out by the compiler: no program has to make a table first, and
//! its file has the words once.
//!
//! Must not know which words there are. Words whose numbers begin alike stand together, the shorter ones first, each behind a byte
//! that says how long it is and whose.

use super::super::hash::hash_bytes;
use super::{LISTS, Language};

/// The language of which this folded, unstemmed word, whose number is known, is a stop word.
#[inline]
pub(in crate::text) fn stop_word_of(word: &str, number: u64) -> Option<Language> {
    let bucket = (number >> BUCKET_SHIFT) as usize;
    // Most words are none.
    if OCCUPIED.get(bucket)? >> next_bits(number) & 1 == 0 {
        return None;
    }
    among(bucket, word)
}

/// The language of a word if it is one of the bucket.
#[inline(never)]
fn among(bucket: usize, word: &str) -> Option<Language> {
    let (start, end) = (*STARTS.get(bucket)?, *STARTS.get(bucket + 1)?);
    let mut left = WORDS.get(usize::from(start)..usize::from(end))?;
    while let Some((head, rest)) = left.split_first() {
        let (known, rest) = rest.split_at_checked(usize::from(head & LONGEST))?;
        if known.len() > word.len() {
            break;
        }
        if known == word.as_bytes() {
            return Some(language(*head));
        }
        left = rest;
    }
    None
}

/// The length of the longest word there may be: all bits that tell it.
const LONGEST: u8 = 31;

const BUCKET_BITS: u32 = 8;
const BUCKET_SHIFT: u32 = 64 - BUCKET_BITS;
const BUCKETS: usize = 1 << BUCKET_BITS;

static WORDS: [u8; LENGTH] = words();

/// Where the words begin whose numbers begin with the same bits.
static STARTS: [u16; BUCKETS + 1] = starts();

/// For each bucket, a bit for each value that the next five bits of a number in it have.
static OCCUPIED: [u32; BUCKETS] = occupied();

#[allow(clippy::cast_possible_truncation, reason = "five bits are wanted")]
const fn next_bits(number: u64) -> u32 {
    (number >> (BUCKET_SHIFT - 5)) as u32 & 31
}

/// The byte before a word.
const fn head(length: u8, language: Language) -> u8 {
    let whose = match language {
        Language::English => 0,
        Language::Shared => 1,
        Language::Other => 2,
        Language::Pairs => 3,
    };
    whose << LONGEST.count_ones() | length
}

/// Whose the word behind that byte is.
const fn language(head: u8) -> Language {
    match head >> LONGEST.count_ones() {
        0 => Language::English,
        1 => Language::Shared,
        2 => Language::Other,
        _ => Language::Pairs,
    }
}

/// Where a word stands among the lists.
#[derive(Clone, Copy)]
struct Place {
    list: usize,
    start: usize,
    length: usize,
    bucket: usize,
    next_bits: u32,
}

/// Places in the order of buckets and lengths; each word once, in the first list that has it.
struct Sorted {
    places: [Place; MOST],
    count: usize,
}

const MOST: usize = 1_536;

const SORTED: Sorted = sorted();

const LENGTH: usize = length();

#[allow(
    clippy::indexing_slicing,
    long_running_const_eval,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn sorted() -> Sorted {
    let nowhere = Place {
        list: 0,
        start: 0,
        length: 0,
        bucket: 0,
        next_bits: 0,
    };
    let mut sorted = Sorted {
        places: [nowhere; MOST],
        count: 0,
    };
    let mut list = 0;
    while list < LISTS.len() {
        let text = LISTS[list].0.as_bytes();
        let (mut start, mut end) = (0, 0);
        while end <= text.len() {
            if end == text.len() || text[end] == b' ' {
                if end > start {
                    let number = hash_bytes(between(text, start, end));
                    let bucket = (number >> BUCKET_SHIFT) as usize;
                    let next_bits = next_bits(number);
                    let length = end - start;
                    put(
                        &mut sorted,
                        Place {
                            list,
                            start,
                            length,
                            bucket,
                            next_bits,
                        },
                    );
                }
                start = end + 1;
            }
            end += 1;
        }
        list += 1;
    }
    sorted
}

/// Puts a word in, behind those that are not greater, if it is new.
#[allow(
    clippy::indexing_slicing,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn put(sorted: &mut Sorted, new: Place) {
    let mut at = sorted.count;
    while at > 0 && !is_ordered(sorted.places[at - 1], new) {
        at -= 1;
    }
    let mut before = at;
    while before > 0 && is_ordered(new, sorted.places[before - 1]) {
        before -= 1;
        if is_same(sorted.places[before], new) {
            return;
        }
    }
    let mut last = sorted.count;
    while last > at {
        sorted.places[last] = sorted.places[last - 1];
        last -= 1;
    }
    sorted.places[at] = new;
    sorted.count += 1;
}

/// Whether one word may stand before another one.
const fn is_ordered(left: Place, right: Place) -> bool {
    left.bucket < right.bucket || left.bucket == right.bucket && left.length <= right.length
}

#[allow(
    clippy::indexing_slicing,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn is_same(left: Place, right: Place) -> bool {
    let mut at = 0;
    while at < left.length && at < right.length && byte(left, at) == byte(right, at) {
        at += 1;
    }
    at == left.length && at == right.length
}

#[allow(
    clippy::indexing_slicing,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn byte(place: Place, at: usize) -> u8 {
    LISTS[place.list].0.as_bytes()[place.start + at]
}

const fn between(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.split_at(end).0.split_at(start).1
}

#[allow(
    clippy::indexing_slicing,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn length() -> usize {
    let (mut length, mut at) = (0, 0);
    while at < SORTED.count {
        length += 1 + SORTED.places[at].length;
        at += 1;
    }
    length
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn words() -> [u8; LENGTH] {
    let mut words = [0; LENGTH];
    let (mut end, mut at) = (0, 0);
    while at < SORTED.count {
        let place = SORTED.places[at];
        assert!(place.length <= LONGEST as usize, "a stop word is too long");
        words[end] = head(place.length as u8, LISTS[place.list].1);
        let mut letter = 0;
        while letter < place.length {
            words[end + 1 + letter] = byte(place, letter);
            letter += 1;
        }
        (end, at) = (end + 1 + place.length, at + 1);
    }
    words
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn starts() -> [u16; BUCKETS + 1] {
    let mut starts = [LENGTH as u16; BUCKETS + 1];
    let (mut end, mut at, mut bucket) = (0, 0, 0);
    while at < SORTED.count {
        // A bucket without words begins where the next one does.
        while bucket <= SORTED.places[at].bucket {
            starts[bucket] = end as u16;
            bucket += 1;
        }
        (end, at) = (end + 1 + SORTED.places[at].length, at + 1);
    }
    starts
}

#[allow(
    clippy::indexing_slicing,
    reason = "runs at compile time only, where a wrong index is a build error"
)]
const fn occupied() -> [u32; BUCKETS] {
    let mut occupied = [0; BUCKETS];
    let mut at = 0;
    while at < SORTED.count {
        let place = SORTED.places[at];
        occupied[place.bucket] |= 1 << place.next_bits;
        at += 1;
    }
    occupied
}
