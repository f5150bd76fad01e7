//! Laws of a whole program: any sequence of requests, as they cross the language boundary.
//! Input: one request per line, the operation, a space, the JSON text; `save` and `load` stand alone.

use arbitrary::{Result, Unstructured};
use honeyguide::text::name_key;
use serde_json::{Value, json};

use crate::{Witness, draw, plan};

const MOST_STEPS: usize = 40;
const LONGEST: usize = 32 * 1024;
const KINDS: [&str; 3] = ["tool", "skill", "fact"];

/// One line.
struct Line {
    operation: String,
    request: String,
}

impl Line {
    /// The same, which no scanner takes: a registration of tools says its kind with an escape.
    fn read_by_a_parser(&self) -> Self {
        let request = match self.request.split_once("\"tool\"") {
            Some((before, items)) if self.operation == "register" && is_kind(before) => {
                format!("{before}\"too\\u006c\"{items}")
            }
            _ => self.request.clone(),
        };
        Self {
            operation: self.operation.clone(),
            request,
        }
    }
}

/// Whether a request that begins like this says its kind next.
fn is_kind(beginning: &str) -> bool {
    let signs = beginning.chars().filter(|sign| !sign.is_whitespace());
    signs.eq("{\"kind\":".chars())
}

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        let mut lines = Vec::new();
        while lines.len() < MOST_STEPS && !from.is_empty() {
            match drawn(&mut from) {
                Ok(line) => lines.push(line),
                Err(_) => break,
            }
        }
        return run(&lines);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    let lines: Vec<Line> = text
        .lines()
        .take(MOST_STEPS)
        .map(|line| {
            let (operation, request) = line.split_once(' ').unwrap_or((line, "{}"));
            Line {
                operation: operation.to_owned(),
                request: request.to_owned(),
            }
        })
        .collect();
    run(&lines);
}

fn run(lines: &[Line]) {
    let first = Program::after(lines);
    let longer: Vec<Line> = lines.iter().map(Line::read_by_a_parser).collect();
    let second = Program::after(&longer);
    assert_eq!(
        first.answers, second.answers,
        "the same requests give the same answers, whichever way a registration is read"
    );
    assert_eq!(first.witness.save(), second.witness.save());
    let witness = &first.witness;
    of_rebuilding(witness, &first.queries);
    for policy in &first.policies {
        of_visibility(witness, policy);
    }
}

/// An engine after some requests, and what was asked of it.
struct Program {
    witness: Witness,
    answers: Vec<Value>,
    queries: Vec<String>,
    policies: Vec<Value>,
    saved: Option<Vec<u8>>,
    pending: Option<Value>,
    revision: u64,
}

impl Program {
    fn after(lines: &[Line]) -> Self {
        let mut program = Self {
            witness: Witness::new(&json!({})),
            answers: Vec::new(),
            queries: vec!["read file".to_owned()],
            policies: vec![json!({})],
            saved: None,
            pending: None,
            revision: 0,
        };
        lines.iter().for_each(|line| program.take(line));
        program
    }

    fn take(&mut self, Line { operation, request }: &Line) {
        let answer = match operation.as_str() {
            "save" => {
                self.saved = Some(self.witness.save());
                return;
            }
            "load" => match &self.saved {
                None => return,
                Some(bytes) => self.witness.load(bytes),
            },
            // The call is the last one that a step handed out, which text found by chance cannot seal.
            "resume" if self.pending.is_some() => {
                let mut request: Value = serde_json::from_str(request).unwrap_or_else(|_| json!({}));
                if let Some(request) = request.as_object_mut() {
                    request.insert("call".to_owned(), self.pending.clone().unwrap_or_default());
                }
                self.witness.ask(operation, &request.to_string())
            }
            _ => self.witness.ask(operation, request),
        };
        if let Some(revision) = answer["ok"]["revision"].as_u64() {
            assert!(revision >= self.revision, "{operation} {request}: {answer}");
            self.revision = revision;
        }
        if let Some(call) = answer["ok"].get("call") {
            self.pending = Some(call.clone());
        }
        let request: Value = serde_json::from_str(request).unwrap_or_default();
        of_page(operation, &request, &answer["ok"]);
        if answer.get("ok").is_some() {
            if let Some(query) = request["query"].as_str() {
                self.queries.push(query.to_owned());
            }
            if request["visible"].is_object() {
                self.policies.push(request["visible"].clone());
            }
        }
        self.answers.push(answer);
    }
}

/// A page of hits is no longer than asked for, and in order.
fn of_page(operation: &str, request: &Value, answer: &Value) {
    let (true, Some(hits)) = (operation == "search", answer["hits"].as_array()) else {
        return;
    };
    let asked = |name: &str| request[name].as_u64().filter(|most| *most > 0);
    // What a host is to order anew comes whole, and the host cuts it.
    let most = asked("topK")
        .unwrap_or(5)
        .max(asked("rerankTop").unwrap_or(0))
        .min(1_000);
    assert!(hits.len() as u64 <= most && hits.len() as u64 <= answer["total"].as_u64().unwrap_or(0));
    let first = request["offset"].as_u64().unwrap_or(0);
    for (rank, hit) in (first..).zip(hits) {
        assert_eq!(hit["rank"], rank, "{request}");
    }
}

