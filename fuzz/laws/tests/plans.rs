//! Some plans of every target on each run of the tests: what is drawn from bytes that nobody chose, the same ones each time.
#![allow(clippy::disallowed_methods, clippy::panic, reason = "a test may panic")]

use honeyguide_laws::{TARGETS, check};

/// A fuzzer tries millions; these see that the laws hold beyond the committed inputs.
const PLANS: u64 = 150;
const LONGEST: u64 = 600;

#[test]
fn no_plan_breaks_a_law() {
    for (target, _) in TARGETS {
        for seed in first()..first() + PLANS {
            let bytes = plan(seed);
            if std::panic::catch_unwind(|| check(target, &bytes)).is_err() {
                let path = std::env::temp_dir().join(format!("{target}-{seed}"));
                std::fs::write(&path, &bytes).unwrap_or_default();
                panic!(
                    "plan {seed} breaks a law of {target}; it is in {}",
                    path.display()
                );
            }
        }
    }
}

/// Where the numbers of the plans begin: `HONEYGUIDE_PLANS` moves on to others.
fn first() -> u64 {
    let given = std::env::var("HONEYGUIDE_PLANS").ok();
    given.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// NUL, and bytes of a generator that anybody can write again (splitmix64).
fn plan(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let length = next() % LONGEST;
    let mut bytes = vec![0];
    for _ in 0..length {
        bytes.push(next().to_le_bytes()[0]);
    }
    bytes
}
