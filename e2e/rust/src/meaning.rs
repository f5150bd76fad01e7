//! The host's part in searches by meaning: vectors for texts and queries, asked for as the facades do. Decides nothing.

use serde_json::{Map, Value, json};

use crate::client::{Client, Observed};
use crate::errors;

impl Client {
    /// Embeds every text that has no vector.
    pub fn warm_up(&mut self) -> Result<Value, Observed> {
        let mut refused: Vec<Value> = Vec::new();
        loop {
            let page = self.send("missingVectors", &json!({ "offset": refused.len(), "limit": 64 }))?;
            let missing = page["texts"].as_array().cloned().unwrap_or_default();
            if missing.is_empty() {
                let count = |key: &str| page[key].as_u64().unwrap_or_default();
                let (total, missing) = (count("total"), count("missing"));
                return Ok(json!({ "embedded": total - missing, "total": total, "refused": refused }));
            }
            let texts: Vec<String> = missing
                .iter()
                .map(|text| text["text"].as_str().unwrap_or_default().to_owned())
                .collect();
            let embedded = self.embedder.as_ref().map(|embedder| embedder.embed(&texts));
            let vectors = match embedded {
                Some(Ok(vectors)) => vectors,
                Some(Err(outcome)) => return Err(failed(outcome["message"].as_str().unwrap_or_default())),
                None => return Err(failed("there is no embedder")),
            };
            let keyed: Vec<Value> = missing
                .iter()
                .zip(vectors)
                .map(|(text, vector)| json!({ "key": text["key"], "vector": vector }))
                .collect();
            let put = self.send("putVectors", &json!({ "model": page["model"], "vectors": keyed }))?;
            let now = put["refused"].as_array().cloned().unwrap_or_default();
            if let Some(first) = now.first().filter(|_| now.len() == missing.len()) {
                return Err(errors::observed(
                    &json!({ "code": first["code"], "category": "invalid_input" }),
                ));
            }
            refused.extend(now);
        }
    }

    /// The request of a search, with what it does not say of meaning itself.
    pub fn with_means(&self, request: &Value, queries: &Value, vectors: &str) -> Result<Value, Observed> {
        let mut request = request.as_object().cloned().unwrap_or_default();
        let queries = texts_in(queries);
        let method = request
            .get("method")
            .filter(|method| !method.is_null())
            .unwrap_or(&self.method)
            .clone();
        let is_blank = queries.iter().all(|query| query.trim().is_empty());
        let (Some(embedder), false, false) =
            (&self.embedder, method.is_null() || method == "lexical", is_blank)
        else {
            return Ok(Value::Object(request));
        };
        if request.contains_key(vectors) {
            return Ok(Value::Object(request));
        }
        let mut say = |key: &str, value: Value| request.insert(key.to_owned(), value);
        say("method", method);
        let kind = Map::from_iter([("limit".to_owned(), json!(0))]);
        let there = self.send("missingVectors", &Value::Object(kind))?;
        if there["total"] == there["missing"] {
            say("degraded", json!("no_vectors"));
            return Ok(Value::Object(request));
        }
        match embedder.embed(&queries) {
            Ok(made) if made.iter().all(|vector| embedder.is_fit(vector)) => {
                let one = vectors == "queryVector";
                say(
                    vectors,
                    if one {
                        made.first().cloned().unwrap_or_default()
                    } else {
                        Value::Array(made)
                    },
                )
            }
            Err(outcome) if outcome["kind"] == "timeout" => say("degraded", json!("timeout")),
            _ => say("degraded", json!("embedding_failed")),
        };
        Ok(Value::Object(request))
    }

    /// What came of embedding for a step of the engine.
    pub fn embedded(&self, texts: &Value) -> Value {
        let texts = texts_in(texts);
        match self.embedder.as_ref().map(|embedder| embedder.embed(&texts)) {
            None => json!({ "kind": "noHandler" }),
            Some(Err(outcome)) => outcome,
            Some(Ok(vectors)) => json!({ "kind": "vectors", "vectors": vectors }),
        }
    }
}

/// What the facades throw when an embedder throws.
fn failed(message: &str) -> Observed {
    let message = format!("the embedder gave no vectors: it failed with {message}");
    errors::observed(
        &json!({ "code": "embedding_failed", "category": "state", "message": message, "details": {} }),
    )
}

fn texts_in(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}
