//! How similarities are spread, and that the best of them, as many as a page can need, are compared with all bits.

use std::sync::Arc;

use super::*;
use crate::index::Model;
use crate::text::Analyzer;

const DIMENSIONS: usize = 24;

/// Numbers that look random, the same on every machine.
fn vector(seed: u32) -> Vec<f32> {
    (0..24_u32)
        .map(|place| {
            let mixed = (seed * 24 + place + 1)
                .wrapping_mul(0x9e37_79b9)
                .wrapping_add(0x7f4a_7c15);
            let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b);
            f32::from(u16::try_from(mixed >> 16).unwrap()) - 32_768.0
        })
        .collect()
}

/// So many documents with vectors.
fn index(documents: u32) -> Index {
    let model = Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: u32::try_from(DIMENSIONS).unwrap(),
        scripts: None,
        is_english: false,
    });
    let (mut index, mut analyzer) = (Index::of(Some(&model)), Analyzer::new());
    for slot in 0..documents {
        let text = format!("text {slot}");
        index.embed(slot, &|| text.clone(), &mut analyzer);
        index
            .vectors_mut()
            .store(model.key(&text), &vector(slot + 1))
            .unwrap();
    }
    index
}

/// How many of the best documents have the similarity of all bits, and how many have it at all.
fn fine(documents: u32) -> (usize, usize) {
    let index = index(documents);
    let probe = Probe::new(&vector(0), DIMENSIONS).unwrap();
    let coarse = index.vectors().similarities(&probe);
    let dense = Dense::new(&index, &probe).unwrap();
    let mut best: Vec<u32> = (0..documents).collect();
    best.sort_by_key(|slot| std::cmp::Reverse(coarse[*slot as usize]));
    let is_fine = |slot: u32| dense.get(slot) == index.vectors().similarity(&probe, slot);
    let told_apart = |slot: u32| index.vectors().similarity(&probe, slot) != Some(coarse[slot as usize]);
    // What both ways see alike says nothing of the way.
    best.retain(|slot| told_apart(*slot));
    let first = best.iter().take_while(|slot| is_fine(**slot)).count();
    (first, best.iter().filter(|slot| is_fine(**slot)).count())
}

#[test]
fn the_mean_the_least_and_the_deviation_are_those_of_the_documents_that_have_a_vector() {
    let dense = Dense::of(vec![100, NONE, 300, 200]);
    assert_eq!(
        (dense.count, dense.mean, dense.least, dense.deviation),
        (3, 200, 100, 81)
    );
    assert_eq!(
        [0, 1, 2, 9].map(|slot| dense.get(slot)),
        [Some(100), None, Some(300), None]
    );
    assert_eq!(dense.slots().collect::<Vec<_>>(), [(0, 100), (2, 300), (3, 200)]);
    let alike = Dense::of(vec![-7; 3_000]);
    assert_eq!(
        (alike.count, alike.mean, alike.least, alike.deviation),
        (3_000, -7, -7, 0)
    );
}

#[test]
fn the_best_are_compared_with_all_bits_and_the_others_are_not() {
    let (first, all) = fine(1_000);
    assert!((35..80).contains(&first) && all < 100, "{first} {all}");
    // One in 64 where those are more.
    let (first, all) = fine(6_400);
    assert!((90..180).contains(&first) && all < 200, "{first} {all}");
}

#[test]
fn a_bar_is_reached_by_as_many_as_are_asked_for_and_by_those_that_stand_with_the_last() {
    let step = 1 << BIN_BITS;
    let apart: Vec<i32> = (0..100).map(|at| at * step + 5).collect();
    let reached = |similarities: &[i32], by: usize| {
        let bar = bar(similarities, by);
        similarities
            .iter()
            .filter(|similarity| **similarity >= bar)
            .count()
    };
    assert_eq!([1, 40, 100].map(|by| reached(&apart, by)), [1, 40, 100]);
    let mut with_equals = apart;
    with_equals.extend([60 * step; 7]);
    assert_eq!(reached(&with_equals, 40), 47);
    // Fewer than are asked for are all of them, and what has no vector is none.
    assert_eq!(reached(&[3, NONE, -2], 40), 2);
    assert_eq!(reached(&[-2 * ONE + 1, 2 * ONE - 1], 2), 2);
}
