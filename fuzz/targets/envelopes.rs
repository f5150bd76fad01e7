//! Hands a fuzzer's bytes to the laws of `envelopes`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| honeyguide_laws::check("envelopes", bytes));
