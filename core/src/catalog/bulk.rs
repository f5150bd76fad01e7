//! Items on their way into the index: read one by one, indexed many at a time. Knows nothing of JSON and diagnostics.

use std::sync::Arc;

use super::item::{self, Item};
use super::journal::Step;
use super::{Catalog, Entry};
use crate::index::{Batch, Document};
use crate::text::{Analyzer, FoundTexts};

/// So many items are read before they are indexed: what was read of them lies in memory until then.
pub(super) const BATCH: usize = 4_096;

/// Items that have their slots, and what was read of them for the index.
pub(super) struct Read<I> {
    slots: Vec<u32>,
    entries: Vec<Arc<Entry<I>>>,
    texts: Batch,
}

impl<I: Item> Read<I> {
    /// Room for so many items.
    pub(super) fn of(count: usize) -> Self {
        let count = count.min(BATCH);
        Self {
            slots: Vec::with_capacity(count),
            entries: Vec::with_capacity(count),
            texts: Batch::for_documents(count),
        }
    }

    /// Reads an item; it has no slot yet.
    pub(super) fn read(&mut self, item: &I, schema: Option<FoundTexts<'_>>, analyzer: &mut Analyzer) {
        prepare(item, schema, &mut self.texts, analyzer);
    }

    /// Says where the item lies that was read last.
    pub(super) fn keep(&mut self, slot: u32, entry: Arc<Entry<I>>) {
        self.slots.push(slot);
        self.entries.push(entry);
    }

    /// Whether it is time to index them.
    pub(super) fn is_full(&self) -> bool {
        self.slots.len() >= BATCH
    }
}

impl<I: Item> Catalog<I> {
    /// Indexes items that have their slots, and forgets what was read of them.
    pub(super) fn index(&mut self, read: &mut Read<I>, analyzer: &mut Analyzer) {
        self.index.put_all(&read.slots, &mut read.texts);
        let is_kept = self.journal.has_room(read.slots.len());
        let entries = read.slots.drain(..).zip(read.entries.drain(..));
        for (place, (slot, entry)) in entries.enumerate() {
            self.index.embed(slot, &|| entry.item.embedding_text(), analyzer);
            if is_kept {
                self.journal.push(Step::Put(entry, read.texts.prepared(place)));
            }
        }
        read.texts.clear();
    }
}

/// Reads an item for the index; the texts of its schema may be known.
pub(super) fn prepare<I: Item>(
    item: &I,
    schema: Option<FoundTexts<'_>>,
    texts: &mut Batch,
    analyzer: &mut Analyzer,
) {
    let document = Document {
        id: item.id(),
        names: &item::names_of(item.id(), item.name()),
        group: item.server().unwrap_or_default(),
        hint: item.hint(),
        fields: &item.fields_with(schema),
    };
    texts.read(&document, analyzer);
}
