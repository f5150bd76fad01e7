//! Postings that are too many for a cell: one run, or a list of runs and columns. Knows nothing of terms.
//!
//! In a large catalog these pieces lie in no cache, and a run of hundreds is copied or moved for one posting. There a change waits
//! beside the way to the pieces until there are some of them: see [`Late`].

use triomphe::Arc;

use super::late::Late;
use crate::index::chunk::{List, RUN_MOST, Run, unpack};
use crate::index::postings::{Pieces, Postings, impact_in};
use crate::index::slab::{Cell, END};
use crate::index::warm;

/// A place for more postings than a cell holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Long {
    pub(super) body: Body,
    pub(super) late: Late,
    /// Documents that have the term, whatever is late.
    count: u32,
}

/// The pieces.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Free(u32),
    Run(Arc<Run>),
    List(Arc<List>),
}

impl Default for Body {
    fn default() -> Self {
        Self::Free(END)
    }
}

impl Cell for Long {
    fn free(next: u32) -> Self {
        Self {
            body: Body::Free(next),
            ..Self::default()
        }
    }

    fn next(&self) -> u32 {
        match self.body {
            Body::Free(next) => next,
            _ => END,
        }
    }
}

impl Long {
    /// A place for ascending words.
    pub(super) fn of(words: &[u32]) -> Self {
        Self::whole(Body::of(words))
    }

    fn whole(body: Body) -> Self {
        Self {
            count: body.count(),
            late: Late::default(),
            body,
        }
    }

    /// What stands there.
    #[inline(always)]
    pub(super) fn read(&self) -> Postings<'_> {
        let pieces = match &self.body {
            Body::Free(_) => Pieces::Words(&[]),
            Body::Run(run) => Pieces::Words(run.words()),
            Body::List(list) => Pieces::List(list),
        };
        Postings::late(pieces, self.late.words(), self.count)
    }

    /// Adds a document that is not there yet; it may wait.
    pub(super) fn insert(&mut self, slot: u32, impact: u8, may_wait: bool) {
        if may_wait && self.late.put(slot, impact) {
            self.count += 1;
            return;
        }
        self.settle();
        self.body.insert(slot, impact);
        self.count = self.body.count();
    }

    /// Says what a document weighs that is there; it may wait.
    pub(super) fn set(&mut self, slot: u32, impact: u8, may_wait: bool) {
        if may_wait && self.late.put(slot, impact) {
            return;
        }
        self.settle();
        self.body.set(slot, impact);
    }

    /// Takes a document out that is there, which may wait; answers how many are left, of which none waits when they are few.
    pub(super) fn remove(&mut self, slot: u32, few: u32, may_wait: bool) -> u32 {
        if may_wait && self.count > few && self.late.put(slot, 0) {
            self.count -= 1;
            return self.count;
        }
        self.settle();
        self.body.remove(slot);
        self.count = self.body.count();
        self.count
    }

    /// Adds ascending words of documents that are not there yet.
    pub(super) fn merge(&mut self, more: &[u32], scratch: &mut Vec<u32>) {
        self.settle();
        self.body.merge(more, scratch);
        self.count = self.body.count();
    }

    /// Lets nothing wait.
    fn settle(&mut self) {
        let late = std::mem::take(&mut self.late);
        for (slot, impact) in late.words().iter().map(|word| unpack(*word)) {
            match (self.body.impact(slot), impact) {
                (before, now) if before == now => {}
                (0, now) => self.body.insert(slot, now),
                (_, 0) => self.body.remove(slot),
                (_, now) => self.body.set(slot, now),
            }
        }
        self.count = self.body.count();
    }
}

impl Body {
    /// Asks for the head of the pieces.
    pub(super) fn ask(&self) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) => warm::ask_for(&**run),
            Self::List(list) => warm::ask_for(&**list),
        }
    }

    fn of(words: &[u32]) -> Self {
        if words.len() <= RUN_MOST {
            Self::Run(Arc::new(Run::from_words(words)))
        } else {
            Self::List(Arc::new(List::from_words(words)))
        }
    }

    fn insert(&mut self, slot: u32, impact: u8) {
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

    fn set(&mut self, slot: u32, impact: u8) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) => Arc::make_mut(run).set(slot, impact),
            Self::List(list) => Arc::make_mut(list).set(slot, impact),
        }
    }

    fn remove(&mut self, slot: u32) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) => Arc::make_mut(run).remove(slot),
            Self::List(list) => {
                let left = Arc::make_mut(list);
                left.remove(slot);
                if left.count() as usize <= RUN_MOST / 4 {
                    *self = Self::Run(Arc::new(Run::from_words(&left.to_words())));
                }
            }
        }
    }

    fn count(&self) -> u32 {
        match self {
            Self::Free(_) => 0,
            Self::Run(run) => run.count(),
            Self::List(list) => list.count(),
        }
    }

    fn impact(&self, slot: u32) -> u8 {
        match self {
            Self::Free(_) => 0,
            Self::Run(run) => impact_in(run.words(), slot),
            Self::List(list) => list.impact(slot),
        }
    }

    fn merge(&mut self, more: &[u32], scratch: &mut Vec<u32>) {
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
