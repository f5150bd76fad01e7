//! From tensors by name to packed layers. Knows no arithmetic.

use crate::config::BertConfig;
use crate::error::Result;
use crate::math::elementwise::Norm;
use crate::math::panels::Panels;
use crate::recipe::Pooling;
use crate::tensors::Tensors;

use super::{Bert, Layer, Linear};

impl Bert {
    /// Reads and packs the weights.
    pub(crate) fn load(config: BertConfig, pooling: Pooling, tensors: &mut Tensors) -> Result<Self> {
        let mut read = Reader {
            tensors,
            config: &config,
        };
        let width = config.width;
        let words = read.name("embeddings.word_embeddings.weight");
        let words = read.tensors.table(&words, &[config.vocabulary, width])?;
        let mut positions = read.floats(
            "embeddings.position_embeddings.weight",
            &[config.positions, width],
        )?;
        // Of a text on its own every token is in the first segment.
        let segments = read.floats(
            "embeddings.token_type_embeddings.weight",
            &[config.segments, width],
        )?;
        for row in positions.chunks_exact_mut(width) {
            for (value, more) in row.iter_mut().zip(&segments) {
                *value += more;
            }
        }
        let norm = read.norm("embeddings.LayerNorm")?;
        let layers = (0..config.layers)
            .map(|layer| read.layer(layer))
            .collect::<Result<_>>()?;
        Ok(Self {
            words,
            positions,
            norm,
            layers,
            pooling,
            config,
        })
    }
}

/// Tensors under any of the names that checkpoints give them.
struct Reader<'a> {
    tensors: &'a mut Tensors,
    config: &'a BertConfig,
}

impl Reader<'_> {
    /// The name under which a tensor is there; the plain one when it is under none.
    fn name(&self, name: &str) -> String {
        let model = if self.config.roberta { "roberta" } else { "bert" };
        // Checkpoints that came from TensorFlow name the weights of a normalisation gamma and beta.
        let old = name
            .replace("LayerNorm.weight", "LayerNorm.gamma")
            .replace("LayerNorm.bias", "LayerNorm.beta");
        let names = [
            name.to_owned(),
            format!("{model}.{name}"),
            old.clone(),
            format!("{model}.{old}"),
        ];
        self.tensors.find(&names).unwrap_or_else(|| name.to_owned())
    }

    fn floats(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let name = self.name(name);
        self.tensors.floats(&name, shape)
    }

    fn norm(&mut self, name: &str) -> Result<Norm> {
        let width = [self.config.width];
        Ok(Norm {
            weight: self.floats(&format!("{name}.weight"), &width)?,
            bias: self.floats(&format!("{name}.bias"), &width)?,
            epsilon: self.config.epsilon,
        })
    }

    /// Several linear layers with the same input, side by side.
    fn linear(&mut self, names: &[String], inputs: usize, outputs: usize) -> Result<Linear> {
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            weights.append(&mut self.floats(&format!("{name}.weight"), &[outputs, inputs])?);
            bias.append(&mut self.floats(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(Linear {
            weights: Panels::from_layer(&weights, outputs * names.len(), inputs),
            bias,
        })
    }

    fn layer(&mut self, layer: usize) -> Result<Layer> {
        let (width, inner) = (self.config.width, self.config.inner);
        let of = |part: &str| format!("encoder.layer.{layer}.{part}");
        let three = ["query", "key", "value"].map(|part| of(&format!("attention.self.{part}")));
        Ok(Layer {
            projection: self.linear(&three, width, width)?,
            output: self.linear(&[of("attention.output.dense")], width, width)?,
            output_norm: self.norm(&of("attention.output.LayerNorm"))?,
            wide: self.linear(&[of("intermediate.dense")], width, inner)?,
            narrow: self.linear(&[of("output.dense")], inner, width)?,
            narrow_norm: self.norm(&of("output.LayerNorm"))?,
        })
    }
}
