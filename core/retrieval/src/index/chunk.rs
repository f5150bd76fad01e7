//! Runs, columns, and the list of them that holds a frequent term. Knows nothing of terms and scores.
//!
//! A run is sorted `slot << 8 | impact`. A column is one byte per slot of a block. A block whose share of a term passes
//! [`COLUMN_LEAST`] becomes a column: there, adding a whole column is faster than adding its postings one by one. No chunk
//! holds more than [`RUN_MOST`] postings or [`BLOCK`] bytes, so a change copies that much and no more.

mod column;
mod run;

use triomphe::Arc;

use super::postings::impact_in;
use super::warm;
pub(crate) use column::{Column, PIECE, Piece};
pub(crate) use run::Run;

/// Slots of one block; its sums fit the first-level cache.
pub(crate) const BLOCK: u32 = 4_096;
/// The most postings of a run.
pub(crate) const RUN_MOST: usize = 512;
/// The least postings of a block that become a column.
const COLUMN_LEAST: usize = 384;
/// The least postings a column keeps before it becomes a run again.
const COLUMN_KEEPS: u32 = 192;
/// Slots that fit beside an impact in one word of a run.
pub(crate) const SLOTS_MOST: u32 = 1 << 24;

/// A piece of a long list, with the block that it begins in: whoever looks for a slot reads no other pieces.
#[derive(Debug, Clone)]
pub(crate) enum Chunk {
    Run(u32, Arc<Run>),
    Column(u32, Arc<Column>),
}

/// Pieces in the order of their slots; all postings of a block lie in one piece.
#[derive(Debug, Default)]
pub(crate) struct List {
    count: u32,
    chunks: Vec<Chunk>,
}

impl Clone for List {
    fn clone(&self) -> Self {
        warm::looks(self.chunks.iter().map(Chunk::readers));
        Self {
            count: self.count,
            chunks: self.chunks.clone(),
        }
    }
}

impl Chunk {
    fn first_block(&self) -> u32 {
        match self {
            Self::Run(block, _) | Self::Column(block, _) => *block,
        }
    }

    fn of_run(run: Run) -> Self {
        Self::Run(run.block(), Arc::new(run))
    }

    /// How many lists have it.
    fn readers(&self) -> usize {
        match self {
            Self::Run(_, run) => Arc::strong_count(run),
            Self::Column(_, column) => Arc::strong_count(column),
        }
    }

    /// How many postings it has, as the line of memory says that says where they lie.
    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Run(_, run) => run.count(),
            Self::Column(_, column) => column.count(),
        }
    }

    /// Asks for what says where it lies.
    pub(crate) fn ask_head(&self) {
        match self {
            Self::Run(_, run) => warm::ask_for(&**run),
            Self::Column(_, column) => warm::ask_for(&**column),
        }
    }

    /// Asks for what a change at a slot touches.
    pub(crate) fn ask(&self, slot: u32) {
        match self {
            Self::Run(_, run) => run.ask_for_all(),
            Self::Column(_, column) => column.ask(slot),
        }
    }

    /// Asks for all of it.
    #[inline(always)]
    pub(crate) fn ask_for_all(&self) {
        match self {
            Self::Run(_, run) => run.ask_for_all(),
            Self::Column(_, column) => column.ask_for_all(),
        }
    }

    fn small_run(&self) -> Option<&Arc<Run>> {
        match self {
            Self::Run(_, run) if run.words().len() <= RUN_MOST / 4 => Some(run),
            _ => None,
        }
    }
}

impl List {
    pub(crate) fn from_run(run: Run) -> Self {
        Self {
            count: run.count(),
            chunks: vec![Chunk::of_run(run)],
        }
    }

    pub(crate) fn from_words(words: &[u32]) -> Self {
        let mut list = Self::default();
        for block in words.chunk_by(|left, right| (left >> 8) / BLOCK == (right >> 8) / BLOCK) {
            let place = block.first().map_or(0, |word| (word >> 8) / BLOCK);
            list.chunks.push(if block.len() >= COLUMN_LEAST {
                Chunk::Column(place, Arc::new(Column::from_words(block)))
            } else {
                Chunk::Run(place, Arc::new(Run::from_words(block)))
            });
            list.count += u32::try_from(block.len()).unwrap_or(0);
        }
        list
    }

    pub(crate) fn for_each(&self, visit: &mut dyn FnMut(u32, u8)) {
        for chunk in &self.chunks {
            match chunk {
                Chunk::Run(_, run) => run.iter().for_each(|(slot, impact)| visit(slot, impact)),
                Chunk::Column(block, column) => {
                    column.iter(*block).for_each(|(slot, impact)| visit(slot, impact))
                }
            }
        }
    }

