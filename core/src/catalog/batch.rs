//! From the JSON texts of a batch to its items, each id once. Knows nothing of what the catalog has already.

use std::borrow::Borrow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::Changes;
use super::ingest;
use super::item::Item;
use crate::text::hash::hash;

/// Reads a batch; what is wrong, and which places are not taken, is noted. Of two items with one id the last one counts, at the
/// place of the first.
pub(super) fn read<I: Item>(batch: &[impl Borrow<RawValue>], changes: &mut Changes) -> Vec<I> {
    let mut items: Vec<I> = Vec::with_capacity(batch.len());
    // Where the item of an id stands, under the hash of the id, or the first number after it that no other id has.
    let mut seen: HashMap<u64, usize> = HashMap::with_capacity(batch.len());
    for (place, raw) in (0_u32..).zip(batch) {
        let Some(item) = ingest::read::<I>(raw.borrow(), place, &mut changes.diagnostics) else {
            changes.rejected.push(place);
            continue;
        };
        let mut number = hash(item.id());
        let earlier = loop {
            match seen.get(&number).and_then(|known| items.get_mut(*known)) {
                Some(known) if known.id() != item.id() => number = number.wrapping_add(1),
                known => break known,
            }
        };
        if let Some(known) = earlier {
            let duplicate = ingest::duplicate(I::KIND, item.id(), place);
            changes.diagnostics.push(duplicate);
            *known = item;
        } else {
            seen.insert(number, items.len());
            items.push(item);
        }
    }
    items
}
