//! The engine through its text boundary: what a binding sees.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may panic, and several threads show what readers see"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};

use honeyguide::engine::Engine;
use serde_json::{Value, json};

fn ask(engine: &Engine, operation: &str, request: &Value) -> Value {
    serde_json::from_str(&engine.call(operation, &request.to_string())).expect("an envelope is JSON")
}

fn ok(engine: &Engine, operation: &str, request: &Value) -> Value {
    let answer = ask(engine, operation, request);
    assert!(answer.get("error").is_none(), "{operation}: {answer}");
    answer["ok"].clone()
}

fn code(engine: &Engine, operation: &str, request: &Value) -> String {
    ask(engine, operation, request)["error"]["code"]
        .as_str()
        .unwrap_or("no error")
        .to_owned()
}

fn engine_with(tools: Value) -> Engine {
    let engine = Engine::new("").unwrap();
    ok(&engine, "register", &json!({"kind": "tool", "items": tools}));
    engine
}

fn found(engine: &Engine, request: &Value) -> Vec<String> {
    let answer = ok(engine, "search", request);
    answer["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_has_names_is_never_read_from_a_list() {
    let engine = engine_with(json!([{"id": "db__read", "description": "Read a row"}]));
    for operation in honeyguide::engine::OPERATIONS {
        assert_eq!(
            code(&engine, operation, &json!([])),
            "invalid_request",
            "{operation}"
        );
    }
    // The fields of a struct in the order of the source, which serde would take.
    let search = |extra: &Value| {
        let mut request = json!({"kind": "tool", "query": "read a row"});
        request
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        code(&engine, "search", &request)
    };
    assert_eq!(search(&json!({})), "no error");
    assert_eq!(search(&json!({"filter": [["db"]]})), "invalid_request");
    assert_eq!(
        search(&json!({"visible": [{"ids": ["db__read"]}]})),
        "invalid_request"
    );
    assert_eq!(
        search(&json!({"visible": {"allow": [["db__read"]]}})),
        "invalid_request"
    );
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [["db__write", "Write a row"]]}),
    );
    assert_eq!(answer["rejected"], json!([0]));
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "skill", "items": [["write"]]}),
    );
    assert_eq!(answer["rejected"], json!([0]));
}

#[test]
fn one_bad_item_leaves_the_rest_of_its_batch() {
    let engine = Engine::new("").unwrap();
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [
            {"id": "good", "description": "Send an email"},
            7,
            {"description": "no id"},
            {"id": "bad_description", "description": 5},
            {"id": "nul\u{0}", "description": "x"},
            {"id": "search_capabilities"},
            {"$refused": {"id": "huge", "path": "/inputSchema/maximum", "reason": "bigInteger"}},
            {"id": "__proto__", "description": "Prototype"},
            {"id": "constructor"},
        ]}),
    );
    assert_eq!(answer["added"], 3);
    assert_eq!(answer["rejected"], json!([1, 2, 3, 4, 5, 6]));
    let codes: Vec<&str> = answer["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        [
            "invalid_item",
            "invalid_item",
            "invalid_item",
            "invalid_id",
            "reserved_id",
            "invalid_json"
        ]
    );
    assert_eq!(answer["diagnostics"][2]["path"], "/description");
    assert_eq!(answer["diagnostics"][5]["id"], "huge");
    assert_eq!(ok(&engine, "size", &json!({"kind": "tool"}))["size"], 3);
}

#[test]
fn half_a_surrogate_pair_is_refused_with_its_id() {
    let engine = Engine::new("").unwrap();
    let envelope = engine.call(
        "register",
        r#"{"kind":"tool","items":[{"id":"broken","description":"\ud800"},{"id":"whole","description":"ok"}]}"#,
    );
    let answer: Value = serde_json::from_str(&envelope).unwrap();
    assert_eq!(answer["ok"]["added"], 1);
    assert_eq!(answer["ok"]["diagnostics"][0]["code"], "invalid_json");
    assert_eq!(answer["ok"]["diagnostics"][0]["id"], "broken");
    assert_eq!(answer["ok"]["diagnostics"][0]["path"], "/description");
}

