//! Room that the searches of one thread use one after the other, so that a search allocates next to nothing.
//!
//! Must not know what a search does with it. A search takes the room out and puts it back; one that panics loses it, and the next
//! one begins with new room. What a huge catalog or query needed is not kept.

use std::cell::Cell;

use crate::index::chunk::BLOCK;
use crate::text::{QueryText, Reader};

use super::order::Room;
use super::plan::PlanRoom;
use super::rows::ROW;

/// The room of one search.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) reader: Reader,
    pub(crate) text: QueryText,
    pub(crate) sums: Zeros,
    pub(crate) room: Room,
    pub(crate) plan: PlanRoom,
}

/// Numbers that are all zero between searches.
#[derive(Default)]
pub(crate) struct Zeros(Vec<i32>);

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Does a search with the room of this thread.
pub(crate) fn with<T>(search: impl FnOnce(&mut Scratch) -> T) -> T {
    // While a thread ends there is no room to take, nor a place to put it back.
    let kept = KEPT.try_with(Cell::take).ok().flatten();
    let mut scratch = kept.unwrap_or_default();
    let found = search(&mut scratch);
    scratch.room.shrink();
    if scratch.text.is_large() {
        scratch.text = QueryText::default();
    }
    let _ = KEPT.try_with(|kept| kept.set(Some(scratch)));
    found
}

impl Zeros {
    /// One for each slot of a block of an index with `span` slots, in whole rows; whoever writes them makes them zero again.
    pub(crate) fn of_block(&mut self, span: u32) -> &mut [i32] {
        let length = (span.min(BLOCK) as usize).next_multiple_of(ROW);
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        self.0.get_mut(..length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{Shelf, tool};
    use super::super::{Query, search_with};
    use super::*;
    use crate::index::Bitmap;
    use crate::text::Analyzer;

    #[test]
    fn a_search_in_room_that_others_have_used_finds_what_one_in_new_room_finds_and_leaves_zeros() {
        let small = Shelf::of((0..7).map(|number| tool(&format!("read_file_{number}"), "Reads mail")));
        let mut large =
            Shelf::of((0..300).map(|number| tool(&format!("tool_{number}"), "Reads issues of mail")));
        large.put(
            BLOCK + 40,
            tool("close_issue", "Closes issues"),
            &mut Analyzer::default(),
        );
        let mut visible = Bitmap::with_len(400);
        (0..400).step_by(3).for_each(|slot| visible.insert(slot));
        let mut used = Scratch::default();
        for (round, text) in [
            "read mail",
            "close_issue",
            "issues of `tool_7`",
            "",
            "rad mial",
            "Reads ISSUES: read-file",
        ]
        .into_iter()
        .cycle()
        .take(36)
        .enumerate()
        {
            let shelf = if round % 5 < 2 { &small } else { &large };
            let query = Query {
                text,
                limit: [5, 1, 200][round % 3],
                visible: (round % 4 == 3).then_some(&visible),
                diversify: round % 7 == 3,
                ..Query::default()
            };
            let found = search_with(&shelf.index, &query, &mut used);
            assert_eq!(
                found,
                search_with(&shelf.index, &query, &mut Scratch::default()),
                "{query:?}"
            );
            assert!(used.sums.0.iter().all(|sum| *sum == 0), "{query:?}");
        }
    }

    #[test]
    fn room_for_a_huge_query_is_given_back() {
        let shelf = Shelf::of([tool("read_file", "Reads a file")]);
        assert_eq!(
            shelf.search(&"read a file and a word_more ".repeat(500), 5).total,
            1
        );
        assert!(!KEPT.take().unwrap().text.is_large());
    }
}
