//! Vectors that another program made, read from files: 32-bit floats, one vector after the other. Knows nothing of models.

use std::error::Error;
use std::fs;
use std::sync::Arc;

use honeyguide::index::{Model, Probe};
use honeyguide::rank::{Formula, Method};
use honeyguide::text::Scripts;

/// Numbers of a vector of the bench's model.
pub const DIMENSIONS: usize = 384;

/// The vectors of a set's texts, in the order in which the engine asks for them, those of its queries, and what they are for.
pub struct Vectors {
    pub texts: Vec<Vec<f32>>,
    pub queries: Vec<Probe>,
    pub way: Way,
}

/// How words and meaning become one ranking.
#[derive(Clone, Copy, Default)]
pub struct Way {
    pub method: Method,
    pub formula: Formula,
}

impl Vectors {
    /// Reads both files.
    pub fn read(texts: &str, queries: &str, way: Way) -> Result<Self, Box<dyn Error>> {
        let queries = read(queries)?;
        let probes = queries.iter().map(|vector| Probe::new(vector, DIMENSIONS));
        Ok(Self {
            texts: read(texts)?,
            queries: probes
                .collect::<Result<_, _>>()
                .map_err(|unfit| format!("{unfit:?}"))?,
            way,
        })
    }
}

impl Way {
    /// Every way, and what it is called.
    pub fn named(name: &str) -> Option<Self> {
        let (method, formula) = match name {
            "semantic" => (Method::Semantic, Formula::Sum),
            "hybrid" => (Method::Hybrid, Formula::Sum),
            "ranks" => (Method::Hybrid, Formula::Ranks),
            "deviations" => (Method::Hybrid, Formula::Deviations),
            _ => return None,
        };
        Some(Self { method, formula })
    }
}

/// What an engine is told of the model.
pub fn model() -> Arc<Model> {
    Arc::new(Model {
        id: "all-MiniLM-L6-v2".to_owned(),
        revision: String::new(),
        dimensions: 384,
        scripts: Scripts::named(&["Latin".to_owned()]).ok(),
        is_english: true,
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
