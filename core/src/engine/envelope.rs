//! The answer of an operation as text: `{"ok": …}` or `{"error": {code, category, message, details}}`.

use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};

/// What stands before a response.
pub(super) const BEGINNING: &[u8] = b"{\"ok\":";

/// The envelope around a response.
pub(super) fn ok(response: &impl Serialize) -> Result<String> {
    let mut text = Vec::with_capacity(128);
    text.extend_from_slice(BEGINNING);
    serde_json::to_writer(&mut text, response).map_err(unwritten)?;
    end(text)
}

/// The envelope that is begun, ended.
pub(super) fn end(mut text: Vec<u8>) -> Result<String> {
    text.push(b'}');
    String::from_utf8(text).map_err(|cause| {
        Error::new(ErrorCode::Internal, "a response is no text: please report it").caused_by(cause)
    })
}

/// Why a response cannot be written.
pub(super) fn unwritten(cause: serde_json::Error) -> Error {
    Error::new(
        ErrorCode::Internal,
        format!("a response cannot be written: {cause}"),
    )
    .caused_by(cause)
}

/// The envelope of a response, or the one around an error.
pub(super) fn write(outcome: Result<String>) -> String {
    outcome.unwrap_or_else(|error| format!("{{\"error\":{}}}", error.to_json()))
}
