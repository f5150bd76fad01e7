//! Hands a fuzzer's bytes to the laws of `schema_walk`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| honeyguide_laws::check("schema_walk", bytes));
