//! Looks at places that are about to change, one level of memory after the other: within a level no look waits for another.
//! Changes nothing.

use std::sync::Arc;

use super::long::Long;
use super::{Kind, Place, Store};
use crate::index::chunk::{Chunk, List};
use crate::index::slab::{Cell, Slab};
use crate::index::warm::{self, Touch};

impl Store {
    /// Looks at what changes of a document touch in these places.
    pub(crate) fn warm(&self, places: &[(Place, Touch)], slot: u32) {
        cells(&self.twos, places, Kind::Two);
        cells(&self.fours, places, Kind::Four);
        cells(&self.eights, places, Kind::Eight);
        cells(&self.sixteens, places, Kind::Sixteen);
        let longs = || {
            let longs = of_kind(places, Kind::Long);
            longs.filter_map(|(number, touch)| Some((self.longs.get(number)?, touch)))
        };
        warm::looks(longs().map(|(long, _)| usize::from(matches!(long, Long::Free(_)))));
        warm::looks(longs().map(|(long, _)| match long {
            Long::Free(_) => 0,
            Long::Run(run) => run.words().len(),
            Long::List(list) => list.chunks().len(),
        }));
        let runs = || {
            longs().filter_map(|(long, touch)| match long {
                Long::Run(run) => Some((run, touch)),
                _ => None,
            })
        };
        let lists = longs().filter_map(|(long, touch)| match long {
            Long::List(list) => Some((&**list, touch)),
            _ => None,
        });
        let chunks: Vec<(&Chunk, Touch)> = lists
            .filter_map(|(list, touch): (&List, Touch)| Some((list.chunk(slot)?, touch)))
            .collect();
        warm::looks(chunks.iter().map(|(chunk, _)| chunk.len()));
        warm::looks(runs().map(|(run, _)| run.look()));
        warm::looks(chunks.iter().map(|(chunk, _)| chunk.look(slot)));
        for (run, touch) in runs() {
            if Arc::strong_count(run) == 1 {
                run.ask(slot, touch);
            } else {
                run.ask_for_all();
            }
        }
        chunks.iter().for_each(|(chunk, touch)| chunk.ask(slot, *touch));
    }
}

fn of_kind(places: &[(Place, Touch)], kind: Kind) -> impl Iterator<Item = (u32, Touch)> {
    let wanted = places.iter().filter(move |(place, _)| place.kind == kind);
    wanted.map(|(place, touch)| (place.value, *touch))
}

fn cells<const N: usize, const LEAF: usize>(
    slab: &Slab<[u32; N], LEAF>,
    places: &[(Place, Touch)],
    kind: Kind,
) where
    [u32; N]: Cell,
{
    let cells = of_kind(places, kind).filter_map(|(number, _)| slab.get(number)?.first());
    warm::looks(cells.map(|word| *word as usize));
}
