//! Words and meaning together: what each arm alone would answer when the other has nothing to say, for any catalog.

use std::sync::Arc;

use proptest::prelude::*;

use super::kit::{Shelf, Tool, tool};
use super::{Explainer, Formula, Method, Query, Ranking, Status, search};
use crate::index::{Bitmap, Model, Probe};
use crate::text::{Analyzer, Scripts};

/// Directions of meaning, each with the words that have it.
const MEANINGS: [&[&str]; 4] = [
    &["delete", "erase", "remove", "удалить"],
    &["create", "make", "new"],
    &["weather", "rain", "forecast"],
    &["flow", "workflow", "pipeline"],
];

/// A toy of an embedder: how many words a text has of each direction, and a little of everything.
fn embed(text: &str) -> Vec<f32> {
    let text = text.to_lowercase();
    let mut vector: Vec<f32> = MEANINGS
        .iter()
        .map(|words| words.iter().filter(|word| text.contains(**word)).count() as f32)
        .collect();
    vector.push(0.1 + text.len() as f32 / 1_000.0);
    vector
}

fn model() -> Arc<Model> {
    Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 5,
        scripts: Some(Scripts::named(&["Latn".to_owned()]).unwrap()),
        is_english: false,
    })
}

/// Tools with texts, of which the first so many have vectors.
fn shelf(tools: &[Tool], embedded: usize) -> Shelf {
    let (mut shelf, mut analyzer) = (Shelf::default(), Analyzer::default());
    let model = model();
    shelf.index.expect_vectors_of(&model);
    for (slot, tool) in (0..).zip(tools) {
        shelf.put(slot, tool.clone(), &mut analyzer);
        shelf.index.embed(slot, &|| text_of(tool), &mut analyzer);
    }
    for tool in tools.iter().take(embedded) {
        shelf
            .index
            .vectors_mut()
            .store(model.key(&text_of(tool)), &embed(&text_of(tool)))
            .unwrap();
    }
    shelf
}

fn text_of(tool: &Tool) -> String {
    format!("{} {}", tool.id.replace('_', " "), tool.description)
}

fn ask(shelf: &Shelf, text: &str, method: Method, visible: Option<&Bitmap>) -> Ranking {
    ask_by(shelf, text, (method, Formula::Sum), visible)
}

fn ask_by(
    shelf: &Shelf,
    text: &str,
    (method, formula): (Method, Formula),
    visible: Option<&Bitmap>,
) -> Ranking {
    let probe = Probe::new(&embed(text), 5).unwrap();
    let query = Query {
        text,
        limit: 1_000,
        method,
        formula,
        visible,
        probe: Some(&probe),
        ..Query::default()
    };
    search(&shelf.index, &query)
}

fn flows() -> Vec<Tool> {
    vec![
        tool("create_flow", "Create a flow"),
        tool("delete_flow", "Delete a flow by id"),
        tool("get_weather", "Current weather of a city"),
    ]
}

#[test]
fn a_tool_is_found_by_what_its_words_mean() {
    let shelf = shelf(&flows(), 3);
    for method in [Method::Semantic, Method::Hybrid] {
        let ranking = ask(&shelf, "permanently erase workflow 456", method, None);
        assert_eq!(shelf.page(&ranking)[0], "delete_flow", "{method:?}");
    }
}

#[test]
fn the_floor_alone_never_empties_a_page() {
    let mut tools = flows();
    tools.push(tool("secret", "sunny spells"));
    let shelf = shelf(&tools, 4);
    let visible: Bitmap = (0..3).collect();
    // Only what is hidden has a word of the query, and nothing else stands out.
    let ranking = ask(&shelf, "sunny spells", Method::Hybrid, Some(&visible));
    assert_eq!(shelf.page(&ranking).len(), 3);
    assert_eq!(ranking.status, Status::NoMatch);
    assert_eq!(
        shelf.page(&ask(&shelf, "sunny spells", Method::Hybrid, None)),
        ["secret"]
    );
}

#[test]
fn a_catalog_of_one_is_found_by_meaning() {
    let shelf = shelf(&flows()[1..2], 1);
    for method in [Method::Semantic, Method::Hybrid] {
        let ranking = ask(&shelf, "erase the workflow", method, None);
        assert_eq!(
            (shelf.page(&ranking), ranking.status),
            (vec!["delete_flow"], Status::Ok),
            "{method:?}"
        );
    }
}

#[test]
fn named_tools_come_first_whatever_they_mean() {
    let shelf = shelf(&flows(), 3);
    for method in [Method::Semantic, Method::Hybrid] {
        let ranking = ask(&shelf, "delete and erase with `get_weather`", method, None);
        assert_eq!(
            shelf.page(&ranking)[..2],
            ["get_weather", "delete_flow"],
            "{method:?}"
        );
        assert!(ranking.hits[0].named);
    }
}

