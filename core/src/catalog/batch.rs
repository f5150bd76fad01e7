//! From the JSON texts of a batch to its items, each id once. Knows nothing of what the catalog has already.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::ingest;
use super::item::Item;
use super::{Changes, Entry};

/// Reads a batch; what is wrong, and which places are not taken, is noted. Of two items with one id the last one counts, at the
/// place of the first.
pub(super) fn read<I: Item>(batch: &[impl Borrow<RawValue>], changes: &mut Changes) -> Vec<Arc<Entry<I>>> {
    let mut items = Vec::with_capacity(batch.len());
    let mut seen = Seen::new(batch.len());
    for (place, raw) in (0_u32..).zip(batch) {
        let Some(item) = ingest::read::<I>(raw.borrow(), place, &mut changes.diagnostics) else {
            changes.rejected.push(place);
            continue;
        };
        let known = seen.find(item.id(), &items);
        if let Some(known) = known.and_then(|known| items.get_mut(known)) {
            let duplicate = ingest::duplicate(I::KIND, item.id(), place);
            changes.diagnostics.push(duplicate);
            *known = Entry::new(item);
        } else {
            items.push(Entry::new(item));
        }
    }
    items
}

/// Where the item of an id stands among those that were read, by a number of the id that nobody foretells: so nobody can make
/// the search long by choosing ids, and no id is kept a second time.
struct Seen {
    numbers: RandomState,
    places: HashMap<u64, usize, ItsOwnHash>,
}

impl Seen {
    fn new(most: usize) -> Self {
        Self {
            numbers: RandomState::new(),
            places: HashMap::with_capacity_and_hasher(most, ItsOwnHash),
        }
    }

    /// The place of the item with an id; an id that is new is noted as the one of the next item.
    fn find<I: Item>(&mut self, id: &str, items: &[Arc<Entry<I>>]) -> Option<usize> {
        let mut number = self.numbers.hash_one(id);
        loop {
            match self.places.get(&number) {
                None => {
                    self.places.insert(number, items.len());
                    return None;
                }
                Some(place) if items.get(*place).is_some_and(|entry| entry.item.id() == id) => {
                    return Some(*place);
                }
                Some(_) => number = number.wrapping_add(1),
            }
        }
    }
}

/// Numbers that are hashes already.
#[derive(Clone, Copy)]
struct ItsOwnHash;

impl BuildHasher for ItsOwnHash {
    type Hasher = Number;

    fn build_hasher(&self) -> Number {
        Number(0)
    }
}

struct Number(u64);

impl Hasher for Number {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes
            .iter()
            .fold(self.0, |number, byte| number << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::tool::Tool;

    #[test]
    fn two_ids_with_one_number_are_told_apart() {
        let entry = |id: &str| Entry::new(Tool::read(&format!("{{\"id\":\"{id}\"}}")).unwrap());
        let (mut seen, mut items) = (Seen::new(0), Vec::new());
        assert_eq!(seen.find("a", &items), None);
        items.push(entry("a"));
        assert_eq!(seen.find("a", &items), Some(0));
        // As if they had.
        seen.places.insert(seen.numbers.hash_one("b"), 0);
        assert_eq!(seen.find("b", &items), None);
        items.push(entry("b"));
        assert_eq!(
            (seen.find("b", &items), seen.find("a", &items)),
            (Some(1), Some(0))
        );
    }
}
