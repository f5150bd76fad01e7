//! Laws of a model's calls: what fits is not changed, what is called fits, and hidden is as unknown.
//! Input: the name of the called tool, and on the lines after it the JSON text of its arguments as a model wrote them.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

use crate::{Witness, draw, plan};

/// Ids, parameters and traps that models fall into.
static TOOLS: LazyLock<Value> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    json!([
        {"id": "t", "inputSchema": {"type": "object", "properties": {"x": number}, "required": ["x"], "additionalProperties": false}},
        {"id": "github__merge", "description": "Merge a pull request", "inputSchema": {"type": "object", "properties": {"repo": text, "number": number}, "required": ["repo", "number"]}},
        {"id": "shell__run", "description": "Run a command", "inputSchema": {"type": "object", "properties": {"command": text, "args": {"type": "array", "items": text}}, "required": ["command"], "additionalProperties": false}},
        {"id": "loose", "description": "Find", "inputSchema": {"type": "object", "properties": {"query": text, "limit": number, "name": text, "o": {"type": "object", "properties": {"deep": {"type": ["boolean", "null"]}}}}}},
        {"id": "any"},
        {"id": "a__get"}, {"id": "b__get"},
        {"id": "deleter", "requiresApproval": true, "inputSchema": {"type": "object", "properties": {"days": {"anyOf": [number, {"type": "null"}]}}}},
        {"id": "日本__法令", "description": "法令を読む", "inputSchema": {"type": "object", "properties": {"番号": number}}},
    ])
});

/// What the caller may not see; its words stand nowhere else.
static SECRET: LazyLock<Value> = LazyLock::new(
    || json!({"id": "zzsecret__vault", "description": "Merge and find zzvault", "inputSchema": {"properties": {"zzkey": {"type": "string"}}}}),
);

static POLICY: LazyLock<Value> = LazyLock::new(|| json!({"deny": {"ids": ["zzsecret__vault"]}}));

/// The engines of one run: they answer from what is registered only, so they are made once.
struct Worlds {
    /// Holds the secret, which the policy hides.
    hiding: Witness,
    /// Never knew it.
    without: Witness,
    /// Repairs nothing.
    strict: Witness,
}

static WORLDS: LazyLock<Worlds> = LazyLock::new(|| {
    let mut all = TOOLS.as_array().expect("a list").clone();
    let without = Witness::with(&json!({}), "tool", &TOOLS);
    let strict = Witness::with(&json!({"repairArguments": false}), "tool", &TOOLS);
    all.push(SECRET.clone());
    let hiding = Witness::with(&json!({}), "tool", &all.into());
    let skills = json!([{"id": "merging", "description": "How to merge", "body": "Ask. Then call github__merge.", "tools": ["github__merge", "zzsecret__vault"]}]);
    for witness in [&hiding, &without, &strict] {
        witness.ok("register", &json!({"kind": "skill", "items": skills}));
    }
    Worlds {
        hiding,
        without,
        strict,
    }
});

const BUDGET: usize = 8_000;
const LONGEST: usize = 16 * 1024;

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        if let Ok((name, arguments)) = drawn(&mut from) {
            of_call(&name, &arguments.to_string());
        }
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (name, arguments) = text.split_once('\n').unwrap_or(("invoke_tool", text));
    // Arguments that are no JSON never reach the engine as they are: the host passes them on as a text.
    match serde_json::from_str::<&serde_json::value::RawValue>(arguments) {
        Ok(raw) if raw.get().len() <= LONGEST => of_call(name, raw.get()),
        _ if arguments.len() <= LONGEST => of_call(name, &Value::from(arguments).to_string()),
        _ => {}
    }
}

