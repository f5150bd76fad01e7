//! Rows of numbers in chunks that clones share: a change copies the chunk it touches and no other.
//! Knows nothing of what a row stands for.

use std::sync::Arc;

use super::scan::Rows;
use super::unit::Unit;
use crate::index::radix::Radix;

/// Rows of a chunk.
pub(crate) const CHUNK: u32 = 32;

/// Numbered rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    dimensions: usize,
    chunks: Radix<Option<Arc<Chunk>>>,
}

/// Rows that lie together.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    scales: [u32; CHUNK as usize],
    coarse: Box<[i8]>,
    fine: Box<[u8]>,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) scale: u32,
    pub(crate) coarse: &'a [i8],
    pub(crate) fine: &'a [u8],
}

impl Table {
    /// A table of rows of this length.
    pub(crate) fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            chunks: Radix::default(),
        }
    }

    /// Writes a row.
    pub(crate) fn put(&mut self, row: u32, unit: &Unit) {
        let dimensions = self.dimensions;
        let Some(chunk) = self.chunks.get_mut(row / CHUNK) else {
            return;
        };
        let chunk = Arc::make_mut(chunk.get_or_insert_with(|| Arc::new(Chunk::new(dimensions))));
        let place = (row % CHUNK) as usize;
        if let Some(scale) = chunk.scales.get_mut(place) {
            *scale = unit.scale;
        }
        if let Some(coarse) = piece_mut(&mut chunk.coarse, place, dimensions)
            && coarse.len() == unit.coarse.len()
        {
            coarse.copy_from_slice(&unit.coarse);
        }
        if let Some(fine) = piece_mut(&mut chunk.fine, place, dimensions.div_ceil(2))
            && fine.len() == unit.fine.len()
        {
            fine.copy_from_slice(&unit.fine);
        }
    }

    /// The chunk that a row is in.
    pub(crate) fn chunk(&self, row: u32) -> Option<&Arc<Chunk>> {
        self.chunks.get(row / CHUNK)?.as_ref()
    }

    /// A row.
    pub(crate) fn row(&self, row: u32) -> Option<Row<'_>> {
        let chunk = self.chunk(row)?;
        let place = (row % CHUNK) as usize;
        Some(Row {
            scale: *chunk.scales.get(place)?,
            coarse: piece(&chunk.coarse, place, self.dimensions)?,
            fine: piece(&chunk.fine, place, self.dimensions.div_ceil(2))?,
        })
    }

    /// Rows that stand one after the other in a chunk, to be scanned.
    pub(crate) fn run(&self, first: u32, count: u32) -> Option<Rows<'_>> {
        let chunk = self.chunk(first)?;
        let place = (first % CHUNK) as usize;
        let end = place + count as usize;
        Some(Rows {
            coarse: chunk.coarse.get(place * self.dimensions..end * self.dimensions)?,
            scales: chunk.scales.get(place..end)?,
        })
    }
}

impl Chunk {
    fn new(dimensions: usize) -> Self {
        let rows = CHUNK as usize;
        Self {
            scales: [0; CHUNK as usize],
            coarse: vec![0; rows * dimensions].into(),
            fine: vec![0; rows * dimensions.div_ceil(2)].into(),
        }
    }
}

fn piece<T>(all: &[T], place: usize, length: usize) -> Option<&[T]> {
    all.get(place * length..(place + 1) * length)
}

fn piece_mut<T>(all: &mut [T], place: usize, length: usize) -> Option<&mut [T]> {
    all.get_mut(place * length..(place + 1) * length)
}
