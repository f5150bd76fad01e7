//! Whatever way a state came about, it answers like one that was made afresh: in place on the other replica, as a copy while
//! somebody reads that, from stored bytes.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Put(u8, u8),
    PutMany(u8),
    PutAgain,
    Remove(u8),
    /// Vectors of so many texts that have none.
    Embed(u8),
    Hold,
    LetGo,
    SaveAndLoad,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..12u8, 0..6u8).prop_map(|(id, text)| Step::Put(id, text)),
        1 => (0..6u8).prop_map(Step::PutMany),
        2 => Just(Step::PutAgain),
        3 => (0..14u8).prop_map(Step::Remove),
        3 => (1..90u8).prop_map(Step::Embed),
        2 => Just(Step::Hold),
        2 => Just(Step::LetGo),
        1 => Just(Step::SaveAndLoad),
    ]
}

fn tool(id: u8, text: u8) -> String {
    let words = [
        "read a file",
        "write files",
        "send mail",
        "close the issue",
        "list",
        "read and send",
    ];
    let words = words[usize::from(text) % words.len()];
    format!(
        r#"{{"id":"server{}__tool_{id}","description":"{words} number {id}"}}"#,
        id % 3
    )
}

fn register(engine: &Engine, tools: &[String]) {
    let answer = engine.call(
        "register",
        &format!(r#"{{"kind":"tool","items":[{}]}}"#, tools.join(",")),
    );
    assert!(answer.starts_with(r#"{"ok""#), "{answer}");
}

const OPTIONS: &str = r#"{"embedder":{"id":"toy","dimensions":3},"method":"hybrid"}"#;

/// A toy of an embedder.
fn embed(text: &str) -> Vec<f32> {
    let count = |letter: char| text.chars().filter(|other| *other == letter).count() as f32;
    vec![
        1.0 + count('e'),
        count('i') - 2.0,
        count('s') + text.len() as f32 / 100.0,
    ]
}

/// The text of a tool that is embedded.
fn text_of(id: u8, tool: &str) -> String {
    let tool: serde_json::Value = serde_json::from_str(tool).unwrap();
    format!("tool {id}\n{}", tool["description"].as_str().unwrap())
}

/// Gives vectors to so many texts that have none, and says which.
fn put_vectors(engine: &Engine, most: usize) -> Vec<String> {
    let missing = engine.call("missingVectors", &format!(r#"{{"limit":{most}}}"#));
    let missing: serde_json::Value = serde_json::from_str(&missing).unwrap();
    let texts: Vec<&serde_json::Value> = missing["ok"]["texts"].as_array().unwrap().iter().collect();
    let text = |text: &serde_json::Value| text["text"].as_str().unwrap().to_owned();
    let vectors: Vec<serde_json::Value> = texts
        .iter()
        .map(|missing| serde_json::json!({"key": missing["key"], "vector": embed(&text(missing))}))
        .collect();
    let request = serde_json::json!({"model": {"id": "toy", "dimensions": 3}, "vectors": vectors});
    let answer = engine.call("putVectors", &request.to_string());
    assert!(
        answer.contains(&format!(r#""stored":{},"ignored":0,"refused":[]"#, texts.len())),
        "{answer}"
    );
    texts.into_iter().map(text).collect()
}

/// Gives vectors to all texts but these.
fn put_all_but(engine: &Engine, without: &[String]) {
    let response: serde_json::Value =
        serde_json::from_str(&engine.call("missingVectors", r#"{"limit":1000}"#)).unwrap();
    let texts = response["ok"]["texts"].as_array().unwrap().iter();
    let texts = texts.filter(|text| {
        without
            .iter()
            .all(|other| *other != text["text"].as_str().unwrap())
    });
    let vectors: Vec<serde_json::Value> =
        texts.map(|missing| serde_json::json!({"key": missing["key"], "vector": embed(missing["text"].as_str().unwrap())})).collect();
    let request = serde_json::json!({"model": {"id": "toy", "dimensions": 3}, "vectors": vectors});
    assert!(
        engine
            .call("putVectors", &request.to_string())
            .starts_with(r#"{"ok""#)
    );
}

/// The texts that have no vector.
fn missing(engine: &Engine) -> Vec<String> {
    let missing: serde_json::Value =
        serde_json::from_str(&engine.call("missingVectors", r#"{"limit":1000}"#)).unwrap();
    missing["ok"]["texts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text["text"].as_str().unwrap().to_owned())
        .collect()
}

fn answers(engine: &Engine) -> Vec<String> {
    let mut answers = vec![engine.call("list", r#"{"kind":"tool"}"#)];
    for query in [
        "read file",
        "send",
        "server1",
        "tool_3",
        "issue number 7",
        "list of files",
    ] {
        let request = format!(r#"{{"kind":"tool","query":"{query}","topK":100}}"#);
        answers.push(engine.call("search", &request));
        for method in ["hybrid", "semantic"] {
            let vector = embed(query);
            let request = serde_json::json!({"kind": "tool", "query": query, "topK": 100, "method": method, "queryVector": vector});
            answers.push(engine.call("search", &request.to_string()));
        }
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_way_to_a_state_answers_like_a_fresh_one(steps in prop::collection::vec(any_step(), 1..40)) {
        let engine = Engine::new(OPTIONS).unwrap();
        let mut held = Vec::new();
        // Every text that has or had a vector: none is ever asked for again, but after a snapshot, which holds what is used only.
        let mut embedded = std::collections::HashSet::new();
        // In the order of registration; a replaced tool keeps its place.
        let mut tools: Vec<(u8, String)> = Vec::new();
        let put = |tools: &mut Vec<(u8, String)>, id: u8, text: String| match tools.iter_mut().find(|tool| tool.0 == id) {
            Some(tool) => tool.1 = text,
            None => tools.push((id, text)),
        };
        for step in &steps {
            match step {
                Step::Put(id, text) => {
                    register(&engine, &[tool(*id, *text)]);
                    put(&mut tools, *id, tool(*id, *text));
                }
                Step::PutMany(text) => {
                    let many: Vec<String> = (0..70).map(|id| tool(id, *text)).collect();
                    register(&engine, &many);
                    (0..70).for_each(|id| put(&mut tools, id, tool(id, *text)));
                }
                Step::PutAgain => register(&engine, &tools.iter().map(|tool| tool.1.clone()).collect::<Vec<_>>()),
                Step::Remove(id) => {
                    engine.call("remove", &format!(r#"{{"kind":"tool","ids":["server{}__tool_{id}"]}}"#, id % 3));
                    tools.retain(|tool| tool.0 != *id);
                }
                Step::Embed(most) => {
                    for text in put_vectors(&engine, usize::from(*most)) {
                        prop_assert!(embedded.insert(text.clone()), "embedded twice: {}", text);
                    }
                }
                Step::Hold => held.push((engine.catalogs.load(), answers(&engine))),
                Step::LetGo => held.clear(),
                Step::SaveAndLoad => {
                    embedded.retain(|text| tools.iter().any(|(id, tool)| *text == text_of(*id, tool)));
                    let answer = engine.load(&engine.save());
                    prop_assert!(answer.starts_with(r#"{"ok""#), "{}", answer);
                }
            }
            let fresh = Engine::new(OPTIONS).unwrap();
            register(&fresh, &tools.iter().map(|tool| tool.1.clone()).collect::<Vec<_>>());
            let still = missing(&engine);
            put_all_but(&fresh, &still);
            prop_assert_eq!(answers(&engine), answers(&fresh));
            prop_assert_eq!(engine.save(), fresh.save());
        }
        // What somebody held all the time never changed.
        for (catalogs, before) in &held {
            let then = Engine { catalogs: Published::from(Catalogs::clone(catalogs)), ..Engine::new(OPTIONS).unwrap() };
            prop_assert_eq!(&answers(&then), before);
        }
    }

    #[test]
    fn bytes_with_a_true_checksum_and_any_damage_are_refused_or_hold_together(
        count in 1..40u8, place in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let engine = Engine::new(OPTIONS).unwrap();
        register(&engine, &(0..count).map(|id| tool(id, id)).collect::<Vec<_>>());
        put_vectors(&engine, 30);
        let mut bytes = engine.save();
        let place = 16 + place.index(bytes.len() - 16);
        if cut { bytes.truncate(place); } else { bytes[place] = byte; }
        let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[16..]).to_le_bytes();
        bytes[8..16].copy_from_slice(&checksum);
        let other = Engine::new(OPTIONS).unwrap();
        let answer = other.load(&bytes);
        if answer.starts_with(r#"{"ok""#) {
            answers(&other);
            for id in 0..count {
                register(&other, &[tool(id, id + 1)]);
                other.call("remove", &format!(r#"{{"kind":"tool","ids":["server{}__tool_{id}"]}}"#, id % 3));
            }
            answers(&other);
        } else {
            prop_assert!(answer.contains("invalid_snapshot"), "{}", answer);
            prop_assert_eq!(other.call("size", r#"{"kind":"tool"}"#), r#"{"ok":{"size":0}}"#);
        }
    }
}

#[test]
fn an_index_that_another_version_built_is_built_again() {
    let engine = Engine::new(OPTIONS).unwrap();
    register(&engine, &(0..20).map(|id| tool(id, id)).collect::<Vec<_>>());
    put_vectors(&engine, 15);
    let mut bytes = engine.save();
    // The fingerprint stands first; with one bit turned it is another version's.
    bytes[16] ^= 1;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[16..]).to_le_bytes();
    bytes[8..16].copy_from_slice(&checksum);
    let other = Engine::new(OPTIONS).unwrap();
    let answer = other.load(&bytes);
    assert!(answer.starts_with(r#"{"ok""#), "{answer}");
    assert_eq!(answers(&other), answers(&engine));
    assert_eq!(other.save(), engine.save());
}
