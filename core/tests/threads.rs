//! Many threads on one engine: what they see is whole, what they change is not lost. Barriers and counters, never the time.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic, and several threads are what it is about"
)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};

use honeyguide::Engine;
use serde_json::{Value, json};

fn ask(engine: &Engine, operation: &str, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&engine.call(operation, &request.to_string())).unwrap();
    assert!(answer.get("error").is_none(), "{operation} {request}: {answer}");
    answer["ok"].clone()
}

fn tools(prefix: &str, count: usize) -> Value {
    (0..count)
        .map(|n| json!({ "id": format!("{prefix}{n}"), "description": "archive of letters" }))
        .collect()
}

fn put(engine: &Engine, prefix: &str, count: usize) -> u64 {
    let answer = ask(
        engine,
        "register",
        &json!({ "kind": "tool", "items": tools(prefix, count) }),
    );
    assert_eq!(answer["added"], count);
    answer["revision"].as_u64().unwrap()
}

/// Runs `work` in so many threads that begin together; the first failure is the test's.
fn together(threads: usize, work: impl Fn(usize) + Sync) {
    let start = Barrier::new(threads);
    std::thread::scope(|scope| {
        for number in 0..threads {
            let (start, work) = (&start, &work);
            scope.spawn(move || {
                start.wait();
                work(number);
            });
        }
    });
}

#[test]
fn no_change_is_lost_and_each_has_a_revision_of_its_own() {
    let engine = Engine::new("").unwrap();
    let revisions = Mutex::new(Vec::new());
    together(8, |number| {
        let mut mine = Vec::new();
        for turn in 0..10 {
            mine.push(put(&engine, &format!("w{number}_{turn}_"), 3));
            let ids = json!([format!("w{number}_{turn}_0")]);
            let removed = ask(&engine, "remove", &json!({ "kind": "tool", "ids": ids }));
            assert_eq!(removed["removed"], ids);
            mine.push(removed["revision"].as_u64().unwrap());
        }
        assert!(mine.is_sorted());
        revisions.lock().unwrap().extend(mine);
    });
    let revisions = revisions.into_inner().unwrap();
    assert_eq!(
        revisions.iter().copied().collect::<BTreeSet<_>>(),
        (1..=160).collect()
    );
    assert_eq!(revisions.len(), 160);
    assert_eq!(
        ask(&engine, "size", &json!({ "kind": "tool" }))["size"],
        8 * 10 * 2
    );
}

#[test]
fn threads_that_search_register_call_and_abort_do_not_disturb_each_other() {
    let engine = Engine::new("").unwrap();
    put(&engine, "base", 10);
    let (called, aborted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    together(8, |number| {
        for turn in 0..40 {
            match number {
                0 | 1 => {
                    let prefix = format!("w{number}_{turn}_");
                    put(&engine, &prefix, 10);
                    let ids: Vec<String> = (0..10).map(|n| format!("{prefix}{n}")).collect();
                    ask(&engine, "remove", &json!({ "kind": "tool", "ids": ids }));
                }
                2 => drop(engine.load(&engine.save())),
                3 => {
                    let session = format!("s{}", turn % 3);
                    ask(
                        &engine,
                        "setSession",
                        &json!({ "session": session, "visible": { "deny": { "ids": ["base0"] } } }),
                    );
                    ask(&engine, "endSession", &json!({ "session": session }));
                }
                4 | 5 => {
                    let found = ask(
                        &engine,
                        "search",
                        &json!({ "kind": "tool", "query": "archive", "topK": 1000, "include": ["item"] }),
                    );
                    let hits = found["hits"].as_array().unwrap();
                    let count = |prefix: &str| {
                        hits.iter()
                            .filter(|hit| hit["id"].as_str().unwrap().starts_with(prefix))
                            .count()
                    };
                    assert_eq!(count("base"), 10);
                    assert_eq!(count("w") % 10, 0, "a batch is whole or not there");
                    assert!(hits.iter().all(|hit| hit["item"]["id"] == hit["id"]));
                }
                _ => {
                    let arguments =
                        json!({ "toolId": format!("base{}", turn % 10), "args": { "turn": turn } });
                    let step = ask(
                        &engine,
                        "step",
                        &json!({ "name": "invoke_tool", "arguments": arguments, "session": format!("s{number}"), "now": turn }),
                    );
                    assert_eq!(step["call"]["arguments"]["turn"], turn, "{step}");
                    let outcome = if turn % 2 == 0 {
                        json!({ "kind": "ok" })
                    } else {
                        json!({ "kind": "aborted" })
                    };
                    let end = ask(
                        &engine,
                        "resume",
                        &json!({ "call": step["call"], "outcome": outcome, "now": turn }),
                    );
                    let (counter, right) = if turn % 2 == 0 {
                        (&called, end["hostValue"] == true)
                    } else {
                        (&aborted, end["reply"]["error"] == "aborted")
                    };
                    assert!(right, "{end}");
                    counter.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    });
    assert_eq!((called.into_inner(), aborted.into_inner()), (40, 40));
}

#[test]
fn once_a_policy_is_set_no_thread_finds_or_calls_what_it_hides() {
    let engine = Engine::new("").unwrap();
    put(&engine, "base", 5);
    for round in 0..20 {
        let set = Barrier::new(4);
        let session = format!("s{round}");
        let hidden = json!({ "deny": { "ids": ["base3"] } });
        together(4, |number| {
            if number == 0 {
                ask(
                    &engine,
                    "setSession",
                    &json!({ "session": session, "visible": hidden }),
                );
            } else {
                // Before it is set, either answer is right; it only has to be one of the two.
                drop(engine.call(
                    "search",
                    &json!({ "kind": "tool", "query": "base3", "session": session }).to_string(),
                ));
            }
            set.wait();
            if number == 1 {
                put(&engine, &format!("more{round}_"), 2);
            }
            let found = ask(
                &engine,
                "search",
                &json!({ "kind": "tool", "query": "base3", "topK": 1000, "session": session }),
            );
            assert!(
                found["hits"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|hit| hit["id"] != "base3")
            );
            let step = ask(
                &engine,
                "step",
                &json!({ "name": "base3", "arguments": {}, "session": session, "now": round }),
            );
            assert_eq!(step["reply"]["error"], "unknown_tool");
        });
    }
}

#[test]
fn an_approval_that_many_threads_bring_back_holds_until_the_tool_changes_and_not_after() {
    let engine = Engine::new("").unwrap();
    let define = |description: &str| {
        let items = json!([{ "id": "x", "description": description, "requiresApproval": true }]);
        ask(&engine, "register", &json!({ "kind": "tool", "items": items }));
    };
    define("first");
    let asked = ask(
        &engine,
        "step",
        &json!({ "name": "x", "arguments": {}, "now": 1 }),
    );
    let yes = json!({ "call": asked["call"], "outcome": { "kind": "approval", "approved": true }, "now": 2 });
    let changed = Barrier::new(4);
    together(4, |number| {
        if number == 0 {
            define("second");
        } else {
            let end = ask(&engine, "resume", &yes);
            assert!(
                end["kind"] == "invoke" || end["reply"]["error"] == "definition_changed",
                "{end}"
            );
        }
        changed.wait();
        assert_eq!(
            ask(&engine, "resume", &yes)["reply"]["error"],
            "definition_changed"
        );
    });
}
