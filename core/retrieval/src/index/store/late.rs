//! The last changes of a term's postings, which are not among them yet. Knows nothing of what the postings lie in.

/// So many changes wait: with the way to the pieces they fill a line of memory.
pub(super) const LATE_MOST: usize = 10;

/// Words by slot, one for each, of impact 0 where the document is gone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Late {
    words: [u32; LATE_MOST],
    used: u32,
}

impl Late {
    /// The changes, by slot.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u32] {
        self.words.get(..self.used as usize).unwrap_or_default()
    }

    /// Whether a change at a slot has no room.
    pub(super) fn is_full(&self, slot: u32) -> bool {
        self.used as usize == LATE_MOST && !self.words().iter().any(|word| word >> 8 == slot)
    }

    /// Lets a change wait, in place of an earlier one at its slot; says whether there was room.
    pub(super) fn put(&mut self, slot: u32, impact: u8) -> bool {
        if self.is_full(slot) {
            return false;
        }
        let word = slot << 8 | u32::from(impact);
        let at = self
            .words()
            .iter()
            .take_while(|other| **other >> 8 < slot)
            .count();
        let is_new = self.words().get(at).is_none_or(|other| other >> 8 != slot);
        if is_new && let Some(behind) = self.words.get_mut(at..=self.used as usize) {
            behind.rotate_right(1);
            self.used += 1;
        }
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
        true
    }
}
