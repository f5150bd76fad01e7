//! How much work it is to judge a value by a schema, found out before it is done. Knows nothing of verdicts.
//!
//! A schema can double the work with every level (a choice of two references to the same node, and so on down), and a
//! validator that explains itself keeps every branch. The walk here visits what a validator visits without ever stopping
//! early, and gives up at a limit, so it costs no more than the limit.

use serde_json::{Map, Value};

use super::shape::Reading;

/// A schema and a value that need more steps than this are not judged.
const MOST_STEPS: usize = 300_000;

/// More steps than this inside choices are judged but not explained: every branch would be kept.
const MOST_EXPLAINED: usize = 20_000;

/// More text than this is not matched with patterns that go back and forth, in bytes.
const MOST_BACKTRACKED: usize = 4_096;

/// How deep schemas and values may lead on.
const DEPTH: usize = 512;

/// The work of one judgement.
#[derive(Debug, Default)]
pub(super) struct Effort {
    steps: usize,
    in_choices: usize,
    text: usize,
    is_too_deep: bool,
}

/// The schemas that were passed on the way to this one, at the same value.
struct Trail<'t> {
    schema: &'t Value,
    before: Option<&'t Self>,
    depth: usize,
    in_choice: bool,
}

impl Effort {
    /// Measures the work.
    pub(super) fn of(reading: &Reading<'_>, value: &Value) -> Self {
        let mut effort = Self::default();
        let trail = Trail {
            schema: reading.root,
            before: None,
            depth: 0,
            in_choice: false,
        };
        effort.visit(reading, value, &trail);
        effort
    }

    /// Whether a judgement is to be had at a bounded cost.
    pub(super) fn allows_judging(&self, backtracks: bool) -> bool {
        self.steps <= MOST_STEPS && !self.is_too_deep && !(backtracks && self.text > MOST_BACKTRACKED)
    }

    /// Whether an explanation is, too.
    pub(super) fn allows_explaining(&self) -> bool {
        self.in_choices <= MOST_EXPLAINED
    }

    fn visit(&mut self, reading: &Reading<'_>, value: &Value, trail: &Trail<'_>) {
        self.steps += 1;
        self.in_choices += usize::from(trail.in_choice);
        self.is_too_deep |= trail.depth > DEPTH;
        if self.is_too_deep || self.steps > MOST_STEPS {
            return;
        }
        let Value::Object(schema) = trail.schema else {
            return;
        };
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = schema.get(key).and_then(Value::as_str) {
                // What is not found may be anywhere, so it counts as the whole.
                self.stay(
                    reading,
                    value,
                    reading.resolve(reference).unwrap_or(reading.root),
                    trail,
                    false,
                );
            }
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            for branch in list(schema, key) {
                self.stay(reading, value, branch, trail, true);
            }
        }
        for key in ["not", "if", "then", "else"] {
            schema
                .get(key)
                .into_iter()
                .for_each(|branch| self.stay(reading, value, branch, trail, false));
        }
        for branch in schema
            .get("dependentSchemas")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::values)
        {
            self.stay(reading, value, branch, trail, false);
        }
        match value {
            Value::String(text) => self.text += text.len(),
            Value::Array(items) => self.visit_items(reading, schema, items, trail),
            Value::Object(members) => self.visit_members(reading, schema, members, trail),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn visit_items(
        &mut self,
        reading: &Reading<'_>,
        schema: &Map<String, Value>,
        items: &[Value],
        trail: &Trail<'_>,
    ) {
        for key in ["items", "additionalItems", "contains", "unevaluatedItems"] {
            if let Some(each) = schema.get(key).filter(|each| each.is_object()) {
                items
                    .iter()
                    .for_each(|item| self.descend(reading, item, each, trail));
            }
        }
        for key in ["prefixItems", "items"] {
            for (each, item) in list(schema, key).iter().zip(items) {
                self.descend(reading, item, each, trail);
            }
        }
    }

    fn visit_members(
        &mut self,
        reading: &Reading<'_>,
        schema: &Map<String, Value>,
        members: &Map<String, Value>,
        trail: &Trail<'_>,
    ) {
        let named = schema.get("properties").and_then(Value::as_object);
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (name, member) in members {
            self.text += name.len();
            if let Some(property) = named.and_then(|named| named.get(name)) {
                self.descend(reading, member, property, trail);
            } else if let Some(rest) = schema.get("additionalProperties") {
                self.descend(reading, member, rest, trail);
            }
            for property in patterns.into_iter().flat_map(Map::values) {
                self.descend(reading, member, property, trail);
            }
            if let Some(rest) = schema.get("unevaluatedProperties") {
                self.descend(reading, member, rest, trail);
            }
            if schema.contains_key("propertyNames") {
                self.steps += 1;
            }
        }
    }

    /// Goes on to another schema for the same value; one that is being visited already costs nothing more.
    fn stay(
        &mut self,
        reading: &Reading<'_>,
        value: &Value,
        schema: &Value,
        trail: &Trail<'_>,
        is_choice: bool,
    ) {
        let mut passed = Some(trail);
        while let Some(known) = passed {
            if std::ptr::eq(known.schema, schema) {
                return;
            }
            passed = known.before;
        }
        let in_choice = trail.in_choice || is_choice;
        self.visit(
            reading,
            value,
            &Trail {
                schema,
                before: Some(trail),
                depth: trail.depth + 1,
                in_choice,
            },
        );
    }

    fn descend(&mut self, reading: &Reading<'_>, value: &Value, schema: &Value, trail: &Trail<'_>) {
        let trail = Trail {
            schema,
            before: None,
            depth: trail.depth + 1,
            in_choice: trail.in_choice,
        };
        self.visit(reading, value, &trail);
    }
}

