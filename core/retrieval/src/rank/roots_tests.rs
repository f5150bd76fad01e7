//! What single ideographs and pairs do to a ranking, on small catalogs.

use super::kit::{Shelf, tool};
use super::{Status, Thresholds};

fn status(shelf: &Shelf, query: &str) -> Status {
    Status::of(shelf.search(query, 9).evidence, Thresholds::default())
}

#[test]
fn a_root_finds_another_word_that_has_it_and_the_word_itself_comes_first() {
    let shelf = Shelf::of([
        tool("a_sleep_report", "获取睡眠时长的分析报告"),
        tool("b_alarm", "响铃，叫醒沉睡的人"),
        tool("c_mail", "发送电子邮件"),
    ]);
    assert_eq!(shelf.ids("睡得好吗").len(), 2);
    assert_eq!(shelf.ids("睡眠"), ["a_sleep_report", "b_alarm"]);
    assert_eq!(shelf.ids("沉睡"), ["b_alarm", "a_sleep_report"]);
}

#[test]
fn every_form_of_a_verb_gives_the_same_ranking() {
    let shelf = Shelf::of([
        tool("a_house", "条件に合う部屋を探します"),
        tool("b_mail", "メールを送ります"),
    ]);
    let scores = |query: &str| {
        let ranking = shelf.search(query, 9);
        let scores: Vec<_> = ranking.hits.iter().map(|hit| (hit.slot, hit.score)).collect();
        scores
    };
    for form in ["探して", "探したい", "探せますか", "探す"] {
        assert_eq!(scores(form), scores("探"), "{form}");
        assert_eq!(scores(form).len(), 1);
    }
}

#[test]
fn a_word_of_hiragana_with_a_long_vowel_is_found() {
    let shelf = Shelf::of([
        tool("a_noodles", "らーめんのお店を検索します"),
        tool("b_mail", "メールを送ります"),
    ]);
    assert_eq!(shelf.ids("らーめん"), ["a_noodles"]);
    assert_eq!(shelf.ids("メール"), ["b_mail"]);
}

#[test]
fn the_parts_of_one_word_do_not_vouch_for_each_other() {
    // One word is everywhere in this catalog, and so are both of its roots.
    let shelf = Shelf::of((0..90).map(|n| {
        let thing = if n == 7 { "地図" } else { "データ" };
        tool(&format!("tool_{n}"), &format!("{thing}を検索します"))
    }));
    assert_eq!(status(&shelf, "検索"), Status::Weak);
    assert_eq!(status(&shelf, "地図を検索"), Status::Ok);
}

#[test]
fn roots_make_a_text_no_longer() {
    // Eleven pairs either way: what a Latin word is worth in a text says how long it is.
    let shelf = Shelf::of([
        tool(
            "a",
            "webhook 查询 查询 查询 查询 查询 查询 查询 查询 查询 查询 查询",
        ),
        tool(
            "b",
            "webhook りん りん りん りん りん りん りん りん りん りん りん",
        ),
    ]);
    let ranking = shelf.search("webhook", 9);
    let [first, second] = &ranking.hits[..] else {
        panic!("two tools have the word");
    };
    assert_eq!(first.score, second.score);
}

#[test]
fn of_a_long_query_the_end_counts_as_well() {
    // More pairs than a query has room for beside as many roots.
    let query: String = (0..90).filter_map(|n| char::from_u32(0x5000 + n * 7)).collect();
    let shelf = Shelf::of([tool("a", "睡眠"), tool("b", "邮件")]);
    assert_eq!(shelf.ids(&format!("{query}睡眠")), ["a"]);
}
