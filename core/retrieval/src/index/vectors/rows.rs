//! Rows of numbers in chunks that clones share: a change copies the chunk it touches and no other.
//! Knows nothing of what a row stands for.

use std::sync::Arc;

use super::scan::Rows;
use super::unit::Unit;
use crate::index::radix::Radix;

/// About how many bytes of a chunk are scanned. With chunks an eighth as large, what lies between them and is not scanned makes a scan
/// take three times as long; with much larger ones, a change would copy more than it has to.
const CHUNK_BYTES: usize = 96 * 1_024;

/// Numbered rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    dimensions: usize,
    /// Rows of a chunk.
    rows: u32,
    chunks: Radix<Option<Arc<Chunk>>>,
}

/// Rows that lie together.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    scales: Box<[u32]>,
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
        let rows = (CHUNK_BYTES / dimensions.max(1)).clamp(8, 1_024);
        Self {
            dimensions,
            rows: 1 << rows.ilog2(),
            chunks: Radix::default(),
        }
    }

    /// Whether a row stands first in its chunk.
    pub(crate) fn is_first(&self, row: u32) -> bool {
        row.is_multiple_of(self.rows.max(1))
    }

    /// The chunk of a row, and its place there.
    fn place(&self, row: u32) -> (u32, usize) {
        let rows = self.rows.max(1);
        (row / rows, (row % rows) as usize)
    }

    /// Writes a row.
    pub(crate) fn put(&mut self, row: u32, unit: &Unit) {
        let (dimensions, rows) = (self.dimensions, self.rows as usize);
        let (at, place) = self.place(row);
        let Some(chunk) = self.chunks.get_mut(at) else {
            return;
        };
        let chunk = Arc::make_mut(chunk.get_or_insert_with(|| Arc::new(Chunk::new(rows, dimensions))));
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
        self.chunks.get(self.place(row).0)?.as_ref()
    }

    /// A row.
    pub(crate) fn row(&self, row: u32) -> Option<Row<'_>> {
        let chunk = self.chunk(row)?;
        let (_, place) = self.place(row);
        Some(Row {
            scale: *chunk.scales.get(place)?,
            coarse: piece(&chunk.coarse, place, self.dimensions)?,
            fine: piece(&chunk.fine, place, self.dimensions.div_ceil(2))?,
        })
    }

    /// Rows that stand one after the other in a chunk, to be scanned.
    pub(crate) fn run(&self, first: u32, count: u32) -> Option<Rows<'_>> {
        let chunk = self.chunk(first)?;
        let (_, place) = self.place(first);
        let end = place + count as usize;
        Some(Rows {
            coarse: chunk.coarse.get(place * self.dimensions..end * self.dimensions)?,
            scales: chunk.scales.get(place..end)?,
        })
    }
}

impl Chunk {
    fn new(rows: usize, dimensions: usize) -> Self {
        Self {
            scales: vec![0; rows].into(),
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
