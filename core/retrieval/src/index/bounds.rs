//! How much work and memory a change may cost, counted, not timed.

use std::borrow::Cow;
use std::sync::Arc;

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
    let mut bytes = 0;
    for number in 0..after.terms.places() {
        let pieces = |index: &Index| index.terms.postings(number).map(|postings| postings.pieces);
        bytes += match (old, new) {
            (Some(Pieces::Words(old)), Some(Pieces::Words(new))) if old.as_ptr() == new.as_ptr() => 0,
            (_, Some(Pieces::Words(new))) => size_of_val(new),
            (Some(Pieces::List(old)), Some(Pieces::List(new))) if std::ptr::eq(old, new) => 0,
            (old, Some(Pieces::List(new))) => {
                let known = |chunk: &Chunk| match old {
                    Some(Pieces::List(old)) => old.chunks().iter().any(|other| same(chunk, other)),
                    _ => false,
                };
                let size = |chunk: &Chunk| match chunk {
                    Chunk::Run(_, run) => run.words().len() * 4,
                    Chunk::Column(_, column) => column.impacts().len(),
                };
                new.chunks()
                    .iter()
                    .map(|chunk| if known(chunk) { 16 } else { size(chunk) })
                    .sum()
            }
            _ => 0,
        };
    }
    bytes
}

fn same(left: &Chunk, right: &Chunk) -> bool {
    match (left, right) {
        (Chunk::Run(_, left), Chunk::Run(_, right)) => Arc::ptr_eq(left, right),
        (Chunk::Column(_, left), Chunk::Column(_, right)) => Arc::ptr_eq(left, right),
        _ => false,
    }
}

#[test]
fn a_change_copies_a_block_of_each_term_at_most_however_many_documents_there_are() {
    let cost = |count: u32| {
        let (mut index, mut analyzer) = filled(count);
        let published = index.clone();
        insert(&mut index, count / 2, count + 7, &mut analyzer);
        copied(&published, &index)
    };
    let (thousand, block, blocks, more) = (cost(1_000), cost(4_200), cost(12_600), cost(25_200));
    assert!(thousand > 0 && thousand < 12_000, "{thousand} bytes");
    // A term of every tenth document is a run in one block and a column in a block of many.
    assert!(blocks < block + 6_000, "{block} and {blocks} bytes");
    assert!(more < blocks + blocks / 4, "{blocks} and {more} bytes");
}

#[test]
fn an_unpublished_index_is_changed_in_place() {
    let (mut index, mut analyzer) = filled(2_000);
    let address = |index: &Index| match index.terms.postings(0) {
        Some(Pieces::List(list)) => std::ptr::from_ref(list) as usize,
        _ => 0,
    };
    let before = address(&index);
    insert(&mut index, 77, 99_999, &mut analyzer);
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
