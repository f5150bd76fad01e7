//! Hands a fuzzer's bytes to the laws of `skill_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| honeyguide_laws::check("skill_file", bytes));
