//! From texts to ordered documents: the layers that a search and a registration run through.
//! Knows nothing of items, sessions, prompts and the wire.
//!
//! Read them in this order; a file imports only from layers before its own (`docs/architecture.md`):
//! [`ablation`], [`settled`], [`text`], [`index`], [`rank`]. They are a crate of their own because this code is built for speed and what
//! stands above it for size (`profile.dist`); whoever needs them takes them from `honeyguide`, which hands them on.

pub mod ablation;
pub mod settled;
pub mod text;
pub mod index;
pub mod rank;
