//! Numbers that terms had lately, to be tried before the terms are looked up. Knows nothing of postings.
//!
//! Four of five terms of a document stand in hundreds of others, and are soon met again; the way to a number leads through memory
//! that lies in no cache. What is kept here is a guess: whoever takes one looks whether the number still is that term's.

/// Places for numbers: with a quarter of them fewer guesses were right, and with four times as many they lay in no cache (ADR 0074).
const PLACES: usize = 1 << 14;

/// Numbers under the hashes that were met last; a clone begins without any.
#[derive(Debug, Default)]
pub(super) struct Recent(Vec<u32>);

impl Clone for Recent {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Recent {
    /// What a term's number may be.
    pub(super) fn guess(&self, hash: u64) -> Option<u32> {
        self.0.get(place(hash)).copied()
    }

    /// Says which number a term has now.
    pub(super) fn note(&mut self, hash: u64, number: u32) {
        if self.0.is_empty() {
            self.0.resize(PLACES, 0);
        }
        if let Some(known) = self.0.get_mut(place(hash)) {
            *known = number;
        }
    }
}

/// The high bits of a hash: the low ones lead through the trie.
#[allow(clippy::cast_possible_truncation, reason = "no more than the places")]
const fn place(hash: u64) -> usize {
    (hash >> (u64::BITS - PLACES.trailing_zeros())) as usize
}
