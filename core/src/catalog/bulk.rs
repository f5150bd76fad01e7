//! Items on their way into the index: read one by one, indexed many at a time. Knows nothing of JSON and diagnostics.

use std::sync::Arc;

use super::item::{self, Item};
use super::journal::Step;
use super::{Catalog, Entry};
use crate::index::{Document, Prepared};
use crate::text::Analyzer;

/// So many items are read before they are indexed: what was read of them lies in memory until then.
pub(super) const BATCH: usize = 4_096;

impl<I: Item> Catalog<I> {
    /// Indexes items that have their slots.
    pub(super) fn index(&mut self, read: Vec<(u32, Arc<Entry<I>>, Prepared)>, analyzer: &mut Analyzer) {
        let batch: Vec<(u32, &Prepared)> = read.iter().map(|(slot, _, prepared)| (*slot, prepared)).collect();
        self.index.put_all(&batch);
        for (slot, entry, prepared) in read {
            self.index.embed(slot, &|| entry.item.embedding_text(), analyzer);
            self.journal.push(Step::Put(entry, prepared));
        }
    }
}

/// Reads an item for the index.
pub(super) fn prepare<I: Item>(item: &I, analyzer: &mut Analyzer) -> Prepared {
    let document = Document {
        id: item.id(),
        names: &item::names_of(item.id(), item.name()),
        group: item.server().unwrap_or_default(),
        hint: item.hint(),
        fields: &item.fields(),
    };
    Prepared::new(&document, analyzer)
}
