//! Laws of vectors: what is none comes nowhere, and how the others came to be there changes no answer.
//! Input: the JSON text of a vector on the first line, then what tools do, a line each; or a plan of changes and searches.

use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};

use crate::{Witness, draw, plan};

const MOST_STEPS: usize = 30;
const LONGEST: usize = 16 * 1024;
const DIMENSIONS: usize = 8;
const KINDS: [&str; 3] = ["tool", "skill", "fact"];
const METHODS: [&str; 3] = ["lexical", "semantic", "hybrid"];
/// What a host may take for a vector: too short, too long, without a direction, beyond what 32 bits hold, torn base64.
const NONE: [&str; 10] = [
    "[]",
    "[1,2]",
    "[1,2,3,4,5,6,7,8,9]",
    "[0,0,0,0,0,0,0,0]",
    "[1e39,0,0,0,0,0,0,0]",
    "[-1e308,1e308,0,0,0,0,0,0]",
    "\"AAAA\"",
    "\"AADAfwAAwH8AAMB/AADAfwAAwH8AAMB/AADAfwAAwH8=\"",
    "\"%\"",
    "{\"0\":1}",
];

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        return of_changes(&mut from);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    let (vector, described) = text.split_once('\n').unwrap_or((text, ""));
    of_any_vector(vector, described);
}

/// Whatever is given for a vector is taken whole or refused with a code, and then nothing has changed.
fn of_any_vector(vector: &str, described: &str) {
    let items: Vec<Value> = described
        .lines()
        .take(20)
        .enumerate()
        .map(|(place, line)| json!({ "id": format!("t{place}"), "description": line }))
        .collect();
    let witness = open();
    witness.ok("register", &json!({ "kind": "tool", "items": items }));
    let before = missing(&witness);
    let Some(key) = before.texts.first().map(|(key, _)| key.clone()) else {
        return;
    };
    let saved = witness.save();
    let put = format!(
        r#"{{"model":{},"vectors":[{{"key":"{key}","vector":{vector}}}]}}"#,
        model()
    );
    let answer = witness.ask("putVectors", &put);
    let stored = answer["ok"]["stored"].as_u64().unwrap_or(0);
    if stored == 0 {
        assert_eq!(witness.save(), saved, "{vector}: {answer}");
    }
    assert_eq!(
        missing(&witness).texts.len() as u64 + stored,
        before.texts.len() as u64,
        "{answer}"
    );
    for method in METHODS {
        let search = format!(
            r#"{{"kind":"tool","query":"read a file","method":"{method}","queryVector":{vector},"topK":100}}"#
        );
        let (answer, again) = (witness.ask("search", &search), witness.ask("search", &search));
        assert_eq!(answer, again);
        of_order(&answer["ok"]);
    }
    of_loading(&witness);
}

fn of_changes(from: &mut Unstructured<'_>) {
    let mut witness = open();
    let mut queries = vec!["read file".to_owned()];
    for _ in 0..MOST_STEPS {
        if from.is_empty() || change(from, &mut witness, &mut queries).is_err() {
            break;
        }
    }
    of_rebuilding(&witness, &queries);
    of_loading(&witness);
}

/// One change, or one search.
fn change(from: &mut Unstructured<'_>, witness: &mut Witness, queries: &mut Vec<String>) -> Result<()> {
    let kind = draw::kind(from)?;
    match from.int_in_range(0..=9)? {
        0..=2 => {
            let items = draw::list(from, 5, |from| draw::item(from, kind))?;
            witness.ask("register", &json!({ "kind": kind, "items": items }).to_string());
        }
        3 => {
            let ids = draw::list(from, 3, draw::id)?;
            witness.ok("remove", &json!({ "kind": kind, "ids": ids }));
        }
        4..=5 => {
            let most = from.int_in_range(0..=6)?;
            let wanted = missing(witness).texts.into_iter().take(most).collect::<Vec<_>>();
            assert_eq!(embed(witness, &wanted), wanted.len());
        }
        6 => {
            let (saved, none) = (witness.save(), draw::one(from, &NONE)?);
            let key = missing(witness)
                .texts
                .first()
                .map_or("x".to_owned(), |(key, _)| key.clone());
            let put = format!(
                r#"{{"model":{},"vectors":[{{"key":"{key}","vector":{none}}}]}}"#,
                model()
            );
            let answer = witness.ask("putVectors", &put);
            assert_eq!(
                answer["ok"]["stored"].as_u64().unwrap_or(0),
                0,
                "{none}: {answer}"
            );
            assert_eq!(witness.save(), saved, "{none}: {answer}");
        }
        7 => {
            let other = open();
            assert!(other.load(&witness.save()).get("error").is_none());
            *witness = other;
        }
        _ => {
            let query = draw::text(from)?;
            for method in METHODS {
                of_order(&search(witness, kind, &query, method));
            }
            queries.push(query);
        }
    }
    Ok(())
}

