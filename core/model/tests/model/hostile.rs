//! Files that are truncated, corrupt, absurd or contradictory: each is an error with a code, never a panic, never a memory
//! that grows beyond what the files have.

use honeyguide_model::{ModelErrorCode, Role};
use proptest::prelude::*;
use safetensors::Dtype;
use serde_json::{Value, json};

use crate::kit::{self, Files};

const WEIGHTS: &str = "model.safetensors";

fn tiny() -> Files {
    kit::family("mean")
}

fn code(files: &Files) -> ModelErrorCode {
    kit::load(files).unwrap_err().code
}

/// The files with one JSON file changed.
fn changed(name: &str, change: impl FnOnce(&mut Value)) -> Files {
    let mut files = tiny();
    let mut content: Value = serde_json::from_slice(&files[name]).unwrap();
    change(&mut content);
    files.insert(name.into(), serde_json::to_vec(&content).unwrap());
    files
}

/// The files of a family with the tensors changed.
fn reweighed(
    family: &str,
    change: impl FnOnce(&mut std::collections::BTreeMap<String, kit::Tensor>),
) -> Files {
    let mut files = kit::family(family);
    let mut tensors = kit::tensors(&kit::json("families.json")["families"][family]);
    change(&mut tensors);
    files.insert(WEIGHTS.into(), kit::save(&tensors));
    files
}

/// A weights file with this header and so many bytes of data.
fn raw(header: &Value, data: usize) -> Vec<u8> {
    let header = serde_json::to_vec(header).unwrap();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.resize(bytes.len() + data, 0);
    bytes
}

#[test]
fn every_file_cut_anywhere_is_an_error() {
    for name in [
        "config.json",
        "tokenizer.json",
        WEIGHTS,
        "modules.json",
        "1_Pooling/config.json",
    ] {
        let whole = tiny()[name].clone();
        for cut in [0, 1, 7, 8, 9, whole.len() / 2, whole.len() - 1] {
            let mut files = tiny();
            files.insert(name.into(), whole[..cut].to_vec());
            let found = code(&files);
            assert_eq!(found, ModelErrorCode::Unreadable, "{name} cut at {cut}");
        }
    }
}

#[test]
fn text_that_is_no_utf_8_is_an_error() {
    for name in ["config.json", "tokenizer.json", "modules.json"] {
        let mut files = tiny();
        let bytes = files.get_mut(name).unwrap();
        let letter = bytes.iter().position(u8::is_ascii_alphabetic).unwrap();
        bytes[letter] = 0xff;
        assert_eq!(code(&files), ModelErrorCode::Unreadable, "{name}");
    }
}

#[test]
fn a_header_that_claims_more_than_there_is_takes_no_memory() {
    for claim in [u64::MAX, 1 << 62, 1 << 40, 1 << 25] {
        let mut files = tiny();
        let mut bytes = claim.to_le_bytes().to_vec();
        bytes.extend(b"{}");
        files.insert(WEIGHTS.into(), bytes);
        assert_eq!(code(&files), ModelErrorCode::Unreadable, "{claim}");
    }
}

#[test]
fn tensors_that_are_not_described_well_are_an_error() {
    let tensor = |dtype: &str, shape: Value, offsets: Value| json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets });
    for (name, described) in [
        ("outside", tensor("F32", json!([4]), json!([96, 112]))),
        ("backwards", tensor("F32", json!([4]), json!([16, 0]))),
        ("another size", tensor("F32", json!([5]), json!([0, 16]))),
        (
            "beyond counting",
            tensor("F32", json!([u64::MAX, u64::MAX]), json!([0, 16])),
        ),
        ("a size below zero", tensor("F32", json!([-4]), json!([0, 16]))),
        ("no type", tensor("F99", json!([4]), json!([0, 16]))),
        ("nothing", json!({})),
    ] {
        let mut files = tiny();
        files.insert(WEIGHTS.into(), raw(&json!({ "x": described }), 100));
        assert_eq!(code(&files), ModelErrorCode::Unreadable, "{name}");
    }
    let shared = json!({ "x": tensor("F32", json!([4]), json!([0, 16])), "y": tensor("F32", json!([4]), json!([8, 24])) });
    let mut files = tiny();
    files.insert(WEIGHTS.into(), raw(&shared, 100));
    assert_eq!(code(&files), ModelErrorCode::Unreadable, "shared bytes");
}

