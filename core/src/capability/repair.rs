//! Parses a string where the schema forbids one and its text is what the schema wants; touches nothing else.
//! Knows nothing of envelopes or of validation.

use honeyguide_judge::{JsonType, JsonTypeSet};
use serde_json::Value;

use super::shape::{Reading, Shape, types_of};

/// Repairs a value in place; whether anything changed.
pub(crate) fn repair(value: &mut Value, reading: &Reading<'_>) -> bool {
    repair_at(value, &reading.whole(), reading)
}

fn repair_at(value: &mut Value, shape: &Shape<'_>, reading: &Reading<'_>) -> bool {
    if matches!(shape, Shape::Any | Shape::Never) {
        return false;
    }
    match value {
        Value::String(text) => match parsed(text, reading.types(shape)) {
            None => false,
            Some(mut meant) => {
                repair_at(&mut meant, shape, reading);
                *value = meant;
                true
            }
        },
        Value::Array(items) => items
            .iter_mut()
            .enumerate()
            .fold(false, |changed, (index, item)| {
                repair_at(item, &reading.item(shape, index), reading) || changed
            }),
        Value::Object(members) => members.iter_mut().fold(false, |changed, (key, member)| {
            repair_at(member, &reading.child(shape, key), reading) || changed
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// What a text says, when no string may stand there and something of what it says may.
fn parsed(text: &str, permitted: JsonTypeSet) -> Option<Value> {
    if permitted.contains(JsonType::String) {
        return None;
    }
    let value = serde_json::from_str::<Value>(text)
        .ok()
        .or_else(|| spoken(text))?;
    // A number that no language here can hold would reach the tool as infinity.
    if value
        .as_number()
        .is_some_and(|number| !number.as_f64().is_some_and(f64::is_finite))
    {
        return None;
    }
    (!types_of(&value).intersect(permitted).is_empty()).then_some(value)
}

/// The words that Python has for what JSON calls true, false and null.
fn spoken(text: &str) -> Option<Value> {
    match text.trim() {
        "True" => Some(Value::Bool(true)),
        "False" => Some(Value::Bool(false)),
        "None" => Some(Value::Null),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(schema: &str, value: &str) -> String {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut value = serde_json::from_str(value).unwrap();
        repair(&mut value, &Reading::new(&schema));
        value.to_string()
    }

    #[test]
    fn a_string_is_parsed_to_what_the_schema_wants() {
        for (property, text, meant) in [
            (r#"{"type":"integer"}"#, r#""10""#, "10"),
            (r#"{"type":"boolean"}"#, r#""true""#, "true"),
            (r#"{"type":"boolean"}"#, r#""False""#, "false"),
            (r#"{"type":"null"}"#, r#""null""#, "null"),
            (r#"{"type":"number"}"#, r#""1.50""#, "1.50"),
            (
                r#"{"type":"object"}"#,
                r#""{\"b\":1,\"a\":123456789012345678901}""#,
                r#"{"b":1,"a":123456789012345678901}"#,
            ),
            (
                r#"{"type":"array","items":{"type":"integer"}}"#,
                r#""[\"1\",2]""#,
                "[1,2]",
            ),
            (r#"{"type":["integer","null"]}"#, r#""7""#, "7"),
            (r#"{"type":"integer","nullable":true}"#, r#""null""#, "null"),
            (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, r#""7""#, "7"),
            (r##"{"$ref":"#/$defs/n"}"##, r#""7""#, "7"),
            (r##"{"allOf":[{"$ref":"#/$defs/n"}]}"##, r#""7""#, "7"),
            (r#"{"enum":[60,1440]}"#, r#""60""#, "60"),
        ] {
            let schema =
                format!(r#"{{"$defs":{{"n":{{"type":"integer"}}}},"properties":{{"v":{property}}}}}"#);
            assert_eq!(
                repaired(&schema, &format!(r#"{{"v":{text}}}"#)),
                format!(r#"{{"v":{meant}}}"#),
                "{property}"
            );
        }
    }

    #[test]
    fn a_string_that_may_stand_there_or_says_something_else_is_left_alone() {
        for (property, text) in [
            (r#"{"type":"string"}"#, r#""{\"a\":1}""#),
            (r#"{"type":["string","integer"]}"#, r#""10""#),
            (r#"{"oneOf":[{"type":"integer"},{"type":"string"}]}"#, r#""10""#),
            (r#"{}"#, r#""10""#),
            ("true", r#""10""#),
            (r##"{"$ref":"other.json#/x"}"##, r#""10""#),
            (r#"{"enum":["a",1]}"#, r#""1""#),
            (r#"{"type":"integer"}"#, r#""seven""#),
            (r#"{"type":"integer"}"#, r#""1.5""#),
            (r#"{"type":"object"}"#, r#""[1]""#),
            (r#"{"type":"integer"}"#, r#""""#),
            (r##"{"$ref":"#/properties/v"}"##, r#""1""#),
        ] {
            let schema = format!(r#"{{"properties":{{"v":{property}}}}}"#);
            let value = format!(r#"{{"v":{text}}}"#);
            assert_eq!(repaired(&schema, &value), value, "{property}");
        }
    }

    #[test]
    fn repair_reaches_nested_places_and_recursive_schemas() {
        let schema = r##"{"$defs":{"node":{"type":"object","properties":{"id":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"additionalProperties":{"type":"boolean"}}},"$ref":"#/$defs/node"}"##;
        assert_eq!(
            repaired(
                schema,
                r#"{"id":"1","kids":[{"id":"2","x":"true"},"{\"id\":\"3\"}"]}"#
            ),
            r#"{"id":1,"kids":[{"id":2,"x":true},{"id":3}]}"#
        );
    }

    #[test]
    fn before_2019_what_stands_beside_a_reference_does_not_count() {
        let beside = r##"{"$ref":"#/definitions/s","type":"integer"}"##;
        let schema = format!(
            r#"{{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{{"s":{{"type":"string"}}}},"properties":{{"v":{beside}}}}}"#
        );
        assert_eq!(repaired(&schema, r#"{"v":"1"}"#), r#"{"v":"1"}"#);
    }
}
