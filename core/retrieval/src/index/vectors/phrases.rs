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

/// The neighbours in each text, as ascending numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Phrases {
    of_slot: Radix<Option<Arc<[u32]>>>,
}

impl Phrases {
    /// Reads the text at a slot, in place of what stood there.
    pub(super) fn put(&mut self, slot: u32, text: &str, analyzer: &mut Analyzer) {
        let mut pairs = Vec::new();
        analyzer.side_by_side(text, &mut |first, second| {
            if pairs.len() < MOST {
                pairs.push(pair(first, second));
            }
        });
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.is_empty() {
            self.remove(slot);
        } else if let Some(place) = self.of_slot.get_mut(slot) {
            *place = Some(pairs.into());
        }
    }

    /// Forgets the text at a slot.
    pub(super) fn remove(&mut self, slot: u32) {
        if self.of_slot.get(slot).is_some_and(Option::is_some)
            && let Some(place) = self.of_slot.get_mut(slot)
        {
            *place = None;
        }
    }

    /// Whether the text at a slot has these neighbours.
    pub(super) fn has(&self, slot: u32, pair: u32) -> bool {
        let known = self.of_slot.get(slot).and_then(Option::as_deref);
        known.is_some_and(|pairs| pairs.binary_search(&pair).is_ok())
    }
}
