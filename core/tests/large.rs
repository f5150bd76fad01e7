//! A catalog of so many terms that changes of long postings wait: it answers as one that never changed. Must not know how
//! postings lie.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use honeyguide::engine::Engine;

/// Two blocks of slots.
const TOOLS: u64 = 4_600;
/// Words of a tool that no other has: those of all are more terms than a small catalog's.
const OWN_WORDS: u64 = 15;
/// A word of so many is in each tool's text once or twice.
const COMMON: [u64; 6] = [2, 9, 30, 60, 200, 400];

/// Numbers that look like chance, and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn tool(number: u64, dice: &mut Dice) -> String {
    let mut text = "everywhere".to_owned();
    for place in 0..OWN_WORDS {
        write!(text, " own{number}x{place}").expect("a string takes text");
    }
    for sides in COMMON {
        for _ in 0..=dice.roll(2) {
            write!(text, " common{sides}x{}", dice.roll(sides)).expect("a string takes text");
        }
    }
    format!(r#"{{"id":"t{number:05}","description":"{text}"}}"#)
}

fn call(engine: &Engine, operation: &str, request: &str) -> String {
    let answer = engine.call(operation, request);
    assert!(answer.starts_with(r#"{"ok""#), "{operation} {answer}");
    answer
}

fn register(engine: &Engine, items: &[&str]) {
    let request = format!(r#"{{"kind":"tool","items":[{}]}}"#, items.join(","));
    call(engine, "register", &request);
}

fn requests() -> Vec<String> {
    let words = COMMON
        .iter()
        .flat_map(|sides| (0..2).map(move |word| format!("common{sides}x{word} common30x{word} everywhere")));
    let queries = words.chain(["everywhere".to_owned(), "own77x3 common200x5".to_owned()]);
    let request =
        |query: &String, more: &str| format!(r#"{{"kind":"tool","query":"{query}","topK":300{more}}}"#);
    let more = ["", r#","explain":true"#, r#","offset":7"#];
    queries
        .flat_map(|query| more.map(|more| request(&query, more)))
        .collect()
}

#[test]
fn a_large_catalog_that_was_changed_answers_as_one_that_was_not() {
    let mut dice = Dice(5);
    let engine = Engine::default();
    let mut state: Vec<Option<String>> = (0..TOOLS).map(|number| Some(tool(number, &mut dice))).collect();
    let terms: BTreeSet<&str> = state
        .iter()
        .flatten()
        .flat_map(|text| text.split(['"', ' ']))
        .collect();
    assert!(terms.len() > 1 << 16, "{} terms", terms.len());
    register(
        &engine,
        &state.iter().flatten().map(String::as_str).collect::<Vec<_>>(),
    );
    let requests = requests();
    for round in 0..2 {
        for change in 0..300 {
            // One of them is changed again and again.
            let number = if dice.roll(4) == 0 {
                4_100
            } else {
                dice.roll(TOOLS)
            };
            let place = usize::try_from(number).expect("a place");
            if state[place].is_some() && dice.roll(3) == 0 {
                state[place] = None;
                call(
                    &engine,
                    "remove",
                    &format!(r#"{{"kind":"tool","ids":["t{number:05}"]}}"#),
                );
            } else {
                let text = tool(number, &mut dice);
                register(&engine, &[&text]);
                state[place] = Some(text);
            }
            call(&engine, "search", &requests[change % requests.len()]);
        }
        let fresh = Engine::default();
        register(
            &fresh,
            &state
                .iter()
                .rev()
                .flatten()
                .map(String::as_str)
                .collect::<Vec<_>>(),
        );
        let loaded = Engine::default();
        let answer = loaded.load(&engine.save());
        assert!(answer.starts_with(r#"{"ok""#), "{answer}");
        for request in &requests {
            let answer = call(&engine, "search", request);
            assert_eq!(answer, call(&fresh, "search", request), "fresh {round} {request}");
            assert_eq!(
                answer,
                call(&loaded, "search", request),
                "loaded {round} {request}"
            );
        }
    }
}
