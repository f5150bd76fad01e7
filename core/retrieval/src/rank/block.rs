//! Adds the postings of a query up, block by block. Knows nothing of words, documents and the order of hits.
//!
//! The sums of one block fit the first-level cache. All postings of the query are visited: a straight scan beats a clever one
//! at the sizes catalogs have, and it is exact. Columns are added two at a time, which loads and stores each sum half as often.

use crate::index::chunk::{BLOCK, Chunk, unpack};
use crate::index::postings::Postings;

use super::plan::PlanTerm;

/// The sums of one block and how far each list has been read.
pub(crate) struct Sums<'a> {
    /// No longer than the catalog, so that a small one has little to clear.
    values: Vec<i32>,
    cursors: Vec<Cursor>,
    /// The columns of the block at hand.
    columns: Vec<(i16, &'a [u8])>,
}

#[derive(Clone, Copy, Default)]
struct Cursor {
    chunk: usize,
    word: usize,
}

impl<'a> Sums<'a> {
    /// Room for the blocks of an index with `span` slots.
    #[inline(always)]
    pub(crate) fn new(span: u32, lists: usize) -> Self {
        Self {
            values: vec![0; span.min(BLOCK) as usize],
            cursors: vec![Cursor::default(); lists],
            columns: Vec::new(),
        }
    }

    /// The sums of the block that begins at a slot; blocks are asked for in order.
    #[inline(always)]
    pub(crate) fn add(&mut self, first: u32, terms: &[PlanTerm<'a>]) -> &mut [i32] {
        if first > 0 {
            self.values.fill(0);
        }
        let sums = self.values.as_mut_slice();
        self.columns.clear();
        for (term, cursor) in terms.iter().zip(&mut self.cursors) {
            let weight = term.weight;
            match term.postings {
                Postings::Words(words) => add_run(words, &mut cursor.word, first, sums, weight),
                Postings::List(list) => {
                    while let Some(chunk) = list.chunks().get(cursor.chunk) {
                        match chunk {
                            Chunk::Run(run) => {
                                add_run(run.words(), &mut cursor.word, first, sums, weight);
                                if cursor.word < run.words().len() {
                                    break;
                                }
                            }
                            Chunk::Column(column) if column.block() * BLOCK == first => {
                                self.columns.push((weight, column.impacts()));
                            }
                            Chunk::Column(_) => break,
                        }
                        *cursor = Cursor {
                            chunk: cursor.chunk + 1,
                            word: 0,
                        };
                    }
                }
            }
        }
        let (pairs, single) = self.columns.as_chunks::<2>();
        for [left, right] in pairs {
            add_two(sums, *left, *right);
        }
        for (weight, column) in single {
            add_column(sums, *weight, column);
        }
        sums
    }
}

#[inline(always)]
fn add_run(words: &[u32], at: &mut usize, first: u32, sums: &mut [i32], weight: i16) {
    let Some(left) = words.get(*at..) else { return };
    let mut read = 0;
    for word in left {
        let (slot, impact) = unpack(*word);
        let Some(sum) = sums.get_mut((slot - first) as usize) else {
            break;
        };
        *sum += product(weight, impact);
        read += 1;
    }
    *at += read;
}

#[inline(always)]
fn add_column(sums: &mut [i32], weight: i16, column: &[u8]) {
    for (sum, impact) in sums.iter_mut().zip(column) {
        *sum += product(weight, *impact);
    }
}

#[inline(always)]
fn add_two(sums: &mut [i32], left: (i16, &[u8]), right: (i16, &[u8])) {
    let common = left.1.len().min(right.1.len()).min(sums.len());
    for ((sum, first), second) in sums.iter_mut().zip(left.1).zip(right.1) {
        *sum += product(left.0, *first) + product(right.0, *second);
    }
    let rest = sums.get_mut(common..).unwrap_or_default();
    for (weight, column) in [left, right] {
        add_column(rest, weight, column.get(common..).unwrap_or_default());
    }
}

#[inline(always)]
fn product(weight: i16, impact: u8) -> i32 {
    i32::from(weight) * i32::from(impact)
}
