//! Items behind an index: one generic [`Catalog`] for tools, skills and facts. Knows nothing of prompts or sessions.
//!
//! A catalog is a persistent value: a clone costs a few pointers, and changing one copies only the chunks it touches, so a
//! reader keeps the catalog it began with while a writer prepares the next.

use std::borrow::Borrow;
use std::sync::Arc;

use rpds::StackSync;
use serde_json::value::RawValue;

use crate::index::radix::Radix;
use crate::index::trie::Trie;
use crate::index::{Bitmap, Index, Model, Vectors};
use crate::rank::{self, Query, Ranking};
use crate::settled::settled;
use crate::text::hash::hash;
use crate::text::{Analyzer, FoundTexts};

pub(crate) mod batch;
mod bulk;
pub mod coverage;
pub mod conditions;
pub mod diagnostic;
pub mod explain;
pub mod fact;
pub mod folder_skills;
#[cfg(test)]
mod folder_skills_tests;
pub mod folders;
pub mod ingest;
pub mod item;
pub mod journal;
pub mod narrow;
pub(crate) mod object;
mod passage;
mod said;
pub(crate) mod saved;
pub mod server;
pub mod skill;
pub mod skill_file;
pub mod tool;
pub mod vector;
pub mod view;
pub mod visibility;

use batch::Items;
use bulk::Read;
use diagnostic::{Diagnostic, Severity};
use item::Item;
use journal::{Journal, Step};

/// One stored item.
#[derive(Debug)]
pub struct Entry<I> {
    /// The item.
    pub item: I,
    /// Grows with registration: the order of listing. A replaced item keeps its place.
    place: u64,
}

impl<I> Entry<I> {
    /// An item that has no place yet.
    fn new(item: I) -> Arc<Self> {
        Arc::new(Self { item, place: 0 })
    }
}

/// What became of a batch.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// New items.
    pub added: u32,
    /// Items that replaced one of the same id.
    pub replaced: u32,
    /// Items that were there already, to the byte.
    pub unchanged: u32,
    /// Items taken out.
    pub removed: u32,
    /// Places in the batch of items that were not taken.
    pub rejected: Vec<u32>,
    /// What is wrong, item by item.
    pub diagnostics: Vec<Diagnostic>,
}

impl Changes {
    /// Whether the catalog is another one now.
    pub fn any(&self) -> bool {
        self.added + self.replaced + self.removed > 0
    }
}

/// The items of one kind, and the index over their text.
#[derive(Debug)]
pub struct Catalog<I> {
    /// By slot, the index's name for an item.
    entries: Radix<Option<Arc<Entry<I>>>>,
    /// Slots under the hashes of ids.
    ids: Trie,
    free: StackSync<u32>,
    /// One more than the highest slot ever used.
    span: u32,
    next_place: u64,
    index: Index,
    /// What was changed since the journal was last taken; a clone begins a new one.
    journal: Journal<I>,
}

impl<I> Clone for Catalog<I> {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            ids: self.ids.clone(),
            free: self.free.clone(),
            span: self.span,
            next_place: self.next_place,
            index: self.index.clone(),
            journal: Journal::default(),
        }
    }
}

impl<I> Default for Catalog<I> {
    fn default() -> Self {
        Self {
            entries: Radix::default(),
            ids: Trie::default(),
            free: StackSync::new_sync(),
            span: 0,
            next_place: 0,
            index: Index::new(),
            journal: Journal::default(),
        }
    }
}

impl<I: Item> Catalog<I> {
    /// An empty catalog whose texts a model embeds, when there is one.
    pub fn of(model: Option<&Arc<Model>>) -> Self {
        Self {
            index: Index::of(model),
            ..Self::default()
        }
    }

    /// Takes a batch, replacing in place by id; one bad item is one diagnostic, the others stand.
    pub fn register(&mut self, batch: &[impl Borrow<RawValue>], analyzer: &mut Analyzer) -> Changes {
        let mut changes = Changes::default();
        let items = Items::read(batch, &mut changes);
        self.take_all(items, analyzer, &mut changes);
        changes
    }

