//! Which words stand side by side in the text of each document that can be embedded. Knows nothing of what that is worth.
//!
//! Only a search by words and meaning asks for it, so only a catalog with a model keeps it, beside the vectors and a fifth as large. It
//! is read from the texts, at a load too, and no snapshot holds it.

use std::sync::Arc;

use crate::index::radix::Radix;
use crate::text::Analyzer;
use crate::text::hash::pair;

/// The most neighbours of one text; a sentence encoder reads no more words than that.
const MOST: usize = 512;

/// The neighbours in each text.
#[derive(Debug, Clone, Default)]
pub(super) struct Phrases {
    of_slot: Radix<Pairs>,
}

/// The neighbours in one text.
#[derive(Debug, Clone, Default)]
struct Pairs {
    /// A bit for each number modulo 64: most texts that lack a pair are told apart by it, without a look elsewhere.
    bits: u64,
    /// Their numbers, ascending.
    numbers: Option<Arc<[u32]>>,
}

impl Phrases {
    /// Reads the text at a slot, in place of what stood there.
    pub(super) fn put(&mut self, slot: u32, text: &str, analyzer: &mut Analyzer) {
        let mut numbers = Vec::new();
        analyzer.side_by_side(text, &mut |first, second| {
            if numbers.len() < MOST {
                numbers.push(pair(first, second));
            }
        });
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            self.remove(slot);
        } else if let Some(place) = self.of_slot.get_mut(slot) {
            *place = Pairs {
                bits: numbers.iter().fold(0, |bits, number| bits | bit(*number)),
                numbers: Some(numbers.into()),
            };
        }
    }

    /// Forgets the text at a slot.
    pub(super) fn remove(&mut self, slot: u32) {
        if self.of_slot.get(slot).is_some_and(|pairs| pairs.bits != 0)
            && let Some(place) = self.of_slot.get_mut(slot)
        {
            *place = Pairs::default();
        }
    }

    /// Whether the text at a slot has these neighbours.
    #[inline]
    pub(super) fn has(&self, slot: u32, pair: u32) -> bool {
        let pairs = self.of_slot.get(slot).filter(|pairs| pairs.bits & bit(pair) != 0);
        pairs
            .and_then(|pairs| pairs.numbers.as_deref())
            .is_some_and(|numbers| numbers.binary_search(&pair).is_ok())
    }
}

const fn bit(number: u32) -> u64 {
    1 << (number % 64)
}
