//! What neighbours add, for any texts and queries.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::super::kit::{Shelf, Tool, tool};
use super::super::plan::Plan;
use super::super::scan;
use super::*;
use crate::index::Model;
use crate::text::{Analyzer, analyze_query};

fn shelf(tools: &[Tool]) -> Shelf {
    let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
    shelf.index.expect_vectors_of(&Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 2,
        scripts: None,
        is_english: false,
    }));
    for (slot, tool) in (0..).zip(tools) {
        put(&mut shelf, slot, tool, &mut analyzer);
    }
    shelf
}

fn put(shelf: &mut Shelf, slot: u32, tool: &Tool, analyzer: &mut Analyzer) {
    shelf.put(slot, tool.clone(), analyzer);
    shelf
        .index
        .embed(slot, &|| format!("{}\n{}", tool.id, tool.description), analyzer);
}

/// What neighbours add to the words of each tool.
fn added(shelf: &Shelf, query: &str) -> Vec<i32> {
    let text = analyze_query(query);
    let words = scan::sums(&shelf.index, &Plan::new(&shelf.index, &text));
    let mut sums = words.clone();
    add(&shelf.index, query, &mut Reader::default(), &mut sums);
    sums.iter().zip(&words).map(|(sum, words)| sum - words).collect()
}

fn heaters() -> Vec<Tool> {
    vec![
        tool("alpha", "Repairs a water heater"),
        tool("beta", "Heater for water"),
        tool("gamma", "Repairs the heater of the water"),
        tool("delta", "Mows the lawn"),
    ]
}

#[test]
fn two_words_side_by_side_are_worth_six_tenths_of_the_rarer() {
    let shelf = shelf(&heaters());
    let rarer = i32::from(Weights::among(4).of(3));
    assert_eq!(added(&shelf, "my water heater"), [60 * rarer, 0, 0, 0]);
    // The other order is another pair; stop words between two words are not seen.
    assert_eq!(
        added(&shelf, "a heater for the water"),
        [0, 60 * rarer, 60 * rarer, 0]
    );
}

#[test]
fn a_pair_counts_once_however_often_a_query_or_a_text_says_it() {
    let mut tools = heaters();
    tools[0].description = "Water heater, water heater, water heater".to_owned();
    let shelf = shelf(&tools);
    let once = added(&shelf, "water heater");
    assert!(once[0] > 0);
    // `heater water` is a pair of both, too, so the query does not end with a word that begins the next.
    assert_eq!(added(&shelf, "water heater lawn water heater")[0], once[0]);
}

#[test]
fn two_words_that_stand_everywhere_in_a_large_catalog_count_for_nothing() {
    let tools = |many: usize| -> Vec<Tool> {
        (0..many)
            .map(|at| tool(&format!("q{at}"), "water heater"))
            .collect()
    };
    assert!(added(&shelf(&tools(256)), "water heater")[0] > 0);
    assert_eq!(added(&shelf(&tools(257)), "water heater")[0], 0);
}

#[test]
fn an_identifier_counts_by_its_words_and_what_has_no_spaces_has_none() {
    let shelf = shelf(&[
        tool("water_heater", ""),
        tool("x", "温水器を修理する"),
        tool("y", "Lawn"),
    ]);
    assert!(added(&shelf, "waterHeater")[0] > 0);
    assert_eq!(added(&shelf, "温水器を修理"), [0, 0, 0]);
}

#[test]
fn a_catalog_without_a_model_keeps_no_pairs() {
    let shelf = Shelf::of(heaters());
    assert_eq!(added(&shelf, "water heater"), [0; 4]);
}

#[test]
fn what_is_taken_out_or_replaced_leaves_no_pairs_behind() {
    let (mut shelf, mut analyzer) = (shelf(&heaters()), Analyzer::default());
    put(
        &mut shelf,
        0,
        &tool("alpha", "Water, and a lawn heater"),
        &mut analyzer,
    );
    assert_eq!(added(&shelf, "water heater")[0], 0);
    shelf.index.vectors_mut().remove(2);
    assert_eq!(added(&shelf, "heater water")[2], 0);
}

const WORDS: [&str; 6] = ["water", "heater", "of the", "lawn", "mow", "Größe"];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(0..WORDS.len(), 0..9).prop_map(|places| {
        let words: Vec<&str> = places.into_iter().map(|place| WORDS[place]).collect();
        words.join(" ")
    })
}

/// The pairs of a text of these words, read the simple way.
fn pairs(text: &str) -> HashSet<(&str, &str)> {
    let words: Vec<&str> = text
        .split(' ')
        .filter(|word| !["", "of", "the"].contains(word))
        .collect();
    words
        .windows(2)
        .filter(|two| two[0] != two[1])
        .map(|two| (two[0], two[1]))
        .collect()
}

proptest! {
    #[test]
    fn neighbours_are_those_of_the_simple_way(texts in proptest::collection::vec(text(), 1..6), query in text()) {
        let tools: Vec<Tool> = (0..).zip(&texts).map(|(at, text): (u32, _)| tool(&format!("q{at}"), text)).collect();
        let shelf = shelf(&tools);
        for (text, added) in texts.iter().zip(added(&shelf, &query)) {
            prop_assert_eq!(added > 0, pairs(text).intersection(&pairs(&query)).next().is_some(), "{} / {}", text, query);
        }
    }
}
