//! A run: sorted postings, one word each. Knows nothing of lists.

use super::{BLOCK, unpack};

/// Words of a line of memory.
const LINE: usize = 16;

/// Sorted postings, one word each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    words: Vec<u32>,
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

    /// Looks at all of it.
    pub(crate) fn look(&self) -> usize {
        let lines = self.words.iter().step_by(LINE);
        lines.fold(0, |sum, word| sum.wrapping_add(*word as usize))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.words.iter().map(|word| unpack(*word))
    }

    pub(crate) fn insert(&mut self, slot: u32, impact: u8) {
        if self.words.len() == self.words.capacity() {
            // An eighth more, not double: most runs are short and many.
            self.words.reserve_exact(4 + self.words.len() / 8);
        }
        let word = slot << 8 | u32::from(impact);
        if self.words.last().is_none_or(|last| last >> 8 < slot) {
            return self.words.push(word);
        }
        let at = self.words.partition_point(|other| other >> 8 < slot);
        self.words.insert(at, word);
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let at = self.words.partition_point(|word| word >> 8 < slot);
        if self.words.get(at).is_some_and(|word| word >> 8 == slot) {
            self.words.remove(at);
        }
    }

    /// Says what a slot has that is there.
    pub(crate) fn set(&mut self, slot: u32, impact: u8) {
        let at = self.words.partition_point(|word| word >> 8 < slot);
        if let Some(word) = self.words.get_mut(at).filter(|word| **word >> 8 == slot) {
            *word = slot << 8 | u32::from(impact);
        }
    }

    /// The block of the first posting.
    pub(super) fn block(&self) -> u32 {
        self.words.first().map_or(0, |word| (word >> 8) / BLOCK)
    }
}
