//! Reads a JSON Schema for what it permits at a place, without judging a value. Knows nothing of calls.
//!
//! It is an over-estimate by design: what it cannot work out (a remote reference, a pattern, a condition, a schema that
//! costs too much) permits everything. So "no string may stand here" is certain when it says so.

use std::cell::Cell;

use honeyguide_judge::{JsonType, JsonTypeSet};
use serde_json::{Map, Value};

/// How much of a schema is looked at in one call, in nodes; a schema that wants more is hostile.
const FUEL: u32 = 200_000;

/// How many references and combinations lead on from one place.
pub(super) const DEPTH: u32 = 24;

/// A schema, as it is read in one call.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    pub(super) root: &'a Value,
    pub(super) old_references: bool,
    fuel: Cell<u32>,
}

/// What may stand at one place.
#[derive(Debug, Clone)]
pub(crate) enum Shape<'a> {
    /// Anything.
    Any,
    /// Nothing.
    Never,
    /// What this schema permits.
    Node(&'a Value),
    /// What all of these permit.
    All(Vec<Self>),
    /// What one of these permits.
    Either(Vec<Self>),
}

impl<'a> Reading<'a> {
    /// Reads this schema; before 2019 a `$ref` hid everything beside it.
    pub(crate) fn new(root: &'a Value) -> Self {
        let dialect = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        let old_references = ["draft-07", "draft-06", "draft-04"]
            .iter()
            .any(|old| dialect.contains(old));
        Self {
            root,
            old_references,
            fuel: Cell::new(FUEL),
        }
    }

    /// The shape of the whole.
    pub(crate) const fn whole(&self) -> Shape<'a> {
        Shape::Node(self.root)
    }

    /// The types that may stand at a place.
    pub(crate) fn types(&self, shape: &Shape<'a>) -> JsonTypeSet {
        self.types_within(shape, DEPTH)
    }

    /// What may stand under a key.
    pub(crate) fn child(&self, shape: &Shape<'a>, key: &str) -> Shape<'a> {
        self.descend(shape, JsonType::Object, DEPTH, &|schema| property(schema, key))
    }

    /// What may stand at an index.
    pub(crate) fn item(&self, shape: &Shape<'a>, index: usize) -> Shape<'a> {
        self.descend(shape, JsonType::Array, DEPTH, &|schema| element(schema, index))
    }

    /// The text of the schema at a place in the arguments, when it is one schema.
    pub(crate) fn part_at(&self, pointer: &str) -> Option<String> {
        let mut shape = self.whole();
        for segment in pointer.strip_prefix('/')?.split('/') {
            let key = segment.replace("~1", "/").replace("~0", "~");
            shape = match (self.child(&shape, &key), key.parse()) {
                (Shape::Any, Ok(index)) => self.item(&shape, index),
                (child, _) => child,
            };
        }
        match shape {
            Shape::Node(node) => serde_json::to_string(self.follow(node)).ok(),
            _ => None,
        }
    }

    /// The schema that a node stands for, once its references are followed.
    pub(crate) fn follow(&self, mut node: &'a Value) -> &'a Value {
        for _ in 0..DEPTH {
            match node
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| self.resolve(reference))
            {
                Some(target) => node = target,
                None => break,
            }
        }
        node
    }

    pub(super) fn resolve(&self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        self.root
            .pointer(pointer)
            .or_else(|| self.root.pointer(&percent_decoded(pointer)?))
    }

    /// Whether there is still something to spend on this schema.
    pub(super) fn burn(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0
    }

    fn types_within(&self, shape: &Shape<'a>, depth: u32) -> JsonTypeSet {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.burn()) else {
            return JsonTypeSet::all();
        };
        let all = |shapes: &[Shape<'a>]| {
            shapes.iter().fold(JsonTypeSet::all(), |types, shape| {
                types.intersect(self.types_within(shape, depth))
            })
        };
        let either = |shapes: &[Shape<'a>]| {
            shapes.iter().fold(JsonTypeSet::empty(), |types, shape| {
                types.union(self.types_within(shape, depth))
            })
        };
        match shape {
            Shape::Any => JsonTypeSet::all(),
            Shape::Never => JsonTypeSet::empty(),
            Shape::All(shapes) => all(shapes),
            Shape::Either(shapes) => either(shapes),
            Shape::Node(Value::Bool(false)) => JsonTypeSet::empty(),
            Shape::Node(Value::Object(schema)) => {
                let target = schema.get("$ref").and_then(Value::as_str);
                let target = target.map(|reference| self.resolve(reference).map_or(Shape::Any, Shape::Node));
                match target {
                    Some(target) if self.old_references => self.types_within(&target, depth),
                    target => {
                        let mut types = own_types(schema);
                        types = types.intersect(all(target.as_slice()));
                        types = types.intersect(all(&nodes(schema, "allOf")));
                        for key in ["anyOf", "oneOf"] {
                            let branches = nodes(schema, key);
                            if !branches.is_empty() {
                                types = types.intersect(either(&branches));
                            }
                        }
                        types
                    }
                }
            }
            Shape::Node(_) => JsonTypeSet::all(),
        }
    }

    fn descend(
        &self,
        shape: &Shape<'a>,
        container: JsonType,
        depth: u32,
        step: &dyn Fn(&'a Map<String, Value>) -> Shape<'a>,
    ) -> Shape<'a> {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.burn()) else {
            return Shape::Any;
        };
        let each = |shapes: &[Shape<'a>]| -> Vec<Shape<'a>> {
            shapes
                .iter()
                .map(|shape| self.descend(shape, container, depth, step))
                .collect()
        };
        let feasible = |shapes: Vec<Shape<'a>>| -> Vec<Shape<'a>> {
            shapes
                .into_iter()
                .filter(|shape| self.types_within(shape, depth).contains(container))
                .collect()
        };
        match shape {
            Shape::Any | Shape::Never => shape.clone(),
            Shape::All(shapes) => all_of(each(shapes)),
            Shape::Either(shapes) => either_of(each(&feasible(shapes.clone()))),
            Shape::Node(Value::Object(schema)) => {
                let mut parts = Vec::new();
                if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
                    let target = self.resolve(reference).map_or(Shape::Any, Shape::Node);
                    parts.push(self.descend(&target, container, depth, step));
                    if self.old_references {
                        return all_of(parts);
                    }
                }
                parts.push(step(schema));
                parts.extend(each(&nodes(schema, "allOf")));
                for key in ["anyOf", "oneOf"] {
                    let branches = nodes(schema, key);
                    if !branches.is_empty() {
                        parts.push(either_of(each(&feasible(branches))));
                    }
                }
                all_of(parts)
            }
            Shape::Node(Value::Bool(false)) => Shape::Never,
            Shape::Node(_) => Shape::Any,
        }
    }
}

