//! The last changes of a catalog, ready to be made again on a state that missed them. Knows nothing of publishing.
//!
//! Reading an item is most of the work of registering it; what was read is kept here, so that making the change a second
//! time costs only the postings.

use std::sync::Arc;

use super::Entry;
use crate::index::Prepared;

/// More changes than this are not kept: to copy the published state is then the better way.
const MOST: usize = 64;

/// One change.
#[derive(Debug)]
pub(super) enum Step<I> {
    /// An item, new or in place of one with its id.
    Put(Arc<Entry<I>>, Prepared),
    /// An id whose item goes.
    Remove(Box<str>),
}

/// Changes in the order in which they were made.
#[derive(Debug)]
pub struct Journal<I> {
    steps: Vec<Step<I>>,
    whole: bool,
}

impl<I> Default for Journal<I> {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            whole: true,
        }
    }
}

impl<I> Journal<I> {
    pub(super) fn push(&mut self, step: Step<I>) {
        if self.whole && self.steps.len() < MOST {
            self.steps.push(step);
        } else {
            self.whole = false;
            self.steps = Vec::new();
        }
    }

    /// Whether so many changes more can be kept; when they cannot, the journal is not whole any more.
    pub(super) fn has_room(&mut self, more: usize) -> bool {
        if self.whole && self.steps.len() + more <= MOST {
            return true;
        }
        if more > 0 {
            *self = Self::broken();
        }
        false
    }

    /// Whether no change is missing.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The journal of a state that no earlier one leads to.
    pub(super) fn broken() -> Self {
        Self {
            steps: Vec::new(),
            whole: false,
        }
    }

    pub(super) fn steps(&self) -> &[Step<I>] {
        &self.steps
    }
}
