//! JSON text that is the same in every language: keys in their order, no spaces, whole numbers without a point.
//! Knows nothing of steps.

use serde_json::{Number, Value, json};

/// The canonical text of a value.
pub fn write(value: &Value) -> String {
    let mut text = String::new();
    append(value, &mut text);
    text
}

/// What is compared between the languages: null in place of what stands at these JSON Pointers; of a raw answer, its text.
pub fn comparable(observed: &Value, pointers: &[String]) -> Value {
    if let Some(text) = observed.get("text") {
        return json!({ "text": text });
    }
    let mut value = observed.clone();
    for pointer in pointers {
        if let Some(part) = value.pointer_mut(pointer) {
            *part = Value::Null;
        }
    }
    value
}

fn append(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                text.push_str(if place == 0 { "" } else { "," });
                append(item, text);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push('{');
            for (place, (key, part)) in object.iter().enumerate() {
                text.push_str(if place == 0 { "" } else { "," });
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                append(part, text);
            }
            text.push('}');
        }
        Value::Number(number) => text.push_str(&number_text(number)),
        _ => text.push_str(&value.to_string()),
    }
}

/// A number as JavaScript and Python write it, once both agree on whole ones.
pub fn number_text(number: &Number) -> String {
    let text = number.to_string();
    if !text.contains(['.', 'e', 'E']) {
        return text;
    }
    match text.parse::<f64>() {
        Ok(double) if double == double.trunc() && double.abs() < 1e15 => format!("{double:.0}"),
        Ok(double) => format!("{double}"),
        Err(_) => text,
    }
}
