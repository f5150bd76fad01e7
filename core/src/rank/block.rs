//! Adds the postings of a query up, block by block. Knows nothing of words, documents and the order of hits.
//!
//! The sums of one block fit the first-level cache. All postings of the query are visited: a straight scan beats a clever one
//! at the sizes catalogs have, and it is exact.

use crate::index::chunk::{BLOCK, Chunk, unpack};
use crate::index::postings::{Postings, few};

use super::plan::PlanTerm;

/// The sums of one block and how far each list has been read.
pub(crate) struct Sums {
    values: Vec<i32>,
    cursors: Vec<Cursor>,
}

#[derive(Clone, Copy, Default)]
struct Cursor {
    chunk: usize,
    word: usize,
}

impl Sums {
    /// Room for the blocks of an index with `span` slots.
    pub(crate) fn new(span: u32, lists: usize) -> Self {
        Self {
            values: vec![0; span.min(BLOCK) as usize],
            cursors: vec![Cursor::default(); lists],
        }
    }

    /// The sums of the block that begins at a slot; blocks are asked for in order.
    pub(crate) fn add(&mut self, first: u32, terms: &[PlanTerm<'_>]) -> &mut [i32] {
        if first > 0 {
            self.values.fill(0);
        }
        let sums = self.values.as_mut_slice();
        for (term, cursor) in terms.iter().zip(&mut self.cursors) {
            match term.postings {
                Postings::Vacant(_) => {}
                Postings::Few { impacts, slots } => {
                    for (slot, impact) in few(impacts, slots) {
                        if let Some(sum) = slot.checked_sub(first).and_then(|at| sums.get_mut(at as usize)) {
                            *sum += term.weight * i32::from(impact);
                        }
                    }
                }
                Postings::Run(run) => add_run(run.words(), &mut cursor.word, first, sums, term.weight),
                Postings::List(list) => {
                    while let Some(chunk) = list.chunks().get(cursor.chunk) {
                        match chunk {
                            Chunk::Run(run) => {
                                add_run(run.words(), &mut cursor.word, first, sums, term.weight);
                                if cursor.word < run.words().len() {
                                    break;
                                }
                            }
                            Chunk::Column(column) if column.block() * BLOCK == first => {
                                for (sum, impact) in sums.iter_mut().zip(column.impacts()) {
                                    *sum += term.weight * i32::from(*impact);
                                }
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
        sums
    }
}

#[inline]
fn add_run(words: &[u32], at: &mut usize, first: u32, sums: &mut [i32], weight: i32) {
    let Some(left) = words.get(*at..) else { return };
    let mut read = 0;
    for word in left {
        let (slot, impact) = unpack(*word);
        let Some(sum) = sums.get_mut((slot - first) as usize) else {
            break;
        };
        *sum += weight * i32::from(impact);
        read += 1;
    }
    *at += read;
}
