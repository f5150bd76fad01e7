//! Adds the postings of a query up, block by block. Knows nothing of words, documents and the order of hits.
//!
//! The sums of one block fit the first-level cache. All postings of the query are visited: a straight scan beats a clever one
//! at the sizes catalogs have, and it is exact. Columns are added two at a time, which loads and stores each sum half as often.
//! A catalog of one block, as nearly all are, needs no cursors. Sums are linear, so a change that is not in its pieces yet
//! is added as the difference that it makes.

use crate::index::chunk::{BLOCK, Chunk, Column, PIECE, Piece, unpack};
use crate::index::postings::Pieces;
use crate::index::warm;

use super::plan::{Plan, PlanTerm, Surplus};

/// The sums of one block and how far each list has been read.
pub(crate) struct Sums<'a> {
    /// No longer than the catalog, so that a small one has little to look at.
    values: &'a mut [i32],
    /// None where there is one block only: then no list is read twice.
    cursors: Vec<Cursor>,
    /// How much of the surplus has been taken away.
    taken: usize,
}

#[derive(Clone, Copy, Default)]
struct Cursor {
    chunk: usize,
    word: usize,
    late: usize,
}

impl<'a> Sums<'a> {
    /// Zeros, to be the sums of each block of an index with `span` slots.
    #[inline(always)]
    pub(crate) fn new(zeros: &'a mut [i32], span: u32, lists: usize) -> Self {
        Self {
            values: zeros,
            cursors: vec![Cursor::default(); if span > BLOCK { lists } else { 0 }],
            taken: 0,
        }
    }

    /// The sums of the block that begins at a slot; blocks are asked for in order, and whoever asks leaves zeros.
    #[inline(always)]
    pub(crate) fn add(&mut self, first: u32, plan: &Plan<'_>) -> &mut [i32] {
        if self.cursors.is_empty() {
            add_lists(self.values, &plan.terms);
        } else {
            self.add_parts(first, &plan.terms);
        }
        if !plan.surplus.is_empty() {
            take_surplus(&plan.surplus, &mut self.taken, first, self.values);
        }
        self.values
    }

