//! How much work and memory a change may cost, counted, not timed.

use std::borrow::Cow;

use super::chunk::Chunk;
use super::kit::with_document;
use super::postings::Pieces;
use super::{Document, Field, Hint, Index, Prepared};
use crate::text::Analyzer;

/// A tool of about twenty terms: some in every tool, some in a tenth, some in few, some in one.
fn insert(index: &mut Index, slot: u32, number: u32, analyzer: &mut Analyzer) {
    let id = format!("server{}__verb{}_noun{}", number % 50, number % 12, number % 700);
    let description = format!(
        "Common words stand everywhere and topic{} detail{} rare{} unique{number} half{} tenth{}",
        number % 90,
        number % 1_100,
        number % 9_000,
        number % 2,
        number % 10,
    );
    let read = with_document(&id, &description, |document| Prepared::new(document, analyzer));
    index.put(slot, &read);
}

fn filled(count: u32) -> (Index, Analyzer) {
    let (mut index, mut analyzer) = (Index::new(), Analyzer::default());
    (0..count).for_each(|slot| insert(&mut index, slot, slot, &mut analyzer));
    (index, analyzer)
}

/// Bytes of postings that a published index and its changed successor do not share.
fn copied(before: &Index, after: &Index) -> usize {
    let pieces = |index: &Index, number| {
        index
            .terms
            .postings(number)
            .map(|postings| lying(postings.pieces))
    };
    (0..after.terms.places())
        .filter_map(|number| Some((pieces(before, number).unwrap_or_default(), pieces(after, number)?)))
        .flat_map(|(old, new)| new.into_iter().filter(move |piece| !old.contains(piece)))
        .map(|(_, bytes)| bytes)
        .sum()
}

/// Where pieces of postings lie, and how many bytes they have.
fn lying(pieces: Pieces<'_>) -> Vec<(usize, usize)> {
    match pieces {
        Pieces::Words(words) => vec![(words.as_ptr() as usize, size_of_val(words))],
        Pieces::List(list) => {
            let way = (list.chunks().as_ptr() as usize, size_of_val(list.chunks()));
            let chunks = list.chunks().iter().flat_map(|chunk| match chunk {
                Chunk::Run(_, run) => lying(Pieces::Words(run.words())),
                Chunk::Column(_, column) => {
                    let pieces = column.pieces().flatten();
                    pieces
                        .map(|piece| (piece.as_ptr() as usize, size_of_val(piece)))
                        .collect()
                }
            });
            std::iter::once(way).chain(chunks).collect()
        }
    }
}

/// The most and the mean of what changes copy, each of which is published before the next.
fn cost(count: u32) -> (usize, usize) {
    const CHANGES: u32 = 40;
    let (mut index, mut analyzer) = filled(count);
    let mut costs = Vec::new();
    for change in 0..CHANGES {
        let published = index.clone();
        insert(
            &mut index,
            (count / 2 + change * 97) % count,
            count + 7 + change,
            &mut analyzer,
        );
        costs.push(copied(&published, &index));
    }
    let sum: usize = costs.iter().sum();
    (costs.into_iter().max().unwrap_or(0), sum / CHANGES as usize)
}

#[test]
fn a_change_copies_a_piece_of_each_term_at_most_however_many_documents_there_are() {
    let [thousand, block, blocks, more] = [1_000, 4_200, 12_600, 25_200].map(cost);
    assert!(thousand.0 > 0 && thousand.0 < 20_000, "{thousand:?} bytes");
    // Where changes wait, several are made at once, in as many pieces at the most.
    for (most, mean) in [block, blocks, more] {
        assert!(most < 40_000 && mean < 8_000, "{most} and {mean} bytes");
    }
    assert!(more.1 < 2 * blocks.1, "{blocks:?} and {more:?} bytes");
}

#[test]
fn an_unpublished_index_is_changed_in_place() {
    let (mut index, mut analyzer) = filled(2_000);
    let address = |index: &Index| match index.terms.postings(0).map(|postings| postings.pieces) {
        Some(Pieces::List(list)) => std::ptr::from_ref(list) as usize,
        _ => 0,
    };
    let before = address(&index);
    (0..30).for_each(|change| insert(&mut index, 77 + change, 99_999 + change, &mut analyzer));
    assert!(before != 0 && address(&index) == before);
}

#[test]
fn thousands_of_registrations_and_removals_leave_nothing_behind() {
    let (mut index, mut analyzer) = (Index::new(), Analyzer::default());
    for number in 0..20_000 {
        insert(&mut index, number % 20, number, &mut analyzer);
    }
    let places = index.terms.places();
    assert!(places < 600, "{places} places for the terms of twenty documents");
    (0..20).for_each(|slot| assert!(index.remove(slot)));
    assert!(
        index.is_empty() && index.names.is_empty() && index.terms.is_empty() && index.spellings.is_empty()
    );
}

#[test]
fn a_slot_beyond_the_last_is_not_indexed_and_the_last_is() {
    let (mut index, mut analyzer) = (Index::new(), Analyzer::default());
    insert(&mut index, (1 << 24) - 1, 1, &mut analyzer);
    insert(&mut index, 1 << 24, 2, &mut analyzer);
    insert(&mut index, u32::MAX, 3, &mut analyzer);
    assert_eq!(index.len(), 1);
    assert!(!index.remove(u32::MAX));
}

#[test]
fn a_document_of_very_many_words_is_indexed_once_for_each() {
    let (mut index, mut analyzer) = (Index::new(), Analyzer::default());
    let text = "alpha beta gamma ".repeat(100_000);
    let fields = [(Field::Body, Cow::Borrowed(text.as_str()))];
    let document = Document {
        id: "x",
        names: &[],
        group: "x",
        hint: Hint::Neutral,
        fields: &fields,
    };
    index.put(0, &Prepared::new(&document, &mut analyzer));
    assert_eq!(index.terms.places(), 3);
}
