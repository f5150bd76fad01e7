//! A tool that wants to be found for everything gains nothing: one attacker among 527 real tools, and a query about each of them.
//!
//! What counts is how often the attacker is among the first three of a query that is about another tool.
#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests read their data and panic when they fail"
)]

mod attacked;

use std::collections::HashMap;

use serde_json::{Value, json};

/// The attacker may be among the first three of so many of a hundred queries.
const SHARE_MOST: usize = 2;

struct World {
    tools: Vec<Value>,
    queries: Vec<String>,
    /// The words of all descriptions, the most frequent first.
    words: Vec<String>,
}

impl World {
    fn read() -> Self {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/demo/data/tools.jsonl");
        let text = std::fs::read_to_string(file).unwrap();
        let tools: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut queries = Vec::new();
        for tool in &tools {
            let description = tool["description"].as_str().unwrap_or_default();
            for word in description
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| word.len() > 2)
            {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
            let beginning: Vec<&str> = description.split_whitespace().take(12).collect();
            queries.push(beginning.join(" "));
        }
        let mut words: Vec<(String, usize)> = counts.into_iter().collect();
        words.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
        Self {
            tools,
            queries: queries.into_iter().filter(|query| query.len() > 20).collect(),
            words: words.into_iter().map(|(word, _)| word).collect(),
        }
    }

    fn words(&self, count: usize) -> String {
        self.words[..count].join(" ")
    }
}

#[test]
fn whoever_stuffs_a_text_with_words_is_not_found_for_them() {
    let world = World::read();
    let schema = |properties: Value| json!({"type": "object", "properties": properties});
    let parameters = |describe: &dyn Fn(&str) -> Value| {
        let pairs = world.words[..200]
            .iter()
            .map(|word| (word.clone(), describe(word)));
        schema(Value::Object(pairs.collect()))
    };
    let names: Vec<&str> = world
        .tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    let attackers = [
        ("a few popular words", json!({"description": world.words(20)})),
        ("many popular words", json!({"description": world.words(300)})),
        (
            "the same words again and again",
            json!({"description": format!("{} ", world.words(40)).repeat(50)}),
        ),
        (
            "the names of other tools",
            json!({"description": names[..150].join(", ")}),
        ),
        (
            "words that nobody sees",
            json!({"description": world.words(300).replace('e', "e\u{200b}")}),
        ),
        (
            "words that run backwards",
            json!({"description": format!("\u{202e}{}\u{202c}", world.words(300))}),
        ),
        (
            "a name of many words",
            json!({"name": world.words(60).replace(' ', "_"), "description": "does it"}),
        ),
        (
            "a short name of popular words",
            json!({"name": world.words(6).replace(' ', "_"), "description": "does it"}),
        ),
        (
            "a title of many words",
            json!({"title": world.words(100), "description": "does it"}),
        ),
        (
            "many tags",
            json!({"tags": world.words[..100], "description": "does it"}),
        ),
        (
            "many parameters",
            json!({"description": "does it", "inputSchema": parameters(&|_| json!({"type": "string"}))}),
        ),
        (
            "many values",
            json!({"description": "does it", "inputSchema": schema(json!({"q": {"enum": world.words[..400]}}))}),
        ),
        (
            "words for the index alone",
            json!({"searchText": world.words(300), "description": "does it"}),
        ),
        (
            "a server of many words",
            json!({"server": world.words(40), "description": "does it"}),
        ),
        (
            "everywhere at once",
            json!({
                "name": world.words(8).replace(' ', "_"), "title": world.words(30), "tags": world.words[..30],
                "description": world.words(200), "server": world.words(8), "inputSchema": parameters(&|word| json!({"description": word})),
            }),
        ),
    ];
    let mut found = Vec::new();
    for (way, attacker) in attackers {
        let mut attacker = attacker;
        attacker["id"] = json!("attacker");
        let share = attacked::share(&world.tools, world.queries.iter(), &attacker);
        if share > SHARE_MOST as f64 {
            found.push(format!("{way}: {share:.1} %"));
        }
    }
    assert!(
        found.is_empty(),
        "the attacker is among the first three: {found:#?}"
    );
}