    /// Adds what each list has of a block.
    #[inline(always)]
    fn add_parts(&mut self, first: u32, terms: &[PlanTerm<'_>]) {
        if first == 0 {
            look_at_pieces(terms);
        }
        self.ask_for_next(terms);
        let sums = &mut *self.values;
        let mut columns = Columns::default();
        for (term, cursor) in terms.iter().zip(&mut self.cursors) {
            let weight = term.weight;
            match term.postings.pieces {
                Pieces::Words(words) => add_run(words, &mut cursor.word, first, sums, weight),
                Pieces::List(list) => {
                    while let Some(chunk) = list.chunks().get(cursor.chunk) {
                        match chunk {
                            Chunk::Run(_, run) => {
                                add_run(run.words(), &mut cursor.word, first, sums, weight);
                                if cursor.word < run.words().len() {
                                    break;
                                }
                            }
                            Chunk::Column(block, column) if *block * BLOCK == first => {
                                columns.add(sums, weight, column);
                            }
                            Chunk::Column(..) => break,
                        }
                        *cursor = Cursor {
                            chunk: cursor.chunk + 1,
                            word: 0,
                            late: cursor.late,
                        };
                    }
                }
            }
        }
        columns.end(sums);
        for (term, cursor) in terms.iter().zip(&mut self.cursors) {
            if !term.postings.late.is_empty() {
                add_late(term, &mut cursor.late, first, sums);
            }
        }
    }

    /// Asks for the pieces after those that are added now: when their block is added, they have come.
    #[inline(always)]
    fn ask_for_next(&self, terms: &[PlanTerm<'_>]) {
        for (term, cursor) in terms.iter().zip(&self.cursors) {
            if let Pieces::List(list) = term.postings.pieces
                && let Some(chunk) = list.chunks().get(cursor.chunk + 1)
            {
                chunk.ask_for_all();
            }
        }
    }
}

/// Looks at where the pieces of lists lie, and asks for the first ones: pieces are met one after the other, and each would be
/// waited for twice.
#[inline(never)]
fn look_at_pieces(terms: &[PlanTerm<'_>]) {
    let lists = || {
        terms.iter().filter_map(|term| match term.postings.pieces {
            Pieces::Words(_) => None,
            Pieces::List(list) => Some(list.chunks()),
        })
    };
    warm::looks(lists().flatten().map(|chunk| chunk.count() as usize));
    lists().filter_map(<[Chunk]>::first).for_each(Chunk::ask_for_all);
}

/// Adds whole lists, where there is one block only.
#[inline(always)]
fn add_lists(sums: &mut [i32], terms: &[PlanTerm<'_>]) {
    let mut columns = Columns::default();
    for term in terms {
        let weight = term.weight;
        match term.postings.pieces {
            Pieces::Words(words) => add_words(words, sums, weight),
            Pieces::List(list) => {
                for chunk in list.chunks() {
                    match chunk {
                        Chunk::Run(_, run) => add_words(run.words(), sums, weight),
                        Chunk::Column(_, column) => columns.add(sums, weight, column),
                    }
                }
            }
        }
    }
    columns.end(sums);
    for term in terms.iter().filter(|term| !term.postings.late.is_empty()) {
        add_late(term, &mut 0, 0, sums);
    }
}

/// Adds what changes of a term that are not in its pieces make of the block's sums, and passes over them.
#[inline(never)]
fn add_late(term: &PlanTerm<'_>, at: &mut usize, first: u32, sums: &mut [i32]) {
    let left = term.postings.late.get(*at..).unwrap_or_default();
    for (slot, impact) in left.iter().map(|word| unpack(*word)) {
        let Some(sum) = sums.get_mut((slot - first) as usize) else {
            break;
        };
        let before = term.postings.pieces.impact(slot);
        *sum += product(term.weight, impact) - product(term.weight, before);
        *at += 1;
    }
}

/// Takes from the block's sums what is too much in them, and passes over it.
#[inline(never)]
fn take_surplus(surplus: &[Surplus], at: &mut usize, first: u32, sums: &mut [i32]) {
    for one in surplus.get(*at..).unwrap_or_default() {
        let Some(sum) = sums.get_mut((one.slot - first) as usize) else {
            break;
        };
        *sum -= one.steps;
        *at += 1;
    }
}

/// A column that waits for another one.
#[derive(Default)]
struct Columns<'a> {
    single: Option<(i16, &'a Column)>,
}

impl<'a> Columns<'a> {
    #[inline(always)]
    fn add(&mut self, sums: &mut [i32], weight: i16, column: &'a Column) {
        match self.single.take() {
            Some(other) => add_two(sums, other, (weight, column)),
            None => self.single = Some((weight, column)),
        }
    }

    #[inline(always)]
    fn end(self, sums: &mut [i32]) {
        if let Some((weight, column)) = self.single {
            add_column(sums, weight, column);
        }
    }
}

/// Adds the postings of the block, and passes over them.
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
fn add_words(words: &[u32], sums: &mut [i32], weight: i16) {
    let (fours, rest) = words.as_chunks::<4>();
    for four in fours {
        for word in four {
            add_word(*word, sums, weight);
        }
    }
    for word in rest {
        add_word(*word, sums, weight);
    }
}

#[inline(always)]
fn add_word(word: u32, sums: &mut [i32], weight: i16) {
    let (slot, impact) = unpack(word);
    if let Some(sum) = sums.get_mut(slot as usize) {
        *sum += product(weight, impact);
    }
}

#[inline(always)]
fn add_column(sums: &mut [i32], weight: i16, column: &Column) {
    for (sums, piece) in sums.chunks_mut(PIECE).zip(column.pieces()) {
        if let Some(piece) = piece {
            add_piece(sums, weight, piece);
        }
    }
}

#[inline(always)]
fn add_two(sums: &mut [i32], left: (i16, &Column), right: (i16, &Column)) {
    let pieces = left.1.pieces().zip(right.1.pieces());
    for (sums, pieces) in sums.chunks_mut(PIECE).zip(pieces) {
        match pieces {
            (Some(first), Some(second)) => add_two_pieces(sums, (left.0, first), (right.0, second)),
            (Some(first), None) => add_piece(sums, left.0, first),
            (None, Some(second)) => add_piece(sums, right.0, second),
            (None, None) => {}
        }
    }
}

#[inline(always)]
fn add_piece(sums: &mut [i32], weight: i16, piece: &Piece) {
    for (sum, impact) in sums.iter_mut().zip(piece) {
        *sum += product(weight, *impact);
    }
}

#[inline(always)]
fn add_two_pieces(sums: &mut [i32], left: (i16, &Piece), right: (i16, &Piece)) {
    for ((sum, first), second) in sums.iter_mut().zip(left.1).zip(right.1) {
        *sum += product(left.0, *first) + product(right.0, *second);
    }
}

#[inline(always)]
fn product(weight: i16, impact: u8) -> i32 {
    i32::from(weight) * i32::from(impact)
}
