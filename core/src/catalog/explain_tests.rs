//! That the parts of a score are its parts: they add up, and each names a word that the item has where it says.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;
use serde_json::value::RawValue;

use super::{Account, Part};
use crate::catalog::Catalog;
use crate::catalog::item::Item;
use crate::catalog::skill::Skill;
use crate::catalog::tool::Tool;
use crate::index::{Field, Model, Probe};
use crate::rank::{Method, Query, Ranking, Way};
use crate::text::Analyzer;

const WORDS: [&str; 23] = [
    "create",
    "creating",
    "list",
    "issue",
    "issues",
    "file",
    "read",
    "delete",
    "remove",
    "mail",
    "github",
    "日本",
    "法令",
    "café",
    "S3",
    "the",
    "photo",
    "picture",
    "und",
    "der",
    "Dateien",
    "Dateiname",
    "Übersicht",
];

fn catalog<I: Item>(items: &[serde_json::Value]) -> Catalog<I> {
    let mut catalog = Catalog::default();
    let batch: Vec<Box<RawValue>> = items
        .iter()
        .map(|item| RawValue::from_string(item.to_string()).unwrap())
        .collect();
    let changes = catalog.register(&batch, &mut Analyzer::new());
    assert_eq!(changes.rejected, Vec::<u32>::new());
    catalog
}

fn ranking<I: Item>(catalog: &Catalog<I>, text: &str) -> Ranking {
    catalog.search(&Query {
        text,
        limit: 1_000,
        ..Query::default()
    })
}

fn account<'a, I: Item>(catalog: &'a Catalog<I>, text: &str) -> Account<'a, I> {
    catalog.account(&Query {
        text,
        ..Query::default()
    })
}

fn parts_of_best<I: Item>(catalog: &Catalog<I>, text: &str) -> Vec<Part> {
    let best = ranking(catalog, text).hits[0];
    account(catalog, text).explain(best.slot).parts
}

fn said(parts: &[Part]) -> Vec<(&str, &str, Way, Field)> {
    let parts = parts.iter();
    parts
        .map(|part| (part.word.as_str(), part.term.as_str(), part.way, part.field))
        .collect()
}

#[test]
fn a_part_says_its_word_what_it_matched_and_where() {
    let tools = catalog::<Tool>(&[
        json!({"id": "github__create_issue", "description": "Creates issues", "tags": ["bugs"],
            "inputSchema": {"type": "object", "properties": {"title": {"type": "string", "description": "Of the issue"}}}}),
        json!({"id": "other", "description": "Something else"}),
    ]);
    assert_eq!(
        said(&parts_of_best(&tools, "issues on github bug title")),
        [
            ("issues", "issue", Way::Same, Field::Name),
            ("issues", "issues", Way::Same, Field::Description),
            ("issues", "issue", Way::Same, Field::ParameterText),
            ("github", "github", Way::Server, Field::Server),
            ("bug", "bugs", Way::Same, Field::Tags),
            ("title", "title", Way::Same, Field::ParameterName),
        ]
    );
}

#[test]
fn a_skill_is_explained_down_to_its_body() {
    let skills = catalog::<Skill>(&[
        json!({"id": "tidy", "description": "Putting things away", "whenToUse": "On Fridays",
        "body": "# Vacuum\nFirst the carpet."}),
    ]);
    assert_eq!(
        said(&parts_of_best(&skills, "friday vacuum carpet")),
        [
            ("friday", "fridays", Way::Same, Field::WhenToUse),
            ("vacuum", "vacuum", Way::Same, Field::Heading),
            ("carpet", "carpet", Way::Same, Field::Body),
        ]
    );
}

#[test]
fn a_related_word_is_named_as_the_item_has_it() {
    let tools = catalog::<Tool>(&[
        json!({"id": "resize", "description": "Make photos smaller"}),
        json!({"id": "other", "description": "Something else"}),
    ]);
    let parts = parts_of_best(&tools, "picture");
    assert_eq!(
        said(&parts),
        [("picture", "photos", Way::Related, Field::Description)]
    );
}

#[test]
fn a_beginning_is_named_as_the_item_has_it_in_every_field_that_has_it() {
    let tools = catalog::<Tool>(&[
        json!({"id": "search_flights", "description": "Sucht Flugverbindungen und den Preis",
            "inputSchema": {"type": "object", "properties": {"from": {"type": "string", "description": "Der Abflug und der Flughafen"}}}}),
        json!({"id": "other", "description": "Etwas anderes und noch eines"}),
    ]);
    assert_eq!(
        said(&parts_of_best(&tools, "Flüge buchen")),
        [
            ("fluge", "flugverbindungen", Way::Beginning, Field::Description),
            ("fluge", "flughafen", Way::Beginning, Field::ParameterText),
        ]
    );
}

