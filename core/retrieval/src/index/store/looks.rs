//! Looks at places that are about to change, one level of memory after the other: within a level no look waits for another.
//! Changes nothing.

use std::sync::Arc;

use super::long::Long;
use super::{Kind, Place, Store};
use crate::index::chunk::Chunk;
use crate::index::warm::{self, Touch};

impl Store {
    /// Looks at what changes of a document touch in these places.
    pub(crate) fn warm(&self, places: &[(Place, Touch)], slot: u32) {
        let mut longs = Vec::new();
        for (place, touch) in places {
            let number = place.value;
            match place.kind {
                Kind::Vacant | Kind::One => {}
                Kind::Two => self.twos.get(number).into_iter().for_each(warm::ask_for),
                Kind::Four => self.fours.get(number).into_iter().for_each(warm::ask_for),
                Kind::Eight => self.eights.get(number).into_iter().for_each(warm::ask_for),
                Kind::Sixteen => self.sixteens.get(number).into_iter().for_each(warm::ask_for),
                Kind::Long => {
                    if let Some(long) = self.longs.get(number) {
                        warm::ask_for(long);
                        longs.push((long, *touch));
                    }
                }
            }
        }
        for (long, _) in &longs {
            match long {
                Long::Free(_) => {}
                Long::Run(run) => warm::ask_for(&**run),
                Long::List(list) => warm::ask_for(&**list),
            }
        }
        for (long, _) in &longs {
            match long {
                Long::Free(_) => {}
                Long::Run(run) => run.ask_ends(),
                Long::List(list) => list.ask_place(slot),
            }
        }
        let mut chunks: Vec<(&Chunk, Touch)> = Vec::new();
        for (long, touch) in &longs {
            match long {
                Long::Free(_) => {}
                Long::Run(run) if Arc::strong_count(run) == 1 => run.ask(slot, *touch),
                Long::Run(run) => run.ask_for_all(),
                Long::List(list) => {
                    if let Some(chunk) = list.chunk(slot) {
                        chunk.ask_head();
                        chunks.push((chunk, *touch));
                    }
                }
            }
        }
        chunks.iter().for_each(|(chunk, _)| chunk.ask_ends(slot));
        chunks.iter().for_each(|(chunk, touch)| chunk.ask(slot, *touch));
    }
}
