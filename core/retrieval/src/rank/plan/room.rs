//! Where the lists and the words of a plan stand, which one search after the other uses. Knows nothing of what they are for.

use super::{Plan, PlanTerm, PlanWord};

/// Room of a plan; it has at most as many places as a query has lists.
#[derive(Default)]
pub(crate) struct PlanRoom {
    terms: Vec<PlanTerm<'static>>,
    words: Vec<PlanWord>,
}

impl PlanRoom {
    /// Nothing yet, in this room.
    pub(super) fn empty<'a>(self) -> (Vec<PlanTerm<'a>>, Vec<PlanWord>) {
        let Self { terms, mut words } = self;
        words.clear();
        (emptied(terms), words)
    }
}

impl Plan<'_> {
    /// Gives the room back.
    pub(crate) fn into_room(self) -> PlanRoom {
        PlanRoom {
            terms: emptied(self.terms),
            words: self.words,
        }
    }
}

/// The same room for lists of another index: none is taken over, so what they borrowed does not matter. The library collects into
/// the room that it takes the lists from.
fn emptied<'a>(terms: Vec<PlanTerm<'_>>) -> Vec<PlanTerm<'a>> {
    terms.into_iter().map_while(|_| None).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::kit::{Shelf, tool};
    use super::*;
    use crate::text::analyze_query;

    #[test]
    fn a_plan_stands_in_the_room_of_the_one_before_and_has_nothing_of_it() {
        let shelf = Shelf::of([
            tool("read_file", "Reads a file"),
            tool("close_issue", "Closes it"),
        ]);
        let query = analyze_query("read and close the file of an issue");
        let room = Plan::new(&shelf.index, &query).into_room();
        let (place, size) = (room.terms.as_ptr(), room.terms.capacity());
        assert!(size >= 4);
        let plan = Plan::with_room(&shelf.index, &analyze_query("file"), room);
        assert_eq!((plan.terms.len(), plan.words.len()), (1, 1));
        let room = plan.into_room();
        assert_eq!((room.terms.as_ptr(), room.terms.capacity()), (place, size));
    }
}
