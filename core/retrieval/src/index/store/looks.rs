//! Asks for places that are about to change, one level of memory after the other: within a level nothing waits for another.
//! Changes nothing.

use super::long::{Body, Long};
use super::{Kind, Place, Store};
use crate::index::chunk::Chunk;
use crate::index::warm;

impl Store {
    /// Asks for what changes of a document touch in these places.
    pub(crate) fn warm(&self, places: impl Iterator<Item = Place>, slot: u32) {
        let mut longs = self.longs(places);
        // What waits touches no piece; where nothing more can wait, all of it goes to its place.
        longs.retain(|long| long.late.is_full(slot));
        longs.iter().for_each(|long| long.body.ask());
        let mut chunks: Vec<(&Chunk, u32)> = Vec::new();
        for long in &longs {
            match &long.body {
                Body::Free(_) => {}
                Body::Run(run) => run.ask_for_all(),
                Body::List(list) => {
                    let slots = long.late.words().iter().map(|word| word >> 8);
                    let near = slots
                        .chain([slot])
                        .filter_map(|slot| Some((list.chunk(slot)?, slot)));
                    chunks.extend(near);
                }
            }
        }
        chunks.iter().for_each(|(chunk, _)| chunk.ask_head());
        chunks.iter().for_each(|(chunk, slot)| chunk.ask(*slot));
    }

    /// Asks for what leads to the postings in these places.
    pub(crate) fn warm_ways(&self, places: impl Iterator<Item = Place>) {
        let longs = self.longs(places);
        longs.iter().for_each(|long| long.body.ask());
        for long in longs {
            match &long.body {
                Body::Free(_) => {}
                Body::Run(run) => run.ask_for_all(),
                Body::List(list) => warm::ask(list.chunks()),
            }
        }
    }

    /// Asks for cells and for ways to pieces; answers these.
    fn longs(&self, places: impl Iterator<Item = Place>) -> Vec<&Long> {
        let mut longs = Vec::new();
        for Place { kind, value } in places {
            match kind {
                Kind::Vacant | Kind::One => {}
                Kind::Two => self.twos.get(value).into_iter().for_each(warm::ask_for),
                Kind::Four => self.fours.get(value).into_iter().for_each(warm::ask_for),
                Kind::Eight => self.eights.get(value).into_iter().for_each(warm::ask_for),
                Kind::Sixteen => self.sixteens.get(value).into_iter().for_each(warm::ask_for),
                Kind::Long => longs.push(value),
            }
        }
        self.longs.ask(longs.iter().copied());
        let longs = longs.iter().filter_map(|number| self.longs.get(*number));
        longs.collect()
    }
}
