//! A column: one byte for each slot of a block, in pieces of which a change copies one. Knows nothing of lists.

use triomphe::Arc;

use super::{BLOCK, unpack};
use crate::index::warm;

/// Slots of a piece: a change of a shared column copies so many bytes, and a search adds so many at once.
pub(crate) const PIECE: usize = 1_024;
const PIECES: usize = BLOCK as usize / PIECE;

/// What a term weighs in neighbouring slots.
pub(crate) type Piece = [u8; PIECE];

/// One byte for each slot of a block; a piece that is absent is all zero.
#[derive(Debug, Clone, Default)]
pub(crate) struct Column {
    count: u32,
    pieces: [Option<Arc<Piece>>; PIECES],
}

impl Column {
    pub(super) fn from_words(words: &[u32]) -> Self {
        let mut column = Self::default();
        let entries = words.iter().map(|word| unpack(*word));
        entries.for_each(|(slot, impact)| column.set(slot, impact));
        column
    }

    /// How many slots have the term.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// What the term weighs, piece by piece.
    #[inline(always)]
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Option<&Piece>> {
        self.pieces.iter().map(Option::as_deref)
    }

    /// The slots of a block that have the term, each with its impact.
    pub(super) fn iter(&self, block: u32) -> impl Iterator<Item = (u32, u8)> + '_ {
        let of_piece = |piece: Option<&Arc<Piece>>| piece.map_or([0; PIECE], |piece| **piece);
        let impacts = self.pieces.iter().flat_map(move |piece| of_piece(piece.as_ref()));
        (block * BLOCK..).zip(impacts).filter(|entry| entry.1 != 0)
    }

    /// What a slot has; 0 when it is not there.
    pub(super) fn impact(&self, slot: u32) -> u8 {
        self.place(slot).copied().unwrap_or(0)
    }

    /// Says what a slot has, 0 when it is not there.
    pub(super) fn set(&mut self, slot: u32, impact: u8) {
        let at = (slot % BLOCK) as usize;
        let Some(piece) = self.pieces.get_mut(at / PIECE) else {
            return;
        };
        let piece = Arc::make_mut(piece.get_or_insert_with(|| Arc::new([0; PIECE])));
        if let Some(old) = piece.get_mut(at % PIECE) {
            self.count = self.count + u32::from(*old == 0) - u32::from(impact == 0);
            *old = impact;
        }
    }

    /// Asks for the place of a slot.
    pub(super) fn ask(&self, slot: u32) {
        self.place(slot).into_iter().for_each(warm::ask_for);
    }

    /// Asks for all of it.
    #[inline(always)]
    pub(super) fn ask_for_all(&self) {
        self.pieces().flatten().for_each(|piece| warm::ask(piece));
    }

    fn place(&self, slot: u32) -> Option<&u8> {
        let at = (slot % BLOCK) as usize;
        self.pieces.get(at / PIECE)?.as_ref()?.get(at % PIECE)
    }
}
