//! What is read from a query: terms, counts, candidates for names, bounds.

use proptest::prelude::*;

use super::*;
use crate::text::analyze::tests::text;
use crate::text::hash::hash;
use crate::text::stem::Stemmers;
use crate::text::{Analyzer, TextKind};

fn terms(query: &str) -> Vec<String> {
    let read = analyze_query(query);
    let mut stemmers = Stemmers::new();
    let stem = |term: &QueryTerm| stemmers.stem(read.word(term)).into_owned();
    read.terms.iter().map(stem).collect()
}

#[test]
fn terms_are_distinct_and_in_order_and_keep_their_words() {
    let read = analyze_query("Find issues, then find the issue");
    let words: Vec<&str> = read.terms.iter().map(|term| read.word(term)).collect();
    assert_eq!(words, ["find", "issues"]);
    assert_eq!(
        read.terms.iter().map(|term| term.number).collect::<Vec<_>>(),
        ["find", "issu"].map(hash)
    );
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
        assert_eq!(analyze_query(query).whole(), "createissue", "{query}");
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
        let read = analyze_query(query);
        let parts = read.parts.into_iter().map(|(_, part)| part);
        let found: Vec<String> = read.identifiers.into_iter().chain(parts).collect();
        assert_eq!(found, expected, "{query}");
    }
}

#[test]
fn a_query_is_read_within_bounds() {
    let words: Vec<String> = (0..5_000).map(|number| format!("word_{number:04}x")).collect();
    let read = analyze_query(&words.join(" "));
    assert_eq!(
        (read.terms.len(), read.identifiers.len(), read.whole()),
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
fn forms_of_a_word_are_one_term() {
    assert_eq!(terms("deploy deploys deployed DEPLOYING"), ["deploy"]);
}

#[test]
fn what_stands_alone_and_inside_of_a_word_is_a_word_in_any_order() {
    let parts = |query: &str| {
        let mut parts: Vec<_> = analyze_query(query)
            .terms
            .iter()
            .map(|term| (term.number, term.part.share()))
            .collect();
        parts.sort_unstable();
        parts
    };
    assert_eq!(parts("修改 改"), parts("改 修改"));
    assert_ne!(parts("修改 改"), parts("修改"));
}

#[test]
fn capitals_save_a_stop_word_between_other_words() {
    assert_eq!(
        terms("open tickets in IT for the US"),
        ["open", "ticket", "it", "us"]
    );
    assert_eq!(terms("OPEN TICKETS IN IT"), ["open", "ticket"]);
}

proptest! {
    #[test]
    fn the_terms_of_a_query_are_terms_of_a_document_with_the_same_text(text in text()) {
        let mut document = Vec::new();
        Analyzer::new().terms(&text, TextKind::Prose, &mut |term| document.push(term));
        let query: Vec<u64> = analyze_query(&text).terms.iter().map(|term| term.number).collect();
        for term in &query {
            prop_assert!(document.contains(term), "{:?} {:?}", term, document);
        }
        prop_assert!(query.len() == 256 || document.iter().all(|term| query.contains(term)));
    }

    #[test]
    fn a_reader_that_has_read_other_queries_reads_as_a_new_one(queries in proptest::collection::vec(text(), 1..6)) {
        let (mut reader, mut read) = (Reader::default(), QueryText::default());
        for query in queries.iter().chain(&queries) {
            reader.read(query, &mut read);
            prop_assert_eq!(&read, &analyze_query(query));
        }
    }

    #[test]
    fn any_query_is_read_within_bounds(query in any::<String>()) {
        let read = analyze_query(&query);
        prop_assert!(read.terms.len() <= 256 && read.identifiers.len() <= 64);
        prop_assert_eq!(read.whole(), name_key(&query));
        for name in &read.identifiers {
            prop_assert_eq!(&name_key(name), name);
        }
    }
}

#[test]
fn the_words_of_values_are_told_from_those_that_say_what_is_wanted() {
    for (query, expected) in [
        (
            "remind me of 'the dentist' on March 3",
            &["dentist", "march"] as &[&str],
        ),
        (
            "send ann@example.org the report.pdf",
            &["ann", "example", "org", "report", "pdf"],
        ),
        (
            "weather of Rome on 2024-05-01, tomorrow",
            &["2024", "05", "01", "tomorrow"],
        ),
        ("convert 500유로 to dollars", &["500", "유로"]),
        ("call the dentist `dentist`", &[]),
        ("\u{201c}only this\u{201d}", &[]),
        ("2024-05-01", &[]),
        ("", &[]),
    ] {
        let mut stemmers = Stemmers::new();
        let expected: Vec<u64> = expected.iter().map(|word| hash(&stemmers.stem(word))).collect();
        let values = Reader::default().values(query);
        for term in &expected {
            assert!(values.contains(term), "{query}: {values:?}");
        }
        // Those of several parts are also kept written together.
        let parts = analyze_query(query).terms.len();
        assert!(values.len() >= expected.len() && values.len() <= parts, "{query}");
        assert_eq!(values.is_empty(), expected.is_empty(), "{query}");
    }
}

#[test]
fn the_language_of_a_query_does_not_depend_on_what_was_read_before() {
    let english = "Größe of the files";
    let (mut reader, mut read) = (super::Reader::default(), QueryText::default());
    reader.read(english, &mut read);
    assert!(read.is_english());
    for before in ["Über größere Änderungen", "Öffnet die Übersicht"] {
        reader.side_by_side(before);
        reader.values(before);
        reader.read(english, &mut read);
        assert!(read.is_english());
        reader.read(before, &mut read);
        assert!(!read.is_english());
        reader.read(english, &mut read);
        assert!(read.is_english());
    }
}
