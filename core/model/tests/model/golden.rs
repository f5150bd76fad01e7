//! Every pooling, prefix and layout beside the reference implementations, whose vectors `tests/golden/make.py` wrote:
//! sentence-transformers for BERTs, model2vec for static tables.

use honeyguide_model::{Model, Role};
use serde_json::Value;

use crate::kit;

/// The least cosine between a vector and its reference.
const LEAST: f64 = 0.9999;

fn vectors(golden: &Value) -> Vec<Vec<f32>> {
    serde_json::from_value(golden.clone()).unwrap()
}

/// Compares the vectors of both roles with the reference: their angles, and their lengths.
pub(crate) fn compare(name: &str, model: &Model, texts: &[String]) {
    let golden = kit::json("golden.json")[name].clone();
    for (role, key) in [(Role::Query, "query"), (Role::Document, "document")] {
        let found = kit::encode(model, texts, role);
        let expected = vectors(&golden[key]);
        assert_eq!(found.len(), expected.len(), "{name}, {key}");
        for ((text, found), expected) in texts.iter().zip(&found).zip(&expected) {
            assert_eq!(found.len(), expected.len(), "{name}, {key}");
            let product = |one: &[f32], other: &[f32]| -> f64 {
                one.iter()
                    .zip(other)
                    .map(|(one, other)| f64::from(*one) * f64::from(*other))
                    .sum()
            };
            let (length, wanted) = (product(found, found).sqrt(), product(expected, expected).sqrt());
            assert!(
                (length - wanted).abs() <= 1e-3 * wanted,
                "{name}, {key}, {text:?}: length {length}, not {wanted}"
            );
            if wanted > 0.0 {
                let cosine = product(found, expected) / length / wanted;
                assert!(cosine >= LEAST, "{name}, {key}, {text:?}: cosine {cosine}");
            }
        }
    }
}

fn family(name: &str) {
    compare(
        name,
        &kit::load(&kit::family(name)).unwrap(),
        &kit::texts("texts"),
    );
}

#[test]
fn the_mean_is_the_reference_s() {
    family("mean");
}

#[test]
fn the_first_token_after_an_instruction_is_the_reference_s() {
    family("cls with an instruction");
}

#[test]
fn the_mean_after_query_and_passage_is_the_reference_s() {
    family("mean with query and passage");
}

#[test]
fn the_maximum_is_the_reference_s_and_keeps_its_length() {
    family("max, length kept");
}

#[test]
fn the_sum_over_the_root_of_the_length_is_the_reference_s() {
    family("root of the length, length kept");
}

#[test]
fn xlm_roberta_with_its_own_positions_and_pieces_is_the_reference_s() {
    family("xlm-roberta");
}

#[test]
fn a_static_table_with_weights_and_a_mapping_is_the_reference_s() {
    family("static f32 with weights and a mapping");
}

#[test]
fn a_static_table_of_half_precision_is_the_reference_s() {
    family("static f16, length kept");
}

#[test]
fn a_static_table_of_bytes_is_the_reference_s() {
    family("static i8");
}

#[test]
fn a_static_table_in_the_layout_of_sentence_transformers_is_the_reference_s() {
    family("static as sentence-transformers lays it out");
}

#[test]
fn every_family_has_golden_vectors_and_a_test() {
    let families = kit::json("families.json")["families"]
        .as_object()
        .unwrap()
        .clone();
    let here = include_str!("golden.rs");
    let golden = kit::json("golden.json");
    for name in families.keys() {
        assert!(golden[name].is_object(), "{name} has no golden vectors");
        assert!(
            here.contains(&format!("family(\"{name}\")")),
            "{name} has no test"
        );
    }
}
