//! Failures of a step as data, in the order of keys that every runner writes. Knows nothing of what failed.

use serde_json::{Map, Value, json};

/// What the engine's envelope, or a refused diagnostic, becomes in an observation.
pub fn observed(record: &Value) -> Value {
    json!({ "error": {
        "code": record["code"],
        "category": record["category"],
        "message": record["message"],
        "details": record.get("details").cloned().unwrap_or_else(|| Value::Object(Map::new())),
    } })
}

/// A single item that was refused is an error, and its diagnostic holds the details.
pub fn of_diagnostic(diagnostic: &Value) -> Value {
    let mut details = diagnostic.as_object().cloned().unwrap_or_default();
    let code = details.shift_remove("code").unwrap_or_default();
    let message = details.shift_remove("message").unwrap_or_default();
    json!({ "error": { "code": code, "category": "invalid_input", "message": message, "details": details } })
}

/// What a tool threw.
pub fn thrown(name: &str, message: &str) -> Value {
    json!({ "thrown": { "name": name, "message": message } })
}
