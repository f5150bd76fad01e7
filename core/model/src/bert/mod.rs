//! A BERT: token ids in, one vector for each text out. Knows no text, no file names and no threads.

mod attention;
mod forward;
mod weights;

use crate::config::BertConfig;
use crate::math::elementwise::Norm;
use crate::math::panels::Panels;
use crate::recipe::Pooling;
use crate::tensors::Table;

pub(crate) use forward::Workspace;
#[cfg(feature = "portable")]
pub(crate) use forward::pool;

/// The weights of a BERT, packed for the product.
#[derive(Debug)]
pub(crate) struct Bert {
    config: BertConfig,
    pooling: Pooling,
    words: Table,
    /// The vectors of the positions, each with that of the first segment added.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Queries, keys and values in one product.
    projection: Linear,
    output: Linear,
    output_norm: Norm,
    wide: Linear,
    narrow: Linear,
    narrow_norm: Norm,
}

#[derive(Debug)]
struct Linear {
    weights: Panels,
    bias: Vec<f32>,
}
