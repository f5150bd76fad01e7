//! The schema of a tool that stands in a provider's own list. Knows nothing of calls: what the model sends is judged by the
//! schema that the tool came with, whatever the provider was shown.
//!
//! Providers refuse a whole request for one schema whose root is no plain object. Such a root is shown as an object of
//! the properties that it names anywhere; every other schema goes out as the text it came in as.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::shape::Reading;
use super::step::to_raw;
use crate::catalog::tool::Tool;

/// What no provider takes at the root.
const REFUSED: [&str; 10] = [
    "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref",
];

/// Where definitions stay, since properties point there.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// The schema for a provider.
pub(super) fn provider_schema(tool: &Tool) -> Box<RawValue> {
    let Some(text) = tool.input_schema() else {
        return to_raw(&Value::Object(plain_object(Map::new())));
    };
    match serde_json::from_str::<Value>(text) {
        Ok(schema) if is_plain(&schema) => {
            RawValue::from_string(text.to_owned()).unwrap_or_else(|_| to_raw(&schema))
        }
        Ok(schema) => to_raw(&flattened(&schema)),
        Err(_) => to_raw(&Value::Object(plain_object(Map::new()))),
    }
}

fn is_plain(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
        && REFUSED.iter().all(|key| schema.get(key).is_none())
}

fn plain_object(properties: Map<String, Value>) -> Map<String, Value> {
    Map::from_iter([
        ("type".to_owned(), Value::from("object")),
        ("properties".to_owned(), Value::Object(properties)),
    ])
}

/// An object of everything that the schema names for one.
fn flattened(schema: &Value) -> Value {
    let reading = Reading::new(schema);
    let declared = reading.declared();
    let properties = declared
        .properties
        .iter()
        .map(|(name, property)| ((*name).to_owned(), (*property).clone()))
        .collect();
    let required: Vec<Value> = declared
        .properties
        .iter()
        .filter(|(name, _)| declared.required.contains(name))
        .map(|(name, _)| Value::from(*name))
        .collect();
    let mut object = plain_object(properties);
    for key in DEFINITIONS {
        if let Some(definitions) = schema.get(key) {
            object.insert(key.to_owned(), definitions.clone());
        }
    }
    if !required.is_empty() {
        object.insert("required".to_owned(), Value::Array(required));
    }
    let mut object = Value::Object(object);
    let dangling = dangling(&object);
    if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
        for name in dangling {
            // What pointed into the old root can be anything: the tool's own schema judges it.
            properties.insert(name, Value::Object(Map::new()));
        }
    }
    object
}

/// The properties with a reference that leads nowhere in the new schema.
fn dangling(object: &Value) -> Vec<String> {
    let properties = object.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .filter(|(_, property)| !all_references_hold(property, object))
        .map(|(name, _)| name.clone())
        .collect()
}

fn all_references_hold(node: &Value, root: &Value) -> bool {
    match node {
        Value::Object(members) => members.iter().all(|(key, member)| match member.as_str() {
            Some(reference) if key == "$ref" => reference
                .strip_prefix('#')
                .is_some_and(|pointer| root.pointer(pointer).is_some()),
            _ => all_references_hold(member, root),
        }),
        Value::Array(items) => items.iter().all(|item| all_references_hold(item, root)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::World;
    use super::*;

    fn shown(schema: &str) -> String {
        let world = World::of_tools(&format!(r#"[{{"id":"t","inputSchema":{schema}}}]"#));
        let context = world.context();
        provider_schema(context.view.tool("t").unwrap()).get().to_owned()
    }

    #[test]
    fn a_plain_object_goes_out_as_it_came_in() {
        let schema =
            r#"{"type":"object", "properties":{"n":{"maximum":123456789012345678901}},"x-own":[1.0]}"#;
        assert_eq!(shown(schema), schema);
    }

    #[test]
    fn a_root_that_providers_refuse_becomes_an_object_of_what_it_names() {
        let schema = r##"{"anyOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"$ref":"#/$defs/named"}],"$defs":{"named":{"properties":{"name":{"$ref":"#/$defs/word"}}},"word":{"type":"string"}}}"##;
        assert_eq!(
            shown(schema),
            r##"{"type":"object","properties":{"id":{"type":"integer"},"name":{"$ref":"#/$defs/word"}},"$defs":{"named":{"properties":{"name":{"$ref":"#/$defs/word"}}},"word":{"type":"string"}}}"##
        );
        assert_eq!(
            shown(r#"{"type":"array"}"#),
            r#"{"type":"object","properties":{}}"#
        );
        assert_eq!(shown("true"), r#"{"type":"object","properties":{}}"#);
    }

    #[test]
    fn what_all_branches_require_stays_required() {
        let schema = r#"{"type":"object","properties":{"a":{}},"required":["a"],"allOf":[{"properties":{"b":{}},"required":["b"]}]}"#;
        assert_eq!(
            shown(schema),
            r#"{"type":"object","properties":{"a":{},"b":{}},"required":["a","b"]}"#
        );
    }

    #[test]
    fn a_reference_into_the_old_root_is_not_left_dangling() {
        let schema =
            r##"{"oneOf":[{"properties":{"tree":{"items":{"$ref":"#/oneOf/0/properties/tree"}}}}]}"##;
        assert_eq!(shown(schema), r#"{"type":"object","properties":{"tree":{}}}"#);
    }
}
