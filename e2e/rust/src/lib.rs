//! The Rust runner of the scenario: reads steps, calls operations, compares. Knows nothing of what an answer should be.
//!
//! `tests/scenario.rs` drives it. The Node and Python runners beside it are its translations; open them when you edit one.

pub mod canonical;
pub mod client;
pub mod compare;
pub mod embedder;
pub mod errors;
pub mod executors;
pub mod expand;
pub mod files;
pub mod folders;
pub mod items;
pub mod meaning;
pub mod rerank;
pub mod scenario;
pub mod world;