#[test]
fn without_vectors_words_rank_alone_to_the_bit() {
    let shelf = shelf(&flows(), 0);
    for method in [Method::Semantic, Method::Hybrid] {
        assert_eq!(
            ask(&shelf, "delete a flow", method, None),
            shelf.search("delete a flow", 1_000)
        );
    }
}

#[test]
fn a_query_in_a_script_that_the_model_does_not_know_goes_by_its_words() {
    let mut tools = flows();
    tools.push(tool("cash", "кассовый разрыв 2026"));
    let shelf = shelf(&tools, 4);
    let words = shelf.search("кассовый разрыв 2026", 1_000);
    assert_eq!(ask(&shelf, "кассовый разрыв 2026", Method::Hybrid, None), words);
    assert_eq!(shelf.page(&words), ["cash"]);
    // No word of it is known, so what little the model makes of it is all there is.
    let unknown = ask(&shelf, "удалить", Method::Hybrid, None);
    assert_eq!(shelf.page(&unknown)[0], "delete_flow");
    assert_eq!(unknown.status, Status::NoMatch);
    assert_eq!(ask(&shelf, "erase", Method::Hybrid, None).status, Status::Ok);
}

#[test]
fn a_part_of_the_documents_with_vectors_finds_the_others_by_their_words() {
    let shelf = shelf(&flows(), 1);
    let ranking = ask(&shelf, "delete flow", Method::Hybrid, None);
    assert_eq!(shelf.page(&ranking)[0], "delete_flow");
}

#[test]
fn a_word_that_only_hidden_tools_have_opens_no_page_by_meaning_alone() {
    // Without any word at all the page is what is nearer than a right angle, and stays empty where nothing is.
    let mut tools = flows();
    tools.truncate(1);
    let shelf = shelf(&tools, 1);
    let away = Probe::new(&[-1.0, -1.0, -1.0, -1.0, -1.0], 5).unwrap();
    for method in [Method::Semantic, Method::Hybrid] {
        let query = Query {
            text: "xylophone",
            limit: 9,
            method,
            probe: Some(&away),
            ..Query::default()
        };
        let ranking = search(&shelf.index, &query);
        assert_eq!((ranking.hits.len(), ranking.total), (0, 0), "{method:?}");
    }
}

#[test]
fn meaning_ranks_by_itself_in_any_script() {
    // The gate is for words and meaning together; who asks for meaning alone gets it.
    let mut tools = flows();
    tools.push(tool("cash", "удалить кассу"));
    let shelf = shelf(&tools, 4);
    let query = "удалить кассу workflow";
    let [alone, with_words] =
        [Method::Semantic, Method::Hybrid].map(|method| ask(&shelf, query, method, None));
    assert_eq!(shelf.page(&alone)[0], "delete_flow");
    assert_eq!(with_words, shelf.search(query, 1_000));
    assert_ne!(shelf.page(&with_words)[0], "delete_flow");
}

#[test]
fn a_hit_is_counted_from_the_least_score_on_and_named_ones_beside() {
    let shelf = shelf(&flows(), 3);
    let probe = Probe::new(&embed("delete a flow"), 5).unwrap();
    let query = Query {
        text: "delete a flow",
        limit: 9,
        method: Method::Hybrid,
        probe: Some(&probe),
        ..Query::default()
    };
    let all = search(&shelf.index, &query);
    let scores: Vec<f64> = all.hits.iter().map(|hit| hit.score.to_f64()).collect();
    assert_eq!(all.total, scores.len());
    let at_least = |min_score| {
        search(
            &shelf.index,
            &Query {
                min_score: Some(min_score),
                ..query.clone()
            },
        )
        .total
    };
    assert_eq!(at_least(scores[1]), 2);
    assert_eq!(at_least(scores[0] + 0.01), 0);
    let named = Query {
        text: "`get_weather` and delete a flow",
        min_score: Some(1e6),
        ..query
    };
    let found = search(&shelf.index, &named);
    assert_eq!((found.total, found.hits.len(), found.hits[0].named), (1, 1, true));
    // What a named one is worth is what its words and its meaning add.
    let parts = ask(&shelf, "`get_weather` rain", Method::Hybrid, None).hits[0].score;
    assert!(parts > shelf.search("`get_weather` rain", 9).hits[0].score);
}

fn any_tool() -> impl Strategy<Value = Tool> {
    let words: Vec<&str> = MEANINGS.concat();
    let text = |most| proptest::collection::vec(proptest::sample::select(words.clone()), 0..most);
    (text(3), text(6)).prop_map(|(name, description)| tool(&name.join("_"), &description.join(" ")))
}

fn any_tools(most: usize) -> impl Strategy<Value = Vec<Tool>> {
    let tools = proptest::collection::vec(any_tool(), 0..most);
    tools.prop_map(|tools| {
        tools
            .into_iter()
            .enumerate()
            .map(|(at, tool)| Tool {
                id: format!("{}_{at}", tool.id),
                ..tool
            })
            .collect()
    })
}

