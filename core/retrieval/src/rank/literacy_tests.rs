//! What becomes of a query in a language that the model does not know: sentences that can be false.

use std::sync::Arc;

use super::kit::{Shelf, Tool, tool};
use super::literacy::{Literacy, are_mostly_other};
use super::{Explainer, Method, Query, Ranking, search};
use crate::index::{Model, Probe};
use crate::text::Analyzer;

/// How near to each tool a query is, in the order of the tools.
const NEAR: [f32; 4] = [0.1, 0.9, 0.3, 0.1];

fn german() -> Vec<Tool> {
    vec![
        tool("create_event", "Legt einen neuen Termin für den Kalender an"),
        tool("delete_event", "Entfernt den Termin aus dem Kalender"),
        tool("get_weather", "Zeigt das Wetter für die nächsten Tage"),
        tool("ping", "Antwort"),
    ]
}

fn english() -> Vec<Tool> {
    vec![
        tool("create_event", "Adds an event to the calendar"),
        tool("delete_event", "Takes an event out of the calendar"),
        tool("get_weather", "Shows the weather of the next days"),
        tool("ping", "Answers"),
    ]
}

/// Tools with vectors of which each is a direction of its own.
fn shelf(tools: &[Tool], is_english: bool) -> Shelf {
    let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
    let model = Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 4,
        scripts: None,
        is_english,
    });
    shelf.index.expect_vectors_of(&model);
    for (at, (slot, tool)) in (0..).zip(tools).enumerate() {
        shelf.put(slot, tool.clone(), &mut analyzer);
        shelf.index.embed(slot, &|| tool.id.clone(), &mut analyzer);
        let mut vector = [0.0; 4];
        vector[at] = 1.0;
        let vectors = shelf.index.vectors_mut();
        vectors.store(model.key(&tool.id), &vector).unwrap();
    }
    shelf
}

fn asked<'a>(text: &'a str, probe: &'a Probe) -> Query<'a> {
    Query {
        text,
        limit: 9,
        method: Method::Hybrid,
        probe: Some(probe),
        ..Query::default()
    }
}

fn ask(shelf: &Shelf, text: &str) -> Ranking {
    search(&shelf.index, &asked(text, &Probe::new(&NEAR, 4).unwrap()))
}

/// What meaning adds to the score of the nearest tool.
fn meaning(shelf: &Shelf, text: &str) -> f64 {
    let probe = Probe::new(&NEAR, 4).unwrap();
    let explainer = Explainer::new(&shelf.index, &asked(text, &probe));
    explainer.meaning(1).unwrap().score.to_f64()
}

#[test]
fn meaning_counts_a_quarter_in_a_language_that_the_model_does_not_know() {
    let text = "bitte den Termin im Kalender streichen";
    let [whole, part] = [false, true].map(|is_english| meaning(&shelf(&german(), is_english), text));
    assert!(whole > 1.0, "{whole}");
    assert!((part * 4.0 - whole).abs() < 0.001, "{part} of {whole}");
}

#[test]
fn an_english_query_counts_whole_whatever_the_catalog() {
    for tools in [german(), english()] {
        let text = "take this off the kalender of events";
        let [whole, same] = [false, true].map(|is_english| meaning(&shelf(&tools, is_english), text));
        assert!(whole > 1.0 && whole == same, "{same} of {whole}");
    }
}

#[test]
fn a_query_that_does_not_say_its_language_is_taken_to_be_in_that_of_the_catalog() {
    for (tools, literacy) in [(german(), Literacy::Language), (english(), Literacy::Fluent)] {
        let shelf = shelf(&tools, true);
        assert_eq!(are_mostly_other(&shelf.index), literacy == Literacy::Language);
        assert_eq!(Literacy::of(&shelf.index, "kalender event"), literacy);
        assert_eq!(
            Literacy::of(&shelf.index, "streiche das bitte aus dem Kalender"),
            Literacy::Language
        );
        assert_eq!(
            Literacy::of(&shelf.index, "what is the weather"),
            Literacy::Fluent
        );
    }
    // Half of the texts are not most of them.
    let mixed: Vec<Tool> = german()
        .into_iter()
        .take(2)
        .chain(english().into_iter().skip(2))
        .collect();
    assert_eq!(
        Literacy::of(&shelf(&mixed, true).index, "kalender event"),
        Literacy::Fluent
    );
}

#[test]
fn a_model_that_names_no_language_is_taken_to_know_all() {
    let shelf = shelf(&german(), false);
    assert_eq!(
        Literacy::of(&shelf.index, "streiche das bitte aus dem Kalender"),
        Literacy::Fluent
    );
    assert_eq!(
        Literacy::of(&Shelf::of(german()).index, "streiche das bitte"),
        Literacy::Fluent
    );
}

#[test]
fn what_words_vouch_for_is_not_taken_back_by_a_model_that_does_not_know_their_language() {
    // All three words stand in a tool to which the query is not near.
    let text = "zeigt das Wetter für die nächsten Tage";
    let words = shelf(&german(), true).search(text, 9);
    let [whole, part] = [false, true].map(|is_english| ask(&shelf(&german(), is_english), text));
    assert!(
        whole.evidence < words.evidence,
        "{} of {}",
        whole.evidence,
        words.evidence
    );
    assert_eq!((part.evidence, part.status), (words.evidence, words.status));
}
