//! Everything a scenario changes: clients, saved bytes, what was observed. Maps each operation's name to a call.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::client::Client;
use crate::expand::{self, Sources};
use crate::files::Files;
use crate::rerank;
use crate::scenario::{self, Scenario, Step};

/// The state of a run.
pub struct World<'a> {
    scenario: &'a Scenario,
    clients: HashMap<String, Client>,
    saved: HashMap<String, Vec<u8>>,
    observed: HashMap<String, Value>,
    files: Files,
}

impl<'a> World<'a> {
    /// Nothing has happened yet.
    pub fn new(scenario: &'a Scenario) -> std::io::Result<Self> {
        Ok(Self {
            files: Files::new(&scenario::home().join(".build/files-rust"))?,
            scenario,
            clients: HashMap::new(),
            saved: HashMap::new(),
            observed: HashMap::new(),
        })
    }

    /// What an earlier step observed.
    pub fn earlier(&self, name: &str) -> Option<&Value> {
        self.observed.get(name)
    }

    /// A value of the scenario with its short forms written out.
    pub fn expand(&self, value: &Value) -> Result<Value, String> {
        expand::expand(
            value,
            &Sources {
                fixtures: &self.scenario.fixtures,
                observed: &self.observed,
            },
        )
    }

    /// Does one step and remembers what it observed.
    pub fn take(&mut self, step: &Step) -> Result<Value, String> {
        let arguments = self.expand(&step.arguments)?;
        let observed = self.run(&step.on, &step.operation, &arguments)?;
        let observed = self.files.hide(observed);
        self.observed.insert(step.name.clone(), observed.clone());
        Ok(observed)
    }

    fn run(&mut self, on: &str, operation: &str, arguments: &Value) -> Result<Value, String> {
        if operation == "create" {
            return Ok(match Client::open(arguments, self.files.home()) {
                Err(observed) => observed,
                Ok(client) => {
                    self.clients.insert(on.to_owned(), client);
                    json!({ "value": null })
                }
            });
        }
        if operation == "together" {
            let steps = arguments["steps"].as_array().cloned().unwrap_or_default();
            let observed: Result<Vec<Value>, String> = steps
                .iter()
                .map(|step| {
                    self.run(
                        on,
                        step["operation"].as_str().unwrap_or_default(),
                        &step["arguments"],
                    )
                })
                .collect();
            return Ok(json!({ "value": observed? }));
        }
        if operation == "files" {
            return Ok(json!({ "value": self.files.write(&arguments["files"])? }));
        }
        let client = match self.clients.remove(on) {
            Some(client) => client,
            None => Client::open(arguments_of_new(operation, arguments), self.files.home())
                .map_err(|observed| observed.to_string())?,
        };
        let client = self.clients.entry(on.to_owned()).or_insert(client);
        let listed = arguments["paths"].as_array().into_iter().flatten();
        let paths: Vec<String> = listed
            .filter_map(Value::as_str)
            .map(|path| self.files.place(path))
            .collect();
        if let Some(answer) = client.with_folders(operation, &paths, &scoped(arguments)) {
            return Ok(answer.map_or_else(|observed| observed, |value| json!({ "value": value })));
        }
        operate(client, &mut self.saved, operation, arguments)
    }
}

/// An engine that is spoken to past the facade may be opened with options of its own.
fn arguments_of_new<'a>(operation: &str, arguments: &'a Value) -> &'a Value {
    if operation == "raw" {
        arguments
    } else {
        &Value::Null
    }
}