fn of_call(name: &str, arguments: &str) {
    let worlds = &*WORLDS;
    let step = worlds.hiding.step(name, arguments, &POLICY, BUDGET);
    let unknowing = worlds.without.step(name, arguments, &POLICY, BUDGET);
    let same_words = name != "search_capabilities";
    if same_words {
        // How rare a word is depends on what is hidden too, and with it the order of a search; its members do not.
        assert_eq!(step, unknowing, "{name} {arguments}");
    }
    if !name.contains("zz") && !arguments.contains("zz") && !arguments.contains("\\u") {
        let mut told = step.clone();
        if let Some(call) = told["call"].as_object_mut() {
            // The caller's own policy travels with the call.
            call.remove("visible");
        }
        assert!(!told.to_string().contains("zz"), "{name} {arguments}: {step}");
    }
    if name == "search_capabilities" {
        of_found(&step);
    }
    if let Some(call) = step.get("call") {
        of_reached(name, arguments, call);
        of_outcomes(&step);
    }
    if name == "invoke_tool" {
        of_resolving(arguments, &step);
        of_exact(arguments, &step);
    }
    let strict = worlds.strict.step(name, arguments, &POLICY, BUDGET);
    if let Some(call) = strict.get("call") {
        // What goes through without any repair is not repaired.
        assert_eq!(step["call"]["arguments"], call["arguments"], "{name} {arguments}");
    }
}

/// Whatever is found may be called.
fn of_found(step: &Value) {
    let groups = step["reply"]["groups"].as_array().into_iter().flatten();
    let mut ids = Vec::new();
    for group in groups {
        for tool in group["tools"].as_array().into_iter().flatten() {
            ids.extend(tool["toolId"].as_str().or(tool["id"].as_str()));
        }
    }
    for id in ids {
        let sent = json!({ "toolId": id, "args": {} }).to_string();
        let called = WORLDS.hiding.step("invoke_tool", &sent, &POLICY, BUDGET);
        assert_ne!(called["reply"]["error"], "unknown_tool", "{id}");
    }
}

/// Arguments that reach a tool fit its schema, and reach it again unchanged.
fn of_reached(name: &str, arguments: &str, call: &Value) {
    let id = call["toolId"].as_str().expect("an id");
    let tools = TOOLS.as_array().into_iter().flatten();
    let tool = tools
        .clone()
        .find(|tool| tool["id"] == id)
        .expect("a visible tool");
    let given = &call["arguments"];
    if let Some(schema) = tool.get("inputSchema") {
        assert!(
            fits(schema, given),
            "{name} {arguments}: {given} does not fit {id}"
        );
    }
    let again = json!({ "toolId": id, "args": given }).to_string();
    let second = WORLDS.hiding.step("invoke_tool", &again, &POLICY, BUDGET);
    if given.as_object().is_some_and(|given| !wraps(given)) {
        assert_eq!(&second["call"]["arguments"], given, "{again}");
    }
}

/// An approval is needed before a call, and no outcome leads anywhere but to an answer.
fn of_outcomes(step: &Value) {
    let asked = step["kind"] == "approve";
    for outcome in [
        json!({"kind": "ok"}),
        json!({"kind": "error", "name": "Error", "message": "zz\u{0}"}),
        json!({"kind": "timeout", "elapsedMs": 1}),
        json!({"kind": "aborted"}),
        json!({"kind": "notBound"}),
        json!({"kind": "noHandler"}),
        json!({"kind": "approval", "approved": true}),
        json!({"kind": "approval", "approved": false, "reason": "no"}),
        json!({"kind": "text", "text": "x"}),
        json!({"kind": "vectors", "vectors": [[1.0]]}),
    ] {
        let request = json!({ "call": step["call"], "outcome": outcome, "now": 2 }).to_string();
        let answer = WORLDS.hiding.ask("resume", &request);
        let kind = answer["ok"]["kind"].as_str();
        let approved = outcome["approved"] == true;
        assert_eq!(kind == Some("invoke"), asked && approved, "{request}: {answer}");
        if answer["ok"]["hostValue"] == true {
            assert!(!asked && outcome["kind"] == "ok", "{request}: {answer}");
        }
    }
}