#[test]
fn a_replaced_item_keeps_its_place_and_loses_its_old_words() {
    let engine = engine_with(json!([
        {"id": "x", "description": "Delete a file"},
        {"id": "y", "description": "Play music"},
    ]));
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [{"id": "x", "description": "Send an email"}]}),
    );
    assert_eq!(answer["replaced"], 1);
    assert_eq!(
        found(&engine, &json!({"kind": "tool", "query": "delete file"})),
        Vec::<String>::new()
    );
    assert_eq!(
        found(&engine, &json!({"kind": "tool", "query": "send email"})),
        ["x"]
    );
    let listed = ok(&engine, "list", &json!({"kind": "tool"}));
    assert_eq!(listed["items"][0]["id"], "x");
    assert_eq!(listed["total"], 2);
}

#[test]
fn registering_the_same_bytes_again_publishes_nothing() {
    let engine = engine_with(json!([{"id": "x", "description": "Delete a file"}]));
    let before = ok(&engine, "listServers", &json!({}));
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [{"id": "x", "description": "Delete a file"}]}),
    );
    assert_eq!(
        (answer["unchanged"].clone(), answer["revision"].clone()),
        (json!(1), json!(1))
    );
    assert_eq!(before["servers"], json!([]));
}

#[test]
fn replace_all_leaves_exactly_the_new_items() {
    let engine =
        engine_with(json!([{"id": "a", "description": "invoice"}, {"id": "b", "description": "weather"}]));
    let answer = ok(
        &engine,
        "replaceAll",
        &json!({"kind": "tool", "items": [{"id": "b", "description": "weather"}, {"id": "c", "description": "guitar"}]}),
    );
    assert_eq!(
        [&answer["removed"], &answer["unchanged"], &answer["added"]],
        [&json!(1), &json!(1), &json!(1)]
    );
    assert_eq!(
        found(&engine, &json!({"kind": "tool", "query": "invoice"})),
        Vec::<String>::new()
    );
    assert_eq!(found(&engine, &json!({"kind": "tool", "query": "guitar"})), ["c"]);
}

#[test]
fn an_id_that_stands_twice_in_a_batch_counts_once_and_is_reported() {
    let engine = Engine::new("").unwrap();
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [{"id": "x", "description": "first"}, {"id": "x", "description": "second"}]}),
    );
    assert_eq!(answer["added"], 1);
    assert_eq!(answer["diagnostics"][0]["code"], "duplicate_id");
    assert_eq!(found(&engine, &json!({"kind": "tool", "query": "second"})), ["x"]);
}

#[test]
fn invisible_characters_are_taken_out_and_reported() {
    let engine = Engine::new("").unwrap();
    let answer = ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [{"id": "x", "description": "Re\u{200b}ad\u{202e} files \u{1f469}\u{200d}\u{1f4bb}"}]}),
    );
    assert_eq!(answer["diagnostics"][0]["code"], "invisible_text");
    let item = ok(&engine, "get", &json!({"kind": "tool", "id": "x"}));
    assert_eq!(
        item["item"]["description"],
        "Read files \u{1f469}\u{200d}\u{1f4bb}"
    );
}