#[test]
fn a_tensor_that_is_missing_or_has_another_shape_or_type_is_named() {
    let name = "encoder.layer.1.output.dense.weight";
    let missing = reweighed("mean", |tensors| {
        tensors.remove(name);
    });
    let error = kit::load(&missing).unwrap_err();
    assert_eq!(
        (error.code, error.details["tensor"].as_str()),
        (ModelErrorCode::Mismatch, name)
    );
    let turned = reweighed("mean", |tensors| tensors.get_mut(name).unwrap().shape.reverse());
    let error = kit::load(&turned).unwrap_err();
    assert_eq!(
        (error.code, error.details["tensor"].as_str()),
        (ModelErrorCode::Mismatch, name)
    );
    let whole_numbers = reweighed("mean", |tensors| {
        tensors.get_mut(name).unwrap().dtype = Dtype::I32
    });
    assert_eq!(code(&whole_numbers), ModelErrorCode::Unsupported);
}

#[test]
fn weights_that_are_no_numbers_are_an_error_and_so_are_vectors() {
    let set = |value: f32| {
        move |tensors: &mut std::collections::BTreeMap<String, kit::Tensor>| {
            let bytes = &mut tensors
                .get_mut("embeddings.word_embeddings.weight")
                .unwrap()
                .bytes;
            bytes[40..44].copy_from_slice(&value.to_le_bytes());
        }
    };
    assert_eq!(code(&reweighed("mean", set(f32::NAN))), ModelErrorCode::NotFinite);
    assert_eq!(
        code(&reweighed("mean", set(f32::INFINITY))),
        ModelErrorCode::NotFinite
    );
    let huge = reweighed("mean", |tensors| {
        for (name, tensor) in tensors.iter_mut().filter(|(name, _)| name.ends_with("weight")) {
            let value = if name.contains("LayerNorm") {
                f32::MAX
            } else {
                f32::MAX / 2.0
            };
            tensor.bytes = value.to_le_bytes().repeat(tensor.bytes.len() / 4);
        }
    });
    let model = kit::load(&huge).unwrap();
    assert_eq!(
        model.encode_one("the cat", Role::Query).unwrap_err().code,
        ModelErrorCode::NotFinite
    );
}

#[test]
fn a_vocabulary_beyond_the_table_is_an_error() {
    let files = changed("tokenizer.json", |tokenizer| {
        tokenizer["model"]["vocab"]["beyond"] = json!(84)
    });
    assert_eq!(code(&files), ModelErrorCode::Mismatch);
    let files = changed("tokenizer.json", |tokenizer| {
        tokenizer["model"]["vocab"]["beyond"] = json!(4_000_000_000_u32)
    });
    assert_eq!(code(&files), ModelErrorCode::Mismatch);
}

#[test]
fn a_configuration_that_contradicts_the_weights_is_an_error() {
    for (field, value) in [
        ("hidden_size", 44),
        ("vocab_size", 83),
        ("intermediate_size", 81),
        ("num_hidden_layers", 3),
    ] {
        let files = changed("config.json", |config| config[field] = json!(value));
        assert_eq!(code(&files), ModelErrorCode::Mismatch, "{field}");
    }
    for (field, value) in [
        ("num_hidden_layers", json!(0)),
        ("hidden_size", json!(1_u64 << 40)),
        ("num_hidden_layers", json!(97)),
    ] {
        let files = changed("config.json", |config| config[field] = value.clone());
        assert_eq!(code(&files), ModelErrorCode::Unsupported, "{field} {value}");
    }
}

#[test]
fn a_tokenizer_that_leaves_no_room_or_multiplies_texts_is_an_error() {
    let token = |id: usize| json!({ "SpecialToken": { "id": "[CLS]", "type_id": id } });
    let crowded = changed("tokenizer.json", |tokenizer| {
        tokenizer["post_processor"]["single"] = (0..60).map(|_| token(0)).collect();
    });
    assert_eq!(code(&crowded), ModelErrorCode::Mismatch);
    for ids in [json!(vec![2; 10_000]), json!([4_000_000_000_u32])] {
        let files = changed("tokenizer.json", |tokenizer| {
            tokenizer["post_processor"]["special_tokens"]["[CLS]"]["tokens"] =
                json!(vec!["[CLS]"; ids.as_array().unwrap().len()]);
            tokenizer["post_processor"]["special_tokens"]["[CLS]"]["ids"] = ids.clone();
        });
        let error = kit::load(&files)
            .and_then(|model| model.encode_one("the cat", Role::Query))
            .unwrap_err();
        assert_eq!(error.code, ModelErrorCode::Mismatch);
    }
    let growing = changed("tokenizer.json", |tokenizer| {
        let rule = json!({ "type": "Replace", "pattern": { "String": "a" }, "content": "aa" });
        tokenizer["normalizer"] = json!({ "type": "Sequence", "normalizers": vec![rule; 40] });
    });
    assert_eq!(code(&growing), ModelErrorCode::Unsupported);
}