/// Resolving says what calling would do.
fn of_resolving(arguments: &str, step: &Value) {
    let request = format!(r#"{{"arguments":{arguments},"visible":{}}}"#, *POLICY);
    let resolved = WORLDS.hiding.ask("resolve", &request);
    match step.get("call") {
        None => assert_eq!(resolved["error"]["code"], step["reply"]["error"], "{arguments}"),
        Some(call) => {
            assert_eq!(resolved["ok"]["toolId"], call["toolId"], "{arguments}");
            assert_eq!(resolved["ok"]["arguments"], call["arguments"], "{arguments}");
            assert_eq!(resolved["ok"]["requiresApproval"], step["kind"] == "approve");
        }
    }
}

/// A call in the right form, with arguments that fit, goes through as it is.
fn of_exact(arguments: &str, step: &Value) {
    let Ok(Value::Object(sent)) = serde_json::from_str::<Value>(arguments) else {
        return;
    };
    let (Some(id), Some(Value::Object(args)), 2) = (sent.get("toolId"), sent.get("args"), sent.len()) else {
        return;
    };
    let tools = TOOLS.as_array().into_iter().flatten();
    let Some(tool) = tools.clone().find(|tool| &tool["id"] == id) else {
        return;
    };
    let args = Value::Object(args.clone());
    let right = tool.get("inputSchema").is_none_or(|schema| fits(schema, &args));
    if right && !wraps(args.as_object().expect("an object")) && no_key_twice(arguments, &sent) {
        assert_eq!(step["call"]["arguments"], args, "{arguments}: {step}");
    }
}

/// Whether an object could be an envelope in the place of arguments.
fn wraps(object: &Map<String, Value>) -> bool {
    object.contains_key("toolId") || object.contains_key("args")
}

/// Whether the text is as long as what was read of it, spaces aside: a key that stands twice is read once.
fn no_key_twice(text: &str, read: &Map<String, Value>) -> bool {
    let count = |text: &str| text.matches("\":").count();
    count(text) <= count(&Value::Object(read.clone()).to_string())
}

fn fits(schema: &Value, value: &Value) -> bool {
    jsonschema::draft202012::new(schema)
        .expect("a good schema")
        .is_valid(value)
}

/// A call in one of the forms that models send.
fn drawn(from: &mut Unstructured<'_>) -> Result<(String, Value)> {
    const NAMED: [&str; 11] = [
        "t",
        "github__merge",
        "shell__run",
        "loose",
        "any",
        "a__get",
        "get",
        "deleter",
        "日本__法令",
        "zzsecret__vault",
        "merging",
    ];
    let id = draw::one(from, &NAMED)?;
    let mut args = Map::new();
    for _ in 0..from.int_in_range(0..=3)? {
        let name = draw::one(
            from,
            &[
                "x", "repo", "number", "command", "args", "query", "limit", "o", "days", "番号", "deep",
                "toolId", "name",
            ],
        )?;
        args.insert(name.to_owned(), draw::value(from, 3)?);
    }
    let args = Value::Object(args);
    let beside = draw::object(from, 1)?;
    let id_name = draw::one(from, &["toolId", "toolId", "tool_id", "tool", "name", "toolName"])?;
    let args_name = draw::one(from, &["args", "args", "arguments", "params", "input"])?;
    let arguments = match from.int_in_range(0..=8)? {
        0..=2 => json!({ id_name: id, args_name: args }),
        3 => json!({ id_name: id, args_name: args.to_string() }),
        4 => merged(json!({ id_name: id }), &args),
        5 => merged(json!({ id_name: id, args_name: args }), &beside),
        6 => json!({ args_name: merged(json!({ id_name: id }), &args) }),
        7 => json!({ "toolId": id, "args": { "toolId": id, "args": args } }),
        _ => Value::from(json!({ id_name: id, args_name: args }).to_string()),
    };
    Ok(match from.int_in_range(0..=9)? {
        0 => (id.to_owned(), args),
        1 => (
            "search_capabilities".to_owned(),
            json!({ "query": draw::text(from)?, draw::one(from, &["topKTools", "topKSkills", "server", "x"])?: draw::value(from, 1)? }),
        ),
        2 => (
            "get_skill_content".to_owned(),
            json!({ draw::one(from, &["skillId", "skill_id", "name"])?: id, draw::one(from, &["offset", "resource", "arguments"])?: draw::value(from, 1)? }),
        ),
        _ => ("invoke_tool".to_owned(), arguments),
    })
}

fn merged(mut left: Value, right: &Value) -> Value {
    if let (Some(left), Some(right)) = (left.as_object_mut(), right.as_object()) {
        left.extend(right.clone());
    }
    left
}
