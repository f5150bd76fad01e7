//! The answer of an operation as text: `{"ok": …}` or `{"error": {code, category, message, details}}`.

use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: ErrorCode,
    category: crate::error::Category,
    message: &'a str,
    details: &'a serde_json::Map<String, serde_json::Value>,
}

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
        Err(error) => {
            let body = ErrorBody {
                code: error.code,
                category: error.code.category(),
                message: &error.message,
                details: &error.details,
            };
            let body = serde_json::to_string(&body).unwrap_or_else(|_| {
                r#"{"code":"internal","category":"internal","message":"an error cannot be written","details":{}}"#.to_owned()
            });
            format!("{{\"error\":{body}}}")
        }
    }
}