#[test]
fn a_beginning_is_not_looked_for_in_a_field_that_is_long() {
    let long = "Der Abflug und die Stadt des Abflugs ".repeat(60);
    let tools = catalog::<Tool>(&[
        json!({"id": "search_flights", "description": "Sucht Flugverbindungen und den Preis",
            "inputSchema": {"type": "object", "properties": {"from": {"type": "string", "description": long + "Flughafen"}}}}),
        json!({"id": "other", "description": "Etwas anderes und noch eines"}),
    ]);
    assert_eq!(
        said(&parts_of_best(&tools, "Flüge buchen")),
        [("fluge", "flugverbindungen", Way::Beginning, Field::Description)]
    );
}

#[test]
fn codes_of_languages_among_the_values_of_an_english_tool_do_not_make_it_foreign() {
    let found = |values: &[&str]| {
        let tools = catalog::<Tool>(&[
            json!({"id": "set_locale", "description": "Sets language",
                "inputSchema": {"type": "object", "properties": {"to": {"type": "string", "enum": values}}}}),
            json!({"id": "other", "description": "Etwas anderes und noch eines"}),
        ]);
        ranking(&tools, "Langfassung").total
    };
    assert_eq!(found(&["de", "es", "el", "und", "für"]), 0);
    // What is said in more than one word tells the language.
    assert_eq!(found(&["in der Sprache des Landes und der Leute"]), 1);
}

#[test]
fn a_named_hit_without_a_word_has_no_parts() {
    let tools = catalog::<Tool>(&[json!({"id": "a__the", "description": "Play music"})]);
    let ranking = ranking(&tools, "the");
    assert!(ranking.hits[0].named);
    assert_eq!(account(&tools, "the").explain(ranking.hits[0].slot).parts, []);
}

fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(select(&WORDS[..]), 0..most).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_parts_add_up_to_the_score_to_the_last_bit_whatever_is_in_the_catalog(
        texts in prop::collection::vec((words(4), words(14), words(3), words(6), 0usize..4), 1..24), query in words(9),
    ) {
        let items: Vec<_> = texts.iter().enumerate().map(|(at, (name, description, tag, parameter, server))| json!({
            "id": format!("{}{}_{at}", ["", "github__", "mail__", "s3__"][*server], name.replace(' ', "_")),
            "title": tag, "description": description, "tags": [tag],
            "inputSchema": {"type": "object", "properties": {"x": {"type": "string", "description": parameter}, "create file": {}}},
        })).collect();
        let tools = catalog::<Tool>(&items);
        let mut account = account(&tools, &query);
        for hit in ranking(&tools, &query).hits {
            let values: Vec<f64> = account.explain(hit.slot).parts.into_iter().map(|part| part.value).collect();
            prop_assert_eq!(values.iter().sum::<f64>(), hit.score.to_f64());
            prop_assert_eq!(values.iter().rev().sum::<f64>(), hit.score.to_f64());
            prop_assert!(values.iter().all(|value| *value > 0.0));
        }
    }
}

/// A toy of an embedder.
fn embed(text: &str) -> Vec<f32> {
    let has = |word: &str| f32::from(u8::from(text.contains(word)));
    vec![has("delete") + has("remove"), has("photo") + has("picture"), 0.3]
}

#[test]
fn the_parts_of_words_and_of_meaning_add_up_to_the_score_to_the_last_bit() {
    let model = Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 3,
        scripts: None,
        is_english: false,
    });
    let mut tools = Catalog::<Tool>::of(Some(&model));
    let items = ["delete_picture", "list_photos", "read_file", "remove_mail"];
    let batch = items.map(|id| RawValue::from_string(json!({ "id": id }).to_string()).unwrap());
    tools.register(&batch, &mut Analyzer::new());
    for item in tools
        .list()
        .iter()
        .map(|item| item.embedding_text())
        .collect::<Vec<_>>()
    {
        assert!(
            tools
                .vectors_mut()
                .store(model.key(&item), &embed(&item))
                .unwrap()
        );
    }
    for (text, method) in [
        ("remove a picture", Method::Hybrid),
        ("picture file", Method::Hybrid),
        ("remove a picture", Method::Semantic),
        ("unheard of", Method::Hybrid),
    ] {
        let probe = Probe::new(&embed(text), 3).unwrap();
        let query = Query {
            text,
            limit: 10,
            method,
            probe: Some(&probe),
            ..Query::default()
        };
        let mut account = tools.account(&query);
        let hits = tools.search(&query).hits;
        assert!(!hits.is_empty(), "{text}");
        for hit in hits {
            let explained = account.explain(hit.slot);
            let meaning = explained.meaning.unwrap();
            let whole: f64 = explained.parts.iter().map(|part| part.value).sum::<f64>() + meaning.value;
            assert_eq!(whole.to_bits(), hit.score.to_f64().to_bits(), "{text}");
            let is_cosine = (meaning.value - meaning.similarity).abs() < 1e-4;
            assert_eq!(
                is_cosine,
                method == Method::Semantic || text == "unheard of",
                "{text}"
            );
        }
    }
}