#[test]
fn a_static_table_that_contradicts_itself_is_an_error() {
    let family = "static f32 with weights and a mapping";
    let beyond = reweighed(family, |tensors| {
        tensors.get_mut("mapping").unwrap().bytes[..8].copy_from_slice(&30_i64.to_le_bytes());
    });
    assert_eq!(code(&beyond), ModelErrorCode::Mismatch);
    let below_zero = reweighed(family, |tensors| {
        tensors.get_mut("mapping").unwrap().bytes[..8].copy_from_slice(&(-1_i64).to_le_bytes());
    });
    assert_eq!(code(&below_zero), ModelErrorCode::Mismatch);
    let short = reweighed(family, |tensors| {
        let weights = tensors.get_mut("weights").unwrap();
        weights.bytes.truncate(40);
        weights.shape = vec![10];
    });
    assert_eq!(code(&short), ModelErrorCode::Mismatch);
    let without = reweighed(family, |tensors| {
        tensors.remove("embeddings");
    });
    assert_eq!(code(&without), ModelErrorCode::Mismatch);
    let flat = reweighed("static i8", |tensors| {
        let table = tensors.get_mut("embeddings").unwrap();
        table.shape = vec![table.bytes.len()];
    });
    assert_eq!(code(&flat), ModelErrorCode::Mismatch);
    let small = reweighed("static i8", |tensors| {
        let table = tensors.get_mut("embeddings").unwrap();
        table.bytes.truncate(24 * 83);
        table.shape = vec![83, 24];
    });
    assert_eq!(code(&small), ModelErrorCode::Mismatch);
}

#[test]
fn strange_texts_have_vectors() {
    let megabyte = 1 << 20;
    for family in ["mean", "xlm-roberta", "static i8"] {
        let model = kit::load(&kit::family(family)).unwrap();
        let texts = [
            String::new(),
            " \n\t ".to_owned(),
            "\0\u{feff}\u{202e}\u{fffd}".to_owned(),
            "☃".repeat(50),
            "x".repeat(megabyte),
            " ".repeat(megabyte),
            "한".repeat(megabyte / 3),
            "word ".repeat(megabyte / 5),
            "e\u{301}".repeat(megabyte / 3),
        ];
        for (text, vector) in texts.iter().zip(kit::encode(&model, &texts, Role::Document)) {
            let start: String = text.chars().take(5).collect();
            assert!(
                vector.iter().all(|value| value.is_finite()),
                "{family}, {start:?}"
            );
        }
    }
    let table = kit::load(&kit::family("static i8")).unwrap();
    assert_eq!(table.encode_one("", Role::Query).unwrap(), [0.0; 24]);
    assert_eq!(table.encode_one("☃", Role::Query).unwrap(), [0.0; 24]);
}

#[test]
fn options_out_of_their_range_are_an_error() {
    let mut options = kit::options();
    options.max_tokens = std::num::NonZeroUsize::new(65);
    assert_eq!(
        kit::load_with(&tiny(), options).unwrap_err().code,
        ModelErrorCode::InvalidOption
    );
    let mut options = kit::options();
    options.id = None;
    assert_eq!(
        kit::load_with(&tiny(), options).unwrap_err().code,
        ModelErrorCode::InvalidOption
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_byte_changed_anywhere_is_another_model_or_an_error(
        name in prop::sample::select(vec!["config.json", "tokenizer.json", "modules.json", WEIGHTS]),
        place in 0.0_f64..1.0,
        byte in any::<u8>(),
    ) {
        let mut files = tiny();
        let bytes = files.get_mut(name).unwrap();
        // Of the weights the header, where it matters.
        let length = if name == WEIGHTS { 4_000 } else { bytes.len() };
        bytes[(place * length as f64) as usize] = byte;
        if let Ok(model) = kit::load(&files) {
            let _ = model.encode_one("the cat sat on the mat", Role::Query);
        }
    }
}
