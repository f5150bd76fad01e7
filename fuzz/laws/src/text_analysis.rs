//! Laws of reading text: terms are bounded by the text, and a query finds a document that shares a term with it.
//! Input: a document, and after an empty line a query; without one, the document is the query too.

use std::collections::HashSet;

use honeyguide::text::{Analyzer, TextKind, analyze_query, has_control_or_invisible, name_key, strip_text};
use serde_json::json;

use crate::{Witness, draw, plan};

/// The bounds of a query's reading (`text/query.rs`).
const MOST_TERMS: usize = 256;
const MOST_IDENTIFIERS: usize = 64;
/// A token of 64 bytes, and what folding may add to it.
const LONGEST_WORD: usize = 256;
/// A query as short as this has fewer terms than are read.
const READ_WHOLE: usize = 256;
const LONGEST: usize = 32 * 1024;

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        if let (Ok(document), Ok(query)) = (draw::text(&mut from), draw::text(&mut from)) {
            of_texts(&document, &query);
        }
        return;
    }
    let text = String::from_utf8_lossy(bytes);
    if text.len() <= LONGEST {
        let (document, query) = text.split_once("\n\n").unwrap_or((&text, &text));
        of_texts(document, query);
    }
}

fn of_texts(document: &str, query: &str) {
    for text in [document, query] {
        of_stripping(text);
        of_names(text);
        of_queries(text);
    }
    let mut used = Analyzer::new();
    for kind in [TextKind::Prose, TextKind::Identifier] {
        of_terms(document, kind, &mut used);
        of_terms(query, kind, &mut used);
    }
    of_finding(document, query);
}

fn of_stripping(text: &str) {
    if let Some(stripped) = strip_text(text) {
        assert!(stripped.len() < text.len());
        assert_eq!(strip_text(&stripped), None, "{stripped:?}");
    }
}

fn of_names(text: &str) {
    let key = name_key(text);
    assert_eq!(name_key(&key), key, "{text:?}");
    assert_eq!(name_key(&format!(" {text} ")), key, "{text:?}");
}

fn of_queries(text: &str) {
    let read = analyze_query(text);
    assert!(read.terms.len() <= MOST_TERMS && read.identifiers.len() <= MOST_IDENTIFIERS);
    for term in &read.terms {
        let word = read.word(term);
        assert!(!word.is_empty() && word.len() <= LONGEST_WORD, "{word:?}");
    }
    assert_eq!(analyze_query(text), read);
}

/// Terms are bounded by their text, and the same for an analyzer that has read other texts.
fn of_terms(text: &str, kind: TextKind, used: &mut Analyzer) {
    let terms = terms(text, kind, &mut Analyzer::new());
    assert!(
        terms.len() <= 4 * text.len() + 1,
        "{} of {}",
        terms.len(),
        text.len()
    );
    assert_eq!(self::terms(text, kind, used), terms);
    assert_eq!(self::terms(text, kind, used), terms);
}

fn terms(text: &str, kind: TextKind, analyzer: &mut Analyzer) -> Vec<u64> {
    let mut terms = Vec::new();
    analyzer.terms(text, kind, &mut |term| terms.push(term));
    terms
}

fn of_finding(document: &str, query: &str) {
    let witness = Witness::new(&json!({}));
    let item = json!({ "id": "qqq", "description": document });
    let answer = witness.ok("register", &json!({ "kind": "tool", "items": [item] }));
    assert_eq!(answer["added"], 1, "{answer}");
    let held = witness.ok("get", &json!({ "kind": "tool", "id": "qqq" }));
    let held = held["item"]["description"].as_str().expect("a description");
    assert!(!has_control_or_invisible(&held.replace(['\n', '\t', '\r'], "")) || strip_text(held).is_none());
    let found = witness.hits("tool", query);
    let kept: HashSet<u64> = terms(held, TextKind::Prose, &mut Analyzer::new())
        .into_iter()
        .collect();
    // A query is read by the same cutting; of one that is longer than any that is read whole, the rest does not count.
    let asked = terms(query, TextKind::Prose, &mut Analyzer::new());
    if query.len() <= READ_WHOLE && asked.iter().any(|term| kept.contains(term)) {
        assert_eq!(found["total"], 1, "{held:?} is not found by {query:?}");
    }
    assert!(found["total"].as_u64().is_some_and(|total| total <= 1));
}
