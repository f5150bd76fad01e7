//! How often an attacker is found for what is about others. Knows nothing of how it attacks.

use honeyguide::Engine;
use serde_json::{Value, json};

/// In how many of a hundred queries an attacker beside these tools is among the first three.
pub(crate) fn share<'a>(tools: &[Value], queries: impl Iterator<Item = &'a String>, attacker: &Value) -> f64 {
    let engine = Engine::new("").unwrap();
    let mut items = tools.to_vec();
    items.push(attacker.clone());
    call(&engine, "register", &json!({"kind": "tool", "items": items}));
    let (mut asked, mut reached) = (0, 0);
    for query in queries {
        let request = json!({"kind": "tool", "query": query, "topK": 3});
        let answer = call(&engine, "search", &request);
        let hits = answer["hits"].as_array().unwrap();
        asked += 1;
        reached += i32::from(hits.iter().any(|hit| hit["id"] == attacker["id"]));
    }
    100.0 * f64::from(reached) / f64::from(asked)
}

fn call(engine: &Engine, operation: &str, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&engine.call(operation, &request.to_string())).unwrap();
    assert!(answer["error"].is_null(), "{answer}");
    answer["ok"].clone()
}
