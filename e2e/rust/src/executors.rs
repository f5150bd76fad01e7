//! The named fixture executors: what each answers, the same in every language. Knows nothing of the engine.

use std::collections::HashMap;

use serde_json::{Value, json};

/// What one run of an executor is given.
pub struct Run<'a> {
    /// The tool.
    pub tool_id: &'a str,
    /// Its arguments.
    pub arguments: &'a Value,
    /// The conversation.
    pub session: &'a Value,
    /// What the host passed along.
    pub context: &'a Value,
    /// The model's own id of the call.
    pub tool_call_id: &'a Value,
    /// How long the host waits.
    pub timeout_ms: Option<u64>,
}

/// What came of it.
#[derive(Debug)]
pub enum Ran {
    /// A value.
    Value(Value),
    /// A stream of chunks.
    Stream(Vec<Value>),
    /// An exception.
    Threw(&'static str, &'static str),
    /// The host stopped waiting.
    TimedOut(u64),
    /// The host gave up.
    Aborted,
}

/// Runs the executor of this name.
pub fn run(name: &str, run: &Run<'_>, counts: &mut HashMap<String, u64>) -> Result<Ran, String> {
    Ok(match name {
        "echo" | "echoAsync" => Ran::Value(json!({ "tool": run.tool_id, "arguments": run.arguments })),
        "inspect" => {
            Ran::Value(json!({ "tool": run.tool_id, "arguments": run.arguments, "context": run.context }))
        }
        "caller" => Ran::Value(json!({ "session": run.session, "toolCallId": run.tool_call_id })),
        "counter" => {
            let count = counts.entry(run.tool_id.to_owned()).or_default();
            *count += 1;
            Ran::Value(json!({ "count": *count }))
        }
        "throw" => Ran::Threw("FixtureError", "the fixture failed on purpose"),
        "unauthorized" => Ran::Threw("UnauthorizedError", "the fixture wants credentials"),
        "cancelled" => Ran::Threw("AbortError", "the fixture gave up"),
        "stream" => Ran::Stream((0..3).map(|part| json!({ "part": part })).collect()),
        "slow" => run.timeout_ms.map_or(Ran::Aborted, Ran::TimedOut),
        _ => return Err(format!("no executor `{name}`")),
    })
}

/// What a named fixture sub-agent answers, as an outcome.
pub fn fork(name: Option<&str>, step: &Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    match name {
        None => json!({ "kind": "noHandler" }),
        Some("echo") => {
            let tools = step["allowedTools"].as_array().into_iter().flatten().map(text);
            let tools = tools.collect::<Vec<_>>().join(" ");
            let said = format!(
                "{}: {} [{tools}] {} {}",
                text(&step["call"]["skillId"]),
                text(&step["prompt"]),
                text(&step["model"]),
                text(&step["effort"])
            );
            json!({ "kind": "text", "text": said })
        }
        Some(_) => {
            json!({ "kind": "error", "name": "FixtureError", "message": "the fixture failed on purpose" })
        }
    }
}
