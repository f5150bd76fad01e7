//! Runs, columns, and the list of them that holds a frequent term. Knows nothing of terms and scores.
//!
//! A run is sorted `slot << 8 | impact`. A column is one byte per slot of a block. A block whose share of a term passes
//! [`COLUMN_LEAST`] becomes a column: there, adding a whole column is faster than adding its postings one by one. No chunk
//! holds more than [`RUN_MOST`] postings or [`BLOCK`] bytes, so a change copies that much and no more.

use std::sync::Arc;

use super::postings::impact_in;

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

/// Sorted postings, one word each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    words: Vec<u32>,
}

/// One byte for each slot of a block up to the last that has the term.
#[derive(Debug, Clone, Default)]
pub(crate) struct Column {
    block: u32,
    count: u32,
    impacts: Vec<u8>,
}

/// A piece of a long list.
#[derive(Debug, Clone)]
pub(crate) enum Chunk {
    Run(Arc<Run>),
    Column(Arc<Column>),
}

/// Pieces in the order of their slots; all postings of a block lie in one piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct List {
    count: u32,
    chunks: Vec<Chunk>,
}

impl Run {
    pub(crate) fn from_words(words: &[u32]) -> Self {
        Self {
            words: words.to_vec(),
        }
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a run is never longer than RUN_MOST and one"
    )]
    pub(crate) fn count(&self) -> u32 {
        self.words.len() as u32
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.words.iter().map(|word| unpack(*word))
    }

    pub(crate) fn insert(&mut self, slot: u32, impact: u8) {
        if self.words.len() == self.words.capacity() {
            // An eighth more, not double: most runs are short and many.
            self.words.reserve_exact(4 + self.words.len() / 8);
        }
        let word = slot << 8 | u32::from(impact);
        if self.words.last().is_none_or(|last| last >> 8 < slot) {
            return self.words.push(word);
        }
        let at = self.words.partition_point(|other| other >> 8 < slot);
        self.words.insert(at, word);
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let at = self.words.partition_point(|word| word >> 8 < slot);
        if self.words.get(at).is_some_and(|word| word >> 8 == slot) {
            self.words.remove(at);
        }
    }

    fn first(&self) -> u32 {
        self.words.first().map_or(0, |word| word >> 8)
    }
}

impl Column {
    pub(crate) fn block(&self) -> u32 {
        self.block
    }

    pub(crate) fn impacts(&self) -> &[u8] {
        &self.impacts
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let start = self.block * BLOCK;
        (start..)
            .zip(self.impacts.iter().copied())
            .filter(|entry| entry.1 != 0)
    }

    fn from_words(block: u32, words: &[u32]) -> Self {
        let mut column = Self {
            block,
            ..Self::default()
        };
        words
            .iter()
            .map(|word| unpack(*word))
            .for_each(|(slot, impact)| column.set(slot, impact));
        column
    }

    fn set(&mut self, slot: u32, impact: u8) {
        let place = (slot % BLOCK) as usize;
        if place >= self.impacts.len() {
            self.impacts.resize(place + 1, 0);
        }
        if let Some(old) = self.impacts.get_mut(place) {
            self.count = self.count + u32::from(*old == 0) - u32::from(impact == 0);
            *old = impact;
        }
    }
}

impl Chunk {
    fn first_block(&self) -> u32 {
        match self {
            Self::Run(run) => run.first() / BLOCK,
            Self::Column(column) => column.block,
        }
    }

    fn small_run(&self) -> Option<&Arc<Run>> {
        match self {
            Self::Run(run) if run.words.len() <= RUN_MOST / 4 => Some(run),
            _ => None,
        }
    }
}

impl List {
    pub(crate) fn from_run(run: Run) -> Self {
        Self {
            count: run.count(),
            chunks: vec![Chunk::Run(Arc::new(run))],
        }
    }

