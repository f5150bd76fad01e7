//! Requests in other languages than English, whose verbs are not those of the descriptions, in whole searches.

use proptest::prelude::*;

use super::kit::{Shelf, Tool, tool};
use super::plan::Plan;
use super::status::Status;
use super::{Explainer, Query, Score, scan};
use crate::index::chunk::BLOCK;
use crate::text::{Analyzer, analyze_query};

#[test]
fn what_koreans_say_finds_what_is_written_and_not_its_neighbour() {
    let shelf = Shelf::of([
        tool("add_contact", "연락처를 등록한다"),
        tool("update_contact", "연락처의 내용을 변경한다"),
        tool("delete_contact", "연락처를 삭제한다"),
        tool("play_list", "재생목록을 재생한다"),
    ]);
    for (query, id) in [
        ("연락처 바꿔줘", "update_contact"),
        ("연락처 지워줘", "delete_contact"),
        ("연락처 넣어줘", "add_contact"),
        ("노래 틀어줘", "play_list"),
    ] {
        assert_eq!(shelf.ids(query)[..1], [id], "{query}");
    }
}

#[test]
fn a_verb_that_nobody_writes_down_finds_its_tool_in_other_languages() {
    for (query, description, other) in [
        ("找附近的餐厅", "搜索餐厅", "预订餐厅"),
        ("薬を探して", "薬を検索する", "薬を登録する"),
        (
            "borra la nota del proyecto",
            "Elimina una nota de un proyecto",
            "Muestra una nota de un proyecto",
        ),
        (
            "переименуй и удали заметку",
            "Стереть заметку и все её файлы",
            "Показать заметку и все её файлы",
        ),
    ] {
        let shelf = Shelf::of([tool("a_other", other), tool("b_right", description)]);
        assert_eq!(shelf.ids(query)[..1], ["b_right"], "{query}");
    }
}

#[test]
fn the_verb_itself_stands_before_what_asks_for_the_same() {
    let shelf = Shelf::of([
        tool("a", "메모를 검색한다"),
        tool("b", "메모를 찾는다"),
        tool("c", "메모를 삭제한다"),
    ]);
    assert_eq!(shelf.ids("메모 검색해줘"), ["a", "b", "c"]);
    assert_eq!(shelf.ids("메모 삭제해줘")[..1], ["c"]);
}

#[test]
fn english_requests_ask_for_nothing_of_the_kind() {
    let shelf = Shelf::of([
        tool("a", "Elimina una nota de un proyecto"),
        tool("b", "연락처를 삭제한다"),
    ]);
    assert_eq!(shelf.ids("delete the note"), [""; 0]);
    assert_eq!(shelf.search("delete the note", 5).status, Status::NoMatch);
}

#[test]
fn two_verbs_that_ask_for_the_same_are_judged_alike_in_any_order() {
    let shelf = Shelf::of([
        tool("a", "Elimina una nota de un proyecto"),
        tool("b", "La lista que borra las otras"),
        tool("c", "Muestra los proyectos"),
    ]);
    let judged = |query: &str| {
        let found = shelf.search(query, 9);
        (found.hits, found.evidence)
    };
    assert_eq!(judged("borra suprime nota"), judged("nota suprime borra"));
    assert_eq!(judged("quita suprime nota"), judged("nota suprime quita"));
}

#[test]
fn who_lists_all_that_can_be_asked_for_stays_behind_who_has_the_word() {
    let listed = "검색 조회 확인 찾 찾고 보여";
    let shelf = Shelf::of([
        tool("a_lists", listed),
        tool("b_has_it", "찾아 하늘 바람 구름 나무 바다"),
        tool("c_other", "아무 것도 아닌 다른 도구"),
    ]);
    assert_eq!(shelf.ids("찾아줘"), ["b_has_it", "a_lists"]);
    // Nor does it stand before the tool that what is asked for is about.
    let shelf = Shelf::of([
        tool("a_lists", listed),
        tool("b_about", "연락처를 조회한다"),
        tool("c_other", "사진을 조회한다"),
    ]);
    assert_eq!(shelf.ids("연락처 찾아줘")[..1], ["b_about"]);
}

