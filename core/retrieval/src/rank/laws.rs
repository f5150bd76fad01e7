//! Laws of the ranking, for any catalog and any query.

use proptest::prelude::*;

use super::kit::{Shelf, Tool, tool};
use super::{Query, search};
use crate::index::{Bitmap, Hint};
use crate::text::Analyzer;

const WORDS: [&str; 20] = [
    "create",
    "list",
    "issue",
    "issues",
    "pod",
    "file",
    "read",
    "delete",
    "email",
    "github",
    "日本",
    "法令",
    "café",
    "S3",
    "the",
    "x",
    "und",
    "der",
    "Konto",
    "Kontostand",
];
const QUERIES: [&str; 10] = [
    "create issue",
    "list_pods",
    "read the file",
    "delete email github",
    "日本の法令",
    "café S3",
    "x",
    "createIssue",
    "lst isue fiel",
    "Konten und Girokonto",
];

/// Words that ask for the same, begin alike or stand in one another, of several languages.
const KIN: [&str; 20] = [
    "borra",
    "borrar",
    "borrador",
    "elimina",
    "suprime",
    "quita",
    "nota",
    "la",
    "lösche",
    "löschen",
    "entferne",
    "der",
    "und",
    "삭제",
    "지워줘",
    "修改",
    "改",
    "更改",
    "削除",
    "消して",
];

fn any_tool() -> impl Strategy<Value = Tool> {
    let words = |most| proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..most);
    (words(4), words(12), words(5), 0usize..4, 0usize..3).prop_map(
        |(name, description, parameters, server, hint)| {
            let mut made = tool(&name.join("_"), &description.join(" "));
            made.parameters = parameters.join(" ");
            made.server = ["", "github", "files", "s3"][server].to_owned();
            made.hint = [Hint::ReadOnly, Hint::Neutral, Hint::Destructive][hint];
            made
        },
    )
}

/// Ids, scores and everything else a caller sees, without slots.
fn answers(shelf: &Shelf) -> Vec<(String, String)> {
    QUERIES
        .iter()
        .map(|query| {
            let ranking = shelf.search(query, 1_000);
            let hits: Vec<_> = ranking
                .hits
                .iter()
                .map(|hit| (shelf.id(hit.slot), hit.score, hit.named))
                .collect();
            let nearest: Vec<_> = ranking.nearest.iter().map(|slot| shelf.id(*slot)).collect();
            let suggested: Vec<_> = super::suggest(&shelf.index, query, 5, None)
                .into_iter()
                .map(|slot| shelf.id(slot).to_owned())
                .collect();
            (
                (*query).to_owned(),
                format!(
                    "{hits:?} {:?} {} {nearest:?} {suggested:?}",
                    ranking.status, ranking.total
                ),
            )
        })
        .collect()
}

#[derive(Debug, Clone)]
enum Step {
    Put(u32, Tool),
    Take(u32),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0u32..40, any_tool()).prop_map(|(slot, tool)| Step::Put(slot, tool)),
        1 => (0u32..40).prop_map(Step::Take),
    ]
}

