//! What can go wrong with a shared file, in the shape of the engine's errors.

use serde_json::json;

/// Which error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The request is not one.
    InvalidRequest,
    /// There is no such operation.
    UnknownOperation,
    /// The file cannot be read or written, or is none of ours.
    CacheFailed,
}

/// An error with a code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: ErrorCode,
    message: String,
    #[source]
    source: Option<std::io::Error>,
}

impl Error {
    pub(crate) fn new(code: ErrorCode, message: String) -> Self {
        Self {
            code,
            message,
            source: None,
        }
    }

    /// What the system says of a file.
    pub(crate) fn of_file(path: &str, doing: &str, cause: std::io::Error) -> Self {
        Self {
            code: ErrorCode::CacheFailed,
            message: format!("the vector cache `{path}` cannot be {doing}: {cause}"),
            source: Some(cause),
        }
    }

    /// Which error it is.
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The error as the engine writes one.
    pub(crate) fn to_json(&self) -> String {
        let (code, category) = match self.code {
            ErrorCode::InvalidRequest => ("invalid_request", "invalid_input"),
            ErrorCode::UnknownOperation => ("unknown_operation", "invalid_input"),
            ErrorCode::CacheFailed => ("cache_failed", "state"),
        };
        json!({ "code": code, "category": category, "message": self.message, "details": {} }).to_string()
    }
}
