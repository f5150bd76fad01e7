//! Sizes that nobody should send, in a process that counts every byte it allocates. What is bounded is the work (bytes
//! allocated and given back again count too) and what stays allocated, never the time.
#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use std::alloc::System;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap::Cap;
use honeyguide::Engine;
use honeyguide::capability::tokens::estimate;
use honeyguide::text::{Analyzer, TextKind, analyze_query, walk_schema};
use serde_json::{Value, json};

#[global_allocator]
static COUNTED: Cap<System> = Cap::new(System, usize::MAX);

/// One test at a time: the counters are the whole process's.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What some work cost.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Bytes allocated, whether or not they were given back.
    worked: usize,
    /// Bytes that are allocated now and were not before.
    kept: usize,
}

fn cost<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (worked, live) = (COUNTED.total_allocated(), COUNTED.allocated());
    let value = work();
    let cost = Cost {
        worked: COUNTED.total_allocated() - worked,
        kept: COUNTED.allocated().saturating_sub(live),
    };
    (value, cost)
}

fn empty() -> Engine {
    Engine::new("").unwrap()
}

/// The answer to a request whose text is there already, so that writing it is not part of the cost.
fn answer(engine: &Engine, operation: &str, request: &str) -> Value {
    let answer: Value = serde_json::from_str(&engine.call(operation, request)).unwrap();
    assert_ne!(answer["error"]["code"], "internal", "{operation}");
    answer
}

fn registration(item: &Value) -> String {
    json!({ "kind": "tool", "items": [item] }).to_string()
}

/// What registering one item costs an engine that is warm.
fn registering(item: &Value) -> (Engine, Cost) {
    let engine = empty();
    answer(
        &engine,
        "register",
        &registration(&json!({ "id": "warm", "description": "Warm up" })),
    );
    let request = registration(item);
    let (envelope, cost) = cost(|| engine.call("register", &request));
    assert!(
        envelope.contains("\"added\":1"),
        "{}",
        &envelope[..envelope.len().min(500)]
    );
    (engine, cost)
}

/// That twice the size costs about twice as much, and not four times.
fn assert_linear(half: Cost, whole: Cost) {
    assert!(whole.worked < half.worked * 5 / 2, "{half:?} {whole:?}");
    assert!(whole.kept < half.kept * 5 / 2 + 100_000, "{half:?} {whole:?}");
}

fn search(engine: &Engine, query: &str) -> Value {
    answer(
        engine,
        "search",
        &json!({ "kind": "tool", "query": query, "topK": 3 }).to_string(),
    )["ok"]
        .clone()
}

/// What a model is told, which is never more than the budget.
fn told(engine: &Engine, name: &str, arguments: &Value) -> Value {
    let request = json!({ "name": name, "arguments": arguments, "now": 1 }).to_string();
    let step = answer(engine, "step", &request)["ok"].clone();
    if let Some(reply) = step.get("reply") {
        let tokens = estimate(&reply.to_string());
        assert!(tokens <= 8_000, "{tokens}");
    }
    step
}

fn with_parameters(id: &str, count: usize, about: &str) -> Value {
    let properties: serde_json::Map<String, Value> = (0..count)
        .map(|n| {
            (
                format!("parameter_{n}"),
                json!({ "type": "integer", "description": format!("{about} {n}") }),
            )
        })
        .collect();
    json!({ "id": id, "inputSchema": { "type": "object", "properties": properties, "additionalProperties": false } })
}

fn prose(bytes: usize) -> String {
    let mut text = String::new();
    let mut word = 0_u32;
    while text.len() < bytes {
        let _ = write!(
            text,
            "word{} reads files. ",
            word.wrapping_mul(2_654_435_761) % 50_000
        );
        word += 1;
    }
    text
}

