//! The fixture embedder, as its file defines it: how many words of each direction a text has, and a rest.
//! Knows nothing of the engine.

use serde_json::{Map, Value, json};

/// An embedder made from the fixture.
#[derive(Debug, Clone)]
pub struct Embedder {
    fixture: Value,
}

impl Embedder {
    /// The embedder of a fixture, a list of one.
    pub fn of(fixture: &Value) -> Option<Self> {
        let fixture = fixture.get(0)?.clone();
        Some(Self { fixture })
    }

    /// What an engine is told of it.
    pub fn about(&self) -> Value {
        let keys = ["id", "revision", "dimensions", "scripts", "languages"];
        let parts = keys
            .iter()
            .map(|key| ((*key).to_owned(), self.fixture[*key].clone()));
        Value::Object(parts.collect::<Map<String, Value>>())
    }

    /// One vector for each text, or the outcome of a failure on purpose.
    pub fn embed(&self, texts: &[String]) -> Result<Vec<Value>, Value> {
        let any = |how: &str| texts.iter().any(|text| self.fails(text, how));
        if any("throw") {
            return Err(
                json!({ "kind": "error", "name": "FixtureError", "message": "the fixture cannot embed this" }),
            );
        }
        if any("hang") {
            return Err(json!({ "kind": "timeout", "elapsedMs": self.fixture["timeoutMs"] }));
        }
        if any("few") {
            return Err(json!({ "kind": "error", "message": "too few vectors" }));
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    /// Whether a vector is one of the model.
    pub fn is_fit(&self, vector: &Value) -> bool {
        let numbers = vector.as_array().map(Vec::as_slice).unwrap_or_default();
        json!(numbers.len()) == self.fixture["dimensions"]
            && numbers.iter().any(|number| number.as_f64() != Some(0.0))
    }

    fn vector(&self, text: &str) -> Value {
        if self.fails(text, "dimensions") {
            return json!([1.0]);
        }
        if self.fails(text, "zeros") {
            return json!([0.0, 0.0, 0.0, 0.0]);
        }
        let lower = text.to_lowercase();
        let directions = self.fixture["directions"].as_array().into_iter().flatten();
        let count = |words: &Value| {
            let words = words.as_array().into_iter().flatten().filter_map(Value::as_str);
            json!(words.filter(|word| lower.contains(word)).count())
        };
        directions
            .map(count)
            .chain([self.fixture["rest"].clone()])
            .collect()
    }

    fn fails(&self, text: &str, how: &str) -> bool {
        let failures = self.fixture["failures"].as_object().into_iter().flatten();
        failures
            .into_iter()
            .any(|(word, kind)| kind == how && text.contains(word.as_str()))
    }
}
