//! Replays the committed inputs of every fuzz target, so that what a fuzzer once found stays found without one.
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic, and the inputs are files"
)]

use std::fs;
use std::path::PathBuf;

use honeyguide_laws::{TARGETS, check};

/// All inputs together, in bytes: they are cloned by everybody.
const MOST_BYTES: usize = 300_000;

fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../corpus")
        .join(target);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

fn replay(target: &str) {
    let inputs = inputs(target);
    assert!(inputs.len() >= 10, "{target} has {} inputs", inputs.len());
    for (path, bytes) in inputs {
        let broken = std::panic::catch_unwind(|| check(target, &bytes)).is_err();
        assert!(!broken, "{} breaks a law", path.display());
    }
}

#[test]
fn the_inputs_of_the_skill_file_break_no_law() {
    replay("skill_file");
}

#[test]
fn the_inputs_of_the_registration_break_no_law() {
    replay("registration");
}

#[test]
fn the_inputs_of_the_vectors_break_no_law() {
    replay("vectors");
}

#[test]
fn the_inputs_of_the_schema_walk_break_no_law() {
    replay("schema_walk");
}

#[test]
fn the_inputs_of_the_text_analysis_break_no_law() {
    replay("text_analysis");
}

#[test]
fn the_inputs_of_the_envelopes_break_no_law() {
    replay("envelopes");
}

#[test]
fn the_inputs_of_the_snapshot_break_no_law() {
    replay("snapshot");
}

#[test]
fn the_inputs_of_the_wire_break_no_law() {
    replay("wire");
}

#[test]
fn every_target_is_replayed_and_the_inputs_stay_small() {
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "schema_walk",
            "text_analysis",
            "envelopes",
            "snapshot",
            "wire",
            "vectors",
            "skill_file",
            "registration",
        ]
    );
    let bytes: usize = names
        .iter()
        .flat_map(|name| inputs(name))
        .map(|(_, bytes)| bytes.len())
        .sum();
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}
