//! Writes out what the scenario says in short: series, fixtures, parts of earlier answers. Knows nothing of operations.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Where short forms take their content from.
pub struct Sources<'a> {
    /// The fixture files.
    pub fixtures: &'a HashMap<String, Vec<Value>>,
    /// What earlier steps observed.
    pub observed: &'a HashMap<String, Value>,
}

/// The value with every short form written out.
pub fn expand(value: &Value, sources: &Sources<'_>) -> Result<Value, String> {
    match value {
        Value::Array(items) => items.iter().map(|item| expand(item, sources)).collect(),
        Value::Object(object) if object.contains_key("$series") => series(object, sources),
        Value::Object(object) if object.contains_key("$fixtures") => {
            let mut items = Vec::new();
            for name in object["$fixtures"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                let fixture = sources
                    .fixtures
                    .get(name)
                    .ok_or_else(|| format!("no fixture `{name}`"))?;
                for item in fixture {
                    items.push(expand(item, sources)?);
                }
            }
            Ok(Value::Array(items))
        }
        Value::Object(object) if object.contains_key("$from") => {
            let name = object["$from"].as_str().unwrap_or_default();
            let earlier = sources
                .observed
                .get(name)
                .ok_or_else(|| format!("no earlier step `{name}`"))?;
            let at = object["at"].as_str().unwrap_or_default();
            earlier
                .pointer(at)
                .cloned()
                .ok_or_else(|| format!("nothing at `{at}` of step `{name}`"))
        }
        Value::Object(object) => object
            .iter()
            .map(|(key, part)| Ok((key.clone(), expand(part, sources)?)))
            .collect(),
        _ => Ok(value.clone()),
    }
}

/// `{"$series": template, "count", "from"?, "join"?, "end"?}`: the template once per number, `{n}` being the number.
fn series(object: &Map<String, Value>, sources: &Sources<'_>) -> Result<Value, String> {
    let template = expand(&object["$series"], sources)?;
    let count = object
        .get("count")
        .and_then(Value::as_u64)
        .ok_or("a series has a count")?;
    let from = object.get("from").and_then(Value::as_u64).unwrap_or(0);
    let items: Vec<Value> = (from..from + count)
        .map(|number| number_in(&template, &number.to_string()))
        .collect();
    let Some(join) = object.get("join").and_then(Value::as_str) else {
        return Ok(Value::Array(items));
    };
    let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
    let end = object.get("end").and_then(Value::as_str).unwrap_or_default();
    Ok(Value::String(texts.join(join) + end))
}

fn number_in(value: &Value, number: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("{n}", number)),
        Value::Array(items) => items.iter().map(|item| number_in(item, number)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, part)| (key.clone(), number_in(part, number)))
            .collect(),
        _ => value.clone(),
    }
}