const QUERIES: [&str; 5] = [
    "erase the pipeline",
    "create",
    "delete_0",
    "rain unheard",
    "nothing known",
];

/// Every method that compares meanings, and every formula.
const WAYS: [(Method, Formula); 4] = [
    (Method::Semantic, Formula::Sum),
    (Method::Hybrid, Formula::Sum),
    (Method::Hybrid, Formula::Ranks),
    (Method::Hybrid, Formula::Deviations),
];

/// Ids, scores and everything else a caller sees, without slots.
fn said(shelf: &Shelf, ranking: &Ranking) -> String {
    let hits: Vec<_> = ranking
        .hits
        .iter()
        .map(|hit| (shelf.id(hit.slot), hit.score, hit.named))
        .collect();
    format!(
        "{hits:?} {:?} {} {}",
        ranking.status, ranking.evidence, ranking.total
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_in_which_documents_came_does_not_matter(tools in any_tools(24), rotate in 0usize..24, part in 0usize..25) {
        let there = shelf(&tools, part);
        let mut turned = tools.clone();
        turned.rotate_left(rotate % tools.len().max(1));
        let mut back = shelf(&turned, 0);
        for tool in tools.iter().take(part) {
            back.index.vectors_mut().store(model().key(&text_of(tool)), &embed(&text_of(tool))).unwrap();
        }
        for (text, way) in QUERIES.iter().flat_map(|text| WAYS.map(|way| (text, way))) {
            let answers = [&there, &back].map(|shelf| said(shelf, &ask_by(shelf, text, way, None)));
            prop_assert_eq!(&answers[0], &answers[1]);
        }
    }

    #[test]
    fn pages_have_no_gaps_and_what_is_hidden_leaves_the_rest_as_it_is(tools in any_tools(40), page in 1usize..7, hidden in any::<u64>()) {
        let shelf = shelf(&tools, 40);
        let visible: Bitmap = (0..64).filter(|slot| hidden >> slot & 1 == 0).collect();
        for (text, method) in QUERIES.iter().flat_map(|text| [(text, Method::Semantic), (text, Method::Hybrid)]) {
            let all = ask(&shelf, text, method, None);
            prop_assert_eq!(all.total, all.hits.len());
            prop_assert!(all.hits.iter().all(|hit| hit.named || hit.score.to_f64() > 0.0));
            let probe = Probe::new(&embed(text), 5).unwrap();
            let mut paged = Vec::new();
            for offset in (0..all.total + page).step_by(page) {
                let query = Query { text, limit: page, offset, method, probe: Some(&probe), ..Query::default() };
                paged.extend(search(&shelf.index, &query).hits);
            }
            prop_assert_eq!(&paged, &all.hits);
            let seen = ask(&shelf, text, method, Some(&visible));
            let expected: Vec<_> = all.hits.iter().copied().filter(|hit| visible.contains(hit.slot)).collect();
            // Who sees no hit is shown the nearest of what may be seen.
            prop_assert!(seen.hits == expected || expected.is_empty() && seen.hits.iter().all(|hit| visible.contains(hit.slot)));
            if let Some(middle) = all.hits.get(all.hits.len() / 2) {
                let least = middle.score.to_f64();
                let query = Query { text, limit: 1_000, min_score: Some(least), method, probe: Some(&probe), ..Query::default() };
                let few = search(&shelf.index, &query);
                prop_assert_eq!(few.total, few.hits.len());
                prop_assert!(few.hits.iter().all(|hit| hit.named || hit.score.to_f64() >= least));
            }
        }
    }

    #[test]
    fn what_an_explanation_shows_adds_up_to_the_score(tools in any_tools(24), part in 0usize..25) {
        let shelf = shelf(&tools, part);
        for (text, way) in QUERIES.iter().flat_map(|text| WAYS.map(|way| (text, way))) {
            let probe = Probe::new(&embed(text), 5).unwrap();
            let (method, formula) = way;
            let query = Query { text, limit: 1_000, method, formula, probe: Some(&probe), ..Query::default() };
            let explainer = Explainer::new(&shelf.index, &query);
            for hit in search(&shelf.index, &query).hits {
                let words: u32 = explainer.contributions(hit.slot).iter().map(|part| part.score.0).sum();
                let meaning = explainer.meaning(hit.slot).map_or(0, |meaning| meaning.score.0);
                // What matches has one step at the least, whatever it is made of.
                let sum = (words + meaning).max(u32::from(!hit.named));
                prop_assert_eq!(sum, hit.score.0, "{} by {:?} of {:?}", text, way, shelf.id(hit.slot));
            }
        }
    }

    #[test]
    fn an_arm_without_evidence_leaves_the_order_to_the_other(tools in any_tools(24)) {
        let shelf = shelf(&tools, 24);
        let [hybrid, semantic] = [Method::Hybrid, Method::Semantic].map(|method| ask(&shelf, "nothing known", method, None));
        prop_assert_eq!(hybrid.hits, semantic.hits);
    }
}
