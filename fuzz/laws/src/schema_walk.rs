//! Laws of reading a JSON Schema: nothing is said that is not in it, and nothing twice over. Input: the text of a schema.

use std::collections::HashSet;

use honeyguide::text::{SchemaText, has_control_or_invisible, strip_json, walk_schema};
use serde_json::{Value, json};

use crate::{Witness, draw, plan};

/// No walk says more; the module's own bound.
const MOST_BYTES: usize = 1 << 20;

/// A larger text says no more about the laws than a small one.
const LONGEST: usize = 64 * 1024;

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        if let Ok(schema) = draw::schema(&mut from, 5) {
            of_text(&schema.to_string());
        }
    } else if let Ok(text) = std::str::from_utf8(bytes)
        && text.len() <= LONGEST
    {
        of_text(text);
    }
}

fn of_text(text: &str) {
    let Ok(schema) = serde_json::from_str::<Value>(text) else {
        return;
    };
    of_stripping(text);
    of_walking(&schema);
    of_registering(text, &schema);
}

/// What is taken out of a schema's text leaves JSON, and nothing more to take out.
fn of_stripping(text: &str) {
    if let Some(stripped) = strip_json(text) {
        assert!(stripped.len() < text.len());
        assert!(serde_json::from_str::<Value>(&stripped).is_ok(), "{stripped}");
        assert_eq!(strip_json(&stripped), None, "{stripped}");
    }
}

fn of_walking(schema: &Value) {
    let (said, truncated) = walk(schema);
    let mut known = HashSet::new();
    let nodes = gather(schema, &mut known);
    // A place can be a value of an enumeration and, through a reference, a schema too; nothing is visited a third time.
    assert!(said.len() <= 2 * nodes, "{} of {nodes}", said.len());
    assert!(said.iter().map(String::len).sum::<usize>() <= MOST_BYTES);
    for text in &said {
        let cut = || truncated && known.iter().any(|whole| whole.starts_with(text.as_str()));
        assert!(known.contains(text) || cut(), "{text:?} is not in the schema");
    }
    assert_eq!(walk(schema), (said, truncated));
}

fn walk(schema: &Value) -> (Vec<String>, bool) {
    let mut said = Vec::new();
    let summary = walk_schema(&schema.to_string(), &mut |text| {
        said.push(match text {
            SchemaText::Name(text) | SchemaText::Description(text) | SchemaText::Value(text) => {
                text.into_owned()
            }
        });
    });
    (said, summary.truncated)
}

/// Every key and every scalar of a value as text; how many there are.
fn gather(value: &Value, known: &mut HashSet<String>) -> usize {
    match value {
        Value::Array(values) => values.iter().map(|value| gather(value, known)).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                known.insert(key.clone());
                1 + gather(value, known)
            })
            .sum(),
        Value::String(text) => {
            known.insert(text.clone());
            1
        }
        scalar => {
            known.insert(scalar.to_string());
            1
        }
    }
}

/// A tool with the schema is taken, found and called, whatever the schema is; the schema comes back as it was.
fn of_registering(text: &str, schema: &Value) {
    let witness = Witness::new(&json!({}));
    let request = format!(r#"{{"kind":"tool","items":[{{"id":"probe","inputSchema":{text}}}]}}"#);
    let answer = witness.ask("register", &request);
    let answer = &answer["ok"];
    if answer["added"] != 1 {
        assert_eq!(answer["rejected"], json!([0]), "{answer}");
        return;
    }
    let found = witness.ok(
        "search",
        &json!({ "kind": "tool", "query": "probe", "include": ["schema"] }),
    );
    assert_eq!(found["total"], 1, "{found}");
    if !schema.is_null() && strip_json(text).is_none() {
        assert_eq!(&found["hits"][0]["inputSchema"], schema);
    }
    witness.ok("diagnose", &json!({}));
    for arguments in ["{}", r#"{"x":"1","a":null}"#, "[]", "\"{\\\"a\\\":1}\""] {
        let sent = format!(r#"{{"toolId":"probe","args":{arguments}}}"#);
        let step = witness.step("invoke_tool", &sent, &Value::Null, 8_000);
        assert_ne!(step["reply"]["error"], "unknown_tool");
        let message = step["reply"]["message"].as_str().unwrap_or_default();
        assert!(!has_control_or_invisible(message), "{message:?}");
    }
    let shown = witness.step("search_capabilities", r#"{"query":"probe"}"#, &Value::Null, 8_000);
    assert_eq!(shown["kind"], "reply");
}