#[test]
fn a_schema_of_5_mb_is_taken_read_in_part_and_kept_once() {
    let _alone = alone();
    let item = |count: usize| {
        with_parameters(
            "huge",
            count,
            &"Says a lot about this parameter and goes on about it".repeat(2),
        )
    };
    let (_, half) = registering(&item(15_500));
    let whole_item = item(31_000);
    let bytes = whole_item.to_string().len();
    assert!(bytes > 5_000_000, "{bytes}");
    let mut said = 0;
    let schema = whole_item["inputSchema"].to_string();
    let walked = walk_schema(&schema, &mut |_| said += 1);
    assert!(walked.truncated && said <= 40_000, "{said}");
    let (engine, whole) = registering(&whole_item);
    assert_linear(half, whole);
    assert!(whole.kept < bytes * 2, "{whole:?}");
    assert_eq!(search(&engine, "huge")["hits"][0]["id"], "huge");
    let shown = told(&engine, "search_capabilities", &json!({ "query": "huge" }));
    assert_eq!(shown["kind"], "reply");
    let (step, call) = cost(|| {
        told(
            &engine,
            "invoke_tool",
            &json!({ "toolId": "huge", "args": { "parameter_1": "1" } }),
        )
    });
    assert_eq!(step["kind"], "invoke");
    assert!(
        call.worked < bytes * 3,
        "a call reads the schema's text once to know it: {call:?}"
    );
}

#[test]
fn a_tool_of_10_000_parameters_is_found_by_the_last_and_answers_in_a_bounded_reply() {
    let _alone = alone();
    let (_, half) = registering(&with_parameters("wide", 5_000, "About"));
    let (engine, whole) = registering(&with_parameters("wide", 10_000, "About"));
    assert_linear(half, whole);
    assert_eq!(search(&engine, "parameter_9999")["hits"][0]["id"], "wide");
    let wrong: Value = (0..10_000)
        .map(|n| (format!("parameter_{n}"), json!("x")))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let refused = told(
        &engine,
        "invoke_tool",
        &json!({ "toolId": "wide", "args": wrong }),
    );
    assert_eq!(refused["reply"]["error"], "invalid_arguments");
    let right: Value = (0..10_000)
        .map(|n| (format!("parameter_{n}"), json!(n.to_string())))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let repaired = told(
        &engine,
        "invoke_tool",
        &json!({ "toolId": "wide", "args": right }),
    );
    assert_eq!(repaired["call"]["arguments"]["parameter_9999"], 9_999);
}

#[test]
fn a_description_of_1_mb_costs_what_its_length_costs_and_reaches_no_model_whole() {
    let _alone = alone();
    let item = |bytes: usize| json!({ "id": "wordy", "description": prose(bytes) });
    let (_, half) = registering(&item(500_000));
    let (engine, whole) = registering(&item(1_000_000));
    assert_linear(half, whole);
    // 50,000 different words are 50,000 terms of both replicas of the index and of the writer's memo.
    assert!(whole.kept < 1_000_000 * 12, "{whole:?}");
    assert_eq!(search(&engine, "wordy")["hits"][0]["id"], "wordy");
    told(&engine, "search_capabilities", &json!({ "query": "wordy files" }));
    let mut terms = 0;
    Analyzer::new().terms(&prose(1_000_000), TextKind::Prose, &mut |_| terms += 1);
    assert!(terms <= 1_000_000, "{terms}");
}

#[test]
fn a_query_of_100_kb_is_read_to_its_bound_and_no_further() {
    let _alone = alone();
    let engine = empty();
    for n in 0..50 {
        answer(
            &engine,
            "register",
            &registration(&json!({ "id": format!("t{n}"), "description": prose(300) })),
        );
    }
    let ask = |bytes: usize| {
        let text = prose(bytes);
        let request = json!({ "kind": "tool", "query": text }).to_string();
        let (envelope, cost) = cost(|| engine.call("search", &request));
        assert!(envelope.contains("\"hits\":["));
        // The request is read into its own copy; that is not what is bounded here.
        cost.worked.saturating_sub(2 * request.len())
    };
    ask(100_000);
    let (bound, beyond) = (ask(20_000), ask(100_000));
    assert!(beyond <= bound + bound / 4, "{bound} {beyond}");
    assert!(analyze_query(&prose(100_000)).terms.len() <= 256);
    let told_much = told(
        &engine,
        "search_capabilities",
        &json!({ "query": prose(100_000) }),
    );
    assert_eq!(told_much["kind"], "reply");
}

