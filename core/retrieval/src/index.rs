//! Documents become searchable state here: terms, names and what a ranking needs of each document.
//! Knows nothing of items, scores and clocks.
//!
//! An [`Index`] is persistent: a clone costs a few reference counts and is never changed by what the other does. A change
//! copies only the pieces it touches, and nothing when nobody else holds them, so a batch on an unpublished index copies
//! nothing. What one document adds never depends on another document, so any order of changes ends in the same state.

pub(crate) mod bitmap;
#[cfg(test)]
mod bounds;
mod batch;
mod bearers;
mod change;
pub(crate) mod chunk;
pub(crate) mod dictionary;
mod gather;
pub(crate) mod impact;
#[cfg(test)]
mod kit;
pub(crate) mod postings;
pub mod radix;
mod reading;
pub(crate) mod record;
pub mod saved;
mod slab;
mod sources;
pub(crate) mod spelling;
mod store;
pub mod trie;
pub mod vectors;
pub(crate) mod warm;

use std::sync::Arc;

pub use bearers::Label;
pub use bitmap::Bitmap;
pub use impact::Field;
pub use reading::{Batch, Document, Prepared};
pub use record::Hint;
pub use sources::{Source, sources};
pub use vectors::{Key, Model, Passage, Probe, Unfit, Unit, Vectors};

use crate::text::Analyzer;
use crate::text::hash::hash;
use chunk::SLOTS_MOST;
use dictionary::Dictionary;
use radix::Radix;
use record::{Record, Stored};
use spelling::Spellings;
use trie::Trie;

/// The searchable state of a catalog.
#[derive(Debug, Clone, Default)]
pub struct Index {
    records: Radix<Option<Stored>>,
    terms: Dictionary,
    names: Trie,
    spellings: Spellings,
    vectors: Vectors,
    documents: usize,
    /// One more than the highest slot ever used.
    span: u32,
}

/// Where records are written before they are kept.
#[derive(Default)]
struct Room {
    spelled: Vec<u32>,
    bytes: Vec<u8>,
}

impl Index {
    /// An index without documents, and without a model.
    pub fn new() -> Self {
        Self::default()
    }

    /// An index without documents whose texts a model embeds, when there is one.
    pub fn of(model: Option<&Arc<Model>>) -> Self {
        let mut index = Self::default();
        if let Some(model) = model {
            index.expect_vectors_of(model);
        }
        index
    }

    /// Forgets all vectors, and takes those of a model from now on.
    pub fn expect_vectors_of(&mut self, model: &Arc<Model>) {
        self.vectors = Vectors::of(Arc::clone(model));
    }

    /// The vectors.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Says which text of the document at a slot is embedded, in place of what it was; the text is asked for when there is a model.
    pub fn embed(&mut self, slot: u32, text: &dyn Fn() -> String, analyzer: &mut Analyzer) {
        if self.vectors.model().is_some() {
            self.vectors.put_text(slot, &text(), analyzer);
        }
    }

    /// The vectors, to be changed.
    pub fn vectors_mut(&mut self) -> &mut Vectors {
        &mut self.vectors
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// One more than the highest slot ever used.
    pub(crate) fn span(&self) -> u32 {
        self.span
    }

    /// The terms.
    pub(crate) fn terms(&self) -> &Dictionary {
        &self.terms
    }

    /// The words of names.
    pub(crate) fn spellings(&self) -> &Spellings {
        &self.spellings
    }

    /// The document at a slot.
    pub(crate) fn record(&self, slot: u32) -> Option<Record<'_>> {
        self.records.get(slot)?.as_deref().map(Record::of)
    }

    /// Visits the slots that have this name (`name_key` of it).
    pub(crate) fn for_each_named(&self, key: &str, visit: &mut dyn FnMut(u32)) {
        if key.is_empty() {
            return;
        }
        let name = hash(key);
        self.names.any(name, &mut |slot| {
            if self
                .record(slot)
                .is_some_and(|record| record.names().any(|other| other == name))
            {
                visit(slot);
            }
            false
        });
    }
}
