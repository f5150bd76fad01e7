//! Turns an item of the scenario into what the engine is given: the executor taken off, and a `$refused` record in place
//! of what no language could write as JSON. Knows nothing of the engine.

use serde_json::{Map, Value, json};

/// An item ready for the engine.
#[derive(Debug)]
pub struct Ready {
    /// The id, when it is a text.
    pub id: Option<String>,
    /// The definition, or a record that says why there is none.
    pub json: Value,
    /// The fixture executor that runs it.
    pub execute: Option<String>,
}

/// Reads one item as the facades do.
pub fn read(item: &Value, kind: &str) -> Ready {
    let Value::Object(object) = item else {
        return refused(None, "", "notAnObject");
    };
    let mut definition = object.clone();
    let execute = definition
        .shift_remove("execute")
        .and_then(|name| name.as_str().map(str::to_owned));
    let id = definition.get("id").and_then(Value::as_str).map(str::to_owned);
    if let Some((path, reason)) = unwritable(&Value::Object(definition.clone()), "") {
        return refused(id, &path, &reason);
    }
    if kind == "tool" && execute.is_none() {
        return refused(id, "/execute", "missingExecutor");
    }
    Ready {
        id,
        json: Value::Object(definition),
        execute,
    }
}

fn refused(id: Option<String>, path: &str, reason: &str) -> Ready {
    let mut record = Map::new();
    record.extend(id.map(|id| ("id".to_owned(), Value::String(id))));
    record.insert("path".to_owned(), path.into());
    record.insert("reason".to_owned(), reason.into());
    Ready {
        id: None,
        json: json!({ "$refused": record }),
        execute: None,
    }
}

/// The place and reason of the first `{"$value": reason}`: a value that other languages have and JSON has not.
fn unwritable(value: &Value, path: &str) -> Option<(String, String)> {
    match value {
        Value::Object(object) => match object.get("$value").and_then(Value::as_str) {
            Some(reason) => Some((path.to_owned(), reason.to_owned())),
            None => object
                .iter()
                .find_map(|(key, part)| unwritable(part, &format!("{path}/{key}"))),
        },
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(place, part)| unwritable(part, &format!("{path}/{place}"))),
        _ => None,
    }
}
