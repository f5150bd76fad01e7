//! What becomes of vectors between kinds, models and processes: a text is embedded once, and spaces never mix.

use serde_json::{Value, json};

use super::Engine;

fn engine(id: &str) -> Engine {
    Engine::new(&json!({ "embedder": { "id": id, "dimensions": 2 }, "method": "hybrid" }).to_string())
        .unwrap()
}

fn ask(engine: &Engine, operation: &str, request: Value) -> Value {
    serde_json::from_str(&engine.call(operation, &request.to_string())).unwrap()
}

fn register(engine: &Engine, kind: &str, id: &str, description: &str) {
    let items = [json!({ "id": id, "description": description })];
    assert_eq!(
        ask(engine, "register", json!({ "kind": kind, "items": items }))["ok"]["rejected"],
        json!([])
    );
}

/// The texts that have no vector.
fn missing(engine: &Engine) -> Vec<String> {
    let response = ask(engine, "missingVectors", json!({}));
    let texts = response["ok"]["texts"].as_array().unwrap().iter();
    texts
        .map(|text| text["text"].as_str().unwrap().to_owned())
        .collect()
}

/// Gives all of them the same vector; says how many were stored.
fn put_all(engine: &Engine) -> u64 {
    let page = ask(engine, "missingVectors", json!({}));
    let texts = page["ok"]["texts"].as_array().unwrap().iter();
    let vectors: Vec<Value> = texts
        .map(|text| json!({ "key": text["key"], "vector": [1, 2] }))
        .collect();
    let response = ask(
        engine,
        "putVectors",
        json!({ "model": page["ok"]["model"], "vectors": vectors }),
    );
    response["ok"]["stored"].as_u64().unwrap()
}

#[test]
fn a_text_of_two_kinds_is_embedded_once() {
    let engine = engine("m");
    register(&engine, "tool", "same", "It does a thing");
    register(&engine, "skill", "same", "It does a thing");
    assert_eq!(missing(&engine), ["same\nIt does a thing"]);
    let counts = |kind: Value| {
        let response = ask(&engine, "missingVectors", json!({ "kind": kind, "limit": 0 }));
        (response["ok"]["missing"].clone(), response["ok"]["total"].clone())
    };
    assert_eq!(counts(Value::Null), (json!(2), json!(2)));
    assert_eq!(put_all(&engine), 1);
    assert_eq!(
        (counts(json!("tool")), counts(json!("skill"))),
        ((json!(0), json!(1)), (json!(0), json!(1)))
    );
    // What a kind gets later has its vector from the other.
    register(&engine, "skill", "another", "Not the same");
    put_all(&engine);
    register(&engine, "tool", "another", "Not the same");
    assert_eq!(missing(&engine), Vec::<String>::new());
}

#[test]
fn one_edit_is_one_text_and_a_removal_none() {
    let engine = engine("m");
    for number in 0..5 {
        register(&engine, "tool", &format!("t{number}"), "Does it");
    }
    assert_eq!(put_all(&engine), 5);
    register(&engine, "tool", "t3", "Does something else");
    assert_eq!(missing(&engine), ["t3\nDoes something else"]);
    ask(&engine, "remove", json!({ "kind": "tool", "ids": ["t0"] }));
    register(&engine, "tool", "t0", "Does it");
    register(&engine, "tool", "t3", "Does it");
    assert_eq!(missing(&engine), Vec::<String>::new());
    // Tags are no part of the text, and parameters are.
    let item = json!({ "id": "t1", "description": "Does it", "tags": ["new"] });
    ask(&engine, "register", json!({ "kind": "tool", "items": [item] }));
    assert_eq!(missing(&engine), Vec::<String>::new());
    let item = json!({ "id": "t1", "description": "Does it", "inputSchema": { "properties": { "x": {} } } });
    ask(&engine, "register", json!({ "kind": "tool", "items": [item] }));
    assert_eq!(missing(&engine), ["t1\nDoes it\nx"]);
}

