//! Looks at places that are about to change, one level of memory after the other: within a level no look waits for another.
//! Changes nothing.

use super::long::Long;
use super::{Kind, Place, Store};
use crate::index::chunk::{Chunk, List};
use crate::index::slab::{Cell, Slab};
use crate::index::warm;

impl Store {
    /// Looks at what changes of a document touch in these places.
    pub(crate) fn warm(&self, places: &[Place], slot: u32) {
        cells(&self.twos, places, Kind::Two);
        cells(&self.fours, places, Kind::Four);
        cells(&self.eights, places, Kind::Eight);
        cells(&self.sixteens, places, Kind::Sixteen);
        let longs = || of_kind(places, Kind::Long).filter_map(|number| self.longs.get(number));
        warm::looks(longs().map(|long| usize::from(matches!(long, Long::Free(_)))));
        warm::looks(longs().map(|long| match long {
            Long::Free(_) => 0,
            Long::Run(run) => run.words().len(),
            Long::List(list) => list.chunks().len(),
        }));
        let lists = || {
            longs().filter_map(|long| match long {
                Long::List(list) => Some(&**list),
                _ => None,
            })
        };
        let runs = longs().filter_map(|long| match long {
            Long::Run(run) => Some(run),
            _ => None,
        });
        warm::looks(runs.map(|run| run.look()));
        let chunks: Vec<&Chunk> = lists().filter_map(|list: &List| list.chunk(slot)).collect();
        warm::looks(chunks.iter().map(|chunk| chunk.len()));
        warm::looks(chunks.iter().map(|chunk| chunk.look(slot)));
    }
}

fn of_kind(places: &[Place], kind: Kind) -> impl Iterator<Item = u32> {
    let wanted = places.iter().filter(move |place| place.kind == kind);
    wanted.map(|place| place.value)
}

fn cells<const N: usize, const LEAF: usize>(slab: &Slab<[u32; N], LEAF>, places: &[Place], kind: Kind)
where
    [u32; N]: Cell,
{
    let cells = of_kind(places, kind).filter_map(|number| slab.get(number)?.first());
    warm::looks(cells.map(|word| *word as usize));
}
