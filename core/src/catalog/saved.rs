//! A catalog in the form in which it is stored: its items in the order of listing, and the index over them.
//! Knows nothing of checksums and files.
//!
//! The form depends on what is in the catalog, not on how it came there: items take the slots of their order, terms numbers of
//! their own. So equal catalogs are equal bytes.

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bulk::{BATCH, prepare};
use super::item::{Item, check_id};
use super::{Catalog, Entry};
use crate::index::saved::SavedIndex;
use crate::index::trie::Trie;
use crate::index::vectors::saved::SavedVectors;
use crate::index::{Batch, Index, Model};
use crate::text::Analyzer;
use crate::text::hash::hash;

/// To be written.
#[derive(Debug, Serialize)]
pub(crate) struct SavedCatalog<'a, I> {
    items: Vec<&'a I>,
    index: SavedIndex<'a>,
    vectors: Option<SavedVectors<'a>>,
}

/// As it was read.
#[derive(Debug, Deserialize)]
pub(crate) struct LoadedCatalog<'a, I> {
    items: Vec<I>,
    #[serde(borrow)]
    index: SavedIndex<'a>,
    #[serde(borrow)]
    vectors: Option<SavedVectors<'a>>,
}

impl<'a, I: Item> SavedCatalog<'a, I> {
    /// The form of a catalog.
    pub(crate) fn of(catalog: &'a Catalog<I>) -> Self {
        let mut slots: Vec<(u64, u32)> = catalog
            .slots()
            .filter_map(|slot| Some((catalog.entry(slot)?.place, slot)))
            .collect();
        slots.sort_unstable();
        let slots: Vec<u32> = slots.into_iter().map(|(_, slot)| slot).collect();
        Self {
            items: slots.iter().filter_map(|slot| catalog.at(*slot)).collect(),
            index: catalog.index.save(&slots),
            vectors: catalog.index.vectors().save(&slots),
        }
    }
}

impl<I: Item> LoadedCatalog<'_, I> {
    /// The catalog, when it holds together. An index that another version built (not `is_current`) is built again; vectors of
    /// another model than this one are left out.
    pub(crate) fn into_catalog(
        self,
        is_current: bool,
        analyzer: &mut Analyzer,
        model: Option<&Arc<Model>>,
    ) -> Option<Catalog<I>> {
        let ids: Vec<&str> = self.items.iter().map(Item::id).collect();
        let distinct: HashSet<&str> = ids.iter().copied().collect();
        if distinct.len() < ids.len() || ids.iter().any(|id| check_id(I::KIND, id).is_err()) {
            return None;
        }
        let mut index = if is_current {
            self.index.load(&ids)?
        } else {
            let (mut index, mut texts) = (Index::new(), Batch::default());
            for (number, items) in self.items.chunks(BATCH).enumerate() {
                let first = u32::try_from(number * BATCH).ok()?;
                texts.clear();
                items
                    .iter()
                    .for_each(|item| prepare(item, None, &mut texts, analyzer));
                let slots: Vec<u32> = (first..).take(items.len()).collect();
                index.put_all(&slots, &mut texts);
            }
            index
        };
        if let Some(model) = model {
            index.expect_vectors_of(model);
            for (slot, item) in (0..).zip(&self.items) {
                index.embed(slot, &|| item.embedding_text(), analyzer);
            }
        }
        if let Some(vectors) = &self.vectors {
            index.vectors_mut().load(vectors)?;
        }
        let mut catalog = Catalog {
            span: u32::try_from(ids.len()).ok()?,
            ids: Trie::from_pairs((0..).zip(&ids).map(|(slot, id)| (hash(id), slot))),
            index,
            next_place: u64::try_from(ids.len()).ok()?,
            ..Catalog::default()
        };
        let entries = (1..).zip(self.items);
        catalog.entries = entries
            .map(|(place, item)| Some(Arc::new(Entry { item, place })))
            .collect();
        Some(catalog)
    }
}
