//! Sentence encoders in process: the bytes of a model in, vectors out. Knows no engine, no network and no environment.
//!
//! [`ModelFiles`] are the files of a model, in a folder or in memory; [`Outline`] is what the small ones say; [`Model`] is
//! the encoder; [`LazyModel`] reads it when it is first needed. Two families are built: BERT (MiniLM, bge, e5, gte,
//! arctic-embed) and tables of one vector for each token (model2vec). Nothing is ever downloaded.
//!
//! Read `docs/adr/0030` and the ones after it for what is ours here and what is a library's.

mod batches;
mod bert;
mod config;
mod error;
mod files;
mod identity;
mod known;
mod languages;
mod lazy;
mod math;
mod model;
mod outline;
#[cfg(feature = "portable")]
mod portable;
mod recipe;
mod scripts;
mod table;
mod tensors;
mod tokens;
mod vocabulary;
mod wire;

pub use batches::{Progress, Watch};
pub use error::{ModelError, ModelErrorCode, Result};
pub use files::ModelFiles;
pub use lazy::LazyModel;
pub use model::{Model, Role};
pub use outline::{Backend, ModelOptions, Outline};
pub use recipe::{Pooling, Prefixes};
