//! One client: an engine, its executors, and the host loop around it. Decides nothing: every answer is the engine's.

use std::collections::HashMap;
use std::path::Path;

use honeyguide::engine::Engine;
use serde_json::{Map, Value, json};

use crate::embedder::Embedder;
use crate::executors::{self, Ran, Run};
use crate::folders::Folders;
use crate::{errors, items, rerank};

/// An observation that ends a step early: an error, or an exception of a tool.
pub type Observed = Value;

/// What a host keeps.
pub struct Client {
    engine: Engine,
    executors: HashMap<String, String>,
    counts: HashMap<String, u64>,
    approve: Option<Value>,
    /// What embeds texts.
    pub(crate) embedder: Option<Embedder>,
    /// How the engine ranks, as its options say.
    pub(crate) method: Value,
    /// What orders hits anew.
    pub(crate) rerank: Option<String>,
    fork: Option<String>,
    folders: Folders,
}

/// Runs a step that an approver takes before it answers.
pub type Before<'a> = &'a mut dyn FnMut(&mut Client, &Value) -> Result<(), String>;

impl Client {
    /// Opens an engine with these options.
    pub fn open(arguments: &Value, project: &Path) -> Result<Self, Observed> {
        let embedder = Embedder::of(&arguments["embedder"]);
        let mut options = arguments["options"].as_object().cloned().unwrap_or_default();
        if let Some(embedder) = &embedder {
            options.insert("embedder".to_owned(), embedder.about());
        }
        let rerank = arguments["rerank"].as_str().map(str::to_owned);
        if rerank.is_some() {
            options.insert("rerankTop".to_owned(), rerank::TOP.into());
        }
        let method = options.get("method").cloned().unwrap_or_default();
        let engine = Engine::new(&Value::Object(options).to_string())
            .map_err(|error| errors::observed(&serde_json::from_str(&error.to_json()).unwrap_or_default()))?;
        let approve = arguments.get("approve").cloned();
        Ok(Self {
            engine,
            executors: HashMap::new(),
            counts: HashMap::new(),
            approve,
            embedder,
            method,
            rerank,
            fork: arguments["fork"].as_str().map(str::to_owned),
            folders: Folders::new(project),
        })
    }

    /// Sends one operation; what the engine refuses is an observation.
    pub fn send(&self, operation: &str, request: &Value) -> Result<Value, Observed> {
        read_envelope(&self.engine.call(operation, &request.to_string()))
    }

    /// `register` and `replaceAll`, with the functions of the items that were taken.
    pub fn put(&mut self, operation: &str, arguments: &Value) -> Result<Value, Observed> {
        let kind = arguments["kind"].as_str().unwrap_or_default();
        let single = arguments.get("item");
        let batch: Vec<&Value> = single.map_or_else(
            || arguments["items"].as_array().into_iter().flatten().collect(),
            |item| vec![item],
        );
        let ready: Vec<items::Ready> = batch.into_iter().map(|item| items::read(item, kind)).collect();
        let texts: Vec<&Value> = ready.iter().map(|item| &item.json).collect();
        let response = self.send(operation, &json!({ "kind": kind, "items": texts }))?;
        if kind == "tool" {
            self.bind_all(operation, ready, &response);
        }
        let diagnostics = response["diagnostics"].as_array().cloned().unwrap_or_default();
        match diagnostics
            .iter()
            .find(|diagnostic| diagnostic["severity"] == "error")
        {
            Some(refused) if single.is_some() => Err(errors::of_diagnostic(refused)),
            _ => Ok(response),
        }
    }

    fn bind_all(&mut self, operation: &str, ready: Vec<items::Ready>, response: &Value) {
        if operation == "replaceAll" {
            self.executors.clear();
        }
        let rejected = response["rejected"].as_array().cloned().unwrap_or_default();
        for (place, item) in ready.into_iter().enumerate() {
            if let (Some(id), Some(execute), false) =
                (item.id, item.execute, rejected.contains(&json!(place)))
            {
                self.executors.insert(id, execute);
            }
        }
    }