fn operate(
    client: &mut Client,
    saved: &mut HashMap<String, Vec<u8>>,
    operation: &str,
    arguments: &Value,
) -> Result<Value, String> {
    let request = scoped(arguments);
    let answer = match operation {
        "register" | "replaceAll" => client.put(operation, arguments),
        "remove" => client.remove(arguments),
        "bind" => client.bind(arguments),
        "get" => part(client.send("get", &request), "item"),
        "list" => part(client.send("list", &request), "items"),
        "size" => part(client.send("size", &request), "size"),
        "search" => part(client.send("search", &request), "hits"),
        "searchAsync" => {
            let means = client.with_means(&request, &json!([request["query"]]), "queryVector");
            match &client.rerank {
                None => part(means.and_then(|request| client.send("search", &request)), "hits"),
                Some(name) => means
                    .map(|request| with(request, "rerankTop", rerank::TOP.into()))
                    .and_then(|request| client.send("search", &request))
                    .map(|answer| rerank::page(name, &answer)),
            }
        }
        "searchNeeds" => client.send("searchNeeds", &request),
        "searchNeedsAsync" => {
            let means = client.with_means(&request, &request["queries"], "queryVectors");
            means.and_then(|request| client.send("searchNeeds", &request))
        }
        "warmUp" => client.warm_up(),
        "setServer" | "removeServer" | "setSession" | "endSession" => {
            client.send(operation, &request).map(|_| Value::Null)
        }
        "listServers" => part(client.send("listServers", &request), "servers"),
        "modelTools" => part(client.send("modelTools", &request), "tools"),
        "modelToolsDigest" => part(client.send("modelTools", &request), "digest"),
        "tokens" => client.send("tokens", &request),
        "disclose" => client.send("disclose", &request),
        "discloseAsync" => {
            let means = client.with_means(&request, &json!([arguments["query"]]), "queryVector");
            let means = means.map(without_method);
            means.and_then(|request| client.send("disclose", &request))
        }
        "resolve" => client.send("resolve", &request),
        "recall" => {
            let means = client.with_means(&timed(request), &json!([arguments["query"]]), "queryVector");
            let means = means.map(without_method);
            match means.and_then(|request| client.send("recall", &request)) {
                Ok(mut answer) if answer.get("step").is_some() => {
                    let step = Ok(answer["step"].take());
                    return client.go_on("recall", step, &Value::Null, &mut |_, _| Ok(()));
                }
                answer => part(answer, "result"),
            }
        }
        "forModel" => part(client.send("forModel", &request), "result"),
        "skillListing" => client.send("skillListing", &timed(request)),
        "diagnose" => part(client.send("diagnose", &json!({})), "diagnostics"),
        "save" => {
            let bytes = client.save();
            let seen = json!({ "bytes": bytes.len(), "digest": hex(&Sha256::digest(&bytes)) });
            saved.insert(arguments["as"].as_str().unwrap_or_default().to_owned(), bytes);
            Ok(seen)
        }
        "load" => client.load(&bytes_of(arguments, saved)?),
        "raw" => {
            let name = arguments["operation"].as_str().unwrap_or_default();
            let text = arguments["text"]
                .as_str()
                .map_or_else(|| arguments["request"].to_string(), str::to_owned);
            let envelope = client.raw(name, &text);
            let value: Value =
                serde_json::from_str(&envelope).map_err(|cause| format!("{cause}: {envelope}"))?;
            return Ok(json!({ "value": value, "text": envelope }));
        }
        "call" | "invoke" => return call(client, saved, operation, arguments),
        _ => return Err(format!("this runner knows no operation `{operation}`")),
    };
    Ok(answer.map_or_else(|observed| observed, |value| json!({ "value": value })))
}

fn call(
    client: &mut Client,
    saved: &mut HashMap<String, Vec<u8>>,
    operation: &str,
    arguments: &Value,
) -> Result<Value, String> {
    let keys: &[&str] = match operation {
        "call" => &["name", "arguments", "session", "visible"],
        _ => &["toolId", "args", "session", "visible"],
    };
    let whole = scoped(arguments);
    let request = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), whole.get(*key)?.clone())))
        .collect();
    let first = if operation == "call" { "step" } else { "invoke" };
    client.run(first, &timed(request), arguments, &mut |client, step| {
        operate(
            client,
            saved,
            step["operation"].as_str().unwrap_or_default(),
            &step["arguments"],
        )
        .map(drop)
    })
}

/// The request with a conversation that other runners go through (`in`) as its `session`.
fn scoped(arguments: &Value) -> Value {
    let mut request = arguments.as_object().cloned().unwrap_or_default();
    if let Some(session) = request.shift_remove("in") {
        request.insert("session".to_owned(), session);
    }
    Value::Object(request)
}

fn timed(request: Value) -> Value {
    with(request, "now", 0.into())
}

fn with(request: Value, key: &str, part: Value) -> Value {
    let mut request = request.as_object().cloned().unwrap_or_else(Map::new);
    request.insert(key.to_owned(), part);
    Value::Object(request)
}

/// A recall and a disclosure always rank by the engine's own method.
fn without_method(mut request: Value) -> Value {
    if let Some(request) = request.as_object_mut() {
        request.shift_remove("method");
    }
    request
}

fn part(answer: Result<Value, Value>, key: &str) -> Result<Value, Value> {
    answer.map(|mut response| response[key].take())
}

/// What is to be loaded: saved bytes, whole, cut (`keep`) or damaged (`flip`), or a text.
fn bytes_of(arguments: &Value, saved: &HashMap<String, Vec<u8>>) -> Result<Vec<u8>, String> {
    if let Some(text) = arguments["text"].as_str() {
        return Ok(text.as_bytes().to_vec());
    }
    let name = arguments["from"].as_str().unwrap_or_default();
    let mut bytes = saved
        .get(name)
        .cloned()
        .ok_or_else(|| format!("nothing was saved as `{name}`"))?;
    if let Some(keep) = arguments["keep"].as_u64() {
        bytes.truncate(usize::try_from(keep).unwrap_or(usize::MAX));
    }
    if let Some(byte) = arguments["flip"]
        .as_u64()
        .and_then(|at| bytes.get_mut(usize::try_from(at).ok()?))
    {
        *byte ^= 1;
    }
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
