//! Room that the searches of one thread use one after the other, so that a search allocates next to nothing.
//!
//! Must not know what a search does with it. A search takes the room out and puts it back; one that panics loses it, and the next
//! one begins with new room. What a huge catalog or query needed is not kept.

use std::cell::Cell;

use crate::index::chunk::BLOCK;
use crate::text::{QueryText, Reader};

use super::order::Room;
use super::plan::PlanWord;

/// The room of one search.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) reader: Reader,
    pub(crate) text: QueryText,
    pub(crate) sums: Zeros,
    pub(crate) room: Room,
    /// At most as many as a query has.
    pub(crate) words: Vec<PlanWord>,
}

/// Numbers that are all zero between searches.
#[derive(Default)]
pub(crate) struct Zeros(Vec<i32>);

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Does a search with the room of this thread.
pub(crate) fn with<T>(search: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = KEPT.take().unwrap_or_default();
    let found = search(&mut scratch);
    scratch.room.shrink();
    if !scratch.text.is_large() {
        KEPT.set(Some(scratch));
    }
    found
}

impl Zeros {
    /// One for each slot of a block of an index with `span` slots; whoever writes them makes them zero again.
    pub(crate) fn of_block(&mut self, span: u32) -> &mut [i32] {
        let length = span.min(BLOCK) as usize;
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        self.0.get_mut(..length).unwrap_or_default()
    }
}
