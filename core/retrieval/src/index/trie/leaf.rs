//! Entries of a trie in ascending order, found by where their hashes must lie. Knows nothing of branches.

use triomphe::Arc;

use crate::index::warm;

/// Levels of a trie that go by the hash; those below go by the number.
pub(super) const HASH_LEVELS: u32 = 8;

/// A number, under the low half of a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) low: u32,
    pub(super) number: u32,
}

impl Entry {
    #[allow(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
    pub(super) const fn new(hash: u64, number: u32) -> Self {
        Self {
            low: hash as u32,
            number,
        }
    }

    /// Which child of a branch leads to this entry.
    pub(super) const fn turn(&self, level: u32) -> usize {
        let bits = if level < HASH_LEVELS {
            self.low >> (4 * level)
        } else {
            self.number >> (4 * (level - HASH_LEVELS))
        };
        (bits & 15) as usize
    }
}

/// Where an entry is, or has to be. Hashes lie evenly, so it is looked for where its own would be, and then step by step.
#[inline]
pub(super) fn place(entries: &[Entry], wanted: Entry) -> Result<usize, usize> {
    let mut at = guess(entries, wanted);
    while entries.get(at).is_some_and(|entry| *entry < wanted) {
        at += 1;
    }
    while let Some(before) = at.checked_sub(1) {
        match entries.get(before) {
            Some(entry) if *entry >= wanted => at = before,
            _ => break,
        }
    }
    if entries.get(at) == Some(&wanted) {
        return Ok(at);
    }
    Err(at)
}

/// Visits the numbers of the entries with a hash.
#[inline(always)]
pub(super) fn any_of(entries: &[Entry], key: Entry, visit: &mut impl FnMut(u32) -> bool) -> bool {
    let mut at = guess(entries, key);
    while entries.get(at).is_some_and(|entry| entry.low < key.low) {
        at += 1;
    }
    while let Some(before) = at.checked_sub(1)
        && entries.get(before).is_some_and(|entry| entry.low >= key.low)
    {
        at = before;
    }
    // The visit stands once, so that it becomes a part of the loop.
    while let Some(entry) = entries.get(at)
        && entry.low == key.low
    {
        if visit(entry.number) {
            return true;
        }
        at += 1;
    }
    false
}

/// Asks for where an entry is or has to be.
pub(super) fn look(entries: &[Entry], wanted: Entry) {
    if let Some(near) = entries.get(guess(entries, wanted)) {
        warm::ask_for(near);
    }
}

/// A place near to that of an entry, not beyond the end.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "below the length")]
const fn guess(entries: &[Entry], wanted: Entry) -> usize {
    ((wanted.low as u64 * entries.len() as u64) >> 32) as usize
}

/// The entries of a leaf, to be changed, with room for one more; they are copied when another trie has them too.
pub(super) fn owned(entries: &mut Arc<Vec<Entry>>) -> &mut Vec<Entry> {
    if !Arc::is_unique(entries) {
        let mut copy = Vec::with_capacity(entries.len() + 1);
        copy.extend_from_slice(entries);
        *entries = Arc::new(copy);
    }
    let entries = Arc::make_mut(entries);
    if entries.len() == entries.capacity() {
        // An eighth more, not double: what lies in leaves is many and small.
        entries.reserve_exact(2 + entries.len() / 8);
    }
    entries
}

/// Entries in ascending order, each once. Hashes lie evenly, so most come to their place by the highest bits.
pub(super) fn ascending(entries: &[Entry]) -> Vec<Entry> {
    const PARTS: usize = 64;
    let part = |entry: &Entry| (entry.low >> 26) as usize;
    let mut begins = [0_usize; PARTS + 1];
    for entry in entries {
        if let Some(count) = begins.get_mut(part(entry) + 1) {
            *count += 1;
        }
    }
    let mut begin = 0;
    for count in &mut begins {
        begin += *count;
        *count = begin;
    }
    let mut sorted = vec![Entry { low: 0, number: 0 }; entries.len()];
    for entry in entries {
        if let Some(next) = begins.get_mut(part(entry))
            && let Some(place) = sorted.get_mut(*next)
        {
            *place = *entry;
            *next += 1;
        }
    }
    for end in 2..=sorted.len() {
        let mut at = end;
        while let Some([left, right]) = sorted.get_mut(at.saturating_sub(2)..at)
            && *left > *right
        {
            std::mem::swap(left, right);
            at -= 1;
        }
    }
    sorted.dedup();
    sorted
}
