//! Reads a JSON Schema for the index: parameter names, descriptions, titles, values of enumerations.
//!
//! Must not know terms or fields. A schema comes from a stranger: it may be recursive, huge, or no schema at all. The
//! walk keeps its own stack, visits each node once, and stops at a bound.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::chunk::beginning;

/// A piece of text in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaText<'a> {
    /// The name of a property.
    Name(&'a str),
    /// A description.
    Description(&'a str),
    /// A title, or a value of `enum` or `const`.
    Value(Cow<'a, str>),
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WalkSummary {
    /// Whether the schema held more than is read.
    pub truncated: bool,
}

/// Schemas and values together.
const MOST_NODES: usize = 20_000;
const MOST_BYTES: usize = 1 << 20;

/// Visits the text of a schema in its order, each node once, through `properties`, `items`, `prefixItems`,
/// `anyOf`/`oneOf`/`allOf`, `additionalProperties` and their kin, and through `$ref` to any place in the same schema.
/// Types, `required`, defaults and examples are no text; what is unknown, remote or malformed is passed over.
pub fn walk_schema(schema: &Value, visit: &mut dyn FnMut(SchemaText<'_>)) -> WalkSummary {
    let mut walk = Walk {
        root: schema,
        stack: vec![Step::Schema(schema)],
        seen: HashSet::new(),
        anchors: None,
        nodes: MOST_NODES,
        bytes: MOST_BYTES,
        visit,
        summary: WalkSummary::default(),
    };
    while let Some(step) = walk.stack.pop() {
        let Some(nodes) = walk.nodes.checked_sub(1) else {
            walk.summary.truncated = true;
            break;
        };
        walk.nodes = nodes;
        match step {
            Step::Property(name, schema) => {
                walk.say(name, SchemaText::Name);
                walk.schema(schema);
            }
            Step::Schema(schema) => walk.schema(schema),
            Step::Value(value) => walk.value(value),
            Step::Key(key) => walk.say(key, |key| SchemaText::Value(key.into())),
        }
    }
    walk.summary
}

enum Step<'a> {
    Property(&'a str, &'a Value),
    Schema(&'a Value),
    Value(&'a Value),
    Key(&'a str),
}

struct Walk<'a, 'v> {
    root: &'a Value,
    /// What is still to do, the next on top.
    stack: Vec<Step<'a>>,
    /// Addresses of the schemas seen: a `$ref` may lead to a node from many places, or back to itself.
    seen: HashSet<*const Value>,
    /// Definitions by their anchors, once a reference asks.
    anchors: Option<HashMap<&'a str, &'a Value>>,
    nodes: usize,
    bytes: usize,
    visit: &'v mut dyn FnMut(SchemaText<'_>),
    summary: WalkSummary,
}

impl<'a> Walk<'a, '_> {
    fn schema(&mut self, schema: &'a Value) {
        let Value::Object(keywords) = schema else { return };
        if !self.seen.insert(std::ptr::from_ref(schema)) {
            return;
        }
        let first = self.stack.len();
        for (keyword, value) in keywords {
            self.keyword(keyword, value);
        }
        // They were put down in the order of the schema; the stack gives back the last first.
        if let Some(added) = self.stack.get_mut(first..) {
            added.reverse();
        }
    }

    fn keyword(&mut self, keyword: &str, value: &'a Value) {
        match (keyword, value) {
            ("description", Value::String(text)) => self.say(text, SchemaText::Description),
            ("title", Value::String(text)) => self.say(text, |title| SchemaText::Value(title.into())),
            ("enum", Value::Array(values)) => self.push(values.iter().map(Step::Value)),
            ("const", value) => self.push([Step::Value(value)]),
            ("properties", Value::Object(properties)) => {
                self.push(
                    properties
                        .iter()
                        .map(|(name, schema)| Step::Property(name, schema)),
                );
            }
            ("patternProperties" | "dependentSchemas", Value::Object(schemas)) => {
                self.push(schemas.values().map(Step::Schema));
            }
            ("items" | "prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                self.push(schemas.iter().map(Step::Schema));
            }
            (
                "items"
                | "contains"
                | "additionalItems"
                | "unevaluatedItems"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "then"
                | "else",
                Value::Object(_),
            ) => self.push([Step::Schema(value)]),
            ("$ref" | "$dynamicRef", Value::String(reference)) => {
                let target = self.resolve(reference);
                self.push(target.map(Step::Schema));
            }
            _ => {}
        }
    }

    /// Puts steps down, at most as many as will be taken.
    fn push(&mut self, steps: impl IntoIterator<Item = Step<'a>>) {
        let mut steps = steps.into_iter();
        let room = self.nodes.saturating_add(1).saturating_sub(self.stack.len());
        self.stack.extend(steps.by_ref().take(room));
        self.summary.truncated |= steps.next().is_some();
    }

    /// A value of `enum` or `const`: a scalar as its JSON, anything else as the keys and scalars in it.
    fn value(&mut self, value: &'a Value) {
        let first = self.stack.len();
        match value {
            Value::String(text) => self.say(text, |text| SchemaText::Value(text.into())),
            Value::Array(values) => self.push(values.iter().map(Step::Value)),
            Value::Object(members) => {
                self.push(
                    members
                        .iter()
                        .flat_map(|(key, value)| [Step::Key(key), Step::Value(value)]),
                );
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                self.say(&value.to_string(), |text| {
                    SchemaText::Value(text.to_owned().into())
                });
            }
        }
        if let Some(added) = self.stack.get_mut(first..) {
            added.reverse();
        }
    }

    /// The node of this schema that a reference points at.
    fn resolve(&mut self, reference: &str) -> Option<&'a Value> {
        let fragment = match reference.split_once('#')? {
            ("", fragment) => fragment,
            // A schema may call itself by its own address.
            (base, fragment) if self.root.get("$id")?.as_str()?.trim_end_matches('#') == base => fragment,
            _ => return None,
        };
        let pointer = percent_decoded(fragment)?;
        if pointer.is_empty() || pointer.starts_with('/') {
            return self.root.pointer(&pointer);
        }
        // Built once: a scan per reference would make a hostile schema slow.
        let anchors = self.anchors.get_or_insert_with(|| anchors(self.root));
        anchors.get(&*pointer).copied()
    }

    /// Visits a text, or as much of it as there is room for.
    fn say<'t>(&mut self, text: &'t str, kind: impl FnOnce(&'t str) -> SchemaText<'t>) {
        let read = beginning(text, self.bytes);
        self.summary.truncated |= read.len() < text.len();
        self.bytes -= read.len();
        if !read.is_empty() {
            (self.visit)(kind(read));
        }
    }
}

fn anchors(root: &Value) -> HashMap<&str, &Value> {
    let definitions = ["$defs", "definitions"]
        .into_iter()
        .filter_map(|key| root.get(key)?.as_object());
    let named = definitions.flat_map(Map::values).flat_map(|schema| {
        let names = ["$anchor", "$dynamicAnchor"]
            .into_iter()
            .filter_map(|key| schema.get(key)?.as_str());
        names.map(move |name| (name, schema))
    });
    named.collect()
}

/// The text with `%41` as `A`; `None` when that is no text.
fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let byte = tail
            .first_chunk::<2>()
            .filter(|_| *first == b'%')
            .and_then(|digits| {
                let digits = std::str::from_utf8(digits)
                    .ok()
                    .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
                u8::from_str_radix(digits, 16).ok()
            });
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() {
            tail.get(2..).unwrap_or_default()
        } else {
            tail
        };
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