    /// Takes items that were read already.
    pub fn take(&mut self, items: Vec<I>, analyzer: &mut Analyzer, changes: &mut Changes) {
        self.take_all(items.into_iter().collect(), analyzer, changes);
    }

    /// Takes the items of a batch that was read already.
    pub(crate) fn take_all(&mut self, items: Items<I>, analyzer: &mut Analyzer, changes: &mut Changes) {
        let mut read = Read::of(items.len());
        items.for_each(|entry, schema| {
            self.put(entry, schema, &mut read, analyzer, changes);
            if read.is_full() {
                self.index(&mut read, analyzer);
            }
        });
        self.index(&mut read, analyzer);
    }

    /// Makes a batch the whole catalog; what stays the same is not indexed again.
    pub fn replace_all(&mut self, batch: &[impl Borrow<RawValue>], analyzer: &mut Analyzer) -> Changes {
        let mut changes = Changes::default();
        let items = Items::read(batch, &mut changes);
        let kept: std::collections::HashSet<&str> = items.ids().collect();
        let ids = self.seen_through(None).map(Item::id);
        let gone: Vec<Box<str>> = ids.filter(|id| !kept.contains(id)).map(Box::from).collect();
        for id in gone {
            changes.removed += u32::from(self.remove(&id));
        }
        self.take_all(items, analyzer, &mut changes);
        changes
    }

    /// Takes an item out; false when it was not there.
    pub fn remove(&mut self, id: &str) -> bool {
        let Some(slot) = self.drop_item(id) else {
            return false;
        };
        self.index.vectors_mut().remove(slot);
        self.journal.push(Step::Remove(id.into()));
        true
    }

    /// Takes the journal of the changes since it was last taken.
    pub fn take_journal(&mut self) -> Journal<I> {
        std::mem::take(&mut self.journal)
    }

    /// Whether nothing was changed since the journal was last taken.
    pub fn is_untouched(&self) -> bool {
        self.journal.is_whole() && self.journal.steps().is_empty()
    }

    /// Says that no earlier state leads to this one.
    pub(super) fn begin_anew(&mut self) {
        self.journal = Journal::broken();
    }

    /// Makes changes again that another state of this catalog has seen, in the same order; it ends equal to that state but
    /// for the vectors, which it shares with it once [`Catalog::share_vectors`] is called.
    pub fn replay(&mut self, journal: &Journal<I>) {
        for step in journal.steps() {
            match step {
                Step::Put(entry, prepared) => {
                    let slot = self.place(entry, self.slot(entry.item.id()));
                    self.index.put(slot, prepared);
                }
                Step::Remove(id) => {
                    self.drop_item(id);
                }
            }
        }
    }

    /// Takes over the vectors of a state that has the same items at the same slots. Rows are large: two states that share
    /// them cost no more than one, and a change copies only the rows it touches.
    pub fn share_vectors(&mut self, other: &Self) {
        *self.index.vectors_mut() = other.index.vectors().clone();
    }

    /// The vectors of the items.
    pub fn vectors(&self) -> &Vectors {
        self.index.vectors()
    }

    /// The vectors of the items, to be changed.
    pub fn vectors_mut(&mut self) -> &mut Vectors {
        self.index.vectors_mut()
    }

    /// One item by id.
    pub fn get(&self, id: &str) -> Option<&I> {
        self.at(self.slot(id)?)
    }

    /// One item by slot, as a ranking names it.
    pub fn at(&self, slot: u32) -> Option<&I> {
        self.entry(slot).map(|entry| &entry.item)
    }