#[test]
fn an_id_of_10_000_characters_is_refused_and_not_repeated() {
    let _alone = alone();
    let engine = empty();
    answer(
        &engine,
        "register",
        &registration(&json!({ "id": "x", "description": "Read" })),
    );
    let id = "long_".repeat(2_000);
    let refused = answer(&engine, "register", &registration(&json!({ "id": id })));
    assert_eq!(refused["ok"]["diagnostics"][0]["code"], "invalid_id");
    for name in ["invoke_tool", "get_skill_content"] {
        let arguments = if name == "invoke_tool" {
            json!({ "toolId": id })
        } else {
            json!({ "skillId": id })
        };
        let reply = told(&engine, name, &arguments)["reply"].clone();
        assert!(
            reply["error"].as_str().unwrap().starts_with("unknown_"),
            "{reply}"
        );
        assert!(reply.to_string().len() < 1_500, "{reply}");
    }
    assert_eq!(told(&engine, &id, &json!({}))["reply"]["error"], "unknown_tool");
    let (envelope, cost) = cost(|| engine.call("invoke", &json!({ "toolId": id, "now": 1 }).to_string()));
    assert!(envelope.contains("unknown_tool"));
    assert!(cost.worked < 1_000_000, "{cost:?}");
    assert_eq!(search(&engine, &id)["total"], 0);
}

/// Registers and removes so many tools of ever new ids and words, and replaces half of them in between.
fn churn(engine: &Engine, from: usize, count: usize) {
    const BATCH: usize = 500;
    for start in (from..from + count).step_by(BATCH) {
        let item = |n: usize, word: &str| json!({ "id": format!("server{}__tool_{n}", n % 7), "description": format!("Read {word}{n} of the files"), "tags": ["io"] });
        let ids: Vec<String> = (start..start + BATCH)
            .map(|n| format!("server{}__tool_{n}", n % 7))
            .collect();
        let items: Vec<Value> = (start..start + BATCH).map(|n| item(n, "word")).collect();
        let added = answer(
            engine,
            "register",
            &json!({ "kind": "tool", "items": items }).to_string(),
        );
        assert_eq!(added["ok"]["added"], BATCH);
        let items: Vec<Value> = (start..start + BATCH / 2).map(|n| item(n, "other")).collect();
        let replaced = answer(
            engine,
            "register",
            &json!({ "kind": "tool", "items": items }).to_string(),
        );
        assert_eq!(replaced["ok"]["replaced"], BATCH / 2);
        assert_eq!(
            search(engine, &format!("other{start}"))["total"]
                .as_u64()
                .map(|total| total >= 1),
            Some(true)
        );
        let removed = answer(
            engine,
            "remove",
            &json!({ "kind": "tool", "ids": ids }).to_string(),
        );
        assert_eq!(removed["ok"]["removed"].as_array().map(Vec::len), Some(BATCH));
    }
}

/// After so many registrations and removals, an engine holds what it held, and each cost what those before it cost.
fn nothing_piles_up(changes: usize) {
    let engine = empty();
    // A tool is registered, half the time replaced, and removed: five changes for two tools.
    let part = changes / 5 * 2 / 5;
    // The memo of stems fills up to its bound first.
    churn(&engine, 0, part * 3);
    let (_, fourth) = cost(|| churn(&engine, part * 3, part));
    let (_, fifth) = cost(|| churn(&engine, part * 4, part));
    assert!(fifth.worked < fourth.worked * 11 / 10, "{fourth:?} {fifth:?}");
    assert!(fifth.kept < 1_000_000, "{fourth:?} {fifth:?}");
    assert_eq!(search(&engine, "files")["total"], 0);
    let saved = engine.save();
    assert_eq!(saved, empty().save());
}

#[test]
fn a_hundred_thousand_registrations_and_removals_leave_nothing_behind() {
    let _alone = alone();
    nothing_piles_up(100_000);
}

#[test]
#[ignore = "minutes without optimisation; `make test-endurance` runs it"]
fn a_million_registrations_and_removals_leave_nothing_behind() {
    let _alone = alone();
    nothing_piles_up(1_000_000);
}

#[test]
fn conversations_without_end_are_forgotten() {
    let _alone = alone();
    let engine = empty();
    let open = |from: usize, to: usize| {
        for n in from..to {
            let request = json!({ "name": "search_capabilities", "arguments": { "query": "x" }, "session": format!("s{n}"), "now": n });
            answer(&engine, "step", &request.to_string());
        }
    };
    open(0, 15_000);
    let (_, cost) = cost(|| open(15_000, 25_000));
    assert!(cost.kept < 1_000_000, "{cost:?}");
}
