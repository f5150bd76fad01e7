//! Postings that are too many for a cell: one run, or a list of runs and columns. Knows nothing of terms.

use std::sync::Arc;

use crate::index::chunk::{List, RUN_MOST, Run, unpack};
use crate::index::slab::{Cell, END};

/// A place for more postings than a cell holds.
#[derive(Debug, Clone)]
pub(super) enum Long {
    Free(u32),
    Run(Arc<Run>),
    List(Arc<List>),
}

impl Default for Long {
    fn default() -> Self {
        Self::Free(END)
    }
}

impl Cell for Long {
    fn free(next: u32) -> Self {
        Self::Free(next)
    }

    fn next(&self) -> u32 {
        match self {
            Self::Free(next) => *next,
            _ => END,
        }
    }
}

impl Long {
    /// A place for ascending words.
    pub(super) fn of(words: &[u32]) -> Self {
        if words.len() <= RUN_MOST {
            Self::Run(Arc::new(Run::from_words(words)))
        } else {
            Self::List(Arc::new(List::from_words(words)))
        }
    }

    /// Adds a document that is not there yet.
    pub(super) fn insert(&mut self, slot: u32, impact: u8) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) if (run.count() as usize) < RUN_MOST => Arc::make_mut(run).insert(slot, impact),
            Self::Run(run) => {
                let mut list = List::from_run(Run::clone(run));
                list.insert(slot, impact);
                *self = Self::List(Arc::new(list));
            }
            Self::List(list) => Arc::make_mut(list).insert(slot, impact),
        }
    }

    /// Says what a document weighs that is there.
    pub(super) fn set(&mut self, slot: u32, impact: u8) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) => Arc::make_mut(run).set(slot, impact),
            Self::List(list) => Arc::make_mut(list).set(slot, impact),
        }
    }

    /// Takes a document out; answers how many are left.
    pub(super) fn remove(&mut self, slot: u32) -> u32 {
        match self {
            Self::Free(_) => 0,
            Self::Run(run) => {
                let run = Arc::make_mut(run);
                run.remove(slot);
                run.count()
            }
            Self::List(list) => {
                let left = Arc::make_mut(list);
                left.remove(slot);
                let count = left.count();
                if count as usize <= RUN_MOST / 4 {
                    *self = Self::Run(Arc::new(Run::from_words(&left.to_words())));
                }
                count
            }
        }
    }

    /// Adds ascending words of documents that are not there yet.
    pub(super) fn merge(&mut self, more: &[u32], scratch: &mut Vec<u32>) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) => {
                merge(run.words(), more, scratch);
                *self = Self::of(scratch);
            }
            Self::List(list) => {
                let list = Arc::make_mut(list);
                for (slot, impact) in more.iter().map(|word| unpack(*word)) {
                    list.insert(slot, impact);
                }
            }
        }
    }
}

/// Both ascending rows as one.
pub(super) fn merge(left: &[u32], right: &[u32], to: &mut Vec<u32>) {
    to.clear();
    to.extend_from_slice(left);
    to.extend_from_slice(right);
    if left.last() > right.first() {
        to.sort_unstable();
    }
}