    /// The slot of an id.
    pub fn slot(&self, id: &str) -> Option<u32> {
        let mut found = None;
        self.ids.any(hash(id), &mut |slot| {
            let same = self.entry(slot).is_some_and(|entry| entry.item.id() == id);
            if same {
                found = Some(slot);
            }
            same
        });
        found
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All items in the order of registration.
    pub fn list(&self) -> Vec<&I> {
        let entries: Vec<&Entry<I>> = self.slots().filter_map(|slot| self.entry(slot)).collect();
        let entries = settled(entries, &|left, right| left.place.cmp(&right.place));
        entries.into_iter().map(|entry| &entry.item).collect()
    }

    /// The items that a sight lets through; all of them without one.
    pub fn seen_through(&self, sight: Option<Arc<Bitmap>>) -> impl Iterator<Item = &I> {
        let seen = move |slot: &u32| sight.as_ref().is_none_or(|sight| sight.contains(*slot));
        self.slots().filter(seen).filter_map(|slot| self.at(slot))
    }

    /// The slots of all items that `keep` holds for.
    pub fn select(&self, keep: impl Fn(&I) -> bool) -> Bitmap {
        let mut bitmap = Bitmap::with_len(self.span as usize);
        self.slots()
            .filter(|slot| self.at(*slot).is_some_and(&keep))
            .for_each(|slot| bitmap.insert(slot));
        bitmap
    }

    /// Ranks the catalog.
    pub fn search(&self, query: &Query<'_>) -> Ranking {
        rank::search(&self.index, query)
    }

    /// The items whose names come nearest to a misspelt one, best first.
    pub fn suggest(&self, requested: &str, limit: usize, visible: Option<&Bitmap>) -> Vec<&I> {
        rank::suggest(&self.index, requested, limit, visible)
            .into_iter()
            .filter_map(|slot| self.at(slot))
            .collect()
    }

    /// Gives an item its slot, and reads what is left to be indexed.
    fn put(
        &mut self,
        mut entry: Arc<Entry<I>>,
        schema: Option<FoundTexts<'_>>,
        read: &mut Read<I>,
        analyzer: &mut Analyzer,
        changes: &mut Changes,
    ) {
        let known = self.slot(entry.item.id());
        let place = match known.and_then(|slot| self.entry(slot)) {
            Some(known) if known.item.text() == entry.item.text() => {
                changes.unchanged += 1;
                return;
            }
            Some(known) => {
                changes.replaced += 1;
                known.place
            }
            None => {
                changes.added += 1;
                self.next_place + 1
            }
        };
        read.read(&entry.item, schema, analyzer);
        // Nobody else has it yet.
        if let Some(entry) = Arc::get_mut(&mut entry) {
            entry.item.is_indexed();
            entry.place = place;
        }
        let slot = self.place(&entry, known);
        read.keep(slot, entry);
    }

    /// Puts an item at the slot that its id has, if it has one.
    fn place(&mut self, entry: &Arc<Entry<I>>, known: Option<u32>) -> u32 {
        let slot = known.unwrap_or_else(|| self.take_slot(entry.item.id()));
        if let Some(place) = self.entries.get_mut(slot) {
            *place = Some(Arc::clone(entry));
        }
        self.next_place = self.next_place.max(entry.place);
        slot
    }

    fn drop_item(&mut self, id: &str) -> Option<u32> {
        let slot = self.slot(id)?;
        self.ids.remove(hash(id), slot);
        if let Some(place) = self.entries.get_mut(slot) {
            *place = None;
        }
        self.index.remove(slot);
        self.free.push_mut(slot);
        Some(slot)
    }

    fn slots(&self) -> std::ops::Range<u32> {
        0..self.span
    }

    fn entry(&self, slot: u32) -> Option<&Entry<I>> {
        self.entries.get(slot)?.as_deref()
    }

    fn take_slot(&mut self, id: &str) -> u32 {
        let slot = match self.free.peek().copied() {
            Some(slot) => {
                self.free.pop_mut();
                slot
            }
            None => {
                self.span += 1;
                self.span - 1
            }
        };
        self.ids.insert(hash(id), slot);
        slot
    }
}

impl Diagnostic {
    /// Whether the item it speaks of was refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