#[test]
fn a_schema_comes_back_to_the_byte() {
    let engine = Engine::new("").unwrap();
    let schema = r##"{"type":"object","x-order":1,"properties":{"b":{"maximum":123456789012345678901234567890},"a":{"enum":["a",null,60]}},"$defs":{"n":{"$ref":"#/$defs/n"}}}"##;
    let request = format!(r#"{{"kind":"tool","items":[{{"id":"x","inputSchema":{schema}}}]}}"#);
    assert!(engine.call("register", &request).starts_with("{\"ok\""));
    let envelope = engine.call("search", r#"{"kind":"tool","query":"x","include":["schema"]}"#);
    assert!(envelope.contains(schema), "{envelope}");
}

#[test]
fn missing_null_and_empty_schemas_make_tools_all_the_same() {
    let engine = engine_with(json!([
        {"id": "absent"}, {"id": "null", "inputSchema": null}, {"id": "empty", "inputSchema": {}},
        {"id": "object", "inputSchema": {"type": "object"}},
        {"id": "booleans", "inputSchema": {"properties": {"f": true, "g": false}}},
    ]));
    for id in ["absent", "null", "empty", "object", "booleans"] {
        let step = ok(
            &engine,
            "step",
            &json!({"name": "invoke_tool", "arguments": {"toolId": id, "args": {}}, "now": 1}),
        );
        assert_eq!(step["kind"], "invoke", "{id}: {step}");
        assert_eq!(found(&engine, &json!({"kind": "tool", "query": id})), [id]);
    }
}

#[test]
fn every_match_is_reachable_page_by_page() {
    let tools: Vec<Value> = (0..123)
        .map(|n| json!({"id": format!("t{n}"), "description": format!("archive number {n}")}))
        .collect();
    let engine = engine_with(json!(tools));
    let mut all = Vec::new();
    for (offset, size) in [(0, 50), (50, 50), (100, 23)] {
        let page = found(
            &engine,
            &json!({"kind": "tool", "query": "archive", "topK": 50, "offset": offset}),
        );
        assert_eq!(page.len(), size);
        all.extend(page);
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 123);
}

#[test]
fn a_stray_top_k_falls_back_to_the_default() {
    let tools: Vec<Value> = (0..9)
        .map(|n| json!({"id": format!("t{n}"), "description": "archive"}))
        .collect();
    let engine = engine_with(json!(tools));
    for top_k in [
        json!(0),
        json!(-3),
        json!(2.5),
        json!("7"),
        json!(null),
        json!(true),
    ] {
        assert_eq!(
            found(
                &engine,
                &json!({"kind": "tool", "query": "archive", "topK": top_k})
            )
            .len(),
            5,
            "{top_k}"
        );
    }
}

#[test]
fn a_filter_narrows_before_the_cut() {
    let engine = engine_with(json!([
        {"id": "a__list", "description": "List files", "annotations": {"readOnlyHint": true}, "tags": ["io"]},
        {"id": "b__list", "description": "List files", "annotations": {"destructiveHint": true}},
    ]));
    let search = |filter: Value| {
        found(
            &engine,
            &json!({"kind": "tool", "query": "files", "topK": 1, "filter": filter}),
        )
    };
    assert_eq!(search(json!({"servers": ["b"]})), ["b__list"]);
    assert_eq!(search(json!({"readOnly": false})), ["b__list"]);
    assert_eq!(search(json!({"tags": ["io"]})), ["a__list"]);
    assert_eq!(search(json!({"ids": []})), Vec::<String>::new());
}

#[test]
fn what_a_session_may_not_see_it_cannot_find_name_or_call() {
    let engine = engine_with(json!([
        {"id": "db__drop_table", "description": "Drop a table"},
        {"id": "db__list_tables", "description": "List the tables"},
    ]));
    ok(
        &engine,
        "setSession",
        &json!({"session": "guest", "visible": {"deny": {"ids": ["db__drop_table"]}}}),
    );
    assert_eq!(
        found(
            &engine,
            &json!({"kind": "tool", "query": "db__drop_table", "session": "guest"})
        ),
        ["db__list_tables"]
    );
    let hidden = ok(
        &engine,
        "step",
        &json!({"name": "invoke_tool", "arguments": {"toolId": "db__drop_table", "args": {}}, "session": "guest", "now": 1}),
    );
    assert_eq!(hidden["reply"]["error"], "unknown_tool");
    assert!(
        !hidden["reply"]["candidates"].to_string().contains("drop"),
        "{hidden}"
    );
    assert_eq!(
        code(
            &engine,
            "resolve",
            &json!({"arguments": {"toolId": "db__drop_table"}, "session": "guest"})
        ),
        "unknown_tool"
    );
    ok(&engine, "endSession", &json!({"session": "guest"}));
    assert!(
        found(
            &engine,
            &json!({"kind": "tool", "query": "db__drop_table", "session": "guest"})
        )
        .len()
            == 2
    );
}

#[test]
fn a_policy_set_while_a_call_waits_holds_when_it_goes_on() {
    let engine = engine_with(json!([{"id": "x", "description": "Act", "requiresApproval": true}]));
    let asked = ok(
        &engine,
        "step",
        &json!({"name": "invoke_tool", "arguments": {"toolId": "x"}, "session": "s", "now": 1}),
    );
    assert_eq!(asked["kind"], "approve", "{asked}");
    ok(
        &engine,
        "setSession",
        &json!({"session": "s", "visible": {"deny": {"ids": ["x"]}}}),
    );
    let outcome = json!({"call": asked["call"], "outcome": {"kind": "approval", "approved": true}, "now": 2});
    assert_eq!(ok(&engine, "resume", &outcome)["reply"]["error"], "unknown_tool");
}

#[test]
fn a_saved_state_gives_the_same_answers_after_loading() {
    let engine = engine_with(json!([
        {"id": "a__read", "description": "Read a file", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}},
        {"id": "a__write", "description": "Write a file"},
    ]));
    ok(
        &engine,
        "setServer",
        &json!({"name": "a", "description": "Files"}),
    );
    let other = engine_with(json!([{"id": "gone", "description": "Read a file"}]));
    let loaded: Value = serde_json::from_str(&other.load(&engine.save())).unwrap();
    assert!(loaded["ok"]["revision"].as_u64().unwrap() >= 2);
    let request = r#"{"kind":"tool","query":"read file","include":["item"]}"#;
    assert_eq!(engine.call("search", request), other.call("search", request));
    assert_eq!(engine.call("listServers", "{}"), other.call("listServers", "{}"));
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let engine = engine_with(json!([{"id": "x", "description": "Read"}]));
    let saved = engine.save();
    let mut flipped = saved.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut newer = saved.clone();
    newer[6] = 99;
    for bytes in [
        &b""[..],
        b"HGSNAP",
        &saved[..saved.len() - 1],
        &flipped,
        &newer,
        b"not a snapshot",
    ] {
        let answer: Value = serde_json::from_str(&engine.load(bytes)).unwrap();
        assert_eq!(answer["error"]["code"], "invalid_snapshot");
    }
    assert_eq!(ok(&engine, "size", &json!({"kind": "tool"}))["size"], 1);
}

#[test]
fn a_caller_s_mistakes_have_codes() {
    let engine = Engine::new("").unwrap();
    assert_eq!(code(&engine, "nonsense", &json!({})), "unknown_operation");
    assert_eq!(
        code(&engine, "search", &json!({"kind": "tool"})),
        "invalid_request"
    );
    assert_eq!(
        code(
            &engine,
            "search",
            &json!({"kind": "tool", "query": "x", "tpoK": 3})
        ),
        "invalid_request"
    );
    assert_eq!(
        code(
            &engine,
            "search",
            &json!({"kind": "tool", "query": "x", "method": "hybrid"})
        ),
        "method_unavailable"
    );
    assert_eq!(
        code(
            &engine,
            "resume",
            &json!({"call": {}, "outcome": {"kind": "ok"}, "now": 1})
        ),
        "invalid_request"
    );
    assert!(Engine::new("{").is_err());
}

#[test]
fn a_search_sees_a_batch_whole_or_not_at_all() {
    let engine = Arc::new(Engine::new("").unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    let start = Arc::new(Barrier::new(5));
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (engine, stop, start) = (Arc::clone(&engine), Arc::clone(&stop), Arc::clone(&start));
            std::thread::spawn(move || {
                start.wait();
                let mut searches = 0;
                while !stop.load(Ordering::Relaxed) || searches == 0 {
                    let total =
                        ok(&engine, "search", &json!({"kind": "tool", "query": "archive"}))["total"].as_u64();
                    assert_eq!(total.unwrap() % 10, 0);
                    searches += 1;
                }
            })
        })
        .collect();
    start.wait();
    for batch in 0..20 {
        let tools: Vec<Value> = (0..10)
            .map(|n| json!({"id": format!("t{batch}_{n}"), "description": "archive"}))
            .collect();
        ok(&engine, "register", &json!({"kind": "tool", "items": tools}));
    }
    stop.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.join().unwrap();
    }
    assert_eq!(ok(&engine, "size", &json!({"kind": "tool"}))["size"], 200);
}

