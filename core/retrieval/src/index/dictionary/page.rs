//! Terms that lie side by side: the hash of each, and where its postings are. Knows nothing of postings.

use crate::index::slab::END;
use crate::index::store::{Kind, Place};

/// Terms of a page.
pub(super) const PAGE: usize = 32;
pub(super) const PAGE_TERMS: u32 = 32;
/// Kinds in a word.
const KINDS: usize = 16;

/// Neighbouring terms, with no byte between them: a catalog has many.
#[derive(Debug, Clone)]
pub(super) struct Page {
    terms: [Term; PAGE],
    /// Kinds of the places, four bits each.
    kinds: [u64; PAGE / KINDS],
}

/// What a page has of one term, side by side, since whoever asks for one asks for both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    /// In halves, so that no byte is lost.
    hash: [u32; 2],
    /// What [`Place`] it has; a vacant one names the next free number.
    pub(super) value: u32,
}

impl Default for Page {
    fn default() -> Self {
        let vacant = Term {
            hash: [0; 2],
            value: END,
        };
        Self {
            terms: [vacant; PAGE],
            kinds: [0; PAGE / KINDS],
        }
    }
}

/// The halves of a hash, the low one first.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "both halves are kept")]
const fn halves(hash: u64) -> [u32; 2] {
    [hash as u32, (hash >> 32) as u32]
}

impl Page {
    /// Where in its page a term lies.
    #[inline]
    const fn at(number: u32) -> usize {
        number as usize % PAGE
    }

    pub(super) fn place(&self, number: u32) -> Place {
        Place {
            kind: self.kind(number),
            value: self.term(number).map_or(END, |term| term.value),
        }
    }

    #[inline]
    pub(super) fn kind(&self, number: u32) -> Kind {
        let at = Self::at(number);
        let kinds = self.kinds.get(at / KINDS).copied().unwrap_or(0);
        match kinds >> (4 * (at % KINDS)) & 15 {
            0 => Kind::Vacant,
            1 => Kind::One,
            2 => Kind::Two,
            3 => Kind::Four,
            4 => Kind::Eight,
            5 => Kind::Sixteen,
            _ => Kind::Long,
        }
    }

    #[inline]
    pub(super) fn term(&self, number: u32) -> Option<&Term> {
        self.terms.get(Self::at(number))
    }

    /// The term under a number.
    #[inline]
    pub(super) fn hash(&self, number: u32) -> Option<u64> {
        let [low, high] = self.term(number)?.hash;
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// Which bytes of a page tell everything of a term.
    pub(super) const fn bytes(number: u32) -> [usize; 2] {
        [Self::at(number) * size_of::<Term>(), size_of::<[Term; PAGE]>()]
    }

    /// Says which term has a number.
    pub(super) fn name(&mut self, number: u32, hash: u64) {
        if let Some(term) = self.terms.get_mut(Self::at(number)) {
            term.hash = halves(hash);
        }
    }

    pub(super) fn set(&mut self, number: u32, place: Place) {
        let at = Self::at(number);
        let kind = match place.kind {
            Kind::Vacant => 0,
            Kind::One => 1,
            Kind::Two => 2,
            Kind::Four => 3,
            Kind::Eight => 4,
            Kind::Sixteen => 5,
            Kind::Long => 6,
        };
        let shift = 4 * (at % KINDS);
        if let (Some(kinds), Some(term)) = (self.kinds.get_mut(at / KINDS), self.terms.get_mut(at)) {
            *kinds = *kinds & !(15 << shift) | kind << shift;
            term.value = place.value;
        }
    }
}
