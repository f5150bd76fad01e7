//! The crate from outside: models that the tests make, and all-MiniLM-L6-v2 where it is. One binary, for one link.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests may fail, and make small numbers of small numbers"
)]

mod golden;
mod hostile;
mod kit;
mod laws;
mod lazy;
mod minilm;
#[cfg(feature = "portable")]
mod oracle;
