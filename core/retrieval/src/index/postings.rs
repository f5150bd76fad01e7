//! The documents of one term as they are read: words `slot << 8 | impact` in ascending order, or a list of pieces of them.
//! Knows nothing of terms, of scores, and of how [`super::store`] keeps them.

use super::chunk::{List, unpack};

/// The postings of a term; its impacts are never 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Postings<'a> {
    /// Where they lie.
    pub(crate) pieces: Pieces<'a>,
    /// What has changed since, by slot: words in place of theirs, of impact 0 where the document is gone.
    pub(crate) late: &'a [u32],
    count: u32,
}

/// Where postings lie.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pieces<'a> {
    /// As many as lie in one piece.
    Words(&'a [u32]),
    /// Many.
    List(&'a List),
}

impl<'a> Postings<'a> {
    /// All of them are in the pieces.
    #[inline(always)]
    pub(crate) fn of(pieces: Pieces<'a>) -> Self {
        Self::late(pieces, &[], pieces.count())
    }

    /// So many, some of which differ from the pieces.
    #[inline(always)]
    pub(crate) const fn late(pieces: Pieces<'a>, late: &'a [u32], count: u32) -> Self {
        Self { pieces, late, count }
    }

    /// How many documents have the term.
    #[inline(always)]
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// Visits the documents in order, each with its impact. Sums are not made so: there is one of this, whatever the visitor does.
    pub(crate) fn for_each(&self, visit: &mut dyn FnMut(u32, u8)) {
        let mut late = self.late;
        self.pieces.for_each(&mut |slot, impact| {
            while let [word, rest @ ..] = late
                && word >> 8 < slot
            {
                visit_present(*word, visit);
                late = rest;
            }
            match late {
                [word, rest @ ..] if word >> 8 == slot => {
                    visit_present(*word, visit);
                    late = rest;
                }
                _ => visit(slot, impact),
            }
        });
        late.iter().for_each(|word| visit_present(*word, visit));
    }

    /// What the term weighs in a document; 0 when the document does not have it.
    pub(crate) fn impact(&self, slot: u32) -> u8 {
        let late = self.late.iter().find(|word| *word >> 8 == slot);
        late.map_or_else(|| self.pieces.impact(slot), |word| unpack(*word).1)
    }
}

fn visit_present(word: u32, visit: &mut dyn FnMut(u32, u8)) {
    let (slot, impact) = unpack(word);
    if impact != 0 {
        visit(slot, impact);
    }
}

impl Pieces<'_> {
    #[inline(always)]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "one piece is never longer than a run can be"
    )]
    fn count(&self) -> u32 {
        match self {
            Self::Words(words) => words.len() as u32,
            Self::List(list) => list.count(),
        }
    }

    /// Visits what the pieces say of their slots.
    pub(crate) fn for_each(&self, visit: &mut dyn FnMut(u32, u8)) {
        match self {
            Self::Words(words) => words.iter().for_each(|word| {
                let (slot, impact) = unpack(*word);
                visit(slot, impact);
            }),
            Self::List(list) => list.for_each(visit),
        }
    }

    /// What the pieces say of a slot; 0 when it is in none.
    pub(crate) fn impact(&self, slot: u32) -> u8 {
        match self {
            Self::Words(words) => impact_in(words, slot),
            Self::List(list) => list.impact(slot),
        }
    }
}

/// What a slot has in ascending words; 0 when it is not there.
pub(crate) fn impact_in(words: &[u32], slot: u32) -> u8 {
    let at = place_in(words, slot);
    let found = words.get(at).copied().map(unpack);
    found.filter(|entry| entry.0 == slot).map_or(0, |entry| entry.1)
}

/// Where a slot is in ascending words, or has to be. Slots lie about evenly, so among many it is looked for near where it would be
/// then: halving touches more lines of memory.
pub(crate) fn place_in(words: &[u32], slot: u32) -> usize {
    let is_before = |word: &u32| word >> 8 < slot;
    if words.len() <= FEW {
        return words.partition_point(is_before);
    }
    let (mut low, mut high) = (guess(words, slot), words.len());
    let mut step = FIRST_STEP;
    if words.get(low).is_some_and(is_before) {
        while let Some(word) = words.get(low + step) {
            if !is_before(word) {
                high = low + step;
                break;
            }
            low += step;
            step *= 2;
        }
    } else {
        high = low;
        loop {
            low = high.saturating_sub(step);
            if low == 0 || words.get(low).is_none_or(is_before) {
                break;
            }
            high = low;
            step *= 2;
        }
    }
    low + words
        .get(low..high)
        .map_or(0, |near| near.partition_point(is_before))
}

/// As many words are halved: they lie in few lines of memory.
const FEW: usize = 128;
/// Words from a guess to where the slot is looked for first; half a line of memory.
const FIRST_STEP: usize = 8;

/// A place near to that of a slot, not beyond the end.
#[allow(clippy::cast_possible_truncation, reason = "no more than the number of words")]
fn guess(words: &[u32], slot: u32) -> usize {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return 0;
    };
    let (first, last) = (first >> 8, last >> 8);
    let most = words.len() - 1;
    if slot >= last {
        return most;
    }
    (u64::from(slot.saturating_sub(first)) * most as u64 / u64::from((last - first).max(1))) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_place_is_found_wherever_the_slots_lie(
            slots in proptest::collection::btree_set(prop_oneof![0u32..700, 0u32..1 << 24, (1u32 << 24) - 300..1 << 24], 0..600), asked in any::<u32>(),
        ) {
            let words: Vec<u32> = slots.iter().map(|slot| slot << 8 | 7).collect();
            let near = words.iter().flat_map(|word| [(word >> 8).saturating_sub(1), word >> 8, (word >> 8) + 1]);
            for slot in near.chain([0, asked >> 8, asked, u32::MAX]) {
                prop_assert_eq!(place_in(&words, slot), words.partition_point(|word| word >> 8 < slot));
                prop_assert!(guess(&words, slot) <= words.len().saturating_sub(1));
            }
        }
    }
}