#[test]
fn a_snapshot_of_another_model_loads_and_its_texts_are_missing() {
    let first = engine("m");
    register(&first, "tool", "t", "Does it");
    put_all(&first);
    let bytes = first.save();
    for other in [
        engine("n"),
        Engine::new(r#"{"embedder":{"id":"m","revision":"2","dimensions":2}}"#).unwrap(),
    ] {
        assert!(other.load(&bytes).starts_with(r#"{"ok""#));
        assert_eq!(missing(&other), ["t\nDoes it"]);
    }
    let same = engine("m");
    assert!(same.load(&bytes).starts_with(r#"{"ok""#));
    assert_eq!(missing(&same), Vec::<String>::new());
    assert_eq!(same.save(), bytes);
    let without = Engine::new("").unwrap();
    assert!(without.load(&bytes).starts_with(r#"{"ok""#));
    assert_eq!(ask(&without, "size", json!({ "kind": "tool" }))["ok"]["size"], 1);
    assert_eq!(
        ask(&without, "missingVectors", json!({}))["error"]["code"],
        "method_unavailable"
    );
}

#[test]
fn what_the_state_before_a_load_knew_is_known_after_it() {
    let first = engine("m");
    register(&first, "tool", "t", "Does it");
    let bytes = first.save();
    put_all(&first);
    assert!(first.load(&bytes).starts_with(r#"{"ok""#));
    assert_eq!(missing(&first), Vec::<String>::new());
}

#[test]
fn a_blank_text_wants_no_vector() {
    let engine = engine("m");
    let fact = json!({ "id": "f", "body": "  " });
    ask(&engine, "register", json!({ "kind": "fact", "items": [fact] }));
    assert_eq!(missing(&engine), Vec::<String>::new());
    assert_eq!(ask(&engine, "missingVectors", json!({}))["ok"]["total"], 0);
}

#[test]
fn an_engine_of_no_model_that_can_be_is_refused_when_it_opens() {
    let options = [
        json!({ "embedder": { "id": "", "dimensions": 2 } }),
        json!({ "embedder": { "id": "m", "dimensions": 0 } }),
        json!({ "embedder": { "id": "m", "dimensions": 65_537 } }),
        json!({ "embedder": { "id": "m", "dimensions": 2, "scripts": ["Klingon"] } }),
        json!({ "embedder": { "id": "m", "dimensions": 2, "languages": ["English"] } }),
        json!({ "embedder": { "id": "m" } }),
    ];
    for options in options {
        let error = Engine::new(&options.to_string()).unwrap_err();
        assert_eq!(error.code.as_str(), "invalid_request", "{options}");
    }
    let error = Engine::new(r#"{"method":"semantic"}"#).unwrap_err();
    assert_eq!(error.code.as_str(), "method_unavailable");
}

/// Two tools whose meanings are the two directions, and whose words say nothing of either.
fn told_apart() -> Engine {
    let engine = engine("m");
    for id in ["first", "second"] {
        register(&engine, "tool", id, "It does a thing");
    }
    let page = ask(&engine, "missingVectors", json!({}));
    let texts = page["ok"]["texts"].as_array().unwrap().iter();
    let vectors: Vec<Value> = texts
        .zip([[1, 0], [0, 1]])
        .map(|(text, vector)| json!({ "key": text["key"], "vector": vector }))
        .collect();
    let put = json!({ "model": page["ok"]["model"], "vectors": vectors });
    assert_eq!(ask(&engine, "putVectors", put)["ok"]["stored"], 2);
    engine
}

#[test]
fn a_strict_recall_is_no_answer_by_words() {
    let engine = told_apart();
    let recall = |more: Value| {
        let mut request = json!({ "query": "does a thing", "now": 0 });
        request
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        ask(&engine, "recall", request)
    };
    for (degraded, code) in [
        (Value::Null, "method_unavailable"),
        (json!("no_embedder"), "method_unavailable"),
        (json!("embedding_failed"), "embedding_failed"),
        (json!("timeout"), "timeout"),
        (json!("aborted"), "aborted"),
    ] {
        let refused = recall(json!({ "degraded": degraded, "strict": true }));
        assert_eq!(refused["error"]["code"], code);
        for lenient in [json!(false), Value::Null] {
            let answer = recall(json!({ "degraded": degraded, "strict": lenient }));
            assert!(answer["ok"]["result"]["degraded"].is_string(), "{answer}");
        }
    }
    let refused = recall(json!({ "queryVector": [0, 0], "strict": true }));
    assert_eq!(refused["error"]["code"], "embedding_failed");
    let answer = recall(json!({ "queryVector": [0, 1], "strict": true }));
    let hits = &answer["ok"]["result"]["tools"]["groups"];
    assert_eq!(hits[0]["hits"][0]["toolId"], "second", "{answer}");
}

#[test]
fn the_best_few_of_a_turn_are_found_by_meaning_where_the_engine_ranks_by_it() {
    let engine = told_apart();
    let disclose = |mode: &str, more: Value| {
        let mut request = json!({ "mode": mode, "query": "does a thing", "topK": 1 });
        request
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        ask(&engine, "disclose", request)["ok"].clone()
    };
    let by_meaning = disclose("replace", json!({ "queryVector": [0, 1] }));
    assert_eq!(
        by_meaning["exposed"],
        json!([{ "name": "second", "toolId": "second" }])
    );
    assert_eq!(by_meaning.get("degraded"), None);
    let suggested = disclose("suggest", json!({ "queryVector": [0, 1] }));
    let hint = suggested["recall"]["hint"].as_str().unwrap();
    assert!(hint.contains("second") && !hint.contains("first"), "{hint}");
    for (more, reason) in [
        (json!({}), "no_embedder"),
        (json!({ "degraded": "timeout" }), "timeout"),
        (json!({ "queryVector": [1] }), "embedding_failed"),
    ] {
        let by_words = disclose("replace", more);
        assert_eq!(by_words["exposed"][0]["toolId"], "first");
        assert_eq!(by_words["degraded"], reason);
    }
    // Where no few are chosen, nothing was to be compared.
    for mode in ["funnel", "auto"] {
        assert_eq!(disclose(mode, json!({})).get("degraded"), None, "{mode}");
    }
}

/// The warnings of a search with a vector.
fn warned(engine: &Engine, query: &str, method: &str) -> Vec<String> {
    let request = json!({ "kind": "tool", "query": query, "queryVector": [1, 2], "method": method });
    let warnings = ask(engine, "search", request)["ok"]["warnings"].clone();
    let warnings = warnings.as_array().cloned().unwrap_or_default();
    warnings
        .iter()
        .map(|warning| format!("{}: {}", warning["code"], warning["message"]))
        .collect()
}

#[test]
fn a_warning_of_a_language_says_that_meaning_counts_little_only_where_it_does() {
    let engine = Engine::new(r#"{"embedder":{"id":"m","dimensions":2,"languages":["en","en-GB"]}}"#).unwrap();
    register(
        &engine,
        "tool",
        "termin",
        "Legt einen neuen Termin für den Kalender an",
    );
    put_all(&engine);
    let said = |query: &str, method: &str| {
        let warnings = warned(&engine, query, method);
        assert_eq!(warnings.len(), 1, "{query} {warnings:?}");
        assert!(warnings[0].starts_with("\"unknown_language\""), "{warnings:?}");
        warnings[0].clone()
    };
    for query in ["bitte den Termin streichen", "Termin"] {
        let asked = said(query, "hybrid");
        assert!(
            asked.contains("this query is") && asked.contains("counts little"),
            "{asked}"
        );
    }
    let searched = said("what is the appointment", "hybrid");
    assert!(searched.contains("most texts of this catalog are"), "{searched}");
    assert!(!searched.contains("counts little"), "{searched}");
    assert!(said("Termin", "semantic").contains("meaning alone decides"));
    assert_eq!(warned(&engine, "Termin", "lexical"), [""; 0]);
    // A model that knows another language, or that says nothing, is taken to know this one.
    for languages in [json!(["en", "fr"]), json!([]), Value::Null] {
        let options = json!({ "embedder": { "id": "m", "dimensions": 2, "languages": languages } });
        let other = Engine::new(&options.to_string()).unwrap();
        assert!(other.load(&engine.save()).starts_with(r#"{"ok""#));
        assert_eq!(warned(&other, "bitte den Termin streichen", "hybrid"), [""; 0]);
        // What is saved says nothing of what a model knows.
        let again = Engine::new(r#"{"embedder":{"id":"m","dimensions":2,"languages":["en"]}}"#).unwrap();
        assert!(again.load(&other.save()).starts_with(r#"{"ok""#));
        assert_eq!(warned(&again, "bitte den Termin streichen", "hybrid").len(), 1);
    }
}

#[test]
fn languages_that_are_no_list_of_codes_are_refused() {
    for languages in [
        json!("en"),
        json!([1]),
        json!([null]),
        json!({}),
        json!(["en", ""]),
        json!(["en-"]),
    ] {
        let options = json!({ "embedder": { "id": "m", "dimensions": 2, "languages": languages } });
        let opened = Engine::new(&options.to_string());
        assert_eq!(opened.is_err(), languages != json!(["en-"]), "{languages}");
    }
}
