//! Laws of the whole engine, through its text boundary: for any items, any changes and any queries.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use honeyguide::Engine;
use honeyguide::capability::tokens::estimate;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const WORDS: [&str; 14] = [
    "create",
    "list",
    "issue",
    "issues",
    "file",
    "files",
    "read",
    "delete",
    "mail",
    "日本語",
    "法令",
    "café",
    "S3",
    "the",
];
const KINDS: [&str; 3] = ["tool", "skill", "fact"];
const QUERIES: [&str; 8] = [
    "create issue",
    "read the files",
    "list_files",
    "日本の法令",
    "café S3",
    "delete mail",
    "item3",
    "isue fiel",
];

fn ask(engine: &Engine, operation: &str, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&engine.call(operation, &request.to_string())).unwrap();
    assert!(answer.get("error").is_none(), "{operation} {request}: {answer}");
    answer["ok"].clone()
}

fn put(engine: &Engine, kind: &str, items: &[Value]) {
    let answer = ask(engine, "register", &json!({ "kind": kind, "items": items }));
    assert_eq!(answer["rejected"], json!([]), "{answer}");
}

/// Everything that can be seen of a search: ids, scores, ranks and how many match, page by page and in the page a model
/// gets. Nothing is rounded, and ties are in it.
fn answers(engine: &Engine) -> Vec<Value> {
    let mut answers = Vec::new();
    for query in QUERIES {
        for kind in KINDS {
            let search = json!({ "kind": kind, "query": query, "topK": 1000, "include": ["item"] });
            answers.push(ask(engine, "search", &search));
        }
        let shown = json!({ "name": "search_capabilities", "arguments": { "query": query }, "now": 1 });
        answers.push(ask(engine, "step", &shown));
    }
    let missed = json!({ "name": "invoke_tool", "arguments": { "toolId": "itm3" }, "now": 1 });
    answers.push(ask(engine, "step", &missed));
    answers
}

fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(select(&WORDS[..]), 0..most).prop_map(|words| words.join(" "))
}

/// An item of any kind that stands under one of a few ids: many words are shared, so many scores tie.
fn item() -> impl Strategy<Value = (&'static str, Value)> {
    (select(&KINDS[..]), 0..14_u32, words(5), words(3), 0..4_usize, any::<bool>()).prop_map(
        |(kind, number, description, parameter, server, careful)| {
            let id = format!("{}item{number}", ["", "github__", "files__", "mcp__s3__"][server]);
            let item = match kind {
                "tool" => json!({
                    "id": id, "description": description, "annotations": { "destructiveHint": careful },
                    "tags": [WORDS[server]],
                    "inputSchema": { "type": "object", "properties": { (parameter.as_str()): { "description": description } } },
                }),
                "skill" => json!({ "id": id, "description": description, "body": parameter, "tools": ["item3"] }),
                _ => json!({ "id": id, "body": description, "tags": [WORDS[server]] }),
            };
            (kind, item)
        },
    )
}

