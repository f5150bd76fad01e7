//! The vectors of a catalog's texts: what a model made of each text, once for all documents that have it.
//! Knows nothing of embedders, items and scores.
//!
//! A vector is known by the digest of its text and of the model that made it. Rows are counted by the documents that have
//! their text. One that no document has any more is kept for a while, so that a server that goes and comes back costs
//! nothing, and goes when `IDLE_MOST` others went idle after it.
//!
//! As everything in an index it is persistent: a clone costs a few reference counts, and a change copies one chunk of rows.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::radix::Radix;
use super::trie::Trie;
use crate::text::Analyzer;

mod model;
mod phrases;
mod places;
mod rows;
pub mod saved;
mod scan;
#[cfg(test)]
mod tests;
mod unit;

pub use model::{Key, Model};
pub(crate) use unit::ONE;
pub use unit::{Probe, Unfit, Unit};

use phrases::Phrases;
use places::Places;
use rows::Table;

/// The most rows without a document: 2.4 MB of 384 dimensions.
pub(crate) const IDLE_MOST: usize = 4_096;

/// The text of a document, as far as vectors are concerned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Passage {
    /// The text, and whose vector it wants; nothing where there is no text.
    pub key: Option<Key>,
    /// Whether the text is mostly in scripts that the model does not know.
    pub foreign: bool,
}

/// The vectors of one model, and which documents they belong to.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    model: Option<Arc<Model>>,
    table: Table,
    heads: Radix<Head>,
    /// Rows under their keys, idle ones too.
    rows: Trie,
    /// Slots under the keys that have no row.
    waiting: Trie,
    /// What stands at each slot.
    passages: Radix<Passage>,
    /// Which words stand side by side in the text at each slot.
    phrases: Phrases,
    /// The row of each slot.
    places: Places,
    /// Rows that no document has, in the order in which they went idle.
    idle: RedBlackTreeMapSync<u64, u32>,
    free: rpds::StackSync<u32>,
    /// One more than the highest row ever used.
    span: u32,
    /// Counts what went idle.
    clock: u64,
    embedded: u32,
    wanted: u32,
    foreign: u32,
}

/// What is known of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    key: Option<Key>,
    /// How many documents have its text.
    uses: u32,
    /// When it went idle.
    idle_since: u64,
}

impl Vectors {
    /// No vectors yet, of this model.
    pub fn of(model: Arc<Model>) -> Self {
        Self {
            table: Table::new(model.dimensions as usize),
            model: Some(model),
            ..Self::default()
        }
    }

    /// The model, when there is one.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }

    /// Whether there are no rows, idle ones neither.
    pub fn is_empty(&self) -> bool {
        self.embedded == 0 && self.idle.is_empty()
    }

    /// How many documents have a vector.
    pub fn embedded(&self) -> u32 {
        self.embedded
    }

    /// How many documents have a text that can be embedded.
    pub fn wanted(&self) -> u32 {
        self.wanted
    }

    /// How many documents have a text in scripts that the model does not know.
    pub fn foreign(&self) -> u32 {
        self.foreign
    }

    /// The key of the document at a slot, when it has no vector yet.
    pub fn missing(&self, slot: u32) -> Option<Key> {
        let key = self.passages.get(slot)?.key?;
        self.places.get(slot).is_none().then_some(key)
    }

    /// Whether a document waits for this vector.
    pub fn waits_for(&self, key: Key) -> bool {
        self.waiting.any(key.hash(), &mut |slot| {
            self.passages.get(slot).and_then(|passage| passage.key) == Some(key)
        })
    }

    /// Says what stands at a slot, in place of what stood there. A vector that is known already is taken over.
    pub fn put(&mut self, slot: u32, passage: Passage) {
        if self.passages.get(slot).copied().unwrap_or_default() == passage {
            return;
        }
        self.remove(slot);
        let Some(place) = self.passages.get_mut(slot) else {
            return;
        };
        *place = passage;
        let Some(key) = passage.key else { return };
        self.wanted += 1;
        self.foreign += u32::from(passage.foreign);
        match self.row_of(key) {
            Some(row) => self.attach(slot, row),
            None => self.waiting.insert(key.hash(), slot),
        }
    }

    /// Says which text stands at a slot, in place of what stood there.
    pub fn put_text(&mut self, slot: u32, text: &str, analyzer: &mut Analyzer) {
        if let Some(model) = &self.model {
            self.put(slot, model.passage(text));
            self.phrases.put(slot, text, analyzer);
        }
    }

    /// Whether two words, by the number of the pair, stand side by side in the text at a slot.
    pub(crate) fn stand_side_by_side(&self, slot: u32, pair: u32) -> bool {
        self.phrases.has(slot, pair)
    }

