//! What the speed benches share. Knows no engine: peers are measured by the same lines as ours.
//!
//! `corpus` makes a seeded catalog, `realism` says how it resembles real ones, `sets` reads a catalog from a folder,
//! `measure` runs an engine through the protocol of `bench/README.md` and prints its one line.

pub mod corpus;
pub mod measure;
pub mod realism;
pub mod sets;
