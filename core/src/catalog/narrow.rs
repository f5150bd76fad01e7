//! Which items a search is narrowed to. Knows nothing of where the wish came from.
//!
//! Ids are looked up, servers and tags are found through the postings of their words, and only what is found so is compared;
//! no search goes through the labels of a whole catalog, but for a label that has no word.

use super::Catalog;
use super::item::Item;
use crate::index::{Bitmap, Hint, Label};

/// What items must be; every given part must hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrowing<'a> {
    /// One of these ids.
    pub ids: Option<&'a [String]>,
    /// Of one of these servers.
    pub servers: Option<&'a [String]>,
    /// With one of these tags.
    pub tags: Option<&'a [String]>,
    /// Saying of themselves that they only read, or not saying it.
    pub read_only: Option<bool>,
}

impl Narrowing<'_> {
    /// Whether the labels of an item are as they must be.
    fn holds<I: Item>(&self, item: &I) -> bool {
        let among = |wanted: Option<&[String]>, label: &str| {
            wanted.is_none_or(|wanted| wanted.iter().any(|entry| entry == label))
        };
        among(self.ids, item.id())
            && self
                .servers
                .is_none_or(|_| item.server().is_some_and(|server| among(self.servers, server)))
            && self
                .tags
                .is_none_or(|_| item.tags().iter().any(|tag| among(self.tags, tag)))
    }
}

impl<I: Item> Catalog<I> {
    /// The slots of the items that this holds for.
    pub fn narrow(&self, narrowing: &Narrowing<'_>) -> Bitmap {
        let mut kept = Bitmap::with_len(self.span as usize);
        self.candidates(narrowing)
            .into_iter()
            .filter(|slot| {
                let read_only = || self.index.hint(*slot) == Some(Hint::ReadOnly);
                narrowing.read_only.is_none_or(|wanted| read_only() == wanted)
                    && self.at(*slot).is_some_and(|item| narrowing.holds(item))
            })
            .for_each(|slot| kept.insert(slot));
        kept
    }

    /// Slots among which are all of those, as few as can be had without looking at an item.
    fn candidates(&self, narrowing: &Narrowing<'_>) -> Vec<u32> {
        let bearers = |label, texts: &[String]| -> Vec<u32> {
            texts
                .iter()
                .flat_map(|text| self.index.bearers(label, text))
                .collect()
        };
        let choices = [
            narrowing
                .ids
                .map(|ids| ids.iter().filter_map(|id| self.slot(id)).collect()),
            narrowing.servers.map(|servers| bearers(Label::Server, servers)),
            narrowing.tags.map(|tags| bearers(Label::Tag, tags)),
        ];
        let fewest = choices.into_iter().flatten().min_by_key(Vec::len);
        fewest.unwrap_or_else(|| self.slots().collect())
    }
}

#[cfg(test)]
#[path = "narrow_tests.rs"]
mod tests;
