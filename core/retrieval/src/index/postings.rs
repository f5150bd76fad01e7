//! The documents of one term as they are read: words `slot << 8 | impact` in ascending order, or a list of pieces of them.
//! Knows nothing of terms, of scores, and of how [`super::store`] keeps them.

use super::chunk::{List, unpack};

/// The postings of a term; its impacts are never 0.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Postings<'a> {
    /// As many as lie in one piece.
    Words(&'a [u32]),
    /// Many.
    List(&'a List),
}

impl Postings<'_> {
    /// How many documents have the term.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "one piece is never longer than a run can be"
    )]
    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Words(words) => words.len() as u32,
            Self::List(list) => list.count(),
        }
    }

    /// Visits the documents in order, each with its impact.
    pub(crate) fn for_each(&self, visit: &mut impl FnMut(u32, u8)) {
        match self {
            Self::Words(words) => words.iter().for_each(|word| {
                let (slot, impact) = unpack(*word);
                visit(slot, impact);
            }),
            Self::List(list) => list.for_each(visit),
        }
    }

    /// What the term weighs in a document; 0 when the document does not have it.
    pub(crate) fn impact(&self, slot: u32) -> u8 {
        match self {
            Self::Words(words) => impact_in(words, slot),
            Self::List(list) => list.impact(slot),
        }
    }
}

/// What a slot has in ascending words; 0 when it is not there.
pub(crate) fn impact_in(words: &[u32], slot: u32) -> u8 {
    let at = words.partition_point(|word| word >> 8 < slot);
    let found = words.get(at).copied().map(unpack);
    found.filter(|entry| entry.0 == slot).map_or(0, |entry| entry.1)
}
