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
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_way_to_a_state_answers_like_a_fresh_one(steps in prop::collection::vec(any_step(), 1..40)) {
        let engine = Engine::new("").unwrap();
        let mut held = Vec::new();
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
                Step::Hold => held.push((engine.catalogs.load(), answers(&engine))),
                Step::LetGo => held.clear(),
                Step::SaveAndLoad => {
                    let answer = engine.load(&engine.save());
                    prop_assert!(answer.starts_with(r#"{"ok""#), "{}", answer);
                }
            }
            let fresh = Engine::new("").unwrap();
            register(&fresh, &tools.iter().map(|tool| tool.1.clone()).collect::<Vec<_>>());
            prop_assert_eq!(answers(&engine), answers(&fresh));
        }
        // What somebody held all the time never changed.
        for (catalogs, before) in &held {
            let then = Engine { catalogs: Published::from(Catalogs::clone(catalogs)), ..Engine::default() };
            prop_assert_eq!(&answers(&then), before);
        }
    }

    #[test]
    fn bytes_with_a_true_checksum_and_any_damage_are_refused_or_hold_together(
        count in 1..40u8, place in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let engine = Engine::new("").unwrap();
        register(&engine, &(0..count).map(|id| tool(id, id)).collect::<Vec<_>>());
        let mut bytes = engine.save();
        let place = 16 + place.index(bytes.len() - 16);
        if cut { bytes.truncate(place); } else { bytes[place] = byte; }
        let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[16..]).to_le_bytes();
        bytes[8..16].copy_from_slice(&checksum);
        let other = Engine::new("").unwrap();
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
    let engine = Engine::new("").unwrap();
    register(&engine, &(0..20).map(|id| tool(id, id)).collect::<Vec<_>>());
    let mut bytes = engine.save();
    // The fingerprint stands first; with one bit turned it is another version's.
    bytes[16] ^= 1;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[16..]).to_le_bytes();
    bytes[8..16].copy_from_slice(&checksum);
    let other = Engine::new("").unwrap();
    let answer = other.load(&bytes);
    assert!(answer.starts_with(r#"{"ok""#), "{answer}");
    assert_eq!(answers(&other), answers(&engine));
    assert_eq!(other.save(), engine.save());
}
