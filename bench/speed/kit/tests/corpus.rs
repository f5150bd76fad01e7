//! What a generated catalog promises, on small ones.

use std::collections::HashSet;

use honeyguide_bench_kit::corpus::{Corpus, QUERIES, UPDATES};
use honeyguide_bench_kit::realism::Realism;
use honeyguide_bench_kit::sets::text_of;
use serde_json::Value;

const SEED: u64 = 1;

fn lines(tools: usize) -> Vec<String> {
    Corpus::new(SEED, tools)
        .tools()
        .map(|tool| tool.to_json())
        .collect()
}

#[test]
fn a_small_catalog_is_the_beginning_of_a_large_one() {
    assert_eq!(lines(50), lines(80)[..50]);
}

#[test]
fn another_seed_is_another_catalog() {
    let other: Vec<String> = Corpus::new(2, 50).tools().map(|tool| tool.to_json()).collect();
    assert_ne!(lines(50), other);
}

#[test]
fn every_line_is_a_tool_of_its_own_id() {
    let mut ids = HashSet::new();
    for line in lines(500) {
        let tool: Value = serde_json::from_str(&line).expect("a line is JSON");
        assert!(
            tool["inputSchema"]["properties"]
                .as_object()
                .is_some_and(|all| all.len() >= 2)
        );
        assert!(
            ids.insert(tool["id"].as_str().expect("a tool has an id").to_owned()),
            "{line}"
        );
    }
}

#[test]
fn changes_replace_and_add_in_turn() {
    let corpus = Corpus::new(SEED, 100);
    let ids: HashSet<String> = corpus.tools().map(|tool| tool.id).collect();
    for number in 0..UPDATES {
        assert_eq!(
            ids.contains(&corpus.update(number).id),
            number % 2 == 0,
            "change {number}"
        );
    }
}

#[test]
fn what_decides_the_cost_of_a_search_is_near_real_catalogs() {
    let corpus = Corpus::new(SEED, 1_000);
    let queries: Vec<String> = (0..QUERIES).map(|number| corpus.query(number).text).collect();
    let documents = corpus.tools().map(|tool| {
        let line = tool.to_json();
        let text = text_of(&serde_json::from_str(&line).expect("a line is JSON"));
        (line.len(), text)
    });
    let found = Realism::of(documents, &queries);
    assert!((1_000.0..1_200.0).contains(&found.bytes), "{found:?}");
    assert!((9.0..11.0).contains(&found.query_words), "{found:?}");
    assert!((0.23..0.30).contains(&found.share), "{found:?}");
    assert!((0.26..0.33).contains(&found.postings), "{found:?}");
}