/// What came about step by step is what is built at once, and what is saved and loaded.
fn of_rebuilding(witness: &Witness, queries: &[String]) {
    let (fresh, loaded) = (Witness::new(&json!({})), Witness::new(&json!({})));
    assert!(loaded.load(&witness.save()).get("error").is_none());
    assert_eq!(loaded.save(), witness.save());
    for kind in KINDS {
        let items = witness.list(kind);
        let answer = fresh.ok("replaceAll", &json!({ "kind": kind, "items": items }));
        assert_eq!(answer["added"], items.len(), "{answer}");
        let ids = items.iter().filter_map(|item| item["id"].as_str());
        for query in queries.iter().map(String::as_str).chain(ids) {
            let hits = witness.hits(kind, query);
            assert_eq!(fresh.hits(kind, query), hits, "{kind} {query:?}");
            assert_eq!(loaded.hits(kind, query), hits, "{kind} {query:?}");
        }
    }
}

/// What is found may be called, what may be called is found, and nothing else is either.
fn of_visibility(witness: &Witness, policy: &Value) {
    for item in witness.list("tool") {
        let id = item["id"].as_str().expect("an id");
        if name_key(id).is_empty() {
            // An id of signs alone is no name, and nobody finds a tool by it.
            continue;
        }
        let search = json!({ "kind": "tool", "query": id, "filter": { "ids": [id] }, "visible": policy });
        let found = witness.ok("search", &search)["total"] == 1;
        let request = json!({ "toolId": id, "args": {}, "visible": policy, "now": 1 });
        let called = witness.ask("invoke", &request.to_string());
        let known = called["error"]["code"] != "unknown_tool";
        assert_eq!(found, known, "{policy} {id}: {called}");
        let sent = json!({ "toolId": id, "args": {} }).to_string();
        let step = witness.step("invoke_tool", &sent, policy, 8_000);
        let reached = step["call"]["toolId"] == id || step["reply"]["toolId"] == id;
        if step["reply"]["error"] == "unknown_tool" {
            assert!(!known, "{policy} {id}: {step}");
        } else if reached {
            assert!(known, "{policy} {id}: {step}");
        }
    }
}

fn drawn(from: &mut Unstructured<'_>) -> Result<Line> {
    let kind = draw::kind(from)?;
    let (operation, mut request) = match from.int_in_range(0..=19)? {
        0..=3 => (
            "register",
            json!({ "kind": kind, "items": draw::list(from, 6, |from| draw::item(from, kind))? }),
        ),
        4 => (
            "replaceAll",
            json!({ "kind": kind, "items": draw::list(from, 4, |from| draw::item(from, kind))? }),
        ),
        5 => (
            "remove",
            json!({ "kind": kind, "ids": draw::list(from, 3, draw::id)? }),
        ),
        6 => ("get", json!({ "kind": kind, "id": draw::id(from)? })),
        7..=8 => (
            "search",
            json!({ "kind": kind, "query": draw::text(from)?, "topK": draw::value(from, 0)?, "offset": from.int_in_range(0..=3)?, "include": ["schema", "description"] }),
        ),
        9 => (
            "setServer",
            json!({ "name": draw::server(from)?, "description": draw::text(from)?, "instructions": draw::text(from)? }),
        ),
        10 => ("removeServer", json!({ "name": draw::server(from)? })),
        11 => (
            "setSession",
            json!({ "session": draw::session(from)?, "visible": draw::visible(from)? }),
        ),
        12 => ("endSession", json!({ "session": draw::session(from)? })),
        13 => (
            "step",
            json!({ "name": "invoke_tool", "arguments": { "toolId": draw::id(from)?, "args": draw::object(from, 2)? }, "now": from.int_in_range(0..=9)? }),
        ),
        14 => (
            "step",
            json!({ "name": "search_capabilities", "arguments": { "query": draw::text(from)? }, "now": 1 }),
        ),
        15 => (
            "resume",
            json!({ "outcome": { "kind": draw::one(from, &["ok", "error", "approval", "aborted", "timeout", "noHandler", "notBound"])?, "approved": from.arbitrary::<bool>()? }, "now": 1 }),
        ),
        16 => (
            "recall",
            json!({ "query": draw::text(from)?, "topKTools": draw::value(from, 0)?, "now": 1 }),
        ),
        17 => (
            "forModel",
            json!({ "result": draw::value(from, 3)?, "maxResultChars": from.int_in_range(0..=40)? }),
        ),
        18 => ("tokens", json!({ "texts": draw::list(from, 2, draw::text)? })),
        _ => (
            draw::one(from, &["save", "load", "diagnose", "listServers", "modelTools"])?,
            json!({}),
        ),
    };
    if matches!(operation, "search" | "step" | "recall" | "tokens") {
        if from.ratio(1, 3)? {
            request["session"] = draw::session(from)?.into();
        }
        if from.ratio(1, 3)? {
            request["visible"] = draw::visible(from)?;
        }
    }
    Ok(Line {
        operation: operation.to_owned(),
        request: request.to_string(),
    })
}
