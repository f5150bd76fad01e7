//! The named fixture rankings, and the page of a search that one of them orders anew. Decides nothing: the engine says which
//! hits are the page.

use serde_json::{Value, json};

/// As many as the facades have ordered anew unless told otherwise.
pub const TOP: u64 = 20;

/// What a ranking makes of hits, as an outcome.
pub fn judge(name: &str, hits: &Value) -> Value {
    let count = hits.as_array().map_or(0, Vec::len);
    match name {
        "turned" => json!({ "kind": "scores", "scores": (0..count).collect::<Vec<_>>() }),
        "few" => json!({ "kind": "error", "message": "too few numbers" }),
        _ => json!({ "kind": "error", "name": "FixtureError", "message": "the fixture failed on purpose" }),
    }
}

/// The page of an answer that has all hits from the best on.
pub fn page(name: &str, answer: &Value) -> Value {
    let place = |key: &str| {
        let number = answer["page"][key].as_u64().unwrap_or_default();
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let mut hits = answer["hits"].as_array().cloned().unwrap_or_default();
    let (named, top) = (place("named"), usize::try_from(TOP).unwrap_or(usize::MAX));
    let end = hits.len().min(top.max(named));
    if end - named > 1 && judge(name, &answer["hits"])["kind"] == "scores" {
        // The one that answers gives each its place, so the last comes first.
        hits[named..end].reverse();
    }
    let ordered = hits.into_iter().enumerate().map(|(rank, mut hit)| {
        hit["rank"] = rank.into();
        hit
    });
    ordered.skip(place("first")).take(place("length")).collect()
}
