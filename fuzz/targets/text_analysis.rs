//! Hands a fuzzer's bytes to the laws of `text_analysis`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| honeyguide_laws::check("text_analysis", bytes));
