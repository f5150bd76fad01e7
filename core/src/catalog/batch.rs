//! From the JSON texts of a batch to its items, each id once. Knows nothing of what the catalog has already.

use std::borrow::Borrow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::Changes;
use super::ingest;
use super::item::Item;

/// Reads a batch; what is wrong, and which places are not taken, is noted. Of two items with one id the last one counts, at the
/// place of the first.
pub(super) fn read<I: Item>(batch: &[impl Borrow<RawValue>], changes: &mut Changes) -> Vec<I> {
    let mut items: Vec<I> = Vec::with_capacity(batch.len());
    // Where the item of an id stands.
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(batch.len());
    for (place, raw) in (0_u32..).zip(batch) {
        let Some(item) = ingest::read::<I>(raw.borrow(), place, &mut changes.diagnostics) else {
            changes.rejected.push(place);
            continue;
        };
        if let Some(known) = seen.get(item.id()).and_then(|known| items.get_mut(*known)) {
            let duplicate = ingest::duplicate(I::KIND, item.id(), place);
            changes.diagnostics.push(duplicate);
            *known = item;
        } else {
            seen.insert(item.id().to_owned(), items.len());
            items.push(item);
        }
    }
    items
}
