//! Vectors that another program made, read from files: 32-bit floats, one vector after the other. Knows nothing of models.

use std::error::Error;
use std::fs;
use std::sync::Arc;

use honeyguide::index::Model;
use honeyguide::text::Scripts;

/// Numbers of a vector of the bench's model.
pub const DIMENSIONS: usize = 384;

/// The vectors of a set's texts, in the order in which the engine asks for them, and of its queries.
pub struct Vectors {
    pub texts: Vec<Vec<f32>>,
    pub queries: Vec<Vec<f32>>,
}

impl Vectors {
    /// Reads both files.
    pub fn read(texts: &str, queries: &str) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            texts: read(texts)?,
            queries: read(queries)?,
        })
    }
}

/// What an engine is told of the model.
pub fn model() -> Arc<Model> {
    Arc::new(Model {
        id: "all-MiniLM-L6-v2".to_owned(),
        revision: String::new(),
        dimensions: DIMENSIONS,
        scripts: Scripts::named(&["Latin".to_owned()]).ok(),
    })
}

fn read(path: &str) -> Result<Vec<Vec<f32>>, Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() || numbers.len() % DIMENSIONS != 0 {
        return Err(format!("{path} holds no vectors of {DIMENSIONS} numbers").into());
    }
    let vectors = numbers.chunks(DIMENSIONS);
    Ok(vectors
        .map(|vector| vector.iter().map(|number| f32::from_le_bytes(*number)).collect())
        .collect())
}