#[test]
fn after_a_fork_the_child_needs_no_lock_of_the_parent() {
    let engine = engine_with(json!([{"id": "x", "description": "archive"}]));
    ok(
        &engine,
        "setSession",
        &json!({"session": "s", "visible": {"deny": {"ids": ["y"]}}}),
    );
    engine.after_fork();
    ok(
        &engine,
        "register",
        &json!({"kind": "tool", "items": [{"id": "y", "description": "archive"}]}),
    );
    assert_eq!(
        found(
            &engine,
            &json!({"kind": "tool", "query": "archive", "session": "s"})
        ),
        ["x"]
    );
}

#[test]
fn a_question_that_could_not_be_asked_is_a_reply_and_runs_nothing() {
    let engine = engine_with(json!([{"id": "danger", "requiresApproval": true}]));
    for (operation, reply) in [("step", true), ("invoke", false)] {
        let request = if reply {
            json!({"name": "danger", "now": 0})
        } else {
            json!({"toolId": "danger", "now": 0})
        };
        let step = ok(&engine, operation, &request);
        assert_eq!(step["kind"], "approve");
        for (outcome, expected) in [
            (
                json!({"kind": "error", "name": "Error", "message": "phone is off"}),
                "needs_approval",
            ),
            (json!({"kind": "aborted"}), "aborted"),
        ] {
            let answer = ask(
                &engine,
                "resume",
                &json!({"call": step["call"], "outcome": outcome, "now": 0}),
            );
            let code = if reply {
                &answer["ok"]["reply"]["error"]
            } else {
                &answer["error"]["code"]
            };
            assert_eq!(code, expected, "{answer}");
        }
    }
}