fn nodes<'a>(schema: &'a Map<String, Value>, key: &str) -> Vec<Shape<'a>> {
    schema
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Shape::Node)
        .collect()
}

fn property<'a>(schema: &'a Map<String, Value>, key: &str) -> Shape<'a> {
    if let Some(named) = schema
        .get("properties")
        .and_then(|properties| properties.get(key))
    {
        return Shape::Node(named);
    }
    if schema.contains_key("patternProperties") {
        return Shape::Any;
    }
    schema.get("additionalProperties").map_or(Shape::Any, Shape::Node)
}

fn element<'a>(schema: &'a Map<String, Value>, index: usize) -> Shape<'a> {
    let prefix = match (schema.get("prefixItems"), schema.get("items")) {
        (Some(Value::Array(prefix)), _) | (None, Some(Value::Array(prefix))) => prefix.as_slice(),
        _ => &[],
    };
    if let Some(node) = prefix.get(index) {
        return Shape::Node(node);
    }
    let rest = if schema.get("items").is_some_and(Value::is_array) {
        "additionalItems"
    } else {
        "items"
    };
    schema.get(rest).map_or(Shape::Any, Shape::Node)
}

fn own_types(schema: &Map<String, Value>) -> JsonTypeSet {
    let mut types = match schema.get("type") {
        Some(Value::String(name)) => type_named(name),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .fold(JsonTypeSet::empty(), |types, name| types.union(type_named(name))),
        _ => JsonTypeSet::all(),
    };
    if let Some(Value::Array(members)) = schema.get("enum") {
        types = types.intersect(members.iter().fold(JsonTypeSet::empty(), |types, member| {
            types.union(types_of(member))
        }));
    }
    if let Some(value) = schema.get("const") {
        types = types.intersect(types_of(value));
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        types = types.insert(JsonType::Null);
    }
    types
}

fn type_named(name: &str) -> JsonTypeSet {
    let one = |kind| JsonTypeSet::empty().insert(kind);
    match name {
        "string" => one(JsonType::String),
        "object" => one(JsonType::Object),
        "array" => one(JsonType::Array),
        "boolean" => one(JsonType::Boolean),
        "null" => one(JsonType::Null),
        "integer" => one(JsonType::Integer),
        "number" => one(JsonType::Number).insert(JsonType::Integer),
        _ => JsonTypeSet::all(),
    }
}

/// The types a value counts as: a whole number is an integer and a number.
pub(crate) fn types_of(value: &Value) -> JsonTypeSet {
    let one = |kind| JsonTypeSet::empty().insert(kind);
    match value {
        Value::Null => one(JsonType::Null),
        Value::Bool(_) => one(JsonType::Boolean),
        Value::String(_) => one(JsonType::String),
        Value::Array(_) => one(JsonType::Array),
        Value::Object(_) => one(JsonType::Object),
        Value::Number(number) => {
            let whole = number
                .as_f64()
                .is_none_or(|double| double.is_infinite() || double.fract() == 0.0);
            let types = one(JsonType::Number);
            if whole {
                types.insert(JsonType::Integer)
            } else {
                types
            }
        }
    }
}

fn all_of(mut parts: Vec<Shape<'_>>) -> Shape<'_> {
    parts.retain(|part| !matches!(part, Shape::Any));
    match parts.len() {
        0 => Shape::Any,
        1 => parts.pop().unwrap_or(Shape::Any),
        _ => Shape::All(parts),
    }
}

fn either_of(mut parts: Vec<Shape<'_>>) -> Shape<'_> {
    if parts.len() == 1 {
        parts.pop().unwrap_or(Shape::Any)
    } else {
        Shape::Either(parts)
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code = tail
            .get(..2)
            .filter(|_| byte == b'%')
            .and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}
