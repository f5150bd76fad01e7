//! Laws of meaning, through the text boundary: how vectors came to be there changes no answer, and what is none comes nowhere.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

use honeyguide::Engine;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const WORDS: [&str; 8] = [
    "create", "delete", "issue", "file", "weather", "city", "mail", "the",
];
const KINDS: [&str; 3] = ["tool", "skill", "fact"];
const QUERIES: [&str; 6] = [
    "erase the issue",
    "weather of a city",
    "create the issue file",
    "item3",
    "`item5` or mail",
    "xylophone",
];
const DIMENSIONS: usize = 8;

fn ask(engine: &Engine, operation: &str, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&engine.call(operation, &request.to_string())).unwrap();
    assert!(answer.get("error").is_none(), "{operation} {request}: {answer}");
    answer["ok"].clone()
}

fn open() -> Engine {
    let embedder = json!({ "id": "toy", "dimensions": DIMENSIONS });
    Engine::new(&json!({ "embedder": embedder, "method": "hybrid" }).to_string()).unwrap()
}

fn model() -> Value {
    json!({ "id": "toy", "dimensions": DIMENSIONS })
}

/// A number that a text alone decides (FNV-1a).
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// What the toy makes of a text: small whole numbers, so that many cosines tie.
fn vector_of(text: &str) -> Vec<i64> {
    let digest = digest(text);
    let numbers = (0..DIMENSIONS).map(|place| i64::try_from((digest >> (7 * place)) % 5).unwrap() - 2);
    let mut vector: Vec<i64> = numbers.collect();
    vector[0] += 3;
    vector
}

/// Some texts are never embedded.
fn is_embedded(text: &str) -> bool {
    !digest(text).is_multiple_of(4)
}

/// Embeds all that the toy embeds, a few texts at a time; `arrange` says in which order.
fn embed(engine: &Engine, most: usize, arrange: impl Fn(&mut Vec<Value>)) {
    loop {
        let page = ask(engine, "missingVectors", &json!({ "limit": 1_000 }));
        let mut texts: Vec<Value> = page["texts"].as_array().unwrap().clone();
        texts.retain(|text| is_embedded(text["text"].as_str().unwrap()));
        arrange(&mut texts);
        texts.truncate(most);
        if texts.is_empty() {
            return;
        }
        let keyed = texts.iter().map(|text| {
            let vector = vector_of(text["text"].as_str().unwrap());
            json!({ "key": text["key"], "vector": vector })
        });
        let vectors: Vec<Value> = keyed.collect();
        let put = ask(
            engine,
            "putVectors",
            &json!({ "model": model(), "vectors": vectors }),
        );
        assert_eq!(put["stored"], texts.len(), "{put}");
    }
}

/// Everything that can be seen of searches by meaning: ids, scores, ranks, coverage and the page of a model.
fn answers(engine: &Engine) -> Vec<Value> {
    let mut answers = Vec::new();
    for query in QUERIES {
        let vector = vector_of(query);
        for (kind, method) in KINDS
            .iter()
            .flat_map(|kind| ["hybrid", "semantic", "lexical"].map(|method| (kind, method)))
        {
            let search = json!({
                "kind": kind, "query": query, "queryVector": vector, "method": method, "topK": 1_000,
                "include": ["item"], "explain": true,
            });
            answers.push(ask(engine, "search", &search));
        }
        let shown = json!({ "name": "search_capabilities", "arguments": { "query": query }, "now": 1 });
        let mut step = ask(engine, "step", &shown);
        if step["kind"] == "embed" {
            let outcome = json!({ "kind": "vectors", "vectors": [vector] });
            step = ask(
                engine,
                "resume",
                &json!({ "call": step["call"], "outcome": outcome, "now": 1 }),
            );
        }
        answers.push(step);
        answers.push(ask(
            engine,
            "recall",
            &json!({ "query": query, "queryVector": vector, "now": 1 }),
        ));
        let listed = json!({ "mode": "replace", "query": query, "queryVector": vector });
        answers.push(ask(engine, "disclose", &listed));
    }
    answers
}

fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(select(&WORDS[..]), 0..most).prop_map(|words| words.join(" "))
}

/// An item of any kind under one of a few ids; many share their text, so they share its vector.
fn item() -> impl Strategy<Value = (&'static str, Value)> {
    (select(&KINDS[..]), 0..8_u32, words(4)).prop_map(|(kind, number, description)| {
        let id = format!("item{number}");
        let item = match kind {
            "fact" => json!({ "id": id, "body": description }),
            "skill" => json!({ "id": id, "name": "one", "description": description, "body": "x" }),
            _ => json!({ "id": id, "name": "one", "description": description }),
        };
        (kind, item)
    })
}

#[derive(Debug, Clone)]
enum Change {
    Put(&'static str, Value),
    /// Removes one of those that are there.
    Take(&'static str, Index),
    /// Embeds so many of the texts that have no vector.
    Embed(usize),
    /// Saves, and goes on with what was loaded.
    Reload,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => item().prop_map(|(kind, item)| Change::Put(kind, item)),
        2 => (select(&KINDS[..]), any::<Index>()).prop_map(|(kind, which)| Change::Take(kind, which)),
        2 => (1..5_usize).prop_map(Change::Embed),
        1 => Just(Change::Reload),
    ]
}

fn listed(engine: &Engine, kind: &str) -> Vec<Value> {
    let listed = ask(engine, "list", &json!({ "kind": kind }));
    listed["items"].as_array().unwrap().clone()
}

fn put(engine: &Engine, kind: &str, items: &[Value]) {
    let answer = ask(engine, "register", &json!({ "kind": kind, "items": items }));
    assert_eq!(answer["rejected"], json!([]), "{answer}");
}

fn after(changes: &[Change]) -> Engine {
    let mut engine = open();
    for change in changes {
        match change {
            Change::Put(kind, item) => put(&engine, kind, std::slice::from_ref(item)),
            Change::Take(kind, which) => {
                let there = listed(&engine, kind);
                if !there.is_empty() {
                    let ids = [which.get(&there)["id"].clone()];
                    ask(&engine, "remove", &json!({ "kind": kind, "ids": ids }));
                }
            }
            Change::Embed(most) => embed(&engine, *most, |texts| texts.truncate(*most)),
            Change::Reload => {
                let next = open();
                assert!(next.load(&engine.save()).starts_with("{\"ok\""));
                engine = next;
            }
        }
    }
    engine
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn however_vectors_came_to_be_there_the_answers_are_those_of_a_catalog_embedded_at_once(
        changes in prop::collection::vec(change(), 0..30), most in 1..6_usize,
    ) {
        let engine = after(&changes);
        embed(&engine, most, |texts| texts.reverse());
        let fresh = open();
        for kind in KINDS { put(&fresh, kind, &listed(&engine, kind)); }
        embed(&fresh, usize::MAX, |_| {});
        prop_assert_eq!(answers(&engine), answers(&fresh));
        prop_assert_eq!(engine.save(), fresh.save());
        let loaded = open();
        let answer = loaded.load(&engine.save());
        prop_assert!(answer.contains("ok"), "{}", answer);
        prop_assert_eq!(answers(&loaded), answers(&fresh));
    }

    #[test]
    fn the_order_of_registration_changes_nothing_of_what_meaning_finds(
        items in prop::collection::vec(item(), 0..20), turn in 0..20_usize,
    ) {
        let engine = open();
        for (kind, item) in items { put(&engine, kind, &[item]); }
        embed(&engine, usize::MAX, |_| {});
        let other = open();
        embed(&other, 1, |_| {});
        for kind in KINDS {
            let mut items = listed(&engine, kind);
            let turn = turn % items.len().max(1);
            items.rotate_left(turn);
            // Half of them are embedded before the others are there.
            let (first, second) = items.split_at(items.len() / 2);
            put(&other, kind, first);
            embed(&other, 2, |_| {});
            put(&other, kind, second);
        }
        embed(&other, 3, |texts| texts.reverse());
        prop_assert_eq!(answers(&engine), answers(&other));
    }

    #[test]
    fn without_any_vector_words_and_meaning_are_words_alone(items in prop::collection::vec(item(), 1..20)) {
        let engine = open();
        for (kind, item) in items { put(&engine, kind, &[item]); }
        for (kind, query) in KINDS.iter().flat_map(|kind| QUERIES.map(|query| (kind, query))) {
            let search = |more: Value| {
                let mut request = json!({ "kind": kind, "query": query, "topK": 1_000, "explain": true });
                request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                ask(&engine, "search", &request)
            };
            let by_words = search(json!({}));
            for method in ["hybrid", "semantic"] {
                let found = search(json!({ "method": method, "queryVector": vector_of(query) }));
                let parts = ["hits", "status", "total"];
                prop_assert_eq!(parts.map(|part| &found[part]), parts.map(|part| &by_words[part]));
// What has no text to embed misses nothing.
                let wanted = ask(&engine, "missingVectors", &json!({ "kind": kind, "limit": 0 }));
                let reason = if wanted["total"] == 0 { Value::Null } else { json!("no_vectors") };
                prop_assert_eq!(found.get("degraded").cloned().unwrap_or_default(), reason);
            }
        }
    }

    #[test]
    fn what_is_no_vector_is_refused_and_changes_nothing(
        items in prop::collection::vec(item(), 1..12), place in 0..DIMENSIONS,
    ) {
        let engine = open();
        for (kind, item) in items { put(&engine, kind, &[item]); }
        let page = ask(&engine, "missingVectors", &json!({}));
        let (before, saved) = (answers(&engine), engine.save());
        let with = |number: &str| {
            let mut numbers = ["1"; DIMENSIONS];
            numbers[place] = number;
            format!("[{}]", numbers.join(","))
        };
        // Not a number, both infinities as a float and as a number that is too large for one, zeros, other lengths.
        let bytes = |odd: [u8; 4]| {
            let mut bytes = [0_u8, 0, 0x80, 0x3f].repeat(DIMENSIONS);
            bytes[4 * place..4 * place + 4].copy_from_slice(&odd);
            json!(base64(&bytes)).to_string()
        };
        let wrong = [
            bytes(f32::NAN.to_le_bytes()), bytes(f32::INFINITY.to_le_bytes()), bytes(f32::NEG_INFINITY.to_le_bytes()),
            with("1e39"), with("-1e39"), json!(vec![0; DIMENSIONS]).to_string(), json!(vec![1; DIMENSIONS + 1]).to_string(), "[]".to_owned(),
        ];
        for vector in &wrong {
            let keyed: Vec<String> = page["texts"].as_array().unwrap().iter()
                .map(|text| format!("{{\"key\":{},\"vector\":{vector}}}", text["key"])).collect();
            let put = engine.call("putVectors", &format!("{{\"model\":{},\"vectors\":[{}]}}", model(), keyed.join(",")));
            let put: Value = serde_json::from_str(&put).unwrap();
            prop_assert_eq!(&put["ok"]["stored"], 0, "{} {}", vector, put);
            let refused = put["ok"]["refused"].as_array().unwrap();
            prop_assert_eq!(refused.len(), keyed.len());
            prop_assert!(refused.iter().all(|refused| refused["code"] == "invalid_vector"), "{}", put);
            let search = engine.call("search", &format!("{{\"kind\":\"tool\",\"query\":\"x\",\"queryVector\":{vector}}}"));
            prop_assert!(search.contains("\"invalid_vector\""), "{} {}", vector, search);
        }
        prop_assert_eq!(answers(&engine), before);
        prop_assert_eq!(engine.save(), saved);
    }
}

/// The text of some bytes, with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| {
            bits << 8 | usize::from(three.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            text.push(if at <= three.len() {
                char::from(LETTERS[bits >> (18 - 6 * at) & 63])
            } else {
                '='
            });
        }
    }
    text
}
