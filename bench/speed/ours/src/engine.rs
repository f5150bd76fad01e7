//! The engine as the bindings call it: JSON text in, JSON text out. The host's part, writing the request and reading the
//! answer, is measured in the rows of the SDKs.

use honeyguide::Engine;
use honeyguide_bench_kit::measure::{self, HITS};
use honeyguide_bench_kit::sets::Item;
use serde_json::{Value, json};

pub struct OursEngine(Engine);

impl measure::Engine for OursEngine {
    const NAME: &'static str = "honeyguide engine";
    type Batch = String;
    type Change = String;
    type Query = String;
    type Hits = String;

    fn batch(items: &[Item]) -> String {
        register(items)
    }

    fn change(item: &Item) -> String {
        register(std::slice::from_ref(item))
    }

    fn query(text: &str) -> String {
        json!({"kind": "tool", "query": text, "topK": HITS}).to_string()
    }

    fn build(batch: String) -> Self {
        let engine = Engine::default();
        // What was read stays in memory, so that what grows is what the engine holds.
        check(&engine.call("register", &std::mem::ManuallyDrop::new(batch)));
        Self(engine)
    }

    fn search(&mut self, query: &String) -> String {
        self.0.call("search", query)
    }

    fn update(&mut self, change: String) {
        check(&self.0.call("register", &change));
    }

    fn ids(&self, hits: &String) -> Vec<String> {
        let answer: Value = serde_json::from_str(hits).unwrap_or_default();
        let hits = answer["ok"]["hits"].as_array().into_iter().flatten();
        hits.filter_map(|hit| hit["id"].as_str().map(str::to_owned))
            .collect()
    }
}

/// The request that registers items.
pub fn register(items: &[Item]) -> String {
    let lines: Vec<&str> = items.iter().map(|item| item.line.as_str()).collect();
    format!(r#"{{"kind":"tool","items":[{}]}}"#, lines.join(","))
}

/// A bench of a refusal would be a wrong number.
pub fn check(answer: &str) {
    assert!(answer.starts_with(r#"{"ok""#), "refused: {answer}");
}
