//! The properties a schema names for an object, through references and combinations. Knows nothing of values.

use std::collections::HashSet;

use serde_json::Value;

use super::shape::{DEPTH, Reading};

/// The properties that a schema names for an object, through references and combinations.
#[derive(Debug, Default)]
pub(crate) struct Declared<'a> {
    /// Name and schema, each name once, in the order of the schema.
    pub(crate) properties: Vec<(&'a str, &'a Value)>,
    /// The names that must be there in any case.
    pub(crate) required: HashSet<&'a str>,
    /// Whether it says outright that other names may stand there too.
    pub(crate) open: bool,
    known: HashSet<&'a str>,
}

impl Declared<'_> {
    /// Whether a name is one that the schema knows, or one that it says it takes.
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.open || self.known.contains(name)
    }
}

impl<'a> Reading<'a> {
    /// The properties that are named for the whole.
    pub(crate) fn declared(&self) -> Declared<'a> {
        let mut declared = Declared::default();
        self.declare(self.root, true, DEPTH, &mut declared);
        declared.open |= declared.properties.is_empty();
        declared
    }

    fn declare(&self, node: &'a Value, certain: bool, depth: u32, declared: &mut Declared<'a>) {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.burn()) else {
            return;
        };
        let Some(schema) = node.as_object() else { return };
        if let Some(target) = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|r| self.resolve(r))
        {
            self.declare(target, certain, depth, declared);
            if self.old_references {
                return;
            }
        }
        for (name, property) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            if declared.known.insert(name) {
                declared.properties.push((name, property));
            }
        }
        if certain {
            let required = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            declared.required.extend(required.filter_map(Value::as_str));
        }
        declared.open |= schema.contains_key("patternProperties")
            || schema
                .get("additionalProperties")
                .is_some_and(|extra| extra != &Value::Bool(false));
        for (key, certain) in [("allOf", certain), ("anyOf", false), ("oneOf", false)] {
            for branch in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.declare(branch, certain, depth, declared);
            }
        }
        for key in ["then", "else"] {
            schema
                .get(key)
                .into_iter()
                .for_each(|branch| self.declare(branch, false, depth, declared));
        }
    }
}
