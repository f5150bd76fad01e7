//! The searches of the host through the text boundary: accounts of scores, several needs, narrowing.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

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

fn office() -> Engine {
    let engine = Engine::new("").unwrap();
    let items = json!([
        {"id": "mail__send", "description": "Send an email to somebody", "tags": ["mail"]},
        {"id": "mail__search", "description": "Search the mailbox", "tags": ["mail"], "annotations": {"readOnlyHint": true}},
        {"id": "weather__forecast", "description": "Weather forecast for a city"},
        {"id": "calendar__create_event", "description": "Create an event in the calendar and email the guests"},
        {"id": "files__read", "description": "Read a file", "inputSchema": {"type": "object"}},
    ]);
    ok(&engine, "register", &json!({"kind": "tool", "items": items}));
    ok(
        &engine,
        "register",
        &json!({"kind": "fact", "items": [{"id": "lunch", "body": "Lunch is at noon."}]}),
    );
    engine
}

fn pages(answer: &Value) -> Vec<(String, Value)> {
    let hits = answer["hits"].as_array().unwrap().iter();
    hits.map(|hit| (hit["id"].as_str().unwrap().to_owned(), hit["needs"].clone()))
        .collect()
}

fn statuses(answer: &Value) -> Vec<Value> {
    let needs = answer["needs"].as_array().unwrap().iter();
    needs.map(|need| need["status"].clone()).collect()
}

#[test]
fn a_search_says_how_far_its_best_hit_can_be_trusted() {
    let engine = office();
    let status =
        |query: &str| ok(&engine, "search", &json!({"kind": "tool", "query": query}))["status"].clone();
    assert_eq!(status("send an email"), "ok");
    assert_eq!(status("mail__send"), "ok");
    assert_eq!(status("quantum chromodynamics"), "no_match");
}

#[test]
fn an_explanation_is_there_when_asked_for_and_changes_nothing_else() {
    let engine = office();
    let plain = ok(
        &engine,
        "search",
        &json!({"kind": "tool", "query": "email the guests"}),
    );
    let mut told = ok(
        &engine,
        "search",
        &json!({"kind": "tool", "query": "email the guests", "explain": true}),
    );
    for hit in told["hits"].as_array_mut().unwrap() {
        let explanation = hit.as_object_mut().unwrap().remove("explanation").unwrap();
        assert_eq!(explanation["named"], false);
        let parts = explanation["parts"].as_array().unwrap().iter();
        let sum: f64 = parts.map(|part| part["value"].as_f64().unwrap()).sum();
        assert_eq!(sum, hit["score"].as_f64().unwrap());
    }
    assert_eq!(told, plain);
}

#[test]
fn an_explanation_says_when_a_hit_is_named() {
    let engine = office();
    let answer = ok(
        &engine,
        "search",
        &json!({"kind": "tool", "query": "mail__send", "explain": true}),
    );
    assert_eq!(answer["hits"][0]["id"], "mail__send");
    assert_eq!(answer["hits"][0]["explanation"]["named"], true);
}

#[test]
fn each_need_is_served_and_one_without_an_answer_takes_no_place() {
    let engine = office();
    let queries = [
        "send an email",
        "quantum chromodynamics",
        "weather forecast",
        "read a file",
    ];
    let answer = ok(
        &engine,
        "searchNeeds",
        &json!({"kind": "tool", "queries": queries, "topK": 3}),
    );
    assert_eq!(statuses(&answer), ["ok", "no_match", "ok", "ok"]);
    assert_eq!(answer["needs"][0]["query"], "send an email");
    assert_eq!(
        pages(&answer),
        [
            ("mail__send".to_owned(), json!([0])),
            ("weather__forecast".to_owned(), json!([2])),
            ("files__read".to_owned(), json!([3])),
        ]
    );
}

#[test]
fn a_hit_of_two_needs_stands_once_and_names_both() {
    let engine = office();
    let queries = ["send an email", "mail somebody an email", "weather"];
    let answer = ok(
        &engine,
        "searchNeeds",
        &json!({"kind": "tool", "queries": queries, "topK": 2}),
    );
    assert_eq!(
        pages(&answer),
        [
            ("mail__send".to_owned(), json!([0, 1])),
            ("weather__forecast".to_owned(), json!([2])),
        ]
    );
}

