//! The answer of an operation as text: `{"ok": …}` or `{"error": {code, category, message, details}}`.

use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};

/// The text of a response.
pub(super) fn ok(response: &impl Serialize) -> Result<String> {
    serde_json::to_string(response).map_err(|cause| {
        Error::new(
            ErrorCode::Internal,
            format!("a response cannot be written: {cause}"),
        )
        .caused_by(cause)
    })
}

/// The envelope around a response's text, or around an error.
pub(super) fn write(outcome: Result<String>) -> String {
    match outcome {
        Ok(response) => format!("{{\"ok\":{response}}}"),
        Err(error) => format!("{{\"error\":{}}}", error.to_json()),
    }
}
