//! What must hold for any bytes: one law book per fuzz target. Knows nothing of fuzzers.
//!
//! A fuzz target hands its bytes over; `tests/corpus.rs` replays the committed ones in every run of the tests. A broken law
//! is a failed assertion. Most inputs are text that a person can read; bytes that begin with NUL are a plan, from which
//! `draw` makes an input that is deeper than text found by chance.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken law must stop the run"
)]

mod draw;
mod envelopes;
mod registration;
mod schema_walk;
mod skill_file;
mod snapshot;
mod text_analysis;
mod vectors;
mod wire;
mod witness;

pub use witness::Witness;

/// A law book: asserts what must hold for these bytes.
pub type Law = fn(&[u8]);

/// Every target by its name, which is also the name of its folder in `fuzz/corpus`.
pub const TARGETS: [(&str, Law); 8] = [
    ("schema_walk", schema_walk::check),
    ("text_analysis", text_analysis::check),
    ("envelopes", envelopes::check),
    ("snapshot", snapshot::check),
    ("wire", wire::check),
    ("vectors", vectors::check),
    ("skill_file", skill_file::check),
    ("registration", registration::check),
];

/// Asserts the laws of the named target.
pub fn check(target: &str, bytes: &[u8]) {
    let (_, law) = TARGETS
        .iter()
        .find(|(name, _)| *name == target)
        .expect("the name of a target");
    law(bytes);
}

/// The plan that bytes hold, when they hold one.
fn plan(bytes: &[u8]) -> Option<arbitrary::Unstructured<'_>> {
    let plan = bytes.strip_prefix(&[0])?;
    Some(arbitrary::Unstructured::new(plan))
}
