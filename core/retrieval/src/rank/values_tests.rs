//! What the words of values are worth, for any texts and queries.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::kit::{Shelf, Tool, tool};
use super::super::plan::Plan;
use super::super::{Explainer, Method, Query, scan, search};
use super::*;
use crate::index::{Model, Probe};
use crate::text::{Analyzer, Reader};

fn reminders() -> Vec<Tool> {
    vec![
        tool("add_reminder", "Reminds of something"),
        tool("book_flight", "Books a flight, such as on March 3"),
        tool("send_mail", "Sends a message to example.com"),
    ]
}

/// The sums of the words of each tool, as they are alone and beside meaning.
fn sums(shelf: &Shelf, query: &str) -> (Vec<i32>, Vec<i32>) {
    let (mut reader, mut text) = (Reader::default(), QueryText::default());
    reader.read(query, &mut text);
    let plan = Plan::new(&shelf.index, &text);
    let alone = scan::sums(&shelf.index, &plan);
    let mut beside = alone.clone();
    lessen(&plan, &among(&text, &reader.values(query)), &mut beside);
    (alone, beside)
}

#[test]
fn the_words_of_a_quotation_a_date_and_an_address_are_worth_half() {
    let shelf = Shelf::of(reminders());
    for query in [
        "remind of \"book flight\"",
        "remind of it on March",
        "remind of message@example.com",
        "remind of ```a flight```",
    ] {
        let (alone, beside) = sums(&shelf, query);
        assert_eq!(beside[0], alone[0], "{query}");
        for (alone, beside) in alone.iter().zip(&beside).skip(1) {
            assert!((2 * beside - alone).abs() <= 4, "{query}: {alone} {beside}");
        }
        assert!(alone[1..].iter().any(|sum| *sum > 0), "{query}");
    }
}

#[test]
fn a_word_that_is_also_said_outside_of_a_value_counts_in_full() {
    let shelf = Shelf::of(reminders());
    let (alone, beside) = sums(&shelf, "book a flight called 'flight'");
    assert_eq!(alone, beside);
}

#[test]
fn a_query_of_values_alone_is_read_as_it_stands() {
    let shelf = Shelf::of(reminders());
    for query in ["\"book a flight\"", "example.com", "3 March"] {
        let (alone, beside) = sums(&shelf, query);
        assert_eq!(alone, beside, "{query}");
        assert!(alone.iter().any(|sum| *sum > 0), "{query}");
    }
}

/// Tools of which each has the meaning of none.
fn with_vectors() -> (Shelf, Probe) {
    let model = Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 2,
        scripts: None,
        is_english: false,
    });
    let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
    shelf.index.expect_vectors_of(&model);
    for (slot, tool) in (0..).zip(reminders()) {
        let text = format!("{}\n{}", tool.id, tool.description);
        shelf.put(slot, tool, &mut analyzer);
        shelf.index.embed(slot, &|| text.clone(), &mut analyzer);
        shelf
            .index
            .vectors_mut()
            .store(model.key(&text), &[1.0, 0.0])
            .unwrap();
    }
    (shelf, Probe::new(&[0.0, 1.0], 2).unwrap())
}

#[test]
fn beside_meaning_what_is_wanted_stands_before_what_is_quoted_and_explain_says_why() {
    let (shelf, probe) = with_vectors();
    let query = Query {
        text: "reminder: 'flight to Rome, book'",
        limit: 9,
        method: Method::Hybrid,
        probe: Some(&probe),
        ..Query::default()
    };
    assert_eq!(shelf.page(&shelf.search(query.text, 9))[0], "book_flight");
    let ranking = search(&shelf.index, &query);
    assert_eq!(shelf.page(&ranking)[0], "add_reminder");
    let explainer = Explainer::new(&shelf.index, &query);
    for hit in ranking.hits {
        let parts = explainer.contributions(hit.slot);
        let words: f64 = parts.iter().map(|part| part.score.to_f64()).sum();
        let meaning = explainer.meaning(hit.slot).unwrap().score.to_f64();
        assert!((words + meaning - hit.score.to_f64()).abs() < 1e-6);
    }
    let alone = Explainer::new(
        &shelf.index,
        &Query {
            text: query.text,
            ..Query::default()
        },
    );
    let of = |explainer: &Explainer<'_>, word: &str, slot| {
        let parts = explainer.contributions(slot);
        let found = parts.iter().find(|part| part.word == word).unwrap();
        found.score.to_f64()
    };
    assert_eq!(of(&explainer, "reminder", 0), of(&alone, "reminder", 0));
    for word in ["flight", "book"] {
        let [beside, alone] = [&explainer, &alone].map(|explainer| of(explainer, word, 1));
        assert!((2.0 * beside - alone).abs() < 1e-3, "{word}: {beside} {alone}");
    }
}

const WORDS: [&str; 5] = ["remind", "book", "flight", "mail", "march"];

/// Words of a query, each with whether it is quoted.
fn any_query() -> impl Strategy<Value = Vec<(usize, bool)>> {
    proptest::collection::vec((0..WORDS.len(), any::<bool>()), 1..7)
}

fn written(words: &[(usize, bool)]) -> String {
    let words = words.iter().map(|(word, quoted)| {
        let word = WORDS[*word];
        if *quoted {
            format!("\u{ab}{word}\u{bb}")
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

proptest! {
    #[test]
    fn a_tool_keeps_at_least_half_of_its_words_and_all_of_what_is_said(query in any_query(), texts in proptest::collection::vec(any_query(), 1..5)) {
        let shelf = Shelf::of((0..).zip(&texts).map(|(at, text): (u32, _)| tool(&format!("q{at}"), &written(text))));
        let (alone, beside) = sums(&shelf, &written(&query));
        // `march` is of a date wherever it stands.
        let said: Vec<usize> = query.iter().filter(|(word, quoted)| !quoted && *word != 4).map(|(word, _)| *word).collect();
        let is_lessened = |text: &[(usize, bool)]| {
            !said.is_empty() && text.iter().any(|(word, _)| !said.contains(word) && query.iter().any(|(other, _)| other == word))
        };
        for ((alone, beside), text) in alone.iter().zip(&beside).zip(&texts) {
            prop_assert!(2 * beside >= *alone && beside <= alone);
            prop_assert_eq!(beside < alone, is_lessened(text), "{} / {}", written(text), written(&query));
        }
    }
}