/// What came about step by step is what is built at once with vectors for the same texts.
fn of_rebuilding(witness: &Witness, queries: &[String]) {
    let fresh = open();
    for kind in KINDS {
        fresh.ok(
            "replaceAll",
            &json!({ "kind": kind, "items": witness.list(kind) }),
        );
    }
    let without: BTreeSet<String> = missing(witness).texts.into_iter().map(|(key, _)| key).collect();
    let mut wanted = missing(&fresh).texts;
    wanted.retain(|(key, _)| !without.contains(key));
    wanted.reverse();
    assert_eq!(embed(&fresh, &wanted), wanted.len());
    assert_eq!(missing(&fresh).counts, missing(witness).counts);
    same_answers(witness, &fresh, queries);
}

fn of_loading(witness: &Witness) {
    let loaded = open();
    assert!(loaded.load(&witness.save()).get("error").is_none());
    assert_eq!(loaded.save(), witness.save());
    same_answers(witness, &loaded, &["read file".to_owned()]);
}

fn same_answers(one: &Witness, other: &Witness, queries: &[String]) {
    for query in queries {
        for (kind, method) in KINDS.iter().flat_map(|kind| METHODS.map(|method| (kind, method))) {
            let found = search(one, kind, query, method);
            assert_eq!(
                found,
                search(other, kind, query, method),
                "{kind} {method} {query:?}"
            );
        }
    }
}

fn search(witness: &Witness, kind: &str, query: &str, method: &str) -> Value {
    let request = json!({ "kind": kind, "query": query, "method": method, "queryVector": vector_of(query), "topK": 1_000 });
    witness.ok("search", &request)
}

/// Hits stand by their scores, and there are no more than are counted.
fn of_order(answer: &Value) {
    let hits = answer["hits"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(hits.len() as u64 <= answer["total"].as_u64().unwrap_or(0));
    for (rank, hit) in hits.iter().enumerate() {
        assert_eq!(hit["rank"], rank);
        assert!(hit["score"].as_f64().is_some_and(f64::is_finite), "{hit}");
    }
}

/// Texts without a vector, by key; how many items have none, and how many have a text.
struct Missing {
    texts: Vec<(String, String)>,
    counts: [Value; 2],
}

fn missing(witness: &Witness) -> Missing {
    let answer = witness.ok("missingVectors", &json!({ "limit": 1_000 }));
    let texts = answer["texts"].as_array().expect("texts");
    let part = |text: &Value, name: &str| text[name].as_str().expect("text").to_owned();
    Missing {
        texts: texts
            .iter()
            .map(|text| (part(text, "key"), part(text, "text")))
            .collect(),
        counts: [answer["missing"].clone(), answer["total"].clone()],
    }
}

/// Gives texts their vectors; how many have one now that had none.
fn embed(witness: &Witness, texts: &[(String, String)]) -> usize {
    let vectors: Vec<Value> = texts
        .iter()
        .map(|(key, text)| json!({ "key": key, "vector": vector_of(text) }))
        .collect();
    let answer = witness.ok("putVectors", &json!({ "model": model(), "vectors": vectors }));
    assert_eq!(answer["refused"], json!([]), "{answer}");
    usize::try_from(answer["stored"].as_u64().expect("a count")).expect("a count")
}

/// Small whole numbers that the text alone decides (FNV-1a), so that many cosines tie.
fn vector_of(text: &str) -> Vec<i64> {
    let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut vector: Vec<i64> = (0..DIMENSIONS)
        .map(|place| i64::from((digest >> (7 * place)).to_le_bytes()[0] % 5) - 2)
        .collect();
    // Never without a direction.
    vector[0] += 3;
    vector
}

fn open() -> Witness {
    Witness::new(&json!({ "embedder": model(), "method": "hybrid" }))
}

fn model() -> Value {
    json!({ "id": "toy", "dimensions": DIMENSIONS })
}
