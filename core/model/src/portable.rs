//! The portable backend: candle's own BERT on the same files. Slower, kept as the oracle of the fast one.
//! Knows nothing of our weights and loops.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, xlm_roberta};

use crate::bert::pool;
use crate::config;
use crate::error::{ModelError, Result};
use crate::math::elementwise::Activation;
use crate::outline::{Kind, Outline};
use crate::recipe::Pooling;

/// The most bytes of a file with weights; this backend reads it whole.
const LIMIT: u64 = 4 << 30;

/// A BERT on candle's tensors.
pub(crate) struct Portable {
    network: Network,
    pooling: Pooling,
}

enum Network {
    Bert(bert::BertModel),
    Roberta(xlm_roberta::XLMRobertaModel),
}

impl Portable {
    /// Reads the model.
    pub(crate) fn load(outline: &Outline) -> Result<Self> {
        let first = outline
            .weights
            .first()
            .map_or("model.safetensors", String::as_str);
        let bad = |error: candle_core::Error| ModelError::unreadable(first, error);
        let mut tensors = std::collections::HashMap::new();
        for name in &outline.weights {
            let bytes = outline.files.needed(name, LIMIT)?;
            tensors.extend(candle_core::safetensors::load_buffer(&bytes, &Device::Cpu).map_err(bad)?);
        }
        let builder = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        let unread = |error: serde_json::Error| ModelError::unreadable(config::FILE, error);
        let written = written(outline)?;
        let network = match &outline.kind {
            Kind::Bert(config) if config.roberta => {
                let config = serde_json::from_value(written).map_err(unread)?;
                let named = builder.contains_tensor("roberta.embeddings.word_embeddings.weight");
                let builder = if named { builder.pp("roberta") } else { builder };
                Network::Roberta(xlm_roberta::XLMRobertaModel::new(&config, builder).map_err(bad)?)
            }
            _ => {
                let config = serde_json::from_value(written).map_err(unread)?;
                Network::Bert(bert::BertModel::load(builder, &config).map_err(bad)?)
            }
        };
        Ok(Self {
            network,
            pooling: outline.pooling,
        })
    }

    /// Writes the vector of each text, row by row. Neighbours of one length go together, so that nothing is padded.
    pub(crate) fn encode(&self, texts: &[&[u32]], vectors: &mut [f32]) -> Result<()> {
        let width = vectors.len() / texts.len().max(1);
        let mut rest = vectors;
        for group in texts.chunk_by(|one, next| one.len() == next.len()) {
            let (here, behind) = rest.split_at_mut(group.len() * width);
            let states = self
                .states(group)
                .map_err(|error| ModelError::unreadable("model.safetensors", error))?;
            let size = states.len() / group.len();
            for (states, vector) in states.chunks_exact(size).zip(here.chunks_exact_mut(width)) {
                pool(self.pooling, states, vector);
            }
            rest = behind;
        }
        Ok(())
    }

    /// The states of all tokens of texts of one length.
    fn states(&self, texts: &[&[u32]]) -> candle_core::Result<Vec<f32>> {
        let length = texts.first().map_or(0, |ids| ids.len());
        let ids = Tensor::from_vec(texts.concat(), (texts.len(), length), &Device::Cpu)?;
        let segments = ids.zeros_like()?;
        let mask = ids.ones_like()?;
        let states = match &self.network {
            Network::Bert(network) => network.forward(&ids, &segments, Some(&mask))?,
            Network::Roberta(network) => network.forward(&ids, &mask, &segments, None, None, None)?,
        };
        states.flatten_all()?.to_vec1()
    }
}

/// The configuration in candle's words, with what only training needs.
fn written(outline: &Outline) -> Result<serde_json::Value> {
    let bytes = outline.files.needed(config::FILE, config::LIMIT)?;
    let mut written: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&bytes).map_err(|error| ModelError::unreadable(config::FILE, error))?;
    let silent = serde_json::json!({
        "attention_probs_dropout_prob": 0.0,
        "hidden_dropout_prob": 0.0,
        "initializer_range": 0.02,
        "position_embedding_type": "absolute",
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    });
    for (name, value) in silent.as_object().into_iter().flatten() {
        written.entry(name).or_insert_with(|| value.clone());
    }
    if let Kind::Bert(config) = &outline.kind {
        let activation = match (config.activation, config.roberta) {
            (Activation::Gelu, _) => "gelu",
            (Activation::GeluTanh, false) => "geluapproximate",
            (Activation::GeluTanh, true) => "gelu_pytorch_tanh",
            (Activation::Relu, _) => "relu",
        };
        written.insert("hidden_act".to_owned(), activation.into());
    }
    Ok(written.into())
}
