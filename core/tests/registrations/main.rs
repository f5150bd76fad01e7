//! Two ways read a registration of tools: a scanner, when it says its kind and then its items, and a parser otherwise. Whatever a
//! registration holds, both answer the same and leave the same catalog. Knows nothing of how either reads.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may panic, and cuts texts where it knows that they are letters"
)]

mod written;

use honeyguide::Engine;
use proptest::prelude::*;

/// Ids that are asked for again.
const IDS: [&str; 8] = [
    "a",
    "b",
    "files__read",
    "größe",
    "日本",
    "x y",
    "__proto__",
    "mcp__s3__put",
];

/// All that can be seen of the tools of an engine.
fn seen(engine: &Engine) -> Vec<String> {
    let mut seen = vec![
        engine.call("list", r#"{"kind":"tool"}"#),
        engine.call("size", r#"{"kind":"tool"}"#),
        engine.call("diagnose", "{}"),
    ];
    seen.extend(IDS.map(|id| engine.call("get", &format!(r#"{{"kind":"tool","id":"{id}"}}"#))));
    for query in ["read a file", "日本語", "create issue größe", "true 1 null title"] {
        let request = format!(r#"{{"kind":"tool","query":"{query}","topK":50,"explain":true}}"#);
        seen.push(engine.call("search", &request));
    }
    seen
}

/// Registers all items both ways, and with the kind behind them.
fn assert_alike(batches: &[String]) -> Result<(), TestCaseError> {
    let (scanned, parsed, turned) = (Engine::default(), Engine::default(), Engine::default());
    for items in batches {
        let answer = scanned.call("register", &format!(r#"{{"kind":"tool","items":{items}}}"#));
        // The scanner declines a kind with escapes.
        let other = parsed.call("register", &format!(r#"{{"kind":"too\u006c","items":{items}}}"#));
        prop_assert_eq!(&answer, &other, "{}", items);
        let other = turned.call("register", &format!(r#"{{"items":{items},"kind":"tool"}}"#));
        // What is no JSON is found wrong somewhere else when there is more behind it.
        if answer.starts_with(r#"{"ok""#) || other.starts_with(r#"{"ok""#) {
            prop_assert_eq!(&answer, &other, "{}", items);
        }
    }
    let all = seen(&scanned);
    prop_assert_eq!(&all, &seen(&parsed), "{:?}", batches);
    prop_assert_eq!(&all, &seen(&turned), "{:?}", batches);
    let saved = scanned.save();
    prop_assert_eq!(&saved, &parsed.save(), "{:?}", batches);
    prop_assert_eq!(&saved, &turned.save(), "{:?}", batches);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn whatever_is_registered_both_ways_answer_alike_and_leave_the_same(batches in prop::collection::vec(written::items(), 1..4)) {
        assert_alike(&batches)?;
    }
}
