//! An engine whose every answer is looked at: JSON, one of two shapes, a known code. Knows no operation.

use honeyguide::{Engine, ErrorCode};
use serde_json::{Value, json};

/// An engine that is trusted with nothing.
#[derive(Debug)]
pub struct Witness {
    engine: Engine,
}

impl Witness {
    /// An engine with these options, which must be good ones.
    pub fn new(options: &Value) -> Self {
        let engine = Engine::new(&options.to_string()).expect("good options");
        Self { engine }
    }

    /// An engine with these items.
    pub fn with(options: &Value, kind: &str, items: &Value) -> Self {
        let witness = Self::new(options);
        let answer = witness.ok("register", &json!({ "kind": kind, "items": items }));
        assert_eq!(answer["rejected"], json!([]), "{answer}");
        witness
    }

    /// The envelope of one operation, looked at.
    pub fn ask(&self, operation: &str, request: &str) -> Value {
        envelope(&self.engine.call(operation, request), operation)
    }

    /// The text of an answer, not looked at: what strangers sent may be nested deeper than is read here.
    pub fn text(&self, operation: &str, request: &str) -> String {
        self.engine.call(operation, request)
    }

    /// What an operation answers that must not fail.
    pub fn ok(&self, operation: &str, request: &Value) -> Value {
        let mut answer = self.ask(operation, &request.to_string());
        assert!(answer.get("error").is_none(), "{operation} {request}: {answer}");
        answer["ok"].take()
    }

    /// The catalogs as bytes.
    pub fn save(&self) -> Vec<u8> {
        self.engine.save()
    }

    /// The envelope of a load, looked at.
    pub fn load(&self, bytes: &[u8]) -> Value {
        envelope(&self.engine.load(bytes), "load")
    }

    /// The items of a kind, as registered.
    pub fn list(&self, kind: &str) -> Vec<Value> {
        let listed = self.ok("list", &json!({ "kind": kind }));
        let items = listed["items"].as_array().expect("a list").clone();
        assert_eq!(listed["total"], items.len());
        assert_eq!(self.ok("size", &json!({ "kind": kind }))["size"], items.len());
        items
    }

    /// The ids, scores and ranks of a search of everything.
    pub fn hits(&self, kind: &str, query: &str) -> Value {
        let found = self.ok("search", &json!({ "kind": kind, "query": query, "topK": 1000 }));
        let hits = found["hits"].as_array().expect("hits");
        for (rank, hit) in hits.iter().enumerate() {
            assert_eq!(hit["rank"], rank);
            // A fact that is found by its id alone has no text that scores.
            assert!(
                hit["score"]
                    .as_f64()
                    .is_some_and(|score| score.is_finite() && score >= 0.0),
                "{hit}"
            );
        }
        found
    }

    /// The step that answers a call of the model, looked at: a reply, a question or a call, within `budget` tokens.
    pub fn step(&self, name: &str, arguments: &str, visible: &Value, budget: usize) -> Value {
        let request = format!(
            r#"{{"name":{},"arguments":{arguments},"visible":{visible},"now":1}}"#,
            Value::from(name)
        );
        let answer = self.ask("step", &request);
        let step = &answer["ok"];
        match step["kind"].as_str() {
            Some("reply") => {
                let reply = &step["reply"];
                if step["isError"] == true {
                    known(&reply["error"]);
                    assert!(
                        reply["message"].as_str().is_some_and(|text| !text.is_empty()),
                        "{reply}"
                    );
                }
                let tokens = honeyguide::capability::tokens::estimate(&reply.to_string());
                assert!(tokens <= budget, "{tokens} tokens: {reply}");
            }
            Some("approve" | "invoke") => assert!(step["call"]["toolId"].is_string(), "{step}"),
            _ => panic!("no step: {answer}"),
        }
        answer["ok"].clone()
    }
}

fn envelope(text: &str, operation: &str) -> Value {
    let answer: Value = serde_json::from_str(text).expect("an envelope is JSON");
    let shape = answer.as_object().expect("an envelope is an object");
    assert_eq!(shape.len(), 1, "{operation}: {answer}");
    match shape.get("error") {
        None => assert!(shape.contains_key("ok"), "{operation}: {answer}"),
        Some(error) => {
            let code = known(&error["code"]);
            assert_eq!(error["category"], json!(code.category()));
            assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()));
            assert!(error["details"].is_object());
        }
    }
    answer
}

/// A code that is on the list, and no bug of ours.
fn known(code: &Value) -> ErrorCode {
    let code = ErrorCode::ALL.iter().find(|known| code == known.as_str());
    let code = *code.expect("a known code");
    assert_ne!(code, ErrorCode::Internal);
    code
}