#[test]
fn one_need_is_answered_as_a_search_answers_it() {
    let engine = office();
    for query in ["email", "send an email", "create_event", "nothing of it", ""] {
        let search = ok(
            &engine,
            "search",
            &json!({"kind": "tool", "query": query, "explain": true, "include": ["item", "schema"]}),
        );
        let request =
            json!({"kind": "tool", "queries": [query], "explain": true, "include": ["item", "schema"]});
        let mut answer = ok(&engine, "searchNeeds", &request);
        let needs = json!([{"query": query, "status": search["status"], "total": search["total"]}]);
        assert_eq!(answer["needs"], needs);
        for hit in answer["hits"].as_array_mut().unwrap() {
            assert_eq!(hit.as_object_mut().unwrap().remove("needs"), Some(json!([0])));
        }
        let expected = if search["status"] == "no_match" {
            json!([])
        } else {
            search["hits"].clone()
        };
        assert_eq!(answer["hits"], expected, "{query}");
    }
}

#[test]
fn without_a_number_a_page_has_room_for_every_need() {
    let engine = Engine::new("").unwrap();
    let names = ["apple", "banana", "cherry", "dates", "elder", "figs", "grape"];
    let item = |name: &&str| json!({"id": format!("pick_{name}"), "description": format!("Pick {name} for the {name} pie")});
    let items: Vec<Value> = names.iter().map(item).collect();
    ok(&engine, "register", &json!({"kind": "tool", "items": items}));
    let queries: Vec<String> = names.iter().map(|name| format!("{name} pie")).collect();
    let answer = ok(
        &engine,
        "searchNeeds",
        &json!({"kind": "tool", "queries": queries}),
    );
    let ids: Vec<String> = pages(&answer).into_iter().map(|hit| hit.0).collect();
    assert_eq!(ids, names.map(|name| format!("pick_{name}")));
    let one = ok(
        &engine,
        "searchNeeds",
        &json!({"kind": "tool", "queries": ["pie"]}),
    );
    assert_eq!(one["hits"].as_array().unwrap().len(), 5);
}

#[test]
fn pages_of_several_needs_meet_without_gap_or_overlap() {
    let engine = office();
    let page = |top_k: usize, offset: usize| {
        let request = json!({"kind": "tool", "queries": ["email", "mailbox", "event"], "topK": top_k, "offset": offset});
        let answer = ok(&engine, "searchNeeds", &request);
        let hits = answer["hits"].as_array().unwrap().iter();
        hits.map(|hit| (hit["id"].clone(), hit["rank"].clone(), hit["score"].clone()))
            .collect::<Vec<_>>()
    };
    let whole = page(50, 0);
    assert!(whole.len() >= 3, "{whole:?}");
    for size in 1..=whole.len() {
        let pages = (0..whole.len())
            .step_by(size)
            .flat_map(|offset| page(size, offset));
        assert_eq!(pages.collect::<Vec<_>>(), whole);
    }
}

#[test]
fn sixteen_needs_are_answered_and_seventeen_are_refused() {
    let engine = office();
    let ask_for = |count: usize| {
        ask(
            &engine,
            "searchNeeds",
            &json!({"kind": "tool", "queries": vec!["email"; count]}),
        )
    };
    assert_eq!(ask_for(16)["ok"]["needs"].as_array().unwrap().len(), 16);
    assert_eq!(ask_for(0)["ok"], json!({"needs": [], "hits": []}));
    let refused = ask_for(17)["error"].clone();
    assert_eq!(refused["code"], "too_many_needs");
    assert_eq!(refused["details"], json!({"queries": 17, "most": 16}));
}

#[test]
fn several_needs_see_what_one_would_see() {
    let engine = office();
    let visible = json!({"deny": {"servers": ["mail"]}});
    let request = json!({"kind": "tool", "queries": ["send an email", "read a file"], "visible": visible});
    let answer = ok(&engine, "searchNeeds", &request);
    assert!(pages(&answer).iter().all(|hit| !hit.0.starts_with("mail")));
    let filter = json!({"tags": ["mail"], "readOnly": true});
    let request = json!({"kind": "tool", "queries": ["mailbox", "read a file"], "filter": filter});
    assert_eq!(
        pages(&ok(&engine, "searchNeeds", &request)),
        [("mail__search".to_owned(), json!([0]))]
    );
    let facts = ok(
        &engine,
        "searchNeeds",
        &json!({"kind": "fact", "queries": ["when is lunch"]}),
    );
    assert_eq!(facts["hits"][0]["id"], "lunch");
}