/// A catalog has an id once; here the slot makes it so.
fn apply(shelf: &mut Shelf, step: &Step, analyzer: &mut Analyzer) {
    match step {
        Step::Put(slot, tool) => {
            let mut tool = tool.clone();
            tool.id = format!("{}_{slot}", tool.id);
            shelf.put(*slot, tool, analyzer);
        }
        Step::Take(slot) => shelf.take(*slot),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_sequence_of_changes_equals_a_fresh_build_in_any_order_of_slots(
        // Words that more than sixteen documents have lie otherwise than others, and their changes wait.
        steps in proptest::collection::vec(any_step(), 0..200), rotate in 0usize..12, far in prop_oneof![Just(0u32), Just(4_090), Just(200_000)],
    ) {
        let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
        steps.iter().for_each(|step| apply(&mut shelf, step, &mut analyzer));
        let mut left: Vec<Tool> = shelf.tools.iter().flatten().cloned().collect();
        let count = left.len().max(1);
        left.rotate_left(rotate % count);
        let mut fresh = Shelf::default();
        left.into_iter().zip(far..).for_each(|(tool, slot)| fresh.put(slot, tool, &mut Analyzer::default()));
        prop_assert_eq!(answers(&shelf), answers(&fresh));
    }

    #[test]
    fn removing_undoes_inserting_and_a_clone_never_changes(
        steps in proptest::collection::vec(any_step(), 0..60), more in proptest::collection::vec(any_tool(), 1..6),
    ) {
        let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
        steps.iter().for_each(|step| apply(&mut shelf, step, &mut analyzer));
        let published = shelf.clone();
        let before = answers(&shelf);
        for (tool, slot) in more.iter().zip(40..) { apply(&mut shelf, &Step::Put(slot, tool.clone()), &mut analyzer); }
        prop_assert_eq!(&answers(&published), &before);
        for (_, slot) in more.iter().zip(40..) { shelf.take(slot); }
        prop_assert_eq!(answers(&shelf), before);
    }

    #[test]
    fn a_larger_page_extends_a_smaller_one_and_pages_have_no_gaps(
        tools in proptest::collection::vec(any_tool(), 0..60), page in 1usize..7,
    ) {
        let shelf = Shelf::of(tools.into_iter().enumerate().map(|(at, tool)| Tool { id: format!("{}{at}", tool.id), ..tool }));
        for text in QUERIES {
            let all = shelf.search(text, 1_000);
            prop_assert_eq!(all.total, all.hits.len());
            let mut paged = Vec::new();
            for offset in (0..all.total + page).step_by(page) {
                let part = search(&shelf.index, &Query { text, limit: page, offset, ..Query::default() });
                prop_assert_eq!(part.total, all.total);
                prop_assert_eq!(part.status, all.status);
                paged.extend(part.hits);
            }
            prop_assert_eq!(&paged, &all.hits);
            prop_assert_eq!(&shelf.search(text, page).hits[..], &all.hits[..page.min(all.total)]);
            let diverse = search(&shelf.index, &Query { text, limit: 1_000, diversify: true, ..Query::default() });
            let sorted = |hits: &[super::Hit]| { let mut slots: Vec<u32> = hits.iter().map(|hit| hit.slot).collect(); slots.sort_unstable(); slots };
            prop_assert_eq!(sorted(&diverse.hits), sorted(&all.hits));
        }
    }

    #[test]
    fn what_is_hidden_leaves_the_rest_in_order_and_a_least_score_cuts_the_end(
        tools in proptest::collection::vec(any_tool(), 0..60), hidden in any::<u64>(), cut in 0usize..10,
    ) {
        let shelf = Shelf::of(tools.into_iter().enumerate().map(|(at, tool)| Tool { id: format!("{}{at}", tool.id), ..tool }));
        let visible: Bitmap = (0..60).filter(|slot| hidden >> slot & 1 == 0).collect();
        for text in QUERIES {
            let all = shelf.search(text, 1_000).hits;
            let seen = search(&shelf.index, &Query { text, limit: 1_000, visible: Some(&visible), ..Query::default() });
            let expected: Vec<_> = all.iter().copied().filter(|hit| visible.contains(hit.slot)).collect();
            prop_assert_eq!(seen.total, expected.len());
            prop_assert_eq!(seen.hits, expected);
            if let Some(at) = all.get(cut) {
                let least = at.score.to_f64();
                let few = search(&shelf.index, &Query { text, limit: 1_000, min_score: Some(least), ..Query::default() });
                let expected: Vec<_> = all.iter().copied().filter(|hit| hit.named || hit.score >= at.score).collect();
                prop_assert_eq!(few.total, expected.len());
                prop_assert_eq!(few.hits, expected);
            }
        }
    }

    #[test]
    fn the_order_of_words_changes_neither_hits_nor_how_sure_they_are(
        texts in proptest::collection::vec(proptest::collection::vec(proptest::sample::select(&KIN[..]), 0..6), 1..9),
        asked in proptest::collection::vec(proptest::sample::select(&KIN[..]), 2..5),
    ) {
        let shelf = Shelf::of(texts.iter().enumerate().map(|(at, words)| tool(&format!("t{at}"), &words.join(" "))));
        let judged = |words: &[&str]| {
            let found = shelf.search(&words.join(" "), 20);
            (found.hits, found.evidence)
        };
        let reversed: Vec<_> = asked.iter().rev().copied().collect();
        let mut sorted = asked.clone();
        sorted.sort_unstable();
        prop_assert_eq!(judged(&asked), judged(&reversed));
        prop_assert_eq!(judged(&asked), judged(&sorted));
    }

    #[test]
    fn nothing_a_caller_writes_breaks_a_search(text in "\\PC{0,200}", id in "\\PC{0,30}", score in any::<f64>(), offset in any::<usize>(), limit in any::<usize>()) {
        let shelf = Shelf::of([tool(&id, &text), tool("other", "words")]);
        let query = Query { text: &text, limit, offset, min_score: Some(score), visible: None, diversify: true, ..Query::default() };
        let ranking = search(&shelf.index, &query);
        prop_assert!(ranking.hits.len() <= 2);
        prop_assert!(super::suggest(&shelf.index, &text, limit, None).len() <= 2);
    }
}
