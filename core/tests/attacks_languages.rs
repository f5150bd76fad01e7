//! A tool that writes down what people ask for gains little by it in any language: one attacker among the tools of each language,
//! and every other one of the language's requests; it knows those between.
//!
//! What counts is how often the attacker is among the first three hits.
#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests read their data and panic when they fail"
)]

mod attacked;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};

const CODES: [&str; 10] = ["de", "es", "fr", "it", "ja", "pl", "pt", "ru", "tr", "zh"];
/// Letters of what is cut from texts that are not cut into words.
const PIECES: [usize; 2] = [2, 3];

struct Language {
    tools: Vec<Value>,
    queries: Vec<String>,
}

impl Language {
    fn read(code: &str) -> Self {
        let lines = |file: &str| -> Vec<Value> {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/quality/languages");
            let text = std::fs::read_to_string(format!("{folder}/{code}/{file}.jsonl")).unwrap();
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        };
        Self {
            tools: lines("tools"),
            queries: lines("queries")
                .iter()
                .map(|query| query["query"].as_str().unwrap().to_owned())
                .collect(),
        }
    }

    fn descriptions(&self) -> impl Iterator<Item = &str> {
        self.tools
            .iter()
            .map(|tool| tool["description"].as_str().unwrap_or_default())
    }
}

/// Where texts begin and end, each piece once: verbs stand there.
fn ends<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut found = BTreeSet::new();
    for text in texts {
        let text = text.trim_end_matches(['.', '。', '?', '？', '!', '！']);
        let words: Vec<&str> = text.split_whitespace().collect();
        if let [first, .., last] = words[..] {
            found.extend([first.to_owned(), last.to_owned()]);
            continue;
        }
        let letters: Vec<char> = text.chars().collect();
        for length in PIECES {
            found.extend(letters.windows(length).next().map(String::from_iter));
            found.extend(letters.windows(length).next_back().map(String::from_iter));
        }
    }
    found.into_iter().collect::<Vec<_>>().join(" ")
}

/// The words of texts, the most frequent first; pairs of characters where texts are not cut into words.
fn popular<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in texts.flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric())) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|letter| *letter >= '\u{3000}') {
            for pair in letters.windows(2) {
                *counts.entry(pair.iter().collect()).or_default() += 1;
            }
        } else if letters.len() > 2 {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    let mut words: Vec<(String, usize)> = counts.into_iter().collect();
    words.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    words.into_iter().map(|(word, _)| word).collect()
}

fn some(words: &[String], most: usize, between: &str) -> String {
    words[..most.min(words.len())].join(between)
}

/// Attackers, each with how often it may be among the first three: hundredths of the requests, mean over the languages. An arbitrary
/// tool of these small catalogs is so for five to seven.
fn attackers(language: &Language) -> [(&'static str, f64, Value); 7] {
    let words = popular(language.descriptions());
    let again = format!("{} ", some(&words, 40, " ")).repeat(50);
    let asked = ends(language.queries.iter().step_by(2).map(String::as_str));
    let written = ends(language.descriptions());
    [
        (
            "a few popular words",
            7.0,
            json!({"description": some(&words, 20, " ")}),
        ),
        (
            "all popular words",
            14.0,
            json!({"description": some(&words, 300, " ")}),
        ),
        (
            "the same words again and again",
            7.0,
            json!({"description": again}),
        ),
        (
            "a name of many words",
            4.0,
            json!({"name": some(&words, 60, "_"), "description": "x"}),
        ),
        (
            "a short name of popular words",
            7.0,
            json!({"name": some(&words, 6, "_"), "description": "x"}),
        ),
        ("what people ask for", 12.0, json!({"description": asked})),
        ("what definitions say", 8.0, json!({"description": written})),
    ]
}

#[test]
fn whoever_writes_down_what_is_asked_for_is_not_found_for_it() {
    let languages = CODES.map(Language::read);
    let mut shares: BTreeMap<&str, (f64, Vec<f64>)> = BTreeMap::new();
    for language in &languages {
        for (how, most, mut attacker) in attackers(language) {
            attacker["id"] = json!("attacker");
            let (_, all) = shares.entry(how).or_insert((most, Vec::new()));
            all.push(attacked::share(
                &language.tools,
                language.queries.iter().skip(1).step_by(2),
                &attacker,
            ));
        }
    }
    for (how, (most, all)) in &shares {
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!(mean <= *most, "{how}: {mean:.1}, by language {all:.1?}");
    }
}