#[test]
fn a_narrowed_search_reaches_every_match_page_by_page() {
    let engine = Engine::new("").unwrap();
    let item = |at: usize| {
        let server = if at.is_multiple_of(2) { "odd" } else { "even" };
        json!({"id": format!("{server}__switch_{at}"), "description": format!("Switch socket {at}"), "tags": ["plug"]})
    };
    let items: Vec<Value> = (0..246).map(item).collect();
    ok(&engine, "register", &json!({"kind": "tool", "items": items}));
    let page = |offset: usize| {
        let request = json!({"kind": "tool", "query": "switch a socket", "topK": 50, "offset": offset,
            "filter": {"servers": ["odd", "nobody"], "tags": ["plug"]}});
        ok(&engine, "search", &request)
    };
    let mut seen = Vec::new();
    for (offset, length) in [(0, 50), (50, 50), (100, 23)] {
        let answer = page(offset);
        let hits = answer["hits"].as_array().unwrap();
        assert_eq!((hits.len(), answer["total"].as_u64()), (length, Some(123)));
        for hit in hits {
            assert_eq!(hit["rank"], seen.len());
            seen.push(hit["id"].as_str().unwrap().to_owned());
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 123);
    assert!(seen.iter().all(|id| id.starts_with("odd__")));
}

#[test]
fn a_page_that_is_to_be_ordered_anew_comes_with_all_that_stand_before_it_and_says_where_it_is() {
    let engine = office();
    let search = |more: Value| {
        let mut request = json!({"kind": "tool", "query": "send an email with files__read"});
        request
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        ok(&engine, "search", &request)
    };
    let ids = |answer: &Value| -> Vec<String> {
        let hits = answer["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    };
    let plain = search(json!({"topK": 9}));
    assert_eq!(plain.get("page"), None);
    let all = ids(&plain);
    assert_eq!((all.len(), all[0].as_str()), (3, "files__read"));
    for (more, page, hits) in [
        (
            json!({"rerankTop": 2}),
            json!({"named": 1, "first": 0, "length": 5}),
            3,
        ),
        (
            json!({"rerankTop": 2, "topK": 1}),
            json!({"named": 1, "first": 0, "length": 1}),
            2,
        ),
        (
            json!({"rerankTop": 0, "topK": 1, "offset": 1}),
            json!({"named": 1, "first": 1, "length": 1}),
            2,
        ),
        (
            json!({"rerankTop": 20, "topK": "many", "offset": 2}),
            json!({"named": 1, "first": 2, "length": 5}),
            3,
        ),
    ] {
        let answer = search(more.clone());
        assert_eq!(
            (&answer["page"], ids(&answer)),
            (&page, all[..hits].to_vec()),
            "{more}"
        );
        assert_eq!(answer["hits"][1]["rank"], 1);
    }
}

#[test]
fn a_plain_search_is_answered_to_the_byte_as_one_that_says_more() {
    let engine = office();
    let odd = json!([{"id": "say \"hi\" \\ twice", "description": "Greets in email"}, {"id": "größe", "description": "Email size"}]);
    ok(&engine, "register", &json!({"kind": "tool", "items": odd}));
    let waiting = json!([
        {"id": "email", "description": "How to write an email", "body": "Write."},
        {"id": "waits", "description": "How to write an email in Rust", "body": "Write.", "paths": ["*.rs"]},
    ]);
    ok(&engine, "register", &json!({"kind": "skill", "items": waiting}));
    for kind in ["tool", "skill", "fact"] {
        for query in [
            "email",
            "email größe",
            "mail__send",
            "lunch",
            "write",
            "",
            "nothing of the kind",
        ] {
            for top_k in [json!(1), json!(3), json!(2_000), Value::Null] {
                let mut request = json!({"kind": kind, "query": query});
                if !top_k.is_null() {
                    request["topK"] = top_k.clone();
                }
                let plain = engine.call("search", &request.to_string());
                // What is left at its default, said.
                request["explain"] = json!(false);
                assert_eq!(engine.call("search", &request.to_string()), plain, "{request}");
            }
        }
    }
    assert!(
        engine
            .call("search", r#"{"kind":"skill","query":"write"}"#)
            .contains(r#""total":1"#)
    );
}