    pub(crate) fn from_words(words: &[u32]) -> Self {
        let mut list = Self::default();
        for block in words.chunk_by(|left, right| (left >> 8) / BLOCK == (right >> 8) / BLOCK) {
            let place = block.first().map_or(0, |word| (word >> 8) / BLOCK);
            list.chunks.push(if block.len() >= COLUMN_LEAST {
                Chunk::Column(Arc::new(Column::from_words(place, block)))
            } else {
                Chunk::Run(Arc::new(Run::from_words(block)))
            });
            list.count += u32::try_from(block.len()).unwrap_or(0);
        }
        list
    }

    pub(crate) fn for_each(&self, visit: &mut impl FnMut(u32, u8)) {
        for chunk in &self.chunks {
            match chunk {
                Chunk::Run(run) => run.iter().for_each(|(slot, impact)| visit(slot, impact)),
                Chunk::Column(column) => column.iter().for_each(|(slot, impact)| visit(slot, impact)),
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

    /// What the slot has; 0 when it is not there.
    pub(crate) fn impact(&self, slot: u32) -> u8 {
        match self.place(slot).and_then(|at| self.chunks.get(at)) {
            Some(Chunk::Run(run)) => impact_in(&run.words, slot),
            Some(Chunk::Column(column)) if column.block == slot / BLOCK => {
                let place = (slot % BLOCK) as usize;
                column.impacts.get(place).copied().unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub(crate) fn insert(&mut self, slot: u32, impact: u8) {
        self.count += 1;
        let at = match self.place(slot) {
            None => 0,
            Some(at) => match self.chunks.get_mut(at) {
                Some(Chunk::Column(column)) if column.block == slot / BLOCK => {
                    return Arc::make_mut(column).set(slot, impact);
                }
                Some(Chunk::Column(_)) => at + 1,
                _ => at,
            },
        };
        if !matches!(self.chunks.get(at), Some(Chunk::Run(_))) {
            self.chunks.insert(at, Chunk::Run(Arc::default()));
        }
        if let Some(Chunk::Run(run)) = self.chunks.get_mut(at) {
            let run = Arc::make_mut(run);
            run.insert(slot, impact);
            if run.words.len() > RUN_MOST {
                let pieces = split(run);
                self.chunks.splice(at..=at, pieces);
            }
        }
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let Some(at) = self.place(slot) else { return };
        let Some(chunk) = self.chunks.get_mut(at) else {
            return;
        };
        match chunk {
            Chunk::Run(run) => {
                let run = Arc::make_mut(run);
                let before = run.words.len();
                run.remove(slot);
                if run.words.len() == before {
                    return;
                }
                if run.words.is_empty() {
                    self.chunks.remove(at);
                }
            }
            Chunk::Column(column) => {
                if column.block != slot / BLOCK
                    || column
                        .impacts
                        .get((slot % BLOCK) as usize)
                        .is_none_or(|impact| *impact == 0)
                {
                    return;
                }
                let column = Arc::make_mut(column);
                column.set(slot, 0);
                if column.count < COLUMN_KEEPS {
                    let mut run = Run::default();
                    column.iter().for_each(|(slot, impact)| run.insert(slot, impact));
                    *chunk = Chunk::Run(Arc::new(run));
                }
            }
        }
        self.count -= 1;
        self.join(at);
        if at > 0 {
            self.join(at - 1);
        }
    }

    /// The last chunk that begins in the slot's block or before it.
    fn place(&self, slot: u32) -> Option<usize> {
        self.chunks
            .partition_point(|chunk| chunk.first_block() <= slot / BLOCK)
            .checked_sub(1)
    }

    /// Makes one run of two small neighbours.
    fn join(&mut self, at: usize) {
        let (Some(left), Some(right)) = (self.chunks.get(at), self.chunks.get(at + 1)) else {
            return;
        };
        if let (Some(left), Some(right)) = (left.small_run(), right.small_run()) {
            let words = left.words.iter().chain(&right.words).copied().collect();
            self.chunks
                .splice(at..at + 2, [Chunk::Run(Arc::new(Run { words }))]);
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
    let piece = |words: &[u32]| {
        (!words.is_empty()).then(|| {
            Chunk::Run(Arc::new(Run {
                words: words.to_vec(),
            }))
        })
    };
    if inside.len() >= COLUMN_LEAST {
        let column = Chunk::Column(Arc::new(Column::from_words(middle, inside)));
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
