//! What holds for every model and every list of texts.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use honeyguide_model::{ModelErrorCode, ModelOptions, Prefixes, Progress, Role};
use proptest::prelude::*;

use crate::kit;

fn with(change: impl FnOnce(&mut ModelOptions)) -> ModelOptions {
    let mut options = kit::options();
    change(&mut options);
    options
}

fn bits(vectors: &[Vec<f32>]) -> Vec<Vec<u32>> {
    vectors
        .iter()
        .map(|vector| vector.iter().map(|value| value.to_bits()).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_vector_depends_on_its_text_alone(
        texts in prop::collection::vec("[a-z한국. ]{0,90}|(the |cat |sat ){0,40}|\\PC{0,20}", 1..40),
        threads in 1_usize..4,
        family in prop::sample::select(vec!["mean", "max, length kept", "xlm-roberta", "static i8"]),
    ) {
        let files = kit::family(family);
        let options = with(|options| options.threads = NonZeroUsize::new(threads));
        let model = kit::load_with(&files, options).unwrap();
        let together = bits(&kit::encode(&model, &texts, Role::Document));
        let mut backwards: Vec<&String> = texts.iter().collect();
        backwards.reverse();
        let mut turned = bits(&kit::encode(&model, &backwards, Role::Document));
        turned.reverse();
        prop_assert_eq!(&turned, &together);
        for (text, vector) in texts.iter().zip(&together) {
            prop_assert_eq!(&bits(&[model.encode_one(text, Role::Document).unwrap()])[0], vector);
        }
    }

    #[test]
    fn a_long_text_is_the_text_that_was_cut(words in prop::collection::vec("the|cat|sat|mat|tool|\\?|한", 60..400)) {
        // A word is a token, so the cut is known: what the special tokens leave of the length.
        let model = kit::load(&kit::family("mean")).unwrap();
        let cut = words[..model.outline().max_tokens - 2].join(" ");
        prop_assert_eq!(
            model.encode_one(&words.join(" "), Role::Document).unwrap(),
            model.encode_one(&cut, Role::Document).unwrap()
        );
    }
}

#[test]
fn more_texts_than_a_window_come_back_in_order() {
    let model = kit::load(&kit::family("static i8")).unwrap();
    let texts: Vec<String> = (0..9_000_u32)
        .map(|at| format!("{}cat", "the ".repeat(at as usize % 7)))
        .collect();
    let vectors = kit::encode(&model, &texts, Role::Document);
    for at in [0, 1, 4_095, 4_096, 8_191, 8_192, 8_999] {
        assert_eq!(
            vectors[at],
            model.encode_one(&texts[at], Role::Document).unwrap(),
            "{at}"
        );
    }
}

#[test]
fn no_texts_make_no_vectors() {
    let model = kit::load(&kit::family("mean")).unwrap();
    assert!(kit::encode::<&str>(&model, &[], Role::Query).is_empty());
}

#[test]
fn a_prefix_is_the_same_as_its_text_written_before() {
    let files = kit::family("mean");
    let plain = kit::load(&files).unwrap();
    let options = with(|options| options.prefixes = Some(Prefixes::new("query: ", "passage: ")));
    let prefixed = kit::load_with(&files, options).unwrap();
    let of = |model: &honeyguide_model::Model, text: &str, role| model.encode_one(text, role).unwrap();
    assert_eq!(
        of(&prefixed, "cat", Role::Query),
        of(&plain, "query: cat", Role::Query)
    );
    assert_eq!(
        of(&prefixed, "cat", Role::Document),
        of(&plain, "passage: cat", Role::Document)
    );
    assert_ne!(
        of(&plain, "cat", Role::Query),
        of(&plain, "query: cat", Role::Query)
    );
}

#[test]
fn a_name_of_a_known_family_brings_its_prefixes_and_its_pooling() {
    let mut files = kit::family("mean");
    files.remove("modules.json");
    files.remove("1_Pooling/config.json");
    let options = with(|options| options.id = Some("BAAI/bge-small-en-v1.5".into()));
    let outline = kit::load_with(&files, options).unwrap().outline().clone();
    assert_eq!(outline.pooling, honeyguide_model::Pooling::Cls);
    assert_eq!(
        outline.prefixes.query,
        "Represent this sentence for searching relevant passages: "
    );
    let outline = kit::load(&files).unwrap().outline().clone();
    assert_eq!(outline.pooling, honeyguide_model::Pooling::Mean);
    assert_eq!(outline.prefixes, Prefixes::default());
    assert!(outline.normalise);
}

#[test]
fn a_revision_changes_with_the_weights_and_with_the_recipe_and_with_nothing_else() {
    let files = kit::family("mean");
    let revision = |files: &kit::Files, options| {
        kit::load_with(files, options)
            .unwrap()
            .outline()
            .revision()
            .unwrap()
    };
    let first = revision(&files, kit::options());
    let mut commented = files.clone();
    commented.insert("README.md".into(), b"about".to_vec());
    assert_eq!(revision(&commented, kit::options()), first);
    assert_eq!(
        revision(&files, with(|options| options.threads = NonZeroUsize::new(1))),
        first
    );
    let mut other = files.clone();
    let last = other.get_mut("model.safetensors").unwrap().last_mut().unwrap();
    *last ^= 1;
    assert_ne!(revision(&other, kit::options()), first);
    assert_ne!(
        revision(&files, with(|options| options.max_tokens = NonZeroUsize::new(20))),
        first
    );
    assert_ne!(
        revision(
            &files,
            with(|options| options.prefixes = Some(Prefixes::new("q", "")))
        ),
        first
    );
    assert_ne!(
        revision(
            &files,
            with(|options| options.pooling = Some(honeyguide_model::Pooling::Cls))
        ),
        first
    );
}

#[test]
fn old_names_of_tensors_are_the_same_model() {
    let files = kit::family("mean");
    let family = kit::json("families.json")["families"]["mean"].clone();
    let renamed = kit::tensors(&family).into_iter().map(|(name, tensor)| {
        let name = name
            .replace("LayerNorm.weight", "LayerNorm.gamma")
            .replace("LayerNorm.bias", "LayerNorm.beta");
        (format!("bert.{name}"), tensor)
    });
    let mut old = files.clone();
    old.insert("model.safetensors".into(), kit::save(&renamed.collect()));
    let texts = kit::texts("texts");
    assert_eq!(
        kit::encode(&kit::load(&old).unwrap(), &texts, Role::Query),
        kit::encode(&kit::load(&files).unwrap(), &texts, Role::Query)
    );
}

#[test]
fn weights_in_several_files_are_one_model() {
    let files = kit::family("mean");
    let family = kit::json("families.json")["families"]["mean"].clone();
    let all = kit::tensors(&family);
    let (front, back) = all
        .into_iter()
        .partition(|(name, _)| name.starts_with("embeddings"));
    let mut parts = files.clone();
    parts.remove("model.safetensors");
    parts.insert("model-00001-of-00002.safetensors".into(), kit::save(&front));
    parts.insert("model-00002-of-00002.safetensors".into(), kit::save(&back));
    let texts = kit::texts("texts");
    assert_eq!(
        kit::encode(&kit::load(&parts).unwrap(), &texts, Role::Query),
        kit::encode(&kit::load(&files).unwrap(), &texts, Role::Query)
    );
}

#[test]
fn half_precision_stays_near_single() {
    let files = kit::family("mean");
    let family = kit::json("families.json")["families"]["mean"].clone();
    let halves = kit::tensors(&family).into_iter().map(|(name, mut tensor)| {
        let (values, _) = tensor.bytes.as_chunks::<4>();
        tensor.bytes = values
            .iter()
            .flat_map(|value| half::bf16::from_f32(f32::from_le_bytes(*value)).to_le_bytes())
            .collect();
        tensor.dtype = safetensors::Dtype::BF16;
        (name, tensor)
    });
    let mut half = files.clone();
    half.insert("model.safetensors".into(), kit::save(&halves.collect()));
    let texts = ["the cat sat"];
    let (one, other) = (kit::load(&files).unwrap(), kit::load(&half).unwrap());
    let (one, other) = (
        kit::encode(&one, &texts, Role::Query),
        kit::encode(&other, &texts, Role::Query),
    );
    let cosine: f32 = one[0].iter().zip(&other[0]).map(|(one, other)| one * other).sum();
    assert!(cosine > 0.999, "{cosine}");
}

#[test]
fn progress_ends_at_the_number_of_texts_and_never_falls() {
    let options = with(|options| options.threads = NonZeroUsize::new(1));
    let model = kit::load_with(&kit::family("mean"), options).unwrap();
    let texts = vec!["the cat sat on the mat"; 300];
    let mut seen: Vec<Progress> = Vec::new();
    let mut watch = |progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    };
    model.encode(&texts, Role::Document, &mut watch).unwrap();
    assert!(seen.is_sorted_by_key(|progress| progress.done));
    assert!(
        seen.iter().any(|progress| (1..300).contains(&progress.done)),
        "nothing on the way"
    );
    assert_eq!(
        seen.last(),
        Some(&Progress {
            done: 300,
            total: 300
        })
    );
}

#[test]
fn a_break_cancels_a_call_and_the_model_goes_on() {
    let model = kit::load(&kit::family("mean")).unwrap();
    let texts = vec!["the cat sat on the mat"; 300];
    for at in [0, 1, 5] {
        let mut calls = 0;
        let mut watch = |_| {
            calls += 1;
            if calls > at {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let error = model.encode(&texts, Role::Document, &mut watch).unwrap_err();
        assert_eq!(error.code, ModelErrorCode::Aborted);
    }
    assert_eq!(kit::encode(&model, &texts, Role::Document).len(), 300);
}

#[test]
fn many_threads_share_a_model() {
    let model = kit::load(&kit::family("mean")).unwrap();
    let expected = model.encode_one("the cat", Role::Query).unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| (0..20).all(|_| model.encode_one("the cat", Role::Query).unwrap() == expected))
            })
            .collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    });
}

#[test]
fn scripts_are_read_from_the_vocabulary() {
    let model = kit::load(&kit::family("mean")).unwrap();
    assert!(model.outline().scripts().unwrap().contains(&"Latin".to_owned()));
}