    /// Takes items out, with their functions.
    pub fn remove(&mut self, arguments: &Value) -> Result<Value, Observed> {
        let removed = self.send("remove", arguments)?["removed"].take();
        if arguments["kind"] == "tool" {
            for id in removed.as_array().into_iter().flatten().filter_map(Value::as_str) {
                self.executors.remove(id);
            }
        }
        Ok(removed)
    }

    /// Gives a tool its function again.
    pub fn bind(&mut self, arguments: &Value) -> Result<Value, Observed> {
        let id = arguments["toolId"].as_str().unwrap_or_default();
        if self.send("get", &json!({ "kind": "tool", "id": id }))?["item"].is_null() {
            return Err(errors::observed(&json!({
                "code": "unknown_tool",
                "category": "not_found",
                "message": format!("unknown tool `{id}`; load or register its definition before binding it"),
                "details": { "id": id },
            })));
        }
        self.executors.insert(
            id.to_owned(),
            arguments["execute"].as_str().unwrap_or_default().to_owned(),
        );
        Ok(Value::Null)
    }

    /// The operations on folders of skills; nothing for another one.
    pub fn with_folders(
        &mut self,
        operation: &str,
        paths: &[String],
        arguments: &Value,
    ) -> Option<Result<Value, Observed>> {
        let Self { engine, folders, .. } = self;
        let send =
            |operation: &str, request: &Value| read_envelope(&engine.call(operation, &request.to_string()));
        let without_paths = || {
            let mut options = arguments.clone();
            options
                .as_object_mut()
                .map(|options| options.shift_remove("paths"));
            options
        };
        Some(match operation {
            "loadFolder" => folders.add(paths, &without_paths(), &send),
            "refresh" => folders.reload(&send),
            "skillDiagnostics" => Ok(folders.diagnostics.clone()),
            "validate" => Folders::validate(paths, &send),
            "touch" => folders.touch(&arguments["paths"], &send).and_then(|paths| {
                send(
                    "touch",
                    &json!({ "session": arguments["session"], "paths": paths, "now": 0 }),
                )
            }),
            _ => return None,
        })
    }

    /// The catalogs as bytes.
    pub fn save(&self) -> Vec<u8> {
        self.engine.save()
    }

    /// Takes saved catalogs.
    pub fn load(&self, bytes: &[u8]) -> Result<Value, Observed> {
        read_envelope(&self.engine.load(bytes)).map(|_| Value::Null)
    }

    /// The raw envelope of one operation.
    pub fn raw(&self, operation: &str, request: &str) -> String {
        self.engine.call(operation, request)
    }

    /// Answers a call of the model (`step`) or of host code (`invoke`), through every step that core asks for.
    pub fn run(
        &mut self,
        first: &str,
        request: &Value,
        options: &Value,
        before: Before<'_>,
    ) -> Result<Observed, String> {
        let first_step = self.send(first, request);
        self.go_on(first, first_step, options, before)
    }

