//! A run: sorted postings, one word each. Knows nothing of lists.

use super::{BLOCK, unpack};
use crate::index::postings::place_in;
use crate::index::warm;

/// Sorted postings, one word each.
#[derive(Debug, Default)]
pub(crate) struct Run {
    words: Vec<u32>,
}

impl Clone for Run {
    /// With room for more: most copies are made because a posting comes.
    fn clone(&self) -> Self {
        let mut words = Vec::with_capacity(self.words.len() + more(self.words.len()));
        words.extend_from_slice(&self.words);
        Self { words }
    }
}

impl Run {
    pub(crate) fn from_words(words: &[u32]) -> Self {
        Self {
            words: words.to_vec(),
        }
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a run is never longer than RUN_MOST and one"
    )]
    pub(crate) fn count(&self) -> u32 {
        self.words.len() as u32
    }

    /// Asks for all of it.
    pub(crate) fn ask_for_all(&self) {
        warm::ask(&self.words);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.words.iter().map(|word| unpack(*word))
    }

    pub(crate) fn insert(&mut self, slot: u32, impact: u8) {
        if self.words.len() == self.words.capacity() {
            self.words.reserve_exact(more(self.words.len()));
        }
        let word = slot << 8 | u32::from(impact);
        if self.words.last().is_none_or(|last| last >> 8 < slot) {
            return self.words.push(word);
        }
        let at = place_in(&self.words, slot);
        self.words.insert(at, word);
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let at = place_in(&self.words, slot);
        if self.words.get(at).is_some_and(|word| word >> 8 == slot) {
            self.words.remove(at);
        }
    }

    /// Says what a slot has that is there.
    pub(crate) fn set(&mut self, slot: u32, impact: u8) {
        let at = place_in(&self.words, slot);
        if let Some(word) = self.words.get_mut(at).filter(|word| **word >> 8 == slot) {
            *word = slot << 8 | u32::from(impact);
        }
    }

    /// The block of the first posting.
    pub(super) fn block(&self) -> u32 {
        self.words.first().map_or(0, |word| (word >> 8) / BLOCK)
    }
}

/// Room for so many words more is taken at once: an eighth, not as many again, since most runs are short and many.
const fn more(length: usize) -> usize {
    4 + length / 8
}
