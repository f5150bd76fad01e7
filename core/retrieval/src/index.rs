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
pub(crate) mod postings;
pub mod radix;
pub(crate) mod record;
pub mod saved;
mod slab;
mod sources;
pub(crate) mod spelling;
mod store;
pub mod trie;
pub mod vectors;
mod warm;

use std::borrow::Cow;
use std::sync::Arc;

pub use bearers::Label;
pub use bitmap::Bitmap;
pub use impact::Field;
pub use record::Hint;
pub use sources::{Source, sources};
pub use vectors::{Key, Model, Passage, Probe, Unfit, Unit, Vectors};

use crate::text::Analyzer;
use crate::text::hash::hash;
use chunk::SLOTS_MOST;
use dictionary::Dictionary;
use gather::{Gathered, gather};
use radix::Radix;
use record::{Record, Stored};
use spelling::Spellings;
use trie::Trie;

/// What is handed in for one item.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    /// The id, which breaks the last ties.
    pub id: &'a str,
    /// All forms that count as names: full id, id without `mcp__`, bare name, the item's name.
    pub names: &'a [&'a str],
    /// The key of its server's group.
    pub group: &'a str,
    /// How careful it asks to be used.
    pub hint: Hint,
    /// Its texts.
    pub fields: &'a [(Field, Cow<'a, str>)],
}

/// A document, read: all that an index takes of it. Reading is most of the work of a change.
#[derive(Debug)]
pub struct Prepared {
    id: Box<str>,
    names: Vec<u64>,
    group: u64,
    hint: Hint,
    gathered: Gathered,
    /// The words of the name whose misspellings are found, each once.
    spelled: Vec<Box<str>>,
}

impl Prepared {
    /// Reads a document.
    pub fn new(document: &Document<'_>, analyzer: &mut Analyzer) -> Self {
        let numbers = document
            .names
            .iter()
            .filter_map(|name| analyzer.name_number(name));
        let mut names: Vec<u64> = numbers.collect();
        names.sort_unstable();
        names.dedup();
        let mut spelled: Vec<Box<str>> = Vec::new();
        let gathered = gather(document.fields, analyzer, &mut |word| {
            if spelled.len() < SPELLED_MOST
                && Spellings::keeps(word)
                && spelled.iter().all(|known| **known != *word)
            {
                spelled.push(word.into());
            }
        });
        Self {
            id: document.id.into(),
            names,
            group: hash(document.group),
            hint: document.hint,
            gathered,
            spelled,
        }
    }
}

/// The most words of one name whose misspellings are found.
const SPELLED_MOST: usize = 16;

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