    /// Goes on from a step of a call that began with an operation.
    pub fn go_on(
        &mut self,
        first: &str,
        mut step: Result<Value, Observed>,
        options: &Value,
        before: Before<'_>,
    ) -> Result<Observed, String> {
        let mut asked = options.get("approve").map(|_| Vec::new());
        let mut value = Map::new();
        let observed = loop {
            let current = match step {
                Err(observed) => break observed,
                Ok(step) => step,
            };
            let call = &current["call"];
            let outcome = match current["kind"].as_str().unwrap_or_default() {
                "reply" if current["hostValue"] == true => {
                    value.insert("identity".to_owned(), true.into());
                    break Value::Object(value);
                }
                "reply" => break json!({ "value": current["reply"] }),
                "approve" => self.ask(call, options, &mut asked, &mut *before)?,
                "invoke" => match self.execute(call, options, &mut value)? {
                    // Host code gets the tool's own exception; a model gets words.
                    Err(thrown) if first == "invoke" => break errors::thrown(thrown.0, thrown.1),
                    Err((name, message)) => json!({ "kind": "error", "name": name, "message": message }),
                    Ok(outcome) => outcome,
                },
                "embed" => self.embedded(&current["texts"]),
                "rerank" => self.rerank.as_deref().map_or_else(
                    || json!({ "kind": "noHandler" }),
                    |name| rerank::judge(name, &current["hits"]),
                ),
                "read" => self.folders.read(&current),
                "fork" => executors::fork(self.fork.as_deref(), &current),
                kind => return Err(format!("this runner knows no step `{kind}`")),
            };
            step = self.send("resume", &json!({ "call": call, "outcome": outcome, "now": 0 }));
        };
        let mut observed = observed.as_object().cloned().unwrap_or_default();
        if let Some(asked) = asked {
            observed.insert("asked".to_owned(), Value::Array(asked));
        }
        Ok(Value::Object(observed))
    }

    fn ask(
        &mut self,
        call: &Value,
        options: &Value,
        asked: &mut Option<Vec<Value>>,
        before: Before<'_>,
    ) -> Result<Value, String> {
        let Some(answer) = options.get("approve").cloned().or_else(|| self.approve.clone()) else {
            return Ok(json!({ "kind": "noHandler" }));
        };
        if let Some(asked) = asked {
            let parts = ["toolId", "arguments", "annotations"];
            asked.push(
                parts
                    .iter()
                    .filter_map(|key| Some(((*key).to_owned(), call.get(*key)?.clone())))
                    .collect(),
            );
        }
        if let Some(first) = answer.get("first") {
            before(self, first)?;
        }
        let approved = answer.get("approved").unwrap_or(&answer) == &json!(true);
        let mut outcome = json!({ "kind": "approval", "approved": approved });
        if let (Some(reason), Some(outcome)) = (answer.get("reason"), outcome.as_object_mut()) {
            outcome.insert("reason".to_owned(), reason.clone());
        }
        Ok(outcome)
    }

    /// Runs the executor of a call; a value stays here, under the key by which a runner observes it.
    #[allow(clippy::type_complexity)]
    fn execute(
        &mut self,
        call: &Value,
        options: &Value,
        value: &mut Map<String, Value>,
    ) -> Result<Result<Value, (&'static str, &'static str)>, String> {
        let tool_id = call["toolId"].as_str().unwrap_or_default();
        let Some(name) = self.executors.get(tool_id) else {
            return Ok(Ok(json!({ "kind": "notBound" })));
        };
        let run = Run {
            tool_id,
            arguments: &call["arguments"],
            session: &call["session"],
            context: &options["context"],
            tool_call_id: &options["toolCallId"],
            timeout_ms: options.get("timeoutMs").and_then(Value::as_u64),
        };
        Ok(match executors::run(name, &run, &mut self.counts)? {
            Ran::Value(answer) => {
                value.insert("value".to_owned(), answer);
                Ok(json!({ "kind": "ok" }))
            }
            Ran::Stream(chunks) => {
                value.insert("stream".to_owned(), chunks.into());
                Ok(json!({ "kind": "ok" }))
            }
            Ran::Threw(name, message) => Err((name, message)),
            Ran::TimedOut(after) => Ok(json!({ "kind": "timeout", "elapsedMs": after })),
            Ran::Aborted => Ok(json!({ "kind": "aborted" })),
        })
    }
}

fn read_envelope(text: &str) -> Result<Value, Observed> {
    let mut envelope: Value = serde_json::from_str(text).unwrap_or_default();
    match envelope.get("error") {
        Some(error) => Err(errors::observed(error)),
        None => Ok(envelope["ok"].take()),
    }
}
