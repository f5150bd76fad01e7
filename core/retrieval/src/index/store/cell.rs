//! Cells of a few words: the used ones first, in ascending order, and then zeroes. Knows nothing of terms.

use crate::index::slab::Slab;

/// The used words of a cell: they stand first, and none is 0, since no impact is.
#[inline]
pub(super) fn used<const N: usize>(cell: Option<&[u32; N]>) -> &[u32] {
    let Some(cell) = cell else { return &[] };
    let count = cell.iter().take_while(|word| **word != 0).count();
    cell.get(..count).unwrap_or_default()
}

pub(super) fn cell<const N: usize>(words: &[u32]) -> [u32; N] {
    let mut cell = [0; N];
    copy(words, &mut cell);
    cell
}

/// Copies the used words to the beginning of others; answers how many those are.
pub(super) fn copy(words: &[u32], to: &mut [u32]) -> usize {
    let mut count = 0;
    for (to, word) in to.iter_mut().zip(words).take_while(|(_, word)| **word != 0) {
        *to = *word;
        count += 1;
    }
    count
}

/// Puts a word into a cell; says whether there was no room.
pub(super) fn insert<const N: usize, const LEAF: usize>(
    slab: &mut Slab<[u32; N], LEAF>,
    number: u32,
    word: u32,
) -> bool
where
    [u32; N]: Default,
{
    if slab
        .get(number)
        .and_then(|cell| cell.last())
        .is_none_or(|last| *last != 0)
    {
        return true;
    }
    if let Some(cell) = slab.get_mut(number) {
        let at = cell
            .iter()
            .take_while(|other| **other != 0 && **other < word)
            .count();
        if let Some(behind) = cell.get_mut(at..) {
            behind.rotate_right(1);
            if let Some(first) = behind.first_mut() {
                *first = word;
            }
        }
    }
    false
}

/// Puts a word in place of the one with its slot.
pub(super) fn set<const N: usize, const LEAF: usize>(slab: &mut Slab<[u32; N], LEAF>, number: u32, word: u32)
where
    [u32; N]: Default,
{
    // The unused words are zero, as if they were the first slot's.
    let differs = |other: &u32| *other != 0 && *other >> 8 == word >> 8 && *other != word;
    let at = slab.get(number).and_then(|cell| cell.iter().position(differs));
    // A cell that would stay as it is may lie in a leaf that another clone has too.
    if let Some(at) = at
        && let Some(other) = slab.get_mut(number).and_then(|cell| cell.get_mut(at))
    {
        *other = word;
    }
}

/// Takes a slot out of a cell; says whether what is left is worth the cell.
pub(super) fn remove<const N: usize, const LEAF: usize>(
    slab: &mut Slab<[u32; N], LEAF>,
    number: u32,
    slot: u32,
) -> bool
where
    [u32; N]: Default,
{
    let Some(cell) = slab.get_mut(number) else {
        return true;
    };
    let (mut kept, mut count) = ([0; N], 0);
    let left = cell.iter().filter(|word| **word != 0 && **word >> 8 != slot);
    for (to, word) in kept.iter_mut().zip(left) {
        *to = *word;
        count += 1;
    }
    *cell = kept;
    count > N / 4
}
