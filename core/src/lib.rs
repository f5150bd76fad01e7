//! Honeyguide keeps the whole catalog of an agent's tools, skills and facts outside the prompt and discloses what a
//! turn needs.
//!
//! Read the layers in this order; a file imports only from layers before its own (`docs/architecture.md`):
//! [`ablation`], [`settled`], [`error`], [`text`], [`index`], [`rank`], [`catalog`], [`session`], [`capability`], [`engine`].
//!
//! The crate does nothing to the world: no files, no network, no clock, no thread. Bytes, time and vectors come in as
//! arguments, so one scenario gives one answer in every language.

pub use honeyguide_retrieval::{ablation, index, rank, settled, text};

pub mod error;
pub mod catalog;
pub mod session;
pub mod capability;
pub mod engine;

pub use engine::Engine;
pub use error::{Error, ErrorCode, Result};
