//! Requests in other languages than English, whose verbs are not those of the descriptions, in whole searches.

use super::kit::{Shelf, tool};
use super::status::Status;

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