fn parts(shelf: &Shelf, text: &str, slot: u32) -> Vec<(String, Score)> {
    let query = Query {
        text,
        ..Query::default()
    };
    let parts = Explainer::new(&shelf.index, &query).contributions(slot);
    parts.into_iter().map(|part| (part.word, part.score)).collect()
}

#[test]
fn of_all_that_asks_for_the_same_the_best_counts_in_a_document() {
    let shelf = Shelf::of([
        tool("a_all", "검색 조회 확인 사진"),
        tool("b_one", "검색 하나 둘 사진"),
        tool("c_itself", "찾아 하나 둘 사진"),
        tool("d_both", "찾아 검색 둘 사진"),
    ]);
    for slot in 0..4 {
        assert_eq!(parts(&shelf, "찾아줘", slot).len(), 1, "{slot}");
    }
    // Of texts as long, those that have more of them are worth no more.
    let score = |slot: u32| parts(&shelf, "찾아줘", slot)[0].1;
    assert_eq!(score(2), score(3));
    assert!(score(0) < score(2) && score(1) < score(2));
    // In alphabets it is what begins like the others.
    let shelf = Shelf::of([
        tool("a", "Elimina, suprime o quita la nota del proyecto"),
        tool("b", "Una nota que tiene la hora del proyecto"),
    ]);
    assert_eq!(parts(&shelf, "borra", 0).len(), 1);
}

/// Documents of words that ask for the same and others, by slot: some in a second block and a third.
fn shelf_of(documents: &[(u32, Vec<usize>)]) -> Shelf {
    let words = [
        "찾아",
        "검색",
        "조회",
        "확인",
        "삭제",
        "지워",
        "사진",
        "연락처",
        "搜索",
        "查询",
        "找",
    ];
    let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
    for (slot, picked) in documents {
        let said: Vec<&str> = picked.iter().map(|word| words[*word]).collect();
        let slot = slot % 40 + slot % 3 * BLOCK;
        let tool: Tool = tool(&format!("tool_{slot}"), &said.join(" "));
        shelf.put(slot, tool, &mut analyzer);
    }
    shelf
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn sums_hits_and_accounts_agree_on_what_counts(
        documents in prop::collection::vec((0u32..600, prop::collection::vec(0usize..11, 0..9)), 1..60),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        text in prop::sample::select(vec!["사진 찾아줘", "찾아 지워 검색", "找照片", "搜索 查询", "연락처 삭제해줘 확인"]),
    ) {
        let mut shelf = shelf_of(&documents);
        for one in gone {
            let (slot, _) = documents[one.index(documents.len())];
            shelf.take(slot % 40 + slot % 3 * BLOCK);
        }
        let plan = Plan::new(&shelf.index, &analyze_query(text));
        let sums = scan::sums(&shelf.index, &plan);
        let found = shelf.search(text, 1_000);
        prop_assert_eq!(found.total, sums.iter().filter(|sum| **sum > 0).count());
        for slot in documents.iter().map(|(slot, _)| slot % 40 + slot % 3 * BLOCK) {
            let sum = sums.get(slot as usize).copied().unwrap_or(0);
            prop_assert_eq!(plan.sum(slot), sum);
            let parts = parts(&shelf, text, slot);
            let whole: u32 = parts.iter().map(|(_, score)| score.0).sum();
            prop_assert_eq!(whole, sum.unsigned_abs());
            // The words of these queries are asked for once, so each counts once.
            let mut words: Vec<&str> = parts.iter().map(|(word, _)| word.as_str()).collect();
            words.dedup();
            prop_assert_eq!(words.len(), parts.len());
        }
        for hit in &found.hits {
            prop_assert_eq!(hit.score.0, sums[hit.slot as usize].unsigned_abs());
        }
    }
}