#[test]
fn a_guard_in_the_wrong_spelling_is_refused_and_never_lost() {
    let engine = Engine::new("").unwrap();
    for given in [
        "requires_approval",
        "requireApproval",
        "requiresAproval",
        "needsApproval",
        "input_schema",
    ] {
        let mut item = json!({"id": "x"});
        item[given] = json!(true);
        let answer = ok(&engine, "register", &json!({"kind": "tool", "items": [item]}));
        assert_eq!(
            answer["diagnostics"][0]["code"], "invalid_item",
            "{given}: {answer}"
        );
        assert_eq!(answer["diagnostics"][0]["path"], format!("/{given}"));
    }
    let extra = json!({"id": "x", "_meta": {"a": 1}, "icons": [], "execution": {}});
    let answer = ok(&engine, "register", &json!({"kind": "tool", "items": [extra]}));
    assert_eq!(
        (answer["added"].clone(), answer["diagnostics"].clone()),
        (json!(1), json!([]))
    );
}

#[test]
fn no_number_is_repaired_into_infinity() {
    let schema = json!({"properties": {"n": {"type": "number"}}});
    let engine = engine_with(json!([{"id": "x", "inputSchema": schema}]));
    let step = |n: &str| {
        let arguments = json!({"toolId": "x", "args": {"n": n}});
        ok(
            &engine,
            "step",
            &json!({"name": "invoke_tool", "arguments": arguments, "now": 1}),
        )
    };
    assert_eq!(step("1e400")["reply"]["error"], "invalid_arguments");
    assert_eq!(step("1e40")["kind"], "invoke");
}
