//! Small models of the families in `tests/golden/families.json`, with weights that are a formula. Knows no expectations.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use honeyguide_model::{Model, ModelFiles, ModelOptions, Role};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::Value;

/// The files of a model by name; tests change them before they are read.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A folder with the data of these tests.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A JSON file of that folder.
pub(crate) fn json(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder().join(name)).unwrap()).unwrap()
}

/// The texts under a name in `families.json`.
pub(crate) fn texts(name: &str) -> Vec<String> {
    serde_json::from_value(json("families.json")[name].clone()).unwrap()
}

/// The files of a family.
pub(crate) fn family(name: &str) -> Files {
    let family = json("families.json")["families"][name].clone();
    assert!(family.is_object(), "there is no family `{name}`");
    let mut files = Files::new();
    for (name, content) in family["files"].as_object().unwrap() {
        files.insert(name.clone(), serde_json::to_vec(content).unwrap());
    }
    let below = family["below"]
        .as_str()
        .map_or(String::new(), |below| format!("{below}/"));
    let tokenizer = std::fs::read(folder().join(family["tokenizer"].as_str().unwrap())).unwrap();
    files.insert(format!("{below}tokenizer.json"), tokenizer);
    files.insert(format!("{below}model.safetensors"), save(&tensors(&family)));
    files
}

/// A tensor of a test: its type, its shape, its bytes.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// The tensors of a family.
pub(crate) fn tensors(family: &Value) -> BTreeMap<String, Tensor> {
    match family["tensors"].as_object() {
        Some(tensors) => tensors
            .iter()
            .map(|(name, tensor)| (name.clone(), numbers(name, tensor)))
            .collect(),
        None => bert(&family["files"]["config.json"])
            .into_iter()
            .map(|(name, shape)| {
                let name = format!("{}{name}", family["prefix"].as_str().unwrap_or_default());
                let tensor = numbers(&name, &serde_json::json!({ "shape": shape }));
                (name, tensor)
            })
            .collect(),
    }
}

/// The bytes of a safetensors file, by the library that everybody else writes it with.
pub(crate) fn save(tensors: &BTreeMap<String, Tensor>) -> Vec<u8> {
    let views = tensors.iter().map(|(name, tensor)| {
        let view = TensorView::new(tensor.dtype, tensor.shape.clone(), &tensor.bytes).unwrap();
        (name.clone(), view)
    });
    safetensors::serialize(views, None).unwrap()
}

/// Reads a model of a test.
pub(crate) fn load(files: &Files) -> honeyguide_model::Result<Model> {
    load_with(files, options())
}

/// Reads a model of a test with these options.
pub(crate) fn load_with(files: &Files, options: ModelOptions) -> honeyguide_model::Result<Model> {
    Model::load(&ModelFiles::memory(files.clone()), &options)
}

/// The options of a test: only a name.
pub(crate) fn options() -> ModelOptions {
    ModelOptions {
        id: Some("tiny".into()),
        ..ModelOptions::default()
    }
}

/// The vectors of these texts.
pub(crate) fn encode<T: AsRef<str> + Sync>(model: &Model, texts: &[T], role: Role) -> Vec<Vec<f32>> {
    let vectors = model
        .encode(texts, role, &mut |_| ControlFlow::Continue(()))
        .unwrap();
    vectors
        .chunks(model.outline().dimensions)
        .map(<[f32]>::to_vec)
        .collect()
}

/// The tensors of a BERT and their shapes.
fn bert(config: &Value) -> BTreeMap<String, Vec<usize>> {
    let size = |name: &str| usize::try_from(config[name].as_u64().unwrap()).unwrap();
    let (width, inner) = (size("hidden_size"), size("intermediate_size"));
    let mut found = BTreeMap::new();
    let mut add = |name: String, shape: &[usize]| found.insert(name, shape.to_vec());
    for (part, rows) in [
        ("word", size("vocab_size")),
        ("position", size("max_position_embeddings")),
        ("token_type", size("type_vocab_size")),
    ] {
        add(format!("embeddings.{part}_embeddings.weight"), &[rows, width]);
    }
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in 0..size("num_hidden_layers") {
        let layer = format!("encoder.layer.{layer}");
        for (part, outputs, inputs) in [
            ("attention.self.query", width, width),
            ("attention.self.key", width, width),
            ("attention.self.value", width, width),
            ("attention.output.dense", width, width),
            ("intermediate.dense", inner, width),
            ("output.dense", width, inner),
        ] {
            add(format!("{layer}.{part}.weight"), &[outputs, inputs]);
            add(format!("{layer}.{part}.bias"), &[outputs]);
        }
        norms.extend([
            format!("{layer}.attention.output.LayerNorm"),
            format!("{layer}.output.LayerNorm"),
        ]);
    }
    for norm in norms {
        add(format!("{norm}.weight"), &[width]);
        add(format!("{norm}.bias"), &[width]);
    }
    found
}

/// The weights of a tensor: a hash of its name and the place, as `make.py` has it.
fn numbers(name: &str, tensor: &Value) -> Tensor {
    let shape: Vec<usize> = serde_json::from_value(tensor["shape"].clone()).unwrap();
    let count: usize = shape.iter().product();
    let seed = name
        .trim_start_matches("bert.")
        .bytes()
        .fold(2_166_136_261_u32, |seed, byte| {
            (seed ^ u32::from(byte)).wrapping_mul(16_777_619)
        });
    let value = |place: usize| {
        let mut state = (place as u32).wrapping_mul(2_654_435_761).wrapping_add(seed);
        state ^= state >> 15;
        state = state.wrapping_mul(2_246_822_519);
        state ^= state >> 13;
        (state >> 24) as f32 / 128.0 - 1.0
    };
    let scaled = |place: usize| match name {
        _ if name.ends_with("LayerNorm.weight") => value(place) / 8.0 + 1.0,
        _ if name.ends_with("bias") => value(place) / 8.0,
        _ if name.contains("embeddings") => value(place),
        _ => value(place) / 4.0,
    };
    let (dtype, bytes) = match tensor["dtype"].as_str().unwrap_or("float32") {
        "int64" => {
            let values: Vec<i64> = serde_json::from_value(tensor["values"].clone()).unwrap();
            (
                Dtype::I64,
                values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            )
        }
        "int8" => (
            Dtype::I8,
            (0..count)
                .map(|place| (value(place) * 127.0) as i8 as u8)
                .collect(),
        ),
        "float16" => {
            let halves = (0..count).flat_map(|place| half::f16::from_f32(scaled(place)).to_le_bytes());
            (Dtype::F16, halves.collect())
        }
        _ => (
            Dtype::F32,
            (0..count).flat_map(|place| scaled(place).to_le_bytes()).collect(),
        ),
    };
    Tensor { dtype, shape, bytes }
}
