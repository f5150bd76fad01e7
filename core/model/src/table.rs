//! A static model: one vector for each token, averaged. Knows no text and no threads.

use crate::error::{ModelError, Result};
use crate::tensors::{self, Tensors};

/// The most dimensions of a vector.
const MOST_WIDTH: usize = 4_096;

/// The vectors of the tokens, and how much each counts.
#[derive(Debug)]
pub(crate) struct StaticTable {
    vectors: tensors::Table,
    /// The row of each token, when the vocabulary is larger than the table.
    mapping: Option<Vec<usize>>,
    /// How much each token counts.
    weights: Option<Vec<f32>>,
}

/// The sizes of a static model, from the header alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sizes {
    name: String,
    rows: usize,
    /// Dimensions of a vector.
    pub(crate) width: usize,
    /// How many tokens have a vector.
    pub(crate) tokens: usize,
}

impl Sizes {
    /// Finds the table, under the name model2vec gives it or that of sentence-transformers.
    pub(crate) fn read(tensors: &Tensors, file: &str) -> Result<Self> {
        let names = ["embeddings", "embedding.weight"].map(str::to_owned);
        let Some(name) = tensors.find(&names) else {
            return Err(
                ModelError::mismatch(file, "there is no tensor `embeddings`").with("tensor", "embeddings")
            );
        };
        let Some([rows, width]) = tensors
            .shape(&name)
            .and_then(|shape| <[usize; 2]>::try_from(shape).ok())
        else {
            return Err(
                ModelError::mismatch(file, format!("tensor `{name}` is no table")).with("tensor", name)
            );
        };
        if rows == 0 || !(1..=MOST_WIDTH).contains(&width) {
            let why = format!("tensor `{name}` has {rows} rows of {width} values");
            return Err(ModelError::unsupported(file, why).with("tensor", name));
        }
        let tokens = match tensors.shape("mapping") {
            Some(shape) => shape.iter().product(),
            None => rows,
        };
        Ok(Self {
            name,
            rows,
            width,
            tokens,
        })
    }
}

impl StaticTable {
    /// Reads the table, and what each token counts.
    pub(crate) fn load(sizes: &Sizes, tensors: &mut Tensors, file: &str) -> Result<Self> {
        let vectors = tensors.table(&sizes.name, &[sizes.rows, sizes.width])?;
        let mapping = match tensors.shape("mapping") {
            Some(_) => Some(tensors.places("mapping")?),
            None => None,
        };
        if let Some(row) = mapping.iter().flatten().find(|row| **row >= sizes.rows) {
            let why = format!("`mapping` points to row {row} of {}", sizes.rows);
            return Err(ModelError::mismatch(file, why).with("tensor", "mapping"));
        }
        let weights = match tensors.shape("weights") {
            Some(_) => Some(tensors.floats("weights", &[sizes.tokens])?),
            None => None,
        };
        Ok(Self {
            vectors,
            mapping,
            weights,
        })
    }

    /// Writes the mean of the tokens' vectors; zeros when there is no token.
    pub(crate) fn encode(&self, ids: &[u32], vector: &mut [f32]) {
        vector.fill(0.0);
        let mut tokens = 0.0_f32;
        for id in ids {
            let id = usize::try_from(*id).unwrap_or(usize::MAX);
            let row = self
                .mapping
                .as_ref()
                .map_or(Some(id), |mapping| mapping.get(id).copied());
            let weight = self
                .weights
                .as_ref()
                .map_or(Some(1.0), |weights| weights.get(id).copied());
            if let (Some(row), Some(weight)) = (row, weight) {
                self.vectors.add_row(row, weight, vector);
                tokens += 1.0;
            }
        }
        if tokens > 0.0 {
            for value in vector {
                *value /= tokens;
            }
        }
    }
}
