//! Hands a fuzzer's bytes to the laws of `registration`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| honeyguide_laws::check("registration", bytes));