    /// Says that nothing stands at a slot any more.
    pub fn remove(&mut self, slot: u32) {
        self.phrases.remove(slot);
        let Some(passage) = self.passages.get(slot).copied() else {
            return;
        };
        let Some(key) = passage.key else { return };
        if let Some(place) = self.passages.get_mut(slot) {
            *place = Passage::default();
        }
        self.wanted -= 1;
        self.foreign -= u32::from(passage.foreign);
        match self.places.get(slot) {
            Some(row) => self.detach(slot, row),
            None => self.waiting.remove(key.hash(), slot),
        }
    }

    /// Takes the vector of a text; says whether a document waited for it.
    pub fn store(&mut self, key: Key, values: &[f32]) -> Result<bool, Unfit> {
        let unit = self.round(values)?;
        Ok(self.store_unit(key, &unit))
    }

    /// A vector of the model as it is kept.
    pub fn round(&self, values: &[f32]) -> Result<Unit, Unfit> {
        let dimensions = self.model.as_ref().map_or(0, |model| model.dimensions as usize);
        Unit::new(values, dimensions)
    }

    /// The vector that another catalog's texts have under a key, to be stored here as well.
    pub fn unit_of(&self, key: Key) -> Option<Unit> {
        let row = self.table.row(self.row_of(key)?)?;
        Some(Unit {
            scale: row.scale,
            coarse: row.coarse.to_vec(),
            fine: row.fine.to_vec(),
        })
    }

    /// Takes a vector of the model as it is kept; says whether a document waited for it.
    pub fn store_unit(&mut self, key: Key, unit: &Unit) -> bool {
        let mut slots = Vec::new();
        self.waiting.any(key.hash(), &mut |slot| {
            if self.passages.get(slot).and_then(|passage| passage.key) == Some(key) {
                slots.push(slot);
            }
            false
        });
        if slots.is_empty() {
            return false;
        }
        let row = self.take_row();
        self.table.put(row, unit);
        if let Some(head) = self.heads.get_mut(row) {
            *head = Head {
                key: Some(key),
                ..Head::default()
            };
        }
        self.rows.insert(key.hash(), row);
        for slot in slots {
            self.waiting.remove(key.hash(), slot);
            self.attach(slot, row);
        }
        true
    }

    /// The similarity of each slot's document to a query, in steps of 2^-24; `i32::MIN` where there is no vector.
    pub fn similarities(&self, probe: &Probe) -> Vec<i32> {
        let mut similarities = vec![NONE; self.places.span() as usize];
        let mut slots = Vec::with_capacity(self.embedded as usize);
        let mut runs: Vec<(u32, u32)> = Vec::new();
        self.places.for_each(&mut |slot, row| {
            slots.push(slot);
            match runs.last_mut() {
                Some((first, count)) if row == *first + *count && !self.table.is_first(row) => *count += 1,
                _ => runs.push((row, 1)),
            }
        });
        let parts = runs
            .iter()
            .filter_map(|(first, count)| self.table.run(*first, *count));
        let mut slots = slots.into_iter();
        scan::scan(probe, parts, |similarity| {
            if let Some(place) = slots.next().and_then(|slot| similarities.get_mut(slot as usize)) {
                *place = similarity;
            }
        });
        similarities
    }

    /// The similarity of one slot's document, with all the bits that are kept.
    pub fn similarity(&self, probe: &Probe, slot: u32) -> Option<i32> {
        let row = self.table.row(self.places.get(slot)?)?;
        Some(scan::finely(probe, row.coarse, row.fine, row.scale))
    }

    fn row_of(&self, key: Key) -> Option<u32> {
        let mut found = None;
        self.rows.any(key.hash(), &mut |row| {
            let same = self.heads.get(row).is_some_and(|head| head.key == Some(key));
            if same {
                found = Some(row);
            }
            same
        });
        found
    }

    fn attach(&mut self, slot: u32, row: u32) {
        if let Some(head) = self.heads.get_mut(row) {
            if head.uses == 0 {
                self.idle.remove_mut(&head.idle_since);
            }
            head.uses += 1;
        }
        self.places.set(slot, Some(row));
        self.embedded += 1;
    }

    fn detach(&mut self, slot: u32, row: u32) {
        self.places.set(slot, None);
        self.embedded -= 1;
        let Some(head) = self.heads.get_mut(row) else {
            return;
        };
        head.uses -= 1;
        if head.uses > 0 {
            return;
        }
        self.clock += 1;
        head.idle_since = self.clock;
        self.idle.insert_mut(self.clock, row);
        if self.idle.size() > IDLE_MOST {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let Some((since, row)) = self.idle.first().map(|(since, row)| (*since, *row)) else {
            return;
        };
        self.idle.remove_mut(&since);
        let head = self.heads.get_mut(row).map(std::mem::take);
        if let Some(key) = head.and_then(|head| head.key) {
            self.rows.remove(key.hash(), row);
        }
        self.free.push_mut(row);
    }

    fn take_row(&mut self) -> u32 {
        match self.free.peek().copied() {
            Some(row) => {
                self.free.pop_mut();
                row
            }
            None => {
                self.span += 1;
                self.span - 1
            }
        }
    }
}

/// The similarity of a document without a vector.
pub(crate) const NONE: i32 = i32::MIN;