    /// All postings as the words of a run.
    pub(crate) fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.count as usize);
        self.for_each(&mut |slot, impact| words.push(slot << 8 | u32::from(impact)));
        words
    }

    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The piece in which a slot is or has to be.
    pub(crate) fn chunk(&self, slot: u32) -> Option<&Chunk> {
        self.chunks.get(self.place(slot)?)
    }

    /// What the slot has; 0 when it is not there.
    pub(crate) fn impact(&self, slot: u32) -> u8 {
        match self.place(slot).and_then(|at| self.chunks.get(at)) {
            Some(Chunk::Run(_, run)) => impact_in(run.words(), slot),
            Some(Chunk::Column(block, column)) if *block == slot / BLOCK => column.impact(slot),
            _ => 0,
        }
    }

    pub(crate) fn insert(&mut self, slot: u32, impact: u8) {
        self.count += 1;
        let at = match self.place(slot) {
            None => 0,
            Some(at) => match self.chunks.get_mut(at) {
                Some(Chunk::Column(block, column)) if *block == slot / BLOCK => {
                    return Arc::make_mut(column).set(slot, impact);
                }
                Some(Chunk::Column(..)) => at + 1,
                _ => at,
            },
        };
        if !matches!(self.chunks.get(at), Some(Chunk::Run(..))) {
            self.chunks.insert(at, Chunk::of_run(Run::default()));
        }
        if let Some(Chunk::Run(block, run)) = self.chunks.get_mut(at) {
            let run = Arc::make_mut(run);
            run.insert(slot, impact);
            *block = run.block();
            if run.words().len() > RUN_MOST {
                let pieces = split(run);
                self.chunks.splice(at..=at, pieces);
            }
        }
    }

    /// Says what a slot has that is there.
    pub(crate) fn set(&mut self, slot: u32, impact: u8) {
        match self.place(slot).and_then(|at| self.chunks.get_mut(at)) {
            Some(Chunk::Run(_, run)) => Arc::make_mut(run).set(slot, impact),
            Some(Chunk::Column(block, column)) if *block == slot / BLOCK => {
                Arc::make_mut(column).set(slot, impact);
            }
            _ => {}
        }
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let Some(at) = self.place(slot) else { return };
        let Some(chunk) = self.chunks.get_mut(at) else {
            return;
        };
        match chunk {
            Chunk::Run(block, run) => {
                let run = Arc::make_mut(run);
                let before = run.words().len();
                run.remove(slot);
                *block = run.block();
                if run.words().len() == before {
                    return;
                }
                if run.words().is_empty() {
                    self.chunks.remove(at);
                }
            }
            Chunk::Column(block, column) => {
                if *block != slot / BLOCK || column.impact(slot) == 0 {
                    return;
                }
                let column = Arc::make_mut(column);
                column.set(slot, 0);
                if column.count() < COLUMN_KEEPS {
                    let mut run = Run::default();
                    column
                        .iter(*block)
                        .for_each(|(slot, impact)| run.insert(slot, impact));
                    *chunk = Chunk::of_run(run);
                }
            }
        }
        self.count -= 1;
        // The neighbours lie elsewhere, and are looked at only when they could be joined.
        if self
            .chunks
            .get(at)
            .is_some_and(|chunk| chunk.small_run().is_some())
        {
            self.join(at);
            if at > 0 {
                self.join(at - 1);
            }
        }
    }

    /// The last chunk that begins in the slot's block or before it.
    fn place(&self, slot: u32) -> Option<usize> {
        let block = slot / BLOCK;
        // A frequent term has one piece for each block, so that the place is the block; halving touches more lines of memory.
        let likely = block as usize;
        let begins = |at: usize| self.chunks.get(at).map(Chunk::first_block);
        if begins(likely) == Some(block) && begins(likely + 1).is_none_or(|next| next > block) {
            return Some(likely);
        }
        self.chunks
            .partition_point(|chunk| chunk.first_block() <= block)
            .checked_sub(1)
    }

    /// Makes one run of two small neighbours.
    fn join(&mut self, at: usize) {
        let (Some(left), Some(right)) = (self.chunks.get(at), self.chunks.get(at + 1)) else {
            return;
        };
        if let (Some(left), Some(right)) = (left.small_run(), right.small_run()) {
            let words = [left.words(), right.words()].concat();
            self.chunks
                .splice(at..at + 2, [Chunk::of_run(Run::from_words(&words))]);
        }
    }
}

/// Cuts a full run at a block boundary, or makes its middle block a column.
fn split(run: &Run) -> Vec<Chunk> {
    let words = run.words();
    let middle = words.get(words.len() / 2).map_or(0, |word| (word >> 8) / BLOCK);
    let start = words.partition_point(|word| (word >> 8) / BLOCK < middle);
    let end = words.partition_point(|word| (word >> 8) / BLOCK <= middle);
    let (before, rest) = words.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    let piece = |words: &[u32]| (!words.is_empty()).then(|| Chunk::of_run(Run::from_words(words)));
    if inside.len() >= COLUMN_LEAST {
        let column = Chunk::Column(middle, Arc::new(Column::from_words(inside)));
        return [piece(before), Some(column), piece(after)]
            .into_iter()
            .flatten()
            .collect();
    }
    let cut = if before.is_empty() || (before.len() < after.len()) {
        end
    } else {
        start
    };
    let (left, right) = words.split_at(cut);
    [piece(left), piece(right)].into_iter().flatten().collect()
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "the low byte of the word is the impact"
)]
pub(crate) const fn unpack(word: u32) -> (u32, u8) {
    (word >> 8, word as u8)
}
