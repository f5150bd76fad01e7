//! Which row each slot has, in blocks that clones share. Knows nothing of rows.

use std::sync::Arc;

use crate::index::radix::Radix;

/// Slots of a block.
const BLOCK: usize = 1_024;
const BLOCK_SLOTS: u32 = 1_024;

/// Rows by slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// One more than the row; 0 for none.
    blocks: Radix<Option<Arc<[u32; BLOCK]>>>,
    span: u32,
}

impl Places {
    /// One more than the highest slot that ever had a row.
    pub(super) fn span(&self) -> u32 {
        self.span
    }

    /// The row of a slot.
    pub(super) fn get(&self, slot: u32) -> Option<u32> {
        let block = self.blocks.get(slot / BLOCK_SLOTS)?.as_ref()?;
        block.get((slot % BLOCK_SLOTS) as usize)?.checked_sub(1)
    }

    /// Gives a slot a row, or takes it.
    pub(super) fn set(&mut self, slot: u32, row: Option<u32>) {
        let Some(block) = self.blocks.get_mut(slot / BLOCK_SLOTS) else {
            return;
        };
        let block = Arc::make_mut(block.get_or_insert_with(|| Arc::new([0; BLOCK])));
        if let Some(place) = block.get_mut((slot % BLOCK_SLOTS) as usize) {
            *place = row.map_or(0, |row| row + 1);
        }
        if row.is_some() {
            self.span = self.span.max(slot + 1);
        }
    }

    /// Visits the slots that have a row, ascending.
    pub(super) fn for_each(&self, visit: &mut impl FnMut(u32, u32)) {
        for first in (0..self.span).step_by(BLOCK) {
            let Some(Some(block)) = self.blocks.get(first / BLOCK_SLOTS) else {
                continue;
            };
            for (slot, row) in (first..).zip(block.iter()) {
                if let Some(row) = row.checked_sub(1) {
                    visit(slot, row);
                }
            }
        }
    }
}