fn list<'a>(schema: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    schema
        .get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn effort(schema: &Value, value: &Value) -> Effort {
        Effort::of(&Reading::new(schema), value)
    }

    #[test]
    fn plain_arguments_cost_a_few_steps() {
        let schema = json!({"properties": {"a": {"type": "string"}, "b": {"anyOf": [{"type": "string"}, {"items": {"type": "integer"}}]}}});
        let effort = effort(&schema, &json!({"a": "x", "b": [1, 2]}));
        assert_eq!((effort.steps, effort.in_choices, effort.text), (7, 4, 3));
        assert!(effort.allows_judging(true) && effort.allows_explaining());
    }

    #[test]
    fn a_filter_that_nests_in_three_ways_is_no_doubling() {
        let schema = json!({"$defs": {"f": {"anyOf": [
            {"properties": {"and": {"items": {"$ref": "#/$defs/f"}}}, "required": ["and"]},
            {"properties": {"or": {"items": {"$ref": "#/$defs/f"}}}, "required": ["or"]},
            {"properties": {"not": {"$ref": "#/$defs/f"}}, "required": ["not"]},
            {"properties": {"field": {"type": "string"}}, "required": ["field"]}]}}, "$ref": "#/$defs/f"});
        let mut value = json!({"field": "x"});
        for _ in 0..40 {
            value = json!({"and": [value, {"not": {"field": "y"}}]});
        }
        let effort = effort(&schema, &value);
        assert!(
            effort.allows_judging(false) && effort.allows_explaining(),
            "{effort:?}"
        );
    }

    #[test]
    fn doubling_and_endless_references_are_given_up_at_the_limit() {
        let mut definitions = json!({"n0": {"type": "integer"}});
        for n in 1..60 {
            let below = json!({"$ref": format!("#/$defs/n{}", n - 1)});
            definitions[format!("n{n}")] = json!({"anyOf": [below, below]});
        }
        let schema = json!({"$defs": definitions, "$ref": "#/$defs/n59"});
        assert!(!effort(&schema, &json!(1)).allows_judging(false));

        let long: Map<String, Value> = (0..5_000)
            .map(|n| (format!("n{n}"), json!({"$ref": format!("#/$defs/n{}", n + 1)})))
            .collect();
        let schema = json!({"$defs": long, "$ref": "#/$defs/n0"});
        assert!(!effort(&schema, &json!(1)).allows_judging(false));
        assert!(effort(&json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}), &json!(1)).allows_judging(false));
    }
}
