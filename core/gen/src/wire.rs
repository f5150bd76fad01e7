//! The wire as data: every operation with the names of its types, and the JSON Schema of every type.
//! Knows nothing of TypeScript and Python.

use honeyguide::ErrorCode;
use honeyguide::engine::{OPERATIONS, item_schemas, operation_schemas};
use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::NOTICE;

/// One operation.
#[derive(Debug)]
pub(crate) struct Operation {
    /// The name on the wire.
    pub(crate) name: String,
    /// What it does, a sentence.
    pub(crate) about: String,
    /// The name of the request type in `definitions`.
    pub(crate) request: String,
    /// The name of the response type in `definitions`.
    pub(crate) response: String,
}

/// Everything the generated files are made of.
#[derive(Debug)]
pub(crate) struct Wire {
    /// In the engine's order.
    pub(crate) operations: Vec<Operation>,
    /// The types, by name, sorted.
    pub(crate) definitions: Map<String, Value>,
}

impl Wire {
    /// Reads the engine's operation list. Fails when a type that goes both ways has two shapes.
    pub(crate) fn of_the_engine() -> Result<Self, String> {
        let mut requests = generator(SchemaSettings::for_deserialize);
        let mut responses = generator(SchemaSettings::for_serialize);
        let operations = operation_schemas(&mut requests, &mut responses)
            .into_iter()
            .map(|operation| {
                let missing = |side| format!("the {side} of `{}` has no name of its own", operation.name);
                Ok(Operation {
                    name: operation.name.to_owned(),
                    about: sentence(operation.about),
                    request: type_name(&operation.request).ok_or_else(|| missing("request"))?,
                    response: type_name(&operation.response).ok_or_else(|| missing("response"))?,
                })
            })
            .collect::<Result<Vec<_>, String>>()?;
        item_schemas(&mut requests);
        responses.subschema_for::<ErrorCode>();
        responses.subschema_for::<honeyguide::error::Category>();
        let named: Vec<&str> = operations
            .iter()
            .map(|operation| operation.name.as_str())
            .collect();
        if named != OPERATIONS {
            return Err(format!(
                "the schemas are of {named:?}, the operations are {OPERATIONS:?}"
            ));
        }
        let definitions = merge(requests.take_definitions(true), responses.take_definitions(true))?;
        Ok(Self {
            operations,
            definitions,
        })
    }

    /// The wire as one JSON Schema document.
    pub(crate) fn document(&self) -> Value {
        let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
        let operations: Map<String, Value> = self
            .operations
            .iter()
            .map(|operation| {
                let described = json!({
                    "description": operation.about,
                    "request": to(&operation.request),
                    "response": to(&operation.response),
                });
                (operation.name.clone(), described)
            })
            .collect();
        let categories: Map<String, Value> = ErrorCode::ALL
            .iter()
            .map(|code| (code.as_str().to_owned(), json!(code.category())))
            .collect();
        json!({
            "$comment": NOTICE,
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Honeyguide's wire: one request and one response per operation",
            "operations": operations,
            "errorCategories": categories,
            "$defs": self.definitions,
        })
    }
}

fn generator(settings: fn(SchemaSettings) -> SchemaSettings) -> SchemaGenerator {
    settings(SchemaSettings::draft2020_12()).into_generator()
}

/// The documentation comment of the operation list on one line.
fn sentence(about: &str) -> String {
    about.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn type_name(schema: &Schema) -> Option<String> {
    schema
        .get("$ref")?
        .as_str()?
        .strip_prefix("#/$defs/")
        .map(str::to_owned)
}

/// The types of both directions in one list; a type that goes both ways must look the same both ways.
fn merge(requests: Map<String, Value>, responses: Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut all = requests;
    for (name, schema) in responses {
        match all.get(&name) {
            Some(known) if *known != schema => {
                return Err(format!(
                    "`{name}` has one shape in requests and another in responses; make two types of it"
                ));
            }
            Some(_) => {}
            None => {
                all.insert(name, without_nulls(schema));
            }
        }
    }
    all.sort_keys();
    Ok(all)
}

/// A response leaves an absent field out, so what is optional there is never null; schemars says that it may be.
fn without_nulls(mut schema: Value) -> Value {
    let required = schema.get("required").cloned().unwrap_or(Value::Null);
    let is_required = |name: &str| {
        required
            .as_array()
            .is_some_and(|list| list.iter().any(|entry| entry == name))
    };
    for (name, property) in schema
        .get_mut("properties")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
    {
        if let (false, Value::Object(property)) = (is_required(name), property) {
            take_null_out(property);
        }
    }
    for variant in schema
        .get_mut("oneOf")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        *variant = without_nulls(variant.take());
    }
    schema
}

/// `{"type": ["string", "null"]}` and `{"anyOf": [X, {"type": "null"}]}` without their null.
fn take_null_out(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = property.get_mut("anyOf") {
        choices.retain(|choice| *choice != json!({ "type": "null" }));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            property.remove("anyOf");
            property.extend(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_with_two_shapes_is_refused_by_its_name() {
        let of = |schema: Value| Map::from_iter([("Filter".to_owned(), schema)]);
        assert!(merge(of(json!({"type": "object"})), of(json!({"type": "object"}))).is_ok());
        assert!(
            merge(of(json!({"type": "object"})), of(json!(true)))
                .unwrap_err()
                .contains("`Filter`")
        );
    }

    #[test]
    fn what_a_response_may_leave_out_is_never_null() {
        let response = json!({
            "required": ["always"],
            "properties": {
                "always": { "type": ["string", "null"] },
                "maybe": { "type": ["string", "null"], "description": "One." },
                "kind": { "anyOf": [{ "$ref": "#/$defs/Kind" }, { "type": "null" }] },
                "raw": true,
            },
        });
        let properties = without_nulls(response)["properties"].take();
        assert_eq!(
            properties,
            json!({
                "always": { "type": ["string", "null"] },
                "maybe": { "type": "string", "description": "One." },
                "kind": { "$ref": "#/$defs/Kind" },
                "raw": true,
            })
        );
    }

    #[test]
    fn every_reference_leads_to_a_type() {
        let wire = Wire::of_the_engine().unwrap();
        let mut open = vec![wire.document()];
        let mut references = 0;
        while let Some(value) = open.pop() {
            if let Some(name) = value.get("$ref").and_then(Value::as_str) {
                references += 1;
                assert!(
                    wire.definitions.contains_key(name.trim_start_matches("#/$defs/")),
                    "{name}"
                );
            }
            match value {
                Value::Object(map) => open.extend(map.into_iter().map(|(_, value)| value)),
                Value::Array(list) => open.extend(list),
                _ => {}
            }
        }
        assert!(references >= 2 * OPERATIONS.len());
    }

    #[test]
    fn every_operation_is_described_by_a_sentence() {
        for operation in Wire::of_the_engine().unwrap().operations {
            assert!(
                operation.about.ends_with('.'),
                "{}: {:?}",
                operation.name,
                operation.about
            );
        }
    }
}
