//! What is read from a query: terms, counts, candidates for names, bounds.

use proptest::prelude::*;

use super::*;
use crate::text::analyze::tests::text;
use crate::text::{Analyzer, TextKind};

fn terms(query: &str) -> Vec<String> {
    analyze_query(query)
        .terms
        .into_iter()
        .map(|term| term.term)
        .collect()
}

#[test]
fn terms_are_distinct_in_order_and_counted() {
    let read = analyze_query("Find issues, then find the issue");
    let expected = [("find", "find", 2), ("issu", "issues", 2)];
    let expected = expected.map(|(term, surface, count)| QueryTerm {
        term: term.into(),
        surface: surface.into(),
        count,
    });
    assert_eq!(read.terms, expected);
    assert_eq!(read.stop_words, 2);
}

#[test]
fn a_query_of_stop_words_has_no_terms() {
    let read = analyze_query("Could you please help me with this?");
    assert_eq!((read.terms.len(), read.stop_words), (0, 7));
    for query in ["", " ", "?!", "🚀", "\0", "\u{200B}"] {
        assert_eq!(analyze_query(query), QueryText::default(), "{query:?}");
    }
}

#[test]
fn the_whole_query_is_a_candidate_in_any_spelling() {
    for query in [
        "create_issue",
        "createIssue",
        " Create issue ",
        "CREATE-ISSUE",
        "«create issue»",
    ] {
        assert_eq!(analyze_query(query).whole, "createissue", "{query}");
    }
}

#[test]
fn identifiers_are_found_by_separator_hump_or_quotes() {
    for (query, expected) in [
        ("run create_issue now", &["createissue"] as &[&str]),
        ("run createIssue.", &["createissue"]),
        ("run `search`, then \"find it\"", &["search", "findit"]),
        (
            "run 'now' and “list pods” and 「検索」",
            &["now", "listpods", "検索"],
        ),
        ("call github__create_issue(args)", &["githubcreateissue"]),
        (
            "create_issue/close_issue",
            &["createissueissueclose", "createissue", "closeissue"],
        ),
        ("github/create_issue", &["githubcreateissue"]),
        ("使って`foo`を", &["foo"]),
        ("it's the user's tool, don't", &[]),
        ("'don't stop' it", &["dontstop"]),
        ("a 5\" screen and `open", &[]),
        ("find a plain word in Berlin S3 sha256 URLs", &[]),
        ("`` ``` ''", &[]),
    ] {
        let expected: Vec<String> = expected
            .iter()
            .map(|name| name.replace("issueissueclose", "issuecloseissue"))
            .collect();
        assert_eq!(analyze_query(query).identifiers, expected, "{query}");
    }
}

#[test]
fn a_query_is_read_within_bounds() {
    let words: Vec<String> = (0..5_000).map(|number| format!("word_{number:04}x")).collect();
    let read = analyze_query(&words.join(" "));
    assert_eq!(
        (read.terms.len(), read.identifiers.len(), read.whole.as_str()),
        (256, 64, "")
    );
    // The word that the bound falls into is not read in half.
    let long = "ab ".repeat(16 * 1024 / 3) + "abcdefgh";
    assert_eq!(terms(&long), ["ab"]);
    assert!(!terms(&"é".repeat(100_000)).is_empty());
    let marks = "“".repeat(10_000) + &"`".repeat(9_999) + &"'".repeat(9_999);
    assert!(analyze_query(&marks).identifiers.is_empty());
}

#[test]
fn a_count_does_not_depend_on_the_form_of_the_word() {
    assert_eq!(
        analyze_query("deploy deploys deployed DEPLOYING").terms[0].count,
        4
    );
}

proptest! {
    #[test]
    fn the_terms_of_a_query_are_terms_of_a_document_with_the_same_text(text in text()) {
        let mut document = Vec::new();
        Analyzer::new().terms(&text, TextKind::Prose, &mut |term| document.push(term.to_owned()));
        let query = analyze_query(&text);
        for term in &query.terms {
            let count = document.iter().filter(|other| **other == term.term).count();
            prop_assert_eq!(count, term.count as usize, "{:?} {:?}", term, document);
        }
        prop_assert!(query.terms.len() == 256 || document.iter().all(|term| query.terms.iter().any(|t| t.term == *term)));
    }

    #[test]
    fn any_query_is_read_within_bounds(query in any::<String>()) {
        let read = analyze_query(&query);
        prop_assert!(read.terms.len() <= 256 && read.identifiers.len() <= 64);
        prop_assert_eq!(read.whole, name_key(&query));
        for name in &read.identifiers {
            prop_assert_eq!(&name_key(name), name);
        }
    }
}
