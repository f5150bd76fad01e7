//! The fast loops beside candle, on every family of BERTs and on all-MiniLM-L6-v2. Only with the feature `portable`; the
//! command is `make model-oracle`.

use honeyguide_model::{Backend, Model, ModelOptions, Role};

use crate::{kit, minilm};

/// The most that a dimension of a unit vector may differ.
const MOST: f32 = 2e-6;

/// Texts of all lengths, some of them equally long.
fn texts() -> Vec<String> {
    let mut texts = [kit::texts("texts"), kit::texts("sentences")].concat();
    let words = [
        "search ",
        "the ",
        "weather ",
        "of ",
        "Oslo, ",
        "read_file ",
        "한국 ",
        "(id: string) ",
    ];
    texts.extend((0..200_usize).map(|at| {
        (0..=at % 60)
            .map(|word| words[(at * 7 + word * 5) % words.len()])
            .collect()
    }));
    texts
}

fn compare(name: &str, fast: &Model, portable: &Model) {
    let texts = texts();
    let (mut worst, mut sum) = (0.0_f32, 0.0_f64);
    for role in [Role::Query, Role::Document] {
        let (ours, theirs) = (
            kit::encode(fast, &texts, role),
            kit::encode(portable, &texts, role),
        );
        for ((text, ours), theirs) in texts.iter().zip(&ours).zip(&theirs) {
            let length = theirs.iter().map(|value| value * value).sum::<f32>().sqrt();
            for (one, other) in ours.iter().zip(theirs) {
                let difference = (one - other).abs() / length;
                assert!(difference < MOST, "{name}, {text:?}: {difference}");
                worst = worst.max(difference);
                sum += f64::from(difference);
            }
        }
    }
    let count = (2 * texts.len() * fast.outline().dimensions) as f64;
    println!(
        "{name}: at most {worst:.1e} apart, {:.1e} on average",
        sum / count
    );
}

fn portable() -> ModelOptions {
    ModelOptions {
        backend: Backend::Portable,
        ..ModelOptions::default()
    }
}

#[test]
fn oracle_of_every_small_bert() {
    for name in [
        "mean",
        "cls with an instruction",
        "mean with query and passage",
        "max, length kept",
        "root of the length, length kept",
        "xlm-roberta",
    ] {
        let files = kit::family(name);
        let options = ModelOptions {
            id: Some("tiny".into()),
            ..portable()
        };
        compare(
            name,
            &kit::load(&files).unwrap(),
            &kit::load_with(&files, options).unwrap(),
        );
    }
}

#[test]
fn oracle_of_minilm() {
    if let (Some(fast), Some(portable)) = (
        minilm::minilm(ModelOptions::default()),
        minilm::minilm(portable()),
    ) {
        compare("all-MiniLM-L6-v2", &fast, &portable);
    }
}
