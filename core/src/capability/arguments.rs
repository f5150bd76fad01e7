//! One reading of a call's arguments, repaired and judged by the target's schema. Knows nothing of where it came from.

use serde_json::Value;
use serde_json::value::RawValue;

use super::fault::Fault;
use super::repair::repair;
use super::shape::Reading;
use super::validate::Compiled;

/// Properties that an example shows.
const SHOWN: usize = 6;

/// Longest example, in characters.
const LONGEST_EXAMPLE: usize = 400;

/// The arguments as they travel on: the text itself when it fits, else the repaired value, else the fault.
pub(crate) fn fit(text: &str, compiled: &Compiled, may_repair: bool) -> Result<Box<RawValue>, Fault> {
    let whole = |message: String| Fault {
        path: String::new(),
        message,
    };
    let value: Value = serde_json::from_str(text).map_err(|cause| {
        let cause = cause.to_string();
        let reason = cause.split(" at line ").next().unwrap_or_default();
        whole(format!("the arguments cannot be read as JSON: {reason}"))
    })?;
    let judged = judge(&value, compiled);
    if judged.is_ok() && (compiled.problem().is_none() || !may_repair) {
        return keep(text);
    }
    if !may_repair {
        return judged.and_then(|()| keep(text));
    }
    let mut repaired = value;
    if !repair(&mut repaired, &Reading::new(&compiled.schema)) {
        return judged.and_then(|()| keep(text));
    }
    judge(&repaired, compiled)?;
    keep(&repaired.to_string())
}

/// Arguments that could be given: every required property with a value of its type.
pub(crate) fn example(schema: &Value) -> String {
    let reading = Reading::new(schema);
    let declared = reading.declared();
    let members: serde_json::Map<String, Value> = declared
        .properties
        .iter()
        .filter(|(name, _)| declared.required.contains(*name))
        .take(SHOWN)
        .map(|(name, schema)| ((*name).to_owned(), sample(reading.follow(schema), &reading)))
        .collect();
    let text = Value::from(members).to_string();
    if text.chars().count() > LONGEST_EXAMPLE {
        "{}".to_owned()
    } else {
        text
    }
}

fn judge(value: &Value, compiled: &Compiled) -> Result<(), Fault> {
    let takes_objects = {
        let reading = Reading::new(&compiled.schema);
        reading
            .types(&reading.whole())
            .contains(honeyguide_judge::JsonType::Object)
    };
    if !value.is_object() && takes_objects {
        let message = format!(
            "the arguments must be an object, got {}",
            super::reply::quoted(&value.to_string())
        );
        return Err(Fault {
            path: String::new(),
            message,
        });
    }
    compiled.check(value)
}

fn keep(text: &str) -> Result<Box<RawValue>, Fault> {
    RawValue::from_string(text.to_owned()).map_err(|_| Fault {
        path: String::new(),
        message: "the arguments are not JSON".to_owned(),
    })
}

fn sample(schema: &Value, reading: &Reading<'_>) -> Value {
    use honeyguide_judge::JsonType;
    if let Some(choice) = schema
        .get("enum")
        .and_then(|choices| choices.get(0))
        .or_else(|| schema.get("const"))
    {
        return choice.clone();
    }
    let types = reading.types(&super::shape::Shape::Node(schema));
    let by_type: [(JsonType, Value); 6] = [
        (JsonType::String, Value::from("…")),
        (JsonType::Integer, Value::from(1)),
        (JsonType::Number, Value::from(1)),
        (JsonType::Boolean, Value::from(true)),
        (JsonType::Object, Value::Object(serde_json::Map::new())),
        (JsonType::Array, Value::Array(Vec::new())),
    ];
    by_type
        .into_iter()
        .find(|(kind, _)| types.contains(*kind))
        .map_or(Value::Null, |(_, value)| value)
}