#[derive(Debug, Clone)]
enum Change {
    Put(&'static str, Value),
    /// Removes one of those that are there.
    Take(&'static str, Index),
    /// Saves, and goes on with what was loaded.
    Reload,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => item().prop_map(|(kind, item)| Change::Put(kind, item)),
        2 => (select(&KINDS[..]), any::<Index>()).prop_map(|(kind, which)| Change::Take(kind, which)),
        1 => Just(Change::Reload),
    ]
}

fn listed(engine: &Engine, kind: &str) -> Vec<Value> {
    let listed = ask(engine, "list", &json!({ "kind": kind }));
    listed["items"].as_array().unwrap().clone()
}

fn after(changes: &[Change]) -> Engine {
    let mut engine = Engine::new("").unwrap();
    for change in changes {
        match change {
            Change::Put(kind, item) => put(&engine, kind, std::slice::from_ref(item)),
            Change::Take(kind, which) => {
                let there = listed(&engine, kind);
                if !there.is_empty() {
                    ask(
                        &engine,
                        "remove",
                        &json!({ "kind": kind, "ids": [which.get(&there)["id"]] }),
                    );
                }
            }
            Change::Reload => {
                let next = Engine::new("").unwrap();
                assert!(next.load(&engine.save()).starts_with("{\"ok\""));
                engine = next;
            }
        }
    }
    engine
}

/// The same items, registered at once in the order that `arrange` gives them.
fn rebuilt(engine: &Engine, mut arrange: impl FnMut(&mut Vec<Value>)) -> Engine {
    let fresh = Engine::new("").unwrap();
    for kind in KINDS {
        let mut items = listed(engine, kind);
        arrange(&mut items);
        put(&fresh, kind, &items);
    }
    fresh
}

fn budgeted(budget: usize) -> Engine {
    Engine::new(&json!({ "tokenBudget": budget }).to_string()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_catalog_built_step_by_step_is_the_one_built_at_once_to_the_byte_of_its_snapshot(
        changes in prop::collection::vec(change(), 0..40),
    ) {
        let engine = after(&changes);
        let fresh = rebuilt(&engine, |_| {});
        prop_assert_eq!(answers(&engine), answers(&fresh));
        prop_assert_eq!(engine.save(), fresh.save());
    }

    #[test]
    fn the_order_of_registration_changes_no_hit_no_score_no_rank_and_no_tie(
        changes in prop::collection::vec(change(), 0..40), turn in 0..40_usize, back in any::<bool>(),
    ) {
        let engine = after(&changes);
        let other = rebuilt(&engine, |items| {
            let turn = turn % items.len().max(1);
            items.rotate_left(turn);
            if back { items.reverse(); }
        });
        prop_assert_eq!(answers(&engine), answers(&other));
    }

    #[test]
    fn a_larger_top_k_extends_a_smaller_one_and_pages_join_without_a_gap(
        items in prop::collection::vec(item(), 0..40), few in 1..12_usize, more in 1..30_usize,
    ) {
        let engine = after(&items.into_iter().map(|(kind, item)| Change::Put(kind, item)).collect::<Vec<_>>());
        for (kind, query) in KINDS.iter().flat_map(|kind| QUERIES.map(|query| (kind, query))) {
            let page = |top_k: usize, offset: usize| {
                let found = ask(&engine, "search", &json!({ "kind": kind, "query": query, "topK": top_k, "offset": offset }));
                (found["hits"].as_array().unwrap().clone(), found["total"].as_u64().unwrap())
            };
            let (small, total) = page(few, 0);
            let (large, same_total) = page(few + more, 0);
            prop_assert_eq!(total, same_total);
            prop_assert_eq!(large.len() as u64, total.min((few + more) as u64));
            prop_assert_eq!(&large[..small.len()], &small[..]);
            let mut joined = small;
            joined.extend(page(more, few).0);
            prop_assert_eq!(joined, large);
        }
    }

    #[test]
    fn removing_undoes_registering_to_the_byte_of_every_answer_and_of_the_snapshot(
        changes in prop::collection::vec(change(), 0..25), more in prop::collection::vec(item(), 1..8), apart in any::<bool>(),
    ) {
        let engine = after(&changes);
        let (before, saved) = (answers(&engine), engine.save());
        let added: Vec<(&str, Value)> = more.into_iter().map(|(kind, mut item)| {
            item["id"] = json!(format!("{}_more", item["id"].as_str().unwrap()));
            (kind, item)
        }).collect();
        for (kind, item) in &added { put(&engine, kind, std::slice::from_ref(item)); }
        for (kind, item) in &added {
            let ids = if apart { json!([item["id"]]) } else { added.iter().filter(|(other, _)| other == kind).map(|(_, item)| item["id"].clone()).collect() };
            ask(&engine, "remove", &json!({ "kind": kind, "ids": ids }));
        }
        prop_assert_eq!(answers(&engine), before);
        prop_assert_eq!(engine.save(), saved);
    }

    #[test]
    fn no_answer_of_the_engine_s_own_exceeds_its_budget(
        items in prop::collection::vec(item(), 0..40), budget in 100..2_000_usize, long in "[a-z工🙂 \"\\\\]{0,300}", top_k in 1..60_u32,
    ) {
        let engine = budgeted(budget);
        for (kind, mut item) in items {
            if kind != "fact" { item["description"] = json!(format!("{} {long}", item["description"].as_str().unwrap())); }
            put(&engine, kind, &[item]);
        }
        for server in ["github", "files", "s3"] {
            ask(&engine, "setServer", &json!({ "name": server, "description": long, "instructions": long }));
        }
        let calls = QUERIES.map(|query| ("search_capabilities", json!({ "query": format!("{query} {long}"), "topKTools": top_k, "topKSkills": top_k })));
        let wrong = [
            ("invoke_tool", json!({ "toolId": long, "args": { (long.as_str()): long } })),
            ("invoke_tool", json!({ "toolId": "item3", "args": long })),
            ("invoke_tool", json!(long)),
            ("get_skill_content", json!({ "skillId": long })),
            (long.as_str(), json!({})),
        ];
        for (name, arguments) in calls.into_iter().chain(wrong) {
            let step = ask(&engine, "step", &json!({ "name": name, "arguments": arguments, "session": "s", "now": 1 }));
            if let Some(reply) = step.get("reply") {
                let tokens = estimate(&reply.to_string());
                prop_assert!(tokens <= budget, "{} > {}: {}", tokens, budget, reply);
            }
        }
    }

    #[test]
    fn what_a_policy_lets_a_caller_find_is_exactly_what_it_lets_them_call(
        items in prop::collection::vec(item(), 1..30), policy in policy(), second in policy(),
    ) {
        let engine = after(&items.into_iter().map(|(kind, item)| Change::Put(kind, item)).collect::<Vec<_>>());
        ask(&engine, "setSession", &json!({ "session": "s", "visible": policy }));
        let whom = json!({ "session": "s", "visible": second });
        let with = |mut request: Value| {
            request.as_object_mut().unwrap().extend(whom.as_object().unwrap().clone());
            request
        };
        for item in listed(&engine, "tool") {
            let id = item["id"].as_str().unwrap();
            let filter = json!({ "ids": [id] });
            let found = ask(&engine, "search", &with(json!({ "kind": "tool", "query": id, "filter": filter })))["total"] == 1;
            // What is not there may be read as the name of another tool; it never leads to this one.
            let reaches = |operation: &str, request: Value| {
                let answer: Value = serde_json::from_str(&engine.call(operation, &with(request).to_string())).unwrap();
                let reached = answer["ok"].get("call").unwrap_or(&answer["ok"]);
                reached["toolId"] == id
            };
            let arguments = json!({ "toolId": id, "args": {} });
            prop_assert_eq!(reaches("invoke", json!({ "toolId": id, "args": {}, "now": 1 })), found);
            prop_assert_eq!(reaches("resolve", json!({ "arguments": arguments })), found);
            prop_assert_eq!(reaches("step", json!({ "name": "invoke_tool", "arguments": arguments, "now": 1 })), found);
            prop_assert_eq!(reaches("step", json!({ "name": id, "arguments": {}, "now": 1 })), found);
            if !found {
                let shown = ask(&engine, "step", &with(json!({ "name": "search_capabilities", "arguments": { "query": "item", "topKTools": 50 }, "now": 1 })));
                let named = format!("\"{id}\"");
                prop_assert!(!shown["reply"]["groups"].to_string().contains(&named), "{}", shown);
            }
        }
    }
}

fn policy() -> impl Strategy<Value = Value> {
    let selector = || {
        prop_oneof![
            prop::collection::vec(0..14_u32, 0..5).prop_map(
                |ids| json!({ "ids": ids.iter().map(|n| format!("github__item{n}")).collect::<Vec<_>>() })
            ),
            select(&["github", "files", "s3", "none"][..]).prop_map(|server| json!({ "servers": [server] })),
            select(&WORDS[..4]).prop_map(|tag| json!({ "tags": [tag] })),
            any::<bool>().prop_map(|value| json!({ "annotations": { "destructiveHint": value } })),
        ]
    };
    (prop::option::of(selector()), prop::option::of(selector()))
        .prop_map(|(allow, deny)| json!({ "allow": allow, "deny": deny }))
}
