//! What becomes a term and what does not, in every kind of text.

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;
use crate::text::stem::Stemmers;

fn terms_of(text: &str, kind: TextKind) -> Vec<String> {
    let (mut all, mut seen, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let mut stemmers = Stemmers::new();
    let mut analyzer = Analyzer::new();
    analyzer.each_word(text, kind, &mut |word, is_word, number| {
        again.push((word.to_owned(), is_word, number));
    });
    analyzer.shaped_words(text, kind, &mut |word, is_word, number| {
        seen.push((word.to_owned(), is_word, number));
        let stem = stemmers.stem(word).into_owned();
        assert_eq!(number, hash(&stem), "{word}");
        all.push(stem);
    });
    assert_eq!(seen, again, "both ways to read a text agree");
    all
}

fn prose(text: &str) -> Vec<String> {
    terms_of(text, TextKind::Prose)
}

#[test]
fn identifiers_are_cut_before_they_are_lower_cased_and_kept_whole() {
    // P02.
    for (text, expected) in [
        ("createIssue", &["creat", "issu", "createissu"] as &[&str]),
        ("CreateIssue", &["creat", "issu", "createissu"]),
        ("create_issue", &["creat", "issu", "createissu"]),
        ("create-issue", &["creat", "issu", "createissu"]),
        ("create.issue", &["creat", "issu", "createissu"]),
        ("create/issue", &["creat", "issu", "createissu"]),
        ("create::issue", &["creat", "issu", "createissu"]),
        ("CREATE_ISSUE", &["creat", "issu", "createissu"]),
        ("HTTPServer", &["http", "server", "httpserver"]),
        ("parseURLs", &["pars", "url", "parseurl"]),
        (
            "canvas_create_edge",
            &["canva", "creat", "edg", "canvascreateedg"],
        ),
        (
            "addPerson_mcp_pipedrive",
            &["add", "person", "mcp", "pipedr", "addpersonmcppipedr"],
        ),
        (
            "github__create_issue",
            &["github", "creat", "issu", "githubcreateissu"],
        ),
        ("sha256", &["sha", "256", "sha256"]),
        ("s3", &["s3"]),
        ("getEC2Instance", &["get", "ec2", "instanc", "getec2inst"]),
        ("K8sCluster", &["k8s", "cluster", "k8scluster"]),
        ("OAuth", &["auth", "oauth"]),
        ("GrößeÄndern", &["gross", "andern", "grosseandern"]),
    ] {
        assert_eq!(prose(text), expected, "{text}");
    }
}

#[test]
fn a_name_of_words_is_also_kept_whole_but_prose_is_not() {
    assert_eq!(
        terms_of("Create issue", TextKind::Identifier),
        ["creat", "issu", "createissu"]
    );
    assert_eq!(prose("Create issue"), ["creat", "issu"]);
    assert_eq!(terms_of("search", TextKind::Identifier), ["search"]);
}

#[test]
fn one_term_stands_for_every_spelling_of_a_compound() {
    for text in ["readonly", "read-only", "readOnly", "read_only", "READ_ONLY"] {
        assert!(
            prose(text).contains(&"readon".to_owned()),
            "{text}: {:?}",
            prose(text)
        );
    }
}

#[test]
fn function_words_and_politeness_are_no_terms() {
    let text = "Could you please help me? I need to use the file, and I'd like it in a list. Don't, we'll see what's up.";
    assert_eq!(prose(text), ["file", "list", "see"]);
    assert_eq!(prose("e.g. i.e. etc."), [""; 0]);
    assert_eq!(
        prose("add a comment"),
        ["add", "comment"],
        "a word of content in English is none elsewhere"
    );
    assert_eq!(prose("Ich möchte bitte eine Datei für mich"), ["datei"]);
    assert_eq!(prose("пожалуйста, помоги мне с задачей"), prose("задачей"));
}

#[test]
fn two_characters_are_enough_for_a_term() {
    // P11.
    assert_eq!(
        prose("CI S3 PR v2 DB ci db"),
        ["ci", "s3", "pr", "v2", "db", "ci", "db"]
    );
    assert_eq!(prose("БД"), ["бд"]);
}

#[test]
fn capitals_save_an_acronym_but_not_in_a_text_of_capitals() {
    assert_eq!(
        prose("Open an IT ticket in the US"),
        ["open", "it", "ticket", "us"]
    );
    assert_eq!(prose("tell us about it"), ["tell"]);
    assert_eq!(prose("PLEASE FIX IT NOW"), ["fix"]);
    assert_eq!(prose("IT"), ["it"]);
    assert_eq!(prose("US states"), ["us", "state"]);
    assert_eq!(prose("MIT license in DE"), ["mit", "licens", "de"]);
    assert_eq!(prose("this AND that OR NOT"), [""; 0]);
}

#[test]
fn single_letters_are_terms_only_as_names() {
    assert_eq!(
        prose("Run an R script, compile C and C++, c# too"),
        ["run", "r", "script", "compil", "c", "c", "c"]
    );
    assert_eq!(prose("I am a user's A x 7 USER'S"), ["user", "user"]);
}

#[test]
fn text_without_spaces_becomes_pairs() {
    // P03.
    let document = prose("日本の法令を検索します");
    for pair in ["法令", "検索"] {
        assert!(document.contains(&pair.to_owned()));
    }
    assert!(prose("法令を調べて").iter().any(|term| document.contains(term)));
    assert_eq!(
        prose("法令を検索します"),
        ["法", "法令", "令", "検", "検索", "索"],
        "grammar is no term"
    );
    assert_eq!(prose("雨"), ["雨"]);
    assert_eq!(prose("이슈를 생성해주세요"), ["이슈", "생성"]);
    assert_eq!(prose("API를 호출"), ["api", "호출"]);
    assert_eq!(prose("일(task)을 \"BTC\"로"), ["일", "task", "btc"]);
    assert_eq!(prose("次のfoo_barを"), ["foo", "bar", "foobar"]);
    assert_eq!(prose("이슈_생성"), ["이슈", "생성", "이슈생성"]);
    assert_eq!(prose("ｶﾞｲﾄﾞ"), ["ガイ", "イド"]);
    assert!(!prose("ค้นหาไฟล์").is_empty());
}

#[test]
fn korean_written_apart_and_together_shares_a_term() {
    let together = prose("할일목록");
    for apart in ["할 일을 저장", "할\n일", "새로운 할 일"] {
        assert!(prose(apart).iter().any(|term| together.contains(term)), "{apart}");
    }
    for parted in ["할, 일", "할 API 일", "할 — 일", "(할) 일"] {
        assert!(
            !prose(parted).iter().any(|term| together.contains(term)),
            "{parted}"
        );
    }
}

#[test]
fn cyrillic_gives_terms_and_finds_its_forms() {
    // P04.
    assert_eq!(prose("кассовый разрыв 2026").len(), 3);
    assert_eq!(prose("кассового отчета"), prose("кассовый отчет"));
    assert_eq!(prose("Ёлка"), prose("елка"));
}

#[test]
fn compatibility_forms_accents_and_invisible_characters_make_no_difference() {
    assert_eq!(prose("Ｃｒｅａｔｅ Ｉｓｓｕｅ"), prose("create issue"));
    assert_eq!(prose("cre\u{200B}ate is\u{AD}sue"), prose("create issue"));
    assert_eq!(prose("créer"), prose("cre\u{301}er"));
    assert_eq!(prose("l’utilisateur d'une réunion"), prose("utilisateur reunion"));
    assert_eq!(prose("paral·lel"), prose("parallel"));
    assert_eq!(prose("הַקוֹבֶץ"), prose("הקובץ"));
    assert_eq!(prose("फ़ाइल हिन्दी").len(), 2);
}

#[test]
fn the_path_for_ascii_and_the_one_for_everything_else_agree() {
    for text in [
        "foo.bar_baz",
        "user's",
        "C++",
        "R script",
        "https://x.io/a-b?c=d",
        "3.14 2026-11-29",
        "getHTTPUrl2x",
    ] {
        let mut other = prose(&format!("—{text}—"));
        assert_eq!(other, prose(text), "{text}");
        other = prose(&format!("é {text}"));
        assert_eq!(other, prose(text), "{text}");
    }
}

#[test]
fn encoded_data_is_cut() {
    let terms = prose(&"a".repeat(100_000));
    assert_eq!((terms.len(), terms[0].len() <= 64), (1, true));
    assert!(prose(&"Ab".repeat(50_000)).iter().all(|term| term.len() <= 64));
}

/// Text rich in what the rules look at.
pub(in crate::text) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-z]{1,8}",
        2 => "[A-Za-z0-9_./:'-]{1,12}",
        1 => prop::sample::select(vec![
            "IT", "US", "OR", "the", "please", "C++", "c#", "I'd", "日本の法令", "이슈를", "할", "일을", "(돈)은", "ｶﾞ", "Größe", "ΟΔΟΣ", "разрыва",
            "ค้นหา", "می\u{200C}خواهم", "👩\u{200D}🚀", "e\u{301}", "\u{200B}", "`x y`", "\"q\"", "‘a’", "ﷺ", "½", "İ", "ẞ",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(
        (piece, prop::sample::select(vec![" ", "", ", ", "\n", "—"])),
        0..12,
    )
    .prop_map(|pieces| pieces.into_iter().map(|(piece, space)| piece + space).collect())
}

proptest! {
    #[test]
    fn any_text_gives_terms_that_are_short_and_not_empty(text in text()) {
        for kind in [TextKind::Prose, TextKind::Identifier] {
            for term in terms_of(&text, kind) {
                prop_assert!(!term.is_empty() && term.len() <= 80, "{:?}", term);
            }
        }
    }

    #[test]
    fn a_memo_never_changes_the_terms(texts in prop::collection::vec(text(), 1..4)) {
        let mut analyzer = Analyzer::new();
        for text in texts.iter().chain(&texts) {
            let mut all = Vec::new();
            analyzer.terms(text, TextKind::Prose, &mut |term| all.push(term));
            let expected: Vec<u64> = prose(text).iter().map(|term| hash(term)).collect();
            prop_assert_eq!(all, expected);
        }
    }

    #[test]
    fn the_terms_of_a_text_as_prose_are_terms_of_it_as_a_name(text in text()) {
        let name = terms_of(&text, TextKind::Identifier);
        for term in prose(&text) {
            prop_assert!(name.contains(&term), "{:?} {:?}", term, name);
        }
    }

    #[test]
    fn composed_and_decomposed_text_give_the_same_terms(text in text()) {
        let composed: String = text.nfc().collect();
        let decomposed: String = text.nfd().collect();
        prop_assert_eq!(prose(&composed), prose(&decomposed));
    }

    #[test]
    fn every_spelling_of_a_compound_shares_the_whole_term(words in prop::collection::vec("[a-z]{3,7}", 2..4)) {
        let whole = prose(&words.concat()).pop();
        let camel: String = words.iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        for text in [words.join("_"), words.join("-"), words.join("."), words.join("/"), camel] {
            prop_assert_eq!(prose(&text).pop(), whole.clone(), "{}", text);
        }
    }
}
